/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A generalized request that another thread completes while this one sleeps in MPI_Wait or MPI_Waitall, next to a
 * receive.
 */
#include "proc.h"

#include <pthread.h>
#include <time.h>

static int n_query, n_free;

static int query(void *extra, MPI_Status *st)
{
    (void)extra;
    n_query++;
    MPI_Status_set_elements(st, MPI_INT, 5);
    MPI_Status_set_cancelled(st, 0);
    st->MPI_SOURCE = 77;
    st->MPI_TAG = 78;
    return MPI_SUCCESS;
}

static int free_it(void *extra)
{
    n_free += *(int *)extra == 4711;
    return MPI_SUCCESS;
}

static int cancel(void *extra, int complete)
{
    (void)extra, (void)complete;
    return MPI_SUCCESS;
}

static void *complete_later(void *arg)
{
    nanosleep(&(struct timespec){0, 100000000}, NULL);
    MPI_Grequest_complete(*(MPI_Request *)arg);
    return NULL;
}

int main(int argc, char **argv)
{
    int level, extra = 4711, in = -1, n = 0;
    MPI_Request r[2], copy;
    MPI_Status st[2];
    pthread_t th;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &proc_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &proc_size);
    for (int k = 0; k < 2; k++) {
        MPI_Grequest_start(query, free_it, cancel, &extra, &r[0]);
        copy = r[0];
        pthread_create(&th, NULL, complete_later, &copy);
        MPI_Irecv(&in, 1, MPI_INT, proc_rank ^ 1, k, MPI_COMM_WORLD, &r[1]);
        MPI_Send(&proc_rank, 1, MPI_INT, proc_rank ^ 1, k, MPI_COMM_WORLD);
        if (k) {
            MPI_Waitall(2, r, st);
        } else {
            MPI_Wait(&r[0], &st[0]);
            MPI_Wait(&r[1], &st[1]);
        }
        pthread_join(th, NULL);
        check_eq(n_query, k + 1);
        check_eq(n_free, k + 1);
        check_eq(st[0].MPI_SOURCE, 77);
        MPI_Get_count(&st[0], MPI_INT, &n);
        check_eq(n, 5);
        check_eq(in, proc_rank ^ 1);
    }
    return proc_end();
}
