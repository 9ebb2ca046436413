# Everything but main(), also linked by the unit tests.
noinst_LTLIBRARIES += libmpirun.la
libmpirun_la_SOURCES = \
	src/mpirun/agent.c src/mpirun/agent.h \
	src/mpirun/alloc.c src/mpirun/alloc.h \
	src/mpirun/any_node.h \
	src/mpirun/args.c src/mpirun/args.h \
	src/mpirun/bind.c src/mpirun/bind.h \
	src/mpirun/buf.c src/mpirun/buf.h \
	src/mpirun/daemon.c src/mpirun/daemon.h \
	src/mpirun/env.c src/mpirun/env.h \
	src/mpirun/failure.c src/mpirun/failure.h \
	src/mpirun/fold.c src/mpirun/fold.h \
	src/mpirun/guard.c src/mpirun/guard.h \
	src/mpirun/hosts.c src/mpirun/hosts.h src/mpirun/local.c \
	src/mpirun/input.c src/mpirun/input.h \
	src/mpirun/job.c src/mpirun/job.h src/mpirun/job_priv.h src/mpirun/job_setup.c src/mpirun/job_connect.c \
	src/mpirun/kvs.c src/mpirun/kvs.h \
	src/mpirun/lines.c src/mpirun/lines.h \
	src/mpirun/loop.c src/mpirun/loop.h \
	src/mpirun/node.c src/mpirun/node.h src/mpirun/node_priv.h src/mpirun/node_start.c \
	src/mpirun/place.c src/mpirun/place.h src/mpirun/mapping.c src/mpirun/mapping.h \
	src/mpirun/linked.c src/mpirun/linked.h \
	src/mpirun/pmi_server.c src/mpirun/pmi_server.h \
	src/mpirun/proto.c src/mpirun/proto.h \
	src/mpirun/rank.c src/mpirun/rank.h \
	src/mpirun/remote.c src/mpirun/remote.h \
	src/mpirun/silence.c src/mpirun/silence.h \
	src/mpirun/sink.c src/mpirun/sink.h \
	src/mpirun/spec.h
libmpirun_la_CPPFLAGS = $(AM_CPPFLAGS) $(HWLOC_CFLAGS)
libmpirun_la_LIBADD = $(EV_LIBS) $(HWLOC_LIBS)

# These are compiled in by themselves: libhawser.la would pull in the library's own dependencies.
bin_PROGRAMS += mpirun
mpirun_SOURCES = src/mpirun/main.c src/base/errors.c src/base/params.c src/launch/mapping.c
mpirun_CPPFLAGS = $(AM_CPPFLAGS)
mpirun_LDADD = libmpirun.la $(EV_LIBS) $(JEMALLOC_LIBS)
