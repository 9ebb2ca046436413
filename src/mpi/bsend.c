/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bsend: buffers for the buffered mode, attached to the process, to a communicator or to a session (MPI 5.0 section
 * 3.6).
 */
#include "mpi/public.h"

#include <limits.h>

#include "core/bsend.h"
#include "mpi/check.h"
#include "mpi/session.h"

/* Whose buffer a call means, and who hears of its errors. */
struct target {
    const char *fn;
    struct hws_bsend_pool **slot;
    struct hws_comm *comm;       /* NULL: none */
    struct hws_session *session; /* NULL: none */
};

static int of_process(const char *fn, struct target *t)
{
    *t = (struct target){.fn = fn, .slot = &hws_bsend_process};
    return hws_check_up();
}

static int of_comm(const char *fn, MPI_Comm h, struct target *t)
{
    struct hws_comm *c;
    *t = (struct target){.fn = fn};
    int rc = hws_check_comm(h, &c);
    if (rc != MPI_SUCCESS)
        return rc;
    t->comm = c;
    t->slot = &c->bsend;
    return MPI_SUCCESS;
}

static int of_session(const char *fn, MPI_Session h, struct target *t)
{
    *t = (struct target){.fn = fn};
    int rc = hws_check_session(h, &t->session);
    if (rc == MPI_SUCCESS)
        t->slot = &t->session->bsend;
    return rc;
}

static int raise_on(const struct target *t, int rc)
{
    return t->session ? hws_raise_session(t->session, t->fn, rc) : hws_raise(t->comm, t->fn, rc);
}

/* The calls: rc is what finding the target gave. */

static int check_buffer(const void *buffer, MPI_Count size)
{
    if (size < 0)
        return hws_fail(MPI_ERR_ARG, "invalid size: argument size is %lld, it must not be negative", (long long)size);
    if (!buffer && size > 0)
        return hws_fail(MPI_ERR_BUFFER, "invalid buffer: argument buffer is a null pointer, but the size is %lld",
                        (long long)size);
    return MPI_SUCCESS;
}

static int attach(int rc, const struct target *t, void *buffer, MPI_Count size)
{
    if (rc == MPI_SUCCESS && (rc = check_buffer(buffer, size)) == MPI_SUCCESS)
        rc = hws_bsend_attach(t->slot, buffer, size);
    return raise_on(t, rc);
}

static int detach(int rc, const struct target *t, void *buffer_addr, const void *size_out, MPI_Count *size)
{
    void *buffer;
    if (rc != MPI_SUCCESS || (rc = hws_check_ptr(buffer_addr, "buffer_addr")) != MPI_SUCCESS ||
        (rc = hws_check_ptr(size_out, "size")) != MPI_SUCCESS ||
        (rc = hws_bsend_detach(t->slot, &buffer, size)) != MPI_SUCCESS)
        return raise_on(t, rc);
    *(void **)buffer_addr = buffer;
    return MPI_SUCCESS;
}

static int detach_int(int rc, const struct target *t, void *buffer_addr, int *size)
{
    MPI_Count n;
    rc = detach(rc, t, buffer_addr, size, &n);
    if (rc == MPI_SUCCESS)
        *size = n > INT_MAX ? MPI_UNDEFINED : (int)n;
    return rc;
}

static int flush(int rc, const struct target *t)
{
    if (rc == MPI_SUCCESS)
        hws_bsend_flush(t->slot);
    return raise_on(t, rc);
}

static int iflush(int rc, const struct target *t, MPI_Request *req)
{
    if (rc == MPI_SUCCESS && (rc = hws_check_ptr(req, "request")) == MPI_SUCCESS)
        rc = hws_bsend_iflush(t->slot, t->comm, (struct hws_request **)req);
    return raise_on(t, rc);
}

int PMPI_Buffer_attach(void *buffer, int size)
{
    struct target t;
    int rc = of_process("MPI_Buffer_attach", &t);
    return attach(rc, &t, buffer, size);
}
HWS_MPI(Buffer_attach)

int PMPI_Buffer_attach_c(void *buffer, MPI_Count size)
{
    struct target t;
    int rc = of_process("MPI_Buffer_attach_c", &t);
    return attach(rc, &t, buffer, size);
}
HWS_MPI(Buffer_attach_c)

int PMPI_Buffer_detach(void *buffer_addr, int *size)
{
    struct target t;
    int rc = of_process("MPI_Buffer_detach", &t);
    return detach_int(rc, &t, buffer_addr, size);
}
HWS_MPI(Buffer_detach)

int PMPI_Buffer_detach_c(void *buffer_addr, MPI_Count *size)
{
    struct target t;
    int rc = of_process("MPI_Buffer_detach_c", &t);
    return detach(rc, &t, buffer_addr, size, size);
}
HWS_MPI(Buffer_detach_c)

int PMPI_Buffer_flush(void)
{
    struct target t;
    int rc = of_process("MPI_Buffer_flush", &t);
    return flush(rc, &t);
}
HWS_MPI(Buffer_flush)

int PMPI_Buffer_iflush(MPI_Request *request)
{
    struct target t;
    int rc = of_process("MPI_Buffer_iflush", &t);
    return iflush(rc, &t, request);
}
HWS_MPI(Buffer_iflush)

int PMPI_Comm_attach_buffer(MPI_Comm comm, void *buffer, int size)
{
    struct target t;
    int rc = of_comm("MPI_Comm_attach_buffer", comm, &t);
    return attach(rc, &t, buffer, size);
}
HWS_MPI(Comm_attach_buffer)

int PMPI_Comm_attach_buffer_c(MPI_Comm comm, void *buffer, MPI_Count size)
{
    struct target t;
    int rc = of_comm("MPI_Comm_attach_buffer_c", comm, &t);
    return attach(rc, &t, buffer, size);
}
HWS_MPI(Comm_attach_buffer_c)

int PMPI_Comm_detach_buffer(MPI_Comm comm, void *buffer_addr, int *size)
{
    struct target t;
    int rc = of_comm("MPI_Comm_detach_buffer", comm, &t);
    return detach_int(rc, &t, buffer_addr, size);
}
HWS_MPI(Comm_detach_buffer)

int PMPI_Comm_detach_buffer_c(MPI_Comm comm, void *buffer_addr, MPI_Count *size)
{
    struct target t;
    int rc = of_comm("MPI_Comm_detach_buffer_c", comm, &t);
    return detach(rc, &t, buffer_addr, size, size);
}
HWS_MPI(Comm_detach_buffer_c)

int PMPI_Comm_flush_buffer(MPI_Comm comm)
{
    struct target t;
    int rc = of_comm("MPI_Comm_flush_buffer", comm, &t);
    return flush(rc, &t);
}
HWS_MPI(Comm_flush_buffer)

int PMPI_Comm_iflush_buffer(MPI_Comm comm, MPI_Request *request)
{
    struct target t;
    int rc = of_comm("MPI_Comm_iflush_buffer", comm, &t);
    return iflush(rc, &t, request);
}
HWS_MPI(Comm_iflush_buffer)

int PMPI_Session_attach_buffer(MPI_Session session, void *buffer, int size)
{
    struct target t;
    int rc = of_session("MPI_Session_attach_buffer", session, &t);
    return attach(rc, &t, buffer, size);
}
HWS_MPI(Session_attach_buffer)

int PMPI_Session_attach_buffer_c(MPI_Session session, void *buffer, MPI_Count size)
{
    struct target t;
    int rc = of_session("MPI_Session_attach_buffer_c", session, &t);
    return attach(rc, &t, buffer, size);
}
HWS_MPI(Session_attach_buffer_c)

int PMPI_Session_detach_buffer(MPI_Session session, void *buffer_addr, int *size)
{
    struct target t;
    int rc = of_session("MPI_Session_detach_buffer", session, &t);
    return detach_int(rc, &t, buffer_addr, size);
}
HWS_MPI(Session_detach_buffer)

int PMPI_Session_detach_buffer_c(MPI_Session session, void *buffer_addr, MPI_Count *size)
{
    struct target t;
    int rc = of_session("MPI_Session_detach_buffer_c", session, &t);
    return detach(rc, &t, buffer_addr, size, size);
}
HWS_MPI(Session_detach_buffer_c)

int PMPI_Session_flush_buffer(MPI_Session session)
{
    struct target t;
    int rc = of_session("MPI_Session_flush_buffer", session, &t);
    return flush(rc, &t);
}
HWS_MPI(Session_flush_buffer)

int PMPI_Session_iflush_buffer(MPI_Session session, MPI_Request *request)
{
    struct target t;
    int rc = of_session("MPI_Session_iflush_buffer", session, &t);
    return iflush(rc, &t, request);
}
HWS_MPI(Session_iflush_buffer)
