/* SPDX-License-Identifier: BSD-3-Clause
 *
 * random: random collectives against a naive implementation of messages between pairs of ranks. A batch is one to four
 * operations at once: any operation, form (blocking, nonblocking, persistent), int or large counts, communicator (also
 * between two groups), root, counts from 0 on, datatypes that differ between the sides, MPI_IN_PLACE, operations that
 * do not commute. Nonblocking ones are completed in random order. Whole buffers are compared, holes too. Argument:
 * number of batches. HAWSER_TEST_SEED repeats a run.
 */
#include "proc.h"

#include <stdbool.h>

#include "../../support/seed.h"

enum kind {
    BARRIER,
    BCAST,
    GATHER,
    GATHERV,
    SCATTER,
    SCATTERV,
    ALLGATHER,
    ALLGATHERV,
    ALLTOALL,
    ALLTOALLV,
    ALLTOALLW,
    REDUCE,
    ALLREDUCE,
    REDUCE_SCATTER_BLOCK,
    REDUCE_SCATTER,
    SCAN,
    EXSCAN,
    N_KINDS
};
enum form { BLOCKING, NONBLOCKING, PERSISTENT };
enum { RANKS = 8, INTS = 60000, BATCH = 4, PRIME = 32003, LONGEST = 1500 };

/* A communicator, its twin for the messages of the naive way, own rank and size, and those its messages go to. */
struct place {
    MPI_Comm comm, ref;
    int me, n, peers, inter, side;
};

/* One element is one or two ints, `second` ints apart, `stride` ints from the next element. */
struct layout {
    MPI_Datatype type;
    int stride, second;
};

struct call {
    enum kind kind;
    enum form form;
    int wide, root, count, in_place, op, salt;
    const struct place *at;
    const struct layout *st, *rt;
    int root_arg, is_root, is_leaf; /* the root has all blocks; a leaf has one, in a group without the root */
    int sbuf[INTS], rbuf[INTS], before[INTS], want[INTS];
    int sn[RANKS], sd[RANKS], rn[RANKS], rd[RANKS];
    MPI_Count wide_sn[RANKS], wide_rn[RANKS];
    MPI_Aint wide_sd[RANKS], wide_rd[RANKS];
    MPI_Datatype stypes[RANKS], rtypes[RANKS];
    MPI_Request req;
};

static struct place places[4];
static int n_places;
static struct layout layouts[3];
static MPI_Op ops[5]; /* keep the left, compose, add; sum and max for the layout of one int */
static struct call calls[BATCH];
static uint64_t shared_state, own_state; /* alike in all ranks; of this rank */

static unsigned draw(uint64_t *state, unsigned limit)
{
    hws_test_state = *state;
    unsigned value = (unsigned)hws_test_random(limit);
    *state = hws_test_state;
    return value;
}

/* The same number in all ranks: each must draw equally often. */
static unsigned same(unsigned limit)
{
    return draw(&shared_state, limit);
}

static bool is_rooted(enum kind k)
{
    return k <= SCATTERV || k == REDUCE;
}

static bool is_alltoall(enum kind k)
{
    return k >= ALLTOALL && k <= ALLTOALLW;
}

static bool has_vectors(enum kind k)
{
    return k == GATHERV || k == SCATTERV || k == ALLGATHERV || k == ALLTOALLV || k == ALLTOALLW;
}

/* ---- operations ---- */

static const struct layout *layout_of(MPI_Datatype t)
{
    return t == layouts[1].type ? &layouts[1] : t == layouts[2].type ? &layouts[2] : &layouts[0];
}

static void fold(int op, const int *x, int *y, const struct layout *l)
{
    int s = l->second, a = y[0], b = y[s];
    switch (op) {
    case 0:
        a = x[0], b = x[s];
        break;
    case 1:
        b = (int)(((long long)x[0] * b + x[s]) % PRIME), a = (int)((long long)x[0] * a % PRIME);
        break;
    case 2:
        a = (a + x[0]) % PRIME, b = (b + x[s]) % PRIME;
        break;
    case 3:
        a = b = a + x[0];
        break;
    default:
        a = b = x[0] > a ? x[0] : a;
    }
    y[0] = a;
    if (s)
        y[s] = b;
}

#define USER(name, op, count_type)                                                                                     \
    static void name(void *in, void *inout, count_type *len, MPI_Datatype *t)                                          \
    {                                                                                                                  \
        const struct layout *l = layout_of(*t);                                                                        \
        for (count_type i = 0; i < *len; i++)                                                                          \
            fold(op, (int *)in + i * l->stride, (int *)inout + i * l->stride, l);                                      \
    }
USER(keep_left, 0, int)
USER(compose, 1, MPI_Count)
USER(add, 2, int)

/* ---- the naive way ---- */

static void copy(int *to, const int *from, int n, const struct layout *l)
{
    for (int i = 0; i < n; i++) {
        to[i * l->stride] = from[i * l->stride];
        to[i * l->stride + l->second] = from[i * l->stride + l->second];
    }
}

/* Sends a block to each peer and receives one from each; negative counts: none. */
static void exchange(const struct place *p, const int *from, const int *sn, const int *sd, const struct layout *st,
                     int *to, const int *rn, const int *rd, const struct layout *rt)
{
    MPI_Request r[2 * RANKS];
    for (int j = 0; j < p->peers; j++) {
        r[j] = r[RANKS + j] = MPI_REQUEST_NULL;
        if (rn[j] >= 0)
            MPI_Irecv(to + rd[j], rn[j], rt->type, j, 0, p->ref, &r[j]);
        if (sn[j] >= 0)
            MPI_Isend(from + sd[j], sn[j], st->type, j, 0, p->ref, &r[RANKS + j]);
    }
    MPI_Waitall(p->peers, r, MPI_STATUSES_IGNORE);
    MPI_Waitall(p->peers, r + RANKS, MPI_STATUSES_IGNORE);
}

static int total(const int *n, int ranks)
{
    int sum = 0;
    for (int i = 0; i < ranks; i++)
        sum += n[i];
    return sum;
}

/* The vectors that this rank's result is made of, folded in the order of ranks; result_n elements from result_at on. */
static void reference_reduce(struct call *c, int len, int result_at, int result_n)
{
    static int all[RANKS][INTS], *acc;
    const struct place *p = c->at;
    int sn[RANKS], rn[RANKS], zero[RANKS] = {0}, rd[RANKS], rooted = c->kind == REDUCE;
    for (int j = 0; j < p->peers; j++) {
        sn[j] = !rooted || (c->is_leaf && j == c->root) ? len : -1;
        rn[j] = !rooted || c->is_root ? len : -1;
        rd[j] = j * INTS;
    }
    exchange(p, c->in_place ? c->before : c->sbuf, sn, zero, c->rt, all[0], rn, rd, c->rt);
    int terms = c->kind == SCAN ? p->me + 1 : c->kind == EXSCAN ? p->me : p->peers;
    if (terms == 0 || (rooted && !c->is_root))
        return;
    acc = all[terms - 1];
    for (int j = terms - 2; j >= 0; j--)
        for (int i = 0; i < len; i++)
            fold(c->op, all[j] + i * c->rt->stride, acc + i * c->rt->stride, c->rt);
    copy(c->want, acc + result_at * c->rt->stride, result_n, c->rt);
}

/* Blocks: from where the standard says that this rank's data is. */
static void reference_blocks(struct call *c)
{
    const struct place *p = c->at;
    bool gathers = c->kind == ALLGATHER || c->kind == ALLGATHERV;
    bool from_rbuf = c->kind == BCAST || (c->in_place && (gathers || is_alltoall(c->kind)));
    int sn[RANKS], rn[RANKS], sd[RANKS];
    for (int j = 0; j < p->peers; j++) {
        bool stays = j == p->me && !p->inter && (c->in_place || c->kind == BCAST);
        sn[j] = stays ? -1 : c->sn[j];
        rn[j] = stays ? -1 : c->rn[j];
        sd[j] = c->in_place && gathers ? c->rd[p->me] : c->sd[j];
    }
    exchange(p, from_rbuf ? c->before : c->sbuf, sn, sd, c->in_place && gathers ? c->rt : c->st, c->want, rn, c->rd,
             c->rt);
}

static void reference(struct call *c)
{
    memcpy(c->want, c->before, sizeof c->want);
    if (c->kind == REDUCE_SCATTER || c->kind == REDUCE_SCATTER_BLOCK)
        reference_reduce(c, total(c->rn, c->at->n), total(c->rn, c->at->me), c->rn[c->at->me]);
    else if (c->kind >= REDUCE)
        reference_reduce(c, c->count, 0, c->count);
    else if (c->kind != BARRIER)
        reference_blocks(c);
}

/* ---- the same by the library ---- */

#define UNPACK(...) __VA_ARGS__
#define FORMS(Name, name, S, ...)                                                                                      \
    (c->form == BLOCKING      ? MPI_##Name##S(__VA_ARGS__, c->at->comm)                                                \
     : c->form == NONBLOCKING ? MPI_I##name##S(__VA_ARGS__, c->at->comm, &c->req)                                      \
                              : MPI_##Name##_init##S(__VA_ARGS__, c->at->comm, MPI_INFO_NULL, &c->req))
#define BOTH(Name, name, ...) (c->wide ? FORMS(Name, name, _c, __VA_ARGS__) : FORMS(Name, name, , __VA_ARGS__))

static int barrier(struct call *c)
{
    return c->form == BLOCKING      ? MPI_Barrier(c->at->comm)
           : c->form == NONBLOCKING ? MPI_Ibarrier(c->at->comm, &c->req)
                                    : MPI_Barrier_init(c->at->comm, MPI_INFO_NULL, &c->req);
}

static int start_vectors(struct call *c, const void *s, void *r, MPI_Datatype st, MPI_Datatype rt)
{
    int mine = c->sn[c->root], get = c->rn[c->root];
    const MPI_Count *sn = c->wide_sn, *rn = c->wide_rn;
    const MPI_Aint *sd = c->wide_sd, *rd = c->wide_rd;
    switch (c->kind) {
    case GATHERV:
        return c->wide ? FORMS(Gatherv, gatherv, _c, s, mine, st, r, rn, rd, rt, c->root_arg)
                       : FORMS(Gatherv, gatherv, , s, mine, st, r, c->rn, c->rd, rt, c->root_arg);
    case SCATTERV:
        return c->wide ? FORMS(Scatterv, scatterv, _c, s, sn, sd, st, r, get, rt, c->root_arg)
                       : FORMS(Scatterv, scatterv, , s, c->sn, c->sd, st, r, get, rt, c->root_arg);
    case ALLGATHERV:
        return c->wide ? FORMS(Allgatherv, allgatherv, _c, s, c->sn[0], st, r, rn, rd, rt)
                       : FORMS(Allgatherv, allgatherv, , s, c->sn[0], st, r, c->rn, c->rd, rt);
    case ALLTOALLV:
        return c->wide ? FORMS(Alltoallv, alltoallv, _c, s, sn, sd, st, r, rn, rd, rt)
                       : FORMS(Alltoallv, alltoallv, , s, c->sn, c->sd, st, r, c->rn, c->rd, rt);
    case ALLTOALLW:
        return c->wide ? FORMS(Alltoallw, alltoallw, _c, s, sn, sd, c->stypes, r, rn, rd, c->rtypes)
                       : FORMS(Alltoallw, alltoallw, , s, c->sn, c->sd, c->stypes, r, c->rn, c->rd, c->rtypes);
    default:
        return c->wide ? FORMS(Reduce_scatter, reduce_scatter, _c, s, r, rn, rt, ops[c->op])
                       : FORMS(Reduce_scatter, reduce_scatter, , s, r, c->rn, rt, ops[c->op]);
    }
}

static int start(struct call *c)
{
    MPI_Datatype st = c->st->type, rt = c->rt->type;
    bool scatter = c->kind == SCATTER || c->kind == SCATTERV;
    const void *s = c->in_place && !scatter ? MPI_IN_PLACE : c->sbuf;
    void *r = c->in_place && scatter ? MPI_IN_PLACE : c->rbuf;
    MPI_Op op = ops[c->op];
    int n = c->count;
    switch (c->kind) {
    case BARRIER:
        return barrier(c);
    case BCAST:
        return BOTH(Bcast, bcast, c->rbuf, n, c->is_root ? st : rt, c->root_arg);
    case GATHER:
        return BOTH(Gather, gather, s, n, st, r, n, rt, c->root_arg);
    case SCATTER:
        return BOTH(Scatter, scatter, s, n, st, r, n, rt, c->root_arg);
    case ALLGATHER:
        return BOTH(Allgather, allgather, s, n, st, r, n, rt);
    case ALLTOALL:
        return BOTH(Alltoall, alltoall, s, n, st, r, n, rt);
    case REDUCE:
        return BOTH(Reduce, reduce, s, r, n, rt, op, c->root_arg);
    case ALLREDUCE:
        return BOTH(Allreduce, allreduce, s, r, n, rt, op);
    case REDUCE_SCATTER_BLOCK:
        return BOTH(Reduce_scatter_block, reduce_scatter_block, s, r, c->rn[0], rt, op);
    case SCAN:
        return BOTH(Scan, scan, s, r, n, rt, op);
    case EXSCAN:
        return BOTH(Exscan, exscan, s, r, n, rt, op);
    default:
        return start_vectors(c, s, r, st, rt);
    }
}

/* ---- drawing calls ---- */

/* Count of the block from rank `from` of a side to rank `to`: the same seen from both. */
static int pair_count(const struct call *c, int side, int from, int to)
{
    unsigned f = c->kind == SCATTERV ? 0 : (unsigned)from;
    unsigned t = c->kind == GATHERV || c->kind == ALLGATHERV ? 0 : (unsigned)to;
    if (!has_vectors(c->kind))
        return c->count;
    if (is_alltoall(c->kind) && c->in_place && f > t) /* what lies there is sent and replaced */
        return pair_count(c, side, to, from);
    unsigned mix = f * 2654435761u + t * 40503u + (unsigned)side * 97u + (unsigned)c->salt;
    return (int)((mix >> 3) % (unsigned)(c->count + 3));
}

/* Blocks one after another, with a hole between them in the v and w forms. */
static void lay_out(const int *n, int *d, int peers, int hole, int stride)
{
    for (int j = 0, at = 0; j < peers; j++) {
        d[j] = at * stride;
        at += (n[j] > 0 ? n[j] : 0) + hole;
    }
}

static void draw_blocks(struct call *c)
{
    const struct place *p = c->at;
    bool gather = c->kind == GATHER || c->kind == GATHERV, rooted = is_rooted(c->kind);
    bool scatter = c->kind == SCATTER || c->kind == SCATTERV;
    bool one_out = gather || c->kind == ALLGATHER || c->kind == ALLGATHERV || c->kind == BCAST;
    for (int j = 0; j < RANKS; j++) {
        bool leaf = c->is_leaf && j == c->root;
        c->sn[j] = !rooted || (gather ? leaf : c->is_root) ? pair_count(c, p->side, p->me, j) : -1;
        c->rn[j] =
            !rooted || (gather ? c->is_root : leaf) ? pair_count(c, p->inter ? !p->side : p->side, j, p->me) : -1;
    }
    lay_out(c->sn, c->sd, p->peers, has_vectors(c->kind), one_out ? 0 : c->st->stride);
    lay_out(c->rn, c->rd, p->peers, has_vectors(c->kind), scatter || c->kind == BCAST ? 0 : c->rt->stride);
}

/* reduce_scatter: the sum of a group's counts is the same in both groups. */
static void draw_parts(struct call *c)
{
    const struct place *p = c->at;
    int sum = c->count * p->n * (p->inter ? p->peers : 1), left = sum;
    for (int j = 0; j < p->n; j++) {
        int part = (int)((unsigned)(c->salt * (j + 3)) % (unsigned)(left + 1));
        c->rn[j] = c->kind == REDUCE_SCATTER_BLOCK ? sum / p->n : j == p->n - 1 ? left : part;
        left -= c->rn[j];
    }
}

/* The library's view of what draw_blocks made: displacements in elements (w: bytes), no negative counts. */
static void convert(struct call *c)
{
    bool w = c->kind == ALLTOALLW;
    for (int j = 0; j < RANKS; j++) {
        c->wide_sn[j] = c->sn[j] = c->sn[j] < 0 ? 0 : c->sn[j];
        c->wide_rn[j] = c->rn[j] = c->rn[j] < 0 ? 0 : c->rn[j];
        c->wide_sd[j] = c->sd[j] = w ? c->sd[j] * (int)sizeof(int) : c->sd[j] / c->st->stride;
        c->wide_rd[j] = c->rd[j] = w ? c->rd[j] * (int)sizeof(int) : c->rd[j] / c->rt->stride;
        c->stypes[j] = c->st->type;
        c->rtypes[j] = c->rt->type;
    }
}

static void draw_root(struct call *c)
{
    const struct place *p = c->at;
    int side = (int)same(2), any = (int)same(RANKS);
    bool on_side = !p->inter || side == p->side;
    c->root = any % (on_side ? p->n : p->peers);
    c->is_root = on_side && p->me == c->root;
    c->is_leaf = !p->inter || !on_side;
    c->root_arg = c->is_leaf ? c->root : c->is_root ? MPI_ROOT : MPI_PROC_NULL;
}

/* Reductions need one type, on all ranks; blocks may be laid out in another way where they arrive. */
static void draw_types(struct call *c)
{
    unsigned from = same(3), to = same(2) + 1, any_op = same(3);
    if (from == 0 || c->kind >= REDUCE || (c->in_place && is_alltoall(c->kind)))
        to = from;
    c->st = &layouts[from];
    c->rt = &layouts[to];
    c->op = any_op == 0 ? 0 : (int)any_op + (from == 0 ? 2 : 0);
}

static void draw_call(struct call *c)
{
    static const int sizes[] = {0, 1, 2, 7, 60, LONGEST};
    c->at = &places[same((unsigned)n_places)];
    c->kind = same(c->at->inter ? SCAN : N_KINDS);
    c->form = same(3);
    c->wide = (int)same(2);
    c->count = sizes[same(6)];
    c->salt = (int)same(1000);
    bool in_place = same(3) == 0;
    if (c->at->inter && c->kind >= REDUCE_SCATTER_BLOCK && c->count == LONGEST) /* times the ranks of both groups */
        c->count = 60;
    draw_root(c);
    c->in_place = in_place && !c->at->inter && c->kind != BARRIER && c->kind != BCAST;
    draw_types(c);
    c->in_place = c->in_place && (!is_rooted(c->kind) || c->is_root);
    for (int i = 0; i < INTS; i++) {
        c->sbuf[i] = 1 + (int)draw(&own_state, 30000);
        c->rbuf[i] = c->before[i] = 1 + (int)draw(&own_state, 30000);
    }
    draw_blocks(c);
    if (c->kind == REDUCE_SCATTER || c->kind == REDUCE_SCATTER_BLOCK)
        draw_parts(c);
    reference(c);
    convert(c);
}

/* ---- batches ---- */

static void compare(const struct call *c, int batch)
{
    for (int i = 0; i < INTS; i++) {
        if (c->rbuf[i] == c->want[i])
            continue;
        proc_failures++;
        fprintf(stderr,
                "rank %d: batch %d: kind %d form %d wide %d count %d root %d in_place %d op %d place %d layouts %d %d: "
                "int %d is %d, not %d\n",
                proc_rank, batch, c->kind, c->form, c->wide, c->count, c->root_arg, c->in_place, c->op,
                (int)(c->at - places), (int)(c->st - layouts), (int)(c->rt - layouts), i, c->rbuf[i], c->want[i]);
        return;
    }
}

static void finish(int n)
{
    MPI_Request r[BATCH];
    int at;
    for (int i = 0; i < n; i++)
        r[i] = calls[i].req;
    if (draw(&own_state, 2))
        MPI_Waitall(n, r, MPI_STATUSES_IGNORE);
    else
        do
            MPI_Waitany(n, r, &at, MPI_STATUS_IGNORE);
        while (at != MPI_UNDEFINED);
}

/* A persistent operation once more, with what was in its buffer before. */
static void run_again(struct call *c, int batch)
{
    memcpy(c->rbuf, c->before, sizeof c->rbuf);
    MPI_Start(&c->req);
    MPI_Wait(&c->req, MPI_STATUS_IGNORE);
    compare(c, batch);
    MPI_Request_free(&c->req);
}

static void run_batch(int batch)
{
    int n = 1 + (int)same(BATCH);
    for (int i = 0; i < n; i++)
        draw_call(&calls[i]);
    for (int i = 0; i < n; i++) {
        calls[i].req = MPI_REQUEST_NULL;
        check_eq(start(&calls[i]), MPI_SUCCESS);
        if (calls[i].form == PERSISTENT)
            check_eq(MPI_Start(&calls[i].req), MPI_SUCCESS);
    }
    finish(n);
    for (int i = 0; i < n; i++)
        compare(&calls[i], batch);
    for (int i = 0; i < n; i++)
        if (calls[i].form == PERSISTENT)
            run_again(&calls[i], batch);
}

/* ---- set-up ---- */

static void add_place(MPI_Comm c, int side)
{
    struct place *p = &places[n_places++];
    *p = (struct place){.comm = c, .side = side};
    MPI_Comm_dup(c, &p->ref);
    MPI_Comm_rank(c, &p->me);
    MPI_Comm_size(c, &p->n);
    MPI_Comm_test_inter(c, &p->inter);
    p->peers = p->n;
    if (p->inter)
        MPI_Comm_remote_size(c, &p->peers);
}

/* All ranks, all in another order, and two groups at random: each by itself, and one with the other. */
static void make_places(void)
{
    MPI_Comm c;
    MPI_Comm_dup(MPI_COMM_WORLD, &c);
    add_place(c, 0);
    int key = 0;
    for (int r = 0; r < proc_size; r++) {
        int k = (int)same(100);
        key = r == proc_rank ? k : key;
    }
    MPI_Comm_split(MPI_COMM_WORLD, 0, key, &c);
    add_place(c, 0);
    int side = 0, other = proc_size - 1; /* rank 0 leads one group, the last rank the other */
    for (int r = 1; r < proc_size; r++) {
        int s = r == other ? 1 : (int)same(2);
        side = r == proc_rank ? s : side;
    }
    MPI_Comm_split(MPI_COMM_WORLD, side, side ? -proc_rank : proc_rank, &c);
    add_place(c, 0);
    if (proc_size == 1)
        return;
    MPI_Intercomm_create(c, 0, MPI_COMM_WORLD, side ? 0 : other, 1, &c);
    add_place(c, side);
}

static void make_types(void)
{
    int one[2] = {1, 1}, at[2] = {0, 3};
    MPI_Datatype pair;
    layouts[0] = (struct layout){MPI_INT, 1, 0};
    MPI_Type_indexed(2, one, at, MPI_INT, &pair);
    layouts[1] = (struct layout){MPI_DATATYPE_NULL, 5, 3};
    MPI_Type_create_resized(pair, 0, 5 * (int)sizeof(int), &layouts[1].type);
    MPI_Type_free(&pair);
    layouts[2] = (struct layout){MPI_DATATYPE_NULL, 2, 1};
    MPI_Type_contiguous(2, MPI_INT, &layouts[2].type);
    MPI_Type_commit(&layouts[1].type);
    MPI_Type_commit(&layouts[2].type);
    MPI_Op_create(keep_left, 0, &ops[0]);
    MPI_Op_create_c(compose, 0, &ops[1]);
    MPI_Op_create(add, 1, &ops[2]);
    ops[3] = MPI_SUM;
    ops[4] = MPI_MAX;
}

int main(int argc, char **argv)
{
    proc_begin(&argc, &argv);
    if (proc_size > RANKS)
        MPI_Abort(MPI_COMM_WORLD, 2);
    int batches = argc > 1 ? atoi(argv[1]) : 100;
    if (proc_rank == 0)
        shared_state = hws_test_seed("random");
    MPI_Bcast(&shared_state, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    own_state = shared_state + (uint64_t)proc_rank + 1;
    make_types();
    make_places();
    for (int b = 0; b < batches && !proc_failures; b++)
        run_batch(b);
    for (int i = 0; i < n_places; i++) {
        MPI_Comm_free(&places[i].ref);
        MPI_Comm_free(&places[i].comm);
    }
    for (int i = 0; i < 3; i++) {
        MPI_Op_free(&ops[i]);
        if (i > 0)
            MPI_Type_free(&layouts[i].type);
    }
    return proc_end();
}
