/* SPDX-License-Identifier: BSD-3-Clause
 *
 * group: sets of processes and their algebra. A group of the first n processes in order has no array (peers NULL),
 * which keeps MPI_COMM_WORLD and its duplicates free of memory that grows with the job. Every operation is linear in
 * the sizes of its groups.
 */
#include "core/comm/group.h"

#include <stdlib.h>
#include <string.h>

#include "core/comm/session.h"
#include "core/object/fail.h"
#include "core/object/world.h"

#define SCAN_MAX 16 /* members up to which a look-up scans instead of hashing */

struct hws_group hws_group_empty = {
    .obj = {.kind = HWS_KIND_GROUP, .refs = 1, .handle = 0x109}, .size = 0, .rank = MPI_UNDEFINED};

struct hws_group *hws_group_of(MPI_Group h)
{
    if (h == MPI_GROUP_EMPTY)
        return &hws_group_empty;
    return (struct hws_group *)hws_object_of(h, HWS_KIND_GROUP);
}

static bool is_identity(int size, const int *peers)
{
    for (int i = 0; i < size; i++)
        if (peers[i] != i)
            return false;
    return true;
}

struct hws_group *hws_group_new(int size, int *peers, struct hws_session *session)
{
    struct hws_group *g = calloc(1, sizeof *g);
    if (!g) {
        free(peers);
        return NULL;
    }
    hws_object_init(&g->obj, HWS_KIND_GROUP);
    g->size = size;
    g->peers = peers;
    if (peers && is_identity(size, peers)) {
        free(peers);
        g->peers = NULL;
    }
    g->rank = hws_group_rank_of_peer(g, hws_world.rank);
    g->session = session;
    if (session)
        hws_session_hold(session);
    return g;
}

struct hws_group *hws_group_dup(const struct hws_group *g, struct hws_session *session)
{
    size_t len = (size_t)g->size * sizeof(int);
    int *peers = g->peers ? malloc(len) : NULL;
    if (g->peers && !peers)
        return NULL;
    if (peers)
        memcpy(peers, g->peers, len);
    return hws_group_new(g->size, peers, session);
}

void hws_group_drop(struct hws_group *g)
{
    if (!g || g->obj.handle || !hws_object_unref(&g->obj))
        return;
    g->obj.kind = 0;
    free(g->peers);
    free(g->index);
    hws_session_drop(g->session);
    free(g);
}

/* ---- rank of a peer ---- */

/* index[0] is the mask; slot 1 + (hash & mask) holds rank + 1, 0: free. */
static uint32_t hash(int peer)
{
    return (uint32_t)peer * 2654435761u >> 7;
}

static int *build_index(const struct hws_group *g)
{
    uint32_t cap = 2;
    while (cap < 2u * (uint32_t)g->size)
        cap *= 2;
    int *index = calloc(cap + 1, sizeof *index);
    if (!index)
        return NULL;
    index[0] = (int)(cap - 1);
    for (int r = g->size - 1; r >= 0; r--) {
        uint32_t at = hash(g->peers[r]) & (cap - 1);
        while (index[1 + at])
            at = (at + 1) & (cap - 1);
        index[1 + at] = r + 1;
    }
    return index;
}

/* Two threads may build it at once: one wins. NULL: no memory. */
static const int *get_index(const struct hws_group *g)
{
    int **slot = (int **)(uintptr_t)&g->index;
    int *index = __atomic_load_n(slot, __ATOMIC_ACQUIRE), *none = NULL;
    if (index || (index = build_index(g)) == NULL)
        return index;
    if (__atomic_compare_exchange_n(slot, &none, index, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return index;
    free(index);
    return none;
}

static int scan(const struct hws_group *g, int peer)
{
    for (int r = 0; r < g->size; r++)
        if (g->peers[r] == peer)
            return r;
    return MPI_UNDEFINED;
}

int hws_group_rank_of_peer(const struct hws_group *g, int peer)
{
    if (!g->peers)
        return peer >= 0 && peer < g->size ? peer : MPI_UNDEFINED;
    const int *index = g->size > SCAN_MAX ? get_index(g) : NULL;
    if (!index)
        return scan(g, peer);
    uint32_t mask = (uint32_t)index[0];
    for (uint32_t at = hash(peer) & mask; index[1 + at]; at = (at + 1) & mask)
        if (g->peers[index[1 + at] - 1] == peer)
            return index[1 + at] - 1;
    return MPI_UNDEFINED;
}

/* ---- algebra ---- */

int hws_group_compare(const struct hws_group *a, const struct hws_group *b)
{
    if (a == b)
        return MPI_IDENT;
    if (a->size != b->size)
        return MPI_UNEQUAL;
    int result = MPI_IDENT;
    for (int r = 0; r < a->size; r++) {
        int peer = hws_group_peer(a, r);
        if (hws_group_peer(b, r) == peer)
            continue;
        if (hws_group_rank_of_peer(b, peer) == MPI_UNDEFINED)
            return MPI_UNEQUAL;
        result = MPI_SIMILAR;
    }
    return result;
}

static int no_memory(void)
{
    return hws_fail(MPI_ERR_NO_MEM, "out of memory for a group");
}

/* A group of the first n of peers, which is taken over; from: one it is made of. */
static int finish(int n, int *peers, const struct hws_group *from, struct hws_group **out)
{
    if (n == 0) {
        free(peers);
        *out = &hws_group_empty;
        return MPI_SUCCESS;
    }
    *out = hws_group_new(n, peers, from->session);
    return *out ? MPI_SUCCESS : no_memory();
}

static int *new_peers(int n)
{
    return malloc(((size_t)n + 1) * sizeof(int));
}

int hws_group_combine(enum hws_group_op op, const struct hws_group *a, const struct hws_group *b,
                      struct hws_group **out)
{
    int *peers = new_peers(a->size + b->size), n = 0;
    if (!peers)
        return no_memory();
    for (int r = 0; r < a->size; r++) {
        int peer = hws_group_peer(a, r);
        bool in_b = op != HWS_GROUP_UNION && hws_group_rank_of_peer(b, peer) != MPI_UNDEFINED;
        if (op == HWS_GROUP_UNION || in_b == (op == HWS_GROUP_INTERSECTION))
            peers[n++] = peer;
    }
    for (int r = 0; op == HWS_GROUP_UNION && r < b->size; r++) {
        int peer = hws_group_peer(b, r);
        if (hws_group_rank_of_peer(a, peer) == MPI_UNDEFINED)
            peers[n++] = peer;
    }
    return finish(n, peers, a->session ? a : b, out);
}

/* Marks rank in seen[size]; what: the sentence's subject, e.g. "ranks[3]". */
static int mark(const struct hws_group *g, bool *seen, int rank, const char *what, int i)
{
    if (rank < 0 || rank >= g->size)
        return hws_fail(MPI_ERR_RANK, "invalid rank: %s[%d] is %d, it must be 0 to %d", what, i, rank, g->size - 1);
    if (seen[rank])
        return hws_fail(MPI_ERR_RANK, "invalid rank: %s[%d] names rank %d for the second time", what, i, rank);
    seen[rank] = true;
    return MPI_SUCCESS;
}

static int check_ranks(const struct hws_group *g, int n, const int *ranks, bool *seen)
{
    for (int i = 0; i < n; i++) {
        int rc = mark(g, seen, ranks[i], "ranks", i);
        if (rc != MPI_SUCCESS)
            return rc;
    }
    return MPI_SUCCESS;
}

/* The members that are not marked, in order. */
static int take_unmarked(const struct hws_group *g, const bool *seen, struct hws_group **out)
{
    int *peers = new_peers(g->size), n = 0;
    if (!peers)
        return no_memory();
    for (int r = 0; r < g->size; r++)
        if (!seen[r])
            peers[n++] = hws_group_peer(g, r);
    return finish(n, peers, g, out);
}

static int take_ranks(const struct hws_group *g, int n, const int *ranks, struct hws_group **out)
{
    int *peers = new_peers(n);
    if (!peers)
        return no_memory();
    for (int i = 0; i < n; i++)
        peers[i] = hws_group_peer(g, ranks[i]);
    return finish(n, peers, g, out);
}

static int select_ranks(const struct hws_group *g, int n, const int *ranks, bool exclude, struct hws_group **out)
{
    bool *seen = calloc((size_t)g->size + 1, sizeof *seen);
    if (!seen)
        return no_memory();
    int rc = check_ranks(g, n, ranks, seen);
    if (rc == MPI_SUCCESS)
        rc = exclude ? take_unmarked(g, seen, out) : take_ranks(g, n, ranks, out);
    free(seen);
    return rc;
}

int hws_group_incl(const struct hws_group *g, int n, const int *ranks, struct hws_group **out)
{
    return select_ranks(g, n, ranks, false, out);
}

int hws_group_excl(const struct hws_group *g, int n, const int *ranks, struct hws_group **out)
{
    return select_ranks(g, n, ranks, true, out);
}

/* How many ranks one triplet names; negative: it is invalid and the sentence is set. */
static long long range_len(const int *range, int i)
{
    long long first = range[0], last = range[1], stride = range[2];
    if (stride == 0) {
        hws_fail(MPI_ERR_ARG, "invalid argument: the stride of ranges[%d] is 0", i);
        return -1;
    }
    if (stride > 0)
        return last < first ? 0 : (last - first) / stride + 1;
    return last > first ? 0 : (first - last) / -stride + 1;
}

int hws_group_range(const struct hws_group *g, int n, int (*ranges)[3], bool exclude, struct hws_group **out)
{
    long long total = 0;
    for (int i = 0; i < n; i++) {
        long long len = range_len(ranges[i], i);
        if (len < 0)
            return MPI_ERR_ARG;
        if (len > g->size) /* more distinct ranks than there are: the far end is outside */
            return hws_fail(MPI_ERR_RANK, "invalid rank: ranges[%d] goes from %d to %d, ranks are 0 to %d", i,
                            ranges[i][0], ranges[i][1], g->size - 1);
        total += len;
    }
    int *ranks = malloc(((size_t)total + 1) * sizeof *ranks), at = 0;
    if (!ranks)
        return no_memory();
    for (int i = 0; i < n; i++)
        for (long long k = 0, len = range_len(ranges[i], i); k < len; k++)
            ranks[at++] = (int)(ranges[i][0] + k * ranges[i][2]);
    int rc = select_ranks(g, at, ranks, exclude, out);
    free(ranks);
    return rc;
}

int hws_group_translate(const struct hws_group *a, int n, const int *ranks1, const struct hws_group *b, int *ranks2)
{
    for (int i = 0; i < n; i++) {
        int r = ranks1[i];
        if (r != MPI_PROC_NULL && (r < 0 || r >= a->size))
            return hws_fail(MPI_ERR_RANK, "invalid rank: ranks1[%d] is %d, it must be 0 to %d", i, r, a->size - 1);
        ranks2[i] = r == MPI_PROC_NULL ? r : hws_group_rank_of_peer(b, hws_group_peer(a, r));
    }
    return MPI_SUCCESS;
}
