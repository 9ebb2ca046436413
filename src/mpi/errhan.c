/* SPDX-License-Identifier: BSD-3-Clause
 *
 * errhan: error handlers, classes, codes and strings (MPI 5.0 chapter 9). Those on windows and files are in their
 * families; MPI_FILE_NULL stands for the default of files (section 14.7).
 */
#include "mpi/public.h"

#include <stdio.h>

#include "core/object/errhandler.h"
#include "core/object/error_class.h"
#include "mpi/errhan.h"

/* ---- classes, codes, strings: allowed before MPI_Init and after MPI_Finalize ---- */

int PMPI_Error_class(int errorcode, int *errorclass)
{
    int rc = hws_check_ptr(errorclass, "errorclass");
    return hws_raise(NULL, "MPI_Error_class", rc ? rc : hws_error_class(errorcode, errorclass));
}
HWS_MPI(Error_class)

int PMPI_Error_string(int errorcode, char *string, int *resultlen)
{
    int rc = hws_check_ptr(string, "string");
    if (rc == MPI_SUCCESS)
        rc = hws_check_ptr(resultlen, "resultlen");
    return hws_raise(NULL, "MPI_Error_string", rc ? rc : hws_error_string(errorcode, string, resultlen));
}
HWS_MPI(Error_string)

int PMPI_Add_error_class(int *errorclass)
{
    int rc = hws_check_ptr(errorclass, "errorclass");
    return hws_raise(NULL, "MPI_Add_error_class", rc ? rc : hws_class_add(errorclass));
}
HWS_MPI(Add_error_class)

int PMPI_Remove_error_class(int errorclass)
{
    return hws_raise(NULL, "MPI_Remove_error_class", hws_class_remove(errorclass));
}
HWS_MPI(Remove_error_class)

int PMPI_Add_error_code(int errorclass, int *errorcode)
{
    int rc = hws_check_ptr(errorcode, "errorcode");
    return hws_raise(NULL, "MPI_Add_error_code", rc ? rc : hws_code_add(errorclass, errorcode));
}
HWS_MPI(Add_error_code)

int PMPI_Remove_error_code(int errorcode)
{
    return hws_raise(NULL, "MPI_Remove_error_code", hws_code_remove(errorcode));
}
HWS_MPI(Remove_error_code)

int PMPI_Add_error_string(int errorcode, const char *string)
{
    int rc = hws_check_ptr(string, "string");
    return hws_raise(NULL, "MPI_Add_error_string", rc ? rc : hws_code_add_string(errorcode, string));
}
HWS_MPI(Add_error_string)

int PMPI_Remove_error_string(int errorcode)
{
    return hws_raise(NULL, "MPI_Remove_error_string", hws_code_remove_string(errorcode));
}
HWS_MPI(Remove_error_string)

/* ---- making and freeing handlers ---- */

/* The new handler without its function; NULL with rc set. */
static struct hws_errhandler *create(enum hws_kind of, const void *has_fn, MPI_Errhandler *out, int *rc)
{
    *rc = hws_check_ptr(has_fn, "errhandler_fn");
    if (*rc == MPI_SUCCESS)
        *rc = hws_check_ptr(out, "errhandler");
    struct hws_errhandler *e = *rc == MPI_SUCCESS ? hws_errhandler_new(of) : NULL;
    if (*rc == MPI_SUCCESS && !e)
        *rc = hws_fail(MPI_ERR_NO_MEM, "out of memory for an error handler");
    if (e)
        *out = hws_errhandler_handle(e);
    return e;
}

int PMPI_Comm_create_errhandler(MPI_Comm_errhandler_function *comm_errhandler_fn, MPI_Errhandler *errhandler)
{
    int rc;
    struct hws_errhandler *e = create(HWS_KIND_COMM, (const void *)comm_errhandler_fn, errhandler, &rc);
    if (e)
        e->fn.comm = comm_errhandler_fn;
    return hws_raise(NULL, "MPI_Comm_create_errhandler", rc);
}
HWS_MPI(Comm_create_errhandler)

int PMPI_Win_create_errhandler(MPI_Win_errhandler_function *win_errhandler_fn, MPI_Errhandler *errhandler)
{
    int rc;
    struct hws_errhandler *e = create(HWS_KIND_WIN, (const void *)win_errhandler_fn, errhandler, &rc);
    if (e)
        e->fn.win = win_errhandler_fn;
    return hws_raise(NULL, "MPI_Win_create_errhandler", rc);
}
HWS_MPI(Win_create_errhandler)

int PMPI_File_create_errhandler(MPI_File_errhandler_function *file_errhandler_fn, MPI_Errhandler *errhandler)
{
    int rc;
    struct hws_errhandler *e = create(HWS_KIND_FILE, (const void *)file_errhandler_fn, errhandler, &rc);
    if (e)
        e->fn.file = file_errhandler_fn;
    return hws_raise(NULL, "MPI_File_create_errhandler", rc);
}
HWS_MPI(File_create_errhandler)

int PMPI_Session_create_errhandler(MPI_Session_errhandler_function *session_errhandler_fn, MPI_Errhandler *errhandler)
{
    int rc;
    struct hws_errhandler *e = create(HWS_KIND_SESSION, (const void *)session_errhandler_fn, errhandler, &rc);
    if (e)
        e->fn.session = session_errhandler_fn;
    return hws_raise(NULL, "MPI_Session_create_errhandler", rc);
}
HWS_MPI(Session_create_errhandler)

/* A handler fit for objects of that kind. */
static int check_errhandler(MPI_Errhandler h, enum hws_kind of, struct hws_errhandler **out)
{
    struct hws_errhandler *e = hws_errhandler_of(h);
    if (!e)
        return h == MPI_ERRHANDLER_NULL
                   ? hws_fail(MPI_ERR_ERRHANDLER, "invalid error handler: argument errhandler is MPI_ERRHANDLER_NULL")
                   : hws_fail(MPI_ERR_ERRHANDLER, "invalid error handler: argument errhandler is none");
    if (!e->obj.handle && of && e->of != of)
        return hws_fail(MPI_ERR_ERRHANDLER,
                        "invalid error handler: argument errhandler was made for another kind of object");
    *out = e;
    return MPI_SUCCESS;
}

int PMPI_Errhandler_free(MPI_Errhandler *errhandler)
{
    struct hws_errhandler *e = NULL;
    int rc = hws_check_ptr(errhandler, "errhandler");
    if (rc || (rc = check_errhandler(*errhandler, 0, &e)))
        return hws_raise(NULL, "MPI_Errhandler_free", rc);
    hws_errhandler_drop(e);
    *errhandler = MPI_ERRHANDLER_NULL;
    return MPI_SUCCESS;
}
HWS_MPI(Errhandler_free)

/* ---- on objects ---- */

int hws_slot_set(struct hws_errhandler **slot, enum hws_kind of, MPI_Errhandler h)
{
    struct hws_errhandler *e = NULL;
    int rc = check_errhandler(h, of, &e);
    if (rc == MPI_SUCCESS)
        hws_errhandler_set(slot, e);
    return rc;
}

/* The caller gets a reference of its own (MPI 5.0 section 9.3.4). */
int hws_slot_get(struct hws_errhandler *e, MPI_Errhandler *out)
{
    int rc = hws_check_ptr(out, "errhandler");
    if (rc != MPI_SUCCESS)
        return rc;
    hws_errhandler_hold(e);
    *out = hws_errhandler_handle(e);
    return MPI_SUCCESS;
}

/* Calls the handler with a code of the user's choice. */
int hws_slot_call(struct hws_errhandler *e, enum hws_kind of, void *handle, const char *fn, int code)
{
    char text[MPI_MAX_ERROR_STRING], line[2 * MPI_MAX_ERROR_STRING];
    int len;
    if (hws_error_string(code, text, &len) != MPI_SUCCESS)
        snprintf(text, sizeof text, "error code %d", code);
    if (hws_code_is_ours(code))
        snprintf(line, sizeof line, "%s", text);
    else
        snprintf(line, sizeof line, "rank %d on host %s: %s: %s", hws_world.rank, hws_world.host, fn, text);
    hws_errhandler_call(e, of, handle, code, line);
    return MPI_SUCCESS;
}

int PMPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler errhandler)
{
    struct hws_comm *c;
    int rc = hws_check_comm(comm, &c);
    if (rc != MPI_SUCCESS)
        return hws_raise(NULL, "MPI_Comm_set_errhandler", rc);
    return hws_raise(c, "MPI_Comm_set_errhandler", hws_slot_set(&c->errhandler, HWS_KIND_COMM, errhandler));
}
HWS_MPI(Comm_set_errhandler)

int PMPI_Comm_get_errhandler(MPI_Comm comm, MPI_Errhandler *errhandler)
{
    struct hws_comm *c;
    int rc = hws_check_comm(comm, &c);
    if (rc != MPI_SUCCESS)
        return hws_raise(NULL, "MPI_Comm_get_errhandler", rc);
    return hws_raise(c, "MPI_Comm_get_errhandler", hws_slot_get(c->errhandler, errhandler));
}
HWS_MPI(Comm_get_errhandler)

int PMPI_Comm_call_errhandler(MPI_Comm comm, int errorcode)
{
    struct hws_comm *c;
    int rc = hws_check_comm(comm, &c);
    if (rc != MPI_SUCCESS)
        return hws_raise(NULL, "MPI_Comm_call_errhandler", rc);
    return hws_slot_call(c->errhandler, HWS_KIND_COMM, hws_comm_handle(c), "MPI_Comm_call_errhandler", errorcode);
}
HWS_MPI(Comm_call_errhandler)

/* The only file there is: MPI_FILE_NULL. */
static int check_file(MPI_File file, const char *arg)
{
    return file == MPI_FILE_NULL ? MPI_SUCCESS
                                 : hws_fail(MPI_ERR_FILE, "invalid file handle: argument %s is no file", arg);
}

static int raise_file(const char *fn, int rc)
{
    return hws_raise_on(hws_file_errhandler, HWS_KIND_FILE, MPI_FILE_NULL, fn, rc);
}

int PMPI_File_set_errhandler(MPI_File file, MPI_Errhandler errhandler)
{
    int rc = check_file(file, "file");
    return raise_file("MPI_File_set_errhandler",
                      rc ? rc : hws_slot_set(&hws_file_errhandler, HWS_KIND_FILE, errhandler));
}
HWS_MPI(File_set_errhandler)

int PMPI_File_get_errhandler(MPI_File file, MPI_Errhandler *errhandler)
{
    int rc = check_file(file, "file");
    return raise_file("MPI_File_get_errhandler", rc ? rc : hws_slot_get(hws_file_errhandler, errhandler));
}
HWS_MPI(File_get_errhandler)

int PMPI_File_call_errhandler(MPI_File fh, int errorcode)
{
    int rc = check_file(fh, "fh");
    if (rc != MPI_SUCCESS)
        return raise_file("MPI_File_call_errhandler", rc);
    return hws_slot_call(hws_file_errhandler, HWS_KIND_FILE, MPI_FILE_NULL, "MPI_File_call_errhandler", errorcode);
}
HWS_MPI(File_call_errhandler)
