# SPDX-License-Identifier: BSD-3-Clause
"""Table and plots of perf/multinic."""

import os
import shutil
import statistics

from . import machine, patterns, plots, table

STACKS = ("hawser", "mpich", "openmpi")
LEFT = (0, 1, 6, 7)
PLACES = {"nics2": "2 NICs", "nics4": "4 NICs", "uneven": "1 Gb/s + 250 Mb/s"}
MB = {1 << 20: "1 MiB", 4 << 20: "4 MiB"}


class Figures:
    """Medians by name."""

    def __init__(self, figures):
        self.figures = figures

    def get(self, stack, key):
        samples = self.figures.get(stack, {}).get(key)
        return statistics.median(samples) if samples else None

    def raw(self, key, size=4 << 20):
        return self.get("raw", "bandwidth/%s/%d" % (key, size))


def _ratio(value, base):
    return value / base if value is not None and base else None


def _row(f, label, unit, key, base, target, reached):
    """A line of the table. base: what ratios are taken of (None: no ratios); reached: says it of (value, ratio)."""
    values = [f.get(stack, key) for stack in STACKS]
    ratio = _ratio(values[0], base)
    verdict = "" if reached is None else "no figure" if values[0] is None else "yes" if reached(values[0], ratio) else "NO"
    return [label, unit, *[table.show(v) for v in values], "-" if ratio is None else "%.3f" % ratio, target, verdict]


def _at_least(least):
    return lambda value, ratio: ratio is not None and ratio >= least


def _nics_rows(f):
    rows = []
    for size, name in MB.items():
        base = f.get("raw", "bandwidth/nics1/%d" % size)
        rows.append(["raw TCP, one NIC of 1 Gb/s, " + name, "MB/s", table.show(base), "", "", "", "", ""])
        for count, least in ((1, None), (2, 1.96), (4, 3.9)):
            target = "" if least is None else ">= %g x raw of one" % least
            rows.append(_row(f, "%d NIC%s of 1 Gb/s, %s" % (count, "s" if count > 1 else "", name), "MB/s",
                             "bandwidth/nics%d/%d" % (count, size), base, target, least and _at_least(least)))
    return rows


def _uneven_rows(f):
    rows = []
    for size, name in MB.items():
        fast, slow = f.raw("fast", size), f.raw("slow", size)
        base = fast + slow if fast and slow else None
        rows.append(_row(f, "1 Gb/s + 250 Mb/s, " + name, "MB/s", "bandwidth/uneven/%d" % size, base, ">= 0.95 x raw of both",
                         _at_least(0.95)))
    return rows


def _grey_rows(f):
    rows = []
    for size, name in MB.items():
        base = f.get("raw", "bandwidth/nics1/%d" % size)
        for lost, least in ((1, 2.5), (50, 1.95), (200, 1.95)):
            rows.append(_row(f, "3 NICs of 1 Gb/s, one loses %g %%, %s" % (lost / 10, name), "MB/s", "bandwidth/grey%d/%d" % (lost, size), base,
                             ">= %g x raw of one" % least, _at_least(least)))
    return rows


def _stream_rows(f):
    one, slowest = f.raw("nics1", 1 << 20) or f.raw("fast", 1 << 20), f.raw("slowest", 1 << 20)
    new_sum = one + slowest if one and slowest else None
    rows = [_row(f, "one of two NICs slows down to 100 Mb/s: 2 to 4 s after", "MB/s", "change/after2s", new_sum,
                 ">= 0.9 x raw of both", _at_least(0.9))]
    rows.append(_row(f, "until 0.5 s bring 0.9 of raw of both, from the change on", "s", "change/until90", None, "<= 2 s",
                     lambda value, ratio: value <= 2))
    for kind, text in (("down", "set down"), ("silent", "silent")):
        rows.append(_row(f, "one of two NICs %s: longest stop" % text, "s", "failure/%s/stop" % kind, None, "<= 2 s",
                         lambda value, ratio: value <= 2))
        rows.append(_row(f, "one of two NICs %s: 2 to 4 s after" % text, "MB/s", "failure/%s/after" % kind, one,
                         ">= 0.95 x raw of one", _at_least(0.95)))
        rows.append(_row(f, "it comes back: 2 to 3.5 s after", "MB/s", "failure/%s/back" % kind, one, ">= 1.9 x raw of one",
                         _at_least(1.9)))
    return rows


def _survive_rows(f):
    rows = []
    for key, label, unit, least, most in (("latency", "8-byte half round trip, survival on (ratio: to off)", "us", 0, 1.05),
                                          ("rate", "8-byte messages, survival on (ratio: to off)", "1/s", 0.95, 100)):
        target = "<= 1.05 x off" if most < 2 else ">= 0.95 x off"
        rows.append(_row(f, label, unit, "survive/" + key, f.get("hawser", "bare/" + key), target,
                         lambda value, ratio, least=least, most=most: ratio and least <= ratio <= most))
    return rows


def _sum_of(f, place):
    """What raw TCP moves over the NICs of a place together, or None."""
    if place == "uneven":
        fast, slow = f.raw("fast"), f.raw("slow")
        return fast + slow if fast and slow else None
    one = f.raw("nics1")
    return one * int(place[4:]) if one else None


def _ping_pong(figures, stack, place):
    """{bytes: MB/s}: a message of a ping-pong, by half its round trip."""
    prefix = place + "/pattern/pingpong/"
    found = {int(key[len(prefix):].split("/")[0]): statistics.median(us) for key, us in figures.get(stack, {}).items()
             if key.startswith(prefix)}
    return {size: 2 * size / us for size, us in found.items()}


def _ping_pong_rows(f):
    rows = []
    for place, name in PLACES.items():
        base = _sum_of(f, place)
        speeds = [_ping_pong(f.figures, stack, place) for stack in STACKS]
        for size, least in ((1 << 17, 0.7), (1 << 18, 0.7), (1 << 19, 0.7), (1 << 20, 0.9), (1 << 22, 0.9)):
            values = [speed.get(size) for speed in speeds]
            ratio = _ratio(values[0], base)
            size_text = "%d KiB" % (size >> 10) if size < 1 << 20 else "%d MiB" % (size >> 20)
            rows.append(["a message of a ping-pong over %s, %s" % (name, size_text), "MB/s", *[table.show(v) for v in values],
                         "-" if ratio is None else "%.3f" % ratio, ">= %g x raw of all" % least,
                         "" if ratio is None else "yes" if ratio >= least else "NO"])
    return rows


FIRST = (("", "nobody"), ("-sender", "the sender"), ("-receiver", "the receiver"))


def _flow_rows(f):
    rows = []
    kinds = [(direction + key, "1 MiB from rank %d to rank %d, %s had sent before" % (up, 1 - up, who), "nics1")
             for up, direction in ((0, "up"), (1, "down")) for key, who in FIRST]
    kinds += [("ring", "ring of 4 hosts, 1 MiB", "hosts4"), ("alltoall", "alltoall of 4 hosts, 1 MiB", "hosts4"),
              ("many", "1 MiB of 3 hosts to one with MPI_ANY_SOURCE", "hosts4")]
    for key, text, raw in kinds:
        for count in (2, 4):
            one = f.raw(raw)
            rows.append(_row(f, "%s, %d NICs" % (text, count), "MB/s", "flow/%s/nics%d" % (key, count), one and one * count,
                             ">= 0.95 x raw of all", _at_least(0.95)))
    return rows


def _cells(figures):
    f = Figures(figures)
    head = ["figure", "unit", "Hawser", "MPICH", "Open MPI", "Hawser's ratio", "target", "reached"]
    rows = _nics_rows(f) + _uneven_rows(f) + _grey_rows(f) + _stream_rows(f) + _survive_rows(f) + \
        _ping_pong_rows(f) + _flow_rows(f)
    return [head] + [row for row in rows if any(cell not in ("-", "") for cell in row[2:5])]


def _plot_nics(f, path):
    size = 4 << 20
    rows = ['"%d NIC%s" %s' % (n, "s" if n > 1 else "", " ".join(
        plots.number(f.get(stack, "bandwidth/nics%d/%d" % (n, size))) for stack in STACKS)) for n in (1, 2, 4)]
    base = f.raw("nics1", size)
    if base is None or f.get("hawser", "bandwidth/nics1/%d" % size) is None:
        return None
    rows[0] += " %g" % base
    rows[1] += " %g" % (2 * base)
    rows[2] += " %g" % (4 * base)
    body = "$d << E\n%s\nE\nset style data histogram\nset style histogram clustered gap 1\nset style fill solid 0.9\n" \
        "set boxwidth 0.9\nset key left top\nset yrange [0:*]\nplot " % "\n".join(rows)
    names = [(s, plots.NAMES[s]) for s in STACKS] + [("raw", "raw TCP of one NIC, times the NICs")]
    body += ", ".join("$d using %d:xtic(1) lc rgb '%s' title '%s'" % (i + 2, plots.COLOURS[s], title)
                      for i, (s, title) in enumerate(names)) + "\n"
    return plots.draw(path, "Bandwidth over NICs of 1 Gb/s, messages of 4 MiB", "", "MB/s", body)


def _plot_ping_pong(figures, place, path):
    curves = [(stack, sorted(_ping_pong(figures, stack, place).items())) for stack in STACKS]
    base = _sum_of(Figures(figures), place)
    if base is None or not curves[0][1]:
        return None
    body = "set key left top\nset logscale x 2\nset format x '%.0b%B'\nset yrange [0:*]\n"
    body += "".join("$d%d << E\n%s\nE\n" % (i, "\n".join("%d %g" % point for point in points))
                    for i, (_, points) in enumerate(curves) if points)
    body += "plot %g lc rgb '%s' title 'raw TCP of one NIC, times the NICs'" % (base, plots.COLOURS["raw"])
    body += "".join(", $d%d using 1:2 with linespoints pt 7 ps 0.6 lc rgb '%s' title '%s'" % (i, plots.COLOURS[s], plots.NAMES[s])
                    for i, (s, points) in enumerate(curves) if points) + "\n"
    return plots.draw(path, "One message at a time (ping-pong) over %s of 1 Gb/s" % PLACES[place], "message size (bytes)", "MB/s", body)


def _plot_curves(curves, kind, path, title, marks):
    """marks: [(seconds, text)] of what happened to the network."""
    found = [(stack, curves[stack][kind]) for stack in STACKS if kind in curves.get(stack, {})]
    if not found:
        return None
    body = "set key below\nset yrange [0:*]\n"
    for seconds, text in marks:
        body += "set arrow from %g, graph 0 to %g, graph 1 nohead dt 2 lc rgb '#888888'\n" % (seconds, seconds)
        body += "set label '%s' at %g, graph 0.97 offset 0.5, 0\n" % (text, seconds)
    body += "".join("$d%d << E\n%s\nE\n" % (i, "\n".join("%g %g" % tuple(p) for p in points))
                    for i, (_, points) in enumerate(found))
    body += "plot " + ", ".join("$d%d using 1:2 with lines lw 1.5 lc rgb '%s' title '%s'" %
                                (i, plots.COLOURS[s], plots.NAMES[s]) for i, (s, _) in enumerate(found)) + "\n"
    return plots.draw(path, title, "seconds", "MB/s", body)


def _draw(result, folder):
    if not shutil.which("gnuplot"):
        return []
    os.makedirs(folder, exist_ok=True)

    def path(name):
        return os.path.join(folder, "perf-%s.png" % name)

    curves = result["curves"]
    failed = [(2, "fails"), (6, "is back")]
    drawn = [
        _plot_nics(Figures(result["figures"]), path("nics")),
        _plot_ping_pong(result["figures"], "nics4", path("nics-ping-pong")),
        _plot_curves(curves, "down", path("nic-down"), "A stream over two NICs of 1 Gb/s; one is set down", failed),
        _plot_curves(curves, "silent", path("nic-silent"), "The same; one drops everything without a word", failed),
        _plot_curves(curves, "change", path("nic-slow"), "The same; one slows down to 100 Mb/s", [(2, "slows down")]),
    ]
    return [name for name in drawn if name]


def report(result, folder, document):
    """Prints the table, draws, and writes the table into the document, if one is given."""
    cells, caption = _cells(result["figures"]), machine.caption(result)
    print(caption + "\n")
    print(table.as_text(cells, LEFT))
    print(patterns.as_text(result["figures"]))
    for trouble in result["troubles"]:
        print("note: " + trouble)
    for name in _draw(result, folder):
        print("wrote " + os.path.relpath(name))
    if document:
        _write_into(document, "multinic-table", table.as_markdown(cells, caption, LEFT))
        _write_into(document, "multinic-patterns-table", patterns.as_markdown(result["figures"], caption))


def _write_into(document, mark, text):
    if text and not table.write_into(document, text, mark):
        print("perf/multinic: %s has no <!-- %s --> section" % (document, mark))
