#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Every line of every testlist over tcp-trc, for make check: the largest only with all.test.sh.
HAWSER_SHM=0 HAWSER_TRANSPORT=tcp-trc PROC_NOT_PLAIN=${PROC_NOT_PLAIN:-tcp-trc}
PROC_LINES=${PROC_LINES:-brief}
export PROC_LINES HAWSER_SHM HAWSER_TRANSPORT PROC_NOT_PLAIN
exec "${srcdir:-.}/tests/proc/run" --build "${builddir:-.}"
