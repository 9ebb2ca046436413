#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Every line of every testlist, for make check. Over TCP; tests/proc/shm.test.sh is the same through shared memory.
HAWSER_SHM=${HAWSER_SHM:-0}
PROC_LINES=${PROC_LINES:-each}
export PROC_LINES HAWSER_SHM
exec "${srcdir:-.}/tests/proc/run" --build "${builddir:-.}"
