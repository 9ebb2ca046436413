# SPDX-License-Identifier: BSD-3-Clause
"""Tables and plots of perf/npb."""

import os
import shutil
import statistics
import sys

from . import machine, plots, table

PLACES = {"one": "one host", "two": "two hosts over TCP"}
STACKS = ("hawser", *table.PEERS)
MOST, MEAN = 1.03, 0.8  # of the better peer's time: each program, and their geometric mean


def median(result, group, stack, key):
    samples = result[group].get(stack, {}).get(key)
    return statistics.median(samples) if samples else None


def ratio_to(result, peer, key):
    """(Hawser's time over the peer's, whether it is only known to be below that: the peer was ended before its result), or None"""
    own, theirs = (median(result, "figures", stack, key) for stack in ("hawser", peer))
    if own and theirs:
        return own / theirs, False
    wall, limit = median(result, "walls", "hawser", key), result["limits"].get(peer, {}).get(key)
    return (wall / limit, True) if wall and limit else None


def ratio(result, key):
    """The same to the better peer. One that was ended took longer than Hawser, so what another one took decides."""
    known = [found for found in (ratio_to(result, peer, key) for peer in table.PEERS) if found]
    ended = [found for found in known if not found[1]]
    return max(ended or known, default=None)


def keys_of(result, place):
    order = []
    for group in ("figures", "limits"):
        for stack in STACKS:
            order += [key for key in result[group].get(stack, {}) if key.startswith(place + "/") and key not in order]
    return order


def _cell(result, stack, key):
    seconds = median(result, "figures", stack, key)
    if seconds is not None:
        return table.show(seconds) if seconds else "0.00"
    limit = result["limits"].get(stack, {}).get(key)
    return "> %.0f" % limit if limit else "-"


def _mean(ratios):
    return statistics.geometric_mean([value for value, _ in ratios])


def rows(result):
    cells = [["program", "where", *(plots.NAMES[stack] + ", s" for stack in STACKS), "/ better peer", "target", "reached"]]
    for place, where in PLACES.items():
        ratios = []
        for key in keys_of(result, place):
            found = ratio(result, key)
            line = [key.split("/")[1] + "." + result["class"], where, *(_cell(result, stack, key) for stack in STACKS)]
            if found:
                ratios.append(found)
                line += [("< " if found[1] else "") + table.show(found[0]), "<= %g" % MOST, "yes" if found[0] <= MOST else "NO"]
            cells.append(line if found else line + ["-", "", ""])
        if ratios:
            bound = "< " if any(is_bound for _, is_bound in ratios) else ""
            cells.append(["geometric mean", where, "", "", "", bound + table.show(_mean(ratios)), "<= %g" % MEAN,
                          "yes" if _mean(ratios) <= MEAN else "NO"])
    return cells


def _draw(result, place, folder):
    keys = keys_of(result, place)
    peers = [peer for peer in table.PEERS if any(ratio_to(result, peer, key) for key in keys)]
    if not peers:
        return None
    lines = []
    for key in keys:
        found = [ratio_to(result, peer, key) for peer in peers]
        lines.append('"%s" %s' % (key.split("/")[1].upper(), " ".join("?" if f is None else "%g" % f[0] for f in found)))
    body = "$d << E\n%s\nE\nset style data histogram\nset style histogram clustered gap 1\nset style fill solid 0.9\n" \
        "set boxwidth 0.9\nset key left top\nset datafile missing '?'\nset yrange [0:*]\n" % "\n".join(lines)
    body += "plot " + ", ".join("$d using %d:xtic(1) lc rgb '%s' title 'to %s'" % (i + 2, plots.COLOURS[p], plots.NAMES[p])
                                for i, p in enumerate(peers)) + ", 1 with lines lc rgb 'black' notitle\n"
    return plots.draw(os.path.join(folder, "npb-%s.png" % place), "NAS benchmarks, class %s, %d ranks, %s: time of Hawser / of the peer" %
                      (result["class"], result["ranks"], PLACES[place]), "", "", body)


def report(result, folder, document):
    cells = rows(result)
    caption = "%d ranks. %s" % (result["ranks"], machine.caption(result))
    print(caption + "\n\n" + table.as_text(cells, (0, 1, 6, 7)))
    for trouble in result["troubles"]:
        print("note: " + trouble)
    if result["busy_runs"]:
        print("note: %d of %d runs began on a busy machine: noise" % (result["busy_runs"], result["runs"]))
    if document and not table.write_into(document, table.as_markdown(cells, caption, (0, 1, 6, 7)), "npb-table"):
        print("perf/npb: no <!-- npb-table --> section", file=sys.stderr)
    if shutil.which("gnuplot"):
        os.makedirs(folder, exist_ok=True)
        for path in filter(None, (_draw(result, place, folder) for place in PLACES)):
            print("wrote " + os.path.relpath(path), file=sys.stderr)
