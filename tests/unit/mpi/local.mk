# tests/unit/mpi: one line a test, unit_tests += tests/unit/mpi/NAME_test (built from NAME_test.c). The entry points are
# compiled once more, as the units are linked without the library proper.
check_LTLIBRARIES += libwintest.la
libwintest_la_CFLAGS = $(AM_CFLAGS)
libwintest_la_SOURCES = src/mpi/win.c src/mpi/errhan.c src/mpi/attr.c src/mpi/handle_int.c
unit_tests += tests/unit/mpi/win_test
tests_unit_mpi_win_test_LDADD = libwintest.la libhawser.la $(CRITERION_LIBS)
