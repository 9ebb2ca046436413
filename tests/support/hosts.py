# SPDX-License-Identifier: BSD-3-Clause
"""What tests between the hosts of tests/support/netns share: the interfaces, verdicts, and how long this machine stood still."""
import pathlib
import shutil
import subprocess
import threading
import time

SUPPORT = pathlib.Path(__file__).resolve().parent


def nics(what, host, nic, *more):
    """tests/support/nics; the sum of the numbers it prints."""
    done = subprocess.run([str(SUPPORT / "nics"), what, host, nic, *more], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          text=True, check=True)
    return sum(int(word) for word in done.stdout.split() if word.isdigit())


def in_host(host, *argv, check=True):
    return subprocess.run(["ip", "netns", "exec", host, *argv], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          text=True, check=check).stdout


def without_notices(text):
    """mpirun says that it waits for a host where the machine has other work to do; that is no word of a lane."""
    return "".join(line for line in text.splitlines(keepends=True) if not line.startswith("mpirun: still waiting for "))


def why_not():
    """Why there can be no hosts here, or nothing."""
    for tool in ("ip", "nft", "ss", "tc", "unshare"):
        if not shutil.which(tool):
            return f"no {tool}"
    if subprocess.run([str(SUPPORT / "netns"), "true"], stdin=subprocess.DEVNULL, capture_output=True, check=False).returncode:
        return "namespaces may not be made here"
    return ""


class Pauses(threading.Thread):
    """When this machine let nothing of ours run: then a job did not stop by its own fault."""

    def __init__(self, shortest=0.3):
        super().__init__(daemon=True)
        self.shortest, self.found, self.is_over = shortest, [], threading.Event()
        self.start()

    def run(self):
        last = time.monotonic()
        while not self.is_over.wait(0.05):
            now = time.monotonic()
            if now - last - 0.05 > self.shortest:
                self.found.append((last, now))
            last = now

    def end(self):
        """The pauses, each with its begin and end."""
        self.is_over.set()
        self.join()
        return self.found
