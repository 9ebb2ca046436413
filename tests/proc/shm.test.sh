#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Every line of every testlist through shared memory, for make check: the largest only with all.test.sh.
HAWSER_SHM=1 PROC_NOT_PLAIN=${PROC_NOT_PLAIN:-shared memory}
PROC_LINES=${PROC_LINES:-each}
export PROC_LINES HAWSER_SHM PROC_NOT_PLAIN
exec "${srcdir:-.}/tests/proc/run" --build "${builddir:-.}"
