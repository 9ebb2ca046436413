libhawser_la_SOURCES += src/coll/coll.h
