/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Allreduce, ring: the vector is cut into p pieces; each travels once around the ring while every rank adds its part,
 * and once more around to be known to all. Why: for very long vectors on few ranks: 2 m bytes a rank as Rabenseifner's,
 * but also when p is no power of two, and each rank has only two connections. Reduces in another order than that of the
 * ranks. Each piece comes to where its result belongs and is combined there with the own part, out of the send buffer:
 * nothing is copied. Cost: 2 (p - 1) a + 2 (p - 1)/p m b + (p - 1)/p m c. Source: P. Patarasuk, X. Yuan: Bandwidth
 * optimal all-reduce algorithms for clusters of workstations. J. Parallel and Distributed Computing 69(2), 2009.
 */
#include "coll/select/algorithm.h"

struct ring {
    const struct hws_coll_call *a;
    int n;
};

/* The first element of piece i (0..n). */
static MPI_Count start(const struct ring *r, int i)
{
    MPI_Count each = r->a->rn / r->n, rest = r->a->rn % r->n;
    return each * i + (i < rest ? i : rest);
}

static struct hws_data piece(const struct ring *r, const void *vector, int i)
{
    struct hws_type *t = r->a->rt;
    return hws_type_data(t, hws_elem(vector, start(r, i), t), start(r, i + 1) - start(r, i));
}

void hws_allreduce_ring(struct hws_sched *s, const struct hws_coll_call *a)
{
    int n = s->size, next = (s->rank + 1) % n, prev = (s->rank + n - 1) % n;
    struct ring r = {a, n};
    bool in_place = hws_coll_in_place(a->sbuf);
    void *in = in_place ? hws_sched_temp_typed(s, a->rn / n + 1, a->rt) : NULL; /* piece 0 is the longest */
    for (int i = 0; i < n - 1; i++) {
        int mine = (s->rank + n - i - 1) % n;
        MPI_Count at = start(&r, mine), count = start(&r, mine + 1) - at;
        void *acc = hws_elem(a->rbuf, at, a->rt);
        hws_sched_recv(s, hws_type_data(a->rt, in_place ? in : acc, count), prev);
        hws_sched_send(s, piece(&r, i == 0 && !in_place ? a->sbuf : a->rbuf, (s->rank + n - i) % n), next);
        hws_sched_fence(s);
        hws_sched_reduce(s, a->rop, in_place ? in : hws_elem(a->sbuf, at, a->rt), acc, count, a->rt);
    }
    if (n == 1 && !in_place)
        hws_sched_copy(s, piece(&r, a->sbuf, 0), piece(&r, a->rbuf, 0));
    for (int i = 0; i < n - 1; i++) {
        hws_sched_recv(s, piece(&r, a->rbuf, (s->rank + n - i) % n), prev);
        hws_sched_send(s, piece(&r, a->rbuf, (s->rank + n - i + 1) % n), next);
        hws_sched_fence(s);
    }
}
