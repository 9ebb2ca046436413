/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sessions: two at once, again after the last was closed, and (argument "world") together with MPI_Init.
 */
#include "proc.h"

static void ring(MPI_Comm c)
{
    int from = -1;
    MPI_Comm_rank(c, &proc_rank);
    MPI_Comm_size(c, &proc_size);
    MPI_Sendrecv(&proc_rank, 1, MPI_INT, (proc_rank + 1) % proc_size, 0, &from, 1, MPI_INT,
                 (proc_rank + proc_size - 1) % proc_size, 0, c, MPI_STATUS_IGNORE);
    check_eq(from, (proc_rank + proc_size - 1) % proc_size);
}

static MPI_Session begin(void)
{
    MPI_Session s = MPI_SESSION_NULL;
    check_eq(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &s), MPI_SUCCESS);
    return s;
}

static void level_is(MPI_Session s, const char *want)
{
    char text[32] = "";
    int len = sizeof text, flag = 0;
    MPI_Info info;
    MPI_Session_get_info(s, &info);
    MPI_Info_get_string(info, "thread_level", &len, text, &flag);
    check(flag && strcmp(text, want) == 0);
    MPI_Info_free(&info);
}

/* Sessions that ask for nothing get all that there is. */
static void levels(MPI_Session s)
{
    MPI_Info info;
    MPI_Session t;
    level_is(s, "MPI_THREAD_MULTIPLE");
    MPI_Info_create(&info);
    MPI_Info_set(info, "thread_level", "MPI_THREAD_FUNNELED");
    MPI_Session_init(info, MPI_ERRORS_RETURN, &t);
    level_is(t, "MPI_THREAD_FUNNELED");
    MPI_Session_finalize(&t);
    int class;
    MPI_Info_set(info, "thread_level", "THIS_IS_NOT_VALID");
    MPI_Error_class(MPI_Session_init(info, MPI_ERRORS_RETURN, &t), &class);
    check_eq(class, MPI_ERR_INFO_VALUE);
    MPI_Info_free(&info);
}

/* Of the predefined attributes the Sessions Model has MPI_TAG_UB only (MPI 5.0 section 9.1.2). */
static void attributes(MPI_Comm c)
{
    static const int keys[] = {MPI_TAG_UB,        MPI_HOST,   MPI_IO,          MPI_WTIME_IS_GLOBAL,
                               MPI_UNIVERSE_SIZE, MPI_APPNUM, MPI_LASTUSEDCODE};
    for (int i = 0; i < 7; i++) {
        int *value, flag = -1;
        check_eq(MPI_Comm_get_attr(c, keys[i], &value, &flag), MPI_SUCCESS);
        check_eq(flag, keys[i] == MPI_TAG_UB);
    }
}

static void sets(MPI_Session s)
{
    int n, len = 0, size, rank, flag;
    char name[32], text[8];
    MPI_Group g;
    MPI_Info info;
    MPI_Session_get_num_psets(s, MPI_INFO_NULL, &n);
    check_eq(n, 2);
    MPI_Session_get_nth_pset(s, MPI_INFO_NULL, 0, &len, NULL);
    check_eq(len, 12);
    MPI_Session_get_nth_pset(s, MPI_INFO_NULL, 0, &len, name);
    check(strcmp(name, "mpi://WORLD") == 0);
    MPI_Group_from_session_pset(s, "mpi://SELF", &g);
    MPI_Group_size(g, &size);
    MPI_Group_rank(g, &rank);
    check(size == 1 && rank == 0);
    MPI_Group_free(&g);
    MPI_Session_get_pset_info(s, "mpi://SELF", &info);
    len = sizeof text;
    MPI_Info_get_string(info, "mpi_size", &len, text, &flag);
    check(flag && strcmp(text, "1") == 0);
    MPI_Info_free(&info);
    check(MPI_Group_from_session_pset(s, "mpi://NOWHERE", &g) != MPI_SUCCESS);
}

static void talk(MPI_Session s, const char *tag)
{
    MPI_Group g;
    MPI_Comm c;
    MPI_Group_from_session_pset(s, "mpi://WORLD", &g);
    MPI_Comm_create_from_group(g, tag, MPI_INFO_NULL, MPI_ERRORS_RETURN, &c);
    attributes(c);
    ring(c);
    MPI_Comm_free(&c);
    MPI_Group_free(&g);
}

int main(int argc, char **argv)
{
    int flag;
    MPI_Session a = begin(), b = begin();
    levels(a);
    sets(a);
    talk(a, "a");
    talk(b, "b");
    MPI_Session_finalize(&a);
    check(a == MPI_SESSION_NULL);
    talk(b, "b");
    MPI_Initialized(&flag);
    check(!flag);
    if (argc > 1) {
        proc_begin(&argc, &argv);
        ring(MPI_COMM_WORLD);
        MPI_Finalize();
        talk(b, "still");
        MPI_Session_finalize(&b);
    } else {
        MPI_Session_finalize(&b);
        a = begin();
        talk(a, "again");
        MPI_Session_finalize(&a);
    }
    return proc_failures != 0;
}
