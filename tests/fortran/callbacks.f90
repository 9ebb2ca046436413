! SPDX-License-Identifier: BSD-3-Clause
! The module mpi: operations, attributes, error handlers, generalized requests, names, infos, types by precision.
module given
  use mpi
  implicit none
  integer :: copied = 0, deleted = 0, handled = 0, freed = 0
contains
  ! Not commutative: 2x2 matrices.
  subroutine multiply(a, b, n, datatype)
    integer :: n, datatype, i
    double precision :: a(2, 2, n), b(2, 2, n)
    if (datatype == MPI_DATATYPE_NULL) stop 101
    do i = 1, n
      b(:, :, i) = matmul(a(:, :, i), b(:, :, i))
    end do
  end subroutine
  subroutine copy(comm, keyval, extra, from, to, flag, ierr)
    integer :: comm, keyval, ierr
    integer(MPI_ADDRESS_KIND) :: extra, from, to
    logical :: flag
    if (comm == MPI_COMM_NULL .or. keyval == MPI_KEYVAL_INVALID) stop 102
    if (extra /= 77) stop 103
    copied = copied + 1
    to = from + 1
    flag = .true.
    ierr = MPI_SUCCESS
  end subroutine
  subroutine delete(comm, keyval, value, extra, ierr)
    integer :: comm, keyval, ierr
    integer(MPI_ADDRESS_KIND) :: extra, value
    if (comm == MPI_COMM_NULL .or. keyval == MPI_KEYVAL_INVALID) stop 104
    if (extra /= 77 .or. value < 1000) stop 105
    deleted = deleted + 1
    ierr = MPI_SUCCESS
  end subroutine
  subroutine handle(comm, code)
    integer :: comm, code, class, ierr
    if (comm == MPI_COMM_NULL) stop 106
    call MPI_Error_class(code, class, ierr)
    if (class /= MPI_ERR_RANK) stop 107
    handled = handled + 1
  end subroutine
  subroutine query(extra, status, ierr)
    integer(MPI_ADDRESS_KIND) :: extra
    integer :: status(MPI_STATUS_SIZE), ierr
    call MPI_Status_set_elements(status, MPI_INTEGER, int(extra), ierr)
    call MPI_Status_set_cancelled(status, .false., ierr)
    status(MPI_TAG) = 5
  end subroutine
  subroutine release(extra, ierr)
    integer(MPI_ADDRESS_KIND) :: extra
    integer :: ierr
    if (extra /= 3) stop 108
    freed = freed + 1
    ierr = MPI_SUCCESS
  end subroutine
  subroutine cancel(extra, complete, ierr)
    integer(MPI_ADDRESS_KIND) :: extra
    logical :: complete
    integer :: ierr
    if (extra /= 3 .or. complete) stop 109
    ierr = MPI_SUCCESS
  end subroutine
end module

program callbacks
  use given
  implicit none
  integer :: ierr, rank, size, matrix, op, keyval, dup, comm, handler, request, status(MPI_STATUS_SIZE)
  integer :: n, info, i, double, code, class
  integer(MPI_ADDRESS_KIND) :: value, extra
  double precision :: mine(2, 2), product(2, 2), wanted(2, 2)
  real(selected_real_kind(10)) :: x
  logical :: flag
  character(len=MPI_MAX_OBJECT_NAME) :: name
  character(len=8) :: short
  character(len=MPI_MAX_ERROR_STRING) :: text
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierr)

  call MPI_Type_contiguous(4, MPI_DOUBLE_PRECISION, matrix, ierr)
  call MPI_Type_commit(matrix, ierr)
  call MPI_Op_create(multiply, .false., op, ierr)
  mine = reshape([1d0, 0d0, 1d0, 1d0 + rank], [2, 2])
  call MPI_Allreduce(mine, product, 1, matrix, op, MPI_COMM_WORLD, ierr)
  wanted = reshape([1d0, 0d0, 0d0, 1d0], [2, 2])
  do i = 0, size - 1
    wanted = matmul(wanted, reshape([1d0, 0d0, 1d0, 1d0 + i], [2, 2]))
  end do
  if (any(product /= wanted)) stop 1
  call MPI_Op_commutative(op, flag, ierr)
  if (flag) stop 2
  call MPI_Op_free(op, ierr)
  if (op /= MPI_OP_NULL) stop 3

  extra = 77
  call MPI_Comm_create_keyval(copy, delete, keyval, extra, ierr)
  call MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, dup, extra, ierr)
  value = 1000
  call MPI_Comm_set_attr(MPI_COMM_WORLD, keyval, value, ierr)
  call MPI_Comm_set_attr(MPI_COMM_WORLD, dup, -value * 2_MPI_ADDRESS_KIND**40, ierr)
  call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierr)
  call MPI_Comm_get_attr(comm, keyval, value, flag, ierr)
  if (.not. flag .or. value /= 1001 .or. copied /= 1) stop 4
  call MPI_Comm_get_attr(comm, dup, value, flag, ierr)
  if (.not. flag .or. value /= -1000 * 2_MPI_ADDRESS_KIND**40) stop 5
  call MPI_Comm_delete_attr(MPI_COMM_WORLD, keyval, ierr)
  call MPI_Comm_get_attr(MPI_COMM_WORLD, keyval, value, flag, ierr)
  if (flag .or. deleted /= 1) stop 6
  call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, value, flag, ierr)
  if (.not. flag .or. value < 32767) stop 7

  call MPI_Comm_create_errhandler(handle, handler, ierr)
  call MPI_Comm_set_errhandler(comm, handler, ierr)
  call MPI_Send(n, 1, MPI_INTEGER, size + 3, 0, comm, code)
  if (code == MPI_SUCCESS .or. handled /= 1) stop 8
  call MPI_Error_string(code, text, n, ierr)
  if (index(text(:n), 'MPI_Send') == 0) stop 9
  call MPI_Errhandler_free(handler, ierr)
  call MPI_Comm_free(comm, ierr)
  if (deleted /= 2) stop 10
  call MPI_Comm_free_keyval(keyval, ierr)
  if (keyval /= MPI_KEYVAL_INVALID) stop 11

  extra = 3
  call MPI_Grequest_start(query, release, cancel, extra, request, ierr)
  call MPI_Test(request, flag, status, ierr)
  if (flag) stop 12
  call MPI_Cancel(request, ierr)
  call MPI_Grequest_complete(request, ierr)
  call MPI_Wait(request, status, ierr)
  call MPI_Get_count(status, MPI_INTEGER, n, ierr)
  if (n /= 3 .or. freed /= 1 .or. status(MPI_TAG) /= 5 .or. request /= MPI_REQUEST_NULL) stop 13

  call MPI_Type_set_name(matrix, '  a matrix ', ierr)
  call MPI_Type_get_name(matrix, name, n, ierr)
  if (name /= 'a matrix' .or. n /= 8) stop 14
  call MPI_Info_create(info, ierr)
  call MPI_Info_set(info, ' key ', '  some value ', ierr)
  short = 'unset'
  call MPI_Info_get(info, 'other', 8, short, flag, ierr)
  if (flag .or. short /= 'unset') stop 15
  call MPI_Info_get(info, 'key', 8, short, flag, ierr)
  if (.not. flag .or. short /= 'some val') stop 16
  call MPI_Info_get_nthkey(info, 0, name, ierr)
  if (name /= 'key') stop 17
  call MPI_Info_free(info, ierr)

  call MPI_Type_create_f90_real(10, MPI_UNDEFINED, double, ierr)
  x = rank
  call MPI_Allreduce(MPI_IN_PLACE, x, 1, double, MPI_SUM, MPI_COMM_WORLD, ierr)
  if (x /= size * (size - 1) / 2) stop 18
  call MPI_Type_match_size(MPI_TYPECLASS_COMPLEX, 16, double, ierr)
  if (double /= MPI_COMPLEX16) stop 19
  ! What the library tells C.
  call MPI_Abi_get_fortran_info(info, ierr)
  call MPI_Info_get(info, 'mpi_double_precision_size', 8, short, flag, ierr)
  read (short, *) n
  if (.not. flag .or. n * 8 /= storage_size(mine)) stop 20
  call MPI_Info_free(info, ierr)
  call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN, ierr)
  call MPI_Type_free(matrix, ierr)
  call MPI_Error_class(MPI_ERR_TRUNCATE, class, ierr)
  if (class /= MPI_ERR_TRUNCATE) stop 21
  call MPI_Finalize(ierr)
  if (rank == 0) print '(a)', ' ok'
end program
