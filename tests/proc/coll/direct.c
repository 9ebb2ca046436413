/* SPDX-License-Identifier: BSD-3-Clause
 *
 * direct: collectives of blocks that are long enough to be read out of their owner's memory, often enough that both
 * ways are tried. Roles: each rank as root and as member 0; blocks in one piece or with gaps at who gives, at who
 * takes, at single ones; in place; blocks of no bytes and short ones beside long ones; lengths that are not equal,
 * which one rank alone finds out; arg unreadable: ranks that may not read each other's memory.
 */
#define _GNU_SOURCE
#include <stdbool.h>
#include <unistd.h>

#include "proc.h"

enum { MOST = (1 << 20) + 3, RANKS = 8, MANY = 40 };

static unsigned char *out, *in;
static MPI_Datatype gaps; /* one byte of two */
static MPI_Comm comm;
static int rank, size;

static unsigned char content(int i, int number, int from)
{
    return (unsigned char)(i * 11 + i / 253 + number * 29 + from * 83 + 5);
}

static void fill(unsigned char *at, int step, int len, int number, int from)
{
    for (int i = 0; i < len; i++)
        at[(size_t)i * (size_t)step] = content(i, number, from);
}

static void verify(const unsigned char *at, int step, int len, int number, int from)
{
    int wrong = 0;
    for (int i = 0; i < len; i++)
        wrong += at[(size_t)i * (size_t)step] != content(i, number, from);
    check_eq(wrong, 0);
}

/* Whether a rank's blocks have gaps in this call. */
static bool has_gaps(int number, int of)
{
    return number % 4 == 3 || (number % 4 == 2 && of == number / 4 % size);
}

static void bcast(int len, int number)
{
    int root = number % size, step = has_gaps(number, rank) ? 2 : 1;
    memset(in, 0xee, 2 * (size_t)len + 1);
    if (rank == root)
        fill(in, step, len, number, root);
    check_eq(MPI_Bcast(in, len, step == 2 ? gaps : MPI_BYTE, root, comm), MPI_SUCCESS);
    verify(in, step, len, number, root);
    check_eq(in[(size_t)step * (size_t)(len - 1) + 1], 0xee);
}

static void allgather(int len, int number)
{
    int step = has_gaps(number, rank) ? 2 : 1;
    bool in_place = number % 3 == 1;
    MPI_Datatype type = step == 2 ? gaps : MPI_BYTE;
    size_t block = (size_t)len * (size_t)step;
    unsigned char *mine = in_place ? in + (size_t)rank * block : out;
    fill(mine, step, len, number, rank);
    check_eq(MPI_Allgather(in_place ? MPI_IN_PLACE : out, len, type, in, len, type, comm), MPI_SUCCESS);
    for (int i = 0; i < size; i++)
        verify(in + (size_t)i * block, step, len, number, i);
}

/* Rank 1 has nothing, rank 2 little. */
static void allgatherv(int len, int number)
{
    int lens[RANKS], displs[RANKS], at = 0;
    for (int i = 0; i < size; i++) {
        lens[i] = i == 1 ? 0 : i == 2 ? 77 : len - i;
        displs[i] = at;
        at += lens[i] + 3;
    }
    fill(out, 1, lens[rank], number, rank);
    check_eq(MPI_Allgatherv(out, lens[rank], MPI_BYTE, in, lens, displs, MPI_BYTE, comm), MPI_SUCCESS);
    for (int i = 0; i < size; i++)
        verify(in + displs[i], 1, lens[i], number, i);
}

static void alltoall(int len, int number)
{
    int step = has_gaps(number, rank) ? 2 : 1;
    bool in_place = number % 3 == 1;
    MPI_Datatype type = step == 2 ? gaps : MPI_BYTE;
    size_t block = (size_t)len * (size_t)step;
    unsigned char *mine = in_place ? in : out;
    for (int i = 0; i < size; i++)
        fill(mine + (size_t)i * block, step, len, number + i, rank);
    check_eq(MPI_Alltoall(in_place ? MPI_IN_PLACE : out, len, type, in, len, type, comm), MPI_SUCCESS);
    for (int i = 0; i < size; i++)
        verify(in + (size_t)i * block, step, len, number + rank, i);
}

/* One member expects another length, and alone fails. What follows is right. */
static void unequal(int number)
{
    int root = number % size, odd = (root + 1) % size, len = 1 << 18, odd_len = number % 4 < 2 ? len - 64 : 64;
    if (size < 2)
        return;
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    fill(in, 1, len, number, root);
    int rc = MPI_Bcast(in, rank == odd ? odd_len : len, MPI_BYTE, root, comm);
    check_eq(proc_class(rc), rank == odd ? MPI_ERR_TRUNCATE : MPI_SUCCESS);
    bcast(len, number);
}

static void all(void)
{
    static const int lens[] = {131071, 131072, 200001, 1 << 18, MOST};
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    for (unsigned l = 0; l < sizeof lens / sizeof lens[0]; l++)
        for (int number = 0; number < 8; number++) {
            int len = lens[l] > 300000 && number > 4 ? 131072 : lens[l];
            bcast(len, number);
            allgather(len, number);
            allgatherv(len, number);
            alltoall(len, number);
        }
    for (int number = 0; number < MANY; number++) {
        bcast(131072, number % size);
        allgather(131072, number % 3);
        alltoall(131072, number % 3);
    }
    for (int number = 0; number < 2 * size; number++)
        unequal(number);
}

int main(int argc, char **argv)
{
    bool unreadable = argc > 1 && strcmp(argv[1], "unreadable") == 0;
    if (unreadable && geteuid() != 0)
        return 77;
    proc_begin(&argc, &argv);
    if (unreadable) /* a process that has changed its user is nobody's to look into */
        check_eq(setresuid(65534, 65534, 65534), 0);
    out = malloc(2 * (size_t)MOST * RANKS + 64);
    in = malloc(2 * (size_t)MOST * RANKS + 64);
    MPI_Type_create_resized(MPI_BYTE, 0, 2, &gaps);
    MPI_Type_commit(&gaps);
    comm = MPI_COMM_WORLD;
    all();
    MPI_Comm_split(MPI_COMM_WORLD, 0, -proc_rank, &comm);
    all();
    MPI_Comm_free(&comm);
    MPI_Type_free(&gaps);
    free(in);
    free(out);
    return proc_end();
}
