/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpi_t_pvar: performance variables: the engine's counters. They run always and belong to the whole process, so they
 * can be read and not be started, stopped, reset or written (MPI 5.0 section 15.3.7: continuous, readonly).
 */
#include "mpi/public.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "core/world.h"
#include "mpi/mpi_t.h"
#include "peer/engine.h"

#define SESSION_MAGIC 0x48575402
#define HANDLE_MAGIC  0x48575403

struct MPI_ABI_T_pvar_session {
    unsigned magic; /* SESSION_MAGIC until freed */
    MPI_T_pvar_handle handles;
};

struct MPI_ABI_T_pvar_handle {
    unsigned magic; /* HANDLE_MAGIC until freed */
    int index;
    MPI_T_pvar_session session;
    MPI_T_pvar_handle next;
};

/* Classes of those that don't just count up. */
static const struct {
    const char *name;
    int cls;
} classes[] = {{"lanes_open", MPI_T_PVAR_CLASS_LEVEL},
               {"unexpected_queue", MPI_T_PVAR_CLASS_LEVEL},
               {"unexpected_bytes", MPI_T_PVAR_CLASS_LEVEL},
               {"unexpected_peak", MPI_T_PVAR_CLASS_HIGHWATERMARK}};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct hws_counter known[HWS_T_MAX_PVARS]; /* names and units; constants of the engine */
static int n_known;

/* Reads all counters; returns how many, 0 when the engine doesn't run. */
static int read_all(struct hws_counter *out)
{
    struct hws_engine *e = hws_world.engine;
    if (!e)
        return 0;
    hws_engine_lock(e);
    size_t n = hws_engine_counters(e, out, HWS_T_MAX_PVARS);
    hws_engine_unlock(e);
    return n < HWS_T_MAX_PVARS ? (int)n : HWS_T_MAX_PVARS;
}

int hws_t_n_pvars(void)
{
    pthread_mutex_lock(&mutex);
    if (n_known == 0)
        n_known = read_all(known);
    int n = n_known;
    pthread_mutex_unlock(&mutex);
    return n;
}

static int class_of(int index)
{
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++)
        if (strcmp(classes[i].name, known[index].name) == 0)
            return classes[i].cls;
    return MPI_T_PVAR_CLASS_COUNTER;
}

int PMPI_T_pvar_get_num(int *num_pvar)
{
    if (!hws_t_is_up())
        return MPI_T_ERR_NOT_INITIALIZED;
    hws_t_give_int(hws_t_n_pvars(), num_pvar);
    return MPI_SUCCESS;
}
HWS_MPI(T_pvar_get_num)

int PMPI_T_pvar_get_info(int pvar_index, char *name, int *name_len, int *verbosity, int *var_class,
                         MPI_Datatype *datatype, MPI_T_enum *enumtype, char *desc, int *desc_len, int *bind,
                         int *readonly, int *continuous, int *atomic)
{
    if (!hws_t_is_up())
        return MPI_T_ERR_NOT_INITIALIZED;
    if (pvar_index < 0 || pvar_index >= hws_t_n_pvars())
        return MPI_T_ERR_INVALID_INDEX;
    hws_t_give_text(known[pvar_index].name, name, name_len);
    hws_t_give_text(known[pvar_index].unit, desc, desc_len);
    hws_t_give_int(MPI_T_VERBOSITY_USER_BASIC, verbosity);
    hws_t_give_int(class_of(pvar_index), var_class);
    if (datatype)
        *datatype = MPI_UNSIGNED_LONG_LONG;
    if (enumtype)
        *enumtype = MPI_T_ENUM_NULL;
    hws_t_give_int(MPI_T_BIND_NO_OBJECT, bind);
    hws_t_give_int(1, readonly);
    hws_t_give_int(1, continuous);
    hws_t_give_int(0, atomic);
    return MPI_SUCCESS;
}
HWS_MPI(T_pvar_get_info)

int PMPI_T_pvar_get_index(const char *name, int var_class, int *pvar_index)
{
    if (!hws_t_is_up())
        return MPI_T_ERR_NOT_INITIALIZED;
    if (!name || !pvar_index)
        return MPI_T_ERR_INVALID;
    for (int i = 0; i < hws_t_n_pvars(); i++)
        if (strcmp(known[i].name, name) == 0 && class_of(i) == var_class) {
            *pvar_index = i;
            return MPI_SUCCESS;
        }
    return MPI_T_ERR_INVALID_NAME;
}
HWS_MPI(T_pvar_get_index)

/* ---- sessions and handles ---- */

static int check_session(MPI_T_pvar_session s)
{
    if (!hws_t_is_up())
        return MPI_T_ERR_NOT_INITIALIZED;
    return s && s->magic == SESSION_MAGIC ? MPI_SUCCESS : MPI_T_ERR_INVALID_SESSION;
}

static int check_handle(MPI_T_pvar_session s, MPI_T_pvar_handle h)
{
    int rc = check_session(s);
    if (rc != MPI_SUCCESS)
        return rc;
    if (!h || h == MPI_T_PVAR_ALL_HANDLES || h->magic != HANDLE_MAGIC || h->session != s)
        return MPI_T_ERR_INVALID_HANDLE;
    return MPI_SUCCESS;
}

int PMPI_T_pvar_session_create(MPI_T_pvar_session *session)
{
    if (!hws_t_is_up())
        return MPI_T_ERR_NOT_INITIALIZED;
    MPI_T_pvar_session s = session ? calloc(1, sizeof *s) : NULL;
    if (!s)
        return session ? MPI_T_ERR_OUT_OF_SESSIONS : MPI_T_ERR_INVALID;
    s->magic = SESSION_MAGIC;
    *session = s;
    return MPI_SUCCESS;
}
HWS_MPI(T_pvar_session_create)

static void free_handle(MPI_T_pvar_handle h)
{
    h->magic = 0;
    free(h);
}

int PMPI_T_pvar_session_free(MPI_T_pvar_session *session)
{
    int rc = session ? check_session(*session) : MPI_T_ERR_INVALID;
    if (rc != MPI_SUCCESS)
        return rc;
    for (MPI_T_pvar_handle h = (*session)->handles, next; h; h = next) {
        next = h->next;
        free_handle(h);
    }
    (*session)->magic = 0;
    free(*session);
    *session = MPI_T_PVAR_SESSION_NULL;
    return MPI_SUCCESS;
}
HWS_MPI(T_pvar_session_free)

int PMPI_T_pvar_handle_alloc(MPI_T_pvar_session session, int pvar_index, void *obj_handle, MPI_T_pvar_handle *handle,
                             int *count)
{
    int rc = check_session(session);
    (void)obj_handle; /* no variable is bound to an object */
    if (rc != MPI_SUCCESS)
        return rc;
    if (pvar_index < 0 || pvar_index >= hws_t_n_pvars())
        return MPI_T_ERR_INVALID_INDEX;
    MPI_T_pvar_handle h = handle ? malloc(sizeof *h) : NULL;
    if (!h)
        return handle ? MPI_T_ERR_OUT_OF_HANDLES : MPI_T_ERR_INVALID;
    *h = (struct MPI_ABI_T_pvar_handle){HANDLE_MAGIC, pvar_index, session, session->handles};
    session->handles = h;
    *handle = h;
    hws_t_give_int(1, count);
    return MPI_SUCCESS;
}
HWS_MPI(T_pvar_handle_alloc)

int PMPI_T_pvar_handle_free(MPI_T_pvar_session session, MPI_T_pvar_handle *handle)
{
    int rc = handle ? check_handle(session, *handle) : MPI_T_ERR_INVALID;
    if (rc != MPI_SUCCESS)
        return rc;
    MPI_T_pvar_handle *at = &session->handles;
    while (*at != *handle)
        at = &(*at)->next;
    *at = (*handle)->next;
    free_handle(*handle);
    *handle = MPI_T_PVAR_HANDLE_NULL;
    return MPI_SUCCESS;
}
HWS_MPI(T_pvar_handle_free)

/* ---- use ---- */

int PMPI_T_pvar_read(MPI_T_pvar_session session, MPI_T_pvar_handle handle, void *buf)
{
    struct hws_counter now[HWS_T_MAX_PVARS];
    int rc = check_handle(session, handle);
    if (rc != MPI_SUCCESS || !buf)
        return rc ? rc : MPI_T_ERR_INVALID;
    if (read_all(now) <= handle->index)
        return MPI_T_ERR_NOT_ACCESSIBLE; /* after MPI_Finalize */
    *(unsigned long long *)buf = now[handle->index].value;
    return MPI_SUCCESS;
}
HWS_MPI(T_pvar_read)

/* What can't be done to a variable; to all of a session it is done to those that allow it, which are none. */
static int refuse(MPI_T_pvar_session session, MPI_T_pvar_handle handle, int why)
{
    int rc = handle == MPI_T_PVAR_ALL_HANDLES ? check_session(session) : check_handle(session, handle);
    return rc != MPI_SUCCESS || handle == MPI_T_PVAR_ALL_HANDLES ? rc : why;
}

int PMPI_T_pvar_start(MPI_T_pvar_session session, MPI_T_pvar_handle handle)
{
    return refuse(session, handle, MPI_T_ERR_PVAR_NO_STARTSTOP);
}
HWS_MPI(T_pvar_start)

int PMPI_T_pvar_stop(MPI_T_pvar_session session, MPI_T_pvar_handle handle)
{
    return refuse(session, handle, MPI_T_ERR_PVAR_NO_STARTSTOP);
}
HWS_MPI(T_pvar_stop)

int PMPI_T_pvar_reset(MPI_T_pvar_session session, MPI_T_pvar_handle handle)
{
    return refuse(session, handle, MPI_T_ERR_PVAR_NO_WRITE);
}
HWS_MPI(T_pvar_reset)

int PMPI_T_pvar_write(MPI_T_pvar_session session, MPI_T_pvar_handle handle, const void *buf)
{
    (void)buf;
    int rc = check_handle(session, handle);
    return rc ? rc : MPI_T_ERR_PVAR_NO_WRITE;
}
HWS_MPI(T_pvar_write)

int PMPI_T_pvar_readreset(MPI_T_pvar_session session, MPI_T_pvar_handle handle, void *buf)
{
    (void)buf;
    int rc = check_handle(session, handle);
    return rc ? rc : MPI_T_ERR_PVAR_NO_ATOMIC;
}
HWS_MPI(T_pvar_readreset)
