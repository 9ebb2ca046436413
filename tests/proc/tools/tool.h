/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tool: short cuts for programs that use MPI_T.
 */
#ifndef HWS_TESTS_PROC_TOOL_H
#define HWS_TESTS_PROC_TOOL_H

#include "proc.h"

static inline int set_cvar(const char *name, const void *value)
{
    int index, count, rc;
    MPI_T_cvar_handle h;
    check_eq(MPI_T_cvar_get_index(name, &index), MPI_SUCCESS);
    check_eq(MPI_T_cvar_handle_alloc(index, NULL, &h, &count), MPI_SUCCESS);
    rc = MPI_T_cvar_write(h, value);
    MPI_T_cvar_handle_free(&h);
    return rc;
}

static inline int set_number(const char *name, unsigned long long value)
{
    return set_cvar(name, &value);
}

static inline void get_cvar(const char *name, void *value)
{
    int index, count;
    MPI_T_cvar_handle h;
    check_eq(MPI_T_cvar_get_index(name, &index), MPI_SUCCESS);
    check_eq(MPI_T_cvar_handle_alloc(index, NULL, &h, &count), MPI_SUCCESS);
    check_eq(MPI_T_cvar_read(h, value), MPI_SUCCESS);
    MPI_T_cvar_handle_free(&h);
}

/* A handle of a performance variable; comm NULL: it is one of the process. */
static inline MPI_T_pvar_handle get_pvar(MPI_T_pvar_session s, const char *name, int cls, MPI_Comm *comm, int *count)
{
    int index = -1;
    MPI_T_pvar_handle h = MPI_T_PVAR_HANDLE_NULL;
    check_eq(MPI_T_pvar_get_index(name, cls, &index), MPI_SUCCESS);
    check_eq(MPI_T_pvar_handle_alloc(s, index, comm, &h, count), MPI_SUCCESS);
    return h;
}

static inline unsigned long long read_counter(const char *name)
{
    int count;
    unsigned long long value = 0;
    MPI_T_pvar_session s;
    MPI_T_pvar_session_create(&s);
    MPI_T_pvar_handle h = get_pvar(s, name, MPI_T_PVAR_CLASS_COUNTER, NULL, &count);
    check_eq(MPI_T_pvar_read(s, h, &value), MPI_SUCCESS);
    MPI_T_pvar_session_free(&s);
    return value;
}

#endif
