/* SPDX-License-Identifier: BSD-3-Clause
 *
 * later: single copies that are put off (docs/decisions/058), by all ways in which a receive that does not wait can
 * find its long message there and end: with and without sends behind it, of one to many messages, of lengths below and
 * above what is weighed, waited for and tested, one by one and all, in the order of begin and the other way round, cut
 * off, in pieces of a datatype, from any source, by a sender that waits for it. Runs with any number of ranks, in a
 * ring: each receives from the rank before it, and one of them is late, by turns. Argument `rule`, for two ranks that
 * copy once: when a copy is put off, and when it is not.
 */
#include "proc.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define MOST  40
#define ROOM  (1 << 20)
#define TURNS 6 /* of a pattern: a rule is learned from the first ones */

static unsigned char *out, *in;
static int before, behind;

static void nap(int us)
{
    nanosleep(&(struct timespec){.tv_nsec = us * 1000L}, NULL);
}

/* This rank is late: what the others have announced meanwhile is read, and kept. */
static void be_late(int n)
{
    int flag;
    nap(300);
    for (int i = 0; i < 2 * n; i++)
        MPI_Iprobe(before, 4711, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
}

static unsigned char byte_of(int rank, int turn, int i, int at)
{
    return (unsigned char)(7 * rank + 31 * turn + 13 * i + at + (at >> 9));
}

static void fill(int turn, int n, int len)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < len; k++)
            out[(size_t)i * len + k] = byte_of(proc_rank, turn, i, k);
    memset(in, 0xee, (size_t)n * len);
}

static void look(int turn, int n, int len)
{
    int wrong = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < len; k++)
            wrong += in[(size_t)i * len + k] != byte_of(before, turn, i, k);
    check_eq(wrong, 0);
}

enum end { WAITALL, WAIT_BACKWARDS, TESTS, TESTALL, WAITANY, TESTSOME, N_ENDS };

static void end_all(enum end how, int n, MPI_Request *q)
{
    int flag = 0, at, done;
    if (how == WAITALL) {
        MPI_Waitall(n, q, MPI_STATUSES_IGNORE);
    } else if (how == WAIT_BACKWARDS) {
        for (int i = n; i-- > 0;)
            MPI_Wait(q + i, MPI_STATUS_IGNORE);
    } else if (how == TESTS) {
        for (int i = 0; i < n; i++)
            for (flag = 0; !flag;)
                MPI_Test(q + i, &flag, MPI_STATUS_IGNORE);
    } else if (how == TESTALL) {
        while (!flag)
            MPI_Testall(n, q, &flag, MPI_STATUSES_IGNORE);
    } else if (how == WAITANY) {
        for (int i = 0; i < n; i++) {
            MPI_Waitany(n, q, &at, MPI_STATUS_IGNORE);
            check(at >= 0 && at < n);
        }
    } else {
        int which[2 * MOST];
        for (int left = n; left > 0; left -= done)
            MPI_Testsome(n, q, &done, which, MPI_STATUSES_IGNORE);
    }
    for (int i = 0; i < n; i++)
        check(q[i] == MPI_REQUEST_NULL);
}

/* Receives, then sends; one of the ranks is late, by turns. */
static void exchange(int n, int len, enum end how, int source)
{
    MPI_Request q[2 * MOST];
    for (int turn = 0; turn < TURNS; turn++) {
        fill(turn, n, len);
        if (turn % proc_size == proc_rank)
            be_late(n);
        for (int i = 0; i < n; i++)
            MPI_Irecv(in + (size_t)i * len, len, MPI_BYTE, source, i, MPI_COMM_WORLD, q + i);
        for (int i = 0; i < n; i++)
            MPI_Isend(out + (size_t)i * len, len, MPI_BYTE, behind, i, MPI_COMM_WORLD, q + n + i);
        end_all(how, 2 * n, q);
        look(turn, n, len);
    }
}

static void exchanges(void)
{
    const int lens[] = {1000, 32768, 65535, 300000};
    const int ns[] = {1, 3, MOST};
    for (int l = 0; l < 4; l++)
        for (int k = 0; k < 3; k++)
            for (int how = 0; how < N_ENDS; how++)
                if ((size_t)ns[k] * lens[l] <= (size_t)4 * ROOM)
                    exchange(ns[k], lens[l], (enum end)how, k % 2 ? MPI_ANY_SOURCE : before);
}

/* Those that are put off are cut off, or lie in pieces. */
static void odd_ones(void)
{
    MPI_Datatype pieces;
    MPI_Status st;
    MPI_Request r, s;
    int len = 200000, n;
    MPI_Type_vector(len / 100, 50, 100, MPI_BYTE, &pieces);
    MPI_Type_commit(&pieces);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (int turn = 0; turn < 4 * TURNS; turn++) {
        int kind = turn % 3;
        fill(turn, 1, len);
        if (turn % proc_size == proc_rank)
            be_late(1);
        if (kind == 0)
            MPI_Irecv(in, 1, pieces, before, 5, MPI_COMM_WORLD, &r);
        else
            MPI_Irecv(in, kind == 1 ? len / 2 : len, MPI_BYTE, before, 5, MPI_COMM_WORLD, &r);
        if (kind == 2)
            MPI_Issend(out, len, MPI_BYTE, behind, 5, MPI_COMM_WORLD, &s);
        else
            MPI_Isend(out, kind == 0 ? len / 2 : len, MPI_BYTE, behind, 5, MPI_COMM_WORLD, &s);
        int rc = MPI_Wait(&r, &st);
        check_eq(proc_class(rc), kind == 1 ? MPI_ERR_TRUNCATE : MPI_SUCCESS);
        MPI_Get_count(&st, MPI_BYTE, &n);
        check(kind == 1 || n == (kind == 0 ? len / 2 : len));
        MPI_Wait(&s, MPI_STATUS_IGNORE);
        for (int k = 0; k < len / 2; k++) {
            int at = kind == 0 ? k / 50 * 100 + k % 50 : k;
            if (in[at] != byte_of(before, turn, 0, k)) {
                check_eq(at, -1);
                break;
            }
        }
    }
    MPI_Type_free(&pieces);
}

/* Receives alone: their sender waits, and this rank does not call for a while. Then both ways again. */
static void one_way(void)
{
    MPI_Request q[4];
    for (int turn = 0; turn < 2 * TURNS; turn++) {
        int len = 100000, sends = (turn + proc_rank) % 2 == 0;
        fill(turn, 4, len);
        for (int i = 0; i < 4; i++) {
            if (!sends)
                MPI_Irecv(in + (size_t)i * len, len, MPI_BYTE, proc_rank ^ 1, i, MPI_COMM_WORLD, q + i);
            else
                MPI_Isend(out + (size_t)i * len, len, MPI_BYTE, proc_rank ^ 1, i, MPI_COMM_WORLD, q + i);
        }
        if (!sends)
            nap(500);
        MPI_Waitall(4, q, MPI_STATUSES_IGNORE);
        if (!sends && before == (proc_rank ^ 1))
            look(turn, 4, len);
        if (turn == TURNS)
            exchange(2, len, WAITALL, before);
    }
}

/* Between the sends and the wait, calls that make progress: a blocking exchange, a barrier, a probe. */
static void other_calls(void)
{
    MPI_Request q[4];
    int len = 150000, x = proc_rank, y = -1, flag;
    for (int turn = 0; turn < 3 * TURNS; turn++) {
        fill(turn, 2, len);
        if (turn % proc_size == proc_rank)
            be_late(2);
        for (int i = 0; i < 2; i++)
            MPI_Irecv(in + (size_t)i * len, len, MPI_BYTE, before, i, MPI_COMM_WORLD, q + i);
        MPI_Isend(out, len, MPI_BYTE, behind, 0, MPI_COMM_WORLD, q + 2);
        MPI_Isend(out + len, len, MPI_BYTE, behind, 1, MPI_COMM_WORLD, q + 3);
        if (turn % 3 == 0)
            MPI_Sendrecv(&x, 1, MPI_INT, behind, 9, &y, 1, MPI_INT, before, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        else if (turn % 3 == 1)
            MPI_Barrier(MPI_COMM_WORLD);
        else
            MPI_Iprobe(before, 77, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        MPI_Waitall(4, q, MPI_STATUSES_IGNORE);
        look(turn, 2, len);
    }
}

/* Behind receives that sends followed: the copy is made behind the send. Looks into the buffer of a receive that is not
 * over, which no program may. */
static void puts_off(void)
{
    const int len = 300000;
    for (int turn = 0; turn < 2 * TURNS; turn++) {
        MPI_Request q[2];
        fill(turn, 1, len);
        if (proc_rank == turn % 2)
            MPI_Probe(before, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Irecv(in, len, MPI_BYTE, before, 0, MPI_COMM_WORLD, q);
        int is_there = ((volatile unsigned char *)in)[len / 2] != 0xee;
        MPI_Isend(out, len, MPI_BYTE, behind, 0, MPI_COMM_WORLD, q + 1);
        if (proc_rank == turn % 2) {
            check(turn < 2 || !is_there); /* the first one of each rank may be the one that teaches it */
            check(((volatile unsigned char *)in)[len / 2] == byte_of(before, turn, 0, len / 2));
        }
        MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
        look(turn, 1, len);
    }
}

/* A sender is free as soon as a receive that no sends follow finds its message kept here. */
static void frees_sender(void)
{
    char path[] = "/tmp/hawser-later-XXXXXX";
    int len = 400000, rank = proc_rank, fd = rank == 0 ? mkstemp(path) : -1;
    MPI_Comm here = MPI_COMM_WORLD;
    MPI_Request r;
    MPI_Bcast(path, sizeof path, MPI_CHAR, 0, here);
    fd = rank == 0 ? fd : open(path, O_RDWR);
    check(fd >= 0 && (rank > 0 || ftruncate(fd, sizeof(int)) == 0));
    MPI_Barrier(here);
    if (rank == 0)
        unlink(path);
    int *word = mmap(NULL, sizeof(int), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    check(word != MAP_FAILED);
    for (int turn = 0; turn < 4 && rank < 2; turn++) {
        __atomic_store_n(word, 0, __ATOMIC_SEQ_CST);
        MPI_Sendrecv(NULL, 0, MPI_INT, 1 - rank, 1, NULL, 0, MPI_INT, 1 - rank, 1, here, MPI_STATUS_IGNORE);
        if (rank == 0) {
            MPI_Isend(out, len, MPI_BYTE, 1, 2, here, &r);
            MPI_Wait(&r, MPI_STATUS_IGNORE);
            __atomic_store_n(word, 1, __ATOMIC_SEQ_CST);
        } else {
            MPI_Probe(0, 2, here, MPI_STATUS_IGNORE);
            MPI_Irecv(in, len, MPI_BYTE, 0, 2, here, &r);
            for (int i = 0; turn > 0 && i < 100000 && __atomic_load_n(word, __ATOMIC_SEQ_CST) == 0; i++)
                nap(100); /* the first turn may still put it off */
            check(turn == 0 || __atomic_load_n(word, __ATOMIC_SEQ_CST) == 1);
            MPI_Wait(&r, MPI_STATUS_IGNORE);
        }
        MPI_Sendrecv(NULL, 0, MPI_INT, 1 - rank, 3, NULL, 0, MPI_INT, 1 - rank, 3, here, MPI_STATUS_IGNORE);
    }
    munmap(word, sizeof(int));
    close(fd);
}

int main(int argc, char **argv)
{
    proc_begin(&argc, &argv);
    before = (proc_rank + proc_size - 1) % proc_size;
    behind = (proc_rank + 1) % proc_size;
    out = malloc((size_t)4 * ROOM);
    in = malloc((size_t)4 * ROOM);
    exchanges();
    odd_ones();
    if (proc_size % 2 == 0)
        one_way();
    other_calls();
    if (argc > 1) {
        puts_off();
        frees_sender();
    }
    free(out);
    free(in);
    return proc_end();
}
