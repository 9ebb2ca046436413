/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Barrier, broadcast, reduce and allreduce in two levels, as schedules. Why and cost: see two_level.c, with messages
 * through the rings in place of the shared memory. Operands keep their order where each host has a run of ranks; else
 * the operation must commute.
 */
#include "coll/levels/two_level_sched.h"

#include "coll/flat/barrier.h"
#include "coll/levels/two_level.h"
#include "coll/run.h"
#include "coll/select/algorithm.h"

/* ---- what all share ------------------------------------------------------------------------------------------------
 */

bool hws_levels_begin(struct hws_levels *l, struct hws_sched *s, const struct hws_coll_call *a, bool rooted)
{
    const struct hws_hosts *h = a->comm->placed;
    *l = (struct hws_levels){
        .s = s, .a = a, .h = h, .here = h->ranks + h->first[h->mine], .n_here = hws_hosts_size(h, h->mine)};
    l->heads = hws_sched_array(s, (uint64_t)h->n * sizeof *l->heads);
    if (s->fail.rc != MPI_SUCCESS)
        return false;
    for (int i = 0; i < h->n; i++)
        l->heads[i] = h->ranks[h->first[i]];
    if (rooted) {
        l->root_host = h->of[a->root];
        l->heads[l->root_host] = a->root;
        l->root = s->rank == a->root;
        if (l->root_host == h->mine)
            l->head = hws_two_level_within(h, a->root);
    }
    l->is_head = h->me == l->head;
    return true;
}

/* Parts with blocks of different sizes let messages be short; here each rank knows every size. */
void hws_levels_end(const struct hws_levels *l)
{
    hws_sched_use_ranks(l->s, NULL, 0, 0);
    l->s->lenient = false;
}

void hws_levels_use_here(const struct hws_levels *l)
{
    hws_sched_fence(l->s);
    hws_sched_use_ranks(l->s, l->here, l->n_here, l->h->me);
}

void hws_levels_within(const struct hws_levels *l, struct hws_coll_call *part)
{
    hws_levels_use_here(l);
    part->root = l->head;
    hws_coll_build_part(l->s, part, l->a->comm->coll_crowd == 2);
}

void hws_levels_between(const struct hws_levels *l, struct hws_coll_call *part)
{
    if (!l->is_head)
        return;
    hws_sched_fence(l->s);
    hws_sched_use_ranks(l->s, l->heads, l->h->n, l->h->mine);
    part->root = l->root_host;
    hws_coll_build_part(l->s, part, false);
}

/* ---- the operations ------------------------------------------------------------------------------------------------
 */

#define STAR                                                                                                           \
    16 /* ranks of a host up to which its head serves all itself: a message through a ring costs a tenth of a us */

void hws_barrier_levels(struct hws_sched *s, const struct hws_coll_call *a)
{
    struct hws_levels l;
    struct hws_coll_call inner = *a;
    if (!hws_levels_begin(&l, s, a, false))
        return;
    struct hws_tree_shape t = {.n = l.n_here, .star = l.n_here <= STAR};
    hws_levels_use_here(&l);
    hws_barrier_up(s, t);
    hws_levels_between(&l, &inner);
    hws_levels_use_here(&l);
    hws_barrier_down(s, t);
    hws_levels_end(&l);
}

void hws_bcast_levels(struct hws_sched *s, const struct hws_coll_call *a)
{
    struct hws_levels l;
    struct hws_coll_call part = *a;
    if (!hws_levels_begin(&l, s, a, true))
        return;
    hws_levels_between(&l, &part);
    hws_levels_within(&l, &part);
    hws_levels_end(&l);
}

void hws_reduce_levels(struct hws_sched *s, const struct hws_coll_call *a)
{
    struct hws_levels l;
    struct hws_coll_call part = *a;
    if (!hws_levels_begin(&l, s, a, true))
        return;
    if (l.is_head && !l.root)
        part.rbuf = hws_sched_temp_typed(s, a->rn, a->rt); /* it has no buffer for what it combines */
    hws_levels_within(&l, &part);
    part.sbuf = l.root ? MPI_IN_PLACE : part.rbuf;
    hws_levels_between(&l, &part);
    hws_levels_end(&l);
}

void hws_allreduce_levels(struct hws_sched *s, const struct hws_coll_call *a)
{
    struct hws_levels l;
    struct hws_coll_call up = *a, across = *a, down = *a;
    if (!hws_levels_begin(&l, s, a, false))
        return;
    up.kind = HWS_COLL_REDUCE;
    if (!l.is_head && hws_coll_in_place(a->sbuf))
        up.sbuf = a->rbuf;
    across.sbuf = MPI_IN_PLACE;
    down.kind = HWS_COLL_BCAST;
    down.rop = NULL;
    hws_levels_within(&l, &up);
    hws_levels_between(&l, &across);
    hws_levels_within(&l, &down);
    hws_levels_end(&l);
}
