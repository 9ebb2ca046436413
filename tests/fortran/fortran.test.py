#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Programs in the three ways of Fortran, built by the build tree's mpifort and run by its mpirun. A program stops with the number of
what was wrong, or its first rank says " ok"."""
import os
import pathlib
import re
import shutil
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "api"))
from tap import BUILD, done, ok, run, sanitizers, skip

# A program's sources (those in C are compiled with mpicc), and with how many ranks it runs.
PROGRAMS = [
    (["hello.f"], (1, 2, 3)),
    (["hello_mpi.f90"], (1, 2, 3)),
    (["hello_f08.f90"], (1, 2, 3)),
    (["widths.f90"], (1, 3)),
    (["reals.f90"], (1, 3)),
    (["removed.f"], (1,)),
    (["callbacks.f90"], (1, 3)),
    (["callbacks_f08.f90"], (1, 3)),
    (["between.f90", "between_c.c"], (2,)),
    (["spawn.f90", "spawn_c.c"], (1, 3)),
    (["spawn_f08.f90", "spawn_c.c"], (1, 3)),
]
ENV = {k: v for k, v in os.environ.items() if not re.match(r"MAKE|MFLAGS|PMI|HAWSER_|(MPI|MPICH|OMPI)_F?C", k)}
top = pathlib.Path(tempfile.mkdtemp(prefix="hawser-fortran."))


def built(sources):
    """The program; None if it does not build."""
    objects, program = [], top / pathlib.Path(sources[0]).stem
    for source in sources:
        objects.append(top / (source + ".o"))
        compiler = BUILD / ("mpicc" if source.endswith(".c") else "mpifort")
        # What a module's own kinds make of a test program is no fault of its, so warnings are errors.
        flags = ["-Wall", "-Werror", "-Wno-maybe-uninitialized"]
        if source.endswith(".c"):
            flags += ["-DINTEGER_BYTES=8"] * wide
        else:
            flags += [f"-J{top}"] + ["-Wno-conversion"] * wide
        result = run([compiler, "-g", *flags, "-c", "-o", objects[-1], HERE / source], env=ENV)
        if not ok(result.returncode == 0, f"{source} compiles", result.stdout):
            return None
    result = run([BUILD / "mpifort", "-o", program, *objects], env=ENV)
    return program if ok(result.returncode == 0 and not result.stdout, f"{sources[0]} links without a word", result.stdout) else None


def tests():
    global wide, long_real
    given = run([BUILD / "mpifort", "-showme:compile"], env=ENV).stdout.split()
    wide, long_real = "-fdefault-integer-8" in given, "-fdefault-real-8" in given
    for sources, sizes in PROGRAMS:
        program = built(sources)
        for n in sizes if program else ():
            result = run([BUILD / "mpirun", "-n", n, program], env=ENV)
            ok(result.returncode == 0 and result.stdout == " ok\n", f"{program.name} with {n} ranks", f"status {result.returncode}\n{result.stdout}")

    example()
    crash()
    wrong_arguments()
    other_sizes()
    other_names()


def example():
    result = run([BUILD / "mpifort", "-O2", "-Wall", "-Werror", "-o", top / "edges", HERE.parent.parent / "examples" / "edges.f90"], env=ENV)
    if ok(result.returncode == 0, "examples/edges.f90 compiles", result.stdout):
        result = run([BUILD / "mpirun", "-n", 4, top / "edges"], env=ENV)
        ok(result.stdout == "blocks 2 x 2, sum of the borders 2400. of 2400\n", "and swaps its edges", result.stdout)


def crash():
    """Beside the lines of gfortran's own handler, which stay, the MPI call is named."""
    program = built(["crash.f90"])
    if not program:
        return
    for how in ("recv", "op"):
        result = run([BUILD / "mpirun", "-n", 2, program, how], env=ENV)
        call = {"recv": "MPI_Recv", "op": "MPI_Allreduce"}[how] + "(_c)?"  # with an INTEGER of 8 bytes it is C's call with large counts
        ok(re.search(rf"^hawser: rank \d on host \S+: SIGSEGV, in {call}$", result.stdout, re.M), f"{how}: the rank names its call", result.stdout)
        ok(re.search(rf"^mpirun: rank \d on host .* \(SIGSEGV\) in {call}$", result.stdout, re.M), f"{how}: and mpirun", result.stdout)
        ok("Backtrace for this error" in result.stdout and "the calls that led there" not in result.stdout, f"{how}: the frames are gfortran's", result.stdout)


def wrong_arguments():
    """What a module can see is an error of the compiler's."""
    source = top / "wrong.f90"
    for way, call in (("mpi", "MPI_Comm_rank(MPI_COMM_WORLD, x, n)"), ("mpi", "MPI_Comm_rank(MPI_COMM_WORLD, n)"),
                      ("mpi_f08", "MPI_Comm_rank(MPI_INTEGER, n)"), ("mpi_f08", "MPI_Send(x, 1, MPI_COMM_WORLD, 0, 0, MPI_INTEGER)")):
        source.write_text(f"program wrong\nuse {way}\nimplicit none\ninteger :: n\nreal :: x\ncall {call}\nend program\n")
        result = run([BUILD / "mpifort", "-c", "-o", top / "wrong.o", source], env=ENV)
        ok(result.returncode != 0 and "Error:" in result.stdout, f"{way}: {call} does not compile", result.stdout)


def other_sizes():
    """REAL is what the compiler's option makes of it, with mpif.h; an INTEGER that is not C's int is refused."""
    source, program = top / "sizes.f", top / "sizes"
    source.write_text("""      PROGRAM SIZES
      INCLUDE 'mpif.h'
      INTEGER N, M, IERR
      REAL X, Y
      DOUBLE PRECISION D, E
      CALL MPI_INIT(IERR)
      X = 1.5
      D = 2.5D0
      CALL MPI_TYPE_SIZE(MPI_REAL, N, IERR)
      CALL MPI_TYPE_SIZE(MPI_DOUBLE_COMPLEX, M, IERR)
      CALL MPI_ALLREDUCE(X, Y, 1, MPI_REAL, MPI_SUM,
     +                   MPI_COMM_WORLD, IERR)
      CALL MPI_ALLREDUCE(D, E, 1, MPI_DOUBLE_PRECISION, MPI_SUM,
     +                   MPI_COMM_WORLD, IERR)
      IF (Y .EQ. 3 .AND. E .EQ. 5 .AND. MPI_WTIME() .GT. 0)
     +  PRINT '(2I4)', N, M
      CALL MPI_FINALIZE(IERR)
      END
""")
    for options, sizes in (([], "   4  16"), (["-fdefault-real-8", "-fdefault-double-8"], "   8  16"), (["-fdefault-real-8"], "   8  32")):
        if wide or long_real and not options:  # fixed form is for the INTEGER that most have; mpifort gives the option itself
            continue
        result = run([BUILD / "mpifort", *options, "-fallow-argument-mismatch", "-w", "-o", program, source], env=ENV)
        if ok(result.returncode == 0, f"mpif.h with {' '.join(options) or 'no option'} compiles", result.stdout):
            result = run([BUILD / "mpirun", "-n", 2, program], env=ENV)
            ok(result.stdout == f"{sizes}\n" * 2, "and its REAL is MPI_REAL", result.stdout)
    another = "-fno-default-integer-8" if wide else "-fdefault-integer-8"
    mismatch = "INTEGER(4) to INTEGER(8)" if wide else "INTEGER(8) to INTEGER(4)"
    for way, said in (("include 'mpif.h'", "Division by zero"), ("use mpi", mismatch), ("use mpi_f08", "no specific subroutine")):
        first, second = (way, "") if way.startswith("use") else ("", way)
        source = top / "another.f90"
        source.write_text(f"program another\n{first}\nimplicit none\n{second}\ninteger :: n\ncall MPI_Comm_size(MPI_COMM_WORLD, n, n)\nend program\n")
        result = run([BUILD / "mpifort", another, "-c", "-o", top / "another.o", source], env=ENV)
        ok(result.returncode != 0 and said in result.stdout, f"{way} with {another} does not compile", result.stdout)


# How a compiler may name a procedure: what FC_FUNC_ makes of it, gfortran's option, and what the symbols of gfortran that has no such
# option become.
NAMES = [
    ("lower", "name", ["-fno-underscoring"], None),
    ("lower__", "name ## __", ["-fsecond-underscore"], None),
    ("UPPER", "NAME", [], lambda symbol: symbol[:-1].upper()),
]


def other_names():
    """The library's sources with each of the other names, as configure --with-fortran-names has them, and programs that call them."""
    made, sources = BUILD / "src" / "fortran", HERE.parent.parent / "src"
    config = (BUILD / "config.h").read_text()
    compiler, given = run([BUILD / "mpifort", "-showme:command"], env=ENV).stdout.strip(), run([BUILD / "mpifort", "-showme:compile"], env=ENV).stdout.split()
    entries = [made / f"{name}.c" for name in ("entries", "descriptors", "slots")]
    entries += [sources / "fortran" / f"{name}.c" for name in ("values", "section", "callback", "integer", "bounds", "removed")]
    for kind, macro, options, renamed in NAMES:
        place = top / kind
        place.mkdir()
        (place / "config.h").write_text(re.sub(r"(#define FC_FUNC_\(name,NAME\)).*", rf"\1 {macro}", config))
        commands = [[BUILD / "mpicc", f"-I{place}", f"-I{made}", f"-I{sources}", "-c", "-o", place / f"{source.stem}.o", source] for source in entries]
        fortran = [compiler, *given, *options, "-w", f"-J{place}", f"-I{place}", "-c", "-o"]
        commands += [[*fortran, place / f"{source}.o", made / f"{source}.f90"] for source in ("types", "mpi", "mpi_f08")]
        programs = [HERE / name for name in ("hello.f", "hello_mpi.f90", "hello_f08.f90")]
        commands += [[*fortran, place / f"{source.stem}.o", source] for source in programs]
        results = [run(command, env=ENV) for command in commands]
        if not ok(not any(result.returncode for result in results), f"{kind}: compiles", "".join(result.stdout for result in results)):
            continue
        if renamed:
            for stem in ("types", "mpi", "mpi_f08", *(source.stem for source in programs)):
                rename(place / f"{stem}.o", renamed)
        library = [place / f"{source.stem}.o" for source in entries] + [place / f"{stem}.o" for stem in ("types", "mpi", "mpi_f08")]
        for source in programs:
            program = place / source.stem
            result = run([compiler, "-o", program, place / f"{source.stem}.o", *library, f"-L{BUILD / '.libs'}", "-lmpi_abi", f"-Wl,-rpath,{BUILD / '.libs'}"], env=ENV)
            if ok(result.returncode == 0, f"{kind}: {source.name} links", result.stdout):
                result = run([BUILD / "mpirun", "-n", 2, program], env=ENV)
                ok(result.stdout == " ok\n", f"{kind}: {source.name} runs", result.stdout)


def rename(path, new):
    """What gfortran calls mpi_send_ in an object gets the new name; procedures that are BIND(C) have their own."""
    symbols = {line.split()[-1] for line in run(["nm", path]).stdout.splitlines()}
    pairs = [f"{symbol} {new(symbol)}" for symbol in symbols if re.match(r"(p?mpi|hws_mpi)_\w+_$", symbol) and not symbol.endswith("_f08ts_")]
    (top / "symbols").write_text("\n".join(pairs) + "\n")
    run(["objcopy", f"--redefine-syms={top / 'symbols'}", path])


try:
    if not (BUILD / ".libs" / "libmpifort_abi.so").exists():
        skip("Fortran", "built without it")
    elif sanitizers():
        skip("Fortran", "gfortran's programs do not bring the sanitizers' runtime")
    else:
        tests()
finally:
    shutil.rmtree(top, ignore_errors=True)
done()
