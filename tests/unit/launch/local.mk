# tests/unit/launch: one line a test, unit_tests += tests/unit/launch/NAME_test (built from NAME_test.c)
unit_tests += tests/unit/launch/pmi_test
unit_tests += tests/unit/launch/mapping_test
unit_tests += tests/unit/launch/siblings_test
unit_tests += tests/unit/launch/pmix_test
