! SPDX-License-Identifier: BSD-3-Clause
! The module mpi: what hello.f does with other types and shapes.
program hello_mpi
  use mpi
  implicit none
  integer :: rank, size, ierr, requests(2), from, to
  integer :: statuses(MPI_STATUS_SIZE, 2), n
  double precision :: mine(3, 4), theirs(3, 4), scalar, sum
  complex :: z(2)
  logical :: flag
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierr)
  to = mod(rank + 1, size)
  from = mod(rank + size - 1, size)
  mine = rank
  theirs = -1
  call MPI_Irecv(theirs, 12, MPI_DOUBLE_PRECISION, from, 1, MPI_COMM_WORLD, requests(1), ierr)
  call MPI_Isend(mine, 12, MPI_DOUBLE_PRECISION, to, 1, MPI_COMM_WORLD, requests(2), ierr)
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierr)
  if (any(theirs /= from)) stop 1
  if (any(requests /= MPI_REQUEST_NULL)) stop 2
  ! A row of a matrix is copied by the compiler, which is right as long as the call blocks.
  theirs = -1
  call MPI_Sendrecv(mine(2, :), 4, MPI_DOUBLE_PRECISION, to, 2, theirs(1, :), 4, MPI_DOUBLE_PRECISION, from, 2, &
    MPI_COMM_WORLD, statuses(:, 1), ierr)
  if (any(theirs(1, :) /= from) .or. any(theirs(2:, :) /= -1)) stop 3
  scalar = rank + 1
  call MPI_Allreduce(scalar, sum, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD, ierr)
  if (sum /= size) stop 4
  z = (1.0, 2.0)
  call MPI_Allreduce(MPI_IN_PLACE, z, 2, MPI_COMPLEX, MPI_SUM, MPI_COMM_WORLD, ierr)
  if (any(z /= size * (1.0, 2.0))) stop 5
  flag = rank == 0
  call MPI_Allreduce(MPI_IN_PLACE, flag, 1, MPI_LOGICAL, MPI_LOR, MPI_COMM_WORLD, ierr)
  if (.not. flag) stop 6
  call MPI_Sizeof(mine, n, ierr)
  if (n * 8 /= storage_size(mine)) stop 7
  call MPI_Initialized(flag, ierr)
  if (.not. flag) stop 8
  call MPI_Finalized(flag, ierr)
  if (flag) stop 9
  call MPI_Finalize(ierr)
  if (rank == 0) print '(a)', ' ok'
end program
