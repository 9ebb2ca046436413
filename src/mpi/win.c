/* SPDX-License-Identifier: BSD-3-Clause
 *
 * win: error handler, attributes and name of a window (MPI 5.0 sections 7.7.3, 7.8, 9.3.2).
 */
#include "mpi/public.h"

#include <stdio.h>
#include <string.h>

#include "core/object/win.h"
#include "mpi/attr.h"
#include "mpi/errhan.h"

static int check_win(MPI_Win h, struct hws_win **out)
{
    int rc = hws_check_up();
    *out = rc == MPI_SUCCESS ? hws_win_of(h) : NULL;
    if (rc != MPI_SUCCESS || *out)
        return rc;
    return h == MPI_WIN_NULL ? hws_fail(MPI_ERR_WIN, "invalid window: argument win is MPI_WIN_NULL")
                             : hws_fail(MPI_ERR_WIN, "invalid window: argument win is no window");
}

/* Errors go to the window's handler; w NULL: there is none. */
static int raise(struct hws_win *w, const char *fn, int rc)
{
    return w ? hws_raise_on(w->errhandler, HWS_KIND_WIN, hws_win_handle(w), fn, rc) : hws_raise(NULL, fn, rc);
}

/* ---- error handler ---- */

int PMPI_Win_set_errhandler(MPI_Win win, MPI_Errhandler errhandler)
{
    struct hws_win *w;
    int rc = check_win(win, &w);
    if (rc == MPI_SUCCESS)
        rc = hws_slot_set(&w->errhandler, HWS_KIND_WIN, errhandler);
    return raise(w, "MPI_Win_set_errhandler", rc);
}
HWS_MPI(Win_set_errhandler)

int PMPI_Win_get_errhandler(MPI_Win win, MPI_Errhandler *errhandler)
{
    struct hws_win *w;
    int rc = check_win(win, &w);
    if (rc == MPI_SUCCESS)
        rc = hws_slot_get(w->errhandler, errhandler);
    return raise(w, "MPI_Win_get_errhandler", rc);
}
HWS_MPI(Win_get_errhandler)

int PMPI_Win_call_errhandler(MPI_Win win, int errorcode)
{
    struct hws_win *w;
    int rc = check_win(win, &w);
    if (rc != MPI_SUCCESS)
        return raise(NULL, "MPI_Win_call_errhandler", rc);
    return hws_slot_call(w->errhandler, HWS_KIND_WIN, hws_win_handle(w), "MPI_Win_call_errhandler", errorcode);
}
HWS_MPI(Win_call_errhandler)

/* ---- attributes ---- */

int PMPI_Win_get_attr(MPI_Win win, int win_keyval, void *attribute_val, int *flag)
{
    struct hws_win *w;
    int rc = check_win(win, &w);
    if (rc == MPI_SUCCESS)
        rc = hws_give_attr(w->attrs, HWS_KIND_WIN, win_keyval, attribute_val, flag);
    return raise(w, "MPI_Win_get_attr", rc);
}
HWS_MPI(Win_get_attr)

int PMPI_Win_set_attr(MPI_Win win, int win_keyval, void *attribute_val)
{
    struct hws_win *w;
    int rc = check_win(win, &w);
    if (rc == MPI_SUCCESS)
        rc = hws_attr_set(&w->attrs, HWS_KIND_WIN, hws_win_handle(w), win_keyval, attribute_val);
    return raise(w, "MPI_Win_set_attr", rc);
}
HWS_MPI(Win_set_attr)

int PMPI_Win_delete_attr(MPI_Win win, int win_keyval)
{
    struct hws_win *w;
    int rc = check_win(win, &w);
    if (rc == MPI_SUCCESS)
        rc = hws_attr_delete(&w->attrs, HWS_KIND_WIN, hws_win_handle(w), win_keyval);
    return raise(w, "MPI_Win_delete_attr", rc);
}
HWS_MPI(Win_delete_attr)

/* ---- name ---- */

int PMPI_Win_set_name(MPI_Win win, const char *win_name)
{
    struct hws_win *w;
    int rc = check_win(win, &w);
    if (rc == MPI_SUCCESS && (rc = hws_check_ptr(win_name, "win_name")) == MPI_SUCCESS)
        snprintf(w->name, sizeof w->name, "%s", win_name);
    return raise(w, "MPI_Win_set_name", rc);
}
HWS_MPI(Win_set_name)

/* MPI_WIN_NULL has a name too (MPI 5.0 section 7.8). */
int PMPI_Win_get_name(MPI_Win win, char *win_name, int *resultlen)
{
    struct hws_win *w = NULL;
    int rc = win == MPI_WIN_NULL ? hws_check_up() : check_win(win, &w);
    if (rc == MPI_SUCCESS && (rc = hws_check_ptr(win_name, "win_name")) == MPI_SUCCESS &&
        (rc = hws_check_ptr(resultlen, "resultlen")) == MPI_SUCCESS)
        *resultlen = snprintf(win_name, MPI_MAX_OBJECT_NAME, "%s", w ? w->name : "MPI_WIN_NULL");
    return raise(w, "MPI_Win_get_name", rc);
}
HWS_MPI(Win_get_name)
