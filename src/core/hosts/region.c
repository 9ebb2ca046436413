/* SPDX-License-Identifier: BSD-3-Clause
 *
 * region: see region.h. Words in a region only ever grow: nothing is reset, so nobody need be waited for to do it.
 */
#include "core/hosts/region.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hot.h"
#include "core/comm/group.h"
#include "core/object/fail.h"
#include "core/object/launcher.h"
#include "core/object/world.h"
#include "peer/areas.h"
#include "peer/engine.h"

#define LINE 64u

static uint64_t *word_of(const struct hws_turn *t, int line)
{
    return &((struct hws_region_line *)(void *)t->cell)[line].value;
}

bool hws_region_init(struct hws_region *r, void *mem, size_t len_bytes, int n, int me)
{
    size_t lines = (size_t)n * LINE, others = 2 * lines + LINE; /* `left`, and the cell without data */
    size_t cell = len_bytes > others ? (len_bytes - others) / HWS_REGION_CELLS : 0;
    size_t slot = cell > lines ? (cell - lines) / (size_t)n & ~(size_t)(LINE - 1) : 0;
    memset(r, 0, sizeof *r);
    if (slot < 2 * LINE)
        return false;
    r->n = n;
    r->me = me;
    r->left = mem;
    r->cells = (uint8_t *)mem + lines + LINE;
    r->slot_len = slot;
    r->cell_len = lines + (size_t)n * slot;
    r->room = slot - sizeof(struct hws_region_slot);
    for (int i = 0; i < HWS_REGION_LONG; i++)
        r->bypass[i].in_turn = true;
    return true;
}

/* ---- turns ------------------------------------------------------------------------------------------------------- */

/* What all ranks know to be free; else the one that was used longest ago. */
static int next_cell(const struct hws_region *r)
{
    int oldest = 0;
    for (int i = 0; i < HWS_REGION_CELLS; i++) {
        if (r->last_use[i] < r->last_joint || !r->last_use[i])
            return i;
        if (r->last_use[i] < r->last_use[oldest])
            oldest = i;
    }
    return oldest;
}

static int wait_until_left(struct hws_region *r, uint64_t turn)
{
    uint64_t *wanted = &r->left[0].value;
    int rc = MPI_SUCCESS;
    for (int i = 0; i < r->n && rc == MPI_SUCCESS; i++) {
        const uint64_t *left = &r->left[1 + i].value;
        if (i == r->me || hws_region_is_at(left, turn))
            continue;
        __atomic_add_fetch(wanted, 1, __ATOMIC_SEQ_CST);
        rc = r->net->wait(r, left, turn);
        __atomic_sub_fetch(wanted, 1, __ATOMIC_RELEASE);
    }
    return rc;
}

void hws_region_look_later(struct hws_region *r, struct hws_region_later later)
{
    r->later = later;
    __atomic_store_n(&r->left[1 + r->me].given, later.turn.turn, __ATOMIC_RELEASE);
}

static void keep_late(struct hws_region *r, int rc)
{
    const char *words = hws_fail_sentence(rc);
    if (r->late != MPI_SUCCESS)
        return;
    r->late = rc;
    r->late_words = words ? strdup(words) : NULL;
}

int hws_region_settle(struct hws_region *r)
{
    struct hws_region_later l = r->later;
    r->later.look = NULL;
    int rc = l.look ? l.look(r, &l) : MPI_SUCCESS;
    if (rc == MPI_SUCCESS || r->broken)
        return rc;
    keep_late(r, rc);
    return MPI_SUCCESS;
}

int hws_region_take_late(struct hws_region *r)
{
    int rc = r->late;
    if (rc != MPI_SUCCESS)
        hws_fail(rc, "%s", r->late_words ? r->late_words : "an earlier call on this communicator failed");
    free(r->late_words);
    r->late = MPI_SUCCESS;
    r->late_words = NULL;
    return rc;
}

/* The cell without data serves joint turns only, and nobody reads in it but what he waits for: it is always free. */
HWS_HOT int hws_region_begin(struct hws_region *r, bool joint, bool data, bool writes, struct hws_turn *t)
{
    int rc = __builtin_expect(r->later.look != NULL, 0) ? hws_region_settle(r) : MPI_SUCCESS;
    if (rc != MPI_SUCCESS)
        return rc;
    int cell = data ? next_cell(r) : HWS_REGION_CELLS;
    uint64_t used = r->last_use[cell];
    t->cell = r->cells + (size_t)cell * r->cell_len;
    t->number = cell;
    t->turn = r->last_use[cell] = ++r->turn;
    t->joint = joint;
    t->goal = 2 * r->met[cell] + 2;
    if (!data || !writes || !used || used < r->last_joint || used < r->seen)
        return MPI_SUCCESS;
    return wait_until_left(r, used);
}

/* ---- meeting ------------------------------------------------------------------------------------------------------
 *
 * The side of level k that begins at member b (a multiple of 2^k) is b .. b + 2^k - 1, as far as there are such. Its
 * node with the next one is number b + 2^(k-1) of the pair's, that is: the first member of the right side, 1 .. n-1.
 */

static int last_of(const struct hws_region *r, int first, int width)
{
    return first + width < r->n ? first + width - 1 : r->n - 1;
}

HWS_HOT bool hws_region_meet(struct hws_region *r, const struct hws_turn *t,
                             void (*combine)(void *arg, int left, int right), void *arg)
{
    r->met[t->number]++;
    for (int width = 1; width < r->n; width *= 2) {
        int left = r->me & ~(2 * width - 1), right = left + width;
        if (right >= r->n)
            continue; /* the right side has no member: the left one goes up alone */
        if (__atomic_add_fetch(word_of(t, right), 1, __ATOMIC_ACQ_REL) != t->goal)
            return false;
        if (combine)
            combine(arg, right - 1, last_of(r, right, width));
    }
    return true;
}

HWS_HOT void hws_region_release(struct hws_region *r, const struct hws_turn *t, int to)
{
    __atomic_store_n(word_of(t, 0), t->turn, __ATOMIC_RELEASE);
    r->net->wake(r, to);
}

HWS_HOT int hws_region_meet_other(struct hws_region *r, const struct hws_turn *t, bool gives, bool takes)
{
    const uint64_t *word = &hws_region_slot(r, t, 1 - r->me)->come;
    if (gives) {
        __atomic_store_n(&hws_region_slot(r, t, r->me)->come, t->turn, __ATOMIC_RELEASE);
        r->net->wake(r, 1 - r->me);
    }
    if (!takes)
        return MPI_SUCCESS;
    r->seen = t->turn;
    if (!hws_region_is_at(word, t->turn))
        return r->net->wait(r, word, t->turn);
    r->net->pass(r);
    return MPI_SUCCESS;
}

HWS_HOT int hws_region_await(struct hws_region *r, const struct hws_turn *t)
{
    const uint64_t *word = word_of(t, 0);
    if (!hws_region_is_at(word, t->turn))
        return r->net->wait(r, word, t->turn);
    r->net->pass(r);
    return MPI_SUCCESS;
}

/* ---- waiting, by the engine -------------------------------------------------------------------------------------- */

struct awaited {
    const struct hws_region *region;
    const uint64_t *word;
    uint64_t value;
};

HWS_HOT static bool has_come(void *arg)
{
    const struct awaited *a = arg;
    return hws_region_is_at(a->word, a->value);
}

/* All take all turns, also those that need nothing of them. What they have still to look at, nobody needs. */
static bool has_done(void *arg, int member)
{
    const struct hws_region *r = ((struct awaited *)arg)->region;
    const struct hws_region_line *line = &r->left[1 + member];
    return hws_region_is_at(&line->value, r->turn) || hws_region_is_at(&line->given, r->turn);
}

static int lost(int peer)
{
    const char *why = hws_engine_peer_reason(hws_world.engine, peer);
    char text[640];
    snprintf(text, sizeof text, "the collective operation lost %s: %s", hws_world_peer_name(peer),
             *why ? why : "it has called MPI_Finalize"); /* the engine says what a dead one has died of */
    return hws_fail_err(HWS_EPEERDEAD, text);
}

HWS_HOT static int engine_wait(struct hws_region *r, const uint64_t *word, uint64_t value)
{
    struct awaited a = {r, word, value};
    struct hws_area_wait w = {.is_over = has_come, .has_done = has_done, .arg = &a, .locals = r->locals, .n = r->n};
    hws_engine_area_wait(hws_world.engine, &w);
    if (has_come(&a))
        return MPI_SUCCESS;
    r->broken = true;
    return lost(w.lost);
}

HWS_HOT static void engine_wake(struct hws_region *r, int to)
{
    hws_engine_area_wake(hws_world.engine, to < 0 ? r->locals : &r->locals[to], to < 0 ? r->n : 1);
}

HWS_HOT static void engine_pass(struct hws_region *r)
{
    (void)r;
    hws_engine_area_pass(hws_world.engine);
}

static const struct hws_region_net engine_net = {engine_wait, engine_wake, engine_pass};

/* ---- of communicators -------------------------------------------------------------------------------------------- */

int hws_region_take(int n)
{
    return hws_engine_area_take(hws_world.engine, n);
}

struct hws_region *hws_region_of_area(const struct hws_group *g, int area)
{
    size_t len_bytes = 0;
    void *mem = hws_engine_area(hws_world.engine, area, &len_bytes);
    struct hws_region *r = mem ? malloc(sizeof *r) : NULL;
    int *locals = r ? malloc((size_t)g->size * sizeof *locals) : NULL;
    if (!locals || !hws_region_init(r, mem, len_bytes, g->size, g->rank)) {
        free(locals);
        free(r);
        return NULL;
    }
    for (int i = 0; i < g->size; i++)
        locals[i] = hws_engine_local(hws_world.engine, hws_group_peer(g, i));
    r->locals = locals;
    r->area = area;
    r->net = &engine_net;
    return r;
}

void hws_region_drop(struct hws_region *r)
{
    if (!r)
        return;
    if (hws_world.engine && r->locals)
        hws_engine_area_give(hws_world.engine, r->area);
    free(r->locals);
    free(r->direct);
    free(r->late_words);
    free(r);
}
