# tests/unit/core: one line a test, unit_tests += tests/unit/core/ROOM/NOUN_test (built from NOUN_test.c)
unit_tests += tests/unit/core/object/handle_int_test tests/unit/core/object/attr_test tests/unit/core/object/info_test
unit_tests += tests/unit/core/op/op_test tests/unit/core/topo/topo_test tests/unit/core/hosts/region_test
unit_tests += tests/unit/core/comm/group_test tests/unit/core/comm/error_test tests/unit/core/comm/tree_test
unit_tests += tests/unit/core/comm/ids_test
unit_tests += tests/unit/core/type/datatype_test tests/unit/core/type/external_test
tests_unit_core_type_datatype_test_SOURCES = tests/unit/core/type/datatype_test.c tests/unit/core/type/random_type.c tests/unit/core/type/random_type.h
tests_unit_core_type_external_test_SOURCES = tests/unit/core/type/external_test.c tests/unit/core/type/random_type.c tests/unit/core/type/random_type.h

# core/p2p and core/request: point-to-point from the entry points down to a fake engine. The entry points are compiled once more, as
# the units are linked without the library proper.
p2p_tests = tests/unit/core/p2p/pt2pt_test tests/unit/core/request/request_test tests/unit/core/p2p/probe_test \
  tests/unit/core/p2p/bsend_test tests/unit/core/request/status_test \
  tests/unit/core/request/grequest_test tests/unit/core/p2p/part_test
unit_tests += $(p2p_tests)

check_LTLIBRARIES += libp2ptest.la
libp2ptest_la_CFLAGS = $(AM_CFLAGS)
libp2ptest_la_SOURCES = tests/unit/core/p2p/fake_engine.h tests/unit/core/p2p/fake_engine.c \
  tests/unit/core/p2p/setup.h tests/unit/core/p2p/setup.c src/mpi/pt2pt.c src/mpi/pt2pt_persistent.c src/mpi/probe.c \
  src/mpi/request.c src/mpi/request_many.c src/mpi/status.c src/mpi/bsend.c \
  src/mpi/grequest.c src/mpi/part.c src/mpi/datatype.c

p2p_ldadd = libp2ptest.la libhawser.la $(CRITERION_LIBS)
tests_unit_core_p2p_pt2pt_test_LDADD = $(p2p_ldadd)
tests_unit_core_request_request_test_LDADD = $(p2p_ldadd)
tests_unit_core_p2p_probe_test_LDADD = $(p2p_ldadd)
tests_unit_core_p2p_bsend_test_LDADD = $(p2p_ldadd)
tests_unit_core_request_status_test_LDADD = $(p2p_ldadd)
tests_unit_core_request_grequest_test_LDADD = $(p2p_ldadd)
tests_unit_core_p2p_part_test_LDADD = $(p2p_ldadd)
