libhawser_la_SOURCES += src/cast/proto/bits.h src/cast/proto/tree.h src/cast/proto/pace.h src/cast/proto/pace.c src/cast/proto/message.h \
	src/cast/proto/message.c src/cast/proto/group.h src/cast/proto/group.c src/cast/proto/in.h src/cast/proto/in.c src/cast/proto/out.h \
	src/cast/proto/out.c
