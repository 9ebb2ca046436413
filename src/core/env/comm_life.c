/* SPDX-License-Identifier: BSD-3-Clause
 *
 * comm_life: the end of communicators (declared in core/comm/comm.h), which knows all that hangs on them, and the whole
 * life of the predefined ones.
 */
#include <stdlib.h>
#include <string.h>

#include "core/comm/call.h"
#include "core/comm/comm.h"
#include "core/comm/ctx.h"
#include "core/hosts/hosts.h"
#include "core/hosts/region.h"
#include "core/object/attr.h"
#include "core/object/errhandler.h"
#include "core/object/fail.h"
#include "core/object/world.h"
#include "core/p2p/bsend.h"
#include "core/topo/topo.h"

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
    free(c->memo);
    free(c->cast);
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

int hws_comm_settle(struct hws_comm *c, const char *fn)
{
    if (!c->region)
        return MPI_SUCCESS;
    hws_call_begin(fn, c);
    int rc = hws_region_settle(c->region);
    hws_call_end();
    return rc == MPI_SUCCESS ? hws_region_take_late(c->region) : rc;
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
