libhawser_la_SOURCES += src/shm/copies.c src/shm/copies.h src/shm/place.c src/shm/place.h src/shm/ring.h src/shm/ring.c src/shm/segment.h src/shm/segment.c
