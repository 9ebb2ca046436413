if HAVE_OPENSSL
unit_tests += tests/unit/gateway/bundle_test
tests_unit_gateway_bundle_test_LDADD = libgateway.la $(LDADD)
endif
