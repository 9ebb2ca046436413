/* SPDX-License-Identifier: BSD-3-Clause
 *
 * comm: MPI_Comm_... (MPI 5.0 chapter 7), except attributes and error handlers.
 */
#include "mpi/public.h"

#include <stdio.h>
#include <string.h>

#include "core/comm/comm_hints.h"
#include "core/comm/comm_make.h"
#include "core/object/info.h"
#include "mpi/check.h"
#include "mpi/check_object.h"
#include "peer/engine.h"

/* ---- queries ---- */

static int query(const char *fn, MPI_Comm comm, const char *arg, int *out, int (*get)(const struct hws_comm *))
{
    struct hws_comm *c;
    int rc = hws_check_comm(comm, &c);
    if (rc != MPI_SUCCESS)
        return hws_raise(NULL, fn, rc);
    if ((rc = hws_check_ptr(out, arg)) == MPI_SUCCESS)
        *out = get(c);
    return hws_raise(c, fn, rc);
}

static int get_size(const struct hws_comm *c)
{
    return c->size;
}

static int get_rank(const struct hws_comm *c)
{
    return c->rank;
}

static int get_inter(const struct hws_comm *c)
{
    return c->remote != NULL;
}

int PMPI_Comm_size(MPI_Comm comm, int *size)
{
    return query("MPI_Comm_size", comm, "size", size, get_size);
}
HWS_MPI(Comm_size)

int PMPI_Comm_rank(MPI_Comm comm, int *rank)
{
    return query("MPI_Comm_rank", comm, "rank", rank, get_rank);
}
HWS_MPI(Comm_rank)

int PMPI_Comm_test_inter(MPI_Comm comm, int *flag)
{
    return query("MPI_Comm_test_inter", comm, "flag", flag, get_inter);
}
HWS_MPI(Comm_test_inter)

int PMPI_Comm_remote_size(MPI_Comm comm, int *size)
{
    struct hws_comm *c;
    int rc = hws_check_inter(comm, "comm", &c);
    if (rc == MPI_SUCCESS && (rc = hws_check_ptr(size, "size")) == MPI_SUCCESS)
        *size = c->remote->size;
    return hws_raise(c, "MPI_Comm_remote_size", rc);
}
HWS_MPI(Comm_remote_size)

static int give_group(struct hws_group *g, MPI_Group *group)
{
    int rc = hws_check_ptr(group, "group");
    if (rc != MPI_SUCCESS)
        return rc;
    hws_group_hold(g);
    *group = hws_group_handle(g);
    return MPI_SUCCESS;
}

int PMPI_Comm_group(MPI_Comm comm, MPI_Group *group)
{
    struct hws_comm *c;
    int rc = hws_check_comm(comm, &c);
    return rc ? hws_raise(NULL, "MPI_Comm_group", rc) : hws_raise(c, "MPI_Comm_group", give_group(c->group, group));
}
HWS_MPI(Comm_group)

int PMPI_Comm_remote_group(MPI_Comm comm, MPI_Group *group)
{
    struct hws_comm *c;
    int rc = hws_check_inter(comm, "comm", &c);
    return hws_raise(c, "MPI_Comm_remote_group", rc ? rc : give_group(c->remote, group));
}
HWS_MPI(Comm_remote_group)

int PMPI_Comm_compare(MPI_Comm comm1, MPI_Comm comm2, int *result)
{
    struct hws_comm *a, *b;
    int rc = hws_check_named_comm(comm1, "comm1", &a);
    if (rc == MPI_SUCCESS && (rc = hws_check_named_comm(comm2, "comm2", &b)) == MPI_SUCCESS)
        rc = hws_check_ptr(result, "result");
    if (rc == MPI_SUCCESS)
        *result = hws_comm_compare(a, b);
    return hws_raise(NULL, "MPI_Comm_compare", rc);
}
HWS_MPI(Comm_compare)

/* ---- names and hints ---- */

int PMPI_Comm_set_name(MPI_Comm comm, const char *comm_name)
{
    struct hws_comm *c;
    int rc = hws_check_comm(comm, &c);
    if (rc != MPI_SUCCESS)
        return hws_raise(NULL, "MPI_Comm_set_name", rc);
    if ((rc = hws_check_ptr(comm_name, "comm_name")) == MPI_SUCCESS)
        snprintf(c->name, sizeof c->name, "%s", comm_name);
    return hws_raise(c, "MPI_Comm_set_name", rc);
}
HWS_MPI(Comm_set_name)

/* MPI_COMM_NULL has a name too (MPI 5.0 section 7.8). */
int PMPI_Comm_get_name(MPI_Comm comm, char *comm_name, int *resultlen)
{
    struct hws_comm *c = NULL;
    int rc = comm == MPI_COMM_NULL ? hws_check_up() : hws_check_comm(comm, &c);
    if (rc == MPI_SUCCESS && (rc = hws_check_ptr(comm_name, "comm_name")) == MPI_SUCCESS)
        rc = hws_check_ptr(resultlen, "resultlen");
    if (rc == MPI_SUCCESS) {
        snprintf(comm_name, MPI_MAX_OBJECT_NAME, "%s", c ? c->name : "MPI_COMM_NULL");
        *resultlen = (int)strlen(comm_name);
    }
    return hws_raise(c, "MPI_Comm_get_name", rc);
}
HWS_MPI(Comm_get_name)

int PMPI_Comm_set_info(MPI_Comm comm, MPI_Info info)
{
    struct hws_comm *c;
    struct hws_info *i;
    int rc = hws_check_comm(comm, &c);
    if (rc != MPI_SUCCESS)
        return hws_raise(NULL, "MPI_Comm_set_info", rc);
    if ((rc = hws_check_info(info, &i)) == MPI_SUCCESS)
        hws_comm_hints_set(c, i);
    return hws_raise(c, "MPI_Comm_set_info", rc);
}
HWS_MPI(Comm_set_info)

int PMPI_Comm_get_info(MPI_Comm comm, MPI_Info *info_used)
{
    struct hws_comm *c;
    int rc = hws_check_comm(comm, &c);
    if (rc != MPI_SUCCESS)
        return hws_raise(NULL, "MPI_Comm_get_info", rc);
    if ((rc = hws_check_ptr(info_used, "info_used")) == MPI_SUCCESS)
        rc = hws_give_info(hws_comm_hints(c), info_used);
    return hws_raise(c, "MPI_Comm_get_info", rc);
}
HWS_MPI(Comm_get_info)

/* ---- making and freeing ---- */

static int check_parent(MPI_Comm comm, MPI_Comm *newcomm, struct hws_comm **c)
{
    int rc = hws_check_comm(comm, c);
    if (rc == MPI_SUCCESS)
        rc = hws_check_ptr(newcomm, "newcomm");
    return rc;
}

static int dup(const char *fn, MPI_Comm comm, MPI_Info info, MPI_Comm *newcomm)
{
    struct hws_comm *c = NULL, *n = NULL;
    struct hws_info *i;
    int rc = check_parent(comm, newcomm, &c);
    hws_call_begin(fn, c);
    if (rc == MPI_SUCCESS && (rc = hws_check_info(info, &i)) == MPI_SUCCESS)
        rc = hws_comm_dup(c, i, &n);
    return hws_give_comm(fn, c, rc, n, newcomm);
}

int PMPI_Comm_dup(MPI_Comm comm, MPI_Comm *newcomm)
{
    return dup("MPI_Comm_dup", comm, MPI_INFO_NULL, newcomm);
}
HWS_MPI(Comm_dup)

int PMPI_Comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm *newcomm)
{
    return dup("MPI_Comm_dup_with_info", comm, info, newcomm);
}
HWS_MPI(Comm_dup_with_info)

/* The group of a creation: its processes must be the communicator's (MPI 5.0 section 7.4.2). */
static int check_subgroup(MPI_Group h, const struct hws_comm *c, struct hws_group **out)
{
    struct hws_group *g = hws_group_of(h);
    if (!g)
        return h == MPI_GROUP_NULL ? hws_fail(MPI_ERR_GROUP, "invalid group: argument group is MPI_GROUP_NULL")
                                   : hws_fail(MPI_ERR_GROUP, "invalid group: argument group is no group");
    for (int r = 0; r < g->size; r++)
        if (hws_group_rank_of_peer(c->group, hws_group_peer(g, r)) == MPI_UNDEFINED)
            return hws_fail(MPI_ERR_GROUP, "invalid group: its rank %d is not in the communicator", r);
    *out = g;
    return MPI_SUCCESS;
}

int PMPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm *newcomm)
{
    struct hws_comm *c = NULL, *n = NULL;
    struct hws_group *g;
    int rc = check_parent(comm, newcomm, &c);
    hws_call_begin("MPI_Comm_create", c);
    if (rc == MPI_SUCCESS && (rc = check_subgroup(group, c, &g)) == MPI_SUCCESS)
        rc = hws_comm_create(c, g, &n);
    return hws_give_comm("MPI_Comm_create", c, rc, n, newcomm);
}
HWS_MPI(Comm_create)

int PMPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *newcomm)
{
    struct hws_comm *c = NULL, *n = NULL;
    struct hws_group *g;
    int rc = check_parent(comm, newcomm, &c);
    if (rc == MPI_SUCCESS && tag < 0)
        rc = hws_fail(MPI_ERR_TAG, "invalid tag: argument tag is %d, it must be 0 to %d", tag, HWS_TAG_UB);
    if (rc == MPI_SUCCESS && c->remote)
        rc = hws_fail(MPI_ERR_COMM, "invalid communicator: argument comm is an intercommunicator");
    hws_call_begin("MPI_Comm_create_group", c);
    if (rc == MPI_SUCCESS && (rc = check_subgroup(group, c, &g)) == MPI_SUCCESS)
        rc = hws_comm_create_group(c, g, tag, &n);
    return hws_give_comm("MPI_Comm_create_group", c, rc, n, newcomm);
}
HWS_MPI(Comm_create_group)

int PMPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *newcomm)
{
    struct hws_comm *c = NULL, *n = NULL;
    int rc = check_parent(comm, newcomm, &c);
    if (rc == MPI_SUCCESS && color < 0 && color != MPI_UNDEFINED)
        rc = hws_fail(MPI_ERR_ARG, "invalid argument: color is %d, it must not be negative", color);
    hws_call_begin("MPI_Comm_split", c);
    if (rc == MPI_SUCCESS)
        rc = hws_comm_split(c, color, key, &n);
    return hws_give_comm("MPI_Comm_split", c, rc, n, newcomm);
}
HWS_MPI(Comm_split)

static int free_comm(const char *fn, MPI_Comm *comm, bool flush)
{
    struct hws_comm *c = NULL;
    int rc = hws_check_ptr(comm, "comm");
    if (rc || (rc = hws_check_comm(*comm, &c)))
        return hws_raise(c, fn, rc);
    if (c->obj.handle)
        return hws_raise(c, fn, hws_fail(MPI_ERR_COMM, "invalid communicator: %s can't be freed", c->name));
    if (flush)
        hws_engine_flush(hws_world.engine);
    hws_comm_hold(c); /* for the error handler */
    int late = hws_comm_settle(c, fn);
    rc = hws_comm_free(c);
    if (rc == MPI_SUCCESS) {
        *comm = MPI_COMM_NULL;
        rc = late;
    }
    rc = hws_raise(c, fn, rc);
    hws_comm_drop(c);
    return rc;
}

int PMPI_Comm_free(MPI_Comm *comm)
{
    return free_comm("MPI_Comm_free", comm, false);
}
HWS_MPI(Comm_free)

/* All communication on it is complete and matched when it is called (MPI 5.0 section 11.10.4): what is left is sent
 * out. */
int PMPI_Comm_disconnect(MPI_Comm *comm)
{
    return free_comm("MPI_Comm_disconnect", comm, true);
}
HWS_MPI(Comm_disconnect)

/* No process is started by another yet, so none has a parent (MPI 5.0 section 11.8.1). */
int PMPI_Comm_get_parent(MPI_Comm *parent)
{
    int rc = hws_check_up();
    if (rc == MPI_SUCCESS && (rc = hws_check_ptr(parent, "parent")) == MPI_SUCCESS)
        *parent = MPI_COMM_NULL;
    return hws_raise(NULL, "MPI_Comm_get_parent", rc);
}
HWS_MPI(Comm_get_parent)
