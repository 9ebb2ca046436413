! SPDX-License-Identifier: BSD-3-Clause
! The module mpi: arrays of strings, which MPI_Comm_spawn and MPI_Comm_spawn_multiple take, and data representations. spawn_c.c
! stands in for C's functions.
module given
  use mpi
  implicit none
contains
  subroutine read_tenth(userbuf, datatype, count, filebuf, position, extra_state, ierror)
    integer :: userbuf(*), datatype, count, filebuf(*), ierror
    integer(MPI_OFFSET_KIND) :: position
    integer(MPI_ADDRESS_KIND) :: extra_state
    ierror = MPI_ERR_READ_ONLY ! what the caller is to get back
    if (datatype /= MPI_INTEGER .or. position /= 8 .or. extra_state /= 10 .or. &
      any(filebuf(1:count) /= userbuf(1:count) * 10)) stop 101
  end subroutine
  subroutine write_tenfold(userbuf, datatype, count, filebuf, position, extra_state, ierror)
    integer :: userbuf(*), datatype, count, filebuf(*), ierror
    integer(MPI_OFFSET_KIND) :: position
    integer(MPI_ADDRESS_KIND) :: extra_state
    if (datatype /= MPI_INTEGER .or. count /= 3 .or. position /= 7) stop 102
    filebuf(1:count) = userbuf(1:count) * int(extra_state)
    ierror = MPI_SUCCESS
  end subroutine
  subroutine extent_in_file(datatype, extent, extra_state, ierror)
    integer :: datatype, ierror
    integer(MPI_ADDRESS_KIND) :: extent, extra_state
    if (datatype /= MPI_INTEGER) stop 103
    extent = extra_state + 2
    ierror = MPI_SUCCESS
  end subroutine
end module

program spawn
  use given
  implicit none
  integer :: rank, ierr, inter, codes(3), comm_size
  character(len=12) :: argv(4), argvs(2, 3)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN, ierr)
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierr)
  argv = ['one         ', ' two words  ', '3           ', '            ']
  if (rank /= 0) argv = 'not for C'
  codes = 0
  call MPI_Comm_spawn('a b  ', argv, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, inter, codes, ierr)
  if (ierr /= MPI_SUCCESS .or. inter /= MPI_COMM_SELF .or. (any(codes /= [11, 12, 0]) .and. &
    (rank == 0 .or. storage_size(rank) == 32))) stop 1
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
  call MPI_Register_datarep('tenfold ', read_tenth, write_tenfold, extent_in_file, 10_MPI_ADDRESS_KIND, ierr)
  if (ierr /= MPI_ERR_READ_ONLY) stop 6
  call MPI_Comm_size(inter, comm_size, ierr)
  call MPI_Finalize(ierr)
  if (rank == 0 .and. comm_size == 1) print '(a)', ' ok'
end program
