/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bundle: all flows between this gateway and one gateway of another site. Trunks (long-distance connections) come and
 * go; each asks for the next frame when it has room, so that frames stand in a queue here and not in a kernel's buffer.
 * What a trunk had on the way when it ended goes again over another. Pure: no clock, no socket; time is an argument.
 *
 * Which flow is next: deficit round robin with new flows first (RFC 8290 section 4.1), so that a short message never
 * waits behind a long one, and equal shares for those who always have something.
 */
#ifndef HWS_GATEWAY_BUNDLE_H
#define HWS_GATEWAY_BUNDLE_H

#include "base/lifecycle.h"
#include "base/list.h"
#include "gateway/halves.h"

#define BUNDLE_BUCKETS 1024
#define BUNDLE_GONE    64 /* answers that wait for a trunk; more are left to the next question */

enum flow_state { FLOW_OFFERED, FLOW_DIALING, FLOW_OPEN, FLOW_LOST, FLOW_OVER, FLOW_STATES };

extern const struct hws_lifecycle flow_lifecycle;

struct flow {
    struct hws_list by_id, ready, owing; /* in its bundle */
    struct bundle *bundle;
    void *client; /* the user's */
    uint32_t id;
    enum flow_state state; /* written by flow_become() only */
    struct hws_gate_open open;
    struct sender out;
    struct receiver in;
    unsigned owes;       /* frames that are to be sent: bits of bundle.c */
    bool open_sent;      /* OFFERED: OPEN went */
    uint16_t open_trunk; /* over this trunk, and data must follow it there until the answer */
    bool is_old;         /* which of the lists `ready` is in */
    int deficit;
    uint64_t active_ns; /* when data last came */
    enum hws_gate_why why;
};

/* What the owner of the bundle is told. A callback may call any function on its flow but not end the bundle. */
struct bundle_user {
    void (*offered)(void *arg, struct flow *f); /* the other site's client wants f->open.to: connect it */
    void (*arrived)(void *arg, struct flow *f); /* bytes for the client, or the end of them */
    void (*room)(void *arg, struct flow *f);    /* more of the client's bytes can be taken */
    void (*over)(void *arg, struct flow *f, enum hws_gate_why why); /* freed after this; why 0: both directions ended */
    void (*wants)(void *arg);                                       /* something is to be sent: let a trunk ask */
};

struct bundle {
    struct hws_list flows[BUNDLE_BUCKETS];
    struct hws_list fresh, old, owing;
    const struct bundle_user *user;
    void *arg;
    struct window_pool *pool;
    uint32_t next_id;
    unsigned n_flows;
    uint32_t gone[BUNDLE_GONE];
    unsigned n_gone;
};

/* is_even: which numbers the flows get that are opened here; the two ends differ. */
void bundle_init(struct bundle *b, const struct bundle_user *user, void *arg, struct window_pool *pool, bool is_even);
/* Resets all flows, telling the user `why`. */
void bundle_reset(struct bundle *b, enum hws_gate_why why);

/* A client here wants to reach a client there. NULL: no memory. */
struct flow *bundle_open(struct bundle *b, const struct hws_gate_open *open, void *client);
/* Only what is `offered`: the client is connected. */
void flow_connected(struct flow *f);
/* The client's socket broke, or could not be made. The flow is the bundle's alone from here on; over() is not called.
 */
void flow_reset(struct flow *f, enum hws_gate_why why);
/* So many bytes came into sender_space() of f->out, perhaps none, or the client ended its direction. */
void flow_added(struct flow *f, size_t n);
/* Bytes came for which there was no such space. False: no memory. */
bool flow_put(struct flow *f, const uint8_t *src, size_t len);
/* So many of receiver_bytes() of f->in are with the client. May end the flow: over(). */
void flow_took(struct flow *f, size_t n);

/* The next frame for that trunk, header and payload, at most `room` bytes (at least HWS_GATE_HEADER + 64). Returns its
 * length; 0: nothing. */
size_t bundle_next(struct bundle *b, uint16_t trunk, uint8_t *dst, size_t room);
/* A frame came over that trunk. HWS_OK; HWS_EPROTO: the other gateway broke the rules; HWS_ENOMEM. */
int bundle_input(struct bundle *b, const struct hws_gate_frame *f, const uint8_t *payload, uint64_t now_ns);
/* That trunk has ended, whatever it had on the way is lost. */
void bundle_lost(struct bundle *b, uint16_t trunk);
/* To be called some times a second: idle flows are asked for the room that they hold when little is left. */
void bundle_tick(struct bundle *b, uint64_t now_ns);

#endif
