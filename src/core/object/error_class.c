/* SPDX-License-Identifier: BSD-3-Clause
 *
 * error_class: one list of the predefined classes, one table of the added ones, one ring of sentences; one mutex for
 * the two. Classes and codes that a program adds share the numbers above MPI_ERR_LASTCODE.
 */
#include "core/object/error_class.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "core/object/fail.h"

#define OURS       0x40000000
#define INSTANCES  0x4000 /* 14 bits */
#define CLASS_BITS 16

#define CLASS_LIST(X)                                                                                                  \
    X(MPI_SUCCESS, "no error")                                                                                         \
    X(MPI_ERR_BUFFER, "invalid buffer")                                                                                \
    X(MPI_ERR_COUNT, "invalid count")                                                                                  \
    X(MPI_ERR_TYPE, "invalid datatype")                                                                                \
    X(MPI_ERR_TAG, "invalid tag")                                                                                      \
    X(MPI_ERR_COMM, "invalid communicator")                                                                            \
    X(MPI_ERR_RANK, "invalid rank")                                                                                    \
    X(MPI_ERR_REQUEST, "invalid request")                                                                              \
    X(MPI_ERR_ROOT, "invalid root")                                                                                    \
    X(MPI_ERR_GROUP, "invalid group")                                                                                  \
    X(MPI_ERR_OP, "invalid operation")                                                                                 \
    X(MPI_ERR_TOPOLOGY, "invalid topology")                                                                            \
    X(MPI_ERR_DIMS, "invalid dimensions")                                                                              \
    X(MPI_ERR_ARG, "invalid argument")                                                                                 \
    X(MPI_ERR_UNKNOWN, "unknown error")                                                                                \
    X(MPI_ERR_TRUNCATE, "message longer than the receive buffer")                                                      \
    X(MPI_ERR_OTHER, "other error")                                                                                    \
    X(MPI_ERR_INTERN, "internal error")                                                                                \
    X(MPI_ERR_PENDING, "request is still pending")                                                                     \
    X(MPI_ERR_IN_STATUS, "the error is in the status")                                                                 \
    X(MPI_ERR_ACCESS, "permission denied")                                                                             \
    X(MPI_ERR_AMODE, "invalid access mode")                                                                            \
    X(MPI_ERR_ASSERT, "invalid assertion")                                                                             \
    X(MPI_ERR_BAD_FILE, "invalid file name")                                                                           \
    X(MPI_ERR_BASE, "invalid base address")                                                                            \
    X(MPI_ERR_CONVERSION, "error in a data conversion function")                                                       \
    X(MPI_ERR_DISP, "invalid displacement")                                                                            \
    X(MPI_ERR_DUP_DATAREP, "data representation is defined already")                                                   \
    X(MPI_ERR_FILE_EXISTS, "file exists")                                                                              \
    X(MPI_ERR_FILE_IN_USE, "file is in use")                                                                           \
    X(MPI_ERR_FILE, "invalid file handle")                                                                             \
    X(MPI_ERR_INFO_KEY, "invalid info key")                                                                            \
    X(MPI_ERR_INFO_NOKEY, "info key is not defined")                                                                   \
    X(MPI_ERR_INFO_VALUE, "invalid info value")                                                                        \
    X(MPI_ERR_INFO, "invalid info object")                                                                             \
    X(MPI_ERR_IO, "input or output failed")                                                                            \
    X(MPI_ERR_KEYVAL, "invalid attribute key")                                                                         \
    X(MPI_ERR_LOCKTYPE, "invalid lock type")                                                                           \
    X(MPI_ERR_NAME, "service name is not published")                                                                   \
    X(MPI_ERR_NO_MEM, "out of memory")                                                                                 \
    X(MPI_ERR_NOT_SAME, "collective argument differs between the processes")                                           \
    X(MPI_ERR_NO_SPACE, "no space left")                                                                               \
    X(MPI_ERR_NO_SUCH_FILE, "no such file")                                                                            \
    X(MPI_ERR_PORT, "invalid port name")                                                                               \
    X(MPI_ERR_QUOTA, "quota exceeded")                                                                                 \
    X(MPI_ERR_READ_ONLY, "file or file system is read-only")                                                           \
    X(MPI_ERR_RMA_ATTACH, "memory can't be attached")                                                                  \
    X(MPI_ERR_RMA_CONFLICT, "conflicting accesses to a window")                                                        \
    X(MPI_ERR_RMA_RANGE, "target memory is not part of the window")                                                    \
    X(MPI_ERR_RMA_SHARED, "memory can't be shared")                                                                    \
    X(MPI_ERR_RMA_SYNC, "wrong synchronization of a window")                                                           \
    X(MPI_ERR_SERVICE, "invalid service name")                                                                         \
    X(MPI_ERR_SIZE, "invalid size")                                                                                    \
    X(MPI_ERR_SPAWN, "processes can't be started")                                                                     \
    X(MPI_ERR_UNSUPPORTED_DATAREP, "data representation is not supported")                                             \
    X(MPI_ERR_UNSUPPORTED_OPERATION, "operation is not supported")                                                     \
    X(MPI_ERR_WIN, "invalid window")                                                                                   \
    X(MPI_ERR_RMA_FLAVOR, "wrong flavor of window")                                                                    \
    X(MPI_ERR_PROC_ABORTED, "a peer process has ended")                                                                \
    X(MPI_ERR_VALUE_TOO_LARGE, "value too large for the result")                                                       \
    X(MPI_ERR_SESSION, "invalid session")                                                                              \
    X(MPI_ERR_ERRHANDLER, "invalid error handler")                                                                     \
    X(MPI_ERR_ABI, "ABI is not supported")                                                                             \
    X(MPI_ERR_LASTCODE, "last predefined error code")                                                                  \
    X(MPI_T_ERR_CANNOT_INIT, "tool interface can't be initialized")                                                    \
    X(MPI_T_ERR_NOT_ACCESSIBLE, "tool interface can't be used now")                                                    \
    X(MPI_T_ERR_NOT_INITIALIZED, "tool interface is not initialized")                                                  \
    X(MPI_T_ERR_NOT_SUPPORTED, "not supported by the tool interface")                                                  \
    X(MPI_T_ERR_MEMORY, "out of memory")                                                                               \
    X(MPI_T_ERR_INVALID, "invalid argument")                                                                           \
    X(MPI_T_ERR_INVALID_INDEX, "index out of range")                                                                   \
    X(MPI_T_ERR_INVALID_ITEM, "item index out of range")                                                               \
    X(MPI_T_ERR_INVALID_SESSION, "invalid performance session")                                                        \
    X(MPI_T_ERR_INVALID_HANDLE, "invalid handle")                                                                      \
    X(MPI_T_ERR_INVALID_NAME, "no such name")                                                                          \
    X(MPI_T_ERR_OUT_OF_HANDLES, "no handles left")                                                                     \
    X(MPI_T_ERR_OUT_OF_SESSIONS, "no performance sessions left")                                                       \
    X(MPI_T_ERR_CVAR_SET_NOT_NOW, "control variable can't be set now")                                                 \
    X(MPI_T_ERR_CVAR_SET_NEVER, "control variable can't be set")                                                       \
    X(MPI_T_ERR_PVAR_NO_WRITE, "performance variable can't be written")                                                \
    X(MPI_T_ERR_PVAR_NO_STARTSTOP, "performance variable can't be started or stopped")                                 \
    X(MPI_T_ERR_PVAR_NO_ATOMIC, "performance variable can't be read and reset at once")

struct sentence {
    int instance; /* 0 .. INSTANCES-1, valid once text is set */
    char text[MPI_MAX_ERROR_STRING];
};

/* A class or code that the program added. */
struct added {
    bool used;
    bool is_class;
    int cls;     /* a class's own number; a code's class */
    int n_codes; /* of a class: codes that still name it */
    char *text;  /* NULL: MPI_Add_error_string was not called: the empty string */
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct sentence ring[HWS_ERROR_RING]; /* pages are touched only as errors happen */
static int next_instance;
static struct added *added; /* added[n_added]: the value MPI_ERR_LASTCODE + 1 + i */
static int n_added;

static const char *general_text(int cls, const char **name)
{
    switch (cls) {
#define CLASS_CASE(c, text)                                                                                            \
    case c:                                                                                                            \
        *name = #c;                                                                                                    \
        return text;
        CLASS_LIST(CLASS_CASE)
#undef CLASS_CASE
    default:
        *name = NULL;
        return NULL;
    }
}

const char *hws_class_name(int cls)
{
    const char *name;
    general_text(cls, &name);
    return name;
}

bool hws_code_is_ours(int code)
{
    return code > 0 && (code & OURS) && hws_class_name(code & 0xffff);
}

int hws_code_new(int cls, const char *text)
{
    pthread_mutex_lock(&mutex);
    int instance = next_instance;
    next_instance = (next_instance + 1) % INSTANCES;
    struct sentence *s = &ring[instance % HWS_ERROR_RING];
    s->instance = instance;
    snprintf(s->text, sizeof s->text, "%s", text);
    pthread_mutex_unlock(&mutex);
    return OURS | instance << CLASS_BITS | cls;
}

/* The entry of an added class or code; NULL if value is none. Call with the mutex held. */
static struct added *find_added(int value)
{
    int i = value - MPI_ERR_LASTCODE - 1;
    return i >= 0 && i < n_added && added[i].used ? &added[i] : NULL;
}

bool hws_code_is_valid(int code)
{
    if (hws_class_name(code) || hws_code_is_ours(code))
        return true;
    pthread_mutex_lock(&mutex);
    bool is_added = find_added(code) != NULL;
    pthread_mutex_unlock(&mutex);
    return is_added;
}

int hws_error_class(int code, int *cls)
{
    if (hws_class_name(code) || hws_code_is_ours(code)) {
        *cls = code & 0xffff;
        return MPI_SUCCESS;
    }
    pthread_mutex_lock(&mutex);
    struct added *a = find_added(code);
    if (a)
        *cls = a->cls;
    pthread_mutex_unlock(&mutex);
    return a ? MPI_SUCCESS : hws_fail(MPI_ERR_ARG, "invalid argument: %d is no error code", code);
}

static void copy_text(int code, char *s)
{
    struct sentence *kept = &ring[(code >> CLASS_BITS) % HWS_ERROR_RING];
    const char *name, *general = general_text(code & 0xffff, &name);
    if (code & OURS && kept->text[0] && kept->instance == ((code & ~OURS) >> CLASS_BITS))
        snprintf(s, MPI_MAX_ERROR_STRING, "%s", kept->text);
    else
        snprintf(s, MPI_MAX_ERROR_STRING, "%s: %s", name, general);
}

int hws_error_string(int code, char *s, int *len)
{
    bool is_known = hws_class_name(code) || hws_code_is_ours(code);
    pthread_mutex_lock(&mutex);
    struct added *a = is_known ? NULL : find_added(code);
    if (is_known)
        copy_text(code, s);
    else if (a)
        snprintf(s, MPI_MAX_ERROR_STRING, "%s", a->text ? a->text : "");
    pthread_mutex_unlock(&mutex);
    if (!is_known && !a)
        return hws_fail(MPI_ERR_ARG, "invalid argument: %d is no error code", code);
    *len = (int)strlen(s);
    return MPI_SUCCESS;
}

int hws_code_last_used(void)
{
    pthread_mutex_lock(&mutex);
    int n = n_added;
    while (n > 0 && !added[n - 1].used)
        n--;
    pthread_mutex_unlock(&mutex);
    return MPI_ERR_LASTCODE + n;
}

/* A new entry, with the mutex held; -1: no memory. Numbers are not used again: an old code must not get a new meaning.
 */
static int add_entry(bool is_class, int cls)
{
    struct added *grown = realloc(added, ((size_t)n_added + 1) * sizeof *added);
    if (!grown)
        return -1;
    added = grown;
    int value = MPI_ERR_LASTCODE + 1 + n_added;
    added[n_added++] = (struct added){.used = true, .is_class = is_class, .cls = is_class ? value : cls};
    return value;
}

int hws_class_add(int *cls)
{
    pthread_mutex_lock(&mutex);
    int value = add_entry(true, 0);
    pthread_mutex_unlock(&mutex);
    if (value < 0)
        return hws_fail(MPI_ERR_NO_MEM, "out of memory for an error class");
    *cls = value;
    return MPI_SUCCESS;
}

int hws_code_add(int cls, int *code)
{
    bool is_predefined = hws_class_name(cls) != NULL;
    pthread_mutex_lock(&mutex);
    struct added *a = find_added(cls);
    int value = -2;
    if (is_predefined || (a && a->is_class))
        value = add_entry(false, cls);
    if (value > 0 && !is_predefined)
        find_added(cls)->n_codes++;
    pthread_mutex_unlock(&mutex);
    if (value == -2)
        return hws_fail(MPI_ERR_ARG, "invalid argument: errorclass %d is no error class", cls);
    if (value < 0)
        return hws_fail(MPI_ERR_NO_MEM, "out of memory for an error code");
    *code = value;
    return MPI_SUCCESS;
}

int hws_code_add_string(int code, const char *text)
{
    char *copy = strndup(text, MPI_MAX_ERROR_STRING - 1);
    if (!copy)
        return hws_fail(MPI_ERR_NO_MEM, "out of memory for an error string");
    pthread_mutex_lock(&mutex);
    struct added *a = find_added(code);
    if (a) {
        free(a->text);
        a->text = copy;
    }
    pthread_mutex_unlock(&mutex);
    if (a)
        return MPI_SUCCESS;
    free(copy);
    return hws_fail(MPI_ERR_ARG, "invalid argument: errorcode %d was not added by this program", code);
}

int hws_code_remove_string(int code)
{
    pthread_mutex_lock(&mutex);
    struct added *a = find_added(code);
    bool had = a && a->text;
    if (had) {
        free(a->text);
        a->text = NULL;
    }
    pthread_mutex_unlock(&mutex);
    return had ? MPI_SUCCESS : hws_fail(MPI_ERR_ARG, "invalid argument: errorcode %d has no added string", code);
}

/* Why the entry may not go, or NULL; then it is gone. Mutex held. MPI 5.0 section 9.5: strings and codes go first. */
static const char *remove_entry(int value, bool is_class)
{
    struct added *a = find_added(value);
    if (!a || a->is_class != is_class)
        return "was not added by this program";
    if (a->text)
        return "still has a string";
    if (a->n_codes)
        return "still has error codes";
    struct added *owner = is_class ? NULL : find_added(a->cls);
    if (owner)
        owner->n_codes--;
    a->used = false;
    return NULL;
}

static int remove_any(int value, bool is_class, const char *arg)
{
    pthread_mutex_lock(&mutex);
    const char *why = remove_entry(value, is_class);
    pthread_mutex_unlock(&mutex);
    return why ? hws_fail(MPI_ERR_ARG, "invalid argument: %s %d %s", arg, value, why) : MPI_SUCCESS;
}

int hws_class_remove(int cls)
{
    return remove_any(cls, true, "errorclass");
}

int hws_code_remove(int code)
{
    return remove_any(code, false, "errorcode");
}
