#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Python loads the library with RTLD_LOCAL and runs a job of one rank in its own process."""
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from tap import LIBRARY, done, ok, preload, table

CHILD = r"""
import ctypes, os, sys
mpi = ctypes.CDLL(sys.argv[1], mode=os.RTLD_NOW | os.RTLD_LOCAL)
P, I = ctypes.c_void_p, ctypes.c_int
handle = {line.split()[0]: int(line.split()[1], 0) for line in sys.stdin}
world = P(handle["MPI_COMM_WORLD"])

def call(name, *args):
    function = getattr(mpi, name)
    function.restype = I
    rc = function(*args)
    if rc != 0:
        sys.exit(f"{name} returned {rc}")

def value(name, *args):
    out = I(-1)
    call(name, *args, ctypes.byref(out))
    return out.value

def same(what, got, want):
    if got != want:
        sys.exit(f"{what} is {got!r}, not {want!r}")

text, length = ctypes.create_string_buffer(8192), I()
call("MPI_Get_library_version", text, ctypes.byref(length))
if b"Hawser" not in text.value or len(text.value) != length.value:
    sys.exit(f"MPI_Get_library_version says {text.value!r} of length {length.value}")
same("MPI_Initialized", value("MPI_Initialized"), 0)
provided = I(-1)
call("MPI_Init_thread", None, None, I(handle["MPI_THREAD_MULTIPLE"]), ctypes.byref(provided))
same("the thread level", provided.value, handle["MPI_THREAD_MULTIPLE"])
same("MPI_Initialized", value("MPI_Initialized"), 1)
same("the size", value("MPI_Comm_size", world), 1)
same("the rank", value("MPI_Comm_rank", world), 0)

out, into = (I * 4)(1, 2, 3, 4), (I * 4)()
status = (I * 8)()
call("MPI_Sendrecv", out, I(4), P(handle["MPI_INT"]), I(0), I(7), into, I(4), P(handle["MPI_INT"]), I(0), I(7), world, status)
same("the data", list(into), [1, 2, 3, 4])
same("the source and tag", list(status)[:2], [0, 7])
total = I(0)
call("MPI_Allreduce", ctypes.byref(I(5)), ctypes.byref(total), I(1), P(handle["MPI_INT"]), P(handle["MPI_SUM"]), world)
same("the sum", total.value, 5)
call("MPI_Finalize")
same("MPI_Finalized", value("MPI_Finalized"), 1)
print("done")
"""

SIZES = r"""
import ctypes, os, sys
mpi = ctypes.CDLL(sys.argv[1], mode=os.RTLD_NOW | os.RTLD_LOCAL)
mpi.MPI_Init(None, None)
bad = 0
for line in sys.stdin:
    name, handle, size, extent = line.split()
    s, lb, e = ctypes.c_int(-1), ctypes.c_ssize_t(-1), ctypes.c_ssize_t(-1)
    rc = mpi.MPI_Type_size(ctypes.c_void_p(int(handle, 0)), ctypes.byref(s))
    rc |= mpi.MPI_Type_get_extent(ctypes.c_void_p(int(handle, 0)), ctypes.byref(lb), ctypes.byref(e))
    if rc or (s.value, lb.value, e.value) != (int(size), 0, int(extent)):
        print(f"{name}: status {rc}, size {s.value}, lower bound {lb.value}, extent {e.value}, not {size}, 0, {extent}")
        bad += 1
mpi.MPI_Finalize()
sys.exit(bad != 0)
"""


def python(script, text, **env):
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("PMI", "HAWSER_"))}
    environment.update(env)
    if preload():
        environment.update(LD_PRELOAD=":".join(preload()), ASAN_OPTIONS="detect_leaks=0")
    return subprocess.run([sys.executable, "-c", script, str(LIBRARY)], input=text, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, env=environment, timeout=600)


values = "\n".join(f"{row['NAME']} {row['VALUE']}" for row in table("constants") if row["VALUE"].lstrip("-")[:1].isdigit())
result = python(CHILD, values)
ok(result.returncode == 0 and result.stdout == "done\n", "a singleton job in Python, RTLD_LOCAL", result.stdout)
result = python(CHILD, values, HAWSER_PROGRESS="thread")
ok(result.returncode == 0 and result.stdout == "done\n", "the same with a progress thread", result.stdout)

rows = [r for r in table("datatypes") if r["SIZE_LP64_GNU"] and r["EXTENT_LP64_GNU"]]
sizes = "\n".join(f"{r['NAME']} {r['VALUE']} {r['SIZE_LP64_GNU']} {r['EXTENT_LP64_GNU']}" for r in rows)
result = python(SIZES, sizes)
ok(result.returncode == 0 and not result.stdout, f"{len(rows)} predefined datatypes have their size and extent", result.stdout)
done()
