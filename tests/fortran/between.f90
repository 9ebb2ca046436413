! SPDX-License-Identifier: BSD-3-Clause
! C and Fortran in one program (between_c.c), and a tool in Fortran.
subroutine MPI_Barrier(comm, ierror)
  implicit none
  integer :: comm, ierror, barriers
  common /tool/ barriers
  barriers = barriers + 1
  call PMPI_Barrier(comm, ierror)
end subroutine

program between
  implicit none
  include 'mpif.h'
  integer :: ierr, rank, keyval, copy, same, status(MPI_STATUS_SIZE), v(5), barriers
  integer(MPI_ADDRESS_KIND) :: value, address
  logical :: flag
  integer, external :: counted_sends, seen_by_c, status_for_c
  external :: MPI_Barrier
  common /tool/ barriers
  barriers = 0
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  value = 2_MPI_ADDRESS_KIND**40 + 3
  call MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, keyval, value, ierr)
  call MPI_Comm_set_attr(MPI_COMM_WORLD, keyval, value, ierr)
  if (seen_by_c(MPI_COMM_WORLD, keyval, value, copy, address) /= 0) stop 1
  call MPI_Comm_compare(MPI_COMM_WORLD, copy, same, ierr)
  if (same /= MPI_CONGRUENT) stop 2
  call MPI_Comm_get_attr(copy, keyval, value, flag, ierr)
  if (.not. flag .or. value /= address) stop 3
  call MPI_Comm_free(copy, ierr)
  v = rank
  call MPI_Send(v, 0, MPI_INTEGER, MPI_PROC_NULL, 0, MPI_COMM_WORLD, ierr)
  call PMPI_Send(v, 0, MPI_INTEGER, MPI_PROC_NULL, 0, MPI_COMM_WORLD, ierr)
  if (counted_sends() /= 1) stop 4
  call MPI_Sendrecv_replace(v, 5, MPI_INTEGER, 0, 9, 0, 9, MPI_COMM_SELF, status, ierr)
  if (status_for_c(status, 9, 5) /= 0) stop 5
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  if (barriers /= 1) stop 6
  call MPI_Finalize(ierr)
  if (rank == 0) print '(a)', ' ok'
end program
