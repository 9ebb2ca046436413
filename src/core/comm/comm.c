/* SPDX-License-Identifier: BSD-3-Clause
 *
 * comm: the object itself: handles, birth, comparison. How communicators are made from others is in comm_make.c,
 * comm_split_type.c, comm_inter.c and request/comm_idup.c; their end is in env/comm_life.c, which knows all that hangs
 * on them.
 */
#include "core/comm/comm.h"

#include <stdlib.h>

#include "core/comm/ids.h"
#include "core/object/errhandler.h"

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
    c->cast_given_up = parent && !parent->remote && !remote && parent->cast_given_up;
    hws_errhandler_set(&c->errhandler, parent ? parent->errhandler : hws_errhandler_initial());
    return c;
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
