/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Gather and scatter in two levels. Why: one message a host instead of one a rank. Cost: all bytes pass two leaders
 * and, where the root is none, once more through its host's memory: for short blocks.
 */
#include <stdlib.h>

#include "coll/levels/two_level.h"
#include "coll/select/algorithm.h"
#include "core/object/fail.h"

/* `all`: blocks of all ranks, host by host, at the root and its leader; `here`: of this host's, at every leader. */
struct rooted {
    const struct hws_hosts *h;
    const struct hws_coll_call *a;
    struct hws_region *r;
    uint64_t block, total; /* bytes of a block, of all */
    int host, root_here;   /* the root's host; its number there */
    bool at_host, root;    /* this is the root's host, the root */
    char *all, *here;
    MPI_Count *counts; /* of x->h; counts[n], then displacements[n]: bytes of each host; leader of the root */
};

/* False: no memory; then this rank takes part as one that fails. */
static bool prepare(struct rooted *x, struct hws_region *r, const struct hws_coll_call *a, uint64_t block)
{
    const struct hws_hosts *h = a->comm->hosts;
    int n_here = hws_hosts_size(h, h->mine);
    *x = (struct rooted){.h = h, .a = a, .r = r, .block = block, .total = block * (uint64_t)a->comm->size};
    x->host = h->of[a->root];
    x->root_here = hws_two_level_within(h, a->root);
    x->at_host = x->host == h->mine;
    x->root = a->comm->rank == a->root;
    bool has_all = x->root || (x->at_host && h->leaders);
    x->all = has_all ? malloc(x->total) : NULL;
    x->counts = h->leaders ? h->scratch : NULL;
    if (h->leaders && !x->at_host)
        x->here = malloc((uint64_t)n_here * block);
    else if (x->all)
        x->here = x->all + (uint64_t)h->first[h->mine] * block;
    for (int i = 0; x->counts && i < h->n; i++) {
        x->counts[i] = (MPI_Count)((uint64_t)hws_hosts_size(h, i) * block);
        x->counts[h->n + i] = (MPI_Count)((uint64_t)h->first[i] * block);
    }
    return (!has_all || x->all) && (!h->leaders || x->here);
}

static int finish(struct rooted *x, int rc)
{
    if (!x->at_host)
        free(x->here);
    free(x->all);
    return rc;
}

static int no_memory(void)
{
    return hws_fail(MPI_ERR_NO_MEM, "out of memory for a collective operation in two levels");
}

/* The leaders' gather or scatter of what each has in `here`. */
static int between(const struct rooted *x, enum hws_coll_kind kind, int rc)
{
    struct hws_coll_call c = {.kind = kind, .root = x->host};
    struct hws_counts counts = {x->counts, true}, displs = {x->counts ? x->counts + x->h->n : NULL, true};
    if (!x->h->leaders)
        return rc;
    c.st = c.rt = hws_two_level_byte();
    c.sn = c.rn = x->counts[x->h->mine];
    if (kind == HWS_COLL_GATHERV) {
        c.sbuf = x->at_host ? MPI_IN_PLACE : x->here;
        c.rbuf = x->all;
        c.rcounts = counts;
        c.rdispls = displs;
    } else {
        c.sbuf = x->all;
        c.rbuf = x->at_host ? MPI_IN_PLACE : x->here;
        c.scounts = counts;
        c.sdispls = displs;
    }
    return hws_two_level_between(x->h, &c, rc);
}

/* ---- gather -------------------------------------------------------------------------------------------------------
 */

static int gather(const struct rooted *x, int rc)
{
    const struct hws_coll_call *a = x->a;
    bool in_place = x->root && hws_coll_in_place(a->sbuf);
    struct hws_data mine = in_place ? hws_rblock(a, a->root) : hws_type_data(a->st, a->sbuf, a->sn);
    rc = hws_shm_gather(x->r, 0, mine, (struct hws_shm_blocks){.base = x->here, .len = x->block}, rc);
    rc = between(x, HWS_COLL_GATHERV, rc);
    if (x->r && x->r->broken)
        return rc;
    if (x->at_host && x->root_here > 0)
        rc = hws_shm_pass(x->r, 0, x->root_here, hws_bytes(x->all, x->total), rc);
    for (int i = 0; x->root && rc == MPI_SUCCESS && i < a->comm->size; i++)
        hws_shm_get(hws_rblock(a, x->h->ranks[i]), 0, x->all + (uint64_t)i * x->block, x->block);
    return rc;
}

int hws_gather_two_level(struct hws_region *r, const struct hws_coll_call *a)
{
    struct rooted x;
    uint64_t block = (uint64_t)(a->comm->rank == a->root ? a->rn * a->rt->size : a->sn * a->st->size);
    if (block == 0)
        return MPI_SUCCESS;
    return finish(&x, gather(&x, prepare(&x, r, a, block) ? MPI_SUCCESS : no_memory()));
}

/* ---- scatter ------------------------------------------------------------------------------------------------------
 */

static int scatter(const struct rooted *x, int rc)
{
    const struct hws_coll_call *a = x->a;
    bool in_place = x->root && hws_coll_in_place(a->rbuf);
    struct hws_data mine = in_place ? hws_bytes(NULL, 0) : hws_type_data(a->rt, a->rbuf, a->rn);
    for (int i = 0; x->root && rc == MPI_SUCCESS && i < a->comm->size; i++)
        hws_shm_put(x->all + (uint64_t)i * x->block, hws_sblock(a, x->h->ranks[i]), 0, x->block);
    if (x->at_host && x->root_here > 0)
        rc = hws_shm_pass(x->r, x->root_here, 0, hws_bytes(x->all, x->total), rc);
    rc = between(x, HWS_COLL_SCATTERV, rc);
    if (x->r && x->r->broken)
        return rc;
    return hws_shm_scatter(x->r, 0, (struct hws_shm_blocks){.base = x->here, .len = x->block, .in_place = in_place},
                           mine, rc);
}

int hws_scatter_two_level(struct hws_region *r, const struct hws_coll_call *a)
{
    struct rooted x;
    uint64_t block = (uint64_t)(a->comm->rank == a->root ? a->sn * a->st->size : a->rn * a->rt->size);
    if (block == 0)
        return MPI_SUCCESS;
    return finish(&x, scatter(&x, prepare(&x, r, a, block) ? MPI_SUCCESS : no_memory()));
}
