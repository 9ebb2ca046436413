# tests/unit/link: one line a test, unit_tests += tests/unit/link/ROOM/NOUN_test (built from NOUN_test.c)
unit_tests += tests/unit/link/net/addr_test tests/unit/link/net/card_test tests/unit/link/net/netif_test tests/unit/link/net/pairs_test
unit_tests += tests/unit/link/net/relay_test tests/unit/link/net/site_test tests/unit/link/net/steer_test
unit_tests += tests/unit/link/tcp/left_test tests/unit/link/tcp/turns_test tests/unit/link/tcp/unpace_test tests/unit/link/tcp/window_test
unit_tests += tests/unit/link/trc/trc_states_test
if HAVE_SCTP
unit_tests += tests/unit/link/sctp/sctp_lib_test
endif
