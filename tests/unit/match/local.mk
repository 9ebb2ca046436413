# tests/unit/match: one line a test, unit_tests += tests/unit/match/NAME_test (built from NAME_test.c)
unit_tests += tests/unit/match/match_test
EXTRA_DIST += tests/support/seed.h tests/support/loopback.h
