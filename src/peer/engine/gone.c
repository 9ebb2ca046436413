/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gone: ranks that have called MPI_Finalize, and those who wait for one that is not coming
 * (docs/decisions/026-who-is-not-coming.md).
 *
 * A rank in MPI_Finalize sends out what is left, says BYE and stands in the launcher's barrier. Where that lasts,
 * somebody may wait for it in vain. So it closes its connections and leaves the shared memory before the end, from each
 * peer as soon as that has all: the peer sees the end behind the last message, and whatever waits there fails.
 *
 * A rank without a connection sees no end. So one that has slept for a while in a receive or probe connects to the rank
 * that it waits for, as a sender would: who is dead refuses, who has finalized says BYE.
 */
#include <dirent.h>
#include <stdio.h>

#include "peer/conn/conn.h"
#include "peer/engine/parts.h"
#include "peer/lane/lane.h"
#include "peer/msg/msg.h"
#include "peer/shm/shm.h"
#include "peer/state/engine.h"
#include "peer/state/shm.h"
#include "peer/state/up.h"

#define IDLE_MS  1000 /* between two looks at who is waited for; the second one acts */
#define END_MS   100  /* between two looks at who has all, in MPI_Finalize */
#define STAYS    100  /* looks before connections are closed, where a death is seen by its connections only */
#define CONTACTS 16   /* begun in one look */
#define NOBODY   HWS_NOBODY

/* ---- the end ----------------------------------------------------------------------------------------------------- */

static bool is_peer_flushed(const struct hws_peer *p)
{
    if (!hws_list_is_empty(&p->out.pending) || !hws_list_is_empty(&p->out.bulk) ||
        !hws_list_is_empty(&p->out.answers) || !hws_list_is_empty(&p->out.frames))
        return false;
    if (p->state == HWS_PEER_LEAVING)
        return true;
    for (unsigned i = 0; i < p->n_up; i++)
        if (!hws_lane_is_sent(p->up[i]) || p->up[i]->link->queued)
            return false;
    return hws_list_is_empty(&p->kept.resend) && hws_list_is_empty(&p->kept.outages);
}

static bool is_flushed(void *arg)
{
    struct hws_engine *e = arg;
    if (e->shm && !hws_shm_is_flushed(e->shm))
        return false;
    for (int i = 0; i < e->jobs.n_peers; i++)
        if (e->peers[i] && !hws_peer_is_over(e->peers[i]) && !is_peer_flushed(e->peers[i]))
            return false;
    return true;
}

static void say_bye(struct hws_peer *p)
{
    struct hws_frame f = {.type = HWS_FRAME_BYE};
    if (hws_peer_is_over(p) || !p->n_up || p->said_bye)
        return;
    p->said_bye = true;
    hws_lane_frame(p->up[0], &f);
    hws_lane_hold(p->up[0]);
}

static void say_bye_to_all(struct hws_engine *e)
{
    if (e->shm)
        hws_shm_say_bye(e->shm);
    for (int i = 0; i < e->jobs.n_peers; i++)
        if (e->peers[i])
            say_bye(e->peers[i]);
}

void hws_engine_flush(struct hws_engine *e)
{
    hws_engine_wait_until(e, is_flushed, e, NULL);
}

void hws_engine_end(struct hws_engine *e, bool see_deaths)
{
    hws_engine_flush(e);
    hws_engine_lock(e);
    say_bye_to_all(e);
    hws_engine_unlock(e);
    hws_engine_flush(e);
    hws_engine_lock(e);
    e->ending = true;
    e->gone.stays = see_deaths ? STAYS / e->cpus.patience : 0;
    if (see_deaths)
        hws_next_begin(e);
    hws_timer_set(&e->gone.idle, END_MS * e->cpus.patience);
    hws_engine_unlock(e);
    if (e->cfg.progress_thread)
        hws_reactor_wake(e->reactor);
}

/* The other kernels have all bytes, so closing loses none. */
static bool has_all(const struct hws_peer *p)
{
    struct hws_link_health h;
    for (unsigned i = 0; i < p->n_up; i++)
        if (hws_link_health(p->up[i]->link, &h) && h.unsent)
            return false;
    return is_peer_flushed(p);
}

static void part_from(struct hws_peer *p)
{
    if (hws_peer_is_over(p) || !p->n_up)
        return;
    if (!p->said_bye) { /* it has connected since */
        say_bye(p);
        return;
    }
    if (!p->engine->gone.stays && has_all(p))
        hws_peer_gone(p, "this rank has called MPI_Finalize");
}

/* One that leaves says so in the segment before it ends. */
static int missing_here(const struct hws_shm *m)
{
    for (int i = 0; i < m->seg.n; i++) {
        const struct hws_segment_rank *r = &m->seg.ranks[i];
        if (i != m->seg.me && __atomic_load_n(&r->state, __ATOMIC_ACQUIRE) == HWS_SEGMENT_ATTACHED &&
            hws_shm_has_died(m, i) && __atomic_load_n(&r->state, __ATOMIC_ACQUIRE) == HWS_SEGMENT_ATTACHED)
            return m->engine->cfg.local_ranks[i];
    }
    return HWS_NOBODY;
}

static int find_missing(struct hws_engine *e)
{
    int next = hws_next_look(e);
    if (next != HWS_NOBODY)
        return next;
    for (int i = 0; i < e->cfg.n_peers; i++)
        if (e->peers[i] && e->peers[i]->state == HWS_PEER_LOST)
            return i;
    return e->shm ? missing_here(e->shm) : HWS_NOBODY;
}

bool hws_engine_is_missing(struct hws_engine *e, int *rank)
{
    hws_engine_lock(e);
    *rank = e->gone.missing;
    hws_engine_unlock(e);
    return *rank != HWS_NOBODY;
}

static void part(struct hws_engine *e)
{
    if (e->shm && is_flushed(e))
        hws_segment_leave(&e->shm->seg);
    for (int i = 0; i < e->jobs.n_peers; i++)
        if (e->peers[i] && !e->peers[i]->shm)
            part_from(e->peers[i]);
    if (e->gone.missing == HWS_NOBODY && (e->gone.missing = find_missing(e)) != HWS_NOBODY)
        hws_engine_wake(e);
    e->gone.stays -= e->gone.stays > 0;
    hws_timer_set(&e->gone.idle, END_MS * e->cpus.patience);
}

/* ---- who waits in vain ------------------------------------------------------------------------------------------- */

struct stranded {
    struct hws_engine *e;
    int n, who[CONTACTS];
    bool any;
};

static bool is_unknown(const struct hws_engine *e, int rank)
{
    const struct hws_peer *p = e->peers[rank];
    return rank != e->cfg.me && (!p || !(hws_peer_is_over(p) || p->shm || p->n_up));
}

static void note_source(struct stranded *s, int source)
{
    if (source >= 0 && s->e->peers[source])
        s->e->peers[source]->noted = true;
    if (source == HWS_ANY_PEER)
        s->any = true;
    else if (source >= 0 && s->n < CONTACTS && is_unknown(s->e, source))
        s->who[s->n++] = source;
}

static void note_posted(const struct hws_match_key *key, void *arg)
{
    note_source(arg, key->peer);
}

static void contact(struct hws_engine *e, int rank)
{
    struct hws_peer *p = hws_engine_peer(e, rank);
    if (p && !p->shm)
        hws_peer_connect(p);
}

/* One for each look: a rank that serves all others connects to them without haste. False: all are known. */
static bool contact_next(struct hws_engine *e)
{
    for (int i = 0; i < e->jobs.n_peers; i++) {
        int rank = (e->gone.next_contact + i) % e->jobs.n_peers;
        if (!is_unknown(e, rank))
            continue;
        e->gone.next_contact = rank + 1;
        contact(e, rank);
        return true;
    }
    return false;
}

static struct hws_peer *last_lost(const struct hws_engine *e)
{
    struct hws_peer *last = NULL;
    for (int i = 0; i < e->jobs.n_peers; i++) {
        if (i == e->cfg.me)
            continue;
        if (!e->peers[i] || !hws_peer_is_over(e->peers[i]))
            return NULL;
        last = e->peers[i];
    }
    return last;
}

/* Of the program, as far as the kernel tells; 0: it does not. */
static int n_threads(const struct hws_engine *e)
{
    DIR *d = opendir("/proc/self/task");
    int n = 0;
    if (!d)
        return 0;
    for (const struct dirent *entry; (entry = readdir(d)) != NULL;)
        n += entry->d_name[0] != '.';
    closedir(d);
    return n - e->cfg.progress_thread;
}

/* A thread of the program is in a wait, not only the engine's own. */
static bool is_waited(const struct hws_engine *e)
{
    bool own = e->cfg.progress_thread && pthread_equal(pthread_self(), e->threads.progress);
    if (own)
        return !hws_list_is_empty(&e->threads.sleepers);
    return e->cfg.locking ? e->threads.driver != NULL : e->threads.waits_alone;
}

/* Another thread may send to its own rank, and there is no telling that it will not. */
static void tell_alone(struct hws_engine *e, const struct hws_peer *last)
{
    if (!e->gone.told_alone)
        fprintf(stderr,
                "hawser: rank %d: a receive or probe of any source waits, and all other ranks are lost or have called "
                "MPI_Finalize (%s): only another thread of this rank can still send to it\n",
                e->cfg.me, last->reason);
    e->gone.told_alone = true;
}

/* No other rank can send. This one can to itself, but for its threads that wait. */
static void look_at_all(struct hws_engine *e)
{
    if (contact_next(e) || !is_waited(e))
        return;
    struct hws_peer *last = last_lost(e);
    if (last && (!e->cfg.locking || n_threads(e) == 1))
        hws_recv_fail_any(last, HWS_EPEERDEAD);
    else if (last)
        tell_alone(e, last);
}

static void look_for_stranded(struct hws_engine *e)
{
    struct stranded s = {.e = e};
    hws_match_each_posted(&e->match, note_posted, &s);
    for (unsigned i = 0; i < e->gone.n_probed; i++)
        note_source(&s, e->gone.probed[i]);
    int first = s.n ? s.who[0] : s.any ? HWS_ANY_PEER : NOBODY;
    bool again = first != NOBODY && first == e->gone.stranded;
    e->gone.stranded = first;
    e->gone.n_probed = 0;
    for (int i = 0; again && i < s.n; i++)
        contact(e, s.who[i]);
    if (again && s.any)
        look_at_all(e);
    hws_engine_ask(e, s.any);
}

void hws_engine_note_probe(struct hws_engine *e, int source)
{
    for (unsigned i = 0; i < e->gone.n_probed; i++)
        if (e->gone.probed[i] == source)
            return;
    if (e->gone.n_probed < HWS_PROBED)
        e->gone.probed[e->gone.n_probed++] = source;
}

void hws_engine_on_idle(struct hws_timer *t)
{
    struct hws_engine *e = hws_container_of(t, struct hws_engine, gone.idle);
    if (e->ending)
        part(e);
    else
        look_for_stranded(e);
}

bool hws_engine_may_strand(struct hws_engine *e)
{
    bool waits = hws_match_n_posted(&e->match) || e->gone.n_probed || e->count.n_connects;
    if (!waits || hws_timer_is_set(&e->gone.idle))
        return false;
    hws_timer_set(&e->gone.idle, IDLE_MS * e->cpus.patience);
    return true;
}
