# SPDX-License-Identifier: BSD-3-Clause
EXTRA_DIST += examples/bandwidth.c examples/edges.f90 examples/heat.c examples/heat-input.png examples/make-input
if HAVE_PNG
noinst_PROGRAMS += examples/heat
examples_heat_SOURCES = examples/heat.c
examples_heat_CFLAGS = $(AM_CFLAGS) $(PNG_CFLAGS)
examples_heat_LDADD = libmpi_abi.la $(PNG_LIBS)
examples_heat_LDFLAGS = -no-install
endif
