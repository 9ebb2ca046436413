/* SPDX-License-Identifier: BSD-3-Clause
 *
 * check_object: checks that the entry points of communicators, groups, info objects and topologies share.
 */
#ifndef HWS_MPI_CHECK_OBJECT_H
#define HWS_MPI_CHECK_OBJECT_H

#include "core/comm/call.h"
#include "core/object/errhandler.h"
#include "core/object/info.h"
#include "mpi/check.h"
#include "peer/engine.h"

/* MPI_INFO_NULL gives NULL. */
static inline int hws_check_info(MPI_Info h, struct hws_info **out)
{
    *out = hws_info_of(h);
    return *out || h == MPI_INFO_NULL ? MPI_SUCCESS
                                      : hws_fail(MPI_ERR_INFO, "invalid info object: argument info is none");
}

/* Hands a new info object to the user; NULL: there was no memory for it. */
static inline int hws_give_info(struct hws_info *i, MPI_Info *out)
{
    if (!i)
        return hws_fail(MPI_ERR_NO_MEM, "out of memory for an info object");
    *out = hws_info_handle(i);
    return MPI_SUCCESS;
}

/* Ends the making of a communicator, from hws_call_begin() on: n NULL, or failure, gives MPI_COMM_NULL. A null newcomm
 * is no error of the parent's: as long as the parent has the handler it began with, the common object's serves (MPI 5.0
 * section 9.3, and what programs expect that set a handler on MPI_COMM_WORLD only). */
static inline int hws_give_comm(const char *fn, struct hws_comm *parent, int rc, struct hws_comm *n, MPI_Comm *newcomm)
{
    hws_call_end();
    if (newcomm)
        *newcomm = rc == MPI_SUCCESS && n ? hws_comm_handle(n) : MPI_COMM_NULL;
    else if (parent && parent->errhandler == hws_errhandler_initial())
        parent = NULL;
    return hws_raise(parent, fn, rc);
}

static inline int hws_check_group(MPI_Group h, const char *arg, struct hws_group **out)
{
    if ((*out = hws_group_of(h)) != NULL)
        return MPI_SUCCESS;
    return h == MPI_GROUP_NULL ? hws_fail(MPI_ERR_GROUP, "invalid group: argument %s is MPI_GROUP_NULL", arg)
                               : hws_fail(MPI_ERR_GROUP, "invalid group: argument %s is no group", arg);
}

#endif
