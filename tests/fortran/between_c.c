/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The C side of between.f90: handles, attributes and statuses go from one language to the other, and a tool in C counts
 * the calls of Fortran.
 */
#include <mpi.h>

#include "integer.h"

static int sends;

/* Fortran's MPI_Send calls this one, its PMPI_Send does not. */
int MPI_Send(const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm)
{
    sends++;
    return PMPI_Send(buf, count, type, dest, tag, comm);
}

/* So does that of an INTEGER of 8 bytes. */
int MPI_Send_c(const void *buf, MPI_Count count, MPI_Datatype type, int dest, int tag, MPI_Comm comm)
{
    sends++;
    return PMPI_Send_c(buf, count, type, dest, tag, comm);
}

INTEGER counted_sends_(void)
{
    return sends;
}

/* 0: the communicator is one of C's, with the value that Fortran set, and a duplicate goes back with one that C set. */
INTEGER seen_by_c_(INTEGER *comm, INTEGER *keyval, MPI_Aint *value, INTEGER *copy, MPI_Aint *address)
{
    static int mine;
    MPI_Comm c = MPI_Comm_f2c((MPI_Fint)*comm), d;
    void *attribute;
    int flag, size, same;
    int key = (int)*keyval;
    if (MPI_Comm_get_attr(c, key, &attribute, &flag) || !flag || *(MPI_Aint *)attribute != *value)
        return 1;
    if (MPI_Comm_size(c, &size) || MPI_Comm_dup(c, &d) || MPI_Comm_compare(c, d, &same) || same != MPI_CONGRUENT)
        return 2;
    if (MPI_Comm_set_attr(d, key, &mine))
        return 3;
    *address = (MPI_Aint)&mine;
    *copy = MPI_Comm_c2f(d);
    return MPI_Comm_f2c((MPI_Fint)*copy) == d ? 0 : 4;
}

/* 0: the status of a message of n integers. */
INTEGER status_for_c_(INTEGER *status, INTEGER *tag, INTEGER *n)
{
    MPI_Fint words[MPI_F_STATUS_SIZE];
    MPI_Status s;
    int count;
    for (int i = 0; i < MPI_F_STATUS_SIZE; i++)
        words[i] = (MPI_Fint)status[i];
    MPI_Status_f2c(words, &s);
    MPI_Get_count(&s, INTEGER_TYPE, &count);
    return s.MPI_TAG != *tag || count != *n;
}
