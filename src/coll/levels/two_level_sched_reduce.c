/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Scan, exscan and reduce-scatter in two levels, as schedules.
 *
 * Scans, where each host has a run of ranks: a scan within each host, whose last rank so has what all of them come to
 * and is the head; an exscan of the heads; what comes from the hosts before is broadcast and put before each rank's
 * own. Why: one message a host in each round between hosts. Cost: a broadcast and a reduction more than flat.
 *
 * Reduce-scatter: all blocks are reduced to the head, heads do the same for hosts, and each rank gets its block. Why:
 * each block crosses the network once a host, not once a rank. Cost: all blocks pass the head, who sorts them by hosts
 * where these have no runs of ranks.
 */
#include "coll/flat/reduce_scatter.h"
#include "coll/levels/two_level_sched.h"
#include "coll/select/algorithm.h"

/* ---- scan and exscan ----------------------------------------------------------------------------------------------
 */

static void head_is_last(struct hws_levels *l)
{
    const struct hws_hosts *h = l->h;
    for (int i = 0; i < h->n; i++)
        l->heads[i] = h->ranks[h->first[i + 1] - 1];
    l->head = l->n_here - 1;
    l->is_head = h->me == l->head;
}

/* The scan of the own host. At the head: what all its operands come to. */
static const void *scan_here(const struct hws_levels *l)
{
    const struct hws_coll_call *a = l->a;
    struct hws_coll_call local = *a;
    bool apart = l->is_head && a->kind == HWS_COLL_EXSCAN; /* the result lacks the own operand */
    void *total = a->rbuf;
    if (apart) {
        const void *own = hws_coll_in_place(a->sbuf) ? a->rbuf : a->sbuf;
        total = hws_sched_temp_typed(l->s, a->rn, a->rt);
        hws_sched_copy(l->s, hws_type_data(a->rt, own, a->rn), hws_type_data(a->rt, total, a->rn));
    }
    hws_levels_within(l, &local);
    hws_sched_fence(l->s);
    if (apart && l->n_here > 1)
        hws_sched_reduce(l->s, a->rop, a->rbuf, total, a->rn, a->rt);
    return total;
}

/* What comes from the hosts before, before the own host's part. */
static void prepend(const struct hws_levels *l, void *prefix)
{
    const struct hws_coll_call *a = l->a;
    struct hws_coll_call down = {.kind = HWS_COLL_BCAST, .comm = a->comm, .rbuf = prefix, .rn = a->rn, .rt = a->rt};
    hws_levels_within(l, &down);
    hws_sched_fence(l->s);
    if (a->kind == HWS_COLL_EXSCAN && l->h->me == 0)
        hws_sched_copy(l->s, hws_type_data(a->rt, prefix, a->rn), hws_type_data(a->rt, a->rbuf, a->rn));
    else
        hws_sched_reduce(l->s, a->rop, prefix, a->rbuf, a->rn, a->rt);
}

void hws_scan_levels(struct hws_sched *s, const struct hws_coll_call *a)
{
    struct hws_levels l;
    if (!hws_levels_begin(&l, s, a, false))
        return;
    head_is_last(&l);
    void *prefix = l.h->mine > 0 ? hws_sched_temp_typed(s, a->rn, a->rt) : NULL;
    struct hws_coll_call across = *a;
    across.kind = HWS_COLL_EXSCAN;
    across.sbuf = scan_here(&l);
    across.rbuf = prefix;
    hws_levels_between(&l, &across);
    if (l.h->mine > 0)
        prepend(&l, prefix);
    hws_levels_end(&l);
}

/* ---- reduce-scatter -----------------------------------------------------------------------------------------------
 */

/* How blocks lie host by host. */
struct places {
    MPI_Count *hosts;         /* hosts[h->n]: elements of each host's blocks */
    MPI_Count *counts, *from; /* counts[n_here], from[n_here]: of each rank here; from its host's first block */
};

static struct places find_places(const struct hws_levels *l, const MPI_Count *start)
{
    const struct hws_hosts *h = l->h;
    struct places p = {hws_sched_array(l->s, (uint64_t)(h->n + 2 * l->n_here) * sizeof *p.hosts), NULL, NULL};
    if (l->s->fail.rc != MPI_SUCCESS)
        return p;
    p.counts = p.hosts + h->n;
    p.from = p.counts + l->n_here;
    for (int i = 0; i < h->n; i++) {
        p.hosts[i] = 0;
        for (int j = h->first[i]; j < h->first[i + 1]; j++)
            p.hosts[i] += start[h->ranks[j] + 1] - start[h->ranks[j]];
    }
    for (int i = 0; i < l->n_here; i++) {
        p.counts[i] = start[l->here[i] + 1] - start[l->here[i]];
        p.from[i] = i == 0 ? 0 : p.from[i - 1] + p.counts[i - 1];
    }
    return p;
}

/* At the head: the blocks host by host. */
static void *sort_blocks(const struct hws_levels *l, const MPI_Count *start, void *blocks)
{
    int size = l->a->comm->size;
    struct hws_type *t = l->a->rt;
    if (!l->is_head || l->h->in_order)
        return blocks;
    void *sorted = hws_sched_temp_typed(l->s, start[size], t);
    hws_sched_fence(l->s);
    for (int i = 0; i < size; i++) {
        MPI_Count from = start[l->h->ranks[i]], n = start[l->h->ranks[i] + 1] - from;
        hws_sched_copy(l->s, hws_range(t, blocks, from, from + n), hws_type_data(t, sorted, n));
        sorted = hws_elem(sorted, n, t);
    }
    return hws_elem(sorted, -start[size], t);
}

void hws_reduce_scatter_levels(struct hws_sched *s, const struct hws_coll_call *a)
{
    struct hws_levels l;
    const MPI_Count *start = hws_reduce_scatter_starts(s, a);
    if (!start || start[s->size] == 0 || !hws_levels_begin(&l, s, a, false))
        return;
    struct places p = find_places(&l, start);
    if (s->fail.rc != MPI_SUCCESS)
        return;
    struct hws_coll_call up = {.kind = HWS_COLL_REDUCE, .comm = a->comm, .rt = a->rt, .rop = a->rop}, across, down;
    up.rn = start[s->size];
    up.sbuf = hws_reduce_scatter_operand(a);
    up.rbuf = l.is_head ? hws_sched_temp_typed(s, up.rn, a->rt) : NULL;
    hws_levels_within(&l, &up);
    across = up;
    across.kind = HWS_COLL_REDUCE_SCATTER;
    across.sbuf = MPI_IN_PLACE;
    across.rbuf = sort_blocks(&l, start, up.rbuf);
    across.rcounts = (struct hws_counts){p.hosts, true};
    hws_levels_between(&l, &across);
    down = (struct hws_coll_call){.kind = HWS_COLL_SCATTERV, .comm = a->comm, .sbuf = across.rbuf, .st = a->rt};
    down.rbuf = a->rbuf;
    down.rt = a->rt;
    down.rn = p.counts[l.h->me];
    down.scounts = (struct hws_counts){p.counts, true};
    down.sdispls = (struct hws_counts){p.from, true};
    hws_levels_within(&l, &down);
    hws_levels_end(&l);
}
