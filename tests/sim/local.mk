# tests/sim: unit_tests += tests/sim/NAME_test (built from NAME_test.c with Criterion)
unit_tests += tests/sim/traffic_test tests/sim/close_test tests/sim/flow_test tests/sim/protocol_test
tests_sim_traffic_test_SOURCES = tests/sim/traffic_test.c tests/sim/sim.c tests/sim/sim.h
tests_sim_close_test_SOURCES = tests/sim/close_test.c tests/sim/sim.c tests/sim/sim.h
tests_sim_flow_test_SOURCES = tests/sim/flow_test.c tests/sim/sim.c tests/sim/sim.h
tests_sim_protocol_test_SOURCES = tests/sim/protocol_test.c tests/sim/stranger.h
unit_tests += tests/sim/events_test
tests_sim_events_test_SOURCES = tests/sim/events_test.c tests/sim/sim.c tests/sim/sim.h
