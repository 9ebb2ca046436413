# SPDX-License-Identifier: BSD-3-Clause
"""TAP for the tests in this folder, and where the build tree is."""
import csv
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = pathlib.Path(os.environ.get("builddir", ROOT / "build")).resolve()
INCLUDE = ROOT / "include"
LIBRARY = BUILD / ".libs" / "libmpi_abi.so.1"
CC = os.environ.get("CC", "gcc").split()
CXX = os.environ.get("CXX", "g++").split()

_number = _failed = 0


def table(name):
    """The rows of one of the ABI's tables, as dicts."""
    with open(ROOT / "tests" / "api" / "tables" / f"{name}.tsv", newline="") as f:
        return list(csv.DictReader(f, delimiter="\t", quoting=csv.QUOTE_NONE))


def ok(passed, what, why=""):
    """One result; the reason is shown when it failed."""
    global _number, _failed
    _number += 1
    print(f"{'ok' if passed else 'not ok'} {_number} - {what}", flush=True)
    if not passed:
        _failed += 1
        for line in str(why).splitlines()[:60]:
            print(f"#   {line}")
    return passed


def skip(what, why):
    global _number
    _number += 1
    print(f"ok {_number} - {what} # SKIP {why}", flush=True)


def run(command, **kwargs):
    """Runs a command; its output is text."""
    kwargs.setdefault("timeout", 600)  # only ends what hangs
    return subprocess.run([str(c) for c in command], stdout=subprocess.PIPE, stderr=kwargs.pop("stderr", subprocess.STDOUT),
                          text=True, **kwargs)


def sanitizers():
    """Flags that a program needs when the library in the build tree was built with sanitizers."""
    needs = run(["nm", "-D", "--undefined-only", LIBRARY]).stdout
    return ["-fsanitize=address,undefined"] if "__asan_init" in needs else []


def preload(built_with_sanitizers=False):
    """The runtimes that must be loaded first into a program: gcc's always, clang's where the program has none in itself."""
    if not sanitizers():
        return []
    names = ["libasan.so", "libubsan.so"]
    if "clang" in run(CC + ["--version"]).stdout:
        names = [] if built_with_sanitizers else [f"libclang_rt.asan-{os.uname().machine}.so"]
    return [run(CC + [f"-print-file-name={name}"]).stdout.strip() for name in names]


def done():
    print(f"1..{_number}")
    sys.exit(1 if _failed else 0)
