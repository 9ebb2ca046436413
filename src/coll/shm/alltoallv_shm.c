/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Alltoallv and alltoallw in shared memory: each rank puts a packet for all others into its slot (pairs.h); when all
 * have met, each takes what is for it, and long blocks go as messages. Cost for short blocks of m bytes: p m copied in
 * and out by each rank. No rank runs more than once; but each waits for all others, also where it has nothing for them.
 */
#include <stdlib.h>

#include "base/hot.h"
#include "coll/schedule/sched_run.h"
#include "coll/select/algorithm.h"
#include "coll/shm/pairs.h"
#include "coll/shm/sit_out.h"
#include "core/hosts/hosts.h"
#include "core/object/fail.h"

#define TWO_MAX    (32u << 10) /* bytes of a block and its pair: longer ones of two ranks are weighed as messages are */
#define FAR_MAX    4096u       /* bytes: between hosts longer blocks gain nothing by passing through leaders */
#define LEADER_MAX (4u << 20)  /* bytes that a leader holds for a call, at most, as they go and as they come */

/* ---- what is short ----------------------------------------------------------------------------------------------- */

uint64_t hws_pairs_fit(size_t room, int size)
{
    uint64_t each = size == 2 ? hws_shm_min(room / 2, TWO_MAX) : room / (uint64_t)size;
    return each < sizeof(struct hws_shm_pair) ? 0 : (each - sizeof(struct hws_shm_pair)) & ~(uint64_t)7;
}

/* The pairs of ranks here and elsewhere are a quarter of all at most. */
uint64_t hws_pairs_fit_far(size_t room, int size)
{
    uint64_t pairs = (uint64_t)size * (uint64_t)size / 4 + 1, each = LEADER_MAX / pairs;
    uint64_t leader = each < sizeof(struct hws_shm_pair) ? 0 : (each - sizeof(struct hws_shm_pair)) & ~(uint64_t)7;
    return hws_shm_min(FAR_MAX, hws_shm_min(hws_pairs_fit(room, size), leader));
}

uint64_t hws_pairs_room(const struct hws_pairs *x)
{
    return (uint64_t)x->a->comm->size * (sizeof(struct hws_shm_pair) + hws_shm_min(x->fits, x->fits_far));
}

bool hws_pairs_is_long(const struct hws_pairs *x, int rank, uint64_t len)
{
    const struct hws_hosts *h = x->hosts;
    return len > (h && h->of[rank] != h->mine ? x->fits_far : x->fits);
}

/* ---- packets ----------------------------------------------------------------------------------------------------- */

static bool in_place(const struct hws_pairs *x)
{
    return hws_coll_in_place(x->a->sbuf);
}

static struct hws_data given(const struct hws_pairs *x, int to)
{
    return in_place(x) ? hws_rblock(x->a, to) : hws_sblock(x->a, to);
}

static void keep(struct hws_pairs *x, int rc)
{
    x->rc = x->rc == MPI_SUCCESS ? rc : x->rc;
}

void hws_pairs_init(struct hws_pairs *x, const struct hws_coll_call *a, const struct hws_hosts *hosts, size_t room)
{
    int size = a->comm->size;
    *x = (struct hws_pairs){.a = a, .hosts = hosts, .fits = hws_pairs_fit(room, size)};
    x->fits_far = hws_pairs_fit_far(room, size);
    x->far = 2 * (size_t)size <= HWS_ARRAY_LEN(x->few) ? x->few : calloc(2 * (size_t)size, sizeof *x->far);
    if (!x->far)
        x->rc = hws_fail(MPI_ERR_NO_MEM, "out of memory for the counts of a collective operation");
}

void hws_pairs_put(const struct hws_pairs *x, struct hws_region *r, struct hws_region_slot *own)
{
    int size = x->a->comm->size, me = x->a->comm->rank;
    uint64_t at = hws_pairs_bytes(size);
    own->bytes = x->rc == MPI_SUCCESS ? 0 : HWS_SLOT_BAD;
    hws_shm_put_failure(own, x->rc, hws_pairs_room(x));
    for (int i = 0; i < size && x->rc == MPI_SUCCESS; i++) {
        if (i == me)
            continue;
        struct hws_data d = given(x, i);
        *hws_pair_in(own->data, me, i) = (struct hws_shm_pair){d.len_bytes, hws_rblock(x->a, i).len_bytes, at};
        if (d.len_bytes == 0 || hws_pairs_is_long(x, i, d.len_bytes))
            continue;
        hws_shm_put_slot(r, own->data + at, d, 0, d.len_bytes);
        at += hws_pair_room(d.len_bytes);
    }
}

void hws_pairs_take(struct hws_pairs *x, int from, const struct hws_shm_pair *pair, const uint8_t *packet)
{
    const struct hws_coll_call *a = x->a;
    struct hws_data due = hws_rblock(a, from), mine = given(x, from);
    struct hws_counts counts = in_place(x) ? a->rcounts : a->scounts;
    if (pair->expects == mine.len_bytes && hws_pairs_is_long(x, from, mine.len_bytes)) {
        x->far[from] = hws_counts_at(counts, from);
        x->n_far++;
    }
    if (pair->gives != due.len_bytes) {
        keep(x, hws_shm_truncated(pair->gives, from, due.len_bytes));
    } else if (hws_pairs_is_long(x, from, pair->gives)) {
        x->far[a->comm->size + from] = hws_counts_at(a->rcounts, from);
        x->n_far++;
    } else if (pair->gives) {
        hws_shm_get(due, 0, packet + pair->at, pair->gives);
    }
}

void hws_pairs_take_slot(struct hws_pairs *x, int from, const struct hws_region_slot *slot)
{
    int rc = hws_shm_slot_class(slot);
    keep(x, rc);
    if (rc == MPI_SUCCESS && x->far)
        hws_pairs_take(x, from, hws_pair_of(slot, from, x->a->comm->rank), slot->data);
}

/* ---- the rest ---------------------------------------------------------------------------------------------------- */

static void copy_own(struct hws_pairs *x)
{
    int me = x->a->comm->rank;
    struct hws_data from = given(x, me), to = hws_rblock(x->a, me);
    if (from.len_bytes != to.len_bytes)
        keep(x, hws_shm_truncated(from.len_bytes, me, to.len_bytes));
    else if (!in_place(x) && from.len_bytes)
        hws_data_copy(from, to);
}

/* The same call with all other blocks empty. */
static int run_messages(struct hws_pairs *x)
{
    struct hws_coll_call c = *x->a;
    struct hws_sched *s = hws_sched_new(c.comm, false);
    if (!s)
        return hws_fail(MPI_ERR_NO_MEM, "out of memory for a collective operation");
    c.scounts = (struct hws_counts){x->far, true};
    c.rcounts = (struct hws_counts){x->far + c.comm->size, true};
    hws_coll_build_fn *build = in_place(x) ? hws_alltoall_exchange : hws_alltoall_linear;
    build(s, &c);
    if (s->fail.rc == MPI_ERR_NO_MEM && hws_sched_hollow(s))
        build(s, &c);
    s->lenient = false;
    return hws_sched_run(s);
}

void hws_pairs_fini(struct hws_pairs *x)
{
    if (x->far != x->few)
        free(x->far);
    x->far = NULL;
}

int hws_pairs_finish(struct hws_pairs *x)
{
    if (x->n_far > 0)
        keep(x, run_messages(x));
    else
        hws_comm_next_tag(x->a->comm); /* as those take that have messages */
    if (x->rc == MPI_SUCCESS)
        copy_own(x);
    hws_pairs_fini(x);
    return x->rc;
}

HWS_HOT int hws_alltoallv_shm(struct hws_region *r, const struct hws_coll_call *a)
{
    struct hws_pairs x;
    struct hws_turn t;
    if (hws_coll_sits_out(a))
        return hws_shm_sit_out(r, a, 0);
    hws_pairs_init(&x, a, NULL, r->room);
    int rc = hws_region_begin(r, true, true, true, &t);
    if (rc == MPI_SUCCESS) {
        hws_pairs_put(&x, r, hws_region_slot(r, &t, r->me));
        rc = hws_shm_meet_all(r, &t);
    }
    if (rc != MPI_SUCCESS) {
        hws_pairs_fini(&x);
        return rc;
    }
    for (int k = 1; k < r->n; k++) { /* each begins with another one's */
        int from = r->me + k < r->n ? r->me + k : r->me + k - r->n;
        hws_pairs_take_slot(&x, from, hws_region_slot(r, &t, from));
    }
    hws_region_end(r, &t);
    return hws_pairs_finish(&x);
}
