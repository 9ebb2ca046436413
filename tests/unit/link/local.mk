# tests/unit/link: one line a test, unit_tests += tests/unit/link/NAME_test (built from NAME_test.c)
unit_tests += tests/unit/link/addr_test tests/unit/link/card_test tests/unit/link/netif_test tests/unit/link/pairs_test
unit_tests += tests/unit/link/site_test tests/unit/link/steer_test
unit_tests += tests/unit/link/unpace_test tests/unit/link/trc_states_test
if HAVE_SCTP
unit_tests += tests/unit/link/sctp_lib_test
endif
