# tests/unit/cast: one line a test, unit_tests += tests/unit/cast/NOUN_test (built from NOUN_test.c)
unit_tests += tests/unit/cast/circle_test tests/unit/cast/pace_test tests/unit/cast/states_test
unit_tests += tests/unit/cast/tree_test tests/unit/cast/worth_test
