/* SPDX-License-Identifier: BSD-3-Clause
 *
 * in: what comes from one member. Data goes to its place as soon as it is here, whatever its order; what no receive was
 * posted for is kept, up to the room that the sender was told. Reports sum up those of the members below in the tree.
 */
#ifndef HWS_CAST_IN_H
#define HWS_CAST_IN_H

#include "cast/proto/bits.h"
#include "cast/proto/group.h"

struct hws_cast_child {
    uint64_t cum, limit;
    uint16_t who;               /* who lacks what `lacks` says */
    bool is_lacking;            /* `lacks` is not empty */
    struct hws_cast_bits lacks; /* by its last report */
};

struct hws_cast_in {
    struct hws_cast_group *g;
    int from;
    uint64_t cum, top;          /* all below are here; behind the last one that is here, here or at a child */
    uint64_t limit, told;       /* of the last report: limit, and what all below it have */
    uint64_t kept;              /* packets of messages that are not posted yet */
    struct hws_list messages;   /* struct hws_cast_recv; kept ones are malloc'ed with their data behind them */
    struct hws_cast_bits have;  /* from cum on */
    struct hws_cast_bits asked; /* packets that were asked for, and have not come since */
    uint32_t turn;              /* of the sender's last packet */
    uint64_t due_ns;            /* when a report is due at the latest; 0: none is */
    bool direct;                /* and goes to the sender */
    bool starved;               /* there was no memory to keep something: nothing is asked for, */
    bool retries;               /* but one packet when the sender polls */
    int n_children;
    struct hws_cast_child children[]; /* children[n_children] */
};

struct hws_cast_in *hws_cast_in_new(struct hws_cast_group *g, int from); /* NULL: no memory */
void hws_cast_in_free(struct hws_cast_in *in);
void hws_cast_in_post(struct hws_cast_in *in, struct hws_cast_recv *op);
void hws_cast_in_cancel(struct hws_cast_in *in, struct hws_cast_recv *op);
void hws_cast_in_packet(struct hws_cast_in *in, const struct hws_cast_packet *p); /* DATA or POLL */
void hws_cast_in_child(struct hws_cast_in *in, const struct hws_cast_packet *p);  /* REPORT of a member below */
uint64_t hws_cast_in_tick(struct hws_cast_in *in);                                /* as hws_cast_group_tick() */

#endif
