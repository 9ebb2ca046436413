/* SPDX-License-Identifier: BSD-3-Clause
 *
 * behind: receives are started while their messages may have come already, behind others that are still waiting: each
 * takes the first message that fits it and no older one (MPI 5.0 section 3.5). As all messages are of one sender, which
 * one that is does not hang on the moment. With two threads each has a communicator, and the receives of both are
 * waiting at once.
 */
#include "../../support/seed.h"
#include "proc.h"

#include <pthread.h>

enum { ROUNDS = 400, N = 96, N_TAGS = 3, THREADS = 2 };

struct way {
    MPI_Comm comm;
    unsigned seed; /* the same on both ranks */
};

static unsigned draw(unsigned *seed, unsigned below)
{
    *seed = *seed * 1103515245u + 12345u;
    return (*seed >> 16) % below;
}

/* Now the one is ahead, now the other. */
static void pause_at_times(unsigned *seed)
{
    for (volatile unsigned n = draw(seed, 8) == 0 ? draw(seed, 4000) : 0; n > 0; n--)
        ;
}

static void draw_tags(struct way *w, int *tags)
{
    for (int i = 0; i < N; i++)
        tags[i] = (int)draw(&w->seed, N_TAGS);
}

static void send_all(struct way *w, unsigned *own)
{
    static _Thread_local int data[N], tags[N];
    MPI_Request r[N];
    draw_tags(w, tags);
    for (int i = 0; i < N; i++) {
        data[i] = i;
        pause_at_times(own);
        MPI_Isend(&data[i], 1, MPI_INT, 1, tags[i], w->comm, &r[i]);
    }
    MPI_Waitall(N, r, MPI_STATUSES_IGNORE);
}

/* The first message that no receive has taken and that has this tag, or any; it is taken now. */
static int take(const int *tags, int *taken, int tag)
{
    int i = 0;
    while (taken[i] || (tag != MPI_ANY_TAG && tags[i] != tag))
        i++;
    taken[i] = 1;
    return i;
}

/* The tag of one of the next few messages, or any. */
static int choose(unsigned *seed, const int *tags, const int *taken)
{
    int first = 0, at;
    while (taken[first])
        first++;
    if (draw(seed, 4) == 0)
        return MPI_ANY_TAG;
    at = first + (int)draw(seed, 8);
    return at < N && !taken[at] ? tags[at] : tags[first];
}

static void recv_all(struct way *w, unsigned *own)
{
    int got[N], tags[N], want[N], taken[N] = {0};
    MPI_Request r[N];
    draw_tags(w, tags);
    for (int i = 0; i < N; i++) {
        int tag = choose(own, tags, taken), source = draw(own, 4) == 0 ? MPI_ANY_SOURCE : 0;
        pause_at_times(own);
        want[i] = take(tags, taken, tag);
        MPI_Irecv(&got[i], 1, MPI_INT, source, tag, w->comm, &r[i]);
    }
    MPI_Waitall(N, r, MPI_STATUSES_IGNORE);
    int i = 0;
    while (i < N - 1 && got[i] == want[i])
        i++;
    check_eq(got[i], want[i]);
}

static void *run(void *arg)
{
    struct way *w = arg;
    unsigned own = w->seed ^ 0x5555;
    for (int i = 0, n = hws_test_rounds(ROUNDS); i < n; i++) {
        if (proc_rank == 0)
            send_all(w, &own);
        else
            recv_all(w, &own);
        if (i % 16 == 0)
            MPI_Barrier(w->comm);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    struct way ways[THREADS];
    pthread_t threads[THREADS];
    int level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &proc_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &proc_size);
    for (int i = 0; i < THREADS; i++) {
        ways[i].seed = 7u + (unsigned)i;
        MPI_Comm_dup(MPI_COMM_WORLD, &ways[i].comm);
    }
    run(&ways[0]);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, run, &ways[i]);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++)
        MPI_Comm_free(&ways[i].comm);
    return proc_end();
}
