/* SPDX-License-Identifier: BSD-3-Clause
 *
 * worth: see worth.h.
 */
#include "cast/proto/worth.h"

#include <assert.h>

#define GLANCE      5  /* calls by multicast, which may be slower by far, before a glance, and of it by unicast ... */
#define FAR         3  /* ... which ends it if it took that many times as long: so few calls tell no less */
#define FIRST       12 /* calls between a glance and the comparison behind it ... */
#define REVIEW      64 /* ... and between two others: these cost as much as a barrier and a short broadcast */
#define COMPARISON  10 /* calls by unicast */
#define LONGER      2  /* times the longest call that was compared: of such, GLANCE lead to a glance, too */
#define COLD        HWS_CAST_COLD /* calls at the begin of each: windows are new, too */
#define ENOUGH      256           /* packets of all members, to judge by */
#define SUSPICIOUS  0.25          /* packets sent again for each one */
#define FAST_NS     32 /* for a byte; multicast was faster at 100 Mbit/s (80 at least) and never at 1 Gbit/s (8) */
#define MOST_WAITED 6  /* at most 2 to the power of that reviews are left out between two comparisons */

#define TO(state)                 (1u << HWS_CAST_##state)
#define ROW(state, meaning, next) [HWS_CAST_##state] = {#state, meaning, next}

static const struct hws_lifecycle_state rows[HWS_CAST_USE_N] = {
    ROW(ABSENT, "multicast has not been tried, or does not reach all hosts.", TO(USED)),
    ROW(USED,
        "collectives use it; all ranks look at it together at the 5th call, the 12th behind the glance and every 64th "
        "then, and at the 5th of twice the length that was compared.",
        TO(USED) | TO(COMPARED)),
    ROW(COMPARED, "calls go by unicast, to be compared: 5 in a glance, else 10.", TO(USED) | TO(GIVEN_UP)),
    ROW(GIVEN_UP, "unicast took less time: collectives go without multicast for good.", 0),
};

#undef ROW
#undef TO

const struct hws_lifecycle hws_cast_uses = HWS_LIFECYCLE("multicast as collectives use it", rows);

/* What was compared says nothing of the calls that were made since. */
static bool is_new(const struct hws_cast_worth *w)
{
    return !w->is_wanted && (!w->compared || w->n_longer >= GLANCE);
}

bool hws_cast_is_fast(uint64_t bytes, uint64_t ns)
{
    return ns < FAST_NS * bytes;
}

void hws_cast_worth_begin(struct hws_cast_worth *w, enum hws_cast_use use, uint64_t now_ns)
{
    assert(hws_lifecycle_allows(&hws_cast_uses, w->use, use));
    if (use == HWS_CAST_COMPARED) {
        w->is_glance = is_new(w);
        w->compared = w->longest;
    }
    w->use = use;
    w->n_calls = w->n_longer = 0;
    w->n_begun++;
    w->bytes = w->longest = 0;
    w->since_ns = now_ns;
}

static uint32_t calls_of(const struct hws_cast_worth *w)
{
    if (w->use == HWS_CAST_COMPARED)
        return w->is_glance ? GLANCE : COMPARISON;
    if (w->is_wanted)
        return REVIEW;
    if (!w->compared)
        return GLANCE;
    return w->is_glance ? FIRST : REVIEW;
}

static bool is_longer(const struct hws_cast_worth *w, uint64_t bytes)
{
    return w->use == HWS_CAST_USED && !w->is_wanted && w->compared && bytes >= LONGER * w->compared;
}

void hws_cast_worth_count(struct hws_cast_worth *w, uint64_t bytes, uint64_t now_ns)
{
    bool begins = w->n_calls++ == COLD;
    if (is_longer(w, bytes))
        begins |= w->n_longer++ == COLD;
    if (begins) {
        w->since_ns = now_ns;
        w->bytes = 0;
    }
    w->bytes += bytes;
    w->longest = bytes > w->longest ? bytes : w->longest;
}

bool hws_cast_worth_is_due(const struct hws_cast_worth *w)
{
    return w->n_calls >= calls_of(w) || w->n_longer >= GLANCE;
}

bool hws_cast_worth_is_lossy(uint64_t packets, uint64_t resent)
{
    return packets >= ENOUGH && (double)resent > SUSPICIOUS * (double)packets;
}

/* What the program computes between two calls is in it, with multicast and without alike. */
static double time_of_a_byte(const struct hws_cast_worth *w, uint64_t now_ns)
{
    return (double)(now_ns - w->since_ns) / (double)(w->bytes ? w->bytes : 1);
}

static enum hws_cast_use decide(struct hws_cast_worth *w, uint64_t now_ns)
{
    if (time_of_a_byte(w, now_ns) * (w->is_glance ? FAR : 1) < w->multicast_ns)
        return HWS_CAST_GIVEN_UP;
    if (w->is_glance)
        return HWS_CAST_USED;
    unsigned n = w->n_comparisons < MOST_WAITED ? w->n_comparisons : MOST_WAITED;
    w->rest = 1u << n;
    w->n_comparisons++;
    return HWS_CAST_USED;
}

enum hws_cast_use hws_cast_worth_review(struct hws_cast_worth *w, uint64_t packets, uint64_t resent, uint64_t now_ns)
{
    if (w->use == HWS_CAST_COMPARED)
        return decide(w, now_ns);
    if (w->is_wanted && !hws_cast_worth_is_lossy(packets, resent))
        return w->use;
    if (w->rest > 0 && w->n_longer < GLANCE && !w->is_glance) {
        w->rest--;
        return w->use;
    }
    w->multicast_ns = time_of_a_byte(w, now_ns);
    return HWS_CAST_COMPARED;
}
