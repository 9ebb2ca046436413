! SPDX-License-Identifier: BSD-3-Clause
! The loop of pingpong.c with the module mpi_f08.
subroutine ping_pong_f08(buffer, iters, rank) bind(C)
  use mpi_f08
  use, intrinsic :: iso_c_binding, only: c_int, c_int8_t
  implicit none
  integer(c_int8_t) :: buffer(8)
  integer(c_int), value :: iters, rank
  integer :: i
  do i = 1, iters
    if (rank == 0) call MPI_Send(buffer, 8, MPI_BYTE, 1, 1, MPI_COMM_WORLD)
    call MPI_Recv(buffer, 8, MPI_BYTE, 1 - rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    if (rank == 1) call MPI_Send(buffer, 8, MPI_BYTE, 0, 1, MPI_COMM_WORLD)
  end do
end subroutine
