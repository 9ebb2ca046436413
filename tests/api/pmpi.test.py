#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A profiling library stands between a program and the library: preloaded, linked before it, and in a static link."""
import os
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from tap import BUILD, CC, INCLUDE, ROOT, done, ok, preload, run, sanitizers

WANT = "sends 3 receives 3\n"
source = ROOT / "tests" / "api" / "src"
flags = ["-Wall", "-Werror", "-pthread", f"-I{INCLUDE}", *sanitizers()]
shared = [f"-L{BUILD / '.libs'}", "-lmpi_abi", f"-Wl,-rpath,{BUILD / '.libs'}"]
private = run([BUILD / "mpicc", "-showme:link", "-static-mpi"]).stdout.split()
environment = {k: v for k, v in os.environ.items() if not k.startswith(("PMI", "HAWSER_"))}


def expect(built, command, what, **env):
    if built.returncode:
        return ok(False, what, built.stdout)
    result = run(command, env={**environment, **env})
    return ok(result.returncode == 0 and result.stdout == WANT, what, f"status {result.returncode}: {result.stdout}")


with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    tool, program = folder / "libcount.so", folder / "user"
    built = run(CC + flags + ["-shared", "-fPIC", "-o", tool, source / "pmpi_count.c"])
    ok(built.returncode == 0, "the profiling library builds", built.stdout)
    built = run(CC + flags + ["-o", program, source / "pmpi_user.c", *shared])
    expect(built, [program], "preloaded", LD_PRELOAD=":".join(preload(built_with_sanitizers=True) + [str(tool)]))
    built = run(CC + flags + ["-o", program, source / "pmpi_user.c", "-Wl,--no-as-needed", f"-L{folder}", "-lcount",
                              f"-Wl,-rpath,{folder}", *shared])
    expect(built, [program], "linked before the library")
    built = run(CC + flags + ["-o", program, source / "pmpi_user.c", source / "pmpi_count.c", f"-L{BUILD}", *private])
    expect(built, [program], "linked with the static library")
done()
