/* SPDX-License-Identifier: BSD-3-Clause
 *
 * use: how much passed to another site and from it, over time: a fixed number of slots, which become longer as time
 * goes on. Pure: time is an argument.
 */
#ifndef HWS_GATEWAY_USE_H
#define HWS_GATEWAY_USE_H

#include <stdio.h>

#include "wire/gate.h"

#define USE_SLOTS 240

struct use_slot {
    uint64_t out, in, again; /* bytes, bytes, segments sent again */
};

struct use {
    uint64_t begin_ns, step_ns; /* of the clock that the caller has; of a slot */
    unsigned n;                 /* slots so far */
    struct hws_gate_counts last;
    struct use_slot slots[USE_SLOTS];
};

void use_init(struct use *u, uint64_t now_ns, uint64_t step_ns);
/* What all counters are now. */
void use_add(struct use *u, uint64_t now_ns, const struct hws_gate_counts *now);

/* For mpirun: lines of `WORD BEGIN STEP SITE OUT IN OUT IN ...`, of those slots in which something passed, at most
 * USE_LINE in each; begin_ns: begin of the first slot since 1970. */
#define USE_LINE 50
#define USE_WORD "HAWSER-GATEWAY-USE"
void use_tell(const struct use *u, uint64_t begin_ns, const char *site, FILE *out);

/* An SVG element, USE_WIDTH by USE_HEIGHT, y down from the top of its page. */
#define USE_WIDTH  960
#define USE_HEIGHT 220
void use_draw(const struct use *u, const char *from, const char *to, unsigned y, FILE *out);

#endif
