# SPDX-License-Identifier: BSD-3-Clause
"""Patterns of messages by size: Hawser's time as a share of the better peer's, and the rows that are behind.

Of unlimited links the least of all samples counts: what disturbs a run makes it longer, never shorter. NICs of a limited rate let
short bursts pass, so there it is the median.
"""

import re
import statistics

from . import table

BEHIND = 1.03  # of the better peer's time
NAMES = {"mpich": "MPICH", "openmpi": "Open MPI", "mpich5": "MPICH 5", "openmpi5": "Open MPI 5"}
# Prefix of the figures, words, which of the samples counts.
PLACES = (("shm/", "on one host, each MPI with its own shared memory", min), ("", "between two hosts over TCP", min),
          ("nics2/", "between two hosts over 2 NICs of 1 Gb/s", statistics.median),
          ("nics4/", "between two hosts over 4 NICs of 1 Gb/s", statistics.median),
          ("uneven/", "between two hosts over 1 Gb/s + 250 Mb/s", statistics.median))
KEY = re.compile(r"(shm/|nics2/|nics4/|uneven/|)pattern/([^/]*)/(\d+)/ranks(\d+)$")


def size_text(n):
    return "%d MiB" % (n >> 20) if n >= 1 << 20 else "%d KiB" % (n >> 10) if n >= 1 << 10 else "%d B" % n


class Place:
    """The figures of one place and number of ranks."""

    def __init__(self, rows, counts=min):
        """rows: (stack, pattern, bytes, samples); counts: which of the samples does."""
        self.patterns, self.sizes = [], []
        self.us = {}  # (stack, pattern, size)
        for stack, pattern, size, samples in rows:
            self._add(stack, pattern, size, counts(samples))
        self.sizes.sort()

    def _add(self, stack, pattern, size, value):
        self.us[stack, pattern, size] = value
        if pattern not in self.patterns:
            self.patterns.append(pattern)
        if size not in self.sizes:
            self.sizes.append(size)

    def peer(self, pattern, size):
        """(us, stack) of the best peer, or None."""
        known = [(self.us[stack, pattern, size], stack) for stack in NAMES if (stack, pattern, size) in self.us]
        return min(known) if known else None

    def ratio(self, pattern, size):
        hawser, peer = self.us.get(("hawser", pattern, size)), self.peer(pattern, size)
        return hawser / peer[0] if hawser is not None and peer and peer[0] else None

    def cells(self, late="%.2f"):
        """A row for each size, a column for each pattern; late: how a ratio is written that is behind."""
        rows = [["bytes"] + self.patterns]
        for size in self.sizes:
            ratios = [self.ratio(pattern, size) for pattern in self.patterns]
            rows.append([size_text(size)] + ["-" if ratio is None else (late if ratio > BEHIND else "%.2f") % ratio for ratio in ratios])
        return rows

    def rows(self):
        """(ratio, pattern, size) of each row that has a ratio, the worst first."""
        known = [(self.ratio(p, s), p, s) for p in self.patterns for s in self.sizes if self.ratio(p, s) is not None]
        return sorted(known, reverse=True)

    def behind(self):
        """A sentence for each row that is behind."""
        lines = []
        for ratio, pattern, size in self.rows():
            us, stack = self.peer(pattern, size)
            if ratio > BEHIND:
                hawser = self.us["hawser", pattern, size]
                lines.append("%s of %s: %.2f (%s us, %s %s)" % (pattern, size_text(size), ratio, table.show(hawser), NAMES[stack],
                                                              table.show(us)))
        return lines

    def summary(self):
        ratios = [row[0] for row in self.rows()]
        late = sum(ratio > BEHIND for ratio in ratios)
        return "%d rows, the median %.2f, the worst %.2f; %d above %.2f" % (len(ratios), statistics.median(ratios), max(ratios), late,
                                                                           BEHIND)


def _rows(figures, prefix, ranks):
    """Those of one place and number of ranks."""
    for stack, samples in figures.items():
        for key, values in samples.items():
            found = KEY.match(key)
            if found and found[1] == prefix and int(found[4]) == ranks:
                yield stack, found[2], int(found[3]), values


def places(figures):
    """(title, Place) of each place and number of ranks where Hawser and a peer have figures."""
    found = {KEY.match(key) for key in figures.get("hawser", {})} - {None}
    for prefix, words, counts in PLACES:
        for ranks in sorted({int(match[4]) for match in found if match[1] == prefix}):
            place = Place(_rows(figures, prefix, ranks), counts)
            if place.rows():
                yield "%d ranks %s" % (ranks, words), place


def as_text(figures):
    parts = []
    for title, place in places(figures):
        parts.append("Hawser's time / the better peer's, %s: %s" % (title, place.summary()))
        parts.append(table.as_text(place.cells(), left=()))
        parts += ["behind: " + line for line in place.behind()]
        parts.append("")
    return "\n".join(parts)


def as_markdown(figures, caption):
    """The text between the marks of the documents; empty when nothing was measured."""
    parts = []
    for title, place in places(figures):
        parts.append("%s: %s.\n" % (title[0].upper() + title[1:], place.summary()))
        cells = [[cell.replace("_", " ") for cell in row] for row in place.cells("**%.2f**")]
        parts += ["| " + " | ".join(row) + " |" for row in cells[:1]]
        parts.append("|" + "--:|" * len(cells[0]))
        parts += ["| " + " | ".join(row) + " |" for row in cells[1:]]
        parts.append("")
    return caption + "\n\n" + "\n".join(parts) if parts else ""
