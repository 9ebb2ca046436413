# tests/unit/reactor: one line a test, unit_tests += tests/unit/reactor/NAME_test (built from NAME_test.c)
unit_tests += tests/unit/reactor/reactor_test
