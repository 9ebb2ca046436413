/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpi_t_cvar: control variables. Every tuning parameter is one, under its HAWSER_ name. Before the library starts a
 * write changes the environment that it will read. While it runs, those take effect that the engine reads anew at each
 * use, the algorithms of collectives and the checks; the scope of the others is MPI_T_SCOPE_READONLY from then on.
 */
#include "mpi/public.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/errors.h"
#include "base/log.h"
#include "coll/run.h"
#include "core/object/world.h"
#include "mpi/t/mpi_t.h"
#include "peer/engine.h"
#include "peer/info.h"

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
    {"backtrace", MPI_T_SCOPE_LOCAL, MPI_T_VERBOSITY_USER_BASIC},
    {"progress", MPI_T_SCOPE_LOCAL, MPI_T_VERBOSITY_USER_BASIC},
    {"rsh", MPI_T_SCOPE_READONLY, MPI_T_VERBOSITY_USER_DETAIL}, /* mpirun's alone */
    {"bind-to", MPI_T_SCOPE_READONLY, MPI_T_VERBOSITY_USER_DETAIL},
    {"cardspush", MPI_T_SCOPE_READONLY, MPI_T_VERBOSITY_TUNER_DETAIL},
    {"warnwait", MPI_T_SCOPE_READONLY, MPI_T_VERBOSITY_USER_DETAIL},
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

static bool is_running(void)
{
    return hws_world.engine != NULL;
}

static bool is_named(const struct hws_param_row *row, const char *flag)
{
    return strcmp(row->flag, flag) == 0;
}

/* What MPI_Init has used up has no effect any more: MPI is started once in a process. */
static bool is_settled(const struct hws_param_row *row)
{
    if (!is_running())
        return atomic_load(&hws_world.finalized);
    return !is_named(row, "coll") && !is_named(row, "checks") && !hws_engine_is_tunable(row);
}

static void kind_of(const struct hws_param_row *row, int *scope, int *verbosity)
{
    *scope = MPI_T_SCOPE_LOCAL;
    *verbosity = MPI_T_VERBOSITY_USER_DETAIL;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (is_named(row, kinds[i].flag)) {
            *scope = kinds[i].scope;
            *verbosity = kinds[i].verbosity;
        }
    if (is_settled(row))
        *scope = MPI_T_SCOPE_READONLY;
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
    return is_running() || atomic_load(&hws_world.finalized) ? &hws_world.params : &early;
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
        *(int *)buf = (int)value;
    else
        *(unsigned long long *)buf = value;
    return MPI_SUCCESS;
}
HWS_MPI(T_cvar_read)

/* Takes the value out of the buffer, and writes it as text for the environment. Of a switch every int but 0 means on;
 * it reads back as it was written. */
static int take_value(const struct hws_param_row *row, const void *buf, struct hws_params *next, char *text, size_t len)
{
    char err[512];
    if (row->kind == HWS_PARAM_BOOL) {
        uint64_t value = (uint64_t) * (const int *)buf;
        memcpy((char *)next + row->offset, &value, sizeof value);
        snprintf(text, len, "%d", value != 0);
        return MPI_SUCCESS;
    }
    if (row->kind == HWS_PARAM_TEXT)
        snprintf(text, len, "%.*s", (int)row->size - 1, (const char *)buf);
    else
        snprintf(text, len, "%llu", *(const unsigned long long *)buf);
    return hws_param_set(next, row, text, err, sizeof err) == HWS_OK ? MPI_SUCCESS : MPI_T_ERR_INVALID;
}

/* While the library runs. `next`: all parameters with the new value. */
static int change_now(const struct hws_param_row *row, const struct hws_params *next)
{
    if (is_named(row, "coll"))
        return hws_coll_force(next->coll) == MPI_SUCCESS ? MPI_SUCCESS : MPI_T_ERR_INVALID;
    if (is_named(row, "checks")) {
        hws_world.unchecked = !next->checks;
        return MPI_SUCCESS;
    }
    hws_engine_lock(hws_world.engine);
    hws_engine_tune(hws_world.engine, row, next);
    hws_engine_unlock(hws_world.engine);
    return MPI_SUCCESS;
}

/* Before it starts: MPI_Init would fail with a name that does not exist. */
static int change_early(const struct hws_param_row *row, const struct hws_params *next, const char *text)
{
    char err[512];
    if (is_named(row, "coll") && hws_coll_force(next->coll) != MPI_SUCCESS)
        return MPI_T_ERR_INVALID;
    if (is_named(row, "trace") && hws_log_init(next->trace, -1, err, sizeof err) != HWS_OK)
        return MPI_T_ERR_INVALID;
    return setenv(row->env, text, 1) == 0 ? MPI_SUCCESS : MPI_T_ERR_MEMORY;
}

static int change(const struct hws_param_row *row, const void *buf)
{
    char text[1024];
    struct hws_params next = *in_force();
    int rc = take_value(row, buf, &next, text, sizeof text);
    if (rc == MPI_SUCCESS)
        rc = is_running() ? change_now(row, &next) : change_early(row, &next, text);
    if (rc == MPI_SUCCESS)
        memcpy((char *)in_force() + row->offset, (char *)&next + row->offset, row->size);
    return rc;
}

int PMPI_T_cvar_write(MPI_T_cvar_handle handle, const void *buf)
{
    int scope, verbosity, rc = check_handle(handle);
    if (rc != MPI_SUCCESS || !buf)
        return rc ? rc : MPI_T_ERR_INVALID;
    kind_of(handle->row, &scope, &verbosity);
    if (scope == MPI_T_SCOPE_READONLY)
        return MPI_T_ERR_CVAR_SET_NEVER;
    pthread_mutex_lock(&mutex);
    rc = change(handle->row, buf);
    pthread_mutex_unlock(&mutex);
    return rc;
}
HWS_MPI(T_cvar_write)
