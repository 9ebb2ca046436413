/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages of all sizes between two ranks that several lanes connect, one pattern after the other in the same job: what
 * is learned of the lanes by one must not spoil the next. Who begins, who waits, who computes meanwhile and in what
 * order the sizes come takes turns. With "bulk" the last pattern is long messages alone, in both directions, so that
 * whoever counts bytes sees how they were shared.
 */
#include <unistd.h>

#include "../../support/seed.h"
#include "proc.h"

enum { MOST = 4 << 20, ROUNDS = 100, SOME = 16, FEW = 2, BULK = 48, COMPUTE_US = 300, WINDOW = 4, ORDERS = 3 };

static const int sizes[] = {1, 4096, 8192, 16384, 32768, 40000, 65536, 131072, 262144, 1 << 20, MOST};
enum { N_SIZES = sizeof sizes / sizeof *sizes };

static unsigned char *out, *in[WINDOW];

static void stamp(unsigned char *buf, int len, int number)
{
    buf[0] = (unsigned char)number;
    buf[len / 2] = (unsigned char)(number + (len > 1));
    buf[len - 1] = (unsigned char)(number + (len > 1 ? 2 : 0));
}

static void check_stamp(const unsigned char *buf, int len, int number)
{
    check_eq(buf[0], (unsigned char)number);
    check_eq(buf[len - 1], (unsigned char)(number + (len > 1 ? 2 : 0)));
    if (len > 2)
        check_eq(buf[len / 2], (unsigned char)(number + 1));
}

static void send_one(int len, int number)
{
    stamp(out, len, number);
    MPI_Send(out, len, MPI_BYTE, 1 - proc_rank, 1, MPI_COMM_WORLD);
}

static void receive_one(int len, int number)
{
    MPI_Recv(in[0], MOST, MPI_BYTE, 1 - proc_rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    check_stamp(in[0], len, number);
}

static void ping_pong(int len, int n, int first, int computes)
{
    for (int i = 0; i < n; i++) {
        if (proc_rank == first)
            send_one(len, i);
        if (proc_rank == computes)
            usleep(COMPUTE_US);
        receive_one(len, i);
        if (proc_rank != first)
            send_one(len, i);
    }
}

static void one_way(int len, int n, int from, int computes)
{
    for (int i = 0; i < n; i++) {
        if (proc_rank == computes)
            usleep(COMPUTE_US);
        if (proc_rank == from)
            send_one(len, i);
        else
            receive_one(len, i);
    }
}

static void both_ways(int len, int n)
{
    MPI_Request r[WINDOW + 1];
    for (int i = 0; i < n; i++) {
        stamp(out, len, i);
        for (int k = 0; k < WINDOW; k++)
            MPI_Irecv(in[k], MOST, MPI_BYTE, 1 - proc_rank, 2, MPI_COMM_WORLD, &r[k]);
        for (int k = 0; k < WINDOW; k++)
            MPI_Send(out, len, MPI_BYTE, 1 - proc_rank, 2, MPI_COMM_WORLD);
        MPI_Waitall(WINDOW, r, MPI_STATUSES_IGNORE);
        for (int k = 0; k < WINDOW; k++)
            check_stamp(in[k], len, i);
        MPI_Barrier(MPI_COMM_WORLD); /* out may be written again */
    }
}

static void all_patterns(int len)
{
    int n = hws_test_rounds(len > 262144 ? FEW : len > 65536 ? SOME : ROUNDS);
    for (int who = 0; who < 2; who++) {
        ping_pong(len, n, who, -1);
        ping_pong(len, n, who, 1 - who);
        one_way(len, n, who, -1);
        one_way(len, n, who, who);
        one_way(len, n, who, 1 - who);
    }
    both_ways(len, n / WINDOW + 1);
}

/* Both ranks shuffle alike: the seed is rank 0's. */
static void shuffle(int *order)
{
    unsigned long long seed = hws_test_next();
    MPI_Bcast(&seed, 1, MPI_UNSIGNED_LONG_LONG, 0, MPI_COMM_WORLD);
    for (int i = N_SIZES - 1; i > 0; i--) {
        seed = seed * 6364136223846793005ull + 1442695040888963407ull;
        int k = (int)(seed >> 33) % (i + 1), was = order[i];
        order[i] = order[k];
        order[k] = was;
    }
}

int main(int argc, char **argv)
{
    proc_begin(&argc, &argv);
    if (proc_rank == 0)
        hws_test_seed("pt2pt/lanes");
    check_eq(proc_size, 2);
    out = calloc(1, MOST);
    for (int k = 0; k < WINDOW; k++)
        in[k] = calloc(1, MOST);
    int order[N_SIZES];
    for (int i = 0; i < N_SIZES; i++)
        order[i] = i;
    for (int k = 0; k < ORDERS; k++) { /* from short to long, and then any */
        for (int i = 0; i < N_SIZES; i++)
            all_patterns(sizes[order[i]]);
        shuffle(order);
    }
    if (argc > 1 && strcmp(argv[1], "bulk") == 0)
        ping_pong(MOST, BULK, 0, -1);
    for (int k = 0; k < WINDOW; k++)
        free(in[k]);
    free(out);
    return proc_end();
}
