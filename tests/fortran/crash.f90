! SPDX-License-Identifier: BSD-3-Clause
!
! crash HOW: a program that a signal ends: "recv": rank 0 receives to an address that is none; "op": its reduction writes to one.
module crash_op
   implicit none
contains
   subroutine strike(invec, inoutvec, n, datatype)
      use mpi_f08
      use, intrinsic :: iso_c_binding, only: c_ptr, c_intptr_t, c_f_pointer, c_associated
      type(c_ptr), value :: invec, inoutvec
      integer :: n
      type(MPI_Datatype) :: datatype
      integer, pointer :: wrong(:)
      if (c_associated(invec, inoutvec) .or. datatype == MPI_DATATYPE_NULL) return
      call c_f_pointer(transfer(64_c_intptr_t, invec), wrong, [4])
      wrong = n
   end subroutine
end module

program crash
   use mpi_f08
   use crash_op
   use, intrinsic :: iso_c_binding, only: c_ptr, c_null_ptr, c_intptr_t, c_f_pointer
   implicit none
   integer :: rank, from(4), to(4)
   integer, pointer :: wrong(:)
   character(8) :: how
   type(MPI_Op) :: op

   from = 1
   to = 0
   call c_f_pointer(transfer(64_c_intptr_t, c_null_ptr), wrong, [4])
   call get_command_argument(1, how)
   call MPI_Init()
   call MPI_Comm_rank(MPI_COMM_WORLD, rank)
   if (how == "recv") then
      if (rank == 0) call MPI_Recv(wrong, 4, MPI_INTEGER, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
      if (rank == 1) call MPI_Send(from, 4, MPI_INTEGER, 0, 1, MPI_COMM_WORLD)
   else
      call MPI_Op_create(strike, .true., op)
      call MPI_Allreduce(from, to, 4, MPI_INTEGER, op, MPI_COMM_WORLD)
   end if
   call MPI_Barrier(MPI_COMM_WORLD)
   call MPI_Finalize()
end program
