libmpi_abi_la_SOURCES += src/mpi/public.h src/mpi/check.h
libunsupported_la_SOURCES += src/mpi/unsupported.h src/mpi/unsupported.c
