/* SPDX-License-Identifier: BSD-3-Clause
 *
 * multicast: broadcasts between hosts bring the right bytes, of all sizes, from all roots, of types with gaps, in all
 * three forms; while others compute; and end with MPI_ERR_PROC_ABORTED where the root or a receiver dies in the middle.
 * So do the other collectives that multicast serves. The same must hold where multicast is not to be had. Arguments:
 * "content", "others" (collectives), "first" (nonblocking or persistent), "lossy" (so much that unicast is faster),
 * "timed" (enough to be compared with unicast), "itimed" (nonblocking, enough to be looked at), "late", "counters",
 * "root", "receiver" or "member" (who dies; the last one in an allgather), "absentN" (rank N dies before the first
 * one).
 */
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "../tools/tool.h"
#include "outlive.h"
#include "proc.h"

#define LONGEST (1 << 20)
#define UNTRIED 5 /* calls by unicast, before multicast is tried where that was slow */

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

/* What goes in one is not counted for the other. */
static void of_each_communicator(unsigned char *buf, int len, unsigned long long packets)
{
    MPI_Comm comms[2] = {MPI_COMM_WORLD, MPI_COMM_NULL};
    MPI_T_pvar_session s;
    MPI_T_pvar_handle out[2], in[2];
    int count;
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[1]);
    MPI_T_pvar_session_create(&s);
    for (int k = 0; k < 2; k++) {
        out[k] = get_pvar(s, "comm_multicast_packets", MPI_T_PVAR_CLASS_COUNTER, &comms[k], &count);
        check_eq(count, 1);
        in[k] = get_pvar(s, "comm_multicast_received", MPI_T_PVAR_CLASS_COUNTER, &comms[k], &count);
    }
    check_eq(MPI_T_pvar_start(s, MPI_T_PVAR_ALL_HANDLES), MPI_SUCCESS);
    for (int root = 0; root < proc_size; root++)
        MPI_Bcast(buf, len, MPI_BYTE, root, comms[1]);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int k = 0; k < 2; k++) {
        unsigned long long n_out, n_in, factor = (unsigned)k;
        check_eq(MPI_T_pvar_read(s, out[k], &n_out), MPI_SUCCESS);
        check_eq(MPI_T_pvar_read(s, in[k], &n_in), MPI_SUCCESS);
        check_eq(n_out, factor * packets);
        check_eq(n_in, factor * packets * (unsigned)(proc_size - 1));
    }
    MPI_T_pvar_session_free(&s);
    MPI_Comm_free(&comms[1]);
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
    of_each_communicator(buf, LEN, packets);
    MPI_T_finalize();
    free(buf);
}

/* Packets that this rank sends in two broadcasts at once from there on, each from the next root, one persistent run or
 * two nonblocking calls. */
static unsigned long long two_at_once(MPI_Comm comm, int root, bool persistent)
{
    enum { LEN = 50000 };
    static unsigned char buf[2][LEN];
    MPI_Request req[2];
    unsigned long long out = read_counter("multicast_packets");
    for (int k = 0; k < 2; k++) {
        int from = (root + k) % proc_size;
        for (long i = 0; i < LEN; i++)
            buf[k][i] = proc_rank == from ? byte_of(i, root + k) : 0;
        if (persistent)
            MPI_Bcast_init(buf[k], LEN, MPI_BYTE, from, comm, MPI_INFO_NULL, &req[k]);
        else
            MPI_Ibcast(buf[k], LEN, MPI_BYTE, from, comm, &req[k]);
    }
    if (persistent)
        MPI_Startall(2, req);
    MPI_Waitall(2, req, MPI_STATUSES_IGNORE);
    for (int k = 0; k < 2; k++)
        check_bytes(buf[k], LEN, root + k);
    for (int k = 0; persistent && k < 2; k++)
        MPI_Request_free(&req[k]);
    MPI_Barrier(MPI_COMM_WORLD); /* what was sent has left */
    return read_counter("multicast_packets") - out;
}

/* Only the last rank has something for the root: the others do not wait, so this is no call to find out in. */
static void one_part(MPI_Comm comm, int root)
{
    int seven = 7, got = 0, counts[16] = {0}, displs[16] = {0};
    counts[proc_size - 1] = 1;
    MPI_Gatherv(&seven, counts[proc_rank], MPI_INT, &got, counts, displs, MPI_INT, root, comm);
    check_eq(got, proc_rank == root ? 7 : 0);
}

/* A communicator's first calls: persistent ones find out whether there is multicast; nonblocking ones, which may not
 * wait for others, leave it to the next call that may. Who sends is everybody once. */
static void first(void)
{
    MPI_T_init_thread(MPI_THREAD_SINGLE, &(int){0});
    for (int root = 0; root < proc_size; root++) {
        MPI_Comm comm;
        bool sends = proc_rank == root || proc_rank == (root + 1) % proc_size;
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        check_eq(two_at_once(comm, root, true) > 0, sends);
        check_eq(two_at_once(comm, root, false) > 0, sends);
        MPI_Comm_free(&comm);
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        check_eq(two_at_once(comm, root, false), 0);
        if (root % 2)
            MPI_Barrier(comm);
        else
            MPI_Bcast(&(int){0}, 1, MPI_INT, root, comm);
        check_eq(two_at_once(comm, root, false) > 0, sends);
        check_eq(two_at_once(comm, root, true) > 0, sends);
        MPI_Comm_free(&comm);
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        MPI_Bcast(&(int){0}, 1, MPI_INT, root, comm);
        check_eq(two_at_once(comm, root, false), 0);
        one_part(comm, root);
        MPI_Barrier(comm);
        check_eq(two_at_once(comm, root, false) > 0, sends);
        MPI_Comm_free(&comm);
    }
    MPI_T_finalize();
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

/* Multicast, then unicast, then whichever took less time, also in a communicator made of this one. */
static void timed(void)
{
    enum { LEN = 50000, TIMES = 100 };
    unsigned char *buf = malloc(LEN);
    MPI_Comm copy;
    for (int i = 0; i < TIMES; i++) /* the first ones from one root: its interface lets a burst pass, then 12 MB/s */
        bcast(buf, LEN, i < UNTRIED ? 0 : i % proc_size, i);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    for (int i = 0; i < TIMES; i++) {
        memset(buf, proc_rank == i % proc_size ? i : -1, LEN);
        check_eq(MPI_Bcast(buf, LEN, MPI_BYTE, i % proc_size, copy), MPI_SUCCESS);
        check(buf[0] == i && buf[LEN - 1] == i);
    }
    MPI_Comm_free(&copy);
    free(buf);
}

/* The same of nonblocking calls: who waits for each one knows how long unicast takes, as who calls the blocking one. */
static void timed_nonblocking(void)
{
    enum { LEN = 50000, TIMES = 20 };
    unsigned char *buf = malloc(LEN);
    for (int i = 0; i < TIMES; i++) {
        MPI_Request req;
        int root = i < UNTRIED ? 0 : i % proc_size;
        for (long k = 0; k < LEN; k++)
            buf[k] = proc_rank == root ? byte_of(k, i) : 0;
        check_eq(MPI_Ibcast(buf, LEN, MPI_BYTE, root, MPI_COMM_WORLD, &req), MPI_SUCCESS);
        check_eq(MPI_Wait(&req, MPI_STATUS_IGNORE), MPI_SUCCESS);
        check_bytes(buf, LEN, i);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    free(buf);
}

static void *die(void *arg)
{
    usleep(300000);
    kill(getpid(), SIGKILL);
    return arg;
}

#define NOBODY (-1)

/* Who is left tells the first of them what it saw. */
static void compare_failures(int dead)
{
    int first = dead == 0, n = proc_rank == first ? proc_size - 2 : 0, failures = proc_failures;
    if (proc_rank != first)
        MPI_Send(&proc_failures, 1, MPI_INT, first, 1, MPI_COMM_WORLD);
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
    if (proc_rank == first)
        MPI_Abort(MPI_COMM_WORLD, failures ? 1 : 42);
    for (;;)
        pause();
}

/* root NOBODY: in an allgather. */
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
    while (proc_rank == dead)
        pause();
    if (dead == root || proc_rank == root || root == NOBODY)
        check_eq(cls, MPI_ERR_PROC_ABORTED);
    compare_failures(dead);
}

/* One is dead before the others find out whether there is multicast; all of them hear of it. */
static void absent(int dead)
{
    enum { LEN = 1 << 20 };
    char *buf = calloc(LEN, 1);
    int cls = MPI_SUCCESS;
    for (int i = 0; i < UNTRIED; i++)
        check_eq(MPI_Bcast(buf, LEN / 4, MPI_BYTE, 0, MPI_COMM_WORLD), MPI_SUCCESS);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (int i = 1; proc_rank == dead && i < proc_size; i++)
        MPI_Recv(NULL, 0, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (proc_rank == dead)
        kill(getpid(), SIGKILL);
    MPI_Send(NULL, 0, MPI_INT, dead, 2, MPI_COMM_WORLD);
    MPI_Error_class(MPI_Bcast(buf, LEN, MPI_BYTE, (dead + 1) % proc_size, MPI_COMM_WORLD), &cls);
    check_eq(cls, MPI_ERR_PROC_ABORTED);
    free(buf);
    compare_failures(dead);
}

/* Broadcasts until a host's network is cut, as the script does once the file is there; the error ends the job. */
static void until_lost(const char *root)
{
    enum { LEN = 4 << 20 };
    char *buf = calloc(LEN, 1);
    const char *file = getenv("MULTICAST_BEGUN");
    for (int i = 0;; i++) {
        MPI_Bcast(buf, LEN, MPI_BYTE, atoi(root), MPI_COMM_WORLD);
        FILE *begun = i == 3 && file && proc_rank == 0 ? fopen(file, "w") : NULL;
        if (begun)
            fclose(begun);
    }
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
    else if (strncmp(what, "absent", 6) == 0)
        absent(atoi(what + 6));
    else if (strncmp(what, "lost", 4) == 0)
        until_lost(what + 4);
    else if (strcmp(what, "others") == 0)
        others();
    else if (strcmp(what, "first") == 0)
        first();
    else if (strcmp(what, "late") == 0)
        late();
    else if (strcmp(what, "lossy") == 0)
        lossy();
    else if (strcmp(what, "timed") == 0)
        timed();
    else if (strcmp(what, "itimed") == 0)
        timed_nonblocking();
    else if (strcmp(what, "counters") == 0)
        counters();
    else
        content();
    return proc_end();
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "content";
    int dies = strncmp(what, "absent", 6) == 0 || strcmp(what, "root") == 0 || strcmp(what, "receiver") == 0 ||
               strcmp(what, "member") == 0;
    return dies ? outlive(be_rank, what) : be_rank(what);
}
