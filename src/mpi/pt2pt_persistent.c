/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pt2pt_persistent: persistent sends and receives, and the start of persistent requests of every kind (MPI 5.0
 * section 3.9).
 */
#include "mpi/public.h"

#include "mpi/check_p2p.h"
#include "peer/engine.h"

static const struct hws_side_names send_names = {"buf", "count", "datatype", "dest", "tag"};
static const struct hws_side_names recv_names = {"buf", "count", "datatype", "source", "tag"};

static int send_init_any(const char *fn, enum hws_send_mode m, const void *buf, MPI_Count n, MPI_Datatype h, int dest,
                         int tag, MPI_Comm comm, MPI_Request *req)
{
    struct hws_comm *c;
    struct hws_type *t;
    int rc;
    if ((rc = hws_check_comm(comm, &c)) != MPI_SUCCESS)
        return hws_raise(NULL, fn, rc);
    if ((rc = hws_check_send(c, buf, n, h, dest, tag, &send_names, &t)) != MPI_SUCCESS ||
        (rc = hws_check_ptr(req, "request")) != MPI_SUCCESS)
        return hws_raise(c, fn, rc);
    return hws_raise(c, fn, hws_send_init(c, m, buf, n, t, dest, tag, (struct hws_request **)req));
}

static int recv_init_any(const char *fn, void *buf, MPI_Count n, MPI_Datatype h, int source, int tag, MPI_Comm comm,
                         MPI_Request *req)
{
    struct hws_comm *c;
    struct hws_type *t;
    int rc;
    if ((rc = hws_check_comm(comm, &c)) != MPI_SUCCESS)
        return hws_raise(NULL, fn, rc);
    if ((rc = hws_check_recv(c, buf, n, h, source, tag, &recv_names, &t)) != MPI_SUCCESS ||
        (rc = hws_check_ptr(req, "request")) != MPI_SUCCESS)
        return hws_raise(c, fn, rc);
    return hws_raise(c, fn, hws_recv_init(c, buf, n, t, source, tag, (struct hws_request **)req));
}

static int start_one(const char *fn, MPI_Request h, const char *arg, int index)
{
    struct hws_request *r;
    int rc = hws_check_request(h, arg, index, &r);
    if (rc != MPI_SUCCESS)
        return hws_raise(NULL, fn, rc);
    return hws_raise(r->comm, fn, hws_request_start(r));
}

int PMPI_Send_init(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                   MPI_Request *request)
{
    return send_init_any("MPI_Send_init", HWS_STANDARD, buf, count, datatype, dest, tag, comm, request);
}
HWS_MPI(Send_init)

int PMPI_Send_init_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                     MPI_Request *request)
{
    return send_init_any("MPI_Send_init_c", HWS_STANDARD, buf, count, datatype, dest, tag, comm, request);
}
HWS_MPI(Send_init_c)

int PMPI_Bsend_init(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                    MPI_Request *request)
{
    return send_init_any("MPI_Bsend_init", HWS_BUFFERED, buf, count, datatype, dest, tag, comm, request);
}
HWS_MPI(Bsend_init)

int PMPI_Bsend_init_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                      MPI_Request *request)
{
    return send_init_any("MPI_Bsend_init_c", HWS_BUFFERED, buf, count, datatype, dest, tag, comm, request);
}
HWS_MPI(Bsend_init_c)

int PMPI_Ssend_init(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                    MPI_Request *request)
{
    return send_init_any("MPI_Ssend_init", HWS_SYNC, buf, count, datatype, dest, tag, comm, request);
}
HWS_MPI(Ssend_init)

int PMPI_Ssend_init_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                      MPI_Request *request)
{
    return send_init_any("MPI_Ssend_init_c", HWS_SYNC, buf, count, datatype, dest, tag, comm, request);
}
HWS_MPI(Ssend_init_c)

int PMPI_Rsend_init(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                    MPI_Request *request)
{
    return send_init_any("MPI_Rsend_init", HWS_READY, buf, count, datatype, dest, tag, comm, request);
}
HWS_MPI(Rsend_init)

int PMPI_Rsend_init_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                      MPI_Request *request)
{
    return send_init_any("MPI_Rsend_init_c", HWS_READY, buf, count, datatype, dest, tag, comm, request);
}
HWS_MPI(Rsend_init_c)

int PMPI_Recv_init(void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
                   MPI_Request *request)
{
    return recv_init_any("MPI_Recv_init", buf, count, datatype, source, tag, comm, request);
}
HWS_MPI(Recv_init)

int PMPI_Recv_init_c(void *buf, MPI_Count count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
                     MPI_Request *request)
{
    return recv_init_any("MPI_Recv_init_c", buf, count, datatype, source, tag, comm, request);
}
HWS_MPI(Recv_init_c)

int PMPI_Start(MPI_Request *request)
{
    int rc;
    if ((rc = hws_check_up()) != MPI_SUCCESS || (rc = hws_check_ptr(request, "request")) != MPI_SUCCESS)
        return hws_raise(NULL, "MPI_Start", rc);
    return start_one("MPI_Start", *request, "request", -1);
}
HWS_MPI(Start)

int PMPI_Startall(int count, MPI_Request array_of_requests[])
{
    int rc;
    if ((rc = hws_check_up()) != MPI_SUCCESS || (rc = hws_check_count(count, "count")) != MPI_SUCCESS ||
        (count > 0 && (rc = hws_check_ptr(array_of_requests, "array_of_requests")) != MPI_SUCCESS))
        return hws_raise(NULL, "MPI_Startall", rc);
    for (int i = 0; i < count; i++) {
        rc = start_one("MPI_Startall", array_of_requests[i], "array_of_requests", i);
        if (rc != MPI_SUCCESS)
            return rc;
    }
    hws_engine_push(hws_world.engine); /* no burst goes on behind it */
    return MPI_SUCCESS;
}
HWS_MPI(Startall)
