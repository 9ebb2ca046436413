/* SPDX-License-Identifier: BSD-3-Clause
 *
 * comm_inter: communicators from groups, between groups, without blocking and by hardware (MPI 5.0
 * sections 7.4.2, 7.6).
 */
#include "mpi/public.h"

#include "core/comm/comm_hints.h"
#include "core/comm/comm_inter.h"
#include "core/comm/comm_make.h"
#include "core/object/errhandler.h"
#include "core/object/info.h"
#include "core/request/request.h"
#include "mpi/check_object.h"

/* ---- intercommunicators ---- */

static int check_rank(int rank, int size, const char *arg)
{
    return rank >= 0 && rank < size
               ? MPI_SUCCESS
               : hws_fail(MPI_ERR_RANK, "invalid rank: argument %s is %d, it must be 0 to %d", arg, rank, size - 1);
}

/* peer_comm, remote_leader and tag count at the local leader only. */
static int check_leader(MPI_Comm peer_comm, int remote_leader, int tag, struct hws_comm **p)
{
    *p = hws_comm_of(peer_comm);
    if (!*p)
        return hws_fail(MPI_ERR_COMM, "invalid communicator: argument peer_comm is %s",
                        peer_comm == MPI_COMM_NULL ? "MPI_COMM_NULL" : "no communicator");
    if (tag < 0)
        return hws_fail(MPI_ERR_TAG, "invalid tag: argument tag is %d, it must be 0 to %d", tag, HWS_TAG_UB);
    return check_rank(remote_leader, hws_comm_peers(*p)->size, "remote_leader");
}

int PMPI_Intercomm_create(MPI_Comm local_comm, int local_leader, MPI_Comm peer_comm, int remote_leader, int tag,
                          MPI_Comm *newintercomm)
{
    static const char *const fn = "MPI_Intercomm_create";
    struct hws_comm *c, *p = NULL, *n = NULL;
    int rc = hws_check_named_comm(local_comm, "local_comm", &c);
    if (rc != MPI_SUCCESS)
        return hws_raise(NULL, fn, rc);
    if (c->remote)
        rc = hws_fail(MPI_ERR_COMM, "invalid communicator: argument local_comm is an intercommunicator");
    if (rc == MPI_SUCCESS && (rc = check_rank(local_leader, c->size, "local_leader")) == MPI_SUCCESS)
        rc = hws_check_ptr(newintercomm, "newintercomm");
    if (rc == MPI_SUCCESS && c->rank == local_leader)
        rc = check_leader(peer_comm, remote_leader, tag, &p);
    hws_call_begin(fn, c);
    if (rc == MPI_SUCCESS)
        rc = hws_inter_create(c, local_leader, p, remote_leader, tag, &n);
    return hws_give_comm(fn, c, rc, n, newintercomm);
}
HWS_MPI(Intercomm_create)

int PMPI_Intercomm_merge(MPI_Comm intercomm, int high, MPI_Comm *newintracomm)
{
    struct hws_comm *c, *n = NULL;
    int rc = hws_check_inter(intercomm, "intercomm", &c);
    hws_call_begin("MPI_Intercomm_merge", c);
    if (rc == MPI_SUCCESS && (rc = hws_check_ptr(newintracomm, "newintracomm")) == MPI_SUCCESS)
        rc = hws_inter_merge(c, high != 0, &n);
    return hws_give_comm("MPI_Intercomm_merge", c, rc, n, newintracomm);
}
HWS_MPI(Intercomm_merge)

/* ---- from groups: the error handler comes as an argument, for the call and for the result ---- */

struct from_group {
    struct hws_errhandler *errhandler;
    struct hws_info *info;
};

static int check_from_group(MPI_Errhandler errhandler, MPI_Info info, const char *stringtag, const void *newcomm,
                            const char *newcomm_arg, struct from_group *f)
{
    int rc = hws_check_up();
    f->errhandler = hws_errhandler_of(errhandler);
    if (!f->errhandler && errhandler != MPI_ERRHANDLER_NULL)
        return hws_fail(MPI_ERR_ERRHANDLER, "invalid error handler: argument errhandler is none");
    if (!f->errhandler)
        f->errhandler = hws_errhandler_initial();
    if (rc || (rc = hws_check_info(info, &f->info)) || (rc = hws_check_ptr(stringtag, "stringtag")))
        return rc;
    if (strlen(stringtag) >= MPI_MAX_STRINGTAG_LEN)
        return hws_fail(MPI_ERR_ARG, "invalid argument: stringtag has %zu characters, it must have at most %d",
                        strlen(stringtag), MPI_MAX_STRINGTAG_LEN - 1);
    return hws_check_ptr(newcomm, newcomm_arg);
}

static int finish_from_group(const char *fn, const struct from_group *f, int rc, struct hws_comm *n, MPI_Comm *newcomm)
{
    if (rc == MPI_SUCCESS && n) {
        hws_errhandler_set(&n->errhandler, f->errhandler);
        hws_comm_hints_set(n, f->info);
    }
    if (rc == MPI_SUCCESS) {
        *newcomm = n ? hws_comm_handle(n) : MPI_COMM_NULL;
        return rc;
    }
    hws_comm_drop(n);
    if (!f->errhandler)
        return hws_raise(NULL, fn, rc);
    return hws_raise_on(f->errhandler, HWS_KIND_COMM, MPI_COMM_NULL, fn, rc);
}

int PMPI_Comm_create_from_group(MPI_Group group, const char *stringtag, MPI_Info info, MPI_Errhandler errhandler,
                                MPI_Comm *newcomm)
{
    struct from_group f = {NULL, NULL};
    struct hws_group *g;
    struct hws_comm *n = NULL;
    int rc = check_from_group(errhandler, info, stringtag, newcomm, "newcomm", &f);
    if (rc == MPI_SUCCESS && (rc = hws_check_group(group, "group", &g)) == MPI_SUCCESS)
        rc = hws_comm_create_from_group(g, stringtag, &n);
    return finish_from_group("MPI_Comm_create_from_group", &f, rc, n, newcomm);
}
HWS_MPI(Comm_create_from_group)

static int check_two_groups(MPI_Group local_group, int local_leader, MPI_Group remote_group, int remote_leader,
                            struct hws_group **local, struct hws_group **remote)
{
    int rc = hws_check_group(local_group, "local_group", local);
    if (rc || (rc = hws_check_group(remote_group, "remote_group", remote)) ||
        (rc = check_rank(local_leader, (*local)->size, "local_leader")))
        return rc;
    if ((*local)->rank == MPI_UNDEFINED)
        return hws_fail(MPI_ERR_GROUP, "invalid group: this process is not in local_group");
    return check_rank(remote_leader, (*remote)->size, "remote_leader");
}

int PMPI_Intercomm_create_from_groups(MPI_Group local_group, int local_leader, MPI_Group remote_group,
                                      int remote_leader, const char *stringtag, MPI_Info info,
                                      MPI_Errhandler errhandler, MPI_Comm *newintercomm)
{
    struct from_group f = {NULL, NULL};
    struct hws_group *local, *remote;
    struct hws_comm *n = NULL;
    int rc = check_from_group(errhandler, info, stringtag, newintercomm, "newintercomm", &f);
    if (rc == MPI_SUCCESS)
        rc = check_two_groups(local_group, local_leader, remote_group, remote_leader, &local, &remote);
    if (rc == MPI_SUCCESS)
        rc = hws_inter_create_from_groups(local, local_leader, remote, remote_leader, stringtag, &n);
    return finish_from_group("MPI_Intercomm_create_from_groups", &f, rc, n, newintercomm);
}
HWS_MPI(Intercomm_create_from_groups)

/* ---- nonblocking ---- */

static int idup(const char *fn, MPI_Comm comm, MPI_Info info, MPI_Comm *newcomm, MPI_Request *request)
{
    struct hws_comm *c, *n = NULL;
    struct hws_info *i = NULL;
    struct hws_request *r = NULL;
    int rc = hws_check_comm(comm, &c);
    if (rc != MPI_SUCCESS)
        return hws_raise(NULL, fn, rc);
    if ((rc = hws_check_ptr(newcomm, "newcomm")) == MPI_SUCCESS &&
        (rc = hws_check_ptr(request, "request")) == MPI_SUCCESS)
        rc = hws_check_info(info, &i);
    hws_call_begin(fn, c);
    if (rc == MPI_SUCCESS)
        rc = hws_comm_idup(c, i, &n, &r);
    if (rc == MPI_SUCCESS)
        *request = hws_request_handle(r);
    return hws_give_comm(fn, c, rc, n, newcomm);
}

int PMPI_Comm_idup(MPI_Comm comm, MPI_Comm *newcomm, MPI_Request *request)
{
    return idup("MPI_Comm_idup", comm, MPI_INFO_NULL, newcomm, request);
}
HWS_MPI(Comm_idup)

int PMPI_Comm_idup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm *newcomm, MPI_Request *request)
{
    return idup("MPI_Comm_idup_with_info", comm, info, newcomm, request);
}
HWS_MPI(Comm_idup_with_info)

/* ---- by hardware ---- */

static bool is_split_type(int t)
{
    return t == MPI_COMM_TYPE_SHARED || t == MPI_COMM_TYPE_HW_UNGUIDED || t == MPI_COMM_TYPE_HW_GUIDED ||
           t == MPI_COMM_TYPE_RESOURCE_GUIDED || t == MPI_UNDEFINED;
}

int PMPI_Comm_split_type(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm *newcomm)
{
    static const char *const fn = "MPI_Comm_split_type";
    struct hws_comm *c, *n = NULL;
    struct hws_info *i = NULL;
    int rc = hws_check_comm(comm, &c);
    if (rc != MPI_SUCCESS)
        return hws_raise(NULL, fn, rc);
    if ((rc = hws_check_ptr(newcomm, "newcomm")) == MPI_SUCCESS)
        rc = hws_check_info(info, &i);
    if (rc == MPI_SUCCESS && !is_split_type(split_type))
        rc = hws_fail(MPI_ERR_ARG, "invalid argument: split_type is %d, it is none of MPI_COMM_TYPE_...", split_type);
    hws_call_begin(fn, c);
    if (rc == MPI_SUCCESS)
        rc = hws_comm_split_type(c, split_type, key, i, &n);
    return hws_give_comm(fn, c, rc, n, newcomm);
}
HWS_MPI(Comm_split_type)
