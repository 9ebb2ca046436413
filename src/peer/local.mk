libhawser_la_SOURCES += src/peer/engine.h
