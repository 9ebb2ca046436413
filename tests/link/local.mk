# tests/link: unit_tests += tests/link/NAME_test (built from NAME_test.c with Criterion)
# One suite, linked with one backend for each transport; those over the kernel's sockets share most of it.
link_suite = tests/link/suite.c tests/link/suite.h
link_sockets = $(link_suite) tests/link/sockets.c tests/link/sockets.h
unit_tests += tests/link/mem_test tests/link/tcp_test tests/link/sctp_test tests/link/trc_test
tests_link_mem_test_SOURCES = tests/link/mem_test.c $(link_suite)
tests_link_tcp_test_SOURCES = tests/link/tcp_test.c $(link_sockets)
tests_link_sctp_test_SOURCES = tests/link/sctp_test.c $(link_sockets)
tests_link_trc_test_SOURCES = tests/link/trc_test.c $(link_sockets)
# The same without Criterion, which does not run in the kernel that has SCTP (tests/uml).
check_PROGRAMS += tests/link/sctp_plain
tests_link_sctp_plain_SOURCES = tests/link/sctp_test.c $(link_sockets) tests/support/plain/plain.c \
  tests/support/plain/criterion/criterion.h
tests_link_sctp_plain_CPPFLAGS = -I$(srcdir)/tests/support/plain $(AM_CPPFLAGS)
tests_link_sctp_plain_LDADD = libhawser.la
unit_tests += tests/link/trc_flows_test
tests_link_trc_flows_test_SOURCES = tests/link/trc_flows_test.c
