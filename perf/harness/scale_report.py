# SPDX-License-Identifier: BSD-3-Clause
"""Tables and plots of perf/scale."""

import os
import shutil
import statistics
import sys

from . import machine, plots, table

PHASES = ("spawn", "init", "barrier", "allreduce", "end")  # each until the last rank was through with it
STACKS = [("hawser", "Hawser"), ("hawser-tcp", "Hawser over TCP"), ("mpich", "MPICH"), ("openmpi", "Open MPI")]
COLOURS = {**plots.COLOURS, "hawser-tcp": "#6fb98f"}
MEMORY = [("private_kib", "private KiB"), ("shmem_kib", "shared KiB touched"), ("rss_kib", "resident KiB"),
          ("fds", "descriptors"), ("sockets", "sockets")]


def median(result, stack, key):
    samples = result["figures"].get(stack, {}).get(key)
    return statistics.median(samples) if samples else None


def sizes_of(result, stack):
    return sorted(int(key.split("/")[1]) for key in result["figures"].get(stack, {}) if key.startswith("wall/"))


def _time_rows(result):
    rows = [["", "ranks", "whole, s", "ms a rank", "spawn", "init", "of it cards", "barrier", "allreduce", "end", "samples"]]
    for stack, name in STACKS:
        for size in sizes_of(result, stack):
            wall = median(result, stack, "wall/%d" % size)
            phases = [median(result, stack, "%s/%d" % (key, size)) for key in PHASES]
            cards = median(result, stack, "cards/%d" % size)
            shown = ["%.3f" % phase for phase in phases]
            shown.insert(2, "-" if cards is None else "%.3f" % min(max(0, cards), phases[1]))
            rows.append([name, str(size), "%.3f" % wall, "%.2f" % (wall / size * 1e3), *shown,
                         str(len(result["figures"][stack]["wall/%d" % size]))])
    return rows


def _memory_rows(result):
    rows = [["", "ranks", *(text for _, text in MEMORY), "card bytes"]]
    for stack, name in STACKS:
        for size in sizes_of(result, stack):
            cells = [median(result, stack, "%s/%d" % (key, size)) for key, _ in MEMORY]
            cells.append(median(result, stack, "cardbytes/%d" % size))
            rows.append([name, str(size), *("-" if cell is None else table.show(cell) for cell in cells)])
    return rows


def _peer_rows(result):
    """Slopes of the medians over the number of peers that each rank has talked to."""
    rows = [["", "private KiB a peer", "shared KiB a peer", "descriptors a peer"]]
    for stack, name in STACKS:
        slopes = []
        for key in ("private_kib", "shmem_kib", "fds"):
            low, high = (median(result, stack, "median_%s/64/%d" % (key, others)) for others in (16, 62))
            slopes.append(None if low is None or high is None else (high - low) / (62 - 16))
        if any(slope is not None for slope in slopes):
            rows.append([name, *("-" if slope is None else "%.2f" % slope for slope in slopes)])
    return rows


def _curves(result, key, scale):
    curves = []
    for stack, name in STACKS:
        points = [(size, median(result, stack, "%s/%d" % (key, size))) for size in sizes_of(result, stack)]
        points = [(size, value * scale) for size, value in points if value is not None]
        if len(points) > 1:
            curves.append((stack, name, points))
    return curves


def _plot(result, key, scale, path, title, ylabel, body=""):
    curves = _curves(result, key, scale)
    if not curves:
        return None
    data = "".join("$d%d << E\n%s\nE\n" % (i, "\n".join("%d %g" % p for p in points)) for i, (_, _, points) in enumerate(curves))
    lines = ", ".join("$d%d using 1:2 with linespoints pt 7 ps 0.7 lc rgb '%s' title '%s'" % (i, COLOURS[s], name)
                      for i, (s, name, _) in enumerate(curves))
    return plots.draw(path, title, "ranks", ylabel, "set key left top\nset logscale x 2\n" + body + data + "plot " + lines + "\n")


def _plot_phases(result, path):
    sizes = sizes_of(result, "hawser")
    if not sizes:
        return None
    data = "$d << E\n%s\nE\n" % "\n".join(
        '"%d" %s' % (size, " ".join("%g" % (median(result, "hawser", "%s/%d" % (key, size)) / size * 1e3) for key in PHASES))
        for size in sizes)
    body = data + "set style data histogram\nset style histogram rowstacked\nset style fill solid 0.9\nset boxwidth 0.6\n" \
        "set key right top\nset yrange [0:*]\nplot " + ", ".join(
            "$d using %d:xtic(1) title '%s'" % (i + 2, key) for i, key in enumerate(PHASES)) + "\n"
    return plots.draw(path, "Hawser: where the time of a job goes", "ranks", "ms a rank", body)


def draw(result, folder):
    if not shutil.which("gnuplot"):
        return []
    os.makedirs(folder, exist_ok=True)

    def path(name):
        return os.path.join(folder, "scale-%s.png" % name)

    drawn = [_plot(result, "wall", 1, path("time"), "Start, barrier, allreduce, end on one host", "s", "set logscale y\n"),
             _plot(result, "private_kib", 1 / 1024, path("memory"), "Private memory of the largest rank", "MiB", "set logscale y\n"),
             _plot(result, "fds", 1, path("descriptors"), "Descriptors of the rank that has most", "", "set yrange [0:*]\n"),
             _plot_phases(result, path("phases"))]
    return [name for name in drawn if name]


def report(result, folder, document):
    tables = [("time-table", _time_rows(result)), ("memory-table", _memory_rows(result)), ("peer-table", _peer_rows(result))]
    print(machine.caption(result) + "\n")
    for mark, rows in tables:
        if len(rows) == 1:
            continue
        print(table.as_text(rows, (0,)) + "\n")
        if document and not table.write_into(document, table.as_markdown(rows, machine.caption(result), (0,)), mark):
            print("perf/scale: no <!-- %s --> section" % mark, file=sys.stderr)
    for trouble in result["troubles"]:
        print("note: " + trouble)
    for path in draw(result, folder):
        print("wrote " + os.path.relpath(path), file=sys.stderr)
