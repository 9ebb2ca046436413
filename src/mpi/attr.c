/* SPDX-License-Identifier: BSD-3-Clause
 *
 * attr: attributes on communicators and datatypes, and keyvals of windows (MPI 5.0 section 7.7), with the names of
 * MPI-1. The predefined attributes of MPI_COMM_WORLD are visible on every communicator (section 9.1.2).
 */
#include "mpi/public.h"

#include "core/object/error_class.h"
#include "mpi/attr.h"
#include "mpi/check.h"

/* Attributes are pointers to these ints. */
static int tag_ub = 0x7fffffff, wtime_is_global = 0, io = MPI_ANY_SOURCE, host = MPI_PROC_NULL;
static int last_used_code, universe_size, appnum;

/* ---- keyvals ---- */

static int create(const char *fn, enum hws_kind kind, hws_attr_fn *copy, hws_attr_fn *del, int *keyval, void *extra)
{
    int rc = hws_check_ptr(keyval, "keyval");
    return hws_raise(NULL, fn, rc ? rc : hws_keyval_create(kind, copy, del, extra, keyval));
}

/* Predefined keys are above MPI_KEYVAL_INVALID too, but nobody made them. */
static int free_key(const char *fn, enum hws_kind kind, int *keyval)
{
    int rc = hws_check_ptr(keyval, "keyval");
    return hws_raise(NULL, fn, rc ? rc : hws_keyval_free(kind, keyval));
}

int PMPI_Comm_create_keyval(MPI_Comm_copy_attr_function *comm_copy_attr_fn,
                            MPI_Comm_delete_attr_function *comm_delete_attr_fn, int *comm_keyval, void *extra_state)
{
    return create("MPI_Comm_create_keyval", HWS_KIND_COMM, (hws_attr_fn *)comm_copy_attr_fn,
                  (hws_attr_fn *)comm_delete_attr_fn, comm_keyval, extra_state);
}
HWS_MPI(Comm_create_keyval)

int PMPI_Comm_free_keyval(int *comm_keyval)
{
    return free_key("MPI_Comm_free_keyval", HWS_KIND_COMM, comm_keyval);
}
HWS_MPI(Comm_free_keyval)

int PMPI_Type_create_keyval(MPI_Type_copy_attr_function *type_copy_attr_fn,
                            MPI_Type_delete_attr_function *type_delete_attr_fn, int *type_keyval, void *extra_state)
{
    return create("MPI_Type_create_keyval", HWS_KIND_TYPE, (hws_attr_fn *)type_copy_attr_fn,
                  (hws_attr_fn *)type_delete_attr_fn, type_keyval, extra_state);
}
HWS_MPI(Type_create_keyval)

int PMPI_Type_free_keyval(int *type_keyval)
{
    return free_key("MPI_Type_free_keyval", HWS_KIND_TYPE, type_keyval);
}
HWS_MPI(Type_free_keyval)

int PMPI_Win_create_keyval(MPI_Win_copy_attr_function *win_copy_attr_fn,
                           MPI_Win_delete_attr_function *win_delete_attr_fn, int *win_keyval, void *extra_state)
{
    return create("MPI_Win_create_keyval", HWS_KIND_WIN, (hws_attr_fn *)win_copy_attr_fn,
                  (hws_attr_fn *)win_delete_attr_fn, win_keyval, extra_state);
}
HWS_MPI(Win_create_keyval)

int PMPI_Win_free_keyval(int *win_keyval)
{
    return free_key("MPI_Win_free_keyval", HWS_KIND_WIN, win_keyval);
}
HWS_MPI(Win_free_keyval)

int PMPI_Keyval_create(MPI_Copy_function *copy_fn, MPI_Delete_function *delete_fn, int *keyval, void *extra_state)
{
    return create("MPI_Keyval_create", HWS_KIND_COMM, (hws_attr_fn *)copy_fn, (hws_attr_fn *)delete_fn, keyval,
                  extra_state);
}
HWS_MPI(Keyval_create)

int PMPI_Keyval_free(int *keyval)
{
    return free_key("MPI_Keyval_free", HWS_KIND_COMM, keyval);
}
HWS_MPI(Keyval_free)

/* ---- communicators ---- */

/* The address of a predefined attribute. False: keyval is none. *value NULL: it is, but not set. Communicators of the
 * Sessions Model have MPI_TAG_UB only (MPI 5.0 section 9.1.2). */
static bool predefined(const struct hws_comm *c, int keyval, void **value)
{
    if (c->group->session && keyval != MPI_TAG_UB && predefined(&hws_comm_world, keyval, value)) {
        *value = NULL;
        return true;
    }
    switch (keyval) {
    case MPI_TAG_UB:
        *value = &tag_ub;
        return true;
    case MPI_HOST:
        *value = &host;
        return true;
    case MPI_IO:
        *value = &io;
        return true;
    case MPI_WTIME_IS_GLOBAL:
        *value = &wtime_is_global;
        return true;
    case MPI_LASTUSEDCODE:
        last_used_code = hws_code_last_used();
        *value = &last_used_code;
        return true;
    case MPI_UNIVERSE_SIZE:
        universe_size = hws_world.universe_size;
        *value = universe_size > 0 ? &universe_size : NULL;
        return true;
    case MPI_APPNUM:
        appnum = hws_world.appnum;
        *value = appnum >= 0 ? &appnum : NULL;
        return true;
    default:
        return false;
    }
}

static int check_places(const void *attribute_val, const int *flag)
{
    int rc = hws_check_ptr(attribute_val, "attribute_val");
    return rc == MPI_SUCCESS ? hws_check_ptr(flag, "flag") : rc;
}

int hws_give_attr(struct hws_attrs *attrs, enum hws_kind kind, int keyval, void *attribute_val, int *flag)
{
    void *value = NULL;
    int rc = check_places(attribute_val, flag);
    if (rc == MPI_SUCCESS)
        rc = hws_attr_get(attrs, kind, keyval, &value, flag);
    if (rc == MPI_SUCCESS && *flag)
        *(void **)attribute_val = value;
    return rc;
}

static int give_predefined(void *value, void *attribute_val, int *flag)
{
    int rc = check_places(attribute_val, flag);
    if (rc != MPI_SUCCESS)
        return rc;
    *flag = value != NULL;
    if (value)
        *(void **)attribute_val = value;
    return MPI_SUCCESS;
}

static int get_comm_attr(const char *fn, MPI_Comm comm, int keyval, void *attribute_val, int *flag)
{
    struct hws_comm *c;
    void *value = NULL;
    int rc = hws_check_comm(comm, &c);
    if (rc != MPI_SUCCESS)
        return hws_raise(NULL, fn, rc);
    if (predefined(c, keyval, &value))
        rc = give_predefined(value, attribute_val, flag);
    else
        rc = hws_give_attr(c->attrs, HWS_KIND_COMM, keyval, attribute_val, flag);
    return hws_raise(c, fn, rc);
}

/* Sets (value) or deletes (is_delete). Predefined attributes can't be changed. */
static int change_comm_attr(const char *fn, MPI_Comm comm, int keyval, void *value, bool is_delete)
{
    struct hws_comm *c;
    void *ignored;
    int rc = hws_check_comm(comm, &c);
    if (rc != MPI_SUCCESS)
        return hws_raise(NULL, fn, rc);
    if (predefined(c, keyval, &ignored))
        rc = hws_fail(MPI_ERR_KEYVAL, "invalid attribute key: keyval %d is a predefined attribute, it can't be changed",
                      keyval);
    else if (is_delete)
        rc = hws_attr_delete(&c->attrs, HWS_KIND_COMM, hws_comm_handle(c), keyval);
    else
        rc = hws_attr_set(&c->attrs, HWS_KIND_COMM, hws_comm_handle(c), keyval, value);
    return hws_raise(c, fn, rc);
}

int PMPI_Comm_get_attr(MPI_Comm comm, int comm_keyval, void *attribute_val, int *flag)
{
    return get_comm_attr("MPI_Comm_get_attr", comm, comm_keyval, attribute_val, flag);
}
HWS_MPI(Comm_get_attr)

int PMPI_Comm_set_attr(MPI_Comm comm, int comm_keyval, void *attribute_val)
{
    return change_comm_attr("MPI_Comm_set_attr", comm, comm_keyval, attribute_val, false);
}
HWS_MPI(Comm_set_attr)

int PMPI_Comm_delete_attr(MPI_Comm comm, int comm_keyval)
{
    return change_comm_attr("MPI_Comm_delete_attr", comm, comm_keyval, NULL, true);
}
HWS_MPI(Comm_delete_attr)

int PMPI_Attr_get(MPI_Comm comm, int keyval, void *attribute_val, int *flag)
{
    return get_comm_attr("MPI_Attr_get", comm, keyval, attribute_val, flag);
}
HWS_MPI(Attr_get)

int PMPI_Attr_put(MPI_Comm comm, int keyval, void *attribute_val)
{
    return change_comm_attr("MPI_Attr_put", comm, keyval, attribute_val, false);
}
HWS_MPI(Attr_put)

int PMPI_Attr_delete(MPI_Comm comm, int keyval)
{
    return change_comm_attr("MPI_Attr_delete", comm, keyval, NULL, true);
}
HWS_MPI(Attr_delete)

/* ---- datatypes ---- */

/* Any type, committed or not. */
static int check_any_type(MPI_Datatype h, struct hws_type **out)
{
    int rc = hws_check_up();
    if (rc != MPI_SUCCESS)
        return rc;
    if ((*out = hws_type_of(h)) != NULL)
        return MPI_SUCCESS;
    return h == MPI_DATATYPE_NULL ? hws_fail(MPI_ERR_TYPE, "invalid datatype: argument datatype is MPI_DATATYPE_NULL")
                                  : hws_fail(MPI_ERR_TYPE, "invalid datatype: argument datatype is no datatype");
}

int PMPI_Type_get_attr(MPI_Datatype datatype, int type_keyval, void *attribute_val, int *flag)
{
    struct hws_type *t;
    int rc = check_any_type(datatype, &t);
    if (rc == MPI_SUCCESS)
        rc = hws_give_attr(t->attrs, HWS_KIND_TYPE, type_keyval, attribute_val, flag);
    return hws_raise(NULL, "MPI_Type_get_attr", rc);
}
HWS_MPI(Type_get_attr)

int PMPI_Type_set_attr(MPI_Datatype datatype, int type_keyval, void *attribute_val)
{
    struct hws_type *t;
    int rc = check_any_type(datatype, &t);
    if (rc == MPI_SUCCESS)
        rc = hws_attr_set(&t->attrs, HWS_KIND_TYPE, hws_type_handle(t), type_keyval, attribute_val);
    return hws_raise(NULL, "MPI_Type_set_attr", rc);
}
HWS_MPI(Type_set_attr)

int PMPI_Type_delete_attr(MPI_Datatype datatype, int type_keyval)
{
    struct hws_type *t;
    int rc = check_any_type(datatype, &t);
    if (rc == MPI_SUCCESS)
        rc = hws_attr_delete(&t->attrs, HWS_KIND_TYPE, hws_type_handle(t), type_keyval);
    return hws_raise(NULL, "MPI_Type_delete_attr", rc);
}
HWS_MPI(Type_delete_attr)
