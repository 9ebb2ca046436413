/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sites: 1 MiB is broadcast and reduced to all, once each, so that who counts what crosses between sites
 * (sites.test.py) knows what is needed. The values are checked.
 */
#include "proc.h"

enum { N = (1 << 20) / sizeof(int) };

static int mine[N], all[N];

int main(void)
{
    int rank, size;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < N; i++)
        mine[i] = rank == 0 ? i : -1;
    MPI_Bcast(mine, N, MPI_INT, 0, MPI_COMM_WORLD);
    for (int i = 0; i < N; i++)
        check(mine[i] == i);
    MPI_Allreduce(mine, all, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < N; i++)
        check(all[i] == i * size);
    MPI_Finalize();
    return 0;
}
