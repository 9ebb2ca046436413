# tests/fuzz: libFuzzer targets, fuzz_targets += tests/fuzz/NAME_fuzz (built from NAME_fuzz.c, corpus in corpus/NAME; by make fuzz)
# Without libFuzzer each target goes over its corpus as a unit test, NAME_corpus_test.
fuzz_targets += tests/fuzz/frame_fuzz tests/fuzz/hello_fuzz tests/fuzz/card_fuzz tests/fuzz/engine_fuzz

unit_tests += tests/fuzz/frame_corpus_test tests/fuzz/hello_corpus_test tests/fuzz/card_corpus_test tests/fuzz/engine_corpus_test
tests_fuzz_frame_corpus_test_SOURCES = tests/fuzz/frame_fuzz.c tests/fuzz/corpus_test.c
tests_fuzz_frame_corpus_test_CPPFLAGS = $(AM_CPPFLAGS) -DCORPUS='"frame"' -DN_CHANGES=200000
tests_fuzz_hello_corpus_test_SOURCES = tests/fuzz/hello_fuzz.c tests/fuzz/corpus_test.c
tests_fuzz_hello_corpus_test_CPPFLAGS = $(AM_CPPFLAGS) -DCORPUS='"hello"' -DN_CHANGES=200000
tests_fuzz_card_corpus_test_SOURCES = tests/fuzz/card_fuzz.c tests/fuzz/corpus_test.c
tests_fuzz_card_corpus_test_CPPFLAGS = $(AM_CPPFLAGS) -DCORPUS='"card"' -DN_CHANGES=200000
tests_fuzz_engine_corpus_test_SOURCES = tests/fuzz/engine_fuzz.c tests/fuzz/corpus_test.c tests/sim/stranger.h
tests_fuzz_engine_corpus_test_CPPFLAGS = $(AM_CPPFLAGS) -DCORPUS='"engine"' -DN_CHANGES=2000

fuzz_targets += tests/fuzz/cast_fuzz
unit_tests += tests/fuzz/cast_corpus_test
tests_fuzz_cast_corpus_test_SOURCES = tests/fuzz/cast_fuzz.c tests/fuzz/corpus_test.c
tests_fuzz_cast_corpus_test_CPPFLAGS = $(AM_CPPFLAGS) -DCORPUS='"cast"' -DN_CHANGES=50000

fuzz_targets += tests/fuzz/trc_fuzz
unit_tests += tests/fuzz/trc_corpus_test
tests_fuzz_trc_corpus_test_SOURCES = tests/fuzz/trc_fuzz.c tests/fuzz/corpus_test.c
tests_fuzz_trc_corpus_test_CPPFLAGS = $(AM_CPPFLAGS) -DCORPUS='"trc"' -DN_CHANGES=200000

if HAVE_OPENSSL
fuzz_targets += tests/fuzz/gate_fuzz
unit_tests += tests/fuzz/gate_corpus_test
tests_fuzz_gate_corpus_test_SOURCES = tests/fuzz/gate_fuzz.c tests/fuzz/corpus_test.c
tests_fuzz_gate_corpus_test_CPPFLAGS = $(AM_CPPFLAGS) -DCORPUS='"gate"' -DN_CHANGES=20000
tests_fuzz_gate_corpus_test_LDADD = libgateway.la $(LDADD)
endif
