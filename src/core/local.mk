libhawser_la_SOURCES += src/core/object.h src/core/error.h src/core/group.h src/core/comm.h src/core/datatype.h src/core/op.h src/core/request.h src/core/p2p.h src/core/world.h
libhawser_la_SOURCES += src/core/request.c src/core/request_set.h src/core/request_set.c src/core/p2p.c \
  src/core/sendrecv.c src/core/bsend.h src/core/bsend.c src/core/message.h src/core/message.c
