/* SPDX-License-Identifier: BSD-3-Clause
 *
 * kinds: all ways to send one message: the modes, persistent and partitioned requests, cancelled ones, several threads.
 */
#ifndef HWS_CAMPAIGN_KINDS_H
#define HWS_CAMPAIGN_KINDS_H

#include "campaign/flows.h"

enum { N_THREADS = 3 };

/* Sends one message in the mode that its number names; the receiver has told when its receive is posted, if it must be.
 */
static void send_in_mode(void *buffer, int n, int to, int mode)
{
    MPI_Request r = MPI_REQUEST_NULL;
    switch (mode) {
    case 0:
        MPI_Send(buffer, n, MPI_BYTE, to, TAG_MODE, MPI_COMM_WORLD);
        break;
    case 1:
        MPI_Ssend(buffer, n, MPI_BYTE, to, TAG_MODE, MPI_COMM_WORLD);
        break;
    case 2:
        MPI_Bsend(buffer, n, MPI_BYTE, to, TAG_MODE, MPI_COMM_WORLD);
        break;
    case 3:
        MPI_Recv(NULL, 0, MPI_BYTE, to, TAG_START, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Rsend(buffer, n, MPI_BYTE, to, TAG_MODE, MPI_COMM_WORLD);
        break;
    case 4:
        MPI_Isend(buffer, n, MPI_BYTE, to, TAG_MODE, MPI_COMM_WORLD, &r);
        break;
    case 5:
        MPI_Issend(buffer, n, MPI_BYTE, to, TAG_MODE, MPI_COMM_WORLD, &r);
        break;
    case 6:
        MPI_Ibsend(buffer, n, MPI_BYTE, to, TAG_MODE, MPI_COMM_WORLD, &r);
        break;
    default:
        MPI_Recv(NULL, 0, MPI_BYTE, to, TAG_START, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Irsend(buffer, n, MPI_BYTE, to, TAG_MODE, MPI_COMM_WORLD, &r);
    }
    MPI_Wait(&r, MPI_STATUS_IGNORE);
}

/* One half sends, the other receives; the buffer of buffered sends holds only one of them. */
static void run_modes(const struct phase *ph)
{
    int peer = across(), sends = (proc_rank < proc_size / 2) ^ (ph->key >> 8 & 1),
        room = (int)ph->max + MPI_BSEND_OVERHEAD;
    if (peer < 0)
        return;
    char *buffer = allocate((size_t)ph->max), *attached = allocate((size_t)room);
    for (int k = 0; k < ph->count; k++) {
        uint64_t key = key_of(ph, sends ? proc_rank : peer, sends ? peer : proc_rank, k);
        int mode = (int)(words_mix(key) % 8);
        think(ph, k);
        if (sends) {
            fill(ph, buffer, proc_rank, peer, k);
            MPI_Buffer_attach(attached, room);
            send_in_mode(buffer, (int)size_of(ph, key), peer, mode);
            MPI_Buffer_detach(&(void *){NULL}, &(int){0});
            meter_done(size_of(ph, key));
        } else {
            MPI_Request r;
            MPI_Status status;
            MPI_Irecv(buffer, (int)ph->max, MPI_BYTE, peer, TAG_MODE, MPI_COMM_WORLD, &r);
            if (mode % 4 == 3)
                MPI_Send(NULL, 0, MPI_BYTE, peer, TAG_START, MPI_COMM_WORLD);
            MPI_Wait(&r, &status);
            verify(ph, buffer, bytes_of(&status), peer, proc_rank, k);
            meter_done(bytes_of(&status));
        }
    }
    free(buffer);
    free(attached);
}

/* A ring of requests made once; the length is the same in all turns, the contents are not. */
static void run_persistent(const struct phase *ph)
{
    int right = (proc_rank + 1) % proc_size, left = (proc_rank + proc_size - 1) % proc_size;
    int n = (int)size_of(ph, ph->key);
    char *out = allocate((size_t)n), *in = allocate((size_t)n);
    MPI_Request r[2];
    if (ph->key & 1)
        MPI_Ssend_init(out, n, MPI_BYTE, right, TAG_FLOW, MPI_COMM_WORLD, &r[0]);
    else
        MPI_Send_init(out, n, MPI_BYTE, right, TAG_FLOW, MPI_COMM_WORLD, &r[0]);
    MPI_Recv_init(in, n, MPI_BYTE, left, TAG_FLOW, MPI_COMM_WORLD, &r[1]);
    for (int k = 0; k < ph->count; k++) {
        think(ph, k);
        words_fill(out, n, key_of(ph, proc_rank, right, k), 1);
        MPI_Startall(2, r);
        MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
        verify_words(in, n, key_of(ph, left, proc_rank, k), 1, k);
        meter_done(n);
    }
    MPI_Request_free(&r[0]);
    MPI_Request_free(&r[1]);
    free(out);
    free(in);
}

/* The same cut into partitions, into others at the receiver; they become ready from the last to the first. */
static void run_partitioned(const struct phase *ph)
{
    int right = (proc_rank + 1) % proc_size, left = (proc_rank + proc_size - 1) % proc_size;
    int n_out = 1 << ph->key % 5, n_in = 1 << (ph->key >> 4) % 5, words = (int)(size_of(ph, ph->key) / 8 & ~15L);
    char *out = allocate((size_t)words * 8), *in = allocate((size_t)words * 8);
    MPI_Request r[2];
    MPI_Psend_init(out, n_out, words / n_out, MPI_UINT64_T, right, TAG_PART, MPI_COMM_WORLD, MPI_INFO_NULL, &r[0]);
    MPI_Precv_init(in, n_in, words / n_in, MPI_UINT64_T, left, TAG_PART, MPI_COMM_WORLD, MPI_INFO_NULL, &r[1]);
    for (int k = 0; k < ph->count; k++) {
        words_fill(out, words * 8, key_of(ph, proc_rank, right, k), 1);
        MPI_Startall(2, r);
        for (int i = n_out - 1; i >= 0; i--) {
            if (i == n_out / 2)
                think(ph, k);
            MPI_Pready(i, r[0]);
        }
        for (int has_come = k % 2; !has_come; usleep(100))
            MPI_Parrived(r[1], n_in - 1, &has_come);
        MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
        verify_words(in, words * 8, key_of(ph, left, proc_rank, k), 1, k);
        meter_done(words * 8);
    }
    MPI_Request_free(&r[0]);
    MPI_Request_free(&r[1]);
    free(out);
    free(in);
}

/* ---- cancelled ---- */

/* The rank this one is paired with on another host, where sends can be cancelled; -1: it has none. */
static int elsewhere(void)
{
    int host = proc_rank / opt.n_per_host ^ 1;
    return host < proc_size / opt.n_per_host ? host * opt.n_per_host + proc_rank % opt.n_per_host : -1;
}

/* Cancels a request; whether it was in time. */
static int cancel(MPI_Request *r, MPI_Status *status)
{
    int is_cancelled = -1;
    MPI_Cancel(r);
    MPI_Wait(r, status);
    MPI_Test_cancelled(status, &is_cancelled);
    return is_cancelled;
}

/* Both send a message and cancel it, some while it is being received. It comes whole or not at all, as its sender is
 * told. */
static void cancel_one(const struct phase *ph, int peer, long k, char *out, char *in)
{
    MPI_Request s, r = MPI_REQUEST_NULL;
    MPI_Status status;
    int is_posted = words_mix(ph->key + (uint64_t)k) % 2, mine, theirs = -1,
        n = (int)size_of(ph, key_of(ph, proc_rank, peer, k));
    if (is_posted)
        MPI_Irecv(in, (int)ph->max, MPI_BYTE, peer, TAG_CANCEL, MPI_COMM_WORLD, &r);
    fill(ph, out, proc_rank, peer, k);
    MPI_Isend(out, n, MPI_BYTE, peer, TAG_CANCEL, MPI_COMM_WORLD, &s);
    think(ph, k);
    mine = cancel(&s, &status);
    MPI_Sendrecv(&mine, 1, MPI_INT, peer, TAG_RESULT, &theirs, 1, MPI_INT, peer, TAG_RESULT, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    if (theirs && is_posted) {
        if (!cancel(&r, &status))
            give_up("a message came though it was cancelled", k);
    } else if (!theirs) {
        if (!is_posted)
            MPI_Irecv(in, (int)ph->max, MPI_BYTE, peer, TAG_CANCEL, MPI_COMM_WORLD, &r);
        MPI_Wait(&r, &status);
        verify(ph, in, bytes_of(&status), peer, proc_rank, k);
    }
    meter_done(theirs ? 0 : size_of(ph, key_of(ph, peer, proc_rank, k)));
    /* The next message must not meet this receive. */
    MPI_Sendrecv(NULL, 0, MPI_BYTE, peer, TAG_RESULT, NULL, 0, MPI_BYTE, peer, TAG_RESULT, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
}

static void run_cancel(const struct phase *ph)
{
    int peer = elsewhere();
    char *out = allocate((size_t)ph->max), *in = allocate((size_t)ph->max);
    for (int k = 0; k < ph->count && peer >= 0; k++)
        cancel_one(ph, peer, k, out, in);
    free(out);
    free(in);
}

/* ---- threads ---- */

struct thread {
    const struct phase *ph;
    int number;
};

/* Each thread has a ring of its own, whose neighbours are so many ranks away. */
static void *thread_run(void *arg)
{
    const struct thread *t = arg;
    struct phase ph = *t->ph;
    int step = 1 + t->number % (proc_size - 1), tag = TAG_THREAD + t->number;
    int to = (proc_rank + step) % proc_size, from = (proc_rank + proc_size - step) % proc_size;
    char *out = allocate((size_t)ph.max), *in = allocate((size_t)ph.max);
    ph.key += (uint64_t)t->number;
    meter_expect(ph.name, now());
    for (int k = 0; k < ph.count; k++) {
        MPI_Status status;
        think(&ph, k);
        fill(&ph, out, proc_rank, to, k);
        MPI_Sendrecv(out, (int)size_of(&ph, key_of(&ph, proc_rank, to, k)), MPI_BYTE, to, tag, in, (int)ph.max,
                     MPI_BYTE, from, tag, MPI_COMM_WORLD, &status);
        verify(&ph, in, bytes_of(&status), from, proc_rank, k);
        meter_done(bytes_of(&status));
    }
    free(out);
    free(in);
    return NULL;
}

static void run_threads(const struct phase *ph)
{
    pthread_t threads[N_THREADS];
    struct thread args[N_THREADS];
    for (int i = 0; i < N_THREADS; i++) {
        args[i] = (struct thread){ph, i};
        if (pthread_create(&threads[i], NULL, thread_run, &args[i]))
            give_up("no thread", i);
    }
    for (int i = 0; i < N_THREADS; i++)
        pthread_join(threads[i], NULL);
}

#endif
