# tests/unit/core: one line a test, unit_tests += tests/unit/core/NAME_test (built from NAME_test.c)
unit_tests += tests/unit/core/handle_int_test
unit_tests += tests/unit/core/datatype_test tests/unit/core/external_test tests/unit/core/op_test
tests_unit_core_datatype_test_SOURCES = tests/unit/core/datatype_test.c tests/unit/core/random_type.c tests/unit/core/random_type.h
tests_unit_core_external_test_SOURCES = tests/unit/core/external_test.c tests/unit/core/random_type.c tests/unit/core/random_type.h
