libhawser_la_SOURCES += src/core/object/object.h src/core/object/error.h src/core/comm/group.h src/core/comm/comm.h src/core/type/datatype.h src/core/op/op.h src/core/request/request.h src/core/p2p/p2p.h src/core/object/world.h src/core/object/event.h src/core/object/win.h
libhawser_la_SOURCES += src/core/request/request.c src/core/request/request_set.h src/core/request/request_set.c src/core/p2p/p2p.c \
  src/core/p2p/sendrecv.c src/core/p2p/bsend.h src/core/p2p/bsend.c src/core/p2p/cancel.h src/core/p2p/cancel.c src/core/p2p/message.h src/core/p2p/message.c \
  src/core/request/grequest.h src/core/request/grequest.c src/core/p2p/part.h src/core/p2p/part.c src/core/type/slice.h src/core/type/slice.c
libhawser_la_SOURCES += src/core/type/counts.h src/core/type/datatype_priv.h src/core/type/datatype_make.h src/core/type/datatype_elems.h \
  src/core/type/datatype.c src/core/type/datatype_array.c src/core/type/datatype_elems.c src/core/type/datatype_external.c \
  src/core/type/datatype_f90.c src/core/type/datatype_make.c src/core/type/datatype_pack.c src/core/type/datatype_piece.c \
  src/core/type/datatype_runs.c src/core/type/datatype_sig.c src/core/type/datatype_table.c src/core/type/datatype_tree.c
libhawser_la_SOURCES += src/core/op/op_priv.h src/core/op/op.c src/core/op/op_float.c src/core/op/op_int.c src/core/op/op_pair.c
libhawser_la_SOURCES += src/core/object/fail.h src/core/object/fail.c src/core/object/error.c src/core/comm/raise.h src/core/comm/raise.c src/core/object/error_class.h src/core/object/error_class.c src/core/object/errhandler.h src/core/object/errhandler.c
libhawser_la_SOURCES += src/core/comm/group.c src/core/comm/comm.c src/core/comm/ids.h src/core/comm/ids.c src/core/comm/ctx.h src/core/comm/ctx.c src/core/comm/call.h src/core/comm/call.c src/core/comm/comm_agree.h src/core/comm/comm_agree.c src/core/comm/comm_make.h src/core/comm/comm_make.c src/core/comm/comm_inter.h src/core/comm/comm_inter.c src/core/request/comm_idup.c src/core/comm/comm_split_type.c src/core/comm/comm_hints.h src/core/comm/comm_hints.c src/core/topo/topo.h src/core/topo/topo.c src/core/comm/comm_topo.h src/core/comm/comm_topo.c src/core/topo/dims.c
libhawser_la_SOURCES += src/core/object/attr.h src/core/object/attr.c src/core/object/info.h src/core/object/info.c src/core/object/launcher.h src/core/object/launcher.c src/core/env/init.h src/core/env/init.c src/core/env/comm_life.c src/core/comm/session.h src/core/comm/session.c src/core/env/sessions.h src/core/env/sessions.c src/core/env/stdout.c src/core/env/crash.h src/core/env/crash.c
libhawser_la_SOURCES += src/core/object/handle_int.h src/core/object/handle_int.c
libhawser_la_SOURCES += src/core/hosts/region.h src/core/hosts/region.c src/core/hosts/hosts.h src/core/hosts/hosts.c
