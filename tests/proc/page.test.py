#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""mpirun -report FILE.html: what real ranks send, to the byte, on this host and on two, from threads, and from a rank that is killed.
Prints TAP."""
import json
import os
import pathlib
import re
import subprocess
import tempfile

BUILD = pathlib.Path(os.environ.get("builddir", ".")).resolve()
MPIRUN, TRAFFIC = BUILD / "mpirun", BUILD / "tests/proc/tools/traffic"
LIMIT = 100 * float(os.environ.get("PROC_TIME_SCALE", "1"))
RSH = """#!/bin/sh
host=$1; shift
exec unshare --uts sh -c 'hostname "$0"; exec "$@"' "$host" "$@"
"""
count = 0


def ok(good, text, more="", skip=""):
    global count
    count += 1
    print(f"{'ok' if good else 'not ok'} {count} - {text}{' # SKIP ' + skip if skip else ''}", flush=True)
    if not good:
        print("".join(f"# {line}\n" for line in str(more).splitlines()), end="", flush=True)


def run(*argv):
    env = {k: v for k, v in os.environ.items() if not k.startswith(("HAWSER_", "PMI_"))}
    return subprocess.run([str(word) for word in (MPIRUN, *argv)], env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=LIMIT, check=False)


def data(page):
    """What the page has for programs."""
    return json.loads(re.search(r'<script type="application/json" id="data">\n(.*?)</script>', page, re.S).group(1))


def sent(i, j):
    """Bytes and messages from rank i to rank j, as in tools/traffic.c."""
    return 3 * (1000 * (i + 1) + j) + 2 * (200000 + 10 * i + j) + 400, 6


def calls(found):
    return {name: n for name, n, *_ in found["calls"]}


def check_pairs(name, done, page, n, way):
    if done.returncode:
        ok(False, name, done.stdout + done.stderr)
        return
    found = data(page.read_text())
    wanted = sorted([i, j, *sent(i, j), way(i, j)] for i in range(n) for j in range(n) if i != j)
    ok(sorted(found["traffic"]) == wanted, name + ": each byte, and how it went", f"{found['traffic']}\nwanted {wanted}")
    pairs = n * (n - 1)
    got = {k: calls(found).get(k) for k in ("MPI_Send", "MPI_Isend", "MPI_Irecv", "MPI_Waitall", "MPI_Init_thread", "MPI_Finalize")}
    ok(got == {"MPI_Send": 4 * pairs, "MPI_Isend": 2 * pairs, "MPI_Irecv": 6 * pairs, "MPI_Waitall": 2 * pairs, "MPI_Init_thread": n,
               "MPI_Finalize": n}, name + ": each call", got)
    bad = [r for r in found["rows"] if not 0 <= r["waiting_ns"] <= r["in_mpi_ns"] <= r["elapsed_ns"] or r["silent"] or r["elapsed_ns"] == 0]
    ok(not bad, name + ": no rank waits longer than it is in MPI, or is there longer than it runs", bad)
    enough = sum(sent(i, j)[0] for i in range(n) for j in range(n) if i != j)
    carried = sum(total for _, total, _ in found["lanes"])
    ok(carried >= enough, name + ": the lanes carry that, and headers", f"{carried} of {enough}")


def main(tmp):
    page = tmp / "job.html"
    for shm, way in ((1, "shm"), (0, "net")):
        done = run("-shm", shm, "-report", page, "-n", 3, TRAFFIC, "pairs")
        check_pairs(f"one host, -shm {shm}", done, page, 3, lambda i, j, way=way: way)
    text = page.read_text()
    ok(not re.search(r"https?:|src=|href=|url\(|@import", text), "the page needs nothing from elsewhere")
    ok(text.startswith("<!DOCTYPE html>") and text.endswith("</html>\n") and "The job ended without an error." in text, "the page is whole")

    (tmp / "rsh").write_text(RSH)
    (tmp / "rsh").chmod(0o755)
    if subprocess.run(["unshare", "--uts", "true"], capture_output=True, check=False).returncode:
        ok(True, "two hosts", skip="names of hosts may not be made here")
    else:
        done = run("-rsh", tmp / "rsh", "-host", "hosta:2,hostb:2", "-report", page, "-n", 4, TRAFFIC, "pairs")
        check_pairs("two hosts", done, page, 4, lambda i, j: "shm" if i // 2 == j // 2 else "net")
        names = [r["name"] for r in data(page.read_text())["rows"]]
        ok(names == ["rank 0 (hosta)", "rank 1 (hosta)", "rank 2 (hostb)", "rank 3 (hostb)"], "two hosts: who is where", names)

    done = run("-report", page, "-n", 2, TRAFFIC, "threads")
    found = data(page.read_text())
    ok(done.returncode == 0 and sorted(found["traffic"]) == [[0, 1, 1600, 200, "shm"], [1, 0, 1600, 200, "shm"]], "threads: each byte", found["traffic"])
    ok(calls(found).get("MPI_Send") == 400 and calls(found).get("MPI_Recv") == 400, "threads: each call", calls(found))

    done = run("-report", page, "-n", 2, TRAFFIC, "die")
    found = data(page.read_text())
    ok(done.returncode == 137 and "rank 1 on host" in page.read_text().split("</p>")[0], "a rank is killed: the page says so", done.stderr)
    ok([1, 0, *sent(1, 0), "shm"] in found["traffic"], "what it had sent is there", found["traffic"])
    ok(any(call[:2] == [1, "MPI_Recv"] and call[4:6] == ["MPI_COMM_WORLD", 0] for call in found["slowest"]), "and its long wait", found["slowest"])

    (tmp / "folder.html").mkdir()
    done = run("-report", tmp / "folder.html", "-n", 1, "touch", tmp / "touched")
    ok(done.returncode == 1 and done.stderr == f"mpirun: -report: cannot write '{tmp}/folder.html': Is a directory\n"
       and not (tmp / "touched").exists(), "a file that cannot be written costs no job", done.stderr)
    done = run("-report", "page.txt", "-n", 1, "true")
    ok(done.returncode == 2 and "neither the process number of an mpirun nor a file whose name ends in .html" in done.stderr,
       "neither a number nor a page", done.stderr)
    done = run("-n", 1, "env")
    ok(not re.search("HAWSER_PROFILE|HAWSER_REPORT|libhawser-report", done.stdout), "without -report nothing of it is there", done.stdout)
    if "ASAN_OPTIONS" in os.environ:
        ok(True, "ranks that are no MPI programs", skip="the loader would have to put the sanitizer first")
    else:
        done = run("-report", page, "-n", 2, "true")
        ok(done.returncode == 0 and not done.stderr and "Of 2 of 2 ranks nothing is known" in page.read_text(), "ranks that are no MPI programs", done.stderr)


with tempfile.TemporaryDirectory() as folder:
    main(pathlib.Path(folder))
print(f"1..{count}")
