# SPDX-License-Identifier: BSD-3-Clause
"""The table of figures with ratios and targets, and its place in the documents."""

import re
import statistics

MARK = r"(<!-- %s -->\n).*?(<!-- /%s -->)"
PEERS = ("mpich", "openmpi")


class Row:
    """One line of the table. keys: the figures it is made of (the worst of them counts); target: its text; reached: a
    function of (hawser, better peer, raw) that says whether the target is met; None for a row that has none. mark: the
    table in the documents that it belongs to."""

    def __init__(self, label, unit, keys, lower, target="", reached=None, mark="perf-table"):
        self.label, self.unit, self.keys, self.lower = label, unit, keys, lower
        self.target, self.reached, self.mark = target, reached, mark


def _times(factor, above_raw=False):
    """At least factor times the better peer; raw TCP below it too where asked."""
    return lambda h, peer, raw: peer and h >= factor * peer and (not above_raw or (raw and h > raw))


def _share(part):
    return lambda h, peer, raw: peer and h <= peer * part


def _under(limit):
    return lambda h, peer, raw: h < limit


def _near_raw(h, peer, raw):
    return raw and peer and h <= 1.05 * raw and h < peer


def _datatype_rows():
    """Messages that are not contiguous: each layout and size a row."""
    peer = (False, ">= 1.0 x peer", _times(1.0), "types-table")
    layouts = [("vector8", "vector, runs of 8 B"), ("vector64", "vector, runs of 64 B"), ("vector4K", "vector, runs of 4 KiB"),
               ("vector64K", "vector, runs of 64 KiB"), ("face", "indexed face of a 3-D array"),
               ("struct", "structs of mixed fields")]
    sizes = [(65536, "64 KiB"), (1048576, "1 MiB"), (4194304, "4 MiB")]
    rows = [Row("%s, %s" % (label, text), "MB/s", ["types/%s/%d" % (key, size)], *peer)
            for key, label in layouts for size, text in sizes]
    rows.append(Row("20-byte structs, window of 64", "1/s", ["types/small/20"], *peer))
    packs = [("pack8", "MPI_Pack + MPI_Unpack, runs of 8 B"), ("pack64", "the same, runs of 64 B"),
             ("packface", "the same, face"), ("packstruct", "the same, structs")]
    return rows + [Row("%s, 1 MiB" % label, "MB/s", ["types/%s/1048576" % key], *peer) for key, label in packs]


def _shm_rows():
    """All ranks on one host, each MPI with its own shared memory."""
    below, above = ("below both", _share(1.0), "shm-table"), (">= 1.0 x peer", _times(1.0), "shm-table")
    rows = [Row("8-byte half round trip, one host", "us", ["shm/latency/8"], True, *below)]
    rows += [Row("%s half round trip, two of 8 ranks on one host" % text, "us", ["shm/among8/latency/%d" % size], True, *below)
             for size, text in ((8, "8-byte"), (1 << 10, "1 KiB"), (64 << 10, "64 KiB"), (1 << 20, "1 MiB"))]
    rows += [Row("%s messages, window of 64, one host" % text, "1/s", ["shm/rate/%d" % size], False, *above)
             for size, text in ((8, "8-byte"), (1024, "1 KiB"))]
    sizes = [(1 << 10, "1 KiB"), (8 << 10, "8 KiB"), (64 << 10, "64 KiB"), (256 << 10, "256 KiB"), (1 << 20, "1 MiB"),
             (4 << 20, "4 MiB")]
    rows += [Row("bandwidth, %s, one host" % text, "MB/s", ["shm/bandwidth/%d" % size], False, *above) for size, text in sizes]
    ops = [("barrier/0", "barrier"), ("allreduce/8", "8-byte allreduce"), ("allreduce/65536", "64 KiB allreduce"),
           ("alltoall/64", "64-byte alltoall"), ("alltoall/16384", "16 KiB alltoall"), ("bcast/8", "8-byte bcast"),
           ("bcast/65536", "64 KiB bcast"), ("allgather/8", "8-byte allgather"), ("allgather/16384", "16 KiB allgather")]
    return rows + [Row("%s, %d ranks on one host" % (text, ranks), "us", ["shm/collective/%s/ranks%d" % (key, ranks)], True, *below)
                   for ranks in (4, 8, 16) for key, text in ops]


def _thread_rows():
    """Threads at once, each pair on its own communicator."""
    rows = []
    for place, where in (("", "two hosts"), ("shm/", "one host")):
        for n in (1, 2, 3, 4):
            text = "%d thread%s each, %s" % (n, "s" * (n > 1), where)
            rows.append(Row("8-byte messages, %s" % text, "1/s", [place + "threads/stream/%d" % n], False, ">= 1.0 x peer", _times(1.0),
                            "threads-table"))
            if n > 1:
                rows.append(Row("the same over one thread's", "", [place + "threads/share/%d" % n], False, ">= 0.9",
                                lambda h, peer, raw: h >= 0.9, "threads-table"))
            rows.append(Row("8-byte ping-pong, %s" % text, "us", [place + "threads/pingpong/%d" % n], True, "below both", _share(1.0),
                            "threads-table"))
    return rows


def _beside_rows():
    """Ranks that communicate while the other half of the host's ranks computes."""
    ops = [("pingpong", "half round trip"), ("tests", "the same by loops of MPI_Test"), ("probes", "by loops of MPI_Iprobe"),
           ("allreduce", "allreduce")]
    rows = []
    for ranks in (4, 8):
        for op, text in ops:
            for size, size_text in ((8, "8 B"), (64 << 10, "64 KiB")):
                key = "%s/%d/ranks%d" % (op, size, ranks)
                rows.append(Row("%s, %s, %d ranks" % (text, size_text, ranks), "us", ["shm/beside/us/" + key], True, "below both",
                                _share(1.0), "beside-table"))
                rows.append(Row("work left to the others", "", ["shm/beside/left/" + key], False, ">= 0.5", lambda h, peer, raw: h >= 0.5,
                                "beside-table"))
    return rows


MB = 1e6
ROWS = [
    Row("8-byte half round trip", "us", ["latency/8"], True, "<= 1.05 raw, below both", _near_raw),
    Row("8-byte messages, window of 64", "1/s", ["rate/8"], False, ">= 8 x peer", _times(8)),
    Row("bandwidth, 64 KiB", "MB/s", ["bandwidth/65536"], False, ">= 1.6 x peer", _times(1.6)),
    Row("bandwidth, 256 KiB", "MB/s", ["bandwidth/262144"], False, ">= 1.0 x peer", _times(1.0)),
    Row("bandwidth, 1 MiB", "MB/s", ["bandwidth/1048576"], False, ">= 1.8 x peer, > raw", _times(1.8, True)),
    Row("bandwidth, 4 MiB", "MB/s", ["bandwidth/4194304"], False, ">= 1.8 x peer, > raw", _times(1.8, True)),
    *_datatype_rows(),
    Row("8-byte allreduce, 8 ranks on 2 hosts", "us", ["collective/allreduce/8/ranks8"], True, "<= 1/50 peer",
        _share(1 / 50)),
    Row("64-byte alltoall, 8 ranks on 2 hosts", "us", ["collective/alltoall/64/ranks8"], True, "<= 1/50 peer",
        _share(1 / 50)),
    Row("barrier, 8 ranks on 2 hosts", "us", ["collective/barrier/0/ranks8"], True),
    Row("8-byte bcast, 8 ranks on 2 hosts", "us", ["collective/bcast/8/ranks8"], True),
    Row("64 KiB allreduce, 8 ranks on 2 hosts", "us", ["collective/allreduce/65536/ranks8"], True),
    *[Row("8-byte ping-pong, module %s: its time over C's, %s" % (module, where), "", [place + "pingpong/" + key], True, "<= 1.03", _under(1.0301),
          "fortran-table")
      for place, where in (("", "two hosts"), ("shm/", "one host")) for key, module in (("mpi", "mpi"), ("f08", "mpi_f08"))],
    Row("CPU of a rank waiting 3 s in MPI_Recv", "s", ["idle/cpu"], True, "< 0.05 s", _under(0.05)),
    Row("growth under 100,000 unexpected 8 KiB", "MB", ["flood/isend", "flood/send"], True, "< 64 MB, whole, in order",
        _under(64)),
    Row("64 ranks: start, barrier, end", "s", ["startup/wall/ranks64"], True, "<= 1/4 peer", _share(1 / 4)),
    Row("64 ranks: largest resident set", "MB", ["startup/rss/ranks64"], True, "< 8 MB", _under(8)),
    Row("256 ranks: start, barrier, allreduce, end", "s", ["startup/wall/ranks256"], True, "< 3 s", _under(3)),
    *_shm_rows(),
    *_thread_rows(),
    *_beside_rows(),
    Row("256 ranks: most sockets in a rank", "", ["startup/sockets/ranks256"], True, "<= 32", _under(33)),
]


def value_of(figures, stack, row):
    """The median of a row's samples; of several keys the worst, and none when one of them has no samples."""
    medians = []
    for key in row.keys:
        samples = figures.get(stack, {}).get(key)
        if not samples:
            return None
        medians.append(statistics.median(samples))
    return max(medians) if row.lower else min(medians)


def show(value):
    """Three significant digits, thousands grouped."""
    if value is None:
        return "-"
    if value >= 100:
        return "{:,.0f}".format(value)
    return "%.3g" % value


def _verdict(row, hawser, peer, raw):
    if row.reached is None:
        return ""
    if hawser is None:
        return "no figure"
    if peer is None and "peer" in row.target:
        return "no peer figure"
    return "yes" if row.reached(hawser, peer, raw) else "NO"


def _cell(figures, notes, stack, row):
    value = value_of(figures, stack, row)
    if value is None and row.keys[0] in notes.get(stack, {}):
        return notes[stack][row.keys[0]]
    return show(value)


def table_rows(figures, notes, mark=None):
    """The cells of all rows, or of those of one table, that have a figure. notes[stack][key] says why a figure is missing."""
    cells = [["figure", "unit", "Hawser", "MPICH", "Open MPI", "raw TCP", "/ better peer", "/ raw", "target", "reached"]]
    for row in ROWS:
        if mark and row.mark != mark:
            continue
        hawser, raw = value_of(figures, "hawser", row), value_of(figures, "raw", row)
        peers = [v for v in (value_of(figures, peer, row) for peer in PEERS) if v is not None]
        known = any(row.keys[0] in notes.get(stack, {}) for stack in ("hawser", *PEERS))
        if hawser is None and raw is None and not peers and not known:
            continue
        peer = (min(peers) if row.lower else max(peers)) if peers else None
        cells.append([
            row.label, row.unit, *[_cell(figures, notes, stack, row) for stack in ("hawser", *PEERS, "raw")],
            show(hawser / peer) if hawser is not None and peer else "-",
            show(hawser / raw) if hawser is not None and raw else "-", row.target, _verdict(row, hawser, peer, raw)])
    return cells


def as_text(cells, left=(0, 1, 8, 9)):
    """left: the columns that hold words."""
    widths = [max(len(row[i]) for row in cells) for i in range(len(cells[0]))]
    lines = []
    for number, row in enumerate(cells):
        words = [word.ljust(w) if i in left else word.rjust(w) for i, (word, w) in enumerate(zip(row, widths))]
        lines.append("  ".join(words).rstrip())
        if number == 0:
            lines.append("  ".join("-" * w for w in widths))
    return "\n".join(lines)


def as_markdown(cells, caption, left=(0, 1, 8, 9)):
    lines = ["| " + " | ".join(row) + " |" for row in cells]
    lines.insert(1, "|%s|" % "|".join("---" if i in left else "--:" for i in range(len(cells[0]))))
    return "%s\n\n%s\n" % (caption, "\n".join(lines))


def write_into(path, text, mark="perf-table"):
    """Replaces what is between the marks; says whether the file has them."""
    pattern = re.compile(MARK % (mark, mark), re.S)
    with open(path, encoding="utf-8") as file:
        old = file.read()
    if not pattern.search(old):
        return False
    with open(path, "w", encoding="utf-8") as file:
        file.write(pattern.sub(lambda m: m.group(1) + text + m.group(2), old))
    return True
