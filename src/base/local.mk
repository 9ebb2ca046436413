libhawser_la_SOURCES += src/base/list.h src/base/errors.h src/base/errors.c src/base/params.h src/base/params.c src/base/clock.h src/base/log.h
