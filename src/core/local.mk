libhawser_la_SOURCES += src/core/object.h src/core/error.h src/core/group.h src/core/comm.h src/core/datatype.h src/core/op.h src/core/request.h src/core/p2p.h src/core/world.h src/core/event.h src/core/win.h
libhawser_la_SOURCES += src/core/request.c src/core/request_set.h src/core/request_set.c src/core/p2p.c \
  src/core/sendrecv.c src/core/bsend.h src/core/bsend.c src/core/cancel.h src/core/cancel.c src/core/message.h src/core/message.c \
  src/core/grequest.h src/core/grequest.c src/core/part.h src/core/part.c src/core/slice.h src/core/slice.c
libhawser_la_SOURCES += src/core/counts.h src/core/datatype_priv.h src/core/datatype_make.h src/core/datatype_elems.h \
  src/core/datatype.c src/core/datatype_array.c src/core/datatype_elems.c src/core/datatype_external.c \
  src/core/datatype_f90.c src/core/datatype_make.c src/core/datatype_pack.c src/core/datatype_piece.c \
  src/core/datatype_runs.c src/core/datatype_sig.c src/core/datatype_table.c src/core/datatype_tree.c
libhawser_la_SOURCES += src/core/op_priv.h src/core/op.c src/core/op_float.c src/core/op_int.c src/core/op_pair.c
libhawser_la_SOURCES += src/core/fail.h src/core/fail.c src/core/error.c src/core/error_class.h src/core/error_class.c src/core/errhandler.h src/core/errhandler.c
libhawser_la_SOURCES += src/core/group.c src/core/comm.c src/core/ids.h src/core/ids.c src/core/ctx.h src/core/ctx.c src/core/comm_agree.h src/core/comm_agree.c src/core/comm_make.h src/core/comm_make.c src/core/comm_inter.h src/core/comm_inter.c src/core/comm_idup.c src/core/comm_split_type.c src/core/comm_hints.h src/core/comm_hints.c src/core/topo.h src/core/topo.c src/core/topo_make.c src/core/dims.c
libhawser_la_SOURCES += src/core/attr.h src/core/attr.c src/core/info.h src/core/info.c src/core/world.c src/core/session.h src/core/session.c
libhawser_la_SOURCES += src/core/handle_int.h src/core/handle_int.c
libhawser_la_SOURCES += src/core/region.h src/core/region.c src/core/hosts.h src/core/hosts.c
