# tests/unit/peer: one line a test, unit_tests += tests/unit/peer/ROOM/NOUN_test (built from NOUN_test.c)
unit_tests += tests/unit/peer/state/cede_test tests/unit/peer/state/spin_test tests/unit/peer/conn/headon_test
unit_tests += tests/unit/peer/states_test
