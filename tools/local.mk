# SPDX-License-Identifier: BSD-3-Clause
# The compiler wrappers, the pkg-config files, the static library and hawser-info.

# What a program that links the static library has to link too.
private_libs = $(EV_LIBS) $(SODIUM_LIBS) $(SCTP_LIBS) -lm -lpthread
subst = sed -e 's|@VERSION''@|$(VERSION)|g' -e 's|@prefix''@|$(prefix)|g' -e 's|@exec_prefix''@|$(exec_prefix)|g' \
  -e 's|@bindir''@|$(bindir)|g' -e 's|@libdir''@|$(libdir)|g' -e 's|@includedir''@|$(includedir)|g' \
  -e 's|@private''@|$(private_libs)|g'

bin_SCRIPTS += mpicc mpicxx mpifort
CLEANFILES += mpicc mpicxx mpifort $(pkgconfig_DATA)
EXTRA_DIST += tools/mpicc.in tools/mpifort tools/hawser.pc.in tools/check-includes tools/check-symbols tools/check-size tools/check-names tools/convenience tools/format tools/setup

mpicc: tools/mpicc.in Makefile
	$(AM_V_GEN)$(subst) -e 's|@wrapper''@|mpicc|g' -e 's|@language''@|C|g' -e 's|@VAR''@|CC|g' \
	  -e 's|@compiler''@|$(WRAPPER_CC)|g' -e 's|@libs''@|mpi_abi|g' -e 's|@kinds''@||g' $(srcdir)/tools/mpicc.in > $@.tmp && chmod +x $@.tmp && mv -f $@.tmp $@
mpicxx: tools/mpicc.in Makefile
	$(AM_V_GEN)$(subst) -e 's|@wrapper''@|mpicxx|g' -e 's|@language''@|C++|g' -e 's|@VAR''@|CXX|g' \
	  -e 's|@compiler''@|$(WRAPPER_CXX)|g' -e 's|@libs''@|mpi_abi|g' -e 's|@kinds''@||g' $(srcdir)/tools/mpicc.in > $@.tmp && chmod +x $@.tmp && mv -f $@.tmp $@
if HAVE_FORTRAN
mpifort: tools/mpicc.in Makefile
	$(AM_V_GEN)$(subst) -e 's|@wrapper''@|mpifort|g' -e 's|@language''@|Fortran|g' -e 's|@VAR''@|FC|g' \
	  -e 's|@compiler''@|$(WRAPPER_FC)|g' -e 's|@libs''@|mpifort_abi mpi_abi|g' -e 's|@kinds''@|$(WRAPPER_FCFLAGS)|g' $(srcdir)/tools/mpicc.in > $@.tmp && chmod +x $@.tmp && mv -f $@.tmp $@
else
mpifort: tools/mpifort
	$(AM_V_GEN)cp $(srcdir)/tools/mpifort $@.tmp && chmod +x $@.tmp && mv -f $@.tmp $@
endif

pkgconfigdir = $(libdir)/pkgconfig
# ompi-c and ompi-cxx are the names that meson's dependency('mpi') asks for first.
pkgconfig_DATA = hawser.pc mpi.pc mpi-c.pc mpi-cxx.pc ompi-c.pc ompi-cxx.pc
if HAVE_FORTRAN
pkgconfig_DATA += hawser-fort.pc mpi-fort.pc ompi-fort.pc
endif
# As with the wrappers, a place that the loader looks at by itself is not named.
pkg_rpath = $(if $(filter /usr/lib /lib /usr/lib/%-linux-gnu,$(libdir)),,-Wl$(comma)-rpath$(comma)$${libdir})
comma = ,
# Relative to the file's own place, so that a moved prefix goes on working.
$(pkgconfig_DATA): tools/hawser.pc.in Makefile
	$(AM_V_GEN)up=$$(realpath -ms --relative-to='$(pkgconfigdir)' '$(prefix)') && $(subst) -e 's|@name''@|$(basename $@)|g' \
	  -e 's|@libs''@|$(if $(filter %-fort.pc,$@),-lmpifort_abi )-lmpi_abi|g' -e 's|@rpath''@|$(pkg_rpath)|g' \
	  -e 's|@kinds''@|$(if $(filter %-fort.pc,$@),$(addprefix $(empty) ,$(WRAPPER_FCFLAGS)))|g' \
	  $(srcdir)/tools/hawser.pc.in | sed -e "s|^prefix=.*|prefix=\$${pcfiledir}/$$up|" -e 's|=$(prefix)/|=$${prefix}/|' > $@

# One object for a static link: in an archive of many the library's own names could meet the program's. hawser-info reads tables of
# the library's, so it links the object with hidden names kept.
noinst_DATA = libmpi_abi.a
CLEANFILES += libmpi_abi.a libmpi_all.o libmpi_public.o
entry_objects = $(foreach o,$(libmpi_abi_la_OBJECTS),$(dir $o).libs/$(notdir $(o:.lo=.o)))
libmpi_all.o: libmpi_abi.la
	$(AM_V_GEN)$(LD) -r -o $@ $(entry_objects) --whole-archive .libs/libhawser.a
libmpi_abi.a: libmpi_all.o
	$(AM_V_AR)$(OBJCOPY) --localize-hidden libmpi_all.o libmpi_public.o && rm -f $@ && $(AR) crs $@ libmpi_public.o

if HAVE_FORTRAN
noinst_DATA += libmpifort_abi.a
CLEANFILES += libmpifort_abi.a
libmpifort_abi.a: libmpifort_abi.la
	$(AM_V_AR)rm -f $@ && $(AR) crs $@ $(foreach o,$(libmpifort_abi_la_OBJECTS) $(libfortran_mpi_la_OBJECTS) $(libfortran_pmpi_la_OBJECTS) \
	  $(fortran_objects),$(dir $o).libs/$(notdir $(o:.lo=.o)))
install_fortran = rm -f $(DESTDIR)$(libdir)/libmpifort_abi.la && $(INSTALL_DATA) libmpifort_abi.a $(DESTDIR)$(libdir)/libmpifort_abi.a && \
  cd $(DESTDIR)$(libdir) && rm -f libmpifort.so && $(LN_S) libmpifort_abi.so.1 libmpifort.so
else
install_fortran = :
endif

bin_PROGRAMS += hawser-info
hawser_info_SOURCES = tools/hawser-info.c
hawser_info_LDADD = libmpi_all.o $(EV_LIBS) $(SODIUM_LIBS) $(SCTP_LIBS) -lm -lpthread

# Names of libtool's own that a normal prefix does not have, and links that it should have.
install-exec-hook:
	rm -f $(DESTDIR)$(libdir)/libmpi_abi.la $(DESTDIR)$(pkglibdir)/libhawser-wan.la $(DESTDIR)$(pkglibdir)/libhawser-report.la
	$(INSTALL_DATA) libmpi_abi.a $(DESTDIR)$(libdir)/libmpi.a
	$(INSTALL_DATA) libmpi_abi.a $(DESTDIR)$(libdir)/libmpi_abi.a
	$(install_fortran)
	cd $(DESTDIR)$(libdir) && rm -f libmpi.so && $(LN_S) libmpi_abi.so.1 libmpi.so
	cd $(DESTDIR)$(bindir) && rm -f mpiexec && $(LN_S) mpirun mpiexec
	cd $(DESTDIR)$(bindir) && rm -f mpic++ mpiCC mpicc_abi mpicxx_abi && $(LN_S) mpicxx mpic++ && $(LN_S) mpicxx mpiCC && \
	  $(LN_S) mpicc mpicc_abi && $(LN_S) mpicxx mpicxx_abi
	cd $(DESTDIR)$(bindir) && rm -f mpif90 mpif77 mpifort_abi && $(LN_S) mpifort mpif90 && $(LN_S) mpifort mpif77 && $(LN_S) mpifort mpifort_abi

uninstall-hook:
	cd $(DESTDIR)$(libdir) && rm -f libmpi.a libmpi_abi.a libmpi.so libmpi_abi.so libmpi_abi.so.1 libmpi_abi.so.1.0.0 \
	  libmpifort.so libmpifort_abi.a libmpifort_abi.so libmpifort_abi.so.1 libmpifort_abi.so.1.0.0
	cd $(DESTDIR)$(bindir) && rm -f mpic++ mpiCC mpicc_abi mpicxx_abi mpiexec mpif90 mpif77 mpifort_abi
	rm -f $(DESTDIR)$(pkglibdir)/libhawser-wan.so $(DESTDIR)$(pkglibdir)/libhawser-report.so
