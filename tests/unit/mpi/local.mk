# tests/unit/mpi: one line a test, unit_tests += tests/unit/mpi/NAME_test (built from NAME_test.c)
