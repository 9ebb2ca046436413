libhawser_la_SOURCES += src/cast/proto/bits.h src/cast/proto/tree.h src/cast/proto/pace.h src/cast/proto/pace.c src/cast/proto/worth.h src/cast/proto/worth.c src/cast/proto/message.h \
	src/cast/proto/message.c src/cast/proto/group.h src/cast/proto/group.c src/cast/proto/in.h src/cast/proto/in.c src/cast/proto/out.h \
	src/cast/proto/out.c src/cast/net/seal.h src/cast/net/seal.c src/cast/net/nic.h src/cast/net/nic.c src/cast/net/station.h src/cast/net/station_priv.h \
	src/cast/cast.h src/cast/cast.c src/cast/net/station.c src/cast/net/post.c src/cast/net/circle.c
