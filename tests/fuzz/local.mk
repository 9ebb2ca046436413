# tests/fuzz: libFuzzer targets, fuzz_targets += tests/fuzz/NAME (built from NAME.c by make fuzz, needs clang)
