/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpi_t_event: registrations and callbacks (MPI 5.0 section 15.3.8). The engine puts its events into one ring, with
 * their time, while it works. They are delivered in that order when the call that made progress has left the engine: so
 * a callback may do anything, MPI_T_CB_REQUIRE_NONE, and of a registration's callbacks the one of the lowest level is
 * called. Never two at once. What doesn't fit into the ring is dropped and counted for the dropped handler.
 */
#include "mpi/public.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/list.h"
#include "core/object/event.h"
#include "core/object/info.h"
#include "mpi/t/mpi_t.h"
#include "mpi/t/mpi_t_event.h"

#define REGISTRATION_MAGIC 0x48575404
#define INSTANCE_MAGIC     0x48575405
#define RING_LEN           1024 /* a power of two: events of one step of progress, of a few KiB of short messages each */
#define N_LEVELS           4

struct callback {
    MPI_T_event_cb_function *fn; /* NULL: none */
    void *user_data;
    struct hws_info *info;
};

struct MPI_ABI_T_event_registration {
    unsigned magic; /* REGISTRATION_MAGIC until freed by the user */
    struct hws_list node;
    int kind;
    int refs; /* the user's, and one while a callback runs */
    struct hws_info *info;
    struct callback callbacks[N_LEVELS];
    MPI_T_event_dropped_cb_function *dropped_fn; /* NULL: none */
    MPI_Count n_dropped;
    uint64_t begin; /* number of the first event that counts */
    MPI_T_event_free_cb_function *free_fn;
    void *free_data;
};

struct MPI_ABI_T_event_instance {
    unsigned magic; /* INSTANCE_MAGIC while the callback runs */
    const struct hws_event *event;
};

static const MPI_T_cb_safety levels[N_LEVELS] = {MPI_T_CB_REQUIRE_NONE, MPI_T_CB_REQUIRE_MPI_RESTRICTED,
                                                 MPI_T_CB_REQUIRE_THREAD_SAFE, MPI_T_CB_REQUIRE_ASYNC_SIGNAL_SAFE};

/* Taken inside the engine's lock; given up around callbacks. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct hws_list registrations = {&registrations, &registrations};
static struct hws_event ring[RING_LEN];
static uint64_t n_put, n_got; /* events ever put in and taken out */
static bool any_dropped, delivering;

static MPI_T_event_registration registration_at(struct hws_list *n)
{
    return hws_container_of(n, struct MPI_ABI_T_event_registration, node);
}

/* The lowest level that is registered, or -1. */
static int level_of(const struct MPI_ABI_T_event_registration *r)
{
    for (int i = 0; i < N_LEVELS; i++)
        if (r->callbacks[i].fn)
            return i;
    return -1;
}

/* Somebody hears of its events, or that they are dropped. */
static bool is_wanted(const struct MPI_ABI_T_event_registration *r)
{
    return level_of(r) >= 0 || r->dropped_fn;
}

/* ---- from the engine ---- */

static void note_drop(const struct hws_event *ev)
{
    for (struct hws_list *n = registrations.next; n != &registrations; n = n->next) {
        MPI_T_event_registration r = registration_at(n);
        if (r->kind != (int)ev->kind || !r->dropped_fn)
            continue;
        r->n_dropped++;
        any_dropped = true;
    }
}

/* Once something was dropped nothing more is taken in until the handlers know it: they come before later events. */
static void on_event(const struct hws_event *ev)
{
    pthread_mutex_lock(&mutex);
    if (any_dropped || n_put - n_got == RING_LEN)
        note_drop(ev);
    else
        ring[n_put++ & (RING_LEN - 1)] = *ev;
    __atomic_store_n(&hws_event_sink.due, true, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&mutex);
}

/* ---- delivery: the mutex is held at entry and return, not while a callback runs ---- */

static void drop_info(struct hws_info **info)
{
    hws_info_free(*info);
    *info = NULL;
}

static void let_go(MPI_T_event_registration r)
{
    if (--r->refs > 0)
        return;
    hws_list_remove(&r->node);
    drop_info(&r->info);
    for (int i = 0; i < N_LEVELS; i++)
        drop_info(&r->callbacks[i].info);
    pthread_mutex_unlock(&mutex);
    if (r->free_fn)
        r->free_fn(r, MPI_T_CB_REQUIRE_NONE, r->free_data);
    free(r);
    pthread_mutex_lock(&mutex);
}

static void tell_dropped(MPI_T_event_registration r)
{
    int level = level_of(r);
    MPI_Count n = r->n_dropped;
    MPI_T_event_dropped_cb_function *fn = r->dropped_fn;
    r->n_dropped = 0;
    if (n == 0 || !fn)
        return;
    void *user_data = level < 0 ? NULL : r->callbacks[level].user_data;
    pthread_mutex_unlock(&mutex);
    fn(n, r, 0, MPI_T_CB_REQUIRE_NONE, user_data);
    pthread_mutex_lock(&mutex);
}

static void tell_event(MPI_T_event_registration r, const struct hws_event *ev)
{
    int level = level_of(r);
    if (level < 0) { /* there is no callback that it could go to, so its data are dropped (MPI 5.0 section 15.3.8) */
        r->n_dropped++;
        tell_dropped(r);
        return;
    }
    struct callback c = r->callbacks[level];
    struct MPI_ABI_T_event_instance instance = {INSTANCE_MAGIC, ev};
    pthread_mutex_unlock(&mutex);
    c.fn(&instance, r, MPI_T_CB_REQUIRE_NONE, c.user_data);
    instance.magic = 0;
    pthread_mutex_lock(&mutex);
}

/* Calls all registrations of the event's kind; ev NULL: those that have lost events. A callback may free any of them,
 * so the next one is held before this one is let go. */
static void tell_all(const struct hws_event *ev, uint64_t number)
{
    struct hws_list *n = registrations.next;
    if (n != &registrations)
        registration_at(n)->refs++;
    while (n != &registrations) {
        MPI_T_event_registration r = registration_at(n);
        if (!ev)
            tell_dropped(r);
        else if (r->kind == (int)ev->kind && r->begin <= number && r->magic)
            tell_event(r, ev);
        n = r->node.next;
        if (n != &registrations)
            registration_at(n)->refs++;
        let_go(r);
    }
}

static bool anything_left(void)
{
    return n_got != n_put || any_dropped;
}

static void deliver_next(void)
{
    if (n_got == n_put) {
        any_dropped = false;
        tell_all(NULL, 0);
        return;
    }
    struct hws_event ev = ring[n_got & (RING_LEN - 1)];
    tell_all(&ev, n_got++);
}

static void deliver(void)
{
    pthread_mutex_lock(&mutex);
    bool mine = !delivering; /* else the one who does it goes on until nothing is left */
    if (mine)
        delivering = true;
    while (mine && anything_left())
        deliver_next();
    if (mine) {
        delivering = false;
        __atomic_store_n(&hws_event_sink.due, false, __ATOMIC_RELAXED);
    }
    pthread_mutex_unlock(&mutex);
}

/* With the mutex held: what the engine shall tell. */
static void update_sink(void)
{
    unsigned mask = 0;
    for (struct hws_list *n = registrations.next; n != &registrations; n = n->next)
        if (registration_at(n)->magic && is_wanted(registration_at(n)))
            mask |= 1u << registration_at(n)->kind;
    hws_event_sink.on_event = on_event;
    hws_event_sink.deliver = deliver;
    __atomic_store_n(&hws_event_sink.mask, mask, __ATOMIC_RELEASE);
}

static void end_registration(MPI_T_event_registration r)
{
    r->magic = 0;
    for (int i = 0; i < N_LEVELS; i++)
        r->callbacks[i].fn = NULL;
    r->dropped_fn = NULL;
    update_sink();
    let_go(r);
}

void hws_t_end_events(void)
{
    pthread_mutex_lock(&mutex);
    for (struct hws_list *n = registrations.next; n != &registrations;) {
        MPI_T_event_registration r = registration_at(n);
        n = n->next;
        if (!r->magic)
            continue; /* goes with the callback that runs */
        end_registration(r);
        n = registrations.next; /* its free callback may have changed the list */
    }
    pthread_mutex_unlock(&mutex);
}

/* ---- registrations ---- */

static int check_registration(MPI_T_event_registration r)
{
    if (!hws_t_is_up())
        return MPI_T_ERR_NOT_INITIALIZED;
    return !hws_t_is_small(r) && r->magic == REGISTRATION_MAGIC ? MPI_SUCCESS : MPI_T_ERR_INVALID_HANDLE;
}

static int check_info(MPI_Info info)
{
    return info == MPI_INFO_NULL || hws_info_of(info) ? MPI_SUCCESS : MPI_T_ERR_INVALID;
}

/* Index of a level, or -1. */
static int level_index(MPI_T_cb_safety safety)
{
    for (int i = 0; i < N_LEVELS; i++)
        if (levels[i] == safety)
            return i;
    return -1;
}

/* Hints are kept and given back; none changes anything. */
static int add_hints(struct hws_info **to, MPI_Info info)
{
    if (info == MPI_INFO_NULL)
        return MPI_SUCCESS;
    if (!*to && !(*to = hws_info_new()))
        return MPI_T_ERR_MEMORY;
    return hws_info_merge(*to, hws_info_of(info)) == MPI_SUCCESS ? MPI_SUCCESS : MPI_T_ERR_MEMORY;
}

static int give_hints(const struct hws_info *from, MPI_Info *info)
{
    struct hws_info *copy = info ? hws_info_dup(from) : NULL;
    if (!copy)
        return info ? MPI_T_ERR_MEMORY : MPI_T_ERR_INVALID;
    *info = hws_info_handle(copy);
    return MPI_SUCCESS;
}

int PMPI_T_event_handle_alloc(int event_index, void *obj_handle, MPI_Info info,
                              MPI_T_event_registration *event_registration)
{
    (void)obj_handle; /* no kind is bound to an object */
    if (!hws_t_is_up())
        return MPI_T_ERR_NOT_INITIALIZED;
    if (!hws_t_event_kind(event_index))
        return MPI_T_ERR_INVALID_INDEX;
    if (!event_registration || check_info(info) != MPI_SUCCESS)
        return MPI_T_ERR_INVALID;
    MPI_T_event_registration r = calloc(1, sizeof *r);
    if (!r)
        return MPI_T_ERR_OUT_OF_HANDLES;
    r->magic = REGISTRATION_MAGIC;
    r->kind = event_index;
    r->refs = 1;
    if (add_hints(&r->info, info) != MPI_SUCCESS) {
        free(r);
        return MPI_T_ERR_MEMORY;
    }
    pthread_mutex_lock(&mutex);
    hws_list_push(&registrations, &r->node);
    pthread_mutex_unlock(&mutex);
    *event_registration = r;
    return MPI_SUCCESS;
}
HWS_MPI(T_event_handle_alloc)

int PMPI_T_event_handle_free(MPI_T_event_registration event_registration, void *user_data,
                             MPI_T_event_free_cb_function free_cb_function)
{
    int rc = check_registration(event_registration);
    if (rc != MPI_SUCCESS)
        return rc;
    pthread_mutex_lock(&mutex);
    event_registration->free_fn = free_cb_function;
    event_registration->free_data = user_data;
    end_registration(event_registration);
    pthread_mutex_unlock(&mutex);
    return MPI_SUCCESS;
}
HWS_MPI(T_event_handle_free)

int PMPI_T_event_handle_set_info(MPI_T_event_registration event_registration, MPI_Info info)
{
    int rc = check_registration(event_registration);
    if (rc != MPI_SUCCESS || (rc = check_info(info)) != MPI_SUCCESS)
        return rc;
    return add_hints(&event_registration->info, info);
}
HWS_MPI(T_event_handle_set_info)

int PMPI_T_event_handle_get_info(MPI_T_event_registration event_registration, MPI_Info *info_used)
{
    int rc = check_registration(event_registration);
    return rc != MPI_SUCCESS ? rc : give_hints(event_registration->info, info_used);
}
HWS_MPI(T_event_handle_get_info)

int PMPI_T_event_register_callback(MPI_T_event_registration event_registration, MPI_T_cb_safety cb_safety,
                                   MPI_Info info, void *user_data, MPI_T_event_cb_function event_cb_function)
{
    int level = level_index(cb_safety), rc = check_registration(event_registration);
    if (rc != MPI_SUCCESS || level < 0 || (rc = check_info(info)) != MPI_SUCCESS)
        return rc ? rc : MPI_T_ERR_INVALID;
    struct callback c = {event_cb_function, user_data, NULL};
    if (event_cb_function && (rc = add_hints(&c.info, info)) != MPI_SUCCESS)
        return rc;
    pthread_mutex_lock(&mutex);
    if (level_of(event_registration) < 0)
        event_registration->begin = n_put;
    drop_info(&event_registration->callbacks[level].info);
    event_registration->callbacks[level] = c;
    update_sink();
    pthread_mutex_unlock(&mutex);
    return MPI_SUCCESS;
}
HWS_MPI(T_event_register_callback)

/* The callback of that level, which must exist. */
static int find_callback(MPI_T_event_registration r, MPI_T_cb_safety safety, struct callback **c)
{
    int level = level_index(safety), rc = check_registration(r);
    if (rc != MPI_SUCCESS)
        return rc;
    *c = level >= 0 && r->callbacks[level].fn ? &r->callbacks[level] : NULL;
    return *c ? MPI_SUCCESS : MPI_T_ERR_INVALID;
}

int PMPI_T_event_callback_set_info(MPI_T_event_registration event_registration, MPI_T_cb_safety cb_safety,
                                   MPI_Info info)
{
    struct callback *c;
    int rc = find_callback(event_registration, cb_safety, &c);
    if (rc != MPI_SUCCESS || (rc = check_info(info)) != MPI_SUCCESS)
        return rc;
    return add_hints(&c->info, info);
}
HWS_MPI(T_event_callback_set_info)

int PMPI_T_event_callback_get_info(MPI_T_event_registration event_registration, MPI_T_cb_safety cb_safety,
                                   MPI_Info *info_used)
{
    struct callback *c;
    int rc = find_callback(event_registration, cb_safety, &c);
    return rc != MPI_SUCCESS ? rc : give_hints(c->info, info_used);
}
HWS_MPI(T_event_callback_get_info)

int PMPI_T_event_set_dropped_handler(MPI_T_event_registration event_registration,
                                     MPI_T_event_dropped_cb_function dropped_cb_function)
{
    int rc = check_registration(event_registration);
    if (rc != MPI_SUCCESS)
        return rc;
    pthread_mutex_lock(&mutex);
    if (!is_wanted(event_registration))
        event_registration->begin = n_put;
    event_registration->dropped_fn = dropped_cb_function;
    event_registration->n_dropped = 0;
    update_sink();
    pthread_mutex_unlock(&mutex);
    return MPI_SUCCESS;
}
HWS_MPI(T_event_set_dropped_handler)

/* ---- instances: valid inside their callback only ---- */

static int check_instance(MPI_T_event_instance i, const void *out)
{
    if (!hws_t_is_up())
        return MPI_T_ERR_NOT_INITIALIZED;
    if (hws_t_is_small(i) || i->magic != INSTANCE_MAGIC)
        return MPI_T_ERR_INVALID_HANDLE;
    return out ? MPI_SUCCESS : MPI_T_ERR_INVALID;
}

int PMPI_T_event_read(MPI_T_event_instance event_instance, int element_index, void *buffer)
{
    int rc = check_instance(event_instance, buffer);
    if (rc != MPI_SUCCESS)
        return rc;
    const struct hws_t_event_kind *k = hws_t_event_kind((int)event_instance->event->kind);
    if (element_index < 0 || element_index >= k->n_elements)
        return MPI_T_ERR_INVALID_INDEX;
    hws_t_event_element(k, element_index, event_instance->event, buffer);
    return MPI_SUCCESS;
}
HWS_MPI(T_event_read)

int PMPI_T_event_copy(MPI_T_event_instance event_instance, void *buffer)
{
    int rc = check_instance(event_instance, buffer);
    if (rc != MPI_SUCCESS)
        return rc;
    const struct hws_t_event_kind *k = hws_t_event_kind((int)event_instance->event->kind);
    for (int i = 0; i < k->n_elements; i++)
        hws_t_event_element(k, i, event_instance->event, (char *)buffer + hws_t_event_displacement(k, i));
    return MPI_SUCCESS;
}
HWS_MPI(T_event_copy)

int PMPI_T_event_get_timestamp(MPI_T_event_instance event_instance, MPI_Count *event_timestamp)
{
    int rc = check_instance(event_instance, event_timestamp);
    if (rc == MPI_SUCCESS)
        *event_timestamp = (MPI_Count)event_instance->event->when_ns;
    return rc;
}
HWS_MPI(T_event_get_timestamp)

int PMPI_T_event_get_source(MPI_T_event_instance event_instance, int *source_index)
{
    int rc = check_instance(event_instance, source_index);
    if (rc == MPI_SUCCESS)
        *source_index = 0;
    return rc;
}
HWS_MPI(T_event_get_source)
