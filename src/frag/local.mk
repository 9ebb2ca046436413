libhawser_la_SOURCES += src/frag/frag.h
