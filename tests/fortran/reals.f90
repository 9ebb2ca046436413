! SPDX-License-Identifier: BSD-3-Clause
! The module mpi_f08: REAL, DOUBLE PRECISION and their complex ones as the compiler has them, also where an option makes them longer
! (-fdefault-real-8), for which the library was built.
program reals
  use mpi_f08
  implicit none
  integer :: rank, size, n
  real :: x, y, pair(2), best(2), column(4)
  double precision :: d, e
  complex :: z, w
  complex(kind(1d0)) :: u, v
  type(MPI_Info) :: info
  type(MPI_Datatype) :: by_precision
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, size)

  ! Their sizes, in MPI and as the C library was told.
  if (bits(MPI_REAL) /= storage_size(x) .or. bits(MPI_DOUBLE_PRECISION) /= storage_size(d)) stop 1
  if (bits(MPI_COMPLEX) /= storage_size(z) .or. bits(MPI_DOUBLE_COMPLEX) /= storage_size(u)) stop 2
  call MPI_Abi_get_fortran_info(info)
  if (told('mpi_real_size') * 8 /= storage_size(x) .or. told('mpi_double_precision_size') * 8 /= storage_size(d)) stop 3
  if (told('mpi_integer_size') * 8 /= storage_size(n) .or. told('mpi_logical_size') * 8 /= storage_size(.true.)) stop 4
  call MPI_Info_free(info)
  call MPI_Sizeof(x, n)
  if (n * 8 /= storage_size(x)) stop 5

  ! Sums that need all the digits there are, and halves of a complex one that must not be confused.
  x = 1 + rank * epsilon(x)
  call MPI_Allreduce(x, y, 1, MPI_REAL, MPI_MAX, MPI_COMM_WORLD)
  if (y /= 1 + (size - 1) * epsilon(x)) stop 6
  d = 1 + rank * epsilon(d)
  call MPI_Allreduce(d, e, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD)
  if (e /= 1 + (size - 1) * epsilon(d)) stop 7
  z = cmplx(rank, 1)
  call MPI_Allreduce(z, w, 1, MPI_COMPLEX, MPI_SUM, MPI_COMM_WORLD)
  if (w /= cmplx(size * (size - 1) / 2, size)) stop 8
  u = cmplx(1, rank, kind(1d0))
  call MPI_Allreduce(u, v, 1, MPI_DOUBLE_COMPLEX, MPI_SUM, MPI_COMM_WORLD)
  if (v /= cmplx(size, size * (size - 1) / 2, kind(1d0))) stop 9
  pair = [real(modulo(rank + 1, size)), real(rank)]
  call MPI_Allreduce(pair, best, 1, MPI_2REAL, MPI_MAXLOC, MPI_COMM_WORLD)
  if (best(1) /= size - 1 .or. nint(best(2)) /= modulo(size - 2, size)) stop 10

  ! A section with gaps.
  column = 0
  call MPI_Sendrecv([x, y], 2, MPI_REAL, 0, 0, column(::2), 2, MPI_REAL, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE)
  if (any(column /= [x, 0., y, 0.])) stop 11

  ! A type by its precision is that of the kind.
  call MPI_Type_create_f90_real(precision(x), range(x), by_precision)
  if (bits(by_precision) /= storage_size(x)) stop 12
  call MPI_Finalize()
  if (rank == 0) print '(a)', ' ok'
contains
  integer function bits(type)
    type(MPI_Datatype), intent(in) :: type
    integer :: bytes
    call MPI_Type_size(type, bytes)
    bits = bytes * 8
  end function
  integer function told(key)
    character(len=*), intent(in) :: key
    character(len=8) :: value
    logical :: flag
    call MPI_Info_get(info, key, 8, value, flag)
    told = -1
    if (flag) read (value, *) told
  end function
end program
