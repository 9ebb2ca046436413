/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages that nobody wants yet, over transports that keep each (context, tag) apart: others pass them, probes,
 * wildcards and cancels see them, long ones go on behind them. Over tcp-trc ("unread") they also stay out of this
 * process' memory.
 */
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "proc.h"

enum { MANY = 100, LEN = 4000, PASSING = 1000, TAGS = 150, LONG = 1 << 20 };

static int buf[MANY][LEN / 4], long_buf[LONG / 4];

static void fill(int *dst, int n, int number)
{
    for (int i = 0; i < n; i++)
        dst[i] = number * 31 + i;
}

static void check_fill(const int *src, int n, int number)
{
    int wrong = 0;
    for (int i = 0; i < n; i++)
        wrong += src[i] != number * 31 + i;
    check_eq(wrong, 0);
}

static unsigned long long peak_of_unexpected(void)
{
    unsigned long long value = 0;
    MPI_T_pvar_session s;
    MPI_T_pvar_handle h;
    int index = -1, count = 0, provided;
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    check_eq(MPI_T_pvar_get_index("unexpected_peak", MPI_T_PVAR_CLASS_HIGHWATERMARK, &index), MPI_SUCCESS);
    check_eq(MPI_T_pvar_session_create(&s), MPI_SUCCESS);
    check_eq(MPI_T_pvar_handle_alloc(s, index, NULL, &h, &count), MPI_SUCCESS);
    check_eq(MPI_T_pvar_read(s, h, &value), MPI_SUCCESS);
    MPI_T_pvar_handle_free(s, &h);
    MPI_T_pvar_session_free(&s);
    MPI_T_finalize();
    return value;
}

/* Everybody sends rank 0 a lot with tag 9, then more with tag 5; tag 5 is received first. */
static void pass_by(int unread)
{
    MPI_Request r[MANY];
    int v;
    MPI_Barrier(MPI_COMM_WORLD);
    if (proc_rank > 0) {
        for (int i = 0; i < MANY; i++) {
            fill(buf[i], LEN / 4, i);
            MPI_Isend(buf[i], LEN, MPI_BYTE, 0, 9, MPI_COMM_WORLD, &r[i]);
        }
        for (int i = 0; i < PASSING; i++)
            MPI_Send(&i, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
        MPI_Waitall(MANY, r, MPI_STATUSES_IGNORE);
        return;
    }
    for (int i = 0; i < PASSING; i++)
        for (int p = 1; p < proc_size; p++) {
            MPI_Recv(&v, 1, MPI_INT, p, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            check_eq(v, i);
        }
    if (unread)
        check(peak_of_unexpected() < MANY * LEN / 2);
    for (int i = 0; i < MANY; i++)
        for (int p = 1; p < proc_size; p++) {
            MPI_Recv(buf[0], LEN, MPI_BYTE, p, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            check_fill(buf[0], LEN / 4, i);
        }
}

/* A long message whose rest comes behind short ones of its tag that nobody wants; the second time it is matched late.
 */
static void long_behind_short(int late)
{
    MPI_Request r[4];
    MPI_Status st;
    int other = proc_rank ^ 1, v[3] = {1, 2, 3}, in = 0;
    if (other >= proc_size)
        return;
    fill(long_buf, LONG / 4, proc_rank);
    if (proc_rank % 2 == 0) {
        MPI_Isend(long_buf, LONG, MPI_BYTE, other, 7, MPI_COMM_WORLD, &r[0]);
        for (int i = 0; i < 3; i++)
            MPI_Isend(&v[i], 1, MPI_INT, other, 7, MPI_COMM_WORLD, &r[i + 1]);
        MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
        return;
    }
    if (late) {
        MPI_Probe(other, 7, MPI_COMM_WORLD, &st);
        MPI_Iprobe(other, 8, MPI_COMM_WORLD, &in, &st);
        check_eq(in, 0);
    }
    MPI_Recv(long_buf, LONG, MPI_BYTE, other, 7, MPI_COMM_WORLD, &st);
    check_fill(long_buf, LONG / 4, other);
    for (int i = 0; i < 3; i++) {
        MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &st);
        check_eq(in, v[i]);
    }
}

/* Many tags received in the opposite order, then in the order in which they were sent through a wildcard. */
static void many_tags(int step)
{
    int v, out[TAGS];
    MPI_Request r[TAGS];
    MPI_Status st;
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; proc_rank > 0 && i < TAGS; i++) {
        out[i] = i;
        MPI_Isend(&out[i], 1, MPI_INT, 0, 100 + i, MPI_COMM_WORLD, &r[i]);
    }
    if (proc_rank > 0)
        MPI_Waitall(TAGS, r, MPI_STATUSES_IGNORE);
    for (int p = 1; proc_rank == 0 && p < proc_size; p++)
        for (int i = 0; i < TAGS; i++) {
            int want = step > 0 ? i : TAGS - 1 - i;
            MPI_Recv(&v, 1, MPI_INT, p, step > 0 ? MPI_ANY_TAG : 100 + want, MPI_COMM_WORLD, &st);
            check_eq(v, want);
            check_eq(st.MPI_TAG, 100 + want);
        }
}

/* Probes see what waits; a matched probe takes it, others keep their order. */
static void probes(void)
{
    int v;
    MPI_Status st;
    MPI_Message m;
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; proc_rank > 0 && i < 6; i++)
        MPI_Send(&i, 1, MPI_INT, 0, 20 + i % 2, MPI_COMM_WORLD);
    for (int p = 1; proc_rank == 0 && p < proc_size; p++) {
        int flag = 0;
        while (!flag)
            MPI_Improbe(p, 21, MPI_COMM_WORLD, &flag, &m, &st);
        MPI_Mrecv(&v, 1, MPI_INT, &m, &st);
        check_eq(v, 1);
        for (int want = 0; want < 6; want++) {
            if (want == 1)
                continue;
            MPI_Probe(p, MPI_ANY_TAG, MPI_COMM_WORLD, &st);
            check_eq(st.MPI_TAG, 20 + want % 2);
            MPI_Recv(&v, 1, MPI_INT, p, st.MPI_TAG, MPI_COMM_WORLD, &st);
            check_eq(v, want);
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (proc_rank > 0)
        MPI_Send(&proc_rank, 1, MPI_INT, 0, 22, MPI_COMM_WORLD);
    for (int p = 1; proc_rank == 0 && p < proc_size; p++) {
        int flag = 0;
        while (!flag)
            MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &st);
        MPI_Recv(&v, 1, MPI_INT, st.MPI_SOURCE, st.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        check_eq(v, st.MPI_SOURCE);
    }
}

/* A send is cancelled while it waits there, behind others that wait, and behind one that never leaves its place before
 * it. */
static void cancel_waiting(void)
{
    MPI_Request r;
    MPI_Status st;
    int v = 4, cancelled = -1, in = -1;
    MPI_Barrier(MPI_COMM_WORLD);
    if (proc_rank == 1) {
        for (int i = 0; i < 3; i++)
            MPI_Send(&i, 1, MPI_INT, 0, 30 + i % 2, MPI_COMM_WORLD);
        MPI_Isend(&v, 1, MPI_INT, 0, 31, MPI_COMM_WORLD, &r);
        MPI_Cancel(&r);
        MPI_Wait(&r, &st);
        MPI_Test_cancelled(&st, &cancelled);
        check_eq(cancelled, 1);
        MPI_Send(&v, 1, MPI_INT, 0, 32, MPI_COMM_WORLD);
        MPI_Send(&v, 1, MPI_INT, 0, 31, MPI_COMM_WORLD);
    } else if (proc_rank == 0) {
        static const int tags[] = {32, 31, 31, 30, 30}, values[] = {4, 1, 4, 0, 2};
        for (int i = 0; i < 5; i++) {
            MPI_Recv(&in, 1, MPI_INT, 1, tags[i], MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            check_eq(in, values[i]);
        }
    }
}

/* The last messages may be received when their sender has ended. */
static void left_at_the_end(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
    if (proc_rank > 0)
        for (int i = 0; i < 5; i++)
            MPI_Send(buf[i], LEN, MPI_BYTE, 0, 40 + i, MPI_COMM_WORLD);
    for (int i = 4; proc_rank == 0 && i >= 0; i--)
        for (int p = 1; p < proc_size; p++)
            MPI_Recv(buf[0], LEN, MPI_BYTE, p, 40 + i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* From now on only so many more descriptors can be had. */
static void limit_files(rlim_t more)
{
    struct rlimit limit;
    int next = open("/dev/null", O_RDONLY);
    check(next >= 0 && getrlimit(RLIMIT_NOFILE, &limit) == 0);
    close(next);
    limit.rlim_cur = (rlim_t)next + more;
    check(setrlimit(RLIMIT_NOFILE, &limit) == 0);
}

int main(int argc, char **argv)
{
    proc_begin(&argc, &argv);
    if (argc > 1 && strcmp(argv[1], "files") == 0)
        limit_files(12);
    pass_by(argc > 1 && strcmp(argv[1], "unread") == 0);
    long_behind_short(0);
    long_behind_short(1);
    many_tags(-1);
    many_tags(1);
    probes();
    cancel_waiting();
    left_at_the_end();
    return proc_end();
}
