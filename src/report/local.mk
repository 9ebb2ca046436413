# For LD_PRELOAD, by mpirun -report FILE.html. It needs no other library of ours, as it comes before all of them.
pkglib_LTLIBRARIES += libhawser-report.la
libhawser_report_la_SOURCES = src/report/threads.c src/report/report.h
nodist_libhawser_report_la_SOURCES = src/report/calls.c
libhawser_report_la_LDFLAGS = -module -avoid-version
libhawser_report_la_LIBADD = -ldl -lpthread
EXTRA_DIST += src/report/write_calls.awk
CLEANFILES += src/report/calls.c
src/report/calls.c: src/report/write_calls.awk include/mpi.h
	$(AM_V_GEN)mkdir -p src/report && $(AWK) -f $(srcdir)/src/report/write_calls.awk $(srcdir)/include/mpi.h > $@.tmp && mv -f $@.tmp $@
