/* SPDX-License-Identifier: BSD-3-Clause
 *
 * levels: the table of compositions, and what runs them. Why two levels: between hosts there is one message a host
 * instead of one a rank, within a host there is none, or one through a ring. Cost: that of the part between heads, and
 * twice the host's. Reductions keep the order of operands where each host has a run of ranks; else the operation must
 * commute. Blocks (gather, allgather ..) all pass the heads: for short ones.
 *
 * All messages bear the schedule's one tag: all ranks take it, have the parts in the same order, and between two ranks
 * messages match in the order of steps, so no part can take another's.
 */
#include "coll/levels/levels.h"

#include "cast/cast.h"
#include "coll/flat/barrier.h"
#include "coll/run.h"
#include "coll/schedule/sched_run.h"
#include "coll/select/algorithm.h"
#include "coll/shm/reduce_shm.h"
#include "core/object/fail.h"

enum { NONE = HWS_COLL_SELECTED };

/* A root that is its host's head saves its data a way. The last rank has what a scan of its host comes to. */
enum head { LEADER, ROOT, LAST };

struct hws_composition {
    uint8_t up, across, down; /* enum hws_coll_kind: within hosts, between heads, within hosts; NONE: no such part.
                                 A barrier within a host is its first or second half */
    enum head head;
    hws_levels_plan *plan;
    hws_levels_local *before, *after; /* at heads, before and after the part between them; or NULL */
    hws_levels_local *finish;         /* at all ranks, in the end; or NULL */
};

#define ROW(kind, up_, across_, down_, ...) [HWS_COLL_##kind] = {up_, HWS_COLL_##across_, down_, __VA_ARGS__}
#define IN(kind)                            HWS_COLL_##kind

/* clang-format off */
static const struct hws_composition compositions[HWS_COLL_SELECTED] = {
    /* operation  within       between    within       head    plan               before between, after it, in the end */
    ROW(BARRIER,   IN(BARRIER), BARRIER,   IN(BARRIER), LEADER, hws_levels_vector, NULL, NULL, NULL),
    ROW(BCAST,     NONE,        BCAST,     IN(BCAST),   ROOT,   hws_levels_vector, NULL, NULL, NULL),
    ROW(REDUCE,    IN(REDUCE),  REDUCE,    NONE,        ROOT,   hws_levels_vector, NULL, NULL, NULL),
    ROW(ALLREDUCE, IN(REDUCE),  ALLREDUCE, IN(BCAST),   LEADER, hws_levels_vector, NULL, NULL, NULL),
    ROW(SCAN,      IN(SCAN),    EXSCAN,    IN(BCAST),   LAST,   hws_levels_scan, NULL, NULL, hws_levels_prepend),
    ROW(EXSCAN,    IN(EXSCAN),  EXSCAN,    IN(BCAST),   LAST,   hws_levels_scan, hws_levels_total, NULL, hws_levels_prepend),
    ROW(GATHER,    IN(GATHER),  GATHER,    NONE,        ROOT,   hws_levels_gather, NULL, hws_levels_take_out, NULL),
    ROW(SCATTER,   NONE,        SCATTER,   IN(SCATTER), ROOT,   hws_levels_scatter, hws_levels_put_in, NULL, NULL),
    ROW(ALLGATHER, IN(GATHER),  ALLGATHER, IN(BCAST),   LEADER, hws_levels_allgather, NULL, NULL, hws_levels_take_out),
    ROW(ALLGATHERV, IN(GATHER), ALLGATHER, IN(BCAST),   LEADER, hws_levels_allgather, NULL, NULL, hws_levels_take_out),
    ROW(ALLTOALL,  IN(GATHER),  ALLTOALL,  IN(SCATTER), LEADER, hws_levels_alltoall, hws_levels_sort_out, hws_levels_sort_in, NULL),
    ROW(REDUCE_SCATTER,       IN(REDUCE), REDUCE_SCATTER, IN(SCATTER), LEADER, hws_levels_reduce_scatter, hws_levels_sort_blocks, NULL, NULL),
    ROW(REDUCE_SCATTER_BLOCK, IN(REDUCE), REDUCE_SCATTER, IN(SCATTER), LEADER, hws_levels_reduce_scatter, hws_levels_sort_blocks, NULL, NULL),
};
/* clang-format on */

#undef ROW
#undef IN

/* A broadcast by multicast: hosts' first ranks are the members, so a root that is none gives its data to its own host
 * first, and the others get theirs in the end. */
static const struct hws_composition bcast_by_cast = {HWS_COLL_BCAST,    HWS_COLL_BCAST, HWS_COLL_BCAST, LEADER,
                                                     hws_levels_vector, NULL,           NULL,           NULL};

/* ---- who does what ----------------------------------------------------------------------------------------------- */

static int head_of(const struct hws_levels *l, int host)
{
    if (l->c->head == ROOT && host == l->root_host)
        return l->a->root;
    return l->h->ranks[l->c->head == LAST ? l->h->first[host + 1] - 1 : l->h->first[host]];
}

/* Whether hosts' first ranks are the members of a multicast, and the root is not. */
static bool needs_member(const struct hws_levels *l)
{
    const struct hws_hosts *h = l->h;
    const struct hws_cast *cast = l->a->comm->cast;
    if (l->names || l->a->kind != HWS_COLL_BCAST || !cast || cast->worth.use != HWS_CAST_USED || cast->n != h->n)
        return false;
    for (int i = 0; i < h->n; i++)
        if (cast->ranks[i] != h->ranks[h->first[i]])
            return false;
    return h->ranks[h->first[h->of[l->a->root]]] != l->a->root;
}

static bool start_over(struct hws_levels *l);

/* False: there is nothing to do, or no memory. */
static bool prepare(struct hws_levels *l)
{
    const struct hws_hosts *h = l->h;
    l->c = &compositions[l->a->kind];
    l->here = h->ranks + h->first[h->mine];
    l->n_here = hws_hosts_size(h, h->mine);
    if (needs_member(l)) {
        l->c = &bcast_by_cast;
        l->root_host = h->of[l->a->root];
    }
    if (l->c->head == ROOT) {
        l->root_host = h->of[l->a->root];
        l->root = l->rank == l->a->root;
    }
    l->head = hws_hosts_place(h, head_of(l, h->mine));
    l->is_head = h->me == l->head;
    return l->c->plan(l) || (l->r && l->s->fail.rc != MPI_SUCCESS && start_over(l));
}

/* For a part at once there was no memory: all is planned again without any for data, so that this rank takes part as
 * one that fails. A schedule's builder is called again instead. */
static bool start_over(struct hws_levels *l)
{
    l->rc = l->rc == MPI_SUCCESS ? l->s->fail.rc : l->rc;
    return hws_sched_hollow(l->s) && prepare(l);
}

/* ---- parts ------------------------------------------------------------------------------------------------------- */

static enum hws_coll_kind vector_form(uint8_t kind)
{
    switch (kind) {
    case HWS_COLL_GATHER:
        return HWS_COLL_GATHERV;
    case HWS_COLL_SCATTER:
        return HWS_COLL_SCATTERV;
    case HWS_COLL_ALLGATHER:
        return HWS_COLL_ALLGATHERV;
    case HWS_COLL_ALLTOALL:
        return HWS_COLL_ALLTOALLV;
    default:
        return kind;
    }
}

#define STAR                                                                                                           \
    16 /* ranks of a host up to which its head serves all itself: a message through a ring costs a tenth of a us */

static int name_of(const struct hws_levels *l, int number)
{
    return l->names ? l->names[number] : number;
}

/* The ranks of n numbers; NULL: no memory. */
static const int *ranks_of(const struct hws_levels *l, const int *numbers, int n)
{
    if (!l->names)
        return numbers;
    int *ranks = hws_sched_array(l->s, (uint64_t)n * sizeof *ranks);
    for (int i = 0; i < n && l->s->fail.rc == MPI_SUCCESS; i++)
        ranks[i] = name_of(l, numbers[i]);
    return l->s->fail.rc == MPI_SUCCESS ? ranks : NULL;
}

static void append_within(const struct hws_levels *l, const struct hws_coll_call *part, bool down)
{
    struct hws_tree_shape t = {.n = l->n_here, .star = l->n_here <= STAR};
    const int *ranks = ranks_of(l, l->here, l->n_here);
    if (!ranks)
        return;
    hws_sched_fence(l->s);
    hws_sched_use_ranks(l->s, ranks, l->n_here, l->h->me);
    if (part->kind != HWS_COLL_BARRIER)
        hws_coll_build_part(l->s, part, l->a->comm->coll_crowd == 2);
    else if (down)
        hws_barrier_down(l->s, t);
    else
        hws_barrier_up(l->s, t);
}

/* In the host's memory. rc: what has gone wrong before; whom this rank gives data learn of it. MPI class. */
static int run_within(const struct hws_levels *l, const struct hws_coll_call *part, bool down)
{
    const struct hws_data nothing = hws_bytes(NULL, 0);
    struct hws_region *r = l->r;
    int one;
    switch (part->kind) {
    case HWS_COLL_BARRIER:
        return down ? hws_shm_pass(r, l->head, -1, nothing, l->rc)
                    : hws_shm_gather(r, l->head, nothing, (struct hws_shm_blocks){.len = 0}, l->rc);
    case HWS_COLL_BCAST:
        return part->rn == 0 ? l->rc
                             : hws_shm_pass(r, part->root, -1, hws_type_data(part->rt, part->rbuf, part->rn), l->rc);
    case HWS_COLL_GATHER:
    case HWS_COLL_GATHERV:
        return hws_shm_gather_call(r, part, l->longest, l->rc);
    case HWS_COLL_SCATTER:
    case HWS_COLL_SCATTERV:
        return hws_shm_scatter_call(r, part, l->longest, l->rc);
    case HWS_COLL_REDUCE:
        one = l->rc == MPI_SUCCESS ? hws_reduce_shm(r, part) : hws_reduce_shm_blind(r, part);
        break;
    default:
        one = hws_scan_shm(r, part);
        break;
    }
    return l->rc == MPI_SUCCESS ? one : l->rc;
}

static void within(struct hws_levels *l, uint8_t kind, struct hws_coll_call *part, bool down)
{
    if (kind == NONE || (l->c == &bcast_by_cast && down == (l->h->mine == l->root_host)))
        return;
    part->kind = l->longest ? vector_form(kind) : kind;
    part->comm = l->a->comm;
    part->root = l->c == &bcast_by_cast && !down ? hws_hosts_place(l->h, l->a->root) : l->head;
    if (!l->r)
        append_within(l, part, down);
    else if (!l->r->broken)
        l->rc = run_within(l, part, down);
}

/* Whether the part between heads of hosts is a composition over their sites. The v forms that have none send each byte
 * from its head to the one that wants it. */
static bool is_over_sites(const struct hws_levels *l)
{
    const struct hws_hosts *top = l->h->sites;
    const struct hws_coll_call *a = &l->across;
    if (!top || top->n == l->h->n || !compositions[a->kind].plan)
        return false;
    return top->in_order || (a->kind != HWS_COLL_EXSCAN && (!a->rop || a->rop->commutative));
}

static void compose(struct hws_levels *l);

static void append_over_sites(struct hws_levels *l, const int *heads)
{
    struct hws_levels top = {
        .a = &l->across, .h = l->h->sites, .s = l->s, .names = heads, .size = l->h->n, .rank = l->h->mine};
    if (prepare(&top))
        compose(&top);
}

static void append_between(struct hws_levels *l)
{
    int *heads = hws_sched_array(l->s, (uint64_t)l->h->n * sizeof *heads);
    if (l->s->fail.rc != MPI_SUCCESS)
        return;
    for (int i = 0; i < l->h->n; i++)
        heads[i] = name_of(l, head_of(l, i));
    l->across.kind = l->uneven ? vector_form(l->c->across) : l->c->across;
    l->across.comm = l->a->comm;
    l->across.root = l->root_host;
    hws_sched_fence(l->s);
    hws_sched_use_ranks(l->s, heads, l->h->n, l->h->mine);
    if (is_over_sites(l))
        append_over_sites(l, heads);
    else
        hws_coll_build_part(l->s, &l->across, false);
}

/* Heads know each other's lengths, also in v forms: a message that is too short is another one's failure. */
static void between(struct hws_levels *l)
{
    append_between(l);
    if (!l->r)
        return;
    if (l->s->fail.rc != MPI_SUCCESS && start_over(l))
        append_between(l);
    l->s->lenient = false;
    l->rc = hws_sched_run_after(l->s, l->rc);
}

void hws_levels_copy(struct hws_levels *l, struct hws_data src, struct hws_data dst)
{
    if (!l->r)
        hws_sched_copy(l->s, src, dst);
    else if (src.len_bytes <= dst.len_bytes)
        hws_data_copy(src, dst);
    else
        l->rc = hws_shm_truncated(src.len_bytes, l->a->comm->rank, dst.len_bytes);
}

void hws_levels_reduce(struct hws_levels *l, const void *in, void *inout)
{
    if (l->r)
        hws_op_apply(l->a->rop, in, inout, l->a->rn, l->a->rt);
    else
        hws_sched_reduce(l->s, l->a->rop, in, inout, l->a->rn, l->a->rt);
}

static void do_local(struct hws_levels *l, hws_levels_local *what)
{
    if (!what || l->rc != MPI_SUCCESS)
        return;
    hws_sched_fence(l->s);
    what(l);
}

static void compose(struct hws_levels *l)
{
    within(l, l->c->up, &l->up, false);
    if (l->is_head) {
        do_local(l, l->c->before);
        between(l);
        do_local(l, l->c->after);
    }
    within(l, l->c->down, &l->down, true);
    do_local(l, l->c->finish);
}

/* ---- the two ways ------------------------------------------------------------------------------------------------ */

static void build(struct hws_sched *s, const struct hws_coll_call *a, const struct hws_hosts *h)
{
    struct hws_levels l = {.a = a, .h = h, .s = s, .size = a->comm->size, .rank = a->comm->rank};
    if (prepare(&l))
        compose(&l);
    hws_sched_use_ranks(s, NULL, 0, 0);
    s->lenient = false; /* each rank knows every size, whatever parts have said */
}

void hws_levels_build(struct hws_sched *s, const struct hws_coll_call *a)
{
    build(s, a, a->comm->placed);
}

int hws_levels_run(struct hws_region *r, const struct hws_coll_call *a)
{
    struct hws_levels l = {.a = a,
                           .h = a->comm->hosts,
                           .r = r,
                           .s = hws_sched_new(a->comm, false),
                           .size = a->comm->size,
                           .rank = a->comm->rank};
    if (!l.s)
        return hws_fail(MPI_ERR_NO_MEM, "out of memory for a collective operation");
    if (r) {
        if (prepare(&l))
            compose(&l);
        hws_sched_free(l.s);
        return l.rc;
    }
    build(l.s, a, l.h); /* the only rank of its host */
    if (l.s->fail.rc == MPI_ERR_NO_MEM && hws_sched_hollow(l.s))
        build(l.s, a, l.h);
    return hws_sched_run(l.s);
}
