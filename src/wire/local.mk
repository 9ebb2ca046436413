libhawser_la_SOURCES += src/wire/wire.h src/wire/kinds.h src/wire/bytes.h src/wire/frame.c src/wire/hello.c src/wire/trc.h src/wire/trc.c src/wire/cast.h src/wire/cast.c
libhawser_la_SOURCES += src/wire/gate.h src/wire/gate.c
