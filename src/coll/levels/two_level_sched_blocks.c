/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Allgather, alltoall, gather and scatter in two levels, as schedules: heads gather what their host has, exchange it,
 * and give it out. Why and cost: see two_level_blocks.c and two_level_rooted.c. Where each host has a run of ranks,
 * blocks lie in the user's buffer as they travel and are not copied.
 */
#include "coll/levels/two_level.h"
#include "coll/levels/two_level_sched.h"
#include "coll/select/algorithm.h"

/* One block a rank, host by host. */
struct row {
    void *base;
    MPI_Count n;
    struct hws_type *t;
};

static struct hws_data span(const struct row *r, int first, int count)
{
    return hws_type_data(r->t, hws_elem(r->base, first * r->n, r->t), count * r->n);
}

/* Packed blocks of `ranks` ranks. */
static struct row packed(const struct hws_levels *l, int ranks, uint64_t block)
{
    return (struct row){hws_sched_temp(l->s, (uint64_t)ranks * block), (MPI_Count)block, hws_two_level_byte()};
}

/* The user's blocks of all ranks, or where they go by way of if they do not lie host by host. */
static struct row all_ranks(const struct hws_levels *l, const void *buf, MPI_Count n, struct hws_type *t)
{
    if (l->h->in_order)
        return (struct row){(void *)(uintptr_t)buf, n, t};
    return packed(l, l->a->comm->size, (uint64_t)(n * t->size));
}

static bool are_alike(const struct hws_hosts *h)
{
    for (int i = 1; i < h->n; i++)
        if (hws_hosts_size(h, i) != hws_hosts_size(h, 0))
            return false;
    return true;
}

/* How a host's blocks lie in a row: counts[n], then displacements[n]. */
static MPI_Count *host_vectors(const struct hws_levels *l, MPI_Count n)
{
    const struct hws_hosts *h = l->h;
    MPI_Count *v = hws_sched_array(l->s, 2 * (uint64_t)h->n * sizeof *v);
    for (int i = 0; l->s->fail.rc == MPI_SUCCESS && i < h->n; i++) {
        v[i] = hws_hosts_size(h, i) * n;
        v[h->n + i] = h->first[i] * n;
    }
    return v;
}

/* The receive side of a part between heads is a row of all ranks; plain and v: the kinds with blocks alike and not. */
static void receive_row(const struct hws_levels *l, struct hws_coll_call *c, const struct row *r,
                        enum hws_coll_kind plain, enum hws_coll_kind v)
{
    c->rbuf = r->base;
    c->rt = r->t;
    c->rn = l->n_here * r->n;
    c->kind = plain;
    if (are_alike(l->h))
        return;
    MPI_Count *vectors = host_vectors(l, r->n);
    c->kind = v;
    c->rcounts = (struct hws_counts){vectors, true};
    c->rdispls = (struct hws_counts){vectors + l->h->n, true};
}

/* The same for the send side, of a scatter; and the sides of heads that are not the root: packed blocks of their host.
 */
static void send_row(const struct hws_levels *l, struct hws_coll_call *c, const struct row *r)
{
    struct hws_coll_call x = {.kind = c->kind};
    receive_row(l, &x, r, HWS_COLL_SCATTER, HWS_COLL_SCATTERV);
    c->kind = x.kind;
    c->sbuf = r->base;
    c->st = r->t;
    c->sn = x.rn;
    c->scounts = x.rcounts;
    c->sdispls = x.rdispls;
}

static struct row give_own(const struct hws_levels *l, struct hws_coll_call *c, uint64_t block)
{
    struct row r = packed(l, l->n_here, block);
    c->kind = are_alike(l->h) ? HWS_COLL_GATHER : HWS_COLL_GATHERV;
    c->sbuf = r.base;
    c->sn = l->n_here * r.n;
    c->st = r.t;
    return r;
}

static struct row take_own(const struct hws_levels *l, struct hws_coll_call *c, uint64_t block)
{
    struct hws_coll_call x;
    struct row r = give_own(l, &x, block);
    c->kind = are_alike(l->h) ? HWS_COLL_SCATTER : HWS_COLL_SCATTERV;
    c->rbuf = r.base;
    c->rn = x.sn;
    c->rt = r.t;
    return r;
}

/* The blocks of the own host into the row, at place `first`, of the head. */
static void gather_here(const struct hws_levels *l, const struct row *r, int first)
{
    struct hws_coll_call c = *l->a;
    c.kind = HWS_COLL_GATHER;
    if (hws_coll_in_place(c.sbuf) && (!l->is_head || !l->h->in_order)) {
        c.sbuf = hws_elem(l->a->rbuf, l->a->comm->rank * l->a->rn, l->a->rt);
        c.sn = l->a->rn;
        c.st = l->a->rt;
    }
    if (l->is_head) {
        c.rbuf = hws_elem(r->base, first * r->n, r->t);
        c.rn = r->n;
        c.rt = r->t;
    }
    hws_levels_within(l, &c);
}

static void take_out(const struct hws_levels *l, const struct row *r)
{
    hws_sched_fence(l->s);
    for (int i = 0; !l->h->in_order && i < l->a->comm->size; i++)
        hws_sched_copy(l->s, span(r, i, 1), hws_rblock(l->a, l->h->ranks[i]));
}

void hws_allgather_levels(struct hws_sched *s, const struct hws_coll_call *a)
{
    struct hws_levels l;
    if (!hws_levels_begin(&l, s, a, false))
        return;
    struct row all = all_ranks(&l, a->rbuf, a->rn, a->rt);
    struct hws_coll_call across = {.comm = a->comm, .sbuf = MPI_IN_PLACE},
                         down = {.kind = HWS_COLL_BCAST, .comm = a->comm};
    gather_here(&l, &all, l.h->first[l.h->mine]);
    receive_row(&l, &across, &all, HWS_COLL_ALLGATHER, HWS_COLL_ALLGATHERV);
    hws_levels_between(&l, &across);
    down.rbuf = all.base;
    down.rn = a->comm->size * all.n;
    down.rt = all.t;
    hws_levels_within(&l, &down);
    take_out(&l, &all);
    hws_levels_end(&l);
}

void hws_gather_levels(struct hws_sched *s, const struct hws_coll_call *a)
{
    struct hws_levels l;
    if (!hws_levels_begin(&l, s, a, true))
        return;
    struct hws_coll_call across = {.comm = a->comm};
    struct row r = {NULL, 0, NULL};
    if (l.root) {
        r = all_ranks(&l, a->rbuf, a->rn, a->rt);
        across.sbuf = MPI_IN_PLACE;
        receive_row(&l, &across, &r, HWS_COLL_GATHER, HWS_COLL_GATHERV);
    } else if (l.is_head) {
        r = give_own(&l, &across, (uint64_t)(a->sn * a->st->size));
    }
    gather_here(&l, &r, l.root ? l.h->first[l.h->mine] : 0);
    hws_levels_between(&l, &across);
    if (l.root)
        take_out(&l, &r);
    hws_levels_end(&l);
}

static void put_in(const struct hws_levels *l, const struct row *r)
{
    for (int i = 0; !l->h->in_order && i < l->a->comm->size; i++)
        hws_sched_copy(l->s, hws_sblock(l->a, l->h->ranks[i]), span(r, i, 1));
}

void hws_scatter_levels(struct hws_sched *s, const struct hws_coll_call *a)
{
    struct hws_levels l;
    if (!hws_levels_begin(&l, s, a, true))
        return;
    struct hws_coll_call across = {.comm = a->comm}, down = *a;
    struct row r = {NULL, 0, NULL};
    if (l.root) {
        r = all_ranks(&l, a->sbuf, a->sn, a->st);
        put_in(&l, &r);
        send_row(&l, &across, &r);
        across.rbuf = MPI_IN_PLACE;
    } else if (l.is_head) {
        r = take_own(&l, &across, (uint64_t)(a->rn * a->rt->size));
    }
    hws_levels_between(&l, &across);
    if (l.is_head) {
        down.sbuf = hws_elem(r.base, l.root ? l.h->first[l.h->mine] * r.n : 0, r.t);
        down.sn = r.n;
        down.st = r.t;
    }
    hws_levels_within(&l, &down);
    hws_levels_end(&l);
}

/* ---- alltoall ------------------------------------------------------------------------------------------------------
 *
 * Of each rank here a block for each rank, in rank order (`ranks`), and what goes to and comes from each host
 * (`hosts`): of each rank that sends a block for each rank that gets. Packed.
 */

static void sort_out(const struct hws_levels *l, char *ranks, char *hosts, uint64_t block)
{
    const struct hws_hosts *h = l->h;
    uint64_t row = (uint64_t)l->a->comm->size * block;
    for (int host = 0; host < h->n; host++) {
        for (int i = 0; i < l->n_here; i++) {
            for (int j = h->first[host], n; j < h->first[host + 1]; j += n, hosts += (uint64_t)n * block) {
                char *from = ranks + (uint64_t)i * row + (uint64_t)h->ranks[j] * block;
                for (n = 1; j + n < h->first[host + 1] && h->ranks[j + n] == h->ranks[j] + n; n++)
                    ;
                hws_sched_copy(l->s, hws_bytes(from, (uint64_t)n * block), hws_bytes(hosts, (uint64_t)n * block));
            }
        }
    }
}

static void sort_in(const struct hws_levels *l, char *hosts, char *ranks, uint64_t block)
{
    uint64_t row = (uint64_t)l->a->comm->size * block;
    for (int j = 0; j < l->a->comm->size; j++) {
        for (int i = 0; i < l->n_here; i++, hosts += block) {
            char *to = ranks + (uint64_t)i * row + (uint64_t)l->h->ranks[j] * block;
            hws_sched_copy(l->s, hws_bytes(hosts, block), hws_bytes(to, block));
        }
    }
}

static void exchange(const struct hws_levels *l, const struct row *given, const struct row *dealt, uint64_t block)
{
    struct hws_coll_call across = {.comm = l->a->comm};
    struct row out = packed(l, l->n_here, (uint64_t)given->n), in = packed(l, l->n_here, (uint64_t)given->n);
    if (l->s->fail.rc != MPI_SUCCESS)
        return;
    struct row blocks = {in.base, l->n_here * (MPI_Count)block, in.t}; /* of each rank anywhere, for all here */
    receive_row(l, &across, &blocks, HWS_COLL_ALLTOALL, HWS_COLL_ALLTOALLV);
    across.sbuf = out.base;
    across.sn = across.rn;
    across.st = across.rt;
    across.scounts = across.rcounts;
    across.sdispls = across.rdispls;
    hws_sched_fence(l->s);
    sort_out(l, given->base, out.base, block);
    hws_levels_between(l, &across);
    hws_sched_fence(l->s);
    sort_in(l, in.base, dealt->base, block);
}

void hws_alltoall_levels(struct hws_sched *s, const struct hws_coll_call *a)
{
    struct hws_levels l;
    struct row given = {NULL, 0, NULL}, dealt = given;
    uint64_t block = (uint64_t)(a->rn * a->rt->size);
    if (block == 0 || !hws_levels_begin(&l, s, a, false))
        return;
    bool in_place = hws_coll_in_place(a->sbuf);
    struct hws_coll_call up = {.kind = HWS_COLL_GATHER, .comm = a->comm},
                         down = {.kind = HWS_COLL_SCATTER, .comm = a->comm};
    up.sbuf = in_place ? a->rbuf : a->sbuf;
    up.st = in_place ? a->rt : a->st;
    up.sn = (in_place ? a->rn : a->sn) * a->comm->size;
    down.rbuf = a->rbuf;
    down.rt = a->rt;
    down.rn = a->rn * a->comm->size;
    if (l.is_head) {
        given = packed(&l, l.n_here, block * (uint64_t)a->comm->size);
        dealt = packed(&l, l.n_here, block * (uint64_t)a->comm->size);
        up.rbuf = given.base;
        up.rn = down.sn = given.n;
        up.rt = down.st = given.t;
        down.sbuf = dealt.base;
    }
    hws_levels_within(&l, &up);
    if (l.is_head)
        exchange(&l, &given, &dealt, block);
    hws_levels_within(&l, &down);
    hws_levels_end(&l);
}
