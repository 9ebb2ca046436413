libhawser_la_SOURCES += src/shm/ring.h src/shm/segment.h src/shm/segment.c
