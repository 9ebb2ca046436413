/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpi_t_session: sessions and handles of performance variables (MPI 5.0 section 15.3.7). A counter's handle shows
 *
 *      kept + (running ? now - base : 0)         for each element
 *
 * start sets base to now, stop moves the difference into kept, a write sets kept.
 */
#include "mpi/public.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "core/comm/comm.h"
#include "core/object/world.h"
#include "mpi/t/mpi_t.h"
#include "mpi/t/mpi_t_pvar.h"

#define SESSION_MAGIC 0x48575402
#define HANDLE_MAGIC  0x48575403

struct MPI_ABI_T_pvar_session {
    unsigned magic; /* SESSION_MAGIC until freed */
    MPI_T_pvar_handle handles;
};

struct MPI_ABI_T_pvar_handle {
    unsigned magic; /* HANDLE_MAGIC until freed */
    int index;
    struct hws_t_pvar var;
    MPI_T_pvar_session session;
    MPI_T_pvar_handle next;
    bool running;
    struct hws_t_bound of;
    uint64_t *base; /* base[of.n] */
    uint64_t *kept; /* kept[of.n] */
    uint64_t *now;  /* now[of.n], for one call */
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER; /* of all sessions; the engine's lock is taken inside it */

static int check_session(MPI_T_pvar_session s)
{
    if (!hws_t_is_up())
        return MPI_T_ERR_NOT_INITIALIZED;
    return !hws_t_is_small(s) && s->magic == SESSION_MAGIC ? MPI_SUCCESS : MPI_T_ERR_INVALID_SESSION;
}

static int check_handle(MPI_T_pvar_session s, MPI_T_pvar_handle h)
{
    int rc = check_session(s);
    if (rc != MPI_SUCCESS)
        return rc;
    if (hws_t_is_small(h) || h->magic != HANDLE_MAGIC || h->session != s)
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
    free(h->of.peers);
    free(h->base);
    free(h->kept);
    free(h->now);
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

/* The world numbers of a communicator's ranks: of the remote group where there is one. */
static int bind_comm(MPI_T_pvar_handle h, const MPI_Comm *obj)
{
    const struct hws_comm *c = obj && hws_world_is_up() ? hws_comm_of(*obj) : NULL;
    if (!c)
        return obj ? MPI_T_ERR_INVALID_HANDLE : MPI_T_ERR_INVALID;
    int size = hws_comm_peers(c)->size;
    h->of.n = h->var.per_rank ? size * h->var.per_rank : 1;
    h->of.ctx = c->ctx;
    h->of.peers = malloc((size_t)size * sizeof *h->of.peers);
    for (int i = 0; h->of.peers && i < size; i++)
        h->of.peers[i] = hws_comm_peer(c, i);
    return h->of.peers ? MPI_SUCCESS : MPI_T_ERR_OUT_OF_HANDLES;
}

static int fill_handle(MPI_T_pvar_handle h, void *obj)
{
    h->of.n = 1;
    int rc = h->var.of_comm ? bind_comm(h, obj) : MPI_SUCCESS;
    if (rc != MPI_SUCCESS)
        return rc;
    h->base = calloc((size_t)h->of.n, sizeof *h->base);
    h->kept = calloc((size_t)h->of.n, sizeof *h->kept);
    h->now = calloc((size_t)h->of.n, sizeof *h->now);
    h->running = !h->var.of_comm || !h->var.is_counter;
    return h->base && h->kept && h->now ? MPI_SUCCESS : MPI_T_ERR_OUT_OF_HANDLES;
}

int PMPI_T_pvar_handle_alloc(MPI_T_pvar_session session, int pvar_index, void *obj_handle, MPI_T_pvar_handle *handle,
                             int *count)
{
    struct hws_t_pvar var;
    int rc = check_session(session);
    if (rc != MPI_SUCCESS)
        return rc;
    if (!hws_t_pvar(pvar_index, &var))
        return MPI_T_ERR_INVALID_INDEX;
    MPI_T_pvar_handle h = handle ? calloc(1, sizeof *h) : NULL;
    if (!h)
        return handle ? MPI_T_ERR_OUT_OF_HANDLES : MPI_T_ERR_INVALID;
    h->magic = HANDLE_MAGIC;
    h->index = pvar_index;
    h->var = var;
    h->session = session;
    if ((rc = fill_handle(h, obj_handle)) != MPI_SUCCESS) {
        free_handle(h);
        return rc;
    }
    pthread_mutex_lock(&mutex);
    h->next = session->handles;
    session->handles = h;
    pthread_mutex_unlock(&mutex);
    *handle = h;
    hws_t_give_int(h->of.n, count);
    return MPI_SUCCESS;
}
HWS_MPI(T_pvar_handle_alloc)

int PMPI_T_pvar_handle_free(MPI_T_pvar_session session, MPI_T_pvar_handle *handle)
{
    int rc = handle ? check_handle(session, *handle) : MPI_T_ERR_INVALID;
    if (rc != MPI_SUCCESS)
        return rc;
    pthread_mutex_lock(&mutex);
    MPI_T_pvar_handle *at = &session->handles;
    while (*at != *handle)
        at = &(*at)->next;
    *at = (*handle)->next;
    pthread_mutex_unlock(&mutex);
    free_handle(*handle);
    *handle = MPI_T_PVAR_HANDLE_NULL;
    return MPI_SUCCESS;
}
HWS_MPI(T_pvar_handle_free)

/* ---- use ---- */

static void look(MPI_T_pvar_handle h)
{
    hws_t_pvar_sample(h->index, &h->of, h->now);
}

/* A lane that was lost and came back has begun anew. */
static uint64_t since(const struct MPI_ABI_T_pvar_handle *h, int i)
{
    return h->now[i] >= h->base[i] ? h->now[i] - h->base[i] : h->now[i];
}

static uint64_t value_of(const struct MPI_ABI_T_pvar_handle *h, int i)
{
    return h->kept[i] + (h->running ? since(h, i) : 0);
}

static void give_values(const struct MPI_ABI_T_pvar_handle *h, void *buf)
{
    for (int i = 0; i < h->of.n; i++) {
        if (h->var.states)
            ((int *)buf)[i] = (int)h->now[i];
        else
            ((unsigned long long *)buf)[i] = h->var.is_counter ? value_of(h, i) : h->now[i];
    }
}

static void start(MPI_T_pvar_handle h)
{
    if (h->running)
        return;
    look(h);
    memcpy(h->base, h->now, (size_t)h->of.n * sizeof *h->base);
    h->running = true;
}

static void stop(MPI_T_pvar_handle h)
{
    if (!h->running)
        return;
    look(h);
    for (int i = 0; i < h->of.n; i++)
        h->kept[i] = value_of(h, i);
    h->running = false;
}

/* Sets all elements (NULL: to zero), which count on from there. `now` was looked up. */
static void set_to(MPI_T_pvar_handle h, const unsigned long long *values)
{
    for (int i = 0; i < h->of.n; i++) {
        h->base[i] = h->now[i];
        h->kept[i] = values ? values[i] : 0;
    }
}

static void reset(MPI_T_pvar_handle h)
{
    look(h);
    set_to(h, NULL);
}

static bool can_stop(const struct MPI_ABI_T_pvar_handle *h)
{
    return h->var.of_comm && h->var.is_counter;
}

static bool can_write(const struct MPI_ABI_T_pvar_handle *h)
{
    return h->var.is_counter;
}

/* Does it to one handle, or to all of the session that allow it. */
static int apply(MPI_T_pvar_session s, MPI_T_pvar_handle handle, bool (*allows)(const struct MPI_ABI_T_pvar_handle *),
                 void (*act)(MPI_T_pvar_handle), int why_not)
{
    bool all = handle == MPI_T_PVAR_ALL_HANDLES;
    int rc = all ? check_session(s) : check_handle(s, handle);
    if (rc != MPI_SUCCESS)
        return rc;
    if (!all && !allows(handle))
        return why_not;
    pthread_mutex_lock(&mutex);
    for (MPI_T_pvar_handle h = s->handles; h; h = h->next)
        if (h == handle || (all && allows(h)))
            act(h);
    pthread_mutex_unlock(&mutex);
    return MPI_SUCCESS;
}

int PMPI_T_pvar_start(MPI_T_pvar_session session, MPI_T_pvar_handle handle)
{
    return apply(session, handle, can_stop, start, MPI_T_ERR_PVAR_NO_STARTSTOP);
}
HWS_MPI(T_pvar_start)

int PMPI_T_pvar_stop(MPI_T_pvar_session session, MPI_T_pvar_handle handle)
{
    return apply(session, handle, can_stop, stop, MPI_T_ERR_PVAR_NO_STARTSTOP);
}
HWS_MPI(T_pvar_stop)

int PMPI_T_pvar_reset(MPI_T_pvar_session session, MPI_T_pvar_handle handle)
{
    return apply(session, handle, can_write, reset, MPI_T_ERR_PVAR_NO_WRITE);
}
HWS_MPI(T_pvar_reset)

static int check_use(MPI_T_pvar_session session, MPI_T_pvar_handle handle, const void *buf)
{
    int rc = check_handle(session, handle);
    return rc != MPI_SUCCESS || buf ? rc : MPI_T_ERR_INVALID;
}

int PMPI_T_pvar_read(MPI_T_pvar_session session, MPI_T_pvar_handle handle, void *buf)
{
    int rc = check_use(session, handle, buf);
    if (rc != MPI_SUCCESS)
        return rc;
    if (!hws_world.engine)
        return MPI_T_ERR_NOT_ACCESSIBLE; /* before MPI_Init, after MPI_Finalize */
    pthread_mutex_lock(&mutex);
    look(handle);
    give_values(handle, buf);
    pthread_mutex_unlock(&mutex);
    return MPI_SUCCESS;
}
HWS_MPI(T_pvar_read)

int PMPI_T_pvar_write(MPI_T_pvar_session session, MPI_T_pvar_handle handle, const void *buf)
{
    int rc = check_use(session, handle, buf);
    if (rc != MPI_SUCCESS)
        return rc;
    if (!can_write(handle))
        return MPI_T_ERR_PVAR_NO_WRITE;
    pthread_mutex_lock(&mutex);
    look(handle);
    set_to(handle, buf);
    pthread_mutex_unlock(&mutex);
    return MPI_SUCCESS;
}
HWS_MPI(T_pvar_write)

/* Nothing is lost in between: both are done with the same look at the engine. */
int PMPI_T_pvar_readreset(MPI_T_pvar_session session, MPI_T_pvar_handle handle, void *buf)
{
    int rc = check_use(session, handle, buf);
    if (rc != MPI_SUCCESS)
        return rc;
    if (!can_write(handle))
        return MPI_T_ERR_PVAR_NO_ATOMIC;
    if (!hws_world.engine)
        return MPI_T_ERR_NOT_ACCESSIBLE;
    pthread_mutex_lock(&mutex);
    look(handle);
    give_values(handle, buf);
    set_to(handle, NULL);
    pthread_mutex_unlock(&mutex);
    return MPI_SUCCESS;
}
HWS_MPI(T_pvar_readreset)
