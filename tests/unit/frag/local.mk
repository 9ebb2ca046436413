# tests/unit/frag: one line a test, unit_tests += tests/unit/frag/NAME_test (built from NAME_test.c)
unit_tests += tests/unit/frag/frag_test
