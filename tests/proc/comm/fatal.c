/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The default error handler ends the job: rank 1 makes a mistake while rank 0 waits for it for ever. The runner expects
 * status 1.
 */
#include "proc.h"

int main(int argc, char **argv)
{
    int v = 0;
    proc_begin(&argc, &argv);
    if (proc_rank == 1)
        MPI_Send(&v, 1, MPI_INT, 5, 0, MPI_COMM_WORLD);
    else
        MPI_Recv(&v, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 3;
}
