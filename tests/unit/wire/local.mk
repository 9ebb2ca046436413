# tests/unit/wire: one line a test, unit_tests += tests/unit/wire/NAME_test (built from NAME_test.c)
unit_tests += tests/unit/wire/frame_test tests/unit/wire/hello_test tests/unit/wire/trc_test tests/unit/wire/cast_test tests/unit/wire/gate_test
