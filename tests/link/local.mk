# tests/link: unit_tests += tests/link/NAME_test (built from NAME_test.c with Criterion)
