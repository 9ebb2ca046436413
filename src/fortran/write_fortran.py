# SPDX-License-Identifier: BSD-3-Clause
"""Writes mpif.h and the modules. The modules have interfaces only, of procedures that are C's entry points (write_c.py); a call is
one call. In mpi_f08 what has a buffer is BIND(C), because the descriptor of such a procedure is the standard's."""
import re

import table
from table import FORTRAN_KIND, HANDLES, INTEGERS

HEAD = """! SPDX-License-Identifier: BSD-3-Clause
! Made by src/fortran/generate: do not edit.
"""
SIZED = [("integer", (1, 2, 4, 8)), ("logical", (1, 2, 4, 8)), ("real", (4, 8)), ("complex", (4, 8))]
# Places in memory that stand for something, with their shapes and what they are in mpi_f08.
SENTINELS = [("BOTTOM", "integer", ""), ("IN_PLACE", "integer", ""), ("BUFFER_AUTOMATIC", "integer", ""),
             ("UNWEIGHTED", "integer", "(1)"), ("WEIGHTS_EMPTY", "integer", "(1)"), ("ERRCODES_IGNORE", "integer", "(1)"),
             ("ARGV_NULL", "character", "(1)"), ("ARGVS_NULL", "character", "(1,1)"),
             ("STATUS_IGNORE", "status", ""), ("STATUSES_IGNORE", "status", "(1)")]
PLACES = "  integer, parameter :: MPI_SOURCE = 1, MPI_TAG = 2, MPI_ERROR = 3"  # in a status of mpif.h and of the module mpi
NULL_FUNCTIONS = [f"MPI_{k}{f}" for k in ("COMM_", "TYPE_", "WIN_") for f in ("NULL_COPY_FN", "DUP_FN", "NULL_DELETE_FN")]
CONVERSION_NULL = ["MPI_CONVERSION_FN_NULL", "MPI_CONVERSION_FN_NULL_C"]
OLD_NULL_FUNCTIONS = ["MPI_NULL_COPY_FN", "MPI_DUP_FN", "MPI_NULL_DELETE_FN"]
# Types of REAL and DOUBLE PRECISION: what C's are if the compiler's option has made these longer, and how to see that it has not.
SINGLE, DOUBLE = "digits(1.0)==24", "digits(1d0)==53"
WIDENED = {"MPI_REAL": ("MPI_REAL8", SINGLE), "MPI_COMPLEX": ("MPI_COMPLEX16", SINGLE), "MPI_2REAL": ("MPI_2DOUBLE_PRECISION", SINGLE),
           "MPI_DOUBLE_PRECISION": ("MPI_REAL16", DOUBLE), "MPI_DOUBLE_COMPLEX": ("MPI_COMPLEX32", DOUBLE),
           "MPI_2DOUBLE_PRECISION": ("MPI_DATATYPE_NULL", DOUBLE)}
# The same of INTEGER and LOGICAL, whose size the library is built for.
WIDE_INTEGER = {"MPI_INTEGER": "MPI_INTEGER8", "MPI_LOGICAL": "MPI_LOGICAL8", "MPI_2INTEGER": "MPI_DATATYPE_NULL"}
C_DOUBLE = "real(selected_real_kind(15,307))"  # whatever the options


def value_of(constants, name):
    """A constant's value, by the compiler that sees it."""
    values = {n: v for n, _, v in constants}
    if table.integer_is_8_bytes and name in WIDE_INTEGER:
        return values[WIDE_INTEGER[name]]
    if name not in WIDENED:
        return values[name]
    other, holds = WIDENED[name]
    return f"merge({values[name]},{values[other]},{holds})"


def wrapped(start, words, end, indent):
    """start word, word, ... end in free form's lines."""
    line, lines = start, []
    for i, word in enumerate(words):
        word += ", " if i + 1 < len(words) else ""
        if len(line) + len(word) > 110:
            lines.append(line.rstrip() + " &")
            line = indent + "    "
        line += word
    return "\n".join(lines + [line + end])


# ---- the module of what both modules have

def types(more_kinds):
    """more_kinds: those that not all compilers have, such as real16"""
    out = [HEAD + "module hws_mpi_types\n  use, intrinsic :: iso_c_binding, only: c_int, c_intptr_t, c_int64_t\n  implicit none\n  private",
           "  integer, parameter, public :: MPI_ADDRESS_KIND = c_intptr_t, MPI_COUNT_KIND = c_int64_t, MPI_OFFSET_KIND = c_int64_t",
           "  integer, parameter, public :: MPI_INTEGER_KIND = kind(1)",
           "  integer, parameter, public :: MPI_STATUS_SIZE = 8"]
    for h in HANDLES:
        out.append(f"\n  type, bind(C), public :: MPI_{h}\n    integer :: MPI_VAL\n  end type MPI_{h}")
    out.append("\n  type, bind(C), public :: MPI_Status\n    integer :: MPI_SOURCE\n    integer :: MPI_TAG\n    integer :: MPI_ERROR\n"
               "    integer, private :: MPI_internal(5)\n  end type MPI_Status\n")
    for op, word in (("==", "equal"), ("/=", "unequal")):
        out.append(f"  interface operator({op})\n    module procedure " + ", &\n      ".join(f"{word}_{h.lower()}" for h in HANDLES)
                   + f"\n  end interface\n  public :: operator({op})\n")
    for p in ("MPI", "PMPI"):
        for name, a, b in (("f2f08", "integer, intent(in) :: f_status(MPI_STATUS_SIZE)", "type(MPI_Status), intent(out) :: f08_status"),
                           ("f082f", "type(MPI_Status), intent(in) :: f08_status", "integer, intent(out) :: f_status(MPI_STATUS_SIZE)")):
            first, second = (x.split(":: ")[1].split("(")[0] for x in (a, b))
            out.append(f"  interface\n    subroutine {p}_Status_{name}({first}, {second}, ierror)\n      import\n      {a}\n      {b}\n"
                       f"      integer, optional, intent(out) :: ierror\n    end subroutine\n  end interface\n  public :: {p}_Status_{name}\n")
    sized = [(t, k) for t, kinds in SIZED for k in kinds]
    for word in more_kinds:
        t, k = re.match(r"(\D+)(\d+)$", word).groups()
        sized += [(t, int(k)), ({"real": "complex", "integer": "logical"}[t], int(k))]
    out.append("  interface MPI_Sizeof\n    module procedure " + ", &\n      ".join([f"sizeof_{t}{k}" for t, k in sized] + ["sizeof_character"])
               + "\n  end interface\n  interface PMPI_Sizeof\n    module procedure "
               + ", &\n      ".join([f"sizeof_{t}{k}" for t, k in sized] + ["sizeof_character"]) + "\n  end interface\n  public :: MPI_Sizeof, PMPI_Sizeof\n")
    out.append("contains")
    for h in HANDLES:
        for op, word in (("==", "equal"), ("/=", "unequal")):
            out.append(f"  elemental logical function {word}_{h.lower()}(a, b)\n    type(MPI_{h}), intent(in) :: a, b\n"
                       f"    {word}_{h.lower()} = a%MPI_VAL {op} b%MPI_VAL\n  end function\n")
    for t, k in sized + [("character", "")]:
        declared = f"{t}(kind={k})" if k else "character(len=*)"
        out.append(f"  subroutine sizeof_{t}{k}(x, size, ierror)\n    {declared}, dimension(..), intent(in) :: x\n    integer, intent(out) :: size\n"
                   f"    integer, optional, intent(out) :: ierror\n    size = storage_size(x) / 8\n    if (present(ierror)) ierror = 0\n"
                   "  end subroutine\n")
    out.append("""  ! What values.c tells the C library.
  subroutine hws_fortran_facts(facts) bind(C, name="hws_fortran_facts")
    integer(c_int), intent(out) :: facts(8)
    facts(1) = transfer(.true., facts(1))
    facts(2) = transfer(.false., facts(2))
    facts(3) = storage_size(.true.) / 8
    facts(4) = storage_size(1) / 8
    facts(5) = storage_size(1.0) / 8
    facts(6) = storage_size(1.0d0) / 8
    facts(7) = merge(1, 0, selected_int_kind(30) > 0)
    facts(8) = merge(1, 0, selected_real_kind(33) > 0)
  end subroutine
end module hws_mpi_types
""")
    return "\n".join(out)


# ---- the module mpi

def shape(a):
    return "" if a.array is None else "(3,*)" if a.array.startswith("3,") else "(*)"


CHARACTERS = {"string": "", "argv": "(*)", "commands": "(*)", "argvs": "(count,*)"}  # kinds of strings, and their shapes


def declared_mpi(a):
    n = a.name
    array = shape(a)
    if a.kind in INTEGERS:
        return [f"integer{FORTRAN_KIND[INTEGERS[a.kind][0]]} :: {n}{array}"]
    if a.is_choice() or a.kind == "detached":
        return [f"!GCC$ ATTRIBUTES NO_ARG_CHECK :: {n}", f"!DIR$ IGNORE_TKR {n}", f"type(*), dimension(*) :: {n}"]
    if a.kind == "Status":
        return [f"integer :: {n}(MPI_STATUS_SIZE{',*' * (a.array is not None)})"]
    if a.kind in CHARACTERS:
        return [f"character(len=*) :: {n}{CHARACTERS[a.kind]}"]
    if a.kind in ("logical", "logical_void"):
        return [f"logical :: {n}{array}"]
    if a.kind == "function":
        return [f"external :: {n}"]
    if a.kind in ("state", "state_once", "attribute", "pointer"):
        return [f"integer(MPI_ADDRESS_KIND) :: {n}"]
    if a.kind in ("weights", "errcodes"):
        return [f"integer :: {n}(*)"]
    return [f"integer :: {n}{array}"]  # handles and the rest


def body(name, arguments, declarations, ierror, tail="", indent="    "):
    lines = [wrapped(f"{indent}subroutine {name}(", [a.name for a in arguments] + ["ierror"] * bool(ierror), ")" + tail, indent), f"{indent}  import"]
    lines += [d if d.startswith("!") else f"{indent}  {d}" for a in arguments for d in declarations(a)]
    return "\n".join(lines + [f"{indent}  {ierror}"] * bool(ierror) + [f"{indent}end subroutine"])


def returning(f, p):
    result = {"double": C_DOUBLE, "aint": "integer(MPI_ADDRESS_KIND)"}[f.returns]
    lines = [f"    {result} function {p}_{f.name}({', '.join(a.name for a in f.arguments)})", "      import"]
    lines += [f"      integer(MPI_ADDRESS_KIND), intent(in) :: {a.name}" for a in f.arguments]
    return "\n".join(lines + ["    end function"])


def fortran_only(p):
    """Interfaces of module mpi that no C function stands behind."""
    return (f"    subroutine {p}_Pcontrol(level)\n      integer, intent(in) :: level\n    end subroutine\n"
            f"    subroutine {p}_F_sync_reg(buf)\n!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf\n!DIR$ IGNORE_TKR buf\n"
            "      type(*), dimension(*) :: buf\n    end subroutine")


def module_mpi(functions, constants):
    out = [HEAD + "module mpi\n  use hws_mpi_types\n  implicit none\n  public"]
    out += [f"  integer{'(MPI_OFFSET_KIND)' * (t == 'offset')}, parameter :: {n} = {value_of(constants, n)}" for n, t, _ in constants]
    out += [PLACES, "  logical, parameter :: MPI_SUBARRAYS_SUPPORTED = .false., MPI_ASYNC_PROTECTS_NONBLOCKING = .false."]
    for n, t, shape in SENTINELS:
        if t == "status":
            t, shape = "integer", "(MPI_STATUS_SIZE,1)" if shape else "(MPI_STATUS_SIZE)"
        out.append(f"  {t} :: MPI_{n}{shape}\n  common /hws_mpi_{n.lower()}/ MPI_{n}")
    out.append("  external :: " + ", &\n    ".join(NULL_FUNCTIONS + OLD_NULL_FUNCTIONS + CONVERSION_NULL))
    for p in ("MPI", "PMPI"):
        out.append("  interface")
        out.append(fortran_only(p))
        for f in functions:
            if f.returns:
                out.append(returning(f, p))
            elif not f.has("pointer"):
                out.append(body(f"{p}_{f.name}", f.arguments_of(False), declared_mpi, "integer :: ierror"))
        out.append("  end interface")
        for f in functions:
            if f.has("pointer"):
                with_pointer = lambda a: ["type(c_ptr) :: " + a.name] if a.kind == "pointer" else declared_mpi(a)
                out.append(f"  interface {p}_{f.name}")
                out.append(body(f"{p}_{f.name}", f.arguments_of(False), declared_mpi, "integer :: ierror"))
                second = body(f"{p}_{f.name}_cptr", f.arguments_of(False), with_pointer, "integer :: ierror")
                out.append(second.replace("      import\n", "      use, intrinsic :: iso_c_binding, only: c_ptr\n      import\n", 1))
                out.append("  end interface")
    return "\n".join(out + ["end module mpi", ""])


# ---- the module mpi_f08

CALLBACKS = """  abstract interface
    subroutine MPI_User_function(invec, inoutvec, len, datatype)
      import
      type(c_ptr), value :: invec, inoutvec
      integer :: len
      type(MPI_Datatype) :: datatype
    end subroutine
    subroutine MPI_User_function_c(invec, inoutvec, len, datatype)
      import
      type(c_ptr), value :: invec, inoutvec
      integer(MPI_COUNT_KIND) :: len
      type(MPI_Datatype) :: datatype
    end subroutine
    subroutine MPI_Grequest_query_function(extra_state, status, ierror)
      import
      integer(MPI_ADDRESS_KIND) :: extra_state
      type(MPI_Status) :: status
      integer :: ierror
    end subroutine
    subroutine MPI_Grequest_free_function(extra_state, ierror)
      import
      integer(MPI_ADDRESS_KIND) :: extra_state
      integer :: ierror
    end subroutine
    subroutine MPI_Grequest_cancel_function(extra_state, complete, ierror)
      import
      integer(MPI_ADDRESS_KIND) :: extra_state
      logical :: complete
      integer :: ierror
    end subroutine"""
COPY_CALLBACK = """    subroutine MPI_{0}_copy_attr_function(old{1}, {1}_keyval, extra_state, attribute_val_in, &
        attribute_val_out, flag, ierror)
      import
      type(MPI_{3}) :: old{1}
      integer :: {1}_keyval, ierror
      integer(MPI_ADDRESS_KIND) :: extra_state, attribute_val_in, attribute_val_out
      logical :: flag
    end subroutine
    subroutine MPI_{0}_delete_attr_function({2}, {1}_keyval, attribute_val, extra_state, ierror)
      import
      type(MPI_{3}) :: {2}
      integer :: {1}_keyval, ierror
      integer(MPI_ADDRESS_KIND) :: attribute_val, extra_state
    end subroutine"""
DATAREP_CALLBACK = """    subroutine MPI_Datarep_conversion_function{0}(userbuf, datatype, count, filebuf, position, extra_state, ierror)
      import
      type(c_ptr), value :: userbuf, filebuf
      type(MPI_Datatype) :: datatype
      integer{1} :: count
      integer(MPI_OFFSET_KIND) :: position
      integer(MPI_ADDRESS_KIND) :: extra_state
      integer :: ierror
    end subroutine"""
EXTENT_CALLBACK = """    subroutine MPI_Datarep_extent_function(datatype, extent, extra_state, ierror)
      import
      type(MPI_Datatype) :: datatype
      integer(MPI_ADDRESS_KIND) :: extent, extra_state
      integer :: ierror
    end subroutine"""
ERROR_CALLBACK = """    subroutine MPI_{0}_errhandler_function({1}, error_code)
      import
      type(MPI_{0}) :: {1}
      integer :: error_code
    end subroutine"""


def callbacks():
    out = [CALLBACKS]
    out += [COPY_CALLBACK.format(k, k.lower(), h.lower(), h) for k, h in (("Comm", "Comm"), ("Type", "Datatype"), ("Win", "Win"))]
    out += [DATAREP_CALLBACK.format("", ""), DATAREP_CALLBACK.format("_c", "(MPI_COUNT_KIND)"), EXTENT_CALLBACK]
    out += [ERROR_CALLBACK.format(k, k.lower()) for k in ("Comm", "File", "Session", "Win")]
    return "\n".join(out + ["  end interface"])


def interface_of(name, large):
    """The abstract interface of a callback argument."""
    if name == "user_fn":
        return "MPI_User_function" + "_c" * large
    if name in ("query_fn", "free_fn", "cancel_fn"):
        return f"MPI_Grequest_{name[:-3]}_function"
    if "conversion" in name:
        return "MPI_Datarep_conversion_function" + "_c" * large
    if name == "dtype_file_extent_fn":
        return "MPI_Datarep_extent_function"
    return f"MPI_{name[0].upper()}{name[1:-3]}_function"


def declared_f08(a, large):
    n, intent = a.name, f", intent({a.direction})"
    array = shape(a)
    late = ", asynchronous" if a.asynchronous else ""
    if a.is_choice():
        constant = ", intent(in)" if a.direction == "in" and a.kind in ("message", "whole") else ""
        return [f"type(*), dimension(..){constant}{late} :: {n}"]
    if a.kind in INTEGERS:
        return [f"integer{FORTRAN_KIND[INTEGERS[a.kind][large]]}{intent}{late} :: {n}{array}"]
    if a.kind in HANDLES:
        return [f"type(MPI_{a.kind}){intent}{late} :: {n}{array}"]
    if a.kind == "Status":
        return [f"type(MPI_Status){intent if a.direction != 'out' else ''} :: {n}{array}"]
    if a.kind in CHARACTERS:
        return [f"character(len=*){intent} :: {n}{CHARACTERS[a.kind]}"]
    if a.kind in ("logical", "logical_void"):
        return [f"logical{intent} :: {n}{array}"]
    if a.kind == "function":
        return [f"procedure({interface_of(n, large)}) :: {n}"]
    if a.kind in ("state", "state_once", "attribute"):
        return [f"integer(MPI_ADDRESS_KIND){intent} :: {n}"]
    if a.kind in ("pointer", "detached"):
        return [f"type(c_ptr), intent(out) :: {n}"]
    if a.kind in ("weights", "errcodes"):
        return [f"integer{intent if a.direction == 'in' else ''} :: {n}(*)"]
    return [f"integer{intent} :: {n}{array}"]


def specific(f, p, large):
    arguments = f.arguments_of(large)
    name = f"{p}_{f.name}{'_c' * large}_f08{'ts' * f.is_choice()}"
    tail = f' &\n      bind(C, name="{name.lower()}_")' if f.is_choice() else ""
    return body(name, arguments, lambda a: declared_f08(a, large), "integer, optional, intent(out) :: ierror", tail)


def module_f08(functions, constants):
    out = [HEAD + "module mpi_f08\n  use, intrinsic :: iso_c_binding, only: c_ptr\n  use hws_mpi_types\n  implicit none\n  public\n  private :: c_ptr"]
    for n, t, v in constants:
        if n == "MPI_KEYVAL_INVALID" or t in ("int", "offset"):
            out.append(f"  integer{'(MPI_OFFSET_KIND)' * (t == 'offset')}, parameter :: {n} = {v}")
        else:
            out.append(f"  type(MPI_{t}), parameter :: {n} = MPI_{t}({value_of(constants, n)})")
    out.append(PLACES)
    out.append("  logical, parameter :: MPI_SUBARRAYS_SUPPORTED = .true., MPI_ASYNC_PROTECTS_NONBLOCKING = .true.")
    for n, t, shape in SENTINELS:
        place = f"hws_mpi_{n.lower()}{'_f08' * (t == 'status')}"
        out.append(f"  {'type(MPI_Status)' if t == 'status' else t} :: MPI_{n}{shape}\n  common /{place}/ MPI_{n}")
    out.append(callbacks())
    for n in NULL_FUNCTIONS:
        k = n.split("_")[1].capitalize()
        what = "delete" if "DELETE" in n else "copy"
        out.append(f"  procedure(MPI_{k}_{what}_attr_function) :: {n}")
    for n in CONVERSION_NULL:
        out.append(f"  procedure(MPI_Datarep_conversion_function{n[22:].lower()}) :: {n}")
    for p in ("MPI", "PMPI"):
        out.append("  interface\n" + "\n".join(returning(f, p) for f in functions if f.returns) + "\n  end interface")
        out.append(f"  interface {p}_Pcontrol\n    subroutine {p}_Pcontrol(level)\n      integer, intent(in) :: level\n    end subroutine\n  end interface")
        out.append(f"  interface {p}_F_sync_reg\n    subroutine {p}_F_sync_reg_f08ts(buf) bind(C, name=\"{p.lower()}_f_sync_reg_f08ts_\")\n"
                   "      type(*), dimension(..), asynchronous :: buf\n    end subroutine\n  end interface")
        for f in functions:
            if f.returns or f.where != "both":
                continue
            out.append(f"  interface {p}_{f.name}\n{specific(f, p, False)}")
            if f.is_overloaded():
                out.append(specific(f, p, True))
            out.append("  end interface")
            if f.large and f.has("function"):  # procedures do not tell two specifics apart
                out.append(f"  interface {p}_{f.name}_c\n{specific(f, p, True)}\n  end interface")
    return "\n".join(out + ["end module mpi_f08", ""])


# ---- mpif.h, in lines that are right in fixed and in free form

def header(functions, constants):
    out = ["! SPDX-License-Identifier: BSD-3-Clause", "! Made by src/fortran/generate: do not edit."]

    def say(text):
        if len(text) > 66:
            raise SystemExit(f"mpif.h: {text} is too long for fixed form")
        out.append("      " + text)

    def parameter(t, n, v):
        say(f"{t} {n}")
        say(f"PARAMETER ({n}={v})")

    bytes_, digits = (8, 63) if table.integer_is_8_bytes else (4, 31)
    out += [f"! The library was built for an INTEGER of {bytes_} bytes: with an", "! option that makes another of it (-fdefault-integer-8, -i8), or",
            "! without it, this is an error."]
    parameter("INTEGER", f"MPI_INTEGER_HAS_{bytes_}_BYTES", f"1/MERGE(1,0,DIGITS(1).EQ.{digits})")
    for k, v in (("ADDRESS", "SELECTED_INT_KIND(18)"), ("COUNT", "SELECTED_INT_KIND(18)"), ("OFFSET", "SELECTED_INT_KIND(18)"),
                 ("INTEGER", "KIND(1)")):
        parameter("INTEGER", f"MPI_{k}_KIND", v)
    for n, t, v in constants:
        if t == "offset":
            parameter("INTEGER(KIND=MPI_OFFSET_KIND)", n, v)
        else:
            parameter("INTEGER", n, value_of(constants, n).upper().replace("==", ".EQ."))
    for n, v in (("MPI_STATUS_SIZE", 8), ("MPI_SOURCE", 1), ("MPI_TAG", 2), ("MPI_ERROR", 3)):
        parameter("INTEGER", n, v)
    parameter("LOGICAL", "MPI_SUBARRAYS_SUPPORTED", ".FALSE.")
    parameter("LOGICAL", "MPI_ASYNC_PROTECTS_NONBLOCKING", ".FALSE.")
    for n, t, shape in SENTINELS:
        if t == "status":
            t, shape = "integer", "(MPI_STATUS_SIZE,1)" if shape else "(MPI_STATUS_SIZE)"
        say(f"{t.upper()}{'*1' * (t == 'character')} MPI_{n}{shape}")
        say(f"COMMON /HWS_MPI_{n}/ MPI_{n}")
    for n in NULL_FUNCTIONS + OLD_NULL_FUNCTIONS + CONVERSION_NULL:
        say(f"EXTERNAL {n}")
    for p in ("MPI", "PMPI"):
        for f in functions:
            if f.returns:
                say(f"{C_DOUBLE.upper() if f.returns == 'double' else 'INTEGER(KIND=MPI_ADDRESS_KIND)'} {p}_{f.name.upper()}")
                say(f"EXTERNAL {p}_{f.name.upper()}")
    return "\n".join(out) + "\n"
