# SPDX-License-Identifier: BSD-3-Clause
"""Tables and plot of perf/sites."""

import os
import statistics

from harness import plots

TARGETS = {"pingpong": 1.015, "bandwidth": 1 / 0.98, "bt": 0.65, "sp": 0.72, "lu": 0.85}  # time through gateways over that of direct connections
COUNTS = (("timeouts", "time-outs"), ("probes", "tail loss probes"), ("probes_right", "of which found a loss"), ("duplicate_acks", "duplicate acks"), ("silences", "silences of 220 ms"), ("again", "segments again"), ("queue_drops", "dropped"))


def median(values):
    return statistics.median(values) if values else None


def target(key):
    row, what, line = key.split("/")
    if row == "bandwidth" and line != "quiet":
        return 1
    if row in ("npb", "mpich"):
        return TARGETS.get(what[:2], 1.02) if line.startswith("two") else 1.02
    return TARGETS.get(row)


def unit(key, value):
    row, what, _ = key.split("/")
    if row == "bandwidth":
        return "%.1f Mb/s" % (8 * int(what) / value / 1e6)
    return "%.3f ms" % (1e3 * value) if row in ("pingpong", "collectives") else "%.2f s" % value


def name_of(key):
    row, what, line = key.split("/")
    names = {"pingpong": "half round trip of 1 B", "bandwidth": "%s MB there and back" % what[:-6], "collectives": what + " of 8 ranks",
             "npb": what, "mpich": "MPICH, " + what}
    return "%s, %s" % (names[row], line)


def ratio_table(figures):
    rows = ["| figure | direct | gateways | time / direct | wanted | reached | rounds |\n|---|--:|--:|--:|--:|---|--:|"]
    for key, ways in figures.items():
        if key.startswith(("flows/", "collectives/")) or not ways.get("direct"):
            continue
        direct = median(ways["direct"])
        for way in ("gateways", "auto"):
            if not ways.get(way):
                continue
            ratio, wanted = median(ways[way]) / direct, target(key)
            rows.append("| %s%s | %s | %s | %.3f | %.3g | %s | %d |" % (
                name_of(key), "" if way == "gateways" else " (auto)", unit(key, direct), unit(key, median(ways[way])), ratio, wanted,
                "yes" if ratio <= wanted else "NO", min(len(ways["direct"]), len(ways[way]))))
    return "\n".join(rows)


def collective_table(figures):
    rows = ["| 8 ranks on two sites | way | time | round trips of the same way | wanted | reached |\n|---|---|--:|--:|--:|---|"]
    for key, ways in figures.items():
        row, what, line = key.split("/")
        trips = figures.get("pingpong/1/" + line, {})
        for way, values in ways.items() if row == "collectives" else ():
            if trips.get(way):
                n = median(values) / (2 * median(trips[way]))
                rows.append("| %s, %s | %s | %s | %.3f | 1.1 | %s |" % (what, line, way, unit(key, median(values)), n, "yes" if n <= 1.1 else "NO"))
    return "\n".join(rows)


def flow_table(figures):
    flows = {key.split("/")[1]: median(ways["gateways"]) for key, ways in figures.items() if key.startswith("flows/")}
    if not flows:
        return ""
    return "flows through a gateway: least share %.2f of the fair one (at least 0.5), a tenth has at most %.2f, most %.2f; %.1f Mb/s in all; memory %.1f MB (under 64); both gateways take %.2f s of processor time a GB" % (
        flows["least_share"], flows["tenth_share"], flows["most_share"], flows["mbit"], flows["memory"] / 1e6, flows["processor"])


def count_of(sample, name):
    """Of the link, or of all kernels together; None: files of before do not have it."""
    if name + "_hosts" in sample:
        return sample[name + "_gateways"] + sample[name + "_hosts"]
    return sample.get(name)


def count_table(counts):
    rows = ["| program | " + " | ".join("%s, direct | gateways" % text for _, text in COUNTS) + " |\n|---|" + "--:|" * (2 * len(COUNTS))]
    for key, ways in counts.items():
        cells = []
        for name, _ in COUNTS:
            for way in ("direct", "gateways"):
                samples = ways.get(way, [])
                one = [count for count in (count_of(s, name) for s in samples) if count is not None]
                cells.append("%g" % median(one) if one else "")
        rows.append("| %s | %s |" % (key.replace("/", ", "), " | ".join(cells)))
    return "\n".join(rows)


def tables(result):
    return "\n\n".join(filter(None, (ratio_table(result["figures"]), collective_table(result["figures"]), flow_table(result["figures"]), count_table(result["counts"]))))


def draw(result, folder):
    rows = []
    for key, ways in result["figures"].items():
        if not key.startswith(("flows/", "collectives/")) and all(ways.get(way) for way in ("direct", "gateways")):
            rows.append('"%s" %.4f' % (name_of(key), median(ways["gateways"]) / median(ways["direct"])))
    if not rows:
        return
    body = "$d << E\n%s\nE\nset style data histogram\nset style fill solid 0.9\nset boxwidth 0.8\nset xtics rotate by -40\nset yrange [0:*]\n" \
        "set arrow from graph 0, first 1 to graph 1, first 1 nohead\nunset key\nplot $d using 2:xtic(1) lc rgb '#0b6e4f'\n" % "\n".join(rows)
    plots.draw(os.path.join(folder, "sites.png"), "Two sites, 18 ms, 100 Mb/s: through gateways", "", "time / that of direct connections", body)
