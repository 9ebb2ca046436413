# SPDX-License-Identifier: BSD-3-Clause
"""The tables of the Fortran bindings: functions.tsv, a function a line, and constants.tsv, a constant a line.

An argument is `name kind direction`, perhaps with `async` (the buffer is in use until the operation completes) or `large` (only the
form with large counts has it) or `address`; [n] behind the kind makes an array of it, where n is needed only for what is converted one
by one: an argument, f(comm) or at_root(argument), which functions of fortran.h give, sum(array,n), last(array,n), or 3,n of a second
dimension. The kinds:
  int icount iaint acount aint count offset   integers; of icount, iaint and acount the form with large counts has a wider one
  Comm Datatype ...    handles
  logical string(n) Status   string(n): room in bytes for C's, with its NUL
  message(count,type)  a buffer that the two arguments describe
  whole                a buffer of many blocks, or of a reduction
  plain, address       memory as such; its address
  function, state, state_once, state_int   callbacks and what they are given; once: of one operation; int: as MPI-1 had it
  argv, commands, argvs, errcodes   of MPI_Comm_spawn and MPI_Comm_spawn_multiple, which has `count` of each
  attribute, attribute_int, pointer, detached, weights, index, buflen, logical_void   see kinds.py"""
import csv
import dataclasses
import pathlib
import re

HERE = pathlib.Path(__file__).resolve().parent
# In C the type, its wide form; in Fortran the kinds.
INTEGERS = {
    "int": ("int", "int"), "icount": ("int", "MPI_Count"), "iaint": ("int", "MPI_Aint"), "acount": ("MPI_Aint", "MPI_Count"),
    "aint": ("MPI_Aint", "MPI_Aint"), "count": ("MPI_Count", "MPI_Count"), "offset": ("MPI_Offset", "MPI_Offset"),
}
FORTRAN_KIND = {"int": "", "MPI_Aint": "(MPI_ADDRESS_KIND)", "MPI_Count": "(MPI_COUNT_KIND)", "MPI_Offset": "(MPI_OFFSET_KIND)"}
HANDLES = "Comm Datatype Errhandler File Group Info Message Op Request Session Win".split()
integer_is_8_bytes = False  # generate sets it
CHOICES = ("message", "whole", "plain", "address")


@dataclasses.dataclass
class Argument:
    name: str        # Fortran's
    kind: str
    of: str          # what stands in parentheses
    array: object    # None: a scalar; else the length in C
    direction: str
    asynchronous: bool
    large_only: bool
    by_address: bool # in C, although it is only read

    @property
    def c(self):
        """The name in C, where index() is a function."""
        return "indx" if self.name == "index" else self.name

    def is_choice(self):
        return self.kind in CHOICES


@dataclasses.dataclass
class Function:
    name: str        # without MPI_
    where: str       # both, or mpi: not in mpi_f08
    large: bool      # there is a form with large counts
    returns: str     # "": it is a subroutine
    first: str       # arguments in C that Fortran does not have
    arguments: list

    def has(self, *kinds):
        return any(a.kind in kinds for a in self.arguments)

    def is_choice(self):
        return self.has(*CHOICES)

    def has_other_f08(self):
        """The entry of mpi_f08 is another than that of mpif.h."""
        return self.is_choice() or self.has("detached")

    def is_overloaded(self):
        """Large counts make a specific procedure that a compiler can tell from the other; kinds of address and count are equal, and that
        of an INTEGER of 8 bytes is the same."""
        if integer_is_8_bytes:  # MPI_Type_get_envelope's two could not be told apart, MPI_Type_get_contents's can
            return self.large and any(a.large_only and a.array is not None for a in self.arguments)
        return self.large and (self.has("icount", "iaint") or any(a.large_only for a in self.arguments))

    def takes_large(self):
        """An INTEGER of 8 bytes is a large count, and goes to the form that takes these. Not where a datatype is made or taken to
        pieces: with large counts it would have other pieces than MPI_Type_get_contents gives."""
        pieces = self.name.startswith("Type_") and (any(a.name == "newtype" for a in self.arguments) or "_get_" in self.name and self.has("icount"))
        return integer_is_8_bytes and self.large and not pieces and not self.has("state")  # C calls back with a state's own counts

    def completes_later(self):
        return any(a.kind == "Request" and a.direction == "out" for a in self.arguments)

    def arguments_of(self, large):
        return [a for a in self.arguments if large or not a.large_only]


def argument(text):
    name, kind, direction, *flags = re.match(r"(\S+) ((?:[^ (]|\([^)]*\))+) (inout|in|out)( .*|)$", text).groups()
    flags = flags[0].split()
    kind, of, array = re.match(r"(\w+)(?:\((.*?)\))?(?:\[(.*)\])?$", kind).groups()
    if unknown := set(flags) - {"async", "large", "address"}:
        raise SystemExit(f"functions.tsv: {text}: {unknown}?")
    return Argument(name, kind, of, array, direction, "async" in flags, "large" in flags, "address" in flags)


def rows(name):
    with open(HERE / name, newline="") as f:
        return list(csv.DictReader(f, delimiter="\t", quoting=csv.QUOTE_NONE))


def functions():
    return [Function(r["NAME"], r["IN"], r["LARGE"] == "c", r["RETURNS"], r["FIRST"],
                     [argument(a) for a in r["ARGUMENTS"].split("; ")] if r["ARGUMENTS"] else []) for r in rows("functions.tsv")]


def constants():
    """(name with MPI_, type, value)"""
    return [("MPI_" + r["NAME"], r["TYPE"], r["VALUE"]) for r in rows("constants.tsv")]
