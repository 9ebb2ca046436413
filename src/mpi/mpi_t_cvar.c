/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpi_t_cvar: control variables. Every tuning parameter is one, under its HAWSER_ name. Before the library starts a
 * write changes the environment that it will read. While it runs, those take effect that the engine reads anew at each
 * use, the algorithms of collectives and the checks; the others answer MPI_T_ERR_CVAR_SET_NOT_NOW.
 */
#include "mpi/public.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/errors.h"
#include "coll/run.h"
#include "core/world.h"
#include "mpi/mpi_t.h"
#include "peer/engine.h"

#define CVAR_MAGIC 0x48575401

struct MPI_ABI_T_cvar_handle {
    unsigned magic; /* CVAR_MAGIC until freed */
    const struct hws_param_row *row;
};

/* Those that are not "local, for users who want details". */
static const struct {
    const char *flag;
    int scope, verbosity;
} kinds[] = {
    {"i", MPI_T_SCOPE_LOCAL, MPI_T_VERBOSITY_USER_BASIC},
    {"ni", MPI_T_SCOPE_LOCAL, MPI_T_VERBOSITY_USER_BASIC},
    {"checks", MPI_T_SCOPE_LOCAL, MPI_T_VERBOSITY_USER_BASIC},
    {"progress", MPI_T_SCOPE_LOCAL, MPI_T_VERBOSITY_USER_BASIC},
    {"rsh", MPI_T_SCOPE_READONLY, MPI_T_VERBOSITY_USER_DETAIL}, /* mpirun's alone */
    {"bind-to", MPI_T_SCOPE_READONLY, MPI_T_VERBOSITY_USER_DETAIL},
    {"coll", MPI_T_SCOPE_ALL_EQ, MPI_T_VERBOSITY_TUNER_DETAIL}, /* ranks with different algorithms wait for ever */
    {"tcpmaxfrag", MPI_T_SCOPE_LOCAL, MPI_T_VERBOSITY_TUNER_BASIC},
    {"tcpeagersend", MPI_T_SCOPE_LOCAL, MPI_T_VERBOSITY_TUNER_BASIC},
    {"credit", MPI_T_SCOPE_LOCAL, MPI_T_VERBOSITY_TUNER_BASIC},
    {"unexpected", MPI_T_SCOPE_LOCAL, MPI_T_VERBOSITY_TUNER_BASIC},
    {"spin", MPI_T_SCOPE_LOCAL, MPI_T_VERBOSITY_TUNER_BASIC},
    {"trace", MPI_T_SCOPE_LOCAL, MPI_T_VERBOSITY_MPIDEV_BASIC},
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER; /* of `early` and of writes */
static struct hws_params early; /* as MPI_Init would read them; its own copy counts once it has */

int hws_t_begin_cvars(void)
{
    char err[512];
    pthread_mutex_lock(&mutex);
    int rc = hws_params_load(&early, err, sizeof err) == HWS_OK ? MPI_SUCCESS : MPI_T_ERR_CANNOT_INIT;
    pthread_mutex_unlock(&mutex);
    return rc;
}

int hws_t_n_cvars(void)
{
    size_t n;
    hws_param_table(&n);
    return (int)n;
}

const struct hws_param_row *hws_t_cvar(int index)
{
    size_t n;
    const struct hws_param_row *table = hws_param_table(&n);
    return index >= 0 && (size_t)index < n ? &table[index] : NULL;
}

static MPI_Datatype type_of(const struct hws_param_row *row)
{
    return row->kind == HWS_PARAM_TEXT ? MPI_CHAR : row->kind == HWS_PARAM_BOOL ? MPI_INT : MPI_UNSIGNED_LONG_LONG;
}

static void kind_of(const struct hws_param_row *row, int *scope, int *verbosity)
{
    *scope = MPI_T_SCOPE_LOCAL;
    *verbosity = MPI_T_VERBOSITY_USER_DETAIL;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(kinds[i].flag, row->flag) == 0) {
            *scope = kinds[i].scope;
            *verbosity = kinds[i].verbosity;
        }
}

int PMPI_T_cvar_get_num(int *num_cvar)
{
    if (!hws_t_is_up())
        return MPI_T_ERR_NOT_INITIALIZED;
    if (!num_cvar)
        return MPI_T_ERR_INVALID;
    *num_cvar = hws_t_n_cvars();
    return MPI_SUCCESS;
}
HWS_MPI(T_cvar_get_num)

int PMPI_T_cvar_get_info(int cvar_index, char *name, int *name_len, int *verbosity, MPI_Datatype *datatype,
                         MPI_T_enum *enumtype, char *desc, int *desc_len, int *bind, int *scope)
{
    const struct hws_param_row *row = hws_t_cvar(cvar_index);
    int own_scope, own_verbosity;
    if (!hws_t_is_up())
        return MPI_T_ERR_NOT_INITIALIZED;
    if (!row)
        return MPI_T_ERR_INVALID_INDEX;
    kind_of(row, &own_scope, &own_verbosity);
    hws_t_give_text(row->env, name, name_len);
    hws_t_give_text(row->help, desc, desc_len);
    hws_t_give_int(own_verbosity, verbosity);
    if (datatype)
        *datatype = type_of(row);
    if (enumtype)
        *enumtype = row->kind == HWS_PARAM_BOOL ? &hws_t_on_off : MPI_T_ENUM_NULL;
    hws_t_give_int(MPI_T_BIND_NO_OBJECT, bind);
    hws_t_give_int(own_scope, scope);
    return MPI_SUCCESS;
}
HWS_MPI(T_cvar_get_info)

int PMPI_T_cvar_get_index(const char *name, int *cvar_index)
{
    if (!hws_t_is_up())
        return MPI_T_ERR_NOT_INITIALIZED;
    if (!name || !cvar_index)
        return MPI_T_ERR_INVALID;
    for (int i = 0; i < hws_t_n_cvars(); i++)
        if (strcmp(hws_t_cvar(i)->env, name) == 0) {
            *cvar_index = i;
            return MPI_SUCCESS;
        }
    return MPI_T_ERR_INVALID_NAME;
}
HWS_MPI(T_cvar_get_index)

int PMPI_T_cvar_handle_alloc(int cvar_index, void *obj_handle, MPI_T_cvar_handle *handle, int *count)
{
    const struct hws_param_row *row = hws_t_cvar(cvar_index);
    (void)obj_handle; /* no variable is bound to an object */
    if (!hws_t_is_up())
        return MPI_T_ERR_NOT_INITIALIZED;
    if (!row)
        return MPI_T_ERR_INVALID_INDEX;
    if (!handle)
        return MPI_T_ERR_INVALID;
    MPI_T_cvar_handle h = malloc(sizeof *h);
    if (!h)
        return MPI_T_ERR_OUT_OF_HANDLES;
    *h = (struct MPI_ABI_T_cvar_handle){CVAR_MAGIC, row};
    *handle = h;
    hws_t_give_int(row->kind == HWS_PARAM_TEXT ? (int)row->size : 1, count);
    return MPI_SUCCESS;
}
HWS_MPI(T_cvar_handle_alloc)

static int check_handle(MPI_T_cvar_handle h)
{
    if (!hws_t_is_up())
        return MPI_T_ERR_NOT_INITIALIZED;
    return !hws_t_is_small(h) && h->magic == CVAR_MAGIC ? MPI_SUCCESS : MPI_T_ERR_INVALID_HANDLE;
}

int PMPI_T_cvar_handle_free(MPI_T_cvar_handle *handle)
{
    int rc = handle ? check_handle(*handle) : MPI_T_ERR_INVALID;
    if (rc != MPI_SUCCESS)
        return rc;
    (*handle)->magic = 0;
    free(*handle);
    *handle = MPI_T_CVAR_HANDLE_NULL;
    return MPI_SUCCESS;
}
HWS_MPI(T_cvar_handle_free)

static struct hws_params *in_force(void)
{
    return hws_world.engine ? &hws_world.params : &early;
}

int PMPI_T_cvar_read(MPI_T_cvar_handle handle, void *buf)
{
    int rc = check_handle(handle);
    if (rc != MPI_SUCCESS || !buf)
        return rc ? rc : MPI_T_ERR_INVALID;
    const char *field = (const char *)in_force() + handle->row->offset;
    uint64_t value;
    if (handle->row->kind == HWS_PARAM_TEXT) {
        memcpy(buf, field, handle->row->size);
        return MPI_SUCCESS;
    }
    memcpy(&value, field, sizeof value);
    if (handle->row->kind == HWS_PARAM_BOOL)
        *(int *)buf = value != 0;
    else
        *(unsigned long long *)buf = value;
    return MPI_SUCCESS;
}
HWS_MPI(T_cvar_read)

/* What the buffer holds, as text. */
static void write_text(const struct hws_param_row *row, const void *buf, char *text, size_t len)
{
    if (row->kind == HWS_PARAM_TEXT)
        snprintf(text, len, "%.*s", (int)row->size - 1, (const char *)buf);
    else if (row->kind == HWS_PARAM_BOOL)
        snprintf(text, len, "%d", *(const int *)buf);
    else
        snprintf(text, len, "%llu", *(const unsigned long long *)buf);
}

/* While the library runs. `next`: all parameters with the new value. */
static int change_now(const struct hws_param_row *row, const struct hws_params *next)
{
    bool taken;
    if (strcmp(row->flag, "coll") == 0)
        return hws_coll_force(next->coll) == MPI_SUCCESS ? MPI_SUCCESS : MPI_T_ERR_INVALID;
    if (strcmp(row->flag, "checks") == 0) {
        hws_world.unchecked = !next->checks;
        return MPI_SUCCESS;
    }
    hws_engine_lock(hws_world.engine);
    taken = hws_engine_tune(hws_world.engine, row, next);
    hws_engine_unlock(hws_world.engine);
    return taken ? MPI_SUCCESS : MPI_T_ERR_CVAR_SET_NOT_NOW;
}

static int change(const struct hws_param_row *row, const char *text)
{
    char err[512];
    struct hws_params next = *in_force();
    if (hws_param_set(&next, row, text, err, sizeof err) != HWS_OK)
        return MPI_T_ERR_INVALID;
    if (atomic_load(&hws_world.finalized))
        return MPI_T_ERR_CVAR_SET_NOT_NOW;
    int rc = MPI_SUCCESS;
    if (hws_world.engine)
        rc = change_now(row, &next);
    else if (setenv(row->env, text, 1) != 0)
        rc = MPI_T_ERR_MEMORY;
    if (rc == MPI_SUCCESS)
        memcpy((char *)in_force() + row->offset, (char *)&next + row->offset, row->size);
    return rc;
}

int PMPI_T_cvar_write(MPI_T_cvar_handle handle, const void *buf)
{
    char text[1024];
    int scope, verbosity, rc = check_handle(handle);
    if (rc != MPI_SUCCESS || !buf)
        return rc ? rc : MPI_T_ERR_INVALID;
    kind_of(handle->row, &scope, &verbosity);
    if (scope == MPI_T_SCOPE_READONLY)
        return MPI_T_ERR_CVAR_SET_NEVER;
    write_text(handle->row, buf, text, sizeof text);
    pthread_mutex_lock(&mutex);
    rc = change(handle->row, text);
    pthread_mutex_unlock(&mutex);
    return rc;
}
HWS_MPI(T_cvar_write)
