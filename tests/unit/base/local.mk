# tests/unit/base: one line a test, unit_tests += tests/unit/base/NAME_test (built from NAME_test.c)
unit_tests += tests/unit/base/params_test
unit_tests += tests/unit/base/pages_test tests/unit/base/pool_test tests/unit/base/log_test tests/unit/base/copy_test
unit_tests += tests/unit/base/crc32c_test tests/unit/base/cpus_test tests/unit/base/quota_test tests/unit/base/file_test tests/unit/base/slice_test
unit_tests += tests/unit/base/bypass_test tests/unit/base/board_test tests/unit/base/profile_test tests/unit/base/runq_test tests/unit/base/biglock_test
