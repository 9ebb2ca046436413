#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Networks fail under a job whose every word is checked (survival/stream); the job must come to its right end. TAP.

Needs root or user namespaces, iproute2, nftables. HAWSER_SEEDS=N: so many seeds (8); each decides what is sent and what
fails when. HAWSER_TEST_SEED: the first of them. HAWSER_SHOW=1: what the ranks said, also where all was right. HAWSER_CASES=TEXT: only cases whose name contains TEXT ("seed" for the
seeds). Nothing here depends on how long something takes, but that a job which hangs is ended.
"""
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
from hosts import SUPPORT, Pauses, in_host, nics, why_not, without_notices
BUILD = pathlib.Path(os.environ.get("builddir", ".")).resolve()
STREAM, MPIRUN = BUILD / "tests/proc/survival/stream", BUILD / "mpirun"
DEATH = BUILD / "tests/proc/survival/death"
SCALE = float(os.environ.get("PROC_TIME_SCALE", "1"))
LIMIT = 120 * SCALE  # a job that is not over so long after the last failure hangs
RATES = "400mbit,400mbit"
WORKERS = 2
HOSTS, NICS = ("h0", "h1"), ("n0", "n1")


def sent_by(nic):
    """Bytes that each host has sent over its interface of that name."""
    return [int(in_host(host, "cat", f"/sys/class/net/{nic}/statistics/tx_bytes")) for host in HOSTS]


class Job:
    """One mpirun of the stream program between h0 and h1, which streams until finish() or for the time it was given."""

    def __init__(self, args, np=2, flags=(), deadline_ms=120000, endless=True, env=()):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.stop, self.samples = self.folder / "stop", self.folder / "samples"
        self.out, self.err = open(self.folder / "out", "w+"), open(self.folder / "err", "w+")
        hosts = ",".join(f"{h}:{np // 2}" for h in HOSTS)
        command = [str(MPIRUN), "-rsh", os.environ["PERF_RSH"], "-host", hosts, "-n", str(np), *flags, str(STREAM), *args, "-o", str(self.samples)]
        command += ["-u", str(self.stop)] if endless else []
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=self.out, stderr=self.err,
                                        env=dict(os.environ, HAWSER_TCPDEADLINE=str(deadline_ms), **dict(env)))
        self.status = None

    def received(self):
        """Bytes of all ranks so far, as far as they have told."""
        total = 0
        for path in self.folder.glob("samples.*"):
            words = path.read_text().split("\n")[:-1]
            total += int(words[-1].split()[1]) if words else 0
        return total

    def wait_until(self, condition, seconds=120.0):
        end = time.monotonic() + seconds * SCALE
        while self.process.poll() is None and time.monotonic() < end:
            if condition():
                return True
            time.sleep(0.02)
        return condition()

    def begun(self):
        return self.wait_until(lambda: self.received() > 0)

    def uses(self, wanted, n_bytes=1 << 20):
        """Whether both hosts send so much over each of these interfaces from now on: when a lane is up is not known."""
        before = {nic: sent_by(nic) for nic in wanted}
        return self.wait_until(lambda: all(now > then + n_bytes for nic in wanted for now, then in zip(sent_by(nic), before[nic])))

    def goes_on(self, more=1 << 20):
        """Whether more bytes arrive, by default more than what was under way."""
        before = self.received()
        return self.wait_until(lambda: self.received() > before + more)

    def ranks(self):
        """The processes of the ranks."""
        found = []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                if os.path.basename(os.readlink(f"/proc/{pid}/exe")) in ("stream", "lt-stream"):
                    found.append(int(pid))
            except OSError:
                pass
        return found

    def signal_ranks(self, number):
        for pid in self.ranks():
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                pass

    def finish(self, limit=LIMIT):
        """Ends the job in its right way and returns its standard error; a job that hangs is killed and says so."""
        self.stop.touch()
        hung = ""
        try:
            self.status = self.process.wait(limit)
        except subprocess.TimeoutExpired:
            hung = f"still running {limit:g} s after the last failure; received: {self.received()} bytes\n" + self.sockets()
            self.process.kill()
            self.signal_ranks(signal.SIGKILL)
            self.process.wait()
        self.out.seek(0)
        self.err.seek(0)
        self.output, self.errors = self.out.read(), without_notices(self.err.read()) + hung
        self.out.close()
        self.err.close()
        shutil.rmtree(self.folder)
        return self.errors

    @staticmethod
    def sockets():
        return "".join(f"{host}:\n" + in_host(host, "ss", "-Htnmi", check=False) for host in HOSTS)

    def is_right(self):
        return self.status == 0 and '"bench":"stream"' in self.output

    def result(self):
        return json.loads(self.output.strip().splitlines()[-1]) if self.is_right() else {}


class Tap:
    """What one worker has found; the numbers are put in by the parent."""

    def ok(self, good, text, job=None, why=""):
        print(("ok " if good else "not ok ") + text, flush=True)
        if not good:
            lines = [why] if why else []
            if job:
                lines += [f"status {job.status}", *job.output.splitlines()[-20:], *job.errors.splitlines()[-60:]]
            for line in lines:
                print("# " + line, flush=True)

    def note(self, text):
        print("# " + text, flush=True)


class Failure:
    """One interface fails in one way for a while."""

    KINDS = ("down", "drop", "oneway", "reset", "kill")

    def __init__(self, rng, nic):
        self.nic, self.kind = nic, rng.choice(self.KINDS)
        self.host = rng.choice(HOSTS)
        self.seconds = rng.choice((0.05, 0.3, 0.8, 1.5, 2.5)) * rng.uniform(0.8, 1.2)

    def begin(self):
        if self.kind in ("drop", "reset"):
            for host in HOSTS:
                nics(self.kind, host, self.nic)
        else:
            nics("drop" if self.kind == "oneway" else self.kind, self.host, self.nic)

    def end(self):
        if self.kind == "down":
            nics("up", self.host, self.nic)
        for host in HOSTS:
            nics("pass", host, self.nic)

    def text(self):
        where = "" if self.kind in ("drop", "reset") else f" at {self.host}"
        return f"{self.nic} {self.kind}{where} for {self.seconds:.2f} s"


class Plan:
    """What one seed does."""

    SIZES = ((8, 8), (8, 1024), (8, 16384), (8192, 40000), (65536, 1 << 20), (1 << 20, 16 << 20), (8, 16 << 20))
    MODES = ("p2p", "p2p", "p2p", "pingpong", "bcast", "allreduce", "alltoall", "mixed")

    def __init__(self, seed):
        rng = random.Random(seed)
        self.seed, self.mode, self.sizes = seed, rng.choice(self.MODES), rng.choice(self.SIZES)
        self.direction, self.np = rng.choice(("forward", "backward", "both")), rng.choice((2, 2, 4))
        self.window = rng.choice((1, 4, 64)) if self.sizes[1] <= 40000 else rng.choice((1, 2, 4))
        self.is_partly_sync = rng.random() < 0.3
        self.moment = rng.choice(("connect", "early", "mid", "mid", "mid", "end"))
        self.delay = {"connect": 0, "early": rng.uniform(0, 0.05), "mid": rng.uniform(0.05, 1), "end": 0}[self.moment]
        first = rng.randrange(2)
        self.failures = [Failure(rng, NICS[first])]
        self.calm = rng.uniform(0.2, 1)
        if rng.random() < 0.4:
            self.failures.append(Failure(rng, NICS[1 - first]))
        if self.moment == "connect" and self.failures[0].kind in ("down", "kill"):
            self.failures[0].kind = "drop"  # an interface that is down at the start is not used at all

    def args(self):
        args = ["-m", self.mode, "-d", self.direction, "-s", f"{self.sizes[0]}-{self.sizes[1]}", "-w", str(self.window),
                "-q", str(self.seed)]
        return args + ["-y"] if self.is_partly_sync else args

    def text(self):
        return (f"seed {self.seed}: np={self.np} {' '.join(self.args())}; {self.moment} +{self.delay:.2f} s: "
                + "; then ".join(f.text() for f in self.failures))

    def run(self):
        first = self.failures[0]
        if self.moment == "connect":
            first.begin()
        job = Job(self.args(), self.np)
        if self.moment == "connect":
            time.sleep(first.seconds)
            first.end()
        begun = job.begun()
        if begun and self.moment != "connect":
            time.sleep(self.delay)
            if self.moment == "end":
                job.stop.touch()
            first.begin()
            time.sleep(first.seconds)
            first.end()
        for failure in self.failures[1:] if begun else []:
            time.sleep(self.calm)
            failure.begin()
            time.sleep(failure.seconds)
            failure.end()
        time.sleep(self.calm)
        job.finish()
        return job


def run_seed(tap, seed):
    plan, pauses = Plan(seed), Pauses()
    job = plan.run()
    longest = max((end - begin for begin, end in pauses.end()), default=0)
    stood_still = f" (this machine stood still for {longest:.2f} s)" if longest else ""
    tap.ok(job.is_right(), plan.text(), job)
    if job.is_right():
        result = job.result()
        if os.environ.get("HAWSER_SHOW"):
            for line in job.errors.splitlines():
                tap.note(line)
        tap.note(f"{result['bytes'] / 1e6:.1f} MB, longest time without a message {result['stop_s']:.2f} s{stood_still}")
        print(f"= {result['stop_s']} {result['bytes']}", flush=True)


def meets_a_connection(host, kills):
    """Resets the connections over n0: whether there were any."""
    if kills:
        return nics("kill", host, "n0") > 0
    nics("reset", host, "n0")
    time.sleep(0.05)
    return nics("pass", host, "n0") > 0


def case_resets(tap):
    """A single interface whose connections are reset 20 times."""
    job = Job(["-d", "both", "-s", "8-1048576", "-w", "4", "-y"], flags=["-i", "n0"])
    survived, n_met = job.begun(), 0
    for i in range(20):
        if survived:  # a connection that is being made again meets nothing
            n_met += job.wait_until(lambda i=i: meets_a_connection(HOSTS[i // 2 % 2], i % 2))
            survived = job.goes_on()
    job.finish()
    tap.ok(n_met == 20 or not survived, f"20 resets met a connection ({n_met})")
    tap.ok(survived and job.is_right(), "a single interface, its connections reset 20 times: everything arrives", job)


def gone_for_good(tap, kind, flags):
    job = Job(["-d", "both", "-s", "65536"], flags=flags, deadline_ms=2000)
    begun = job.begun() and job.uses(NICS)
    for nic in NICS:
        for host in HOSTS if kind == "drop" else HOSTS[1:]:
            nics(kind, host, nic)
    try:
        job.process.wait(LIMIT)  # without the file that would end it
    except subprocess.TimeoutExpired:
        pass
    job.finish(0.1)
    named = all(re.search(rf"\b{name}\b", job.errors) for name in (*HOSTS, *NICS))
    tap.ok(begun and job.status not in (0, None) and named, f"{kind}: all lanes gone for good end in an error that names hosts "
           "and interfaces", job)


def case_gone_silent(tap):
    """No lane is left and none comes back."""
    gone_for_good(tap, "drop", [])


def case_gone_down(tap):
    """The same, told by the kernel at once."""
    gone_for_good(tap, "down", [])


def lane_lines(errors, *words):
    return [line for line in errors.splitlines() if all(re.search(rf"\b{word}\b", line) for word in words)]


def without_another_path(tap, text, flags, direction, silent):
    """The only connection, or all of a link's, fall silent: those hosts receive nothing, for good. One line tells it, the
    job ends with the names."""
    job = Job(["-d", direction, "-s", "8-65536", "-w", "4"], flags=flags, deadline_ms=1500)
    begun = job.begun()
    for host in silent:
        for nic in NICS:
            nics("drop", host, nic)
    try:
        job.process.wait(LIMIT)
    except subprocess.TimeoutExpired:
        pass
    job.finish(0.1)
    for host in silent:
        for nic in NICS:
            nics("pass", host, nic)
    told = lane_lines(job.errors, "lane", "is silent", "waiting")
    ended = lane_lines(job.errors, "connection to", "lost", "h[01]")
    tap.ok(begun and told and ended and job.status not in (0, None), f"{text}, {direction}, {' and '.join(silent)} deaf: a line, and an "
           "error with the names", job)


def case_gone_without_another_path(tap):
    """Links that keep nothing: a connection for each tag, or no survival."""
    for direction, silent in (("backward", ["h1"]), ("forward", ["h0"])):
        without_another_path(tap, "tcp-trc", ["-transport", "tcp-trc"], direction, silent)
    without_another_path(tap, "no survival", ["-survive", "0"], "forward", ["h0", "h1"])


def case_back_without_another_path(tap):
    """The same, silent for less than the deadline: all arrives."""
    job = Job(["-d", "both", "-s", "8-65536", "-w", "4"], flags=["-transport", "tcp-trc"])
    begun = job.begun()
    nics("drop", "h1", "n0")
    nics("drop", "h1", "n1")
    told = begun and job.wait_until(lambda: lane_lines((job.folder / "err").read_text(), "is silent"))
    for nic in NICS:
        nics("pass", "h1", nic)
    survived = told and job.goes_on()
    job.finish()
    tap.ok(survived and job.is_right() and lane_lines(job.errors, "answers again"), "tcp-trc: silent for a while, and a line each when it "
           "begins and ends", job)


def parent_of(pid):
    with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
        return int(file.read().rpartition(")")[2].split()[1])


class Launchers:
    """Who started the ranks, stopped, so that nobody notices anything but the library."""

    def __init__(self, ranks):
        self.pids = set(map(parent_of, ranks))
        for pid in self.pids:
            os.kill(pid, signal.SIGSTOP)

    def go_on(self):
        for pid in self.pids:
            try:
                os.kill(pid, signal.SIGCONT)
            except ProcessLookupError:
                pass


def wait_for_file(path, seconds):
    end = time.monotonic() + seconds * SCALE
    while not path.exists() and time.monotonic() < end:
        time.sleep(0.02)
    return path.read_text() if path.exists() else ""


def death(tap, text, hosts, args=(), env=()):
    """The last of two ranks is killed while rank 0 waits for it. What rank 0 then says must name it."""
    folder = pathlib.Path(tempfile.mkdtemp())
    process = subprocess.Popen([str(MPIRUN), "-rsh", os.environ["PERF_RSH"], "-host", hosts, "-n", "2", str(DEATH), "-o",
                                str(folder / "said"), *args], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True, env=dict(os.environ, **dict(env)))
    ranks = [int(wait_for_file(folder / f"said.{i}", 120) or 0) for i in range(2)]
    said = ""
    if all(ranks):
        time.sleep(0.2)  # rank 0 has begun to wait; the error comes in any case
        # A new connection to another host needs its address: mpirun must go on, but is not told.
        launchers = Launchers(ranks[1:])
        os.kill(ranks[1], signal.SIGKILL)
        said = wait_for_file(folder / "said", 120)
        launchers.go_on()
    try:
        output = process.communicate(timeout=LIMIT)[0]
    except subprocess.TimeoutExpired:
        process.kill()
        output = process.communicate()[0]
    shutil.rmtree(folder)
    host = hosts.split(",")[-1].split(":")[0]
    good = re.search(r"\brank 1\b", said) and re.search(rf"\b{host}\b", said) and process.returncode not in (0, None)
    tap.ok(bool(good), f"{text}: {said.strip()}", why=f"status {process.returncode}: {output[-1500:]}")


def case_death_in_shared_memory(tap):
    """A rank of this host dies; nobody collects it, so it is a zombie."""
    death(tap, "shared memory, MPI_Recv", "h0:2")
    death(tap, "shared memory, any source", "h0:2", ["-a"])
    death(tap, "shared memory, MPI_Wait", "h0:2", ["-w"])


def case_death_over_tcp(tap):
    """The same over loopback, and on another host."""
    death(tap, "loopback", "h0:2", env={"HAWSER_SHM": "0"})
    death(tap, "another host, MPI_Recv", "h0:1,h1:1")
    death(tap, "another host, any source", "h0:1,h1:1", ["-a", "-w"])
    death(tap, "another host, without survival", "h0:1,h1:1", env={"HAWSER_SURVIVE": "0"})


def only_of_n0(errors, lines):
    """Whether nothing is said besides these lines, but of the other card: a rank kept from running for a second while
    somebody connects to it loses what it has just accepted."""
    return all(line in lines or re.search(r"lane n0 .* is (lost \(connection closed by the peer\)|back)\b", line) for line in errors.splitlines())


def case_warnings(tap):
    """What a user sees of a lane that goes and comes: one line each from each rank."""
    job = Job(["-d", "both", "-s", "65536"])

    def told(news):
        return len(lane_lines((job.folder / "err").read_text(), "n1", news))

    up = job.begun() and job.uses(["n1"])
    nics("down", "h1", "n1")
    survived = up and job.goes_on() and job.wait_until(lambda: told("lost") >= 2)
    nics("up", "h1", "n1")
    returned = job.wait_until(lambda: told("back") >= 2)
    n_before = int(in_host("h0", "cat", "/sys/class/net/n1/statistics/tx_bytes"))
    job.goes_on()
    used = job.wait_until(lambda: int(in_host("h0", "cat", "/sys/class/net/n1/statistics/tx_bytes")) > n_before + (1 << 20))
    job.finish()
    n_lost = len(lane_lines(job.errors, "n1", "lost"))
    n_back = len(lane_lines(job.errors, "n1", "back"))
    tap.ok(job.is_right() and survived, "an interface goes down and comes back", job)
    tap.ok(1 <= n_lost <= 2 and returned and n_lost == n_back and
           only_of_n0(job.errors, lane_lines(job.errors, "n1", "lost") + lane_lines(job.errors, "n1", "back")),
           f"one line when a lane is lost, one when it returns ({n_lost}, {n_back})", job)
    tap.ok(used, "the lane that returned is used again", job)


def case_warnings_of_many(tap):
    """The same with many ranks: lines that say the same of the same card become one, with their number. mpirun holds them
    until the job ends, however long the ranks take to notice."""
    job = Job(["-m", "alltoall", "-s", "65536"], np=8, flags=["-warnwait", "3600000"])

    def connections():
        return in_host("h0", "ss", "-Htn", "state", "established").count(" 10.77.1.1:")

    up = job.wait_until(lambda: connections() >= 10) and job.goes_on(64 << 20)  # of 16 pairs; and they have greeted each other
    nics("down", "h1", "n1")
    survived = up and job.goes_on(32 << 20) and job.wait_until(lambda: connections() <= 4)  # given up, and so told of
    job.finish()
    lines = lane_lines(job.errors, "n1", "lost")
    ways = {tuple(re.findall(r"10\.[0-9.]+", line)[:2]) for line in lines}
    n_lanes = sum(1 + sum(map(int, re.findall(r"and (\d+) more lane", line))) for line in lines)
    tap.ok(job.is_right() and survived, "an interface goes down under eight ranks", job)
    tap.ok(1 <= len(lines) == len(ways) <= 2 and n_lanes > len(lines) and only_of_n0(job.errors, lines),
           f"{n_lanes} lanes are lost, {len(lines)} lines tell it", job)


def case_counters_at_the_end(tap):
    """mpirun -v: the same at the end."""
    job = Job(["-d", "both", "-s", "65536"], flags=["-v"])
    job.uses(NICS)
    job.finish()
    told = [lane_lines(job.errors, "rank [01]: lane", nic, "[1-9][0-9]{4,} bytes", "frames", "MB/s") for nic in NICS]
    tap.ok(job.is_right() and [len(lines) for lines in told] == [2, 2], "mpirun -v: every rank tells the bytes of each lane at the "
           "end", job)


def case_counters(tap):
    """Counters of each lane while the job runs."""
    job = Job(["-d", "both", "-s", "65536"])
    job.begun()
    job.uses(NICS)
    job.signal_ranks(signal.SIGUSR1)
    told = job.wait_until(lambda: all(len(lane_lines((job.folder / "err").read_text(), nic, "[1-9][0-9]{4,}")) >= 2
                                      for nic in NICS))
    job.finish()
    tap.ok(job.is_right() and told, "SIGUSR1: every rank tells the bytes of each lane", job)


class Flipper:
    """A man in the middle: a router that leads all connections to a proxy, which flips bits after the hello."""

    def __init__(self, every):
        lead_through_router([0, 1])
        self.proxy = subprocess.Popen(["ip", "netns", "exec", "sw", sys.executable, str(HERE / "flip.py"), str(every)],
                                      stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        port = self.proxy.stdout.readline().strip()
        in_host("sw", "nft", "table ip flip { chain pre { type nat hook prerouting priority -100\n"
                f"meta l4proto tcp redirect to :{port}\n}}\n}}")

    def end(self):
        """How many bits were flipped."""
        self.proxy.send_signal(signal.SIGTERM)
        return int(self.proxy.communicate(timeout=LIMIT)[0].split()[-1])


def damaged(errors):
    """Damaged fragments that the ranks have told of."""
    return sum(int(m) for m in re.findall(r"(\d+) damaged", errors))


def crc_case(tap, sizes, every):
    flipper = Flipper(every)
    job = Job(["-d", "both", "-s", sizes], env={"HAWSER_CRC": "1"})
    job.begun()
    job.wait_until(lambda: job.received() > 30 * every)  # so about 30 flips, whatever the speed
    job.signal_ranks(signal.SIGUSR1)
    job.wait_until(lambda: damaged((job.folder / "err").read_text()) > 0)
    job.finish()
    n = flipper.end()
    tap.ok(n >= 5, f"messages of {sizes} bytes: bits were flipped on the way ({n})", job)
    tap.ok(job.is_right(), f"messages of {sizes} bytes: with -crc everything arrives as it was sent", job)
    counted = damaged(job.errors)
    tap.ok(counted > 0, f"messages of {sizes} bytes: damaged fragments are counted ({counted})", job)


def case_crc_bulk(tap):
    """Flipped bits in long messages."""
    crc_case(tap, "262144", 4 << 20)


def case_crc_eager(tap):
    """Flipped bits in short messages, in headers as in payloads."""
    crc_case(tap, "8-2048", 1 << 18)


def quiet_job(tap, text, uses=NICS, flags=()):
    """A job in a network that is odd but whole: right, silent, and over all of "uses"."""
    before = {nic: sent_by(nic) for nic in NICS}
    job = Job(["-d", "both", "-s", "65536-1048576", "-y"], flags=["-tcpsilent", "20000", *flags])
    used = job.uses(uses)
    job.finish()
    tap.ok(job.is_right() and not job.errors and used, text, job, f"bytes sent: {before} -> { {nic: sent_by(nic) for nic in NICS} }")


def case_uneven_nics(tap):
    """Two interfaces against one."""
    nics("down", "h1", "n1")
    quiet_job(tap, "two interfaces against one", uses=["n0"])


def case_two_addresses(tap):
    """A second address on an interface is no second interface."""
    for i, host in enumerate(HOSTS):
        in_host(host, "ip", "addr", "add", f"10.77.0.{i + 101}/24", "dev", "n0")
        in_host(host, "ip", "addr", "add", f"10.99.0.{i + 1}/24", "dev", "n1")
    quiet_job(tap, "several addresses on an interface")


def case_ipv6(tap):
    """One interface has only IPv6 addresses."""
    for i, host in enumerate(HOSTS):
        in_host(host, "ip", "addr", "del", f"10.77.1.{i + 1}/24", "dev", "n1")
        in_host(host, "ip", "addr", "add", f"fd77:1::{i + 1}/64", "dev", "n1", "nodad")
    quiet_job(tap, "one interface with IPv4, one with IPv6")


def lead_through_router(nets):
    """Puts h1's interfaces of these networks into others, behind the namespace of the bridges."""
    in_host("sw", "sysctl", "-qw", "net.ipv4.ip_forward=1")
    for net in nets:
        for address in (f"10.77.{net}.254/24", f"10.78.{net}.254/24"):
            in_host("sw", "ip", "addr", "add", address, "dev", f"br{net}")
        in_host("h1", "ip", "addr", "del", f"10.77.{net}.2/24", "dev", f"n{net}")
        in_host("h1", "ip", "addr", "add", f"10.78.{net}.2/24", "dev", f"n{net}")
        in_host("h0", "ip", "route", "add", f"10.78.{net}.0/24", "via", f"10.77.{net}.254")
        in_host("h1", "ip", "route", "add", f"10.77.{net}.0/24", "via", f"10.78.{net}.254")


def case_routed(tap):
    """The second interfaces are in different networks that a router joins."""
    lead_through_router([1])
    quiet_job(tap, "second interfaces in different networks, joined by a router")


def case_snat(tap):
    """What h0 dials seems to come from addresses that no rank has told of."""
    for net in range(2):
        in_host("h0", "ip", "addr", "add", f"10.77.{net}.77/32", "dev", "lo")
    in_host("h0", "nft", "table ip hide { chain post { type nat hook postrouting priority 100\n"
            "oifname n0 meta l4proto tcp snat to 10.77.0.77\noifname n1 meta l4proto tcp snat to 10.77.1.77\n}\n}")
    quiet_job(tap, "source addresses translated between hosts", flags=["-i", "n0,n1"])


CASES = {name[5:]: function for name, function in list(globals().items()) if name.startswith("case_")}


def inside(words):
    """Runs in namespaces of its own: a name of a case or the number of a seed."""
    tap = Tap()
    for word in words:
        began = time.monotonic()
        try:
            if word.isdigit():
                run_seed(tap, int(word))
            else:
                CASES[word](tap)
        except (subprocess.SubprocessError, OSError, ValueError, IndexError) as error:
            tap.ok(False, word, why=f"{type(error).__name__}: {error}")
        tap.note(f"{word}: {time.monotonic() - began:.1f} s")


class Session:
    """Gives the work to as many sets of namespaces as there are workers, and prints what comes back."""

    def __init__(self, work):
        self.work, self.lock, self.n, self.n_bad = list(work), threading.Lock(), 0, 0
        self.stops, self.n_bytes, self.n_seeds, self.n_seeds_ok, self.children = [], 0, 0, 0, []

    def take(self):
        with self.lock:
            return self.work.pop(0) if self.work else None

    def worker(self):
        while word := self.take():
            child = subprocess.Popen([str(SUPPORT / "netns"), "-b", "-i", "2", "-r", RATES, str(HERE / "survival.test.py"),
                                      "--inside", word], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                     stderr=subprocess.STDOUT, text=True, errors="replace")
            self.children.append(child)
            text = child.communicate()[0]
            with self.lock:
                self.show(word, text, child.returncode)

    def show(self, word, text, status):
        verdicts = 0
        for line in text.splitlines():
            verdict = re.match(r"(ok|not ok) (.*)", line)
            if verdict:
                verdicts += 1
                self.count(verdict[1] == "ok", verdict[2], word)
            elif line.startswith("= "):
                self.stops.append(float(line.split()[1]))
                self.n_bytes += int(line.split()[2])
            else:
                print(line if line.startswith("#") else "# " + line)
        if status or not verdicts:
            self.count(False, f"{word} came to its end (status {status})", word)
        sys.stdout.flush()

    def count(self, good, text, word):
        self.n += 1
        self.n_bad += not good
        self.n_seeds += word.isdigit()
        self.n_seeds_ok += word.isdigit() and good
        print(f"{'ok' if good else 'not ok'} {self.n} - {text}")

    def run(self):
        threads = [threading.Thread(target=self.worker) for _ in range(WORKERS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        print(f"1..{self.n}")
        if self.n_seeds:
            print(f"# {self.n_seeds_ok} of {self.n_seeds} seeds right, {self.n_bytes / 1e6:.0f} MB verified, longest time "
                  f"without a message {max(self.stops, default=0):.2f} s")
        return 1 if self.n_bad else 0

    def end(self, *_):
        self.work.clear()
        for child in self.children:
            if child.poll() is None:
                child.terminate()
        sys.exit(143)


def skip(why):
    print(f"1..0 # SKIP {why}")
    return 0


def main():
    if reason := why_not():
        return skip(reason)
    if not STREAM.exists() or not DEATH.exists() or not MPIRUN.exists():
        print("Bail out! a program or mpirun was not built")
        return 1
    first = int(os.environ.get("HAWSER_TEST_SEED", random.SystemRandom().getrandbits(31) | 1))
    count, only = int(os.environ.get("HAWSER_SEEDS", "8")), os.environ.get("HAWSER_CASES", "")
    print(f"# HAWSER_TEST_SEED={first} HAWSER_SEEDS={count}")
    work = [name for name in CASES if only in name]
    work += [str(first + i) for i in range(count) if only in "seed"]
    session = Session(work)
    signal.signal(signal.SIGTERM, session.end)
    signal.signal(signal.SIGINT, session.end)
    return session.run()


if __name__ == "__main__":
    if len(sys.argv) > 1 and sys.argv[1] == "--inside":
        inside(sys.argv[2:])
    else:
        sys.exit(main())
