/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Scan and exscan in two levels, where each host has a run of ranks: operands go into their host's region, its leader
 * takes what all of them come to, an exscan of the leaders brings what the hosts before come to, and each rank puts
 * that before its own host's part. Why: one message a host in each round instead of one a rank; no rank waits more than
 * once. For calls that one slot takes, on every host. Cost: that of the leaders' exscan, and 1 + log2 of a host's ranks
 * reductions.
 */
#include <stdlib.h>

#include "coll/levels/two_level.h"
#include "coll/select/algorithm.h"
#include "coll/shm/reduce_shm.h"
#include "core/object/fail.h"

/* operand: of the host, what comes from those before goes to prefix. */
static int between(const struct hws_coll_call *a, const void *operand, void *prefix, int rc)
{
    struct hws_coll_call inner = *a;
    inner.kind = HWS_COLL_EXSCAN;
    inner.sbuf = operand;
    inner.rbuf = prefix;
    return hws_two_level_between(a->comm->hosts, &inner, rc);
}

/* prefix op result, or prefix alone. */
static void prepend(const struct hws_coll_call *a, void *prefix, bool alone)
{
    if (alone)
        hws_data_copy(hws_type_data(a->rt, prefix, a->rn), hws_type_data(a->rt, a->rbuf, a->rn));
    else
        hws_op_apply(a->rop, prefix, a->rbuf, a->rn, a->rt);
}

/* The only rank of its host. */
static int run_alone(const struct hws_coll_call *a)
{
    const struct hws_hosts *h = a->comm->hosts;
    const void *operand = hws_coll_in_place(a->sbuf) ? a->rbuf : a->sbuf;
    bool ex = a->kind == HWS_COLL_EXSCAN;
    char *memory = malloc(hws_shm_image_len(a->rt, a->rn));
    int rc = memory ? MPI_SUCCESS : hws_fail(MPI_ERR_NO_MEM, "out of memory for a scan in two levels");
    void *prefix = memory ? hws_shm_image(memory, a->rt, a->rn) : a->rbuf;
    rc = between(a, operand, prefix, rc);
    if (rc == MPI_SUCCESS && !ex && operand != a->rbuf)
        hws_data_copy(hws_type_data(a->rt, operand, a->rn), hws_type_data(a->rt, a->rbuf, a->rn));
    if (rc == MPI_SUCCESS && h->mine > 0)
        prepend(a, prefix, ex);
    free(memory);
    return rc;
}

/* What the leader found out for its host, in its slot of turn t. */
static int lead(struct hws_shm_part *p, const struct hws_turn *t)
{
    struct hws_region_slot *own = hws_region_slot(p->r, t, 0);
    int rc = hws_region_await(p->r, &p->t);
    if (rc == MPI_SUCCESS)
        rc = hws_shm_part_take(p, 0, NULL);
    rc = between(p->a, hws_shm_part_slot(p, p->r->n - 1), hws_shm_image(own->data, p->a->rt, p->n), rc);
    own->bytes = rc == MPI_SUCCESS ? p->total : HWS_SLOT_BAD;
    hws_shm_put_failure(own, rc, p->r->room);
    if (!p->r->broken)
        hws_region_release(p->r, t, -1);
    return rc;
}

static int follow(struct hws_shm_part *p, const struct hws_turn *t)
{
    int rc = hws_region_await(p->r, t);
    return rc == MPI_SUCCESS ? hws_shm_slot_class(hws_region_slot(p->r, t, 0)) : rc;
}

int hws_scan_two_level(struct hws_region *r, const struct hws_coll_call *a)
{
    struct hws_turn t;
    struct hws_shm_part p = {.r = r, .a = a, .n = a->rn, .total = (uint64_t)(a->rn * a->rt->size)};
    bool ex = a->kind == HWS_COLL_EXSCAN;
    if (a->rn == 0)
        return MPI_SUCCESS;
    if (!r)
        return run_alone(a);
    int rc = hws_shm_part_put(&p, true, hws_coll_in_place(a->sbuf) ? a->rbuf : a->sbuf, 0);
    if (rc == MPI_SUCCESS)
        rc = hws_region_begin(r, false, true, r->me == 0, &t);
    if (rc != MPI_SUCCESS)
        return r->me == 0 ? between(a, a->rbuf, a->rbuf, rc) : rc;
    rc = r->me == 0 ? lead(&p, &t) : follow(&p, &t);
    int end = ex ? r->me : r->me + 1;
    if (rc == MPI_SUCCESS)
        rc = hws_shm_part_take(&p, end, a->rbuf);
    if (rc == MPI_SUCCESS && a->comm->hosts->mine > 0)
        prepend(a, hws_shm_image(hws_region_slot(r, &t, 0)->data, a->rt, a->rn), end == 0);
    if (r->broken)
        return rc;
    hws_region_end(r, &p.t);
    hws_region_end(r, &t);
    return rc;
}
