libhawser_la_SOURCES += src/base/list.h src/base/hot.h src/base/errors.h src/base/errors.c src/base/params.h src/base/params.c src/base/lifecycle.h src/base/lifecycle.c src/base/limits.h
libhawser_la_SOURCES += src/base/clock.h src/base/cpus.h src/base/cpus.c src/base/copy.h src/base/pool.h src/base/pool.c src/base/bufpool.h src/base/bufpool.c src/base/log.h src/base/log.c
libhawser_la_SOURCES += src/base/hash.h src/base/host.h src/base/host.c src/base/quota.h src/base/quota.c src/base/crc32c.h src/base/crc32c_priv.h src/base/crc32c.c src/base/board.h src/base/board.c
