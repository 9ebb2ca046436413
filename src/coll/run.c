/* SPDX-License-Identifier: BSD-3-Clause
 *
 * run: from a call to its result: shape, selection, schedule, and the three forms: blocking, nonblocking, persistent.
 */
#include "coll/run.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/hot.h"
#include "cast/cast.h"
#include "coll/schedule/sched_run.h"
#include "coll/shm/pairs.h"
#include "coll/shm/reduce_shm.h"
#include "core/comm/comm_agree.h"
#include "core/hosts/hosts.h"
#include "core/hosts/region.h"
#include "core/object/fail.h"
#include "core/object/world.h"
#include "core/topo/topo.h"
#include "peer/areas.h"
#include "peer/engine.h"

static struct hws_selection selection;
static _Atomic bool is_set_up;        /* successfully */
static _Atomic uint32_t n_selections; /* that were forced */
static pthread_mutex_t setup_mutex = PTHREAD_MUTEX_INITIALIZER;

static int set_up(void)
{
    pthread_mutex_lock(&setup_mutex);
    int rc = is_set_up ? MPI_SUCCESS : hws_selection_make(getenv("HAWSER_COLL"), &selection);
    is_set_up = rc == MPI_SUCCESS;
    pthread_mutex_unlock(&setup_mutex);
    return rc;
}

int hws_coll_force(const char *text)
{
    struct hws_selection next;
    int rc = hws_selection_make(text, &next);
    pthread_mutex_lock(&setup_mutex);
    if (rc == MPI_SUCCESS) {
        selection = next;
        n_selections++;
        is_set_up = true;
    }
    pthread_mutex_unlock(&setup_mutex);
    return rc;
}

HWS_HOT int hws_coll_setup(void)
{
    if (__builtin_expect(atomic_load_explicit(&is_set_up, memory_order_acquire), 1))
        return MPI_SUCCESS;
    return set_up();
}

/* The average block, where counts are known to all ranks. */
static uint64_t average(struct hws_counts n, int ranks, const struct hws_type *t)
{
    uint64_t sum = 0;
    for (int i = 0; i < ranks; i++)
        sum += (uint64_t)hws_counts_at(n, i);
    return sum * (uint64_t)t->size / (uint64_t)ranks;
}

/* Where the bytes of a call's shape are, as every rank knows by itself. */
enum measure {
    UNKNOWN, /* to any rank but the root, or to any */
    RECEIVED,
    AT_ROOT_RECEIVED, /* only the root has rn; elsewhere sn tells the same number of bytes */
    AT_ROOT_SENT,
    AVERAGE
};

static const uint8_t measures[HWS_COLL_SELECTED] = {
    [HWS_COLL_BCAST] = RECEIVED,         [HWS_COLL_GATHER] = AT_ROOT_RECEIVED,
    [HWS_COLL_SCATTER] = AT_ROOT_SENT,   [HWS_COLL_ALLGATHER] = RECEIVED,
    [HWS_COLL_ALLGATHERV] = AVERAGE,     [HWS_COLL_ALLTOALL] = RECEIVED,
    [HWS_COLL_REDUCE] = RECEIVED,        [HWS_COLL_ALLREDUCE] = RECEIVED,
    [HWS_COLL_REDUCE_SCATTER] = AVERAGE, [HWS_COLL_REDUCE_SCATTER_BLOCK] = RECEIVED,
    [HWS_COLL_SCAN] = RECEIVED,          [HWS_COLL_EXSCAN] = RECEIVED,
};

HWS_HOT static uint64_t shape_bytes(const struct hws_coll_call *a, int rank, int size)
{
    enum measure m = measures[a->kind];
    if (m == RECEIVED || (m == AT_ROOT_RECEIVED && rank == a->root) || (m == AT_ROOT_SENT && rank != a->root))
        return (uint64_t)(a->rn * a->rt->size);
    if (m == AT_ROOT_RECEIVED || m == AT_ROOT_SENT)
        return (uint64_t)(a->sn * a->st->size);
    return m == AVERAGE ? average(a->rcounts, size, a->rt) : 0;
}

HWS_HOT bool hws_coll_is_empty(const struct hws_coll_call *a)
{
    MPI_Count sum = 0;
    if (a->comm->remote || hws_coll_is_neighbor(a))
        return false;
    enum measure m = measures[a->kind];
    if (m != AVERAGE)
        return m != UNKNOWN && shape_bytes(a, a->comm->rank, a->comm->size) == 0;
    for (int i = 0; i < a->comm->size && sum == 0; i++)
        sum = hws_counts_at(a->rcounts, i);
    return sum * a->rt->size == 0;
}

/* Of a call as rank `rank` of `size` sees it. */
static struct hws_shape shape_of(const struct hws_coll_call *a, int rank, int size)
{
    return (struct hws_shape){
        .kind = a->kind,
        .bytes = shape_bytes(a, rank, size),
        .ranks = size,
        .commutative = !a->rop || a->rop->commutative,
        .in_place = hws_coll_in_place(a->sbuf),
        .crowded = a->comm->coll_crowd == 2,
    };
}

/* The most that a leader gathers for a call in two levels (bytes). */
#define LEADER_MAX (4u << 20)

/* Whether a call may go in two levels over these hosts. */
static bool suits_hosts(const struct hws_coll_call *a, const struct hws_hosts *h)
{
    uint64_t all = (uint64_t)a->comm->size;
    if (a->kind == HWS_COLL_ALLTOALL) /* the largest host's leader, at most */
        all *= all;
    if (a->kind == HWS_COLL_ALLTOALL || a->kind == HWS_COLL_ALLGATHER || a->kind == HWS_COLL_ALLGATHERV ||
        a->kind == HWS_COLL_GATHER || a->kind == HWS_COLL_SCATTER)
        return (h->sites && a->kind != HWS_COLL_ALLTOALL) ||
               shape_bytes(a, a->comm->rank, a->comm->size) <= LEADER_MAX / all;
    bool run_of_ranks = a->kind == HWS_COLL_SCAN || a->kind == HWS_COLL_EXSCAN;
    return h->in_order || (!run_of_ranks && (!a->rop || a->rop->commutative));
}

/* Of these hosts exchange the blocks of all their ranks as one. */
static bool has_blocks(enum hws_coll_kind kind)
{
    return kind == HWS_COLL_ALLGATHER || kind == HWS_COLL_ALLGATHERV || kind == HWS_COLL_SCATTER;
}

static bool may_cast(const struct hws_sched *s, const struct hws_comm *c)
{
    return (!s->persistent || hws_cast_is_proven(c)) && hws_cast_serves(c, s->ranks, s->size);
}

void hws_coll_build_part(struct hws_sched *s, const struct hws_coll_call *a, bool crowded)
{
    struct hws_shape shape = shape_of(a, s->rank, s->size);
    shape.crowded = crowded;
    shape.cast = may_cast(s, a->comm);
    hws_select(&shape, &selection)->build(s, a);
}

/* Of a call as all ranks of a communicator make it together. cast: multicast reaches them. */
static int shape_among_all(const struct hws_coll_call *a, int rank, int size, bool cast, struct hws_shape *shape)
{
    const struct hws_hosts *h;
    *shape = shape_of(a, rank, size);
    int rc = hws_hosts_placed(a->comm, &h);
    if (rc != MPI_SUCCESS)
        return rc;
    shape->cast = cast;
    shape->hosts = h && suits_hosts(a, h);
    shape->sites = h && h->sites;
    shape->in_turn = h && h->in_turn;
    return MPI_SUCCESS;
}

static int build_among_all(struct hws_sched *s, const struct hws_coll_call *a)
{
    struct hws_shape shape;
    int rc = shape_among_all(a, s->rank, s->size, may_cast(s, a->comm), &shape);
    if (rc != MPI_SUCCESS)
        return rc;
    const struct hws_algorithm *alg = hws_select(&shape, &selection);
    if (alg->build)
        alg->build(s, a);
    else
        hws_coll_build_part(s, a, shape.crowded);
    return s->fail.rc;
}

static int build(struct hws_sched *s, const struct hws_coll_call *a)
{
    if (!hws_coll_is_neighbor(a) && !a->comm->remote)
        return build_among_all(s, a);
    if (hws_coll_is_neighbor(a))
        hws_neighbor_build(s, a);
    else
        hws_inter_build(s, a);
    return s->fail.rc;
}

int hws_coll_build(struct hws_sched *s, const struct hws_coll_call *a)
{
    int rc = hws_coll_setup();
    if (rc == MPI_SUCCESS)
        rc = build(s, a);
    if (rc == MPI_ERR_NO_MEM && hws_sched_hollow(s))
        rc = build(s, a);
    return rc;
}

static int no_memory(void)
{
    return hws_fail(MPI_ERR_NO_MEM, "out of memory for a collective operation");
}

void hws_coll_degrees(const struct hws_coll_call *a, int *n_in, int *n_out)
{
    const int *in, *out;
    *n_in = *n_out = hws_comm_peers(a->comm)->size;
    if (hws_coll_is_neighbor(a) && hws_topo_neighbors(a->comm->topo, n_in, &in, n_out, &out) != MPI_SUCCESS)
        *n_in = *n_out = 0;
}

/* Ranks with equal numbers share memory; those that share none have each its own. */
static int32_t memory_of_host(const struct hws_comm *c)
{
    int first = hws_engine_first_local(hws_world.engine);
    return first < 0 ? -1 - hws_group_peer(c->group, c->rank) : first;
}

/* Whether any other rank of c shares memory with this one. */
static bool has_neighbour(const struct hws_comm *c)
{
    for (int i = 0; i < c->size; i++)
        if (i != c->rank && hws_engine_local(hws_world.engine, hws_group_peer(c->group, i)) >= 0)
            return true;
    return false;
}

/* What rank 0 finds out and tells all. */
struct agreed {
    int32_t crowd; /* as hws_comm.coll_crowd */
    int32_t area;  /* for a region of all, -1: none */
    int32_t hosts; /* ranks of several hosts, and some share memory */
    int32_t apart; /* as hws_comm.apart */
};

static int take_over(struct hws_comm *c, struct agreed all)
{
    if (all.area >= 0 && (c->region = hws_region_of_area(c->group, all.area)) == NULL)
        return no_memory();
    int rc = all.hosts ? hws_hosts_make(c, memory_of_host(c)) : MPI_SUCCESS;
    c->coll_crowd = (uint8_t)all.crowd;
    c->apart = all.apart;
    return rc;
}

/* All ranks must choose the same algorithm, but each knows its own host only. So the first blocking collective of a
 * communicator finds out; nonblocking ones before it, which must not wait, take it for calm, on all ranks alike. */
static int agree(struct hws_comm *c)
{
    int32_t memory = memory_of_host(c),
            mine[4] = {hws_engine_is_crowded(hws_world.engine) ? 2 : 1, memory, -memory, has_neighbour(c)}, max[4];
    struct hws_coll_call a = {.kind = HWS_COLL_REDUCE, .comm = c, .sbuf = mine, .rbuf = max, .rn = 4};
    a.rt = hws_type_of(MPI_INT32_T);
    a.rop = hws_op_of(MPI_MAX);
    struct hws_sched *s = hws_sched_new(c, false);
    if (!s)
        return no_memory();
    hws_reduce_binomial(s, &a);
    int rc = hws_sched_run(s);
    if (rc != MPI_SUCCESS)
        return rc;
    struct hws_talk t = hws_talk_of(c);
    struct agreed all = {1, -1, 0, 0};
    if (c->rank == 0) {
        bool one_host = max[1] == -max[2];
        all = (struct agreed){max[0], one_host ? hws_region_take(c->size) : -1, !one_host && max[3],
                              !one_host && !max[3]};
    }
    rc = hws_talk_bcast(&t, &all, sizeof all);
    return rc == MPI_SUCCESS ? take_over(c, all) : rc;
}

/* Of an alltoall's blocks, at least as many bytes must fit a slot at a time. */
#define SHORTEST 64u

/* What is said of a region must be the same on all ranks, apart from those that are broken, when all is lost anyway.
 * room: of a slot, on each host at least. */
static bool fits_slots(const struct hws_coll_call *a, const struct hws_region *r, size_t room)
{
    return !(r && r->broken) && (!a->rop || hws_shm_elements(a->rt, room) > 0);
}

static bool is_pairs(const struct hws_coll_call *a)
{
    return a->kind == HWS_COLL_ALLTOALLV || a->kind == HWS_COLL_ALLTOALLW;
}

static bool is_shared(const struct hws_coll_call *a)
{
    const struct hws_region *r = a->comm->region;
    if (!r || !fits_slots(a, r, r->room))
        return false;
    if (is_pairs(a))
        return hws_pairs_fit(r->room, r->n) >= SHORTEST;
    return a->kind != HWS_COLL_ALLTOALL || r->room / (uint64_t)r->n >= SHORTEST;
}

static bool is_spread(const struct hws_coll_call *a)
{
    const struct hws_hosts *h = a->comm->hosts;
    if (!h || !fits_slots(a, h->region, h->room))
        return false;
    if (is_pairs(a))
        return hws_pairs_fit_far(h->room, a->comm->size) >= SHORTEST;
    return suits_hosts(a, h);
}

static int run_sched(const struct hws_coll_call *a)
{
    if (hws_coll_sits_out(a)) {
        hws_comm_next_tag(a->comm);
        return MPI_SUCCESS;
    }
    struct hws_sched *s = hws_sched_new(a->comm, false);
    if (!s)
        return no_memory();
    int rc = hws_coll_build(s, a);
    if (rc == MPI_SUCCESS)
        return hws_sched_run(s);
    hws_sched_free(s);
    return rc;
}

/* As hosts see it: their number, and what one of them has. */
static struct hws_shape shape_between_hosts(const struct hws_coll_call *a)
{
    const struct hws_hosts *h = a->comm->hosts;
    struct hws_shape shape = shape_of(a, a->comm->rank, a->comm->size);
    int per_host = (shape.ranks + h->n - 1) / h->n;
    shape.bytes *= has_blocks(a->kind) ? (uint64_t)per_host : 1;
    shape.ranks = h->n;
    shape.crowded = false;
    shape.cast = true;
    return shape;
}

/* As those see it whom multicast would reach: the hosts, or, where none shares memory, all ranks. */
static struct hws_shape shape_for_cast(const struct hws_coll_call *a)
{
    struct hws_shape shape;
    if (a->comm->hosts)
        return shape_between_hosts(a);
    if (shape_among_all(a, a->comm->rank, a->comm->size, true, &shape) != MPI_SUCCESS)
        shape.cast = false; /* the call will say so */
    return shape;
}

static bool is_for_cast(const struct hws_shape *shape)
{
    return hws_select(shape, &selection)->needs & HWS_ALG_CAST;
}

static bool suits_cast(const struct hws_coll_call *a)
{
    struct hws_shape shape = shape_for_cast(a);
    return is_for_cast(&shape);
}

static bool is_within(const struct hws_coll_call *a)
{
    return !a->comm->remote && !hws_coll_is_neighbor(a);
}

/* Whether all ranks come here: those without a part in other calls may have returned (hws_coll_sits_out). */
static bool comes_from_all(const struct hws_coll_call *a)
{
    return a->kind != HWS_COLL_GATHERV && a->kind != HWS_COLL_SCATTERV && a->kind != HWS_COLL_ALLTOALLV &&
           a->kind != HWS_COLL_ALLTOALLW;
}

/* Counts a call that multicast would serve, if it were tried. Returns the bytes that come to each host before its end,
 * for hws_cast_looked(). */
static uint64_t look_at_unicast(const struct hws_coll_call *a)
{
    struct hws_shape shape = shape_for_cast(a);
    if (!is_for_cast(&shape) || !hws_cast_look(a->comm))
        return 0;
    return shape.bytes * (has_blocks(a->kind) ? (uint64_t)shape.ranks : 1);
}

/* Before a call that may wait for the other ranks: multicast is tried behind some that it would have served, or, where
 * it is wanted, for the first one, or behind a nonblocking one. */
static int try_cast(const struct hws_coll_call *a)
{
    struct hws_comm *c = a->comm;
    if (!hws_cast_is_due(c) || !comes_from_all(a))
        return MPI_SUCCESS;
    if (hws_cast_is_looked(c))
        return !hws_cast_is_wanted() || c->cast_wanted || suits_cast(a) ? hws_cast_begin(c) : MPI_SUCCESS;
    hws_cast_looked(c, look_at_unicast(a));
    return MPI_SUCCESS;
}

static void count_cast(const struct hws_coll_call *a)
{
    if (!hws_cast_is_reviewed(a->comm))
        return;
    struct hws_shape shape = shape_for_cast(a);
    if (is_for_cast(&shape))
        hws_cast_count_call(a->comm, shape.bytes);
}

/* Before a blocking call: it is reviewed from time to time, too. */
static int care_for_cast(const struct hws_coll_call *a)
{
    if (!hws_cast_is_reviewed(a->comm))
        return try_cast(a);
    int rc = comes_from_all(a) && hws_cast_review_is_due(a->comm) ? hws_cast_review(a->comm) : MPI_SUCCESS;
    count_cast(a);
    return rc;
}

int hws_coll_settle(const struct hws_coll_call *a)
{
    struct hws_comm *c = a->comm;
    int rc = hws_coll_setup();
    if (!is_within(a))
        return rc;
    if (rc == MPI_SUCCESS && !c->coll_crowd && c->size > 1)
        rc = agree(c);
    return rc == MPI_SUCCESS && !c->region && hws_cast_is_wanted() ? try_cast(a) : rc;
}

uint64_t hws_coll_want_cast(const struct hws_coll_call *a)
{
    struct hws_comm *c = a->comm;
    if (c->cast && is_within(a))
        count_cast(a);
    if (c->region || c->cast || c->cast_wanted || !is_within(a) || !hws_cast_may_be_due(c))
        return 0;
    if (hws_coll_setup() != MPI_SUCCESS)
        return 0;
    if (!hws_cast_is_wanted())
        return hws_cast_is_looked(c) ? 0 : look_at_unicast(a);
    c->cast_wanted = suits_cast(a);
    return 0;
}

/* ---- short calls in memory that all ranks share: as the last one that was like it -------------------------------- */

#define MEMO_MAX 4096u /* bytes of a call; choosing takes no part of a longer one's time */

struct hws_coll_memo {
    uint32_t bytes, key;
    hws_coll_run_fn *run;
};

/* What such a call is chosen by, but for its bytes. */
static inline uint32_t memo_key(const struct hws_coll_call *a)
{
    uint32_t forced = atomic_load_explicit(&n_selections, memory_order_relaxed);
    return forced << 8 | (uint32_t)a->kind << 2 | (uint32_t)hws_coll_in_place(a->sbuf) << 1 |
           (a->rop && a->rop->commutative);
}

static inline bool may_recall(const struct hws_coll_call *a, uint64_t bytes)
{
    const struct hws_region *r = a->comm->region;
    return r && is_within(a) && !r->broken && bytes <= MEMO_MAX && bytes <= r->room && (!a->rop || a->rt->dense);
}

/* Whether the call is like the last one, and not empty. */
HWS_HOT static bool recalls(const struct hws_coll_call *a)
{
    const struct hws_coll_memo *m = a->comm->memo;
    if (!m || hws_coll_is_neighbor(a) || !m[a->kind].run || m[a->kind].key != memo_key(a))
        return false;
    uint64_t bytes = shape_bytes(a, a->comm->rank, a->comm->size);
    return bytes == m[a->kind].bytes && may_recall(a, bytes) && (bytes > 0 || measures[a->kind] == UNKNOWN);
}

static void memorize(const struct hws_coll_call *a, uint64_t bytes, hws_coll_run_fn *run)
{
    struct hws_comm *c = a->comm;
    if (may_recall(a, bytes) && !c->memo)
        c->memo = calloc(HWS_COLL_SELECTED, sizeof *c->memo);
    if (may_recall(a, bytes) && c->memo)
        c->memo[a->kind] = (struct hws_coll_memo){(uint32_t)bytes, memo_key(a), run};
}

static int run_within(const struct hws_coll_call *a)
{
    struct hws_comm *c = a->comm;
    bool within = is_within(a);
    int rc = hws_coll_setup();
    if (rc == MPI_SUCCESS && __builtin_expect(!c->coll_crowd && c->size > 1 && within, 0))
        rc = agree(c);
    if (rc == MPI_SUCCESS && __builtin_expect(!c->region && within, 0))
        rc = care_for_cast(a);
    if (rc != MPI_SUCCESS)
        return rc;
    bool shared = within && is_shared(a), spread = within && is_spread(a);
    if (!shared && !spread)
        return run_sched(a);
    struct hws_shape shape = shape_of(a, c->rank, c->size);
    shape.shared = shared;
    shape.hosts = spread;
    shape.sites = spread && c->hosts->sites;
    const struct hws_algorithm *alg = hws_select(&shape, &selection);
    if (alg->run && shared)
        memorize(a, shape.bytes, alg->run);
    return alg->run ? alg->run(shared ? c->region : c->hosts->region, a) : run_sched(a);
}

/* What a call came to, and what an earlier one has left to it (coll/shm/sit_out.h). */
static int with_late(const struct hws_coll_call *a, int rc)
{
    struct hws_region *r = is_within(a) ? a->comm->region : NULL;
    return r && rc == MPI_SUCCESS ? hws_region_take_late(r) : rc;
}

HWS_HOT int hws_coll_run(const struct hws_coll_call *a)
{
    if (!recalls(a))
        return hws_coll_is_empty(a) ? MPI_SUCCESS : with_late(a, run_within(a));
    int rc = a->comm->memo[a->kind].run(a->comm->region, a);
    return __builtin_expect(a->comm->region->late, MPI_SUCCESS) ? with_late(a, rc) : rc;
}
