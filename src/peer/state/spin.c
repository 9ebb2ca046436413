/* SPDX-License-Identifier: BSD-3-Clause
 *
 * spin: see spin.h. The cut bounds the memory of one long wait: from the very top, six short waits bring the budget off
 * its floor and eleven to the full.
 */
#include "peer/state/spin.h"

#include "base/hot.h"

/* Two ranks that both sleep see each other's waking as part of every wait: 60 us twice on a quiet machine, several
 * times that on a busy one. Budgets that give up at such averages never come back, and a ping-pong of 5 us stays at 200
 * (measured). At eight times the bound a spin burns at most an eighth of the processor. */
#define CUT        32 /* waits count as at most so many max_ns */
#define PAYS       8  /* average, in max_ns, up to which spinning for max_ns pays */
#define HOPELESS   16 /* average, in max_ns, from which on only the floor is left */
#define FLOOR_PART 64 /* the floor: enough to look once at what may be there already */

/* A sleeper learns of the end late: the kernel must run it first. Measured here at 5 to 60 us; to take off the least
 * keeps a wait that only just missed the budget from looking hopeless. */
#define WAKE_NS 5000

#define QUEUED_PART   4  /* of the time, from which on the processors are wanted, ... */
#define YIELDING_PART 16 /* ... and are still, by a rank that leaves them */
#define REST_LEAST_NS ((uint64_t)20000000)
#define REST_MOST_NS  ((uint64_t)320000000)
#define SLOW_NS       ((uint64_t)1000000) /* a yield that takes so long: the other one computes */
#define SLOW_LEAST_NS ((uint64_t)8000000) /* of them in a rest, */
#define SLOW_PART     8                   /* and such a part of its time so far: waits sleep */
#define WEIGHED_NS    ((uint64_t)4000000) /* of yields, behind which what they took counts half */
#define SHARED_TIMES  3
#define MOST_SHUNNED  16
#define MOST_PARTING  3

static uint64_t floor_of(uint64_t max)
{
    return max / FLOOR_PART + 1;
}

static uint64_t budget_for(uint64_t max, uint64_t wait8)
{
    uint64_t low = floor_of(max);
    if (wait8 <= 8 * PAYS * max)
        return max;
    if (wait8 >= 8 * HOPELESS * max)
        return low;
    uint64_t left = 8 * HOPELESS * max - wait8, range = 8 * (HOPELESS - PAYS) * max;
    return low + (uint64_t)((unsigned __int128)(max - low) * left / range);
}

/* What the waits so far, and a rest, allow. */
static void settle(struct hws_spin *s)
{
    uint64_t floor_ns = floor_of(s->max_ns), patience_ns = s->patience_ns < s->max_ns ? s->patience_ns : s->max_ns;
    if (s->rest_end_ns && !s->yields)
        s->budget_ns = floor_ns > patience_ns ? floor_ns : patience_ns;
    else
        s->budget_ns = budget_for(s->max_ns, s->wait8_ns);
}

void hws_spin_init(struct hws_spin *s, uint64_t max_ns, bool is_crowded)
{
    *s = (struct hws_spin){.max_ns = is_crowded ? 0 : max_ns};
    s->budget_ns = s->max_ns;
    s->look_ns = HWS_SPIN_LOOK_FIRST_NS;
}

HWS_HOT void hws_spin_learn(struct hws_spin *s, uint64_t waited_ns, bool found_while_spinning)
{
    if (s->max_ns == 0)
        return;
    if (!found_while_spinning)
        waited_ns -= waited_ns < WAKE_NS ? waited_ns : WAKE_NS;
    if (waited_ns > CUT * s->max_ns)
        waited_ns = CUT * s->max_ns;
    s->wait8_ns += waited_ns - s->wait8_ns / 8;
    settle(s);
}

static void weigh_yield(struct hws_spin *s, uint64_t took_ns)
{
    s->yielded_ns += took_ns;
    s->dear_ns += took_ns >= SLOW_NS ? took_ns : 0;
    if (s->yielded_ns > WEIGHED_NS) {
        s->yielded_ns /= 2;
        s->dear_ns /= 2;
    }
    s->patience_ns = 2 * s->dear_ns > s->yielded_ns ? HWS_SPIN_PATIENCE_NS : 0;
}

void hws_spin_yielded(struct hws_spin *s, uint64_t took_ns, uint64_t now_ns)
{
    weigh_yield(s, took_ns);
    if (took_ns < SLOW_NS || !s->yields)
        return;
    s->slow_ns += took_ns;
    if (s->slow_ns < SLOW_LEAST_NS || s->slow_ns * SLOW_PART < now_ns - (s->rest_end_ns - s->rest_ns))
        return;
    s->shun = s->shun ? 2 * s->shun : 1;
    if (s->shun > MOST_SHUNNED)
        s->shun = MOST_SHUNNED;
    s->to_shun = s->shun;
    s->yields = false;
    settle(s);
}

void hws_spin_tried(struct hws_spin *s, uint64_t took_ns)
{
    if (took_ns < HWS_SPIN_ALONE_NS)
        s->n_shared--;
    else if (took_ns < SLOW_NS)
        s->n_shared++;
}

static void end_rest(struct hws_spin *s)
{
    s->rest_end_ns = 0;
    s->yields = false;
}

/* Whether others wanted the processor, since the last look or in this rest. */
static bool is_wanted(const struct hws_spin *s, uint64_t now_ns, uint64_t queued_ns)
{
    if (s->yields)
        return (queued_ns - s->rest_queued_ns) * YIELDING_PART > s->rest_ns;
    return (queued_ns - s->queued_ns) * QUEUED_PART > now_ns - s->looked_ns || s->n_shared >= SHARED_TIMES;
}

/* Whether whoever wants the processor has no other one to go to. */
static bool must_share(struct hws_spin *s)
{
    if (s->yields ? s->full != 0 : (s->full & 3) == 3)
        return true;
    s->n_parting += s->n_parting < MOST_PARTING && !hws_spin_is_early(s);
    return s->n_parting == MOST_PARTING;
}

/* A time in which waits spun, or yielded, is over. */
static void judge_spinning(struct hws_spin *s, uint64_t now_ns, uint64_t queued_ns)
{
    bool wanted = is_wanted(s, now_ns, queued_ns);
    if (!wanted)
        s->n_parting = 0;
    if (!wanted || !must_share(s)) {
        s->rest_ns = 0;
        end_rest(s);
        return;
    }
    s->rest_ns = s->rest_ns ? 2 * s->rest_ns : REST_LEAST_NS;
    if (s->rest_ns > REST_MOST_NS)
        s->rest_ns = REST_MOST_NS;
    s->rest_end_ns = now_ns + s->rest_ns;
    s->rest_queued_ns = queued_ns;
    s->full = 0;
    s->slow_ns = 0;
    s->shun = s->yields ? 0 : s->shun; /* the last rest went well */
    s->yields = s->to_shun == 0;
    s->to_shun -= s->to_shun > 0;
}

/* The next look judges what was since this one. */
static void note_look(struct hws_spin *s, uint64_t now_ns, uint64_t queued_ns)
{
    if (s->yields)
        s->look_ns = HWS_SPIN_LOOK_NS;
    else if (s->looked_ns)
        s->look_ns = 2 * s->look_ns < HWS_SPIN_LOOK_NS ? 2 * s->look_ns : HWS_SPIN_LOOK_NS;
    s->looked_ns = now_ns;
    s->queued_ns = queued_ns;
    s->n_shared = 0;
}

void hws_spin_judge(struct hws_spin *s, uint64_t now_ns, uint64_t queued_ns, bool is_full)
{
    bool is_over = now_ns >= s->rest_end_ns; /* or there was none */
    s->full = (uint8_t)(s->full << 1 | is_full);
    if (is_over && s->looked_ns && (s->yields || !s->rest_end_ns))
        judge_spinning(s, now_ns, queued_ns);
    else if (is_over)
        end_rest(s);
    note_look(s, now_ns, queued_ns);
    settle(s);
}
