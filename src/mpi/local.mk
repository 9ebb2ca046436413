libmpi_abi_la_SOURCES += src/mpi/public.h src/mpi/check.h src/mpi/unsupported.h src/mpi/unsupported.c
