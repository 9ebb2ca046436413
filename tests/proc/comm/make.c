/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Intracommunicators: dup, idup, split, create, create_group, create_from_group, split_type, names, hints.
 */
#include "proc.h"

/* Every member hears its left neighbour: the communicator has a context of its own and the ranks are right. */
static void check_works(MPI_Comm c)
{
    int rank, size, from = -1;
    MPI_Comm_rank(c, &rank);
    MPI_Comm_size(c, &size);
    MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 0, &from, 1, MPI_INT, (rank + size - 1) % size, 0, c,
                 MPI_STATUS_IGNORE);
    check_eq(from, (rank + size - 1) % size);
}

static void dup(void)
{
    MPI_Comm d[20];
    int result;
    for (int i = 0; i < 20; i++)
        MPI_Comm_dup(i ? d[i - 1] : MPI_COMM_WORLD, &d[i]);
    MPI_Comm_compare(d[19], MPI_COMM_WORLD, &result);
    check_eq(result, MPI_CONGRUENT);
    /* The same tag on all at once: each message must arrive on its own communicator. */
    MPI_Request r[40];
    int in[20], out[20], right = (proc_rank + 1) % proc_size, left = (proc_rank + proc_size - 1) % proc_size;
    for (int i = 0; i < 20; i++)
        MPI_Irecv(&in[i], 1, MPI_INT, left, 5, d[i], &r[i]);
    for (int i = 19; i >= 0; i--) {
        out[i] = 100 * proc_rank + i;
        MPI_Isend(&out[i], 1, MPI_INT, right, 5, d[i], &r[20 + i]);
    }
    MPI_Waitall(40, r, MPI_STATUSES_IGNORE);
    for (int i = 0; i < 20; i++) {
        check_eq(in[i], 100 * left + i);
        MPI_Comm_free(&d[i]);
        check(d[i] == MPI_COMM_NULL);
    }
}

static void idup(void)
{
    MPI_Comm d[10], after;
    MPI_Request r[10];
    for (int i = 0; i < 10; i++)
        MPI_Comm_idup(MPI_COMM_WORLD, &d[i], &r[i]);
    MPI_Comm_dup(MPI_COMM_WORLD, &after); /* a blocking one overtakes those under way */
    check_works(after);
    MPI_Waitall(10, r, MPI_STATUSES_IGNORE);
    for (int i = 0; i < 10; i++) {
        check_works(d[i]);
        MPI_Comm_free(&d[i]);
    }
    MPI_Comm_free(&after);
}

static void split(void)
{
    MPI_Comm c;
    int rank, size;
    MPI_Comm_split(MPI_COMM_WORLD, proc_rank % 2, -proc_rank, &c); /* reversed order */
    MPI_Comm_rank(c, &rank);
    MPI_Comm_size(c, &size);
    check_eq(size, (proc_size + 1 - proc_rank % 2) / 2);
    check_eq(rank, size - 1 - proc_rank / 2);
    check_works(c);
    MPI_Comm_free(&c);
    MPI_Comm_split(MPI_COMM_WORLD, proc_rank == 0 ? MPI_UNDEFINED : 1000000000, 3, &c); /* equal keys: old order */
    check_eq(c == MPI_COMM_NULL, proc_rank == 0);
    if (c != MPI_COMM_NULL) {
        MPI_Comm_rank(c, &rank);
        check_eq(rank, proc_rank - 1);
        check_works(c);
        MPI_Comm_free(&c);
    }
}

static void groups(void)
{
    MPI_Group world, half, got;
    MPI_Comm c;
    int range[1][3] = {{proc_rank % 2, proc_size - 1, 2}}, result;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_range_incl(world, 1, range, &half);
    MPI_Comm_create(MPI_COMM_WORLD, half, &c); /* two disjoint groups in one call (MPI 5.0 section 7.4.2) */
    MPI_Comm_group(c, &got);
    MPI_Group_compare(half, got, &result);
    check_eq(result, MPI_IDENT);
    check_works(c);
    MPI_Comm_free(&c);
    MPI_Group_free(&got);
    if (proc_rank % 2 == 0) { /* only the members call */
        MPI_Comm_create_group(MPI_COMM_WORLD, half, 17, &c);
        check_works(c);
        MPI_Comm_free(&c);
    }
    MPI_Comm_create_from_group(half, proc_rank % 2 ? "odd" : "even", MPI_INFO_NULL, MPI_ERRORS_RETURN, &c);
    check_works(c);
    MPI_Comm_free(&c);
    MPI_Comm_create(MPI_COMM_WORLD, MPI_GROUP_EMPTY, &c);
    check(c == MPI_COMM_NULL);
    MPI_Group_free(&half);
    MPI_Group_free(&world);
}

static void by_host(void)
{
    MPI_Comm c;
    MPI_Info info;
    int size;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, proc_rank, MPI_INFO_NULL, &c);
    check_works(c);
    MPI_Comm_free(&c);
    MPI_Info_create(&info);
    MPI_Info_set(info, "mpi_pset_name", "mpi://SELF");
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_RESOURCE_GUIDED, 0, info, &c);
    MPI_Comm_size(c, &size);
    check_eq(size, 1);
    MPI_Comm_free(&c);
    MPI_Info_set(info, "mpi_hw_resource_type", "no such thing");
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_HW_GUIDED, 0, info, &c);
    check(c == MPI_COMM_NULL);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_UNDEFINED, 0, MPI_INFO_NULL, &c);
    check(c == MPI_COMM_NULL);
    MPI_Info_free(&info);
}

/* "Unguided" is a real part of the old communicator, whose kind it says in the info, or nothing (section 7.4.2). What
 * it says leads a guided split to the same group. */
static void unguided(void)
{
    MPI_Comm whole, host, part, again;
    MPI_Info info;
    char value[32];
    int flag, result;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
    for (int with_info = 0; with_info < 2; with_info++) {
        MPI_Info_create(&info);
        MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_HW_UNGUIDED, 0, with_info ? info : MPI_INFO_NULL, &part);
        MPI_Comm_compare(MPI_COMM_WORLD, host, &result);
        check_eq(part == MPI_COMM_NULL, result == MPI_CONGRUENT);
        int len = sizeof value;
        MPI_Info_get_string(info, "mpi_hw_resource_type", &len, value, &flag);
        check_eq(flag, with_info && part != MPI_COMM_NULL);
        if (part != MPI_COMM_NULL) {
            MPI_Comm_compare(part, host, &result);
            check_eq(result, MPI_CONGRUENT);
            MPI_Comm_free(&part);
        }
        if (flag) {
            MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_HW_GUIDED, 0, info, &again);
            MPI_Comm_compare(again, host, &result);
            check_eq(result, MPI_CONGRUENT);
            MPI_Comm_free(&again);
        }
        MPI_Info_free(&info);
    }
    MPI_Comm_dup(host, &whole); /* all of one host: no real part */
    MPI_Comm_split_type(whole, MPI_COMM_TYPE_HW_UNGUIDED, 0, MPI_INFO_NULL, &part);
    check(part == MPI_COMM_NULL);
    MPI_Comm_free(&whole);
    MPI_Comm_free(&host);
}

/* want NULL: such a hint is not told. */
static void hint_is(MPI_Comm c, const char *key, const char *want)
{
    MPI_Info got;
    char value[16];
    int len = sizeof value, flag;
    MPI_Comm_get_info(c, &got);
    MPI_Info_get_string(got, key, &len, value, &flag);
    check_eq(flag, want != NULL);
    check(!flag || !want || strcmp(value, want) == 0);
    MPI_Info_free(&got);
}

static void names_and_hints(void)
{
    MPI_Comm c;
    MPI_Info info;
    char name[MPI_MAX_OBJECT_NAME];
    int len;
    MPI_Comm_get_name(MPI_COMM_WORLD, name, &len);
    check(strcmp(name, "MPI_COMM_WORLD") == 0 && len == 14);
    MPI_Comm_get_name(MPI_COMM_NULL, name, &len);
    check(strcmp(name, "MPI_COMM_NULL") == 0);
    MPI_Win_get_name(MPI_WIN_NULL, name, &len);
    check(strcmp(name, "MPI_WIN_NULL") == 0 && len == 12);
    MPI_Info_create(&info);
    MPI_Info_set(info, "color", "red");
    MPI_Info_set(info, "mpi_assert_exact_length", "true");
    MPI_Comm_dup_with_info(MPI_COMM_SELF, info, &c);
    MPI_Comm_get_name(c, name, &len);
    check_eq(len, 0);
    MPI_Comm_set_name(c, "mine");
    MPI_Comm_get_name(c, name, &len);
    check(strcmp(name, "mine") == 0);
    MPI_Info_set(info, "mpi_assert_no_any_tag", "true");
    MPI_Info_set(info, "mpi_assert_exact_length", "9");
    MPI_Comm_set_info(c, info);
    hint_is(c, "mpi_assert_no_any_tag", "true");
    hint_is(c, "mpi_assert_exact_length", "true"); /* "9" is ignored */
    hint_is(c, "mpi_assert_no_any_source", "false");
    hint_is(c, "color", NULL);
    hint_is(MPI_COMM_WORLD, "mpi_assert_no_any_tag", "false");
    MPI_Info_free(&info);
    MPI_Comm_free(&c);
}

int main(int argc, char **argv)
{
    proc_begin(&argc, &argv);
    dup();
    idup();
    split();
    if (proc_size > 1)
        groups();
    by_host();
    unguided();
    names_and_hints();
    return proc_end();
}
