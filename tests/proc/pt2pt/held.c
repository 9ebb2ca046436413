/* SPDX-License-Identifier: BSD-3-Clause
 *
 * All ranks but 0 send it many messages of 8 bytes without receives: nonblocking, then blocking, then some that end in
 * one of another tag that is received first. Rank 0 grows by less than all of them would take, and receives all of them
 * in order.
 */
#include "proc.h"

enum {
    N = 40000,
    TAG = 1,
    TAG_LAST = 2,
    GROWTH_KIB = 12 << 10 /* with -unexpected 4M; the envelopes alone would take 22 MiB for 3 ranks */
};

static long resident_kib(const char *what)
{
    char line[128];
    long kib = -1;
    FILE *f = fopen("/proc/self/status", "r");
    if (!f)
        return -1;
    while (kib < 0 && fgets(line, sizeof line, f))
        if (strncmp(line, what, strlen(what)) == 0)
            sscanf(line + strlen(what), ": %ld", &kib);
    fclose(f);
    return kib;
}

static long number(int from, int i)
{
    return (long)from * 1000000 + i;
}

static void send_all(int is_blocking)
{
    static long out[N];
    static MPI_Request r[N];
    for (int i = 0; i < N; i++) {
        out[i] = number(proc_rank, i);
        if (is_blocking)
            MPI_Send(&out[i], 1, MPI_LONG, 0, TAG, MPI_COMM_WORLD);
        else
            MPI_Isend(&out[i], 1, MPI_LONG, 0, TAG, MPI_COMM_WORLD, &r[i]);
    }
    if (is_blocking)
        return;
    MPI_Send(&out[0], 1, MPI_LONG, 0, TAG_LAST, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Waitall(N, r, MPI_STATUSES_IGNORE);
}

static void receive_all(int any_tag)
{
    long got;
    for (int i = 0; i < N; i++)
        for (int from = 1; from < proc_size; from++) {
            MPI_Recv(&got, 1, MPI_LONG, from, any_tag ? MPI_ANY_TAG : TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            check(got == number(from, i));
        }
}

int main(int argc, char **argv)
{
    proc_begin(&argc, &argv);
    MPI_Barrier(MPI_COMM_WORLD);
    if (proc_rank) {
        send_all(0);
        send_all(1);
        return proc_end();
    }
    long before = resident_kib("VmRSS"), got;
    for (int from = 1; from < proc_size; from++) {
        MPI_Recv(&got, 1, MPI_LONG, from, TAG_LAST, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        check(got == number(from, 0));
    }
    MPI_Barrier(MPI_COMM_WORLD); /* all is sent or held back, and none received */
    receive_all(0);
    receive_all(1);
    long growth = resident_kib("VmHWM") - before;
    if (growth > GROWTH_KIB)
        fprintf(stderr, "rank 0 has grown by %ld KiB\n", growth);
    check(growth <= GROWTH_KIB);
    return proc_end();
}
