# SPDX-License-Identifier: BSD-3-Clause
# Fortran over the C functions (MPI 5.0 chapter 19): libmpifort_abi, mpif.h, and the modules mpi and mpi_f08. Python writes the entry
# points, the interfaces and the constants from two tables.
fortran_tables = src/fortran/functions.tsv src/fortran/constants.tsv
fortran_writers = src/fortran/generate src/fortran/table.py src/fortran/write_c.py src/fortran/write_fortran.py
EXTRA_DIST += $(fortran_tables) $(fortran_writers)

if HAVE_FORTRAN
fortran_made = src/fortran/entries.c src/fortran/descriptors.c src/fortran/slots.c src/fortran/types.f90 src/fortran/mpi.f90 \
  src/fortran/mpi_f08.f90 src/fortran/mpif.h
fortran_modules = src/fortran/mpi.mod src/fortran/mpi_f08.mod src/fortran/hws_mpi_types.mod
$(fortran_made): $(fortran_tables) $(fortran_writers)
	$(AM_V_GEN)$(MKDIR_P) $(@D) && $(PYTHON) $(srcdir)/src/fortran/generate $(fortran_kinds) $@
# The Fortran compiler's own, which another C compiler would not find.
src/fortran/ISO_Fortran_binding.h:
	$(AM_V_GEN)$(MKDIR_P) $(@D) && cp $(fortran_binding_h) $@
CLEANFILES += $(fortran_made) $(fortran_modules) src/fortran/ISO_Fortran_binding.h $(fortran_objects) $(fortran_objects:.lo=.o)

# What is not an entry is hidden when the library is linked: entries and common blocks must be seen as what may be elsewhere.
fortran_cflags = $(AM_CFLAGS) -fvisibility=default $(fortran_no_plt)
fortran_cppflags = $(AM_CPPFLAGS) -Isrc/fortran
lib_LTLIBRARIES += libmpifort_abi.la
# A program that calls Fortran's procedures only may name libmpifort_abi alone, whose own path leads to libmpi_abi beside it, also
# when the prefix is moved.
libmpifort_abi_la_SOURCES = src/fortran/fortran.h src/fortran/bounds.h src/fortran/callback.h src/fortran/integer.h src/fortran/integer.c src/fortran/values.c src/fortran/section.c src/fortran/callback.c src/fortran/bounds.c
nodist_libmpifort_abi_la_SOURCES = src/fortran/slots.c
libmpifort_abi_la_CFLAGS = $(fortran_cflags)
libmpifort_abi_la_CPPFLAGS = $(fortran_cppflags)
# libmpi_abi is named by its file: with the .la libtool would link anew at `make install`, and take the library out of this tree meanwhile.
libmpifort_abi_la_LIBADD = libfortran_mpi.la libfortran_pmpi.la $(fortran_objects)
libmpifort_abi_la_DEPENDENCIES = libfortran_mpi.la libfortran_pmpi.la $(fortran_objects) libmpi_abi.la
libmpifort_abi_la_LDFLAGS = -version-info 1:0:0 -export-symbols-regex '^(P?MPI_|p?mpi_|hws_mpi_|HWS_MPI_|__mpi|__hws_mpi)' -Wl,-z,now \
  -Wl,.libs/libmpi_abi.so \
  $(if $(filter /usr/lib /lib /usr/lib/%-linux-gnu,$(libdir)),,-Wl$(comma)-rpath$(comma)'$$ORIGIN' -Wl$(comma)--enable-new-dtags)

# The entries twice: those that call MPI_Xxx and those that call PMPI_Xxx.
noinst_LTLIBRARIES += libfortran_mpi.la libfortran_pmpi.la
libfortran_mpi_la_SOURCES = src/fortran/removed.c
nodist_libfortran_mpi_la_SOURCES = src/fortran/entries.c src/fortran/descriptors.c
libfortran_mpi_la_CFLAGS = $(fortran_cflags)
libfortran_mpi_la_CPPFLAGS = $(fortran_cppflags)
libfortran_mpi_la_LINK = $(convenience)
libfortran_pmpi_la_SOURCES = src/fortran/removed.c
nodist_libfortran_pmpi_la_SOURCES = $(nodist_libfortran_mpi_la_SOURCES)
libfortran_pmpi_la_CFLAGS = $(fortran_cflags)
libfortran_pmpi_la_CPPFLAGS = $(fortran_cppflags) -DHWS_PROFILING
libfortran_pmpi_la_LINK = $(convenience)
$(libmpifort_abi_la_OBJECTS) $(libfortran_mpi_la_OBJECTS) $(libfortran_pmpi_la_OBJECTS): src/fortran/ISO_Fortran_binding.h

# The modules, which have little code: operators and MPI_Sizeof.
fortran_objects = src/fortran/types.lo src/fortran/mpi.lo src/fortran/mpi_f08.lo
fortran_compile = $(AM_V_GEN)$(LIBTOOL) $(AM_V_lt) --tag=CC --mode=compile $(FC) $(FCFLAGS) $(fortran_quiet) $(FC_MODOUT)src/fortran -Isrc/fortran -c -o $@
src/fortran/types.lo: src/fortran/types.f90
	$(fortran_compile) src/fortran/types.f90
src/fortran/mpi.lo: src/fortran/mpi.f90 src/fortran/types.lo
	$(fortran_compile) src/fortran/mpi.f90
src/fortran/mpi_f08.lo: src/fortran/mpi_f08.f90 src/fortran/types.lo
	$(fortran_compile) src/fortran/mpi_f08.f90
src/fortran/hws_mpi_types.mod: src/fortran/types.lo
src/fortran/mpi.mod: src/fortran/mpi.lo
src/fortran/mpi_f08.mod: src/fortran/mpi_f08.lo
$(fortran_modules):

nodist_include_HEADERS += src/fortran/mpif.h $(fortran_modules)
endif
