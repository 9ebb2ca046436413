/* SPDX-License-Identifier: BSD-3-Clause
 *
 * scale: initialize, barrier, allreduce, finalize, and when each was over: one line a rank with times of the monotonic
 * clock, which is the same in all processes of a host, so that the launcher's start can be set beside them. With "-o
 * memory" what the rank occupies at the end instead: to look takes time, so such a run is not timed; "-n K" has every
 * rank exchange a message with K others before.
 */
#include "bench.h"

enum { AT_MAIN, AT_INIT, AT_BARRIER, AT_ALLREDUCE, N_STAMPS };

/* The sum of a line's kind in /proc/self/smaps_rollup, in KiB: "Private_" is what no other process shares. */
static long rollup_kib(const char *key)
{
    FILE *file = fopen("/proc/self/smaps_rollup", "r");
    char line[256];
    long sum = 0;
    while (file && fgets(line, sizeof line, file)) {
        const char *colon = strncmp(line, key, strlen(key)) == 0 ? strchr(line, ':') : NULL;
        sum += colon ? strtol(colon + 1, NULL, 10) : 0;
    }
    if (file)
        fclose(file);
    return sum;
}

/* Descriptors in use, without that of the folder that is read here. */
static int count_descriptors(void)
{
    int n = -1;
    DIR *dir = opendir("/proc/self/fd");
    for (struct dirent *entry; dir && (entry = readdir(dir));)
        n += entry->d_name[0] != '.';
    if (dir)
        closedir(dir);
    return n;
}

/* A message to and from the K nearest ranks. */
static void meet(int rank, int size, long k)
{
    for (int d = 1; d <= k / 2 && d < size; d++) {
        int to = (rank + d) % size, from = (rank + size - d) % size, token = rank, got = -1;
        MPI_Sendrecv(&token, 1, MPI_INT, to, 0, &got, 1, MPI_INT, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (got != from)
            bench_die("rank %d got %d from rank %d", rank, got, from);
        MPI_Sendrecv(&token, 1, MPI_INT, from, 1, &got, 1, MPI_INT, to, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

int main(int argc, char **argv)
{
    struct bench_options options = {0};
    double at[N_STAMPS], one = 1, sum = 0;
    int rank, size;
    at[AT_MAIN] = bench_now();
    MPI_Init(&argc, &argv);
    at[AT_INIT] = bench_now();
    bench_parse(&options, argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Barrier(MPI_COMM_WORLD);
    at[AT_BARRIER] = bench_now();
    MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (sum != size)
        bench_die("allreduce over %d ranks gives %g", size, sum);
    at[AT_ALLREDUCE] = bench_now();
    if (options.ops && strcmp(options.ops, "memory") == 0) {
        meet(rank, size, options.count);
        bench_print(
            "{\"bench\":\"memory\",\"rank\":%d,\"private_kib\":%ld,\"shmem_kib\":%ld,\"rss_kib\":%ld,\"fds\":%d,"
            "\"sockets\":%d}\n",
            rank, rollup_kib("Private_"), bench_status_kib("RssShmem"), bench_status_kib("VmRSS"), count_descriptors(),
            bench_count_sockets());
    } else {
        bench_print(
            "{\"bench\":\"scale\",\"rank\":%d,\"main\":%.6f,\"init\":%.6f,\"barrier\":%.6f,\"allreduce\":%.6f}\n", rank,
            at[AT_MAIN], at[AT_INIT], at[AT_BARRIER], at[AT_ALLREDUCE]);
    }
    MPI_Finalize();
    return 0;
}
