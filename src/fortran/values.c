/* SPDX-License-Identifier: BSD-3-Clause
 *
 * values: sentinels, truth, arrays, strings and errors of the Fortran bindings, and what the C library is told about
 * Fortran.
 */
#include "fortran/fortran.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Common blocks, aligned at least as Fortran compilers do it. */
#define COMMON __attribute__((aligned(32)))
hws_integer hws_bottom COMMON, hws_in_place COMMON, hws_buffer_automatic COMMON, hws_unweighted COMMON,
    hws_weights_empty COMMON;
hws_integer hws_status_ignore[MPI_F_STATUS_SIZE] COMMON, hws_statuses_ignore[MPI_F_STATUS_SIZE] COMMON;
hws_integer hws_status_ignore_f08[MPI_F_STATUS_SIZE] COMMON, hws_statuses_ignore_f08[MPI_F_STATUS_SIZE] COMMON;
char hws_argv_null COMMON, hws_argvs_null COMMON;
hws_integer hws_errcodes_ignore COMMON;
#undef COMMON

int hws_logical_true, hws_logical_false;

/* ---- errors */
static __thread struct {
    int error_class; /* MPI_SUCCESS: nothing is known */
    char text[200];
} trouble;

void hws_trouble(int error_class, const char *text, ...)
{
    va_list words;
    va_start(words, text);
    trouble.error_class = error_class;
    vsnprintf(trouble.text, sizeof trouble.text, text, words);
    va_end(words);
}

int hws_not_made(const char *function)
{
    char text[MPI_MAX_ERROR_STRING];
    int code = trouble.error_class ? trouble.error_class : MPI_ERR_NO_MEM, class = code;
    snprintf(text, sizeof text, "%s: %s", function, trouble.error_class ? trouble.text : "out of memory");
    trouble.error_class = MPI_SUCCESS;
    if (PMPI_Add_error_code(class, &code) != MPI_SUCCESS || PMPI_Add_error_string(code, text) != MPI_SUCCESS)
        code = class;
    PMPI_Comm_call_errhandler(MPI_COMM_SELF, code);
    return code;
}

/* ---- arrays */
static void *room_for(MPI_Count n, size_t size)
{
    return calloc(n > 0 ? (size_t)n : 1, size);
}

int *hws_flags(MPI_Count n)
{
    return room_for(n, sizeof(int));
}

int *hws_truths(const hws_integer *logicals, MPI_Count n)
{
    int *flags = hws_flags(n);
    for (MPI_Count i = 0; flags && i < n; i++)
        flags[i] = hws_is_true(logicals[i]);
    return flags;
}

void hws_logicals(hws_integer *to, const int *flags, MPI_Count n)
{
    for (MPI_Count i = 0; i < n; i++)
        to[i] = hws_logical(flags[i]);
}

MPI_Datatype *hws_datatypes(const hws_integer *from, MPI_Count n)
{
    MPI_Datatype *to = room_for(n, sizeof *to);
    for (MPI_Count i = 0; to && from && i < n; i++)
        to[i] = hws_datatype_of(from[i]);
    return to;
}

MPI_Info *hws_infos(const hws_integer *from, MPI_Count n)
{
    MPI_Info *to = room_for(n, sizeof *to);
    for (MPI_Count i = 0; to && i < n; i++)
        to[i] = hws_info_of(from[i]);
    return to;
}

MPI_Request *hws_requests(const hws_integer *from, MPI_Count n)
{
    MPI_Request *to = room_for(n, sizeof *to);
    for (MPI_Count i = 0; to && from && i < n; i++)
        to[i] = hws_request_of(from[i]);
    return to;
}

void hws_datatypes_back(hws_integer *to, const MPI_Datatype *from, MPI_Count n)
{
    for (MPI_Count i = 0; i < n; i++)
        if (from[i])
            to[i] = PMPI_Type_c2f(from[i]);
}

void hws_requests_back(hws_integer *to, const MPI_Request *from, MPI_Count n)
{
    for (MPI_Count i = 0; i < n; i++)
        if (from[i]) {
            hws_late_check(to[i], from[i]);
            to[i] = PMPI_Request_c2f(from[i]);
        }
}

/* ---- lengths. The errors of a wrong communicator are the called function's to report, so nothing is asked of such a
 * one. */
static int topology_of(MPI_Comm comm)
{
    int kind = MPI_UNDEFINED;
    if (comm != MPI_COMM_NULL)
        PMPI_Topo_test(comm, &kind);
    return kind;
}

int hws_ranks(MPI_Comm comm)
{
    int inter = 0, n = 0;
    if (comm == MPI_COMM_NULL || PMPI_Comm_test_inter(comm, &inter) != MPI_SUCCESS)
        return 0;
    int rc = inter ? PMPI_Comm_remote_size(comm, &n) : PMPI_Comm_size(comm, &n);
    return rc == MPI_SUCCESS ? n : 0;
}

int hws_dims(MPI_Comm comm)
{
    int n = 0;
    return topology_of(comm) == MPI_CART && PMPI_Cartdim_get(comm, &n) == MPI_SUCCESS ? n : 0;
}

bool hws_is_root(MPI_Comm comm, int root)
{
    int rank = MPI_PROC_NULL;
    if (root == MPI_ROOT || comm == MPI_COMM_NULL)
        return root == MPI_ROOT;
    return PMPI_Comm_rank(comm, &rank) == MPI_SUCCESS && rank == root;
}

static void neighbours(MPI_Comm comm, int *sources, int *destinations)
{
    int rank, weighted;
    *sources = *destinations = 0;
    switch (topology_of(comm)) {
    case MPI_CART:
        *sources = *destinations = 2 * hws_dims(comm);
        return;
    case MPI_GRAPH:
        PMPI_Comm_rank(comm, &rank);
        PMPI_Graph_neighbors_count(comm, rank, sources);
        *destinations = *sources;
        return;
    case MPI_DIST_GRAPH:
        PMPI_Dist_graph_neighbors_count(comm, sources, destinations, &weighted);
        return;
    default:
        return;
    }
}

int hws_sources(MPI_Comm comm)
{
    int sources, destinations;
    neighbours(comm, &sources, &destinations);
    return sources;
}

int hws_destinations(MPI_Comm comm)
{
    int sources, destinations;
    neighbours(comm, &sources, &destinations);
    return destinations;
}

/* ---- strings */
char *hws_string(const char *from, size_t len)
{
    while (len > 0 && from[len - 1] == ' ')
        len--;
    for (; len > 0 && *from == ' '; len--)
        from++;
    char *to = malloc(len + 1);
    if (to) {
        memcpy(to, from, len);
        to[len] = '\0';
    }
    return to;
}

char *hws_room(int bytes)
{
    return calloc(bytes > 0 ? (size_t)bytes : 1, 1);
}

void hws_pad(char *to, size_t len, const char *from)
{
    size_t n = strlen(from);
    n = n < len ? n : len;
    memcpy(to, from, n);
    memset(to + n, ' ', len - n);
}

/* The first n of Fortran's strings, `step` characters apart, into to[], a NULL behind them; their text goes to *text,
 * which is moved on. */
static void give_strings(const char *from, size_t len, size_t step, int n, char **to, char **text)
{
    for (int i = 0; i < n; i++, from += step) {
        size_t l = len;
        while (l > 0 && from[l - 1] == ' ')
            l--;
        to[i] = memcpy(*text, from, l);
        (*text)[l] = '\0';
        *text += l + 1;
    }
    to[n] = NULL;
}

/* How many there are before the blank one. */
static int before_blank(const char *from, size_t len, size_t step)
{
    int n = 0;
    for (;; n++, from += step) {
        size_t i = 0;
        while (i < len && from[i] == ' ')
            i++;
        if (i == len)
            return n;
    }
}

bool hws_commands(const char *from, size_t len, int count, char ***out)
{
    size_t n = count > 0 ? (size_t)count : 0;
    char **to = malloc((n + 1) * sizeof *to + n * (len + 1));
    if (!to)
        return false;
    char *text = (char *)(to + n + 1);
    give_strings(from, len, len, (int)n, to, &text);
    *out = to;
    return true;
}

bool hws_argv(const char *from, size_t len, char ***out)
{
    return from == &hws_argv_null || hws_commands(from, len, before_blank(from, len, len), out);
}

/* Element (i, j) of Fortran is argument j of command i. */
bool hws_argvs(const char *from, size_t len, int count, char ****out)
{
    size_t n = count > 0 ? (size_t)count : 0, step = n * len, words = 0;
    if (from == &hws_argvs_null)
        return true;
    for (size_t i = 0; i < n; i++)
        words += (size_t)before_blank(from + i * len, len, step);
    char ***to = malloc(n * sizeof *to + (words + n) * sizeof **to + words * (len + 1) + 1);
    if (!to)
        return false;
    char **pointers = (char **)(to + n), *text = (char *)(pointers + words + n);
    for (size_t i = 0; i < n; i++) {
        int arguments = before_blank(from + i * len, len, step);
        give_strings(from + i * len, len, step, arguments, pointers, &text);
        to[i] = pointers;
        pointers += arguments + 1;
    }
    *out = to;
    return true;
}

/* ---- statuses: those of C, of mpif.h and of mpi_f08 are eight integers each */
#define COPY_STATUS(name, NAME)                                                                                        \
    void FC_FUNC_(name, NAME)(const hws_integer *from, hws_integer *to, hws_integer *ierror);                          \
    void FC_FUNC_(name, NAME)(const hws_integer *from, hws_integer *to, hws_integer *ierror)                           \
    {                                                                                                                  \
        memcpy(to, from, MPI_F_STATUS_SIZE * sizeof *to);                                                              \
        hws_return(ierror, MPI_SUCCESS);                                                                               \
    }
COPY_STATUS(mpi_status_f2f08, MPI_STATUS_F2F08)
COPY_STATUS(mpi_status_f082f, MPI_STATUS_F082F)
COPY_STATUS(pmpi_status_f2f08, PMPI_STATUS_F2F08)
COPY_STATUS(pmpi_status_f082f, PMPI_STATUS_F082F)
#undef COPY_STATUS

/* ---- what only Fortran has. MPI_Pcontrol has no ierror. */
#define NOTHING(name, NAME, parameters)                                                                                \
    void FC_FUNC_(name, NAME) parameters;                                                                              \
    void FC_FUNC_(name, NAME) parameters                                                                               \
    {                                                                                                                  \
    }
NOTHING(mpi_f_sync_reg, MPI_F_SYNC_REG, (void))
NOTHING(pmpi_f_sync_reg, PMPI_F_SYNC_REG, (void))
#undef NOTHING

void mpi_f_sync_reg_f08ts_(void);
void mpi_f_sync_reg_f08ts_(void)
{
}

void pmpi_f_sync_reg_f08ts_(void);
void pmpi_f_sync_reg_f08ts_(void)
{
}

void FC_FUNC_(mpi_pcontrol, MPI_PCONTROL)(const hws_integer *level);
void FC_FUNC_(mpi_pcontrol, MPI_PCONTROL)(const hws_integer *level)
{
    MPI_Pcontrol(hws_int(*level));
}

void FC_FUNC_(pmpi_pcontrol, PMPI_PCONTROL)(const hws_integer *level);
void FC_FUNC_(pmpi_pcontrol, PMPI_PCONTROL)(const hws_integer *level)
{
    PMPI_Pcontrol(hws_int(*level));
}

/* ---- the compiler, asked by a procedure in Fortran (types.f90, generated) */
struct facts {
    int true_value, false_value;
    int logical_size, integer_size, real_size, double_precision_size; /* bytes */
    int integer16, real16;                                            /* whether there are such */
};
void hws_fortran_facts(struct facts *facts);

static void say(MPI_Info info, const char *key, bool yes)
{
    PMPI_Info_set(info, key, yes ? "true" : "false");
}

static void say_size(MPI_Info info, const char *key, int bytes)
{
    char text[12];
    snprintf(text, sizeof text, "%d", bytes);
    PMPI_Info_set(info, key, text);
}

/* MPI 5.0 section 20.3: works before initialization, once a process. Who was earlier, is asked for nothing. */
__attribute__((constructor)) static void tell_c(void)
{
    static const char *const always[] = {
        "mpi_logical1_supported",      "mpi_logical2_supported", "mpi_logical4_supported", "mpi_logical8_supported",
        "mpi_integer1_supported",      "mpi_integer2_supported", "mpi_integer4_supported", "mpi_integer8_supported",
        "mpi_real4_supported",         "mpi_real8_supported",    "mpi_complex8_supported", "mpi_complex16_supported",
        "mpi_double_complex_supported"};
    struct facts f;
    MPI_Info info;
    int is_set = 0;
    hws_fortran_facts(&f);
    hws_logical_true = f.true_value;
    hws_logical_false = f.false_value;
    hws_integer yes = f.true_value, no = f.false_value, c_yes, c_no; /* a LOGICAL has the size of an INTEGER */
    if (PMPI_Abi_get_fortran_booleans(f.logical_size, &c_yes, &c_no, &is_set) == MPI_SUCCESS && !is_set)
        PMPI_Abi_set_fortran_booleans(f.logical_size, &yes, &no);
    if (PMPI_Abi_get_fortran_info(&info) != MPI_SUCCESS)
        return;
    if (info == MPI_INFO_NULL && PMPI_Info_create(&info) == MPI_SUCCESS) {
        say_size(info, "mpi_logical_size", f.logical_size);
        say_size(info, "mpi_integer_size", f.integer_size);
        say_size(info, "mpi_real_size", f.real_size);
        say_size(info, "mpi_double_precision_size", f.double_precision_size);
        for (size_t i = 0; i < sizeof always / sizeof *always; i++)
            say(info, always[i], true);
        say(info, "mpi_logical16_supported", f.integer16);
        say(info, "mpi_integer16_supported", f.integer16);
        say(info, "mpi_real2_supported", false);
        say(info, "mpi_complex4_supported", false);
        say(info, "mpi_real16_supported", f.real16);
        say(info, "mpi_complex32_supported", f.real16);
        PMPI_Abi_set_fortran_info(info);
    }
    PMPI_Info_free(&info);
}
