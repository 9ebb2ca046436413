/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pingpong: half the round trip of 8 bytes in C, and by the same loop with Fortran's modules mpi and mpi_f08. The three
 * take turns between the same two processes, and the least of each counts: that is what the languages differ by, and
 * not where the kernel put the processes meanwhile. Linked with pingpong_mpi.f90 and pingpong_f08.f90.
 */
#include "bench.h"

enum { TAG = 1, BYTES = 8, LANGUAGES = 3 };

typedef void ping_pong(unsigned char *buffer, int iters, int rank);
ping_pong ping_pong_mpi, ping_pong_f08; /* in Fortran */

static void ping_pong_c(unsigned char *buffer, int iters, int rank)
{
    for (int i = 0; i < iters; i++) {
        if (rank == 0)
            MPI_Send(buffer, BYTES, MPI_BYTE, 1, TAG, MPI_COMM_WORLD);
        MPI_Recv(buffer, BYTES, MPI_BYTE, 1 - rank, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank == 1)
            MPI_Send(buffer, BYTES, MPI_BYTE, 0, TAG, MPI_COMM_WORLD);
    }
}

/* Microseconds of half a round trip. The content is looked at after each turn. */
static double turn(ping_pong *one, int iters, int rank, int seed)
{
    unsigned char buffer[BYTES] = {0};
    if (rank == 0)
        bench_fill(buffer, BYTES, (unsigned)seed);
    MPI_Barrier(MPI_COMM_WORLD);
    double start = bench_now();
    one(buffer, iters, rank);
    double us = (bench_now() - start) * 5e5 / iters;
    bench_verify(buffer, BYTES, (unsigned)seed);
    return us;
}

int main(int argc, char **argv)
{
    static ping_pong *const loops[LANGUAGES] = {ping_pong_c, ping_pong_mpi, ping_pong_f08};
    struct bench_options options = {.seconds = 1, .count = 1000};
    double least[LANGUAGES] = {1e9, 1e9, 1e9};
    MPI_Init(&argc, &argv);
    bench_parse(&options, argc, argv);
    int rank = bench_rank_of(2), turns = 0;
    double end = bench_now() + options.seconds;
    for (int more = 1; more; turns++) {
        for (int i = 0; i < LANGUAGES; i++) {
            double us = turn(loops[i], (int)options.count, rank, turns);
            least[i] = us < least[i] ? us : least[i];
        }
        more = bench_now() < end;
        MPI_Bcast(&more, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    if (rank == 0)
        bench_print("{\"bench\":\"pingpong\",\"c_us\":%.4f,\"mpi_us\":%.4f,\"f08_us\":%.4f,\"turns\":%d}\n", least[0],
                    least[1], least[2], turns);
    MPI_Finalize();
    return 0;
}
