/* SPDX-License-Identifier: BSD-3-Clause
 *
 * algorithm_test: every algorithm, all ranks of it in one process over the fake network: 1 to 17 ranks, all roots,
 * several counts, MPI_IN_PLACE, dense and gapped types, operations that commute and that do not, long and short
 * messages' manners. Every byte of every buffer is compared.
 */
#include "../fake.h"

#include <malloc.h>

#include "../../../support/sanitized.h"
#include "cast/cast.h"
#include "coll/run.h"
#include "core/hosts/hosts.h"

enum { LONG = 1000 };

#if HWS_SANITIZED
enum { MOST_RANKS = 9, LEAST_LONG = 5 }; /* everything is five times slower */
#else
enum { MOST_RANKS = 17, LEAST_LONG = 4 };
#endif

/* One run: the ranks' calls and buffers. */
struct trial {
    const struct hws_algorithm *alg;
    enum hws_coll_kind kind;
    int n, root;
    MPI_Count count;
    struct hws_type *st, *rt; /* of the send and the receive side */
    struct hws_op *op;
    bool in_place, eager;
    int placement; /* for those in two levels: see host_of */
    int sites;     /* and that many sites: see site_of; 0: they are not known */
    struct hws_group group;
    struct hws_comm comm[FAKE_MAX];
    struct hws_coll_call call[FAKE_MAX];
    struct fake_buf sbuf[FAKE_MAX], rbuf[FAKE_MAX];
    MPI_Count vector[4][FAKE_MAX][FAKE_MAX]; /* scounts sdispls rcounts rdispls, by rank; as wide or int */
    MPI_Datatype types[2][FAKE_MAX];
};

static struct trial T;

/* Elements from rank i to rank j in the v and w forms; symmetric, so that MPI_IN_PLACE is allowed. */
static MPI_Count count_v(int i, int j)
{
    return T.count ? (T.count + i + j) % (T.count + 3) : 0;
}

/* The same where only the contributing (or receiving) rank counts. */
static MPI_Count count_of(int i)
{
    return T.count ? (T.count + 2 * i) % (T.count + 4) : 0;
}

/* Stores counts and displacements (in elements; or in bytes when ext > 0) as wide or, on odd counts, as int. */
static struct hws_counts vec(int which, int rank, const MPI_Count *v)
{
    bool wide = T.count % 2 == 0;
    for (int i = 0; i < T.n; i++) {
        if (wide)
            T.vector[which][rank][i] = v[i];
        else
            ((int *)T.vector[which][rank])[i] = (int)v[i];
    }
    return (struct hws_counts){T.vector[which][rank], wide};
}

static void set_buffers(int r, MPI_Count n_send, MPI_Count n_recv)
{
    T.sbuf[r] = fake_alloc(n_send, T.st);
    T.rbuf[r] = fake_alloc(n_recv, T.rt);
    T.call[r].sbuf = T.sbuf[r].p;
    T.call[r].rbuf = T.rbuf[r].p;
}

/* ---- one setup per family: arguments, contents before, contents wanted after ---- */

static void setup_bcast(int r)
{
    set_buffers(r, 0, T.count);
    T.call[r].rn = T.count;
    for (MPI_Count i = 0; i < T.count; i++) {
        if (r == T.root)
            fake_fill(&T.rbuf[r], i, T.rt, fake_value(r, 0, i));
        else
            fake_expect(&T.rbuf[r], i, T.rt, fake_value(T.root, 0, i));
    }
}

static bool is_v(void)
{
    return T.kind == HWS_COLL_GATHERV || T.kind == HWS_COLL_SCATTERV || T.kind == HWS_COLL_ALLGATHERV;
}

/* Where block i of a side with one block per rank lies: v forms leave a hole of one element between blocks. */
static MPI_Count block_at(int i)
{
    MPI_Count at = 0;
    if (!is_v())
        return i * T.count;
    for (int j = 0; j < i; j++)
        at += count_of(j) + 1;
    return at;
}

static MPI_Count block_n(int i)
{
    return is_v() ? count_of(i) : T.count;
}

static void vectors(int r, int counts_slot, struct hws_counts *counts, struct hws_counts *displs)
{
    MPI_Count n[FAKE_MAX], at[FAKE_MAX];
    for (int i = 0; i < T.n; i++) {
        n[i] = block_n(i);
        at[i] = block_at(i);
    }
    *counts = vec(counts_slot, r, n);
    *displs = vec(counts_slot + 1, r, at);
}

static void setup_gather(int r)
{
    bool all = T.kind == HWS_COLL_ALLGATHER || T.kind == HWS_COLL_ALLGATHERV, gets = all || r == T.root;
    bool in_place = T.in_place && gets;
    set_buffers(r, block_n(r), gets ? block_at(T.n) : 0);
    struct hws_coll_call *a = &T.call[r];
    a->sn = block_n(r);
    a->rn = T.count;
    if (is_v())
        vectors(r, 2, &a->rcounts, &a->rdispls);
    if (in_place)
        a->sbuf = MPI_IN_PLACE;
    for (MPI_Count i = 0; i < block_n(r); i++) {
        fake_fill(&T.sbuf[r], i, T.st, fake_value(r, 0, i));
        if (in_place)
            fake_fill(&T.rbuf[r], block_at(r) + i, T.rt, fake_value(r, 0, i));
    }
    for (int j = 0; gets && j < T.n; j++)
        for (MPI_Count i = 0; i < block_n(j); i++)
            fake_expect(&T.rbuf[r], block_at(j) + i, T.rt, fake_value(j, 0, i));
}

static void setup_scatter(int r)
{
    bool in_place = T.in_place && r == T.root;
    set_buffers(r, r == T.root ? block_at(T.n) : 0, block_n(r));
    struct hws_coll_call *a = &T.call[r];
    a->sn = T.count;
    a->rn = block_n(r);
    if (is_v() && r == T.root)
        vectors(r, 0, &a->scounts, &a->sdispls);
    if (in_place)
        a->rbuf = MPI_IN_PLACE;
    for (int j = 0; r == T.root && j < T.n; j++)
        for (MPI_Count i = 0; i < block_n(j); i++)
            fake_fill(&T.sbuf[r], block_at(j) + i, T.st, fake_value(T.root, j, i));
    for (MPI_Count i = 0; !in_place && i < block_n(r); i++)
        fake_expect(&T.rbuf[r], i, T.rt, fake_value(T.root, r, i));
}

static MPI_Count all_n(int i, int j)
{
    return T.kind == HWS_COLL_ALLTOALL ? T.count : count_v(i, j);
}

static MPI_Count all_at(int r, int j)
{
    MPI_Count at = 0;
    for (int i = 0; i < j; i++)
        at += all_n(r, i) + (T.kind == HWS_COLL_ALLTOALL ? 0 : 1);
    return at;
}

static void setup_alltoall_vectors(int r)
{
    struct hws_coll_call *a = &T.call[r];
    bool w = T.kind == HWS_COLL_ALLTOALLW;
    MPI_Count n[FAKE_MAX], sat[FAKE_MAX], rat[FAKE_MAX];
    for (int j = 0; j < T.n; j++) {
        n[j] = all_n(r, j);
        sat[j] = all_at(r, j) * (w ? T.st->extent : 1);
        rat[j] = all_at(r, j) * (w ? T.rt->extent : 1);
        T.types[0][j] = hws_type_handle(T.st);
        T.types[1][j] = hws_type_handle(T.rt);
    }
    a->scounts = vec(0, r, n);
    a->sdispls = vec(1, r, sat);
    a->rcounts = vec(2, r, n);
    a->rdispls = vec(3, r, rat);
    a->stypes = w ? T.types[0] : NULL;
    a->rtypes = w ? T.types[1] : NULL;
}

static void setup_alltoall(int r)
{
    set_buffers(r, all_at(r, T.n), all_at(r, T.n));
    struct hws_coll_call *a = &T.call[r];
    a->sn = a->rn = T.count;
    if (T.kind != HWS_COLL_ALLTOALL)
        setup_alltoall_vectors(r);
    if (T.in_place)
        a->sbuf = MPI_IN_PLACE;
    for (int j = 0; j < T.n; j++) {
        for (MPI_Count i = 0; i < all_n(r, j); i++) {
            fake_fill(&T.sbuf[r], all_at(r, j) + i, T.st, fake_value(r, j, i));
            if (T.in_place)
                fake_fill(&T.rbuf[r], all_at(r, j) + i, T.rt, fake_value(r, j, i));
            fake_expect(&T.rbuf[r], all_at(r, j) + i, T.rt, fake_value(j, r, i));
        }
    }
}

/* Element i reduced over ranks from .. to - 1. */
static struct elem reduced(int from, int to, MPI_Count i)
{
    struct elem e = fake_value(from, 0, i);
    for (int r = from + 1; r < to; r++)
        e = fake_apply(T.op, e, fake_value(r, 0, i));
    return e;
}

static void setup_operand(int r, MPI_Count n, bool in_place)
{
    T.call[r].rop = T.op;
    T.st = T.rt; /* a reduction has one type */
    if (in_place)
        T.call[r].sbuf = MPI_IN_PLACE;
    for (MPI_Count i = 0; i < n; i++) {
        fake_fill(&T.sbuf[r], i, T.st, fake_value(r, 0, i));
        if (in_place)
            fake_fill(&T.rbuf[r], i, T.rt, fake_value(r, 0, i));
    }
}

static void setup_reduce(int r)
{
    enum hws_coll_kind k = T.kind;
    bool gets = k != HWS_COLL_REDUCE || r == T.root;
    set_buffers(r, T.count, gets ? T.count : 0);
    T.call[r].rn = T.count;
    setup_operand(r, T.count, T.in_place && gets);
    int to = k == HWS_COLL_SCAN ? r + 1 : k == HWS_COLL_EXSCAN ? r : T.n;
    for (MPI_Count i = 0; gets && to > 0 && i < T.count; i++)
        fake_expect(&T.rbuf[r], i, T.rt, reduced(0, to, i));
}

static void setup_reduce_scatter(int r)
{
    MPI_Count n[FAKE_MAX], total = 0, mine = 0;
    for (int i = 0; i < T.n; i++) {
        n[i] = T.kind == HWS_COLL_REDUCE_SCATTER ? count_of(i) : T.count;
        mine = i == r ? total : mine;
        total += n[i];
    }
    set_buffers(r, total, T.in_place ? total : n[r]);
    T.call[r].rn = T.count;
    if (T.kind == HWS_COLL_REDUCE_SCATTER)
        T.call[r].rcounts = vec(2, r, n);
    setup_operand(r, total, T.in_place);
    for (MPI_Count i = 0; i < n[r]; i++)
        fake_expect(&T.rbuf[r], i, T.rt, reduced(0, T.n, mine + i));
}

static void setup_barrier(int r)
{
    set_buffers(r, 0, 0);
}

static void (*const setups[HWS_COLL_SELECTED])(int r) = {
    [HWS_COLL_BARRIER] = setup_barrier,
    [HWS_COLL_BCAST] = setup_bcast,
    [HWS_COLL_GATHER] = setup_gather,
    [HWS_COLL_GATHERV] = setup_gather,
    [HWS_COLL_SCATTER] = setup_scatter,
    [HWS_COLL_SCATTERV] = setup_scatter,
    [HWS_COLL_ALLGATHER] = setup_gather,
    [HWS_COLL_ALLGATHERV] = setup_gather,
    [HWS_COLL_ALLTOALL] = setup_alltoall,
    [HWS_COLL_ALLTOALLV] = setup_alltoall,
    [HWS_COLL_ALLTOALLW] = setup_alltoall,
    [HWS_COLL_REDUCE] = setup_reduce,
    [HWS_COLL_ALLREDUCE] = setup_reduce,
    [HWS_COLL_REDUCE_SCATTER] = setup_reduce_scatter,
    [HWS_COLL_REDUCE_SCATTER_BLOCK] = setup_reduce_scatter,
    [HWS_COLL_SCAN] = setup_reduce,
    [HWS_COLL_EXSCAN] = setup_reduce,
};

/* Where ranks are: runs of three, in turn on three hosts, all but some on one, the last ranks' host first. */
enum { RUNS, TURNS, UNEVEN, BACKWARDS, PLACEMENTS };

static int host_of(int rank)
{
    switch (T.placement) {
    case RUNS:
        return rank / 3;
    case TURNS:
        return rank % 3;
    case UNEVEN:
        return rank % 5 == 3 ? rank : 0;
    default:
        return -rank / 4;
    }
}

/* Of two sites, the first has one host; of three, each other host of the rest is another one's. */
static int site_of(int rank)
{
    int host = T.comm[0].placed->of[rank];
    return host == 0 ? 0 : T.sites == 2 ? 1 : 1 + host % 2;
}

static bool in_two_levels(void)
{
    return T.alg->needs & HWS_ALG_HOSTS;
}

/* Multicast reaches all hosts. */
static void give_cast(int rank)
{
    const struct hws_hosts *h = T.comm[rank].placed;
    struct hws_cast *cast = calloc(1, sizeof *cast + FAKE_MAX * sizeof cast->ranks[0]);
    cast->worth.use = HWS_CAST_USED;
    cast->n = h->n;
    for (int i = 0; i < h->n; i++)
        cast->ranks[i] = h->ranks[h->first[i]];
    T.comm[rank].cast = cast;
}

static void place(int rank)
{
    int32_t keys[FAKE_MAX];
    for (int i = 0; i < T.n; i++)
        keys[i] = host_of(i);
    T.comm[rank].placed = hws_hosts_map(keys, T.n, rank);
    int sites[FAKE_MAX];
    for (int i = 0; T.sites && i < T.n; i++)
        sites[i] = site_of(i);
    if (T.sites)
        cr_assert_eq(hws_hosts_add_sites(T.comm[rank].placed, sites), MPI_SUCCESS);
    else
        give_cast(rank);
}

static bool fits(void)
{
    struct hws_shape shape = {
        .kind = T.kind, .ranks = T.n, .commutative = T.op->commutative, .in_place = T.in_place, .hosts = true};
    shape.cast = true;
    bool in_order = T.placement == RUNS || T.placement == BACKWARDS;
    bool scan = T.kind == HWS_COLL_SCAN || T.kind == HWS_COLL_EXSCAN;
    return hws_algorithm_fits(T.alg, &shape) && (!in_two_levels() || in_order || (T.op->commutative && !scan));
}

static void set_up(void)
{
    T.group = (struct hws_group){.obj = {HWS_KIND_GROUP, 1, 0}, .size = T.n};
    for (int r = 0; r < T.n; r++) {
        T.comm[r] = (struct hws_comm){.ctx = 64, .rank = r, .size = T.n, .group = &T.group, .coll_tag = 11};
        T.call[r] = (struct hws_coll_call){.kind = T.kind, .comm = &T.comm[r], .st = T.st, .rt = T.rt, .root = T.root};
        if (in_two_levels())
            place(r);
        if (T.sites)
            fake_site[r] = site_of(r);
        setups[T.kind](r);
    }
}

static const char *describe(void)
{
    static char text[256];
    snprintf(text, sizeof text,
             "%s %s n=%d root=%d count=%lld types=%d,%d commutative=%d in_place=%d eager=%d placement=%d "
             "sites=%d",
             hws_coll_names[T.kind], T.alg->name, T.n, T.root, (long long)T.count,
             (int)(fake_type_of(T.st) - fake_types), (int)(fake_type_of(T.rt) - fake_types), T.op->commutative,
             T.in_place, T.eager, T.placement, T.sites);
    return text;
}

static void run(void)
{
    struct hws_sched *s[FAKE_MAX];
    fake_reset(T.eager);
    set_up();
    for (int r = 0; r < T.n; r++) {
        s[r] = hws_sched_new(&T.comm[r], false);
        s[r]->net = &fake_net;
        s[r]->net_arg = (void *)(intptr_t)r;
        T.alg->build(s[r], &T.call[r]);
        cr_assert_eq(hws_sched_start(s[r]), MPI_SUCCESS, "%s", describe());
    }
    fake_deliver();
    for (int r = 0; r < T.n; r++) {
        cr_assert(s[r]->complete, "%s: rank %d hangs", describe(), r);
        cr_assert_eq(hws_sched_result(s[r]), MPI_SUCCESS, "%s: rank %d failed", describe(), r);
        cr_assert(fake_right(&T.rbuf[r]), "%s: rank %d: wrong result", describe(), r);
        cr_assert(fake_right(&T.sbuf[r]), "%s: rank %d: send buffer changed", describe(), r);
        hws_sched_free(s[r]);
        fake_free(&T.sbuf[r]);
        fake_free(&T.rbuf[r]);
        hws_hosts_drop(T.comm[r].placed);
        free(T.comm[r].cast);
    }
    cr_assert_eq(fake_n_msgs, 0, "%s: a message nobody received", describe());
}

static bool rooted(enum hws_coll_kind k)
{
    return k == HWS_COLL_BCAST || k == HWS_COLL_GATHER || k == HWS_COLL_GATHERV || k == HWS_COLL_SCATTER ||
           k == HWS_COLL_SCATTERV || k == HWS_COLL_REDUCE;
}

/* All variants of one algorithm on n ranks with `count` elements. */
static void run_variants(int n, MPI_Count count)
{
    for (int v = 0; v < 2 * 2 * 2 * FAKE_TYPES; v++) {
        T.n = n;
        T.count = count;
        T.op = &fake_ops[v & 1];
        T.in_place = v >> 1 & 1;
        T.eager = v >> 2 & 1;
        T.rt = &fake_types[v >> 3].t;
        T.st = &fake_types[((v >> 3) + (v >> 1 & 1)) % FAKE_TYPES].t; /* same signature, other map */
        struct hws_type *st = T.st;
        if (!fits())
            continue;
        int step = count > LONG && n > 1 ? n - 1 : 1; /* long messages: the first and the last root */
        for (T.root = 0; T.root < (rooted(T.kind) ? n : 1); T.root += step) {
            T.st = T.kind >= HWS_COLL_REDUCE ? T.rt : st;
            run();
        }
    }
}

static void run_counts(void)
{
    static const MPI_Count counts[] = {0, 1, 5, 18};
    for (T.placement = 0; T.placement < (in_two_levels() ? PLACEMENTS : 1); T.placement++) {
        for (int n = 1; n <= MOST_RANKS; n += 1 + in_two_levels() * (n > 8))
            for (size_t c = 0; c < HWS_ARRAY_LEN(counts); c++)
                run_variants(n, counts[c]);
        for (int n = LEAST_LONG; n <= 5; n++) /* long: segments, receives one after another */
            run_variants(n, 20011);
        for (T.sites = 2; in_two_levels() && T.sites <= 3; T.sites++)
            for (int n = 5; n <= MOST_RANKS; n += 4)
                for (size_t c = 0; c < HWS_ARRAY_LEN(counts); c++)
                    run_variants(n, counts[c]);
        T.sites = 0;
    }
}

/* Once more, by multicast between the hosts. */
static void run_cast(void)
{
    if (!in_two_levels() || !hws_algorithm_find(T.kind, "multicast", strlen("multicast")))
        return;
    cr_assert_eq(hws_coll_force("*=multicast"), MPI_SUCCESS);
    run_counts();
    cr_assert_eq(hws_coll_force(NULL), MPI_SUCCESS);
}

static void run_kind(enum hws_coll_kind kind)
{
    mallopt(M_MMAP_THRESHOLD, 256 << 20); /* what the schedules allocate, too, serves the next: see fake_take() */
    mallopt(M_TRIM_THRESHOLD, 256 << 20);
    hws_test_seed(hws_coll_names[kind]);
    int n_algs = 0;
    cr_assert_eq(hws_coll_setup(), MPI_SUCCESS); /* algorithms in two levels choose among others */
    T.kind = kind;
    for (size_t i = 0; i < hws_n_algorithms; i++) {
        T.alg = &hws_algorithms[i];
        if (!hws_algorithm_serves(T.alg, kind) || !T.alg->build) /* those without: shm_test.c */
            continue;
        n_algs++;
        run_counts();
        run_cast();
    }
    cr_assert_gt(n_algs, 0);
}

/* ---- what crosses between sites ---- */

static MPI_Count ranks_in(int site)
{
    MPI_Count n = 0;
    for (int i = 0; i < T.n; i++)
        n += fake_site[i] == site;
    return n;
}

/* The elements that a site wants of all others together, each once; of reductions, one operand of each. */
static MPI_Count wanted(int site)
{
    MPI_Count others = T.n - ranks_in(site), block = T.count;
    bool is_root = fake_site[T.root] == site;
    switch (T.kind) {
    case HWS_COLL_BARRIER:
        return 0;
    case HWS_COLL_BCAST:
        return is_root ? 0 : block;
    case HWS_COLL_REDUCE:
        return is_root ? (T.sites - 1) * block : 0;
    case HWS_COLL_GATHER:
        return is_root ? others * block : 0;
    case HWS_COLL_SCATTER:
        return is_root ? 0 : ranks_in(site) * block;
    case HWS_COLL_ALLGATHER:
        return others * block;
    case HWS_COLL_ALLTOALL:
        return others * ranks_in(site) * block;
    case HWS_COLL_REDUCE_SCATTER_BLOCK:
        return (T.sites - 1) * ranks_in(site) * block *
               (T.sites > 2 && T.count < LONG ? 2 : 1); /* halving folds one in */
    default:                                            /* allreduce, scan, exscan */
        return (T.sites - 1) * block;
    }
}

static void count_crossings(void)
{
    T.in_place = false;
    T.eager = true;
    T.op = &fake_ops[0];
    T.st = T.rt = &fake_types[FAKE_DENSE].t;
    for (T.root = 0; T.root < (rooted(T.kind) ? T.n : 1); T.root += 3) {
        run();
        for (int site = 0; site < T.sites; site++)
            cr_expect_leq(fake_into[site], (uint64_t)wanted(site) * 8, "%s: %d bytes into site %d, wants %d",
                          describe(), (int)fake_into[site], site, (int)wanted(site) * 8);
        if (T.kind == HWS_COLL_BARRIER || (T.kind == HWS_COLL_ALLREDUCE && T.count == 1))
            cr_expect_leq(fake_crossings, T.sites == 2 ? 2 : 6, "%s: %d messages between sites", describe(),
                          fake_crossings);
    }
}

Test(algorithm, each_byte_comes_into_a_site_once)
{
    static const MPI_Count counts[] = {1, 18, 20011};
    cr_assert_eq(hws_coll_setup(), MPI_SUCCESS);
    for (int kind = 0; kind < HWS_COLL_SELECTED; kind++) {
        T.kind = (enum hws_coll_kind)kind;
        T.alg = hws_algorithm_find(T.kind, "two_level", strlen("two_level"));
        if (!T.alg || !T.alg->build || T.kind == HWS_COLL_ALLGATHERV || T.kind == HWS_COLL_REDUCE_SCATTER)
            continue; /* lengths differ, else as those whose lengths do not */
        T.n = 11;
        T.placement = RUNS;
        for (T.sites = 2; T.sites <= 3; T.sites++)
            for (size_t c = 0; c < HWS_ARRAY_LEN(counts); c++) {
                T.count = counts[c];
                count_crossings();
            }
    }
    T.sites = 0;
}

#define KIND_TEST(name, kind)                                                                                          \
    Test(algorithm, name)                                                                                              \
    {                                                                                                                  \
        run_kind(HWS_COLL_##kind);                                                                                     \
    }

KIND_TEST(barrier, BARRIER)
KIND_TEST(bcast, BCAST)
KIND_TEST(gather, GATHER)
KIND_TEST(gatherv, GATHERV)
KIND_TEST(scatter, SCATTER)
KIND_TEST(scatterv, SCATTERV)
KIND_TEST(allgather, ALLGATHER)
KIND_TEST(allgatherv, ALLGATHERV)
KIND_TEST(alltoall, ALLTOALL)
KIND_TEST(alltoallv, ALLTOALLV)
KIND_TEST(alltoallw, ALLTOALLW)
KIND_TEST(reduce, REDUCE)
KIND_TEST(allreduce, ALLREDUCE)
KIND_TEST(reduce_scatter, REDUCE_SCATTER)
KIND_TEST(reduce_scatter_block, REDUCE_SCATTER_BLOCK)
KIND_TEST(scan, SCAN)
KIND_TEST(exscan, EXSCAN)
