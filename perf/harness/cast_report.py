# SPDX-License-Identifier: BSD-3-Clause
"""cast_report: medians of what runs of perf/cast printed, as tables and as plots.

    cast_report.py FOLDER FILE...
"""
import os
import re
import statistics
import sys

import plots

CONDITION = re.compile(r"# (\d+ hosts, .*)")
STACKS = {"# Hawser, -multicast 1": "multicast", "# Hawser, -multicast 0": "unicast", "# mpich": "MPICH", "# openmpi": "Open MPI"}
COLOURS = {"multicast": "#0b6e4f", "unicast": "#555555", "MPICH": "#c44536", "Open MPI": "#e09f3e"}
CALL = re.compile(r"(\w+) +(\d+) bytes +(-?[\d.]+) us")
PROGRAM = re.compile(r"(sort|matrix) +(\d+) +([\d.]+) ms")
UNITS = {"sort": "keys", "matrix": "rows of the matrices"}


def read(files):
    """{(condition, operation): {stack: {size: [ms]}}}"""
    figures = {}
    for name in files:
        condition = stack = ""
        with open(name, encoding="utf-8") as lines:
            for line in lines:
                head, call, program = CONDITION.match(line), CALL.match(line), PROGRAM.match(line)
                if head:
                    condition = head.group(1)
                stack = STACKS.get(line.strip(), stack)
                if call or program:
                    what, size, time = (call or program).groups()
                    sizes = figures.setdefault((condition, what), {}).setdefault(stack, {})
                    sizes.setdefault(int(size), []).append(float(time) / (1000 if call else 1))
    return figures


def table(condition, what, stacks):
    names = [name for name in COLOURS if name in stacks]
    print("\n%s, %s, ms (runs)\n\n| %s | %s |\n%s|" % (what, condition, UNITS.get(what, "bytes"), " | ".join(names), "|---" * (len(names) + 1)))
    for size in sorted({size for sizes in stacks.values() for size in sizes}):
        cells = ["%.3g (%d)" % (statistics.median(stacks[name][size]), len(stacks[name][size])) if size in stacks[name] else "" for name in names]
        print("| %d | %s |" % (size, " | ".join(cells)))


def plot(folder, condition, what, stacks):
    curves = [(name, sorted((size, statistics.median(times)) for size, times in stacks[name].items())) for name in COLOURS if name in stacks]
    if max(len(points) for _, points in curves) < 2:
        return
    path = os.path.join(folder, "cast-%s-%s.png" % (what, re.sub(r"\W+", "-", condition)))
    body = "set key left top\nset logscale xy\n"
    body += "".join("$d%d << E\n%s\nE\n" % (i, "\n".join("%d %g" % p for p in points)) for i, (_, points) in enumerate(curves))
    body += "plot " + ", ".join("$d%d using 1:2 with linespoints pt 7 ps 0.6 lc rgb '%s' title '%s'" % (i, COLOURS[name], name)
                                for i, (name, _) in enumerate(curves)) + "\n"
    plots.draw(path, "%s, %s" % (what.replace("_", "-"), condition), UNITS.get(what, "bytes"), "ms", body)


def main():
    folder, figures = sys.argv[1], read(sys.argv[2:])
    os.makedirs(folder, exist_ok=True)
    for (condition, what), stacks in figures.items():
        table(condition, what, stacks)
        plot(folder, condition, what, stacks)


main()
