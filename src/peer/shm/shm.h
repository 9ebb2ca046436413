/* SPDX-License-Identifier: BSD-3-Clause
 *
 * shm: messages between ranks of one host through shared memory (docs/design.md, Within a host). A peer that is reached
 * this way has peer->shm and never a socket; the ring to it keeps the order of messages, so that they carry no sequence
 * numbers: both ends count them.
 *
 *   EAGER, SYNC   a whole short message                      SYNC is answered by DONE when it is matched
 *   RTS           a long one, or one without credit: the receiver copies it out of the sender's memory with
 *                 process_vm_readv(2) and says DONE; where the kernel forbids that, or the data is scattered, it
 *                 says CTS and the sender puts BULK records into the ring
 *   BYE           the sender calls MPI_Finalize
 *
 *   WANT          a receive waits for a message that may be held back (msg/hold.c)
 *
 * Credit needs no records: the receiver adds up in the ring's control lines what it has given back.
 */
#ifndef HWS_PEER_SHM_SHM_H
#define HWS_PEER_SHM_SHM_H

#include "peer/areas.h"
#include "peer/state/engine.h"
#include "peer/state/shm.h"

#define HWS_SHM_DIRECT_RUN 512 /* receives in a row that look at one ring only: the others want progress too */
enum hws_shm_type {
    HWS_SHM_EAGER = 1,
    HWS_SHM_SYNC,
    HWS_SHM_RTS,
    HWS_SHM_CTS,
    HWS_SHM_DONE,
    HWS_SHM_BULK,
    HWS_SHM_BYE,
    HWS_SHM_CANCEL,    /* forget the message of that number, if nothing has matched it */
    HWS_SHM_CANCELLED, /* the answer */
    HWS_SHM_WANT,
    HWS_SHM_DECLINE, /* of an RTS out of turn: no receive takes it */
    HWS_SHM_FRAME    /* of a room above the engine */
};

/* What stands before the data in the payload of the records that are not EAGER. */
struct hws_shm_sync {
    uint64_t send_handle, unused;
};
struct hws_shm_rts {
    uint64_t msg_len, address, send_handle; /* address 0: not to be copied from there */
    uint64_t flags;                         /* HWS_FRAME_FREE and its like */
};
struct hws_shm_bulk {
    uint64_t recv_handle, offset;
};

/* place.c */
void hws_shm_keep_together(struct hws_shm *m); /* from now on threads of this rank that have slept go where it waits */
/* This rank waits: the others see on which processor; where its threads keep together, they keep off the others. */
void hws_shm_wait_here(struct hws_shm *m, uint64_t now_ns);
/* Leaves the processor to another rank that is awake on it (shm/place.h), where there are enough. True: it moved. */
bool hws_shm_part(struct hws_shm *m, bool is_new, uint64_t now_ns);
/* Where ranks outnumber processors: a rank that waits in vain, and yields, tells so and where. Now and then it goes
 * where fewer are, and looks whether others compute. */
void hws_shm_idle(struct hws_shm *m);

/* shm.c */
int hws_shm_open(struct hws_engine *e);
void hws_shm_close(struct hws_engine *e);
struct hws_shm_peer *hws_shm_peer_new(struct hws_shm *m, struct hws_peer *p); /* NULL: not of this host */
void hws_shm_decide(struct hws_shm_peer *s);
void hws_shm_rouse(struct hws_shm_peer *s); /* its bell, its sleep */
void hws_shm_say_bye(struct hws_shm *m);
bool hws_shm_is_flushed(const struct hws_shm *m);

/* send.c */
void hws_shm_send(struct hws_shm_peer *s, struct hws_send_op *op);
void hws_shm_answer(struct hws_shm_peer *s, enum hws_shm_type type, uint64_t send_handle, uint64_t recv_handle,
                    uint64_t limit);
bool hws_shm_pump(struct hws_shm_peer *s); /* true: something went out */
int hws_shm_on_answer(struct hws_shm_peer *s, enum hws_shm_type type, const struct hws_shm_answer *a);

/* frames.c */
bool hws_shm_pump_frames(struct hws_shm_peer *s); /* true: something went out */
int hws_shm_on_frame(struct hws_shm_peer *s, const struct hws_record *r, uint32_t len);

/* read.c: n bytes at `address` of a rank's memory; it is told while a long copy lasts. False: this can't be done. */
bool hws_shm_read(struct hws_shm *m, int local, void *dst, uint64_t address, size_t n);

/* later.c */
/* Leaves a single copy for later: true. False: it is to be made at once. */
bool hws_shm_put_off(struct hws_shm_peer *s, struct hws_recv_op *op, uint64_t address, uint64_t send_handle);
void hws_shm_catch_up(struct hws_shm *m);                     /* makes the oldest one; there must be one */
void hws_shm_sent_long(struct hws_shm *m);                    /* a long send has begun: makes one, if there is any */
void hws_shm_forget_later(struct hws_shm_peer *s);            /* all of a peer that is lost */
static inline bool hws_shm_is_behind(const struct hws_shm *m) /* there are some */
{
    return m->later.first != m->later.end;
}

/* recv.c */
/* A long message out of its sender's memory; by the ring if that can't be done. */
void hws_shm_copy_once(struct hws_shm_peer *s, struct hws_recv_op *op, uint64_t address, uint64_t send_handle);
bool hws_shm_drain(struct hws_shm_peer *s); /* true: something came */
/* The short cuts of a receive from one peer while nothing kept is for it and no older receive fits what comes first:
 * with a spin for a moment, where none is posted at all, and without. waits: of a call that does. True: it is over. */
bool hws_shm_recv_direct(struct hws_shm_peer *s, struct hws_recv_op *op);
bool hws_shm_recv_there(struct hws_shm_peer *s, struct hws_recv_op *op, bool waits);
/* The same of a probe, which takes nothing. True: env is filled. */
bool hws_shm_shows(const struct hws_shm_peer *s, uint32_t ctx, int32_t tag, struct hws_envelope *env);
static inline bool hws_area_wait_is_over(const struct hws_area_wait *w)
{
    return w->is_over(w->arg) || w->lost >= 0;
}

/* area.c */
bool hws_shm_area_is_over(const struct hws_shm *m); /* some wait is */
void hws_shm_area_look(struct hws_shm *m);          /* whether those that are waited for live */

/* wait.c */
bool hws_shm_poll(struct hws_shm *m);
bool hws_shm_may_sleep(struct hws_shm *m); /* says so to the others; false: there is something to do */
void hws_shm_lost(struct hws_shm_peer *s); /* its peer is lost: nothing more goes there */
void hws_shm_awake(struct hws_shm *m);
void hws_shm_poll_from(struct hws_shm_peer *s); /* from now on its ring is polled */
void hws_shm_on_alive(struct hws_timer *t);
/* Whether a rank of this host has died, also if nobody has collected it. Of all that ask, one every now and then finds
 * out, for all. */
bool hws_shm_has_died(const struct hws_shm *m, int local);

/* Whether some rank copies a long message out of this one's memory now. */
static inline bool hws_shm_is_read(const struct hws_shm *m)
{
    return __atomic_load_n(&m->seg.ranks[m->seg.me].n_readers, __ATOMIC_RELAXED) > 0;
}

/* After a record: the owner may sleep, or not poll this ring. */
static inline void hws_shm_pushed(struct hws_shm_peer *s)
{
    if (__builtin_expect(s->must_fence, 0))
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
    else
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (__builtin_expect(
            !__atomic_load_n(&s->tx.shared->hot, __ATOMIC_RELAXED) || __atomic_load_n(s->asleep, __ATOMIC_RELAXED), 0))
        hws_shm_rouse(s);
}

/* Of a grant: as much is given back before the peer is told. */
#define HWS_SHM_TELL_PART 4

/* Some of what it may leave here is used, or free again. */
static inline void hws_shm_use(struct hws_shm_peer *s, int64_t bytes)
{
    s->in_use += (uint64_t)bytes;
    s->tell_at = (s->grant - s->in_use) / HWS_SHM_TELL_PART;
}

static inline struct hws_record *hws_shm_next(struct hws_shm_peer *s)
{
    return (struct hws_record *)(void *)s->tx.at;
}

#endif
