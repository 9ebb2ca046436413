/* SPDX-License-Identifier: BSD-3-Clause
 *
 * predefined: reductions with predefined operations, which commute: the algorithms that change the order. Long enough
 * vectors for those that cut them into pieces, a number of elements below the number of ranks, MPI_MAXLOC, large
 * messages.
 */
#include "proc.h"

static void test_sum(int count)
{
    long long *in = calloc((size_t)count * (size_t)proc_size + 1, sizeof *in),
              *out = calloc((size_t)count + 1, sizeof *out);
    long long ranks = (long long)proc_size * (proc_size - 1) / 2;
    for (int i = 0; i < count * proc_size; i++)
        in[i] = proc_rank + 3LL * i;
    MPI_Allreduce(in, out, count, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < count; i++)
        if (out[i] != ranks + 3LL * i * proc_size) {
            check_eq(out[i], ranks + 3LL * i * proc_size);
            break;
        }
    for (int root = 0; root < proc_size; root++) {
        memset(out, 0, (size_t)count * sizeof *out);
        MPI_Reduce(in, out, count, MPI_LONG_LONG, MPI_SUM, root, MPI_COMM_WORLD);
        for (int i = 0; root == proc_rank && i < count; i++)
            if (out[i] != ranks + 3LL * i * proc_size) {
                check_eq(out[i], ranks + 3LL * i * proc_size);
                break;
            }
    }
    MPI_Reduce_scatter_block(in, out, count, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < count; i++)
        if (out[i] != ranks + 3LL * (i + (long long)count * proc_rank) * proc_size) {
            check_eq(out[i], ranks + 3LL * (i + (long long)count * proc_rank) * proc_size);
            break;
        }
    free(in);
    free(out);
}

static void test_maxloc(void)
{
    struct {
        double value;
        int rank;
    } mine = {(proc_rank * 7) % 5, proc_rank}, all;
    int where = 0;
    for (int r = 1; r < proc_size; r++)
        where = (r * 7) % 5 > (where * 7) % 5 ? r : where;
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
    check_eq(all.rank, where);
}

static void test_bcast(size_t bytes)
{
    unsigned char *buf = malloc(bytes);
    int root = proc_size - 1;
    for (size_t i = 0; i < bytes; i++)
        buf[i] = proc_rank == root ? (unsigned char)(i * 31 + i / 4096) : 0;
    MPI_Bcast(buf, (int)bytes, MPI_BYTE, root, MPI_COMM_WORLD);
    for (size_t i = 0; i < bytes; i++)
        if (buf[i] != (unsigned char)(i * 31 + i / 4096)) {
            check_eq(i, bytes);
            break;
        }
    free(buf);
}

int main(int argc, char **argv)
{
    proc_begin(&argc, &argv);
    test_sum(1);
    test_sum(2);
    test_sum(77);
    test_sum(20000);
    test_maxloc();
    test_bcast(70000);
    test_bcast(3u << 20);
    return proc_end();
}
