! SPDX-License-Identifier: BSD-3-Clause
! The module mpi: arguments that C takes as int, and their arrays. Where the library was built for an INTEGER of 8 bytes all of them
! are converted, and what no int holds is not cut to what one does.
module operation
  implicit none
contains
  subroutine longer(in, inout, n, datatype)
    integer :: n, datatype, in(n), inout(n)
    if (datatype == 0) stop 101
    where (abs(in) > abs(inout)) inout = in
  end subroutine
  subroutine seen(comm, code)
    use mpi
    integer :: comm, code, class, ierr
    common /errors/ errors
    integer :: errors
    call MPI_Error_class(code, class, ierr)
    if (comm == MPI_COMM_SELF .and. class == MPI_ERR_RANK) errors = errors + 1
  end subroutine
end module

program widths
  use mpi
  use operation
  implicit none
  integer :: rank, size, ierr, n, m, i, op, type, comm, group, some, handler, errors, large, info, length
  integer :: requests(3), statuses(MPI_STATUS_SIZE, 3), status(MPI_STATUS_SIZE), indices(3), types(1), ints(8)
  integer, allocatable :: counts(:), places(:), mine(:), all(:)
  integer(MPI_ADDRESS_KIND) :: addresses(4), lb, extent
  logical :: flag, periods(2), true
  character(len=8) :: value
  common /errors/ errors
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierr)
  large = huge(large) - 7 ! needs all bits there are

  ! Reductions of INTEGER and LOGICAL, and by a procedure.
  call MPI_Type_size(MPI_INTEGER, n, ierr)
  if (n * 8 /= storage_size(n)) stop 1
  call MPI_Allreduce(large - rank, n, 1, MPI_INTEGER, MPI_MIN, MPI_COMM_WORLD, ierr)
  if (n /= large - size + 1) stop 2
  call MPI_Allreduce(rank == 0, true, 1, MPI_LOGICAL, MPI_LOR, MPI_COMM_WORLD, ierr)
  if (.not. true) stop 3
  call MPI_Op_create(longer, .true., op, ierr)
  call MPI_Allreduce(-large + rank, n, 1, MPI_INTEGER, op, MPI_COMM_WORLD, ierr)
  if (n /= -large) stop 4
  call MPI_Op_free(op, ierr)

  ! Arrays of counts, of statuses and of indices.
  allocate (counts(size), places(size), mine(size * (size + 1) / 2), all(size * size))
  counts = [(i, i = 1, size)]
  places = [((i - 1) * size, i = 1, size)]
  all = 0
  mine = rank
  call MPI_Allgatherv(mine, rank + 1, MPI_INTEGER, all, counts, places, MPI_INTEGER, MPI_COMM_WORLD, ierr)
  do i = 1, size
    if (any(all(places(i) + 1:places(i) + i) /= i - 1)) stop 5
  end do
  do i = 1, 3
    call MPI_Irecv(ints(i), 1, MPI_INTEGER, 0, i, MPI_COMM_SELF, requests(i), ierr)
  end do
  call MPI_Send(large, 1, MPI_INTEGER, 0, 2, MPI_COMM_SELF, ierr)
  call MPI_Waitsome(3, requests, n, indices, statuses, ierr)
  if (n /= 1 .or. indices(1) /= 2 .or. statuses(MPI_TAG, 1) /= 2 .or. ints(2) /= large) stop 6
  call MPI_Send(1, 1, MPI_INTEGER, 0, 1, MPI_COMM_SELF, ierr)
  call MPI_Send(3, 1, MPI_INTEGER, 0, 3, MPI_COMM_SELF, ierr)
  call MPI_Waitall(3, requests, statuses, ierr)
  call MPI_Get_count(statuses(:, 3), MPI_INTEGER, n, ierr)
  if (statuses(MPI_TAG, 3) /= 3 .or. n /= 1 .or. any(requests /= MPI_REQUEST_NULL)) stop 7
  call MPI_Waitany(3, requests, n, status, ierr)
  if (n /= MPI_UNDEFINED) stop 8

  ! Topologies and groups.
  ints(1:2) = 0
  call MPI_Dims_create(size, 2, ints, ierr)
  if (ints(1) * ints(2) /= size) stop 9
  call MPI_Cart_create(MPI_COMM_WORLD, 2, ints, [.true., .false.], .false., comm, ierr)
  ints(3:6) = -1
  call MPI_Cart_get(comm, 2, ints(3), periods, ints(5), ierr)
  if (any(ints(3:4) /= ints(1:2)) .or. .not. periods(1) .or. periods(2)) stop 10
  call MPI_Cart_rank(comm, ints(5:6), n, ierr)
  if (n /= rank) stop 11
  call MPI_Comm_free(comm, ierr)
  call MPI_Dist_graph_create(MPI_COMM_WORLD, 1, [rank], [2], [rank, mod(rank + 1, size)], [7, 8], &
    MPI_INFO_NULL, .false., comm, ierr)
  ints = 0
  call MPI_Dist_graph_neighbors(comm, 2, ints(1), ints(3), 2, ints(5), ints(7), ierr)
  if (sum(ints(1:2)) /= rank + modulo(rank - 1, size) .or. sum(ints(3:4)) /= 15 .or. sum(ints(7:8)) /= 15) stop 12
  call MPI_Comm_free(comm, ierr)
  call MPI_Comm_group(MPI_COMM_WORLD, group, ierr)
  call MPI_Group_range_incl(group, 1, reshape([size - 1, 0, -1], [3, 1]), some, ierr)
  call MPI_Group_translate_ranks(group, 1, [rank], some, ints, ierr)
  if (ints(1) /= size - 1 - rank) stop 13
  call MPI_Group_free(group, ierr)
  call MPI_Group_free(some, ierr)

  ! A datatype taken to pieces has the pieces it was made of.
  call MPI_Type_indexed(2, [1, 2], [0, 5], MPI_INTEGER, type, ierr)
  call MPI_Type_get_extent(type, lb, extent, ierr)
  if (extent * 8 /= 7 * storage_size(n)) stop 14
  call MPI_Type_get_envelope(type, n, m, i, length, ierr)
  if (ierr /= MPI_SUCCESS .or. n /= 5 .or. m /= 0 .or. i /= 1 .or. length /= MPI_COMBINER_INDEXED) stop 15
  call MPI_Type_get_contents(type, n, m, i, ints, addresses, types, ierr)
  if (any(ints(1:5) /= [2, 1, 2, 0, 5]) .or. types(1) /= MPI_INTEGER) stop 16
  call MPI_Type_free(type, ierr)

  ! Not a rank, also where the lower half of it were one.
  errors = 0
  call MPI_Comm_create_errhandler(seen, handler, ierr)
  call MPI_Comm_set_errhandler(MPI_COMM_SELF, handler, ierr)
  n = large - modulo(large, 65536)
  call MPI_Send(n, 1, MPI_INTEGER, n, 0, MPI_COMM_SELF, ierr)
  if (errors /= 1 .or. ierr == MPI_SUCCESS) stop 17
  if (storage_size(n) == 64) then
    n = shiftl(1, storage_size(n) / 2)
    call MPI_Send(n, 1, MPI_INTEGER, n, 0, MPI_COMM_SELF, ierr)
    if (errors /= 2 .or. ierr == MPI_SUCCESS) stop 18
  end if

  ! What C has been told.
  call MPI_Abi_get_fortran_info(info, ierr)
  call MPI_Info_get(info, 'mpi_integer_size', 8, value, flag, ierr)
  read (value, *) n
  call MPI_Info_free(info, ierr)
  if (.not. flag .or. n * 8 /= storage_size(n)) stop 19
  call MPI_Finalize(ierr)
  if (rank == 0) print '(a)', ' ok'
end program
