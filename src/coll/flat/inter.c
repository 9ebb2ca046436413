/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Collectives on intercommunicators (MPI 5.0 section 6.2.3). Rank 0 of each group leads it: data of a whole group
 * crosses between the leaders as one message and runs along a tree inside the groups, by way of the private
 * intracommunicator; data that differs for every pair goes straight. Why: simple, and never more than the necessary
 * bytes between the groups; intercommunicators are rare. Source: composed of the algorithms for intracommunicators.
 */
#include "coll/flat/reduce_scatter.h"
#include "coll/select/algorithm.h"

/* The call that runs inside the local group. */
static struct hws_coll_call inside(const struct hws_coll_call *a, enum hws_coll_kind kind)
{
    struct hws_coll_call l = *a;
    l.kind = kind;
    l.comm = a->comm->local;
    l.root = 0;
    return l;
}

static void barrier(struct hws_sched *s, const struct hws_coll_call *a)
{
    struct hws_coll_call l = inside(a, HWS_COLL_BARRIER);
    hws_sched_use_local(s);
    hws_barrier_tree(s, &l);
    hws_sched_use_remote(s);
    hws_sched_fence(s);
    if (s->rank == 0) {
        hws_sched_send_token(s, 0);
        hws_sched_recv_token(s, 0);
        hws_sched_fence(s);
    }
    hws_sched_use_local(s);
    hws_barrier_tree(s, &l);
    hws_sched_use_remote(s);
}

static void bcast(struct hws_sched *s, const struct hws_coll_call *a)
{
    struct hws_data d = hws_type_data(a->rt, a->rbuf, a->rn);
    if (a->root == MPI_ROOT) {
        hws_sched_send(s, d, 0);
        return;
    }
    if (s->rank == 0)
        hws_sched_recv(s, d, a->root);
    hws_sched_fence(s);
    struct hws_coll_call l = inside(a, HWS_COLL_BCAST);
    hws_sched_use_local(s);
    hws_bcast_binomial(s, &l);
    hws_sched_use_remote(s);
}

static void gather(struct hws_sched *s, const struct hws_coll_call *a)
{
    s->lenient = true;
    if (a->root != MPI_ROOT) {
        hws_sched_send(s, hws_type_data(a->st, a->sbuf, a->sn), a->root);
        return;
    }
    for (int i = 0; i < s->size; i++)
        hws_sched_recv(s, hws_rblock(a, i), i);
}

static void scatter(struct hws_sched *s, const struct hws_coll_call *a)
{
    s->lenient = true;
    if (a->root != MPI_ROOT) {
        hws_sched_recv(s, hws_type_data(a->rt, a->rbuf, a->rn), a->root);
        return;
    }
    for (int i = 0; i < s->size; i++)
        hws_sched_send(s, hws_sblock(a, i), i);
}

/* Every rank with every rank of the other group; each begins at its own number so that not all turn to rank 0 first. */
static void exchange(struct hws_sched *s, const struct hws_coll_call *a)
{
    bool same = a->kind == HWS_COLL_ALLGATHER || a->kind == HWS_COLL_ALLGATHERV;
    s->lenient = true;
    for (int i = 0; i < s->size; i++) {
        int r = (s->rank + i) % s->size;
        hws_sched_recv(s, hws_rblock(a, r), r);
    }
    for (int i = 0; i < s->size; i++) {
        int r = (s->rank + i) % s->size;
        hws_sched_send(s, same ? hws_type_data(a->st, a->sbuf, a->sn) : hws_sblock(a, r), r);
    }
}

/* Leaves the local group's result of n elements at its leader, in a new buffer; elsewhere NULL. */
static void *reduce_inside(struct hws_sched *s, const struct hws_coll_call *a, MPI_Count n)
{
    struct hws_coll_call l = inside(a, HWS_COLL_REDUCE);
    l.rcounts.p = NULL;
    l.rn = n;
    l.rbuf = s->rank == 0 ? hws_sched_temp_typed(s, n, a->rt) : NULL;
    hws_sched_use_local(s);
    hws_reduce_binomial(s, &l);
    hws_sched_use_remote(s);
    hws_sched_fence(s);
    return l.rbuf;
}

static void reduce(struct hws_sched *s, const struct hws_coll_call *a)
{
    if (a->root == MPI_ROOT) {
        hws_sched_recv(s, hws_type_data(a->rt, a->rbuf, a->rn), 0);
        return;
    }
    void *result = reduce_inside(s, a, a->rn);
    if (s->rank == 0)
        hws_sched_send(s, hws_type_data(a->rt, result, a->rn), a->root);
}

/* Each group gets the other group's result. */
static void allreduce(struct hws_sched *s, const struct hws_coll_call *a)
{
    void *result = reduce_inside(s, a, a->rn);
    if (s->rank == 0) {
        hws_sched_recv(s, hws_type_data(a->rt, a->rbuf, a->rn), 0);
        hws_sched_send(s, hws_type_data(a->rt, result, a->rn), 0);
        hws_sched_fence(s);
    }
    struct hws_coll_call l = inside(a, HWS_COLL_BCAST);
    hws_sched_use_local(s);
    hws_bcast_binomial(s, &l);
    hws_sched_use_remote(s);
}

/* The counts are those of the local group and of equal sum in both (MPI 5.0 section 6.10). */
static void reduce_scatter(struct hws_sched *s, const struct hws_coll_call *a)
{
    hws_sched_use_local(s);
    int n = s->size;
    const MPI_Count *start = hws_reduce_scatter_starts(s, a);
    hws_sched_use_remote(s);
    if (!start)
        return;
    void *mine = reduce_inside(s, a, start[n]), *theirs = mine;
    if (s->rank == 0) {
        theirs = hws_sched_temp_typed(s, start[n], a->rt);
        hws_sched_recv(s, hws_type_data(a->rt, theirs, start[n]), 0);
        hws_sched_send(s, hws_type_data(a->rt, mine, start[n]), 0);
        hws_sched_fence(s);
    }
    struct hws_data block = hws_type_data(a->rt, a->rbuf, start[s->rank + 1] - start[s->rank]);
    hws_sched_use_local(s);
    for (int i = 1; s->rank == 0 && i < n; i++)
        hws_sched_send(s, hws_range(a->rt, theirs, start[i], start[i + 1]), i);
    if (s->rank == 0)
        hws_sched_copy(s, hws_range(a->rt, theirs, start[0], start[1]), block);
    else
        hws_sched_recv(s, block, 0);
    hws_sched_use_remote(s);
}

static hws_coll_build_fn *const builders[HWS_COLL_SELECTED] = {
    [HWS_COLL_BARRIER] = barrier,
    [HWS_COLL_BCAST] = bcast,
    [HWS_COLL_GATHER] = gather,
    [HWS_COLL_GATHERV] = gather,
    [HWS_COLL_SCATTER] = scatter,
    [HWS_COLL_SCATTERV] = scatter,
    [HWS_COLL_ALLGATHER] = exchange,
    [HWS_COLL_ALLGATHERV] = exchange,
    [HWS_COLL_ALLTOALL] = exchange,
    [HWS_COLL_ALLTOALLV] = exchange,
    [HWS_COLL_ALLTOALLW] = exchange,
    [HWS_COLL_REDUCE] = reduce,
    [HWS_COLL_ALLREDUCE] = allreduce,
    [HWS_COLL_REDUCE_SCATTER] = reduce_scatter,
    [HWS_COLL_REDUCE_SCATTER_BLOCK] = reduce_scatter,
    [HWS_COLL_SCAN] = NULL, /* refused by the entry points: not defined between groups */
    [HWS_COLL_EXSCAN] = NULL,
};

void hws_inter_build(struct hws_sched *s, const struct hws_coll_call *a)
{
    if (a->root != MPI_PROC_NULL)
        builders[a->kind](s, a);
}
