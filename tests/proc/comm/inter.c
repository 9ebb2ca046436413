/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Intercommunicators between the even and the odd ranks: create, dup, idup, split, create, merge.
 */
#include "proc.h"

static MPI_Comm half, inter;

/* Rank i of one side talks to rank i of the other. */
static void check_works(MPI_Comm c)
{
    int rank, remote, flag, from = -1;
    MPI_Comm_test_inter(c, &flag);
    check(flag);
    MPI_Comm_rank(c, &rank);
    MPI_Comm_remote_size(c, &remote);
    if (rank < remote) {
        MPI_Sendrecv(&proc_rank, 1, MPI_INT, rank, 0, &from, 1, MPI_INT, rank, 0, c, MPI_STATUS_IGNORE);
        check_eq(from % 2, 1 - proc_rank % 2);
    }
}

static void create(void)
{
    int size, remote, odd = proc_rank % 2, last;
    MPI_Group mine, theirs, both;
    MPI_Comm_split(MPI_COMM_WORLD, odd, proc_rank, &half);
    MPI_Comm_size(half, &size);
    last = size - 1; /* leaders: the last of the own side; for the other side, its last in MPI_COMM_WORLD */
    MPI_Intercomm_create(half, last, MPI_COMM_WORLD, odd ? (proc_size - 1) / 2 * 2 : proc_size / 2 * 2 - 1, 7, &inter);
    check_works(inter);
    MPI_Comm_remote_size(inter, &remote);
    check_eq(remote, proc_size - size);
    MPI_Comm_group(inter, &mine);
    MPI_Comm_remote_group(inter, &theirs);
    MPI_Group_intersection(mine, theirs, &both);
    check(both == MPI_GROUP_EMPTY);
    MPI_Group_free(&mine);
    MPI_Group_free(&theirs);
}

static void copies(void)
{
    MPI_Comm d, i;
    MPI_Request r;
    int result;
    MPI_Comm_idup(inter, &i, &r);
    MPI_Comm_dup(inter, &d);
    check_works(d);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    check_works(i);
    MPI_Comm_compare(inter, d, &result);
    check_eq(result, MPI_CONGRUENT);
    MPI_Comm_compare(inter, half, &result);
    check_eq(result, MPI_UNEQUAL);
    MPI_Comm_free(&d);
    MPI_Comm_free(&i);
}

static void parts(void)
{
    MPI_Comm c;
    MPI_Group mine, first;
    int rank, remote, zero = 0;
    MPI_Comm_rank(inter, &rank);
    MPI_Comm_split(inter, rank == 0 ? 4 : 9, 0, &c); /* color 9 may be empty on the smaller side */
    if (rank == 0) {
        MPI_Comm_remote_size(c, &remote);
        check_eq(remote, 1);
    }
    if (c != MPI_COMM_NULL) {
        check_works(c);
        MPI_Comm_free(&c);
    }
    MPI_Comm_split(inter, proc_rank % 2, 0, &c); /* no color on both sides */
    check(c == MPI_COMM_NULL);
    MPI_Comm_group(inter, &mine);
    MPI_Group_incl(mine, 1, &zero, &first);
    MPI_Comm_create(inter, first, &c);
    check_eq(c != MPI_COMM_NULL, rank == 0);
    if (c != MPI_COMM_NULL) {
        check_works(c);
        MPI_Comm_free(&c);
    }
    MPI_Group_free(&mine);
    MPI_Group_free(&first);
}

static void merge(void)
{
    MPI_Comm c;
    int odd = proc_rank % 2, rank, size, local, rank_in_half, size_of_half;
    MPI_Comm_rank(half, &rank_in_half);
    MPI_Comm_size(half, &size_of_half);
    for (int odd_first = 0; odd_first < 2; odd_first++) {
        MPI_Intercomm_merge(inter, odd != odd_first, &c);
        MPI_Comm_rank(c, &rank);
        MPI_Comm_size(c, &size);
        check_eq(size, proc_size);
        check_eq(rank, odd == odd_first ? rank_in_half : size - size_of_half + rank_in_half);
        MPI_Comm_free(&c);
    }
    MPI_Intercomm_merge(inter, 1, &c); /* equal: any order, but one */
    MPI_Comm_test_inter(c, &local);
    check(!local);
    MPI_Comm_rank(c, &rank);
    int *seen = calloc((size_t)proc_size, sizeof *seen), *all = calloc((size_t)proc_size, sizeof *all);
    seen[rank] = 1;
    MPI_Allreduce(seen, all, proc_size, MPI_INT, MPI_SUM, c);
    for (int i = 0; i < proc_size; i++)
        check_eq(all[i], 1);
    free(seen);
    free(all);
    MPI_Comm_free(&c);
}

static void from_groups(void)
{
    MPI_Group world, mine, theirs;
    MPI_Comm c;
    int range[1][3] = {{proc_rank % 2, proc_size - 1, 2}};
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_range_incl(world, 1, range, &mine);
    MPI_Group_difference(world, mine, &theirs);
    MPI_Intercomm_create_from_groups(mine, 0, theirs, 0, "org.example/inter", MPI_INFO_NULL, MPI_ERRORS_RETURN, &c);
    check_works(c);
    MPI_Comm_free(&c);
    MPI_Group_free(&world);
    MPI_Group_free(&mine);
    MPI_Group_free(&theirs);
}

/* All are on one host, or each has its own: the grouping is the same on both sides. */
static void by_hardware(void)
{
    MPI_Comm c, d;
    MPI_Info info;
    int size, all;
    check_eq(MPI_Comm_split_type(inter, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &c), MPI_SUCCESS);
    MPI_Comm_size(half, &all);
    if (c != MPI_COMM_NULL) {
        check_works(c);
        MPI_Comm_size(c, &size);
        check(size <= all);
        check_eq(MPI_Comm_split_type(c, MPI_COMM_TYPE_HW_UNGUIDED, 0, MPI_INFO_NULL, &d), MPI_SUCCESS);
        check(d == MPI_COMM_NULL); /* not a part of it, but the whole */
        MPI_Comm_free(&c);
    }
    MPI_Info_create(&info);
    MPI_Info_set(info, "mpi_pset_name", "mpi://SELF");
    check_eq(MPI_Comm_split_type(inter, MPI_COMM_TYPE_RESOURCE_GUIDED, 0, info, &c), MPI_SUCCESS);
    check(c == MPI_COMM_NULL); /* no process is on both sides */
    MPI_Info_set(info, "mpi_pset_name", "mpi://WORLD");
    MPI_Comm_split_type(inter, MPI_COMM_TYPE_RESOURCE_GUIDED, 0, info, &c);
    check_works(c);
    MPI_Comm_free(&c);
    MPI_Info_free(&info);
}

int main(int argc, char **argv)
{
    proc_begin(&argc, &argv);
    create();
    copies();
    parts();
    merge();
    from_groups();
    by_hardware();
    MPI_Comm_free(&inter);
    MPI_Comm_disconnect(&half);
    return proc_end();
}
