# Everything but main(), also linked by the unit tests.
noinst_LTLIBRARIES += libmpirun.la
libmpirun_la_SOURCES = \
	src/mpirun/remote/agent.c src/mpirun/remote/agent.h \
	src/mpirun/place/alloc.c src/mpirun/place/alloc.h \
	src/mpirun/remote/any_node.h \
	src/mpirun/cli/args.c src/mpirun/cli/args.h src/mpirun/cli/flags.c src/mpirun/cli/flags.h src/mpirun/cli/foreign.c src/mpirun/cli/foreign.h src/mpirun/cli/parse.c src/mpirun/cli/parse.h src/mpirun/cli/envs.c src/mpirun/cli/envs.h src/mpirun/cli/near.c src/mpirun/cli/near.h src/mpirun/cli/output.c src/mpirun/cli/output.h \
	src/mpirun/node/bind.c src/mpirun/node/bind.h src/mpirun/node/node_stdin.c src/mpirun/node/node_stdin.h \
	src/mpirun/node/carrier.c src/mpirun/node/carrier.h \
	src/mpirun/node/boards.c src/mpirun/node/boards.h src/mpirun/util/stand.h \
	src/mpirun/job/standing.c src/mpirun/job/standing.h src/mpirun/job/job_report.c src/mpirun/job/job_report.h \
	src/mpirun/page/records.c src/mpirun/page/records.h src/mpirun/page/page.c src/mpirun/page/page.h src/mpirun/page/draw.c src/mpirun/page/draw.h src/mpirun/job/job_page.c \
	src/mpirun/util/buf.c src/mpirun/util/buf.h \
	src/mpirun/node/daemon.c src/mpirun/node/daemon.h \
	src/mpirun/util/env.c src/mpirun/util/env.h \
	src/mpirun/job/failure.c src/mpirun/job/failure.h src/mpirun/job/policy.c src/mpirun/job/policy.h \
	src/mpirun/io/fold.c src/mpirun/io/fold.h \
	src/mpirun/node/guard.c src/mpirun/node/guard.h \
	src/mpirun/place/hosts.c src/mpirun/place/hosts.h src/mpirun/place/local.c \
	src/mpirun/place/sites.c src/mpirun/place/sites.h src/mpirun/job/job_gateways.c \
	src/mpirun/remote/host_state.c src/mpirun/remote/host_state.h \
	src/mpirun/io/files.c src/mpirun/io/files.h \
	src/mpirun/io/input.c src/mpirun/io/input.h \
	src/mpirun/job/job.c src/mpirun/job/job.h src/mpirun/job/job_priv.h src/mpirun/job/mpirun.c src/mpirun/job/job_setup.c src/mpirun/job/job_connect.c src/mpirun/job/job_output.c \
	src/mpirun/pmi/kvs.c src/mpirun/pmi/kvs.h \
	src/mpirun/io/lines.c src/mpirun/io/lines.h \
	src/mpirun/util/loop.c src/mpirun/util/loop.h \
	src/mpirun/node/node.c src/mpirun/node/node.h src/mpirun/node/node_priv.h src/mpirun/node/node_state.c src/mpirun/node/node_state.h src/mpirun/node/node_start.c \
	src/mpirun/place/place.c src/mpirun/place/place.h src/mpirun/cli/mapping.c src/mpirun/cli/mapping.h \
	src/mpirun/place/refused.c src/mpirun/place/refused.h src/mpirun/cli/appfile.c src/mpirun/cli/appfile.h \
	src/mpirun/node/linked.c src/mpirun/node/linked.h \
	src/mpirun/pmi/pmi_server.c src/mpirun/pmi/pmi_server.h \
	src/mpirun/util/proto.c src/mpirun/util/proto.h \
	src/mpirun/util/rank_state.c src/mpirun/util/rank_state.h \
	src/mpirun/node/rank.c src/mpirun/node/rank.h \
	src/mpirun/remote/remote.c src/mpirun/remote/remote.h \
	src/mpirun/node/silence.c src/mpirun/node/silence.h \
	src/mpirun/io/sink.c src/mpirun/io/sink.h \
	src/mpirun/util/spec.h
libmpirun_la_CPPFLAGS = $(AM_CPPFLAGS) $(HWLOC_CFLAGS) -DHWS_LIB_FROM_BIN='"$(lib_from_bin)"'
lib_from_bin = $(shell realpath -ms --relative-to='$(bindir)' '$(libdir)')
libmpirun_la_LIBADD = $(EV_LIBS) $(HWLOC_LIBS) -lm
libmpirun_la_LINK = $(convenience)

# These are compiled in by themselves: libhawser.la would pull in the library's own dependencies.
bin_PROGRAMS += mpirun
mpirun_SOURCES = src/mpirun/main.c src/base/errors.c src/base/file.c src/base/params.c src/base/board.c src/base/profile.c src/launch/mapping.c
mpirun_CPPFLAGS = $(AM_CPPFLAGS)
mpirun_LDADD = libmpirun.la $(EV_LIBS) $(JEMALLOC_LIBS)
