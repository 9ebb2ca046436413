/* SPDX-License-Identifier: BSD-3-Clause
 *
 * part: partitioned point-to-point (MPI 5.0 chapter 4). Neither wildcards nor counts of partitions below 1 are allowed.
 */
#include "mpi/public.h"

#include "core/object/world.h"
#include "core/p2p/part.h"
#include "mpi/check_object.h"
#include "mpi/check_p2p.h"
#include "peer/engine.h"

static const struct hws_side_names send_names = {"buf", "count", "datatype", "dest", "tag"};
static const struct hws_side_names recv_names = {"buf", "count", "datatype", "source", "tag"};

/* The whole message must be countable, not only a partition of it. */
static int check_partitions(int partitions, MPI_Count n, const struct hws_type *t)
{
    MPI_Count bytes;
    if (partitions < 1)
        return hws_fail(MPI_ERR_ARG, "invalid partitions: argument partitions is %d, it must be at least 1",
                        partitions);
    if (!t->too_large && !__builtin_mul_overflow(n, (MPI_Count)partitions, &bytes) &&
        !__builtin_mul_overflow(bytes, t->size, &bytes))
        return MPI_SUCCESS;
    return hws_fail(MPI_ERR_COUNT, "invalid count: argument count is %lld, %d partitions would have 2^63 bytes or more",
                    (long long)n, partitions);
}

/* Raises what is wrong. */
static int check_part(const char *fn, const struct hws_side_names *names, const void *buf, int partitions, MPI_Count n,
                      MPI_Datatype h, int peer, int tag, MPI_Comm comm, MPI_Info info, const MPI_Request *req,
                      struct hws_comm **c, struct hws_type **t)
{
    struct hws_info *hints; /* none is known */
    int rc;
    if ((rc = hws_check_comm(comm, c)) != MPI_SUCCESS)
        return hws_raise(NULL, fn, rc);
    if ((rc = hws_check_send(*c, buf, n, h, peer, tag, names, t)) == MPI_SUCCESS &&
        (rc = check_partitions(partitions, n, *t)) == MPI_SUCCESS && (rc = hws_check_info(info, &hints)) == MPI_SUCCESS)
        rc = hws_check_ptr(req, "request");
    return hws_raise(*c, fn, rc);
}

static int psend_init_any(const char *fn, const void *buf, int partitions, MPI_Count n, MPI_Datatype h, int dest,
                          int tag, MPI_Comm comm, MPI_Info info, MPI_Request *req)
{
    struct hws_comm *c;
    struct hws_type *t;
    int rc = check_part(fn, &send_names, buf, partitions, n, h, dest, tag, comm, info, req, &c, &t);
    if (rc != MPI_SUCCESS)
        return rc;
    return hws_raise(c, fn, hws_psend_init(c, buf, partitions, n, t, dest, tag, (struct hws_request **)req));
}

static int precv_init_any(const char *fn, void *buf, int partitions, MPI_Count n, MPI_Datatype h, int source, int tag,
                          MPI_Comm comm, MPI_Info info, MPI_Request *req)
{
    struct hws_comm *c;
    struct hws_type *t;
    int rc = check_part(fn, &recv_names, buf, partitions, n, h, source, tag, comm, info, req, &c, &t);
    if (rc != MPI_SUCCESS)
        return rc;
    return hws_raise(c, fn, hws_precv_init(c, buf, partitions, n, t, source, tag, (struct hws_request **)req));
}

int PMPI_Psend_init(const void *buf, int partitions, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                    MPI_Info info, MPI_Request *request)
{
    return psend_init_any("MPI_Psend_init", buf, partitions, count, datatype, dest, tag, comm, info, request);
}
HWS_MPI(Psend_init)

int PMPI_Psend_init_c(const void *buf, int partitions, MPI_Count count, MPI_Datatype datatype, int dest, int tag,
                      MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    return psend_init_any("MPI_Psend_init_c", buf, partitions, count, datatype, dest, tag, comm, info, request);
}
HWS_MPI(Psend_init_c)

int PMPI_Precv_init(void *buf, int partitions, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                    MPI_Info info, MPI_Request *request)
{
    return precv_init_any("MPI_Precv_init", buf, partitions, count, datatype, dest, tag, comm, info, request);
}
HWS_MPI(Precv_init)

int PMPI_Precv_init_c(void *buf, int partitions, MPI_Count count, MPI_Datatype datatype, int dest, int tag,
                      MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    return precv_init_any("MPI_Precv_init_c", buf, partitions, count, datatype, dest, tag, comm, info, request);
}
HWS_MPI(Precv_init_c)

static int check_ready(MPI_Request request, int partition, const char *arg, struct hws_request **r)
{
    int rc;
    if ((rc = hws_check_up()) != MPI_SUCCESS || (rc = hws_check_request(request, "request", -1, r)) != MPI_SUCCESS)
        return rc;
    return hws_part_check(*r, true, partition, arg);
}

int PMPI_Pready(int partition, MPI_Request request)
{
    struct hws_request *r = NULL;
    int rc = check_ready(request, partition, "partition", &r);
    if (rc == MPI_SUCCESS)
        rc = hws_part_ready(r, partition);
    return hws_raise(r ? r->comm : NULL, "MPI_Pready", rc);
}
HWS_MPI(Pready)

/* No burst of sends goes on behind these calls. */
static void push(void)
{
    if (hws_world.engine)
        hws_engine_push(hws_world.engine);
}

int PMPI_Pready_range(int partition_low, int partition_high, MPI_Request request)
{
    struct hws_request *r = NULL;
    int rc = check_ready(request, partition_low, "partition_low", &r);
    if (rc == MPI_SUCCESS)
        rc = hws_part_check(r, true, partition_high, "partition_high");
    if (rc == MPI_SUCCESS && partition_low > partition_high)
        rc = hws_fail(MPI_ERR_ARG, "invalid partitions: argument partition_low is %d, partition_high is %d",
                      partition_low, partition_high);
    for (int i = partition_low; rc == MPI_SUCCESS && i <= partition_high; i++)
        rc = hws_part_ready(r, i);
    push();
    return hws_raise(r ? r->comm : NULL, "MPI_Pready_range", rc);
}
HWS_MPI(Pready_range)

int PMPI_Pready_list(int length, const int array_of_partitions[], MPI_Request request)
{
    struct hws_request *r = NULL;
    int rc = hws_check_up();
    if (rc == MPI_SUCCESS && length < 0)
        rc = hws_fail(MPI_ERR_ARG, "invalid length: argument length is %d, it must not be negative", length);
    if (rc == MPI_SUCCESS && length > 0)
        rc = hws_check_ptr(array_of_partitions, "array_of_partitions");
    for (int i = 0; rc == MPI_SUCCESS && i < length; i++)
        rc = check_ready(request, array_of_partitions[i], "array_of_partitions", &r);
    for (int i = 0; rc == MPI_SUCCESS && i < length; i++)
        rc = hws_part_ready(r, array_of_partitions[i]);
    push();
    return hws_raise(r ? r->comm : NULL, "MPI_Pready_list", rc);
}
HWS_MPI(Pready_list)

int PMPI_Parrived(MPI_Request request, int partition, int *flag)
{
    struct hws_request *r = NULL;
    int rc;
    if ((rc = hws_check_up()) == MPI_SUCCESS && (rc = hws_check_ptr(flag, "flag")) == MPI_SUCCESS &&
        (rc = hws_check_request(request, "request", -1, &r)) == MPI_SUCCESS &&
        (rc = hws_part_check(r, false, partition, "partition")) == MPI_SUCCESS)
        rc = hws_part_arrived(r, partition, flag);
    return hws_raise(r ? r->comm : NULL, "MPI_Parrived", rc);
}
HWS_MPI(Parrived)
