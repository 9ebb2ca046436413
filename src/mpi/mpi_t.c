/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpi_t: start and end of the tool information interface, control variables, categories and enumerations. Every tuning
 * parameter is a control variable under its HAWSER_ name. MPI_Init reads the parameters once; so they can be written
 * before it, which changes the environment that it will read, and not afterwards.
 */
#include "mpi/public.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/errors.h"
#include "core/world.h"
#include "mpi/mpi_t.h"

#define CVAR_MAGIC 0x48575401

struct MPI_ABI_T_cvar_handle {
    unsigned magic; /* CVAR_MAGIC until freed */
    const struct hws_param_row *row;
};

struct MPI_ABI_T_enum {
    const char *name;
    const char *items[2];
};

static struct MPI_ABI_T_enum on_off = {"hawser_switch", {"off", "on"}};
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int n_inits;
static struct hws_params params; /* as MPI_Init would read them; its own copy counts once it has */

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

int PMPI_T_init_thread(int required, int *provided)
{
    char err[512];
    int rc = MPI_SUCCESS;
    pthread_mutex_lock(&mutex);
    if (n_inits == 0 && hws_params_load(&params, err, sizeof err) != HWS_OK)
        rc = MPI_T_ERR_CANNOT_INIT;
    else
        __atomic_store_n(&n_inits, n_inits + 1, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&mutex);
    if (rc == MPI_SUCCESS)
        hws_t_give_int(required, provided); /* every call here may come from any thread */
    return rc;
}
HWS_MPI(T_init_thread)

int PMPI_T_finalize(void)
{
    pthread_mutex_lock(&mutex);
    int rc = n_inits > 0 ? MPI_SUCCESS : MPI_T_ERR_NOT_INITIALIZED;
    if (rc == MPI_SUCCESS)
        __atomic_store_n(&n_inits, n_inits - 1, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&mutex);
    return rc;
}
HWS_MPI(T_finalize)

/* ---- control variables ---- */

int hws_t_n_cvars(void)
{
    size_t n;
    hws_param_table(&n);
    return (int)n;
}

static const struct hws_param_row *row_of(int index)
{
    size_t n;
    const struct hws_param_row *table = hws_param_table(&n);
    return index >= 0 && (size_t)index < n ? &table[index] : NULL;
}

static MPI_Datatype type_of(const struct hws_param_row *row)
{
    return row->kind == HWS_PARAM_TEXT ? MPI_CHAR : row->kind == HWS_PARAM_BOOL ? MPI_INT : MPI_UNSIGNED_LONG_LONG;
}

int PMPI_T_cvar_get_num(int *num_cvar)
{
    if (!hws_t_is_up())
        return MPI_T_ERR_NOT_INITIALIZED;
    hws_t_give_int(hws_t_n_cvars(), num_cvar);
    return MPI_SUCCESS;
}
HWS_MPI(T_cvar_get_num)

int PMPI_T_cvar_get_info(int cvar_index, char *name, int *name_len, int *verbosity, MPI_Datatype *datatype,
                         MPI_T_enum *enumtype, char *desc, int *desc_len, int *bind, int *scope)
{
    const struct hws_param_row *row = row_of(cvar_index);
    if (!hws_t_is_up())
        return MPI_T_ERR_NOT_INITIALIZED;
    if (!row)
        return MPI_T_ERR_INVALID_INDEX;
    hws_t_give_text(row->env, name, name_len);
    hws_t_give_text(row->help, desc, desc_len);
    hws_t_give_int(MPI_T_VERBOSITY_USER_BASIC, verbosity);
    if (datatype)
        *datatype = type_of(row);
    if (enumtype)
        *enumtype = row->kind == HWS_PARAM_BOOL ? &on_off : MPI_T_ENUM_NULL;
    hws_t_give_int(MPI_T_BIND_NO_OBJECT, bind);
    hws_t_give_int(MPI_T_SCOPE_LOCAL, scope);
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
        if (strcmp(row_of(i)->env, name) == 0) {
            *cvar_index = i;
            return MPI_SUCCESS;
        }
    return MPI_T_ERR_INVALID_NAME;
}
HWS_MPI(T_cvar_get_index)

int PMPI_T_cvar_handle_alloc(int cvar_index, void *obj_handle, MPI_T_cvar_handle *handle, int *count)
{
    const struct hws_param_row *row = row_of(cvar_index);
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

static int check_cvar(MPI_T_cvar_handle h)
{
    if (!hws_t_is_up())
        return MPI_T_ERR_NOT_INITIALIZED;
    return h && h->magic == CVAR_MAGIC ? MPI_SUCCESS : MPI_T_ERR_INVALID_HANDLE;
}

int PMPI_T_cvar_handle_free(MPI_T_cvar_handle *handle)
{
    int rc = handle ? check_cvar(*handle) : MPI_T_ERR_INVALID;
    if (rc != MPI_SUCCESS)
        return rc;
    (*handle)->magic = 0;
    free(*handle);
    *handle = MPI_T_CVAR_HANDLE_NULL;
    return MPI_SUCCESS;
}
HWS_MPI(T_cvar_handle_free)

int PMPI_T_cvar_read(MPI_T_cvar_handle handle, void *buf)
{
    int rc = check_cvar(handle);
    if (rc != MPI_SUCCESS || !buf)
        return rc ? rc : MPI_T_ERR_INVALID;
    const struct hws_params *now = hws_world.engine ? &hws_world.params : &params;
    const char *field = (const char *)now + handle->row->offset;
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

int PMPI_T_cvar_write(MPI_T_cvar_handle handle, const void *buf)
{
    char text[1024], err[512];
    int rc = check_cvar(handle);
    if (rc != MPI_SUCCESS || !buf)
        return rc ? rc : MPI_T_ERR_INVALID;
    if (hws_world.engine || atomic_load(&hws_world.finalized))
        return MPI_T_ERR_CVAR_SET_NOT_NOW;
    write_text(handle->row, buf, text, sizeof text);
    pthread_mutex_lock(&mutex);
    if (hws_param_set(&params, handle->row, text, err, sizeof err) != HWS_OK || setenv(handle->row->env, text, 1) != 0)
        rc = MPI_T_ERR_INVALID;
    pthread_mutex_unlock(&mutex);
    return rc;
}
HWS_MPI(T_cvar_write)

/* ---- enumerations ---- */

MPI_T_enum hws_t_on_off(void)
{
    return &on_off;
}

int PMPI_T_enum_get_info(MPI_T_enum enumtype, int *num, char *name, int *name_len)
{
    if (!hws_t_is_up())
        return MPI_T_ERR_NOT_INITIALIZED;
    if (enumtype != &on_off)
        return MPI_T_ERR_INVALID_HANDLE;
    hws_t_give_int(2, num);
    hws_t_give_text(on_off.name, name, name_len);
    return MPI_SUCCESS;
}
HWS_MPI(T_enum_get_info)

int PMPI_T_enum_get_item(MPI_T_enum enumtype, int indx, int *value, char *name, int *name_len)
{
    if (!hws_t_is_up())
        return MPI_T_ERR_NOT_INITIALIZED;
    if (enumtype != &on_off)
        return MPI_T_ERR_INVALID_HANDLE;
    if (indx < 0 || indx > 1)
        return MPI_T_ERR_INVALID_ITEM;
    hws_t_give_int(indx, value);
    hws_t_give_text(on_off.items[indx], name, name_len);
    return MPI_SUCCESS;
}
HWS_MPI(T_enum_get_item)

/* ---- categories: one with all control variables, one with all performance variables ---- */

static const struct {
    const char *name, *desc;
    int (*n_cvars)(void), (*n_pvars)(void);
} categories[] = {{"hawser_parameters", "tuning parameters", hws_t_n_cvars, NULL},
                  {"hawser_engine", "what the engine has moved so far", NULL, hws_t_n_pvars}};

#define N_CATEGORIES 2

static int check_category(int index)
{
    if (!hws_t_is_up())
        return MPI_T_ERR_NOT_INITIALIZED;
    return index >= 0 && index < N_CATEGORIES ? MPI_SUCCESS : MPI_T_ERR_INVALID_INDEX;
}

int PMPI_T_category_get_num(int *num_cat)
{
    if (!hws_t_is_up())
        return MPI_T_ERR_NOT_INITIALIZED;
    hws_t_give_int(N_CATEGORIES, num_cat);
    return MPI_SUCCESS;
}
HWS_MPI(T_category_get_num)

int PMPI_T_category_get_info(int cat_index, char *name, int *name_len, char *desc, int *desc_len, int *num_cvars,
                             int *num_pvars, int *num_categories)
{
    int rc = check_category(cat_index);
    if (rc != MPI_SUCCESS)
        return rc;
    hws_t_give_text(categories[cat_index].name, name, name_len);
    hws_t_give_text(categories[cat_index].desc, desc, desc_len);
    hws_t_give_int(categories[cat_index].n_cvars ? categories[cat_index].n_cvars() : 0, num_cvars);
    hws_t_give_int(categories[cat_index].n_pvars ? categories[cat_index].n_pvars() : 0, num_pvars);
    hws_t_give_int(0, num_categories);
    return MPI_SUCCESS;
}
HWS_MPI(T_category_get_info)

int PMPI_T_category_get_index(const char *name, int *cat_index)
{
    if (!hws_t_is_up())
        return MPI_T_ERR_NOT_INITIALIZED;
    if (!name || !cat_index)
        return MPI_T_ERR_INVALID;
    for (int i = 0; i < N_CATEGORIES; i++)
        if (strcmp(categories[i].name, name) == 0) {
            *cat_index = i;
            return MPI_SUCCESS;
        }
    return MPI_T_ERR_INVALID_NAME;
}
HWS_MPI(T_category_get_index)

/* The first of 0 .. n-1 that fit. */
static int give_indices(int cat_index, int (*count)(void), int len, int *indices)
{
    int rc = check_category(cat_index), n = rc == MPI_SUCCESS && count ? count() : 0;
    if (rc == MPI_SUCCESS && (len < 0 || (len > 0 && !indices)))
        return MPI_T_ERR_INVALID;
    for (int i = 0; i < n && i < len; i++)
        indices[i] = i;
    return rc;
}

int PMPI_T_category_get_cvars(int cat_index, int len, int indices[])
{
    return give_indices(cat_index, cat_index == 0 ? hws_t_n_cvars : NULL, len, indices);
}
HWS_MPI(T_category_get_cvars)

int PMPI_T_category_get_pvars(int cat_index, int len, int indices[])
{
    return give_indices(cat_index, cat_index == 1 ? hws_t_n_pvars : NULL, len, indices);
}
HWS_MPI(T_category_get_pvars)

int PMPI_T_category_get_categories(int cat_index, int len, int indices[])
{
    return give_indices(cat_index, NULL, len, indices);
}
HWS_MPI(T_category_get_categories)

int PMPI_T_category_get_events(int cat_index, int len, int indices[])
{
    return give_indices(cat_index, NULL, len, indices);
}
HWS_MPI(T_category_get_events)

int PMPI_T_category_get_num_events(int cat_index, int *num_events)
{
    int rc = check_category(cat_index);
    if (rc == MPI_SUCCESS)
        hws_t_give_int(0, num_events);
    return rc;
}
HWS_MPI(T_category_get_num_events)

/* Changes once, when the engine's counters become known. */
int PMPI_T_category_changed(int *update_number)
{
    if (!hws_t_is_up())
        return MPI_T_ERR_NOT_INITIALIZED;
    hws_t_give_int(hws_t_n_pvars() > 0, update_number);
    return MPI_SUCCESS;
}
HWS_MPI(T_category_changed)
