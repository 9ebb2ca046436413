/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bsend: buffers for the buffered mode, attached to the process, to a communicator or to a session (MPI 5.0 section
 * 3.6).
 */
#include "mpi/public.h"

#include <limits.h>

#include "core/p2p/bsend.h"
#include "mpi/check.h"
#include "mpi/session.h"

/* Whose buffer a call means, and who hears of its errors. */
struct target {
    int rc; /* of finding it */
    const char *fn;
    struct hws_bsend_pool **slot;
    struct hws_comm *comm;       /* NULL: none */
    struct hws_session *session; /* NULL: none */
};

static struct target of_process(const char *fn)
{
    return (struct target){.rc = hws_check_up(), .fn = fn, .slot = &hws_bsend_process};
}

static struct target of_comm(const char *fn, MPI_Comm h)
{
    struct target t = {.fn = fn};
    struct hws_comm *c;
    t.rc = hws_check_comm(h, &c);
    if (t.rc != MPI_SUCCESS)
        return t;
    t.comm = c;
    t.slot = &c->bsend;
    return t;
}

static struct target of_session(const char *fn, MPI_Session h)
{
    struct target t = {.fn = fn};
    t.rc = hws_check_session(h, &t.session);
    if (t.rc == MPI_SUCCESS)
        t.slot = &t.session->bsend;
    return t;
}

static int raise_on(const struct target *t, int rc)
{
    return t->session ? hws_raise_session(t->session, t->fn, rc) : hws_raise(t->comm, t->fn, rc);
}

static int check_buffer(const void *buffer, MPI_Count size)
{
    if (size < 0)
        return hws_fail(MPI_ERR_ARG, "invalid size: argument size is %lld, it must not be negative", (long long)size);
    if (!buffer && size > 0)
        return hws_fail(MPI_ERR_BUFFER, "invalid buffer: argument buffer is a null pointer, but the size is %lld",
                        (long long)size);
    return MPI_SUCCESS;
}

static int attach(struct target t, void *buffer, MPI_Count size)
{
    int rc = t.rc;
    if (rc == MPI_SUCCESS && (rc = check_buffer(buffer, size)) == MPI_SUCCESS)
        rc = hws_bsend_attach(t.slot, buffer, size);
    return raise_on(&t, rc);
}

static int detach(struct target t, void *buffer_addr, const void *size_out, MPI_Count *size)
{
    void *buffer;
    int rc = t.rc;
    if (rc != MPI_SUCCESS || (rc = hws_check_ptr(buffer_addr, "buffer_addr")) != MPI_SUCCESS ||
        (rc = hws_check_ptr(size_out, "size")) != MPI_SUCCESS ||
        (rc = hws_bsend_detach(t.slot, &buffer, size)) != MPI_SUCCESS)
        return raise_on(&t, rc);
    *(void **)buffer_addr = buffer;
    return MPI_SUCCESS;
}

static int detach_int(struct target t, void *buffer_addr, int *size)
{
    MPI_Count n;
    int rc = detach(t, buffer_addr, size, &n);
    if (rc == MPI_SUCCESS)
        *size = n > INT_MAX ? MPI_UNDEFINED : (int)n;
    return rc;
}

static int flush(struct target t)
{
    if (t.rc == MPI_SUCCESS)
        hws_bsend_flush(t.slot);
    return raise_on(&t, t.rc);
}

static int iflush(struct target t, MPI_Request *req)
{
    int rc = t.rc;
    if (rc == MPI_SUCCESS && (rc = hws_check_ptr(req, "request")) == MPI_SUCCESS)
        rc = hws_bsend_iflush(t.slot, t.comm, (struct hws_request **)req);
    return raise_on(&t, rc);
}

int PMPI_Buffer_attach(void *buffer, int size)
{
    return attach(of_process("MPI_Buffer_attach"), buffer, size);
}
HWS_MPI(Buffer_attach)

int PMPI_Buffer_attach_c(void *buffer, MPI_Count size)
{
    return attach(of_process("MPI_Buffer_attach_c"), buffer, size);
}
HWS_MPI(Buffer_attach_c)

int PMPI_Buffer_detach(void *buffer_addr, int *size)
{
    return detach_int(of_process("MPI_Buffer_detach"), buffer_addr, size);
}
HWS_MPI(Buffer_detach)

int PMPI_Buffer_detach_c(void *buffer_addr, MPI_Count *size)
{
    return detach(of_process("MPI_Buffer_detach_c"), buffer_addr, size, size);
}
HWS_MPI(Buffer_detach_c)

int PMPI_Buffer_flush(void)
{
    return flush(of_process("MPI_Buffer_flush"));
}
HWS_MPI(Buffer_flush)

int PMPI_Buffer_iflush(MPI_Request *request)
{
    return iflush(of_process("MPI_Buffer_iflush"), request);
}
HWS_MPI(Buffer_iflush)

int PMPI_Comm_attach_buffer(MPI_Comm comm, void *buffer, int size)
{
    return attach(of_comm("MPI_Comm_attach_buffer", comm), buffer, size);
}
HWS_MPI(Comm_attach_buffer)

int PMPI_Comm_attach_buffer_c(MPI_Comm comm, void *buffer, MPI_Count size)
{
    return attach(of_comm("MPI_Comm_attach_buffer_c", comm), buffer, size);
}
HWS_MPI(Comm_attach_buffer_c)

int PMPI_Comm_detach_buffer(MPI_Comm comm, void *buffer_addr, int *size)
{
    return detach_int(of_comm("MPI_Comm_detach_buffer", comm), buffer_addr, size);
}
HWS_MPI(Comm_detach_buffer)

int PMPI_Comm_detach_buffer_c(MPI_Comm comm, void *buffer_addr, MPI_Count *size)
{
    return detach(of_comm("MPI_Comm_detach_buffer_c", comm), buffer_addr, size, size);
}
HWS_MPI(Comm_detach_buffer_c)

int PMPI_Comm_flush_buffer(MPI_Comm comm)
{
    return flush(of_comm("MPI_Comm_flush_buffer", comm));
}
HWS_MPI(Comm_flush_buffer)

int PMPI_Comm_iflush_buffer(MPI_Comm comm, MPI_Request *request)
{
    return iflush(of_comm("MPI_Comm_iflush_buffer", comm), request);
}
HWS_MPI(Comm_iflush_buffer)

int PMPI_Session_attach_buffer(MPI_Session session, void *buffer, int size)
{
    return attach(of_session("MPI_Session_attach_buffer", session), buffer, size);
}
HWS_MPI(Session_attach_buffer)

int PMPI_Session_attach_buffer_c(MPI_Session session, void *buffer, MPI_Count size)
{
    return attach(of_session("MPI_Session_attach_buffer_c", session), buffer, size);
}
HWS_MPI(Session_attach_buffer_c)

int PMPI_Session_detach_buffer(MPI_Session session, void *buffer_addr, int *size)
{
    return detach_int(of_session("MPI_Session_detach_buffer", session), buffer_addr, size);
}
HWS_MPI(Session_detach_buffer)

int PMPI_Session_detach_buffer_c(MPI_Session session, void *buffer_addr, MPI_Count *size)
{
    return detach(of_session("MPI_Session_detach_buffer_c", session), buffer_addr, size, size);
}
HWS_MPI(Session_detach_buffer_c)

int PMPI_Session_flush_buffer(MPI_Session session)
{
    return flush(of_session("MPI_Session_flush_buffer", session));
}
HWS_MPI(Session_flush_buffer)

int PMPI_Session_iflush_buffer(MPI_Session session, MPI_Request *request)
{
    return iflush(of_session("MPI_Session_iflush_buffer", session), request);
}
HWS_MPI(Session_iflush_buffer)
