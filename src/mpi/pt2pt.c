/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pt2pt: blocking and nonblocking sends and receives (MPI 5.0 sections 3.2 to 3.7 and 3.10).
 */
#include "mpi/public.h"

#include "base/hot.h"
#include "mpi/check_p2p.h"

static const struct hws_side_names one_side_send = {"buf", "count", "datatype", "dest", "tag"};
static const struct hws_side_names one_side_recv = {"buf", "count", "datatype", "source", "tag"};
static const struct hws_side_names send_side = {"sendbuf", "sendcount", "sendtype", "dest", "sendtag"};
static const struct hws_side_names recv_side = {"recvbuf", "recvcount", "recvtype", "source", "recvtag"};
static const struct hws_side_names replace_send = {"buf", "count", "datatype", "dest", "sendtag"};

HWS_HOT static inline int send_any(const char *fn, enum hws_send_mode m, const void *buf, MPI_Count n, MPI_Datatype h,
                                   int dest, int tag, MPI_Comm comm)
{
    struct hws_comm *c;
    struct hws_type *t;
    int rc;
    if ((rc = hws_check_comm(comm, &c)) != MPI_SUCCESS)
        return hws_raise(NULL, fn, rc);
    if ((rc = hws_check_send(c, buf, n, h, dest, tag, &one_side_send, &t)) != MPI_SUCCESS)
        return hws_raise(c, fn, rc);
    return hws_raise(c, fn, hws_send(c, HWS_CTX_P2P, m, buf, n, t, dest, tag));
}

HWS_HOT static inline int isend_any(const char *fn, enum hws_send_mode m, const void *buf, MPI_Count n, MPI_Datatype h,
                                    int dest, int tag, MPI_Comm comm, MPI_Request *req)
{
    struct hws_comm *c;
    struct hws_type *t;
    int rc;
    if ((rc = hws_check_comm(comm, &c)) != MPI_SUCCESS)
        return hws_raise(NULL, fn, rc);
    if ((rc = hws_check_send(c, buf, n, h, dest, tag, &one_side_send, &t)) != MPI_SUCCESS ||
        (rc = hws_check_ptr(req, "request")) != MPI_SUCCESS)
        return hws_raise(c, fn, rc);
    return hws_raise(c, fn, hws_isend(c, HWS_CTX_P2P, m, buf, n, t, dest, tag, (struct hws_request **)req));
}

HWS_HOT static inline int recv_any(const char *fn, void *buf, MPI_Count n, MPI_Datatype h, int source, int tag,
                                   MPI_Comm comm, MPI_Status *st)
{
    struct hws_comm *c;
    struct hws_type *t;
    int rc;
    if ((rc = hws_check_comm(comm, &c)) != MPI_SUCCESS)
        return hws_raise(NULL, fn, rc);
    if ((rc = hws_check_recv(c, buf, n, h, source, tag, &one_side_recv, &t)) != MPI_SUCCESS)
        return hws_raise(c, fn, rc);
    return hws_raise(c, fn, hws_recv(c, HWS_CTX_P2P, buf, n, t, source, tag, st));
}

HWS_HOT static inline int irecv_any(const char *fn, void *buf, MPI_Count n, MPI_Datatype h, int source, int tag,
                                    MPI_Comm comm, MPI_Request *req)
{
    struct hws_comm *c;
    struct hws_type *t;
    int rc;
    if ((rc = hws_check_comm(comm, &c)) != MPI_SUCCESS)
        return hws_raise(NULL, fn, rc);
    if ((rc = hws_check_recv(c, buf, n, h, source, tag, &one_side_recv, &t)) != MPI_SUCCESS ||
        (rc = hws_check_ptr(req, "request")) != MPI_SUCCESS)
        return hws_raise(c, fn, rc);
    return hws_raise(c, fn, hws_irecv(c, HWS_CTX_P2P, buf, n, t, source, tag, (struct hws_request **)req));
}

/* The arguments of all forms of send-receive; sbuf == rbuf in the replace forms. */
struct exchange {
    const void *sbuf;
    void *rbuf;
    MPI_Count sn, rn;
    MPI_Datatype sh, rh;
    int dest, stag, source, rtag;
    bool replace;
    struct hws_type *st, *rt;
};

static int check_exchange(const struct hws_comm *c, struct exchange *x)
{
    int rc =
        hws_check_send(c, x->sbuf, x->sn, x->sh, x->dest, x->stag, x->replace ? &replace_send : &send_side, &x->st);
    if (rc != MPI_SUCCESS)
        return rc;
    return hws_check_recv(c, x->rbuf, x->rn, x->rh, x->source, x->rtag, &recv_side, &x->rt);
}

static int sendrecv_any(const char *fn, struct exchange x, MPI_Comm comm, MPI_Status *st)
{
    struct hws_comm *c;
    int rc;
    if ((rc = hws_check_comm(comm, &c)) != MPI_SUCCESS)
        return hws_raise(NULL, fn, rc);
    if ((rc = check_exchange(c, &x)) != MPI_SUCCESS)
        return hws_raise(c, fn, rc);
    rc = x.replace ? hws_sendrecv_replace(c, x.rbuf, x.rn, x.rt, x.dest, x.stag, x.source, x.rtag, st)
                   : hws_sendrecv(c, HWS_CTX_P2P, x.sbuf, x.sn, x.st, x.dest, x.stag, x.rbuf, x.rn, x.rt, x.source,
                                  x.rtag, st);
    return hws_raise(c, fn, rc);
}

static int isendrecv_any(const char *fn, struct exchange x, MPI_Comm comm, MPI_Request *req)
{
    struct hws_comm *c;
    int rc;
    if ((rc = hws_check_comm(comm, &c)) != MPI_SUCCESS)
        return hws_raise(NULL, fn, rc);
    if ((rc = check_exchange(c, &x)) != MPI_SUCCESS || (rc = hws_check_ptr(req, "request")) != MPI_SUCCESS)
        return hws_raise(c, fn, rc);
    struct hws_request **r = (struct hws_request **)req;
    rc = x.replace ? hws_isendrecv_replace(c, x.rbuf, x.rn, x.rt, x.dest, x.stag, x.source, x.rtag, r)
                   : hws_isendrecv(c, x.sbuf, x.sn, x.st, x.dest, x.stag, x.rbuf, x.rn, x.rt, x.source, x.rtag, r);
    return hws_raise(c, fn, rc);
}

HWS_HOT int PMPI_Send(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm)
{
    return send_any("MPI_Send", HWS_STANDARD, buf, count, datatype, dest, tag, comm);
}
HWS_MPI(Send)

int PMPI_Send_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm)
{
    return send_any("MPI_Send_c", HWS_STANDARD, buf, count, datatype, dest, tag, comm);
}
HWS_MPI(Send_c)

int PMPI_Bsend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm)
{
    return send_any("MPI_Bsend", HWS_BUFFERED, buf, count, datatype, dest, tag, comm);
}
HWS_MPI(Bsend)

int PMPI_Bsend_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm)
{
    return send_any("MPI_Bsend_c", HWS_BUFFERED, buf, count, datatype, dest, tag, comm);
}
HWS_MPI(Bsend_c)

int PMPI_Ssend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm)
{
    return send_any("MPI_Ssend", HWS_SYNC, buf, count, datatype, dest, tag, comm);
}
HWS_MPI(Ssend)

int PMPI_Ssend_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm)
{
    return send_any("MPI_Ssend_c", HWS_SYNC, buf, count, datatype, dest, tag, comm);
}
HWS_MPI(Ssend_c)

int PMPI_Rsend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm)
{
    return send_any("MPI_Rsend", HWS_READY, buf, count, datatype, dest, tag, comm);
}
HWS_MPI(Rsend)

int PMPI_Rsend_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm)
{
    return send_any("MPI_Rsend_c", HWS_READY, buf, count, datatype, dest, tag, comm);
}
HWS_MPI(Rsend_c)

HWS_HOT int PMPI_Isend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                       MPI_Request *request)
{
    return isend_any("MPI_Isend", HWS_STANDARD, buf, count, datatype, dest, tag, comm, request);
}
HWS_MPI(Isend)

int PMPI_Isend_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                 MPI_Request *request)
{
    return isend_any("MPI_Isend_c", HWS_STANDARD, buf, count, datatype, dest, tag, comm, request);
}
HWS_MPI(Isend_c)

int PMPI_Ibsend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                MPI_Request *request)
{
    return isend_any("MPI_Ibsend", HWS_BUFFERED, buf, count, datatype, dest, tag, comm, request);
}
HWS_MPI(Ibsend)

int PMPI_Ibsend_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                  MPI_Request *request)
{
    return isend_any("MPI_Ibsend_c", HWS_BUFFERED, buf, count, datatype, dest, tag, comm, request);
}
HWS_MPI(Ibsend_c)

int PMPI_Issend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                MPI_Request *request)
{
    return isend_any("MPI_Issend", HWS_SYNC, buf, count, datatype, dest, tag, comm, request);
}
HWS_MPI(Issend)

int PMPI_Issend_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                  MPI_Request *request)
{
    return isend_any("MPI_Issend_c", HWS_SYNC, buf, count, datatype, dest, tag, comm, request);
}
HWS_MPI(Issend_c)

int PMPI_Irsend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                MPI_Request *request)
{
    return isend_any("MPI_Irsend", HWS_READY, buf, count, datatype, dest, tag, comm, request);
}
HWS_MPI(Irsend)

int PMPI_Irsend_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                  MPI_Request *request)
{
    return isend_any("MPI_Irsend_c", HWS_READY, buf, count, datatype, dest, tag, comm, request);
}
HWS_MPI(Irsend_c)

HWS_HOT int PMPI_Recv(void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
                      MPI_Status *status)
{
    return recv_any("MPI_Recv", buf, count, datatype, source, tag, comm, status);
}
HWS_MPI(Recv)

int PMPI_Recv_c(void *buf, MPI_Count count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
                MPI_Status *status)
{
    return recv_any("MPI_Recv_c", buf, count, datatype, source, tag, comm, status);
}
HWS_MPI(Recv_c)

HWS_HOT int PMPI_Irecv(void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
                       MPI_Request *request)
{
    return irecv_any("MPI_Irecv", buf, count, datatype, source, tag, comm, request);
}
HWS_MPI(Irecv)

int PMPI_Irecv_c(void *buf, MPI_Count count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
                 MPI_Request *request)
{
    return irecv_any("MPI_Irecv_c", buf, count, datatype, source, tag, comm, request);
}
HWS_MPI(Irecv_c)

int PMPI_Sendrecv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag, void *recvbuf,
                  int recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm, MPI_Status *status)
{
    struct exchange x = {.sbuf = sendbuf,
                         .sn = sendcount,
                         .sh = sendtype,
                         .dest = dest,
                         .stag = sendtag,
                         .rbuf = recvbuf,
                         .rn = recvcount,
                         .rh = recvtype,
                         .source = source,
                         .rtag = recvtag};
    return sendrecv_any("MPI_Sendrecv", x, comm, status);
}
HWS_MPI(Sendrecv)

int PMPI_Sendrecv_replace(void *buf, int count, MPI_Datatype datatype, int dest, int sendtag, int source, int recvtag,
                          MPI_Comm comm, MPI_Status *status)
{
    struct exchange x = {.sbuf = buf,
                         .sn = count,
                         .sh = datatype,
                         .dest = dest,
                         .stag = sendtag,
                         .replace = true,
                         .rbuf = buf,
                         .rn = count,
                         .rh = datatype,
                         .source = source,
                         .rtag = recvtag};
    return sendrecv_any("MPI_Sendrecv_replace", x, comm, status);
}
HWS_MPI(Sendrecv_replace)

int PMPI_Isendrecv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag, void *recvbuf,
                   int recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm, MPI_Request *request)
{
    struct exchange x = {.sbuf = sendbuf,
                         .sn = sendcount,
                         .sh = sendtype,
                         .dest = dest,
                         .stag = sendtag,
                         .rbuf = recvbuf,
                         .rn = recvcount,
                         .rh = recvtype,
                         .source = source,
                         .rtag = recvtag};
    return isendrecv_any("MPI_Isendrecv", x, comm, request);
}
HWS_MPI(Isendrecv)

int PMPI_Isendrecv_replace(void *buf, int count, MPI_Datatype datatype, int dest, int sendtag, int source, int recvtag,
                           MPI_Comm comm, MPI_Request *request)
{
    struct exchange x = {.sbuf = buf,
                         .sn = count,
                         .sh = datatype,
                         .dest = dest,
                         .stag = sendtag,
                         .replace = true,
                         .rbuf = buf,
                         .rn = count,
                         .rh = datatype,
                         .source = source,
                         .rtag = recvtag};
    return isendrecv_any("MPI_Isendrecv_replace", x, comm, request);
}
HWS_MPI(Isendrecv_replace)

int PMPI_Sendrecv_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, int dest, int sendtag,
                    void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm,
                    MPI_Status *status)
{
    struct exchange x = {.sbuf = sendbuf,
                         .sn = sendcount,
                         .sh = sendtype,
                         .dest = dest,
                         .stag = sendtag,
                         .rbuf = recvbuf,
                         .rn = recvcount,
                         .rh = recvtype,
                         .source = source,
                         .rtag = recvtag};
    return sendrecv_any("MPI_Sendrecv_c", x, comm, status);
}
HWS_MPI(Sendrecv_c)

int PMPI_Sendrecv_replace_c(void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int sendtag, int source,
                            int recvtag, MPI_Comm comm, MPI_Status *status)
{
    struct exchange x = {.sbuf = buf,
                         .sn = count,
                         .sh = datatype,
                         .dest = dest,
                         .stag = sendtag,
                         .replace = true,
                         .rbuf = buf,
                         .rn = count,
                         .rh = datatype,
                         .source = source,
                         .rtag = recvtag};
    return sendrecv_any("MPI_Sendrecv_replace_c", x, comm, status);
}
HWS_MPI(Sendrecv_replace_c)

int PMPI_Isendrecv_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, int dest, int sendtag,
                     void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm,
                     MPI_Request *request)
{
    struct exchange x = {.sbuf = sendbuf,
                         .sn = sendcount,
                         .sh = sendtype,
                         .dest = dest,
                         .stag = sendtag,
                         .rbuf = recvbuf,
                         .rn = recvcount,
                         .rh = recvtype,
                         .source = source,
                         .rtag = recvtag};
    return isendrecv_any("MPI_Isendrecv_c", x, comm, request);
}
HWS_MPI(Isendrecv_c)

int PMPI_Isendrecv_replace_c(void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int sendtag, int source,
                             int recvtag, MPI_Comm comm, MPI_Request *request)
{
    struct exchange x = {.sbuf = buf,
                         .sn = count,
                         .sh = datatype,
                         .dest = dest,
                         .stag = sendtag,
                         .replace = true,
                         .rbuf = buf,
                         .rn = count,
                         .rh = datatype,
                         .source = source,
                         .rtag = recvtag};
    return isendrecv_any("MPI_Isendrecv_replace_c", x, comm, request);
}
HWS_MPI(Isendrecv_replace_c)
