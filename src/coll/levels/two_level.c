/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Barrier, broadcast, reduce and allreduce in two levels. Why: between hosts there is one message a host instead of one
 * a rank, within a host there is none. Cost: that of the operation between the leaders, and twice the shared memory's.
 * Operands keep their order where each host has a run of ranks; else the operation must commute.
 */
#include "coll/levels/two_level.h"

#include <stdlib.h>

#include "coll/run.h"
#include "coll/schedule/sched_run.h"
#include "coll/select/algorithm.h"
#include "coll/shm/reduce_shm.h"
#include "core/object/fail.h"

int hws_two_level_run(struct hws_sched *s, int rc)
{
    int built = s->fail.rc;
    if (built == MPI_SUCCESS && rc == MPI_SUCCESS)
        return hws_sched_run(s);
    if (built == MPI_SUCCESS)
        hws_sched_run_failed(s, rc);
    else
        hws_sched_free(s);
    return rc == MPI_SUCCESS ? built : rc;
}

/* Leaders know each other's lengths, also in v forms: a message that is too short is another one's failure. */
int hws_two_level_between(const struct hws_hosts *h, struct hws_coll_call *a, int rc)
{
    if (!h->leaders)
        return rc;
    a->comm = h->leaders;
    struct hws_sched *s = hws_sched_new(a->comm, false);
    if (!s)
        return hws_fail(MPI_ERR_NO_MEM, "out of memory for a collective operation");
    int built = hws_coll_build(s, a);
    s->lenient = false;
    s->fail.rc = s->fail.rc == MPI_SUCCESS ? built : s->fail.rc;
    return hws_two_level_run(s, rc);
}

int hws_two_level_within(const struct hws_hosts *h, int rank)
{
    int at = h->first[h->of[rank]];
    while (h->ranks[at] != rank)
        at++;
    return at - h->first[h->of[rank]];
}

int hws_barrier_two_level(struct hws_region *r, const struct hws_coll_call *a)
{
    const struct hws_hosts *h = a->comm->hosts;
    struct hws_data nothing = hws_bytes(NULL, 0);
    struct hws_coll_call inner = {.kind = HWS_COLL_BARRIER};
    int rc = r ? hws_shm_gather(r, 0, nothing, (struct hws_shm_blocks){.len = 0}, MPI_SUCCESS) : MPI_SUCCESS;
    rc = hws_two_level_between(h, &inner, rc);
    return r && !r->broken ? hws_shm_pass(r, 0, -1, nothing, rc) : rc;
}

int hws_bcast_two_level(struct hws_region *r, const struct hws_coll_call *a)
{
    const struct hws_hosts *h = a->comm->hosts;
    struct hws_data d = hws_type_data(a->rt, a->rbuf, a->rn);
    struct hws_coll_call inner = *a;
    int rc = MPI_SUCCESS, host = h->of[a->root];
    if (d.len_bytes == 0)
        return MPI_SUCCESS;
    if (r && host == h->mine)
        rc = hws_shm_pass(r, hws_two_level_within(h, a->root), -1, d, rc);
    inner.root = host;
    rc = hws_two_level_between(h, &inner, rc);
    return r && !r->broken && host != h->mine ? hws_shm_pass(r, 0, -1, d, rc) : rc;
}

int hws_allreduce_two_level(struct hws_region *r, const struct hws_coll_call *a)
{
    const struct hws_hosts *h = a->comm->hosts;
    struct hws_coll_call local = *a, inner = *a;
    int rc = MPI_SUCCESS;
    if (a->rn == 0)
        return rc;
    local.root = 0;
    if (r) {
        rc = hws_reduce_shm(r, &local);
        inner.sbuf = MPI_IN_PLACE;
    }
    rc = hws_two_level_between(h, &inner, rc);
    return r && !r->broken ? hws_shm_pass(r, 0, -1, hws_type_data(a->rt, a->rbuf, a->rn), rc) : rc;
}

/* ---- reduce -------------------------------------------------------------------------------------------------------
 *
 * A leader that is not the root has no buffer for what it combines. rc: that there is none.
 */

static int reduce_with(struct hws_region *r, const struct hws_coll_call *a, void *partial, int rc)
{
    const struct hws_hosts *h = a->comm->hosts;
    struct hws_coll_call local = *a, inner = *a;
    int root_host = h->of[a->root], root_here = root_host == h->mine ? hws_two_level_within(h, a->root) : 0;
    struct hws_data d = hws_type_data(a->rt, partial, a->rn);
    local.root = 0;
    local.rbuf = inner.rbuf = partial;
    if (hws_coll_in_place(a->sbuf)) /* the root */
        local.sbuf = a->rbuf;
    int one = rc == MPI_SUCCESS ? hws_reduce_shm(r, &local) : hws_reduce_shm_blind(r, &local);
    rc = rc == MPI_SUCCESS ? one : rc;
    inner.root = root_host;
    inner.sbuf = h->mine == root_host ? MPI_IN_PLACE : partial;
    rc = hws_two_level_between(h, &inner, rc);
    if (root_here == 0 || r->broken)
        return rc;
    if (r->me == root_here)
        d = hws_type_data(a->rt, a->rbuf, a->rn);
    return hws_shm_pass(r, 0, root_here, d, rc);
}

int hws_reduce_two_level(struct hws_region *r, const struct hws_coll_call *a)
{
    const struct hws_hosts *h = a->comm->hosts;
    struct hws_coll_call inner = *a;
    bool root = a->comm->rank == a->root;
    if (a->rn == 0)
        return MPI_SUCCESS;
    inner.root = h->of[a->root];
    if (!r)
        return hws_two_level_between(h, &inner, MPI_SUCCESS);
    if (h->me != 0 || root)
        return reduce_with(r, a, a->rbuf, MPI_SUCCESS);
    char *memory = malloc(hws_shm_image_len(a->rt, a->rn));
    int rc = memory ? MPI_SUCCESS : hws_fail(MPI_ERR_NO_MEM, "out of memory for a reduction in two levels");
    rc = reduce_with(r, a, memory ? hws_shm_image(memory, a->rt, a->rn) : NULL, rc);
    free(memory);
    return rc;
}
