libmpi_abi_la_SOURCES += src/mpi/public.h src/mpi/check.h
libmpi_abi_la_SOURCES += src/mpi/datatype_check.h src/mpi/datatype.c src/mpi/datatype_array.c \
  src/mpi/datatype_contents.c src/mpi/datatype_elems.c src/mpi/datatype_find.c src/mpi/datatype_query.c src/mpi/op.c \
  src/mpi/pack.c
libmpi_abi_la_SOURCES += src/mpi/unsupported.h src/mpi/unsupported_list.h src/mpi/unsupported.c
libmpi_abi_la_SOURCES += src/mpi/coll.h src/mpi/coll_empty.h src/mpi/coll.c src/mpi/coll_gather.c src/mpi/coll_alltoall.c src/mpi/coll_reduce.c \
  src/mpi/coll_neighbor.c
libmpi_abi_la_SOURCES += src/mpi/check_p2p.h src/mpi/report.h src/mpi/pt2pt.c src/mpi/pt2pt_persistent.c src/mpi/probe.c \
  src/mpi/request.c src/mpi/request_many.c src/mpi/status.c src/mpi/bsend.c \
  src/mpi/grequest.c src/mpi/part.c
libmpi_abi_la_SOURCES += src/mpi/check_object.h src/mpi/env.c src/mpi/group.c src/mpi/errhan.h src/mpi/errhan.c src/mpi/win.c src/mpi/session.h src/mpi/session.c src/mpi/comm.c src/mpi/comm_inter.c
libmpi_abi_la_SOURCES += src/mpi/attr.h src/mpi/attr.c src/mpi/info.c src/mpi/abi.c
libmpi_abi_la_SOURCES += src/mpi/handle_int.c
libmpi_abi_la_SOURCES += src/mpi/check_topo.h src/mpi/topo_cart.c src/mpi/topo_graph.c
libmpi_abi_la_SOURCES += src/mpi/t/mpi_t.h src/mpi/t/mpi_t.c src/mpi/t/mpi_t_cvar.c src/mpi/t/mpi_t_category.c src/mpi/t/mpi_t_pvar.h \
  src/mpi/t/mpi_t_pvar.c src/mpi/t/mpi_t_session.c src/mpi/t/mpi_t_event.h src/mpi/t/mpi_t_event.c src/mpi/t/mpi_t_event_kinds.c
