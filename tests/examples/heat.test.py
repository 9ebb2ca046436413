#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""examples/heat on several ranks gives the field of a serial run bit for bit, and that field is the right one."""
import os
import pathlib
import struct
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "api"))
from tap import BUILD, ROOT, done, ok, run, skip

HEAT, MPIRUN, PICTURE = BUILD / "examples" / "heat", BUILD / "mpirun", ROOT / "examples" / "heat-input.png"


def field(path):
    data = path.read_bytes()
    height, width = struct.unpack_from("=2i", data)
    return height, width, struct.unpack_from(f"={height * width}d", data, 8)


def heat(folder, name, n, steps):
    raw, png = folder / f"{name}.raw", folder / f"{name}.png"
    result = run([MPIRUN, "-n", n, HEAT, "-steps", steps, "-raw", raw, PICTURE, png], stdin=open(os.devnull))
    good = result.returncode == 0 and raw.exists() and png.exists() and png.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    ok(good, f"{steps} steps on {n} ranks", result.stdout)
    return raw, png, result.stdout


def one_step(height, width, old):
    """The scheme again, written apart from heat.c: insulated edges, five points."""
    new = [0.0] * len(old)
    for r in range(height):
        above, here, below = max(r - 1, 0) * width, r * width, min(r + 1, height - 1) * width
        for c in range(width):
            t = old[here + c]
            left, right = old[here + max(c - 1, 0)], old[here + min(c + 1, width - 1)]
            new[here + c] = t + 0.2 * (left + right + old[above + c] + old[below + c] - 4 * t)
    return new


def main(folder):
    serial, serial_png, _ = heat(folder, "serial", 1, 60)
    for n in (2, 4, 6):
        raw, png, text = heat(folder, f"on{n}", n, 60)
        ok(raw.exists() and serial.exists() and raw.read_bytes() == serial.read_bytes(), f"{n} ranks give the serial field bit for bit")
        ok(png.exists() and serial_png.exists() and png.read_bytes() == serial_png.read_bytes(), f"{n} ranks give the serial picture")
        ok("heat: step 60 of 60" in text, "progress is reported", text)
    start, _, _ = heat(folder, "start", 4, 0)
    after, _, _ = heat(folder, "after", 4, 2)
    if not ok(start.exists() and after.exists(), "the fields were written"):
        return
    height, width, old = field(start)
    ok((height, width) == (480, 640) and 0.05 < sum(old) / len(old) < 0.5 and max(old) == 1.0, "the picture was read")
    want = one_step(height, width, one_step(height, width, old))
    off = max(abs(a - b) for a, b in zip(field(after)[2], want))
    ok(off < 1e-12, "two steps are those of an independent solver", f"off by {off}")


if not HEAT.exists():
    skip("heat", "built without libpng")
else:
    with tempfile.TemporaryDirectory() as name:
        main(pathlib.Path(name))
done()
