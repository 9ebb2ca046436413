# tests/unit/link: one line a test, unit_tests += tests/unit/link/NAME_test (built from NAME_test.c)
