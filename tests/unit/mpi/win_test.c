/* SPDX-License-Identifier: BSD-3-Clause
 *
 * win_test: error handler, attributes and name of a window object that the test makes itself.
 */
#include <criterion/criterion.h>
#include <mpi.h>
#include <string.h>

#include "core/object/attr.h"
#include "core/object/errhandler.h"
#include "core/object/win.h"
#include "core/object/world.h"

static struct hws_win win;
static int n_handled, n_deleted;
static MPI_Win handled_win;

static MPI_Win begin(void)
{
    atomic_store(&hws_world.initialized, 1);
    atomic_store(&hws_world.model, HWS_MODEL_UP);
    strcpy(hws_world.host, "h");
    hws_object_init(&win.obj, HWS_KIND_WIN);
    win.errhandler = &hws_errors_return;
    return hws_win_handle(&win);
}

static int class_of(int code)
{
    int cls = -1;
    MPI_Error_class(code, &cls);
    return cls;
}

static void handler(MPI_Win *w, int *code, ...)
{
    handled_win = *w;
    n_handled += class_of(*code) == MPI_ERR_KEYVAL || class_of(*code) == MPI_ERR_OTHER;
}

static int on_delete(MPI_Win w, int keyval, void *value, void *extra)
{
    cr_assert_eq(w, hws_win_handle(&win));
    cr_assert_eq(value, (void *)&n_handled);
    cr_assert_eq(extra, (void *)&n_deleted);
    (void)keyval;
    n_deleted++;
    return MPI_SUCCESS;
}

Test(win, attributes_and_their_callbacks)
{
    MPI_Win w = begin();
    int key, flag = 7;
    void *value = NULL;
    cr_assert_eq(MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, on_delete, &key, &n_deleted), MPI_SUCCESS);
    cr_assert_eq(MPI_Win_get_attr(w, key, &value, &flag), MPI_SUCCESS);
    cr_assert_eq(flag, 0);
    cr_assert_eq(MPI_Win_set_attr(w, key, &n_handled), MPI_SUCCESS);
    cr_assert_eq(MPI_Win_get_attr(w, key, &value, &flag), MPI_SUCCESS);
    cr_assert(flag && value == &n_handled);
    cr_assert_eq(MPI_Win_set_attr(w, key, &n_handled), MPI_SUCCESS); /* deletes the former value */
    cr_assert_eq(n_deleted, 1);
    cr_assert_eq(MPI_Win_delete_attr(w, key), MPI_SUCCESS);
    cr_assert_eq(n_deleted, 2);
    MPI_Win_get_attr(w, key, &value, &flag);
    cr_assert_eq(flag, 0);
    cr_assert_eq(MPI_Win_free_keyval(&key), MPI_SUCCESS);
    cr_assert_eq(key, MPI_KEYVAL_INVALID);
    cr_assert_eq(class_of(MPI_Win_set_attr(w, key, NULL)), MPI_ERR_KEYVAL);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL);
    cr_assert_eq(class_of(MPI_Win_set_attr(w, key, NULL)), MPI_ERR_KEYVAL); /* one of communicators */
    MPI_Comm_free_keyval(&key);
    hws_attrs_forget(&win.attrs);
}

Test(win, its_own_error_handler)
{
    MPI_Win w = begin();
    MPI_Errhandler mine, of_comm, back;
    cr_assert_eq(MPI_Win_create_errhandler(handler, &mine), MPI_SUCCESS);
    cr_assert_eq(MPI_Win_set_errhandler(w, mine), MPI_SUCCESS);
    cr_assert_eq(MPI_Win_get_errhandler(w, &back), MPI_SUCCESS);
    cr_assert_eq(back, mine);
    cr_assert_eq(class_of(MPI_Win_delete_attr(w, MPI_KEYVAL_INVALID)), MPI_ERR_KEYVAL);
    cr_assert(n_handled == 1 && handled_win == w);
    cr_assert_eq(MPI_Win_call_errhandler(w, MPI_ERR_OTHER), MPI_SUCCESS);
    cr_assert_eq(n_handled, 2);
    MPI_Comm_create_errhandler((MPI_Comm_errhandler_function *)(void *)handler, &of_comm);
    cr_assert_eq(class_of(MPI_Win_set_errhandler(w, of_comm)), MPI_ERR_ERRHANDLER);
    MPI_Errhandler_free(&of_comm);
    MPI_Errhandler_free(&back);
    MPI_Errhandler_free(&mine);
    cr_assert_eq(MPI_Win_set_errhandler(w, MPI_ERRORS_RETURN), MPI_SUCCESS);
}

Test(win, name_and_number)
{
    MPI_Win w = begin();
    char name[MPI_MAX_OBJECT_NAME] = "x";
    int len = -1;
    cr_assert_eq(MPI_Win_get_name(w, name, &len), MPI_SUCCESS);
    cr_assert(len == 0 && !name[0]);
    cr_assert_eq(MPI_Win_set_name(w, "window"), MPI_SUCCESS);
    MPI_Win_get_name(w, name, &len);
    cr_assert_str_eq(name, "window");
    cr_assert_eq(MPI_Win_fromint(MPI_Win_toint(w)), w);
    cr_assert_eq(MPI_Win_toint(MPI_WIN_NULL), (int)(intptr_t)MPI_WIN_NULL);
}
