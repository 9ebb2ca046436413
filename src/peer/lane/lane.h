/* SPDX-License-Identifier: BSD-3-Clause
 *
 * lane: what lanes do: queue, send, read, and keep what is not acknowledged.
 */
#ifndef HWS_PEER_LANE_LANE_H
#define HWS_PEER_LANE_LANE_H

#include "peer/state/engine.h"
#include "peer/state/socket.h"

/* out.c */
int hws_lane_open(struct hws_lane *l, struct hws_socket *s);
void hws_lane_close(struct hws_lane *l);
void hws_lane_put(struct hws_lane *l, const void *bytes, size_t n); /* copies into the staging ring */
void hws_lane_put_user(struct hws_lane *l, struct hws_send_op *op, const void *base, size_t n);
/* of payloads, and takes it over; offset: where it begins in the message; op NULL: nobody waits for it */
void hws_lane_put_packed(struct hws_lane *l, struct hws_send_op *op, uint64_t offset, void *packed, size_t n);
void hws_lane_lend(struct hws_lane *l); /* what was put last is a message whose send ends with its acknowledgment */
void hws_lane_frame(struct hws_lane *l, struct hws_frame *f);  /* header only; adds owed credit */
void hws_lane_header(struct hws_lane *l, struct hws_frame *f); /* the same with the frame's own credit */
void hws_lane_advance(struct hws_lane *l, size_t n);           /* the kernel has taken n queued bytes */
int hws_lane_on_ack(struct hws_lane *l, uint32_t ack);         /* only notes it: a message comes with it */
void hws_engine_settle_acks(struct hws_engine *e);             /* releases what was noted */
void hws_lane_ack(struct hws_lane *l);                         /* acknowledges with the next write */
bool hws_lane_flush(struct hws_lane *l);                       /* writes what the link takes; true: it took some */
void hws_lane_hold(struct hws_lane *l);                        /* flush at the end of the step or call */
void hws_lane_hold_burst(struct hws_lane *l);                  /* flush at the next call that may send all */
void hws_lane_on_writable(struct hws_lane *l);
void hws_lane_set_blocked(struct hws_lane *l, bool on); /* the link is full; or takes bytes again */
void hws_lane_arm(struct hws_lane *l);                  /* before sleeping: have the reactor watch for room */

/* cut.c: links that carry messages, one for each frame */
int hws_lane_open_cuts(struct hws_lane *l);
void hws_lane_cut(struct hws_lane *l, size_t len, const struct hws_frame *f);    /* a frame of that length was begun */
bool hws_lane_tells_credit(const struct hws_lane *l, const struct hws_frame *f); /* false: the frame may wait unread */
bool hws_lane_flush_cuts(struct hws_lane *l);

/* What keeps the order of frames over such a link: those of one context and tag; all that belong to no message. */
static inline uint32_t hws_flow(uint32_t ctx, int32_t tag)
{
    return (ctx * 0x9e3779b1u + (uint32_t)tag) | 1u << 31; /* 2^32 / golden ratio, which spreads contexts */
}

/* The same without two having one number: over a link that leaves unread what is not wanted, none may wait behind
 * another. */
static inline uint64_t hws_flow_exact(uint32_t ctx, int32_t tag)
{
    return ((uint64_t)ctx << 31 | (uint32_t)tag) + 1;
}

/* in.c */
bool hws_lane_read(struct hws_lane *l); /* true: something came */

/* kept.c: what a dead connection leaves behind */
int hws_kept_take(struct hws_lane *l, uint64_t conn_id, struct hws_outage **out); /* empties the lane's queue */
void hws_kept_settle(struct hws_peer *p, struct hws_outage *o, uint64_t received);
void hws_kept_put(struct hws_lane *l, struct hws_list *kept);     /* queues one again and frees it */
void hws_kept_add(struct hws_peer *p, const struct hws_frame *f); /* a frame without payload, for when a lane is up */
bool hws_kept_is_settled(const struct hws_peer *p, uint64_t conn_id); /* nothing that comes on it counts any more */
int hws_kept_on_down(struct hws_lane *l, const struct hws_frame *f);
void hws_kept_fail_all(struct hws_peer *p, enum hws_err why);
bool hws_kept_has_messages(const struct hws_peer *p); /* whole ones, whose sends are done */

/* all.c: all lanes of a peer */
void hws_peer_ack_all(struct hws_peer *p); /* acknowledges what came on every lane */
void hws_peer_each_lane(struct hws_peer *p, void (*fn)(struct hws_lane *l, void *arg),
                        void *arg);            /* CONNECTED and ENDING */
void hws_peer_hold_all(struct hws_peer *p);    /* every lane looks for work at the next step */
void hws_recv_tell_credit(struct hws_peer *p); /* sends what is owed now */
void hws_lane_account(struct hws_lane *l);     /* before it closes: its counters stay with the peer */
void hws_traffic_add_lane(struct hws_traffic *t, const struct hws_lane *l);

/* share.c: which lane carries what */
struct hws_lane *hws_peer_pick_lane(struct hws_peer *p, uint64_t bytes);
void hws_peer_count_middle(struct hws_peer *p, uint64_t bytes) __attribute__((cold)); /* of a message that went whole */
void hws_lane_note_speed(struct hws_lane *l);                      /* its socket is full, or it is asked to take more */
void hws_peer_note_announced(struct hws_peer *p);                  /* a long message, from there */
void hws_peer_add_bulk(struct hws_peer *p, uint64_t bytes);        /* of an answered message: any lane may take them */
uint64_t hws_peer_bulk_for(struct hws_lane *l, uint64_t max_frag); /* bytes of bulk this lane shall take now */
/* How much of a message's `len` bytes its first fragment, at most `most`, shall carry over this lane, one of several:
 * they carry the rest from its answer on, a round trip later. */
uint64_t hws_peer_first_part(struct hws_lane *l, uint64_t len, uint64_t most);
bool hws_engine_watches(const struct hws_engine *e); /* a lane drains of which too little is known */
void hws_engine_look(struct hws_engine *e);          /* at what drains, if it is time */
void hws_engine_on_look(struct hws_timer *t);
void hws_peer_init_nudge(struct hws_peer *p);

/* The lane for a first fragment or an answer; NULL: none is up. */
static inline struct hws_lane *hws_peer_lane(struct hws_peer *p, uint64_t bytes)
{
    return __builtin_expect(p->n_up <= 1, 1) ? p->up[0] : hws_peer_pick_lane(p, bytes);
}

#endif
