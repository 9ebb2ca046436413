# perf: measuring programs and scripts. Built and run by perf/compare with each MPI's own mpicc, never by make check. What is in perf/sim
# runs the library's own parts in virtual time: make perf/sim/million.
EXTRA_PROGRAMS = perf/sim/million
perf_sim_million_SOURCES = perf/sim/million.c
perf_sim_million_LDADD = libhawser.la
CLEANFILES += perf/sim/million
EXTRA_DIST += \
	perf/cast \
	perf/compare \
	perf/multinic \
	perf/npb \
	perf/profile \
	perf/wan \
	perf/sites \
	perf/scale \
	perf/suites \
	perf/harness/__init__.py \
	perf/harness/benches.py \
	perf/harness/cast_report.py \
	perf/harness/jobs.py \
	perf/harness/machine.py \
	perf/harness/multinic_report.py \
	perf/harness/patterns.py \
	perf/harness/npb_report.py \
	perf/harness/plots.py \
	perf/harness/scale_report.py \
	perf/harness/sites_report.py \
	perf/harness/stacks.py \
	perf/harness/tcp_stream.py \
	perf/harness/streams.py \
	perf/harness/suites_report.py \
	perf/harness/table.py \
	perf/src/bandwidth.c \
	perf/src/bench.h \
	perf/src/beside.c \
	perf/src/cast.c \
	perf/src/collectives.c \
	perf/src/copies.c \
	perf/src/datatypes.c \
	perf/src/farm.c \
	perf/src/flood.c \
	perf/src/flows.c \
	perf/src/idle.c \
	perf/src/latency.c \
	perf/src/longlink.c \
	perf/src/nicflows.c \
	perf/src/nonblocking.c \
	perf/src/patterns.c \
	perf/src/pingpong.c \
	perf/src/pingpong_f08.f90 \
	perf/src/pingpong_mpi.f90 \
	perf/src/programs.c \
	perf/src/raw_tcp.c \
	perf/src/scale.c \
	perf/src/startup.c \
	perf/src/threads.c \
	$(wildcard $(srcdir)/docs/img/*.png)
