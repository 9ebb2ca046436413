/* SPDX-License-Identifier: BSD-3-Clause
 *
 * startup: initialize, barrier (with "-o allreduce" also one allreduce), finalize. Each rank prints its resident set
 * and how many sockets it had open after MPI_Init and before MPI_Finalize; the wall time is taken outside, around the
 * launcher.
 */
#include "bench.h"

int main(int argc, char **argv)
{
    struct bench_options options = {0};
    MPI_Init(&argc, &argv);
    bench_parse(&options, argc, argv);
    int rank, size, at_init = bench_count_sockets();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Barrier(MPI_COMM_WORLD);
    if (options.ops) {
        double one = 1, sum = 0;
        MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        if (sum != size)
            bench_die("allreduce over %d ranks gives %g", size, sum);
    }
    bench_print(
        "{\"bench\":\"startup\",\"rank\":%d,\"ranks\":%d,\"rss_kib\":%ld,\"anon_kib\":%ld,\"sockets_at_init\":%d,"
        "\"sockets\":%d}\n",
        rank, size, bench_status_kib("VmRSS"), bench_status_kib("RssAnon"), at_init, bench_count_sockets());
    MPI_Finalize();
    return 0;
}
