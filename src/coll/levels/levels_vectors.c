/* SPDX-License-Identifier: BSD-3-Clause
 *
 * levels_vectors: what the parts of broadcasts, reductions, scans and reduce-scatters are about (levels.h).
 */
#include "coll/flat/reduce_scatter.h"
#include "coll/levels/levels.h"

bool hws_levels_vector(struct hws_levels *l)
{
    const struct hws_coll_call *a = l->a;
    l->up = l->across = l->down = *a;
    l->down.rop = NULL;
    if (a->kind == HWS_COLL_REDUCE && l->is_head && !l->root)
        l->up.rbuf = hws_sched_temp_typed(l->s, a->rn, a->rt); /* it has no buffer for what it combines */
    if (!l->is_head && hws_coll_in_place(a->sbuf))
        l->up.sbuf = a->rbuf;
    l->across.rbuf = l->up.rbuf;
    l->across.sbuf = a->kind == HWS_COLL_ALLREDUCE || l->root ? MPI_IN_PLACE : l->up.rbuf;
    return l->s->fail.rc == MPI_SUCCESS && (a->rn > 0 || a->kind == HWS_COLL_BARRIER);
}

/* ---- scan and exscan ----------------------------------------------------------------------------------------------
 *
 * A scan within each host, whose last rank so has what all of them come to and is the head; an exscan of the heads;
 * what comes from the hosts before is broadcast and put before each rank's own. Each host has a run of ranks.
 */

bool hws_levels_scan(struct hws_levels *l)
{
    const struct hws_coll_call *a = l->a;
    void *prefix = l->h->mine > 0 ? hws_sched_temp_typed(l->s, a->rn, a->rt) : NULL;
    l->up = l->across = *a;
    l->total = a->rbuf;
    if (l->is_head && a->kind == HWS_COLL_EXSCAN) /* the result lacks the own operand */
        l->total = hws_sched_temp_typed(l->s, a->rn, a->rt);
    if (l->s->fail.rc != MPI_SUCCESS)
        return false;
    if (l->total != a->rbuf && l->rc == MPI_SUCCESS)
        hws_levels_copy(l, hws_type_data(a->rt, hws_coll_in_place(a->sbuf) ? a->rbuf : a->sbuf, a->rn),
                        hws_type_data(a->rt, l->total, a->rn));
    l->across.sbuf = l->total;
    l->across.rbuf = prefix;
    l->down = (struct hws_coll_call){.rbuf = prefix, .rn = prefix ? a->rn : 0, .rt = a->rt};
    return a->rn > 0;
}

void hws_levels_total(struct hws_levels *l)
{
    if (l->n_here > 1)
        hws_levels_reduce(l, l->a->rbuf, l->total);
}

void hws_levels_prepend(struct hws_levels *l)
{
    const struct hws_coll_call *a = l->a;
    void *prefix = l->down.rbuf;
    if (l->h->mine == 0)
        return;
    if (a->kind == HWS_COLL_EXSCAN && l->h->me == 0)
        hws_levels_copy(l, hws_type_data(a->rt, prefix, a->rn), hws_type_data(a->rt, a->rbuf, a->rn));
    else
        hws_levels_reduce(l, prefix, a->rbuf);
}

/* ---- reduce-scatter -----------------------------------------------------------------------------------------------
 *
 * All blocks are reduced to the head, who sorts them by hosts where these have no runs of ranks, heads do the same for
 * hosts, and each rank gets its block. Each block crosses the network once a host, not once a rank.
 */

static MPI_Count count_of(const struct hws_levels *l, int rank)
{
    return l->start[rank + 1] - l->start[rank];
}

/* How blocks lie host by host: elements of each host's; of each rank's here, and where they begin. */
static void count_blocks(struct hws_levels *l)
{
    const struct hws_hosts *h = l->h;
    MPI_Count *hosts = hws_sched_array(l->s, (uint64_t)(h->n + 2 * l->n_here) * sizeof *hosts);
    if (l->s->fail.rc != MPI_SUCCESS)
        return;
    MPI_Count *counts = hosts + h->n, *from = counts + l->n_here, at = 0;
    for (int i = 0; i < h->n; i++) {
        hosts[i] = 0;
        for (int j = h->first[i]; j < h->first[i + 1]; j++)
            hosts[i] += count_of(l, h->ranks[j]);
    }
    for (int i = 0; i < l->n_here; i++) {
        from[i] = at;
        counts[i] = count_of(l, l->here[i]);
        at += counts[i];
    }
    l->across.rcounts = (struct hws_counts){hosts, true};
    l->down.scounts = (struct hws_counts){counts, true};
    l->down.sdispls = (struct hws_counts){from, true};
}

bool hws_levels_reduce_scatter(struct hws_levels *l)
{
    const struct hws_coll_call *a = l->a;
    struct hws_type *t = a->rt;
    int size = l->size;
    l->start = hws_reduce_scatter_starts(l->s, a);
    if (!l->start || l->start[size] == 0)
        return false;
    for (int i = 0; i < size; i++) {
        uint64_t len = (uint64_t)(count_of(l, i) * t->size);
        l->longest = len > l->longest ? len : l->longest;
    }
    l->up = (struct hws_coll_call){.sbuf = hws_reduce_scatter_operand(a), .rt = t, .rn = l->start[size], .rop = a->rop};
    l->down = (struct hws_coll_call){.rbuf = a->rbuf, .rn = count_of(l, l->rank), .st = t, .rt = t};
    l->across = l->up;
    if (l->is_head) {
        count_blocks(l);
        l->up.rbuf = hws_sched_temp_typed(l->s, l->up.rn, t);
        l->across.sbuf = MPI_IN_PLACE;
        l->across.rbuf = l->h->in_order ? l->up.rbuf : hws_sched_temp_typed(l->s, l->up.rn, t);
        l->down.sbuf = l->across.rbuf;
    }
    return l->s->fail.rc == MPI_SUCCESS;
}

void hws_levels_sort_blocks(struct hws_levels *l)
{
    struct hws_type *t = l->a->rt;
    char *to = l->across.rbuf;
    for (int i = 0; !l->h->in_order && i < l->size; i++) {
        int rank = l->h->ranks[i];
        hws_levels_copy(l, hws_range(t, l->up.rbuf, l->start[rank], l->start[rank + 1]),
                        hws_type_data(t, to, count_of(l, rank)));
        to = hws_elem(to, count_of(l, rank), t);
    }
}
