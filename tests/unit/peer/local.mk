# tests/unit/peer: one line a test, unit_tests += tests/unit/peer/NAME_test (built from NAME_test.c)
unit_tests += tests/unit/peer/spin_test tests/unit/peer/headon_test
unit_tests += tests/unit/peer/states_test
