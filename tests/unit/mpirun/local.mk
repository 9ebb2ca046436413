# tests/unit/mpirun: these link mpirun's own objects besides the library.
mpirun_tests = tests/unit/mpirun/args_test tests/unit/mpirun/hosts_test tests/unit/mpirun/proto_test \
	tests/unit/mpirun/lines_test tests/unit/mpirun/pmi_server_test
unit_tests += $(mpirun_tests)
mpirun_test_libs = libmpirun.la libhawser.la $(EV_LIBS) $(CRITERION_LIBS)
tests_unit_mpirun_args_test_LDADD = $(mpirun_test_libs)
tests_unit_mpirun_hosts_test_LDADD = $(mpirun_test_libs)
unit_tests += tests/unit/mpirun/bind_test tests/unit/mpirun/linked_test
tests_unit_mpirun_linked_test_LDADD = $(mpirun_test_libs)
tests_unit_mpirun_bind_test_LDADD = $(mpirun_test_libs)
tests_unit_mpirun_proto_test_LDADD = $(mpirun_test_libs)
tests_unit_mpirun_lines_test_LDADD = $(mpirun_test_libs)
tests_unit_mpirun_pmi_server_test_LDADD = $(mpirun_test_libs)

# mpirun's command line, tested with a rank that is no more than the library's launcher client.
check_PROGRAMS += tests/proc/pmi_client
tests_proc_pmi_client_LDADD = libhawser.la
cli_scripts = tests/proc/mpirun_cli.test
tests/proc/mpirun_cli.log: tests/proc/pmi_client mpirun
unit_tests += tests/unit/mpirun/fold_test
tests_unit_mpirun_fold_test_LDADD = $(mpirun_test_libs)
unit_tests += tests/unit/mpirun/states_test
tests_unit_mpirun_states_test_LDADD = $(mpirun_test_libs)
unit_tests += tests/unit/mpirun/guard_test
tests_unit_mpirun_guard_test_LDADD = $(mpirun_test_libs)
unit_tests += tests/unit/mpirun/silence_test
tests_unit_mpirun_silence_test_LDADD = $(mpirun_test_libs)
unit_tests += tests/unit/mpirun/standing_test
tests_unit_mpirun_standing_test_LDADD = $(mpirun_test_libs)
unit_tests += tests/unit/mpirun/appfile_test
tests_unit_mpirun_appfile_test_LDADD = $(mpirun_test_libs)
unit_tests += tests/unit/mpirun/policy_test
tests_unit_mpirun_policy_test_LDADD = $(mpirun_test_libs)
