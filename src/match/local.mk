libhawser_la_SOURCES += src/match/match.h src/match/match.c
