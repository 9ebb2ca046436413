/* SPDX-License-Identifier: BSD-3-Clause
 *
 * direct: see direct.h.
 */
#include "coll/shm/direct.h"

#include <stdlib.h>

#include "base/clock.h"
#include "core/object/world.h"

#define BOUNCE_LEN (16u << 10) /* of a block that is scattered at who takes it */

struct hws_direct {
    struct hws_copies weighed[HWS_DIRECT_KINDS]; /* at member 0 */
    bool is_forbidden;                           /* some member can't read */
};

/* What an offer has instead of data. */
struct offer {
    uint64_t address, distance;
};

static uint64_t bit_of(const struct hws_direct_call *c)
{
    return 1ull << ((int)c->kind * HWS_COPIES_CLASSES + hws_copies_class(c->len));
}

/* Member 0 chooses, and says what. */
static bool choose(const struct hws_direct_call *c, struct hws_region *r)
{
    uint64_t *ways = &r->left[0].ways, bit = bit_of(c), now = __atomic_load_n(ways, __ATOMIC_RELAXED);
    if (r->me != 0)
        return now & bit;
    struct hws_copies *w = &r->direct->weighed[c->kind];
    int class = hws_copies_class(c->len);
    hws_copies_choose(w, class);
    bool once = hws_copies_is_once(w, class);
    if (once != ((now & bit) != 0))
        __atomic_store_n(ways, now ^ bit, __ATOMIC_RELAXED);
    return once;
}

static enum hws_area_reads reads(struct hws_region *r)
{
    enum hws_area_reads all = hws_world.engine ? hws_engine_area_reads(hws_world.engine) : HWS_AREA_READS_NOTHING;
    if (all != HWS_AREA_READS_NOTHING && !r->direct)
        r->direct = calloc(1, sizeof *r->direct);
    return r->direct && !r->direct->is_forbidden ? all : HWS_AREA_READS_NOTHING;
}

void hws_direct_begin(struct hws_direct_call *c, struct hws_region *r, enum hws_direct_kind kind, uint64_t len)
{
    *c = (struct hws_direct_call){.kind = kind, .len = len};
    enum hws_area_reads all = reads(r);
    c->offers = all == HWS_AREA_READS_ALL || (all == HWS_AREA_READS_QUICKER && choose(c, r));
}

void hws_direct_offer(struct hws_direct_call *c, struct hws_region_slot *s, struct hws_data d, uint64_t distance)
{
    struct offer o = {(uint64_t)(uintptr_t)d.base, distance};
    s->bytes = d.len_bytes;
    s->error = 0;
    s->words = UINT32_MAX;
    memcpy(s->data, &o, sizeof o);
    c->was_offered = true;
}

static bool read_there(const struct hws_region *r, int from, struct hws_data d, uint64_t address)
{
    uint8_t bounce[BOUNCE_LEN];
    int local = r->locals[from];
    if (!d.layout)
        return hws_engine_area_read(hws_world.engine, local, d.base, address, d.len_bytes);
    for (uint64_t at = 0, n; at < d.len_bytes; at += n) {
        n = hws_shm_min(d.len_bytes - at, sizeof bounce);
        if (!hws_engine_area_read(hws_world.engine, local, bounce, address + at, n))
            return false;
        hws_shm_get(d, at, bounce, n);
    }
    return true;
}

void hws_direct_read(struct hws_direct_call *c, const struct hws_region *r, int from, const struct hws_region_slot *s,
                     uint64_t index, struct hws_data d)
{
    struct offer o;
    memcpy(&o, s->data, sizeof o);
    if (!c->failed && !read_there(r, from, d, o.address + index * o.distance))
        c->failed = true;
}

/* All meet, and each sees whether all could read. */
static int settle(struct hws_direct_call *c, struct hws_region *r)
{
    struct hws_turn t;
    int rc = hws_region_begin(r, true, true, true, &t);
    if (rc != MPI_SUCCESS)
        return rc;
    hws_region_slot(r, &t, r->me)->bytes = c->failed;
    if ((rc = hws_shm_meet_all(r, &t)) != MPI_SUCCESS)
        return rc;
    for (int i = 0; i < r->n; i++)
        c->failed |= hws_region_slot(r, &t, i)->bytes != 0;
    hws_region_end(r, &t);
    return MPI_SUCCESS;
}

/* Member 0's laps. */
static void weigh(const struct hws_direct_call *c, struct hws_region *r)
{
    if (r->me != 0 || c->len < HWS_DIRECT_MIN || !r->direct ||
        hws_engine_area_reads(hws_world.engine) != HWS_AREA_READS_QUICKER)
        return;
    struct hws_copies *w = &r->direct->weighed[c->kind];
    hws_copies_came(w, c->was_offered, c->len);
    hws_copies_ended(w, c->len, hws_clock_ns());
}

int hws_direct_end(struct hws_direct_call *c, struct hws_region *r, int rc, bool *again)
{
    *again = false;
    if (r->broken)
        return rc;
    if (c->was_offered) {
        int met = settle(c, r);
        if (met != MPI_SUCCESS)
            return met;
    }
    *again = c->failed;
    if (c->failed && reads(r) != HWS_AREA_READS_NOTHING)
        r->direct->is_forbidden = true;
    weigh(c, r);
    return rc;
}
