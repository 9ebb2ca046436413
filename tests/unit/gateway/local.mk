if HAVE_OPENSSL
unit_tests += tests/unit/gateway/bundle_test tests/unit/gateway/sites_test tests/unit/gateway/states_test \
  tests/unit/gateway/crowd_test tests/unit/gateway/use_test
tests_unit_gateway_bundle_test_LDADD = libgateway.la $(LDADD)
tests_unit_gateway_sites_test_LDADD = libgateway.la $(LDADD)
tests_unit_gateway_crowd_test_LDADD = libgateway.la $(LDADD)
tests_unit_gateway_states_test_LDADD = libgateway.la $(LDADD)
tests_unit_gateway_use_test_LDADD = libgateway.la $(LDADD)
endif
