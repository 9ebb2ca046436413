# tests/unit/striping: one line a test, unit_tests += tests/unit/striping/NAME_test (built from NAME_test.c)
unit_tests += tests/unit/striping/stripe_test
unit_tests += tests/unit/striping/rate_test
unit_tests += tests/unit/striping/pace_test
unit_tests += tests/unit/striping/stall_test
unit_tests += tests/unit/striping/stripe_sim_test
EXTRA_DIST += tests/unit/striping/sim.h
