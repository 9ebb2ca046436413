! SPDX-License-Identifier: BSD-3-Clause
! The loop of pingpong.c with the module mpi.
subroutine ping_pong_mpi(buffer, iters, rank) bind(C)
  use mpi
  use, intrinsic :: iso_c_binding, only: c_int, c_int8_t
  implicit none
  integer(c_int8_t) :: buffer(8)
  integer(c_int), value :: iters, rank
  integer :: i, ierr
  do i = 1, iters
    if (rank == 0) call MPI_Send(buffer, 8, MPI_BYTE, 1, 1, MPI_COMM_WORLD, ierr)
    call MPI_Recv(buffer, 8, MPI_BYTE, 1 - rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    if (rank == 1) call MPI_Send(buffer, 8, MPI_BYTE, 0, 1, MPI_COMM_WORLD, ierr)
  end do
end subroutine
