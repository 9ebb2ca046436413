/* SPDX-License-Identifier: BSD-3-Clause
 *
 * empty: collectives that move nothing, as every rank knows by itself, wait for nobody: rank r + 1 makes its call after
 * rank r has returned from it. No program may rely on it; that one with something to move follows, works.
 */
#include "proc.h"

static int zeros[16], displs[16];
static char bytes[16];
static MPI_Datatype nothing;

static void call(int kind, int root)
{
    MPI_Comm c = MPI_COMM_WORLD;
    switch (kind) {
    case 0:
        MPI_Bcast(bytes, 0, MPI_INT, root, c);
        break;
    case 1:
        MPI_Gather(bytes, 0, MPI_CHAR, bytes, 0, MPI_CHAR, root, c);
        break;
    case 2:
        MPI_Scatter(bytes, 0, MPI_CHAR, bytes, 0, MPI_CHAR, root, c);
        break;
    case 3:
        MPI_Allgather(bytes, 0, MPI_CHAR, bytes, 0, MPI_CHAR, c);
        break;
    case 4:
        MPI_Alltoall(bytes, 7, nothing, bytes, 7, nothing, c);
        break;
    case 5:
        MPI_Reduce(bytes, bytes + 8, 0, MPI_INT, MPI_SUM, root, c);
        break;
    case 6:
        MPI_Allreduce(MPI_IN_PLACE, bytes, 0, MPI_INT, MPI_SUM, c);
        break;
    case 7:
        MPI_Reduce_scatter_block(bytes, bytes + 8, 0, MPI_INT, MPI_SUM, c);
        break;
    case 8:
        MPI_Scan(bytes, bytes + 8, 0, MPI_INT, MPI_SUM, c);
        break;
    case 9:
        MPI_Exscan(bytes, bytes + 8, 0, MPI_INT, MPI_SUM, c);
        break;
    case 10:
        MPI_Allgatherv(bytes, 0, MPI_CHAR, bytes, zeros, displs, MPI_CHAR, c);
        break;
    default:
        MPI_Reduce_scatter(bytes, bytes + 8, zeros, MPI_INT, MPI_SUM, c);
    }
}

/* Blocks of which one rank's has something, where all know: nobody may leave it out. */
static void some_are_not(void)
{
    int counts[16] = {0}, sum = 0, mine = proc_rank + 1, in[16] = {0};
    counts[proc_size - 1] = 1;
    MPI_Allgatherv(&mine, counts[proc_rank], MPI_INT, in, counts, displs, MPI_INT, MPI_COMM_WORLD);
    check_eq(in[0], proc_size);
    MPI_Reduce_scatter(&mine, &sum, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    check_eq(sum, proc_rank == proc_size - 1 ? proc_size * (proc_size + 1) / 2 : 0);
}

int main(int argc, char **argv)
{
    proc_begin(&argc, &argv);
    MPI_Type_contiguous(0, MPI_INT, &nothing);
    MPI_Type_commit(&nothing);
    for (int kind = 0; kind < 12; kind++)
        for (int root = 0; root < proc_size; root++) {
            if (proc_rank > 0)
                MPI_Recv(NULL, 0, MPI_BYTE, proc_rank - 1, kind, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            call(kind, root);
            if (proc_rank < proc_size - 1)
                MPI_Send(NULL, 0, MPI_BYTE, proc_rank + 1, kind, MPI_COMM_WORLD);
        }
    some_are_not();
    MPI_Type_free(&nothing);
    return proc_end();
}
