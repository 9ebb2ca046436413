# SPDX-License-Identifier: BSD-3-Clause
"""What is run, and the figures that come out of its lines.

A figure's key is a path such as "latency/8" or "collective/allreduce/8/ranks8"; each run of a bench adds one sample to
it. The benches of one name are chosen together with --only.
"""

# The sizes are named, so that raw TCP goes through the same ones.
LATENCY_SIZES = ",".join(str(1 << i) for i in range(23))
BANDWIDTH_SIZES = ",".join(str(1 << i) for i in range(10, 23))
DATATYPE_SIZES = "65536,1048576,4194304"
HUNG_TWICE = 2  # a stack that hung so often in a bench is not run in it again


class Bench:
    """One program with its ranks and arguments. rounds: how often each stack runs it, in turn. expected: the number of lines
    after which the figures are complete; limit_s: seconds a run may take; grace_s: seconds it may take to end after its lines."""

    one_host = False  # all ranks on one host, each MPI with its own shared memory
    turns = 1         # so often a round runs it: many short runs where the machine changes its speed within a second

    def __init__(self, name, ranks, program, args, rounds, limit_s, expected, figures, grace_s=8.0):
        self.name, self.ranks, self.program, self.args = name, ranks, program, args
        self.rounds, self.limit_s, self.expected = rounds, limit_s, expected
        self.figures, self.grace_s = figures, grace_s

    def title(self):
        words = [a for a in self.args if "," not in a or a[0].isalpha()]  # without the sizes
        return "%s (%d ranks%s)" % (self.name, self.ranks, "".join(" " + a for a in words if a != "-s"))


def latency_figures(outcome):
    return {"latency/%d" % line["bytes"]: line["half_us"] for line in outcome.lines}


def among_figures(outcome):
    return {"among%d/%s" % (AMONG, key): value for key, value in latency_figures(outcome).items()}


def bandwidth_figures(outcome):
    return {"bandwidth/%d" % line["bytes"]: line["mb_s"] for line in outcome.lines}


def rate_figures(outcome):
    return {"rate/8": line["msg_s"] for line in outcome.lines}


def datatype_figures(outcome):
    return {"types/%s/%d" % (line["layout"], line["bytes"]): line["msg_s" if line["layout"] == "small" else "mb_s"]
            for line in outcome.lines}


def collective_figures(outcome):
    return {"collective/%s/%d/ranks%d" % (line["op"], line["bytes"], line["ranks"]): line["us"]
            for line in outcome.lines}


def pingpong_figures(outcome):
    """Fortran's time over C's."""
    return {"pingpong/" + module: line[module + "_us"] / line["c_us"] for line in outcome.lines for module in ("mpi", "f08")}


def idle_figures(outcome):
    return {"idle/cpu": line["cpu_s"] for line in outcome.lines}


def flood_figures(outcome):
    return {"flood/%s" % line["mode"]: line["growth_mb"] for line in outcome.lines}


def startup_figures(outcome):
    """Wall time only of runs that came to their end; the rest is known as soon as every rank has printed its line."""
    lines = [line for line in outcome.lines if line["bench"] == "startup"]
    if not lines or len(lines) < lines[0]["ranks"]:
        return {}
    ranks = "ranks%d" % lines[0]["ranks"]
    figures = {
        "startup/rss/" + ranks: max(line["rss_kib"] for line in lines) * 1024 / 1e6,
        "startup/anon/" + ranks: max(line["anon_kib"] for line in lines) * 1024 / 1e6,
        "startup/sockets/" + ranks: max(line["sockets"] for line in lines),
        "startup/ready/" + ranks: outcome.last_line_s,
    }
    if outcome.status == "ok":
        figures["startup/wall/" + ranks] = outcome.wall_s
    return figures


def pattern_figures(outcome):
    return {"pattern/%s/%d/ranks%d" % (line["op"], line["bytes"], line["ranks"]): line["min_us"] for line in outcome.lines}


THREADS = 4  # of perf/src/threads.c: 1 to so many


def thread_figures(outcome):
    """Of a stream also the share that several threads together have of one thread's rate in the same run."""
    rate = {line["threads"]: line["msg_s"] for line in outcome.lines if line["op"] == "stream"}
    figures = {"threads/stream/%d" % n: value for n, value in rate.items()}
    figures.update({"threads/share/%d" % n: value / rate[1] for n, value in rate.items() if n > 1 and rate.get(1)})
    figures.update({"threads/pingpong/%d" % line["threads"]: line["us"] for line in outcome.lines if line["op"] == "pingpong"})
    return figures


AMONG = 8  # ranks of which two send to each other, and the others sleep
ONE_HOST_SIZES = "0,8,64,16384,65536"  # of collectives: 0 is the barrier's


class OneHost(Bench):
    """A bench through shared memory; its figures are called as those between hosts, behind "shm/"."""

    one_host = True

    def __init__(self, ranks, program, args, rounds, expected, figures, turns=1, name="shm"):
        self.turns = turns
        super().__init__(name, ranks, program, args, rounds, 60, expected,
                         lambda outcome: {"shm/" + key: value for key, value in figures(outcome).items()})


def shm_rate_figures(outcome):
    return {"rate/%d" % line["bytes"]: line["msg_s"] for line in outcome.lines}


def one_host_benches(quick):
    rounds, turns = (1, 1) if quick else (5, 5)
    benches = [
        OneHost(2, "latency", ["-s", "8,64,1024,8192,65536", *_seconds(quick, 0.05)], rounds, 5, latency_figures, turns),
        OneHost(2, "bandwidth", ["-o", "rate", *_seconds(quick, 0.1)], rounds, 1, shm_rate_figures, turns),
        OneHost(2, "bandwidth", ["-s", "1024", "-w", "64", *_seconds(quick, 0.1)], rounds, 1, shm_rate_figures, turns),
        OneHost(2, "bandwidth", ["-s", "1024,8192,65536,262144,1048576,4194304", *_seconds(quick, 0.1)], rounds, 6,
                bandwidth_figures, turns),
    ]
    benches.append(OneHost(AMONG, "latency", ["-s", "8,1024,65536,1048576", *_seconds(quick, 0.05)], rounds, 4, among_figures, turns, "among"))
    benches.append(OneHost(2, "pingpong", _seconds(quick, 3), rounds, 1, pingpong_figures, name="fortran"))
    for ranks in (4, 8, 16):
        benches.append(OneHost(ranks, "collectives", ["-s", ONE_HOST_SIZES, *_seconds(quick, 0.3)], rounds, 11, collective_figures))
    return benches


PATTERNS, SUMS, PATTERN_SIZES = 22, 5, 22  # of perf/src/patterns.c; sums have no rows of 1 and 2 bytes
FEW_SIZES = "0,8,256,2K,8K,32K,128K,1M"


def pattern_benches(quick):
    """The least of many short runs: two ranks in both places, and four on two hosts, where the peers take a time slice for each step."""
    rounds, turns, lines = 2 if quick else 5, 1 if quick else 2, PATTERNS * PATTERN_SIZES - SUMS * 2
    args = _seconds(quick, 0.004)
    between = Bench("patterns", 2, "patterns", args, rounds, 60, lines, pattern_figures)
    between.turns = turns
    four = Bench("patterns", 4, "patterns", ["-s", FEW_SIZES, *args], 1 if quick else 3, 90, PATTERNS * len(FEW_SIZES.split(",")),
                 pattern_figures)
    return [between, OneHost(2, "patterns", args, rounds, lines, pattern_figures, turns, "patterns"), four]


def thread_benches(quick):
    """Two ranks in both places. Where threads meet is luck, so many short runs."""
    rounds, args = 1 if quick else 5, _seconds(quick, 0.2)
    return [Bench("threads", 2, "threads", args, rounds, 60, 2 * THREADS, thread_figures),
            OneHost(2, "threads", args, rounds, 2 * THREADS, thread_figures, 1 if quick else 2, "threads")]


BESIDE_SIZES = "8,64K"


def beside_figures(outcome):
    """Of perf/src/beside.c: microseconds, and what is left of the neighbours' work."""
    figures = {}
    for line in outcome.lines:
        key = "%s/%d/ranks%d" % (line["op"], line["bytes"], line["ranks"])
        figures["beside/us/" + key], figures["beside/left/" + key] = line["us"], line["work"]
    return figures


def beside_benches(quick):
    """Half of the ranks of a host compute; they outnumber its processors where those are two."""
    return [OneHost(ranks, "beside", ["-s", BESIDE_SIZES, *_seconds(quick, 0.5)], 1 if quick else 5, 8, beside_figures, name="beside")
            for ranks in (4, 8)]


def _seconds(quick, full):
    return ["-t", str(full / 4 if quick else full)]


def all_benches(quick):
    """The benches in the order in which they run."""
    rounds = 2 if quick else 5
    few = 1 if quick else 3
    ends = 10 if quick else 30  # Open MPI needs 4 s for 64 ranks, 64 s for 256
    benches = [
        Bench("latency", 2, "latency", ["-s", LATENCY_SIZES, *_seconds(quick, 0.15)], rounds, 60, 23, latency_figures),
        Bench("rate", 2, "bandwidth", ["-o", "rate", *_seconds(quick, 1)], rounds, 30, 1, rate_figures),
        Bench("bandwidth", 2, "bandwidth", ["-s", BANDWIDTH_SIZES, *_seconds(quick, 0.3)], rounds, 60, 13,
              bandwidth_figures),
        Bench("types", 2, "datatypes", ["-s", DATATYPE_SIZES, *_seconds(quick, 0.2)], rounds, 60, 30, datatype_figures),
        Bench("collectives", 8, "collectives", _seconds(quick, 0.8), few, 90, 5, collective_figures),
    ]
    for ranks in (2, 4, 16):
        args = ["-o", "allreduce,alltoall", *_seconds(quick, 0.4)]
        benches.append(Bench("oversubscription", ranks, "collectives", args, 1 if quick else 2, 90, 3, collective_figures))
    benches += [
        Bench("fortran", 2, "pingpong", _seconds(quick, 3), few, 30, 1, pingpong_figures),
        Bench("idle", 2, "idle", ["-t", "3"], few, 30, 1, idle_figures),
        Bench("flood", 2, "flood", ["-o", "isend"], 1, 90, 1, flood_figures),
        Bench("flood", 2, "flood", ["-o", "send"], 1, 90, 1, flood_figures),
        Bench("startup", 64, "startup", [], few, ends, 64, startup_figures, grace_s=ends),
        Bench("ranks256", 256, "startup", ["-o", "allreduce"], 1, 3 * ends, 256, startup_figures, grace_s=3 * ends),
    ]
    benches += one_host_benches(quick)
    benches += pattern_benches(quick)
    benches += thread_benches(quick)
    benches += beside_benches(quick)
    return benches
