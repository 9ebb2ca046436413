#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""`make install` gives a prefix like any MPI's: files, both dialects of wrapper queries, pkg-config, CMake, a moved
prefix, a static link."""
import os
import pathlib
import re
import shutil
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from tap import BUILD, ROOT, done, ok, run, sanitizers, skip

PROGRAM = """#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    int version, subversion, rank;
    MPI_Init(&argc, &argv);
    MPI_Get_version(&version, &subversion);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    printf("MPI %d.%d rank %d\\n", version, subversion, rank);
    return MPI_Finalize();
}
"""
WANT = "MPI 5.0 rank 0\n"
ENV = {k: v for k, v in os.environ.items() if not re.match(r"MAKE|MFLAGS|PMI|HAWSER_|(MPI|MPICH|OMPI)_F?C|CC$|CXX$|PKG_CONFIG", k)}
version = re.search(r"^PACKAGE_VERSION = (\S+)", (BUILD / "Makefile").read_text(), re.M).group(1)
configured = {k: re.search(rf"^{k} = (.*)$", (BUILD / "Makefile").read_text(), re.M).group(1) for k in ("prefix", "CC", "CXX")}
top = pathlib.Path(tempfile.mkdtemp(prefix="hawser-install."))


def sh(*command, **env):
    return run(command, env={**ENV, **env})


def output(what, want, *command, **env):
    result = sh(*command, **env)
    return ok(result.returncode == 0 and result.stdout == want, what,
              f"status {result.returncode}\ngot  {result.stdout!r}\nwant {want!r}")


def program(what, built, path):
    if built.returncode or built.stdout:
        return ok(False, what, built.stdout)
    return output(what, WANT, path)


def tests(prefix):
    bin_, lib, include = prefix / "bin", prefix / "lib", prefix / "include"
    for name in ("bin/mpicc bin/mpicxx bin/mpic++ bin/mpiCC bin/mpicc_abi bin/mpicxx_abi bin/mpifort bin/mpif90 bin/mpif77 bin/mpirun bin/mpiexec bin/hawser-info "
                 "include/mpi.h lib/libmpi_abi.so.1 lib/libmpi_abi.so lib/libmpi.so lib/libmpi.a lib/libmpi_abi.a "
                 "lib/pkgconfig/hawser.pc lib/pkgconfig/mpi.pc lib/pkgconfig/ompi-c.pc share/man/man1/mpicc.1 share/man/man1/mpicxx.1 "
                 "share/man/man1/mpirun.1 share/man/man1/hawser-info.1").split():
        ok((prefix / name).exists(), f"{name} is installed")
    ok(os.readlink(lib / "libmpi.so") == "libmpi_abi.so.1", "libmpi.so is a link to libmpi_abi.so.1")
    fortran = (BUILD / ".libs" / "libmpifort_abi.so").exists()
    for name in ("include/mpif.h include/mpi.mod include/mpi_f08.mod lib/libmpifort_abi.so.1 lib/libmpifort_abi.so lib/libmpifort.so "
                 "lib/libmpifort_abi.a lib/pkgconfig/mpi-fort.pc").split() if fortran else ():
        ok((prefix / name).exists(), f"{name} is installed")
    others = [p.name for p in include.iterdir() if not (p.suffix == ".mod" or p.name == "mpif.h")] + [p.name for p in lib.rglob("*.la")]
    ok(sorted(others) == ["mpi.h", "mpi_fortran.h", "mpi_hints.h", "mpi_removed.h"], "there are four headers, and no .la file is installed", others)

    cc, cxx = bin_ / "mpicc", bin_ / "mpicxx"
    gcc, gxx = configured["CC"].split()[0], configured["CXX"].split()[0]
    compile_, link = f"-I{include}", f"-L{lib} -Wl,-rpath,{lib} -Wl,--enable-new-dtags -lmpi_abi"
    for query, want in {
            "-show": f"{gcc} {compile_} {link}", "-showme": f"{gcc} {compile_} {link}",
            "-compile-info": f"{gcc} {compile_}", "-link-info": f"{gcc} {compile_} {link}",
            "-compile_info": f"{gcc} {compile_}", "-link_info": f"{gcc} {compile_} {link}",
            "-showme:compile": compile_, "-showme:link": link, "-showme:incdirs": str(include), "-showme:libdirs": str(lib),
            "-showme:libs": "mpi_abi", "-showme:command": gcc, "-showme:version": f"mpicc: Hawser {version} (Language: C)",
            "-show-compile-info": compile_, "-show-link-info": link, "-show-incdir": str(include), "-show-libdir": str(lib),
            "-show-bindir": str(bin_), "-show-rpath": str(lib), "-show-libs": "mpi_abi"}.items():
        output(f"mpicc {query}", want + "\n", cc, query)
        output(f"mpicc -{query}", want + "\n", cc, "-" + query)
    output("mpicc -show -c", f"{gcc} {compile_} -c x.c\n", cc, "-show", "-c", "x.c")
    output("mpicc -show quotes", f"{gcc} {compile_} -c 'a b.c' '-DS=\"x\"'\n", cc, "-show", "-c", "a b.c", '-DS="x"')
    output("mpicxx -showme:command", gxx + "\n", cxx, "-showme:command")
    output("mpic++ -showme:version", f"mpicxx: Hawser {version} (Language: C++)\n", bin_ / "mpic++", "-showme:version")
    for name in ("HAWSER_CC", "MPI_CC", "MPICH_CC", "OMPI_CC"):
        output(f"{name} names the compiler", "tcc -m64\n", cc, "-showme:command", **{name: "tcc -m64"})
    for name in ("HAWSER_CXX", "MPI_CXX", "MPICH_CXX", "OMPI_CXX"):
        output(f"{name} names the compiler", "other\n", cxx, "-showme:command", **{name: "other"})
    output("-cc= names the compiler", f"tcc {compile_} -c x.c\n", cc, "-cc=tcc", "-show", "-c", "x.c")
    ok(sh(cc, "-showme:nonsense").returncode == 1, "an unknown query fails")
    if fortran:
        mpifort(bin_, include, lib)
    for name in () if fortran else ("mpifort", "mpif90", "mpif77"):
        for arguments in ((), ("-show",), ("x.f90",)):
            result = sh(bin_ / name, *arguments)
            ok(result.returncode == 1 and result.stdout.startswith(f"{name}: this Hawser was built without Fortran") and result.stdout.count("\n") == 1,
               f"{name} {' '.join(arguments)} says that there is no Fortran", result.stdout)
    ok(sh(cc, "--version").stdout == sh(*gcc.split(), "--version").stdout, "mpicc --version reaches the compiler")
    result = sh(cc, "-v")
    ok(result.returncode == 0 and " version " in result.stdout, "mpicc -v reaches the compiler", result.stdout)

    source, cpp, exe = top / "t.c", top / "t.cpp", top / "t"
    source.write_text(PROGRAM)
    cpp.write_text(PROGRAM)
    program("mpicc builds a program", sh(cc, "-Wall", "-o", exe, source), exe)
    program("mpicxx builds a program", sh(cxx, "-Wall", "-o", exe, cpp), exe)
    built = sh(cc, "-c", "-o", top / "t.o", source)
    program("mpicc compiles and links apart", built if built.returncode else sh(cc, "-o", exe, top / "t.o"), exe)
    program("mpicc reads from a pipe", run(["sh", "-c", f"cat {source} | {cc} -x c - -o {exe}"], env=ENV), exe)
    program("-lmpi links too", sh(*gcc.split(), compile_, "-o", exe, source, f"-L{lib}", f"-Wl,-rpath,{lib}", "-lmpi"), exe)
    ok("libmpi_abi.so.1" in run(["readelf", "-d", exe]).stdout, "a program linked with -lmpi needs libmpi_abi.so.1")
    program("mpicc takes -lmpi and the library by its path", sh(cc, "-o", exe, source, "-lmpi", lib / "libmpi.so"), exe)
    other = top / "other" / "libmpi.so"
    other.parent.mkdir()
    other.write_text("")
    result = sh(cc, "-o", exe, source, other)
    ok(result.returncode == 1 and f"mpicc: '{other}' is of another MPI; mpicc names Hawser's libraries by itself" in result.stdout, "mpicc refuses another MPI's library", result.stdout)
    library_path(bin_ / "mpirun", gcc.split() + [compile_], lib)
    program("mpicc -static-mpi", sh(cc, "-static-mpi", "-o", exe, source), exe)
    ok("libmpi" not in run(["readelf", "-d", exe]).stdout, "a program linked with -static-mpi needs no libmpi")
    output("hawser-info --version", f"Hawser {version}, MPI 5.0, ABI 1.0\n", bin_ / "hawser-info", "--version")
    output("hawser-info --param", "1M\n", bin_ / "hawser-info", "--param", "tcpmaxfrag", HAWSER_TCPMAXFRAG="1048576")
    result = sh(bin_ / "hawser-info", "--param", "tcpmaxfrag", HAWSER_TCPMAXFRAG="lots")
    ok(result.returncode == 1 and result.stdout == "hawser-info: -tcpmaxfrag (HAWSER_TCPMAXFRAG): 'lots' is not a size from "
       "4K to 1G\n", "hawser-info names a bad value", result.stdout)
    missing = sh(bin_ / "hawser-info", "--missing").stdout.split()
    ok(all(m.startswith("MPI_") for m in missing) and "MPI_Send" not in missing and len(set(missing)) == len(missing),
       "hawser-info --missing lists functions", missing)
    pkg_config(prefix, source, exe)
    cmake(prefix)


FORTRAN = """program t
{0}
integer :: rank, version, subversion, ierror
call MPI_Init(ierror)
call MPI_Get_version(version, subversion, ierror)
call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
print '(a,i0,a,i0,a,i0)', 'MPI ', version, '.', subversion, ' rank ', rank
call MPI_Finalize(ierror)
end program
"""
WAYS = {"mpif.h": "implicit none\ninclude 'mpif.h'", "mpi": "use mpi\nimplicit none", "mpi_f08": "use mpi_f08\nimplicit none"}


def mpifort(bin_, include, lib):
    """The wrapper of Fortran answers as mpicc does, and builds programs in the three ways."""
    fc, compile_ = bin_ / "mpifort", f"-I{include}"
    link = f"-L{lib} -Wl,-rpath,{lib} -Wl,--enable-new-dtags -lmpifort_abi -lmpi_abi"
    gfortran = sh(fc, "-showme:command").stdout.strip()
    for query, want in {"-show": f"{gfortran} {compile_} {link}", "-showme:compile": compile_, "-showme:link": link, "-link-info": f"{gfortran} {compile_} {link}",
                        "-showme:libs": "mpifort_abi mpi_abi", "-showme:version": f"mpifort: Hawser {version} (Language: Fortran)"}.items():
        for name in ("mpifort", "mpif90", "mpif77"):
            output(f"{name} {query}", want + "\n", bin_ / name, query)
    for name in ("HAWSER_FC", "MPI_FC", "MPICH_FC", "OMPI_FC"):
        output(f"{name} names the compiler", "other -m64\n", fc, "-showme:command", **{name: "other -m64"})
    output("-fc= names the compiler", f"other {compile_} -c x.f90\n", fc, "-fc=other", "-show", "-c", "x.f90")
    source, exe = top / "t.f90", top / "t"
    for way, words in WAYS.items():
        source.write_text(FORTRAN.format(words))
        program(f"mpifort builds a program with {way}", sh(fc, "-Wall", "-o", exe, source), exe)
    built = sh(*gfortran.split(), compile_, "-o", exe, source, f"-L{lib}", "-Wl,--as-needed,-rpath,/gone", "-lmpifort_abi", "-lmpi_abi")
    if ok(built.returncode == 0, "a Fortran program linked with a folder that is gone", built.stdout):
        output("mpirun starts it", WANT, "env", "-u", "LD_LIBRARY_PATH", bin_ / "mpirun", "-n", "1", exe)
    program("mpifort -static-mpi", sh(fc, "-static-mpi", "-o", exe, source), exe)
    ok("libmpi" not in run(["readelf", "-d", exe]).stdout, "a program linked with -static-mpi needs no libmpi")
    if shutil.which("pkg-config"):
        flags = sh("pkg-config", "--cflags", "--libs", "mpi-fort", PKG_CONFIG_PATH=str(lib / "pkgconfig")).stdout.split()
        program("a Fortran program built with pkg-config", sh(*gfortran.split(), "-o", exe, source, *flags), exe)


def library_path(mpirun, compiler, lib):
    """A program that names no folder for the loader is led to the library of the mpirun that starts it, behind what the user names."""
    source = top / "path.c"
    source.write_text(PROGRAM.replace("<stdio.h>", "<stdio.h>\n#include <stdlib.h>").replace(
        'printf("', 'printf("%s ", getenv("LD_LIBRARY_PATH") ? getenv("LD_LIBRARY_PATH") : "none"), printf("'))
    for name, words, given, want in (("no folder", [], None, str(lib)), ("no folder, and the user one", [], "/nowhere", f"/nowhere:{lib}"),
                                     ("the right folder", [f"-Wl,-rpath,{lib}"], None, "none"), ("a folder that is gone", ["-Wl,-rpath,/gone"], None, str(lib))):
        exe = top / "path"
        built = sh(*compiler, "-o", exe, source, f"-L{lib}", "-lmpi_abi", *words)
        if ok(built.returncode == 0, f"linked with {name}", built.stdout):
            output(f"mpirun starts what was linked with {name}", f"{want} {WANT}", "env", "-u", "LD_LIBRARY_PATH",
                   *([f"LD_LIBRARY_PATH={given}"] if given else []), mpirun, "-n", "1", exe)


def pkg_config(prefix, source, exe):
    if not shutil.which("pkg-config"):
        return skip("pkg-config", "pkg-config is not installed")
    path = prefix / "lib" / "pkgconfig"
    for name in ("hawser", "mpi", "mpi-c", "mpi-cxx", "ompi-c", "ompi-cxx"):
        result = sh("pkg-config", "--validate", path / f"{name}.pc")
        ok(result.returncode == 0 and not result.stdout, f"{name}.pc is valid", result.stdout)
    output("pkg-config --modversion", version + "\n", "pkg-config", "--modversion", path / "hawser.pc")
    for flag in ((), ("--static",)):
        flags = sh("pkg-config", *flag, "--cflags", "--libs", "hawser", PKG_CONFIG_PATH=str(path)).stdout.split()
        flags = [f[:2] + os.path.normpath(f[2:]) if f[:2] in ("-I", "-L") else f for f in flags]
        ok(f"-I{prefix}/include" in flags and "-lmpi_abi" in flags and ("-lev" in flags) == bool(flag),
           f"pkg-config {' '.join(flag)} gives the flags", flags)
        rpath = [os.path.normpath(f[11:]) for f in flags if f.startswith("-Wl,-rpath,")]
        ok(rpath == [f"{prefix}/lib"], "and where the loader finds the library", flags)
    return program("a program built with pkg-config", sh(*configured["CC"].split(), "-o", exe, source, *flags, *sanitizers()), exe)


def cmake(prefix):
    if not shutil.which("cmake"):
        return skip("CMake", "cmake is not installed")
    project = top / "project"
    project.mkdir(exist_ok=True)
    (project / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.13)\nproject(t C CXX)\nset(MPI_DETERMINE_LIBRARY_VERSION ON)\n"
        "find_package(MPI 4 REQUIRED COMPONENTS C CXX)\n"
        'message(STATUS "library: ${MPI_C_LIBRARY_VERSION_STRING}")\n'
        'message(STATUS "mpiexec: ${MPIEXEC_EXECUTABLE}")\n'
        "add_executable(t t.c)\ntarget_link_libraries(t MPI::MPI_C)\nadd_executable(u u.cpp)\ntarget_link_libraries(u MPI::MPI_CXX)\n"
        "enable_testing()\nadd_test(NAME ranks COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} 2 $<TARGET_FILE:t>)\n")
    (project / "t.c").write_text(PROGRAM)
    (project / "u.cpp").write_text(PROGRAM)
    made = top / "made"
    shutil.rmtree(made, ignore_errors=True)
    result = sh("cmake", "-S", project, "-B", made, f"-DMPI_HOME={prefix}")
    if not ok(result.returncode == 0, "CMake finds the prefix", result.stdout):
        return False
    ok(f"mpiexec: {prefix}/bin/mpiexec" in result.stdout, "CMake finds mpiexec", result.stdout)
    ok("library: Hawser" in result.stdout, "CMake asks the library for its version", result.stdout)
    built = sh("cmake", "--build", made)
    ok(built.returncode == 0, "CMake builds", built.stdout)
    output("a C program of CMake", WANT, made / "t")
    output("a C++ program of CMake", WANT, made / "u")
    (cmake_fortran if (BUILD / ".libs" / "libmpifort_abi.so").exists() else no_fortran)(project, prefix)
    result = sh("ctest", "--test-dir", made)
    return ok(result.returncode == 0, "ctest runs two ranks", result.stdout)


def cmake_fortran(project, prefix):
    """CMake finds all three ways of Fortran."""
    with_fortran = top / "with-fortran"
    with_fortran.mkdir(exist_ok=True)
    (with_fortran / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.13)\nproject(t Fortran)\nfind_package(MPI REQUIRED COMPONENTS Fortran)\n"
        'message(STATUS "have ${MPI_Fortran_HAVE_F77_HEADER} ${MPI_Fortran_HAVE_F90_MODULE} ${MPI_Fortran_HAVE_F08_MODULE}")\n'
        "add_executable(t t.f90)\ntarget_link_libraries(t MPI::MPI_Fortran)\n")
    (with_fortran / "t.f90").write_text(FORTRAN.format(WAYS["mpi_f08"]))
    made = top / "made-fortran"
    result = sh("cmake", "-S", with_fortran, "-B", made, f"-DMPI_HOME={prefix}", f"-DCMAKE_Fortran_COMPILER={sh(prefix / 'bin' / 'mpifort', '-showme:command').stdout.split()[0]}")
    ok("have TRUE TRUE TRUE" in result.stdout, "CMake finds mpif.h, mpi and mpi_f08", result.stdout)
    built = sh("cmake", "--build", made)
    return built.returncode == 0 and output("a Fortran program of CMake", WANT, made / "t") or ok(not built.returncode, "CMake builds Fortran", built.stdout)


def no_fortran(project, prefix):
    """Another MPI's Fortran, in PATH and in pkg-config, is not taken beside our C."""
    if not shutil.which("gfortran") or not shutil.which("pkg-config"):
        return skip("CMake finds no Fortran", "gfortran or pkg-config is not installed")
    other, mixed = top / "other", top / "mixed"
    (other / "bin").mkdir(parents=True, exist_ok=True)
    mixed.mkdir(exist_ok=True)
    for name in ("mpifort", "mpif90"):
        (other / "bin" / name).write_text("#!/bin/sh\necho -lm\n")
        (other / "bin" / name).chmod(0o755)
    (other / "mpi-fort.pc").write_text("Name: other\nDescription: other\nVersion: 1\nLibs: -lm\nCflags:\n")
    (mixed / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.13)\nproject(t C Fortran)\nfind_package(MPI COMPONENTS C Fortran)\n"
                                          'message(STATUS "C: ${MPI_C_FOUND}, Fortran: ${MPI_Fortran_FOUND} of ${MPI_Fortran_LIBRARIES}.")\n')
    result = sh("cmake", "-S", mixed, "-B", top / "made-mixed", f"-DMPI_HOME={prefix}", PKG_CONFIG_PATH=str(other),
                PATH=f"{other}/bin:{ENV['PATH']}")
    return ok("C: TRUE, Fortran: FALSE" in result.stdout and "Checking for module 'mpi-fort'" not in result.stdout,
              "CMake says that there is no Fortran, in spite of another MPI's", result.stdout)


def installs():
    staged = top / "staged"
    result = sh("make", "-s", "-C", BUILD, "install", f"DESTDIR={staged}")
    if not ok(result.returncode == 0, "make install", result.stdout):
        return
    moved = top / "moved here"
    shutil.move(f"{staged}{configured['prefix']}", moved)
    first = sh(moved / "bin" / "mpicc", "-showme:incdirs").stdout
    ok(first == f"{moved}/include\n", "a moved prefix is found, also with a space in its name", first)
    source = top / "t.c"
    source.write_text(PROGRAM)
    program("and its mpicc builds a program", sh(moved / "bin" / "mpicc", "-o", top / "t", source), top / "t")
    prefix = top / "prefix"
    shutil.move(moved, prefix)
    tests(prefix)


try:
    if sanitizers():
        skip("make install", "a library with sanitizers is not for installation")
    else:
        installs()
finally:
    shutil.rmtree(top, ignore_errors=True)
done()
