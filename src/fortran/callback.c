/* SPDX-License-Identifier: BSD-3-Clause
 *
 * callback: C functions that call Fortran procedures, and attributes (MPI 5.0 sections 19.3.6 and 19.3.7).
 *
 * C calls an operation and an error handler without saying which one it is, so each Fortran procedure gets a C function
 * of its own, of the HWS_SLOTS there are of each kind; it keeps it, because an operation lives on in what uses it. The
 * other callbacks are given a state.
 */
#include "fortran/fortran.h"

#include <pthread.h>
#include <stdint.h>
#include <string.h>

/* Macros of C, which have the names of Fortran's procedures in upper case. */
#undef MPI_NULL_COPY_FN
#undef MPI_DUP_FN
#undef MPI_NULL_DELETE_FN
#undef MPI_COMM_NULL_COPY_FN
#undef MPI_COMM_DUP_FN
#undef MPI_COMM_NULL_DELETE_FN
#undef MPI_TYPE_NULL_COPY_FN
#undef MPI_TYPE_DUP_FN
#undef MPI_TYPE_NULL_DELETE_FN
#undef MPI_WIN_NULL_COPY_FN
#undef MPI_WIN_DUP_FN
#undef MPI_WIN_NULL_DELETE_FN
#undef MPI_CONVERSION_FN_NULL
#undef MPI_CONVERSION_FN_NULL_C

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* ---- slots */
enum slot_kind {
    USER_FN,
    USER_FN_C,
    COMM_ERRHANDLER_FN,
    FILE_ERRHANDLER_FN,
    SESSION_ERRHANDLER_FN,
    WIN_ERRHANDLER_FN,
    N_KINDS
};
static hws_procedure *slots[N_KINDS][HWS_SLOTS]; /* NULL: free */

/* The number of the procedure's slot; negative: there is none left. */
static int slot_for(enum slot_kind kind, hws_procedure *procedure)
{
    int i = 0;
    pthread_mutex_lock(&lock);
    while (i < HWS_SLOTS && slots[kind][i] && slots[kind][i] != procedure)
        i++;
    if (i < HWS_SLOTS)
        slots[kind][i] = procedure;
    pthread_mutex_unlock(&lock);
    if (i < HWS_SLOTS)
        return i;
    hws_trouble(MPI_ERR_OTHER, "there can be %d different procedures of this kind", HWS_SLOTS);
    return -1;
}

#define SLOT_FOR(kind, KIND)                                                                                           \
    hws_##kind *hws_##kind##_for(hws_procedure *procedure)                                                             \
    {                                                                                                                  \
        int slot = slot_for(KIND, procedure);                                                                          \
        return slot < 0 ? NULL : hws_##kind##_slots[slot];                                                             \
    }
SLOT_FOR(user_fn, USER_FN)
SLOT_FOR(user_fn_c, USER_FN_C)
SLOT_FOR(comm_errhandler_fn, COMM_ERRHANDLER_FN)
SLOT_FOR(file_errhandler_fn, FILE_ERRHANDLER_FN)
SLOT_FOR(session_errhandler_fn, SESSION_ERRHANDLER_FN)
SLOT_FOR(win_errhandler_fn, WIN_ERRHANDLER_FN)
#undef SLOT_FOR

void hws_call_user_fn(int slot, void *in, void *inout, int *len, MPI_Datatype *datatype)
{
    hws_integer type = PMPI_Type_c2f(*datatype);
    hws_integer n = *len;
    ((void (*)(void *, void *, hws_integer *, hws_integer *))slots[USER_FN][slot])(in, inout, &n, &type);
}

void hws_call_user_fn_c(int slot, void *in, void *inout, MPI_Count *len, MPI_Datatype *datatype)
{
    hws_integer type = PMPI_Type_c2f(*datatype);
    ((void (*)(void *, void *, MPI_Count *, hws_integer *))slots[USER_FN_C][slot])(in, inout, len, &type);
}

static void handle_error(enum slot_kind kind, int slot, hws_integer handle, int *code)
{
    hws_integer error = *code;
    ((void (*)(hws_integer *, hws_integer *))slots[kind][slot])(&handle, &error);
    *code = hws_int(error);
}

void hws_call_comm_errhandler_fn(int slot, MPI_Comm *comm, int *code)
{
    handle_error(COMM_ERRHANDLER_FN, slot, PMPI_Comm_c2f(*comm), code);
}

void hws_call_file_errhandler_fn(int slot, MPI_File *file, int *code)
{
    handle_error(FILE_ERRHANDLER_FN, slot, PMPI_File_c2f(*file), code);
}

void hws_call_session_errhandler_fn(int slot, MPI_Session *session, int *code)
{
    handle_error(SESSION_ERRHANDLER_FN, slot, PMPI_Session_c2f(*session), code);
}

void hws_call_win_errhandler_fn(int slot, MPI_Win *win, int *code)
{
    handle_error(WIN_ERRHANDLER_FN, slot, PMPI_Win_c2f(*win), code);
}

/* ---- states */
struct hws_state {
    hws_procedure *procedures[3];
    MPI_Aint extra;  /* what callbacks of attributes get */
    MPI_Aint *where; /* and those of a generalized request */
    struct hws_state *next;
};
static struct hws_state *states; /* those that are kept */

static struct hws_state *new_state(MPI_Aint extra, int n, hws_procedure *const procedures[])
{
    struct hws_state *s = calloc(1, sizeof *s);
    if (s) {
        s->extra = extra;
        for (int i = 0; i < n; i++)
            s->procedures[i] = procedures[i];
    }
    return s;
}

struct hws_state *hws_state_once(MPI_Aint *extra, int n, hws_procedure *const procedures[])
{
    struct hws_state *s = new_state(0, n, procedures);
    if (s)
        s->where = extra;
    return s;
}

static bool is_like(const struct hws_state *s, MPI_Aint extra, int n, hws_procedure *const procedures[])
{
    bool like = s->extra == extra;
    for (int i = 0; like && i < n; i++)
        like = s->procedures[i] == procedures[i];
    return like;
}

struct hws_state *hws_state(MPI_Aint extra, int n, hws_procedure *const procedures[])
{
    pthread_mutex_lock(&lock);
    struct hws_state *s = states;
    while (s && !is_like(s, extra, n, procedures))
        s = s->next;
    if (!s && (s = new_state(extra, n, procedures))) {
        s->next = states;
        states = s;
    }
    pthread_mutex_unlock(&lock);
    return s;
}

/* ---- attributes that Fortran sets: C sees the address of the value, so each has a place here, until it is deleted by
 * the callback of a keyval made in Fortran. */
#define PLACES 256
static struct places {
    MPI_Aint values[PLACES]; /* free ones are linked through them */
    struct places *next;
} * places;
static MPI_Aint *first_free;

static bool is_place(const void *attribute)
{
    uintptr_t p = (uintptr_t)attribute;
    for (const struct places *some = places; some; some = some->next)
        if (p >= (uintptr_t)some->values && p < (uintptr_t)(some->values + PLACES))
            return true;
    return false;
}

void *hws_attribute(MPI_Aint value)
{
    pthread_mutex_lock(&lock);
    if (!first_free) {
        struct places *more = malloc(sizeof *more);
        if (more) {
            for (int i = 0; i < PLACES; i++)
                more->values[i] = i + 1 < PLACES ? (MPI_Aint)&more->values[i + 1] : 0;
            more->next = places;
            places = more;
            first_free = more->values;
        }
    }
    MPI_Aint *place = first_free;
    if (place) {
        first_free = (MPI_Aint *)*place;
        *place = value;
    }
    pthread_mutex_unlock(&lock);
    return place;
}

static void forget(void *attribute)
{
    pthread_mutex_lock(&lock);
    if (is_place(attribute)) {
        *(MPI_Aint *)attribute = (MPI_Aint)first_free;
        first_free = attribute;
    }
    pthread_mutex_unlock(&lock);
}

/* What C set is for Fortran the address (section 19.3.7); `ours`: Fortran set it. */
static MPI_Aint value_of(void *attribute, bool *ours)
{
    pthread_mutex_lock(&lock);
    *ours = is_place(attribute);
    MPI_Aint value = *ours ? *(MPI_Aint *)attribute : (MPI_Aint)attribute;
    pthread_mutex_unlock(&lock);
    return value;
}

MPI_Aint hws_attribute_value(int keyval, void *attribute)
{
    bool ours;
    switch (keyval) {
    case MPI_TAG_UB:
    case MPI_IO:
    case MPI_HOST:
    case MPI_WTIME_IS_GLOBAL:
    case MPI_APPNUM:
    case MPI_LASTUSEDCODE:
    case MPI_UNIVERSE_SIZE:
    case MPI_WIN_DISP_UNIT:
    case MPI_WIN_CREATE_FLAVOR:
    case MPI_WIN_MODEL:
        return *(int *)attribute;
    case MPI_WIN_SIZE:
        return *(MPI_Aint *)attribute;
    default: /* also MPI_WIN_BASE, which is the address itself */
        return value_of(attribute, &ours);
    }
}

/* Those of Fortran that only say yes or no. */
#define FORTRAN_FUNCTION(name, NAME, parameters) void FC_FUNC_(name, NAME) parameters
#define COPY_FUNCTIONS(kind, KIND, value)                                                                              \
    FORTRAN_FUNCTION(mpi_##kind##null_copy_fn, MPI_##KIND##NULL_COPY_FN,                                               \
                     (hws_integer *, hws_integer *, value *, value *, value *, hws_integer *, hws_integer *));         \
    FORTRAN_FUNCTION(mpi_##kind##dup_fn, MPI_##KIND##DUP_FN,                                                           \
                     (hws_integer *, hws_integer *, value *, value *, value *, hws_integer *, hws_integer *));         \
    FORTRAN_FUNCTION(mpi_##kind##null_delete_fn, MPI_##KIND##NULL_DELETE_FN,                                           \
                     (hws_integer *, hws_integer *, value *, value *, hws_integer *));                                 \
    FORTRAN_FUNCTION(mpi_##kind##null_copy_fn, MPI_##KIND##NULL_COPY_FN,                                               \
                     (hws_integer * old, hws_integer * keyval, value * extra, value * in, value * out,                 \
                      hws_integer * flag, hws_integer * ierror))                                                       \
    {                                                                                                                  \
        (void)old, (void)keyval, (void)extra, (void)in, (void)out;                                                     \
        *flag = hws_logical_false;                                                                                     \
        *ierror = MPI_SUCCESS;                                                                                         \
    }                                                                                                                  \
    FORTRAN_FUNCTION(mpi_##kind##dup_fn, MPI_##KIND##DUP_FN,                                                           \
                     (hws_integer * old, hws_integer * keyval, value * extra, value * in, value * out,                 \
                      hws_integer * flag, hws_integer * ierror))                                                       \
    {                                                                                                                  \
        (void)old, (void)keyval, (void)extra;                                                                          \
        *out = *in;                                                                                                    \
        *flag = hws_logical_true;                                                                                      \
        *ierror = MPI_SUCCESS;                                                                                         \
    }                                                                                                                  \
    FORTRAN_FUNCTION(mpi_##kind##null_delete_fn, MPI_##KIND##NULL_DELETE_FN,                                           \
                     (hws_integer * old, hws_integer * keyval, value * in, value * extra, hws_integer * ierror))       \
    {                                                                                                                  \
        (void)old, (void)keyval, (void)in, (void)extra;                                                                \
        *ierror = MPI_SUCCESS;                                                                                         \
    }
COPY_FUNCTIONS(comm_, COMM_, MPI_Aint)
COPY_FUNCTIONS(type_, TYPE_, MPI_Aint)
COPY_FUNCTIONS(win_, WIN_, MPI_Aint)
COPY_FUNCTIONS(, , hws_integer)
#undef COPY_FUNCTIONS
#undef FORTRAN_FUNCTION

/* Copies as a function of Fortran says. What C set and is only passed on stays the pointer that it is. */
static int copied(hws_integer old, hws_integer keyval, struct hws_state *s, void *in, void **out, int *flag)
{
    bool ours;
    MPI_Aint from = value_of(in, &ours), to = 0;
    hws_integer yes = hws_logical_false, rc = MPI_SUCCESS;
    ((void (*)(hws_integer *, hws_integer *, MPI_Aint *, MPI_Aint *, MPI_Aint *, hws_integer *,
               hws_integer *))s->procedures[0])(&old, &keyval, &s->extra, &from, &to, &yes, &rc);
    *flag = hws_is_true(yes);
    if (rc == MPI_SUCCESS && *flag && !ours && to == (MPI_Aint)in)
        *out = in;
    else if (rc == MPI_SUCCESS && *flag && !(*out = hws_attribute(to)))
        return MPI_ERR_NO_MEM;
    return hws_int(rc);
}

static int deleted(hws_integer object, hws_integer keyval, void *attribute, struct hws_state *s)
{
    bool ours;
    MPI_Aint value = value_of(attribute, &ours);
    hws_integer rc = MPI_SUCCESS;
    ((void (*)(hws_integer *, hws_integer *, MPI_Aint *, MPI_Aint *, hws_integer *))s->procedures[1])(
        &object, &keyval, &value, &s->extra, &rc);
    if (rc == MPI_SUCCESS)
        forget(attribute);
    return hws_int(rc);
}

#define ATTRIBUTE_FUNCTIONS(kind, ctype, c2f)                                                                          \
    int hws_##kind##_copy_attr_fn(ctype old, int keyval, void *state, void *in, void *out, int *flag)                  \
    {                                                                                                                  \
        return copied(c2f(old), keyval, state, in, out, flag);                                                         \
    }                                                                                                                  \
    int hws_##kind##_delete_attr_fn(ctype object, int keyval, void *attribute, void *state)                            \
    {                                                                                                                  \
        return deleted(c2f(object), keyval, attribute, state);                                                         \
    }
ATTRIBUTE_FUNCTIONS(comm, MPI_Comm, PMPI_Comm_c2f)
ATTRIBUTE_FUNCTIONS(type, MPI_Datatype, PMPI_Type_c2f)
ATTRIBUTE_FUNCTIONS(win, MPI_Win, PMPI_Win_c2f)
#undef ATTRIBUTE_FUNCTIONS

/* MPI-1's: values are INTEGER. */
int hws_copy_fn(MPI_Comm old, int keyval, void *state, void *in, void *out, int *flag)
{
    struct hws_state *s = state;
    bool ours;
    hws_integer comm = PMPI_Comm_c2f(old), key = keyval, extra = (hws_integer)s->extra,
                from = (hws_integer)value_of(in, &ours), to = 0;
    hws_integer yes = hws_logical_false, rc = MPI_SUCCESS;
    ((void (*)(hws_integer *, hws_integer *, hws_integer *, hws_integer *, hws_integer *, hws_integer *,
               hws_integer *))s->procedures[0])(&comm, &key, &extra, &from, &to, &yes, &rc);
    *flag = hws_is_true(yes);
    if (rc == MPI_SUCCESS && *flag && !(*(void **)out = hws_attribute(to)))
        return MPI_ERR_NO_MEM;
    return hws_int(rc);
}

int hws_delete_fn(MPI_Comm object, int keyval, void *attribute, void *state)
{
    struct hws_state *s = state;
    bool ours;
    hws_integer comm = PMPI_Comm_c2f(object), key = keyval, extra = (hws_integer)s->extra,
                value = (hws_integer)value_of(attribute, &ours), rc = MPI_SUCCESS;
    ((void (*)(hws_integer *, hws_integer *, hws_integer *, hws_integer *, hws_integer *))s->procedures[1])(
        &comm, &key, &value, &extra, &rc);
    if (rc == MPI_SUCCESS)
        forget(attribute);
    return hws_int(rc);
}

/* ---- data representations */
#define NO_CONVERSION(name, NAME)                                                                                      \
    void FC_FUNC_(name, NAME)(void);                                                                                   \
    void FC_FUNC_(name, NAME)(void)                                                                                    \
    {                                                                                                                  \
    }
NO_CONVERSION(mpi_conversion_fn_null, MPI_CONVERSION_FN_NULL)
NO_CONVERSION(mpi_conversion_fn_null_c, MPI_CONVERSION_FN_NULL_C)
#undef NO_CONVERSION

bool hws_is_no_conversion(hws_procedure *procedure)
{
    return procedure == FC_FUNC_(mpi_conversion_fn_null, MPI_CONVERSION_FN_NULL) ||
           procedure == FC_FUNC_(mpi_conversion_fn_null_c, MPI_CONVERSION_FN_NULL_C);
}

/* read is the first procedure of the state, write the second, the extent the third. */
#define CONVERSION(name, number, ctype, ftype)                                                                         \
    int name(void *userbuf, MPI_Datatype datatype, ctype count, void *filebuf, MPI_Offset position, void *state)       \
    {                                                                                                                  \
        struct hws_state *s = state;                                                                                   \
        hws_integer type = PMPI_Type_c2f(datatype), rc = MPI_SUCCESS;                                                  \
        ftype n = count;                                                                                               \
        ((void (*)(void *, hws_integer *, ftype *, void *, MPI_Offset *, MPI_Aint *,                                   \
                   hws_integer *))s->procedures[number])(userbuf, &type, &n, filebuf, &position, &s->extra, &rc);      \
        return hws_int(rc);                                                                                            \
    }
CONVERSION(hws_read_conversion_fn, 0, int, hws_integer)
CONVERSION(hws_write_conversion_fn, 1, int, hws_integer)
CONVERSION(hws_read_conversion_fn_c, 0, MPI_Count, MPI_Count)
CONVERSION(hws_write_conversion_fn_c, 1, MPI_Count, MPI_Count)
#undef CONVERSION

int hws_dtype_file_extent_fn(MPI_Datatype datatype, MPI_Aint *extent, void *state)
{
    struct hws_state *s = state;
    hws_integer type = PMPI_Type_c2f(datatype), rc = MPI_SUCCESS;
    ((void (*)(hws_integer *, MPI_Aint *, MPI_Aint *, hws_integer *))s->procedures[2])(&type, extent, &s->extra, &rc);
    return hws_int(rc);
}

/* ---- generalized requests */
int hws_query_fn(void *state, MPI_Status *status)
{
    struct hws_state *s = state;
    hws_integer rc = MPI_SUCCESS;
    hws_integer words[MPI_F_STATUS_SIZE];
    int parts[MPI_F_STATUS_SIZE];
    memcpy(parts, status, sizeof parts);
    for (int i = 0; i < MPI_F_STATUS_SIZE; i++)
        words[i] = parts[i];
    ((void (*)(MPI_Aint *, hws_integer *, hws_integer *))s->procedures[0])(s->where, words, &rc);
    for (int i = 0; i < MPI_F_STATUS_SIZE; i++)
        parts[i] = (int)words[i];
    memcpy(status, parts, sizeof parts);
    return hws_int(rc);
}

int hws_free_fn(void *state)
{
    struct hws_state *s = state;
    hws_integer rc = MPI_SUCCESS;
    ((void (*)(MPI_Aint *, hws_integer *))s->procedures[1])(s->where, &rc);
    free(s);
    return hws_int(rc);
}

int hws_cancel_fn(void *state, int complete)
{
    struct hws_state *s = state;
    hws_integer rc = MPI_SUCCESS, logical = hws_logical(complete);
    ((void (*)(MPI_Aint *, hws_integer *, hws_integer *))s->procedures[2])(s->where, &logical, &rc);
    return hws_int(rc);
}
