/* SPDX-License-Identifier: BSD-3-Clause
 *
 * engine: makes and ends what a process needs to communicate; the table of operations that peers may name; the calls
 * that core makes. Progress and waiting are in engine/wait.c.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sched.h>
#include <unistd.h>

#include "base/cpus.h"
#include "base/hot.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/quota.h"
#include "base/slice.h"
#include "link/kinds/kinds.h"
#include "peer/conn/conn.h"
#include "peer/engine/parts.h"
#include "peer/lane/lane.h"
#include "peer/msg/msg.h"
#include "peer/shm/shm.h"
#include "peer/state/engine.h"
#include "peer/state/message.h"
#include "peer/state/socket.h"
#include "peer/state/up.h"
#include "wire/gate.h"

#define MANY         64    /* ranks to a processor, from which on each looks around less often ... */
#define PATIENCE_MAX 32    /* ... up to so many times less */
#define PAGE         4096u /* of memory: what a step touches is then in one */
#define LOOK_NS      20000 /* before a yield beside ranks that compute; all ranks of a processor together */

/* ---- opening ----------------------------------------------------------------------------------------------------- */

/* Who looks keeps others waiting: they have the more of it, the more they are. */
static uint64_t look_first_ns(int n_ranks, int n_cpus)
{
    int others = n_cpus > 0 ? (n_ranks + n_cpus - 1) / n_cpus - 1 : 0;
    return LOOK_NS / (uint64_t)(others > 1 ? others : 1);
}

void hws_engine_begin_spin(struct hws_engine *e)
{
    hws_spin_init(&e->waits.spin, e->cfg.params.spin_us * HWS_NS_PER_US, e->cpus.is_crowded);
    hws_cede_init(&e->waits.cede, (uint64_t)e->cfg.me);
    hws_runq_init(&e->waits.runq, e->cfg.me);
}

static unsigned patience(int n_ranks, int n_cpus)
{
    unsigned times = (unsigned)n_ranks / (MANY * (unsigned)(n_cpus > 0 ? n_cpus : 1));
    return times < 1 ? 1 : times > PATIENCE_MAX ? PATIENCE_MAX : times;
}

/* A group's quota is for all of its ranks, those of this host. */
static void set_crowd(struct hws_engine *e, int n_cpus, bool is_crowded)
{
    int quota = hws_quota_milli(""), whole = quota < 1000 ? 1 : quota / 1000;
    e->cpus.n = quota && whole < n_cpus ? whole : n_cpus;
    e->cpus.is_crowded = is_crowded || (quota && e->cfg.n_local > quota / 1000);
    e->cpus.is_tight = !e->cpus.is_crowded && 2 * e->cfg.n_local > e->cpus.n;
    e->cpus.is_wanted = false;
    e->cpus.patience = patience(e->cfg.n_local, e->cpus.n);
    e->waits.look_first_ns = look_first_ns(e->cfg.n_local, e->cpus.n);
    hws_engine_begin_spin(e);
}

/* As far as this rank knows by itself. */
static void begin_crowd(struct hws_engine *e)
{
    struct hws_cpus own;
    int n = hws_cpus_told(), all = (int)sysconf(_SC_NPROCESSORS_ONLN);
    bool is_told = n > 0, is_known = hws_cpus_own(&own);
    if (!is_told)
        n = is_known ? hws_cpus_count(&own) : all;
    set_crowd(e, n, e->cfg.n_local > n);
    e->cpus.is_wanted = e->cpus.is_crowded && !is_told && is_known && !hws_cpus_are_all(&own);
}

bool hws_engine_wants_cpus(const struct hws_engine *e)
{
    return e->cpus.is_wanted;
}

void hws_engine_take_cpus(struct hws_engine *e, const struct hws_cpus_sum *sum)
{
    set_crowd(e, hws_cpus_count(&sum->all), hws_cpus_are_crowded(sum, e->cfg.n_local));
}

bool hws_engine_is_crowded(const struct hws_engine *e)
{
    return e->cpus.is_crowded;
}

static void init_threads(struct hws_engine *e)
{
    hws_biglock_init(&e->threads.lock, e->cpus.n);
    hws_list_init(&e->threads.sleepers);
}

/* While it sleeps, the other threads' calls send by themselves. */
static void give_lock(void *arg)
{
    struct hws_engine *e = arg;
    e->work.stepping = false;
    hws_engine_unlock(e);
}

static void take_lock(void *arg)
{
    struct hws_engine *e = arg;
    hws_engine_lock(e);
    e->work.stepping = true;
}

static void on_watched(struct hws_io *io, unsigned ready)
{
    struct hws_engine *e = hws_container_of(io, struct hws_engine, launcher.io);
    (void)ready;
    e->launcher.on_readable(e->launcher.arg);
    hws_engine_notify(e); /* what it says may be waited for */
}

int hws_engine_start_thread(struct hws_engine *e); /* engine/wait.c */
void hws_engine_stop_thread(struct hws_engine *e);

void hws_engine_limit_frames(struct hws_engine *e)
{
    struct hws_params *params = &e->cfg.params;
    uint64_t max = e->transport->max_message ? e->transport->max_message - HWS_FRAME_MAX_HDR : UINT64_MAX;
    if (params->tcp_max_frag > max)
        params->tcp_max_frag = max;
    if (params->tcp_eager > max)
        params->tcp_eager = max;
}

/* Libsodium is not looked at unless it is wanted. */
static void protect_transport(struct hws_engine *e)
{
    uint8_t key[HWS_LINK_KEY_LEN];
    if (!e->transport->ops->protect || !e->cfg.params.sctp_auth || hws_auth_init() != HWS_OK)
        return;
    hws_auth_key(e->cfg.secret, "sctp-auth", key);
    bool ok = e->transport->ops->protect(e->transport, key);
    if (!ok && e->cfg.me == 0) /* one line for the job: where only some kernels have it no connection comes about */
        hws_warn("this host's kernel has no SCTP-AUTH, so -sctpauth 1 has no effect");
    explicit_bzero(key, sizeof key);
}

/* The gateways of the job's sites ask for a key that is made from its secret. */
static void admit_to_gateways(struct hws_engine *e)
{
    uint8_t key[HWS_LINK_KEY_LEN];
    if (!e->transport->ops->admit || !e->cfg.params.gateways[0] || hws_auth_init() != HWS_OK)
        return;
    hws_auth_key(e->cfg.secret, HWS_GATE_PURPOSE, key);
    e->transport->ops->admit(e->transport, key);
    explicit_bzero(key, sizeof key);
}

static int open_transport(struct hws_engine *e, char *err, size_t err_len)
{
    int rc = e->cfg.open_transport
                 ? e->cfg.open_transport(e->cfg.transport_arg, e->reactor, &e->transport, err, err_len)
                 : hws_transport_open(&e->cfg.params, e->reactor, e->cfg.n_peers > 1, &e->transport, err, err_len);
    if (rc == HWS_OK) {
        hws_engine_limit_frames(e);
        protect_transport(e);
        admit_to_gateways(e);
        e->transport->on_accept = hws_engine_on_accept;
        e->transport->owner = e;
    }
    return rc;
}

/* With all that cannot fail; NULL: no memory. */
static struct hws_engine *new_engine(const struct hws_engine_config *cfg)
{
    struct hws_engine *e = aligned_alloc(PAGE, (sizeof *e + PAGE - 1) & ~(size_t)(PAGE - 1));
    if (!e)
        return NULL;
    memset(e, 0, sizeof *e);
    e->cfg = *cfg;
    e->handles.free = HWS_NO_SLOT;
    e->poll.n_turns = e->poll.cold_gap = 1;
    e->account.local_grant = hws_grant_local(cfg);
    e->big_endian = htole32(1) != 1;
    hws_match_init(&e->match, cfg->generation_bits);
    e->ctx_mask = UINT32_MAX >> cfg->generation_bits;
    hws_pool_init(&e->messages, sizeof(struct hws_message), 16);
    hws_bufpool_init(&e->payloads);
    hws_list_init(&e->accepts.half_open);
    hws_list_init(&e->work.ended);
    hws_list_init(&e->work.dirty);
    hws_list_init(&e->work.blocked);
    hws_list_init(&e->work.draining);
    hws_list_init(&e->work.acked);
    hws_list_init(&e->early.shorts);
    hws_kinds_init(e);
    e->gone.stranded = e->gone.any_lost = e->gone.missing = HWS_NOBODY;
    begin_crowd(e);
    if (!cfg->locking) /* of threads, whoever has the lock would lose the processor more often */
        hws_slice_shorten();
    init_threads(e);
    return e;
}

int hws_engine_open(const struct hws_engine_config *cfg, struct hws_engine **out, char *err, size_t err_len)
{
    int rc = hws_log_init(cfg->params.trace, cfg->me, err, err_len);
    if (rc != HWS_OK)
        return rc;
    struct hws_engine *e = new_engine(cfg);
    snprintf(err, err_len, "out of memory");
    if (!e)
        return HWS_ENOMEM;
    rc = HWS_ENOMEM;
    if (hws_jobs_open(e) != HWS_OK)
        goto fail_jobs;
    if ((rc = hws_reactor_open(&e->reactor)) != HWS_OK) {
        snprintf(err, err_len, "cannot start the event loop: %s", hws_err_text((enum hws_err)rc));
        goto fail_jobs;
    }
    if (cfg->locking)
        hws_reactor_set_lock(e->reactor, give_lock, take_lock, e);
    hws_timer_init(e->reactor, &e->looks.watch, hws_engine_on_watch);
    hws_timer_init(e->reactor, &e->looks.drain, hws_engine_on_look);
    hws_timer_init(e->reactor, &e->gone.idle, hws_engine_on_idle);
    hws_timer_init(e->reactor, &e->looks.gather, hws_engine_on_gather);
    if (cfg->profile)
        hws_timer_set(&e->looks.gather, HWS_GATHER_FIRST_MS);
    if ((rc = open_transport(e, err, err_len)) != HWS_OK)
        goto fail_transport;
    if ((rc = hws_shm_open(e)) != HWS_OK)
        goto fail_thread;
    if (cfg->progress_thread && (rc = hws_engine_start_thread(e)) != HWS_OK)
        goto fail_thread;
    *out = e;
    return HWS_OK;
fail_thread:
    snprintf(err, err_len, "cannot start the progress thread");
    hws_shm_close(e);
    e->transport->ops->fini(e->transport);
fail_transport:
    hws_reactor_fini(e->reactor);
fail_jobs:
    hws_jobs_fini(e);
    free(e);
    return rc;
}

const char *hws_engine_card(const struct hws_engine *e)
{
    return e->transport->ops->card(e->transport);
}

void hws_engine_watch(struct hws_engine *e, int fd, void (*on_readable)(void *arg), void *arg)
{
    hws_engine_lock(e);
    if (e->launcher.is_watched)
        hws_io_want(&e->launcher.io, 0);
    e->launcher.is_watched = fd >= 0;
    e->launcher.on_readable = on_readable;
    e->launcher.arg = arg;
    if (e->launcher.is_watched) {
        hws_io_init(e->reactor, &e->launcher.io, fd, on_watched);
        hws_io_want(&e->launcher.io, HWS_R);
    }
    hws_engine_unlock(e);
}

struct hws_watcher {
    struct hws_engine *e;
    struct hws_io io;
    void (*on_readable)(void *arg);
    void *arg;
};

static void on_more(struct hws_io *io, unsigned ready)
{
    struct hws_watcher *w = hws_container_of(io, struct hws_watcher, io);
    (void)ready;
    w->on_readable(w->arg);
}

struct hws_watcher *hws_engine_watch_more(struct hws_engine *e, int fd, void (*on_readable)(void *arg), void *arg)
{
    struct hws_watcher *w = calloc(1, sizeof *w);
    if (!w)
        return NULL;
    w->e = e;
    w->on_readable = on_readable;
    w->arg = arg;
    hws_engine_lock(e);
    hws_io_init(e->reactor, &w->io, fd, on_more);
    hws_io_want(&w->io, HWS_R);
    hws_engine_unlock(e);
    return w;
}

void hws_engine_watch_end(struct hws_watcher *w)
{
    hws_engine_lock(w->e);
    hws_io_want(&w->io, 0);
    hws_engine_unlock(w->e);
    free(w);
}

/* ---- the end ----------------------------------------------------------------------------------------------------- */

static void free_message(struct hws_match_node *n, void *engine)
{
    hws_message_free(engine, hws_container_of(n, struct hws_message, match));
}

void hws_engine_fini(struct hws_engine *e)
{
    hws_engine_stop_thread(e);
    hws_engine_tell_end(e);
    e->closing = true;
    hws_engine_watch(e, -1, NULL, NULL);
    hws_recv_forget_all(e);
    for (int i = 0; i < e->jobs.n_peers; i++)
        for (int k = 0; e->peers[i] && k < e->peers[i]->n_paths; k++)
            if (e->peers[i]->paths[k] && e->peers[i]->paths[k]->socket)
                hws_socket_end(e->peers[i]->paths[k]->socket, HWS_OK);
    for (int i = 0; i < e->jobs.n_peers; i++)
        if (e->peers[i])
            hws_kept_fail_all(e->peers[i], HWS_ECANCELLED);
    hws_timer_stop(&e->looks.watch);
    hws_timer_stop(&e->looks.drain);
    hws_timer_stop(&e->gone.idle);
    hws_next_end(e);
    hws_timer_stop(&e->looks.gather);
    while (!hws_list_is_empty(&e->accepts.half_open))
        hws_socket_end(hws_container_of(e->accepts.half_open.next, struct hws_socket, node), HWS_OK);
    struct hws_list *n;
    while ((n = hws_list_pop(&e->work.ended)))
        hws_socket_free(hws_container_of(n, struct hws_socket, node));
    for (int i = 0; i < e->jobs.n_peers; i++)
        if (e->peers[i])
            hws_peer_free(e->peers[i]);
    hws_shm_close(e);
    e->transport->ops->fini(e->transport);
    hws_reactor_fini(e->reactor);
    hws_match_drain(&e->match, HWS_MATCH_UNEXPECTED, 0, true, free_message, e);
    hws_match_fini(&e->match);
    hws_kinds_fini(e);
    hws_pool_fini(&e->messages);
    hws_bufpool_fini(&e->payloads);
    free(e->handles.slots);
    hws_jobs_fini(e);
    free(e);
}

const char *hws_engine_peer_reason(struct hws_engine *e, int peer)
{
    hws_engine_lock(e);
    const struct hws_peer *p = peer >= 0 && peer < e->jobs.n_peers ? e->peers[peer] : NULL;
    snprintf(e->tell.reason, sizeof e->tell.reason, "%s", p && hws_peer_is_over(p) ? p->reason : "");
    hws_engine_unlock(e);
    return e->tell.reason;
}
