/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Allgather and alltoall in two levels: leaders gather what their host has, exchange it, and give it out. Why: h^2
 * messages (alltoall of h hosts) or h log h, instead of p^2 or p log p. Cost: all bytes pass the leaders and are copied
 * four times: for short blocks.
 */
#include <stdlib.h>
#include <string.h>

#include "coll/levels/two_level.h"
#include "coll/select/algorithm.h"
#include "core/object/fail.h"

static int no_memory(void)
{
    return hws_fail(MPI_ERR_NO_MEM, "out of memory for a collective operation in two levels");
}

/* ---- allgather -----------------------------------------------------------------------------------------------------
 */

/* Blocks of all ranks, host by host. */
struct gathered {
    const struct hws_hosts *h;
    const struct hws_coll_call *a;
    uint64_t total, longest; /* bytes of all blocks, of the longest */
    uint64_t *len, *at;      /* len[size], at[size]: of each block, in that order */
    char *all;
    MPI_Count *counts; /* counts[n], then displacements[n]: bytes of each host */
};

static uint64_t block_len(const struct gathered *g, int i)
{
    return hws_rblock(g->a, g->h->ranks[i]).len_bytes;
}

/* Where everything is. False: no memory; then this rank takes part as one that fails. */
static bool plan(struct gathered *g)
{
    int size = g->a->comm->size;
    uint64_t at = 0;
    char *memory = malloc((size_t)(2 * (uint64_t)size * sizeof *g->len + g->total));
    if (memory) {
        g->len = (uint64_t *)(void *)memory;
        g->at = g->len + size;
        g->all = (char *)(g->at + size);
    }
    g->counts = g->h->scratch;
    for (int host = 0, i = 0; host < g->h->n; host++) {
        g->counts[g->h->n + host] = (MPI_Count)at;
        for (; i < g->h->first[host + 1]; i++) {
            uint64_t len = block_len(g, i);
            if (memory) {
                g->len[i] = len;
                g->at[i] = at;
            }
            at += len;
        }
        g->counts[host] = (MPI_Count)at - g->counts[g->h->n + host];
    }
    return memory;
}

static int gather_hosts(const struct gathered *g, int rc)
{
    struct hws_coll_call a = {.kind = HWS_COLL_ALLGATHERV, .sbuf = MPI_IN_PLACE, .rbuf = g->all};
    a.st = a.rt = hws_two_level_byte();
    a.rcounts = (struct hws_counts){g->counts, true};
    a.rdispls = (struct hws_counts){g->counts + g->h->n, true};
    return hws_two_level_between(g->h, &a, rc);
}

static void spread(const struct gathered *g)
{
    for (int i = 0; i < g->a->comm->size; i++)
        hws_shm_get(hws_rblock(g->a, g->h->ranks[i]), 0, g->all + g->at[i], g->len[i]);
}

static int allgather(struct hws_region *r, const struct gathered *g, int rc)
{
    const struct hws_coll_call *a = g->a;
    int first = g->h->first[g->h->mine];
    struct hws_data mine =
        hws_coll_in_place(a->sbuf) ? hws_rblock(a, a->comm->rank) : hws_type_data(a->st, a->sbuf, a->sn);
    struct hws_shm_blocks here = {.base = g->all, .len = g->longest, .vector = true};
    if (g->all) {
        here.lens = g->len + first;
        here.at = g->at + first;
    }
    rc = hws_shm_gather(r, 0, mine, here, rc);
    rc = gather_hosts(g, rc);
    if (r && !r->broken)
        rc = hws_shm_pass(r, 0, -1, hws_bytes(g->all, g->total), rc);
    if (rc == MPI_SUCCESS)
        spread(g);
    return rc;
}

int hws_allgather_two_level(struct hws_region *r, const struct hws_coll_call *a)
{
    struct gathered g = {.h = a->comm->hosts, .a = a};
    for (int i = 0; i < a->comm->size; i++) {
        uint64_t len = block_len(&g, i);
        g.total += len;
        g.longest = len > g.longest ? len : g.longest;
    }
    if (g.total == 0)
        return MPI_SUCCESS;
    int rc = allgather(r, &g, plan(&g) ? MPI_SUCCESS : no_memory());
    free(g.len);
    return rc;
}

/* ---- alltoall ------------------------------------------------------------------------------------------------------
 *
 * `given`: of each rank here, a block for each rank; in rank order. `out`, `in`: what goes to and comes from each host:
 * for each rank that sends it, a block for each rank that gets it. `dealt`: for each rank here, a block of each rank.
 */

struct exchange {
    const struct hws_hosts *h;
    uint64_t block;
    int n, size; /* ranks here, in all */
    char *given, *out, *in, *dealt;
};

static void sort_out(const struct exchange *x)
{
    char *to = x->out;
    for (int host = 0; host < x->h->n; host++)
        for (int i = 0; i < x->n; i++)
            for (int j = x->h->first[host]; j < x->h->first[host + 1]; j++, to += x->block)
                memcpy(to, x->given + ((uint64_t)i * (uint64_t)x->size + (uint64_t)x->h->ranks[j]) * x->block,
                       x->block);
}

static void sort_in(const struct exchange *x)
{
    const char *from = x->in;
    for (int j = 0; j < x->size; j++) /* host by host, as they come */
        for (int i = 0; i < x->n; i++, from += x->block)
            memcpy(x->dealt + ((uint64_t)i * (uint64_t)x->size + (uint64_t)x->h->ranks[j]) * x->block, from, x->block);
}

static int exchange_hosts(const struct exchange *x, int rc)
{
    MPI_Count *counts = x->h->scratch, *at = counts + x->h->n;
    for (int i = 0; i < x->h->n; i++) {
        counts[i] = (MPI_Count)((uint64_t)hws_hosts_size(x->h, i) * (uint64_t)x->n * x->block);
        at[i] = (MPI_Count)((uint64_t)x->h->first[i] * (uint64_t)x->n * x->block);
    }
    struct hws_coll_call a = {.kind = HWS_COLL_ALLTOALLV, .sbuf = x->out, .rbuf = x->in};
    a.st = a.rt = hws_two_level_byte();
    a.scounts = a.rcounts = (struct hws_counts){counts, true};
    a.sdispls = a.rdispls = (struct hws_counts){at, true};
    if (rc == MPI_SUCCESS)
        sort_out(x);
    rc = hws_two_level_between(x->h, &a, rc);
    if (rc == MPI_SUCCESS)
        sort_in(x);
    return rc;
}

static int run_exchange(struct hws_region *r, const struct hws_coll_call *a, const struct exchange *x, int rc)
{
    bool in_place = hws_coll_in_place(a->sbuf);
    uint64_t len = (uint64_t)x->size * x->block;
    struct hws_data result = hws_type_data(a->rt, a->rbuf, a->rn * x->size);
    struct hws_data mine = in_place ? result : hws_type_data(a->st, a->sbuf, a->sn * x->size);
    rc = hws_shm_gather(r, 0, mine, (struct hws_shm_blocks){.base = x->given, .len = len}, rc);
    if (x->h->leaders)
        rc = exchange_hosts(x, rc);
    if (r && r->broken)
        return rc;
    return hws_shm_scatter(r, 0, (struct hws_shm_blocks){.base = x->dealt, .len = len}, result, rc);
}

int hws_alltoall_two_level(struct hws_region *r, const struct hws_coll_call *a)
{
    const struct hws_hosts *h = a->comm->hosts;
    struct exchange x = {
        .h = h, .block = hws_rblock(a, 0).len_bytes, .n = hws_hosts_size(h, h->mine), .size = a->comm->size};
    uint64_t len = (uint64_t)x.n * (uint64_t)x.size * x.block;
    if (len == 0)
        return MPI_SUCCESS;
    char *memory = h->leaders ? malloc(4 * len) : NULL;
    if (memory) {
        x.given = memory;
        x.out = memory + len;
        x.in = memory + 2 * len;
        x.dealt = memory + 3 * len;
    }
    int rc = run_exchange(r, a, &x, h->leaders && !memory ? no_memory() : MPI_SUCCESS);
    free(memory);
    return rc;
}
