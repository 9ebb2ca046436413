/* SPDX-License-Identifier: BSD-3-Clause
 *
 * info: MPI_Info_... (MPI 5.0 chapter 10). All work before MPI_Init and after MPI_Finalize.
 */
#include "mpi/public.h"

#include <stdio.h>
#include <string.h>

#include "mpi/check_object.h"

static int check_info(MPI_Info h, struct hws_info **out)
{
    if ((*out = hws_info_of(h)) != NULL)
        return MPI_SUCCESS;
    return h == MPI_INFO_NULL ? hws_fail(MPI_ERR_INFO, "invalid info object: argument info is MPI_INFO_NULL")
                              : hws_fail(MPI_ERR_INFO, "invalid info object: argument info is none");
}

/* MPI_INFO_ENV is read-only. */
static int check_writable(MPI_Info h, struct hws_info **out)
{
    if (h == MPI_INFO_ENV)
        return hws_fail(MPI_ERR_INFO, "invalid info object: MPI_INFO_ENV can't be changed");
    return check_info(h, out);
}

static int check_key(const char *key)
{
    if (!key)
        return hws_fail(MPI_ERR_INFO_KEY, "invalid info key: argument key is a null pointer");
    size_t len = strlen(key);
    if (len == 0 || len >= MPI_MAX_INFO_KEY)
        return hws_fail(MPI_ERR_INFO_KEY, "invalid info key: it has %zu characters, it must have 1 to %d", len,
                        MPI_MAX_INFO_KEY - 1);
    return MPI_SUCCESS;
}

static int check_value(const char *value)
{
    if (!value)
        return hws_fail(MPI_ERR_INFO_VALUE, "invalid info value: argument value is a null pointer");
    size_t len = strlen(value);
    if (len >= MPI_MAX_INFO_VAL)
        return hws_fail(MPI_ERR_INFO_VALUE, "invalid info value: it has %zu characters, it must have at most %d", len,
                        MPI_MAX_INFO_VAL - 1);
    return MPI_SUCCESS;
}

int PMPI_Info_create(MPI_Info *info)
{
    int rc = hws_check_ptr(info, "info");
    return hws_raise(NULL, "MPI_Info_create", rc ? rc : hws_give_info(hws_info_new(), info));
}
HWS_MPI(Info_create)

int PMPI_Info_create_env(int argc, char *argv[], MPI_Info *info)
{
    int rc = hws_check_ptr(info, "info");
    struct hws_info *i = rc == MPI_SUCCESS ? hws_info_new() : NULL;
    if (rc == MPI_SUCCESS)
        rc = i ? hws_info_fill_env(i, argc, argv) : hws_fail(MPI_ERR_NO_MEM, "out of memory for an info object");
    if (rc == MPI_SUCCESS)
        *info = hws_info_handle(i);
    else
        hws_info_free(i);
    return hws_raise(NULL, "MPI_Info_create_env", rc);
}
HWS_MPI(Info_create_env)

int PMPI_Info_dup(MPI_Info info, MPI_Info *newinfo)
{
    struct hws_info *i;
    int rc = check_info(info, &i);
    if (rc == MPI_SUCCESS && (rc = hws_check_ptr(newinfo, "newinfo")) == MPI_SUCCESS)
        rc = hws_give_info(hws_info_dup(i), newinfo);
    return hws_raise(NULL, "MPI_Info_dup", rc);
}
HWS_MPI(Info_dup)

int PMPI_Info_free(MPI_Info *info)
{
    struct hws_info *i = NULL;
    int rc = hws_check_ptr(info, "info");
    if (rc == MPI_SUCCESS && (rc = check_writable(*info, &i)) == MPI_SUCCESS) {
        hws_info_free(i);
        *info = MPI_INFO_NULL;
    }
    return hws_raise(NULL, "MPI_Info_free", rc);
}
HWS_MPI(Info_free)

int PMPI_Info_set(MPI_Info info, const char *key, const char *value)
{
    struct hws_info *i;
    int rc = check_writable(info, &i);
    if (rc == MPI_SUCCESS && (rc = check_key(key)) == MPI_SUCCESS && (rc = check_value(value)) == MPI_SUCCESS)
        rc = hws_info_set(i, key, value);
    return hws_raise(NULL, "MPI_Info_set", rc);
}
HWS_MPI(Info_set)

int PMPI_Info_delete(MPI_Info info, const char *key)
{
    struct hws_info *i;
    int rc = check_writable(info, &i);
    if (rc == MPI_SUCCESS && (rc = check_key(key)) == MPI_SUCCESS)
        rc = hws_info_delete(i, key);
    return hws_raise(NULL, "MPI_Info_delete", rc);
}
HWS_MPI(Info_delete)

int PMPI_Info_get_nkeys(MPI_Info info, int *nkeys)
{
    struct hws_info *i;
    int rc = check_info(info, &i);
    if (rc == MPI_SUCCESS && (rc = hws_check_ptr(nkeys, "nkeys")) == MPI_SUCCESS)
        *nkeys = hws_info_count(i);
    return hws_raise(NULL, "MPI_Info_get_nkeys", rc);
}
HWS_MPI(Info_get_nkeys)

int PMPI_Info_get_nthkey(MPI_Info info, int n, char *key)
{
    struct hws_info *i;
    int rc = check_info(info, &i);
    if (rc == MPI_SUCCESS && (rc = hws_check_ptr(key, "key")) == MPI_SUCCESS && !hws_info_key(i, n, key))
        rc = hws_fail(MPI_ERR_ARG, "invalid argument: n is %d, the object has %d keys", n, hws_info_count(i));
    return hws_raise(NULL, "MPI_Info_get_nthkey", rc);
}
HWS_MPI(Info_get_nthkey)

/* Looks up: *whole gets the length without NUL, *flag whether there is the key. */
static int get(MPI_Info info, const char *key, char *value, size_t len, int *whole, int *flag)
{
    struct hws_info *i;
    int rc = check_info(info, &i);
    if (rc || (rc = check_key(key)) || (rc = hws_check_ptr(flag, "flag")))
        return rc;
    *whole = hws_info_get(i, key, value, len);
    *flag = *whole >= 0;
    return MPI_SUCCESS;
}

/* *buflen counts the NUL; 0 asks for the length only (MPI 5.0 chapter 10). */
int PMPI_Info_get_string(MPI_Info info, const char *key, int *buflen, char *value, int *flag)
{
    int whole, rc = hws_check_ptr(buflen, "buflen");
    if (rc == MPI_SUCCESS && *buflen < 0)
        rc = hws_fail(MPI_ERR_ARG, "invalid argument: buflen is %d, it must not be negative", *buflen);
    if (rc == MPI_SUCCESS && *buflen > 0)
        rc = hws_check_ptr(value, "value");
    if (rc == MPI_SUCCESS && (rc = get(info, key, value, (size_t)*buflen, &whole, flag)) == MPI_SUCCESS && *flag)
        *buflen = whole + 1;
    return hws_raise(NULL, "MPI_Info_get_string", rc);
}
HWS_MPI(Info_get_string)

/* Deprecated: valuelen doesn't count the NUL. */
int PMPI_Info_get(MPI_Info info, const char *key, int valuelen, char *value, int *flag)
{
    int whole, rc = hws_check_ptr(value, "value");
    if (rc == MPI_SUCCESS && valuelen < 0)
        rc = hws_fail(MPI_ERR_ARG, "invalid argument: valuelen is %d, it must not be negative", valuelen);
    if (rc == MPI_SUCCESS)
        rc = get(info, key, value, (size_t)valuelen + 1, &whole, flag);
    return hws_raise(NULL, "MPI_Info_get", rc);
}
HWS_MPI(Info_get)

int PMPI_Info_get_valuelen(MPI_Info info, const char *key, int *valuelen, int *flag)
{
    int whole, rc = hws_check_ptr(valuelen, "valuelen");
    if (rc == MPI_SUCCESS && (rc = get(info, key, NULL, 0, &whole, flag)) == MPI_SUCCESS && *flag)
        *valuelen = whole;
    return hws_raise(NULL, "MPI_Info_get_valuelen", rc);
}
HWS_MPI(Info_get_valuelen)
