/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpi_t: start and end of the tool information interface, its strings and enumerations. The interface may be used
 * before MPI_Init and after MPI_Finalize (MPI 5.0 section 15.3.4).
 */
#include "mpi/public.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "core/object/world.h"
#include "mpi/t/mpi_t.h"

static const char *const off_on[] = {"off", "on"};
struct MPI_ABI_T_enum hws_t_on_off = {HWS_T_ENUM_MAGIC, 2, "hawser_switch", off_on};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int n_inits;

bool hws_t_is_up(void)
{
    return __atomic_load_n(&n_inits, __ATOMIC_ACQUIRE) > 0;
}

void hws_t_give_text(const char *text, char *dst, int *len)
{
    if (!len)
        return;
    if (dst && *len > 0)
        snprintf(dst, (size_t)*len, "%s", text);
    *len = (int)strlen(text) + 1;
}

/* The calls here read the engine, so threads may use them at any time only if the engine has a lock. One that runs
 * without it can't get one. */
static int level_for(int required)
{
    if (required != MPI_THREAD_MULTIPLE)
        return required;
    if (hws_world.engine && hws_world.thread_level != MPI_THREAD_MULTIPLE && !hws_world.tool_threads)
        return MPI_THREAD_SERIALIZED;
    hws_world.tool_threads = true;
    return MPI_THREAD_MULTIPLE;
}

int PMPI_T_init_thread(int required, int *provided)
{
    if (required != MPI_THREAD_SINGLE && required != MPI_THREAD_FUNNELED && required != MPI_THREAD_SERIALIZED &&
        required != MPI_THREAD_MULTIPLE)
        return MPI_T_ERR_INVALID;
    pthread_mutex_lock(&mutex);
    int rc = n_inits == 0 ? hws_t_begin_cvars() : MPI_SUCCESS;
    if (rc == MPI_SUCCESS) {
        __atomic_store_n(&n_inits, n_inits + 1, __ATOMIC_RELEASE);
        hws_t_give_int(level_for(required), provided);
    }
    pthread_mutex_unlock(&mutex);
    return rc;
}
HWS_MPI(T_init_thread)

int PMPI_T_finalize(void)
{
    pthread_mutex_lock(&mutex);
    int rc = n_inits > 0 ? MPI_SUCCESS : MPI_T_ERR_NOT_INITIALIZED;
    if (n_inits == 1)
        hws_t_end_events();
    if (rc == MPI_SUCCESS)
        __atomic_store_n(&n_inits, n_inits - 1, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&mutex);
    return rc;
}
HWS_MPI(T_finalize)

/* ---- enumerations ---- */

static int check_enum(MPI_T_enum e)
{
    if (!hws_t_is_up())
        return MPI_T_ERR_NOT_INITIALIZED;
    return hws_t_is_small(e) || e->magic != HWS_T_ENUM_MAGIC ? MPI_T_ERR_INVALID_HANDLE : MPI_SUCCESS;
}

int PMPI_T_enum_get_info(MPI_T_enum enumtype, int *num, char *name, int *name_len)
{
    int rc = check_enum(enumtype);
    if (rc != MPI_SUCCESS)
        return rc;
    hws_t_give_int(enumtype->n, num);
    hws_t_give_text(enumtype->name, name, name_len);
    return MPI_SUCCESS;
}
HWS_MPI(T_enum_get_info)

int PMPI_T_enum_get_item(MPI_T_enum enumtype, int indx, int *value, char *name, int *name_len)
{
    int rc = check_enum(enumtype);
    if (rc != MPI_SUCCESS)
        return rc;
    if (indx < 0 || indx >= enumtype->n)
        return MPI_T_ERR_INVALID_ITEM;
    hws_t_give_int(indx, value);
    hws_t_give_text(enumtype->items[indx], name, name_len);
    return MPI_SUCCESS;
}
HWS_MPI(T_enum_get_item)
