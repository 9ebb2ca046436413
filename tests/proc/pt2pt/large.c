/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A message of more than 4 GiB, received with an int count of a large type. The sender's type reads the same 4 MiB
 * again and again, so that only the receiver needs the memory; skipped where there is not so much.
 */
#include "proc.h"

#include <unistd.h>

#define BLOCK ((MPI_Count)1 << 20) /* words of 4 bytes */
#define ROOM  (1026 * BLOCK)       /* words that the receive takes: 4 GiB and 8 MiB */
#define WORDS (1025 * BLOCK)       /* words of the message */

static unsigned value(MPI_Count i)
{
    return (unsigned)(i % BLOCK * 2654435761u);
}

static void sender(void)
{
    MPI_Datatype again;
    unsigned *p = malloc((size_t)BLOCK * sizeof(*p));
    for (MPI_Count i = 0; i < BLOCK; i++)
        p[i] = value(i);
    MPI_Type_create_hvector_c(WORDS / BLOCK, BLOCK, 0, MPI_UNSIGNED, &again);
    MPI_Type_commit(&again);
    MPI_Send_c(p, 1, again, 1, 0, MPI_COMM_WORLD);
    MPI_Type_free(&again);
    free(p);
}

static void receiver(void)
{
    unsigned *p = malloc((size_t)ROOM * sizeof(*p));
    MPI_Datatype mega;
    MPI_Status st;
    MPI_Count wide, wrong = 0;
    int n;
    MPI_Type_contiguous((int)BLOCK, MPI_UNSIGNED, &mega);
    MPI_Type_commit(&mega);
    MPI_Recv(p, (int)(ROOM / BLOCK), mega, 0, 0, MPI_COMM_WORLD, &st);
    MPI_Get_count_c(&st, MPI_UNSIGNED, &wide);
    check_eq(wide, WORDS);
    MPI_Get_count(&st, MPI_CHAR, &n);
    check_eq(n, MPI_UNDEFINED);
    MPI_Get_count(&st, mega, &n);
    check_eq(n, WORDS / BLOCK);
    for (MPI_Count i = 0; i < WORDS; i++)
        wrong += p[i] != value(i);
    check_eq(wrong, 0);
    MPI_Type_free(&mega);
    free(p);
}

int main(int argc, char **argv)
{
    double room = (double)sysconf(_SC_AVPHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    if (room < 5.0 * (1 << 30))
        return 77;
    proc_begin(&argc, &argv);
    if (proc_rank == 0)
        sender();
    else if (proc_rank == 1)
        receiver();
    return proc_end();
}
