/* SPDX-License-Identifier: BSD-3-Clause
 *
 * levels_blocks: what the parts of gathers, scatters, allgathers and alltoalls are about (levels.h): heads gather what
 * their host has, exchange it, and give it out, as bytes. Where the blocks of all ranks lie one after another, host by
 * host, in the user's buffer, they travel from and to there; else by way of a copy. That is each rank's own affair:
 * what travels is the same. Gatherv and scatterv have no such form: their lengths are known to the root alone, and a
 * schedule must know the lengths of its messages when it is built (gatherv.c); nor has alltoallv (alltoallv.c).
 */
#include "coll/levels/levels.h"

static struct hws_type *byte(void)
{
    return hws_type_of(MPI_BYTE);
}

/* The user's block of the rank at place i of h->ranks. */
static struct hws_data block_of(const struct hws_levels *l, int i)
{
    int rank = l->h->ranks[i];
    return l->a->kind == HWS_COLL_SCATTER ? hws_sblock(l->a, rank) : hws_rblock(l->a, rank);
}

/* Where the user's blocks lie one after another, or NULL. */
static char *find_run(const struct hws_levels *l)
{
    char *base = NULL, *next = NULL;
    for (int i = 0; i < l->size; i++) {
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

/* Hosts have different numbers of ranks. */
static bool are_uneven(const struct hws_hosts *h)
{
    bool uneven = false;
    for (int i = 1; i < h->n; i++)
        uneven |= hws_hosts_size(h, i) != hws_hosts_size(h, 0);
    return uneven;
}

/* Where the blocks of all ranks are. False: no memory. */
static bool lay_out(struct hws_levels *l)
{
    const struct hws_hosts *h = l->h;
    struct hws_levels_blocks *b = &l->blocks;
    int size = l->size;
    *b = (struct hws_levels_blocks){.hosts = hws_sched_array(l->s, 2 * (uint64_t)(h->n + size) * sizeof *b->hosts)};
    if (l->s->fail.rc != MPI_SUCCESS)
        return false;
    b->hosts_at = b->hosts + h->n;
    b->lens = b->hosts_at + h->n;
    b->at = b->lens + size;
    for (int host = 0; host < h->n; host++) {
        b->hosts_at[host] = b->total;
        for (int i = h->first[host]; i < h->first[host + 1]; i++) {
            b->lens[i] = (MPI_Count)block_of(l, i).len_bytes;
            b->at[i] = b->total - b->hosts_at[host];
            b->total += b->lens[i];
        }
        b->hosts[host] = b->total - b->hosts_at[host];
        l->uneven |= b->hosts[host] != b->hosts[0];
    }
    b->base = find_run(l);
    b->user = b->base;
    if (!b->user)
        b->base = hws_sched_temp(l->s, (uint64_t)b->total);
    return l->s->fail.rc == MPI_SUCCESS;
}

/* ---- gather, scatter and allgather ------------------------------------------------------------------------------- */

static struct hws_data place_of(const struct hws_levels *l, int i)
{
    const struct hws_levels_blocks *b = &l->blocks;
    return hws_bytes(b->base + b->hosts_at[l->h->of[l->h->ranks[i]]] + b->at[i], (uint64_t)b->lens[i]);
}

/* Who has not the blocks of all has none of them elsewhere. */
static bool has_copies(const struct hws_levels *l)
{
    return l->blocks.base && !l->blocks.user;
}

void hws_levels_put_in(struct hws_levels *l)
{
    for (int i = 0; has_copies(l) && i < l->size; i++)
        hws_levels_copy(l, block_of(l, i), place_of(l, i));
}

void hws_levels_take_out(struct hws_levels *l)
{
    for (int i = 0; has_copies(l) && i < l->size; i++)
        hws_levels_copy(l, place_of(l, i), block_of(l, i));
}

/* The own host's blocks, n bytes each where they are alike, go to `into` at the head. */
static void gather_here(struct hws_levels *l, char *into, MPI_Count n)
{
    const struct hws_coll_call *a = l->a;
    const struct hws_levels_blocks *b = &l->blocks;
    int first = l->h->first[l->h->mine], rank = l->rank;
    l->up = (struct hws_coll_call){.sbuf = a->sbuf, .sn = a->sn, .st = a->st, .rbuf = into, .rn = n, .rt = byte()};
    if (hws_coll_in_place(a->sbuf) && !(l->is_head && b->user)) {
        MPI_Count at = a->rdispls.p ? hws_counts_at(a->rdispls, rank) : rank * a->rn;
        l->up.sbuf = hws_elem(a->rbuf, at, a->rt);
        l->up.sn = a->rcounts.p ? hws_counts_at(a->rcounts, rank) : a->rn;
        l->up.st = a->rt;
    }
    if (l->longest) {
        l->up.rcounts = (struct hws_counts){b->lens + first, true};
        l->up.rdispls = (struct hws_counts){b->at + first, true};
    }
}

/* Between heads the blocks of all hosts are received into one buffer. */
static void receive_all(struct hws_levels *l)
{
    const struct hws_levels_blocks *b = &l->blocks;
    l->across = (struct hws_coll_call){.sbuf = MPI_IN_PLACE, .rbuf = b->base, .rn = b->hosts[l->h->mine], .rt = byte()};
    if (l->uneven) {
        l->across.rcounts = (struct hws_counts){b->hosts, true};
        l->across.rdispls = (struct hws_counts){b->hosts_at, true};
    }
}

bool hws_levels_allgather(struct hws_levels *l)
{
    if (!lay_out(l) || l->blocks.total == 0)
        return false;
    for (int i = 0; l->a->rcounts.p && i < l->size; i++)
        l->longest = (uint64_t)l->blocks.lens[i] > l->longest ? (uint64_t)l->blocks.lens[i] : l->longest;
    gather_here(l, l->blocks.base + l->blocks.hosts_at[l->h->mine], l->blocks.lens[0]);
    receive_all(l);
    l->down = (struct hws_coll_call){.rbuf = l->blocks.base, .rn = l->blocks.total, .rt = byte()};
    return true;
}

bool hws_levels_gather(struct hws_levels *l)
{
    const struct hws_coll_call *a = l->a;
    MPI_Count block = l->root ? a->rn * a->rt->size : a->sn * a->st->size, n = l->n_here * block;
    char *here = NULL;
    l->uneven = are_uneven(l->h);
    if (block == 0 || (l->root && !lay_out(l)))
        return false;
    if (l->root) {
        here = l->blocks.base + l->blocks.hosts_at[l->h->mine];
        receive_all(l);
    } else if (l->is_head) {
        here = hws_sched_temp(l->s, (uint64_t)n);
        l->across = (struct hws_coll_call){.sbuf = here, .sn = n, .st = byte()};
    }
    gather_here(l, here, block);
    return l->s->fail.rc == MPI_SUCCESS;
}

bool hws_levels_scatter(struct hws_levels *l)
{
    const struct hws_coll_call *a = l->a;
    MPI_Count block = l->root ? a->sn * a->st->size : a->rn * a->rt->size, n = l->n_here * block;
    char *here = NULL;
    l->uneven = are_uneven(l->h);
    if (block == 0 || (l->root && !lay_out(l)))
        return false;
    if (l->root) {
        const struct hws_levels_blocks *b = &l->blocks;
        here = b->base + b->hosts_at[l->h->mine];
        l->across = (struct hws_coll_call){.sbuf = b->base, .sn = n, .st = byte(), .rbuf = MPI_IN_PLACE};
        if (l->uneven) {
            l->across.scounts = (struct hws_counts){b->hosts, true};
            l->across.sdispls = (struct hws_counts){b->hosts_at, true};
        }
    } else if (l->is_head) {
        here = hws_sched_temp(l->s, (uint64_t)n);
        l->across = (struct hws_coll_call){.rbuf = here, .rn = n, .rt = byte()};
    }
    l->down = *a;
    if (l->is_head) {
        l->down.sbuf = here;
        l->down.sn = block;
        l->down.st = byte();
    }
    return l->s->fail.rc == MPI_SUCCESS;
}

/* ---- alltoall ---------------------------------------------------------------------------------------------------- */

void hws_levels_sort_out(struct hws_levels *l)
{
    const struct hws_hosts *h = l->h;
    const struct hws_levels_exchange *x = &l->exchange;
    uint64_t row = (uint64_t)l->size * x->block, run;
    char *to = x->out;
    for (int host = 0; host < h->n; host++) {
        for (int i = 0; i < l->n_here; i++) {
            for (int j = h->first[host], n; j < h->first[host + 1]; j += n, to += run) {
                char *from = x->given + (uint64_t)i * row + (uint64_t)h->ranks[j] * x->block;
                for (n = 1; j + n < h->first[host + 1] && h->ranks[j + n] == h->ranks[j] + n; n++)
                    ;
                run = (uint64_t)n * x->block;
                hws_levels_copy(l, hws_bytes(from, run), hws_bytes(to, run));
            }
        }
    }
}

void hws_levels_sort_in(struct hws_levels *l)
{
    const struct hws_levels_exchange *x = &l->exchange;
    uint64_t row = (uint64_t)l->size * x->block;
    char *from = x->in;
    for (int j = 0; j < l->size; j++) {
        for (int i = 0; i < l->n_here; i++, from += x->block) {
            char *to = x->dealt + (uint64_t)i * row + (uint64_t)l->h->ranks[j] * x->block;
            hws_levels_copy(l, hws_bytes(from, x->block), hws_bytes(to, x->block));
        }
    }
}

/* Of each host: its ranks times the ranks here. */
static bool exchange_hosts(struct hws_levels *l)
{
    const struct hws_hosts *h = l->h;
    struct hws_levels_exchange *x = &l->exchange;
    MPI_Count *counts = hws_sched_array(l->s, 2 * (uint64_t)h->n * sizeof *counts), *at = counts + h->n;
    uint64_t len = (uint64_t)l->n_here * (uint64_t)l->size * x->block;
    x->given = hws_sched_temp(l->s, 4 * len);
    if (l->s->fail.rc != MPI_SUCCESS)
        return false;
    x->out = x->given + len;
    x->in = x->out + len;
    x->dealt = x->in + len;
    MPI_Count each = l->n_here * (MPI_Count)x->block;
    l->across = (struct hws_coll_call){.sbuf = x->out, .rbuf = x->in, .st = byte(), .rt = byte()};
    l->across.sn = l->across.rn = l->n_here * each;
    for (int i = 0; l->uneven && i < h->n; i++) {
        counts[i] = hws_hosts_size(h, i) * each;
        at[i] = h->first[i] * each;
    }
    if (l->uneven) {
        l->across.scounts = l->across.rcounts = (struct hws_counts){counts, true};
        l->across.sdispls = l->across.rdispls = (struct hws_counts){at, true};
    }
    return true;
}

bool hws_levels_alltoall(struct hws_levels *l)
{
    const struct hws_coll_call *a = l->a;
    struct hws_levels_exchange *x = &l->exchange;
    bool in_place = hws_coll_in_place(a->sbuf);
    int size = l->size;
    *x = (struct hws_levels_exchange){.block = (uint64_t)(a->rn * a->rt->size)};
    l->uneven = are_uneven(l->h);
    if (x->block == 0 || (l->is_head && !exchange_hosts(l)))
        return false;
    MPI_Count row = size * (MPI_Count)x->block;
    l->up = (struct hws_coll_call){.rbuf = x->given, .rn = row, .rt = byte()};
    l->up.sbuf = in_place ? a->rbuf : a->sbuf;
    l->up.st = in_place ? a->rt : a->st;
    l->up.sn = (in_place ? a->rn : a->sn) * size;
    l->down = (struct hws_coll_call){.sbuf = x->dealt, .sn = row, .st = byte()};
    l->down.rbuf = a->rbuf;
    l->down.rt = a->rt;
    l->down.rn = a->rn * size;
    return true;
}
