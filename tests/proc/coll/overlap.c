/* SPDX-License-Identifier: BSD-3-Clause
 *
 * overlap: many nonblocking collectives outstanding at once, waited for in another order than they were started, mixed
 * with blocking ones and point-to-point on the same communicator; types and operations freed before the end; persistent
 * ones started in different order by different ranks.
 */
#include "proc.h"

#define MANY 40
#define LEN  300

static int in[MANY][LEN], out[MANY][LEN];

static void test_many(void)
{
    MPI_Request req[MANY];
    int r = proc_rank, n = proc_size;
    for (int k = 0; k < MANY; k++)
        for (int i = 0; i < LEN; i++) {
            in[k][i] = k * 1000 + i + r;
            out[k][i] = k % 2 && k % n == r ? k - i : -1; /* odd ones are broadcasts from k % n */
        }
    for (int k = 0; k < MANY; k++) {
        if (k % 2)
            MPI_Ibcast(out[k], LEN, MPI_INT, k % n, MPI_COMM_WORLD, &req[k]);
        else
            MPI_Iallreduce(in[k], out[k], LEN, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &req[k]);
    }
    int token = r, got = -1, sum = 0, one = 1;
    MPI_Sendrecv(&token, 1, MPI_INT, (r + 1) % n, 3, &got, 1, MPI_INT, (r + n - 1) % n, 3, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    check_eq(got, (r + n - 1) % n);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    check_eq(sum, n);
    for (int k = MANY - 1; k >= 0; k--)
        check_eq(MPI_Wait(&req[(k * 7 + r) % MANY], MPI_STATUS_IGNORE), MPI_SUCCESS);
    for (int k = 0; k < MANY; k++)
        for (int i = 0; i < LEN; i++) {
            int want = k % 2 ? k - i : n * (k * 1000 + i) + n * (n - 1) / 2;
            if (out[k][i] != want) {
                check_eq(out[k][i], want);
                break;
            }
        }
}

static void add(void *x, void *y, int *len, MPI_Datatype *t)
{
    (void)t;
    for (int i = 0; i < *len; i++)
        ((int *)y)[i] += ((int *)x)[i];
}

static void test_freed_early(void)
{
    MPI_Datatype type;
    MPI_Op op;
    MPI_Request req[2];
    MPI_Type_contiguous(1, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Op_create(add, 1, &op);
    MPI_Iallreduce(in[0], out[0], LEN, type, op, MPI_COMM_WORLD, &req[0]);
    MPI_Ialltoall(in[1], 1, type, out[1], 1, type, MPI_COMM_WORLD, &req[1]);
    MPI_Op_free(&op);
    MPI_Type_free(&type);
    MPI_Waitall(2, req, MPI_STATUSES_IGNORE);
    for (int i = 0; i < LEN; i++)
        if (out[0][i] != proc_size * i + proc_size * (proc_size - 1) / 2) {
            check_eq(out[0][i], proc_size * i + proc_size * (proc_size - 1) / 2);
            break;
        }
}

static void test_persistent(void)
{
    MPI_Request req[2];
    int x = 0, y = 0, sum = 0, max = 0;
    MPI_Allreduce_init(&x, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &req[0]);
    MPI_Allreduce_init(&y, &max, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD, MPI_INFO_NULL, &req[1]);
    for (int round = 0; round < 20; round++) {
        x = round + proc_rank;
        y = round * proc_rank;
        MPI_Start(&req[proc_rank % 2]); /* MPI 5.0 section 6.13: the order of starts is free */
        MPI_Start(&req[!(proc_rank % 2)]);
        MPI_Waitall(2, req, MPI_STATUSES_IGNORE);
        check_eq(sum, proc_size * round + proc_size * (proc_size - 1) / 2);
        check_eq(max, round * (proc_size - 1));
    }
    MPI_Request_free(&req[0]);
    MPI_Request_free(&req[1]);
}

/* Starting must not wait: rank 0 starts its barrier only after a message that others send after they started theirs. */
static void test_starts_locally(void)
{
    MPI_Request req;
    int token = 0;
    MPI_Comm fresh;
    MPI_Comm_dup(MPI_COMM_WORLD, &fresh);
    if (proc_rank == 0)
        for (int i = 1; i < proc_size; i++)
            MPI_Recv(&token, 1, MPI_INT, i, 9, fresh, MPI_STATUS_IGNORE);
    MPI_Ibarrier(fresh, &req);
    if (proc_rank > 0)
        MPI_Send(&token, 1, MPI_INT, 0, 9, fresh);
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    MPI_Comm_free(&fresh);
}

int main(int argc, char **argv)
{
    proc_begin(&argc, &argv);
    test_many();
    for (int k = 0; k < MANY; k++)
        for (int i = 0; i < LEN; i++)
            in[k][i] = i + proc_rank;
    test_freed_early();
    test_persistent();
    test_starts_locally();
    return proc_end();
}
