/* SPDX-License-Identifier: BSD-3-Clause
 *
 * coll: what the entry points of the collectives share: the three forms of a call and the checks of its arguments
 * (MPI 5.0 section 6.2.3 and each operation's own). Arguments that count only at the root are looked at only there.
 */
#ifndef HWS_MPI_COLL_H
#define HWS_MPI_COLL_H

#include "coll/schedule/call.h"
#include "mpi/check_p2p.h"

enum hws_form_kind { HWS_BLOCKING, HWS_NONBLOCKING, HWS_PERSISTENT };

/* One of the six functions of an operation. */
struct hws_form {
    enum hws_form_kind kind;
    const char *fn;
    MPI_Request *req;
    MPI_Info info;
};

static inline struct hws_form hws_blocking(const char *fn)
{
    return (struct hws_form){HWS_BLOCKING, fn, NULL, MPI_INFO_NULL};
}

static inline struct hws_form hws_nonblocking(const char *fn, MPI_Request *req)
{
    return (struct hws_form){HWS_NONBLOCKING, fn, req, MPI_INFO_NULL};
}

static inline struct hws_form hws_persistent(const char *fn, MPI_Info info, MPI_Request *req)
{
    return (struct hws_form){HWS_PERSISTENT, fn, req, info};
}

static inline struct hws_counts hws_ints(const int *p)
{
    return (struct hws_counts){p, false};
}

static inline struct hws_counts hws_wides(const void *p) /* MPI_Count or MPI_Aint */
{
    return (struct hws_counts){p, true};
}

/* A call with vectors on both sides. */
static inline struct hws_coll_call hws_coll_vectors(enum hws_coll_kind kind, const void *sbuf, struct hws_counts sn,
                                                    struct hws_counts sdispls, void *rbuf, struct hws_counts rn,
                                                    struct hws_counts rdispls)
{
    return (struct hws_coll_call){
        .kind = kind, .sbuf = sbuf, .scounts = sn, .sdispls = sdispls, .rbuf = rbuf, .rcounts = rn, .rdispls = rdispls};
}

/* Communicator, request pointer, info. MPI class. */
int hws_coll_begin(const struct hws_form *f, MPI_Comm comm, struct hws_coll_call *a);
/* Runs, starts or prepares the call when rc is MPI_SUCCESS; returns the code for the user. */
int hws_coll_end(const struct hws_form *f, int rc, const struct hws_coll_call *a);

/* True where the rank is the root; never in the group of an intercommunicator that has no root. */
static inline bool hws_coll_at_root(const struct hws_coll_call *a)
{
    return a->comm->remote ? a->root == MPI_ROOT : a->comm->rank == a->root;
}

/* True where the rank gives (or, scatter, gets) one block: all ranks, but only the group without the root between
 * groups. */
static inline bool hws_coll_at_leaf(const struct hws_coll_call *a)
{
    return !a->comm->remote || a->root >= 0;
}

/* MPI_ERR_BUFFER when buf is MPI_IN_PLACE. */
int hws_check_not_in_place(const void *buf, const char *arg);
/* The same when it is not allowed here: on intercommunicators, in neighbourhoods. */
int hws_check_in_place(const struct hws_coll_call *a, const void *buf, const char *arg);

/* One typed buffer of `blocks` times n elements. */
int hws_check_sbuf(struct hws_coll_call *a, MPI_Count n, MPI_Datatype type, MPI_Count blocks);
int hws_check_rbuf(struct hws_coll_call *a, MPI_Count n, MPI_Datatype type, MPI_Count blocks);
/* A buffer of n blocks with counts and displacements (which the call names displs_arg), and one type, put into *t. */
int hws_check_blocks(const void *buf, struct hws_counts counts, struct hws_counts displs, const char *displs_arg,
                     MPI_Datatype type, int n, bool send, struct hws_type **t);
/* The same with a type for each block. */
int hws_check_w_blocks(const void *buf, struct hws_counts counts, struct hws_counts displs, const char *displs_arg,
                       const MPI_Datatype *types, int n, bool send);
/* MPI_ERR_BUFFER when a rank's own data would be sent from where it is received. */
int hws_check_alias(struct hws_data from, struct hws_data to);

#endif
