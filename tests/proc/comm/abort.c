/* SPDX-License-Identifier: BSD-3-Clause
 *
 * MPI_Abort ends the whole job with its code: the runner expects status 7.
 */
#include "proc.h"

int main(int argc, char **argv)
{
    proc_begin(&argc, &argv);
    if (proc_rank == 1)
        MPI_Abort(MPI_COMM_SELF, 7);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 3;
}
