# tests/unit/coll: one line a test, unit_tests += tests/unit/coll/NAME_test (built from NAME_test.c)
unit_tests += tests/unit/coll/algorithm_test
unit_tests += tests/unit/coll/region_test
unit_tests += tests/unit/coll/sched_test
unit_tests += tests/unit/coll/select_test
unit_tests += tests/unit/coll/shm_test
EXTRA_DIST += tests/unit/coll/fake.h
