/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Gather to, and scatter from, the first member of a region: what operations in two levels do within a host. Members give
 * their data and go on; the first one waits for all.
 */
#include "coll/shm.h"
#include "core/error.h"

/* The slots' data into place, piece [at, at + n) of each. */
static int collect(const struct hws_region *r, const struct hws_turn *t, char *into, uint64_t len, uint64_t at, uint64_t n)
{
    int rc = MPI_SUCCESS;
    for (int i = 0; i < r->n; i++) {
        const struct hws_slot *s = hws_region_slot(r, t, i);
        if (s->bytes != len)
            rc = hws_shm_truncated(s->bytes, i, len);
        else if (n)
            memcpy(into + (uint64_t)i * len + at, s->data, n);
    }
    return rc;
}

static int gather_piece(struct hws_region *r, struct hws_data mine, uint64_t len, char *into, uint64_t at, uint64_t n)
{
    struct hws_turn t;
    int rc = hws_region_begin(r, false, true, true, &t);
    if (rc != MPI_SUCCESS)
        return rc;
    struct hws_slot *own = hws_region_slot(r, &t, r->me);
    own->bytes = mine.len_bytes;
    if (mine.len_bytes == len)
        hws_shm_put(own->data, mine, at, n);
    if (hws_region_meet(r, &t, NULL, NULL))
        hws_region_release(r, &t, 0);
    if (r->me == 0) {
        if ((rc = hws_region_await(r, &t)) != MPI_SUCCESS)
            return rc;
        rc = collect(r, &t, into, len, at, n);
    }
    hws_region_end(r, &t);
    return rc;
}

/* Member 0 goes through all pieces also after one that failed: the others do not know of it. */
int hws_shm_gather(struct hws_region *r, struct hws_data mine, uint64_t len, void *into)
{
    uint64_t at = 0;
    int rc = MPI_SUCCESS;
    do {
        int one = gather_piece(r, mine, len, into, at, hws_shm_min(r->room, len - at));
        rc = rc == MPI_SUCCESS ? one : rc;
        at += r->room;
    } while (at < len && !r->broken);
    return rc;
}

/* Member 0 writes into all slots. */
static void deal(const struct hws_region *r, const struct hws_turn *t, const char *from, uint64_t len, uint64_t at, uint64_t n,
                 int rc)
{
    for (int i = 0; i < r->n; i++) {
        struct hws_slot *s = hws_region_slot(r, t, i);
        s->bytes = rc == MPI_SUCCESS ? len : HWS_SLOT_BAD;
        s->error = (uint64_t)rc;
        if (rc == MPI_SUCCESS && n)
            memcpy(s->data, from + (uint64_t)i * len + at, n);
    }
}

static int take(const struct hws_slot *s, uint64_t len, struct hws_data mine, uint64_t at, uint64_t n)
{
    if (s->bytes == HWS_SLOT_BAD && s->error)
        return hws_fail((int)s->error, "the collective operation failed at another rank of this host");
    if (s->bytes != len || mine.len_bytes != len)
        return hws_shm_truncated(s->bytes, 0, mine.len_bytes);
    hws_shm_get(mine, at, s->data, n);
    return MPI_SUCCESS;
}

static int scatter_piece(struct hws_region *r, const char *from, uint64_t len, struct hws_data mine, uint64_t at, uint64_t n,
                         int rc)
{
    struct hws_turn t;
    int err = hws_region_begin(r, false, true, r->me == 0, &t);
    if (err != MPI_SUCCESS)
        return err;
    if (r->me == 0) {
        deal(r, &t, from, len, at, n, rc);
        hws_region_release(r, &t, -1);
    } else if ((err = hws_region_await(r, &t)) != MPI_SUCCESS) {
        return err;
    }
    if (rc == MPI_SUCCESS)
        rc = take(hws_region_slot(r, &t, r->me), len, mine, at, n);
    hws_region_end(r, &t);
    return rc;
}

int hws_shm_scatter(struct hws_region *r, const void *from, uint64_t len, struct hws_data mine, int rc)
{
    uint64_t at = 0;
    do {
        rc = scatter_piece(r, from, len, mine, at, hws_shm_min(r->room, len - at), rc);
        at += r->room;
    } while (at < len && rc == MPI_SUCCESS);
    return rc;
}
