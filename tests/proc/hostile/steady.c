/* SPDX-License-Identifier: BSD-3-Clause
 *
 * steady: ranks that check every byte they exchange, from when the file STEADY_GO exists until STEADY_STOP does.
 * hostile.test.py attacks their ports meanwhile. Without the variables: some rounds, at once.
 */
#include "proc.h"

#include <unistd.h>

enum { MAX_LEN = 40000, FEW_ROUNDS = 50 };

static unsigned char out[MAX_LEN], in[MAX_LEN];

static unsigned char pattern(int from, int round, int i)
{
    return (unsigned char)(from * 67 + round * 13 + i * 7 + i / 256);
}

/* Each rank sends to the one `distance` further on and receives from the one as far behind. */
static void exchange(int round, int distance)
{
    int len = round * 977 % MAX_LEN, to = (proc_rank + distance) % proc_size;
    int from = (proc_rank - distance + proc_size) % proc_size, count = -1, wrong = 0;
    MPI_Status status;
    for (int i = 0; i < len; i++)
        out[i] = pattern(proc_rank, round, i);
    memset(in, 0, sizeof in);
    MPI_Sendrecv(out, len, MPI_BYTE, to, round % 100, in, MAX_LEN, MPI_BYTE, from, round % 100, MPI_COMM_WORLD,
                 &status);
    MPI_Get_count(&status, MPI_BYTE, &count);
    check_eq(count, len);
    for (int i = 0; i < len; i++)
        wrong += in[i] != pattern(from, round, i);
    check_eq(wrong, 0);
}

/* Whether all go on: rank 0 looks for the file and tells. */
static int goes_on(int round)
{
    const char *stop = getenv("STEADY_STOP");
    int more = stop ? access(stop, F_OK) != 0 : round < FEW_ROUNDS, sum = 0, rank = proc_rank;
    MPI_Bcast(&more, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    check_eq(sum, proc_size * (proc_size - 1) / 2);
    return more;
}

int main(int argc, char **argv)
{
    const char *go = getenv("STEADY_GO");
    proc_begin(&argc, &argv);
    for (int i = 0; go && access(go, F_OK) != 0 && i < 30000; i++) /* outside MPI: nobody accepts meanwhile */
        usleep(10000);
    int round = 0;
    while (goes_on(round++))
        for (int distance = 1; distance < proc_size; distance++)
            exchange(round, distance);
    if (proc_rank == 0)
        printf("steady: %s\n", proc_failures ? "wrong" : "right");
    return proc_end();
}
