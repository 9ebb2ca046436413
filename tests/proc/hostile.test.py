#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Attacks every port that a running job listens on, over loopback only, and sees that nothing in the job changes.

Silent connections, garbage, resets, hellos with a wrong job or a wrong secret, and nmap; first while the ranks compute
outside MPI, before they have any connection, then while they exchange data that they check. Prints TAP.
"""
import os
import pathlib
import random
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

BUILD = pathlib.Path(os.environ.get("builddir", "."))
PROGRAM, MPIRUN = BUILD / "tests/proc/hostile/steady", BUILD / "mpirun"
N_RANKS, N_SILENT, ATTACK_SECONDS = 4, 100, 4
HELLO_LEN, CHALLENGE_LEN = 80, 112
HANGS = 120  # s; only ends what hangs
# Half-open connections are bounded by 64 + ranks (docs/wire.md section 2); besides, each rank has one connection to every
# other (two while both dial) and some descriptors may be on their way to be closed.
MORE_FDS = 64 + N_RANKS + 2 * N_RANKS + 8
VERSION = 7  # of the wire format
seed = int(os.environ.get("HAWSER_TEST_SEED", random.SystemRandom().getrandbits(32)))
rng = random.Random(seed)


class Tap:
    n = n_bad = 0

    def ok(self, good, text, skip=None):
        self.n += 1
        self.n_bad += not good
        print(f"{'ok' if good else 'not ok'} {self.n} - {text}{' # SKIP ' + skip if skip else ''}", flush=True)


def fnv1a(text):
    h = 0xcbf29ce484222325
    for byte in text.encode():
        h = (h ^ byte) * 0x100000001b3 % 2 ** 64
    return h


def environ_of(pid):
    try:
        pairs = pathlib.Path(f"/proc/{pid}/environ").read_bytes().decode(errors="replace").split("\0")
        return dict(p.split("=", 1) for p in pairs if "=" in p)
    except OSError:
        return {}


def processes(mark):
    """pid -> environment of all processes of this test's job."""
    found = {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        env = environ_of(pid)
        if env.get("HOSTILE_MARK") == mark:
            found[int(pid)] = env
    return found


def sockets_of(pid):
    inodes = set()
    try:
        for fd in os.listdir(f"/proc/{pid}/fd"):
            try:
                target = os.readlink(f"/proc/{pid}/fd/{fd}")
            except OSError:
                continue
            if target.startswith("socket:["):
                inodes.add(target[8:-1])
    except OSError:
        pass
    return inodes


def listening(pids):
    """Ports on which these processes listen on IPv4."""
    inodes = set().union(*(sockets_of(p) for p in pids)) if pids else set()
    ports = {}
    for line in pathlib.Path("/proc/net/tcp").read_text().splitlines()[1:]:
        words = line.split()
        if words[3] == "0A" and words[9] in inodes:
            address, port = words[1].split(":")
            ports[int(port, 16)] = socket.inet_ntoa(struct.pack("=I", int(address, 16)))
    return ports


def n_fds(pid):
    try:
        return len(os.listdir(f"/proc/{pid}/fd"))
    except OSError:
        return 0


def hello(job, to, sender):
    return (b"HAWSER\r\n" + struct.pack("<HBBHHQIIIIQ", VERSION, 1, 0, 0, 0, job, sender, to, 1 << 20, 0, job) + rng.randbytes(32))


def dial(port, patience=1):
    s = socket.create_connection(("127.0.0.1", port), timeout=2)
    s.settimeout(patience)
    return s


def read_to_end(s):
    got = b""
    try:
        while piece := s.recv(4096):
            got += piece
    except OSError:
        pass
    return got


class Attack:
    """Counts what the strange hellos were answered."""

    def __init__(self, ports, job):
        self.ports, self.job, self.lock = list(ports), job, threading.Lock()
        self.silent, self.n_challenges, self.n_verdicts, self.n_rounds = [], 0, 0, 0

    def be_silent(self):
        for port in self.ports:
            for _ in range(N_SILENT):
                try:
                    self.silent.append(dial(port))
                except OSError:
                    pass

    def talk(self, port, what, reset=False):
        try:
            with dial(port) as s:
                if reset:
                    s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                s.sendall(what)
                if not reset:
                    s.shutdown(socket.SHUT_WR)
                    read_to_end(s)
        except OSError:
            pass

    def wrong_secret(self, port, job):
        """A right hello for every rank it could be for, then a proof made with another secret."""
        for to in range(N_RANKS):
            try:
                with dial(port, 10) as s:
                    s.sendall(hello(job, to, (to + 1) % N_RANKS))
                    got = b""
                    while len(got) < CHALLENGE_LEN and (piece := s.recv(CHALLENGE_LEN - len(got))):
                        got += piece
                    if len(got) < CHALLENGE_LEN:
                        continue
                    s.sendall(b"HAWSER\r\n" + struct.pack("<HBB", VERSION, 3, 0) + rng.randbytes(32))
                    answer = read_to_end(s)
                    with self.lock:
                        self.n_challenges += 1
                        self.n_verdicts += len(answer) > 0
            except OSError:
                pass

    def one_round(self, may_wait):
        for port in self.ports:
            self.talk(port, rng.randbytes(rng.randrange(1, 3000)), reset=not may_wait)
            self.talk(port, b"GET / HTTP/1.0\r\n\r\n", reset=not may_wait)
            self.talk(port, hello(self.job, rng.randrange(N_RANKS), rng.randrange(N_RANKS))[:rng.randrange(HELLO_LEN)], reset=True)
            self.talk(port, bytes(rng.randrange(1, 200000)), reset=True)
            self.talk(port, b"", reset=True)
            if may_wait:
                self.wrong_secret(port, self.job)
                self.wrong_secret(port, self.job ^ 1)
        self.n_rounds += 1

    def close(self):
        for s in self.silent:
            s.close()


def wait_for(condition, seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if value := condition():
            return value
        time.sleep(0.05)
    return condition()


def find_ranks(mark):
    """Ranks and their ports, once all ranks listen."""
    ranks = {p: e for p, e in processes(mark).items() if "PMI_RANK" in e and os.path.basename(os.readlink(f"/proc/{p}/exe")) in ("steady", "lt-steady")}
    if len(ranks) == N_RANKS and all(listening([p]) for p in ranks):
        return ranks
    return None


def attack(tap, mark, go, scale):
    ranks = wait_for(lambda: find_ranks(mark), HANGS * scale)
    if not ranks:
        tap.ok(False, "all ranks listen")
        return
    ports = listening(processes(mark))
    foreign = [a for a in ports.values() if a != "127.0.0.1"]
    tap.ok(not foreign, f"{len(ports)} ports of the job, all on loopback")
    if foreign:
        return
    job = fnv1a(next(iter(ranks.values())).get("HAWSER_JOB", "").split("/")[0])
    before, most = {p: n_fds(p) for p in ranks}, {p: 0 for p in ranks}
    a = Attack(ports, job)
    a.be_silent()
    a.one_round(may_wait=False)
    go.touch()
    scan = None
    if shutil.which("nmap"):
        scan = subprocess.Popen(["timeout", str(HANGS * scale), "nmap", "-n", "-Pn", "-sT", "-sV", "--version-intensity", "1", "--host-timeout",
                                 "20s", "-p", ",".join(map(str, ports)), "127.0.0.1"], stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    end = time.monotonic() + ATTACK_SECONDS * scale
    while time.monotonic() < end or a.n_rounds < 3 or (not a.n_challenges and time.monotonic() < end + HANGS * scale):
        a.one_round(may_wait=True)
        for p in ranks:
            most[p] = max(most[p], n_fds(p))
    if scan:
        text = scan.communicate()[0]
        tap.ok("Nmap done" in text, "nmap went over the ports")
    else:
        tap.ok(True, "nmap went over the ports", "nmap is not installed")
    a.close()
    print(f"# {a.n_rounds} rounds, {a.n_challenges} hellos challenged, descriptors {list(before.values())} -> {list(most.values())}")
    tap.ok(a.n_challenges > 0, "a hello for the right job and rank is answered by a challenge")
    tap.ok(a.n_verdicts == 0, "a proof with a wrong secret is answered by nothing")
    tap.ok(all(most[p] <= before[p] + MORE_FDS for p in ranks), f"no rank ever held more than {MORE_FDS} descriptors more")


def main():
    tap, mark = Tap(), f"{os.getpid()}.{time.monotonic_ns()}"
    scale = float(os.environ.get("PROC_TIME_SCALE", "1"))
    print(f"# HAWSER_TEST_SEED={seed}")
    if not PROGRAM.exists() or not MPIRUN.exists():
        print("Bail out! the program or mpirun was not built")
        return 1
    with tempfile.TemporaryDirectory() as work:
        go, stop = pathlib.Path(work) / "go", pathlib.Path(work) / "stop"
        env = dict(os.environ, HAWSER_SHM="0", HOSTILE_MARK=mark, STEADY_GO=str(go), STEADY_STOP=str(stop))
        job = subprocess.Popen([str(MPIRUN), "-i", "lo", "-n", str(N_RANKS), str(PROGRAM)], env=env, text=True,
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
        try:
            attack(tap, mark, go, scale)
        except BaseException:
            os.killpg(job.pid, signal.SIGKILL)
            raise
        finally:
            go.touch()
            stop.touch()
        try:
            out, err = job.communicate(timeout=HANGS * scale)
        except subprocess.TimeoutExpired:
            os.killpg(job.pid, signal.SIGKILL)
            out, err = job.communicate()
            err += "\nthe job hangs"
        err = re.sub(r"hawser: rank \d+: still waiting for .* to answer .*\n", "", err)  # on a busy machine
        tap.ok(job.returncode == 0 and out == "steady: right\n" and (err == "" or bool(os.environ.get("HAWSER_TRACE"))),
               "the job's result, output and status are those of a quiet run")
        if job.returncode != 0 or out != "steady: right\n" or err:
            print("".join(f"# {line}\n" for line in f"status {job.returncode}\n{out}{err[-3000:]}".splitlines()), end="")
        left = wait_for(lambda: not processes(mark), HANGS * scale)
        tap.ok(bool(left), "no process is left behind")
        for pid in processes(mark):
            os.kill(pid, signal.SIGKILL)
    print(f"1..{tap.n}")
    return 1 if tap.n_bad else 0


sys.exit(main())
