/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Allgatherv in two levels, as a schedule. Why and cost: see two_level_sched_blocks.c. Where the blocks of all ranks
 * lie one after another, host by host, in the user's buffer, they travel from and to there; else packed. That is each
 * rank's own affair: what travels is the same. Gatherv and scatterv have no such form: their lengths are known to the
 * root alone, and a schedule must know the lengths of its messages when it is built.
 */
#include "coll/levels/two_level.h"
#include "coll/levels/two_level_sched.h"
#include "coll/select/algorithm.h"

/* The blocks of all ranks, host by host, as bytes. */
struct blocks {
    char *base;
    uint64_t total;
    bool direct;                 /* base is in the user's buffer */
    MPI_Count *hosts, *hosts_at; /* bytes of each host's, and where they begin; [h->n] each */
    MPI_Count *lens, *at;        /* of each rank's, in the order of h->ranks; [size] each; `at` from its host's */
};

static struct hws_data block_of(const struct hws_levels *l, int i)
{
    return hws_rblock(l->a, l->h->ranks[i]);
}

/* Where the blocks lie one after another, or NULL. */
static char *find_direct(const struct hws_levels *l)
{
    char *base = NULL, *next = NULL;
    for (int i = 0; i < l->a->comm->size; i++) {
        struct hws_data d = block_of(l, i);
        if (d.len_bytes == 0)
            continue;
        if (d.layout || (base && d.base != next))
            return NULL;
        base = base ? base : d.base;
        next = (char *)d.base + d.len_bytes;
    }
    return base;
}

static bool plan(const struct hws_levels *l, struct blocks *b)
{
    const struct hws_hosts *h = l->h;
    int size = l->a->comm->size;
    *b = (struct blocks){.hosts = hws_sched_array(l->s, 2 * (uint64_t)(h->n + size) * sizeof *b->hosts)};
    if (l->s->fail.rc != MPI_SUCCESS)
        return false;
    b->hosts_at = b->hosts + h->n;
    b->lens = b->hosts_at + h->n;
    b->at = b->lens + size;
    for (int host = 0; host < h->n; host++) {
        b->hosts_at[host] = (MPI_Count)b->total;
        for (int i = h->first[host]; i < h->first[host + 1]; i++) {
            b->lens[i] = (MPI_Count)block_of(l, i).len_bytes;
            b->at[i] = (MPI_Count)b->total - b->hosts_at[host];
            b->total += (uint64_t)b->lens[i];
        }
        b->hosts[host] = (MPI_Count)b->total - b->hosts_at[host];
    }
    b->base = find_direct(l);
    b->direct = b->base;
    if (!b->direct)
        b->base = hws_sched_temp(l->s, b->total);
    return l->s->fail.rc == MPI_SUCCESS;
}

static void gather_here(const struct hws_levels *l, const struct blocks *b)
{
    const struct hws_coll_call *a = l->a;
    int first = l->h->first[l->h->mine], rank = a->comm->rank;
    struct hws_coll_call c = {.kind = HWS_COLL_GATHERV, .comm = a->comm, .sbuf = a->sbuf, .sn = a->sn, .st = a->st};
    if (hws_coll_in_place(a->sbuf) && !(l->is_head && b->direct)) {
        c.sbuf = hws_elem(a->rbuf, hws_counts_at(a->rdispls, rank), a->rt);
        c.sn = hws_counts_at(a->rcounts, rank);
        c.st = a->rt;
    }
    c.rbuf = b->base + b->hosts_at[l->h->mine];
    c.rt = hws_two_level_byte();
    c.rcounts = (struct hws_counts){b->lens + first, true};
    c.rdispls = (struct hws_counts){b->at + first, true};
    hws_levels_within(l, &c);
}

static void take_out(const struct hws_levels *l, const struct blocks *b)
{
    hws_sched_fence(l->s);
    for (int host = 0, i = 0; !b->direct && host < l->h->n; host++)
        for (char *from = b->base + b->hosts_at[host]; i < l->h->first[host + 1]; i++)
            hws_sched_copy(l->s, hws_bytes(from + b->at[i], (uint64_t)b->lens[i]), block_of(l, i));
}

void hws_allgatherv_levels(struct hws_sched *s, const struct hws_coll_call *a)
{
    struct hws_levels l;
    struct blocks b;
    if (!hws_levels_begin(&l, s, a, false) || !plan(&l, &b) || b.total == 0)
        return;
    struct hws_coll_call across = {.kind = HWS_COLL_ALLGATHERV, .comm = a->comm, .sbuf = MPI_IN_PLACE, .rbuf = b.base};
    across.rt = hws_two_level_byte();
    across.rcounts = (struct hws_counts){b.hosts, true};
    across.rdispls = (struct hws_counts){b.hosts_at, true};
    struct hws_coll_call down = {.kind = HWS_COLL_BCAST, .comm = a->comm, .rbuf = b.base, .rn = (MPI_Count)b.total};
    down.rt = across.rt;
    gather_here(&l, &b);
    hws_levels_between(&l, &across);
    hws_levels_within(&l, &down);
    take_out(&l, &b);
    hws_levels_end(&l);
}
