# SPDX-License-Identifier: BSD-3-Clause
"""Runs one command under a time limit and collects the JSON lines that it prints.

Each command gets a PID namespace of its own: when it must be ended, the kill of one process that we started ends every
process it left anywhere, and nothing has to be looked for by name. And a folder of its own for temporary files: in their
namespaces all launchers have the same process number, by which Open MPI 5 names its folder; where one that was killed
left it, all that followed failed.
"""

import json
import os
import re
import selectors
import signal
import subprocess
import tempfile
import time

# The shell is process 1 of the namespace: it collects orphans, which a launcher in its place would not.
WRAP = ["unshare", "--pid", "--fork", "--kill-child=KILL", "--mount-proc", "--", "sh", "-c", '"$@"; exit $?', "sh"]
KEPT_TEXT = 16384
OBJECT = re.compile(r"\{[^{}]*\}")  # a launcher may join lines of several ranks


def _busy_ticks():
    """Ticks that all processors were not idle, and all ticks, since the start of the machine (proc(5), /proc/stat)."""
    with open("/proc/stat", encoding="ascii") as file:
        ticks = [int(word) for word in file.readline().split()[1:9]]
    return sum(ticks) - ticks[3] - ticks[4], sum(ticks)


def wait_for_idle(limit_s, share=0.1, look_s=0.4):
    """Waits until the machine's processors were busy for less than the share during look_s; False: not within limit_s."""
    end = time.monotonic() + limit_s
    while True:
        busy, total = _busy_ticks()
        time.sleep(look_s)
        busy_now, total_now = _busy_ticks()
        if busy_now - busy <= share * (total_now - total):
            return True
        if time.monotonic() >= end:
            return False


class Outcome:
    """What came of a command: status is "ok", "failed" (exit status not 0) or "hung" (killed by us at its time limit)."""

    def __init__(self):
        self.status = "ok"
        self.exit_status = 0
        self.lines = []
        self.start = 0.0  # by the monotonic clock, which the processes of this host share
        self.wall_s = 0.0  # the whole command
        self.last_line_s = 0.0  # until its last result line
        self.errors = ""  # the end of its standard error
        self.text = ""  # the end of its standard output
        self.kept = KEPT_TEXT  # of it
        self.is_there = False  # the words that were waited for

    def describe(self):
        if self.status == "ok":
            return "ok"
        if self.status == "hung":
            return "did not end, killed after %.0f s" % self.wall_s
        last = [line for line in self.errors.splitlines() if line.strip()]
        return "failed (%d)%s" % (self.exit_status, ": " + last[0][:160] if last else "")


def _take_lines(outcome, pending, start):
    """Parses the complete lines in pending and returns the rest."""
    *whole, rest = pending.split("\n")
    for line in whole:
        for found in OBJECT.findall(line):
            try:
                outcome.lines.append(json.loads(found))
                outcome.last_line_s = time.monotonic() - start
            except ValueError:
                pass
    return rest


def _deadline(outcome, start, limit_s, expected, grace_s):
    """When the command must be over: its limit, or a grace time after the last of the lines or the words we wait for."""
    if (expected and len(outcome.lines) >= expected) or outcome.is_there:
        return min(start + limit_s, start + outcome.last_line_s + grace_s)
    return start + limit_s


def run(argv, limit_s, environment=None, expected=0, grace_s=8.0, until=None, kept=KEPT_TEXT):
    """Runs argv for at most limit_s seconds. Once "expected" lines, or what the pattern "until" finds, have come it gets only
    grace_s to end: the figures are there, and a peer that hangs in MPI_Finalize must not cost the whole limit. kept: how much
    of the end of what it prints is kept (characters)."""
    outcome = Outcome()
    outcome.kept = kept
    with tempfile.TemporaryFile() as errors, tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        start = outcome.start = time.monotonic()
        process = subprocess.Popen(WRAP + argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors,
                                   env={**os.environ, "TMPDIR": folder, **(environment or {})})
        _collect(outcome, process, start, limit_s, expected, grace_s, until)
        outcome.wall_s = time.monotonic() - start
        errors.seek(0)
        outcome.errors = errors.read().decode(errors="replace")[-4000:]
    if outcome.status == "ok" and outcome.exit_status != 0:
        outcome.status = "failed"
    return outcome


def _collect(outcome, process, start, limit_s, expected, grace_s, until):
    pending = ""
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        while True:
            left = _deadline(outcome, start, limit_s, expected, grace_s) - time.monotonic()
            if left <= 0:
                outcome.status = "hung"
                process.send_signal(signal.SIGKILL)
                break
            if not selector.select(left):
                continue
            data = os.read(process.stdout.fileno(), 65536)
            if not data:
                break
            text = data.decode(errors="replace")
            pending = _take_lines(outcome, pending + text, start)
            outcome.text = (outcome.text + text)[-outcome.kept:]
            if until and not outcome.is_there and until.search(outcome.text):
                outcome.is_there = True
                outcome.last_line_s = time.monotonic() - start
    process.stdout.close()
    try:
        outcome.exit_status = process.wait(max(0.1, start + limit_s - time.monotonic()))
    except subprocess.TimeoutExpired:
        outcome.status = "hung"
        process.kill()
        outcome.exit_status = process.wait()
