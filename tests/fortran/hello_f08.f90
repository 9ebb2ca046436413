! SPDX-License-Identifier: BSD-3-Clause
! The module mpi_f08: types, absent ierror, sections with gaps, large counts.
program hello_f08
  use mpi_f08
  implicit none
  integer :: rank, size, i, j, from, to, ierr
  type(MPI_Status) :: status, statuses(2)
  type(MPI_Request) :: requests(2)
  type(MPI_Comm) :: copy
  integer :: a(10, 10), b(10, 10), v(20), n
  integer(MPI_COUNT_KIND) :: big
  logical :: done
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, size)
  to = mod(rank + 1, size)
  from = mod(rank + size - 1, size)
  call MPI_Comm_dup(MPI_COMM_WORLD, copy)
  if (copy == MPI_COMM_WORLD .or. .not. (copy /= MPI_COMM_NULL)) stop 1
  a = reshape([((1000 * rank + 10 * j + i, i=1, 10), j=1, 10)], [10, 10])
  b = -1
  ! Every second row and every third column, both ways, not waited for at once.
  call MPI_Irecv(b(1:10:2, 1:10:3), 20, MPI_INTEGER, from, 1, copy, requests(1))
  call MPI_Isend(a(2:10:2, 2:10:2), 20, MPI_INTEGER, to, 1, copy, requests(2))
  call MPI_Waitall(2, requests, statuses)
  v = reshape(a(2:10:2, 2:9:2), [20]) + 1000 * (from - rank)
  if (any(reshape(b(1:10:2, 1:10:3), [20]) /= v)) stop 2
  if (count(b /= -1) /= 20) stop 3
  if (statuses(1)%MPI_SOURCE /= from .or. statuses(1)%MPI_TAG /= 1) stop 4
  ! Backwards, a part of the section only.
  b = -1
  call MPI_Sendrecv(a(10:1:-1, 1), 7, MPI_INTEGER, to, 2, b(1, 10:1:-1), 7, MPI_INTEGER, from, 2, copy, status)
  if (any(b(1, 10:4:-1) /= a(10:4:-1, 1) + 1000 * (from - rank)) .or. any(b(1, 1:3) /= -1)) stop 5
  call MPI_Get_count(status, MPI_INTEGER, n)
  call MPI_Get_count(status, MPI_INTEGER, big)
  if (n /= 7 .or. big /= 7) stop 6
  ! Large counts, and collectives with gaps on both sides.
  v = -1
  call MPI_Allgather(a(1:2, 1:10:9), 4_MPI_COUNT_KIND, MPI_INTEGER, v(1:4 * size), 4_MPI_COUNT_KIND, MPI_INTEGER, copy)
  do i = 0, size - 1
    if (any(v(4 * i + 1:4 * i + 4) /= [11, 12, 101, 102] + 1000 * i)) stop 7
  end do
  b = 0
  call MPI_Allreduce(a(1:10:3, 1), b(1:10:3, 5), 4, MPI_INTEGER, MPI_MAX, copy, ierr)
  if (ierr /= MPI_SUCCESS .or. any(b(1:10:3, 5) /= a(1:10:3, 1) + 1000 * (size - 1 - rank)) .or. count(b /= 0) /= 4) stop 8
  call MPI_Allreduce(MPI_IN_PLACE, b(1:10:3, 5), 4, MPI_INTEGER, MPI_SUM, copy)
  if (b(1, 5) /= size * (11 + 1000 * (size - 1))) stop 9
  ! The same, and blocks of a matrix, not waited for at once.
  b = 0
  call MPI_Iallreduce(a(1:10:3, 1), b(1:10:3, 5), 4, MPI_INTEGER, MPI_MAX, copy, requests(1))
  call MPI_Igather(a(4, 1:10:9), 2, MPI_INTEGER, b(2, 10:1:-1), 2, MPI_INTEGER, 0, copy, requests(2))
  if (rank == 0) call MPI_Wait(requests(1), status)
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
  if (any(b(1:10:3, 5) /= a(1:10:3, 1) + 1000 * (size - 1 - rank))) stop 11
  if (rank == 0) then
    do i = 0, size - 1
      if (any(b(2, 10 - 2 * i:9 - 2 * i:-1) /= [14, 104] + 1000 * i)) stop 12
    end do
    if (count(b /= 0) /= 4 + 2 * size) stop 13
  else if (count(b /= 0) /= 4) then
    stop 14
  end if
  ! Persistent: each start takes what the section holds then.
  b = 0
  call MPI_Allreduce_init(a(1:10:3, 1), b(1:10:3, 5), 4, MPI_INTEGER, MPI_SUM, copy, MPI_INFO_NULL, requests(1))
  call MPI_Gather_init(a(4, 1:10:9), 2, MPI_INTEGER, b(2, 10:1:-1), 2, MPI_INTEGER, 0, copy, MPI_INFO_NULL, requests(2))
  do i = 1, 4
    a(1:10:3, 1) = [1, 2, 3, 4] * i + rank
    if (i < 3) then
      call MPI_Start(requests(1))
      call MPI_Start(requests(2))
    else
      call MPI_Startall(2, requests)
    end if
    if (i == 1) then
      call MPI_Wait(requests(1), status)
    else if (i == 2) then
      done = .false.
      do while (.not. done)
        call MPI_Test(requests(1), done, status)
      end do
    else if (i == 3) then
      call MPI_Waitany(2, requests, n, status)
    end if
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
    if (any(b(1:10:3, 5) /= size * [1, 2, 3, 4] * i + size * (size - 1) / 2)) stop 15
    if (rank == 0) then
      if (any(b(2, 10:9:-1) /= [a(4, 1), a(4, 10)]) .or. b(2, 12 - 2 * size) /= 2 * i + size - 1) stop 16
    end if
    b = 0
  end do
  call MPI_Request_free(requests(1))
  call MPI_Request_free(requests(2))
  if (any(b /= 0) .or. requests(1) /= MPI_REQUEST_NULL) stop 17
  call MPI_Bcast(b(3, :), 10, MPI_INTEGER, 0, copy, ierr)
  call MPI_Recv(v, 1, MPI_INTEGER, MPI_PROC_NULL, 0, copy, MPI_STATUS_IGNORE)
  call MPI_Comm_free(copy)
  if (copy /= MPI_COMM_NULL) stop 10
  call MPI_Finalize()
  if (rank == 0) print '(a)', ' ok'
end program
