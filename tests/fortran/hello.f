C     SPDX-License-Identifier: BSD-3-Clause
C     mpif.h, fixed form, implicit types: a ring, sentinels, a name, a status.
      program hello
      implicit none
      include 'mpif.h'
      integer rank, size, ierr, token, n, sum(2), req(2)
      integer status(MPI_STATUS_SIZE), statuses(MPI_STATUS_SIZE,2)
      character*(MPI_MAX_PROCESSOR_NAME) name
      double precision t
      call MPI_INIT(ierr)
      call MPI_COMM_RANK(MPI_COMM_WORLD, rank, ierr)
      call MPI_COMM_SIZE(MPI_COMM_WORLD, size, ierr)
      t = MPI_WTIME()
      call MPI_GET_PROCESSOR_NAME(name, n, ierr)
      if (n .lt. 1 .or. name(n:n) .eq. ' ') stop 1
      if (name(n+1:) .ne. ' ') stop 2
      token = -1
      call MPI_IRECV(token, 1, MPI_INTEGER, mod(rank+size-1,size), 7,
     &  MPI_COMM_WORLD, req(1), ierr)
      call MPI_ISEND(rank, 1, MPI_INTEGER, mod(rank+1,size), 7,
     &  MPI_COMM_WORLD, req(2), ierr)
      call MPI_WAITALL(2, req, statuses, ierr)
      if (token .ne. mod(rank+size-1,size)) stop 3
      if (statuses(MPI_SOURCE,1) .ne. token) stop 4
      if (statuses(MPI_TAG,1) .ne. 7) stop 5
      call MPI_SENDRECV(rank, 1, MPI_INTEGER, mod(rank+1,size), 8,
     &  token, 1, MPI_INTEGER, mod(rank+size-1,size), MPI_ANY_TAG,
     &  MPI_COMM_WORLD, status, ierr)
      call MPI_GET_COUNT(status, MPI_INTEGER, n, ierr)
      if (n .ne. 1 .or. status(MPI_TAG) .ne. 8) stop 6
      sum(1) = rank
      sum(2) = 1
      call MPI_ALLREDUCE(MPI_IN_PLACE, sum, 2, MPI_INTEGER, MPI_SUM,
     &  MPI_COMM_WORLD, ierr)
      if (sum(1) .ne. size*(size-1)/2 .or. sum(2) .ne. size) stop 7
      if (rank .eq. 0) call MPI_SEND(MPI_BOTTOM, 0, MPI_INTEGER,
     &  MPI_PROC_NULL, 0, MPI_COMM_WORLD, ierr)
      call MPI_RECV(token, 1, MPI_INTEGER, MPI_PROC_NULL, 0,
     &  MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
      if (ierr .ne. MPI_SUCCESS .or. MPI_WTIME() .lt. t) stop 8
      call MPI_FINALIZE(ierr)
      if (rank .eq. 0) print '(a)', ' ok'
      end
