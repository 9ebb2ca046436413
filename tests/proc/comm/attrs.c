/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Attributes through MPI's own calls: dup and free call back, MPI_COMM_SELF's go first in MPI_Finalize, newest first
 * and while MPI still works (MPI 5.0 section 11.2.4); the predefined ones.
 */
#include "proc.h"

static int deleted, order[3], self_fails;

static int on_delete(MPI_Comm comm, int keyval, void *value, void *extra)
{
    (void)comm, (void)keyval, (void)extra, (void)value;
    deleted++;
    return MPI_SUCCESS;
}

static int on_end(MPI_Comm comm, int keyval, void *value, void *extra)
{
    static int n;
    int flag, rank;
    (void)keyval, (void)extra;
    MPI_Finalized(&flag);
    self_fails += flag != 0;
    MPI_Comm_rank(comm, &rank);
    self_fails += rank != 0;
    order[n++] = (int)(size_t)value;
    return MPI_SUCCESS;
}

static int refuse(MPI_Comm comm, int keyval, void *extra, void *in, void *out, int *flag)
{
    (void)comm, (void)keyval, (void)extra, (void)in, (void)out;
    *flag = 0;
    return MPI_ERR_OTHER;
}

static void on_dup_and_free(void)
{
    int key, flag;
    void *value;
    MPI_Comm a, b;
    MPI_Comm_create_keyval(MPI_COMM_DUP_FN, on_delete, &key, NULL);
    MPI_Comm_dup(MPI_COMM_WORLD, &a);
    MPI_Comm_set_attr(a, key, &deleted);
    MPI_Comm_dup(a, &b);
    MPI_Comm_get_attr(b, key, &value, &flag);
    check(flag && value == &deleted);
    MPI_Comm_free_keyval(&key);
    MPI_Comm_free(&a);
    check_eq(deleted, 1);
    MPI_Comm_free(&b);
    check_eq(deleted, 2);

    MPI_Comm_create_keyval(refuse, MPI_COMM_NULL_DELETE_FN, &key, NULL);
    MPI_Comm_dup(MPI_COMM_WORLD, &a);
    MPI_Comm_set_errhandler(a, MPI_ERRORS_RETURN);
    MPI_Comm_set_attr(a, key, NULL);
    check(MPI_Comm_dup(a, &b) != MPI_SUCCESS);
    MPI_Comm_delete_attr(a, key);
    MPI_Comm_free(&a);
    MPI_Comm_free_keyval(&key);
}

static void predefined(void)
{
    int *value, flag;
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &value, &flag);
    check(flag && *value >= 32767);
    MPI_Attr_get(MPI_COMM_SELF, MPI_WTIME_IS_GLOBAL, &value, &flag);
    check(flag && *value == 0);
    int cls, before;
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &value, &flag);
    before = *value;
    check(flag && before >= MPI_ERR_LASTCODE);
    MPI_Add_error_class(&cls);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &value, &flag);
    check(flag && *value == cls && cls > before);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    int code = MPI_Comm_set_attr(MPI_COMM_WORLD, MPI_TAG_UB, NULL);
    MPI_Error_class(code, &cls);
    check_eq(cls, MPI_ERR_KEYVAL);
}

int main(int argc, char **argv)
{
    int key[3];
    proc_begin(&argc, &argv);
    on_dup_and_free();
    predefined();
    for (size_t i = 0; i < 3; i++) {
        MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_end, &key[i], NULL);
        MPI_Comm_set_attr(MPI_COMM_SELF, key[i], (void *)(i + 1));
    }
    int rc = proc_end();
    if (self_fails || order[0] != 3 || order[1] != 2 || order[2] != 1) {
        fprintf(stderr, "order at the end: %d %d %d, %d calls failed\n", order[0], order[1], order[2], self_fails);
        return EXIT_FAILURE;
    }
    return rc;
}
