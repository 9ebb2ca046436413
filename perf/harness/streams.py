# SPDX-License-Identifier: BSD-3-Clause
"""Streams during which networks change: runs them, and reads figures out of their samples.

A sample is (time of CLOCK_MONOTONIC, bytes received so far); the program writes one about every 50 ms.
"""

import glob
import os
import subprocess
import threading
import time

from . import jobs

STEP_S = 0.1  # of the curves in the plots
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def nics(what, *words):
    subprocess.run([os.path.join(ROOT, "tests", "support", "nics"), what, *words],
                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True)


class Stream:
    """What came of one stream: its samples, and when the network changed."""

    def __init__(self, outcome, samples, changes):
        self.outcome, self.samples, self.changes = outcome, samples, changes

    def at(self, when):
        """Bytes received until then, straight lines between the samples."""
        before = (self.samples[0][0], 0)
        for t, n in self.samples:
            if t >= when:
                return before[1] + (n - before[1]) * (when - before[0]) / max(t - before[0], 1e-9)
            before = (t, n)
        return before[1]

    def mb_s(self, begin, end):
        return (self.at(end) - self.at(begin)) / (end - begin) / 1e6

    def longest_stop(self, begin, end):
        """The longest time without a sample that begins in this span; a stream that never goes on stops until the end."""
        times = [t for t, _ in self.samples] + [end]
        return max([b - a for a, b in zip(times, times[1:]) if begin - 0.1 <= a < end] + [0])

    def reaches_after(self, begin, end, mb_s, span_s=0.5):
        """Seconds from begin until the mean over span_s is mb_s for the first time; None: never before end."""
        when = begin
        while when + span_s <= end:
            if self.mb_s(when, when + span_s) >= mb_s:
                return when - begin
            when += 0.05
        return None

    def curve(self, seconds):
        """[(time since the first message, MB/s)]"""
        start = self.samples[0][0]
        return [(round(i * STEP_S, 3), round(self.mb_s(start + i * STEP_S, start + (i + 1) * STEP_S), 2))
                for i in range(int(seconds / STEP_S))]


def _read(pattern):
    """The samples of the receiving rank (one direction: there is one)."""
    samples = []
    for name in glob.glob(pattern):
        with open(name, encoding="ascii") as file:
            samples += [(float(t), int(n)) for t, n in (line.split() for line in file if line.endswith("\n"))]
    return sorted(samples)


def run(stack, bytes_each, seconds, changes, window=16):
    """Streams messages from h0 to h1 and lets the network change meanwhile.
    changes: [(seconds after the first message, function)], in order"""
    samples = os.path.join(os.environ["PERF_DIR"], "samples")
    for old in glob.glob(samples + ".*"):
        os.unlink(old)
    argv = stack.command(2, "stream", ["-s", str(bytes_each), "-t", str(seconds), "-w", str(window), "-o", samples])
    box = []
    runner = threading.Thread(target=lambda: box.append(jobs.run(argv, seconds + 12, stack.environment(), 1)))
    runner.start()
    while runner.is_alive() and not _read(samples + ".*"):
        time.sleep(0.01)
    began = (_read(samples + ".*") or [(time.monotonic(), 0)])[0][0]
    done = []
    for after, change in changes:
        time.sleep(max(0, began + after - time.monotonic()))
        done.append(time.monotonic())
        change()
    runner.join()
    return Stream(box[0], _read(samples + ".*") or [(began, 0)], done)
