/* SPDX-License-Identifier: BSD-3-Clause
 *
 * comm_inter: making intercommunicators, all by one operation: swap(). An intercommunicator and the private
 * communicators of its two sides share one context id: no two members use it on more than one of them.
 */
#include "core/comm/comm_inter.h"

#include <stdlib.h>
#include <string.h>

#include "core/comm/comm_agree.h"
#include "core/comm/comm_make.h"
#include "core/comm/ctx.h"
#include "core/object/fail.h"
#include "core/object/world.h"

/* Who swaps with whom. */
struct sides {
    struct hws_talk local; /* root: the leader */
    int remote_leader;     /* engine's number; at the leader only */
    uint32_t ctx;          /* of the leaders' messages */
    int tag;
};

/* What comes of it, in every member. */
struct swapped {
    int rc;       /* of the leader */
    int low;      /* this side gives the id */
    uint32_t ctx; /* if one was wanted */
    int n;
    int *theirs; /* theirs[n], owned */
};

static int no_memory(void)
{
    return hws_fail(MPI_ERR_NO_MEM, "out of memory for an intercommunicator");
}

/* The leaders' part: sizes and the id first, then the numbers. */
static int swap_leaders(const struct sides *s, bool wants_id, int n, const int *ours, struct swapped *out)
{
    int me = hws_world.rank;
    if (s->remote_leader == me)
        return hws_fail(MPI_ERR_ARG, "invalid argument: rank %d of the job leads both sides", me);
    out->low = me < s->remote_leader;
    struct {
        int n;
        uint32_t ctx;
    } own = {n, wants_id && out->low ? hws_ctx_take() : HWS_CTX_NONE}, other;
    int rc = hws_talk_exchange(s->remote_leader, s->ctx, s->tag, &own, sizeof own, &other, sizeof other);
    if (rc != MPI_SUCCESS)
        return rc;
    out->ctx = out->low ? own.ctx : other.ctx;
    out->n = other.n;
    if ((out->theirs = malloc(((size_t)other.n + 1) * sizeof(int))) == NULL)
        return no_memory();
    if (wants_id && (rc = hws_ctx_check(out->ctx)) != MPI_SUCCESS)
        return rc;
    return hws_talk_exchange(s->remote_leader, s->ctx, s->tag, ours, (size_t)n * sizeof(int), out->theirs,
                             (size_t)other.n * sizeof(int));
}

/* Collective over both sides: each says n numbers (ours[n], at the leader) and hears the other's. */
static int swap(const struct sides *s, bool wants_id, int n, const int *ours, struct swapped *out)
{
    bool leader = s->local.rank == s->local.root;
    memset(out, 0, sizeof *out);
    if (leader)
        out->rc = swap_leaders(s, wants_id, n, ours, out);
    int *theirs = out->theirs, rc = hws_talk_bcast(&s->local, out, sizeof *out);
    out->theirs = theirs; /* the leader's pointer means nothing to others */
    if (rc == MPI_SUCCESS && out->rc != MPI_SUCCESS)
        rc = leader ? out->rc : hws_fail(out->rc, "the leader of the local group has failed");
    if (rc == MPI_SUCCESS && !leader && (out->theirs = malloc(((size_t)out->n + 1) * sizeof(int))) == NULL)
        rc = no_memory();
    if (rc == MPI_SUCCESS && out->n)
        rc = hws_talk_bcast(&s->local, out->theirs, (size_t)out->n * sizeof(int));
    if (rc != MPI_SUCCESS) {
        free(out->theirs);
        out->theirs = NULL;
    }
    return rc;
}

static struct sides sides_of(struct hws_comm *c)
{
    return (struct sides){hws_talk_of(c), hws_group_peer(c->remote, 0), c->ctx + HWS_CTX_COLL, hws_comm_next_tag(c)};
}

static int *peers_of(const struct hws_group *g)
{
    int *peers = malloc(((size_t)g->size + 1) * sizeof *peers);
    for (int r = 0; peers && r < g->size; r++)
        peers[r] = hws_group_peer(g, r);
    return peers;
}

/* The same of a group and the ranks of the job that the other side has said, which are taken over. */
static int join_swapped(struct hws_group *g, const struct swapped *w, struct hws_comm *parent, struct hws_comm **out)
{
    struct hws_group *remote = hws_group_new(w->n, w->theirs, g->session);
    if (!remote)
        return no_memory();
    hws_group_hold(g);
    return hws_comm_join(g, remote, w->ctx, parent, out);
}

/* ---- create ---- */

static int check_disjoint(const struct hws_group *g, const struct swapped *w)
{
    for (int i = 0; i < w->n; i++)
        if (hws_group_rank_of_peer(g, w->theirs[i]) != MPI_UNDEFINED)
            return hws_fail(MPI_ERR_COMM, "invalid communicator: rank %d of the job is in both groups", w->theirs[i]);
    return MPI_SUCCESS;
}

static int create(const struct sides *s, struct hws_group *g, struct hws_comm *parent, struct hws_comm **out)
{
    struct swapped w;
    int *ours = peers_of(g);
    int rc = ours ? swap(s, true, g->size, ours, &w) : no_memory();
    free(ours);
    if (rc != MPI_SUCCESS)
        return rc;
    if ((rc = check_disjoint(g, &w)) != MPI_SUCCESS) {
        if (w.low && s->local.rank == s->local.root)
            hws_ctx_give(w.ctx);
        free(w.theirs);
        return rc;
    }
    return join_swapped(g, &w, parent, out);
}

int hws_inter_create(struct hws_comm *local, int local_leader, struct hws_comm *peer, int remote_leader, int tag,
                     struct hws_comm **out)
{
    struct sides s = {.local = hws_talk_of(local), .tag = tag};
    s.local.root = local_leader;
    if (local->rank == local_leader) {
        s.remote_leader = hws_comm_peer(peer, remote_leader);
        s.ctx = peer->ctx + HWS_CTX_INTERNAL;
    }
    return create(&s, local->group, local, out);
}

int hws_inter_create_from_groups(struct hws_group *local, int local_leader, struct hws_group *remote, int remote_leader,
                                 const char *stringtag, struct hws_comm **out)
{
    int tag = hws_string_tag(stringtag);
    struct sides s = {{local, local->rank, HWS_CTX_STARTUP + HWS_CTX_INTERNAL, tag, local_leader},
                      hws_group_peer(remote, remote_leader),
                      HWS_CTX_STARTUP + HWS_CTX_COLL,
                      tag};
    return create(&s, local, NULL, out);
}

/* ---- merge ---- */

static int *concatenate(const struct hws_group *a, const struct hws_group *b)
{
    int *peers = malloc(((size_t)a->size + (size_t)b->size) * sizeof *peers);
    for (int r = 0; peers && r < a->size; r++)
        peers[r] = hws_group_peer(a, r);
    for (int r = 0; peers && r < b->size; r++)
        peers[a->size + r] = hws_group_peer(b, r);
    return peers;
}

int hws_inter_merge(struct hws_comm *c, bool high, struct hws_comm **out)
{
    struct sides s = sides_of(c);
    struct swapped w;
    int flag = high, rc = swap(&s, true, 1, &flag, &w);
    if (rc != MPI_SUCCESS)
        return rc;
    bool first = !!w.theirs[0] == high ? w.low : !high; /* equal flags: the order is ours to choose */
    free(w.theirs);
    int *peers = first ? concatenate(c->group, c->remote) : concatenate(c->remote, c->group);
    struct hws_group *g = peers ? hws_group_new(c->size + c->remote->size, peers, c->group->session) : NULL;
    return g ? hws_comm_join(g, NULL, w.ctx, c, out) : no_memory();
}

/* ---- from an intercommunicator ---- */

int hws_inter_ctx(struct hws_comm *c, uint32_t *ctx)
{
    struct sides s = sides_of(c);
    struct swapped w;
    int rc = swap(&s, true, 0, NULL, &w);
    if (rc != MPI_SUCCESS)
        return rc;
    *ctx = w.ctx;
    free(w.theirs);
    return MPI_SUCCESS;
}

int hws_inter_subset(struct hws_comm *c, struct hws_group *g, struct hws_comm **out)
{
    return hws_inter_split(c, g->rank == MPI_UNDEFINED ? MPI_UNDEFINED : 0, g->rank, out);
}

#define INTS ((int)(sizeof(struct hws_choice) / sizeof(int))) /* that a choice travels as */

/* Ranks of one side as members of its new group, and the same for the other; NULL out: the color is on one side only.
 */
static int make_of_color(struct hws_comm *c, const struct hws_choice *ours, const struct swapped *w, int color,
                         struct hws_comm **out)
{
    const struct hws_choice *theirs = (const struct hws_choice *)w->theirs;
    struct hws_group *g = NULL, *remote = NULL;
    int rc = hws_choice_group(ours, c->size, color, c->group, &g);
    if (rc == MPI_SUCCESS)
        rc = hws_choice_group(theirs, c->remote->size, color, c->remote, &remote);
    if (rc != MPI_SUCCESS || !remote) {
        hws_group_drop(g);
        hws_group_drop(remote);
        return rc;
    }
    const struct hws_choice *first =
        w->low ? hws_choice_first(ours, c->size, color) : hws_choice_first(theirs, c->remote->size, color);
    if ((rc = hws_ctx_check(first->ctx)) == MPI_SUCCESS)
        return hws_comm_join(g, remote, first->ctx, c, out);
    hws_group_drop(g);
    hws_group_drop(remote);
    return rc;
}

/* My own id is that of the new communicator. */
static bool is_used(const struct hws_comm *c, const struct hws_choice *ours, const struct swapped *w, int color)
{
    const struct hws_choice *first = hws_choice_first(ours, c->size, color);
    return w->low && first->rank == c->rank &&
           hws_choice_first((const struct hws_choice *)w->theirs, c->remote->size, color);
}

int hws_inter_split(struct hws_comm *c, int color, int key, struct hws_comm **out)
{
    struct hws_talk up = hws_talk_of(c), down = hws_talk_of(c);
    struct sides s = sides_of(c);
    struct hws_choice own = {color, key, c->rank, HWS_CTX_NONE}, *ours = malloc((size_t)c->size * sizeof *ours);
    struct swapped w = {.theirs = NULL};
    *out = NULL;
    if (!ours)
        return no_memory();
    if (color != MPI_UNDEFINED && hws_inter_is_low(c))
        own.ctx = hws_ctx_take();
    int rc = hws_talk_gather(&up, &own, sizeof own, c->rank == 0 ? ours : NULL);
    if (rc == MPI_SUCCESS && c->rank == 0)
        qsort(ours, (size_t)c->size, sizeof *ours, hws_choice_compare);
    if (rc == MPI_SUCCESS)
        rc = hws_talk_bcast(&down, ours, (size_t)c->size * sizeof *ours);
    if (rc == MPI_SUCCESS)
        rc = swap(&s, false, INTS * c->size, (const int *)ours, &w);
    if (own.ctx != HWS_CTX_NONE && (rc != MPI_SUCCESS || !is_used(c, ours, &w, color)))
        hws_ctx_give(own.ctx);
    if (rc == MPI_SUCCESS && color != MPI_UNDEFINED)
        rc = make_of_color(c, ours, &w, color, out);
    free(ours);
    free(w.theirs);
    return rc;
}
