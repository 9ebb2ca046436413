# SPDX-License-Identifier: BSD-3-Clause
"""Other people's benchmarks: what their programs print, and the tables and fields of shares that are made of it."""

import os
import re
import statistics

from . import machine, patterns, plots, table

KEY = re.compile(r"([^/]*)/([^/]*)/ranks(\d+)/([^/]*)/(\d+)$")  # PLACE/SUITE/ranksN/PROGRAM/BYTES
SUITES = {"imb-mpi1": "IMB-MPI1", "imb-nbc": "IMB-NBC", "imb-p2p": "IMB-P2P", "imb-mt": "IMB-MT", "osu": "OSU"}
PLACES = {"one": "one host", "two": "two hosts, TCP without a limit", "shared": "two hosts, shared memory within each, TCP without a limit",
          "1gbit": "two hosts, one NIC of 1 Gb/s", "10gbit": "two hosts, one NIC of 10 Gb/s",
          "nics2": "two hosts, 2 NICs of 1 Gb/s", "nics4": "two hosts, 4 NICs of 1 Gb/s", "uneven": "two hosts, 1 Gb/s and 250 Mb/s"}
PREFERRED = ("t_max[usec]", "t_avg[usec]", "t[usec]", "t_ovrl[usec]", "time[usec]")  # of IMB's columns, the first that is there
NAME = re.compile(r"# Benchmarking (\S+)")
NUMBER = re.compile(r"\d+(\.\d+)?$")


def _numbers(line):
    words = line.split()
    return [float(word) for word in words] if words and all(NUMBER.match(word) for word in words) else []


def read_imb(text):
    """(program, bytes, us) of each line of figures that IMB printed."""
    name, columns = None, []
    for line in text.splitlines():
        found = NAME.match(line)
        if found:
            name, columns = found.group(1), []
        elif line.strip().startswith(("#bytes", "#repetitions")):
            columns = line.split()
        elif name and columns:
            figures = dict(zip(columns, _numbers(line)))
            times = [column for column in PREFERRED if column in figures] or [column for column in figures if "usec" in column]
            if times:
                yield name, int(figures.get("#bytes", 0)), figures[times[0]]


def read_osu(program, text):
    """The same of an OSU program: its second column; of bandwidths the us for 1000 bytes, so that less is better everywhere."""
    for line in text.splitlines():
        figures = _numbers(line)
        if program == "barrier" and figures:
            yield program, 0, figures[0]
        elif len(figures) > 1 and figures[1] > 0:
            is_rate = program in ("bw", "bibw", "mbw_mr")
            yield program, int(figures[0]), 1e3 / figures[1] if is_rate else figures[1]


def with_threads(threads, rows):
    """The same rows, their programs named with the number of threads, if there is one."""
    for program, size, us in rows:
        yield "%s x%s" % (program, threads) if threads else program, size, us


def _rows(figures, place, suite, ranks):
    for stack, samples in figures.items():
        for key, values in samples.items():
            found = KEY.match(key)
            if found and found.groups()[:3] == (place, suite, ranks):
                yield stack, found[4], int(found[5]), values


def fields(result):
    """((place, suite, ranks), title, patterns.Place) of each place, suite and number of ranks that was measured."""
    found = {KEY.match(key).groups()[:3] for key in result["figures"].get("hawser", {})}
    for place in PLACES:
        for suite in SUITES:
            for ranks in sorted((r for p, s, r in found if (p, s) == (place, suite)), key=int):
                field = patterns.Place(_rows(result["figures"], place, suite, ranks), statistics.median)
                if field.rows():
                    yield (place, suite, ranks), "%s, %s ranks, %s" % (SUITES[suite], ranks, PLACES[place]), field


def as_text(result):
    parts = []
    for _, title, field in fields(result):
        parts += ["%s: %s" % (title, field.summary())] + ["behind: " + line for line in field.behind()] + [""]
    return "\n".join(parts)


def _best(field):
    """How many of the rows that are behind are so to each peer alone."""
    late = {}
    for ratio, pattern, size in field.rows():
        if ratio > patterns.BEHIND:
            stack = field.peer(pattern, size)[1]
            late[stack] = late.get(stack, 0) + 1
    return ", ".join("%s (%d)" % (patterns.NAMES[stack], n) for stack, n in sorted(late.items(), key=lambda pair: -pair[1]))


def as_markdown(result):
    """The text between the marks of docs/performance.md: a line for each field."""
    lines = ["| what | rows | median | above 1.03 | beside whom | the worst |", "|---|--:|--:|--:|---|---|"]
    for _, title, field in fields(result):
        rows = field.rows()
        worst = "%s %s %.2f" % (rows[0][1], patterns.size_text(rows[0][2]), rows[0][0])
        lines.append("| %s | %d | %.2f | %d | %s | %s |" % (title, len(rows), statistics.median(row[0] for row in rows), sum(
            row[0] > patterns.BEHIND for row in rows), _best(field), worst))
    return machine.caption(result) + " Medians of all samples.\n\n" + "\n".join(lines) + "\n"


def _sample_text(values):
    """The median, and in brackets the least and the most if there are several."""
    spread = " (%s, %s)" % (table.show(min(values)), table.show(max(values))) if len(values) > 1 else ""
    return table.show(statistics.median(values)) + spread


def rows_above_one(result):
    """Markdown: each row in which Hawser's median is above the best peer's, field by field, the worst first."""
    parts = ["# Rows above 1.00", machine.caption(result) + " us: the median, and the least and the most where there are several samples. Written by "
             "`perf/suites --replot FILE... --rows docs/performance-rows.md`; what limits them: [performance.md](performance.md)."]
    for key, title, field in fields(result):
        late = [row for row in field.rows() if row[0] > 1]
        samples = {(stack, program, size): values for stack, program, size, values in _rows(result["figures"], *key)}
        parts.append("## %s\n\n%d of %d rows." % (title, len(late), len(field.rows())))
        lines = ["| what | share | Hawser, us | the best peer, us | |", "|---|--:|--:|--:|---|"] if late else []
        for ratio, program, size in late:
            stack = field.peer(program, size)[1]
            lines.append("| %s %s | %.2f | %s | %s | %s |" % (program, patterns.size_text(size), ratio, _sample_text(samples["hawser", program, size]),
                                                          _sample_text(samples[stack, program, size]), patterns.NAMES[stack]))
        parts.append("\n".join(lines))
    return "\n\n".join(part for part in parts if part) + "\n"


def draw(result, folder):
    """A picture for each field; returns the files."""
    drawn = []
    os.makedirs(folder, exist_ok=True)
    for (place, suite, ranks), title, field in fields(result):
        shares = [[field.ratio(pattern, size) for pattern in field.patterns] for size in field.sizes]
        rows = [(patterns.size_text(size), row) for size, row in zip(field.sizes, shares) if any(share is not None for share in row)]
        drawn.append(plots.heat(os.path.join(folder, "suites-%s-%s-%s.png" % (suite, place, ranks)), title + ": share of the best peer's time", field.patterns,
                                [text for text, _ in rows], [row for _, row in rows]))
    return [path for path in drawn if path]


def report(result, folder, document, rows):
    """Prints all, draws into the folder, and writes the table into the document and all rows above 1.00 into `rows`, if there are such."""
    print(machine.caption(result) + "\n")
    print(as_text(result))
    for trouble in result["troubles"]:
        print("note: " + trouble)
    for path in draw(result, folder):
        print("wrote " + os.path.relpath(path))
    if document:
        table.write_into(document, as_markdown(result), "suites-table")
    if rows:
        with open(rows, "w", encoding="utf-8") as file:
            file.write(rows_above_one(result))
