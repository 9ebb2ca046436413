/* SPDX-License-Identifier: BSD-3-Clause
 *
 * probe: probes and matched receives (MPI 5.0 section 3.8).
 */
#include "mpi/public.h"

#include "core/object/event.h"
#include "core/p2p/message.h"
#include "mpi/check_p2p.h"

static const struct hws_side_names names = {"buf", "count", "datatype", "source", "tag"};

static int check_envelope(const struct hws_comm *c, int source, int tag)
{
    int rc = hws_check_source(c, source, "source");
    return rc != MPI_SUCCESS ? rc : hws_check_recv_tag(tag, "tag");
}

/* The part that all four probes share; flag or msg may be of no interest to a form and then points at a local of it. */
static int check_probe(const char *fn, MPI_Comm comm, int source, int tag, const int *flag, const MPI_Message *msg,
                       struct hws_comm **c)
{
    int rc = hws_check_comm(comm, c);
    if (rc != MPI_SUCCESS)
        return hws_raise(NULL, fn, rc);
    if ((rc = check_envelope(*c, source, tag)) != MPI_SUCCESS || (rc = hws_check_ptr(flag, "flag")) != MPI_SUCCESS ||
        (rc = hws_check_ptr(msg, "message")) != MPI_SUCCESS)
        return hws_raise(*c, fn, rc);
    return MPI_SUCCESS;
}

int PMPI_Probe(int source, int tag, MPI_Comm comm, MPI_Status *status)
{
    static const int flag;
    static const MPI_Message msg;
    struct hws_comm *c;
    int rc = check_probe("MPI_Probe", comm, source, tag, &flag, &msg, &c);
    return rc != MPI_SUCCESS ? rc : hws_raise(c, "MPI_Probe", hws_probe(c, source, tag, status));
}
HWS_MPI(Probe)

int PMPI_Iprobe(int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status)
{
    static const MPI_Message msg;
    struct hws_comm *c;
    int rc = check_probe("MPI_Iprobe", comm, source, tag, flag, &msg, &c);
    if (rc != MPI_SUCCESS)
        return rc;
    rc = hws_raise(c, "MPI_Iprobe", hws_iprobe(c, source, tag, flag, status));
    hws_events_deliver();
    return rc;
}
HWS_MPI(Iprobe)

int PMPI_Mprobe(int source, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status)
{
    static const int flag;
    struct hws_comm *c;
    int rc = check_probe("MPI_Mprobe", comm, source, tag, &flag, message, &c);
    return rc != MPI_SUCCESS ? rc : hws_raise(c, "MPI_Mprobe", hws_mprobe(c, source, tag, message, status));
}
HWS_MPI(Mprobe)

int PMPI_Improbe(int source, int tag, MPI_Comm comm, int *flag, MPI_Message *message, MPI_Status *status)
{
    struct hws_comm *c;
    int rc = check_probe("MPI_Improbe", comm, source, tag, flag, message, &c);
    if (rc != MPI_SUCCESS)
        return rc;
    rc = hws_raise(c, "MPI_Improbe", hws_improbe(c, source, tag, flag, message, status));
    hws_events_deliver();
    return rc;
}
HWS_MPI(Improbe)

static int check_message(const MPI_Message *message, struct hws_matched **m)
{
    int rc;
    if ((rc = hws_check_up()) != MPI_SUCCESS || (rc = hws_check_ptr(message, "message")) != MPI_SUCCESS)
        return rc;
    if ((*m = hws_matched_of(*message)) != NULL)
        return MPI_SUCCESS;
    return hws_fail(MPI_ERR_REQUEST, "invalid message: argument message is %s",
                    *message == MPI_MESSAGE_NULL ? "MPI_MESSAGE_NULL" : "no message, or was received already");
}

/* Checks a matched receive; *c is held, as the message's object is gone when an error is raised. */
static int begin_matched(const char *fn, const void *buf, MPI_Count n, MPI_Datatype h, const MPI_Message *message,
                         struct hws_matched **m, struct hws_type **t, struct hws_comm **c)
{
    int rc = check_message(message, m);
    if (rc != MPI_SUCCESS)
        return hws_raise(NULL, fn, rc);
    *c = (*m)->comm;
    if ((rc = hws_check_data(buf, n, h, &names, t)) != MPI_SUCCESS)
        return hws_raise(*c, fn, rc);
    if (*c)
        hws_comm_hold(*c);
    return MPI_SUCCESS;
}

static int end_matched(const char *fn, struct hws_comm *c, int rc)
{
    rc = hws_raise(c, fn, rc);
    if (c)
        hws_comm_drop(c);
    return rc;
}

static int mrecv_any(const char *fn, void *buf, MPI_Count n, MPI_Datatype h, MPI_Message *message, MPI_Status *st)
{
    struct hws_matched *m;
    struct hws_type *t;
    struct hws_comm *c;
    int rc = begin_matched(fn, buf, n, h, message, &m, &t, &c);
    if (rc != MPI_SUCCESS)
        return rc;
    *message = MPI_MESSAGE_NULL;
    return end_matched(fn, c, hws_mrecv(m, buf, n, t, st));
}

static int imrecv_any(const char *fn, void *buf, MPI_Count n, MPI_Datatype h, MPI_Message *message, MPI_Request *req)
{
    struct hws_matched *m;
    struct hws_type *t;
    struct hws_comm *c;
    int rc = hws_check_ptr(req, "request");
    if (rc != MPI_SUCCESS)
        return hws_raise(NULL, fn, rc);
    rc = begin_matched(fn, buf, n, h, message, &m, &t, &c);
    if (rc != MPI_SUCCESS)
        return rc;
    rc = hws_imrecv(m, buf, n, t, (struct hws_request **)req);
    if (rc == MPI_SUCCESS)
        *message = MPI_MESSAGE_NULL;
    return end_matched(fn, c, rc);
}

int PMPI_Mrecv(void *buf, int count, MPI_Datatype datatype, MPI_Message *message, MPI_Status *status)
{
    return mrecv_any("MPI_Mrecv", buf, count, datatype, message, status);
}
HWS_MPI(Mrecv)

int PMPI_Mrecv_c(void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Message *message, MPI_Status *status)
{
    return mrecv_any("MPI_Mrecv_c", buf, count, datatype, message, status);
}
HWS_MPI(Mrecv_c)

int PMPI_Imrecv(void *buf, int count, MPI_Datatype datatype, MPI_Message *message, MPI_Request *request)
{
    return imrecv_any("MPI_Imrecv", buf, count, datatype, message, request);
}
HWS_MPI(Imrecv)

int PMPI_Imrecv_c(void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Message *message, MPI_Request *request)
{
    return imrecv_any("MPI_Imrecv_c", buf, count, datatype, message, request);
}
HWS_MPI(Imrecv_c)
