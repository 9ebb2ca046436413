/* SPDX-License-Identifier: BSD-3-Clause
 *
 * parts: what the files of this room call in one another.
 */
#ifndef HWS_PEER_ENGINE_PARTS_H
#define HWS_PEER_ENGINE_PARTS_H

#include "peer/state/engine.h"
#include "peer/state/shm.h"

/* engine.c */
void hws_engine_begin_spin(struct hws_engine *e);
void hws_engine_limit_frames(struct hws_engine *e); /* to what fits into a message of the transport */

/* peers.c */
struct hws_peer *hws_peer_new(struct hws_engine *e, int number);
void hws_peer_free(struct hws_peer *p);

/* gone.c */
#define HWS_NOBODY (-3)
void hws_engine_on_idle(struct hws_timer *t);
void hws_engine_note_probe(struct hws_engine *e, int source); /* of that rank, or any; nothing was there */
bool hws_engine_may_strand(
    struct hws_engine *e); /* before a sleep; true: a timer was set, so who sleeps already must be woken */

/* next.c, for gone.c: in MPI_Finalize, whether the next rank has died. */
struct hws_next {
    int rank;
    struct hws_route *routes;
    int n_routes, route;
    struct hws_link *link;    /* dialed or held; NULL: none now */
    bool is_dialing, is_over; /* over: to be closed at the next look */
    uint64_t at_ns;           /* the last dial */
    uint64_t refused_ns;      /* since then every dial was refused; 0: the last one was not */
    unsigned n_refused;       /* so many */
};
void hws_next_begin(struct hws_engine *e);
int hws_next_look(struct hws_engine *e); /* who has died, or HWS_NOBODY */
void hws_next_end(struct hws_engine *e);

/* asleep.c. A wait sleeps: writes on the board what it waits for, or only how the queues are if it is `told` there.
 * Returns its place, to be given to hws_board_end() by whoever ends the wait; NULL: it has none. moved: since the last
 * time. */
struct hws_board_wait *hws_engine_asleep(struct hws_engine *e, struct hws_board_wait *told, hws_wait_site site,
                                         const void *arg, bool moved, uint64_t now_ns);

/* profile.c */
void hws_engine_on_gather(struct hws_timer *t);
#define HWS_GATHER_FIRST_MS 10 /* after the start: short jobs are to be seen, too */

/* tell.c */
void hws_engine_tell_end(struct hws_engine *e);

/* step.c. Each true: something moved. */
bool hws_step(struct hws_engine *e, bool cold); /* cold: with a look at everything that is not hot */
bool hws_step_of_wait(struct hws_engine *e);    /* with such a look when it is time for one */
bool hws_step_flush(struct hws_engine *e);      /* only what was held back */
void hws_engine_send_held(struct hws_engine *e) __attribute__((cold)); /* all of it, unless a step does so anyway */

/* Sleeps until something happens, unless writing what was held back is already something: that may complete operations,
 * so the caller must look again first. */
bool hws_step_asleep(struct hws_engine *e);

/* Another rank of this host may be on the same processor: this one leaves, and what it lost in the run queue so far is
 * no reason to move once more. is_new: this one was put there by its waking, in this moment. */
void hws_step_part(struct hws_engine *e, bool is_new, uint64_t now_ns);

/* More ranks than processors on this host: who yields soon gets what he waits for. */
static inline bool hws_engine_shares_cpus(const struct hws_engine *e)
{
    return e->shm ? e->shm->crowded : e->cpus.is_crowded;
}

/* wait.c */
void hws_engine_step(struct hws_engine *e);
int hws_engine_start_thread(struct hws_engine *e);
void hws_engine_stop_thread(struct hws_engine *e);

/* The end of each call that does no step, with the lock: what it owes to others leaves now, be it an answer, credit or
 * a question. A call that starts a nonblocking operation may leave a burst of sends held back (docs/decisions/005), any
 * other one sends that, too. */
static inline void hws_engine_leave(struct hws_engine *e, bool may_hold)
{
    if (__builtin_expect(e->work.owed || (e->work.held && !may_hold), 0))
        hws_engine_send_held(e);
}

#endif
