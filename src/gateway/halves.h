/* SPDX-License-Identifier: BSD-3-Clause
 *
 * halves: the two directions of a flow between gateways. A flow's bytes have offsets; the sending half keeps them until
 * the other gateway has given them to its client, and knows over which trunk each piece went, so that what was on its
 * way in a trunk that ended goes again over another. The receiving half puts pieces into order. Pure: no clock, no
 * socket.
 */
#ifndef HWS_GATEWAY_HALVES_H
#define HWS_GATEWAY_HALVES_H

#include "gateway/ring.h"
#include "wire/gate.h"

#define WINDOW_BASE (16u << 10) /* bytes that each flow may always have on the way */
#define WINDOW_MAX  (8u << 20)  /* and at most: 18 ms at 3.5 Gb/s */

/* What all flows of a gateway share for windows above WINDOW_BASE, in bytes. */
struct window_pool {
    uint64_t total, left;
};

/* ---- sending ----------------------------------------------------------------------------------------------------- */

struct piece {
    uint64_t from;
    uint32_t len;
    uint16_t trunk;
    bool again; /* its trunk ended: to be sent once more */
};

struct sender {
    struct ring ring; /* [acked, end) */
    uint64_t acked, sent, end;
    uint64_t edge; /* the other gateway takes bytes before it */
    struct piece *pieces;
    uint32_t n_pieces, cap_pieces, n_again; /* in order of their offsets */
    uint32_t epoch, edge_epoch;             /* of the last LESS; of the last ACK that counted */
    bool is_ended;                          /* the client sends no more */
    bool fin_sent, fin_tried, fin_acked; /* FIN went; went at least once, perhaps over a trunk that ended; came back */
    uint16_t fin_trunk;
};

/* How many bytes of the client can be taken now. */
size_t sender_room(const struct sender *s);
/* Memory that is there for some of them, in one run of *len. NULL: there is none. */
uint8_t *sender_space(const struct sender *s, size_t *len);
/* So many came into what sender_space() gave. */
void sender_added(struct sender *s, size_t n);
/* Copies bytes, no more than there is room for; memory is made for just those. False: there is none, nothing changed.
 */
bool sender_put(struct sender *s, const uint8_t *src, size_t len);
/* The client has closed its direction. */
void sender_end(struct sender *s);

/* Is there data, or FIN, to be sent now? */
bool sender_has_data(const struct sender *s);
bool sender_has_fin(const struct sender *s);
/* The next piece of at most `most` bytes, copied to dst and noted as on its way over `trunk`. Returns its length; 0:
 * none. */
size_t sender_next(struct sender *s, uint16_t trunk, uint8_t *dst, size_t most, uint64_t *from);
/* FIN leaves over that trunk. */
void sender_fin(struct sender *s, uint16_t trunk);

/* HWS_OK, or HWS_EPROTO: more acknowledged than was sent, or more granted than any flow may have. */
int sender_ack(struct sender *s, uint64_t delivered, struct hws_gate_ack ack);
/* A trunk has ended: what it had on the way goes again. */
void sender_lost(struct sender *s, uint16_t trunk);
/* Gives room back; returns the offset that LESS tells. Only when all that is sent is acknowledged. */
uint64_t sender_less(struct sender *s);
void sender_free(struct sender *s);

/* ---- receiving --------------------------------------------------------------------------------------------------- */

struct extent {
    uint64_t from, to;
};

struct receiver {
    struct ring ring;               /* [delivered, ...) */
    uint64_t delivered, next, edge; /* given to the client; in order up to here; granted up to here */
    uint64_t told;                  /* `delivered` as the last ACK said */
    uint64_t fin_at;                /* if has_fin */
    uint64_t window;                /* granted beyond `delivered`; what exceeds WINDOW_BASE is of the pool */
    struct extent *ahead;           /* what came before its turn, in order, apart */
    uint32_t n_ahead, cap_ahead, epoch;
    bool has_fin;
};

/* The first window, as much as the pool can spare. */
void receiver_init(struct receiver *r, struct window_pool *pool);
/* HWS_OK; HWS_EPROTO: beyond what was granted or the stream's end; HWS_ENOMEM. Bytes that are here already are ignored.
 */
int receiver_put(struct receiver *r, uint64_t offset, const uint8_t *src, size_t len);
int receiver_fin(struct receiver *r, uint64_t at);
/* Bytes in order for the client, in one run; NULL: none. */
const uint8_t *receiver_bytes(const struct receiver *r, size_t *len);
void receiver_took(struct receiver *r, size_t n);
/* All is delivered and the other client has closed its direction. */
bool receiver_is_over(const struct receiver *r);
/* Has so much been delivered that the other end should know? */
bool receiver_owes_ack(const struct receiver *r);
/* Sets the next window and what the ACK says; its offset is `delivered`, and one more for FIN. */
uint64_t receiver_ack(struct receiver *r, struct window_pool *pool, struct hws_gate_ack *ack);
/* LESS came. HWS_OK, or HWS_EPROTO: it offers more than was granted, or takes back what was used. */
int receiver_less(struct receiver *r, struct window_pool *pool, uint64_t offset, uint32_t epoch);
void receiver_free(struct receiver *r, struct window_pool *pool);

#endif
