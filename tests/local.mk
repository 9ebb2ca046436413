# SPDX-License-Identifier: BSD-3-Clause
# Every test prints TAP. `make check` runs the unit tests (Criterion, one binary a file), then the scripts.
# A script is named NAME.test.py (Python) or NAME.test.sh (sh, bash); what it only uses is named without `test`.
#
# A new unit test is one line in its folder's local.mk: unit_tests += tests/unit/FOLDER/ROOM/NOUN_test
# A new test of real ranks is one file tests/proc/FAMILY/NAME.c, which make finds, and one line in the testlist of its family
# (or in tests/proc/testlist, where the keys are explained).
unit_tests =
fuzz_targets =
check_LTLIBRARIES =
include tests/unit/base/local.mk
include tests/unit/wire/local.mk
include tests/unit/frag/local.mk
include tests/unit/striping/local.mk
include tests/unit/match/local.mk
include tests/unit/reactor/local.mk
include tests/unit/shm/local.mk
include tests/unit/link/local.mk
include tests/unit/peer/local.mk
include tests/unit/core/local.mk
include tests/unit/cast/local.mk
include tests/unit/coll/local.mk
include tests/unit/mpi/local.mk
include tests/unit/launch/local.mk
include tests/unit/mpirun/local.mk
include tests/unit/gateway/local.mk
include tests/link/local.mk
include tests/sim/local.mk
include tests/fuzz/local.mk

# Programs without an LDADD of their own are unit tests.
LDADD = libhawser.la $(CRITERION_LIBS)

TESTS =
if HAVE_CRITERION
check_PROGRAMS += $(unit_tests)
TESTS += $(unit_tests)
endif

# Real ranks. The programs are plain MPI programs, linked to the library in the build tree.
proc_sources = $(sort $(wildcard $(srcdir)/tests/proc/*/*.c))
proc_programs = $(proc_sources:$(srcdir)/%.c=%)
proc_headers = $(wildcard $(srcdir)/tests/proc/*.h $(srcdir)/tests/proc/*/*.h)
proc_lists = $(wildcard $(srcdir)/tests/proc/testlist $(srcdir)/tests/proc/*/testlist)
CLEANFILES += $(proc_programs) $(proc_programs:=.o)

$(proc_programs): %: $(srcdir)/%.c $(proc_headers) $(wildcard $(srcdir)/include/*.h) libmpi_abi.la
	$(AM_V_CCLD)$(MKDIR_P) $(@D) && $(CC) $(HWS_CFLAGS) $(CPPFLAGS) $(CFLAGS) -pthread -I$(srcdir)/include -I$(srcdir)/tests/proc \
	  -c -o $@.o $< && $(CC) $(HWS_CFLAGS) $(CFLAGS) -pthread -o $@ $@.o -L.libs -lmpi_abi -Wl,-rpath,$(abs_builddir)/.libs $(LDFLAGS) -lm

proc: $(proc_programs) $(bin_PROGRAMS) $(pkglibexec_PROGRAMS)
.PHONY: proc

api_scripts = tests/api/arguments.test.py tests/api/header.test.py tests/api/symbols.test.py tests/api/ctypes.test.py tests/api/pmpi.test.py tests/api/install.test.py tests/api/output.test.py
# What looks at the engine, mpirun and the gateway from near; with sanitizers `./check` runs these and the unit tests alone.
near_scripts = $(cli_scripts) tests/proc/all.test.sh tests/proc/shm.test.sh tests/proc/trc.test.sh tests/proc/hostile.test.py tests/proc/survival.test.py tests/proc/gateway.test.py tests/proc/report.test.sh
check_scripts = tests/tools.test.sh $(near_scripts) $(api_scripts) tests/fortran/fortran.test.py tests/examples/heat.test.py \
  tests/proc/interfaces.test.sh tests/proc/lanes.test.sh tests/proc/networks.test.sh tests/proc/multicast.test.sh tests/proc/hosts.test.py tests/proc/sites.test.py tests/proc/ssh.test.sh tests/proc/launched.test.sh tests/proc/flags.test.sh tests/proc/page.test.py
TESTS += $(check_scripts)
# A test's log is what `make check` makes of it; these need more than the test itself.
$(patsubst %.py,%.log,$(check_scripts:.sh=.log)): all-am
$(patsubst %.py,%.log,$(patsubst %.sh,%.log,$(filter-out $(cli_scripts),$(filter tests/proc/%,$(check_scripts))))): $(proc_programs)

EXTRA_DIST += $(wildcard $(srcdir)/tests/support/*.h) $(proc_sources) $(proc_headers) $(proc_lists) $(check_scripts) tests/proc/run \
  tests/uml/boot tests/uml/sctp.test.sh tests/proc/flip.py tests/proc/relay.py tests/proc/launcher.py tests/proc/gateway_peer.py tests/proc/campaign.test.py \
  $(wildcard $(srcdir)/tests/proc/campaign/*.py) tests/support/hosts.py tests/support/netns tests/support/nics tests/support/rsh tests/support/criterion-tap \
  $(wildcard $(srcdir)/tests/fortran/*.h $(srcdir)/tests/fortran/*.f $(srcdir)/tests/fortran/*.f90 $(srcdir)/tests/fortran/*.c) \
  tests/api/tap.py tests/api/src/pmpi_count.c tests/api/src/pmpi_user.c tests/api/tables/constants.tsv \
  tests/api/tables/types.tsv tests/api/tables/functions.tsv tests/api/tables/datatypes.tsv

# libFuzzer's targets with the engine and what is below it, instrumented: by clang, whatever the tree is built with. ./check runs
# each of them for some seconds.
FUZZ_CC = clang
FUZZ_CFLAGS = $(HWS_CFLAGS) -O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize=pointer-overflow -fno-sanitize-recover=undefined
fuzz_rooms = base wire frag striping match reactor shm link peer cast/proto
fuzz_headers = config.h $(wildcard $(srcdir)/src/gateway/*.h) $(wildcard $(patsubst %,$(srcdir)/src/%/*.h,$(fuzz_rooms) $(fuzz_rooms:%=%/*)))
fuzz_sources = $(filter %.c,$(filter $(fuzz_rooms:%=src/%/%),$(libhawser_la_SOURCES))) $(gateway_pure)
fuzz_objects = $(fuzz_sources:%.c=tests/fuzz/of/%.o)
fuzz_compile = $(AM_V_CC)$(MKDIR_P) $(@D) && $(FUZZ_CC) $(DEFS) -I. $(AM_CPPFLAGS) $(CPPFLAGS) -pthread $(FUZZ_CFLAGS)
$(fuzz_objects): tests/fuzz/of/%.o: $(srcdir)/%.c $(fuzz_headers)
	$(fuzz_compile) -c -o $@ $<
$(fuzz_targets): %: $(srcdir)/%.c $(fuzz_objects)
	$(fuzz_compile) -fsanitize=fuzzer -o $@ $< $(fuzz_objects) $(EV_LIBS) $(SODIUM_LIBS) $(SCTP_LIBS)
fuzz: $(fuzz_targets)
.PHONY: fuzz
fuzz_files = $(wildcard $(srcdir)/tests/fuzz/*.c $(srcdir)/tests/fuzz/*.h $(srcdir)/tests/fuzz/corpus/*/*)
EXTRA_DIST += $(fuzz_files) tests/support/lsan.supp
CLEANFILES += $(fuzz_targets) $(fuzz_objects)

# Criterion prints TAP when asked; scripts do so by themselves.
TEST_EXTENSIONS = .py .sh
TAP_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) $(top_srcdir)/build-aux/tap-driver.sh
LOG_DRIVER = $(TAP_DRIVER)
LOG_COMPILER = $(top_srcdir)/tests/support/criterion-tap
PY_LOG_DRIVER = $(TAP_DRIVER)
SH_LOG_DRIVER = $(TAP_DRIVER)
AM_TESTS_ENVIRONMENT = srcdir='$(srcdir)'; builddir='$(abs_builddir)'; CC='$(CC)'; CXX='$(CXX)'; \
  PYTHONDONTWRITEBYTECODE=1; export srcdir builddir CC CXX PYTHONDONTWRITEBYTECODE;
