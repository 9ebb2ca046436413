# tests/unit/core_p2p: point-to-point from the entry points down to a fake engine. The entry points are compiled once more, as
# the units are linked without the library proper.
p2p_tests = tests/unit/core_p2p/pt2pt_test tests/unit/core_p2p/request_test tests/unit/core_p2p/probe_test \
  tests/unit/core_p2p/bsend_test tests/unit/core_p2p/status_test \
  tests/unit/core_p2p/grequest_test tests/unit/core_p2p/part_test
unit_tests += $(p2p_tests)

check_LTLIBRARIES += libp2ptest.la
libp2ptest_la_CFLAGS = $(AM_CFLAGS)
libp2ptest_la_SOURCES = tests/unit/core_p2p/fake_engine.h tests/unit/core_p2p/fake_engine.c \
  tests/unit/core_p2p/setup.h tests/unit/core_p2p/setup.c src/mpi/pt2pt.c src/mpi/pt2pt_persistent.c src/mpi/probe.c \
  src/mpi/request.c src/mpi/request_many.c src/mpi/status.c src/mpi/bsend.c \
  src/mpi/grequest.c src/mpi/part.c src/mpi/datatype.c

p2p_ldadd = libp2ptest.la libhawser.la $(CRITERION_LIBS)
tests_unit_core_p2p_pt2pt_test_LDADD = $(p2p_ldadd)
tests_unit_core_p2p_request_test_LDADD = $(p2p_ldadd)
tests_unit_core_p2p_probe_test_LDADD = $(p2p_ldadd)
tests_unit_core_p2p_bsend_test_LDADD = $(p2p_ldadd)
tests_unit_core_p2p_status_test_LDADD = $(p2p_ldadd)
tests_unit_core_p2p_grequest_test_LDADD = $(p2p_ldadd)
tests_unit_core_p2p_part_test_LDADD = $(p2p_ldadd)
