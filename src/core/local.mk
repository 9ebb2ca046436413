libhawser_la_SOURCES += src/core/object.h src/core/error.h src/core/group.h src/core/comm.h src/core/datatype.h src/core/op.h src/core/request.h src/core/p2p.h src/core/world.h
