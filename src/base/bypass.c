/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bypass: see bypass.h.
 *
 *   copies:   pause - TIMED    TIMED       SETTLE         TIMED
 *             the way taken    it, timed   the other way  it, timed    then they are compared
 *
 * In the first part some are timed, too: if the way taken takes longer than it did, the trial begins.
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

#define WATCH   8u /* one of so many is timed */
#define WATCHED 4u /* the least of so many counts */

static uint32_t pause_of(const struct hws_bypass *b)
{
    return b->pause ? b->pause : FIRST;
}

struct hws_bypass_way hws_bypass_next(struct hws_bypass *b)
{
    uint32_t pause = pause_of(b), n = b->n++;
    if (n >= pause)
        return (struct hws_bypass_way){!b->is_past, n >= pause + SETTLE};
    return (struct hws_bypass_way){b->is_past, n + TIMED >= pause || n % WATCH == 0};
}

static bool is_past_better(const struct hws_bypass *b)
{
    uint64_t cached = b->least[b->is_past], past = b->least[!b->is_past];
    past = past < MEMORY ? MEMORY : past;
    return 4 * cached > past * (b->is_past ? quarters[b->in_turn].stay : quarters[b->in_turn].leave);
}

static void compare(struct hws_bypass *b)
{
    bool past = is_past_better(b), stays = past == b->is_past;
    uint32_t next = b->pause < SELDOM / 2 ? 2 * b->pause : SELDOM;
    b->pause = stays && b->pause ? next : SOON;
    b->level = b->least[!stays];
    b->is_past = past;
    b->n = b->n_watched = 0;
    b->least[0] = b->least[1] = 0;
}

static void keep_least(uint32_t *least, bool is_first, uint32_t cost)
{
    if (is_first || cost < *least)
        *least = cost;
}

/* Half as long again as it was: the trial begins. */
static void watch(struct hws_bypass *b, uint32_t cost)
{
    keep_least(&b->watched, b->n_watched == 0, cost);
    if (++b->n_watched < WATCHED)
        return;
    if (b->level && b->watched > b->level + b->level / 2)
        b->n = pause_of(b) - TIMED;
    b->n_watched = 0;
}

void hws_bypass_took(struct hws_bypass *b, uint64_t ns, size_t len_bytes)
{
    uint32_t pause = pause_of(b);
    uint64_t wide = ns * 65536 / len_bytes;
    uint32_t cost = wide < 1 ? 1 : wide < UINT32_MAX ? (uint32_t)wide : UINT32_MAX;
    if (b->n + TIMED <= pause) {
        watch(b, cost);
        return;
    }
    uint32_t *least = &b->least[b->n > pause];
    keep_least(least, *least == 0, cost);
    if (b->n >= pause + SETTLE + TIMED)
        compare(b);
}
