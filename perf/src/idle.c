/* SPDX-License-Identifier: BSD-3-Clause
 *
 * idle: the processor time that rank 0 burns (all threads, user and system) while it waits in MPI_Recv for a message
 * that rank 1 sends only after a sleep (-t, 3 s).
 */
#include "bench.h"

#include <sys/resource.h>

static double cpu_seconds(void)
{
    struct rusage use;
    getrusage(RUSAGE_SELF, &use);
    return (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
           (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec) * 1e-6;
}

static void wait_idle(void)
{
    int value = 0;
    double cpu = cpu_seconds(), start = bench_now();
    MPI_Recv(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    cpu = cpu_seconds() - cpu;
    if (value != 42)
        bench_die("received %d, not 42", value);
    bench_print("{\"bench\":\"idle\",\"cpu_s\":%.4f,\"waited_s\":%.3f}\n", cpu, bench_now() - start);
}

static void send_late(double seconds)
{
    int value = 42;
    struct timespec time = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
    while (nanosleep(&time, &time) == -1 && errno == EINTR)
        ;
    MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    struct bench_options options = {.seconds = 3};
    MPI_Init(&argc, &argv);
    bench_parse(&options, argc, argv);
    int rank = bench_rank_of(2);
    MPI_Barrier(MPI_COMM_WORLD); /* connects */
    if (rank == 0)
        wait_idle();
    else
        send_late(options.seconds);
    MPI_Finalize();
    return 0;
}
