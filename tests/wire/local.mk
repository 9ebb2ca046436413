# tests/wire: unit_tests += tests/wire/NAME_test (built from NAME_test.c with Criterion)
