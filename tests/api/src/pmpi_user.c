/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pmpi_user: the program of the profiling test. One rank sends to itself; a collective in between must not be counted,
 * because the library's own messages are not the program's calls.
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int sum = 0, got = 0;
    for (int i = 1; i <= 3; i++) {
        MPI_Send(&i, 1, MPI_INT, 0, i, MPI_COMM_SELF);
        MPI_Recv(&got, 1, MPI_INT, 0, i, MPI_COMM_SELF, MPI_STATUS_IGNORE);
        sum += got;
    }
    int total = 0;
    MPI_Allreduce(&sum, &total, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return total == 6 ? EXIT_SUCCESS : EXIT_FAILURE;
}
