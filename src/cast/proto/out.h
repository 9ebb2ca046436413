/* SPDX-License-Identifier: BSD-3-Clause
 *
 * out: what this member sends to all others of a group, as one stream of numbered packets. A packet is sent again when
 * a report asks for it, to the members that asked where they are few; or, after a time-out, the oldest one that
 * somebody owes a report about.
 */
#ifndef HWS_CAST_OUT_H
#define HWS_CAST_OUT_H

#include "cast/proto/bits.h"
#include "cast/proto/group.h"
#include "cast/proto/pace.h"

#define HWS_CAST_FEW   2    /* members up to which a packet goes again to each of them alone */
#define HWS_CAST_TURNS 4096 /* transmissions that are remembered */

struct hws_cast_turn {
    uint64_t left_ns;
    uint64_t casts; /* transmissions to all, up to this one */
};

struct hws_cast_slot {
    uint32_t turn; /* its last transmission */
    uint16_t wants[HWS_CAST_FEW];
    uint8_t n_wants; /* FEW + 1: more than that */
    uint8_t n_alone; /* its last transmissions went to these members alone; 0: to all */
    uint16_t alone[HWS_CAST_FEW];
};

struct hws_cast_member {
    uint64_t cum;   /* it, and who reports to it, have all packets below */
    uint64_t limit; /* packets below may be sent */
    uint64_t seen;  /* transmissions to all up to the last one that it has answered, be they lost or not */
    double loss;    /* of its packets, 0 to 1 */
    bool dead;
};

struct hws_cast_out {
    struct hws_cast_group *g;
    struct hws_list sends;    /* in order */
    struct hws_cast_send *at; /* the one that the next new packet belongs to; NULL: none */
    uint64_t base, next, end; /* all have those below; the next new one; behind the last one of `sends` */
    uint64_t n_wanted;        /* slots with wants */
    uint32_t turn;            /* of the last transmission */
    uint32_t cut;             /* it, when the window shrank last: who lost what left before says nothing new */
    uint64_t asked;           /* behind the last one that asked for a report */
    uint64_t casts;           /* transmissions to all; those that somebody has not answered are under way */
    uint64_t asked_casts;     /* up to the last one that asked for a report */
    uint64_t alarm_ns;        /* time-out; 0: nothing is owed */
    struct hws_cast_pace pace;
    struct hws_cast_slot slots[HWS_CAST_WINDOW];
    struct hws_cast_turn turns[HWS_CAST_TURNS];
    struct hws_cast_member members[]; /* members[g->n] */
};

struct hws_cast_out *hws_cast_out_new(struct hws_cast_group *g); /* NULL: no memory */
void hws_cast_out_send(struct hws_cast_out *o, struct hws_cast_send *op);
void hws_cast_out_report(struct hws_cast_out *o, const struct hws_cast_packet *p);
void hws_cast_out_drop(struct hws_cast_out *o, int member);
uint64_t hws_cast_out_tick(struct hws_cast_out *o); /* as hws_cast_group_tick() */

/* Whether a member's own reports count, and not those of who stands above it in the tree. */
bool hws_cast_out_is_direct(const struct hws_cast_out *o, int member);

#endif
