# tests/unit/core_objects: groups, errors, attributes, info objects and topologies; no engine is running.
unit_tests += tests/unit/core_objects/group_test tests/unit/core_objects/error_test tests/unit/core_objects/attr_test
unit_tests += tests/unit/core_objects/info_test tests/unit/core_objects/topo_test tests/unit/core_objects/tree_test
unit_tests += tests/unit/core_objects/ids_test
