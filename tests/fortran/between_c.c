/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The C side of between.f90: handles, attributes and statuses go from one language to the other, and a tool in C counts
 * the calls of Fortran.
 */
#include <mpi.h>

static int sends;

/* Fortran's MPI_Send calls this one, its PMPI_Send does not. */
int MPI_Send(const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm)
{
    sends++;
    return PMPI_Send(buf, count, type, dest, tag, comm);
}

int counted_sends_(void)
{
    return sends;
}

/* 0: the communicator is one of C's, with the value that Fortran set, and a duplicate goes back with one that C set. */
int seen_by_c_(MPI_Fint *comm, MPI_Fint *keyval, MPI_Aint *value, MPI_Fint *copy, MPI_Aint *address)
{
    static int mine;
    MPI_Comm c = MPI_Comm_f2c(*comm), d;
    void *attribute;
    int flag, size, same;
    if (MPI_Comm_get_attr(c, *keyval, &attribute, &flag) || !flag || *(MPI_Aint *)attribute != *value)
        return 1;
    if (MPI_Comm_size(c, &size) || MPI_Comm_dup(c, &d) || MPI_Comm_compare(c, d, &same) || same != MPI_CONGRUENT)
        return 2;
    if (MPI_Comm_set_attr(d, *keyval, &mine))
        return 3;
    *address = (MPI_Aint)&mine;
    *copy = MPI_Comm_c2f(d);
    return MPI_Comm_f2c(*copy) == d ? 0 : 4;
}

/* 0: the status of a message of n integers. */
int status_for_c_(MPI_Fint *status, MPI_Fint *tag, MPI_Fint *n)
{
    MPI_Status s;
    int count;
    MPI_Status_f2c(status, &s);
    MPI_Get_count(&s, MPI_INTEGER, &count);
    return s.MPI_TAG != *tag || count != *n;
}
