/* SPDX-License-Identifier: BSD-3-Clause
 *
 * comm: the object itself: handles, life, comparison. How communicators are made from others is in comm_make.c,
 * comm_idup.c, comm_split_type.c and comm_inter.c.
 */
#include "core/comm/comm.h"

#include <stdlib.h>
#include <string.h>

#include "core/object/attr.h"
#include "core/p2p/bsend.h"
#include "core/comm/ctx.h"
#include "core/object/errhandler.h"
#include "core/object/fail.h"
#include "core/hosts/hosts.h"
#include "core/hosts/region.h"
#include "core/topo/topo.h"
#include "core/env/world.h"

struct hws_comm hws_comm_world = {.obj = {.kind = HWS_KIND_COMM, .refs = 1, .handle = 0x101}, .ctx = HWS_CTX_WORLD};
struct hws_comm hws_comm_self = {.obj = {.kind = HWS_KIND_COMM, .refs = 1, .handle = 0x102}, .ctx = HWS_CTX_SELF};

struct hws_comm *hws_comm_of_dynamic(MPI_Comm h)
{
    if (h == MPI_COMM_SELF)
        return &hws_comm_self;
    return (struct hws_comm *)hws_object_of(h, HWS_KIND_COMM);
}

struct hws_comm *hws_comm_new(struct hws_group *group, struct hws_group *remote, const struct hws_comm *parent)
{
    struct hws_comm *c = calloc(1, sizeof *c);
    if (!c) {
        hws_group_drop(group);
        hws_group_drop(remote);
        return NULL;
    }
    hws_object_init(&c->obj, HWS_KIND_COMM);
    c->ctx = HWS_CTX_NONE;
    c->group = group;
    c->remote = remote;
    c->rank = group->rank;
    c->size = group->size;
    hws_errhandler_set(&c->errhandler, parent ? parent->errhandler : hws_errhandler_initial());
    return c;
}

void hws_comm_set_ctx(struct hws_comm *c, uint32_t ctx)
{
    hws_ctx_enter(ctx);
    c->ctx = ctx;
    c->holds_ctx = true;
    if (c->local) /* among others than those it is used with on c */
        c->local->ctx = ctx;
}

/* Frees what hangs on c, not c. */
static void clear(struct hws_comm *c)
{
    if (c->holds_ctx)
        hws_ctx_leave(c->ctx, c->group, c->remote);
    hws_group_drop(c->group);
    hws_group_drop(c->remote);
    hws_comm_drop(c->local);
    hws_errhandler_drop(c->errhandler);
    hws_attrs_forget(&c->attrs);
    hws_topo_drop(c->topo);
    hws_bsend_end(&c->bsend);
    hws_region_drop(c->region);
    hws_hosts_drop(c->hosts);
    hws_hosts_drop(c->placed);
}

void hws_comm_drop(struct hws_comm *c)
{
    if (!c || c->obj.handle || !hws_object_unref(&c->obj))
        return;
    c->obj.kind = 0;
    clear(c);
    free(c);
}

int hws_comm_free(struct hws_comm *c)
{
    int rc = hws_attrs_free(&c->attrs, HWS_KIND_COMM, hws_comm_handle(c));
    if (rc != MPI_SUCCESS)
        return rc;
    hws_bsend_end(&c->bsend); /* now, not at the last drop: that may be inside a callback, where nothing can wait */
    hws_comm_drop(c);
    return rc;
}

static int begin_one(struct hws_comm *c, int size, int *peers, const char *name)
{
    c->group = hws_group_new(size, peers, NULL);
    if (!c->group)
        return hws_fail(MPI_ERR_NO_MEM, "out of memory for %s", name);
    c->rank = c->group->rank;
    c->size = size;
    c->coll_tag = 0;
    memcpy(c->name, name, strlen(name) + 1);
    hws_errhandler_set(&c->errhandler, hws_errhandler_initial());
    return MPI_SUCCESS;
}

int hws_comm_begin_predefined(void)
{
    int *me = malloc(sizeof *me);
    if (!me)
        return hws_fail(MPI_ERR_NO_MEM, "out of memory for MPI_COMM_SELF");
    *me = hws_world.rank;
    int rc = begin_one(&hws_comm_self, 1, me, "MPI_COMM_SELF");
    return rc ? rc : begin_one(&hws_comm_world, hws_world.size, NULL, "MPI_COMM_WORLD");
}

static void end_one(struct hws_comm *c)
{
    clear(c);
    *c = (struct hws_comm){.obj = c->obj, .ctx = c->ctx};
}

void hws_comm_end_predefined(void)
{
    end_one(&hws_comm_self);
    end_one(&hws_comm_world);
}

int hws_comm_compare(const struct hws_comm *a, const struct hws_comm *b)
{
    if (a == b)
        return MPI_IDENT;
    if (!a->remote != !b->remote)
        return MPI_UNEQUAL;
    int groups = hws_group_compare(a->group, b->group);
    int remotes = a->remote ? hws_group_compare(a->remote, b->remote) : MPI_IDENT;
    if (groups == MPI_UNEQUAL || remotes == MPI_UNEQUAL)
        return MPI_UNEQUAL;
    return groups == MPI_IDENT && remotes == MPI_IDENT ? MPI_CONGRUENT : MPI_SIMILAR;
}
