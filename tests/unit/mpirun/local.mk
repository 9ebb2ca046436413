# tests/unit/mpirun: one line a test, unit_tests += tests/unit/mpirun/NAME_test (built from NAME_test.c)
