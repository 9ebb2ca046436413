# SPDX-License-Identifier: BSD-3-Clause
"""One mpirun of the campaign's ranks, and what is to be known of it: where each rank is, its stops, why it hangs."""
import os
import pathlib
import shutil
import signal
import struct
import subprocess
import tempfile
import time

from hosts import in_host

ROW = struct.Struct("QQQQ16s")  # struct row of common.h


class Row:
    """Where a rank is."""

    def __init__(self, data):
        self.pid, self.phases, self.messages, self.bytes, name = ROW.unpack(data)
        self.pattern = name.split(b"\0")[0].decode()


class Job:
    """One mpirun of the ranks of a plan, which end when told."""

    def __init__(self, build, plan):
        self.plan, self.folder = plan, pathlib.Path(tempfile.mkdtemp())
        self.out = open(self.folder / "out", "w+", encoding="utf-8", errors="replace")
        hosts = ",".join(f"{h}:{plan.per_host}" for h in plan.hosts)
        command = [str(build / "mpirun"), "-rsh", os.environ["PERF_RSH"], "-host", hosts, "-n", str(plan.np), *plan.flags,
                   str(build / "tests/proc/campaign/ranks"), "-f", str(self.folder), "-g", *plan.args]
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=self.out, stderr=subprocess.STDOUT)
        self.status, self.dump = None, ""

    def rows(self):
        found = {}
        for rank in range(self.plan.np):
            try:
                data = (self.folder / f"row.{rank}").read_bytes()
            except OSError:
                continue
            if len(data) == ROW.size and (row := Row(data)).pid:
                found[rank] = row
        return found

    def pids(self, rank=None):
        """The processes of the ranks, or of one, that have not ended."""
        return [row.pid for r, row in self.rows().items() if rank in (None, r) and row.pattern != "ended"]

    def wait_until(self, condition, seconds):
        """Whether it came true in this time, while the job ran."""
        end = time.monotonic() + seconds
        while self.process.poll() is None and time.monotonic() < end:
            if condition():
                return True
            time.sleep(0.01)
        return False

    def is_ready(self):
        return len(self.rows()) == self.plan.np

    def has_begun(self):
        return self.is_ready() and all(row.messages for row in self.rows().values())

    def let_go(self):
        (self.folder / "go").touch()

    def let_end(self):
        (self.folder / "stop").touch()

    def finish(self, limit):
        """Waits for the end; a job that hangs leaves a dump and is killed."""
        try:
            self.status = self.process.wait(limit)
        except subprocess.TimeoutExpired:
            self.dump = f"hangs: still running {limit:g} s after the last fault\n" + self.look()
            for pid in self.pids():
                os.kill(pid, signal.SIGKILL)
            self.process.kill()
            self.process.wait()
        self.out.seek(0)
        self.output = self.out.read()
        self.out.close()

    def remove(self):
        shutil.rmtree(self.folder)

    def stops(self):
        """Each time that a rank completed nothing: rank, begin, end, pattern."""
        found = []
        for rank in range(self.plan.np):
            path = self.folder / f"stops.{rank}"
            for line in path.read_text().splitlines() if path.exists() else ():
                begin, end, pattern = line.split()
                found.append((rank, float(begin), float(end), pattern))
        return found

    def look(self):
        """What every rank does: counters by signal, sockets, stacks."""
        rows = self.rows()
        text = "".join(f"rank {rank}: pid {row.pid}, {row.pattern}, phase {row.phases}, {row.messages} messages\n"
                       for rank, row in rows.items())
        for pid in self.pids():
            os.kill(pid, signal.SIGUSR1)
        for host in self.plan.hosts:
            text += f"{host}:\n" + in_host(host, "ss", "-Htnpmi", check=False)
        for rank, row in rows.items():
            if shutil.which("gdb") and row.pattern != "ended":
                text += f"rank {rank}:\n" + self.stack(row.pid)
        return text

    @staticmethod
    def stack(pid):
        try:
            done = subprocess.run(["gdb", "-batch", "-p", str(pid), "-ex", "thread apply all bt"], stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, errors="replace", timeout=20,
                                  check=False)
        except subprocess.TimeoutExpired:
            return "gdb took too long\n"
        return "".join(line + "\n" for line in done.stdout.splitlines() if line.startswith(("#", "Thread")))
