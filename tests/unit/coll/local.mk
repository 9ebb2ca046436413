# tests/unit/coll: one line a test, unit_tests += tests/unit/coll/ROOM/NOUN_test (built from NOUN_test.c)
unit_tests += tests/unit/coll/flat/algorithm_test
unit_tests += tests/unit/coll/schedule/sched_test
unit_tests += tests/unit/coll/select/select_test
unit_tests += tests/unit/coll/shm/shm_test
EXTRA_DIST += tests/unit/coll/fake.h
