/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A message of more than 4 GiB, with a large count, and with an int count of a large type. Skipped where there is not the
 * memory for it.
 */
#include "proc.h"

#include <unistd.h>

#define WORDS ((MPI_Count)((1ull << 30) + 1000)) /* of 4 bytes: 4 GiB and 4000 bytes */

static unsigned value(MPI_Count i)
{
    return (unsigned)(i * 2654435761u);
}

static void sender(unsigned *p)
{
    MPI_Datatype mega;
    for (MPI_Count i = 0; i < WORDS; i++)
        p[i] = value(i);
    MPI_Send_c(p, WORDS, MPI_UNSIGNED, 1, 0, MPI_COMM_WORLD);
    MPI_Type_contiguous(1 << 20, MPI_UNSIGNED, &mega);
    MPI_Type_commit(&mega);
    MPI_Send(p, 1024, mega, 1, 1, MPI_COMM_WORLD);
    MPI_Type_free(&mega);
}

static void receiver(unsigned *p)
{
    MPI_Status st;
    MPI_Count wide;
    MPI_Count wrong = 0;
    int n;
    MPI_Recv_c(p, WORDS, MPI_UNSIGNED, 0, 0, MPI_COMM_WORLD, &st);
    MPI_Get_count_c(&st, MPI_UNSIGNED, &wide);
    check_eq(wide, WORDS);
    MPI_Get_count(&st, MPI_CHAR, &n);
    check_eq(n, MPI_UNDEFINED);
    for (MPI_Count i = 0; i < WORDS; i++) {
        wrong += p[i] != value(i);
        p[i] = 0;
    }
    check_eq(wrong, 0);
    MPI_Recv_c(p, WORDS, MPI_UNSIGNED, 0, 1, MPI_COMM_WORLD, &st);
    MPI_Get_count_c(&st, MPI_UNSIGNED, &wide);
    check_eq(wide, 1 << 30);
    for (MPI_Count i = 0; i < WORDS; i++)
        wrong += p[i] != (i < 1 << 30 ? value(i) : 0);
    check_eq(wrong, 0);
}

int main(int argc, char **argv)
{
    double room = (double)sysconf(_SC_AVPHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    if (room < 10.5 * (1 << 30))
        return 77;
    proc_begin(&argc, &argv);
    unsigned *p = malloc((size_t)WORDS * sizeof(unsigned));
    check(p != NULL);
    if (p && proc_rank == 0)
        sender(p);
    else if (p && proc_rank == 1)
        receiver(p);
    free(p);
    return proc_end();
}
