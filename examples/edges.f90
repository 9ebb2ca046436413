! SPDX-License-Identifier: BSD-3-Clause
!
! edges: a square cut into blocks, one a rank, each with a border of one cell. The ranks swap their edges: columns lie together in
! memory, rows are sections with gaps, and both are passed as they are. Prints the sum over all borders, which is known.
program edges
  use mpi_f08
  implicit none
  integer, parameter :: n = 100 ! cells of a block, each way
  integer :: dims(2) = 0, rank, size, up, down, left, right, i
  double precision :: block(0:n + 1, 0:n + 1), mine, all
  type(MPI_Comm) :: grid
  type(MPI_Request) :: requests(8)

  call MPI_Init()
  call MPI_Comm_size(MPI_COMM_WORLD, size)
  call MPI_Dims_create(size, 2, dims)
  call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, [.true., .true.], .true., grid)
  call MPI_Comm_rank(grid, rank)
  call MPI_Cart_shift(grid, 0, 1, up, down)
  call MPI_Cart_shift(grid, 1, 1, left, right)

  block = rank
  call MPI_Irecv(block(0, 1:n), n, MPI_DOUBLE_PRECISION, up, 1, grid, requests(1))
  call MPI_Irecv(block(n + 1, 1:n), n, MPI_DOUBLE_PRECISION, down, 2, grid, requests(2))
  call MPI_Irecv(block(1:n, 0), n, MPI_DOUBLE_PRECISION, left, 3, grid, requests(3))
  call MPI_Irecv(block(1:n, n + 1), n, MPI_DOUBLE_PRECISION, right, 4, grid, requests(4))
  call MPI_Isend(block(n, 1:n), n, MPI_DOUBLE_PRECISION, down, 1, grid, requests(5))
  call MPI_Isend(block(1, 1:n), n, MPI_DOUBLE_PRECISION, up, 2, grid, requests(6))
  call MPI_Isend(block(1:n, n), n, MPI_DOUBLE_PRECISION, right, 3, grid, requests(7))
  call MPI_Isend(block(1:n, 1), n, MPI_DOUBLE_PRECISION, left, 4, grid, requests(8))
  call MPI_Waitall(8, requests, MPI_STATUSES_IGNORE)

  mine = sum(block(0, 1:n)) + sum(block(n + 1, 1:n)) + sum(block(1:n, 0)) + sum(block(1:n, n + 1))
  call MPI_Reduce(mine, all, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, grid)
  if (rank == 0) print '(a,i0,a,i0,a,f0.0,a,i0)', 'blocks ', dims(1), ' x ', dims(2), ', sum of the borders ', all, ' of ', &
    4 * n * sum([(i, i=0, size - 1)])
  call MPI_Comm_free(grid)
  call MPI_Finalize()
end program
