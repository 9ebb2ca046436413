#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What ranks printed is seen, however they end, and while they hang: none of them flushes stdout, which is a pipe."""
import os
import pathlib
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from tap import BUILD, CC, INCLUDE, done, ok, run, sanitizers

PROGRAM = """#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    printf("rank %d was here\\n", rank);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1 && strcmp(argv[1], "kill") == 0)
        raise(SIGKILL);
    if (rank == 1 && strcmp(argv[1], "abort") == 0)
        MPI_Abort(MPI_COMM_WORLD, 3);
    if (rank == 1 && strcmp(argv[1], "exit") == 0)
        _exit(3);
    if (rank == 1 && strcmp(argv[1], "hang") == 0)
        pause();
    MPI_Barrier(MPI_COMM_WORLD);
    return MPI_Finalize();
}
"""
WANT = [f"rank {rank} was here\n" for rank in range(3)]
environment = {k: v for k, v in os.environ.items() if not k.startswith(("PMI", "HAWSER_"))}


def start(program, how):
    return subprocess.Popen([BUILD / "mpirun", "-n", "3", program, how], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.DEVNULL, text=True, env=environment)


with tempfile.TemporaryDirectory() as folder:
    program = pathlib.Path(folder) / "program"
    source = program.with_suffix(".c")
    source.write_text(PROGRAM)
    built = run(CC + ["-Wall", "-Werror", f"-I{INCLUDE}", *sanitizers(), "-o", program, source, f"-L{BUILD / '.libs'}", "-lmpi_abi"])
    ok(built.returncode == 0, "built", built.stdout)
    for how in ("kill", "abort", "exit", "end"):
        job = start(program, how)
        lines = sorted(job.communicate(timeout=600)[0].splitlines(keepends=True))
        ok(lines == WANT and (job.returncode == 0) == (how == "end"), f"{how}: all lines are there", f"status {job.returncode}: {lines}")
    job = start(program, "hang")
    ok(sorted(job.stdout.readline() for _ in range(3)) == WANT, "hang: all lines are seen")
    job.send_signal(signal.SIGTERM)
    job.communicate(timeout=600)
done()
