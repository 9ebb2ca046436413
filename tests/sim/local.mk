# tests/sim: unit_tests += tests/sim/NAME_test (built from NAME_test.c with Criterion)
