# tests/unit/shm: one line a test, unit_tests += tests/unit/shm/NAME_test (built from NAME_test.c)
unit_tests += tests/unit/shm/ring_test tests/unit/shm/segment_test tests/unit/shm/died_test tests/unit/shm/place_test tests/unit/shm/copies_test
