/* SPDX-License-Identifier: BSD-3-Clause
 *
 * comm_make: intracommunicators from others and from groups. Cost in messages: one small broadcast over the new group
 * (dup, create); split adds one gather over the old one.
 */
#include "core/comm/comm_make.h"

#include <stdlib.h>
#include <string.h>

#include "core/comm/comm_agree.h"
#include "core/comm/comm_hints.h"
#include "core/comm/comm_inter.h"
#include "core/comm/ctx.h"
#include "core/object/attr.h"
#include "core/object/fail.h"
#include "core/object/world.h"
#include "core/topo/topo.h"

static int no_memory(void)
{
    return hws_fail(MPI_ERR_NO_MEM, "out of memory for a communicator");
}

int hws_comm_join(struct hws_group *g, struct hws_group *remote, uint32_t ctx, const struct hws_comm *parent,
                  struct hws_comm **out)
{
    hws_group_hold(g); /* they are needed once more */
    if (remote)
        hws_group_hold(remote);
    struct hws_comm *c = hws_comm_new(g, remote, parent);
    if (c && remote) {
        hws_group_hold(g);
        c->local = hws_comm_new(g, NULL, parent);
    }
    bool ok = c && (!remote || c->local);
    if (ok)
        hws_comm_set_ctx(c, ctx);
    else {
        hws_comm_drop(c);
        hws_ctx_leave(ctx, g, remote);
    }
    hws_group_drop(g);
    hws_group_drop(remote);
    *out = ok ? c : NULL;
    return ok ? MPI_SUCCESS : no_memory();
}

/* ---- dup ---- */

static int copy_cached(struct hws_comm *c, const struct hws_info *info, struct hws_comm *n)
{
    hws_comm_hints_set(n, info);
    n->topo = c->topo;
    hws_topo_hold(n->topo);
    int rc = hws_attrs_copy(c->attrs, HWS_KIND_COMM, hws_comm_handle(c), &n->attrs);
    if (rc != MPI_SUCCESS)
        hws_attrs_free(&n->attrs, HWS_KIND_COMM, hws_comm_handle(n));
    return rc;
}

int hws_comm_dup_begin(struct hws_comm *c, const struct hws_info *info, struct hws_comm **out)
{
    hws_group_hold(c->group);
    if (c->remote)
        hws_group_hold(c->remote);
    struct hws_comm *n = hws_comm_new(c->group, c->remote, c);
    if (!n)
        return no_memory();
    if (c->local) {
        hws_group_hold(c->group);
        n->local = hws_comm_new(c->group, NULL, NULL);
    }
    int rc = c->local && !n->local ? no_memory() : copy_cached(c, info, n);
    if (rc == MPI_SUCCESS)
        *out = n;
    else
        hws_comm_drop(n);
    return rc;
}

int hws_comm_dup(struct hws_comm *c, const struct hws_info *info, struct hws_comm **out)
{
    uint32_t ctx;
    int rc;
    if (c->remote) {
        rc = hws_inter_ctx(c, &ctx);
    } else {
        struct hws_talk t = hws_talk_of(c);
        rc = hws_talk_ctx(&t, &ctx);
    }
    if (rc != MPI_SUCCESS)
        return rc;
    rc = hws_comm_dup_begin(c, info, out);
    if (rc == MPI_SUCCESS)
        hws_comm_set_ctx(*out, ctx);
    else
        hws_ctx_leave(ctx, c->group, c->remote); /* others may have it */
    return rc;
}

/* ---- from a group ---- */

/* The communicator of the members of g, who talk among themselves only. */
static int make_of_group(struct hws_comm *parent, struct hws_group *g, uint32_t ctx, int tag, struct hws_comm **out)
{
    struct hws_talk t = {g, g->rank, ctx, tag, 0};
    uint32_t id;
    int rc = hws_talk_ctx(&t, &id);
    if (rc != MPI_SUCCESS)
        return rc;
    hws_group_hold(g);
    return hws_comm_join(g, NULL, id, parent, out);
}

int hws_comm_create(struct hws_comm *c, struct hws_group *g, struct hws_comm **out)
{
    *out = NULL;
    if (c->remote)
        return hws_inter_subset(c, g, out);
    int tag = hws_comm_next_tag(c);
    return g->rank == MPI_UNDEFINED ? MPI_SUCCESS : make_of_group(c, g, c->ctx + HWS_CTX_COLL, tag, out);
}

int hws_comm_create_group(struct hws_comm *c, struct hws_group *g, int tag, struct hws_comm **out)
{
    *out = NULL;
    return g->rank == MPI_UNDEFINED ? MPI_SUCCESS : make_of_group(c, g, c->ctx + HWS_CTX_INTERNAL, tag, out);
}

/* FNV-1a of the string, 31 bits: which of several creations at the same time a message belongs to. */
int hws_string_tag(const char *s)
{
    uint32_t h = 2166136261u;
    for (; *s; s++)
        h = (h ^ (unsigned char)*s) * 16777619u;
    return (int)(h & 0x7fffffff);
}

int hws_comm_create_from_group(struct hws_group *g, const char *stringtag, struct hws_comm **out)
{
    *out = NULL;
    if (g->size == 0)
        return MPI_SUCCESS;
    if (g->rank == MPI_UNDEFINED)
        return hws_fail(MPI_ERR_GROUP, "invalid group: this process is not in it");
    return make_of_group(NULL, g, HWS_CTX_STARTUP + HWS_CTX_INTERNAL, hws_string_tag(stringtag), out);
}

/* ---- split ---- */

int hws_choice_compare(const void *a, const void *b)
{
    const struct hws_choice *x = a, *y = b;
    if (x->color != y->color)
        return x->color < y->color ? -1 : 1;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->rank < y->rank ? -1 : x->rank > y->rank;
}

const struct hws_choice *hws_choice_first(const struct hws_choice *sorted, int n, int color)
{
    for (int i = 0; i < n; i++)
        if (sorted[i].color == color)
            return &sorted[i];
    return NULL;
}

int hws_choice_group(const struct hws_choice *sorted, int n, int color, const struct hws_group *old,
                     struct hws_group **out)
{
    int begin = 0, end, *peers;
    *out = NULL;
    while (begin < n && sorted[begin].color != color)
        begin++;
    for (end = begin; end < n && sorted[end].color == color; end++)
        ;
    if (begin == end)
        return MPI_SUCCESS;
    if ((peers = malloc((size_t)(end - begin) * sizeof *peers)) == NULL)
        return no_memory();
    for (int i = begin; i < end; i++)
        peers[i - begin] = hws_group_peer(old, sorted[i].rank);
    *out = hws_group_new(end - begin, peers, old->session);
    return *out ? MPI_SUCCESS : no_memory();
}

/* Everybody's choices, sorted. */
static int collect(struct hws_comm *c, const struct hws_choice *own, struct hws_choice *all)
{
    struct hws_talk t = hws_talk_of(c);
    int rc = hws_talk_gather(&t, own, sizeof *own, c->rank == 0 ? all : NULL);
    if (rc == MPI_SUCCESS && c->rank == 0)
        qsort(all, (size_t)c->size, sizeof *all, hws_choice_compare);
    return rc == MPI_SUCCESS ? hws_talk_bcast(&t, all, (size_t)c->size * sizeof *all) : rc;
}

/* The communicator of the choices that share my color. */
static int make_of_color(struct hws_comm *c, const struct hws_choice *all, int color, uint32_t ctx,
                         struct hws_comm **out)
{
    struct hws_group *g;
    int rc = hws_choice_group(all, c->size, color, c->group, &g);
    return rc == MPI_SUCCESS ? hws_comm_join(g, NULL, ctx, c, out) : rc;
}

int hws_comm_split(struct hws_comm *c, int color, int key, struct hws_comm **out)
{
    if (c->remote)
        return hws_inter_split(c, color, key, out);
    struct hws_choice own = {color, key, c->rank, HWS_CTX_NONE}, *all = malloc((size_t)c->size * sizeof *all);
    if (!all)
        return no_memory();
    if (color != MPI_UNDEFINED)
        own.ctx = hws_ctx_take();
    *out = NULL;
    int rc = collect(c, &own, all);
    const struct hws_choice *first = rc == MPI_SUCCESS ? hws_choice_first(all, c->size, color) : NULL;
    if (!first || first->rank != c->rank)
        hws_ctx_give(own.ctx);
    if (rc == MPI_SUCCESS && color != MPI_UNDEFINED && (rc = hws_ctx_check(first->ctx)) == MPI_SUCCESS)
        rc = make_of_color(c, all, color, first->ctx, out);
    free(all);
    return rc;
}
