C     SPDX-License-Identifier: BSD-3-Clause
C     MPI-1 as programs in Fortran go on using it: structs with MPI_LB
C     and MPI_UB, and extents that are INTEGER.
      program removed
      implicit none
      include 'mpif.h'
      integer rank, ierr, lengths(4), places(4), types(4), n, old
      integer inner, outer, handler
      integer(MPI_ADDRESS_KIND) wide(4), lb, extent
      integer buffer(12), i
      character*(MPI_MAX_OBJECT_NAME) name
      call MPI_INIT(ierr)
      call MPI_COMM_RANK(MPI_COMM_WORLD, rank, ierr)
      call MPI_TYPE_SIZE(MPI_INTEGER, n, ierr)

C     Both bounds; an entry of length 0 sets none, of two upper ones the
C     greater holds.
      lengths = (/ 1, 1, 1, 1 /)
      places = (/ -n, 0, 2*n, 3*n /)
      types = (/ MPI_LB, MPI_INTEGER, MPI_UB, MPI_UB /)
      call MPI_TYPE_STRUCT(4, lengths, places, types, inner, ierr)
      call MPI_TYPE_LB(inner, i, ierr)
      if (i .ne. -n) stop 1
      call MPI_TYPE_UB(inner, i, ierr)
      if (i .ne. 3*n) stop 2
      call MPI_TYPE_EXTENT(inner, i, ierr)
      if (i .ne. 4*n) stop 3
      call MPI_TYPE_SIZE(inner, i, ierr)
      if (i .ne. n) stop 4
      call MPI_TYPE_FREE(inner, ierr)
      lengths = (/ 0, 1, 1, 0 /)
      call MPI_TYPE_STRUCT(4, lengths, places, types, inner, ierr)
      call MPI_TYPE_LB(inner, i, ierr)
      if (i .ne. 0) stop 5
      call MPI_TYPE_UB(inner, i, ierr)
      if (i .ne. 2*n) stop 6

C     Data go where the bounds put them, also with MPI-2's function.
      call MPI_TYPE_COMMIT(inner, ierr)
      buffer = 0
      call MPI_SENDRECV((/ 1, 2, 3 /), 3, MPI_INTEGER, 0, 0, buffer, 3,
     &  inner, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE, ierr)
      if (any(buffer(1:6) .ne. (/ 1, 0, 2, 0, 3, 0 /))) stop 7
      wide = (/ 0, 4*n, 0, 0 /)
      lengths = (/ 1, 1, 0, 0 /)
      types = (/ inner, MPI_UB, 0, 0 /)
      call MPI_TYPE_CREATE_STRUCT(2, lengths, wide, types, outer, ierr)
      call MPI_TYPE_GET_EXTENT(outer, lb, extent, ierr)
      if (lb .ne. 0 .or. extent .ne. 4*n) stop 8
      call MPI_TYPE_COMMIT(outer, ierr)
      buffer = 0
      call MPI_SENDRECV((/ 1, 2, 3 /), 3, MPI_INTEGER, 0, 0, buffer, 3,
     &  outer, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE, ierr)
      if (any(buffer(1:9) .ne. (/ 1, 0, 0, 0, 2, 0, 0, 0, 3 /))) stop 9
      call MPI_TYPE_FREE(inner, ierr)
      call MPI_TYPE_FREE(outer, ierr)

C     A struct without them is as it was.
      lengths = (/ 1, 1, 0, 0 /)
      types = (/ MPI_INTEGER, MPI_CHARACTER, 0, 0 /)
      wide = (/ 0, n, 0, 0 /)
      call MPI_TYPE_CREATE_STRUCT(2, lengths, wide, types, outer, ierr)
      call MPI_TYPE_GET_ENVELOPE(outer, lengths(1), lengths(2),
     &  lengths(3), i, ierr)
      if (i .ne. MPI_COMBINER_STRUCT) stop 10
      if (i .eq. MPI_COMBINER_STRUCT_INTEGER) stop 11
      call MPI_TYPE_FREE(outer, ierr)

C     Their names; an error of the struct is the caller's.
      call MPI_TYPE_GET_NAME(MPI_LB, name, i, ierr)
      if (name .ne. 'MPI_LB' .or. i .ne. 6) stop 12
      call MPI_TYPE_GET_NAME(MPI_UB, name, i, ierr)
      if (name .ne. 'MPI_UB') stop 13
      call MPI_ERRHANDLER_GET(MPI_COMM_SELF, old, ierr)
      call MPI_ERRHANDLER_SET(MPI_COMM_SELF, MPI_ERRORS_RETURN, ierr)
      handler = MPI_ERRHANDLER_NULL
      call MPI_ERRHANDLER_GET(MPI_COMM_SELF, handler, ierr)
      if (handler .ne. MPI_ERRORS_RETURN) stop 14
      lengths(1) = -1
      call MPI_TYPE_STRUCT(1, lengths, places, types, outer, ierr)
      if (ierr .eq. MPI_SUCCESS) stop 15
      call MPI_TYPE_STRUCT(1, (/ 1 /), (/ 0 /), (/ MPI_LB-5 /), outer,
     &  ierr)
      if (ierr .eq. MPI_SUCCESS) stop 16
      call MPI_FINALIZE(ierr)
      if (rank .eq. 0) print '(a)', ' ok'
      end
