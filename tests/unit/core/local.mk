# tests/unit/core: one line a test, unit_tests += tests/unit/core/NAME_test (built from NAME_test.c)
unit_tests += tests/unit/core/handle_int_test
