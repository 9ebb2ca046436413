/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cede: see cede.h.
 */
#include "peer/state/cede.h"

#define SHUN_MOST 256 /* times what the last one took, however many were slow before it */

/* Xorshift (G. Marsaglia, 2003). */
static void draw(struct hws_cede *c)
{
    c->lot ^= c->lot << 13;
    c->lot ^= c->lot >> 7;
    c->lot ^= c->lot << 17;
    c->after_ns = HWS_CEDE_LEAST_NS + c->lot % HWS_CEDE_RANGE_NS;
}

void hws_cede_init(struct hws_cede *c, uint64_t seed)
{
    *c = (struct hws_cede){.lot = 0x9e3779b97f4a7c15 ^ seed};
    draw(c);
}

static void shun(struct hws_cede *c, uint64_t took_ns, uint64_t now_ns)
{
    uint64_t least = HWS_CEDE_SHUN * took_ns, most = SHUN_MOST * took_ns;
    c->shun_ns = 2 * c->shun_ns < least ? least : 2 * c->shun_ns > most ? most : 2 * c->shun_ns;
    __atomic_store_n(&c->shun_end_ns, now_ns + c->shun_ns, __ATOMIC_RELAXED);
}

void hws_cede_done(struct hws_cede *c, uint64_t begin_ns, uint64_t now_ns, bool was_ours)
{
    draw(c);
    c->ceded_ns = now_ns;
    if (!was_ours && now_ns - begin_ns >= HWS_CEDE_SLOW_NS)
        shun(c, now_ns - begin_ns, now_ns);
    else
        c->shun_ns = 0;
}
