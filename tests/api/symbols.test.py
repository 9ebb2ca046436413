#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What the libraries export, and that they need nothing that a dlopen from Python could not load."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from tap import BUILD, LIBRARY, ROOT, done, ok, run

for library in (LIBRARY, BUILD / "libmpi_abi.a"):
    result = run([ROOT / "tools" / "check-symbols", library])
    ok(result.returncode == 0, f"{library.name} exports the 2 x 664 functions and nothing else", result.stdout)

dynamic = run(["readelf", "-d", "-W", LIBRARY]).stdout
ok("Library soname: [libmpi_abi.so.1]" in dynamic, "the soname is libmpi_abi.so.1", dynamic)
ok("libsctp" not in dynamic, "the library does not load libsctp before SCTP is chosen", dynamic)
ok("libjemalloc" not in dynamic, "the library does not need jemalloc", dynamic)
ok("TEXTREL" not in dynamic, "the library has no text relocations", dynamic)
ok("(RUNPATH)" not in dynamic and "(RPATH)" not in dynamic, "the library has no path built in", dynamic)
header = run(["readelf", "-l", "-W", LIBRARY]).stdout
ok("GNU_STACK" in header and "RWE" not in header, "the stack is not executable", header)
symbols = run(["nm", "-D", LIBRARY]).stdout
ok(" B " not in symbols and " D " not in symbols, "no variable is exported", symbols)
done()
