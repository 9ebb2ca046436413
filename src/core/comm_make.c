/* SPDX-License-Identifier: BSD-3-Clause
 *
 * comm_make: intracommunicators from others and from groups. Cost in messages: one small broadcast over the new group
 * (dup, create); split adds one gather over the old one.
 */
#include "core/comm_make.h"

#include <stdlib.h>
#include <string.h>

#include "core/attr.h"
#include "core/comm_agree.h"
#include "core/error.h"
#include "core/info.h"
#include "core/topo.h"
#include "core/world.h"

static int no_memory(void)
{
    return hws_fail(MPI_ERR_NO_MEM, "out of memory for a communicator");
}

/* ---- dup ---- */

static int copy_cached(struct hws_comm *c, const struct hws_info *info, struct hws_comm *n)
{
    if (info && (n->info = hws_info_dup(info)) == NULL)
        return no_memory();
    n->topo = c->topo;
    hws_topo_hold(n->topo);
    int rc = hws_attrs_copy(c->attrs, HWS_KIND_COMM, hws_comm_handle(c), &n->attrs);
    if (rc != MPI_SUCCESS)
        hws_attrs_free(&n->attrs, HWS_KIND_COMM, hws_comm_handle(n));
    return rc;
}

int hws_comm_dup_finish(struct hws_comm *c, const struct hws_info *info, uint32_t first_ctx, struct hws_comm **out)
{
    hws_group_hold(c->group);
    if (c->remote)
        hws_group_hold(c->remote);
    struct hws_comm *n = hws_comm_new(c->group, c->remote, first_ctx, c);
    if (!n)
        return no_memory();
    if (c->local) {
        hws_group_hold(c->group);
        n->local = hws_comm_new(c->group, NULL, hws_ctx_nth(first_ctx, 1), NULL);
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
    struct hws_talk t = hws_talk_of(c);
    int rc = hws_talk_ctx(&t, 1, &ctx);
    return rc ? rc : hws_comm_dup_finish(c, info, ctx, out);
}

/* ---- from a group ---- */

/* The communicator of the members of g, who talk among themselves only. */
static int make_of_group(struct hws_comm *parent, struct hws_group *g, uint32_t ctx, int tag, struct hws_comm **out)
{
    struct hws_talk t = {g, g->rank, ctx, tag};
    uint32_t id;
    int rc = hws_talk_ctx(&t, 1, &id);
    if (rc != MPI_SUCCESS)
        return rc;
    hws_group_hold(g);
    *out = hws_comm_new(g, NULL, id, parent);
    return *out ? MPI_SUCCESS : no_memory();
}

int hws_comm_create(struct hws_comm *c, struct hws_group *g, struct hws_comm **out)
{
    int tag = hws_comm_next_tag(c);
    *out = NULL;
    return g->rank == MPI_UNDEFINED ? MPI_SUCCESS : make_of_group(c, g, c->ctx + HWS_CTX_COLL, tag, out);
}

int hws_comm_create_group(struct hws_comm *c, struct hws_group *g, int tag, struct hws_comm **out)
{
    *out = NULL;
    return g->rank == MPI_UNDEFINED ? MPI_SUCCESS : make_of_group(c, g, c->ctx + HWS_CTX_INTERNAL, tag, out);
}

/* FNV-1a of the string, 31 bits: which of several creations at the same time a message belongs to. */
static int tag_of(const char *s)
{
    uint32_t h = 2166136261u;
    for (; *s; s++)
        h = (h ^ (unsigned char)*s) * 16777619u;
    return (int)(h & 0x7fffffff);
}

int hws_comm_create_from_group(struct hws_group *g, const char *stringtag, struct hws_comm **out)
{
    *out = NULL;
    return make_of_group(NULL, g, HWS_CTX_STARTUP + HWS_CTX_INTERNAL, tag_of(stringtag), out);
}

/* ---- split ---- */

struct choice {
    int color, key, rank;
};

/* By color, then key, then rank in the old communicator; MPI_UNDEFINED (negative) comes first. */
static int by_color(const void *a, const void *b)
{
    const struct choice *x = a, *y = b;
    if (x->color != y->color)
        return x->color < y->color ? -1 : 1;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->rank < y->rank ? -1 : x->rank > y->rank;
}

static int count_colors(const struct choice *sorted, int n)
{
    int colors = 0;
    for (int i = 0; i < n; i++)
        colors += sorted[i].color != MPI_UNDEFINED && (i == 0 || sorted[i].color != sorted[i - 1].color);
    return colors;
}

/* Everybody's choices, sorted, and the first of the new ids. The root's array ends with one entry more, for the id. */
static int collect(struct hws_comm *c, const struct choice *own, struct choice *all, uint32_t *first)
{
    struct hws_talk t = hws_talk_of(c);
    int rc = hws_talk_gather(&t, own, sizeof *own, c->rank == 0 ? all : NULL);
    if (rc != MPI_SUCCESS)
        return rc;
    if (c->rank == 0) {
        qsort(all, (size_t)c->size, sizeof *all, by_color);
        all[c->size].color = (int)hws_ctx_take(count_colors(all, c->size));
    }
    rc = hws_talk_bcast(&t, all, ((size_t)c->size + 1) * sizeof *all);
    *first = (uint32_t)all[c->size].color;
    if (rc == MPI_SUCCESS && *first == HWS_CTX_NONE)
        return hws_fail(MPI_ERR_OTHER, "no context id is left for another communicator");
    return rc;
}

/* The communicator of the choices that share my color. */
static int make_of_color(struct hws_comm *c, const struct choice *all, int color, uint32_t first, struct hws_comm **out)
{
    int begin = 0, end;
    while (all[begin].color != color)
        begin++;
    for (end = begin; end < c->size && all[end].color == color; end++)
        ;
    int *peers = malloc((size_t)(end - begin) * sizeof *peers);
    if (!peers)
        return no_memory();
    for (int i = begin; i < end; i++)
        peers[i - begin] = hws_group_peer(c->group, all[i].rank);
    struct hws_group *g = hws_group_new(end - begin, peers);
    *out = g ? hws_comm_new(g, NULL, hws_ctx_nth(first, count_colors(all, begin)), c) : NULL;
    return *out ? MPI_SUCCESS : no_memory();
}

int hws_comm_split(struct hws_comm *c, int color, int key, struct hws_comm **out)
{
    struct choice own = {color, key, c->rank}, *all = calloc((size_t)c->size + 1, sizeof *all);
    uint32_t first;
    if (!all)
        return no_memory();
    *out = NULL;
    int rc = collect(c, &own, all, &first);
    if (rc == MPI_SUCCESS && color != MPI_UNDEFINED)
        rc = make_of_color(c, all, color, first, out);
    free(all);
    return rc;
}
