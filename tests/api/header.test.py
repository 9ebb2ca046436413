#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""include/mpi.h against the tables of the ABI: every constant, type and prototype, and nothing else but what the standard has and
the ABI leaves out (mpi_fortran.h), and errors for what it had (mpi_hints.h)."""
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from tap import CC, CXX, INCLUDE, done, ok, run, table

constants, types, functions, datatypes = (table(n) for n in ("constants", "types", "functions", "datatypes"))
C = CC + ["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-Wno-deprecated-declarations"]
CPP = CXX + ["-x", "c++", "-std=c++11", "-Wall", "-Wextra", "-Werror", "-Wno-deprecated-declarations"]


def compiles(compiler, lines, flags=("-fsyntax-only",)):
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "t.c"
        source.write_text("#include <mpi.h>\n" + "\n".join(lines) + "\n")
        result = run([*compiler, *flags, f"-I{INCLUDE}", source])
        return result.returncode == 0, result.stdout


def prefixed(text, name):
    """A table's C text of a function type, as a declaration of `name`."""
    return re.sub(r"\((?!\*)", f" {name}(", text, count=1)


def constant_checks(is_cpp):
    """A wrong value and a wrong type are both errors."""
    say = "static_assert" if is_cpp else "_Static_assert"
    for row in constants:
        name, value, ctype = row["NAME"], row["VALUE"], row["CTYPE"]
        if ctype.endswith("_function*") or ctype.endswith("_function_c*") or not is_integer(ctype):
            # Not a constant expression where the language is strict about pointers: a switch would refuse it, so the
            # value is checked at run time (below); the type by an initialization without a cast.
            yield f"{ctype.replace('*', ' *')} type_of_{name}(void); {ctype.replace('*', ' *')} type_of_{name}(void) {{ return {name}; }}"
        else:
            yield f'{say}({name} == {value}, "{name}");'
            yield f'{say}(sizeof({name}) == sizeof({ctype}), "type of {name}");'


def is_integer(ctype):
    return ctype in ("int", "MPI_Offset", "MPI_T_cb_safety", "MPI_T_source_order")


def value_program():
    yield "#include <stdio.h>"
    yield "int main(void) { int bad = 0;"
    for row in constants:
        cast = "(long long)" if is_integer(row["CTYPE"]) else "(long long)(intptr_t)"
        yield (f'if ({cast}{row["NAME"]} != {row["VALUE"]}LL) '
               f'{{ printf("{row["NAME"]} is %lld, not {row["VALUE"]}\\n", {cast}{row["NAME"]}); bad++; }}')
    yield "return bad != 0; }"


def type_checks():
    for row in types:
        name, definition = row["NAME"], row["DEFINITION"]
        if row["SIZE_LP64"]:
            yield f'_Static_assert(sizeof({name}) == {row["SIZE_LP64"]}, "size of {name}");'
        if row["KIND"].startswith("callback function"):
            yield f"typedef {prefixed(definition, 'want_' + name)};"
            yield f"extern want_{name} *check_{name}; extern {name} *check_{name};"
        elif definition.startswith("same type as "):
            yield f"extern {definition[13:]} *check_{name}; extern {name} *check_{name};"
        elif definition.startswith("pointer to incomplete "):
            yield f"extern {definition[22:]} *check_{name}; extern {name} check_{name};"
        elif name == "MPI_Status":
            for offset, field in enumerate(["MPI_SOURCE", "MPI_TAG", "MPI_ERROR", "MPI_internal"]):
                yield f'_Static_assert(__builtin_offsetof(MPI_Status, {field}) == {4 * offset}, "{field}");'
        elif row["KIND"] == "integer":
            yield f"extern {definition.split(' ')[0]} check_{name}; extern {name} check_{name};"


def prototype_checks():
    """A second declaration that differs is an error in C; in C++ one that differs in its parameters is another function."""
    for row in functions:
        for name in (row["NAME"], "P" + row["NAME"]):
            yield f"{row['RETURN']} {name}({row['PARAMETERS']});"
            yield f"{row['RETURN']} (*use_{name})({row['PARAMETERS']}) = {name};"


def macros(flags):
    result = run([*CC, "-dM", "-E", "-x", "c", *flags, "-"], input="")
    return set(re.findall(r"#define (\w+)", result.stdout))


ok(*(lambda r: (r[0], "C11 takes the header alone", r[1]))(compiles(C, ["int unused;"])))
ok(*(lambda r: (r[0], "C++ takes the header alone", r[1]))(compiles(CPP, ["int unused;"])))
ok(*(lambda r: (r[0], "C99 takes the header alone", r[1]))(compiles(CC + ["-std=c99", "-Wall", "-Werror"], ["int unused;"])))
ok(len(constants) == 365 and len(functions) == 664 and len(types) == 50, "the tables are whole",
   f"{len(constants)} constants, {len(functions)} functions, {len(types)} types")
ok(*(lambda r: (r[0], f"{len(constants)} constants have their type and value in C", r[1]))(compiles(C, constant_checks(False))))
ok(*(lambda r: (r[0], f"{len(constants)} constants have their type and value in C++", r[1]))(compiles(CPP, constant_checks(True))))
with tempfile.TemporaryDirectory() as folder:
    program = pathlib.Path(folder) / "values"
    built, text = compiles(C, value_program(), ["-o", program])
    result = run([program]) if built else None
    ok(built and result.returncode == 0, "handles and pointers have their value", text if not built else result.stdout)
ok(*(lambda r: (r[0], f"{len(types)} types are as in the table", r[1]))(compiles(C, type_checks())))
ok(*(lambda r: (r[0], f"{2 * len(functions)} prototypes are as in the table", r[1]))(compiles(C, prototype_checks())))
ok(*(lambda r: (r[0], "the prototypes are the same in C++", r[1]))(compiles(CPP, ['extern "C" {', *prototype_checks(), "}"])))

# MPI_Status may be passed to Fortran and to another MPI of the same ABI: 8 integers.
ok(*(lambda r: (r[0], "MPI_Status has 32 bytes", r[1]))(compiles(C, ['_Static_assert(sizeof(MPI_Status) == 32, "");'])))
ok(*(lambda r: (r[0], "a datatype's handle holds its size", r[1]))(compiles(C, [
    f'_Static_assert(1 << ((int)({row["VALUE"]} >> 3) & 7) == {row["SIZE_FROM_CODE"]}, "{row["NAME"]}");'
    for row in datatypes if row["SIZE_FROM_CODE"]])))

# MPI 5.0, section 19.3; each of the functions as PMPI_, too.
handles = {"Comm": "MPI_Comm", "Errhandler": "MPI_Errhandler", "File": "MPI_File", "Group": "MPI_Group", "Info": "MPI_Info",
           "Message": "MPI_Message", "Op": "MPI_Op", "Request": "MPI_Request", "Session": "MPI_Session", "Type": "MPI_Datatype",
           "Win": "MPI_Win"}
statuses = {"c": "MPI_Status", "f": "MPI_Fint", "f08": "MPI_F08_status"}
conversions = ([f"MPI_Fint (*NAME_{k}_c2f)({t}) = {{}}_{k}_c2f; {t} (*NAME_{k}_f2c)(MPI_Fint) = {{}}_{k}_f2c;" for k, t in handles.items()]
               + [f"int (*NAME_Status_{a}2{b})(const {statuses[a]} *, {statuses[b]} *) = {{}}_Status_{a}2{b};"
                  for a in statuses for b in statuses if a != b])
fortran = {f"{p}_{k}_{way}" for p in ("MPI", "PMPI") for k in handles for way in ("c2f", "f2c")}
fortran |= {f"{p}_Status_{a}2{b}" for p in ("MPI", "PMPI") for a in statuses for b in statuses if a != b}
fortran |= {"MPI_Fint", "MPI_F08_status", "MPI_F_STATUS_IGNORE", "MPI_F_STATUSES_IGNORE", "MPI_F08_STATUS_IGNORE", "MPI_F08_STATUSES_IGNORE"}
pointers = [line.replace("NAME", f"to_{p}").replace("{}", p) for line in conversions for p in ("MPI", "PMPI")]
for width in ("int", "long long"):
    sizes = [f'_Static_assert(sizeof(MPI_Fint) == sizeof({width}) && sizeof(MPI_F08_status) == 8 * sizeof({width}), "");',
             "MPI_Fint *a = MPI_F_STATUS_IGNORE, *b = MPI_F_STATUSES_IGNORE;",
             "MPI_F08_status *c = MPI_F08_STATUS_IGNORE, *d = MPI_F08_STATUSES_IGNORE;"]
    wide = [f"-DMPI_ABI_Fint={width}"] if width != "int" else []
    ok(*(lambda r: (r[0], f"conversions for Fortran, INTEGER as {width}", r[1]))(compiles(C + wide, pointers + sizes)))
    ok(*(lambda r: (r[0], f"in C++, INTEGER as {width}", r[1]))(compiles(CPP + wide, pointers)))

# Programs say -DMPI and #define Info or Type of their own.
words = ["MPI", "PMPI", "ABI", "CONVERT", "PREFIX", "NAME", "TYPE", *handles, "Status", "Fint", "c2f", "f2c", "toint", "fromint"]
for language, compiler in (("C", C), ("C++", CPP)):
    ok(*(lambda r: (r[0], f"conversions where a program has words such as MPI and Info as macros, in {language}", r[1]))(
        compiles(compiler + [f"-D{word}=1" for word in words], pointers)))

removed = {"MPI_Address": "(&x, &x)", "MPI_Errhandler_create": "(0, 0)", "MPI_Errhandler_get": "(MPI_COMM_WORLD, 0)",
           "MPI_Errhandler_set": "(MPI_COMM_WORLD, 0)", "MPI_Type_extent": "(MPI_INT, &x)", "MPI_Type_lb": "(MPI_INT, &x)",
           "MPI_Type_ub": "(MPI_INT, &x)", "MPI_Type_hvector": "(1, 1, x, MPI_INT, &t)", "MPI_Type_hindexed": "(1, &i, &x, MPI_INT, &t)",
           "MPI_Type_struct": "(1, &i, &x, &t, &t)", "MPI_LB": "", "MPI_UB": ""}
for name, arguments in removed.items():
    use = [f"void f(void); void f(void) {{ MPI_Aint x = 0; MPI_Datatype t = MPI_INT; int i = 0; (void)x, (void)t, (void)i; (void){name}{arguments}; }}"]
    for language, compiler in (("C", C), ("C++", CPP)):
        built, text = compiles(compiler, use)
        instead = "mpi_removed.h" if arguments else "MPI_Type_create_resized"
        ok(not built and f"{name} was removed by MPI-3.0" in text and instead in text, f"{name} is an error that says what to do, in {language}", text)
    for header in (["#include <mpi_removed.h>"], ["#include <mpi_removed.h>", "#include <mpi.h>"]):
        if arguments:
            built, text = compiles(C, header + use)
            ok(built, f"{name} with mpi_removed.h" + (" again" if len(header) > 1 else ""), text)

known = {row["NAME"] for row in constants + types + functions} | {"MPI_H_ABI"} | fortran | removed.keys()
known |= {"MPI_FORTRAN_H_ABI", "MPI_HINTS_H_ABI", "MPI_ABI_REMOVED", "MPI_ABI_OR_HEADER"}
allowed = known | {"P" + row["NAME"] for row in functions}
text = (INCLUDE / "mpi.h").read_text()
defined = set(re.findall(r"#\s*define\s+(\w+)", text))
ok(defined <= allowed, "the header defines no macro of its own", sorted(defined - allowed))
plain = run([*CC, "-E", "-P", f"-I{INCLUDE}", INCLUDE / "mpi.h"]).stdout
names = set(re.findall(r"\b(P?MPIX?_\w+)\s*\(", plain))
callbacks = {row["NAME"] for row in types}
ok(names - callbacks <= allowed, "the header declares no function of its own", sorted(names - callbacks - allowed))
pollution = macros(["-include", str(INCLUDE / "mpi.h")]) - macros(["-include", "stdint.h"])
ok(pollution <= allowed, "the header brings no macro but MPI's and <stdint.h>'s", sorted(pollution - allowed))
done()
