# tests/unit/peer: one line a test, unit_tests += tests/unit/peer/NAME_test (built from NAME_test.c)
