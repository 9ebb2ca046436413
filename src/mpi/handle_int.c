/* SPDX-License-Identifier: BSD-3-Clause
 *
 * handle_int: MPI_X_toint and MPI_X_fromint (MPI 5.0 section 19.3.4). They report no errors: a number that belongs to
 * no handle gives the kind's null handle, which the next call refuses.
 */
#include "mpi/public.h"

#include "core/object/handle_int.h"

#define CONVERT(kind, type, null)                                                                                      \
    int PMPI_##kind##_toint(type handle)                                                                               \
    {                                                                                                                  \
        return hws_handle_to_int(handle);                                                                              \
    }                                                                                                                  \
    type PMPI_##kind##_fromint(int number)                                                                             \
    {                                                                                                                  \
        type handle = hws_handle_from_int(number);                                                                     \
        return handle ? handle : null;                                                                                 \
    }                                                                                                                  \
    HWS_MPI(kind##_toint)                                                                                              \
    HWS_MPI(kind##_fromint)

CONVERT(Comm, MPI_Comm, MPI_COMM_NULL)
CONVERT(Errhandler, MPI_Errhandler, MPI_ERRHANDLER_NULL)
CONVERT(File, MPI_File, MPI_FILE_NULL)
CONVERT(Group, MPI_Group, MPI_GROUP_NULL)
CONVERT(Info, MPI_Info, MPI_INFO_NULL)
CONVERT(Message, MPI_Message, MPI_MESSAGE_NULL)
CONVERT(Op, MPI_Op, MPI_OP_NULL)
CONVERT(Request, MPI_Request, MPI_REQUEST_NULL)
CONVERT(Session, MPI_Session, MPI_SESSION_NULL)
CONVERT(Type, MPI_Datatype, MPI_DATATYPE_NULL)
CONVERT(Win, MPI_Win, MPI_WIN_NULL)
#undef CONVERT
