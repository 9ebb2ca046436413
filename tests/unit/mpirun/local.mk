# tests/unit/mpirun: these link mpirun's own objects besides the library.
mpirun_tests = tests/unit/mpirun/cli/args_test tests/unit/mpirun/place/hosts_test tests/unit/mpirun/util/proto_test \
	tests/unit/mpirun/io/lines_test tests/unit/mpirun/pmi/pmi_server_test
unit_tests += $(mpirun_tests)
mpirun_test_libs = libmpirun.la libhawser.la $(EV_LIBS) $(CRITERION_LIBS)
tests_unit_mpirun_cli_args_test_LDADD = $(mpirun_test_libs)
tests_unit_mpirun_place_hosts_test_LDADD = $(mpirun_test_libs)
unit_tests += tests/unit/mpirun/node/bind_test tests/unit/mpirun/node/linked_test
tests_unit_mpirun_node_linked_test_LDADD = $(mpirun_test_libs)
tests_unit_mpirun_node_bind_test_LDADD = $(mpirun_test_libs)
tests_unit_mpirun_util_proto_test_LDADD = $(mpirun_test_libs)
tests_unit_mpirun_io_lines_test_LDADD = $(mpirun_test_libs)
tests_unit_mpirun_pmi_pmi_server_test_LDADD = $(mpirun_test_libs)

# mpirun's command line, tested with a rank that is no more than the library's launcher client.
check_PROGRAMS += tests/proc/pmi_client
tests_proc_pmi_client_LDADD = libhawser.la
cli_scripts = tests/proc/mpirun_cli.test.sh
tests/proc/mpirun_cli.test.log: tests/proc/pmi_client mpirun
unit_tests += tests/unit/mpirun/io/fold_test
tests_unit_mpirun_io_fold_test_LDADD = $(mpirun_test_libs)
unit_tests += tests/unit/mpirun/states_test
tests_unit_mpirun_states_test_LDADD = $(mpirun_test_libs)
unit_tests += tests/unit/mpirun/node/guard_test
tests_unit_mpirun_node_guard_test_LDADD = $(mpirun_test_libs)
unit_tests += tests/unit/mpirun/node/silence_test
tests_unit_mpirun_node_silence_test_LDADD = $(mpirun_test_libs)
unit_tests += tests/unit/mpirun/job/standing_test
tests_unit_mpirun_job_standing_test_LDADD = $(mpirun_test_libs)
unit_tests += tests/unit/mpirun/cli/appfile_test
tests_unit_mpirun_cli_appfile_test_LDADD = $(mpirun_test_libs)
unit_tests += tests/unit/mpirun/job/policy_test
tests_unit_mpirun_job_policy_test_LDADD = $(mpirun_test_libs)
unit_tests += tests/unit/mpirun/page/page_test
tests_unit_mpirun_page_page_test_LDADD = $(mpirun_test_libs)
# With mpirun as daemon, and the launcher client as ranks.
unit_tests += tests/unit/mpirun/node/daemon_test tests/unit/mpirun/job/jobs_test
tests_unit_mpirun_node_daemon_test_LDADD = $(mpirun_test_libs)
tests_unit_mpirun_job_jobs_test_LDADD = $(mpirun_test_libs)
