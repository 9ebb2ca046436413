/* SPDX-License-Identifier: BSD-3-Clause
 *
 * env: start, end and environment of a process (MPI 5.0 chapters 9 and 11). Queries work before MPI_Init and after
 * MPI_Finalize (section 11.4.1).
 */
#include "mpi/public.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "coll/run.h"
#include "core/env/init.h"
#include "core/object/attr.h"
#include "core/object/info.h"
#include "mpi/check.h"

#define VERSION_TEXT "Hawser 0.1.0, MPI 5.0, ABI 1.0"
#define ALIGNMENT    64 /* of MPI_Alloc_mem: a cache line */

/* ---- start and end ---- */

static int init(const char *fn, int required, int *provided)
{
    int rc = hws_coll_setup();
    return hws_raise(NULL, fn, rc != MPI_SUCCESS ? rc : hws_world_init(required, provided));
}

int PMPI_Init(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    int provided;
    return init("MPI_Init", MPI_THREAD_SINGLE, &provided);
}
HWS_MPI(Init)

int PMPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    (void)argc, (void)argv;
    int rc = hws_check_ptr(provided, "provided");
    return rc ? hws_raise(NULL, "MPI_Init_thread", rc) : init("MPI_Init_thread", required, provided);
}
HWS_MPI(Init_thread)

int PMPI_Initialized(int *flag)
{
    *flag = atomic_load(&hws_world.model) != HWS_MODEL_NONE;
    return MPI_SUCCESS;
}
HWS_MPI(Initialized)

int PMPI_Finalized(int *flag)
{
    *flag = atomic_load(&hws_world.model) == HWS_MODEL_DONE;
    return MPI_SUCCESS;
}
HWS_MPI(Finalized)

/* MPI_COMM_SELF's attributes go first, while MPI still works (MPI 5.0 section 11.2.4). */
static int finalize(void)
{
    if (atomic_load(&hws_world.model) != HWS_MODEL_UP)
        return atomic_load(&hws_world.model) == HWS_MODEL_DONE ? hws_fail(MPI_ERR_OTHER, "called after MPI_Finalize")
                                                               : hws_fail(MPI_ERR_OTHER, "called before MPI_Init");
    int rc = hws_attrs_free(&hws_comm_self.attrs, HWS_KIND_COMM, MPI_COMM_SELF);
    if (rc == MPI_SUCCESS)
        rc = hws_attrs_free(&hws_comm_world.attrs, HWS_KIND_COMM, MPI_COMM_WORLD);
    if (rc == MPI_SUCCESS)
        rc = hws_world_fini();
    if (!hws_world_is_up())
        hws_sched_fini();
    return rc;
}

int PMPI_Finalize(void)
{
    int late = MPI_SUCCESS; /* told while there are error handlers */
    if (hws_world_is_up())
        late = hws_raise(NULL, "MPI_Finalize", hws_comm_settle(&hws_comm_world, "MPI_Finalize"));
    int rc = hws_raise(NULL, "MPI_Finalize", finalize());
    return rc == MPI_SUCCESS ? late : rc;
}
HWS_MPI(Finalize)

int PMPI_Query_thread(int *provided)
{
    int rc = hws_check_up();
    if (rc == MPI_SUCCESS)
        *provided = hws_world.thread_asked < hws_world.thread_level ? hws_world.thread_asked : hws_world.thread_level;
    return hws_raise(NULL, "MPI_Query_thread", rc);
}
HWS_MPI(Query_thread)

int PMPI_Is_thread_main(int *flag)
{
    int rc = hws_check_up();
    if (rc == MPI_SUCCESS)
        *flag = pthread_equal((pthread_t)hws_world.main_thread, pthread_self()) != 0;
    return hws_raise(NULL, "MPI_Is_thread_main", rc);
}
HWS_MPI(Is_thread_main)

/* Ends the whole job, whatever the communicator: section 9.7 allows that. */
int PMPI_Abort(MPI_Comm comm, int errorcode)
{
    char text[400];
    const char *of = comm == MPI_COMM_WORLD ? " of MPI_COMM_WORLD" : comm == MPI_COMM_SELF ? " of MPI_COMM_SELF" : "";
    if (hws_world.host[0])
        snprintf(text, sizeof text, "rank %d on host %s: MPI_Abort%s with error code %d", hws_world.rank,
                 hws_world.host, of, errorcode);
    else
        snprintf(text, sizeof text, "MPI_Abort%s with error code %d, before MPI_Init", of, errorcode);
    hws_abort(errorcode, text);
}
HWS_MPI(Abort)

/* ---- queries ---- */

int PMPI_Get_version(int *version, int *subversion)
{
    *version = MPI_VERSION;
    *subversion = MPI_SUBVERSION;
    return MPI_SUCCESS;
}
HWS_MPI(Get_version)

int PMPI_Get_library_version(char *version, int *resultlen)
{
    memcpy(version, VERSION_TEXT, sizeof VERSION_TEXT);
    *resultlen = (int)sizeof VERSION_TEXT - 1;
    return MPI_SUCCESS;
}
HWS_MPI(Get_library_version)

int PMPI_Get_processor_name(char *name, int *resultlen)
{
    int rc = hws_check_up();
    if (rc == MPI_SUCCESS && (rc = hws_check_ptr(name, "name")) == MPI_SUCCESS)
        rc = hws_check_ptr(resultlen, "resultlen");
    if (rc != MPI_SUCCESS)
        return hws_raise(NULL, "MPI_Get_processor_name", rc);
    size_t len = strnlen(hws_world.host, MPI_MAX_PROCESSOR_NAME - 1);
    memcpy(name, hws_world.host, len);
    name[len] = '\0';
    *resultlen = (int)len;
    return MPI_SUCCESS;
}
HWS_MPI(Get_processor_name)

double PMPI_Wtime(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
HWS_MPI(Wtime)

double PMPI_Wtick(void)
{
    struct timespec t;
    clock_getres(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
HWS_MPI(Wtick)

/* For profiling libraries, which put their own in front (MPI 5.0 section 15.2.4). */
int PMPI_Pcontrol(const int level, ...)
{
    (void)level;
    return MPI_SUCCESS;
}
HWS_MPI(Pcontrol)

/* No hardware resource type is offered to MPI_Comm_split_type beyond what its info argument may name itself. */
int PMPI_Get_hw_resource_info(MPI_Info *hw_info)
{
    int rc = hws_check_ptr(hw_info, "hw_info");
    struct hws_info *i = rc == MPI_SUCCESS ? hws_info_new() : NULL;
    if (rc == MPI_SUCCESS && !i)
        rc = hws_fail(MPI_ERR_NO_MEM, "out of memory for an info object");
    if (rc == MPI_SUCCESS && (rc = hws_info_set(i, "hawser://host", "true")) == MPI_SUCCESS)
        *hw_info = hws_info_handle(i);
    return hws_raise(NULL, "MPI_Get_hw_resource_info", rc);
}
HWS_MPI(Get_hw_resource_info)

/* ---- memory ---- */

/* The alignment that the info asks for (MPI 5.0 section 9.2), at least our own. 0: no power of two. */
static size_t alignment(const struct hws_info *info)
{
    char text[32];
    if (!info || hws_info_get(info, "mpi_minimum_memory_alignment", text, sizeof text) < 0)
        return ALIGNMENT;
    unsigned long long a = strtoull(text, NULL, 10);
    if (a & (a - 1))
        return 0;
    return a > ALIGNMENT ? (size_t)a : ALIGNMENT;
}

static int alloc_mem(MPI_Aint size, MPI_Info info, void **out)
{
    struct hws_info *i = hws_info_of(info);
    if (size < 0)
        return hws_fail(MPI_ERR_ARG, "invalid argument: size is %lld, it must not be negative", (long long)size);
    if (!i && info != MPI_INFO_NULL)
        return hws_fail(MPI_ERR_INFO, "invalid info object: argument info is none");
    size_t align = alignment(i);
    if (!align)
        return hws_fail(MPI_ERR_INFO_VALUE, "invalid info value: mpi_minimum_memory_alignment is no power of two");
    if (posix_memalign(out, align, size ? (size_t)size : 1))
        return hws_fail(MPI_ERR_NO_MEM, "out of memory for %lld bytes", (long long)size);
    return MPI_SUCCESS;
}

int PMPI_Alloc_mem(MPI_Aint size, MPI_Info info, void *baseptr)
{
    int rc = hws_check_ptr(baseptr, "baseptr");
    return hws_raise(NULL, "MPI_Alloc_mem", rc ? rc : alloc_mem(size, info, (void **)baseptr));
}
HWS_MPI(Alloc_mem)

int PMPI_Free_mem(void *base)
{
    free(base);
    return MPI_SUCCESS;
}
HWS_MPI(Free_mem)
