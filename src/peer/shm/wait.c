/* SPDX-License-Identifier: BSD-3-Clause
 *
 * wait: which rings are polled, and how a rank goes to sleep. A writer whose reader does not poll its ring rings a
 * bell; one whose reader sleeps wakes it. Neither costs the writer more than two loads while the reader is awake: the
 * reader, before it relies on the flag, has the kernel put a barrier into the writers (hws_segment_barrier).
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/hot.h"
#include "peer/msg/msg.h"
#include "peer/shm/shm.h"
#include "peer/state/engine.h"
#include "peer/state/shm.h"
#include "peer/state/up.h"

#define PATIENCE_NS      3000000000ull /* for a rank of this host to attach, before TCP is used to it, ... */
#define PATIENCE_RANK_NS 3000000ull    /* ... and for each rank of this host: they start one after the other */
#define ALIVE_MS         500
#define NAP_NS           100000 /* while it is not known whether a rank attaches */

void hws_shm_make_busy(struct hws_shm_peer *s)
{
    s->slow = true;
    if (hws_list_is_empty(&s->busy_node))
        hws_list_push(&s->shm->busy, &s->busy_node);
}

static void set_hot(struct hws_shm_peer *s, uint32_t hot)
{
    __atomic_store_n(&s->rx.shared->hot, hot, __ATOMIC_RELAXED);
    s->in_poll = hot;
}

static struct hws_shm_peer *idle_longest(const struct hws_shm *m)
{
    struct hws_shm_peer *s = m->hot[0];
    for (unsigned i = 1; i < m->n_hot; i++)
        if (m->hot[i]->active_step < s->active_step)
            s = m->hot[i];
    return s;
}

static void leave(struct hws_shm *m, struct hws_shm_peer *s)
{
    unsigned i = 0;
    while (m->hot[i] != s)
        i++;
    m->hot[i] = m->hot[--m->n_hot];
    set_hot(s, 0);
}

/* Half of the rings at once, for one barrier. What came into one of them meanwhile, without a bell, is still looked
 * for. */
static void thin_out(struct hws_shm *m)
{
    struct hws_shm_peer *out[HWS_SHM_HOT / 2];
    for (unsigned i = 0; i < HWS_SHM_HOT / 2; i++)
        leave(m, out[i] = idle_longest(m));
    hws_segment_barrier(&m->seg);
    for (unsigned i = 0; i < HWS_SHM_HOT / 2; i++)
        if (hws_ring_peek(&out[i]->rx))
            hws_segment_ring_own_bell(&m->seg, out[i]->local);
}

void hws_shm_poll_from(struct hws_shm_peer *s)
{
    struct hws_shm *m = s->shm;
    if (s->in_poll)
        return;
    if (m->n_hot == HWS_SHM_HOT)
        thin_out(m);
    m->hot[m->n_hot++] = s;
    s->active_step = m->engine->work.step;
    set_hot(s, 1);
}

static void on_bell(void *arg, int from)
{
    struct hws_shm *m = arg;
    struct hws_peer *p = hws_engine_peer(m->engine, m->engine->cfg.local_ranks[from]);
    if (p && p->shm)
        hws_shm_poll_from(p->shm);
}

static bool pump_busy(struct hws_shm *m)
{
    bool moved = false;
    for (struct hws_list *n = m->busy.next, *next = n->next; n != &m->busy; n = next, next = n->next) {
        struct hws_shm_peer *s = hws_container_of(n, struct hws_shm_peer, busy_node);
        if (s->undecided)
            hws_shm_decide(s);
        else
            moved |= hws_shm_pump(s);
    }
    return moved;
}

HWS_HOT bool hws_shm_poll(struct hws_shm *m)
{
    bool moved = __builtin_expect(hws_shm_is_behind(m), 0);
    if (moved)
        hws_shm_catch_up(m);
    for (unsigned i = 0; i < m->n_hot; i++)
        if (hws_ring_peek(&m->hot[i]->rx))
            moved |= hws_shm_drain(m->hot[i]);
    if (__atomic_load_n(m->bell, __ATOMIC_RELAXED)) {
        hws_segment_answer_bell(&m->seg, on_bell, m);
        moved = true;
    }
    if (!hws_list_is_empty(&m->busy))
        moved |= pump_busy(m);
    if (__builtin_expect(!hws_list_is_empty(&m->waits), 0) && !hws_list_is_empty(&m->engine->threads.sleepers) &&
        hws_shm_area_is_over(m))
        moved = true; /* the thread that waits for it is another one */
    return moved;
}

/* ---- sleep ------------------------------------------------------------------------------------------------------- */

static bool has_input(const struct hws_shm *m)
{
    if (__atomic_load_n(m->bell, __ATOMIC_RELAXED))
        return true;
    for (unsigned i = 0; i < m->n_hot; i++)
        if (hws_ring_peek(&m->hot[i]->rx) && !hws_peer_is_over(m->hot[i]->peer))
            return true;
    return !hws_list_is_empty(&m->waits) && hws_shm_area_is_over(m);
}

static void set_starved(struct hws_shm *m)
{
    for (struct hws_list *n = m->busy.next; n != &m->busy; n = n->next) {
        struct hws_shm_peer *s = hws_container_of(n, struct hws_shm_peer, busy_node);
        __atomic_store_n(&s->tx.shared->starved, 1, __ATOMIC_RELAXED);
    }
}

static bool is_undecided(const struct hws_shm *m)
{
    for (const struct hws_list *n = m->busy.next; n != &m->busy; n = n->next)
        if (hws_container_of(n, const struct hws_shm_peer, busy_node)->undecided)
            return true;
    return false;
}

static bool stay_awake(struct hws_shm *m)
{
    __atomic_store_n(&m->seg.ranks[m->seg.me].asleep, 0, __ATOMIC_RELAXED);
    return false;
}

void hws_shm_lost(struct hws_shm_peer *s)
{
    s->slow = true;
    s->undecided = false;
    s->n_answers = 0;
    hws_list_remove(&s->busy_node);
    hws_shm_forget_later(s);
}

static unsigned alive_ms(const struct hws_shm *m)
{
    return ALIVE_MS * m->engine->cpus.patience;
}

bool hws_shm_may_sleep(struct hws_shm *m)
{
    if (has_input(m) || hws_shm_is_behind(m))
        return false;
    if (is_undecided(m)) { /* no wake-up comes from there */
        nanosleep(&(struct timespec){.tv_nsec = NAP_NS}, NULL);
        return false;
    }
    __atomic_store_n(&m->seg.ranks[m->seg.me].asleep, 1, __ATOMIC_RELAXED);
    set_starved(m);
    hws_segment_barrier(&m->seg);
    if (has_input(m) || (!hws_list_is_empty(&m->busy) && pump_busy(m)))
        return stay_awake(m);
    if (!hws_timer_is_set(&m->alive))
        hws_timer_set(&m->alive, alive_ms(m));
    return true;
}

void hws_shm_awake(struct hws_shm *m)
{
    stay_awake(m);
}

/* ---- peers that end ---------------------------------------------------------------------------------------------- */

/* A process that has died and that nobody has collected: kill() finds it, and that its parent will collect it soon is
 * not sure. */
static bool is_zombie(uint32_t pid)
{
    char state = hws_process_state((int)pid);
    return state == 'Z' || state == 'X';
}

static bool is_dead(uint32_t pid)
{
    return (kill((pid_t)pid, 0) != 0 && errno == ESRCH) || is_zombie(pid);
}

/* Each of n ranks that wait for the same n would ask the kernel n times, as 3000 did: for ten seconds nothing else. */
bool hws_shm_has_died(const struct hws_shm *m, int local)
{
    struct hws_segment_rank *r = &m->seg.ranks[local];
    uint64_t now = hws_clock_ns(), looked = __atomic_load_n(&r->looked_ns, __ATOMIC_RELAXED);
    if (__atomic_load_n(&r->dead, __ATOMIC_ACQUIRE))
        return true;
    if (now - looked < alive_ms(m) * HWS_NS_PER_MS / 2 || /* it is enough that another rank has looked */
        !__atomic_compare_exchange_n(&r->looked_ns, &looked, now, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        return false;
    if (!is_dead(r->pid))
        return false;
    __atomic_store_n(&r->dead, 1, __ATOMIC_RELEASE);
    return true;
}

static void look_after(struct hws_shm_peer *s)
{
    struct hws_peer *p = s->peer;
    char name[96];
    if (hws_peer_is_over(p) || s->undecided || hws_ring_peek(&s->rx))
        return;
    const struct hws_segment_rank *r = &s->shm->seg.ranks[s->local];
    if (__atomic_load_n(&r->state, __ATOMIC_ACQUIRE) >= HWS_SEGMENT_LEAVING) {
        if (hws_ring_peek(&s->rx)) /* it wrote before it left */
            return;
        hws_peer_gone(p, "rank %d has called MPI_Finalize", p->rank);
    } else if (hws_shm_has_died(s->shm, s->local)) {
        hws_peer_lose(p, HWS_EPEERDEAD, "%s, process %u, has died", hws_peer_name(p, name, sizeof name), r->pid);
    }
}

void hws_shm_on_alive(struct hws_timer *t)
{
    struct hws_shm *m = hws_container_of(t, struct hws_shm, alive);
    for (int i = 0; i < m->seg.n; i++)
        if (m->peers[i])
            look_after(m->peers[i]);
    if (!hws_list_is_empty(&m->waits))
        hws_shm_area_look(m);
}

/* ---- a peer that has not attached yet ---------------------------------------------------------------------------- */

/* It stays with TCP: what was held back goes there. */
static void refused(struct hws_shm_peer *s)
{
    struct hws_peer *p = s->peer;
    struct hws_list waiting, *n;
    hws_list_init(&waiting);
    hws_list_remove(&s->busy_node);
    s->undecided = false;
    p->shm = NULL;
    if (p->state == HWS_PEER_UP && p->n_up == 0) /* it may have connected meanwhile */
        hws_peer_become(p, HWS_PEER_UNUSED);
    while ((n = hws_list_pop(&p->out.pending)))
        hws_list_push(&waiting, n);
    while ((n = hws_list_pop(&waiting)))
        hws_send_start(p, hws_container_of(n, struct hws_send_op, node), false);
    while ((n = hws_list_pop(&p->out.frames)))
        hws_list_push(&waiting, n);
    while ((n = hws_list_pop(&waiting)))
        hws_kinds_send(p, hws_container_of(n, struct hws_frame_op, node));
}

void hws_shm_decide(struct hws_shm_peer *s)
{
    struct hws_shm *m = s->shm;
    uint64_t patience_ns = PATIENCE_NS + (uint64_t)m->seg.n * PATIENCE_RANK_NS;
    bool give_up = hws_clock_ns() - m->attach_ns > patience_ns;
    enum hws_segment_state state = hws_segment_state(&m->seg, s->local, give_up);
    if (state == HWS_SEGMENT_UNDECIDED)
        return;
    if (state == HWS_SEGMENT_REFUSED) {
        refused(s);
        return;
    }
    const struct hws_segment_rank *r = &m->seg.ranks[s->local];
    s->must_fence = r->must_fence;
    s->credit = r->credit;
    s->undecided = s->slow = false;
    hws_list_remove(&s->busy_node);
    if (!hws_list_is_empty(&s->peer->out.pending)) {
        hws_shm_make_busy(s);
        hws_shm_pump(s);
    }
}
