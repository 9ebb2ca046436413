/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Allreduce, spread by multicast. Short vectors are reduced to rank 0, which broadcasts the result; long ones are cut
 * into a piece for each rank, which reduces it and broadcasts that.
 * Why: the half that spreads the result sends each byte once. Cost: short ceil(log2 p) (a + m b + m c) + a + m b; long
 * 2 p a + (p - 1)/p m (b + c) + m b, the last part m/p b where links take the pieces of all ranks at once.
 * Source: as bcast_multicast.c; the halves as in allreduce_ring.c.
 */
#include "coll/flat/multicast.h"
#include "coll/flat/reduce_scatter.h"
#include "coll/select/algorithm.h"

#define LONG (16u << 10) /* bytes */

static void reduce_to_one(struct hws_sched *s, const struct hws_coll_call *a)
{
    struct hws_coll_call up = *a;
    up.root = 0;
    if (hws_coll_in_place(a->sbuf) && s->rank != 0)
        up.sbuf = a->rbuf; /* in place is the root's right in MPI_Reduce */
    hws_reduce_binomial(s, &up);
    hws_sched_fence(s);
    hws_multicast_one(s, hws_type_data(a->rt, a->rbuf, a->rn), 0);
}

/* start[n + 1]: the first element of each rank's piece, and the end. */
static MPI_Count *cut(struct hws_sched *s, const struct hws_coll_call *a)
{
    int n = s->size;
    MPI_Count *start = hws_sched_array(s, ((uint64_t)n + 1) * sizeof *start);
    for (int i = 0; i <= n && s->fail.rc == MPI_SUCCESS; i++)
        start[i] = a->rn / n * i + (i < a->rn % n ? i : a->rn % n);
    return start;
}

/* The own piece of the result: in each round the piece of the rank i ahead goes to it, and one comes. */
static void reduce_piece(struct hws_sched *s, const struct hws_coll_call *a, const MPI_Count *start)
{
    int n = s->size, r = s->rank;
    MPI_Count count = start[r + 1] - start[r];
    const void *operand = hws_reduce_scatter_operand(a);
    void *in = hws_sched_temp_typed(s, count, a->rt), *acc = hws_elem(a->rbuf, start[r], a->rt);
    if (!hws_coll_in_place(a->sbuf))
        hws_sched_copy(s, hws_range(a->rt, operand, start[r], start[r + 1]), hws_type_data(a->rt, acc, count));
    for (int i = 1; i < n; i++) {
        int to = (r + i) % n, from = (r - i + n) % n;
        hws_sched_recv(s, hws_type_data(a->rt, in, count), from);
        hws_sched_send(s, hws_range(a->rt, operand, start[to], start[to + 1]), to);
        hws_sched_fence(s);
        hws_sched_reduce(s, a->rop, in, acc, count, a->rt);
    }
}

static void reduce_pieces(struct hws_sched *s, const struct hws_coll_call *a)
{
    MPI_Count *start = cut(s, a);
    struct hws_data *pieces = hws_sched_array(s, (uint64_t)s->size * sizeof *pieces);
    if (s->fail.rc != MPI_SUCCESS)
        return;
    for (int i = 0; i < s->size; i++)
        pieces[i] = hws_range(a->rt, a->rbuf, start[i], start[i + 1]);
    reduce_piece(s, a, start);
    hws_sched_fence(s);
    hws_multicast_blocks(s, pieces);
}

void hws_allreduce_multicast(struct hws_sched *s, const struct hws_coll_call *a)
{
    if (a->rop->commutative && (uint64_t)(a->rn * a->rt->size) >= LONG)
        reduce_pieces(s, a);
    else
        reduce_to_one(s, a);
}
