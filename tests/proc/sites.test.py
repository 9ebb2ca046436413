#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A job of two sites whose ranks reach each other by gateways alone, which mpirun starts. TAP.

Needs root or user namespaces, iproute2 and nftables. h0, h1 and h2 are site a, h3, h4 and h5 site b; h0, h1, h3 and h4 are gateways, h2
and h5 run the ranks, and no packet goes between them and the other site. Nothing here depends on how long something takes, but that what
hangs is ended.
"""
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
NETNS = HERE.parent / "support/netns"
BUILD = pathlib.Path(os.environ.get("builddir", ".")).resolve()
LIMIT = 60 * float(os.environ.get("PROC_TIME_SCALE", "1"))

ONE = """h0 slots=0 site=a gateway
h2 slots=2 site=a
h3 slots=0 site=b gateway lan=10.77.0.4 wan=10.77.0.4
h5 slots=2 site=b
"""
TWO = ONE + """h1 slots=0 site=a gateway wan=none
h4 slots=0 site=b gateway
"""

MIXED = """h0 site=a gateway
h3 site=b gateway
h1 site=a
h4 site=b
h2 site=a
h5 site=b
"""

failed = done = 0


def verdict(what, problem):
    global failed, done
    done += 1
    failed += bool(problem)
    print("%s %d - %s" % ("not ok" if problem else "ok", done, what), flush=True)
    for line in str(problem or "").splitlines():
        print("# " + line, flush=True)


def nft(host, *words):
    subprocess.run(["ip", "netns", "exec", host, "nft", *words], check=True)


def drop(host, table, addresses):
    nft(host, "add", "table", "ip", table)
    nft(host, "add", "chain", "ip", table, "out", "{ type filter hook output priority 0; }")
    nft(host, "add", "rule", "ip", table, "out", "ip", "daddr", "{ %s }" % ", ".join(addresses), "drop")


def part_the_sites():
    drop("h2", "closed", ["10.77.0.4", "10.77.0.5", "10.77.0.6"])
    drop("h5", "closed", ["10.77.0.1", "10.77.0.2", "10.77.0.3"])


def run(hosts, *words, meanwhile=None):
    """Exit status and output of a job; the status is None if it did not end."""
    with tempfile.NamedTemporaryFile("w", suffix=".hosts") as file:
        file.write(hosts)
        file.flush()
        command = [str(BUILD / "mpirun"), "-rsh", os.environ["PERF_RSH"], "-hostfile", file.name, *map(str, words)]
        with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as job:
            try:
                if meanwhile:
                    meanwhile()
                out, _ = job.communicate(timeout=LIMIT)
                return job.returncode, out
            except subprocess.TimeoutExpired:
                job.kill()
                return None, job.communicate()[0]


def gateways(name=""):
    """The processes of gateways, of that name or all."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            words = pathlib.Path("/proc", pid, "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if words[0].endswith(b"/hawser-gateway") and name.encode() in words[1:] + [b""]:
            found.append(int(pid))
    return found


def wait_for(condition):
    deadline = time.monotonic() + LIMIT
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError
        time.sleep(0.05)


def test_map():
    status, out = run(TWO, "-display-map", "-n", 4, "/bin/true")
    wanted = ["host h2 of site a: ranks 0-1", "host h5 of site b: ranks 2-3", "host h1: gateway of site a"]
    verdict("-display-map names sites and gateways", None if status == 0 and all(w in out for w in wanted) else out)


def test_collectives():
    status, out = run(ONE, "-v", "-n", 4, BUILD / "tests/proc/coll/all")
    flows = re.findall(r"to \S+ of site \S+: .* (\d+) in all", out)
    verdict("collectives of ranks that only the gateways join", None if status == 0 and flows and all(int(n) > 0 for n in flows) else out)
    verdict("the gateways end with the job", gateways())


def test_once():
    """One rank a host, neighbours in different sites. 1 MiB is broadcast from site a, and reduced to all."""
    status, out = run(MIXED, "-v", "-n", 6, BUILD / "tests/proc/coll/sites")
    from_a = re.search(r"to \S+ of site b: .* (\d+) bytes out, (\d+) in", out)
    bounds = (int(2.1 * 2**20), int(1.1 * 2**20))
    good = status == 0 and from_a and all(int(n) <= bound for n, bound in zip(from_a.groups(), bounds))
    verdict("each byte crosses between the sites once", None if good else out)


def test_direct():
    status, out = run(ONE, "-wan", "direct", "-tcpdeadline", 500, "-n", 4, BUILD / "tests/proc/basic/exchange")
    verdict("-wan direct does without, so here nothing leads there", None if status not in (0, None) and "gateway" not in out else out)


def test_failures():
    """One gateway of site a is killed, then the other one's way is cut, longer than any gateway waits."""
    folder = pathlib.Path(tempfile.mkdtemp())
    stop = folder / "stop"

    def meanwhile():
        wait_for(lambda: gateways("a.0"))
        time.sleep(1)
        for pid in gateways("a.0"):
            os.kill(pid, signal.SIGKILL)
        time.sleep(1)
        drop("h1", "cut", ["10.77.0.4", "10.77.0.5"])
        time.sleep(8)
        nft("h1", "delete", "table", "ip", "cut")
        time.sleep(1)
        stop.touch()
    status, out = run(TWO, "-n", 2, "-map-by", "node", BUILD / "tests/proc/survival/stream", "-d", "both", "-s", "1000-200000", "-u", stop,
                      meanwhile=meanwhile)
    verdict("a gateway is killed, the other cut off for 8 s: nothing is lost", None if status == 0 and "gateway a.0 on host h0 " in out else out)
    shutil.rmtree(folder)


def inside():
    part_the_sites()
    test_map()
    test_collectives()
    test_once()
    test_direct()
    test_failures()
    print("1..%d" % done)
    sys.exit(failed > 0)


def main():
    for tool in ("ip", "nft", "unshare"):
        if not shutil.which(tool):
            print("1..0 # SKIP no " + tool)
            return
    if not (BUILD / "hawser-gateway").exists():
        print("1..0 # SKIP built without OpenSSL")
        return
    if subprocess.run([str(NETNS), "true"], stdin=subprocess.DEVNULL, capture_output=True, check=False).returncode:
        print("1..0 # SKIP namespaces may not be made here")
        return
    os.execv(str(NETNS), [str(NETNS), "-n", "6", sys.executable, __file__, "--inside"])


if __name__ == "__main__":
    if "--inside" in sys.argv:
        inside()
    main()
