/* SPDX-License-Identifier: BSD-3-Clause
 *
 * shm: the engine's part in its host's segment: begins, ends, and makes the peers that are reached through it.
 */

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/copy.h"
#include "base/cpus.h"
#include "base/file.h"
#include "base/log.h"
#include "base/pages.h"
#include "peer/areas.h"
#include "peer/shm/shm.h"
#include "peer/state/engine.h"
#include "peer/state/shm.h"

#define CPUS_PATIENCE_NS HWS_NS_PER_S /* who has not attached by then counts without processors */
#define CPUS_LOOK_NS     50000
#define WHOLE_RINGS      4 /* ranks of a host up to which the rings of a pair come whole, at its first contact */

static int number_of(const struct hws_engine_config *cfg, int rank)
{
    int low = 0, high = cfg->n_local_ranks, guess = high ? rank - cfg->local_ranks[0] : -1;
    if (guess >= 0 && guess < high && cfg->local_ranks[guess] == rank) /* they mostly follow each other */
        return guess;
    while (low < high) {
        int mid = (low + high) / 2;
        if (cfg->local_ranks[mid] < rank)
            low = mid + 1;
        else
            high = mid;
    }
    return low < cfg->n_local_ranks && cfg->local_ranks[low] == rank ? low : -1;
}

int hws_engine_local(const struct hws_engine *e, int peer)
{
    return e->shm ? number_of(&e->cfg, peer) : -1;
}

int hws_engine_first_local(const struct hws_engine *e)
{
    return e->shm ? e->cfg.local_ranks[0] : -1;
}

/* ---- peers ------------------------------------------------------------------------------------------------------- */

static uint64_t eager_limit(const struct hws_shm *m)
{
    uint64_t fits = hws_ring_max_payload(m->seg.ring_size) - HWS_LINE, wanted = m->engine->cfg.params.shm_eager;
    return wanted < fits ? wanted : fits;
}

struct hws_shm_peer *hws_shm_peer_new(struct hws_shm *m, struct hws_peer *p)
{
    int local = m->attached ? number_of(&m->engine->cfg, p->number) : -1;
    struct hws_shm_peer *s = NULL;
    if (local < 0 || local == m->seg.me || hws_segment_state(&m->seg, local, false) == HWS_SEGMENT_REFUSED ||
        posix_memalign((void **)&s, HWS_LINE, sizeof *s) != 0)
        return NULL;
    memset(s, 0, sizeof *s);
    s->peer = p;
    s->shm = m;
    s->local = local;
    s->slow = s->undecided = true;
    s->asleep = &m->seg.ranks[local].asleep;
    s->max_eager = eager_limit(m);
    s->grant = m->engine->account.local_grant;
    hws_shm_use(s, 0);
    hws_ring_tx_init(&s->tx, hws_segment_ring(&m->seg, m->seg.me, local), m->seg.ring_size);
    hws_ring_rx_init(&s->rx, hws_segment_ring(&m->seg, local, m->seg.me), m->seg.ring_size);
    if (m->seg.n <= WHOLE_RINGS)
        hws_rings_bring(&s->tx, &s->rx);
    hws_list_init(&s->busy_node);
    hws_list_push(&m->busy, &s->busy_node);
    m->peers[local] = s;
    p->shm = s;
    hws_shm_decide(s);
    return p->shm;
}

void hws_shm_rouse(struct hws_shm_peer *s)
{
    if (!__atomic_load_n(&s->tx.shared->hot, __ATOMIC_RELAXED))
        hws_segment_ring_bell(&s->shm->seg, s->local);
    if (__atomic_load_n(s->asleep, __ATOMIC_RELAXED))
        hws_segment_wake(&s->shm->seg, s->local);
}

/* ---- begin ------------------------------------------------------------------------------------------------------- */

static void on_wake(struct hws_io *io, unsigned ready)
{
    struct hws_shm *m = hws_container_of(io, struct hws_shm, wake_io);
    (void)ready;
    hws_segment_drain_wake(&m->seg);
}

int hws_shm_open(struct hws_engine *e)
{
    if (!e->cfg.params.shm || e->cfg.n_local_ranks < 2)
        return HWS_OK;
    hws_copy_setup();
    struct hws_shm *m = calloc(1, sizeof *m);
    if (!m)
        return HWS_ENOMEM;
    m->engine = e;
    hws_list_init(&m->busy);
    hws_list_init(&m->waits);
    char err[160] = "";
    if (e->cfg.local_ranks[0] == e->cfg.me &&
        hws_segment_create(&m->seg, e->cfg.job_id, e->cfg.n_local_ranks, m->offer, err, sizeof err) != HWS_OK)
        hws_trace(peer, "%s", err);
    e->shm_offered = m;
    return HWS_OK;
}

const char *hws_engine_shm_offer(const struct hws_engine *e)
{
    return e->shm_offered ? e->shm_offered->offer : "";
}

/* All ranks have passed the barrier before which the segment was offered, so they are about to attach, or to say that
 * they cannot: those that another hand has bound wait for it, since what they find out decides how all their waits go.
 */
static void share_cpus(struct hws_shm *m)
{
    struct hws_engine *e = m->engine;
    while (hws_engine_wants_cpus(e)) {
        struct hws_cpus_sum sum;
        hws_cpus_begin(&sum, &m->seg.ranks[m->seg.me].cpus);
        if (hws_segment_add_cpus(&m->seg, &sum) == 0 || hws_clock_ns() - m->attach_ns > CPUS_PATIENCE_NS)
            hws_engine_take_cpus(e, &sum);
        else
            nanosleep(&(struct timespec){.tv_nsec = CPUS_LOOK_NS}, NULL);
    }
}

/* Yama's scope 1 lets a process be read by its ancestors only: there the ranks of this host, as far as they descend
 * from the launcher, get the right to it. Without a known launcher that is whoever runs as this user, as it is without
 * Yama. */
static void let_copy(const struct hws_engine *e)
{
    char scope[4];
    if (hws_file_text("/proc/sys/kernel/yama/ptrace_scope", scope, sizeof scope)[0] == '1')
        prctl(PR_SET_PTRACER, e->cfg.launcher_pid > 0 ? (unsigned long)e->cfg.launcher_pid : PR_SET_PTRACER_ANY, 0, 0,
              0);
}

static bool attach(struct hws_shm *m, const char *offer)
{
    struct hws_engine *e = m->engine;
    int n = e->cfg.n_local_ranks, me = number_of(&e->cfg, e->cfg.me);
    char err[160] = "";
    m->peers = me < 0 ? NULL : hws_pages_zeros((size_t)n * sizeof(struct hws_shm_peer *));
    if (!m->peers)
        return false;
    if (hws_segment_attach(&m->seg, offer, e->cfg.job_id, me, n, (uint32_t)e->account.local_grant, err, sizeof err) !=
        HWS_OK) {
        hws_trace(peer, "%s", err);
        return false;
    }
    m->attached = true;
    m->attach_ns = hws_clock_ns();
    m->bell = &m->seg.ranks[me].bell;
    share_cpus(m);
    m->crowded = e->cpus.is_crowded;
    m->looked_ns = m->attach_ns;
    hws_shm_keep_together(m);
    m->no_single_copy = e->cfg.params.shm_single == 0;
    m->weighs = e->cfg.params.shm_single == 2 && !m->crowded;
    if (!m->no_single_copy)
        let_copy(e);
    hws_io_init(e->reactor, &m->wake_io, m->seg.wake_fd, on_wake);
    hws_io_want(&m->wake_io, HWS_R);
    hws_timer_init(e->reactor, &m->alive, hws_shm_on_alive);
    return true;
}

void hws_engine_shm_attach(struct hws_engine *e, const char *offer)
{
    hws_engine_lock(e);
    struct hws_shm *m = e->shm_offered;
    if (m && offer[0] && attach(m, offer))
        e->shm = m;
    hws_engine_unlock(e);
}

/* ---- end --------------------------------------------------------------------------------------------------------- */

void hws_shm_say_bye(struct hws_shm *m)
{
    for (int i = 0; i < m->seg.n; i++) {
        struct hws_shm_peer *s = m->peers[i];
        if (s && s->peer->shm && !s->undecided)
            hws_shm_answer(s, HWS_SHM_BYE, 0, 0, 0);
    }
}

bool hws_shm_is_flushed(const struct hws_shm *m)
{
    for (const struct hws_list *n = m->busy.next; n != &m->busy; n = n->next)
        if (hws_container_of(n, const struct hws_shm_peer, busy_node)->n_answers)
            return false;
    return true;
}

void hws_shm_close(struct hws_engine *e)
{
    struct hws_shm *m = e->shm_offered;
    e->shm = e->shm_offered = NULL;
    if (!m)
        return;
    hws_biglock_on_sleep(&e->threads.lock, NULL, NULL);
    if (m->attached) {
        hws_io_want(&m->wake_io, 0);
        hws_timer_stop(&m->alive);
    }
    for (int i = 0; m->peers && i < e->cfg.n_local_ranks; i++) {
        if (m->peers[i])
            free(m->peers[i]->answers);
        free(m->peers[i]);
    }
    hws_segment_close(&m->seg);
    hws_pages_free(m->peers, (size_t)e->cfg.n_local_ranks * sizeof(struct hws_shm_peer *));
    free(m->bounce);
    free(m->later.of);
    free(m);
}
