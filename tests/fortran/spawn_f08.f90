! SPDX-License-Identifier: BSD-3-Clause
! The module mpi_f08: what spawn.f90 asks, and the form of MPI_Register_datarep with large counts.
module given_f08
  use mpi_f08
  use, intrinsic :: iso_c_binding, only: c_ptr, c_f_pointer
  implicit none
contains
  subroutine write_tenfold(userbuf, datatype, count, filebuf, position, extra_state, ierror)
    type(c_ptr), value :: userbuf, filebuf
    type(MPI_Datatype) :: datatype
    integer :: count, ierror
    integer(MPI_OFFSET_KIND) :: position
    integer(MPI_ADDRESS_KIND) :: extra_state
    integer, pointer :: user(:), file(:)
    if (datatype /= MPI_INTEGER .or. count /= 3 .or. position /= 7) stop 101
    call c_f_pointer(userbuf, user, [count])
    call c_f_pointer(filebuf, file, [count])
    file = user * int(extra_state)
    ierror = MPI_SUCCESS
  end subroutine
  subroutine write_tenfold_c(userbuf, datatype, count, filebuf, position, extra_state, ierror)
    type(c_ptr), value :: userbuf, filebuf
    type(MPI_Datatype) :: datatype
    integer(MPI_COUNT_KIND) :: count
    integer(MPI_OFFSET_KIND) :: position
    integer(MPI_ADDRESS_KIND) :: extra_state
    integer :: ierror, n
    n = int(count)
    call write_tenfold(userbuf, datatype, n, filebuf, position, extra_state, ierror)
  end subroutine
  subroutine extent_in_file(datatype, extent, extra_state, ierror)
    type(MPI_Datatype) :: datatype
    integer(MPI_ADDRESS_KIND) :: extent, extra_state
    integer :: ierror
    if (datatype /= MPI_INTEGER) stop 102
    extent = extra_state + 2
    ierror = MPI_SUCCESS
  end subroutine
end module

program spawn_f08
  use given_f08
  implicit none
  integer :: rank, ierr, codes(3), comm_size
  type(MPI_Comm) :: inter
  character(len=12) :: argv(4), argvs(2, 3)
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN)
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
  argv = ['one         ', ' two words  ', '3           ', '            ']
  if (rank /= 0) argv = 'not for C'
  codes = 0
  call MPI_Comm_spawn('a b  ', argv, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, inter, codes)
  if (inter /= MPI_COMM_SELF .or. (any(codes /= [11, 12, 0]) .and. (rank == 0 .or. storage_size(rank) == 32))) stop 1
  call MPI_Comm_spawn('none', MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, inter, MPI_ERRCODES_IGNORE, ierr)
  if (ierr /= MPI_SUCCESS) stop 2
  argvs(:, 1) = [character(len=12) :: 'x', 'y']
  argvs(:, 2) = [character(len=12) :: '', 'z']
  argvs(:, 3) = ''
  call MPI_Comm_spawn_multiple(2, [character(len=8) :: 'first', 'second'], argvs, [1, 2], &
    [MPI_INFO_ENV, MPI_INFO_NULL], 0, MPI_COMM_WORLD, inter, codes, ierr)
  if (ierr /= MPI_SUCCESS .or. inter /= MPI_COMM_SELF .or. (rank == 0 .and. codes(3) /= 13)) stop 3
  call MPI_Comm_spawn_multiple(2, [character(len=8) :: 'first', 'second'], MPI_ARGVS_NULL, [1, 2], &
    [MPI_INFO_ENV, MPI_INFO_NULL], 0, MPI_COMM_WORLD, inter, MPI_ERRCODES_IGNORE, ierr)
  if (ierr /= MPI_SUCCESS) stop 4
  call MPI_Register_datarep('tenfold', MPI_CONVERSION_FN_NULL, write_tenfold, extent_in_file, 10_MPI_ADDRESS_KIND, ierr)
  if (ierr /= MPI_SUCCESS) stop 5
  call MPI_Register_datarep_c('tenfold', MPI_CONVERSION_FN_NULL_C, write_tenfold_c, extent_in_file, 10_MPI_ADDRESS_KIND, ierr)
  if (ierr /= MPI_SUCCESS) stop 6
  call MPI_Comm_size(inter, comm_size)
  call MPI_Finalize()
  if (rank == 0 .and. comm_size == 1) print '(a)', ' ok'
end program
