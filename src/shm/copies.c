/* SPDX-License-Identifier: BSD-3-Clause
 *
 * copies: see copies.h.
 */
#include "shm/copies.h"

/* Messages in a row that try a way: the first of them finds neither the kernel's paths nor the tables of pages in the
 * caches, and takes up to twice as long as the fourth. */
#define TRIES HWS_COPIES_KEPT

/* A single copy's time leaves out what it costs the sender, and that two ranks of which each gets messages in another
 * way wait for each other: it must be shorter by two eighths, and stays while it is by one. */
#define ENTER 6
#define STAY  7
#define OF    8

/* Messages of a class until the slower way is tried again: at first soon, as the first times of both are those of
 * memory that has never been touched; then after twice as many each time, by how much slower it was. */
#define SOON  16u
#define LATER 64u   /* at most, where it takes up to a quarter longer */
#define LATE  1024u /* else: three times as long costs a percent */

static struct hws_copies_class *class_of(struct hws_copies *c, uint64_t len_bytes)
{
    unsigned k = 0;
    for (uint64_t top = 2 * (uint64_t)HWS_COPIES_MIN; len_bytes >= top && k + 1 < HWS_COPIES_CLASSES; top *= 2)
        k++;
    return &c->of[k];
}

static uint32_t least(const struct hws_copies_way *w)
{
    uint32_t cost = w->cost[0];
    for (uint32_t i = 1; i < HWS_COPIES_KEPT && i < w->n; i++)
        cost = w->cost[i] < cost ? w->cost[i] : cost;
    return cost;
}

static void judge(struct hws_copies_class *k)
{
    uint32_t once = least(&k->once), twice = least(&k->twice);
    bool is_once = (uint64_t)once * OF < (uint64_t)twice * (k->is_once ? STAY : ENTER);
    bool is_new = is_once != k->is_once || !k->pause;
    uint32_t now = is_once ? once : twice;
    if (is_new)
        k->n_left = 0;
    if (is_new || now > k->level + k->level / 4) { /* other traffic, another machine: what was known may be over */
        k->pause = SOON;
        k->level = now;
    }
    k->is_once = is_once;
}

/* The slower way is tried now; then not for longer than before. */
static void begin_tries(struct hws_copies_class *k)
{
    uint64_t once = least(&k->once), twice = least(&k->twice);
    bool is_close = k->is_once ? twice < once + once / 4 : once < twice + twice / 4;
    uint32_t most = is_close ? LATER : LATE;
    k->pause = 2 * k->pause < most ? 2 * k->pause : most;
    k->level = (uint32_t)(k->is_once ? once : twice);
    k->n_since = 0;
    k->n_left = TRIES;
}

bool hws_copies_choose(struct hws_copies *c, uint64_t len_bytes)
{
    struct hws_copies_class *k = class_of(c, len_bytes);
    if (k->twice.n < TRIES || k->once.n < TRIES)
        return k->twice.n >= TRIES;
    if (!k->n_left && ++k->n_since >= k->pause)
        begin_tries(k);
    if (!k->n_left)
        return k->is_once;
    k->n_left--;
    return !k->is_once;
}

void hws_copies_took(struct hws_copies *c, bool once, uint64_t len_bytes, uint64_t bytes, uint64_t ns)
{
    struct hws_copies_class *k = class_of(c, len_bytes);
    struct hws_copies_way *w = once ? &k->once : &k->twice;
    uint64_t cost = ns * 65536 / bytes;
    w->cost[w->n % HWS_COPIES_KEPT] = cost < UINT32_MAX ? (uint32_t)cost : UINT32_MAX;
    w->n++;
    if (k->once.n >= TRIES && k->twice.n >= TRIES)
        judge(k);
}
