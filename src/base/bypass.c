/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bypass: see bypass.h.
 *
 *   copies:   pause - TIMED    TIMED       SETTLE         TIMED
 *             the way taken    it, timed   the other way  it, timed    then they are compared
 */
#include "base/bypass.h"

#define TIMED  6u  /* the least of so many counts: what disturbs makes them longer */
#define SETTLE 8u  /* copies until all that is written was written before in the way that is tried */
#define FIRST  16u /* the first ones find memory that was never touched */
#define SOON   64u
#define SELDOM 4096u /* 64 MiB of pieces of 16 KiB: a trial is a three hundredth of them */

/* Who takes the data out of memory, not out of a cache, takes longer, about as long as it takes to write them there.
 * Where both copy at once, piece by piece, who copies slower counts; where they take turns, the sum. So the caches are
 * left if to write through them takes so many quarters of the other way's time, and taken again at fewer. */
static const struct {
    uint32_t leave, stay;
} quarters[] = {[false] = {8, 5}, [true] = {10, 8}};

#define MEMORY 1800u /* ns for 64 KiB, about: shorter times past the caches are of stores that are still under way */

struct hws_bypass_way hws_bypass_next(struct hws_bypass *b)
{
    uint32_t pause = b->pause ? b->pause : FIRST, n = b->n++;
    struct hws_bypass_way w = {b->is_past, n + TIMED >= pause && n < pause};
    if (n >= pause)
        w = (struct hws_bypass_way){!b->is_past, n >= pause + SETTLE};
    return w;
}

static bool is_past_better(const struct hws_bypass *b)
{
    uint64_t cached = b->least[b->is_past], past = b->least[!b->is_past];
    past = past < MEMORY ? MEMORY : past;
    return 4 * cached > past * (b->is_past ? quarters[b->in_turn].stay : quarters[b->in_turn].leave);
}

static void compare(struct hws_bypass *b)
{
    bool is_better = is_past_better(b);
    uint32_t next = b->pause < SELDOM / 2 ? 2 * b->pause : SELDOM;
    b->pause = is_better == b->is_past && b->pause ? next : SOON;
    b->is_past = is_better;
    b->n = 0;
    b->least[0] = b->least[1] = 0;
}

void hws_bypass_took(struct hws_bypass *b, uint64_t ns, size_t len_bytes)
{
    uint32_t pause = b->pause ? b->pause : FIRST;
    uint64_t cost = ns * 65536 / len_bytes;
    uint32_t *least = &b->least[b->n > pause];
    cost = cost < 1 ? 1 : cost < UINT32_MAX ? cost : UINT32_MAX;
    if (!*least || cost < *least)
        *least = (uint32_t)cost;
    if (b->n >= pause + SETTLE + TIMED)
        compare(b);
}
