# perf: measuring programs and scripts. Built and run by perf/compare with each MPI's own mpicc, never by make check.
EXTRA_DIST += \
	perf/compare \
	perf/multinic \
	perf/netns \
	perf/nics \
	perf/profile \
	perf/rsh \
	perf/harness/__init__.py \
	perf/harness/benches.py \
	perf/harness/jobs.py \
	perf/harness/machine.py \
	perf/harness/multinic_report.py \
	perf/harness/plots.py \
	perf/harness/stacks.py \
	perf/harness/streams.py \
	perf/harness/table.py \
	perf/src/bandwidth.c \
	perf/src/bench.h \
	perf/src/collectives.c \
	perf/src/copies.c \
	perf/src/datatypes.c \
	perf/src/flood.c \
	perf/src/idle.c \
	perf/src/latency.c \
	perf/src/raw_tcp.c \
	perf/src/startup.c \
	$(wildcard $(srcdir)/docs/img/*.png)
