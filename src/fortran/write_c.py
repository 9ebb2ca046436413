# SPDX-License-Identifier: BSD-3-Clause
"""Writes the entry points in C. Each takes what Fortran passes, everything by address, makes C's arguments of it, calls the function
and gives back what it answered. One entry serves mpif.h, the module mpi and the module mpi_f08, where ierror may be absent; with
a buffer there is a second for mpi_f08, which gets a descriptor."""
import re

import table
from table import HANDLES, INTEGERS

HEAD = """/* SPDX-License-Identifier: BSD-3-Clause
 * Made by src/fortran/generate from functions.tsv: do not edit. */
#include "fortran/bounds.h"
#include "fortran/fortran.h"

"""

SLOTS = [("user_fn", "void *in, void *inout, int *len, MPI_Datatype *datatype", "in, inout, len, datatype"),
         ("user_fn_c", "void *in, void *inout, MPI_Count *len, MPI_Datatype *datatype", "in, inout, len, datatype"),
         ("comm_errhandler_fn", "MPI_Comm *comm, int *code, ...", "comm, code"),
         ("file_errhandler_fn", "MPI_File *file, int *code, ...", "file, code"),
         ("session_errhandler_fn", "MPI_Session *session, int *code, ...", "session, code"),
         ("win_errhandler_fn", "MPI_Win *win, int *code, ...", "win, code")]


class Piece:
    """What one argument adds to an entry point."""

    def __init__(self, parameter, call, before=(), done=(), after=(), free=(), needs="", hidden=None):
        self.parameter = parameter  # its declaration
        self.call = call            # the argument of the C function
        self.before = before        # statements before the call
        self.done = done            # after a call that succeeded
        self.after = after          # after any call
        self.free = free            # at the end
        self.needs = needs          # what must not be null for the call
        self.hidden = hidden        # a parameter behind all others: the length of a string


def length_of(a):
    """The length of an array in C: an argument's value, or what a function of fortran.h says of the communicator."""
    return length(a.array)


def length(text):
    if found := re.match(r"at_root\((\w+)\)$", text):  # elsewhere the array has no meaning
        return f"(hws_is_root(hws_comm_of(*comm), *root) ? *{found[1]} : 0)"
    if found := re.match(r"(sum|last)\((\w+),(.*)\)$", text):
        return f"hws_{found[1]}(c_{'indx' if found[2] == 'index' else found[2]}, {length(found[3])})"
    if text.startswith("3,"):
        return f"3 * *{text[2:]}"
    return re.sub(r"^(\w+)\((\w+)\)$", r"hws_\1(hws_comm_of(*\2))", text) if "(" in text else f"*{text}"


def integer(a, ctype):
    """INTEGER or one of its kinds. One of 8 bytes is not C's int: C gets another."""
    c, const = a.c, "const " * (a.direction == "in")
    parameter = f"{const}{'hws_integer' if ctype == 'int' else ctype} *{c}"
    if table.integer_is_8_bytes and ctype == "int":
        return converted(a, parameter)
    if a.array is not None:
        return Piece(parameter, f"(void *){c}" if a.array.startswith("3,") else c)
    return Piece(parameter, f"*{c}" if a.direction == "in" else c)


def converted(a, parameter):
    c = a.c
    if a.array is not None:
        n = length_of(a)
        return Piece(parameter, f"(void *)c_{c}" if a.array.startswith("3,") else f"c_{c}", [f"int *c_{c} = hws_ints({c}, {n});"],
                     [f"hws_ints_back({c}, c_{c}, {n});"] * (a.direction != "in"), free=[f"free(c_{c});"], needs=f"c_{c}")
    if a.direction == "in":
        return Piece(parameter, f"hws_int(*{c})")
    return Piece(parameter, f"&c_{c}", [f"int c_{c} = hws_int(*{c});"], [f"*{c} = c_{c};"])


def converted_list(a):
    """Weights and error codes, for which a sentinel may stand. Of error codes the root knows how many there are; elsewhere those of all
    processes that were started say so."""
    c, n = a.c, length_of(a)
    call, back = f"c_{c}", [f"hws_list_back({c}, c_{c}, {n});"] * (a.direction != "in")
    if a.kind == "errcodes":
        root = "hws_is_root(hws_comm_of(*comm), *root)"
        call = f"{root} ? c_{c} : MPI_ERRCODES_IGNORE"
        back = [f"if ({root})", f"    {back[0]}", "else", f"    hws_all_started({c}, c_intercomm);"]
    return Piece(f"hws_integer *{c}", call, [f"int *c_{c} = hws_list({c}, {n});"], back, free=[f"hws_list_end({c}, c_{c});"],
                 needs=f"hws_is_list({c}, c_{c})")


def status(a):
    c = a.c
    if not table.integer_is_8_bytes:
        return Piece(f"hws_integer *{c}", f"hws_status{'es' * (a.array is not None)}({c})")
    if a.array is None:
        return Piece(f"hws_integer *{c}", f"c_{c}", [f"MPI_Status s_{c}, *c_{c} = hws_status_of({c}, &s_{c});"],
                     after=[f"hws_statuses_back({c}, c_{c}, 1);"] * (a.direction != "in"))
    n = length_of(a)
    return Piece(f"hws_integer *{c}", f"c_{c}", [f"MPI_Status *c_{c} = hws_statuses_of({c}, {n});"],
                 after=[f"hws_statuses_back({c}, c_{c}, {n});"], free=[f"free(c_{c});"], needs=f"hws_are_statuses({c}, c_{c})")


def index(a):
    """Counted from 1 in Fortran."""
    c, n = a.c, "1" if a.array is None else length_of(a)
    if not table.integer_is_8_bytes:
        return Piece(f"hws_integer *{c}", c, done=[f"hws_indices({c}, {n});"])
    if a.array is None:
        p = converted(a, f"hws_integer *{c}")
        p.done.insert(0, f"hws_indices(&c_{c}, 1);")
        return p
    return Piece(f"hws_integer *{c}", f"c_{c}", [f"int *c_{c} = hws_ints({c}, *incount);"],
                 [f"hws_indices(c_{c}, {n});", f"hws_ints_back({c}, c_{c}, {n});"], free=[f"free(c_{c});"], needs=f"c_{c}")


def handle(a, name):
    c, h = a.c, a.kind
    ctype, f2c, c2f = f"MPI_{h}", f"hws_{h.lower()}_of", f"PMPI_{'Type' if h == 'Datatype' else h}_c2f"
    if a.array is not None:
        n, low = length_of(a), h.lower()
        out = [] if a.direction == "in" else [f"hws_{low}s_back({c}, c_{c}, {n});"]
        make = f"hws_{low}s({c}, {n})" if a.direction != "out" else f"hws_{low}s(NULL, {n})"
        before = [f"{ctype} *c_{c} = {make};"] + [f"hws_late_start({c}, {n});"] * (name == "Startall")
        if name == "Type_create_struct":
            lengths = f"{'c_' * table.integer_is_8_bytes}array_of_blocklengths"
            out = [f"rc = hws_bounded(&(struct hws_members){{{n}, {lengths}, array_of_displacements, {c}}}, &c_newtype);"]
        return Piece(f"{'const ' * (a.direction == 'in')}hws_integer *{c}", f"c_{c}", before,
                     after=out if a.direction == "inout" else [], done=out if a.direction != "inout" else [],
                     free=[f"free(c_{c});"], needs=f"c_{c}")
    if a.by_address:
        return Piece(f"const hws_integer *{c}", f"&c_{c}", [f"{ctype} c_{c} = {f2c}(*{c});"])
    if a.direction == "in":
        return Piece(f"const hws_integer *{c}", f"{f2c}(*{c})")
    start = f"{f2c}(*{c})" if a.direction == "inout" else f"MPI_{h.upper()}_NULL"
    back = [f"*{c} = {c2f}(c_{c});"]
    before = [f"{ctype} c_{c} = {start};"]
    if h == "Request" and a.direction == "inout":
        back.insert(0, f"hws_late_check(*{c}, c_{c});")
        before += ["hws_late_start(request, 1);"] * (name == "Start")
    return Piece(f"hws_integer *{c}", f"&c_{c}", before,
                 **({"after": back} if a.direction == "inout" else {"done": back}))


def string(a, f):
    c = a.c
    if a.direction == "in":
        return Piece(f"const char *{c}", f"c_{c}", [f"char *c_{c} = hws_string({c}, {c}_len);"], free=[f"free(c_{c});"],
                     needs=f"c_{c}", hidden=f"size_t {c}_len")
    found = "if (c_flag)\n            " if f.has("logical") else ""
    if f.has("buflen"):  # of length 0: only the length is asked for
        found = found.replace("(c_flag)", "(c_flag && asked)") or "if (asked)\n            "
    done = [f"{found}hws_pad({c}, {c}_len, c_{c});"]
    if a.of.startswith("MPI_"):
        return Piece(f"char *{c}", f"c_{c}", [f'char c_{c}[{a.of}] = "";'], done, hidden=f"size_t {c}_len")
    return Piece(f"char *{c}", f"c_{c}", [f"char *c_{c} = hws_room({a.of});"], done, free=[f"free(c_{c});"], needs=f"c_{c}",
                 hidden=f"size_t {c}_len")


def logical(a):
    c = a.c
    if a.array is not None:
        n = length_of(a)
        if a.direction == "in":
            return Piece(f"const hws_integer *{c}", f"c_{c}", [f"int *c_{c} = hws_truths({c}, {n});"], free=[f"free(c_{c});"],
                         needs=f"c_{c}")
        return Piece(f"hws_integer *{c}", f"c_{c}", [f"int *c_{c} = hws_flags({n});"], [f"hws_logicals({c}, c_{c}, {n});"],
                     free=[f"free(c_{c});"], needs=f"c_{c}")
    if a.direction == "in":
        return Piece(f"const hws_integer *{c}", f"hws_is_true(*{c})")
    return Piece(f"hws_integer *{c}", f"&c_{c}", [f"int c_{c} = 0;"], [f"*{c} = hws_logical(c_{c});"])


def function(a, f, large):
    """Callbacks that are given a state find the Fortran procedure there; the others have a C function of their own each."""
    c = a.c
    if "conversion" in c:  # of a data representation, which need not have one
        return Piece(f"hws_procedure *{c}", f"hws_is_no_conversion({c}) ? NULL : hws_{c}{'_c' * large}")
    if f.has("state", "state_once", "state_int"):
        return Piece(f"hws_procedure *{c}", f"hws_{c}")
    kind = c + "_c" * large
    return Piece(f"hws_procedure *{c}", f"c_{c}", [f"hws_{kind} *c_{c} = hws_{kind}_for({c});"], needs=f"c_{c}")


def state(a, f):
    c = a.c
    procedures = ", ".join(x.c for x in f.arguments if x.kind == "function")
    ctype = "hws_integer" if a.kind == "state_int" else "MPI_Aint"
    make = f"hws_state_once({c}" if a.kind == "state_once" else f"hws_state(*{c}"
    n = sum(x.kind == "function" for x in f.arguments)
    return Piece(f"{ctype} *{c}", f"c_{c}",
                 [f"struct hws_state *c_{c} = {make}, {n}, (hws_procedure *[]){{{procedures}}});"], needs=f"c_{c}")


def strings(a):
    """Arrays of strings, which matter at the root only."""
    c, root = a.c, "hws_is_root(hws_comm_of(*comm), *root)"
    stars, n = {"argv": ("**", ""), "commands": ("**", "*count, "), "argvs": ("***", "*count, ")}[a.kind]
    return Piece(f"const char *{c}", f"c_{c}",
                 [f"char {stars}c_{c} = NULL;", f"bool made_{c} = !{root} || hws_{a.kind}({c}, {c}_len, {n}&c_{c});"],
                 free=[f"free(c_{c});"], needs=f"made_{c}", hidden=f"size_t {c}_len")


def attribute(a, f):
    c, ctype = a.c, "hws_integer" if a.kind == "attribute_int" else "MPI_Aint"
    if a.direction == "in":
        return Piece(f"const {ctype} *{c}", f"c_{c}", [f"void *c_{c} = hws_attribute(*{c});"], needs=f"c_{c}")
    keyval = next(x.c for x in f.arguments if x.name.endswith("keyval"))
    return Piece(f"{ctype} *{c}", f"&c_{c}", [f"void *c_{c} = NULL;"],
                 [f"if (c_flag)\n            *{c} = ({ctype})hws_attribute_value(*{keyval}, c_{c});"])


def choice(a, f, descriptors):
    c = a.c
    if not descriptors:
        return Piece(f"void *{c}", f"hws_choice({c})")
    end = [f"hws_section_end(&s_{c});"]
    if a.kind == "address":
        return Piece(f"CFI_cdesc_t *{c}", f"hws_choice({c}->base_addr)")
    if a.kind == "message":
        count, datatype = a.of.split(",")
        make = f"hws_message({c}, *{count}, hws_datatype_of(*{datatype}))"
    elif a.kind == "whole" and f.completes_later():
        back = "false" if a.direction == "in" else "true"
        if back == "true" and any(x.name == "root" for x in f.arguments):  # elsewhere the buffer is the user's meanwhile
            back = "hws_is_root(hws_comm_of(*comm), *root)"
        make, kind = f"hws_whole_late({c}, {back})", "HWS_PERSISTENT" if f.name.endswith("_init") else "HWS_ONCE"
        return Piece(f"CFI_cdesc_t *{c}", f"s_{c}.addr", [f"struct hws_section s_{c} = {make};"],
                     after=[f"hws_section_late(&s_{c}, rc, *request, {kind});"], free=end, needs=f"s_{c}.made")
    elif a.kind == "plain":
        make = f"hws_contiguous({c})"
    else:
        make = f"hws_whole({c}, {'false' if a.direction == 'in' else 'true'})"
    return Piece(f"CFI_cdesc_t *{c}", f"s_{c}.addr", [f"struct hws_section s_{c} = {make};"], free=end, needs=f"s_{c}.made")


def piece(a, f, large, descriptors):
    c = a.c
    if a.kind in INTEGERS:
        return integer(a, INTEGERS[a.kind][large])
    if a.kind in HANDLES:
        return handle(a, f.name + "_c" * large)
    if a.is_choice():
        return choice(a, f, descriptors)
    if a.kind == "Status":
        return status(a)
    if a.kind == "index":
        return index(a)
    if a.kind == "buflen":
        return Piece(f"hws_integer *{c}", f"&c_{c}", [f"int c_{c} = *{c} ? (int)*{c} + 1 : 0;", f"bool asked = *{c} > 0;"], [f"*{c} = c_{c} ? c_{c} - 1 : 0;"])
    if a.kind == "string":
        if descriptors:  # of a BIND(C) procedure
            p = string(a, f)
            p.parameter, p.hidden = f"CFI_cdesc_t *{c}", None
            p.before = [f"char *c_{c} = hws_string({c}->base_addr, {c}->elem_len);"]
            return p
        return string(a, f)
    if a.kind == "pointer":
        return Piece(f"void **{c}", c)
    if a.kind == "detached":
        if descriptors:
            return Piece(f"void **{c}", f"&c_{c}", [f"void *c_{c} = NULL;"], [f"*{c} = hws_detached(c_{c});"])
        return Piece(f"void *{c}", f"&c_{c}", [f"void *c_{c} = NULL;"], [f"(void){c}; /* an address cannot be given back in it */"])
    if a.kind == "logical_void":
        return Piece(f"void *{c}", c)
    if a.kind in ("weights", "errcodes"):
        return converted_list(a) if table.integer_is_8_bytes else Piece(f"hws_integer *{c}", f"hws_{a.kind}({c})")
    if a.kind in ("argv", "commands", "argvs"):
        return strings(a)
    simple = {"logical": lambda: logical(a), "function": lambda: function(a, f, large), "attribute": lambda: attribute(a, f),
              "attribute_int": lambda: attribute(a, f), "state": lambda: state(a, f), "state_once": lambda: state(a, f),
              "state_int": lambda: state(a, f)}
    return simple[a.kind]()


def wrapped(start, words, end, width=120):
    """start word, word, ... end in lines, those that follow indented as the first word is."""
    lines, line = [], start
    for i, word in enumerate(words):
        word += "," if i + 1 < len(words) else end
        if len(line) + len(word) + 1 > width and line.strip() != "":
            lines.append(line.rstrip())
            line = " " * len(start)
        line += word + " "
    if not words:
        line += end
    return "\n".join(lines + [line.rstrip()])


def is_direct(f, arguments):
    """Whether all that is converted, where handles are predefined and a buffer has no gaps, is an address: not requests and arrays."""
    kinds = (*INTEGERS, "Comm", "Datatype", "Op", "Status", "message", "whole")
    return (not table.integer_is_8_bytes and f.is_choice() and not f.completes_later()
            and all(a.kind in kinds and a.array is None and not a.by_address for a in arguments))


def direct(f, arguments, large, descriptors):
    """What must hold for a call without any conversion, and its arguments: this is what most calls are, and keeps nothing meanwhile but
    ierror."""
    holds = [f"hws_is_line({a.c})" for a in arguments if a.is_choice() and descriptors]
    holds += [f"hws_is_predefined(*{a.c})" for a in arguments if a.kind in HANDLES]
    words = [f"hws_choice({a.c}->base_addr)" if a.is_choice() and descriptors else piece(a, f, large, False).call for a in arguments]
    return " && ".join(holds), words


def entry(f, large, descriptors):
    arguments, large_c = f.arguments_of(large), large or f.takes_large()
    pieces = [piece(a, f, large_c, descriptors) for a in arguments]
    if descriptors:  # a message's count and type are the section's
        for a in arguments:
            if a.kind == "message":
                count, datatype = (next(i for i, x in enumerate(arguments) if x.name == n) for n in a.of.split(","))
                pieces[count].call = f"{'(int)' * (INTEGERS[arguments[count].kind][large_c] == 'int')}s_{a.c}.count"
                pieces[datatype].call = f"s_{a.c}.type"
    low = f.name.lower() + ("_c" if large else "")
    if descriptors:
        low += "_f08ts" if f.is_choice() else "_f08"
    elif large:
        low += "_f08"
    name = f"DESCRIPTORS({low[:-6]})" if low.endswith("_f08ts") else f"FORTRAN({low}, {low.upper()})"
    parameters = [p.parameter for p in pieces] + ["hws_integer *ierror"] + [p.hidden for p in pieces if p.hidden]
    call = f"MPI({f.name}{'_c' if large_c or f.has('count') and f.name in ('Psend_init', 'Precv_init') else ''})"
    words = [f.first] * bool(f.first) + [p.call for p in pieces]
    needs = [p.needs for p in pieces if p.needs]
    front, start = [], f"void {name}("  # front: stands behind what it calls
    if is_direct(f, arguments):
        holds, direct_words = direct(f, arguments, large_c, descriptors)
        front = [wrapped(start, parameters, ")"), "{", f"    if (HWS_USUAL({holds})) {{",
                  wrapped(f"        hws_return(ierror, {call}(", direct_words, "));"), "        return;", "    }",
                  wrapped(f"    {low}_any(", [a.c for a in arguments] + ["ierror"], ");"), "}", ""]
        start = f"static __attribute__((noinline)) void {low}_any("
    lines = [wrapped(start, parameters, ")"), "{"]
    lines += [f"    {s}" for p in pieces for s in p.before]
    if needs:
        ready = " && ".join(needs)
        lines += ["    int rc;", f"    if ({ready})", wrapped(f"        rc = {call}(", words, ");"),
                  "    else", f'        rc = hws_not_made("MPI_{f.name}");']
    else:
        lines.append(wrapped(f"    int rc = {call}(", words, ");"))
    done = [s for p in pieces for s in p.done]
    if done:
        lines += ["    if (hws_is_done(rc)) {"] + [f"        {s}" for s in done] + ["    }"]
    lines += [f"    {s}" for p in pieces for s in p.after] + [f"    {s}" for p in pieces for s in p.free]
    lines += ["    hws_return(ierror, rc);", "}", ""]
    return "\n".join(lines + front)


def returning(f):
    """The functions that return no error."""
    ctype = {"double": "double", "aint": "MPI_Aint"}[f.returns]
    arguments = [piece(a, f, False, False) for a in f.arguments]
    parameters = ", ".join(p.parameter for p in arguments) or "void"
    low = f.name.lower()
    return (f"{ctype} FORTRAN({low}, {low.upper()})({parameters})\n{{\n"
            f"    return MPI({f.name})({', '.join(p.call for p in arguments)});\n}}\n")


def entries(functions):
    """The file with all entries that get no descriptors."""
    out = [HEAD]
    for f in functions:
        low = f.name.lower()
        if f.returns:
            out.append(returning(f))
            continue
        out.append(entry(f, False, False))
        if f.where == "both" and not f.has_other_f08():
            out.append(f"SAME({low}_f08, {low.upper()}_F08, {low}, {low.upper()})\n")
        if f.has("pointer"):
            out.append(f"SAME({low}_cptr, {low.upper()}_CPTR, {low}, {low.upper()})\n")
        if f.large and not f.has_other_f08() and (f.is_overloaded() or f.has("function")):
            out.append(entry(f, True, False))
    return "\n".join(out)


def slots(n):
    """The file with the C functions of callbacks that are given no state: n of each kind, which know their number."""
    out = [HEAD]
    for kind, parameters, names in SLOTS:
        for i in range(n):
            out.append(f"static void {kind}_{i}({parameters})\n{{\n    hws_call_{kind}({i}, {names});\n}}\n")
        out.append(wrapped(f"hws_{kind} *const hws_{kind}_slots[HWS_SLOTS] = {{", [f"{kind}_{i}" for i in range(n)], "};") + "\n")
    return "\n".join(out)


def descriptors(functions):
    """The file with what mpi_f08 has of its own."""
    out = [HEAD]
    for f in functions:
        if f.where == "both" and f.has_other_f08():
            out.append(entry(f, False, True))
            if f.is_overloaded():
                out.append(entry(f, True, True))
    return "\n".join(out)
