#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A host is cut off from all others, without a word: its jobs must end, with its name, and leave nothing behind. TAP.

Needs root or user namespaces and iproute2. All jobs run at once on three hosts; when each rank is in its place (survival/cutoff), h2 is
taken off the bridge. Agents and daemons talk over the same network (relay.py). HAWSER_CASES=TEXT: only jobs whose name contains TEXT.
Nothing here depends on how long something takes, but that a job which hangs is ended.
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
MPIRUN, CUTOFF = BUILD / "mpirun", BUILD / "tests/proc/survival/cutoff"
RELAY = HERE / "relay.py"
SCALE = float(os.environ.get("PROC_TIME_SCALE", "1"))
LIMIT = float(os.environ.get("HAWSER_LIMIT", "60")) * SCALE
HOSTS, VICTIM = ("h0", "h1", "h2"), "h2"

SILENT, NOTICED = ["-hosttimeout", "4000"], r"mpirun: lost the connection to host h2: nothing was heard from it for 4 seconds"

# name: mode of survival/cutoff, ranks, flags, what the job must say. Where a peer finds out, mpirun shall not be first.
CASES = {
    "ring, noticed by a peer": ("ring", 3, ["-tcpdeadline", "1000"], r"messages to rank 2 on host h2 whose sends were complete are lost"),
    "all receive": ("receive", 3, SILENT, NOTICED),
    "all receive from any": ("any", 3, SILENT, NOTICED),
    "all compute": ("compute", 3, SILENT, NOTICED),
    "in a collective, one rank a host": ("collective", 3, SILENT, NOTICED),
    "in a collective, two ranks a host": ("collective", 6, SILENT, NOTICED),
    "in MPI_Init": ("init", 3, SILENT, NOTICED),
    "in MPI_Finalize": ("finalize", 3, SILENT, NOTICED),
}


FOREIGN = "another launcher's job, a receive from a rank that is known"


class Job:
    """One mpirun, from the start until it is over."""

    hosts = HOSTS

    def __init__(self, folder, name, case):
        self.name, self.folder = name, folder
        self.mode, self.np, flags, self.said = case
        folder.mkdir()
        self.output = open(folder / "output", "w+")
        hosts = ",".join(f"{host}:{self.np // len(self.hosts)}" for host in self.hosts)
        self.process = subprocess.Popen([*self.command(hosts, flags), CUTOFF, self.mode, folder / "rank", VICTIM], env=self.environment(),
                                        stdin=subprocess.DEVNULL, stdout=self.output, stderr=subprocess.STDOUT)

    def command(self, hosts, flags):
        return [MPIRUN, "-rsh", RELAY, "-host", hosts, *flags]

    def environment(self):
        return None

    def is_ready(self):
        return len(list(self.folder.glob("rank.*"))) == self.np or self.process.poll() is not None

    def end(self, deadline):
        """What is wrong with its end; empty: nothing."""
        try:
            status = self.process.wait(max(0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            self.process.kill()
            status = "none, it hangs"
        self.output.seek(0)
        text = "".join(line for line in self.output if not line.startswith("mpirun: still waiting for "))
        return "" if self.is_right(status, text) else f"status {status}\n{text}"

    def is_right(self, status, text):
        return isinstance(status, int) and status > 0 and re.search(self.said, text)


class ForeignJob(Job):
    """One that no mpirun has started, so that its ranks must find out by themselves."""

    CASE = ("known", 3, [], r"rank 2 on host h2")

    def command(self, _, flags):
        return [HERE / "launcher.py", "-n", ",".join([str(self.np), *self.hosts])]

    def environment(self):
        return dict(os.environ, HAWSER_HOSTTIMEOUT="4000", HAWSER_TCPDEADLINE="1000")


class StoppedJob(Job):
    """One that is stopped from the terminal for longer than a host may be silent, and then goes on to its right end."""

    CASE, hosts = ("later", 2, ["-hosttimeout", "2000"], ""), HOSTS[:2]

    def stop(self):
        self.process.send_signal(signal.SIGTSTP)
        self.stopped = time.monotonic()

    def go_on(self):
        """Time must pass here: it is what is tested."""
        time.sleep(max(0, self.stopped + 5 - time.monotonic()))
        self.process.send_signal(signal.SIGCONT)
        (self.folder / "rank.go").touch()

    def is_right(self, status, text):
        return status == 0 and not text


def processes():
    """What is left of the jobs, on all hosts."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            program = os.path.basename(os.readlink(f"/proc/{pid}/exe"))
        except OSError:
            continue
        if program in ("cutoff", "mpirun", "lt-mpirun"):
            found.append(f"{pid} {program}")
    return found


def wait_until(condition, seconds=LIMIT):
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.02)
    return condition()


def start_relays():
    for host in HOSTS[1:]:
        relay = subprocess.Popen(["ip", "netns", "exec", host, "unshare", "--uts", RELAY, "serve", host], stdin=subprocess.DEVNULL,
                                 stdout=subprocess.PIPE)
        relay.stdout.readline()


def ok(good, text, why=""):
    print("ok" if good else "not ok", "-", text)
    for line in "" if good else why.splitlines():
        print("#", line)


def inside():
    only, folder = os.environ.get("HAWSER_CASES", ""), pathlib.Path(tempfile.mkdtemp())
    start_relays()
    jobs = [Job(folder / str(i), name, CASES[name]) for i, name in enumerate(CASES) if only in name]
    jobs += [ForeignJob(folder / "foreign", FOREIGN, ForeignJob.CASE)] if only in FOREIGN else []
    stopped = StoppedJob(folder / "stopped", "mpirun", StoppedJob.CASE)
    wait_until(lambda: all(job.is_ready() for job in [*jobs, stopped]))
    stopped.stop()
    subprocess.run(["ip", "-n", "sw", "link", "set", f"p0-{HOSTS.index(VICTIM)}", "nomaster"], check=True)
    stopped.go_on()
    deadline = time.monotonic() + LIMIT
    for job in jobs:
        why = job.end(deadline)
        ok(not why, f"{job.name}: the job ends, and names {VICTIM}", why)
    why = stopped.end(deadline)
    ok(not why, "mpirun is stopped from the terminal for longer than a host may be silent: the job goes on", why)
    ok(wait_until(lambda: not processes()), "nothing is left on any host", "\n".join(processes()))
    print(f"1..{len(jobs) + 2}")


def main():
    for tool in ("ip", "unshare"):
        if not shutil.which(tool):
            return print(f"1..0 # SKIP no {tool}")
    if subprocess.run([NETNS, "true"], stdin=subprocess.DEVNULL, capture_output=True, check=False).returncode:
        return print("1..0 # SKIP namespaces may not be made here")
    return subprocess.run([NETNS, "-n", str(len(HOSTS)), HERE / "hosts.test.py", "--inside"], stdin=subprocess.DEVNULL, check=False).returncode


if __name__ == "__main__":
    sys.exit(inside() if sys.argv[1:] == ["--inside"] else main())
