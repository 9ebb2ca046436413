! SPDX-License-Identifier: BSD-3-Clause
! The module mpi_f08: callbacks, and what sections with gaps cannot do.
module given_f08
  use mpi_f08
  use, intrinsic :: iso_c_binding, only: c_ptr, c_f_pointer
  implicit none
  integer :: copied = 0, deleted = 0, handled = 0, freed = 0
contains
  subroutine longest(invec, inoutvec, len, datatype)
    type(c_ptr), value :: invec, inoutvec
    integer :: len
    type(MPI_Datatype) :: datatype
    integer, pointer :: a(:), b(:)
    if (datatype /= MPI_INTEGER) stop 101
    call c_f_pointer(invec, a, [len])
    call c_f_pointer(inoutvec, b, [len])
    where (abs(a) > abs(b)) b = a
  end subroutine
  subroutine longest_c(invec, inoutvec, len, datatype)
    type(c_ptr), value :: invec, inoutvec
    integer(MPI_COUNT_KIND) :: len
    type(MPI_Datatype) :: datatype
    integer :: n
    n = int(len)
    call longest(invec, inoutvec, n, datatype)
  end subroutine
  subroutine copy(oldtype, type_keyval, extra_state, attribute_val_in, attribute_val_out, flag, ierror)
    type(MPI_Datatype) :: oldtype
    integer :: type_keyval, ierror
    integer(MPI_ADDRESS_KIND) :: extra_state, attribute_val_in, attribute_val_out
    logical :: flag
    if (oldtype == MPI_DATATYPE_NULL .or. type_keyval == MPI_KEYVAL_INVALID) stop 102
    copied = copied + 1
    attribute_val_out = attribute_val_in + extra_state
    flag = .true.
    ierror = MPI_SUCCESS
  end subroutine
  subroutine delete(datatype, type_keyval, attribute_val, extra_state, ierror)
    type(MPI_Datatype) :: datatype
    integer :: type_keyval, ierror
    integer(MPI_ADDRESS_KIND) :: attribute_val, extra_state
    if (datatype == MPI_DATATYPE_NULL .or. type_keyval == MPI_KEYVAL_INVALID) stop 103
    if (attribute_val < 5 .or. extra_state /= 77) stop 104
    deleted = deleted + 1
    ierror = MPI_SUCCESS
  end subroutine
  subroutine handle(comm, error_code)
    type(MPI_Comm) :: comm
    integer :: error_code
    if (comm == MPI_COMM_NULL .or. error_code == MPI_SUCCESS) stop 105
    handled = handled + 1
  end subroutine
  subroutine query(extra_state, status, ierror)
    integer(MPI_ADDRESS_KIND) :: extra_state
    type(MPI_Status) :: status
    integer :: ierror
    call MPI_Status_set_elements(status, MPI_INTEGER, int(extra_state), ierror)
    call MPI_Status_set_cancelled(status, .false., ierror)
    status%MPI_TAG = 5
  end subroutine
  subroutine release(extra_state, ierror)
    integer(MPI_ADDRESS_KIND) :: extra_state
    integer :: ierror
    freed = freed + int(extra_state)
    ierror = MPI_SUCCESS
  end subroutine
  subroutine cancel(extra_state, complete, ierror)
    integer(MPI_ADDRESS_KIND) :: extra_state
    logical :: complete
    integer :: ierror
    if (extra_state /= 3 .or. complete) stop 106
    ierror = MPI_SUCCESS
  end subroutine
end module

program callbacks_f08
  use given_f08
  implicit none
  integer :: rank, size, keyval, n, code, class, v(6), w(6), i, f_status(MPI_STATUS_SIZE)
  integer(MPI_ADDRESS_KIND) :: value, extra
  type(MPI_Op) :: op
  type(MPI_Datatype) :: type, second
  type(MPI_Errhandler) :: handler
  type(MPI_Request) :: request
  type(MPI_Status) :: status
  type(MPI_Comm) :: comm
  logical :: flag
  character(len=MPI_MAX_ERROR_STRING) :: text
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, size)

  v = [(merge(-1, 1, mod(rank, 2) == 0) * (rank + i), i=1, 6)]
  call MPI_Op_create(longest, .true., op)
  call MPI_Allreduce(v, w, 6, MPI_INTEGER, op, MPI_COMM_WORLD)
  if (any(abs(w) /= [(size - 1 + i, i=1, 6)])) stop 1
  call MPI_Op_free(op)
  call MPI_Op_create_c(longest_c, .true., op)
  w = 0
  call MPI_Allreduce(v(1:5:2), w(1:5:2), 3_MPI_COUNT_KIND, MPI_INTEGER, op, MPI_COMM_WORLD)
  if (any(abs(w(1:5:2)) /= [(size - 1 + i, i=1, 5, 2)]) .or. any(w(2:6:2) /= 0)) stop 2
  call MPI_Op_free(op)

  extra = 77
  call MPI_Type_create_keyval(copy, delete, keyval, extra)
  call MPI_Type_contiguous(3, MPI_REAL, type)
  value = 5
  call MPI_Type_set_attr(type, keyval, value)
  call MPI_Type_dup(type, second)
  call MPI_Type_get_attr(second, keyval, value, flag)
  if (.not. flag .or. value /= 82 .or. copied /= 1) stop 3
  call MPI_Type_free(type)
  call MPI_Type_free(second)
  if (deleted /= 2 .or. type /= MPI_DATATYPE_NULL) stop 4
  call MPI_Type_free_keyval(keyval)

  call MPI_Comm_dup(MPI_COMM_WORLD, comm)
  call MPI_Comm_create_errhandler(handle, handler)
  call MPI_Comm_set_errhandler(comm, handler)
  call MPI_Send(n, 1, MPI_INTEGER, size + 3, 0, comm, code)
  if (code == MPI_SUCCESS .or. handled /= 1) stop 5
  call MPI_Errhandler_free(handler)
  call MPI_Comm_free(comm)

  extra = 3
  call MPI_Grequest_start(query, release, cancel, extra, request)
  call MPI_Cancel(request)
  call MPI_Grequest_complete(request)
  call MPI_Wait(request, status)
  call MPI_Get_count(status, MPI_INTEGER, n)
  if (n /= 3 .or. freed /= 3 .or. status%MPI_TAG /= 5 .or. request /= MPI_REQUEST_NULL) stop 6
  call MPI_Status_f082f(status, f_status)
  if (f_status(MPI_TAG) /= 5) stop 7

  ! A section with gaps that is used part by part, more elements than there are, elements that the type does not fill.
  call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN)
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
  call MPI_Psend_init(v(1:5:2), 1, 3_MPI_COUNT_KIND, MPI_INTEGER, 0, 0, MPI_COMM_SELF, MPI_INFO_NULL, request, code)
  call MPI_Error_class(code, class)
  call MPI_Error_string(code, text, n)
  if (class /= MPI_ERR_BUFFER .or. index(text(:n), 'MPI_Psend_init') == 0) stop 8
  call MPI_Send(v(1:5:2), 4, MPI_INTEGER, MPI_PROC_NULL, 0, MPI_COMM_WORLD, code)
  call MPI_Error_class(code, class)
  if (class /= MPI_ERR_COUNT) stop 9
  call MPI_Send(v(1:5:2), 3, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_WORLD, code)
  call MPI_Error_class(code, class)
  if (class /= MPI_ERR_TYPE) stop 10
  call MPI_Finalize()
  if (rank == 0) print '(a)', ' ok'
end program
