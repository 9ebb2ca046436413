#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Every implemented call is given every kind of bad argument, one at a time, all others good, under MPI_ERRORS_RETURN: the class is
the one that MPI 5.0 section 9.4 names, and the text has the rank, the call and the argument. The calls and their arguments
come from the table of functions, so that a new one is tested as soon as it is implemented. -checks 0 runs the good half."""
import os
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from tap import BUILD, CC, INCLUDE, done, ok, run, sanitizers, table

# Calls that say nothing (they cannot fail, or end the process), and those of other chapters' own rules.
SILENT = r"MPI_(T_|Abi_|Init|Finalize$|Abort|Wti|Pcontrol|Aint_|Status_[cf]|.*_(toint|fromint|c2f|f2c)$|DUP_FN|NULL_|CONVERSION|" \
         r"(COMM|TYPE|WIN)_|Get_(version|library)|Query_thread|Is_thread|Finalized|Initialized|Free_mem|Alloc_mem|Request_get_status_)|" \
         r"MPI_(Comm|Session)?_?(attach|detach|flush|iflush)_buffer|MPI_Buffer_|MPI_Remove_error|MPI_Add_error|MPI_Register_datarep"

PRELUDE = r"""
#include <mpi.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
static sigjmp_buf crash;
static void on_crash(int s) { siglongjmp(crash, s); }
static long long junk[64], space[4096];
static int zeros[64], ones[64] = {[0 ... 63] = 1}, out_int, periods[64], one_range[1][3] = {{0, 0, 1}};
static MPI_Aint aints[64];
static MPI_Count wide_ones[64] = {[0 ... 63] = 1}, wide_zeros[64];
static char text[4096];
static MPI_Datatype types[64], new_type, loose;
static MPI_Request req, reqs[8];
static MPI_Status st, sts[8];
static MPI_Comm comm, cart, graph, dist, new_comm, null_comm = MPI_COMM_NULL;
static MPI_Group group, new_group;
static MPI_Info info, new_info;
static MPI_Op op, new_op;
static MPI_Errhandler eh, new_eh;
static MPI_Session session;
static MPI_Message message;
static MPI_Request junk_req;
static MPI_Message junk_message;
static int keyval, type_keyval, win_keyval;
static void op_fn(void *a, void *b, int *n, MPI_Datatype *t) { (void)a, (void)b, (void)n, (void)t; }
static int n_cases, n_bad, quiet;

static void begin(void)
{
    req = MPI_REQUEST_NULL;
    for (int i = 0; i < 8; i++)
        reqs[i] = MPI_REQUEST_NULL;
    junk_req = (MPI_Request)junk;
    junk_message = (MPI_Message)junk;
    new_type = MPI_INT;
    message = MPI_MESSAGE_NO_PROC;
}

static void end(const char *fn, const char *arg, const char *value, int want, int also, int code)
{
    char line[MPI_MAX_ERROR_STRING] = "";
    int len, cls = -1;
    n_cases++;
    if (code)
        MPI_Error_string(code, line, &len);
    MPI_Error_class(code, &cls);
    char call[80];
    snprintf(call, sizeof call, " %s: ", fn);
    for (const char **p = (const char *[]){"comm_", "type_", "win_", NULL}; *p; p++)
        if (strncmp(arg, *p, strlen(*p)) == 0 && strstr(arg, "keyval"))
            arg += strlen(*p); /* one code for the three kinds */
    int said = strncmp(line, "rank 0 on host ", 15) == 0 && strstr(line, call) && strstr(line, arg);
    if ((cls == want || cls == also) && said)
        return;
    n_bad++;
    printf("%s(%s = %s): class %d, not %d: %s\n", fn, arg, value, cls, want, code ? line : "no error");
}

static void crashed(const char *fn, const char *arg, const char *value, int sig)
{
    n_cases++, n_bad++;
    printf("%s(%s = %s): signal %d\n", fn, arg, value, sig);
}

static void set_up(void)
{
    int one = 1, index = 0, weights[1] = {1};
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_dup(MPI_COMM_SELF, &comm);
    MPI_Cart_create(comm, 1, &one, zeros, 0, &cart);
    MPI_Graph_create(comm, 1, &index, zeros, 0, &graph);
    MPI_Dist_graph_create_adjacent(comm, 1, zeros, weights, 1, zeros, weights, MPI_INFO_NULL, 0, &dist);
    MPI_Comm_group(comm, &group);
    MPI_Info_create(&info);
    MPI_Info_set(info, "a", "b");
    MPI_Op_create(op_fn, 1, &op);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &keyval, NULL);
    MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &type_keyval, NULL);
    MPI_Comm_get_errhandler(comm, &eh);
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
    MPI_Type_contiguous(3, MPI_INT, &loose);
    for (int i = 0; i < 64; i++)
        types[i] = MPI_INT;
    strcpy(text, "a");
}
"""

BAD_COUNT = [("-1", "MPI_ERR_COUNT")]
MESSAGE_TYPES = ("datatype", "sendtype", "recvtype")
# What a class may be otherwise where the standard leaves the choice: (function, argument) patterns.
OTHERWISE = [
    (r".*", r"(incount|outcount|count|maxneighbors|max.*|ndims|n|partitions|blocklength)", "MPI_ERR_ARG"),
    (r"MPI_Type_create_darray(_c)?", "rank", "MPI_ERR_ARG"),
    (r"MPI_Info_.*", r"key", "MPI_ERR_INFO_KEY"),
    (r"MPI_Info_.*", r"value", "MPI_ERR_INFO_VALUE"),
]


def parameters(row):
    out = []
    if row["PARAMETERS"] in ("void", ""):
        return out
    for text in row["PARAMETERS"].split(","):
        m = re.match(r"\s*(.*?)\s*(\**)\s*(\w+)\s*((\[[^]]*\])*)$", text)
        out.append((m[1] + (" " + m[2] if m[2] else ""), m[3], m[4]))
    return out


def comm_for(fn):
    if "_neighbor_" in fn.lower() or "Neighbor_" in fn or "ineighbor" in fn.lower():
        return "cart"
    if re.match(r"MPI_(Cart(_|dim)|Topo_test)", fn) and not re.match(r"MPI_Cart_(create|map)", fn):
        return "cart"
    if re.match(r"MPI_Graph(_|dims)", fn) and not re.match(r"MPI_Graph_(create|map)", fn):
        return "graph"
    if fn.startswith("MPI_Dist_graph_neighbors"):
        return "dist"
    return "comm"


def is_message(fn):
    """Calls that move data: their types must be committed, their buffers must be there."""
    return re.match(r"MPI_(I?[bsr]?send|I?m?recv|I?sendrecv|P(send|recv)|[BSR]send|Send|Recv|Sendrecv|Isendrecv|I?bcast|Bcast|I?(all)?gather|"
                    r"Gather|I?scatter|Scatter|Allgather|I?alltoall|Alltoall|I?(all)?reduce|Allreduce|Reduce|I?(ex)?scan|Scan|Exscan)",
                    fn, re.I) and "local" not in fn


def good_and_bad(fn, kind, name, array):
    """The good value of an argument, and (bad value, class) pairs."""
    low = fn.lower()
    null = [("NULL", "MPI_ERR_ARG")]
    wide = kind == "MPI_Count"
    if kind == "MPI_Comm":
        good = "MPI_COMM_SELF" if name in ("peer_comm", "bridge_comm") else comm_for(fn)
        if fn in ("MPI_Comm_get_parent",):
            return good, []
        return good, [("MPI_COMM_NULL", "MPI_ERR_COMM"), ("(MPI_Comm)junk", "MPI_ERR_COMM")]
    if kind == "MPI_Comm *":
        if name == "comm":  # freed or disconnected
            return "&comm", [("NULL", "MPI_ERR_ARG"), ("&null_comm", "MPI_ERR_COMM")]
        return "&new_comm", null
    if kind == "MPI_Win":
        return "(MPI_Win)junk", [("MPI_WIN_NULL", "MPI_ERR_WIN"), ("(MPI_Win)junk", "MPI_ERR_WIN")]
    if kind == "MPI_Datatype" and not array:
        bad = [("MPI_DATATYPE_NULL", "MPI_ERR_TYPE"), ("(MPI_Datatype)junk", "MPI_ERR_TYPE")]
        if is_message(fn) and name in MESSAGE_TYPES:
            bad.append(("loose", "MPI_ERR_TYPE"))
        return "MPI_INT", bad
    if kind == "MPI_Datatype *":
        return "&new_type", null
    if kind in ("MPI_Op",):
        return "MPI_SUM", [("MPI_OP_NULL", "MPI_ERR_OP"), ("(MPI_Op)junk", "MPI_ERR_OP")] + \
            ([("MPI_MAXLOC", "MPI_ERR_OP")] if "commut" not in low and "op_" not in low else [])
    if kind == "MPI_Group":
        return "group", [("MPI_GROUP_NULL", "MPI_ERR_GROUP"), ("(MPI_Group)junk", "MPI_ERR_GROUP")]
    if kind == "MPI_Group *":
        return ("&group" if fn.endswith("free") else "&new_group"), null
    if kind == "MPI_Errhandler":
        bad = [("(MPI_Errhandler)junk", "MPI_ERR_ERRHANDLER")]
        if "session_init" not in low:
            bad.append(("MPI_ERRHANDLER_NULL", "MPI_ERR_ERRHANDLER"))
        return "MPI_ERRORS_RETURN", bad
    if kind == "MPI_Errhandler *":
        return "&new_eh", null
    if kind == "MPI_File":
        return "MPI_FILE_NULL", [("(MPI_File)junk", "MPI_ERR_FILE")]
    if kind == "MPI_Session":
        return "session", [("MPI_SESSION_NULL", "MPI_ERR_SESSION"), ("(MPI_Session)junk", "MPI_ERR_SESSION")]
    if kind == "MPI_Info":
        bad = [("(MPI_Info)junk", "MPI_ERR_INFO")]
        if fn.startswith("MPI_Info_") and fn != "MPI_Info_create_env":
            bad.append(("MPI_INFO_NULL", "MPI_ERR_INFO"))
        return "info", bad
    if kind == "MPI_Info *":
        return ("&info" if fn == "MPI_Info_free" else "&new_info"), null
    if kind == "MPI_Request *" or (kind == "MPI_Request" and array):
        if array or name.startswith("array"):
            return "reqs", [("NULL", "MPI_ERR_ARG"), ("&junk_req", "MPI_ERR_REQUEST")]
        bad = list(null)
        if re.match(r"MPI_(Wait|Test|Start|Cancel|Request_free)$", fn):
            bad.append(("&junk_req", "MPI_ERR_REQUEST"))
        return "&req", bad
    if kind == "MPI_Request":
        return "req", [("(MPI_Request)junk", "MPI_ERR_REQUEST")]
    if kind == "MPI_Message *":
        bad = [("NULL", "MPI_ERR_ARG")]
        if "recv" in low:
            bad.append(("&junk_message", "MPI_ERR_REQUEST"))
        return "&message", bad
    if kind in ("MPI_Status *", "const MPI_Status *") or "MPI_Status" in kind:
        return ("sts" if "array" in name else "&st"), []
    if kind == "MPI_Op *":
        return "&new_op", null
    if kind == "MPI_Session *":
        return "&session", null
    if kind in ("int", "MPI_Count", "MPI_Aint") and not array:
        return scalar(fn, name, wide)
    if kind in ("void *", "const void *"):
        if name in ("buf", "sendbuf", "recvbuf", "inbuf", "outbuf") and is_message(fn):
            if name == "recvbuf" and name != "buf" and re.search(r"reduce|scan", low):
                return "space", [("NULL", "MPI_ERR_BUFFER")]
            return ("(char *)space + 4096" if name == "recvbuf" else "space"), [("NULL", "MPI_ERR_BUFFER")]
        if name in ("attribute_val", "location"):
            return "space", [("NULL", "MPI_ERR_ARG")] if name == "attribute_val" and "get" in low else []
        return "space", []
    if array or kind.endswith("*"):
        return pointer(fn, kind, name, array)
    return {"MPI_User_function": "op_fn"}.get(kind.rstrip(" *"), "NULL"), []


def scalar(fn, name, wide):
    low = fn.lower()
    if name in ("count", "sendcount", "recvcount", "incount", "n") and "sendrecv" in low or \
            name in ("count", "sendcount", "recvcount", "incount", "outcount", "blocklength", "partitions") or name == "n":
        return "1", BAD_COUNT
    if name == "dest" or (name == "source" and "graph" not in low):
        return "MPI_PROC_NULL", [("99", "MPI_ERR_RANK"), ("-77", "MPI_ERR_RANK")]
    if name in ("tag", "sendtag", "recvtag"):
        return "1", [("-55", "MPI_ERR_TAG")]
    if name == "root":
        return "0", [("99", "MPI_ERR_ROOT"), ("-77", "MPI_ERR_ROOT")]
    if name == "rank" and not low.startswith("mpi_info"):
        return "0", [("99", "MPI_ERR_RANK")]
    if name in ("comm_keyval", "keyval"):
        return "keyval", [("MPI_KEYVAL_INVALID", "MPI_ERR_KEYVAL")]
    if name == "type_keyval":
        return "type_keyval", [("MPI_KEYVAL_INVALID", "MPI_ERR_KEYVAL")]
    if name in ("ndims", "nnodes", "maxdims", "errorcode", "color", "key", "direction", "disp"):
        return ("0" if name in ("errorcode", "color", "key", "direction", "disp") else "1"), \
            {"ndims": [("-1", "MPI_ERR_DIMS" if "type_" not in low else "MPI_ERR_ARG")], "nnodes": [("-1", "MPI_ERR_ARG")]}.get(name, [])
    if name in ("local_leader", "remote_leader"):
        return "0", [("99", "MPI_ERR_RANK")]
    if name == "split_type":
        return "MPI_COMM_TYPE_SHARED", [("-7", "MPI_ERR_ARG")]
    return "1", []


def pointer(fn, kind, name, array):
    base = kind.replace("const ", "").rstrip(" *")
    if name == "datarep":
        return '"external32"', [("text", "MPI_ERR_ARG")]
    if "char" in base:
        return "text", ([("NULL", "MPI_ERR_ARG")] if kind.strip() in ("char *", "const char *") and "argv" not in name else [])
    if "function" in base or base == "void":
        return {"MPI_User_function": "op_fn", "MPI_User_function_c": "(MPI_User_function_c *)op_fn"}.get(base, "NULL"), []
    if name in ("argc", "argv"):
        return "NULL", []
    outs = {"int": "&out_int" if not array else "ones", "MPI_Count": "wide_ones", "MPI_Aint": "aints", "MPI_Datatype": "types",
            "MPI_Offset": "(MPI_Offset *)space"}
    good = outs.get(base, "(void *)space")
    if name in ("displs", "sdispls", "rdispls", "ranks", "ranks1", "ranks2", "sources", "destinations", "edges", "coords", "periods",
                "remain_dims", "array_of_starts"):
        good = {"int": "zeros", "MPI_Count": "wide_zeros", "MPI_Aint": "aints"}.get(base, good)
    if array == "[][3]":
        good = "one_range"
    if not array and not kind.startswith("const"):
        optional = fn in ("MPI_Comm_spawn",) or name in ("array_of_errcodes", "argc")
        return good, [] if optional else [("NULL", "MPI_ERR_ARG")]
    if name in ("sendcounts", "recvcounts", "displs", "sdispls", "rdispls", "sendtypes", "recvtypes", "dims"):
        return good, [("NULL", "MPI_ERR_ARG")]
    return good, []


# Arguments that a call looks at only in some cases, that may be null, or that it can only believe. In one row: the pattern of the
# function, that of the argument, that of the value, and why.
LEFT_OUT = [
    ("MPI_Comm_get_name", "comm", "MPI_COMM_NULL", "it has a name since MPI 4.0"),
    ("MPI_Type_get_name", "datatype", "MPI_DATATYPE_NULL", "it has a name since MPI 4.1"),
    ("MPI_Win_get_name", "win", "MPI_WIN_NULL", "it has a name since MPI 4.1"),
    ("MPI_(Comm_create|Intercomm_create)_from_groups?", "errhandler", "MPI_ERRHANDLER_NULL", "stands for the initial handler"),
    ("MPI_Info_get_string", "value", "NULL", "asks for the length only"),
    ("MPI_Intercomm_merge", "newintracomm", "NULL", "a lone process has no intercommunicator"),
    ("MPI_Precv_init(_c)?", "dest", ".*", "the text calls it source, as the standard's own description does"),
    ("MPI_Session_get_nth_pset", "pset_name", "NULL", "asks for the length only"),
    ("MPI_Status_set_(source|tag)", "source|tag", ".*", "a status may hold anything"),
    ("MPI_Win_.*", "(?!win$).*(?<!_fn|val)", "NULL|.*junk|.*_NULL", "there are no windows yet: tests/unit/mpi/win_test.c"),
    ("MPI_Win_get_attr", "attribute_val", "NULL", "the same"),
    ("MPI_Comm_remote_(group|size)", "(group|size)", "NULL", "a lone process has no intercommunicator"),
]


def cases(implemented):
    for row in table("functions"):
        fn = row["NAME"]
        if fn not in implemented or re.match(SILENT, fn):
            continue
        ps = [(p, *good_and_bad(fn, *p)) for p in parameters(row)]
        for i, (p, good, bad) in enumerate(ps):
            for value, cls in bad:
                if any(re.fullmatch(f, fn) and re.fullmatch(a, p[1]) and re.fullmatch(v, value) for f, a, v, _ in LEFT_OUT):
                    continue
                args = [q[1] for q in ps]
                args[i] = value
                yield fn, p[1], value, cls, ", ".join(args)


def program(implemented):
    lines, names = [], set()
    for fn, arg, value, cls, args in cases(implemented):
        names.add(fn)
        also = next((c for f, a, c in OTHERWISE if re.fullmatch(f, fn) and re.fullmatch(a, arg)), cls)
        lines.append(f'    begin(); if ((sig = sigsetjmp(crash, 1)) == 0) end("{fn}", "{arg}", "{value}", {cls}, {also}, {fn}({args})); '
                     f'else crashed("{fn}", "{arg}", "{value}", sig);')
    functions = []
    for i in range(0, len(lines), 200):
        functions.append(f"static void part{i // 200}(void)\n{{\n    int sig;\n" + "\n".join(lines[i:i + 200]) + "\n}\n")
    main = "int main(int argc, char **argv)\n{\n    MPI_Init(&argc, &argv);\n    set_up();\n    signal(SIGSEGV, on_crash);\n" \
           "    signal(SIGBUS, on_crash);\n    signal(SIGABRT, on_crash);\n    signal(SIGFPE, on_crash);\n" + \
           "".join(f"    part{i}();\n" for i in range(len(functions))) + \
           '    printf("%d cases, %d bad\\n", n_cases, n_bad);\n    fflush(stdout);\n    MPI_Abort(MPI_COMM_WORLD, n_bad ? 3 : 2);\n}\n'
    return PRELUDE + "".join(functions) + main, len(lines), len(names)


missing = set(run([BUILD / "hawser-info", "--missing"]).stdout.split())
implemented = {row["NAME"] for row in table("functions")} - missing
environment = {k: v for k, v in os.environ.items() if not k.startswith(("PMI", "HAWSER_"))}
environment["HAWSER_INITIAL_ERRHANDLER"] = "mpi_errors_return"  # of what has no object yet, as MPI_Session_init
with tempfile.TemporaryDirectory() as folder:
    source, binary = pathlib.Path(folder) / "arguments.c", pathlib.Path(folder) / "arguments"
    text, n_cases, n_functions = program(implemented)
    source.write_text(text)
    if os.environ.get("KEEP"):
        pathlib.Path(os.environ["KEEP"]).write_text(text)
    built = run(CC + ["-w", "-g", f"-I{INCLUDE}", *sanitizers(), "-o", binary, source, f"-L{BUILD / '.libs'}", "-lmpi_abi",
                      f"-Wl,-rpath,{BUILD / '.libs'}"])
    if ok(built.returncode == 0, "the program builds", built.stdout):
        result = run([BUILD / "mpirun", "-n", "1", binary], env=environment)
        last = [line for line in result.stdout.splitlines() if line.endswith(" bad")]
        ok(last == [f"{n_cases} cases, 0 bad"] and result.returncode == 2, f"{n_cases} bad arguments of {n_functions} functions",
           f"status {result.returncode}\n{result.stdout}")
done()
