#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""hawser-gateway and libhawser-wan.so: two sites of two hosts whose other ways to each other are closed. TAP.

Needs root or user namespaces, iproute2 and nftables. h0 and h2 are the sites' gateways (two each), h1 and h3 run the programs. Roles are
exchanged: either site connects, either end closes first, resets, or is slow; trunks end at any moment; a gateway is killed.
Nothing here depends on how long something takes, but that what hangs is ended.
"""
import contextlib
import hashlib
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import xml.etree.ElementTree

HERE = pathlib.Path(__file__).resolve().parent
NETNS = HERE.parent / "support/netns"
BUILD = pathlib.Path(os.environ.get("builddir", ".")).resolve()
LIMIT = 300 * float(os.environ.get("PROC_TIME_SCALE", "1"))  # only to end what hangs: ranks that poll share two processors with other tests
GATEWAYS = {"a1": "h0", "a2": "h0", "b1": "h2", "b2": "h2"}
PEER = str(HERE / "gateway_peer.py")

SITES = """key-file {key}
tls {tls}
site a
  network 10.77.0.1/32
  network 10.77.0.2/32
  gateway a1 lan 10.77.0.1:7500 wan 10.77.0.1:7501
  gateway a2 lan 10.77.0.1:7600 wan {wan_a2}
site b
  network 10.77.0.3/32
  network 10.77.0.4/32
  gateway b1 lan 10.77.0.3:7500 wan 10.77.0.3:7501
  gateway b2 lan 10.77.0.3:7600 wan 10.77.0.3:7601
"""

failed = done = 0


def verdict(what, problem):
    global failed, done
    done += 1
    failed += bool(problem)
    print("%s %d - %s" % ("not ok" if problem else "ok", done, what), flush=True)
    for line in str(problem or "").splitlines():
        print("# " + line, flush=True)


def on(host, *command, **more):
    """The process is the command itself: every shell on the way becomes what it runs."""
    return subprocess.Popen([os.environ["PERF_RSH"], host, "exec", *command], stdin=subprocess.DEVNULL, **more)


class Folder:
    """The sites' file, its key, and the gateways that run."""

    def __init__(self, tls):
        self.path = pathlib.Path(tempfile.mkdtemp())
        self.sites, self.key, self.running = self.path / "sites", self.path / "key", {}
        self.write_key(self.key, b"right")
        self.sites.write_text(SITES.format(key="key", tls=tls, wan_a2="none"))
        self.wrong = self.path / "wrong"
        self.write_key(self.path / "wrongkey", b"wrong")
        self.wrong.write_text(SITES.format(key="wrongkey", tls=tls, wan_a2="none"))

    @staticmethod
    def write_key(path, seed):
        path.write_text(hashlib.sha256(seed).hexdigest() + "\n")
        path.chmod(0o600)

    def start(self, *names):
        for name in names:
            log = open(self.path / (name + ".log"), "a", encoding="ascii")
            self.running[name] = on(GATEWAYS[name], str(BUILD / "hawser-gateway"), "-v", "-c", str(self.sites), "-n", name,
                                    "-w", str(self.path / (name + ".svg")), stderr=log)
            log.close()
        for name in names:
            self.await_text(name, "is reached" if len(self.running) > 1 else "")

    def text(self, name):
        return (self.path / (name + ".log")).read_text(encoding="ascii")

    def await_text(self, name, wanted, since=0):
        deadline = time.monotonic() + LIMIT
        while wanted not in self.text(name)[since:]:
            if time.monotonic() > deadline:
                raise TimeoutError("%s does not say: %s\n%s" % (name, wanted, self.text(name)))
            time.sleep(0.05)

    def report(self, name):
        since = len(self.text(name))
        os.kill(self.running[name].pid, signal.SIGUSR1)
        self.await_text(name, "without the key refused", since)
        return self.text(name)[since:]

    def peak_mb(self, name):
        status = pathlib.Path("/proc/%d/status" % self.running[name].pid).read_text(encoding="ascii")
        return int(re.search(r"VmHWM:\s+(\d+)", status)[1]) / 1024

    def stop(self, *names):
        for name in names or list(self.running):
            process = self.running.pop(name)
            process.kill()
            process.wait()

    def env(self, sites=None):
        return dict(os.environ, HAWSER_WAN=str(sites or self.sites), LD_PRELOAD=str(BUILD / ".libs/libhawser-wan.so"))


@contextlib.contextmanager
def sites(tls="on"):
    folder = Folder(tls)
    try:
        yield folder
    finally:
        folder.stop()
        shutil.rmtree(folder.path)


def finish(process):
    """What it printed; a text that begins with 'problem' if it failed or did not end."""
    try:
        out, _ = process.communicate(timeout=LIMIT)
    except subprocess.TimeoutExpired:
        process.kill()
        out, _ = process.communicate()
        return "problem: did not end\n" + out
    return out if process.returncode == 0 else "problem: status %d\n%s" % (process.returncode, out)


def talk(folder, *args, client="h1", server="h3", sites_of_client=None, meanwhile=None):
    """gateway_peer.py's server and its client on two hosts; what went wrong, or None."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    address = "10.77.0.%d" % (int(server[1]) + 1)
    with on(server, sys.executable, PEER, "serve", address, env=folder.env(), **pipes) as serving:
        serving.stdout.readline()
        with on(client, sys.executable, PEER, *args, address, env=folder.env(sites_of_client), **pipes) as calling:
            if meanwhile:
                meanwhile()
            out = finish(calling)
        serving.kill()
        said = serving.stdout.read()
    return "%s\nthe server:\n%s" % (out, said) if out.startswith("problem") else None


def cut(seconds, *rule):
    """Closes the way between the gateways for a while."""
    subprocess.run(["ip", "netns", "exec", "h0", "nft", "add", "table", "ip", "cut"], check=True)
    for hook in ("input", "output"):
        subprocess.run(["ip", "netns", "exec", "h0", "nft", "add", "chain", "ip", "cut", hook, "{ type filter hook %s priority 0; }" % hook], check=True)
        for end in ("sport", "dport"):
            subprocess.run(["ip", "netns", "exec", "h0", "nft", "add", "rule", "ip", "cut", hook, "tcp", end, "{ 7501, 7601 }", *rule], check=True)
    time.sleep(seconds)
    subprocess.run(["ip", "netns", "exec", "h0", "nft", "delete", "table", "ip", "cut"], check=True)


def again_and_again(seconds, *rule):
    def run():
        for _ in range(4):
            time.sleep(0.3)
            cut(seconds, *rule)
    return run


def close_other_ways():
    """Whatever goes between h1 and h3 goes through the gateways."""
    for host, other in (("h1", "10.77.0.4"), ("h3", "10.77.0.2")):
        nft = ["ip", "netns", "exec", host, "nft", "add"]
        subprocess.run(nft + ["table", "ip", "closed"], check=True)
        subprocess.run(nft + ["chain", "ip", "closed", "out", "{ type filter hook output priority 0; }"], check=True)
        subprocess.run(nft + ["rule", "ip", "closed", "out", "ip", "daddr", other, "drop"], check=True)


def mpi(folder, ranks, program, *args, before=None):
    command = [str(BUILD / "mpirun"), "-rsh", os.environ["PERF_RSH"], "-host", "h1,h3", "-n", str(ranks), "-i", "n0", str(program), *args]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          env=dict(os.environ, HAWSER_WAN=str(folder.sites))) as job:
        if before:
            before()
        return finish(job)


def may_go_first():
    return subprocess.run(["chrt", "-r", "1", "true"], capture_output=True, check=False).returncode == 0


def test_first(folder):
    """Ranks that poll on a gateway's host would make it wait for their processor."""
    if not shutil.which("chrt") or not may_go_first():
        verdict("gateways run before ranks that poll # SKIP no real-time priority for this user", None)
        return
    policies = {name: os.sched_getscheduler(process.pid) & ~os.SCHED_RESET_ON_FORK for name, process in folder.running.items()}
    verdict("gateways run before ranks that poll", None if set(policies.values()) == {os.SCHED_RR} else policies)


def columns(path):
    """The heights of a picture's columns, up and down, as what they are drawn for: the way's first line."""
    ways = {}
    for group in xml.etree.ElementTree.parse(path).iter("{http://www.w3.org/2000/svg}g"):
        texts = [text.text for text in group.iter("{http://www.w3.org/2000/svg}text")]
        rects = [rect.get("fill") for rect in group.iter("{http://www.w3.org/2000/svg}rect")]
        ways.setdefault(texts[0].split(" (up)")[0], []).append((sum(fill != "#3a6ea5" for fill in rects), rects.count("#3a6ea5")))
    return ways


def test_picture(folder):
    """Both directions, of a gateway through which bytes have passed; one that is asked by SIGUSR1, one that ends."""
    for name, way in (("a1", "site a to site b"), ("b1", "site b to site a")):
        if name == "a1":
            folder.report(name)
        else:
            folder.running[name].terminate()
            folder.running.pop(name).wait()
        picture = folder.path / (name + ".svg")
        drawn = columns(picture) if picture.exists() else {}
        verdict("-w: the way's use, " + way, None if any(up and down for up, down in drawn.get(way, [])) else drawn)


MPICH_PROGRAM = r"""
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    int rank, ranks, bad = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    char *out = malloc(3000000), *in = malloc(3000000);
    for (int turn = 0; turn < 20; turn++) {
        int n = turn % 4 == 3 ? 3000000 : 1000 * turn + 1, sum, one = rank + turn;
        memset(out, rank + turn, n);
        MPI_Sendrecv(out, n, MPI_CHAR, (rank + 1) % ranks, turn, in, n, MPI_CHAR, (rank + ranks - 1) % ranks, turn, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 0; i < n; i++)
            bad |= in[i] != (char)((rank + ranks - 1) % ranks + turn);
        MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        bad |= sum != ranks * (ranks - 1) / 2 + ranks * turn;
    }
    MPI_Allreduce(MPI_IN_PLACE, &bad, 1, MPI_INT, MPI_BOR, MPI_COMM_WORLD);
    if (bad)
        MPI_Abort(MPI_COMM_WORLD, 3);
    write(1, "right\n", 6);
    MPI_Finalize();
    return 0;
}
"""


def all_right(job, ranks):
    """What went wrong until each rank said that all was right, or None. MPICH 4.0.2's MPI_Finalize hangs now and then, without
    gateways too: a rank waits for the answer of one that waits in PMI's barrier, so the job's end is not awaited."""
    timer = threading.Timer(LIMIT, job.kill)
    timer.start()
    said = []
    while said.count("right\n") < ranks and (line := job.stdout.readline()):
        said.append(line)
    timer.cancel()
    job.terminate()
    job.wait()
    return None if said.count("right\n") == ranks else "problem: ended too early, or not at all\n" + "".join(said)


def test_mpich(folder):
    """hawser-wan as a user calls it, from the build tree; more ranks than processors, and they poll."""
    what = "hawser-wan mpiexec: MPICH's ranks of two sites"
    if not shutil.which("mpicc.mpich") or not shutil.which("mpiexec.hydra"):
        verdict(what + " # SKIP no MPICH", None)
        return
    program = folder.path / "ring"
    program.with_suffix(".c").write_text(MPICH_PROGRAM)
    subprocess.run(["mpicc.mpich", "-O1", "-o", str(program), str(program) + ".c"], check=True)
    before = int(re.search(r"(\d+) in all", folder.report("b1"))[1])
    command = [str(BUILD / "hawser-wan"), "-c", str(folder.sites), "mpiexec.hydra", "-launcher", "rsh", "-launcher-exec", os.environ["PERF_RSH"], "-iface", "n0",
               "-hosts", "h1,h3", "-n", "4", str(program)]
    env = dict(os.environ, UCX_TLS="tcp,self", UCX_NET_DEVICES="n0", MPIR_CVAR_NOLOCAL="1")
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=env) as job:
        problem = all_right(job, 4)
    flows = int(re.search(r"(\d+) in all", folder.report("b1"))[1]) - before
    verdict(what, problem or (None if flows > 0 else "none went through the gateways"))


def preloaded(program):
    """A program that needs no LD_PRELOAD: mpirun and its daemons must reach each other as they are."""
    return ["/usr/bin/env", "LD_PRELOAD=" + str(BUILD / ".libs/libhawser-wan.so"), str(program)]


def test_bytes(folder, how):
    verdict("%s: echo of 1, 10,000 and 3,000,000 bytes on 12 connections, from site a" % how, talk(folder, "echo", "12", "1,10000,3000000"))
    verdict("%s: the same from site b" % how, talk(folder, "echo", "12", "1,10000,3000000", client="h3", server="h1"))
    verdict("%s: a client on the gateway's host, a server on the other's" % how, talk(folder, "echo", "3", "1,100000", client="h0", server="h2"))
    verdict("%s: each end knows the other's address" % how, talk(folder, "names"))
    verdict("%s: a descriptor's number that is used anew for a connection that stays direct" % how, talk(folder, "reused"))
    verdict("%s: a slow reader does not hold up others" % how, talk(folder, "slow"))
    verdict("%s: the server closes first, resets, or nothing listens" % how, talk(folder, "ends"))


def test_breaks(folder, how):
    verdict("%s: the trunks are reset again and again meanwhile" % how,
            talk(folder, "echo", "6", "20000000,300000", meanwhile=again_and_again(0.2, "reject", "with", "tcp", "reset")))
    verdict("%s: the way is cut for 3 s" % how, talk(folder, "echo", "6", "20000000,300000", meanwhile=lambda: cut(3, "drop")))


def test_strangers(folder):
    before = int(re.search(r"(\d+) connections without", folder.report("a1"))[1])
    verdict("strangers get nothing: silence, noise, a preface of another key", talk(folder, "strangers", "10.77.0.1", sites_of_client=folder.wrong))
    count = int(re.search(r"(\d+) connections without", folder.report("a1"))[1]) - before
    verdict("and are counted", None if count >= 4 else "%d refused" % count)


def test_many(folder):
    verdict("1000 connections at once, 20,000 bytes each way", talk(folder, "many", "1000", "20000"))
    peaks = {name: folder.peak_mb(name) for name in ("a1", "b1")}
    verdict("with at most 64 MB a gateway", None if max(peaks.values()) <= 64 else peaks)


def test_mpi(folder):
    for program, ranks in (("basic/exchange", 2), ("coll/all", 4)):
        out = mpi(folder, ranks, *preloaded(BUILD / "tests/proc" / program))
        verdict("ranks of two sites: %s" % program, out if out.startswith("problem") else None)
    flows = int(re.search(r"(\d+) in all", folder.report("b1"))[1])
    verdict("through the gateways", None if flows > 0 else folder.report("b1"))


def test_second_gateway(folder):
    stop = folder.path / "stop"

    def kill_one():
        time.sleep(2)
        folder.stop("a1")
        time.sleep(2)
        stop.touch()
    program = preloaded(BUILD / "tests/proc/survival/stream")
    out = mpi(folder, 2, *program, "-d", "both", "-s", "1000-200000", "-u", str(stop), before=kill_one)
    verdict("a job goes on over the second gateway when the first is killed", out if out.startswith("problem") else None)
    folder.start("a1")
    verdict("a gateway that has begun anew is used", talk(folder, "echo", "3", "100000"))


def inside():
    close_other_ways()
    with sites() as folder:
        folder.start("a1", "a2", "b1", "b2")
        test_bytes(folder, "TLS")
        test_breaks(folder, "TLS")
        test_strangers(folder)
        test_mpi(folder)
        test_mpich(folder)
        test_first(folder)
        test_second_gateway(folder)
        test_picture(folder)
    with sites() as folder:
        folder.start("a1", "b1")
        test_many(folder)
    with sites(tls="off") as folder:
        folder.start("b1", "a1")
        test_bytes(folder, "without TLS")
        test_breaks(folder, "without TLS")
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
    if b"__asan_init" in (BUILD / ".libs/libhawser-wan.so").read_bytes():
        print("1..0 # SKIP a library with sanitizers cannot be preloaded into other programs")
        return
    if subprocess.run([str(NETNS), "true"], stdin=subprocess.DEVNULL, capture_output=True, check=False).returncode:
        print("1..0 # SKIP namespaces may not be made here")
        return
    os.execv(str(NETNS), [str(NETNS), "-n", "4", sys.executable, __file__, "--inside"])


if __name__ == "__main__":
    if "--inside" in sys.argv:
        inside()
    main()
