/* SPDX-License-Identifier: BSD-3-Clause
 *
 * multicast: broadcasts between hosts bring the right bytes, of all sizes, from all roots, of types with gaps, in all
 * three forms; while others compute; and end with MPI_ERR_PROC_ABORTED where the root or a receiver dies in the middle.
 * So do the other collectives that multicast serves. The same must hold where multicast is not to be had. Arguments:
 * "content", "others" (collectives), "lossy" (so much that unicast is faster), "late", "counters", "root", "receiver"
 * or "member" (who dies; the last one in an allgather).
 */
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "../tools/tool.h"
#include "outlive.h"
#include "proc.h"

#define LONGEST (1 << 20)

static unsigned char byte_of(long i, int salt)
{
    return (unsigned char)(i * 31 + i / 251 + salt);
}

static void check_bytes(const unsigned char *got, long n, int salt)
{
    long wrong = 0;
    while (wrong < n && got[wrong] == byte_of(wrong, salt))
        wrong++;
    check_eq(wrong, n);
}

static void bcast(unsigned char *buf, long n, int root, int salt)
{
    for (long i = 0; i < n; i++)
        buf[i] = proc_rank == root ? byte_of(i, salt) : 0;
    check_eq(MPI_Bcast(buf, (int)n, MPI_BYTE, root, MPI_COMM_WORLD), MPI_SUCCESS);
    check_bytes(buf, n, salt);
}

/* Every second int of an array. */
static void gaps(int root)
{
    enum { N = 30000 };
    static int data[2 * N];
    MPI_Datatype t;
    MPI_Type_vector(N, 1, 2, MPI_INT, &t);
    MPI_Type_commit(&t);
    for (int i = 0; i < 2 * N; i++)
        data[i] = proc_rank == root ? i : -1;
    check_eq(MPI_Bcast(data, 1, t, root, MPI_COMM_WORLD), MPI_SUCCESS);
    int wrong = 0;
    for (int i = 0; i < 2 * N; i++)
        wrong += data[i] != (proc_rank == root || i % 2 == 0 ? i : -1);
    check_eq(wrong, 0);
    MPI_Type_free(&t);
}

/* Several at once, ended in another order; and a request that is started again and again, with others between. */
static void nonblocking(void)
{
    enum { N = 8, LEN = 30000 };
    static unsigned char buf[N][LEN];
    MPI_Request req[N];
    for (int k = 0; k < N; k++) {
        for (long i = 0; i < LEN; i++)
            buf[k][i] = proc_rank == k % proc_size ? byte_of(i, k) : 0;
        MPI_Ibcast(buf[k], LEN, MPI_BYTE, k % proc_size, MPI_COMM_WORLD, &req[k]);
    }
    for (int k = N - 1; k >= 0; k--) {
        check_eq(MPI_Wait(&req[k], MPI_STATUS_IGNORE), MPI_SUCCESS);
        check_bytes(buf[k], LEN, k);
    }
    for (int k = 0; k < 2; k++)
        MPI_Bcast_init(buf[k], LEN >> (5 * k), MPI_BYTE, k, MPI_COMM_WORLD, MPI_INFO_NULL, &req[k]);
    for (int run = 0; run < 40; run++) {
        for (int k = 0; k < 2; k++)
            for (long i = 0; i < LEN; i++)
                buf[k][i] = proc_rank == k ? byte_of(i, run + k) : 0;
        MPI_Startall(2, req);
        check_eq(MPI_Waitall(2, req, MPI_STATUSES_IGNORE), MPI_SUCCESS);
        check_bytes(buf[0], LEN, run);
        check_bytes(buf[1], LEN >> 5, run + 1);
    }
    MPI_Request_free(&req[0]);
    MPI_Request_free(&req[1]);
}

static void content(void)
{
    unsigned char *buf = malloc(LONGEST);
    MPI_Comm dup;
    for (int root = 0; root < proc_size; root++) {
        for (long n = 1; n <= LONGEST; n = n * 5 + 3)
            bcast(buf, n, root, root);
        bcast(buf, 1384, root, 7);
        bcast(buf, 2 * 1384, root, 8);
        gaps(root);
    }
    for (int i = 0; i < 300; i++) /* nobody waits between them */
        bcast(buf, 100 + i * 20, i % proc_size, i);
    nonblocking();
    MPI_Comm_dup(MPI_COMM_WORLD, &dup);
    int word = proc_rank == 0 ? 42 : 0;
    check_eq(MPI_Bcast(&word, 1, MPI_INT, 0, dup), MPI_SUCCESS);
    check_eq(word, 42);
    MPI_Comm_free(&dup);
    free(buf);
}

/* ---- other collectives: `form` 0 blocking, 1 nonblocking, 2 persistent ---- */

static void finish(MPI_Request *req, int form)
{
    if (form == 2)
        check_eq(MPI_Start(req), MPI_SUCCESS);
    if (form)
        check_eq(MPI_Wait(req, MPI_STATUS_IGNORE), MPI_SUCCESS);
    if (form == 2)
        MPI_Request_free(req);
}

static unsigned char *blocks, *mine;

static void allgather(int n, int form)
{
    MPI_Request req;
    memset(blocks, 0, (size_t)n * (size_t)proc_size);
    for (int i = 0; i < n; i++)
        mine[i] = byte_of(i, proc_rank + n);
    if (form == 0)
        MPI_Allgather(mine, n, MPI_BYTE, blocks, n, MPI_BYTE, MPI_COMM_WORLD);
    else if (form == 1)
        MPI_Iallgather(mine, n, MPI_BYTE, blocks, n, MPI_BYTE, MPI_COMM_WORLD, &req);
    else
        MPI_Allgather_init(mine, n, MPI_BYTE, blocks, n, MPI_BYTE, MPI_COMM_WORLD, MPI_INFO_NULL, &req);
    finish(&req, form);
    for (int r = 0; r < proc_size; r++)
        check_bytes(blocks + (size_t)r * (size_t)n, n, r + n);
}

/* Rank r has r * n bytes, in place; rank 0 none. */
static void allgatherv(int n, int form)
{
    MPI_Request req;
    int counts[16], at[16], next = 0;
    for (int r = 0; r < proc_size; r++, next += counts[r - 1] + 1) {
        counts[r] = r * n;
        at[r] = next;
    }
    memset(blocks, 0, (size_t)next);
    for (int i = 0; i < counts[proc_rank]; i++)
        blocks[at[proc_rank] + i] = byte_of(i, proc_rank);
    if (form == 0)
        MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_BYTE, blocks, counts, at, MPI_BYTE, MPI_COMM_WORLD);
    else if (form == 1)
        MPI_Iallgatherv(MPI_IN_PLACE, 0, MPI_BYTE, blocks, counts, at, MPI_BYTE, MPI_COMM_WORLD, &req);
    else
        MPI_Allgatherv_init(MPI_IN_PLACE, 0, MPI_BYTE, blocks, counts, at, MPI_BYTE, MPI_COMM_WORLD, MPI_INFO_NULL,
                            &req);
    finish(&req, form);
    for (int r = 0; r < proc_size; r++)
        check_bytes(blocks + at[r], counts[r], r);
}

static void allreduce(int n, int form)
{
    MPI_Request req;
    int *in = (int *)mine, *out = (int *)blocks, wrong = 0;
    for (int i = 0; i < n; i++)
        in[i] = i * (proc_rank + 1);
    if (form == 0)
        MPI_Allreduce(in, out, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    else if (form == 1)
        MPI_Iallreduce(in, out, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &req);
    else
        MPI_Allreduce_init(in, out, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &req);
    finish(&req, form);
    for (int i = 0; i < n; i++)
        wrong += out[i] != i * (proc_size * (proc_size + 1) / 2);
    check_eq(wrong, 0);
}

static void scatter(int n, int root, int form)
{
    MPI_Request req;
    for (int r = 0; r < proc_size && proc_rank == root; r++)
        for (int i = 0; i < n; i++)
            blocks[r * n + i] = byte_of(i, r + root);
    memset(mine, 0, (size_t)n);
    if (form == 0)
        MPI_Scatter(blocks, n, MPI_BYTE, mine, n, MPI_BYTE, root, MPI_COMM_WORLD);
    else if (form == 1)
        MPI_Iscatter(blocks, n, MPI_BYTE, mine, n, MPI_BYTE, root, MPI_COMM_WORLD, &req);
    else
        MPI_Scatter_init(blocks, n, MPI_BYTE, mine, n, MPI_BYTE, root, MPI_COMM_WORLD, MPI_INFO_NULL, &req);
    finish(&req, form);
    check_bytes(mine, n, proc_rank + root);
}

static void barrier(int form)
{
    MPI_Request req;
    if (form == 0)
        MPI_Barrier(MPI_COMM_WORLD);
    else if (form == 1)
        MPI_Ibarrier(MPI_COMM_WORLD, &req);
    else
        MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &req);
    finish(&req, form);
}

static void others(void)
{
    enum { MOST = 100000 };
    blocks = malloc(MOST * (size_t)proc_size * (size_t)proc_size);
    mine = malloc(MOST);
    for (int n = 1; n < MOST / 4; n = n * 9 + 2)
        for (int form = 0; form < 3; form++) {
            barrier(form);
            allgather(n, form);
            allgatherv(n, form);
            allreduce(n, form);
            for (int root = 0; root < proc_size; root++)
                scatter(n, root, form);
        }
    allgather(MOST, 0);             /* in turns */
    for (int i = 0; i < 100; i++) { /* nobody waits between them */
        allgather(i + 1, 0);
        barrier(0);
        allreduce(i * 20, 0);
    }
    free(blocks);
    free(mine);
}

/* A root that goes on to compute has its messages sent again by the library, and receivers that compute take them. */
static void late(void)
{
    unsigned char *buf = malloc(LONGEST);
    for (int i = 0; i < 20; i++) {
        if (i % 4 == proc_rank % 4)
            usleep(20000);
        bcast(buf, 50000, 0, i);
        bcast(buf, 10, proc_size - 1, i);
    }
    free(buf);
}

/* One rank a host: each packet of each root is sent once and comes once to each other one, whatever is lost. */
static void counters(void)
{
    enum { LEN = 100000, PAYLOAD = 1384 };
    unsigned char *buf = malloc(LEN);
    unsigned long long packets = (LEN + PAYLOAD - 1) / PAYLOAD, out, in;
    MPI_T_init_thread(MPI_THREAD_SINGLE, &(int){0});
    out = read_counter("multicast_packets");
    in = read_counter("multicast_received");
    for (int root = 0; root < proc_size; root++)
        bcast(buf, LEN, root, root);
    MPI_Barrier(MPI_COMM_WORLD); /* the last root's message has left */
    check_eq(read_counter("multicast_packets") - out, packets);
    check_eq(read_counter("multicast_received") - in, packets * (unsigned)(proc_size - 1));
    check(read_counter("multicast_reports") > 0);
    check_eq(read_counter("multicast_foreign"), 0);
    MPI_T_finalize();
    free(buf);
}

/* All give multicast up at the same call. */
static void lossy(void)
{
    enum { LEN = 50000, TIMES = 200 };
    unsigned char *buf = malloc(LEN);
    MPI_T_init_thread(MPI_THREAD_SINGLE, &(int){0});
    for (int i = 0; i < TIMES; i++)
        bcast(buf, LEN, i % proc_size, i);
    MPI_Barrier(MPI_COMM_WORLD);
    unsigned long long out = read_counter("multicast_packets");
    check(out > 0);
    for (int i = 0; i < 2 * proc_size; i++)
        bcast(buf, LEN, i % proc_size, i);
    check_eq(read_counter("multicast_packets"), out);
    MPI_T_finalize();
    free(buf);
}

static void *die(void *arg)
{
    usleep(300000);
    kill(getpid(), SIGKILL);
    return arg;
}

#define NOBODY (-1)

/* Who is left tells rank 0 what it saw. root NOBODY: in an allgather. */
static void death(int root, int dead)
{
    size_t len = 64 << 20;
    char *buf = calloc(len, 1);
    pthread_t thread;
    int cls = MPI_SUCCESS, word = 0;
    MPI_Bcast(&word, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (proc_rank == dead)
        pthread_create(&thread, NULL, die, NULL);
    int rc = root == NOBODY
                 ? MPI_Allgather(MPI_IN_PLACE, 0, MPI_BYTE, buf, (int)len / proc_size, MPI_BYTE, MPI_COMM_WORLD)
                 : MPI_Bcast(buf, (int)len, MPI_BYTE, root, MPI_COMM_WORLD);
    MPI_Error_class(rc, &cls);
    if (dead == root || proc_rank == root || root == NOBODY)
        check_eq(cls, MPI_ERR_PROC_ABORTED);
    int n = proc_rank == 0 ? proc_size - 2 : 0, failures = proc_failures;
    if (proc_rank != 0)
        MPI_Send(&proc_failures, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    while (n > 0) {
        MPI_Status st;
        int flag, other;
        MPI_Iprobe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &flag, &st);
        if (!flag)
            continue;
        MPI_Recv(&other, 1, MPI_INT, st.MPI_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        failures += other;
        n--;
    }
    if (proc_rank == 0)
        MPI_Abort(MPI_COMM_WORLD, failures ? 1 : 42);
    for (;;)
        pause();
}

static int be_rank(const char *what)
{
    proc_begin(&(int){0}, &(char **){NULL});
    if (strcmp(what, "root") == 0)
        death(proc_size - 1, proc_size - 1);
    else if (strcmp(what, "receiver") == 0)
        death(0, 2);
    else if (strcmp(what, "member") == 0)
        death(NOBODY, 2);
    else if (strcmp(what, "others") == 0)
        others();
    else if (strcmp(what, "late") == 0)
        late();
    else if (strcmp(what, "lossy") == 0)
        lossy();
    else if (strcmp(what, "counters") == 0)
        counters();
    else
        content();
    return proc_end();
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "content";
    int dies = strcmp(what, "root") == 0 || strcmp(what, "receiver") == 0 || strcmp(what, "member") == 0;
    return dies ? outlive(be_rank, what) : be_rank(what);
}
