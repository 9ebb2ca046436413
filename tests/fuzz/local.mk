# tests/fuzz: libFuzzer targets, fuzz_targets += tests/fuzz/NAME_fuzz (built from NAME_fuzz.c, corpus in corpus/NAME; by make fuzz in a tree configured with --enable-fuzzing CC=clang)
