/* SPDX-License-Identifier: BSD-3-Clause
 *
 * abi: MPI_Abi_... (MPI 5.0 chapter 20): what this library's binary interface is, and what a Fortran layer above it
 * may tell about Fortran's types. All work at any time.
 */
#include "mpi/public.h"

#include <pthread.h>
#include <string.h>

#include "mpi/check_object.h"

#define LOGICAL_MAX 16 /* bytes of the largest LOGICAL */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct hws_info *fortran_info; /* what MPI_Abi_set_fortran_info gave; NULL: nothing */

/* Values of .TRUE. and .FALSE. by size of LOGICAL: 1, 2, 4, 8, 16 bytes. */
static struct {
    bool is_set;
    unsigned char true_value[LOGICAL_MAX], false_value[LOGICAL_MAX];
} logicals[5];

int PMPI_Abi_get_version(int *abi_major, int *abi_minor)
{
    int rc = hws_check_ptr(abi_major, "abi_major");
    if (rc == MPI_SUCCESS && (rc = hws_check_ptr(abi_minor, "abi_minor")) == MPI_SUCCESS) {
        *abi_major = MPI_ABI_VERSION;
        *abi_minor = MPI_ABI_SUBVERSION;
    }
    return hws_raise(NULL, "MPI_Abi_get_version", rc);
}
HWS_MPI(Abi_get_version)

/* The sizes of the integer types that the ABI leaves to the platform. */
int PMPI_Abi_get_info(MPI_Info *info)
{
    int rc = hws_check_ptr(info, "info");
    struct hws_info *i = rc == MPI_SUCCESS ? hws_info_new() : NULL;
    if (rc == MPI_SUCCESS && !i)
        rc = hws_fail(MPI_ERR_NO_MEM, "out of memory for an info object");
    rc = rc ? rc : hws_info_set(i, "mpi_aint_size", sizeof(MPI_Aint) == 8 ? "8" : "4");
    rc = rc ? rc : hws_info_set(i, "mpi_count_size", "8");
    rc = rc ? rc : hws_info_set(i, "mpi_offset_size", "8");
    if (rc == MPI_SUCCESS)
        *info = hws_info_handle(i);
    else
        hws_info_free(i);
    return hws_raise(NULL, "MPI_Abi_get_info", rc);
}
HWS_MPI(Abi_get_info)

/* MPI_INFO_NULL: no Fortran layer has said anything. */
int PMPI_Abi_get_fortran_info(MPI_Info *info)
{
    int rc = hws_check_ptr(info, "info");
    if (rc == MPI_SUCCESS) {
        pthread_mutex_lock(&mutex);
        if (fortran_info)
            rc = hws_give_info(hws_info_dup(fortran_info), info);
        else
            *info = MPI_INFO_NULL;
        pthread_mutex_unlock(&mutex);
    }
    return hws_raise(NULL, "MPI_Abi_get_fortran_info", rc);
}
HWS_MPI(Abi_get_fortran_info)

int PMPI_Abi_set_fortran_info(MPI_Info info)
{
    struct hws_info *i;
    int rc = hws_check_info(info, &i);
    pthread_mutex_lock(&mutex);
    if (rc == MPI_SUCCESS && fortran_info)
        rc = hws_fail(MPI_ERR_ABI, "the Fortran information was set before");
    if (rc == MPI_SUCCESS && i && (fortran_info = hws_info_dup(i)) == NULL)
        rc = hws_fail(MPI_ERR_NO_MEM, "out of memory for an info object");
    pthread_mutex_unlock(&mutex);
    return hws_raise(NULL, "MPI_Abi_set_fortran_info", rc);
}
HWS_MPI(Abi_set_fortran_info)

/* Index in logicals; negative: no such LOGICAL, with the sentence set. */
static int slot_of(int logical_size)
{
    for (int i = 0; i < 5; i++)
        if (logical_size == 1 << i)
            return i;
    hws_fail(MPI_ERR_ARG, "invalid argument: logical_size is %d, it must be 1, 2, 4, 8 or 16", logical_size);
    return -1;
}

int PMPI_Abi_set_fortran_booleans(int logical_size, void *logical_true, void *logical_false)
{
    int at = slot_of(logical_size), rc = at < 0 ? MPI_ERR_ARG : hws_check_ptr(logical_true, "logical_true");
    if (rc == MPI_SUCCESS)
        rc = hws_check_ptr(logical_false, "logical_false");
    pthread_mutex_lock(&mutex);
    if (rc == MPI_SUCCESS && logicals[at].is_set)
        rc = hws_fail(MPI_ERR_ABI, "the values of a LOGICAL of %d bytes were set before", logical_size);
    if (rc == MPI_SUCCESS) {
        logicals[at].is_set = true;
        memcpy(logicals[at].true_value, logical_true, (size_t)logical_size);
        memcpy(logicals[at].false_value, logical_false, (size_t)logical_size);
    }
    pthread_mutex_unlock(&mutex);
    return hws_raise(NULL, "MPI_Abi_set_fortran_booleans", rc);
}
HWS_MPI(Abi_set_fortran_booleans)

int PMPI_Abi_get_fortran_booleans(int logical_size, void *logical_true, void *logical_false, int *is_set)
{
    int at = slot_of(logical_size), rc = at < 0 ? MPI_ERR_ARG : hws_check_ptr(is_set, "is_set");
    pthread_mutex_lock(&mutex);
    if (rc == MPI_SUCCESS)
        *is_set = logicals[at].is_set;
    if (rc == MPI_SUCCESS && *is_set) {
        memcpy(logical_true, logicals[at].true_value, (size_t)logical_size);
        memcpy(logical_false, logicals[at].false_value, (size_t)logical_size);
    }
    pthread_mutex_unlock(&mutex);
    return hws_raise(NULL, "MPI_Abi_get_fortran_booleans", rc);
}
HWS_MPI(Abi_get_fortran_booleans)
