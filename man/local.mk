# SPDX-License-Identifier: BSD-3-Clause
dist_man1_MANS = man/mpicc.1 man/mpicxx.1 man/mpifort.1 man/hawser-info.1 man/mpirun.1 man/mpiexec.1
if HAVE_OPENSSL
dist_man1_MANS += man/hawser-gateway.1
endif
dist_man1_MANS += man/hawser-wan.1
