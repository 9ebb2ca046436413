# SPDX-License-Identifier: BSD-3-Clause
# Writes the wrappers of libhawser-report.so from the prototypes of mpi.h: of the calls that can wait or send.

function is_wrapped(name,    s) {
    s = tolower(substr(name, 5))
    sub(/_c$/, "", s)
    return s ~ /^i?(neighbor_)?(allgatherv?|alltoall[vw]?)$/ || \
        s ~ /^i?(allreduce|barrier|bcast|exscan|gatherv?|reduce|reduce_scatter(_block)?|scan|scatterv?)$/ || \
        s ~ /^i?[bsr]?send$/ || s ~ /^i?(m?recv|m?probe|sendrecv(_replace)?)$/ || s ~ /^(wait|test)(all|any|some)?$/ || \
        s ~ /^(start|startall|pready|pready_range|pready_list|parrived|buffer_detach|init|init_thread|finalize|session_init|session_finalize)$/ || \
        s ~ /^comm_(dup|dup_with_info|idup|idup_with_info|split|split_type|create|create_group|create_from_group|free|disconnect|accept|connect|spawn|spawn_multiple|join)$/ || \
        s ~ /^intercomm_(create|create_from_groups|merge)$/ || s ~ /^(cart|graph|dist_graph)_create(_adjacent)?$/ || s ~ /^cart_sub$/ || \
        s ~ /^win_(create|allocate|allocate_shared|create_dynamic|fence|free|complete|wait|lock|unlock|flush)$/
}

function find(pattern,    i) {
    for (i = 1; i <= n_args; i++)
        if (args[i] ~ pattern)
            return names[i]
    return ""
}

function wrapper(name, list,    i, call, peer, type, count, comm) {
    n_args = list == "void" ? 0 : split(list, args, /, */)
    call = ""
    for (i = 1; i <= n_args; i++) {
        names[i] = args[i]
        sub(/\[[^]]*\]$/, "", names[i])
        sub(/^.*[ *]/, "", names[i])
        call = call (i > 1 ? ", " : "") names[i]
    }
    comm = find("^MPI_Comm (comm|comm_old|local_comm|parent)$")
    peer = find("^int (dest|source|root)$")
    type = find("^MPI_Datatype (datatype|sendtype)$")
    count = type == "" ? "" : find("^(int|MPI_Count) (count|sendcount)$")
    nexts[n_calls] = name
    printf "static int (*next_%s)(%s);\n", name, list
    printf "int __attribute__((visibility(\"default\"))) %s(%s)\n{\n    uint32_t outer;\n", name, list
    printf "    struct hws_profile_thread *t = hws_report_enter(%d, &outer);\n", n_calls
    printf "    t->comm = %s;\n", comm == "" ? "0" : "(uint64_t)(uintptr_t)" comm
    printf "    t->type = %s;\n", count == "" ? "0" : "(uint64_t)(uintptr_t)" type
    printf "    t->peer = %s;\n", peer == "" ? "-1" : peer
    printf "    t->count = %s;\n", count == "" ? "0" : count
    if (name ~ /_(Init|Init_thread|Session_init)$/)
        print "    hws_report_find();"
    printf "    int rc = next_%s(%s);\n    hws_report_leave(t, outer);\n    return rc;\n}\n\n", name, call
    n_calls++
}

BEGIN {
    n_calls = 0
    print "/* Made by src/report/write_calls.awk from mpi.h. */"
    print "#include \"report/report.h\"\n\n#include <assert.h>\n#include <mpi.h>\n"
    text = ""
}

/^int MPI_[A-Za-z_]*\(/ { text = ""; is_open = 1 }
is_open {
    line = $0
    sub(/^ +/, "", line)
    text = text == "" ? line : text " " line
}
is_open && /;$/ {
    is_open = 0
    name = text
    sub(/^int /, "", name)
    sub(/\(.*/, "", name)
    list = text
    sub(/^[^(]*\(/, "", list)
    sub(/\);$/, "", list)
    if (is_wrapped(name) && list !~ /\(/)
        wrapper(name, list)
}

END {
    print "const struct hws_report_next hws_report_nexts[] = {"
    for (i = 0; i < n_calls; i++)
        printf "    {\"%s\", (void **)(void *)&next_%s},\n", nexts[i], nexts[i]
    print "};\nconst char *const hws_report_names[] = {"
    for (i = 0; i < n_calls; i++)
        printf "    \"%s\",\n", nexts[i]
    printf "};\nconst unsigned hws_report_n = %d;\n", n_calls
    printf "static_assert(%d <= HWS_PROFILE_CALLS, \"each call has a place\");\n", n_calls
}
