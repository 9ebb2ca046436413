/* SPDX-License-Identifier: BSD-3-Clause
 *
 * unsupported: functions of the ABI that do not work yet. Each raises MPI_ERR_UNSUPPORTED_OPERATION with its own name through
 * the error handler of MPI_COMM_SELF; none pretends to succeed. `hawser-info --missing` prints the table at the end.
 */
#include "mpi/public.h"

#include <stddef.h>

#include "core/comm/raise.h"
#include "mpi/unsupported.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

static int unsupported(const char *fn)
{
    return hws_raise(NULL, fn, hws_fail(MPI_ERR_UNSUPPORTED_OPERATION, "not supported yet by this version of Hawser"));
}

/* Weak, so that the definition in the family's own file wins. */
#define UNSUPPORTED(name, params)                                                                                      \
    static int unsupported_##name params                                                                               \
    {                                                                                                                  \
        return unsupported("MPI_" #name);                                                                              \
    }                                                                                                                  \
    __attribute__((weak, alias("unsupported_" #name))) int PMPI_##name params;                                         \
    HWS_MPI_AS(name, "unsupported_" #name)


/* ABI query */
UNSUPPORTED(Abi_get_fortran_booleans, (int logical_size, void *logical_true, void *logical_false, int *is_set))
UNSUPPORTED(Abi_get_fortran_info, (MPI_Info *info))
UNSUPPORTED(Abi_get_info, (MPI_Info *info))
UNSUPPORTED(Abi_get_version, (int *abi_major, int *abi_minor))
UNSUPPORTED(Abi_set_fortran_booleans, (int logical_size, void *logical_true, void *logical_false))
UNSUPPORTED(Abi_set_fortran_info, (MPI_Info info))

/* attribute/keyval */
UNSUPPORTED(Comm_create_keyval, (MPI_Comm_copy_attr_function *comm_copy_attr_fn, MPI_Comm_delete_attr_function
            *comm_delete_attr_fn, int *comm_keyval, void *extra_state))
UNSUPPORTED(Comm_delete_attr, (MPI_Comm comm, int comm_keyval))
UNSUPPORTED(Comm_free_keyval, (int *comm_keyval))
UNSUPPORTED(Comm_get_attr, (MPI_Comm comm, int comm_keyval, void *attribute_val, int *flag))
UNSUPPORTED(Comm_set_attr, (MPI_Comm comm, int comm_keyval, void *attribute_val))
UNSUPPORTED(Type_create_keyval, (MPI_Type_copy_attr_function *type_copy_attr_fn, MPI_Type_delete_attr_function
            *type_delete_attr_fn, int *type_keyval, void *extra_state))
UNSUPPORTED(Type_delete_attr, (MPI_Datatype datatype, int type_keyval))
UNSUPPORTED(Type_free_keyval, (int *type_keyval))
UNSUPPORTED(Type_get_attr, (MPI_Datatype datatype, int type_keyval, void *attribute_val, int *flag))
UNSUPPORTED(Type_set_attr, (MPI_Datatype datatype, int type_keyval, void *attribute_val))
UNSUPPORTED(Win_create_keyval, (MPI_Win_copy_attr_function *win_copy_attr_fn, MPI_Win_delete_attr_function
            *win_delete_attr_fn, int *win_keyval, void *extra_state))
UNSUPPORTED(Win_delete_attr, (MPI_Win win, int win_keyval))
UNSUPPORTED(Win_free_keyval, (int *win_keyval))
UNSUPPORTED(Win_get_attr, (MPI_Win win, int win_keyval, void *attribute_val, int *flag))
UNSUPPORTED(Win_set_attr, (MPI_Win win, int win_keyval, void *attribute_val))

/* collective */
UNSUPPORTED(Allgather, (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
            MPI_Datatype recvtype, MPI_Comm comm))
UNSUPPORTED(Allgather_c, (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count
            recvcount, MPI_Datatype recvtype, MPI_Comm comm))
UNSUPPORTED(Allgatherv, (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int
            recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm))
UNSUPPORTED(Allgatherv_c, (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, const
            MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, MPI_Comm comm))
UNSUPPORTED(Allreduce, (const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm
            comm))
UNSUPPORTED(Allreduce_c, (const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
            MPI_Comm comm))
UNSUPPORTED(Alltoall, (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
            MPI_Datatype recvtype, MPI_Comm comm))
UNSUPPORTED(Alltoall_c, (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count
            recvcount, MPI_Datatype recvtype, MPI_Comm comm))
UNSUPPORTED(Alltoallv, (const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype, void
            *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm))
UNSUPPORTED(Alltoallv_c, (const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[], MPI_Datatype
            sendtype, void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[], MPI_Datatype recvtype,
            MPI_Comm comm))
UNSUPPORTED(Alltoallw, (const void *sendbuf, const int sendcounts[], const int sdispls[], const MPI_Datatype
            sendtypes[], void *recvbuf, const int recvcounts[], const int rdispls[], const MPI_Datatype recvtypes[],
            MPI_Comm comm))
UNSUPPORTED(Alltoallw_c, (const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[], const
            MPI_Datatype sendtypes[], void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[], const
            MPI_Datatype recvtypes[], MPI_Comm comm))
UNSUPPORTED(Barrier, (MPI_Comm comm))
UNSUPPORTED(Bcast, (void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm))
UNSUPPORTED(Bcast_c, (void *buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm))
UNSUPPORTED(Exscan, (const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm))
UNSUPPORTED(Exscan_c, (const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm
            comm))
UNSUPPORTED(Gather, (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
            MPI_Datatype recvtype, int root, MPI_Comm comm))
UNSUPPORTED(Gather_c, (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count
            recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm))
UNSUPPORTED(Gatherv, (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int
            recvcounts[], const int displs[], MPI_Datatype recvtype, int root, MPI_Comm comm))
UNSUPPORTED(Gatherv_c, (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, const
            MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, int root, MPI_Comm comm))
UNSUPPORTED(Op_commutative, (MPI_Op op, int *commute))
UNSUPPORTED(Op_create, (MPI_User_function *user_fn, int commute, MPI_Op *op))
UNSUPPORTED(Op_create_c, (MPI_User_function_c *user_fn, int commute, MPI_Op *op))
UNSUPPORTED(Op_free, (MPI_Op *op))
UNSUPPORTED(Reduce, (const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root,
            MPI_Comm comm))
UNSUPPORTED(Reduce_c, (const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, int
            root, MPI_Comm comm))
UNSUPPORTED(Reduce_local, (const void *inbuf, void *inoutbuf, int count, MPI_Datatype datatype, MPI_Op op))
UNSUPPORTED(Reduce_local_c, (const void *inbuf, void *inoutbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op))
UNSUPPORTED(Reduce_scatter, (const void *sendbuf, void *recvbuf, const int recvcounts[], MPI_Datatype datatype, MPI_Op
            op, MPI_Comm comm))
UNSUPPORTED(Reduce_scatter_c, (const void *sendbuf, void *recvbuf, const MPI_Count recvcounts[], MPI_Datatype
            datatype, MPI_Op op, MPI_Comm comm))
UNSUPPORTED(Reduce_scatter_block, (const void *sendbuf, void *recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op
            op, MPI_Comm comm))
UNSUPPORTED(Reduce_scatter_block_c, (const void *sendbuf, void *recvbuf, MPI_Count recvcount, MPI_Datatype datatype,
            MPI_Op op, MPI_Comm comm))
UNSUPPORTED(Scan, (const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm))
UNSUPPORTED(Scan_c, (const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm
            comm))
UNSUPPORTED(Scatter, (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
            MPI_Datatype recvtype, int root, MPI_Comm comm))
UNSUPPORTED(Scatter_c, (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count
            recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm))
UNSUPPORTED(Scatterv, (const void *sendbuf, const int sendcounts[], const int displs[], MPI_Datatype sendtype, void
            *recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm))
UNSUPPORTED(Scatterv_c, (const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint displs[], MPI_Datatype
            sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm))

/* communicator */
UNSUPPORTED(Comm_compare, (MPI_Comm comm1, MPI_Comm comm2, int *result))
UNSUPPORTED(Comm_create, (MPI_Comm comm, MPI_Group group, MPI_Comm *newcomm))
UNSUPPORTED(Comm_create_from_group, (MPI_Group group, const char *stringtag, MPI_Info info, MPI_Errhandler errhandler,
            MPI_Comm *newcomm))
UNSUPPORTED(Comm_create_group, (MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *newcomm))
UNSUPPORTED(Comm_dup, (MPI_Comm comm, MPI_Comm *newcomm))
UNSUPPORTED(Comm_dup_with_info, (MPI_Comm comm, MPI_Info info, MPI_Comm *newcomm))
UNSUPPORTED(Comm_free, (MPI_Comm *comm))
UNSUPPORTED(Comm_get_info, (MPI_Comm comm, MPI_Info *info_used))
UNSUPPORTED(Comm_get_name, (MPI_Comm comm, char *comm_name, int *resultlen))
UNSUPPORTED(Comm_group, (MPI_Comm comm, MPI_Group *group))
UNSUPPORTED(Comm_idup, (MPI_Comm comm, MPI_Comm *newcomm, MPI_Request *request))
UNSUPPORTED(Comm_idup_with_info, (MPI_Comm comm, MPI_Info info, MPI_Comm *newcomm, MPI_Request *request))
UNSUPPORTED(Comm_rank, (MPI_Comm comm, int *rank))
UNSUPPORTED(Comm_remote_group, (MPI_Comm comm, MPI_Group *group))
UNSUPPORTED(Comm_remote_size, (MPI_Comm comm, int *size))
UNSUPPORTED(Comm_set_info, (MPI_Comm comm, MPI_Info info))
UNSUPPORTED(Comm_set_name, (MPI_Comm comm, const char *comm_name))
UNSUPPORTED(Comm_size, (MPI_Comm comm, int *size))
UNSUPPORTED(Comm_split, (MPI_Comm comm, int color, int key, MPI_Comm *newcomm))
UNSUPPORTED(Comm_split_type, (MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm *newcomm))
UNSUPPORTED(Comm_test_inter, (MPI_Comm comm, int *flag))
UNSUPPORTED(Intercomm_create, (MPI_Comm local_comm, int local_leader, MPI_Comm peer_comm, int remote_leader, int tag,
            MPI_Comm *newintercomm))
UNSUPPORTED(Intercomm_create_from_groups, (MPI_Group local_group, int local_leader, MPI_Group remote_group, int
            remote_leader, const char *stringtag, MPI_Info info, MPI_Errhandler errhandler, MPI_Comm *newintercomm))
UNSUPPORTED(Intercomm_merge, (MPI_Comm intercomm, int high, MPI_Comm *newintracomm))

/* datatype */
UNSUPPORTED(Get_address, (const void *location, MPI_Aint *address))
UNSUPPORTED(Type_commit, (MPI_Datatype *datatype))
UNSUPPORTED(Type_contiguous, (int count, MPI_Datatype oldtype, MPI_Datatype *newtype))
UNSUPPORTED(Type_contiguous_c, (MPI_Count count, MPI_Datatype oldtype, MPI_Datatype *newtype))
UNSUPPORTED(Type_create_darray, (int size, int rank, int ndims, const int array_of_gsizes[], const int
            array_of_distribs[], const int array_of_dargs[], const int array_of_psizes[], int order, MPI_Datatype
            oldtype, MPI_Datatype *newtype))
UNSUPPORTED(Type_create_darray_c, (int size, int rank, int ndims, const MPI_Count array_of_gsizes[], const int
            array_of_distribs[], const int array_of_dargs[], const int array_of_psizes[], int order, MPI_Datatype
            oldtype, MPI_Datatype *newtype))
UNSUPPORTED(Type_create_f90_complex, (int p, int r, MPI_Datatype *newtype))
UNSUPPORTED(Type_create_f90_integer, (int r, MPI_Datatype *newtype))
UNSUPPORTED(Type_create_f90_real, (int p, int r, MPI_Datatype *newtype))
UNSUPPORTED(Type_create_hindexed, (int count, const int array_of_blocklengths[], const MPI_Aint
            array_of_displacements[], MPI_Datatype oldtype, MPI_Datatype *newtype))
UNSUPPORTED(Type_create_hindexed_c, (MPI_Count count, const MPI_Count array_of_blocklengths[], const MPI_Count
            array_of_displacements[], MPI_Datatype oldtype, MPI_Datatype *newtype))
UNSUPPORTED(Type_create_hindexed_block, (int count, int blocklength, const MPI_Aint array_of_displacements[],
            MPI_Datatype oldtype, MPI_Datatype *newtype))
UNSUPPORTED(Type_create_hindexed_block_c, (MPI_Count count, MPI_Count blocklength, const MPI_Count
            array_of_displacements[], MPI_Datatype oldtype, MPI_Datatype *newtype))
UNSUPPORTED(Type_create_hvector, (int count, int blocklength, MPI_Aint stride, MPI_Datatype oldtype, MPI_Datatype
            *newtype))
UNSUPPORTED(Type_create_hvector_c, (MPI_Count count, MPI_Count blocklength, MPI_Count stride, MPI_Datatype oldtype,
            MPI_Datatype *newtype))
UNSUPPORTED(Type_create_indexed_block, (int count, int blocklength, const int array_of_displacements[], MPI_Datatype
            oldtype, MPI_Datatype *newtype))
UNSUPPORTED(Type_create_indexed_block_c, (MPI_Count count, MPI_Count blocklength, const MPI_Count
            array_of_displacements[], MPI_Datatype oldtype, MPI_Datatype *newtype))
UNSUPPORTED(Type_create_resized, (MPI_Datatype oldtype, MPI_Aint lb, MPI_Aint extent, MPI_Datatype *newtype))
UNSUPPORTED(Type_create_resized_c, (MPI_Datatype oldtype, MPI_Count lb, MPI_Count extent, MPI_Datatype *newtype))
UNSUPPORTED(Type_create_struct, (int count, const int array_of_blocklengths[], const MPI_Aint
            array_of_displacements[], const MPI_Datatype array_of_types[], MPI_Datatype *newtype))
UNSUPPORTED(Type_create_struct_c, (MPI_Count count, const MPI_Count array_of_blocklengths[], const MPI_Count
            array_of_displacements[], const MPI_Datatype array_of_types[], MPI_Datatype *newtype))
UNSUPPORTED(Type_create_subarray, (int ndims, const int array_of_sizes[], const int array_of_subsizes[], const int
            array_of_starts[], int order, MPI_Datatype oldtype, MPI_Datatype *newtype))
UNSUPPORTED(Type_create_subarray_c, (int ndims, const MPI_Count array_of_sizes[], const MPI_Count array_of_subsizes[],
            const MPI_Count array_of_starts[], int order, MPI_Datatype oldtype, MPI_Datatype *newtype))
UNSUPPORTED(Type_dup, (MPI_Datatype oldtype, MPI_Datatype *newtype))
UNSUPPORTED(Type_free, (MPI_Datatype *datatype))
UNSUPPORTED(Type_get_contents, (MPI_Datatype datatype, int max_integers, int max_addresses, int max_datatypes, int
            array_of_integers[], MPI_Aint array_of_addresses[], MPI_Datatype array_of_datatypes[]))
UNSUPPORTED(Type_get_contents_c, (MPI_Datatype datatype, MPI_Count max_integers, MPI_Count max_addresses, MPI_Count
            max_large_counts, MPI_Count max_datatypes, int array_of_integers[], MPI_Aint array_of_addresses[],
            MPI_Count array_of_large_counts[], MPI_Datatype array_of_datatypes[]))
UNSUPPORTED(Type_get_envelope, (MPI_Datatype datatype, int *num_integers, int *num_addresses, int *num_datatypes, int
            *combiner))
UNSUPPORTED(Type_get_envelope_c, (MPI_Datatype datatype, MPI_Count *num_integers, MPI_Count *num_addresses, MPI_Count
            *num_large_counts, MPI_Count *num_datatypes, int *combiner))
UNSUPPORTED(Type_get_extent, (MPI_Datatype datatype, MPI_Aint *lb, MPI_Aint *extent))
UNSUPPORTED(Type_get_extent_c, (MPI_Datatype datatype, MPI_Count *lb, MPI_Count *extent))
UNSUPPORTED(Type_get_name, (MPI_Datatype datatype, char *type_name, int *resultlen))
UNSUPPORTED(Type_get_true_extent, (MPI_Datatype datatype, MPI_Aint *true_lb, MPI_Aint *true_extent))
UNSUPPORTED(Type_get_true_extent_c, (MPI_Datatype datatype, MPI_Count *true_lb, MPI_Count *true_extent))
UNSUPPORTED(Type_get_value_index, (MPI_Datatype value_type, MPI_Datatype index_type, MPI_Datatype *pair_type))
UNSUPPORTED(Type_indexed, (int count, const int array_of_blocklengths[], const int array_of_displacements[],
            MPI_Datatype oldtype, MPI_Datatype *newtype))
UNSUPPORTED(Type_indexed_c, (MPI_Count count, const MPI_Count array_of_blocklengths[], const MPI_Count
            array_of_displacements[], MPI_Datatype oldtype, MPI_Datatype *newtype))
UNSUPPORTED(Type_match_size, (int typeclass, int size, MPI_Datatype *datatype))
UNSUPPORTED(Type_set_name, (MPI_Datatype datatype, const char *type_name))
UNSUPPORTED(Type_size, (MPI_Datatype datatype, int *size))
UNSUPPORTED(Type_size_c, (MPI_Datatype datatype, MPI_Count *size))
UNSUPPORTED(Type_vector, (int count, int blocklength, int stride, MPI_Datatype oldtype, MPI_Datatype *newtype))
UNSUPPORTED(Type_vector_c, (MPI_Count count, MPI_Count blocklength, MPI_Count stride, MPI_Datatype oldtype,
            MPI_Datatype *newtype))

/* deprecated/removed */
UNSUPPORTED(Attr_delete, (MPI_Comm comm, int keyval))
UNSUPPORTED(Attr_get, (MPI_Comm comm, int keyval, void *attribute_val, int *flag))
UNSUPPORTED(Attr_put, (MPI_Comm comm, int keyval, void *attribute_val))
UNSUPPORTED(Get_elements_x, (const MPI_Status *status, MPI_Datatype datatype, MPI_Count *count))
UNSUPPORTED(Info_get, (MPI_Info info, const char *key, int valuelen, char *value, int *flag))
UNSUPPORTED(Info_get_valuelen, (MPI_Info info, const char *key, int *valuelen, int *flag))
UNSUPPORTED(Keyval_create, (MPI_Copy_function *copy_fn, MPI_Delete_function *delete_fn, int *keyval, void
            *extra_state))
UNSUPPORTED(Keyval_free, (int *keyval))
UNSUPPORTED(Status_set_elements_x, (MPI_Status *status, MPI_Datatype datatype, MPI_Count count))
UNSUPPORTED(Type_get_extent_x, (MPI_Datatype datatype, MPI_Count *lb, MPI_Count *extent))
UNSUPPORTED(Type_get_true_extent_x, (MPI_Datatype datatype, MPI_Count *true_lb, MPI_Count *true_extent))
UNSUPPORTED(Type_size_x, (MPI_Datatype datatype, MPI_Count *size))

/* environment */
UNSUPPORTED(Abort, (MPI_Comm comm, int errorcode))
UNSUPPORTED(Alloc_mem, (MPI_Aint size, MPI_Info info, void *baseptr))
UNSUPPORTED(Finalize, (void))
UNSUPPORTED(Finalized, (int *flag))
UNSUPPORTED(Free_mem, (void *base))
UNSUPPORTED(Get_hw_resource_info, (MPI_Info *hw_info))
UNSUPPORTED(Get_library_version, (char *version, int *resultlen))
UNSUPPORTED(Get_processor_name, (char *name, int *resultlen))
UNSUPPORTED(Get_version, (int *version, int *subversion))
UNSUPPORTED(Init, (int *argc, char ***argv))
UNSUPPORTED(Init_thread, (int *argc, char ***argv, int required, int *provided))
UNSUPPORTED(Initialized, (int *flag))
UNSUPPORTED(Is_thread_main, (int *flag))
UNSUPPORTED(Pcontrol, (const int level, ...))
UNSUPPORTED(Query_thread, (int *provided))

/* error handling */
UNSUPPORTED(Add_error_class, (int *errorclass))
UNSUPPORTED(Add_error_code, (int errorclass, int *errorcode))
UNSUPPORTED(Add_error_string, (int errorcode, const char *string))
UNSUPPORTED(Comm_call_errhandler, (MPI_Comm comm, int errorcode))
UNSUPPORTED(Comm_create_errhandler, (MPI_Comm_errhandler_function *comm_errhandler_fn, MPI_Errhandler *errhandler))
UNSUPPORTED(Comm_get_errhandler, (MPI_Comm comm, MPI_Errhandler *errhandler))
UNSUPPORTED(Comm_set_errhandler, (MPI_Comm comm, MPI_Errhandler errhandler))
UNSUPPORTED(Errhandler_free, (MPI_Errhandler *errhandler))
UNSUPPORTED(Error_class, (int errorcode, int *errorclass))
UNSUPPORTED(Error_string, (int errorcode, char *string, int *resultlen))
UNSUPPORTED(File_call_errhandler, (MPI_File fh, int errorcode))
UNSUPPORTED(File_create_errhandler, (MPI_File_errhandler_function *file_errhandler_fn, MPI_Errhandler *errhandler))
UNSUPPORTED(File_get_errhandler, (MPI_File file, MPI_Errhandler *errhandler))
UNSUPPORTED(File_set_errhandler, (MPI_File file, MPI_Errhandler errhandler))
UNSUPPORTED(Remove_error_class, (int errorclass))
UNSUPPORTED(Remove_error_code, (int errorcode))
UNSUPPORTED(Remove_error_string, (int errorcode))
UNSUPPORTED(Session_call_errhandler, (MPI_Session session, int errorcode))
UNSUPPORTED(Session_create_errhandler, (MPI_Session_errhandler_function *session_errhandler_fn, MPI_Errhandler
            *errhandler))
UNSUPPORTED(Session_get_errhandler, (MPI_Session session, MPI_Errhandler *errhandler))
UNSUPPORTED(Session_set_errhandler, (MPI_Session session, MPI_Errhandler errhandler))
UNSUPPORTED(Win_call_errhandler, (MPI_Win win, int errorcode))
UNSUPPORTED(Win_create_errhandler, (MPI_Win_errhandler_function *win_errhandler_fn, MPI_Errhandler *errhandler))
UNSUPPORTED(Win_get_errhandler, (MPI_Win win, MPI_Errhandler *errhandler))
UNSUPPORTED(Win_set_errhandler, (MPI_Win win, MPI_Errhandler errhandler))

/* file I/O */
UNSUPPORTED(File_close, (MPI_File *fh))
UNSUPPORTED(File_delete, (const char *filename, MPI_Info info))
UNSUPPORTED(File_get_amode, (MPI_File fh, int *amode))
UNSUPPORTED(File_get_atomicity, (MPI_File fh, int *flag))
UNSUPPORTED(File_get_byte_offset, (MPI_File fh, MPI_Offset offset, MPI_Offset *disp))
UNSUPPORTED(File_get_group, (MPI_File fh, MPI_Group *group))
UNSUPPORTED(File_get_info, (MPI_File fh, MPI_Info *info_used))
UNSUPPORTED(File_get_position, (MPI_File fh, MPI_Offset *offset))
UNSUPPORTED(File_get_position_shared, (MPI_File fh, MPI_Offset *offset))
UNSUPPORTED(File_get_size, (MPI_File fh, MPI_Offset *size))
UNSUPPORTED(File_get_type_extent, (MPI_File fh, MPI_Datatype datatype, MPI_Aint *extent))
UNSUPPORTED(File_get_type_extent_c, (MPI_File fh, MPI_Datatype datatype, MPI_Count *extent))
UNSUPPORTED(File_get_view, (MPI_File fh, MPI_Offset *disp, MPI_Datatype *etype, MPI_Datatype *filetype, char
            *datarep))
UNSUPPORTED(File_iread, (MPI_File fh, void *buf, int count, MPI_Datatype datatype, MPI_Request *request))
UNSUPPORTED(File_iread_c, (MPI_File fh, void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Request *request))
UNSUPPORTED(File_iread_all, (MPI_File fh, void *buf, int count, MPI_Datatype datatype, MPI_Request *request))
UNSUPPORTED(File_iread_all_c, (MPI_File fh, void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Request *request))
UNSUPPORTED(File_iread_at, (MPI_File fh, MPI_Offset offset, void *buf, int count, MPI_Datatype datatype, MPI_Request
            *request))
UNSUPPORTED(File_iread_at_c, (MPI_File fh, MPI_Offset offset, void *buf, MPI_Count count, MPI_Datatype datatype,
            MPI_Request *request))
UNSUPPORTED(File_iread_at_all, (MPI_File fh, MPI_Offset offset, void *buf, int count, MPI_Datatype datatype,
            MPI_Request *request))
UNSUPPORTED(File_iread_at_all_c, (MPI_File fh, MPI_Offset offset, void *buf, MPI_Count count, MPI_Datatype datatype,
            MPI_Request *request))
UNSUPPORTED(File_iread_shared, (MPI_File fh, void *buf, int count, MPI_Datatype datatype, MPI_Request *request))
UNSUPPORTED(File_iread_shared_c, (MPI_File fh, void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Request
            *request))
UNSUPPORTED(File_iwrite, (MPI_File fh, const void *buf, int count, MPI_Datatype datatype, MPI_Request *request))
UNSUPPORTED(File_iwrite_c, (MPI_File fh, const void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Request
            *request))
UNSUPPORTED(File_iwrite_all, (MPI_File fh, const void *buf, int count, MPI_Datatype datatype, MPI_Request *request))
UNSUPPORTED(File_iwrite_all_c, (MPI_File fh, const void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Request
            *request))
UNSUPPORTED(File_iwrite_at, (MPI_File fh, MPI_Offset offset, const void *buf, int count, MPI_Datatype datatype,
            MPI_Request *request))
UNSUPPORTED(File_iwrite_at_c, (MPI_File fh, MPI_Offset offset, const void *buf, MPI_Count count, MPI_Datatype
            datatype, MPI_Request *request))
UNSUPPORTED(File_iwrite_at_all, (MPI_File fh, MPI_Offset offset, const void *buf, int count, MPI_Datatype datatype,
            MPI_Request *request))
UNSUPPORTED(File_iwrite_at_all_c, (MPI_File fh, MPI_Offset offset, const void *buf, MPI_Count count, MPI_Datatype
            datatype, MPI_Request *request))
UNSUPPORTED(File_iwrite_shared, (MPI_File fh, const void *buf, int count, MPI_Datatype datatype, MPI_Request
            *request))
UNSUPPORTED(File_iwrite_shared_c, (MPI_File fh, const void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Request
            *request))
UNSUPPORTED(File_open, (MPI_Comm comm, const char *filename, int amode, MPI_Info info, MPI_File *fh))
UNSUPPORTED(File_preallocate, (MPI_File fh, MPI_Offset size))
UNSUPPORTED(File_read, (MPI_File fh, void *buf, int count, MPI_Datatype datatype, MPI_Status *status))
UNSUPPORTED(File_read_c, (MPI_File fh, void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Status *status))
UNSUPPORTED(File_read_all, (MPI_File fh, void *buf, int count, MPI_Datatype datatype, MPI_Status *status))
UNSUPPORTED(File_read_all_c, (MPI_File fh, void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Status *status))
UNSUPPORTED(File_read_all_begin, (MPI_File fh, void *buf, int count, MPI_Datatype datatype))
UNSUPPORTED(File_read_all_begin_c, (MPI_File fh, void *buf, MPI_Count count, MPI_Datatype datatype))
UNSUPPORTED(File_read_all_end, (MPI_File fh, void *buf, MPI_Status *status))
UNSUPPORTED(File_read_at, (MPI_File fh, MPI_Offset offset, void *buf, int count, MPI_Datatype datatype, MPI_Status
            *status))
UNSUPPORTED(File_read_at_c, (MPI_File fh, MPI_Offset offset, void *buf, MPI_Count count, MPI_Datatype datatype,
            MPI_Status *status))
UNSUPPORTED(File_read_at_all, (MPI_File fh, MPI_Offset offset, void *buf, int count, MPI_Datatype datatype, MPI_Status
            *status))
UNSUPPORTED(File_read_at_all_c, (MPI_File fh, MPI_Offset offset, void *buf, MPI_Count count, MPI_Datatype datatype,
            MPI_Status *status))
UNSUPPORTED(File_read_at_all_begin, (MPI_File fh, MPI_Offset offset, void *buf, int count, MPI_Datatype datatype))
UNSUPPORTED(File_read_at_all_begin_c, (MPI_File fh, MPI_Offset offset, void *buf, MPI_Count count, MPI_Datatype
            datatype))
UNSUPPORTED(File_read_at_all_end, (MPI_File fh, void *buf, MPI_Status *status))
UNSUPPORTED(File_read_ordered, (MPI_File fh, void *buf, int count, MPI_Datatype datatype, MPI_Status *status))
UNSUPPORTED(File_read_ordered_c, (MPI_File fh, void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Status *status))
UNSUPPORTED(File_read_ordered_begin, (MPI_File fh, void *buf, int count, MPI_Datatype datatype))
UNSUPPORTED(File_read_ordered_begin_c, (MPI_File fh, void *buf, MPI_Count count, MPI_Datatype datatype))
UNSUPPORTED(File_read_ordered_end, (MPI_File fh, void *buf, MPI_Status *status))
UNSUPPORTED(File_read_shared, (MPI_File fh, void *buf, int count, MPI_Datatype datatype, MPI_Status *status))
UNSUPPORTED(File_read_shared_c, (MPI_File fh, void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Status *status))
UNSUPPORTED(File_seek, (MPI_File fh, MPI_Offset offset, int whence))
UNSUPPORTED(File_seek_shared, (MPI_File fh, MPI_Offset offset, int whence))
UNSUPPORTED(File_set_atomicity, (MPI_File fh, int flag))
UNSUPPORTED(File_set_info, (MPI_File fh, MPI_Info info))
UNSUPPORTED(File_set_size, (MPI_File fh, MPI_Offset size))
UNSUPPORTED(File_set_view, (MPI_File fh, MPI_Offset disp, MPI_Datatype etype, MPI_Datatype filetype, const char
            *datarep, MPI_Info info))
UNSUPPORTED(File_sync, (MPI_File fh))
UNSUPPORTED(File_write, (MPI_File fh, const void *buf, int count, MPI_Datatype datatype, MPI_Status *status))
UNSUPPORTED(File_write_c, (MPI_File fh, const void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Status *status))
UNSUPPORTED(File_write_all, (MPI_File fh, const void *buf, int count, MPI_Datatype datatype, MPI_Status *status))
UNSUPPORTED(File_write_all_c, (MPI_File fh, const void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Status
            *status))
UNSUPPORTED(File_write_all_begin, (MPI_File fh, const void *buf, int count, MPI_Datatype datatype))
UNSUPPORTED(File_write_all_begin_c, (MPI_File fh, const void *buf, MPI_Count count, MPI_Datatype datatype))
UNSUPPORTED(File_write_all_end, (MPI_File fh, const void *buf, MPI_Status *status))
UNSUPPORTED(File_write_at, (MPI_File fh, MPI_Offset offset, const void *buf, int count, MPI_Datatype datatype,
            MPI_Status *status))
UNSUPPORTED(File_write_at_c, (MPI_File fh, MPI_Offset offset, const void *buf, MPI_Count count, MPI_Datatype datatype,
            MPI_Status *status))
UNSUPPORTED(File_write_at_all, (MPI_File fh, MPI_Offset offset, const void *buf, int count, MPI_Datatype datatype,
            MPI_Status *status))
UNSUPPORTED(File_write_at_all_c, (MPI_File fh, MPI_Offset offset, const void *buf, MPI_Count count, MPI_Datatype
            datatype, MPI_Status *status))
UNSUPPORTED(File_write_at_all_begin, (MPI_File fh, MPI_Offset offset, const void *buf, int count, MPI_Datatype
            datatype))
UNSUPPORTED(File_write_at_all_begin_c, (MPI_File fh, MPI_Offset offset, const void *buf, MPI_Count count, MPI_Datatype
            datatype))
UNSUPPORTED(File_write_at_all_end, (MPI_File fh, const void *buf, MPI_Status *status))
UNSUPPORTED(File_write_ordered, (MPI_File fh, const void *buf, int count, MPI_Datatype datatype, MPI_Status *status))
UNSUPPORTED(File_write_ordered_c, (MPI_File fh, const void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Status
            *status))
UNSUPPORTED(File_write_ordered_begin, (MPI_File fh, const void *buf, int count, MPI_Datatype datatype))
UNSUPPORTED(File_write_ordered_begin_c, (MPI_File fh, const void *buf, MPI_Count count, MPI_Datatype datatype))
UNSUPPORTED(File_write_ordered_end, (MPI_File fh, const void *buf, MPI_Status *status))
UNSUPPORTED(File_write_shared, (MPI_File fh, const void *buf, int count, MPI_Datatype datatype, MPI_Status *status))
UNSUPPORTED(File_write_shared_c, (MPI_File fh, const void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Status
            *status))
UNSUPPORTED(Register_datarep, (const char *datarep, MPI_Datarep_conversion_function *read_conversion_fn,
            MPI_Datarep_conversion_function *write_conversion_fn, MPI_Datarep_extent_function *dtype_file_extent_fn,
            void *extra_state))
UNSUPPORTED(Register_datarep_c, (const char *datarep, MPI_Datarep_conversion_function_c *read_conversion_fn,
            MPI_Datarep_conversion_function_c *write_conversion_fn, MPI_Datarep_extent_function *dtype_file_extent_fn,
            void *extra_state))

/* group */
UNSUPPORTED(Group_compare, (MPI_Group group1, MPI_Group group2, int *result))
UNSUPPORTED(Group_difference, (MPI_Group group1, MPI_Group group2, MPI_Group *newgroup))
UNSUPPORTED(Group_excl, (MPI_Group group, int n, const int ranks[], MPI_Group *newgroup))
UNSUPPORTED(Group_free, (MPI_Group *group))
UNSUPPORTED(Group_from_session_pset, (MPI_Session session, const char *pset_name, MPI_Group *newgroup))
UNSUPPORTED(Group_incl, (MPI_Group group, int n, const int ranks[], MPI_Group *newgroup))
UNSUPPORTED(Group_intersection, (MPI_Group group1, MPI_Group group2, MPI_Group *newgroup))
UNSUPPORTED(Group_range_excl, (MPI_Group group, int n, int ranges[][3], MPI_Group *newgroup))
UNSUPPORTED(Group_range_incl, (MPI_Group group, int n, int ranges[][3], MPI_Group *newgroup))
UNSUPPORTED(Group_rank, (MPI_Group group, int *rank))
UNSUPPORTED(Group_size, (MPI_Group group, int *size))
UNSUPPORTED(Group_translate_ranks, (MPI_Group group1, int n, const int ranks1[], MPI_Group group2, int ranks2[]))
UNSUPPORTED(Group_union, (MPI_Group group1, MPI_Group group2, MPI_Group *newgroup))

/* info */
UNSUPPORTED(Info_create, (MPI_Info *info))
UNSUPPORTED(Info_create_env, (int argc, char *argv[], MPI_Info *info))
UNSUPPORTED(Info_delete, (MPI_Info info, const char *key))
UNSUPPORTED(Info_dup, (MPI_Info info, MPI_Info *newinfo))
UNSUPPORTED(Info_free, (MPI_Info *info))
UNSUPPORTED(Info_get_nkeys, (MPI_Info info, int *nkeys))
UNSUPPORTED(Info_get_nthkey, (MPI_Info info, int n, char *key))
UNSUPPORTED(Info_get_string, (MPI_Info info, const char *key, int *buflen, char *value, int *flag))
UNSUPPORTED(Info_set, (MPI_Info info, const char *key, const char *value))

/* neighborhood collective */
UNSUPPORTED(Ineighbor_allgather, (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int
            recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request))
UNSUPPORTED(Ineighbor_allgather_c, (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
            MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request))
UNSUPPORTED(Ineighbor_allgatherv, (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int
            recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request))
UNSUPPORTED(Ineighbor_allgatherv_c, (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
            const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Request
            *request))
UNSUPPORTED(Ineighbor_alltoall, (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int
            recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request))
UNSUPPORTED(Ineighbor_alltoall_c, (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
            MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request))
UNSUPPORTED(Ineighbor_alltoallv, (const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype
            sendtype, void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm
            comm, MPI_Request *request))
UNSUPPORTED(Ineighbor_alltoallv_c, (const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
            MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[], MPI_Datatype
            recvtype, MPI_Comm comm, MPI_Request *request))
UNSUPPORTED(Ineighbor_alltoallw, (const void *sendbuf, const int sendcounts[], const MPI_Aint sdispls[], const
            MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[], const MPI_Aint rdispls[], const
            MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Request *request))
UNSUPPORTED(Ineighbor_alltoallw_c, (const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[], const
            MPI_Datatype sendtypes[], void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[], const
            MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Request *request))
UNSUPPORTED(Neighbor_allgather, (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int
            recvcount, MPI_Datatype recvtype, MPI_Comm comm))
UNSUPPORTED(Neighbor_allgather_c, (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
            MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm))
UNSUPPORTED(Neighbor_allgather_init, (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int
            recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request))
UNSUPPORTED(Neighbor_allgather_init_c, (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void
            *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request))
UNSUPPORTED(Neighbor_allgatherv, (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int
            recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm))
UNSUPPORTED(Neighbor_allgatherv_c, (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
            const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, MPI_Comm comm))
UNSUPPORTED(Neighbor_allgatherv_init, (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const
            int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request
            *request))
UNSUPPORTED(Neighbor_allgatherv_init_c, (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void
            *recvbuf, const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, MPI_Comm comm,
            MPI_Info info, MPI_Request *request))
UNSUPPORTED(Neighbor_alltoall, (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int
            recvcount, MPI_Datatype recvtype, MPI_Comm comm))
UNSUPPORTED(Neighbor_alltoall_c, (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
            MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm))
UNSUPPORTED(Neighbor_alltoall_init, (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int
            recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request))
UNSUPPORTED(Neighbor_alltoall_init_c, (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
            MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request))
UNSUPPORTED(Neighbor_alltoallv, (const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype
            sendtype, void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm
            comm))
UNSUPPORTED(Neighbor_alltoallv_c, (const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
            MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[], MPI_Datatype
            recvtype, MPI_Comm comm))
UNSUPPORTED(Neighbor_alltoallv_init, (const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype
            sendtype, void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm
            comm, MPI_Info info, MPI_Request *request))
UNSUPPORTED(Neighbor_alltoallv_init_c, (const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
            MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[], MPI_Datatype
            recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request))
UNSUPPORTED(Neighbor_alltoallw, (const void *sendbuf, const int sendcounts[], const MPI_Aint sdispls[], const
            MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[], const MPI_Aint rdispls[], const
            MPI_Datatype recvtypes[], MPI_Comm comm))
UNSUPPORTED(Neighbor_alltoallw_c, (const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[], const
            MPI_Datatype sendtypes[], void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[], const
            MPI_Datatype recvtypes[], MPI_Comm comm))
UNSUPPORTED(Neighbor_alltoallw_init, (const void *sendbuf, const int sendcounts[], const MPI_Aint sdispls[], const
            MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[], const MPI_Aint rdispls[], const
            MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Info info, MPI_Request *request))
UNSUPPORTED(Neighbor_alltoallw_init_c, (const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
            const MPI_Datatype sendtypes[], void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[],
            const MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Info info, MPI_Request *request))

/* nonblocking collective */
UNSUPPORTED(Iallgather, (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
            MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request))
UNSUPPORTED(Iallgather_c, (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count
            recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request))
UNSUPPORTED(Iallgatherv, (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int
            recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request))
UNSUPPORTED(Iallgatherv_c, (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, const
            MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Request
            *request))
UNSUPPORTED(Iallreduce, (const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm
            comm, MPI_Request *request))
UNSUPPORTED(Iallreduce_c, (const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
            MPI_Comm comm, MPI_Request *request))
UNSUPPORTED(Ialltoall, (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
            MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request))
UNSUPPORTED(Ialltoall_c, (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count
            recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request))
UNSUPPORTED(Ialltoallv, (const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype, void
            *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Request
            *request))
UNSUPPORTED(Ialltoallv_c, (const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[], MPI_Datatype
            sendtype, void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[], MPI_Datatype recvtype,
            MPI_Comm comm, MPI_Request *request))
UNSUPPORTED(Ialltoallw, (const void *sendbuf, const int sendcounts[], const int sdispls[], const MPI_Datatype
            sendtypes[], void *recvbuf, const int recvcounts[], const int rdispls[], const MPI_Datatype recvtypes[],
            MPI_Comm comm, MPI_Request *request))
UNSUPPORTED(Ialltoallw_c, (const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[], const
            MPI_Datatype sendtypes[], void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[], const
            MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Request *request))
UNSUPPORTED(Ibarrier, (MPI_Comm comm, MPI_Request *request))
UNSUPPORTED(Ibcast, (void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm, MPI_Request *request))
UNSUPPORTED(Ibcast_c, (void *buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm, MPI_Request
            *request))
UNSUPPORTED(Iexscan, (const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
            MPI_Request *request))
UNSUPPORTED(Iexscan_c, (const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
            MPI_Comm comm, MPI_Request *request))
UNSUPPORTED(Igather, (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
            MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request))
UNSUPPORTED(Igather_c, (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count
            recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request))
UNSUPPORTED(Igatherv, (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int
            recvcounts[], const int displs[], MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request))
UNSUPPORTED(Igatherv_c, (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, const
            MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, int root, MPI_Comm comm,
            MPI_Request *request))
UNSUPPORTED(Ireduce, (const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root,
            MPI_Comm comm, MPI_Request *request))
UNSUPPORTED(Ireduce_c, (const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, int
            root, MPI_Comm comm, MPI_Request *request))
UNSUPPORTED(Ireduce_scatter, (const void *sendbuf, void *recvbuf, const int recvcounts[], MPI_Datatype datatype,
            MPI_Op op, MPI_Comm comm, MPI_Request *request))
UNSUPPORTED(Ireduce_scatter_c, (const void *sendbuf, void *recvbuf, const MPI_Count recvcounts[], MPI_Datatype
            datatype, MPI_Op op, MPI_Comm comm, MPI_Request *request))
UNSUPPORTED(Ireduce_scatter_block, (const void *sendbuf, void *recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op
            op, MPI_Comm comm, MPI_Request *request))
UNSUPPORTED(Ireduce_scatter_block_c, (const void *sendbuf, void *recvbuf, MPI_Count recvcount, MPI_Datatype datatype,
            MPI_Op op, MPI_Comm comm, MPI_Request *request))
UNSUPPORTED(Iscan, (const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
            MPI_Request *request))
UNSUPPORTED(Iscan_c, (const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm
            comm, MPI_Request *request))
UNSUPPORTED(Iscatter, (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
            MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request))
UNSUPPORTED(Iscatter_c, (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count
            recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request))
UNSUPPORTED(Iscatterv, (const void *sendbuf, const int sendcounts[], const int displs[], MPI_Datatype sendtype, void
            *recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request))
UNSUPPORTED(Iscatterv_c, (const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint displs[], MPI_Datatype
            sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request
            *request))

/* one-sided */
UNSUPPORTED(Accumulate, (const void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank,
            MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win))
UNSUPPORTED(Accumulate_c, (const void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype, int
            target_rank, MPI_Aint target_disp, MPI_Count target_count, MPI_Datatype target_datatype, MPI_Op op,
            MPI_Win win))
UNSUPPORTED(Compare_and_swap, (const void *origin_addr, const void *compare_addr, void *result_addr, MPI_Datatype
            datatype, int target_rank, MPI_Aint target_disp, MPI_Win win))
UNSUPPORTED(Fetch_and_op, (const void *origin_addr, void *result_addr, MPI_Datatype datatype, int target_rank,
            MPI_Aint target_disp, MPI_Op op, MPI_Win win))
UNSUPPORTED(Get, (void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank, MPI_Aint
            target_disp, int target_count, MPI_Datatype target_datatype, MPI_Win win))
UNSUPPORTED(Get_c, (void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype, int target_rank, MPI_Aint
            target_disp, MPI_Count target_count, MPI_Datatype target_datatype, MPI_Win win))
UNSUPPORTED(Get_accumulate, (const void *origin_addr, int origin_count, MPI_Datatype origin_datatype, void
            *result_addr, int result_count, MPI_Datatype result_datatype, int target_rank, MPI_Aint target_disp, int
            target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win))
UNSUPPORTED(Get_accumulate_c, (const void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype, void
            *result_addr, MPI_Count result_count, MPI_Datatype result_datatype, int target_rank, MPI_Aint target_disp,
            MPI_Count target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win))
UNSUPPORTED(Put, (const void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank, MPI_Aint
            target_disp, int target_count, MPI_Datatype target_datatype, MPI_Win win))
UNSUPPORTED(Put_c, (const void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype, int target_rank,
            MPI_Aint target_disp, MPI_Count target_count, MPI_Datatype target_datatype, MPI_Win win))
UNSUPPORTED(Raccumulate, (const void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank,
            MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win, MPI_Request
            *request))
UNSUPPORTED(Raccumulate_c, (const void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype, int
            target_rank, MPI_Aint target_disp, MPI_Count target_count, MPI_Datatype target_datatype, MPI_Op op,
            MPI_Win win, MPI_Request *request))
UNSUPPORTED(Rget, (void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank, MPI_Aint
            target_disp, int target_count, MPI_Datatype target_datatype, MPI_Win win, MPI_Request *request))
UNSUPPORTED(Rget_c, (void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype, int target_rank,
            MPI_Aint target_disp, MPI_Count target_count, MPI_Datatype target_datatype, MPI_Win win, MPI_Request
            *request))
UNSUPPORTED(Rget_accumulate, (const void *origin_addr, int origin_count, MPI_Datatype origin_datatype, void
            *result_addr, int result_count, MPI_Datatype result_datatype, int target_rank, MPI_Aint target_disp, int
            target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win, MPI_Request *request))
UNSUPPORTED(Rget_accumulate_c, (const void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype, void
            *result_addr, MPI_Count result_count, MPI_Datatype result_datatype, int target_rank, MPI_Aint target_disp,
            MPI_Count target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win, MPI_Request *request))
UNSUPPORTED(Rput, (const void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank, MPI_Aint
            target_disp, int target_count, MPI_Datatype target_datatype, MPI_Win win, MPI_Request *request))
UNSUPPORTED(Rput_c, (const void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype, int target_rank,
            MPI_Aint target_disp, MPI_Count target_count, MPI_Datatype target_datatype, MPI_Win win, MPI_Request
            *request))
UNSUPPORTED(Win_allocate, (MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm, void *baseptr, MPI_Win *win))
UNSUPPORTED(Win_allocate_c, (MPI_Aint size, MPI_Aint disp_unit, MPI_Info info, MPI_Comm comm, void *baseptr, MPI_Win
            *win))
UNSUPPORTED(Win_allocate_shared, (MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm, void *baseptr, MPI_Win
            *win))
UNSUPPORTED(Win_allocate_shared_c, (MPI_Aint size, MPI_Aint disp_unit, MPI_Info info, MPI_Comm comm, void *baseptr,
            MPI_Win *win))
UNSUPPORTED(Win_attach, (MPI_Win win, void *base, MPI_Aint size))
UNSUPPORTED(Win_complete, (MPI_Win win))
UNSUPPORTED(Win_create, (void *base, MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm, MPI_Win *win))
UNSUPPORTED(Win_create_c, (void *base, MPI_Aint size, MPI_Aint disp_unit, MPI_Info info, MPI_Comm comm, MPI_Win *win))
UNSUPPORTED(Win_create_dynamic, (MPI_Info info, MPI_Comm comm, MPI_Win *win))
UNSUPPORTED(Win_detach, (MPI_Win win, const void *base))
UNSUPPORTED(Win_fence, (int assert, MPI_Win win))
UNSUPPORTED(Win_flush, (int rank, MPI_Win win))
UNSUPPORTED(Win_flush_all, (MPI_Win win))
UNSUPPORTED(Win_flush_local, (int rank, MPI_Win win))
UNSUPPORTED(Win_flush_local_all, (MPI_Win win))
UNSUPPORTED(Win_free, (MPI_Win *win))
UNSUPPORTED(Win_get_group, (MPI_Win win, MPI_Group *group))
UNSUPPORTED(Win_get_info, (MPI_Win win, MPI_Info *info_used))
UNSUPPORTED(Win_get_name, (MPI_Win win, char *win_name, int *resultlen))
UNSUPPORTED(Win_lock, (int lock_type, int rank, int assert, MPI_Win win))
UNSUPPORTED(Win_lock_all, (int assert, MPI_Win win))
UNSUPPORTED(Win_post, (MPI_Group group, int assert, MPI_Win win))
UNSUPPORTED(Win_set_info, (MPI_Win win, MPI_Info info))
UNSUPPORTED(Win_set_name, (MPI_Win win, const char *win_name))
UNSUPPORTED(Win_shared_query, (MPI_Win win, int rank, MPI_Aint *size, int *disp_unit, void *baseptr))
UNSUPPORTED(Win_shared_query_c, (MPI_Win win, int rank, MPI_Aint *size, MPI_Aint *disp_unit, void *baseptr))
UNSUPPORTED(Win_start, (MPI_Group group, int assert, MPI_Win win))
UNSUPPORTED(Win_sync, (MPI_Win win))
UNSUPPORTED(Win_test, (MPI_Win win, int *flag))
UNSUPPORTED(Win_unlock, (int rank, MPI_Win win))
UNSUPPORTED(Win_unlock_all, (MPI_Win win))
UNSUPPORTED(Win_wait, (MPI_Win win))

/* pack */
UNSUPPORTED(Pack, (const void *inbuf, int incount, MPI_Datatype datatype, void *outbuf, int outsize, int *position,
            MPI_Comm comm))
UNSUPPORTED(Pack_c, (const void *inbuf, MPI_Count incount, MPI_Datatype datatype, void *outbuf, MPI_Count outsize,
            MPI_Count *position, MPI_Comm comm))
UNSUPPORTED(Pack_external, (const char *datarep, const void *inbuf, int incount, MPI_Datatype datatype, void *outbuf,
            MPI_Aint outsize, MPI_Aint *position))
UNSUPPORTED(Pack_external_c, (const char *datarep, const void *inbuf, MPI_Count incount, MPI_Datatype datatype, void
            *outbuf, MPI_Count outsize, MPI_Count *position))
UNSUPPORTED(Pack_external_size, (const char *datarep, int incount, MPI_Datatype datatype, MPI_Aint *size))
UNSUPPORTED(Pack_external_size_c, (const char *datarep, MPI_Count incount, MPI_Datatype datatype, MPI_Count *size))
UNSUPPORTED(Pack_size, (int incount, MPI_Datatype datatype, MPI_Comm comm, int *size))
UNSUPPORTED(Pack_size_c, (MPI_Count incount, MPI_Datatype datatype, MPI_Comm comm, MPI_Count *size))
UNSUPPORTED(Unpack, (const void *inbuf, int insize, int *position, void *outbuf, int outcount, MPI_Datatype datatype,
            MPI_Comm comm))
UNSUPPORTED(Unpack_c, (const void *inbuf, MPI_Count insize, MPI_Count *position, void *outbuf, MPI_Count outcount,
            MPI_Datatype datatype, MPI_Comm comm))
UNSUPPORTED(Unpack_external, (const char datarep[], const void *inbuf, MPI_Aint insize, MPI_Aint *position, void
            *outbuf, int outcount, MPI_Datatype datatype))
UNSUPPORTED(Unpack_external_c, (const char datarep[], const void *inbuf, MPI_Count insize, MPI_Count *position, void
            *outbuf, MPI_Count outcount, MPI_Datatype datatype))

/* partitioned */
UNSUPPORTED(Parrived, (MPI_Request request, int partition, int *flag))
UNSUPPORTED(Pready, (int partition, MPI_Request request))
UNSUPPORTED(Pready_list, (int length, const int array_of_partitions[], MPI_Request request))
UNSUPPORTED(Pready_range, (int partition_low, int partition_high, MPI_Request request))
UNSUPPORTED(Precv_init, (void *buf, int partitions, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm
            comm, MPI_Info info, MPI_Request *request))
UNSUPPORTED(Precv_init_c, (void *buf, int partitions, MPI_Count count, MPI_Datatype datatype, int dest, int tag,
            MPI_Comm comm, MPI_Info info, MPI_Request *request))
UNSUPPORTED(Psend_init, (const void *buf, int partitions, int count, MPI_Datatype datatype, int dest, int tag,
            MPI_Comm comm, MPI_Info info, MPI_Request *request))
UNSUPPORTED(Psend_init_c, (const void *buf, int partitions, MPI_Count count, MPI_Datatype datatype, int dest, int tag,
            MPI_Comm comm, MPI_Info info, MPI_Request *request))

/* persistent */
UNSUPPORTED(Bsend_init, (const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
            MPI_Request *request))
UNSUPPORTED(Bsend_init_c, (const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
            MPI_Request *request))
UNSUPPORTED(Recv_init, (void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Request
            *request))
UNSUPPORTED(Recv_init_c, (void *buf, MPI_Count count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
            MPI_Request *request))
UNSUPPORTED(Rsend_init, (const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
            MPI_Request *request))
UNSUPPORTED(Rsend_init_c, (const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
            MPI_Request *request))
UNSUPPORTED(Send_init, (const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
            MPI_Request *request))
UNSUPPORTED(Send_init_c, (const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
            MPI_Request *request))
UNSUPPORTED(Ssend_init, (const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
            MPI_Request *request))
UNSUPPORTED(Ssend_init_c, (const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
            MPI_Request *request))
UNSUPPORTED(Start, (MPI_Request *request))
UNSUPPORTED(Startall, (int count, MPI_Request array_of_requests[]))

/* persistent collective */
UNSUPPORTED(Allgather_init, (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
            MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request))
UNSUPPORTED(Allgather_init_c, (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
            MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request))
UNSUPPORTED(Allgatherv_init, (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int
            recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request
            *request))
UNSUPPORTED(Allgatherv_init_c, (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, const
            MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
            MPI_Request *request))
UNSUPPORTED(Allreduce_init, (const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm
            comm, MPI_Info info, MPI_Request *request))
UNSUPPORTED(Allreduce_init_c, (const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
            MPI_Comm comm, MPI_Info info, MPI_Request *request))
UNSUPPORTED(Alltoall_init, (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
            MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request))
UNSUPPORTED(Alltoall_init_c, (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
            MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request))
UNSUPPORTED(Alltoallv_init, (const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
            void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Info
            info, MPI_Request *request))
UNSUPPORTED(Alltoallv_init_c, (const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
            MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[], MPI_Datatype
            recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request))
UNSUPPORTED(Alltoallw_init, (const void *sendbuf, const int sendcounts[], const int sdispls[], const MPI_Datatype
            sendtypes[], void *recvbuf, const int recvcounts[], const int rdispls[], const MPI_Datatype recvtypes[],
            MPI_Comm comm, MPI_Info info, MPI_Request *request))
UNSUPPORTED(Alltoallw_init_c, (const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[], const
            MPI_Datatype sendtypes[], void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[], const
            MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Info info, MPI_Request *request))
UNSUPPORTED(Barrier_init, (MPI_Comm comm, MPI_Info info, MPI_Request *request))
UNSUPPORTED(Bcast_init, (void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm, MPI_Info info,
            MPI_Request *request))
UNSUPPORTED(Bcast_init_c, (void *buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm, MPI_Info
            info, MPI_Request *request))
UNSUPPORTED(Exscan_init, (const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm
            comm, MPI_Info info, MPI_Request *request))
UNSUPPORTED(Exscan_init_c, (const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
            MPI_Comm comm, MPI_Info info, MPI_Request *request))
UNSUPPORTED(Gather_init, (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
            MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info, MPI_Request *request))
UNSUPPORTED(Gather_init_c, (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count
            recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info, MPI_Request *request))
UNSUPPORTED(Gatherv_init, (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int
            recvcounts[], const int displs[], MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info,
            MPI_Request *request))
UNSUPPORTED(Gatherv_init_c, (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, const
            MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info
            info, MPI_Request *request))
UNSUPPORTED(Reduce_init, (const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root,
            MPI_Comm comm, MPI_Info info, MPI_Request *request))
UNSUPPORTED(Reduce_init_c, (const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, int
            root, MPI_Comm comm, MPI_Info info, MPI_Request *request))
UNSUPPORTED(Reduce_scatter_block_init, (const void *sendbuf, void *recvbuf, int recvcount, MPI_Datatype datatype,
            MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request *request))
UNSUPPORTED(Reduce_scatter_block_init_c, (const void *sendbuf, void *recvbuf, MPI_Count recvcount, MPI_Datatype
            datatype, MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request *request))
UNSUPPORTED(Reduce_scatter_init, (const void *sendbuf, void *recvbuf, const int recvcounts[], MPI_Datatype datatype,
            MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request *request))
UNSUPPORTED(Reduce_scatter_init_c, (const void *sendbuf, void *recvbuf, const MPI_Count recvcounts[], MPI_Datatype
            datatype, MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request *request))
UNSUPPORTED(Scan_init, (const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm
            comm, MPI_Info info, MPI_Request *request))
UNSUPPORTED(Scan_init_c, (const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
            MPI_Comm comm, MPI_Info info, MPI_Request *request))
UNSUPPORTED(Scatter_init, (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
            MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info, MPI_Request *request))
UNSUPPORTED(Scatter_init_c, (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count
            recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info, MPI_Request *request))
UNSUPPORTED(Scatterv_init, (const void *sendbuf, const int sendcounts[], const int displs[], MPI_Datatype sendtype,
            void *recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info, MPI_Request
            *request))
UNSUPPORTED(Scatterv_init_c, (const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint displs[], MPI_Datatype
            sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info
            info, MPI_Request *request))

/* point-to-point */
UNSUPPORTED(Bsend, (const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm))
UNSUPPORTED(Bsend_c, (const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm))
UNSUPPORTED(Buffer_attach, (void *buffer, int size))
UNSUPPORTED(Buffer_attach_c, (void *buffer, MPI_Count size))
UNSUPPORTED(Buffer_detach, (void *buffer_addr, int *size))
UNSUPPORTED(Buffer_detach_c, (void *buffer_addr, MPI_Count *size))
UNSUPPORTED(Buffer_flush, (void))
UNSUPPORTED(Buffer_iflush, (MPI_Request *request))
UNSUPPORTED(Cancel, (MPI_Request *request))
UNSUPPORTED(Comm_attach_buffer, (MPI_Comm comm, void *buffer, int size))
UNSUPPORTED(Comm_attach_buffer_c, (MPI_Comm comm, void *buffer, MPI_Count size))
UNSUPPORTED(Comm_detach_buffer, (MPI_Comm comm, void *buffer_addr, int *size))
UNSUPPORTED(Comm_detach_buffer_c, (MPI_Comm comm, void *buffer_addr, MPI_Count *size))
UNSUPPORTED(Comm_flush_buffer, (MPI_Comm comm))
UNSUPPORTED(Comm_iflush_buffer, (MPI_Comm comm, MPI_Request *request))
UNSUPPORTED(Get_count, (const MPI_Status *status, MPI_Datatype datatype, int *count))
UNSUPPORTED(Get_count_c, (const MPI_Status *status, MPI_Datatype datatype, MPI_Count *count))
UNSUPPORTED(Get_elements, (const MPI_Status *status, MPI_Datatype datatype, int *count))
UNSUPPORTED(Get_elements_c, (const MPI_Status *status, MPI_Datatype datatype, MPI_Count *count))
UNSUPPORTED(Grequest_complete, (MPI_Request request))
UNSUPPORTED(Grequest_start, (MPI_Grequest_query_function *query_fn, MPI_Grequest_free_function *free_fn,
            MPI_Grequest_cancel_function *cancel_fn, void *extra_state, MPI_Request *request))
UNSUPPORTED(Ibsend, (const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request
            *request))
UNSUPPORTED(Ibsend_c, (const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
            MPI_Request *request))
UNSUPPORTED(Improbe, (int source, int tag, MPI_Comm comm, int *flag, MPI_Message *message, MPI_Status *status))
UNSUPPORTED(Imrecv, (void *buf, int count, MPI_Datatype datatype, MPI_Message *message, MPI_Request *request))
UNSUPPORTED(Imrecv_c, (void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Message *message, MPI_Request *request))
UNSUPPORTED(Iprobe, (int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status))
UNSUPPORTED(Irecv, (void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Request
            *request))
UNSUPPORTED(Irecv_c, (void *buf, MPI_Count count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
            MPI_Request *request))
UNSUPPORTED(Irsend, (const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request
            *request))
UNSUPPORTED(Irsend_c, (const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
            MPI_Request *request))
UNSUPPORTED(Isend, (const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request
            *request))
UNSUPPORTED(Isend_c, (const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
            MPI_Request *request))
UNSUPPORTED(Isendrecv, (const void *sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag, void
            *recvbuf, int recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm, MPI_Request
            *request))
UNSUPPORTED(Isendrecv_c, (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, int dest, int sendtag, void
            *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm, MPI_Request
            *request))
UNSUPPORTED(Isendrecv_replace, (void *buf, int count, MPI_Datatype datatype, int dest, int sendtag, int source, int
            recvtag, MPI_Comm comm, MPI_Request *request))
UNSUPPORTED(Isendrecv_replace_c, (void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int sendtag, int
            source, int recvtag, MPI_Comm comm, MPI_Request *request))
UNSUPPORTED(Issend, (const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request
            *request))
UNSUPPORTED(Issend_c, (const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
            MPI_Request *request))
UNSUPPORTED(Mprobe, (int source, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status))
UNSUPPORTED(Mrecv, (void *buf, int count, MPI_Datatype datatype, MPI_Message *message, MPI_Status *status))
UNSUPPORTED(Mrecv_c, (void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Message *message, MPI_Status *status))
UNSUPPORTED(Probe, (int source, int tag, MPI_Comm comm, MPI_Status *status))
UNSUPPORTED(Recv, (void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Status
            *status))
UNSUPPORTED(Recv_c, (void *buf, MPI_Count count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Status
            *status))
UNSUPPORTED(Request_free, (MPI_Request *request))
UNSUPPORTED(Request_get_status, (MPI_Request request, int *flag, MPI_Status *status))
UNSUPPORTED(Request_get_status_all, (int count, const MPI_Request array_of_requests[], int *flag, MPI_Status
            *array_of_statuses))
UNSUPPORTED(Request_get_status_any, (int count, const MPI_Request array_of_requests[], int *indx, int *flag,
            MPI_Status *status))
UNSUPPORTED(Request_get_status_some, (int incount, const MPI_Request array_of_requests[], int *outcount, int
            array_of_indices[], MPI_Status *array_of_statuses))
UNSUPPORTED(Rsend, (const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm))
UNSUPPORTED(Rsend_c, (const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm))
UNSUPPORTED(Send, (const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm))
UNSUPPORTED(Send_c, (const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm))
UNSUPPORTED(Sendrecv, (const void *sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag, void
            *recvbuf, int recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm, MPI_Status
            *status))
UNSUPPORTED(Sendrecv_c, (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, int dest, int sendtag, void
            *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm, MPI_Status
            *status))
UNSUPPORTED(Sendrecv_replace, (void *buf, int count, MPI_Datatype datatype, int dest, int sendtag, int source, int
            recvtag, MPI_Comm comm, MPI_Status *status))
UNSUPPORTED(Sendrecv_replace_c, (void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int sendtag, int source,
            int recvtag, MPI_Comm comm, MPI_Status *status))
UNSUPPORTED(Session_attach_buffer, (MPI_Session session, void *buffer, int size))
UNSUPPORTED(Session_attach_buffer_c, (MPI_Session session, void *buffer, MPI_Count size))
UNSUPPORTED(Session_detach_buffer, (MPI_Session session, void *buffer_addr, int *size))
UNSUPPORTED(Session_detach_buffer_c, (MPI_Session session, void *buffer_addr, MPI_Count *size))
UNSUPPORTED(Session_flush_buffer, (MPI_Session session))
UNSUPPORTED(Session_iflush_buffer, (MPI_Session session, MPI_Request *request))
UNSUPPORTED(Ssend, (const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm))
UNSUPPORTED(Ssend_c, (const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm))
UNSUPPORTED(Status_get_error, (const MPI_Status *status, int *error))
UNSUPPORTED(Status_get_source, (const MPI_Status *status, int *source))
UNSUPPORTED(Status_get_tag, (const MPI_Status *status, int *tag))
UNSUPPORTED(Status_set_cancelled, (MPI_Status *status, int flag))
UNSUPPORTED(Status_set_elements, (MPI_Status *status, MPI_Datatype datatype, int count))
UNSUPPORTED(Status_set_elements_c, (MPI_Status *status, MPI_Datatype datatype, MPI_Count count))
UNSUPPORTED(Status_set_error, (MPI_Status *status, int error))
UNSUPPORTED(Status_set_source, (MPI_Status *status, int source))
UNSUPPORTED(Status_set_tag, (MPI_Status *status, int tag))
UNSUPPORTED(Test, (MPI_Request *request, int *flag, MPI_Status *status))
UNSUPPORTED(Test_cancelled, (const MPI_Status *status, int *flag))
UNSUPPORTED(Testall, (int count, MPI_Request array_of_requests[], int *flag, MPI_Status *array_of_statuses))
UNSUPPORTED(Testany, (int count, MPI_Request array_of_requests[], int *indx, int *flag, MPI_Status *status))
UNSUPPORTED(Testsome, (int incount, MPI_Request array_of_requests[], int *outcount, int array_of_indices[], MPI_Status
            *array_of_statuses))
UNSUPPORTED(Wait, (MPI_Request *request, MPI_Status *status))
UNSUPPORTED(Waitall, (int count, MPI_Request array_of_requests[], MPI_Status *array_of_statuses))
UNSUPPORTED(Waitany, (int count, MPI_Request array_of_requests[], int *indx, MPI_Status *status))
UNSUPPORTED(Waitsome, (int incount, MPI_Request array_of_requests[], int *outcount, int array_of_indices[], MPI_Status
            *array_of_statuses))

/* process creation */
UNSUPPORTED(Close_port, (const char *port_name))
UNSUPPORTED(Comm_accept, (const char *port_name, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *newcomm))
UNSUPPORTED(Comm_connect, (const char *port_name, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *newcomm))
UNSUPPORTED(Comm_disconnect, (MPI_Comm *comm))
UNSUPPORTED(Comm_get_parent, (MPI_Comm *parent))
UNSUPPORTED(Comm_join, (int fd, MPI_Comm *intercomm))
UNSUPPORTED(Comm_spawn, (const char *command, char *argv[], int maxprocs, MPI_Info info, int root, MPI_Comm comm,
            MPI_Comm *intercomm, int array_of_errcodes[]))
UNSUPPORTED(Comm_spawn_multiple, (int count, char *array_of_commands[], char **array_of_argv[], const int
            array_of_maxprocs[], const MPI_Info array_of_info[], int root, MPI_Comm comm, MPI_Comm *intercomm, int
            array_of_errcodes[]))
UNSUPPORTED(Lookup_name, (const char *service_name, MPI_Info info, char *port_name))
UNSUPPORTED(Open_port, (MPI_Info info, char *port_name))
UNSUPPORTED(Publish_name, (const char *service_name, MPI_Info info, const char *port_name))
UNSUPPORTED(Unpublish_name, (const char *service_name, MPI_Info info, const char *port_name))

/* sessions */
UNSUPPORTED(Session_finalize, (MPI_Session *session))
UNSUPPORTED(Session_get_info, (MPI_Session session, MPI_Info *info_used))
UNSUPPORTED(Session_get_nth_pset, (MPI_Session session, MPI_Info info, int n, int *pset_len, char *pset_name))
UNSUPPORTED(Session_get_num_psets, (MPI_Session session, MPI_Info info, int *npset_names))
UNSUPPORTED(Session_get_pset_info, (MPI_Session session, const char *pset_name, MPI_Info *info))
UNSUPPORTED(Session_init, (MPI_Info info, MPI_Errhandler errhandler, MPI_Session *session))

/* tools (MPI_T) */
UNSUPPORTED(T_category_changed, (int *update_number))
UNSUPPORTED(T_category_get_categories, (int cat_index, int len, int indices[]))
UNSUPPORTED(T_category_get_cvars, (int cat_index, int len, int indices[]))
UNSUPPORTED(T_category_get_events, (int cat_index, int len, int indices[]))
UNSUPPORTED(T_category_get_index, (const char *name, int *cat_index))
UNSUPPORTED(T_category_get_info, (int cat_index, char *name, int *name_len, char *desc, int *desc_len, int *num_cvars,
            int *num_pvars, int *num_categories))
UNSUPPORTED(T_category_get_num, (int *num_cat))
UNSUPPORTED(T_category_get_num_events, (int cat_index, int *num_events))
UNSUPPORTED(T_category_get_pvars, (int cat_index, int len, int indices[]))
UNSUPPORTED(T_cvar_get_index, (const char *name, int *cvar_index))
UNSUPPORTED(T_cvar_get_info, (int cvar_index, char *name, int *name_len, int *verbosity, MPI_Datatype *datatype,
            MPI_T_enum *enumtype, char *desc, int *desc_len, int *bind, int *scope))
UNSUPPORTED(T_cvar_get_num, (int *num_cvar))
UNSUPPORTED(T_cvar_handle_alloc, (int cvar_index, void *obj_handle, MPI_T_cvar_handle *handle, int *count))
UNSUPPORTED(T_cvar_handle_free, (MPI_T_cvar_handle *handle))
UNSUPPORTED(T_cvar_read, (MPI_T_cvar_handle handle, void *buf))
UNSUPPORTED(T_cvar_write, (MPI_T_cvar_handle handle, const void *buf))
UNSUPPORTED(T_enum_get_info, (MPI_T_enum enumtype, int *num, char *name, int *name_len))
UNSUPPORTED(T_enum_get_item, (MPI_T_enum enumtype, int indx, int *value, char *name, int *name_len))
UNSUPPORTED(T_event_callback_get_info, (MPI_T_event_registration event_registration, MPI_T_cb_safety cb_safety,
            MPI_Info *info_used))
UNSUPPORTED(T_event_callback_set_info, (MPI_T_event_registration event_registration, MPI_T_cb_safety cb_safety,
            MPI_Info info))
UNSUPPORTED(T_event_copy, (MPI_T_event_instance event_instance, void *buffer))
UNSUPPORTED(T_event_get_index, (const char *name, int *event_index))
UNSUPPORTED(T_event_get_info, (int event_index, char *name, int *name_len, int *verbosity, MPI_Datatype
            array_of_datatypes[], MPI_Aint array_of_displacements[], int *num_elements, MPI_T_enum *enumtype, MPI_Info
            *info, char *desc, int *desc_len, int *bind))
UNSUPPORTED(T_event_get_num, (int *num_events))
UNSUPPORTED(T_event_get_source, (MPI_T_event_instance event_instance, int *source_index))
UNSUPPORTED(T_event_get_timestamp, (MPI_T_event_instance event_instance, MPI_Count *event_timestamp))
UNSUPPORTED(T_event_handle_alloc, (int event_index, void *obj_handle, MPI_Info info, MPI_T_event_registration
            *event_registration))
UNSUPPORTED(T_event_handle_free, (MPI_T_event_registration event_registration, void *user_data,
            MPI_T_event_free_cb_function free_cb_function))
UNSUPPORTED(T_event_handle_get_info, (MPI_T_event_registration event_registration, MPI_Info *info_used))
UNSUPPORTED(T_event_handle_set_info, (MPI_T_event_registration event_registration, MPI_Info info))
UNSUPPORTED(T_event_read, (MPI_T_event_instance event_instance, int element_index, void *buffer))
UNSUPPORTED(T_event_register_callback, (MPI_T_event_registration event_registration, MPI_T_cb_safety cb_safety,
            MPI_Info info, void *user_data, MPI_T_event_cb_function event_cb_function))
UNSUPPORTED(T_event_set_dropped_handler, (MPI_T_event_registration event_registration, MPI_T_event_dropped_cb_function
            dropped_cb_function))
UNSUPPORTED(T_finalize, (void))
UNSUPPORTED(T_init_thread, (int required, int *provided))
UNSUPPORTED(T_pvar_get_index, (const char *name, int var_class, int *pvar_index))
UNSUPPORTED(T_pvar_get_info, (int pvar_index, char *name, int *name_len, int *verbosity, int *var_class, MPI_Datatype
            *datatype, MPI_T_enum *enumtype, char *desc, int *desc_len, int *bind, int *readonly, int *continuous, int
            *atomic))
UNSUPPORTED(T_pvar_get_num, (int *num_pvar))
UNSUPPORTED(T_pvar_handle_alloc, (MPI_T_pvar_session session, int pvar_index, void *obj_handle, MPI_T_pvar_handle
            *handle, int *count))
UNSUPPORTED(T_pvar_handle_free, (MPI_T_pvar_session session, MPI_T_pvar_handle *handle))
UNSUPPORTED(T_pvar_read, (MPI_T_pvar_session session, MPI_T_pvar_handle handle, void *buf))
UNSUPPORTED(T_pvar_readreset, (MPI_T_pvar_session session, MPI_T_pvar_handle handle, void *buf))
UNSUPPORTED(T_pvar_reset, (MPI_T_pvar_session session, MPI_T_pvar_handle handle))
UNSUPPORTED(T_pvar_session_create, (MPI_T_pvar_session *session))
UNSUPPORTED(T_pvar_session_free, (MPI_T_pvar_session *session))
UNSUPPORTED(T_pvar_start, (MPI_T_pvar_session session, MPI_T_pvar_handle handle))
UNSUPPORTED(T_pvar_stop, (MPI_T_pvar_session session, MPI_T_pvar_handle handle))
UNSUPPORTED(T_pvar_write, (MPI_T_pvar_session session, MPI_T_pvar_handle handle, const void *buf))
UNSUPPORTED(T_source_get_info, (int source_index, char *name, int *name_len, char *desc, int *desc_len,
            MPI_T_source_order *ordering, MPI_Count *ticks_per_second, MPI_Count *max_ticks, MPI_Info *info))
UNSUPPORTED(T_source_get_num, (int *num_sources))
UNSUPPORTED(T_source_get_timestamp, (int source_index, MPI_Count *timestamp))

/* topology */
UNSUPPORTED(Cart_coords, (MPI_Comm comm, int rank, int maxdims, int coords[]))
UNSUPPORTED(Cart_create, (MPI_Comm comm_old, int ndims, const int dims[], const int periods[], int reorder, MPI_Comm
            *comm_cart))
UNSUPPORTED(Cart_get, (MPI_Comm comm, int maxdims, int dims[], int periods[], int coords[]))
UNSUPPORTED(Cart_map, (MPI_Comm comm, int ndims, const int dims[], const int periods[], int *newrank))
UNSUPPORTED(Cart_rank, (MPI_Comm comm, const int coords[], int *rank))
UNSUPPORTED(Cart_shift, (MPI_Comm comm, int direction, int disp, int *rank_source, int *rank_dest))
UNSUPPORTED(Cart_sub, (MPI_Comm comm, const int remain_dims[], MPI_Comm *newcomm))
UNSUPPORTED(Cartdim_get, (MPI_Comm comm, int *ndims))
UNSUPPORTED(Dims_create, (int nnodes, int ndims, int dims[]))
UNSUPPORTED(Dist_graph_create, (MPI_Comm comm_old, int n, const int sources[], const int degrees[], const int
            destinations[], const int weights[], MPI_Info info, int reorder, MPI_Comm *comm_dist_graph))
UNSUPPORTED(Dist_graph_create_adjacent, (MPI_Comm comm_old, int indegree, const int sources[], const int
            sourceweights[], int outdegree, const int destinations[], const int destweights[], MPI_Info info, int
            reorder, MPI_Comm *comm_dist_graph))
UNSUPPORTED(Dist_graph_neighbors, (MPI_Comm comm, int maxindegree, int sources[], int sourceweights[], int
            maxoutdegree, int destinations[], int destweights[]))
UNSUPPORTED(Dist_graph_neighbors_count, (MPI_Comm comm, int *indegree, int *outdegree, int *weighted))
UNSUPPORTED(Graph_create, (MPI_Comm comm_old, int nnodes, const int indx[], const int edges[], int reorder, MPI_Comm
            *comm_graph))
UNSUPPORTED(Graph_get, (MPI_Comm comm, int maxindex, int maxedges, int indx[], int edges[]))
UNSUPPORTED(Graph_map, (MPI_Comm comm, int nnodes, const int indx[], const int edges[], int *newrank))
UNSUPPORTED(Graph_neighbors, (MPI_Comm comm, int rank, int maxneighbors, int neighbors[]))
UNSUPPORTED(Graph_neighbors_count, (MPI_Comm comm, int rank, int *nneighbors))
UNSUPPORTED(Graphdims_get, (MPI_Comm comm, int *nnodes, int *nedges))
UNSUPPORTED(Topo_test, (MPI_Comm comm, int *status))

const struct hws_unsupported_row hws_unsupported_table[] = {
    {"MPI_Abi_get_fortran_booleans", (hws_any_fn)PMPI_Abi_get_fortran_booleans, (hws_any_fn)unsupported_Abi_get_fortran_booleans},
    {"MPI_Abi_get_fortran_info", (hws_any_fn)PMPI_Abi_get_fortran_info, (hws_any_fn)unsupported_Abi_get_fortran_info},
    {"MPI_Abi_get_info", (hws_any_fn)PMPI_Abi_get_info, (hws_any_fn)unsupported_Abi_get_info},
    {"MPI_Abi_get_version", (hws_any_fn)PMPI_Abi_get_version, (hws_any_fn)unsupported_Abi_get_version},
    {"MPI_Abi_set_fortran_booleans", (hws_any_fn)PMPI_Abi_set_fortran_booleans, (hws_any_fn)unsupported_Abi_set_fortran_booleans},
    {"MPI_Abi_set_fortran_info", (hws_any_fn)PMPI_Abi_set_fortran_info, (hws_any_fn)unsupported_Abi_set_fortran_info},
    {"MPI_Comm_create_keyval", (hws_any_fn)PMPI_Comm_create_keyval, (hws_any_fn)unsupported_Comm_create_keyval},
    {"MPI_Comm_delete_attr", (hws_any_fn)PMPI_Comm_delete_attr, (hws_any_fn)unsupported_Comm_delete_attr},
    {"MPI_Comm_free_keyval", (hws_any_fn)PMPI_Comm_free_keyval, (hws_any_fn)unsupported_Comm_free_keyval},
    {"MPI_Comm_get_attr", (hws_any_fn)PMPI_Comm_get_attr, (hws_any_fn)unsupported_Comm_get_attr},
    {"MPI_Comm_set_attr", (hws_any_fn)PMPI_Comm_set_attr, (hws_any_fn)unsupported_Comm_set_attr},
    {"MPI_Type_create_keyval", (hws_any_fn)PMPI_Type_create_keyval, (hws_any_fn)unsupported_Type_create_keyval},
    {"MPI_Type_delete_attr", (hws_any_fn)PMPI_Type_delete_attr, (hws_any_fn)unsupported_Type_delete_attr},
    {"MPI_Type_free_keyval", (hws_any_fn)PMPI_Type_free_keyval, (hws_any_fn)unsupported_Type_free_keyval},
    {"MPI_Type_get_attr", (hws_any_fn)PMPI_Type_get_attr, (hws_any_fn)unsupported_Type_get_attr},
    {"MPI_Type_set_attr", (hws_any_fn)PMPI_Type_set_attr, (hws_any_fn)unsupported_Type_set_attr},
    {"MPI_Win_create_keyval", (hws_any_fn)PMPI_Win_create_keyval, (hws_any_fn)unsupported_Win_create_keyval},
    {"MPI_Win_delete_attr", (hws_any_fn)PMPI_Win_delete_attr, (hws_any_fn)unsupported_Win_delete_attr},
    {"MPI_Win_free_keyval", (hws_any_fn)PMPI_Win_free_keyval, (hws_any_fn)unsupported_Win_free_keyval},
    {"MPI_Win_get_attr", (hws_any_fn)PMPI_Win_get_attr, (hws_any_fn)unsupported_Win_get_attr},
    {"MPI_Win_set_attr", (hws_any_fn)PMPI_Win_set_attr, (hws_any_fn)unsupported_Win_set_attr},
    {"MPI_Allgather", (hws_any_fn)PMPI_Allgather, (hws_any_fn)unsupported_Allgather},
    {"MPI_Allgather_c", (hws_any_fn)PMPI_Allgather_c, (hws_any_fn)unsupported_Allgather_c},
    {"MPI_Allgatherv", (hws_any_fn)PMPI_Allgatherv, (hws_any_fn)unsupported_Allgatherv},
    {"MPI_Allgatherv_c", (hws_any_fn)PMPI_Allgatherv_c, (hws_any_fn)unsupported_Allgatherv_c},
    {"MPI_Allreduce", (hws_any_fn)PMPI_Allreduce, (hws_any_fn)unsupported_Allreduce},
    {"MPI_Allreduce_c", (hws_any_fn)PMPI_Allreduce_c, (hws_any_fn)unsupported_Allreduce_c},
    {"MPI_Alltoall", (hws_any_fn)PMPI_Alltoall, (hws_any_fn)unsupported_Alltoall},
    {"MPI_Alltoall_c", (hws_any_fn)PMPI_Alltoall_c, (hws_any_fn)unsupported_Alltoall_c},
    {"MPI_Alltoallv", (hws_any_fn)PMPI_Alltoallv, (hws_any_fn)unsupported_Alltoallv},
    {"MPI_Alltoallv_c", (hws_any_fn)PMPI_Alltoallv_c, (hws_any_fn)unsupported_Alltoallv_c},
    {"MPI_Alltoallw", (hws_any_fn)PMPI_Alltoallw, (hws_any_fn)unsupported_Alltoallw},
    {"MPI_Alltoallw_c", (hws_any_fn)PMPI_Alltoallw_c, (hws_any_fn)unsupported_Alltoallw_c},
    {"MPI_Barrier", (hws_any_fn)PMPI_Barrier, (hws_any_fn)unsupported_Barrier},
    {"MPI_Bcast", (hws_any_fn)PMPI_Bcast, (hws_any_fn)unsupported_Bcast},
    {"MPI_Bcast_c", (hws_any_fn)PMPI_Bcast_c, (hws_any_fn)unsupported_Bcast_c},
    {"MPI_Exscan", (hws_any_fn)PMPI_Exscan, (hws_any_fn)unsupported_Exscan},
    {"MPI_Exscan_c", (hws_any_fn)PMPI_Exscan_c, (hws_any_fn)unsupported_Exscan_c},
    {"MPI_Gather", (hws_any_fn)PMPI_Gather, (hws_any_fn)unsupported_Gather},
    {"MPI_Gather_c", (hws_any_fn)PMPI_Gather_c, (hws_any_fn)unsupported_Gather_c},
    {"MPI_Gatherv", (hws_any_fn)PMPI_Gatherv, (hws_any_fn)unsupported_Gatherv},
    {"MPI_Gatherv_c", (hws_any_fn)PMPI_Gatherv_c, (hws_any_fn)unsupported_Gatherv_c},
    {"MPI_Op_commutative", (hws_any_fn)PMPI_Op_commutative, (hws_any_fn)unsupported_Op_commutative},
    {"MPI_Op_create", (hws_any_fn)PMPI_Op_create, (hws_any_fn)unsupported_Op_create},
    {"MPI_Op_create_c", (hws_any_fn)PMPI_Op_create_c, (hws_any_fn)unsupported_Op_create_c},
    {"MPI_Op_free", (hws_any_fn)PMPI_Op_free, (hws_any_fn)unsupported_Op_free},
    {"MPI_Reduce", (hws_any_fn)PMPI_Reduce, (hws_any_fn)unsupported_Reduce},
    {"MPI_Reduce_c", (hws_any_fn)PMPI_Reduce_c, (hws_any_fn)unsupported_Reduce_c},
    {"MPI_Reduce_local", (hws_any_fn)PMPI_Reduce_local, (hws_any_fn)unsupported_Reduce_local},
    {"MPI_Reduce_local_c", (hws_any_fn)PMPI_Reduce_local_c, (hws_any_fn)unsupported_Reduce_local_c},
    {"MPI_Reduce_scatter", (hws_any_fn)PMPI_Reduce_scatter, (hws_any_fn)unsupported_Reduce_scatter},
    {"MPI_Reduce_scatter_c", (hws_any_fn)PMPI_Reduce_scatter_c, (hws_any_fn)unsupported_Reduce_scatter_c},
    {"MPI_Reduce_scatter_block", (hws_any_fn)PMPI_Reduce_scatter_block, (hws_any_fn)unsupported_Reduce_scatter_block},
    {"MPI_Reduce_scatter_block_c", (hws_any_fn)PMPI_Reduce_scatter_block_c, (hws_any_fn)unsupported_Reduce_scatter_block_c},
    {"MPI_Scan", (hws_any_fn)PMPI_Scan, (hws_any_fn)unsupported_Scan},
    {"MPI_Scan_c", (hws_any_fn)PMPI_Scan_c, (hws_any_fn)unsupported_Scan_c},
    {"MPI_Scatter", (hws_any_fn)PMPI_Scatter, (hws_any_fn)unsupported_Scatter},
    {"MPI_Scatter_c", (hws_any_fn)PMPI_Scatter_c, (hws_any_fn)unsupported_Scatter_c},
    {"MPI_Scatterv", (hws_any_fn)PMPI_Scatterv, (hws_any_fn)unsupported_Scatterv},
    {"MPI_Scatterv_c", (hws_any_fn)PMPI_Scatterv_c, (hws_any_fn)unsupported_Scatterv_c},
    {"MPI_Comm_compare", (hws_any_fn)PMPI_Comm_compare, (hws_any_fn)unsupported_Comm_compare},
    {"MPI_Comm_create", (hws_any_fn)PMPI_Comm_create, (hws_any_fn)unsupported_Comm_create},
    {"MPI_Comm_create_from_group", (hws_any_fn)PMPI_Comm_create_from_group, (hws_any_fn)unsupported_Comm_create_from_group},
    {"MPI_Comm_create_group", (hws_any_fn)PMPI_Comm_create_group, (hws_any_fn)unsupported_Comm_create_group},
    {"MPI_Comm_dup", (hws_any_fn)PMPI_Comm_dup, (hws_any_fn)unsupported_Comm_dup},
    {"MPI_Comm_dup_with_info", (hws_any_fn)PMPI_Comm_dup_with_info, (hws_any_fn)unsupported_Comm_dup_with_info},
    {"MPI_Comm_free", (hws_any_fn)PMPI_Comm_free, (hws_any_fn)unsupported_Comm_free},
    {"MPI_Comm_get_info", (hws_any_fn)PMPI_Comm_get_info, (hws_any_fn)unsupported_Comm_get_info},
    {"MPI_Comm_get_name", (hws_any_fn)PMPI_Comm_get_name, (hws_any_fn)unsupported_Comm_get_name},
    {"MPI_Comm_group", (hws_any_fn)PMPI_Comm_group, (hws_any_fn)unsupported_Comm_group},
    {"MPI_Comm_idup", (hws_any_fn)PMPI_Comm_idup, (hws_any_fn)unsupported_Comm_idup},
    {"MPI_Comm_idup_with_info", (hws_any_fn)PMPI_Comm_idup_with_info, (hws_any_fn)unsupported_Comm_idup_with_info},
    {"MPI_Comm_rank", (hws_any_fn)PMPI_Comm_rank, (hws_any_fn)unsupported_Comm_rank},
    {"MPI_Comm_remote_group", (hws_any_fn)PMPI_Comm_remote_group, (hws_any_fn)unsupported_Comm_remote_group},
    {"MPI_Comm_remote_size", (hws_any_fn)PMPI_Comm_remote_size, (hws_any_fn)unsupported_Comm_remote_size},
    {"MPI_Comm_set_info", (hws_any_fn)PMPI_Comm_set_info, (hws_any_fn)unsupported_Comm_set_info},
    {"MPI_Comm_set_name", (hws_any_fn)PMPI_Comm_set_name, (hws_any_fn)unsupported_Comm_set_name},
    {"MPI_Comm_size", (hws_any_fn)PMPI_Comm_size, (hws_any_fn)unsupported_Comm_size},
    {"MPI_Comm_split", (hws_any_fn)PMPI_Comm_split, (hws_any_fn)unsupported_Comm_split},
    {"MPI_Comm_split_type", (hws_any_fn)PMPI_Comm_split_type, (hws_any_fn)unsupported_Comm_split_type},
    {"MPI_Comm_test_inter", (hws_any_fn)PMPI_Comm_test_inter, (hws_any_fn)unsupported_Comm_test_inter},
    {"MPI_Intercomm_create", (hws_any_fn)PMPI_Intercomm_create, (hws_any_fn)unsupported_Intercomm_create},
    {"MPI_Intercomm_create_from_groups", (hws_any_fn)PMPI_Intercomm_create_from_groups, (hws_any_fn)unsupported_Intercomm_create_from_groups},
    {"MPI_Intercomm_merge", (hws_any_fn)PMPI_Intercomm_merge, (hws_any_fn)unsupported_Intercomm_merge},
    {"MPI_Get_address", (hws_any_fn)PMPI_Get_address, (hws_any_fn)unsupported_Get_address},
    {"MPI_Type_commit", (hws_any_fn)PMPI_Type_commit, (hws_any_fn)unsupported_Type_commit},
    {"MPI_Type_contiguous", (hws_any_fn)PMPI_Type_contiguous, (hws_any_fn)unsupported_Type_contiguous},
    {"MPI_Type_contiguous_c", (hws_any_fn)PMPI_Type_contiguous_c, (hws_any_fn)unsupported_Type_contiguous_c},
    {"MPI_Type_create_darray", (hws_any_fn)PMPI_Type_create_darray, (hws_any_fn)unsupported_Type_create_darray},
    {"MPI_Type_create_darray_c", (hws_any_fn)PMPI_Type_create_darray_c, (hws_any_fn)unsupported_Type_create_darray_c},
    {"MPI_Type_create_f90_complex", (hws_any_fn)PMPI_Type_create_f90_complex, (hws_any_fn)unsupported_Type_create_f90_complex},
    {"MPI_Type_create_f90_integer", (hws_any_fn)PMPI_Type_create_f90_integer, (hws_any_fn)unsupported_Type_create_f90_integer},
    {"MPI_Type_create_f90_real", (hws_any_fn)PMPI_Type_create_f90_real, (hws_any_fn)unsupported_Type_create_f90_real},
    {"MPI_Type_create_hindexed", (hws_any_fn)PMPI_Type_create_hindexed, (hws_any_fn)unsupported_Type_create_hindexed},
    {"MPI_Type_create_hindexed_c", (hws_any_fn)PMPI_Type_create_hindexed_c, (hws_any_fn)unsupported_Type_create_hindexed_c},
    {"MPI_Type_create_hindexed_block", (hws_any_fn)PMPI_Type_create_hindexed_block, (hws_any_fn)unsupported_Type_create_hindexed_block},
    {"MPI_Type_create_hindexed_block_c", (hws_any_fn)PMPI_Type_create_hindexed_block_c, (hws_any_fn)unsupported_Type_create_hindexed_block_c},
    {"MPI_Type_create_hvector", (hws_any_fn)PMPI_Type_create_hvector, (hws_any_fn)unsupported_Type_create_hvector},
    {"MPI_Type_create_hvector_c", (hws_any_fn)PMPI_Type_create_hvector_c, (hws_any_fn)unsupported_Type_create_hvector_c},
    {"MPI_Type_create_indexed_block", (hws_any_fn)PMPI_Type_create_indexed_block, (hws_any_fn)unsupported_Type_create_indexed_block},
    {"MPI_Type_create_indexed_block_c", (hws_any_fn)PMPI_Type_create_indexed_block_c, (hws_any_fn)unsupported_Type_create_indexed_block_c},
    {"MPI_Type_create_resized", (hws_any_fn)PMPI_Type_create_resized, (hws_any_fn)unsupported_Type_create_resized},
    {"MPI_Type_create_resized_c", (hws_any_fn)PMPI_Type_create_resized_c, (hws_any_fn)unsupported_Type_create_resized_c},
    {"MPI_Type_create_struct", (hws_any_fn)PMPI_Type_create_struct, (hws_any_fn)unsupported_Type_create_struct},
    {"MPI_Type_create_struct_c", (hws_any_fn)PMPI_Type_create_struct_c, (hws_any_fn)unsupported_Type_create_struct_c},
    {"MPI_Type_create_subarray", (hws_any_fn)PMPI_Type_create_subarray, (hws_any_fn)unsupported_Type_create_subarray},
    {"MPI_Type_create_subarray_c", (hws_any_fn)PMPI_Type_create_subarray_c, (hws_any_fn)unsupported_Type_create_subarray_c},
    {"MPI_Type_dup", (hws_any_fn)PMPI_Type_dup, (hws_any_fn)unsupported_Type_dup},
    {"MPI_Type_free", (hws_any_fn)PMPI_Type_free, (hws_any_fn)unsupported_Type_free},
    {"MPI_Type_get_contents", (hws_any_fn)PMPI_Type_get_contents, (hws_any_fn)unsupported_Type_get_contents},
    {"MPI_Type_get_contents_c", (hws_any_fn)PMPI_Type_get_contents_c, (hws_any_fn)unsupported_Type_get_contents_c},
    {"MPI_Type_get_envelope", (hws_any_fn)PMPI_Type_get_envelope, (hws_any_fn)unsupported_Type_get_envelope},
    {"MPI_Type_get_envelope_c", (hws_any_fn)PMPI_Type_get_envelope_c, (hws_any_fn)unsupported_Type_get_envelope_c},
    {"MPI_Type_get_extent", (hws_any_fn)PMPI_Type_get_extent, (hws_any_fn)unsupported_Type_get_extent},
    {"MPI_Type_get_extent_c", (hws_any_fn)PMPI_Type_get_extent_c, (hws_any_fn)unsupported_Type_get_extent_c},
    {"MPI_Type_get_name", (hws_any_fn)PMPI_Type_get_name, (hws_any_fn)unsupported_Type_get_name},
    {"MPI_Type_get_true_extent", (hws_any_fn)PMPI_Type_get_true_extent, (hws_any_fn)unsupported_Type_get_true_extent},
    {"MPI_Type_get_true_extent_c", (hws_any_fn)PMPI_Type_get_true_extent_c, (hws_any_fn)unsupported_Type_get_true_extent_c},
    {"MPI_Type_get_value_index", (hws_any_fn)PMPI_Type_get_value_index, (hws_any_fn)unsupported_Type_get_value_index},
    {"MPI_Type_indexed", (hws_any_fn)PMPI_Type_indexed, (hws_any_fn)unsupported_Type_indexed},
    {"MPI_Type_indexed_c", (hws_any_fn)PMPI_Type_indexed_c, (hws_any_fn)unsupported_Type_indexed_c},
    {"MPI_Type_match_size", (hws_any_fn)PMPI_Type_match_size, (hws_any_fn)unsupported_Type_match_size},
    {"MPI_Type_set_name", (hws_any_fn)PMPI_Type_set_name, (hws_any_fn)unsupported_Type_set_name},
    {"MPI_Type_size", (hws_any_fn)PMPI_Type_size, (hws_any_fn)unsupported_Type_size},
    {"MPI_Type_size_c", (hws_any_fn)PMPI_Type_size_c, (hws_any_fn)unsupported_Type_size_c},
    {"MPI_Type_vector", (hws_any_fn)PMPI_Type_vector, (hws_any_fn)unsupported_Type_vector},
    {"MPI_Type_vector_c", (hws_any_fn)PMPI_Type_vector_c, (hws_any_fn)unsupported_Type_vector_c},
    {"MPI_Attr_delete", (hws_any_fn)PMPI_Attr_delete, (hws_any_fn)unsupported_Attr_delete},
    {"MPI_Attr_get", (hws_any_fn)PMPI_Attr_get, (hws_any_fn)unsupported_Attr_get},
    {"MPI_Attr_put", (hws_any_fn)PMPI_Attr_put, (hws_any_fn)unsupported_Attr_put},
    {"MPI_Get_elements_x", (hws_any_fn)PMPI_Get_elements_x, (hws_any_fn)unsupported_Get_elements_x},
    {"MPI_Info_get", (hws_any_fn)PMPI_Info_get, (hws_any_fn)unsupported_Info_get},
    {"MPI_Info_get_valuelen", (hws_any_fn)PMPI_Info_get_valuelen, (hws_any_fn)unsupported_Info_get_valuelen},
    {"MPI_Keyval_create", (hws_any_fn)PMPI_Keyval_create, (hws_any_fn)unsupported_Keyval_create},
    {"MPI_Keyval_free", (hws_any_fn)PMPI_Keyval_free, (hws_any_fn)unsupported_Keyval_free},
    {"MPI_Status_set_elements_x", (hws_any_fn)PMPI_Status_set_elements_x, (hws_any_fn)unsupported_Status_set_elements_x},
    {"MPI_Type_get_extent_x", (hws_any_fn)PMPI_Type_get_extent_x, (hws_any_fn)unsupported_Type_get_extent_x},
    {"MPI_Type_get_true_extent_x", (hws_any_fn)PMPI_Type_get_true_extent_x, (hws_any_fn)unsupported_Type_get_true_extent_x},
    {"MPI_Type_size_x", (hws_any_fn)PMPI_Type_size_x, (hws_any_fn)unsupported_Type_size_x},
    {"MPI_Abort", (hws_any_fn)PMPI_Abort, (hws_any_fn)unsupported_Abort},
    {"MPI_Alloc_mem", (hws_any_fn)PMPI_Alloc_mem, (hws_any_fn)unsupported_Alloc_mem},
    {"MPI_Finalize", (hws_any_fn)PMPI_Finalize, (hws_any_fn)unsupported_Finalize},
    {"MPI_Finalized", (hws_any_fn)PMPI_Finalized, (hws_any_fn)unsupported_Finalized},
    {"MPI_Free_mem", (hws_any_fn)PMPI_Free_mem, (hws_any_fn)unsupported_Free_mem},
    {"MPI_Get_hw_resource_info", (hws_any_fn)PMPI_Get_hw_resource_info, (hws_any_fn)unsupported_Get_hw_resource_info},
    {"MPI_Get_library_version", (hws_any_fn)PMPI_Get_library_version, (hws_any_fn)unsupported_Get_library_version},
    {"MPI_Get_processor_name", (hws_any_fn)PMPI_Get_processor_name, (hws_any_fn)unsupported_Get_processor_name},
    {"MPI_Get_version", (hws_any_fn)PMPI_Get_version, (hws_any_fn)unsupported_Get_version},
    {"MPI_Init", (hws_any_fn)PMPI_Init, (hws_any_fn)unsupported_Init},
    {"MPI_Init_thread", (hws_any_fn)PMPI_Init_thread, (hws_any_fn)unsupported_Init_thread},
    {"MPI_Initialized", (hws_any_fn)PMPI_Initialized, (hws_any_fn)unsupported_Initialized},
    {"MPI_Is_thread_main", (hws_any_fn)PMPI_Is_thread_main, (hws_any_fn)unsupported_Is_thread_main},
    {"MPI_Pcontrol", (hws_any_fn)PMPI_Pcontrol, (hws_any_fn)unsupported_Pcontrol},
    {"MPI_Query_thread", (hws_any_fn)PMPI_Query_thread, (hws_any_fn)unsupported_Query_thread},
    {"MPI_Add_error_class", (hws_any_fn)PMPI_Add_error_class, (hws_any_fn)unsupported_Add_error_class},
    {"MPI_Add_error_code", (hws_any_fn)PMPI_Add_error_code, (hws_any_fn)unsupported_Add_error_code},
    {"MPI_Add_error_string", (hws_any_fn)PMPI_Add_error_string, (hws_any_fn)unsupported_Add_error_string},
    {"MPI_Comm_call_errhandler", (hws_any_fn)PMPI_Comm_call_errhandler, (hws_any_fn)unsupported_Comm_call_errhandler},
    {"MPI_Comm_create_errhandler", (hws_any_fn)PMPI_Comm_create_errhandler, (hws_any_fn)unsupported_Comm_create_errhandler},
    {"MPI_Comm_get_errhandler", (hws_any_fn)PMPI_Comm_get_errhandler, (hws_any_fn)unsupported_Comm_get_errhandler},
    {"MPI_Comm_set_errhandler", (hws_any_fn)PMPI_Comm_set_errhandler, (hws_any_fn)unsupported_Comm_set_errhandler},
    {"MPI_Errhandler_free", (hws_any_fn)PMPI_Errhandler_free, (hws_any_fn)unsupported_Errhandler_free},
    {"MPI_Error_class", (hws_any_fn)PMPI_Error_class, (hws_any_fn)unsupported_Error_class},
    {"MPI_Error_string", (hws_any_fn)PMPI_Error_string, (hws_any_fn)unsupported_Error_string},
    {"MPI_File_call_errhandler", (hws_any_fn)PMPI_File_call_errhandler, (hws_any_fn)unsupported_File_call_errhandler},
    {"MPI_File_create_errhandler", (hws_any_fn)PMPI_File_create_errhandler, (hws_any_fn)unsupported_File_create_errhandler},
    {"MPI_File_get_errhandler", (hws_any_fn)PMPI_File_get_errhandler, (hws_any_fn)unsupported_File_get_errhandler},
    {"MPI_File_set_errhandler", (hws_any_fn)PMPI_File_set_errhandler, (hws_any_fn)unsupported_File_set_errhandler},
    {"MPI_Remove_error_class", (hws_any_fn)PMPI_Remove_error_class, (hws_any_fn)unsupported_Remove_error_class},
    {"MPI_Remove_error_code", (hws_any_fn)PMPI_Remove_error_code, (hws_any_fn)unsupported_Remove_error_code},
    {"MPI_Remove_error_string", (hws_any_fn)PMPI_Remove_error_string, (hws_any_fn)unsupported_Remove_error_string},
    {"MPI_Session_call_errhandler", (hws_any_fn)PMPI_Session_call_errhandler, (hws_any_fn)unsupported_Session_call_errhandler},
    {"MPI_Session_create_errhandler", (hws_any_fn)PMPI_Session_create_errhandler, (hws_any_fn)unsupported_Session_create_errhandler},
    {"MPI_Session_get_errhandler", (hws_any_fn)PMPI_Session_get_errhandler, (hws_any_fn)unsupported_Session_get_errhandler},
    {"MPI_Session_set_errhandler", (hws_any_fn)PMPI_Session_set_errhandler, (hws_any_fn)unsupported_Session_set_errhandler},
    {"MPI_Win_call_errhandler", (hws_any_fn)PMPI_Win_call_errhandler, (hws_any_fn)unsupported_Win_call_errhandler},
    {"MPI_Win_create_errhandler", (hws_any_fn)PMPI_Win_create_errhandler, (hws_any_fn)unsupported_Win_create_errhandler},
    {"MPI_Win_get_errhandler", (hws_any_fn)PMPI_Win_get_errhandler, (hws_any_fn)unsupported_Win_get_errhandler},
    {"MPI_Win_set_errhandler", (hws_any_fn)PMPI_Win_set_errhandler, (hws_any_fn)unsupported_Win_set_errhandler},
    {"MPI_File_close", (hws_any_fn)PMPI_File_close, (hws_any_fn)unsupported_File_close},
    {"MPI_File_delete", (hws_any_fn)PMPI_File_delete, (hws_any_fn)unsupported_File_delete},
    {"MPI_File_get_amode", (hws_any_fn)PMPI_File_get_amode, (hws_any_fn)unsupported_File_get_amode},
    {"MPI_File_get_atomicity", (hws_any_fn)PMPI_File_get_atomicity, (hws_any_fn)unsupported_File_get_atomicity},
    {"MPI_File_get_byte_offset", (hws_any_fn)PMPI_File_get_byte_offset, (hws_any_fn)unsupported_File_get_byte_offset},
    {"MPI_File_get_group", (hws_any_fn)PMPI_File_get_group, (hws_any_fn)unsupported_File_get_group},
    {"MPI_File_get_info", (hws_any_fn)PMPI_File_get_info, (hws_any_fn)unsupported_File_get_info},
    {"MPI_File_get_position", (hws_any_fn)PMPI_File_get_position, (hws_any_fn)unsupported_File_get_position},
    {"MPI_File_get_position_shared", (hws_any_fn)PMPI_File_get_position_shared, (hws_any_fn)unsupported_File_get_position_shared},
    {"MPI_File_get_size", (hws_any_fn)PMPI_File_get_size, (hws_any_fn)unsupported_File_get_size},
    {"MPI_File_get_type_extent", (hws_any_fn)PMPI_File_get_type_extent, (hws_any_fn)unsupported_File_get_type_extent},
    {"MPI_File_get_type_extent_c", (hws_any_fn)PMPI_File_get_type_extent_c, (hws_any_fn)unsupported_File_get_type_extent_c},
    {"MPI_File_get_view", (hws_any_fn)PMPI_File_get_view, (hws_any_fn)unsupported_File_get_view},
    {"MPI_File_iread", (hws_any_fn)PMPI_File_iread, (hws_any_fn)unsupported_File_iread},
    {"MPI_File_iread_c", (hws_any_fn)PMPI_File_iread_c, (hws_any_fn)unsupported_File_iread_c},
    {"MPI_File_iread_all", (hws_any_fn)PMPI_File_iread_all, (hws_any_fn)unsupported_File_iread_all},
    {"MPI_File_iread_all_c", (hws_any_fn)PMPI_File_iread_all_c, (hws_any_fn)unsupported_File_iread_all_c},
    {"MPI_File_iread_at", (hws_any_fn)PMPI_File_iread_at, (hws_any_fn)unsupported_File_iread_at},
    {"MPI_File_iread_at_c", (hws_any_fn)PMPI_File_iread_at_c, (hws_any_fn)unsupported_File_iread_at_c},
    {"MPI_File_iread_at_all", (hws_any_fn)PMPI_File_iread_at_all, (hws_any_fn)unsupported_File_iread_at_all},
    {"MPI_File_iread_at_all_c", (hws_any_fn)PMPI_File_iread_at_all_c, (hws_any_fn)unsupported_File_iread_at_all_c},
    {"MPI_File_iread_shared", (hws_any_fn)PMPI_File_iread_shared, (hws_any_fn)unsupported_File_iread_shared},
    {"MPI_File_iread_shared_c", (hws_any_fn)PMPI_File_iread_shared_c, (hws_any_fn)unsupported_File_iread_shared_c},
    {"MPI_File_iwrite", (hws_any_fn)PMPI_File_iwrite, (hws_any_fn)unsupported_File_iwrite},
    {"MPI_File_iwrite_c", (hws_any_fn)PMPI_File_iwrite_c, (hws_any_fn)unsupported_File_iwrite_c},
    {"MPI_File_iwrite_all", (hws_any_fn)PMPI_File_iwrite_all, (hws_any_fn)unsupported_File_iwrite_all},
    {"MPI_File_iwrite_all_c", (hws_any_fn)PMPI_File_iwrite_all_c, (hws_any_fn)unsupported_File_iwrite_all_c},
    {"MPI_File_iwrite_at", (hws_any_fn)PMPI_File_iwrite_at, (hws_any_fn)unsupported_File_iwrite_at},
    {"MPI_File_iwrite_at_c", (hws_any_fn)PMPI_File_iwrite_at_c, (hws_any_fn)unsupported_File_iwrite_at_c},
    {"MPI_File_iwrite_at_all", (hws_any_fn)PMPI_File_iwrite_at_all, (hws_any_fn)unsupported_File_iwrite_at_all},
    {"MPI_File_iwrite_at_all_c", (hws_any_fn)PMPI_File_iwrite_at_all_c, (hws_any_fn)unsupported_File_iwrite_at_all_c},
    {"MPI_File_iwrite_shared", (hws_any_fn)PMPI_File_iwrite_shared, (hws_any_fn)unsupported_File_iwrite_shared},
    {"MPI_File_iwrite_shared_c", (hws_any_fn)PMPI_File_iwrite_shared_c, (hws_any_fn)unsupported_File_iwrite_shared_c},
    {"MPI_File_open", (hws_any_fn)PMPI_File_open, (hws_any_fn)unsupported_File_open},
    {"MPI_File_preallocate", (hws_any_fn)PMPI_File_preallocate, (hws_any_fn)unsupported_File_preallocate},
    {"MPI_File_read", (hws_any_fn)PMPI_File_read, (hws_any_fn)unsupported_File_read},
    {"MPI_File_read_c", (hws_any_fn)PMPI_File_read_c, (hws_any_fn)unsupported_File_read_c},
    {"MPI_File_read_all", (hws_any_fn)PMPI_File_read_all, (hws_any_fn)unsupported_File_read_all},
    {"MPI_File_read_all_c", (hws_any_fn)PMPI_File_read_all_c, (hws_any_fn)unsupported_File_read_all_c},
    {"MPI_File_read_all_begin", (hws_any_fn)PMPI_File_read_all_begin, (hws_any_fn)unsupported_File_read_all_begin},
    {"MPI_File_read_all_begin_c", (hws_any_fn)PMPI_File_read_all_begin_c, (hws_any_fn)unsupported_File_read_all_begin_c},
    {"MPI_File_read_all_end", (hws_any_fn)PMPI_File_read_all_end, (hws_any_fn)unsupported_File_read_all_end},
    {"MPI_File_read_at", (hws_any_fn)PMPI_File_read_at, (hws_any_fn)unsupported_File_read_at},
    {"MPI_File_read_at_c", (hws_any_fn)PMPI_File_read_at_c, (hws_any_fn)unsupported_File_read_at_c},
    {"MPI_File_read_at_all", (hws_any_fn)PMPI_File_read_at_all, (hws_any_fn)unsupported_File_read_at_all},
    {"MPI_File_read_at_all_c", (hws_any_fn)PMPI_File_read_at_all_c, (hws_any_fn)unsupported_File_read_at_all_c},
    {"MPI_File_read_at_all_begin", (hws_any_fn)PMPI_File_read_at_all_begin, (hws_any_fn)unsupported_File_read_at_all_begin},
    {"MPI_File_read_at_all_begin_c", (hws_any_fn)PMPI_File_read_at_all_begin_c, (hws_any_fn)unsupported_File_read_at_all_begin_c},
    {"MPI_File_read_at_all_end", (hws_any_fn)PMPI_File_read_at_all_end, (hws_any_fn)unsupported_File_read_at_all_end},
    {"MPI_File_read_ordered", (hws_any_fn)PMPI_File_read_ordered, (hws_any_fn)unsupported_File_read_ordered},
    {"MPI_File_read_ordered_c", (hws_any_fn)PMPI_File_read_ordered_c, (hws_any_fn)unsupported_File_read_ordered_c},
    {"MPI_File_read_ordered_begin", (hws_any_fn)PMPI_File_read_ordered_begin, (hws_any_fn)unsupported_File_read_ordered_begin},
    {"MPI_File_read_ordered_begin_c", (hws_any_fn)PMPI_File_read_ordered_begin_c, (hws_any_fn)unsupported_File_read_ordered_begin_c},
    {"MPI_File_read_ordered_end", (hws_any_fn)PMPI_File_read_ordered_end, (hws_any_fn)unsupported_File_read_ordered_end},
    {"MPI_File_read_shared", (hws_any_fn)PMPI_File_read_shared, (hws_any_fn)unsupported_File_read_shared},
    {"MPI_File_read_shared_c", (hws_any_fn)PMPI_File_read_shared_c, (hws_any_fn)unsupported_File_read_shared_c},
    {"MPI_File_seek", (hws_any_fn)PMPI_File_seek, (hws_any_fn)unsupported_File_seek},
    {"MPI_File_seek_shared", (hws_any_fn)PMPI_File_seek_shared, (hws_any_fn)unsupported_File_seek_shared},
    {"MPI_File_set_atomicity", (hws_any_fn)PMPI_File_set_atomicity, (hws_any_fn)unsupported_File_set_atomicity},
    {"MPI_File_set_info", (hws_any_fn)PMPI_File_set_info, (hws_any_fn)unsupported_File_set_info},
    {"MPI_File_set_size", (hws_any_fn)PMPI_File_set_size, (hws_any_fn)unsupported_File_set_size},
    {"MPI_File_set_view", (hws_any_fn)PMPI_File_set_view, (hws_any_fn)unsupported_File_set_view},
    {"MPI_File_sync", (hws_any_fn)PMPI_File_sync, (hws_any_fn)unsupported_File_sync},
    {"MPI_File_write", (hws_any_fn)PMPI_File_write, (hws_any_fn)unsupported_File_write},
    {"MPI_File_write_c", (hws_any_fn)PMPI_File_write_c, (hws_any_fn)unsupported_File_write_c},
    {"MPI_File_write_all", (hws_any_fn)PMPI_File_write_all, (hws_any_fn)unsupported_File_write_all},
    {"MPI_File_write_all_c", (hws_any_fn)PMPI_File_write_all_c, (hws_any_fn)unsupported_File_write_all_c},
    {"MPI_File_write_all_begin", (hws_any_fn)PMPI_File_write_all_begin, (hws_any_fn)unsupported_File_write_all_begin},
    {"MPI_File_write_all_begin_c", (hws_any_fn)PMPI_File_write_all_begin_c, (hws_any_fn)unsupported_File_write_all_begin_c},
    {"MPI_File_write_all_end", (hws_any_fn)PMPI_File_write_all_end, (hws_any_fn)unsupported_File_write_all_end},
    {"MPI_File_write_at", (hws_any_fn)PMPI_File_write_at, (hws_any_fn)unsupported_File_write_at},
    {"MPI_File_write_at_c", (hws_any_fn)PMPI_File_write_at_c, (hws_any_fn)unsupported_File_write_at_c},
    {"MPI_File_write_at_all", (hws_any_fn)PMPI_File_write_at_all, (hws_any_fn)unsupported_File_write_at_all},
    {"MPI_File_write_at_all_c", (hws_any_fn)PMPI_File_write_at_all_c, (hws_any_fn)unsupported_File_write_at_all_c},
    {"MPI_File_write_at_all_begin", (hws_any_fn)PMPI_File_write_at_all_begin, (hws_any_fn)unsupported_File_write_at_all_begin},
    {"MPI_File_write_at_all_begin_c", (hws_any_fn)PMPI_File_write_at_all_begin_c, (hws_any_fn)unsupported_File_write_at_all_begin_c},
    {"MPI_File_write_at_all_end", (hws_any_fn)PMPI_File_write_at_all_end, (hws_any_fn)unsupported_File_write_at_all_end},
    {"MPI_File_write_ordered", (hws_any_fn)PMPI_File_write_ordered, (hws_any_fn)unsupported_File_write_ordered},
    {"MPI_File_write_ordered_c", (hws_any_fn)PMPI_File_write_ordered_c, (hws_any_fn)unsupported_File_write_ordered_c},
    {"MPI_File_write_ordered_begin", (hws_any_fn)PMPI_File_write_ordered_begin, (hws_any_fn)unsupported_File_write_ordered_begin},
    {"MPI_File_write_ordered_begin_c", (hws_any_fn)PMPI_File_write_ordered_begin_c, (hws_any_fn)unsupported_File_write_ordered_begin_c},
    {"MPI_File_write_ordered_end", (hws_any_fn)PMPI_File_write_ordered_end, (hws_any_fn)unsupported_File_write_ordered_end},
    {"MPI_File_write_shared", (hws_any_fn)PMPI_File_write_shared, (hws_any_fn)unsupported_File_write_shared},
    {"MPI_File_write_shared_c", (hws_any_fn)PMPI_File_write_shared_c, (hws_any_fn)unsupported_File_write_shared_c},
    {"MPI_Register_datarep", (hws_any_fn)PMPI_Register_datarep, (hws_any_fn)unsupported_Register_datarep},
    {"MPI_Register_datarep_c", (hws_any_fn)PMPI_Register_datarep_c, (hws_any_fn)unsupported_Register_datarep_c},
    {"MPI_Group_compare", (hws_any_fn)PMPI_Group_compare, (hws_any_fn)unsupported_Group_compare},
    {"MPI_Group_difference", (hws_any_fn)PMPI_Group_difference, (hws_any_fn)unsupported_Group_difference},
    {"MPI_Group_excl", (hws_any_fn)PMPI_Group_excl, (hws_any_fn)unsupported_Group_excl},
    {"MPI_Group_free", (hws_any_fn)PMPI_Group_free, (hws_any_fn)unsupported_Group_free},
    {"MPI_Group_from_session_pset", (hws_any_fn)PMPI_Group_from_session_pset, (hws_any_fn)unsupported_Group_from_session_pset},
    {"MPI_Group_incl", (hws_any_fn)PMPI_Group_incl, (hws_any_fn)unsupported_Group_incl},
    {"MPI_Group_intersection", (hws_any_fn)PMPI_Group_intersection, (hws_any_fn)unsupported_Group_intersection},
    {"MPI_Group_range_excl", (hws_any_fn)PMPI_Group_range_excl, (hws_any_fn)unsupported_Group_range_excl},
    {"MPI_Group_range_incl", (hws_any_fn)PMPI_Group_range_incl, (hws_any_fn)unsupported_Group_range_incl},
    {"MPI_Group_rank", (hws_any_fn)PMPI_Group_rank, (hws_any_fn)unsupported_Group_rank},
    {"MPI_Group_size", (hws_any_fn)PMPI_Group_size, (hws_any_fn)unsupported_Group_size},
    {"MPI_Group_translate_ranks", (hws_any_fn)PMPI_Group_translate_ranks, (hws_any_fn)unsupported_Group_translate_ranks},
    {"MPI_Group_union", (hws_any_fn)PMPI_Group_union, (hws_any_fn)unsupported_Group_union},
    {"MPI_Info_create", (hws_any_fn)PMPI_Info_create, (hws_any_fn)unsupported_Info_create},
    {"MPI_Info_create_env", (hws_any_fn)PMPI_Info_create_env, (hws_any_fn)unsupported_Info_create_env},
    {"MPI_Info_delete", (hws_any_fn)PMPI_Info_delete, (hws_any_fn)unsupported_Info_delete},
    {"MPI_Info_dup", (hws_any_fn)PMPI_Info_dup, (hws_any_fn)unsupported_Info_dup},
    {"MPI_Info_free", (hws_any_fn)PMPI_Info_free, (hws_any_fn)unsupported_Info_free},
    {"MPI_Info_get_nkeys", (hws_any_fn)PMPI_Info_get_nkeys, (hws_any_fn)unsupported_Info_get_nkeys},
    {"MPI_Info_get_nthkey", (hws_any_fn)PMPI_Info_get_nthkey, (hws_any_fn)unsupported_Info_get_nthkey},
    {"MPI_Info_get_string", (hws_any_fn)PMPI_Info_get_string, (hws_any_fn)unsupported_Info_get_string},
    {"MPI_Info_set", (hws_any_fn)PMPI_Info_set, (hws_any_fn)unsupported_Info_set},
    {"MPI_Ineighbor_allgather", (hws_any_fn)PMPI_Ineighbor_allgather, (hws_any_fn)unsupported_Ineighbor_allgather},
    {"MPI_Ineighbor_allgather_c", (hws_any_fn)PMPI_Ineighbor_allgather_c, (hws_any_fn)unsupported_Ineighbor_allgather_c},
    {"MPI_Ineighbor_allgatherv", (hws_any_fn)PMPI_Ineighbor_allgatherv, (hws_any_fn)unsupported_Ineighbor_allgatherv},
    {"MPI_Ineighbor_allgatherv_c", (hws_any_fn)PMPI_Ineighbor_allgatherv_c, (hws_any_fn)unsupported_Ineighbor_allgatherv_c},
    {"MPI_Ineighbor_alltoall", (hws_any_fn)PMPI_Ineighbor_alltoall, (hws_any_fn)unsupported_Ineighbor_alltoall},
    {"MPI_Ineighbor_alltoall_c", (hws_any_fn)PMPI_Ineighbor_alltoall_c, (hws_any_fn)unsupported_Ineighbor_alltoall_c},
    {"MPI_Ineighbor_alltoallv", (hws_any_fn)PMPI_Ineighbor_alltoallv, (hws_any_fn)unsupported_Ineighbor_alltoallv},
    {"MPI_Ineighbor_alltoallv_c", (hws_any_fn)PMPI_Ineighbor_alltoallv_c, (hws_any_fn)unsupported_Ineighbor_alltoallv_c},
    {"MPI_Ineighbor_alltoallw", (hws_any_fn)PMPI_Ineighbor_alltoallw, (hws_any_fn)unsupported_Ineighbor_alltoallw},
    {"MPI_Ineighbor_alltoallw_c", (hws_any_fn)PMPI_Ineighbor_alltoallw_c, (hws_any_fn)unsupported_Ineighbor_alltoallw_c},
    {"MPI_Neighbor_allgather", (hws_any_fn)PMPI_Neighbor_allgather, (hws_any_fn)unsupported_Neighbor_allgather},
    {"MPI_Neighbor_allgather_c", (hws_any_fn)PMPI_Neighbor_allgather_c, (hws_any_fn)unsupported_Neighbor_allgather_c},
    {"MPI_Neighbor_allgather_init", (hws_any_fn)PMPI_Neighbor_allgather_init, (hws_any_fn)unsupported_Neighbor_allgather_init},
    {"MPI_Neighbor_allgather_init_c", (hws_any_fn)PMPI_Neighbor_allgather_init_c, (hws_any_fn)unsupported_Neighbor_allgather_init_c},
    {"MPI_Neighbor_allgatherv", (hws_any_fn)PMPI_Neighbor_allgatherv, (hws_any_fn)unsupported_Neighbor_allgatherv},
    {"MPI_Neighbor_allgatherv_c", (hws_any_fn)PMPI_Neighbor_allgatherv_c, (hws_any_fn)unsupported_Neighbor_allgatherv_c},
    {"MPI_Neighbor_allgatherv_init", (hws_any_fn)PMPI_Neighbor_allgatherv_init, (hws_any_fn)unsupported_Neighbor_allgatherv_init},
    {"MPI_Neighbor_allgatherv_init_c", (hws_any_fn)PMPI_Neighbor_allgatherv_init_c, (hws_any_fn)unsupported_Neighbor_allgatherv_init_c},
    {"MPI_Neighbor_alltoall", (hws_any_fn)PMPI_Neighbor_alltoall, (hws_any_fn)unsupported_Neighbor_alltoall},
    {"MPI_Neighbor_alltoall_c", (hws_any_fn)PMPI_Neighbor_alltoall_c, (hws_any_fn)unsupported_Neighbor_alltoall_c},
    {"MPI_Neighbor_alltoall_init", (hws_any_fn)PMPI_Neighbor_alltoall_init, (hws_any_fn)unsupported_Neighbor_alltoall_init},
    {"MPI_Neighbor_alltoall_init_c", (hws_any_fn)PMPI_Neighbor_alltoall_init_c, (hws_any_fn)unsupported_Neighbor_alltoall_init_c},
    {"MPI_Neighbor_alltoallv", (hws_any_fn)PMPI_Neighbor_alltoallv, (hws_any_fn)unsupported_Neighbor_alltoallv},
    {"MPI_Neighbor_alltoallv_c", (hws_any_fn)PMPI_Neighbor_alltoallv_c, (hws_any_fn)unsupported_Neighbor_alltoallv_c},
    {"MPI_Neighbor_alltoallv_init", (hws_any_fn)PMPI_Neighbor_alltoallv_init, (hws_any_fn)unsupported_Neighbor_alltoallv_init},
    {"MPI_Neighbor_alltoallv_init_c", (hws_any_fn)PMPI_Neighbor_alltoallv_init_c, (hws_any_fn)unsupported_Neighbor_alltoallv_init_c},
    {"MPI_Neighbor_alltoallw", (hws_any_fn)PMPI_Neighbor_alltoallw, (hws_any_fn)unsupported_Neighbor_alltoallw},
    {"MPI_Neighbor_alltoallw_c", (hws_any_fn)PMPI_Neighbor_alltoallw_c, (hws_any_fn)unsupported_Neighbor_alltoallw_c},
    {"MPI_Neighbor_alltoallw_init", (hws_any_fn)PMPI_Neighbor_alltoallw_init, (hws_any_fn)unsupported_Neighbor_alltoallw_init},
    {"MPI_Neighbor_alltoallw_init_c", (hws_any_fn)PMPI_Neighbor_alltoallw_init_c, (hws_any_fn)unsupported_Neighbor_alltoallw_init_c},
    {"MPI_Iallgather", (hws_any_fn)PMPI_Iallgather, (hws_any_fn)unsupported_Iallgather},
    {"MPI_Iallgather_c", (hws_any_fn)PMPI_Iallgather_c, (hws_any_fn)unsupported_Iallgather_c},
    {"MPI_Iallgatherv", (hws_any_fn)PMPI_Iallgatherv, (hws_any_fn)unsupported_Iallgatherv},
    {"MPI_Iallgatherv_c", (hws_any_fn)PMPI_Iallgatherv_c, (hws_any_fn)unsupported_Iallgatherv_c},
    {"MPI_Iallreduce", (hws_any_fn)PMPI_Iallreduce, (hws_any_fn)unsupported_Iallreduce},
    {"MPI_Iallreduce_c", (hws_any_fn)PMPI_Iallreduce_c, (hws_any_fn)unsupported_Iallreduce_c},
    {"MPI_Ialltoall", (hws_any_fn)PMPI_Ialltoall, (hws_any_fn)unsupported_Ialltoall},
    {"MPI_Ialltoall_c", (hws_any_fn)PMPI_Ialltoall_c, (hws_any_fn)unsupported_Ialltoall_c},
    {"MPI_Ialltoallv", (hws_any_fn)PMPI_Ialltoallv, (hws_any_fn)unsupported_Ialltoallv},
    {"MPI_Ialltoallv_c", (hws_any_fn)PMPI_Ialltoallv_c, (hws_any_fn)unsupported_Ialltoallv_c},
    {"MPI_Ialltoallw", (hws_any_fn)PMPI_Ialltoallw, (hws_any_fn)unsupported_Ialltoallw},
    {"MPI_Ialltoallw_c", (hws_any_fn)PMPI_Ialltoallw_c, (hws_any_fn)unsupported_Ialltoallw_c},
    {"MPI_Ibarrier", (hws_any_fn)PMPI_Ibarrier, (hws_any_fn)unsupported_Ibarrier},
    {"MPI_Ibcast", (hws_any_fn)PMPI_Ibcast, (hws_any_fn)unsupported_Ibcast},
    {"MPI_Ibcast_c", (hws_any_fn)PMPI_Ibcast_c, (hws_any_fn)unsupported_Ibcast_c},
    {"MPI_Iexscan", (hws_any_fn)PMPI_Iexscan, (hws_any_fn)unsupported_Iexscan},
    {"MPI_Iexscan_c", (hws_any_fn)PMPI_Iexscan_c, (hws_any_fn)unsupported_Iexscan_c},
    {"MPI_Igather", (hws_any_fn)PMPI_Igather, (hws_any_fn)unsupported_Igather},
    {"MPI_Igather_c", (hws_any_fn)PMPI_Igather_c, (hws_any_fn)unsupported_Igather_c},
    {"MPI_Igatherv", (hws_any_fn)PMPI_Igatherv, (hws_any_fn)unsupported_Igatherv},
    {"MPI_Igatherv_c", (hws_any_fn)PMPI_Igatherv_c, (hws_any_fn)unsupported_Igatherv_c},
    {"MPI_Ireduce", (hws_any_fn)PMPI_Ireduce, (hws_any_fn)unsupported_Ireduce},
    {"MPI_Ireduce_c", (hws_any_fn)PMPI_Ireduce_c, (hws_any_fn)unsupported_Ireduce_c},
    {"MPI_Ireduce_scatter", (hws_any_fn)PMPI_Ireduce_scatter, (hws_any_fn)unsupported_Ireduce_scatter},
    {"MPI_Ireduce_scatter_c", (hws_any_fn)PMPI_Ireduce_scatter_c, (hws_any_fn)unsupported_Ireduce_scatter_c},
    {"MPI_Ireduce_scatter_block", (hws_any_fn)PMPI_Ireduce_scatter_block, (hws_any_fn)unsupported_Ireduce_scatter_block},
    {"MPI_Ireduce_scatter_block_c", (hws_any_fn)PMPI_Ireduce_scatter_block_c, (hws_any_fn)unsupported_Ireduce_scatter_block_c},
    {"MPI_Iscan", (hws_any_fn)PMPI_Iscan, (hws_any_fn)unsupported_Iscan},
    {"MPI_Iscan_c", (hws_any_fn)PMPI_Iscan_c, (hws_any_fn)unsupported_Iscan_c},
    {"MPI_Iscatter", (hws_any_fn)PMPI_Iscatter, (hws_any_fn)unsupported_Iscatter},
    {"MPI_Iscatter_c", (hws_any_fn)PMPI_Iscatter_c, (hws_any_fn)unsupported_Iscatter_c},
    {"MPI_Iscatterv", (hws_any_fn)PMPI_Iscatterv, (hws_any_fn)unsupported_Iscatterv},
    {"MPI_Iscatterv_c", (hws_any_fn)PMPI_Iscatterv_c, (hws_any_fn)unsupported_Iscatterv_c},
    {"MPI_Accumulate", (hws_any_fn)PMPI_Accumulate, (hws_any_fn)unsupported_Accumulate},
    {"MPI_Accumulate_c", (hws_any_fn)PMPI_Accumulate_c, (hws_any_fn)unsupported_Accumulate_c},
    {"MPI_Compare_and_swap", (hws_any_fn)PMPI_Compare_and_swap, (hws_any_fn)unsupported_Compare_and_swap},
    {"MPI_Fetch_and_op", (hws_any_fn)PMPI_Fetch_and_op, (hws_any_fn)unsupported_Fetch_and_op},
    {"MPI_Get", (hws_any_fn)PMPI_Get, (hws_any_fn)unsupported_Get},
    {"MPI_Get_c", (hws_any_fn)PMPI_Get_c, (hws_any_fn)unsupported_Get_c},
    {"MPI_Get_accumulate", (hws_any_fn)PMPI_Get_accumulate, (hws_any_fn)unsupported_Get_accumulate},
    {"MPI_Get_accumulate_c", (hws_any_fn)PMPI_Get_accumulate_c, (hws_any_fn)unsupported_Get_accumulate_c},
    {"MPI_Put", (hws_any_fn)PMPI_Put, (hws_any_fn)unsupported_Put},
    {"MPI_Put_c", (hws_any_fn)PMPI_Put_c, (hws_any_fn)unsupported_Put_c},
    {"MPI_Raccumulate", (hws_any_fn)PMPI_Raccumulate, (hws_any_fn)unsupported_Raccumulate},
    {"MPI_Raccumulate_c", (hws_any_fn)PMPI_Raccumulate_c, (hws_any_fn)unsupported_Raccumulate_c},
    {"MPI_Rget", (hws_any_fn)PMPI_Rget, (hws_any_fn)unsupported_Rget},
    {"MPI_Rget_c", (hws_any_fn)PMPI_Rget_c, (hws_any_fn)unsupported_Rget_c},
    {"MPI_Rget_accumulate", (hws_any_fn)PMPI_Rget_accumulate, (hws_any_fn)unsupported_Rget_accumulate},
    {"MPI_Rget_accumulate_c", (hws_any_fn)PMPI_Rget_accumulate_c, (hws_any_fn)unsupported_Rget_accumulate_c},
    {"MPI_Rput", (hws_any_fn)PMPI_Rput, (hws_any_fn)unsupported_Rput},
    {"MPI_Rput_c", (hws_any_fn)PMPI_Rput_c, (hws_any_fn)unsupported_Rput_c},
    {"MPI_Win_allocate", (hws_any_fn)PMPI_Win_allocate, (hws_any_fn)unsupported_Win_allocate},
    {"MPI_Win_allocate_c", (hws_any_fn)PMPI_Win_allocate_c, (hws_any_fn)unsupported_Win_allocate_c},
    {"MPI_Win_allocate_shared", (hws_any_fn)PMPI_Win_allocate_shared, (hws_any_fn)unsupported_Win_allocate_shared},
    {"MPI_Win_allocate_shared_c", (hws_any_fn)PMPI_Win_allocate_shared_c, (hws_any_fn)unsupported_Win_allocate_shared_c},
    {"MPI_Win_attach", (hws_any_fn)PMPI_Win_attach, (hws_any_fn)unsupported_Win_attach},
    {"MPI_Win_complete", (hws_any_fn)PMPI_Win_complete, (hws_any_fn)unsupported_Win_complete},
    {"MPI_Win_create", (hws_any_fn)PMPI_Win_create, (hws_any_fn)unsupported_Win_create},
    {"MPI_Win_create_c", (hws_any_fn)PMPI_Win_create_c, (hws_any_fn)unsupported_Win_create_c},
    {"MPI_Win_create_dynamic", (hws_any_fn)PMPI_Win_create_dynamic, (hws_any_fn)unsupported_Win_create_dynamic},
    {"MPI_Win_detach", (hws_any_fn)PMPI_Win_detach, (hws_any_fn)unsupported_Win_detach},
    {"MPI_Win_fence", (hws_any_fn)PMPI_Win_fence, (hws_any_fn)unsupported_Win_fence},
    {"MPI_Win_flush", (hws_any_fn)PMPI_Win_flush, (hws_any_fn)unsupported_Win_flush},
    {"MPI_Win_flush_all", (hws_any_fn)PMPI_Win_flush_all, (hws_any_fn)unsupported_Win_flush_all},
    {"MPI_Win_flush_local", (hws_any_fn)PMPI_Win_flush_local, (hws_any_fn)unsupported_Win_flush_local},
    {"MPI_Win_flush_local_all", (hws_any_fn)PMPI_Win_flush_local_all, (hws_any_fn)unsupported_Win_flush_local_all},
    {"MPI_Win_free", (hws_any_fn)PMPI_Win_free, (hws_any_fn)unsupported_Win_free},
    {"MPI_Win_get_group", (hws_any_fn)PMPI_Win_get_group, (hws_any_fn)unsupported_Win_get_group},
    {"MPI_Win_get_info", (hws_any_fn)PMPI_Win_get_info, (hws_any_fn)unsupported_Win_get_info},
    {"MPI_Win_get_name", (hws_any_fn)PMPI_Win_get_name, (hws_any_fn)unsupported_Win_get_name},
    {"MPI_Win_lock", (hws_any_fn)PMPI_Win_lock, (hws_any_fn)unsupported_Win_lock},
    {"MPI_Win_lock_all", (hws_any_fn)PMPI_Win_lock_all, (hws_any_fn)unsupported_Win_lock_all},
    {"MPI_Win_post", (hws_any_fn)PMPI_Win_post, (hws_any_fn)unsupported_Win_post},
    {"MPI_Win_set_info", (hws_any_fn)PMPI_Win_set_info, (hws_any_fn)unsupported_Win_set_info},
    {"MPI_Win_set_name", (hws_any_fn)PMPI_Win_set_name, (hws_any_fn)unsupported_Win_set_name},
    {"MPI_Win_shared_query", (hws_any_fn)PMPI_Win_shared_query, (hws_any_fn)unsupported_Win_shared_query},
    {"MPI_Win_shared_query_c", (hws_any_fn)PMPI_Win_shared_query_c, (hws_any_fn)unsupported_Win_shared_query_c},
    {"MPI_Win_start", (hws_any_fn)PMPI_Win_start, (hws_any_fn)unsupported_Win_start},
    {"MPI_Win_sync", (hws_any_fn)PMPI_Win_sync, (hws_any_fn)unsupported_Win_sync},
    {"MPI_Win_test", (hws_any_fn)PMPI_Win_test, (hws_any_fn)unsupported_Win_test},
    {"MPI_Win_unlock", (hws_any_fn)PMPI_Win_unlock, (hws_any_fn)unsupported_Win_unlock},
    {"MPI_Win_unlock_all", (hws_any_fn)PMPI_Win_unlock_all, (hws_any_fn)unsupported_Win_unlock_all},
    {"MPI_Win_wait", (hws_any_fn)PMPI_Win_wait, (hws_any_fn)unsupported_Win_wait},
    {"MPI_Pack", (hws_any_fn)PMPI_Pack, (hws_any_fn)unsupported_Pack},
    {"MPI_Pack_c", (hws_any_fn)PMPI_Pack_c, (hws_any_fn)unsupported_Pack_c},
    {"MPI_Pack_external", (hws_any_fn)PMPI_Pack_external, (hws_any_fn)unsupported_Pack_external},
    {"MPI_Pack_external_c", (hws_any_fn)PMPI_Pack_external_c, (hws_any_fn)unsupported_Pack_external_c},
    {"MPI_Pack_external_size", (hws_any_fn)PMPI_Pack_external_size, (hws_any_fn)unsupported_Pack_external_size},
    {"MPI_Pack_external_size_c", (hws_any_fn)PMPI_Pack_external_size_c, (hws_any_fn)unsupported_Pack_external_size_c},
    {"MPI_Pack_size", (hws_any_fn)PMPI_Pack_size, (hws_any_fn)unsupported_Pack_size},
    {"MPI_Pack_size_c", (hws_any_fn)PMPI_Pack_size_c, (hws_any_fn)unsupported_Pack_size_c},
    {"MPI_Unpack", (hws_any_fn)PMPI_Unpack, (hws_any_fn)unsupported_Unpack},
    {"MPI_Unpack_c", (hws_any_fn)PMPI_Unpack_c, (hws_any_fn)unsupported_Unpack_c},
    {"MPI_Unpack_external", (hws_any_fn)PMPI_Unpack_external, (hws_any_fn)unsupported_Unpack_external},
    {"MPI_Unpack_external_c", (hws_any_fn)PMPI_Unpack_external_c, (hws_any_fn)unsupported_Unpack_external_c},
    {"MPI_Parrived", (hws_any_fn)PMPI_Parrived, (hws_any_fn)unsupported_Parrived},
    {"MPI_Pready", (hws_any_fn)PMPI_Pready, (hws_any_fn)unsupported_Pready},
    {"MPI_Pready_list", (hws_any_fn)PMPI_Pready_list, (hws_any_fn)unsupported_Pready_list},
    {"MPI_Pready_range", (hws_any_fn)PMPI_Pready_range, (hws_any_fn)unsupported_Pready_range},
    {"MPI_Precv_init", (hws_any_fn)PMPI_Precv_init, (hws_any_fn)unsupported_Precv_init},
    {"MPI_Precv_init_c", (hws_any_fn)PMPI_Precv_init_c, (hws_any_fn)unsupported_Precv_init_c},
    {"MPI_Psend_init", (hws_any_fn)PMPI_Psend_init, (hws_any_fn)unsupported_Psend_init},
    {"MPI_Psend_init_c", (hws_any_fn)PMPI_Psend_init_c, (hws_any_fn)unsupported_Psend_init_c},
    {"MPI_Bsend_init", (hws_any_fn)PMPI_Bsend_init, (hws_any_fn)unsupported_Bsend_init},
    {"MPI_Bsend_init_c", (hws_any_fn)PMPI_Bsend_init_c, (hws_any_fn)unsupported_Bsend_init_c},
    {"MPI_Recv_init", (hws_any_fn)PMPI_Recv_init, (hws_any_fn)unsupported_Recv_init},
    {"MPI_Recv_init_c", (hws_any_fn)PMPI_Recv_init_c, (hws_any_fn)unsupported_Recv_init_c},
    {"MPI_Rsend_init", (hws_any_fn)PMPI_Rsend_init, (hws_any_fn)unsupported_Rsend_init},
    {"MPI_Rsend_init_c", (hws_any_fn)PMPI_Rsend_init_c, (hws_any_fn)unsupported_Rsend_init_c},
    {"MPI_Send_init", (hws_any_fn)PMPI_Send_init, (hws_any_fn)unsupported_Send_init},
    {"MPI_Send_init_c", (hws_any_fn)PMPI_Send_init_c, (hws_any_fn)unsupported_Send_init_c},
    {"MPI_Ssend_init", (hws_any_fn)PMPI_Ssend_init, (hws_any_fn)unsupported_Ssend_init},
    {"MPI_Ssend_init_c", (hws_any_fn)PMPI_Ssend_init_c, (hws_any_fn)unsupported_Ssend_init_c},
    {"MPI_Start", (hws_any_fn)PMPI_Start, (hws_any_fn)unsupported_Start},
    {"MPI_Startall", (hws_any_fn)PMPI_Startall, (hws_any_fn)unsupported_Startall},
    {"MPI_Allgather_init", (hws_any_fn)PMPI_Allgather_init, (hws_any_fn)unsupported_Allgather_init},
    {"MPI_Allgather_init_c", (hws_any_fn)PMPI_Allgather_init_c, (hws_any_fn)unsupported_Allgather_init_c},
    {"MPI_Allgatherv_init", (hws_any_fn)PMPI_Allgatherv_init, (hws_any_fn)unsupported_Allgatherv_init},
    {"MPI_Allgatherv_init_c", (hws_any_fn)PMPI_Allgatherv_init_c, (hws_any_fn)unsupported_Allgatherv_init_c},
    {"MPI_Allreduce_init", (hws_any_fn)PMPI_Allreduce_init, (hws_any_fn)unsupported_Allreduce_init},
    {"MPI_Allreduce_init_c", (hws_any_fn)PMPI_Allreduce_init_c, (hws_any_fn)unsupported_Allreduce_init_c},
    {"MPI_Alltoall_init", (hws_any_fn)PMPI_Alltoall_init, (hws_any_fn)unsupported_Alltoall_init},
    {"MPI_Alltoall_init_c", (hws_any_fn)PMPI_Alltoall_init_c, (hws_any_fn)unsupported_Alltoall_init_c},
    {"MPI_Alltoallv_init", (hws_any_fn)PMPI_Alltoallv_init, (hws_any_fn)unsupported_Alltoallv_init},
    {"MPI_Alltoallv_init_c", (hws_any_fn)PMPI_Alltoallv_init_c, (hws_any_fn)unsupported_Alltoallv_init_c},
    {"MPI_Alltoallw_init", (hws_any_fn)PMPI_Alltoallw_init, (hws_any_fn)unsupported_Alltoallw_init},
    {"MPI_Alltoallw_init_c", (hws_any_fn)PMPI_Alltoallw_init_c, (hws_any_fn)unsupported_Alltoallw_init_c},
    {"MPI_Barrier_init", (hws_any_fn)PMPI_Barrier_init, (hws_any_fn)unsupported_Barrier_init},
    {"MPI_Bcast_init", (hws_any_fn)PMPI_Bcast_init, (hws_any_fn)unsupported_Bcast_init},
    {"MPI_Bcast_init_c", (hws_any_fn)PMPI_Bcast_init_c, (hws_any_fn)unsupported_Bcast_init_c},
    {"MPI_Exscan_init", (hws_any_fn)PMPI_Exscan_init, (hws_any_fn)unsupported_Exscan_init},
    {"MPI_Exscan_init_c", (hws_any_fn)PMPI_Exscan_init_c, (hws_any_fn)unsupported_Exscan_init_c},
    {"MPI_Gather_init", (hws_any_fn)PMPI_Gather_init, (hws_any_fn)unsupported_Gather_init},
    {"MPI_Gather_init_c", (hws_any_fn)PMPI_Gather_init_c, (hws_any_fn)unsupported_Gather_init_c},
    {"MPI_Gatherv_init", (hws_any_fn)PMPI_Gatherv_init, (hws_any_fn)unsupported_Gatherv_init},
    {"MPI_Gatherv_init_c", (hws_any_fn)PMPI_Gatherv_init_c, (hws_any_fn)unsupported_Gatherv_init_c},
    {"MPI_Reduce_init", (hws_any_fn)PMPI_Reduce_init, (hws_any_fn)unsupported_Reduce_init},
    {"MPI_Reduce_init_c", (hws_any_fn)PMPI_Reduce_init_c, (hws_any_fn)unsupported_Reduce_init_c},
    {"MPI_Reduce_scatter_block_init", (hws_any_fn)PMPI_Reduce_scatter_block_init, (hws_any_fn)unsupported_Reduce_scatter_block_init},
    {"MPI_Reduce_scatter_block_init_c", (hws_any_fn)PMPI_Reduce_scatter_block_init_c, (hws_any_fn)unsupported_Reduce_scatter_block_init_c},
    {"MPI_Reduce_scatter_init", (hws_any_fn)PMPI_Reduce_scatter_init, (hws_any_fn)unsupported_Reduce_scatter_init},
    {"MPI_Reduce_scatter_init_c", (hws_any_fn)PMPI_Reduce_scatter_init_c, (hws_any_fn)unsupported_Reduce_scatter_init_c},
    {"MPI_Scan_init", (hws_any_fn)PMPI_Scan_init, (hws_any_fn)unsupported_Scan_init},
    {"MPI_Scan_init_c", (hws_any_fn)PMPI_Scan_init_c, (hws_any_fn)unsupported_Scan_init_c},
    {"MPI_Scatter_init", (hws_any_fn)PMPI_Scatter_init, (hws_any_fn)unsupported_Scatter_init},
    {"MPI_Scatter_init_c", (hws_any_fn)PMPI_Scatter_init_c, (hws_any_fn)unsupported_Scatter_init_c},
    {"MPI_Scatterv_init", (hws_any_fn)PMPI_Scatterv_init, (hws_any_fn)unsupported_Scatterv_init},
    {"MPI_Scatterv_init_c", (hws_any_fn)PMPI_Scatterv_init_c, (hws_any_fn)unsupported_Scatterv_init_c},
    {"MPI_Bsend", (hws_any_fn)PMPI_Bsend, (hws_any_fn)unsupported_Bsend},
    {"MPI_Bsend_c", (hws_any_fn)PMPI_Bsend_c, (hws_any_fn)unsupported_Bsend_c},
    {"MPI_Buffer_attach", (hws_any_fn)PMPI_Buffer_attach, (hws_any_fn)unsupported_Buffer_attach},
    {"MPI_Buffer_attach_c", (hws_any_fn)PMPI_Buffer_attach_c, (hws_any_fn)unsupported_Buffer_attach_c},
    {"MPI_Buffer_detach", (hws_any_fn)PMPI_Buffer_detach, (hws_any_fn)unsupported_Buffer_detach},
    {"MPI_Buffer_detach_c", (hws_any_fn)PMPI_Buffer_detach_c, (hws_any_fn)unsupported_Buffer_detach_c},
    {"MPI_Buffer_flush", (hws_any_fn)PMPI_Buffer_flush, (hws_any_fn)unsupported_Buffer_flush},
    {"MPI_Buffer_iflush", (hws_any_fn)PMPI_Buffer_iflush, (hws_any_fn)unsupported_Buffer_iflush},
    {"MPI_Cancel", (hws_any_fn)PMPI_Cancel, (hws_any_fn)unsupported_Cancel},
    {"MPI_Comm_attach_buffer", (hws_any_fn)PMPI_Comm_attach_buffer, (hws_any_fn)unsupported_Comm_attach_buffer},
    {"MPI_Comm_attach_buffer_c", (hws_any_fn)PMPI_Comm_attach_buffer_c, (hws_any_fn)unsupported_Comm_attach_buffer_c},
    {"MPI_Comm_detach_buffer", (hws_any_fn)PMPI_Comm_detach_buffer, (hws_any_fn)unsupported_Comm_detach_buffer},
    {"MPI_Comm_detach_buffer_c", (hws_any_fn)PMPI_Comm_detach_buffer_c, (hws_any_fn)unsupported_Comm_detach_buffer_c},
    {"MPI_Comm_flush_buffer", (hws_any_fn)PMPI_Comm_flush_buffer, (hws_any_fn)unsupported_Comm_flush_buffer},
    {"MPI_Comm_iflush_buffer", (hws_any_fn)PMPI_Comm_iflush_buffer, (hws_any_fn)unsupported_Comm_iflush_buffer},
    {"MPI_Get_count", (hws_any_fn)PMPI_Get_count, (hws_any_fn)unsupported_Get_count},
    {"MPI_Get_count_c", (hws_any_fn)PMPI_Get_count_c, (hws_any_fn)unsupported_Get_count_c},
    {"MPI_Get_elements", (hws_any_fn)PMPI_Get_elements, (hws_any_fn)unsupported_Get_elements},
    {"MPI_Get_elements_c", (hws_any_fn)PMPI_Get_elements_c, (hws_any_fn)unsupported_Get_elements_c},
    {"MPI_Grequest_complete", (hws_any_fn)PMPI_Grequest_complete, (hws_any_fn)unsupported_Grequest_complete},
    {"MPI_Grequest_start", (hws_any_fn)PMPI_Grequest_start, (hws_any_fn)unsupported_Grequest_start},
    {"MPI_Ibsend", (hws_any_fn)PMPI_Ibsend, (hws_any_fn)unsupported_Ibsend},
    {"MPI_Ibsend_c", (hws_any_fn)PMPI_Ibsend_c, (hws_any_fn)unsupported_Ibsend_c},
    {"MPI_Improbe", (hws_any_fn)PMPI_Improbe, (hws_any_fn)unsupported_Improbe},
    {"MPI_Imrecv", (hws_any_fn)PMPI_Imrecv, (hws_any_fn)unsupported_Imrecv},
    {"MPI_Imrecv_c", (hws_any_fn)PMPI_Imrecv_c, (hws_any_fn)unsupported_Imrecv_c},
    {"MPI_Iprobe", (hws_any_fn)PMPI_Iprobe, (hws_any_fn)unsupported_Iprobe},
    {"MPI_Irecv", (hws_any_fn)PMPI_Irecv, (hws_any_fn)unsupported_Irecv},
    {"MPI_Irecv_c", (hws_any_fn)PMPI_Irecv_c, (hws_any_fn)unsupported_Irecv_c},
    {"MPI_Irsend", (hws_any_fn)PMPI_Irsend, (hws_any_fn)unsupported_Irsend},
    {"MPI_Irsend_c", (hws_any_fn)PMPI_Irsend_c, (hws_any_fn)unsupported_Irsend_c},
    {"MPI_Isend", (hws_any_fn)PMPI_Isend, (hws_any_fn)unsupported_Isend},
    {"MPI_Isend_c", (hws_any_fn)PMPI_Isend_c, (hws_any_fn)unsupported_Isend_c},
    {"MPI_Isendrecv", (hws_any_fn)PMPI_Isendrecv, (hws_any_fn)unsupported_Isendrecv},
    {"MPI_Isendrecv_c", (hws_any_fn)PMPI_Isendrecv_c, (hws_any_fn)unsupported_Isendrecv_c},
    {"MPI_Isendrecv_replace", (hws_any_fn)PMPI_Isendrecv_replace, (hws_any_fn)unsupported_Isendrecv_replace},
    {"MPI_Isendrecv_replace_c", (hws_any_fn)PMPI_Isendrecv_replace_c, (hws_any_fn)unsupported_Isendrecv_replace_c},
    {"MPI_Issend", (hws_any_fn)PMPI_Issend, (hws_any_fn)unsupported_Issend},
    {"MPI_Issend_c", (hws_any_fn)PMPI_Issend_c, (hws_any_fn)unsupported_Issend_c},
    {"MPI_Mprobe", (hws_any_fn)PMPI_Mprobe, (hws_any_fn)unsupported_Mprobe},
    {"MPI_Mrecv", (hws_any_fn)PMPI_Mrecv, (hws_any_fn)unsupported_Mrecv},
    {"MPI_Mrecv_c", (hws_any_fn)PMPI_Mrecv_c, (hws_any_fn)unsupported_Mrecv_c},
    {"MPI_Probe", (hws_any_fn)PMPI_Probe, (hws_any_fn)unsupported_Probe},
    {"MPI_Recv", (hws_any_fn)PMPI_Recv, (hws_any_fn)unsupported_Recv},
    {"MPI_Recv_c", (hws_any_fn)PMPI_Recv_c, (hws_any_fn)unsupported_Recv_c},
    {"MPI_Request_free", (hws_any_fn)PMPI_Request_free, (hws_any_fn)unsupported_Request_free},
    {"MPI_Request_get_status", (hws_any_fn)PMPI_Request_get_status, (hws_any_fn)unsupported_Request_get_status},
    {"MPI_Request_get_status_all", (hws_any_fn)PMPI_Request_get_status_all, (hws_any_fn)unsupported_Request_get_status_all},
    {"MPI_Request_get_status_any", (hws_any_fn)PMPI_Request_get_status_any, (hws_any_fn)unsupported_Request_get_status_any},
    {"MPI_Request_get_status_some", (hws_any_fn)PMPI_Request_get_status_some, (hws_any_fn)unsupported_Request_get_status_some},
    {"MPI_Rsend", (hws_any_fn)PMPI_Rsend, (hws_any_fn)unsupported_Rsend},
    {"MPI_Rsend_c", (hws_any_fn)PMPI_Rsend_c, (hws_any_fn)unsupported_Rsend_c},
    {"MPI_Send", (hws_any_fn)PMPI_Send, (hws_any_fn)unsupported_Send},
    {"MPI_Send_c", (hws_any_fn)PMPI_Send_c, (hws_any_fn)unsupported_Send_c},
    {"MPI_Sendrecv", (hws_any_fn)PMPI_Sendrecv, (hws_any_fn)unsupported_Sendrecv},
    {"MPI_Sendrecv_c", (hws_any_fn)PMPI_Sendrecv_c, (hws_any_fn)unsupported_Sendrecv_c},
    {"MPI_Sendrecv_replace", (hws_any_fn)PMPI_Sendrecv_replace, (hws_any_fn)unsupported_Sendrecv_replace},
    {"MPI_Sendrecv_replace_c", (hws_any_fn)PMPI_Sendrecv_replace_c, (hws_any_fn)unsupported_Sendrecv_replace_c},
    {"MPI_Session_attach_buffer", (hws_any_fn)PMPI_Session_attach_buffer, (hws_any_fn)unsupported_Session_attach_buffer},
    {"MPI_Session_attach_buffer_c", (hws_any_fn)PMPI_Session_attach_buffer_c, (hws_any_fn)unsupported_Session_attach_buffer_c},
    {"MPI_Session_detach_buffer", (hws_any_fn)PMPI_Session_detach_buffer, (hws_any_fn)unsupported_Session_detach_buffer},
    {"MPI_Session_detach_buffer_c", (hws_any_fn)PMPI_Session_detach_buffer_c, (hws_any_fn)unsupported_Session_detach_buffer_c},
    {"MPI_Session_flush_buffer", (hws_any_fn)PMPI_Session_flush_buffer, (hws_any_fn)unsupported_Session_flush_buffer},
    {"MPI_Session_iflush_buffer", (hws_any_fn)PMPI_Session_iflush_buffer, (hws_any_fn)unsupported_Session_iflush_buffer},
    {"MPI_Ssend", (hws_any_fn)PMPI_Ssend, (hws_any_fn)unsupported_Ssend},
    {"MPI_Ssend_c", (hws_any_fn)PMPI_Ssend_c, (hws_any_fn)unsupported_Ssend_c},
    {"MPI_Status_get_error", (hws_any_fn)PMPI_Status_get_error, (hws_any_fn)unsupported_Status_get_error},
    {"MPI_Status_get_source", (hws_any_fn)PMPI_Status_get_source, (hws_any_fn)unsupported_Status_get_source},
    {"MPI_Status_get_tag", (hws_any_fn)PMPI_Status_get_tag, (hws_any_fn)unsupported_Status_get_tag},
    {"MPI_Status_set_cancelled", (hws_any_fn)PMPI_Status_set_cancelled, (hws_any_fn)unsupported_Status_set_cancelled},
    {"MPI_Status_set_elements", (hws_any_fn)PMPI_Status_set_elements, (hws_any_fn)unsupported_Status_set_elements},
    {"MPI_Status_set_elements_c", (hws_any_fn)PMPI_Status_set_elements_c, (hws_any_fn)unsupported_Status_set_elements_c},
    {"MPI_Status_set_error", (hws_any_fn)PMPI_Status_set_error, (hws_any_fn)unsupported_Status_set_error},
    {"MPI_Status_set_source", (hws_any_fn)PMPI_Status_set_source, (hws_any_fn)unsupported_Status_set_source},
    {"MPI_Status_set_tag", (hws_any_fn)PMPI_Status_set_tag, (hws_any_fn)unsupported_Status_set_tag},
    {"MPI_Test", (hws_any_fn)PMPI_Test, (hws_any_fn)unsupported_Test},
    {"MPI_Test_cancelled", (hws_any_fn)PMPI_Test_cancelled, (hws_any_fn)unsupported_Test_cancelled},
    {"MPI_Testall", (hws_any_fn)PMPI_Testall, (hws_any_fn)unsupported_Testall},
    {"MPI_Testany", (hws_any_fn)PMPI_Testany, (hws_any_fn)unsupported_Testany},
    {"MPI_Testsome", (hws_any_fn)PMPI_Testsome, (hws_any_fn)unsupported_Testsome},
    {"MPI_Wait", (hws_any_fn)PMPI_Wait, (hws_any_fn)unsupported_Wait},
    {"MPI_Waitall", (hws_any_fn)PMPI_Waitall, (hws_any_fn)unsupported_Waitall},
    {"MPI_Waitany", (hws_any_fn)PMPI_Waitany, (hws_any_fn)unsupported_Waitany},
    {"MPI_Waitsome", (hws_any_fn)PMPI_Waitsome, (hws_any_fn)unsupported_Waitsome},
    {"MPI_Close_port", (hws_any_fn)PMPI_Close_port, (hws_any_fn)unsupported_Close_port},
    {"MPI_Comm_accept", (hws_any_fn)PMPI_Comm_accept, (hws_any_fn)unsupported_Comm_accept},
    {"MPI_Comm_connect", (hws_any_fn)PMPI_Comm_connect, (hws_any_fn)unsupported_Comm_connect},
    {"MPI_Comm_disconnect", (hws_any_fn)PMPI_Comm_disconnect, (hws_any_fn)unsupported_Comm_disconnect},
    {"MPI_Comm_get_parent", (hws_any_fn)PMPI_Comm_get_parent, (hws_any_fn)unsupported_Comm_get_parent},
    {"MPI_Comm_join", (hws_any_fn)PMPI_Comm_join, (hws_any_fn)unsupported_Comm_join},
    {"MPI_Comm_spawn", (hws_any_fn)PMPI_Comm_spawn, (hws_any_fn)unsupported_Comm_spawn},
    {"MPI_Comm_spawn_multiple", (hws_any_fn)PMPI_Comm_spawn_multiple, (hws_any_fn)unsupported_Comm_spawn_multiple},
    {"MPI_Lookup_name", (hws_any_fn)PMPI_Lookup_name, (hws_any_fn)unsupported_Lookup_name},
    {"MPI_Open_port", (hws_any_fn)PMPI_Open_port, (hws_any_fn)unsupported_Open_port},
    {"MPI_Publish_name", (hws_any_fn)PMPI_Publish_name, (hws_any_fn)unsupported_Publish_name},
    {"MPI_Unpublish_name", (hws_any_fn)PMPI_Unpublish_name, (hws_any_fn)unsupported_Unpublish_name},
    {"MPI_Session_finalize", (hws_any_fn)PMPI_Session_finalize, (hws_any_fn)unsupported_Session_finalize},
    {"MPI_Session_get_info", (hws_any_fn)PMPI_Session_get_info, (hws_any_fn)unsupported_Session_get_info},
    {"MPI_Session_get_nth_pset", (hws_any_fn)PMPI_Session_get_nth_pset, (hws_any_fn)unsupported_Session_get_nth_pset},
    {"MPI_Session_get_num_psets", (hws_any_fn)PMPI_Session_get_num_psets, (hws_any_fn)unsupported_Session_get_num_psets},
    {"MPI_Session_get_pset_info", (hws_any_fn)PMPI_Session_get_pset_info, (hws_any_fn)unsupported_Session_get_pset_info},
    {"MPI_Session_init", (hws_any_fn)PMPI_Session_init, (hws_any_fn)unsupported_Session_init},
    {"MPI_T_category_changed", (hws_any_fn)PMPI_T_category_changed, (hws_any_fn)unsupported_T_category_changed},
    {"MPI_T_category_get_categories", (hws_any_fn)PMPI_T_category_get_categories, (hws_any_fn)unsupported_T_category_get_categories},
    {"MPI_T_category_get_cvars", (hws_any_fn)PMPI_T_category_get_cvars, (hws_any_fn)unsupported_T_category_get_cvars},
    {"MPI_T_category_get_events", (hws_any_fn)PMPI_T_category_get_events, (hws_any_fn)unsupported_T_category_get_events},
    {"MPI_T_category_get_index", (hws_any_fn)PMPI_T_category_get_index, (hws_any_fn)unsupported_T_category_get_index},
    {"MPI_T_category_get_info", (hws_any_fn)PMPI_T_category_get_info, (hws_any_fn)unsupported_T_category_get_info},
    {"MPI_T_category_get_num", (hws_any_fn)PMPI_T_category_get_num, (hws_any_fn)unsupported_T_category_get_num},
    {"MPI_T_category_get_num_events", (hws_any_fn)PMPI_T_category_get_num_events, (hws_any_fn)unsupported_T_category_get_num_events},
    {"MPI_T_category_get_pvars", (hws_any_fn)PMPI_T_category_get_pvars, (hws_any_fn)unsupported_T_category_get_pvars},
    {"MPI_T_cvar_get_index", (hws_any_fn)PMPI_T_cvar_get_index, (hws_any_fn)unsupported_T_cvar_get_index},
    {"MPI_T_cvar_get_info", (hws_any_fn)PMPI_T_cvar_get_info, (hws_any_fn)unsupported_T_cvar_get_info},
    {"MPI_T_cvar_get_num", (hws_any_fn)PMPI_T_cvar_get_num, (hws_any_fn)unsupported_T_cvar_get_num},
    {"MPI_T_cvar_handle_alloc", (hws_any_fn)PMPI_T_cvar_handle_alloc, (hws_any_fn)unsupported_T_cvar_handle_alloc},
    {"MPI_T_cvar_handle_free", (hws_any_fn)PMPI_T_cvar_handle_free, (hws_any_fn)unsupported_T_cvar_handle_free},
    {"MPI_T_cvar_read", (hws_any_fn)PMPI_T_cvar_read, (hws_any_fn)unsupported_T_cvar_read},
    {"MPI_T_cvar_write", (hws_any_fn)PMPI_T_cvar_write, (hws_any_fn)unsupported_T_cvar_write},
    {"MPI_T_enum_get_info", (hws_any_fn)PMPI_T_enum_get_info, (hws_any_fn)unsupported_T_enum_get_info},
    {"MPI_T_enum_get_item", (hws_any_fn)PMPI_T_enum_get_item, (hws_any_fn)unsupported_T_enum_get_item},
    {"MPI_T_event_callback_get_info", (hws_any_fn)PMPI_T_event_callback_get_info, (hws_any_fn)unsupported_T_event_callback_get_info},
    {"MPI_T_event_callback_set_info", (hws_any_fn)PMPI_T_event_callback_set_info, (hws_any_fn)unsupported_T_event_callback_set_info},
    {"MPI_T_event_copy", (hws_any_fn)PMPI_T_event_copy, (hws_any_fn)unsupported_T_event_copy},
    {"MPI_T_event_get_index", (hws_any_fn)PMPI_T_event_get_index, (hws_any_fn)unsupported_T_event_get_index},
    {"MPI_T_event_get_info", (hws_any_fn)PMPI_T_event_get_info, (hws_any_fn)unsupported_T_event_get_info},
    {"MPI_T_event_get_num", (hws_any_fn)PMPI_T_event_get_num, (hws_any_fn)unsupported_T_event_get_num},
    {"MPI_T_event_get_source", (hws_any_fn)PMPI_T_event_get_source, (hws_any_fn)unsupported_T_event_get_source},
    {"MPI_T_event_get_timestamp", (hws_any_fn)PMPI_T_event_get_timestamp, (hws_any_fn)unsupported_T_event_get_timestamp},
    {"MPI_T_event_handle_alloc", (hws_any_fn)PMPI_T_event_handle_alloc, (hws_any_fn)unsupported_T_event_handle_alloc},
    {"MPI_T_event_handle_free", (hws_any_fn)PMPI_T_event_handle_free, (hws_any_fn)unsupported_T_event_handle_free},
    {"MPI_T_event_handle_get_info", (hws_any_fn)PMPI_T_event_handle_get_info, (hws_any_fn)unsupported_T_event_handle_get_info},
    {"MPI_T_event_handle_set_info", (hws_any_fn)PMPI_T_event_handle_set_info, (hws_any_fn)unsupported_T_event_handle_set_info},
    {"MPI_T_event_read", (hws_any_fn)PMPI_T_event_read, (hws_any_fn)unsupported_T_event_read},
    {"MPI_T_event_register_callback", (hws_any_fn)PMPI_T_event_register_callback, (hws_any_fn)unsupported_T_event_register_callback},
    {"MPI_T_event_set_dropped_handler", (hws_any_fn)PMPI_T_event_set_dropped_handler, (hws_any_fn)unsupported_T_event_set_dropped_handler},
    {"MPI_T_finalize", (hws_any_fn)PMPI_T_finalize, (hws_any_fn)unsupported_T_finalize},
    {"MPI_T_init_thread", (hws_any_fn)PMPI_T_init_thread, (hws_any_fn)unsupported_T_init_thread},
    {"MPI_T_pvar_get_index", (hws_any_fn)PMPI_T_pvar_get_index, (hws_any_fn)unsupported_T_pvar_get_index},
    {"MPI_T_pvar_get_info", (hws_any_fn)PMPI_T_pvar_get_info, (hws_any_fn)unsupported_T_pvar_get_info},
    {"MPI_T_pvar_get_num", (hws_any_fn)PMPI_T_pvar_get_num, (hws_any_fn)unsupported_T_pvar_get_num},
    {"MPI_T_pvar_handle_alloc", (hws_any_fn)PMPI_T_pvar_handle_alloc, (hws_any_fn)unsupported_T_pvar_handle_alloc},
    {"MPI_T_pvar_handle_free", (hws_any_fn)PMPI_T_pvar_handle_free, (hws_any_fn)unsupported_T_pvar_handle_free},
    {"MPI_T_pvar_read", (hws_any_fn)PMPI_T_pvar_read, (hws_any_fn)unsupported_T_pvar_read},
    {"MPI_T_pvar_readreset", (hws_any_fn)PMPI_T_pvar_readreset, (hws_any_fn)unsupported_T_pvar_readreset},
    {"MPI_T_pvar_reset", (hws_any_fn)PMPI_T_pvar_reset, (hws_any_fn)unsupported_T_pvar_reset},
    {"MPI_T_pvar_session_create", (hws_any_fn)PMPI_T_pvar_session_create, (hws_any_fn)unsupported_T_pvar_session_create},
    {"MPI_T_pvar_session_free", (hws_any_fn)PMPI_T_pvar_session_free, (hws_any_fn)unsupported_T_pvar_session_free},
    {"MPI_T_pvar_start", (hws_any_fn)PMPI_T_pvar_start, (hws_any_fn)unsupported_T_pvar_start},
    {"MPI_T_pvar_stop", (hws_any_fn)PMPI_T_pvar_stop, (hws_any_fn)unsupported_T_pvar_stop},
    {"MPI_T_pvar_write", (hws_any_fn)PMPI_T_pvar_write, (hws_any_fn)unsupported_T_pvar_write},
    {"MPI_T_source_get_info", (hws_any_fn)PMPI_T_source_get_info, (hws_any_fn)unsupported_T_source_get_info},
    {"MPI_T_source_get_num", (hws_any_fn)PMPI_T_source_get_num, (hws_any_fn)unsupported_T_source_get_num},
    {"MPI_T_source_get_timestamp", (hws_any_fn)PMPI_T_source_get_timestamp, (hws_any_fn)unsupported_T_source_get_timestamp},
    {"MPI_Cart_coords", (hws_any_fn)PMPI_Cart_coords, (hws_any_fn)unsupported_Cart_coords},
    {"MPI_Cart_create", (hws_any_fn)PMPI_Cart_create, (hws_any_fn)unsupported_Cart_create},
    {"MPI_Cart_get", (hws_any_fn)PMPI_Cart_get, (hws_any_fn)unsupported_Cart_get},
    {"MPI_Cart_map", (hws_any_fn)PMPI_Cart_map, (hws_any_fn)unsupported_Cart_map},
    {"MPI_Cart_rank", (hws_any_fn)PMPI_Cart_rank, (hws_any_fn)unsupported_Cart_rank},
    {"MPI_Cart_shift", (hws_any_fn)PMPI_Cart_shift, (hws_any_fn)unsupported_Cart_shift},
    {"MPI_Cart_sub", (hws_any_fn)PMPI_Cart_sub, (hws_any_fn)unsupported_Cart_sub},
    {"MPI_Cartdim_get", (hws_any_fn)PMPI_Cartdim_get, (hws_any_fn)unsupported_Cartdim_get},
    {"MPI_Dims_create", (hws_any_fn)PMPI_Dims_create, (hws_any_fn)unsupported_Dims_create},
    {"MPI_Dist_graph_create", (hws_any_fn)PMPI_Dist_graph_create, (hws_any_fn)unsupported_Dist_graph_create},
    {"MPI_Dist_graph_create_adjacent", (hws_any_fn)PMPI_Dist_graph_create_adjacent, (hws_any_fn)unsupported_Dist_graph_create_adjacent},
    {"MPI_Dist_graph_neighbors", (hws_any_fn)PMPI_Dist_graph_neighbors, (hws_any_fn)unsupported_Dist_graph_neighbors},
    {"MPI_Dist_graph_neighbors_count", (hws_any_fn)PMPI_Dist_graph_neighbors_count, (hws_any_fn)unsupported_Dist_graph_neighbors_count},
    {"MPI_Graph_create", (hws_any_fn)PMPI_Graph_create, (hws_any_fn)unsupported_Graph_create},
    {"MPI_Graph_get", (hws_any_fn)PMPI_Graph_get, (hws_any_fn)unsupported_Graph_get},
    {"MPI_Graph_map", (hws_any_fn)PMPI_Graph_map, (hws_any_fn)unsupported_Graph_map},
    {"MPI_Graph_neighbors", (hws_any_fn)PMPI_Graph_neighbors, (hws_any_fn)unsupported_Graph_neighbors},
    {"MPI_Graph_neighbors_count", (hws_any_fn)PMPI_Graph_neighbors_count, (hws_any_fn)unsupported_Graph_neighbors_count},
    {"MPI_Graphdims_get", (hws_any_fn)PMPI_Graphdims_get, (hws_any_fn)unsupported_Graphdims_get},
    {"MPI_Topo_test", (hws_any_fn)PMPI_Topo_test, (hws_any_fn)unsupported_Topo_test},
};

const int hws_unsupported_n = (int)(sizeof hws_unsupported_table / sizeof hws_unsupported_table[0]);
