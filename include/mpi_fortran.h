/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpi_fortran.h: handles and statuses of C as Fortran's, and back (MPI 5.0, sections 19.3.4 and 19.3.5), included by mpi.h. The
 * ABI leaves these to whoever knows Fortran's INTEGER, so the library exports none of them; they are inline over the ABI's
 * MPI_Xxx_toint() and MPI_Xxx_fromint().
 *
 * MPI_Fint is int. Where Fortran is compiled with wider integers (-fdefault-integer-8): #define MPI_ABI_Fint before mpi.h.
 */
#ifndef MPI_FORTRAN_H_ABI
#define MPI_FORTRAN_H_ABI

#if !defined(MPI_ABI_Fint)
#define MPI_ABI_Fint int
#endif
typedef MPI_ABI_Fint MPI_Fint;
#undef MPI_ABI_Fint

/* A status of the module mpi_f08; one of mpif.h and of the module mpi is MPI_Fint[MPI_F_STATUS_SIZE]. */
typedef struct {
    MPI_Fint MPI_SOURCE;
    MPI_Fint MPI_TAG;
    MPI_Fint MPI_ERROR;
    MPI_Fint MPI_internal[5];
} MPI_F08_status;

#define MPI_F_STATUS_IGNORE     ((MPI_Fint *)0)
#define MPI_F_STATUSES_IGNORE   ((MPI_Fint *)0)
#define MPI_F08_STATUS_IGNORE   ((MPI_F08_status *)0)
#define MPI_F08_STATUSES_IGNORE ((MPI_F08_status *)0)

/* Both directions of one kind of handle. NAME is MPI_Comm and PMPI_Comm, in one piece: MPI and Comm are words that a program may
 * define (-DMPI), and an argument is expanded where it does not stand beside ##. */
#define MPI_ABI_CONVERT(NAME, TYPE)                      \
    static __inline MPI_Fint NAME##_c2f(TYPE MPI_handle) \
    {                                                    \
        return (MPI_Fint)NAME##_toint(MPI_handle);       \
    }                                                    \
    static __inline TYPE NAME##_f2c(MPI_Fint MPI_handle) \
    {                                                    \
        return NAME##_fromint((int)MPI_handle);          \
    }

/* Statuses: eight integers each, those of Fortran as wide as its INTEGER. */
#define MPI_ABI_CONVERT_STATUSES(NAME)                                                    \
    static __inline int NAME##_c2f08(const MPI_Status *MPI_from, MPI_F08_status *MPI_to)  \
    {                                                                                     \
        int MPI_i;                                                                        \
        if (!MPI_from || !MPI_to)                                                         \
            return MPI_ERR_ARG;                                                           \
        MPI_to->MPI_SOURCE = (MPI_Fint)MPI_from->MPI_SOURCE;                              \
        MPI_to->MPI_TAG = (MPI_Fint)MPI_from->MPI_TAG;                                    \
        MPI_to->MPI_ERROR = (MPI_Fint)MPI_from->MPI_ERROR;                                \
        for (MPI_i = 0; MPI_i < 5; MPI_i++)                                               \
            MPI_to->MPI_internal[MPI_i] = (MPI_Fint)MPI_from->MPI_internal[MPI_i];        \
        return MPI_SUCCESS;                                                               \
    }                                                                                     \
    static __inline int NAME##_f082c(const MPI_F08_status *MPI_from, MPI_Status *MPI_to)  \
    {                                                                                     \
        int MPI_i;                                                                        \
        if (!MPI_from || !MPI_to)                                                         \
            return MPI_ERR_ARG;                                                           \
        MPI_to->MPI_SOURCE = (int)MPI_from->MPI_SOURCE;                                   \
        MPI_to->MPI_TAG = (int)MPI_from->MPI_TAG;                                         \
        MPI_to->MPI_ERROR = (int)MPI_from->MPI_ERROR;                                     \
        for (MPI_i = 0; MPI_i < 5; MPI_i++)                                               \
            MPI_to->MPI_internal[MPI_i] = (int)MPI_from->MPI_internal[MPI_i];             \
        return MPI_SUCCESS;                                                               \
    }                                                                                     \
    static __inline int NAME##_f2f08(const MPI_Fint *MPI_from, MPI_F08_status *MPI_to)    \
    {                                                                                     \
        int MPI_i;                                                                        \
        if (!MPI_from || !MPI_to)                                                         \
            return MPI_ERR_ARG;                                                           \
        MPI_to->MPI_SOURCE = MPI_from[MPI_F_SOURCE];                                      \
        MPI_to->MPI_TAG = MPI_from[MPI_F_TAG];                                            \
        MPI_to->MPI_ERROR = MPI_from[MPI_F_ERROR];                                        \
        for (MPI_i = 0; MPI_i < 5; MPI_i++)                                               \
            MPI_to->MPI_internal[MPI_i] = MPI_from[3 + MPI_i];                            \
        return MPI_SUCCESS;                                                               \
    }                                                                                     \
    static __inline int NAME##_f082f(const MPI_F08_status *MPI_from, MPI_Fint *MPI_to)    \
    {                                                                                     \
        int MPI_i;                                                                        \
        if (!MPI_from || !MPI_to)                                                         \
            return MPI_ERR_ARG;                                                           \
        MPI_to[MPI_F_SOURCE] = MPI_from->MPI_SOURCE;                                      \
        MPI_to[MPI_F_TAG] = MPI_from->MPI_TAG;                                            \
        MPI_to[MPI_F_ERROR] = MPI_from->MPI_ERROR;                                        \
        for (MPI_i = 0; MPI_i < 5; MPI_i++)                                               \
            MPI_to[3 + MPI_i] = MPI_from->MPI_internal[MPI_i];                            \
        return MPI_SUCCESS;                                                               \
    }                                                                                     \
    static __inline int NAME##_c2f(const MPI_Status *MPI_from, MPI_Fint *MPI_to)          \
    {                                                                                     \
        MPI_F08_status MPI_between;                                                       \
        int MPI_error = NAME##_c2f08(MPI_from, &MPI_between);                             \
        return MPI_error == MPI_SUCCESS ? NAME##_f082f(&MPI_between, MPI_to) : MPI_error; \
    }                                                                                     \
    static __inline int NAME##_f2c(const MPI_Fint *MPI_from, MPI_Status *MPI_to)          \
    {                                                                                     \
        MPI_F08_status MPI_between;                                                       \
        int MPI_error = NAME##_f2f08(MPI_from, &MPI_between);                             \
        return MPI_error == MPI_SUCCESS ? NAME##_f082c(&MPI_between, MPI_to) : MPI_error; \
    }

#define MPI_ABI_CONVERT_ALL(PREFIX)                      \
    MPI_ABI_CONVERT(PREFIX##_Comm, MPI_Comm)             \
    MPI_ABI_CONVERT(PREFIX##_Errhandler, MPI_Errhandler) \
    MPI_ABI_CONVERT(PREFIX##_File, MPI_File)             \
    MPI_ABI_CONVERT(PREFIX##_Group, MPI_Group)           \
    MPI_ABI_CONVERT(PREFIX##_Info, MPI_Info)             \
    MPI_ABI_CONVERT(PREFIX##_Message, MPI_Message)       \
    MPI_ABI_CONVERT(PREFIX##_Op, MPI_Op)                 \
    MPI_ABI_CONVERT(PREFIX##_Request, MPI_Request)       \
    MPI_ABI_CONVERT(PREFIX##_Session, MPI_Session)       \
    MPI_ABI_CONVERT(PREFIX##_Type, MPI_Datatype)         \
    MPI_ABI_CONVERT(PREFIX##_Win, MPI_Win)               \
    MPI_ABI_CONVERT_STATUSES(PREFIX##_Status)

MPI_ABI_CONVERT_ALL(MPI)
MPI_ABI_CONVERT_ALL(PMPI)

#undef MPI_ABI_CONVERT_ALL
#undef MPI_ABI_CONVERT_STATUSES
#undef MPI_ABI_CONVERT

#endif
