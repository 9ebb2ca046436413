/* SPDX-License-Identifier: BSD-3-Clause
 *
 * regions: collectives of many communicators of one host, at the same time and one after another: more of them than
 * there are shared areas, parts of the ranks in every order, freed ones whose areas serve others, nonblocking
 * operations in between, messages that must move while a rank waits in a collective.
 */
#include "proc.h"

#define MANY 100 /* more than there are areas */

static void use(MPI_Comm c, int salt)
{
    int rank, size, sum = 0, root;
    MPI_Comm_rank(c, &rank);
    MPI_Comm_size(c, &size);
    int one = rank + salt, *all = malloc((size_t)size * sizeof *all), *back = malloc((size_t)size * sizeof *all);
    MPI_Barrier(c);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, c);
    check_eq(sum, size * (size - 1) / 2 + size * salt);
    root = salt % size;
    int word = rank == root ? salt : -1;
    MPI_Bcast(&word, 1, MPI_INT, root, c);
    check_eq(word, salt);
    MPI_Allgather(&one, 1, MPI_INT, all, 1, MPI_INT, c);
    for (int i = 0; i < size; i++)
        check_eq(all[i], i + salt);
    for (int i = 0; i < size; i++)
        all[i] = rank * 1000 + i;
    MPI_Alltoall(all, 1, MPI_INT, back, 1, MPI_INT, c);
    for (int i = 0; i < size; i++)
        check_eq(back[i], i * 1000 + rank);
    MPI_Reduce(&one, &sum, 1, MPI_INT, MPI_MAX, root, c);
    if (rank == root)
        check_eq(sum, size - 1 + salt);
    free(all);
    free(back);
}

static void test_many_at_once(void)
{
    MPI_Comm c[MANY];
    for (int i = 0; i < MANY; i++) {
        MPI_Comm_split(MPI_COMM_WORLD, proc_rank % (1 + i % 3), i % 2 ? -proc_rank : proc_rank, &c[i]);
        use(c[i], i);
    }
    for (int i = 0; i < MANY; i++)
        use(c[i], i + 1);
    for (int i = 0; i < MANY; i++)
        MPI_Comm_free(&c[i]);
}

static void test_one_after_another(void)
{
    for (int i = 0; i < 2 * MANY; i++) {
        MPI_Comm c;
        MPI_Comm_dup(MPI_COMM_WORLD, &c);
        MPI_Barrier(c);
        MPI_Comm_free(&c);
    }
    use(MPI_COMM_WORLD, 5);
}

/* Rank 0 is in the barrier for long before the last one comes; what it has sent must arrive nevertheless. */
static void test_messages_move(void)
{
    enum { N = 1 << 20 };
    static int buf[N];
    MPI_Request req = MPI_REQUEST_NULL;
    for (int i = 0; i < N; i++)
        buf[i] = proc_rank == 0 ? i : -1;
    if (proc_rank == 0)
        MPI_Isend(buf, N, MPI_INT, proc_size - 1, 3, MPI_COMM_WORLD, &req);
    if (proc_rank == proc_size - 1)
        MPI_Recv(buf, N, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    check_eq(buf[N - 1], proc_rank == 0 || proc_rank == proc_size - 1 ? N - 1 : -1);
}

static void test_mixed_with_nonblocking(void)
{
    int in = proc_rank, a = 0, b = 0, c = 0, n = proc_size;
    MPI_Request req[2];
    MPI_Iallreduce(&in, &a, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &req[0]);
    MPI_Allreduce(&in, &b, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Iallreduce(&in, &c, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD, &req[1]);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Waitall(2, req, MPI_STATUSES_IGNORE);
    check_eq(a, n * (n - 1) / 2);
    check_eq(b, n - 1);
    check_eq(c, 0);
}

/* Sums of the same numbers are the same to the bit, however late each rank comes. */
static void test_reproducible(void)
{
    double first = 0, sum, mine = 1.0 / (proc_rank + 3) * (proc_rank % 2 ? 1e12 : 1e-4);
    for (int i = 0; i < 50; i++) {
        for (volatile int late = (i * 7 + proc_rank * 13) % 5 * 2000; late > 0; late--)
            ;
        MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        first = i ? first : sum;
        check(memcmp(&sum, &first, sizeof sum) == 0);
    }
}

int main(int argc, char **argv)
{
    proc_begin(&argc, &argv);
    use(MPI_COMM_WORLD, 1);
    test_mixed_with_nonblocking();
    if (proc_size > 1)
        test_messages_move();
    test_reproducible();
    test_many_at_once();
    test_one_after_another();
    use(MPI_COMM_WORLD, 2);
    return proc_end();
}
