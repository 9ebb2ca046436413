# tests/unit/cast: one line a test, unit_tests += tests/unit/cast/NAME_test (built from NAME_test.c)
unit_tests += tests/unit/cast/states_test tests/unit/cast/pace_test tests/unit/cast/tree_test
