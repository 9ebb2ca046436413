/* SPDX-License-Identifier: BSD-3-Clause
 *
 * copies: see copies.h.
 */
#include "shm/copies.h"

/* A trial's first message finds neither the kernel's paths nor the tables of pages in the caches. It ends with its last
 * lap, mostly after nine messages (17 short ones, five long ones); where many are begun at once, those of the other way
 * are still among the first ones.
 */
#define TRIAL_LAPS 2
#define TRIES_MAX  512

/* The other way is taken if its laps are shorter by more than a sixteenth. */
#define GAIN 15
#define OF   16

/* Messages of a class until the other way is tried again: so many that the trials cost an eightieth of the time, and at
 * least and at most so many times as many as the last one had; soon at first, as the first times of both are those of
 * memory that has never been touched, and when the times change. */
#define SOON      16u
#define INHERITED 64u  /* for a class that begins as shorter ones go: programs have few of the longest ones */
#define FAR       400u /* a pause of so many: the other way takes twice as long */
#define SHARE     80u
#define LEAST     16u
#define MOST      128u

int hws_copies_class(uint64_t len_bytes)
{
    int k = 0;
    for (uint64_t top = 2 * (uint64_t)HWS_COPIES_MIN; len_bytes >= top && k + 1 < HWS_COPIES_CLASSES; top *= 2)
        k++;
    return k;
}

static uint32_t least_lap(const struct hws_copies_class *k)
{
    uint32_t cost = k->laps[0];
    for (uint32_t i = 1; i < HWS_COPIES_KEPT && i < k->n_laps; i++)
        cost = k->laps[i] < cost ? k->laps[i] : cost;
    return cost;
}

static bool is_close(uint64_t longer, uint64_t shorter)
{
    return longer < shorter + shorter / 2;
}

static void begin_trial(struct hws_copies_class *k)
{
    k->n_trials = 0;
    k->n_tried = 0;
    k->is_trying = true;
}

/* The other way's time and that of the one that was taken; only how much they differ counts. */
static void end_trial(struct hws_copies_class *k, uint64_t other, uint64_t taken)
{
    uint64_t longer = other > taken ? other : taken, shorter = other > taken ? taken : other;
    uint64_t times = (longer - shorter) * SHARE / shorter;
    times = times < LEAST ? LEAST : times > MOST ? MOST : times;
    k->pause = k->is_known ? (uint32_t)times * k->n_tried : 0;
    k->is_known = true;
    k->n_since = 0;
    k->is_trying = false;
}

static bool is_new(const struct hws_copies_class *k)
{
    return !k->is_known && !k->n_since;
}

/* Nothing is known of it: it begins as shorter ones go. Where the other way takes them far longer it is tried no sooner
 * than they are, as a trial costs as much of its time. */
static void inherit(struct hws_copies_class *k, const struct hws_copies_class *shorter)
{
    if (!is_new(k) || !(shorter->is_known || shorter->pause))
        return;
    k->is_once = shorter->is_once;
    k->is_known = shorter->is_known;
    k->pause = shorter->pause >= FAR ? shorter->pause : INHERITED;
}

void hws_copies_choose(struct hws_copies *c, int class)
{
    struct hws_copies_class *k = &c->of[class];
    if (class > 0)
        inherit(k, &c->of[class - 1]);
    if (!k->is_trying && ++k->n_since >= (k->pause ? k->pause : SOON) && k->n_laps >= TRIAL_LAPS)
        begin_trial(k);
    if (k->is_trying && ++k->n_tried > TRIES_MAX)
        end_trial(k, UINT32_MAX, 1); /* nothing is known */
}

void hws_copies_follow(struct hws_copies *c, int class, bool once)
{
    c->of[class] = (struct hws_copies_class){.is_once = once, .n_since = 1};
    c->lap.begin_ns = 0;
}

static void compare(struct hws_copies_class *k)
{
    uint64_t taken = least_lap(k), other = k->trial;
    bool is_better = other * OF < taken * GAIN;
    end_trial(k, other, taken);
    k->level = (uint32_t)(is_better ? other : taken);
    k->is_once ^= is_better;
    k->n_laps = is_better ? 0 : k->n_laps;
}

static void end_lap_of_trial(struct hws_copies_class *k, uint32_t cost)
{
    if (!k->is_trying)
        return;
    k->trial = k->n_trials && k->trial < cost ? k->trial : cost;
    if (++k->n_trials == TRIAL_LAPS)
        compare(k);
}

/* Other traffic, another machine: what was known of the other way may be over. */
static void look_for_change(struct hws_copies_class *k)
{
    uint32_t now = least_lap(k);
    if (k->n_laps >= HWS_COPIES_KEPT && !(is_close(now, k->level) && is_close(k->level, now))) {
        k->pause = k->level ? 0 : k->pause; /* but for the first one */
        k->level = now;
    }
}

static void end_lap(struct hws_copies_class *k, bool once, uint32_t cost)
{
    if (once != k->is_once) {
        end_lap_of_trial(k, cost);
        return;
    }
    k->laps[k->n_laps++ % HWS_COPIES_KEPT] = cost;
    look_for_change(k);
}

static uint32_t cost_of(uint64_t ns, uint64_t bytes)
{
    double cost = (double)ns * 65536 / (double)bytes;
    return cost < 1 ? 1 : cost < UINT32_MAX ? (uint32_t)cost : UINT32_MAX;
}

void hws_copies_ended(struct hws_copies *c, uint64_t len_bytes, uint64_t now_ns)
{
    struct hws_copies_lap *l = &c->lap;
    uint64_t once = c->once - l->once, twice = c->twice - l->twice;
    int class = hws_copies_class(len_bytes);
    bool is_mixed = (once && twice) || l->class != class || !l->begin_ns;
    if (!is_mixed && once + twice < hws_copies_lap(class) * len_bytes)
        return;
    if (!is_mixed)
        end_lap(&c->of[class], once != 0, cost_of(now_ns - l->begin_ns, once + twice));
    *l = (struct hws_copies_lap){now_ns, c->once, c->twice, class};
}
