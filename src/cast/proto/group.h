/* SPDX-License-Identifier: BSD-3-Clause
 *
 * group: one member's end of a reliable multicast among n members: what it sends to all others (out.c) and what comes
 * from each (in.c). Pure: packets and time are arguments, what is to be sent goes to a callback. Packets may be lost,
 * changed in order and doubled; what the decoder and the MAC let through is taken for a member's.
 *
 * Selective repeat: a receiver keeps what comes behind a gap, and asks for the gap as soon as it sees it. A sender
 * keeps what somebody may lack. Reports go up a tree (tree.h).
 */
#ifndef HWS_CAST_GROUP_H
#define HWS_CAST_GROUP_H

#include <stdbool.h>
#include <stdint.h>

#include "cast/proto/message.h"
#include "wire/cast.h"

#define HWS_CAST_ALL (-1) /* as the destination of a packet: the group's address */

struct hws_cast_in;
struct hws_cast_out;

/* What has happened in a group; for MPI_T. */
struct hws_cast_counts {
    uint64_t packets;    /* of messages that were sent, each once */
    uint64_t resent;     /* sent again, to one member or to all */
    uint64_t requests;   /* reports that came and asked for packets */
    uint64_t reports;    /* sent */
    uint64_t received;   /* packets of messages that came and were new */
    uint64_t duplicates; /* that were not */
    uint64_t overruns;   /* dropped because more were sent than this member had allowed, or for want of memory */
    uint64_t strange;    /* dropped because they contradict what is known: replayed, or of no member */
    uint64_t timeouts;   /* of the sender */
};

struct hws_cast_group {
    /* filled by the caller */
    uint64_t id;
    int n, me;
    unsigned room; /* packets that may be under way to this member, by its socket's buffer; up to HWS_CAST_WINDOW */
    /* to: a member, or HWS_CAST_ALL. The packet is borrowed; may not call back. */
    void (*transmit)(void *arg, int to, const struct hws_cast_packet *p);
    void *arg;
    uint64_t queued; /* packets sent that have not left this host, as known before a tick */
    /* the group's */
    struct hws_cast_out *out; /* NULL: nothing was sent yet */
    struct hws_cast_in **ins; /* ins[n]; NULL: nothing has come from there, and nothing is awaited */
    uint64_t now_ns;
    struct hws_cast_counts counts;
};

/* HWS_OK or HWS_ENOMEM. */
int hws_cast_group_init(struct hws_cast_group *g);
void hws_cast_group_fini(struct hws_cast_group *g); /* operations that are under way are forgotten */

/* Starts to send; on_done is called when all have it, perhaps before this returns. HWS_OK, or HWS_ENOMEM: nothing was
 * begun. */
int hws_cast_group_send(struct hws_cast_group *g, struct hws_cast_send *op, uint64_t now_ns);

/* Posts a receive; on_done as above. HWS_OK or HWS_ENOMEM. */
int hws_cast_group_recv(struct hws_cast_group *g, struct hws_cast_recv *op, uint64_t now_ns);

/* Takes a receive back that is not done; on_done is not called. What comes for it from now on is thrown away. */
void hws_cast_group_cancel(struct hws_cast_group *g, struct hws_cast_recv *op);

/* A packet has come. After the last one of those that are here, hws_cast_group_tick() has what is due sent. */
void hws_cast_group_packet(struct hws_cast_group *g, const struct hws_cast_packet *p, uint64_t now_ns);

/* Sends what is due. Returns when it wants to be called again (ns), UINT64_MAX: when something else happens. */
uint64_t hws_cast_group_tick(struct hws_cast_group *g, uint64_t now_ns);

/* A member is dead: nothing more is waited for from it. Sends that it lacks end with HWS_EPEERDEAD. */
void hws_cast_group_drop(struct hws_cast_group *g, int member);

/* Whether all that was sent has come to all. */
bool hws_cast_group_is_idle(const struct hws_cast_group *g);

/* The next member from `after` + 1 on that lacks something that was sent; -1: none. */
int hws_cast_group_owes(const struct hws_cast_group *g, int after);

#endif
