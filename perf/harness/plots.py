# SPDX-License-Identifier: BSD-3-Clause
"""The plots, drawn by gnuplot."""

import os
import shutil
import statistics
import subprocess

NAMES = {"hawser": "Hawser", "mpich": "MPICH", "openmpi": "Open MPI", "raw": "raw TCP",
         "raw64k": "raw TCP, 64 KiB buffers"}
COLOURS = {"hawser": "#0b6e4f", "mpich": "#c44536", "openmpi": "#e09f3e", "raw": "#555555", "raw64k": "#9a9a9a"}
HEAD = """set terminal pngcairo size 900,560 font 'sans,11' linewidth 1.6
set output '%s'
set title '%s'
set xlabel '%s'
set ylabel '%s'
set grid
"""


def _median(figures, stack, key):
    samples = figures.get(stack, {}).get(key)
    return statistics.median(samples) if samples else None


def draw(path, title, xlabel, ylabel, body):
    script = HEAD % (path, title.replace("'", "''"), xlabel, ylabel) + body
    done = subprocess.run(["gnuplot"], input=script, text=True, capture_output=True, check=False)
    if done.returncode != 0 or not os.path.exists(path):
        raise RuntimeError("gnuplot: " + done.stderr.strip())
    return path


def _curves(figures, prefix):
    """[(stack, [(x, value)])] of the figures "prefix/x"."""
    curves = []
    for stack in NAMES:
        points = sorted((int(key.rsplit("/", 1)[1]), _median(figures, stack, key))
                        for key in figures.get(stack, {}) if key.rpartition("/")[0] == prefix)
        if len(points) > 1:
            curves.append((stack, points))
    return curves


def _by_size(figures, prefix, path, title, ylabel, scale):
    curves = _curves(figures, prefix)
    if not curves:
        return None
    body = "set key left top\nset logscale x 2\nset format x '%.0b%B'\n" + scale
    body += "".join("$d%d << E\n%s\nE\n" % (i, "\n".join("%d %g" % p for p in points))
                    for i, (_, points) in enumerate(curves))
    body += "plot " + ", ".join("$d%d using 1:2 with linespoints pt 7 ps 0.6 lc rgb '%s' title '%s'" %
                                (i, COLOURS[s], NAMES[s]) for i, (s, _) in enumerate(curves)) + "\n"
    return draw(path, title, "message size (bytes)", ylabel, body)


def _bars(figures, groups, path, title, ylabel, log):
    """groups: [(label, key)]; a bar for each stack in each group."""
    stacks = [s for s in NAMES if any(_median(figures, s, key) is not None for _, key in groups)]
    if not stacks:
        return None
    rows = ["%s %s" % ('"%s"' % label, " ".join(number(_median(figures, s, key)) for s in stacks))
            for label, key in groups]
    body = "$d << E\n%s\nE\nset style data histogram\nset style histogram clustered gap 1\nset style fill solid 0.9\n" \
        "set boxwidth 0.9\nset key left top\nset bmargin 4\n" % "\n".join(rows)
    body += "set logscale y\nset yrange [1:*]\n" if log else "set yrange [0:*]\n"
    body += "plot " + ", ".join("$d using %d:xtic(1) lc rgb '%s' title '%s'" % (i + 2, COLOURS[s], NAMES[s])
                                for i, s in enumerate(stacks)) + "\n"
    return draw(path, title, "", ylabel, body)


def number(value):
    return "?" if value is None else "%g" % value


def draw_all(figures, folder):
    """Draws what there are figures for; returns the files, or an empty list without gnuplot."""
    if not shutil.which("gnuplot"):
        return []
    os.makedirs(folder, exist_ok=True)

    def path(name):
        return os.path.join(folder, "perf-%s.png" % name)

    over = [("%s\\n%d ranks" % (op, n), "collective/%s/%d/ranks%d" % (op, size, n))
            for op, size in (("allreduce", 8), ("alltoall", 64)) for n in (2, 4, 8, 16)]
    one_host = [("%d\\n%s" % (n, op if n == 8 else ""), "shm/collective/%s/%d/ranks%d" % (op, size, n))
                for op, size in (("barrier", 0), ("allreduce", 8), ("alltoall", 64), ("bcast", 8), ("allgather", 8))
                for n in (4, 8, 16)]
    drawn = [
        _by_size(figures, "latency", path("latency"), "Half round trip between two hosts", "us", "set logscale y\n"),
        _by_size(figures, "bandwidth", path("bandwidth"), "Bandwidth, window of 16", "MB/s", "set yrange [0:*]\n"),
        _bars(figures, [("8 bytes, window of 64", "rate/8")], path("rate"), "Message rate", "messages/s", False),
        _bars(figures, over, path("collectives"), "Collectives of N ranks on 2 hosts and few processors", "us", True),
        _bars(figures, one_host, path("one-host"), "Collectives of 4, 8 and 16 ranks of one host, short messages", "us", True),
        _by_size(figures, "shm/bandwidth", path("one-host-bandwidth"), "Bandwidth within a host, window of 16", "MB/s",
                 "set yrange [0:*]\n"),
        _bars(figures, [("nonblocking sends", "flood/isend"), ("blocking sends", "flood/send")], path("flood"),
              "Growth of a receiver, 100,000 unexpected messages of 8 KiB", "MB", True),
        _bars(figures, [("3 s in MPI_Recv", "idle/cpu")], path("idle"), "Processor time of a waiting rank", "s", False),
    ]
    return [name for name in drawn if name]


SHARES = """set palette defined (0 '#0b6e4f', 0.5 '#6fb89a', 0.97 '#e8f3ee', 1.03 '#ffffff', 1.04 '#f7d9c8', 2 '#c44536')
set cbrange [0:2]
unset colorbox
unset key
unset grid
set xtics rotate by 40 right offset 0,-0.3 scale 0
set ytics scale 0
set bmargin 7
set lmargin 10
"""


def heat(path, title, columns, rows, shares):
    """A field of shares, each with its number: green below 1, red above 1.03. shares[row][column]; None: there is none."""
    if not shutil.which("gnuplot"):
        return None
    cells = [(x, y, share) for y, row in enumerate(shares) for x, share in enumerate(row)]
    size = "set terminal pngcairo size %d,%d font 'sans,10'\nset output '%s'\n" % (140 + 58 * len(columns), 130 + 24 * len(rows), path)
    body = size + SHARES + "".join("set %stics (%s)\n" % (axis, ", ".join("'%s' %d" % (name.replace("_", " "), i) for i, name in enumerate(names)))
                                   for axis, names in (("x", columns), ("y", rows)))
    body += "set xrange [-0.5:%g]\nset yrange [%g:-0.5]\n" % (len(columns) - 0.5, len(rows) - 0.5)
    body += "$d << E\n%s\nE\n" % "\n".join("%d %d %s" % (x, y, "NaN" if v is None else "%g" % v) for x, y, v in cells)
    body += "$n << E\n%s\nE\n" % "\n".join("%d %d %.2f" % (x, y, v) for x, y, v in cells if v is not None)
    body += "plot $d using 1:2:($3 > 2 ? 2 : $3) with image, $n using 1:2:(stringcolumn(3)) with labels font 'sans,9'\n"
    return draw(path, title, "", "", body)
