/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pmpi_count: a profiling library (MPI 5.0 section 15.2): counts MPI_Send and MPI_Recv of a program that does not know
 * it.
 */
#include <mpi.h>
#include <stdio.h>

static int n_send, n_recv;

int MPI_Send(const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm)
{
    n_send++;
    return PMPI_Send(buf, count, type, dest, tag, comm);
}

int MPI_Recv(void *buf, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Status *status)
{
    n_recv++;
    return PMPI_Recv(buf, count, type, source, tag, comm, status);
}

int MPI_Finalize(void)
{
    printf("sends %d receives %d\n", n_send, n_recv);
    fflush(stdout);
    return PMPI_Finalize();
}
