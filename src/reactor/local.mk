libhawser_la_SOURCES += src/reactor/reactor.h src/reactor/reactor.c
