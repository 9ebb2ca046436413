#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Networks fail at any moment under jobs of many patterns whose every word is checked (campaign/ranks). TAP.

    campaign.test.py [SEED...]

Each seed decides hosts, NICs, parameters, patterns and which faults come when (campaign/plan.py). A job must come to its right end;
a last verdict says whether any rank completed no message for over 2 s more than the outage itself lasted and its messages take anyway. Without SEED: CAMPAIGN_SEEDS
(1000) from CAMPAIGN_FIRST (1) on, CAMPAIGN_WORKERS (4) at a time. The logs of seeds that failed are in builddir/campaign.
Needs root or user namespaces, iproute2, nftables; stacks of what hangs need gdb. Not part of `make check`: it takes long, and it
judges times, so that a machine with other work to do can spoil it.
"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE / "campaign"), str(HERE.parent / "support")]
from faults import Timeline, prepare, restore
from hosts import SUPPORT, Pauses, why_not
from job import Job
from plan import Plan

BUILD = pathlib.Path(os.environ.get("builddir", ".")).resolve()
LOGS = BUILD / "campaign"
SCALE = float(os.environ.get("PROC_TIME_SCALE", "1"))
LIMIT = 45 * SCALE   # a job that is not over so long after the last fault hangs
START = 30 * SCALE   # and one whose ranks do not come up
BEYOND = 2.0         # no stop may be so much longer than its outage (s)
WORKERS = int(os.environ.get("CAMPAIGN_WORKERS", "4"))
MOST_HOSTS, MOST_NICS = 4, 4


def overlap(begin, end, intervals):
    """How much of a time lies in any of these intervals."""
    total = 0.0
    for a, b in sorted(intervals):
        a, b = max(a, begin), min(b, end)
        if a < b:
            total, begin = total + b - a, b
    return total


class Run:
    """One seed in its hosts: the job, its faults, and what came of it."""

    def __init__(self, seed):
        self.plan, self.began, self.pauses = Plan(seed), time.monotonic(), Pauses()
        prepare(self.plan)
        self.faults, self.timelines = self.plan.faults, []
        first = self.faults[0]
        if self.plan.when == "init":
            first.begin()
        self.job = Job(BUILD, self.plan)
        for fault in self.faults:
            fault.pids = self.job.pids
        getattr(self, "from_" + self.plan.when)(first)
        self.end()

    def from_init(self, first):
        """The first fault is there already, the others come when MPI_Init is over."""
        self.job.let_go()
        self.timelines = [Timeline(first, first.interval[0])]
        self.job.wait_until(self.job.is_ready, START)
        self.follow(time.monotonic(), self.faults[1:])

    def from_first(self, first):
        """The first fault begins between MPI_Init and the first message."""
        self.job.wait_until(self.job.is_ready, START)
        first.begin()
        self.job.let_go()
        self.follow(first.interval[0])

    def from_mid(self, _):
        """All have exchanged messages."""
        self.job.let_go()
        self.job.wait_until(self.job.has_begun, START)
        self.follow(time.monotonic())

    def from_end(self, first):
        """The first fault begins when the job is told to end."""
        self.job.let_go()
        self.job.wait_until(self.job.has_begun, START)
        self.job.let_end()
        first.begin()
        self.follow(first.interval[0])

    def follow(self, origin, faults=None):
        self.timelines += [Timeline(fault, origin) for fault in (self.faults if faults is None else faults)]

    def end(self):
        for timeline in self.timelines:
            timeline.join()
        time.sleep(self.plan.calm)
        self.job.let_end()
        self.job.finish(LIMIT)
        self.paused = self.pauses.end()
        self.rows, self.stops = self.job.rows(), self.job.stops()
        self.job.remove()
        restore(self.plan)

    def worst_stop(self):
        """Of all stops the one that was longest beyond the outages in it: seconds beyond, and its text."""
        outages = [f.interval for f in self.faults if f.interval and f.is_outage] + self.paused
        worst = (0.0, "no stop")
        for rank, begin, end, pattern in self.stops:
            beyond = end - begin - overlap(begin, end, outages) - self.plan.own_seconds()
            worst = max(worst, (beyond, f"rank {rank} in {pattern} for {end - begin:.2f} s, {beyond:.2f} s beyond the outage"))
        return worst

    def result(self):
        beyond, stop = self.worst_stop()
        errors = [f.error for f in self.faults if f.error]
        lines = [*errors, f"status {self.job.status}", *self.job.output.splitlines(), *self.job.dump.splitlines()]
        is_right = self.job.status == 0 and not errors
        return {"seed": self.plan.seed, "right": is_right, "text": self.plan.text(), "beyond": beyond, "stop": stop,
                "bytes": sum(row.bytes for row in self.rows.values()), "messages": sum(row.messages for row in self.rows.values()),
                "seconds": time.monotonic() - self.began, "paused": sum(b - a for a, b in self.paused), "lines": lines}


def inside():
    """In a set of hosts: seeds come on standard input, results go to standard output, one line each."""
    for line in sys.stdin:
        print(json.dumps(Run(int(line)).result()), flush=True)


class Hosts:
    """A set of hosts in namespaces of its own, with a process in it that runs seeds."""

    def __init__(self):
        self.child = subprocess.Popen([str(SUPPORT / "netns"), "-b", "-n", str(MOST_HOSTS), "-i", str(MOST_NICS), str(HERE / "campaign.test.py"),
                                       "--inside"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                      errors="replace")

    def run(self, seed):
        """The result of a seed."""
        self.child.stdin.write(f"{seed}\n")
        self.child.stdin.flush()
        if line := self.child.stdout.readline():
            return json.loads(line)
        lines = self.child.communicate()[1].splitlines()[::-1]
        return {"seed": seed, "right": False, "text": f"seed {seed}: the driver came to its end", "lines": lines}

    def end(self):
        if self.child.poll() is None:
            self.child.terminate()
            self.child.communicate()


class Campaign:
    """Gives the seeds to as many sets of hosts as there are workers, and says what came of them."""

    def __init__(self, seeds):
        self.seeds, self.lock, self.results, self.sets = list(seeds), threading.Lock(), [], []
        self.n_wanted = len(self.seeds)

    def take(self):
        with self.lock:
            return self.seeds.pop(0) if self.seeds else None

    def worker(self):
        hosts = None
        while (seed := self.take()) is not None:
            if not hosts:
                hosts = Hosts()
                self.sets.append(hosts)
            result = hosts.run(seed)
            with self.lock:
                self.show(result)
            if not result["right"]:
                hosts.end()  # whatever it may have left behind
                hosts = None
        if hosts:
            hosts.end()

    def show(self, result):
        self.results.append(result)
        print(f"{'ok' if result['right'] else 'not ok'} {len(self.results)} - {result['text']}")
        if "stop" in result:
            paused = f"; this machine stood still for {result['paused']:.2f} s" if result["paused"] else ""
            print(f"# {result['messages']} messages, {result['bytes'] / 1e6:.1f} MB in {result['seconds']:.1f} s; {result['stop']}{paused}")
        if not result["right"] or result["beyond"] > BEYOND:
            log = LOGS / f"{result['seed']}.log"
            log.write_text("\n".join([result["text"], result.get("stop", ""), *result["lines"]]) + "\n")
            for line in result["lines"][:12] if not result["right"] else ():
                print("# " + line[:300])
            print(f"# log: {log}; again: builddir={BUILD} {HERE / 'campaign.test.py'} {result['seed']}")
        sys.stdout.flush()

    def run(self):
        LOGS.mkdir(exist_ok=True)
        began = time.monotonic()
        threads = [threading.Thread(target=self.worker) for _ in range(min(WORKERS, self.n_wanted))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        late = self.tell_stops()
        print(f"1..{len(self.results) + 1}")
        bad = [r["seed"] for r in self.results if not r["right"]]
        print(f"# {len(self.results) - len(bad)} of {self.n_wanted} seeds right in {time.monotonic() - began:.0f} s, "
              f"{sum(r.get('bytes', 0) for r in self.results) / 1e6:.0f} MB verified" + (f"; wrong: {bad}" if bad else ""))
        return 1 if bad or late else 0

    def tell_stops(self):
        """The table of stops; returns how many seeds had one that was too long."""
        ends = [r for r in self.results if "beyond" in r]
        for low, high in zip((0, 0.25, 0.5, 1, 1.5, 2, 5, 20), (0.25, 0.5, 1, 1.5, 2, 5, 20, 1000)):
            n = sum(low <= r["beyond"] < high for r in ends)
            print(f"# longest stop beyond the outage {low:g} to {high:g} s: {n} seeds")
        for r in sorted(ends, key=lambda r: -r["beyond"])[:5]:
            print(f"# seed {r['seed']}: {r['stop']}")
        late = [r["seed"] for r in ends if r["beyond"] > BEYOND]
        worst = max((r["beyond"] for r in ends), default=0)
        print(f"{'not ok' if late else 'ok'} {len(self.results) + 1} - no stop is over {BEYOND:g} s longer than its outage "
              f"(longest {worst:.2f} s)" + (f": seeds {late}" if late else ""))
        return len(late)

    def stop(self, *_):
        self.seeds.clear()
        for hosts in self.sets:
            hosts.end()
        os._exit(143)


def main(words):
    if reason := why_not():
        print(f"1..0 # SKIP {reason}")
        return 0
    if not (BUILD / "tests/proc/campaign/ranks").exists() or not (BUILD / "mpirun").exists():
        print("Bail out! the ranks or mpirun were not built")
        return 1
    first, count = int(os.environ.get("CAMPAIGN_FIRST", "1")), int(os.environ.get("CAMPAIGN_SEEDS", "1000"))
    campaign = Campaign(map(int, words) if words else range(first, first + count))
    signal.signal(signal.SIGTERM, campaign.stop)
    signal.signal(signal.SIGINT, campaign.stop)
    return campaign.run()


if __name__ == "__main__":
    if sys.argv[1:] == ["--inside"]:
        inside()
    else:
        sys.exit(main(sys.argv[1:]))
