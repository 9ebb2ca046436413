/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Broadcast in shared memory: the root puts a piece into a slot, and all others take it from there. The root does not
 * wait for them until it is out of cells, so pieces are a pipeline. Cost for m bytes: 2 m copied, one after the other
 * for a single piece. Long data may stay where they are (direct.h).
 */
#include "base/hot.h"
#include "coll/select/algorithm.h"
#include "coll/shm/direct.h"
#include "coll/shm/shm.h"
#include "core/object/fail.h"

#define PIECE (64u << 10) /* bytes at most */

/* Bytes of the piece at `at`. */
static uint64_t part_of(const struct hws_region *r, struct hws_data d, uint64_t at)
{
    return hws_shm_min(hws_shm_piece(r, d.len_bytes, PIECE), d.len_bytes - at);
}

/* One slot serves whoever gives: it shares its page with the word that says that the turn is ready. Of two members it
 * is the giver's, where that word is (hws_shm_give). */
static struct hws_region_slot *slot_of(const struct hws_region *r, const struct hws_turn *t, int from)
{
    return hws_region_slot(r, t, r->n == 2 ? from : 0);
}

/* What the root knows of a failure stands in the slot instead of data. */
static void give(struct hws_region *r, const struct hws_turn *t, struct hws_data d, uint64_t at, int to, int rc)
{
    struct hws_region_slot *s = slot_of(r, t, r->me);
    s->bytes = rc == MPI_SUCCESS ? d.len_bytes : HWS_SLOT_BAD;
    hws_shm_put_failure(s, rc, r->room);
    if (rc == MPI_SUCCESS)
        hws_shm_put_slot(r, s->data, d, at, part_of(r, d, at));
    hws_shm_give(r, t, to);
}

static void offer(struct hws_region *r, const struct hws_turn *t, struct hws_data d, struct hws_direct_call *c)
{
    hws_direct_offer(c, slot_of(r, t, r->me), d, 0);
    hws_shm_give(r, t, -1);
}

static int failed(const struct hws_region_slot *s, int from, uint64_t due)
{
    int rc = hws_shm_slot_class(s);
    return rc == MPI_SUCCESS ? hws_shm_truncated(s->bytes, from, due) : rc;
}

static int take(const struct hws_region *r, const struct hws_region_slot *s, struct hws_data d, uint64_t at, int from)
{
    if (s->bytes != d.len_bytes)
        return failed(s, from, d.len_bytes);
    hws_shm_get(d, at, s->data, part_of(r, d, at));
    return MPI_SUCCESS;
}

/* The only piece of a broadcast whose data stay where they are. */
static int take_offer(struct hws_region *r, const struct hws_region_slot *s, struct hws_data d, int from,
                      struct hws_direct_call *c)
{
    c->was_offered = true;
    if (s->bytes != d.len_bytes)
        return failed(s, from, d.len_bytes);
    hws_direct_read(c, r, from, s, 0, d);
    return MPI_SUCCESS;
}

/* One piece. *total: the bytes of all pieces, to all as the giver has them, who may have others than are due here; 0
 * ends it. A taker that has failed already takes nothing. c: of a broadcast, else NULL. */
static int pass_piece(struct hws_region *r, int from, int to, struct hws_data d, uint64_t at, uint64_t *total, int rc,
                      struct hws_direct_call *c)
{
    struct hws_turn t;
    int err = hws_region_begin(r, false, true, r->me == from, &t);
    if (err != MPI_SUCCESS)
        return err;
    if (r->me == from && c && c->offers && !d.layout) {
        offer(r, &t, d, c);
        *total = 0;
    } else if (r->me == from) {
        give(r, &t, d, at, to, rc);
    } else if (to < 0 || r->me == to) {
        if ((err = hws_shm_await_giver(r, &t)) != MPI_SUCCESS)
            return err;
        const struct hws_region_slot *s = slot_of(r, &t, from);
        bool is_offer = c && hws_direct_is_offer(s);
        if (to < 0)
            *total = s->bytes == HWS_SLOT_BAD || is_offer ? 0 : s->bytes;
        if (rc == MPI_SUCCESS)
            rc = is_offer ? take_offer(r, s, d, from, c) : take(r, s, d, at, from);
    }
    hws_region_end(r, &t);
    return rc;
}

HWS_HOT static int pass(struct hws_region *r, int from, int to, struct hws_data d, int rc, struct hws_direct_call *c)
{
    uint64_t at = 0, total = d.len_bytes;
    if (to < 0 && r->me == from && rc != MPI_SUCCESS)
        total = 0; /* the others see it; where they do not look, all go through all pieces */
    do {
        rc = pass_piece(r, from, to, d, at, &total, rc, c);
        at += hws_shm_piece(r, total, PIECE);
    } while (at < total && !r->broken);
    return rc;
}

int hws_shm_pass(struct hws_region *r, int from, int to, struct hws_data d, int rc)
{
    return pass(r, from, to, d, rc, NULL);
}

/* A member that expects few bytes of a root that offers many fails, but is there at the end. */
HWS_HOT int hws_bcast_shm(struct hws_region *r, const struct hws_coll_call *a)
{
    struct hws_data d = hws_type_data(a->rt, a->rbuf, a->rn);
    struct hws_direct_call c = {.kind = HWS_DIRECT_BCAST, .len = d.len_bytes};
    bool again = false, is_long = d.len_bytes >= HWS_DIRECT_MIN;
    if (d.len_bytes == 0)
        return MPI_SUCCESS;
    if (is_long)
        hws_direct_begin(&c, r, HWS_DIRECT_BCAST, d.len_bytes);
    int rc = pass(r, a->root, -1, d, MPI_SUCCESS, &c);
    if (is_long || c.was_offered)
        rc = hws_direct_end(&c, r, rc, &again);
    return again ? pass(r, a->root, -1, d, MPI_SUCCESS, NULL) : rc;
}
