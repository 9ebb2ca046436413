/* SPDX-License-Identifier: BSD-3-Clause
 *
 * shm_test: the forms of collectives in shared memory, and those in two levels. Ranks are threads, a region is a piece
 * of this process's memory, small, so that long data goes in pieces. Each trial is a sequence of random operations that
 * all ranks run without anything else between them, at their own pace: whoever is early must find no cell that another
 * one still reads. Every byte of every buffer is compared. In two levels the ranks are dealt to hosts at random, and
 * leaders talk over the fake network.
 */
#include <pthread.h>
#include <sched.h>

#include "../../../support/sanitized.h"
#include "coll/shm/pairs.h"
#include "coll/shm/reduce_shm.h"
#include "core/hosts/hosts.h"
#include "../fake.h"

#define MAX_RANKS 17
#define STEPS     60

static struct {
    int n;
    bool two_level, hungry;
    int failures;                       /* of hungry worlds so far */
    struct hws_hosts *hosts[MAX_RANKS]; /* of each rank; two_level only */
    struct hws_group group;
    struct hws_comm comm[MAX_RANKS];
    struct hws_region region[MAX_RANKS];
} world;

/* Blocks of one rank in an alltoall, by the other rank. */
struct side {
    MPI_Count n[MAX_RANKS], at[MAX_RANKS], at_bytes[MAX_RANKS];
    MPI_Datatype types[MAX_RANKS];
};

/* One operation of the sequence, with the buffers of all ranks. */
struct step {
    const struct hws_algorithm *alg;
    enum hws_coll_kind kind;
    struct hws_coll_call call[MAX_RANKS];
    struct fake_buf sbuf[MAX_RANKS], rbuf[MAX_RANKS];
    MPI_Count counts[MAX_RANKS], at[MAX_RANKS]; /* of the ranks' blocks */
    MPI_Count all;                              /* elements of a buffer of all blocks */
    MPI_Count pairs[MAX_RANKS][MAX_RANKS];      /* alltoalls: elements, from, to */
    struct side out[MAX_RANKS], in[MAX_RANKS];
    int rc[MAX_RANKS];
    int starving; /* a rank that gets no memory for data, counted from 1; 0: none */
};

static struct step steps[STEPS];

/* ---- a rank without memory ---- */

#if !HWS_SANITIZED && defined(__GLIBC__)
#define CAN_STARVE 1
static _Thread_local size_t malloc_most = SIZE_MAX; /* bytes that malloc gives this thread */
extern void *__libc_malloc(size_t n);
extern void *__libc_memalign(size_t alignment, size_t n);

void *malloc(size_t n)
{
    return n > malloc_most ? NULL : __libc_malloc(n);
}

/* Schedules take 4 KiB at least, for what is no data, too. */
void *aligned_alloc(size_t alignment, size_t n)
{
    return malloc_most < SIZE_MAX && n > 5000 ? NULL : __libc_memalign(alignment, n);
}
#else
#define CAN_STARVE 0
static _Thread_local size_t malloc_most;
#endif

/* ---- ranks as threads ---- */

static int wait_for(struct hws_region *r, const uint64_t *word, uint64_t value)
{
    (void)r;
    while (!hws_region_is_at(word, value))
        sched_yield();
    return MPI_SUCCESS;
}

static void wake(struct hws_region *r, int to)
{
    (void)r, (void)to; /* nobody sleeps */
}

static void pass(struct hws_region *r)
{
    (void)r;
}

static const struct hws_region_net net = {wait_for, wake, pass};

static void *rank_main(void *arg)
{
    int me = (int)(intptr_t)arg;
    unsigned state = (unsigned)me * 2654435761u + 1;
    for (int i = 0; i < STEPS; i++) {
        state = state * 1664525u + 1013904223u;
        for (unsigned idle = (state >> 28) == 0 ? 50 : 0; idle > 0; idle--)
            sched_yield(); /* late now and then */
        struct hws_region *r = world.two_level ? world.hosts[me]->region : &world.region[me];
        malloc_most = steps[i].starving == me + 1 ? 600 : SIZE_MAX;
        steps[i].rc[me] = steps[i].alg->run(r, &steps[i].call[me]);
        malloc_most = SIZE_MAX;
    }
    return NULL;
}

static void begin_world(int n, size_t len_bytes, void *mem)
{
    world.n = n;
    world.two_level = false;
    world.group = (struct hws_group){.obj = {HWS_KIND_GROUP, 1, 0}, .size = n};
    for (int r = 0; r < n; r++) {
        world.comm[r] = (struct hws_comm){.ctx = 64, .rank = r, .size = n, .group = &world.group};
        cr_assert(hws_region_init(&world.region[r], mem, len_bytes, n, r));
        world.region[r].net = &net;
    }
}

static void run_all(void)
{
    pthread_t threads[MAX_RANKS];
    for (int r = 0; r < world.n; r++)
        cr_assert_eq(pthread_create(&threads[r], NULL, rank_main, (void *)(intptr_t)r), 0);
    for (int r = 0; r < world.n; r++)
        pthread_join(threads[r], NULL);
}

/* ---- messages between them ---- */

static pthread_mutex_t net_mutex;

static void net_lock(void)
{
    pthread_mutex_lock(&net_mutex);
}

static void net_unlock(void)
{
    pthread_mutex_unlock(&net_mutex);
}

static void say_who(struct hws_sched *s)
{
    s->net_arg = (void *)(intptr_t)hws_group_peer(s->comm->group, s->comm->rank);
}

static void net_send(struct hws_send_op *op)
{
    size_t limit = malloc_most;
    malloc_most = SIZE_MAX; /* the network has memory */
    say_who(hws_container_of(op, struct hws_step, u.send)->sched);
    fake_send(op);
    malloc_most = limit;
}

static void net_recv(struct hws_recv_op *op)
{
    say_who(hws_container_of(op, struct hws_step, u.recv)->sched);
    fake_recv(op);
}

static void net_wait(const volatile bool *flag)
{
    size_t limit = malloc_most;
    malloc_most = SIZE_MAX;
    for (bool done = false; !done;) {
        net_lock();
        fake_deliver();
        done = *flag;
        net_unlock();
        sched_yield();
    }
    malloc_most = limit;
}

static const struct hws_sched_net threaded_net = {net_send, net_recv, net_wait, net_lock, net_unlock, NULL};

static void begin_net(void)
{
    cr_assert_eq(hws_coll_setup(), MPI_SUCCESS); /* algorithms in two levels choose among others */
    pthread_mutexattr_t recursive;
    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&net_mutex, &recursive);
    hws_sched_default_net = &threaded_net;
}

/* ---- operations ---- */

static int pick(int n)
{
    return (int)hws_test_random((uint64_t)n);
}

/* What rank r has for others in this step: salted, so that data of another step is seen. */
static struct elem value(int step, int from, int to, MPI_Count i)
{
    return fake_value(from, to, i + 37 * step);
}

static struct elem reduced_up_to(int step, const struct hws_op *op, MPI_Count i, int end)
{
    struct elem e = value(step, 0, 0, i);
    for (int r = 1; r < end; r++)
        e = fake_apply(op, e, value(step, r, 0, i));
    return e;
}

static struct elem reduced(int step, const struct hws_op *op, MPI_Count i)
{
    return reduced_up_to(step, op, i, world.n);
}

static void fill_bcast(int k, int r, MPI_Count n)
{
    struct hws_coll_call *a = &steps[k].call[r];
    for (MPI_Count i = 0; i < n; i++) {
        if (r == a->root)
            fake_fill(&steps[k].rbuf[r], i, a->rt, value(k, r, 0, i));
        else
            fake_expect(&steps[k].rbuf[r], i, a->rt, value(k, a->root, 0, i));
    }
}

static void fill_reduce(int k, int r, MPI_Count n, bool in_place)
{
    struct hws_coll_call *a = &steps[k].call[r];
    bool gets = a->kind == HWS_COLL_ALLREDUCE || r == a->root;
    for (MPI_Count i = 0; i < n; i++) {
        fake_fill(in_place && gets ? &steps[k].rbuf[r] : &steps[k].sbuf[r], i, a->rt, value(k, r, 0, i));
        if (gets)
            fake_expect(&steps[k].rbuf[r], i, a->rt, reduced(k, a->rop, i));
    }
    if (in_place && gets)
        a->sbuf = MPI_IN_PLACE;
}

static void fill_scan(int k, int r, MPI_Count n, bool in_place)
{
    struct hws_coll_call *a = &steps[k].call[r];
    int end = a->kind == HWS_COLL_SCAN ? r + 1 : r;
    for (MPI_Count i = 0; i < n; i++) {
        fake_fill(in_place ? &steps[k].rbuf[r] : &steps[k].sbuf[r], i, a->rt, value(k, r, 0, i));
        if (end > 0)
            fake_expect(&steps[k].rbuf[r], i, a->rt, reduced_up_to(k, a->rop, i, end));
    }
    if (in_place)
        a->sbuf = MPI_IN_PLACE;
}

/* What rank r gives of its own, in a gather or an allgather. */
static void fill_own_block(int k, int r, bool in_place)
{
    struct hws_coll_call *a = &steps[k].call[r];
    for (MPI_Count i = 0; i < steps[k].counts[r]; i++) {
        if (in_place)
            fake_fill(&steps[k].rbuf[r], steps[k].at[r] + i, a->rt, value(k, r, 0, i));
        else
            fake_fill(&steps[k].sbuf[r], i, a->st, value(k, r, 0, i));
    }
    if (in_place)
        a->sbuf = MPI_IN_PLACE;
}

static void expect_blocks(int k, int r)
{
    for (int from = 0; from < world.n; from++)
        for (MPI_Count i = 0; i < steps[k].counts[from]; i++)
            fake_expect(&steps[k].rbuf[r], steps[k].at[from] + i, steps[k].call[r].rt, value(k, from, 0, i));
}

static void fill_alltoall(int k, int r, bool in_place)
{
    const struct side *out = in_place ? &steps[k].in[r] : &steps[k].out[r], *in = &steps[k].in[r];
    struct hws_coll_call *a = &steps[k].call[r];
    for (int other = 0; other < world.n; other++) {
        for (MPI_Count i = 0; i < out->n[other]; i++)
            fake_fill(in_place ? &steps[k].rbuf[r] : &steps[k].sbuf[r], out->at[other] + i, in_place ? a->rt : a->st,
                      value(k, r, other, i));
        for (MPI_Count i = 0; i < in->n[other]; i++)
            fake_expect(&steps[k].rbuf[r], in->at[other] + i, a->rt, value(k, other, r, i));
    }
    if (in_place)
        a->sbuf = MPI_IN_PLACE;
}

static void fill_scatter(int k, int r, bool in_place)
{
    struct step *s = &steps[k];
    struct hws_coll_call *a = &s->call[r];
    in_place = in_place && r == a->root;
    for (int to = 0; r == a->root && to < world.n; to++)
        for (MPI_Count i = 0; i < s->counts[to]; i++)
            fake_fill(&s->sbuf[r], s->at[to] + i, a->st, value(k, r, to, i));
    for (MPI_Count i = 0; !in_place && i < s->counts[r]; i++)
        fake_expect(&s->rbuf[r], i, a->rt, value(k, a->root, r, i));
    if (in_place)
        a->rbuf = MPI_IN_PLACE;
}

/* Blocks of n elements; in the form with counts, of n or n + 1. */
static void fill_reduce_scatter(int k, int r, MPI_Count n, bool in_place)
{
    struct hws_coll_call *a = &steps[k].call[r];
    bool vector = a->kind == HWS_COLL_REDUCE_SCATTER;
    MPI_Count at = 0;
    for (int to = 0; to < world.n; to++) {
        MPI_Count block = n + (vector ? to % 2 : 0);
        if (vector)
            steps[k].counts[to] = block;
        for (MPI_Count i = 0; i < block; i++, at++) {
            fake_fill(in_place ? &steps[k].rbuf[r] : &steps[k].sbuf[r], at, a->rt, value(k, r, 0, at));
            if (to == r)
                fake_expect(&steps[k].rbuf[r], i, a->rt, reduced(k, a->rop, at));
        }
    }
    if (vector)
        a->rcounts = (struct hws_counts){steps[k].counts, true};
    if (in_place)
        a->sbuf = MPI_IN_PLACE;
}

static bool is_reduce_scatter(enum hws_coll_kind k)
{
    return k == HWS_COLL_REDUCE_SCATTER || k == HWS_COLL_REDUCE_SCATTER_BLOCK;
}

static bool is_scan(enum hws_coll_kind k)
{
    return k == HWS_COLL_SCAN || k == HWS_COLL_EXSCAN;
}

static bool is_gather(enum hws_coll_kind k)
{
    return k == HWS_COLL_GATHER || k == HWS_COLL_GATHERV;
}

static bool is_scatter(enum hws_coll_kind k)
{
    return k == HWS_COLL_SCATTER || k == HWS_COLL_SCATTERV;
}

static bool is_allgather(enum hws_coll_kind k)
{
    return k == HWS_COLL_ALLGATHER || k == HWS_COLL_ALLGATHERV;
}

static bool is_vector(enum hws_coll_kind k)
{
    return k == HWS_COLL_GATHERV || k == HWS_COLL_SCATTERV || k == HWS_COLL_ALLGATHERV;
}

/* Blocks of n elements, one after another; of vectors, of different lengths, with holes and in another order. */
static void set_up_blocks(int k, MPI_Count n)
{
    static const MPI_Count counts[] = {0, 0, 1, 3, 7, 40, 301, 600, 1500};
    struct step *s = &steps[k];
    bool vector = is_vector(s->kind), up = pick(2);
    s->all = 0;
    for (int i = 0; i < world.n; i++) {
        int r = up || !vector ? i : world.n - 1 - i;
        s->counts[r] = vector && pick(3) ? counts[pick((int)HWS_ARRAY_LEN(counts))] : n;
        s->at[r] = s->all;
        s->all += s->counts[r] + vector;
    }
}

static void set_up_vectors(int k, struct hws_coll_call *a)
{
    struct hws_counts counts = {steps[k].counts, true}, displs = {steps[k].at, true};
    bool root = a->comm->rank == a->root, scatter = a->kind == HWS_COLL_SCATTERV;
    if (scatter ? root : root || is_allgather(a->kind)) {
        *(scatter ? &a->scounts : &a->rcounts) = counts;
        *(scatter ? &a->sdispls : &a->rdispls) = displs;
    }
    *(scatter ? &a->rn : &a->sn) = steps[k].counts[a->comm->rank];
}

static bool is_pairs(enum hws_coll_kind k)
{
    return k == HWS_COLL_ALLTOALLV || k == HWS_COLL_ALLTOALLW;
}

static bool is_alltoall(enum hws_coll_kind k)
{
    return is_pairs(k) || k == HWS_COLL_ALLTOALL;
}

/* Many pairs have nothing, few very much. */
static void set_up_pairs(int k, MPI_Count n, bool in_place)
{
    static const MPI_Count counts[] = {0, 0, 0, 1, 3, 7, 40, 301, 1500};
    bool vector = is_pairs(steps[k].kind);
    for (int i = 0; i < world.n; i++)
        for (int j = 0; j < world.n; j++)
            steps[k].pairs[i][j] = !vector             ? n
                                   : in_place && j < i ? steps[k].pairs[j][i]
                                                       : counts[pick((int)HWS_ARRAY_LEN(counts))];
}

/* Lays the blocks out with holes between them. Elements in all. */
static MPI_Count lay_out(struct side *d, const MPI_Count *n, int step, int hole, struct hws_type *t)
{
    MPI_Count at = 0;
    for (int i = 0; i < world.n; i++, at += d->n[i - 1] + hole) {
        d->n[i] = n[i * step];
        d->at[i] = at;
        d->at_bytes[i] = at * t->extent;
        d->types[i] = hws_type_handle(t);
    }
    return at;
}

static struct hws_counts wide(const MPI_Count *v)
{
    return (struct hws_counts){v, true};
}

static void set_up_alltoall(int k, int r, struct hws_coll_call *a, bool in_place)
{
    struct step *s = &steps[k];
    struct side *out = &s->out[r], *in = &s->in[r];
    bool w = a->kind == HWS_COLL_ALLTOALLW;
    MPI_Count n_out = lay_out(out, s->pairs[r], 1, is_pairs(a->kind), a->st);
    MPI_Count n_in = lay_out(in, &s->pairs[0][r], MAX_RANKS, is_pairs(a->kind), a->rt);
    a->sbuf = (s->sbuf[r] = fake_alloc(n_out, a->st)).p;
    a->rbuf = (s->rbuf[r] = fake_alloc(n_in, a->rt)).p;
    if (is_pairs(a->kind)) {
        a->scounts = wide(out->n);
        a->sdispls = wide(w ? out->at_bytes : out->at);
        a->rcounts = wide(in->n);
        a->rdispls = wide(w ? in->at_bytes : in->at);
        a->stypes = w ? out->types : NULL;
        a->rtypes = w ? in->types : NULL;
    }
    s->call[r] = *a;
    fill_alltoall(k, r, in_place);
}

static void set_up_rank(int k, int r, struct hws_coll_call a, bool in_place)
{
    struct step *s = &steps[k];
    MPI_Count n = a.rn, all = s->all, one = s->counts[r];
    bool blocks = is_reduce_scatter(a.kind), root = r == a.root;
    a.comm = &world.comm[r];
    if (is_alltoall(a.kind)) {
        set_up_alltoall(k, r, &a, in_place);
        return;
    }
    s->sbuf[r] = fake_alloc(blocks ? all + world.n : root && is_scatter(a.kind) ? all : one, a.st);
    s->rbuf[r] = fake_alloc(blocks                                                ? all + world.n
                            : is_allgather(a.kind) || (root && is_gather(a.kind)) ? all
                                                                                  : one,
                            a.rt);
    a.sbuf = s->sbuf[r].p;
    a.rbuf = s->rbuf[r].p;
    if (is_vector(a.kind))
        set_up_vectors(k, &a);
    s->call[r] = a;
    if (a.kind == HWS_COLL_BCAST)
        fill_bcast(k, r, n);
    else if (is_gather(a.kind) || is_allgather(a.kind))
        fill_own_block(k, r, in_place && (root || is_allgather(a.kind)));
    else if (is_scatter(a.kind))
        fill_scatter(k, r, in_place);
    else if (blocks)
        fill_reduce_scatter(k, r, n, in_place);
    else if (is_scan(a.kind))
        fill_scan(k, r, n, in_place);
    else if (a.rop)
        fill_reduce(k, r, a.rn, in_place);
    if (is_allgather(a.kind) || (root && is_gather(a.kind)))
        expect_blocks(k, r);
}

static size_t room(void)
{
    return world.two_level ? world.hosts[0]->room : world.region[0].room;
}

/* What run.c asks before it takes a form, as far as it goes by the world: a scan in two levels needs hosts in order. */
static bool can(const struct hws_algorithm *alg, enum hws_coll_kind kind)
{
    if (!hws_algorithm_serves(alg, kind) || !alg->run || !(alg->needs & HWS_ALG_HOSTS) != !world.two_level)
        return false;
    if (is_scan(kind))
        return !world.two_level || world.hosts[0]->in_order;
    return !is_pairs(kind) || hws_pairs_fit_far(room(), world.n) > 0;
}

/* A form of an operation, all with equal chances. */
static void choose_form(struct step *s)
{
    unsigned n = 0;
    for (int kind = 0; kind < HWS_COLL_SELECTED; kind++) {
        for (size_t i = 0; i < hws_n_algorithms; i++) {
            if (!can(&hws_algorithms[i], (enum hws_coll_kind)kind) || pick((int)++n) != 0)
                continue;
            s->alg = &hws_algorithms[i];
            s->kind = (enum hws_coll_kind)kind;
        }
    }
}

/* The one in memory that all share. */
static void take_shm(struct step *s, enum hws_coll_kind kind)
{
    s->alg = hws_algorithm_find(kind, "shm", 3);
    s->kind = kind;
}

/* And by the call. */
static bool fits(const struct hws_coll_call *a)
{
    MPI_Count most = hws_shm_elements(a->rt, room());
    return !a->rop || most > 0;
}

/* Reductions have one type; all others may have different ones on both sides. */
static void set_up_step(int k)
{
    static const MPI_Count counts[] = {0, 1, 2, 7, 40, 301};
    struct step *s = &steps[k];
    choose_form(s);
    s->starving = 0;
    struct hws_coll_call a = {.kind = s->kind, .root = pick(world.n)};
    bool reduction =
        a.kind == HWS_COLL_REDUCE || a.kind == HWS_COLL_ALLREDUCE || is_reduce_scatter(a.kind) || is_scan(a.kind);
    a.rt = &fake_types[pick(FAKE_TYPES)].t;
    a.st = reduction ? a.rt : &fake_types[pick(FAKE_TYPES)].t;
    bool must_commute = world.two_level && !world.hosts[0]->in_order;
    a.rop = reduction ? &fake_ops[must_commute ? 0 : pick(2)] : NULL;
    a.sn = a.rn = a.kind == HWS_COLL_BARRIER ? 0 : counts[pick((int)HWS_ARRAY_LEN(counts))];
    while (!fits(&a))
        a.sn = a.rn = a.rn / 2;
    bool in_place = pick(2);
    set_up_blocks(k, a.rn);
    set_up_pairs(k, a.rn, in_place);
    for (int r = 0; r < world.n; r++)
        set_up_rank(k, r, a, in_place);
}

static void drop_step(int k)
{
    for (int r = 0; r < world.n; r++) {
        fake_free(&steps[k].sbuf[r]);
        fake_free(&steps[k].rbuf[r]);
    }
}

/* Whoever fails knows why, also when it was another one's memory. */
static int check_failures(int k)
{
    struct step *s = &steps[k];
    int failures = 0;
    for (int r = 0; r < world.n; r++) {
        cr_assert(s->rc[r] == MPI_SUCCESS || s->rc[r] == MPI_ERR_NO_MEM,
                  "step %d, %s, root %d: rank %d of %d says %d, without memory: %d", k, hws_coll_names[s->kind],
                  s->call[r].root, r, world.n, s->rc[r], s->starving - 1);
        failures += s->rc[r] != MPI_SUCCESS;
    }
    return failures;
}

static void check_step(int k)
{
    struct step *s = &steps[k];
    for (int r = 0; r < world.n; r++) {
        cr_assert_eq(s->rc[r], MPI_SUCCESS, "step %d, %s: rank %d of %d failed", k, hws_coll_names[s->kind], r,
                     world.n);
        cr_assert(fake_right(&s->rbuf[r]), "step %d, %s of %lld, root %d: rank %d of %d: wrong result", k,
                  hws_coll_names[s->kind], (long long)s->call[r].rn, s->call[r].root, r, world.n);
        cr_assert(fake_right(&s->sbuf[r]), "step %d: rank %d of %d: send buffer changed", k, r, world.n);
    }
    drop_step(k);
}

/* Operations that need memory for data, and take part as failed where there is none. */
static void starve_some(void)
{
    for (int k = 0; k < STEPS; k++)
        if (pick(3))
            steps[k].starving = 1 + pick(world.n);
}

static void check_steps(void)
{
    int failures = 0;
    for (int k = 0; k < STEPS; k++) {
        int here = steps[k].starving ? check_failures(k) : 0;
        failures += here;
        if (here)
            drop_step(k);
        else
            check_step(k);
    }
    world.failures += failures;
}

static void run_trial(int n, size_t room)
{
    size_t len = (size_t)n * 64 * 2 + 64 + HWS_REGION_CELLS * (size_t)n * (64 + room);
    void *mem = aligned_alloc(64, len);
    memset(mem, 0, len);
    begin_world(n, len, mem);
    fake_reset(pick(2));
    for (int k = 0; k < STEPS; k++)
        set_up_step(k);
    run_all();
    cr_assert_eq(fake_n_msgs, 0, "a message nobody received");
    for (int k = 0; k < STEPS; k++)
        check_step(k);
    free(mem);
}

Test(shm, random_sequences)
{
    hws_test_seed("shm");
    begin_net();
    for (int n = 1; n <= MAX_RANKS; n++) {
        run_trial(n, 1024);
        run_trial(n, 16384);
    }
    int n_rounds = hws_test_rounds(10);
    for (int i = 0; i < n_rounds; i++)
        run_trial(2 + pick(7), 512u << pick(6));
}

/* ---- two levels ---- */

/* Each host's region, at the place of its leader in world.region, for all its ranks; memory by host. */
static void begin_host(struct hws_hosts *h, int rank, void *mem, size_t len)
{
    int n = hws_hosts_size(h, h->mine);
    world.comm[rank].hosts = world.hosts[rank] = h;
    if (n > 1) {
        cr_assert(hws_region_init(&world.region[rank], mem, len, n, h->me));
        world.region[rank].net = &net;
        h->region = &world.region[rank];
    }
}

static void end_host(struct hws_hosts *h)
{
    h->region = NULL;
    hws_hosts_drop(h);
}

static void run_two_level(int n, int n_hosts, bool in_order, size_t room)
{
    size_t len = (size_t)n * 64 * 2 + 64 + HWS_REGION_CELLS * (size_t)n * (64 + room);
    char *mem = aligned_alloc(64, len * (size_t)n_hosts);
    int32_t keys[MAX_RANKS];
    int first[MAX_RANKS];
    memset(mem, 0, len * (size_t)n_hosts);
    begin_world(n, len, mem);
    world.two_level = true;
    fake_reset(pick(2));
    for (int r = 0; r < n; r++)
        keys[r] = in_order ? (r * n_hosts / n) * 7 % 31 : pick(n_hosts) * 7 % 31;
    for (int r = 0; r < n; r++) {
        struct hws_hosts *h = hws_hosts_map(keys, n, r);
        begin_host(h, r, mem + (size_t)h->mine * len, len);
        first[h->mine] = h->ranks[h->first[h->mine]];
        cr_assert_eq(keys[first[h->mine]], keys[r]);
        cr_assert(!in_order || h->in_order);
    }
    size_t least = SIZE_MAX;
    for (int r = 0; r < n; r++)
        if (world.hosts[r]->region && world.hosts[r]->region->room < least)
            least = world.hosts[r]->region->room;
    for (int r = 0; r < n; r++)
        world.hosts[r]->room = least;
    for (int k = 0; k < STEPS; k++)
        set_up_step(k);
    if (world.hungry)
        starve_some();
    run_all();
    cr_assert_eq(fake_n_msgs, 0, "a message nobody received");
    check_steps();
    for (int r = 0; r < n; r++)
        end_host(world.hosts[r]);
    free(mem);
}

Test(two_level, random_sequences)
{
    hws_test_seed("two levels");
    begin_net();
    int n_rounds = hws_test_rounds(20);
    for (int i = 0; i < n_rounds; i++) {
        int n = 2 + pick(MAX_RANKS - 1);
        run_two_level(n, 1 + pick(n < 5 ? n : 5), pick(2), 256u << pick(7));
    }
}

Test(two_level, a_rank_without_memory_fails_and_the_others_with_it)
{
    hws_test_seed("starving");
    begin_net();
    world.hungry = CAN_STARVE;
    int n_rounds = hws_test_rounds(20);
    for (int i = 0; i < n_rounds; i++) {
        int n = 2 + pick(9);
        run_two_level(n, 1 + pick(n < 5 ? n : 5), pick(2), 256u << pick(7));
    }
    world.hungry = false;
    cr_assert(!CAN_STARVE || world.failures > 0);
}

Test(two_level, map_of_hosts)
{
    static const int32_t keys[] = {4, 9, 4, -3, 9, 4};
    struct hws_hosts *h = hws_hosts_map(keys, 6, 4);
    static const int ranks[] = {0, 2, 5, 1, 4, 3}, of[] = {0, 1, 0, 2, 1, 0};
    cr_assert_eq(h->n, 3);
    cr_assert_eq(h->mine, 1);
    cr_assert_eq(h->me, 1);
    cr_assert_eq(memcmp(h->ranks, ranks, sizeof ranks), 0);
    cr_assert_eq(memcmp(h->of, of, sizeof of), 0);
    cr_assert_eq(h->first[3], 6);
    cr_assert(!h->in_order && !h->in_turn);
    hws_hosts_drop(h);
    static const int32_t turns[] = {4, 9, -3, 4, 9}, runs[] = {4, 4, 9};
    h = hws_hosts_map(turns, 5, 0);
    cr_assert(h->in_turn && !h->in_order);
    hws_hosts_drop(h);
    h = hws_hosts_map(runs, 3, 0);
    cr_assert(h->in_order && !h->in_turn);
    hws_hosts_drop(h);
}

/* The same sums to the bit, in whatever order the ranks come. */
Test(shm, sums_have_the_same_brackets_each_time)
{
    hws_test_seed("shm brackets");
    double first = 0;
    int n_rounds = hws_test_rounds(20);
    for (int i = 0; i < n_rounds; i++) {
        size_t len = 1 << 20;
        void *mem = aligned_alloc(64, len);
        double in[13], out[13];
        memset(mem, 0, len);
        begin_world(13, len, mem);
        for (int k = 0; k < STEPS; k++) {
            take_shm(&steps[k], HWS_COLL_ALLREDUCE);
            for (int r = 0; r < 13; r++) {
                in[r] = 1.0 / (3 + 7 * r) * (r % 2 ? 1e10 : 1e-3);
                steps[k].call[r] = (struct hws_coll_call){.kind = HWS_COLL_ALLREDUCE,
                                                          .comm = &world.comm[r],
                                                          .sbuf = &in[r],
                                                          .rbuf = &out[r],
                                                          .rn = 1,
                                                          .rt = hws_type_of(MPI_DOUBLE),
                                                          .rop = hws_op_of(MPI_SUM)};
            }
        }
        run_all();
        first = i ? first : out[0];
        for (int r = 0; r < 13; r++)
            cr_assert_eq(memcmp(&out[r], &first, sizeof first), 0, "%.20g is not %.20g", out[r], first);
        free(mem);
    }
}

/* Lengths that differ are seen by those whose data they are, and the region goes on. */
Test(shm, different_lengths)
{
    size_t len = 1 << 18;
    void *mem = aligned_alloc(64, len);
    char buf[4][64] = {"abcdefg", "", "", ""};
    memset(mem, 0, len);
    begin_world(4, len, mem);
    for (int k = 0; k < STEPS; k++) {
        bool sum = k % 2;
        take_shm(&steps[k], sum ? HWS_COLL_ALLREDUCE : HWS_COLL_BCAST);
        for (int r = 0; r < 4; r++)
            steps[k].call[r] = (struct hws_coll_call){.kind = steps[k].kind,
                                                      .comm = &world.comm[r],
                                                      .sbuf = MPI_IN_PLACE,
                                                      .rbuf = buf[r],
                                                      .rn = (k == 20 || k == 21) && r == 2 ? 9 : 8,
                                                      .rt = hws_type_of(MPI_BYTE),
                                                      .rop = sum ? hws_op_of(MPI_BOR) : NULL};
    }
    run_all();
    for (int k = 0; k < STEPS; k++)
        for (int r = 0; r < 4; r++)
            cr_assert_eq(steps[k].rc[r], k == 21 || (k == 20 && r == 2) ? MPI_ERR_TRUNCATE : MPI_SUCCESS,
                         "step %d rank %d", k, r);
    cr_assert_eq(memcmp(buf[3], "abcdefg", 8), 0);
    free(mem);
}
