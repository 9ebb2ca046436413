# SPDX-License-Identifier: BSD-3-Clause
# Every test prints TAP. `make check` runs the unit tests (Criterion, one binary a file), then the scripts.
#
# A new unit test is one line in its folder's local.mk: unit_tests += tests/unit/FOLDER/NOUN_test
# A new test of real ranks is one file tests/proc/FAMILY/NAME.c and one line in tests/proc/testlist; make finds the file.
unit_tests =
fuzz_targets =
include tests/unit/base/local.mk
include tests/unit/wire/local.mk
include tests/unit/frag/local.mk
include tests/unit/striping/local.mk
include tests/unit/match/local.mk
include tests/unit/reactor/local.mk
include tests/unit/link/local.mk
include tests/unit/peer/local.mk
include tests/unit/core/local.mk
include tests/unit/coll/local.mk
include tests/unit/mpi/local.mk
include tests/unit/launch/local.mk
include tests/unit/mpirun/local.mk
include tests/wire/local.mk
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
proc_headers = $(wildcard $(srcdir)/tests/proc/*.h)
CLEANFILES += $(proc_programs)

$(proc_programs): %: $(srcdir)/%.c $(proc_headers) $(srcdir)/include/mpi.h libmpi_abi.la
	$(AM_V_CCLD)$(MKDIR_P) $(@D) && $(CC) $(HWS_CFLAGS) $(CPPFLAGS) $(CFLAGS) -pthread -I$(srcdir)/include \
	  -I$(srcdir)/tests/proc -o $@ $< -L.libs -lmpi_abi -Wl,-rpath,$(abs_builddir)/.libs $(LDFLAGS) -lm

proc: $(proc_programs) $(bin_PROGRAMS) $(pkglibexec_PROGRAMS)
.PHONY: proc

check_scripts = tests/proc/all.test
TESTS += $(check_scripts)
tests/proc/all.log: $(proc_programs) $(bin_PROGRAMS) $(pkglibexec_PROGRAMS)

EXTRA_DIST += $(proc_sources) $(proc_headers) $(check_scripts) tests/proc/run tests/proc/testlist \
  tests/support/criterion-tap

# Criterion prints TAP when asked; scripts do so by themselves.
TEST_EXTENSIONS = .test
TAP_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) $(top_srcdir)/build-aux/tap-driver.sh
LOG_DRIVER = $(TAP_DRIVER)
LOG_COMPILER = $(top_srcdir)/tests/support/criterion-tap
TEST_LOG_DRIVER = $(TAP_DRIVER)
AM_TESTS_ENVIRONMENT = srcdir='$(srcdir)'; builddir='$(abs_builddir)'; CC='$(CC)'; CXX='$(CXX)'; \
  export srcdir builddir CC CXX;
