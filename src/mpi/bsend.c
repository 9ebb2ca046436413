/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bsend: buffers for the buffered mode, attached to the process or to a communicator (MPI 5.0 section 3.6).
 */
#include "mpi/public.h"

#include <limits.h>

#include "core/bsend.h"
#include "mpi/check.h"

static int check_buffer(const void *buffer, MPI_Count size)
{
    if (size < 0)
        return hws_fail(MPI_ERR_ARG, "invalid size: argument size is %lld, it must not be negative", (long long)size);
    if (!buffer && size > 0)
        return hws_fail(MPI_ERR_BUFFER, "invalid buffer: argument buffer is a null pointer, but the size is %lld",
                        (long long)size);
    return MPI_SUCCESS;
}

/* c is NULL for the buffer of the process. */
static int attach_any(const char *fn, struct hws_comm *c, void *buffer, MPI_Count size)
{
    int rc = check_buffer(buffer, size);
    return hws_raise(c, fn, rc != MPI_SUCCESS ? rc : hws_bsend_attach(hws_bsend_slot(c), buffer, size));
}

static int detach_any(const char *fn, struct hws_comm *c, void *buffer_addr, const void *size_out, MPI_Count *size)
{
    void *buffer;
    int rc;
    if ((rc = hws_check_ptr(buffer_addr, "buffer_addr")) != MPI_SUCCESS || (rc = hws_check_ptr(size_out, "size")) != MPI_SUCCESS ||
        (rc = hws_bsend_detach(hws_bsend_slot(c), &buffer, size)) != MPI_SUCCESS)
        return hws_raise(c, fn, rc);
    *(void **)buffer_addr = buffer;
    return MPI_SUCCESS;
}

static int as_int(MPI_Count n)
{
    return n > INT_MAX ? MPI_UNDEFINED : (int)n;
}

static int iflush_any(const char *fn, struct hws_comm *c, MPI_Request *req)
{
    int rc = hws_check_ptr(req, "request");
    if (rc == MPI_SUCCESS)
        rc = hws_bsend_iflush(hws_bsend_slot(c), c, (struct hws_request **)req);
    return hws_raise(c, fn, rc);
}

int PMPI_Buffer_attach(void *buffer, int size)
{
    int rc = hws_check_up();
    return rc != MPI_SUCCESS ? hws_raise(NULL, "MPI_Buffer_attach", rc)
                             : attach_any("MPI_Buffer_attach", NULL, buffer, size);
}
HWS_MPI(Buffer_attach)

int PMPI_Buffer_attach_c(void *buffer, MPI_Count size)
{
    int rc = hws_check_up();
    return rc != MPI_SUCCESS ? hws_raise(NULL, "MPI_Buffer_attach_c", rc)
                             : attach_any("MPI_Buffer_attach_c", NULL, buffer, size);
}
HWS_MPI(Buffer_attach_c)

int PMPI_Buffer_detach(void *buffer_addr, int *size)
{
    MPI_Count n;
    int rc = hws_check_up();
    if (rc != MPI_SUCCESS)
        return hws_raise(NULL, "MPI_Buffer_detach", rc);
    rc = detach_any("MPI_Buffer_detach", NULL, buffer_addr, size, &n);
    if (rc == MPI_SUCCESS)
        *size = as_int(n);
    return rc;
}
HWS_MPI(Buffer_detach)

int PMPI_Buffer_detach_c(void *buffer_addr, MPI_Count *size)
{
    int rc = hws_check_up();
    return rc != MPI_SUCCESS ? hws_raise(NULL, "MPI_Buffer_detach_c", rc)
                             : detach_any("MPI_Buffer_detach_c", NULL, buffer_addr, size, size);
}
HWS_MPI(Buffer_detach_c)

int PMPI_Buffer_flush(void)
{
    int rc = hws_check_up();
    if (rc == MPI_SUCCESS)
        hws_bsend_flush(hws_bsend_slot(NULL));
    return hws_raise(NULL, "MPI_Buffer_flush", rc);
}
HWS_MPI(Buffer_flush)

int PMPI_Buffer_iflush(MPI_Request *request)
{
    int rc = hws_check_up();
    return rc != MPI_SUCCESS ? hws_raise(NULL, "MPI_Buffer_iflush", rc)
                             : iflush_any("MPI_Buffer_iflush", NULL, request);
}
HWS_MPI(Buffer_iflush)

int PMPI_Comm_attach_buffer(MPI_Comm comm, void *buffer, int size)
{
    struct hws_comm *c;
    int rc = hws_check_comm(comm, &c);
    return rc != MPI_SUCCESS ? hws_raise(NULL, "MPI_Comm_attach_buffer", rc)
                             : attach_any("MPI_Comm_attach_buffer", c, buffer, size);
}
HWS_MPI(Comm_attach_buffer)

int PMPI_Comm_attach_buffer_c(MPI_Comm comm, void *buffer, MPI_Count size)
{
    struct hws_comm *c;
    int rc = hws_check_comm(comm, &c);
    return rc != MPI_SUCCESS ? hws_raise(NULL, "MPI_Comm_attach_buffer_c", rc)
                             : attach_any("MPI_Comm_attach_buffer_c", c, buffer, size);
}
HWS_MPI(Comm_attach_buffer_c)

int PMPI_Comm_detach_buffer(MPI_Comm comm, void *buffer_addr, int *size)
{
    struct hws_comm *c;
    MPI_Count n;
    int rc = hws_check_comm(comm, &c);
    if (rc != MPI_SUCCESS)
        return hws_raise(NULL, "MPI_Comm_detach_buffer", rc);
    rc = detach_any("MPI_Comm_detach_buffer", c, buffer_addr, size, &n);
    if (rc == MPI_SUCCESS)
        *size = as_int(n);
    return rc;
}
HWS_MPI(Comm_detach_buffer)

int PMPI_Comm_detach_buffer_c(MPI_Comm comm, void *buffer_addr, MPI_Count *size)
{
    struct hws_comm *c;
    int rc = hws_check_comm(comm, &c);
    return rc != MPI_SUCCESS ? hws_raise(NULL, "MPI_Comm_detach_buffer_c", rc)
                             : detach_any("MPI_Comm_detach_buffer_c", c, buffer_addr, size, size);
}
HWS_MPI(Comm_detach_buffer_c)

int PMPI_Comm_flush_buffer(MPI_Comm comm)
{
    struct hws_comm *c;
    int rc = hws_check_comm(comm, &c);
    if (rc == MPI_SUCCESS)
        hws_bsend_flush(hws_bsend_slot(c));
    return hws_raise(NULL, "MPI_Comm_flush_buffer", rc);
}
HWS_MPI(Comm_flush_buffer)

int PMPI_Comm_iflush_buffer(MPI_Comm comm, MPI_Request *request)
{
    struct hws_comm *c;
    int rc = hws_check_comm(comm, &c);
    return rc != MPI_SUCCESS ? hws_raise(NULL, "MPI_Comm_iflush_buffer", rc)
                             : iflush_any("MPI_Comm_iflush_buffer", c, request);
}
HWS_MPI(Comm_iflush_buffer)
