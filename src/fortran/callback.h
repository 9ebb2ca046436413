/* SPDX-License-Identifier: BSD-3-Clause
 *
 * callback: procedures of Fortran behind functions that C calls (MPI 5.0 section 19.1.10), and attributes.
 */
#ifndef HWS_FORTRAN_CALLBACK_H
#define HWS_FORTRAN_CALLBACK_H

#include <stdbool.h>

#include "mpi.h"

typedef void hws_procedure(void); /* a Fortran procedure */

/* ---- callbacks without a state: one of HWS_SLOTS C functions for each Fortran procedure, kept for good (slots.c,
 * generated) */
#define HWS_SLOTS 64
typedef MPI_User_function hws_user_fn;
typedef MPI_User_function_c hws_user_fn_c;
typedef MPI_Comm_errhandler_function hws_comm_errhandler_fn;
typedef MPI_File_errhandler_function hws_file_errhandler_fn;
typedef MPI_Session_errhandler_function hws_session_errhandler_fn;
typedef MPI_Win_errhandler_function hws_win_errhandler_fn;

hws_user_fn *hws_user_fn_for(hws_procedure *procedure);
hws_user_fn_c *hws_user_fn_c_for(hws_procedure *procedure);
hws_comm_errhandler_fn *hws_comm_errhandler_fn_for(hws_procedure *procedure);
hws_file_errhandler_fn *hws_file_errhandler_fn_for(hws_procedure *procedure);
hws_session_errhandler_fn *hws_session_errhandler_fn_for(hws_procedure *procedure);
hws_win_errhandler_fn *hws_win_errhandler_fn_for(hws_procedure *procedure);

extern hws_user_fn *const hws_user_fn_slots[HWS_SLOTS];
extern hws_user_fn_c *const hws_user_fn_c_slots[HWS_SLOTS];
extern hws_comm_errhandler_fn *const hws_comm_errhandler_fn_slots[HWS_SLOTS];
extern hws_file_errhandler_fn *const hws_file_errhandler_fn_slots[HWS_SLOTS];
extern hws_session_errhandler_fn *const hws_session_errhandler_fn_slots[HWS_SLOTS];
extern hws_win_errhandler_fn *const hws_win_errhandler_fn_slots[HWS_SLOTS];

void hws_call_user_fn(int slot, void *in, void *inout, int *len, MPI_Datatype *datatype);
void hws_call_user_fn_c(int slot, void *in, void *inout, MPI_Count *len, MPI_Datatype *datatype);
void hws_call_comm_errhandler_fn(int slot, MPI_Comm *comm, int *code);
void hws_call_file_errhandler_fn(int slot, MPI_File *file, int *code);
void hws_call_session_errhandler_fn(int slot, MPI_Session *session, int *code);
void hws_call_win_errhandler_fn(int slot, MPI_Win *win, int *code);

/* ---- callbacks with a state, which holds the Fortran procedures, and attributes */
struct hws_state;

/* The state of these procedures, kept for good: there are few. And one that goes with the operation, whose callbacks
 * get the user's own variable: programs rely on changing it, as other MPIs do it so. */
struct hws_state *hws_state(MPI_Aint extra, int n, hws_procedure *const procedures[]);
struct hws_state *hws_state_once(MPI_Aint *extra, int n, hws_procedure *const procedures[]);

/* Whether it is MPI_CONVERSION_FN_NULL or its form with large counts. */
bool hws_is_no_conversion(hws_procedure *procedure);

MPI_Copy_function hws_copy_fn;
MPI_Delete_function hws_delete_fn;
MPI_Comm_copy_attr_function hws_comm_copy_attr_fn;
MPI_Comm_delete_attr_function hws_comm_delete_attr_fn;
MPI_Type_copy_attr_function hws_type_copy_attr_fn;
MPI_Type_delete_attr_function hws_type_delete_attr_fn;
MPI_Win_copy_attr_function hws_win_copy_attr_fn;
MPI_Win_delete_attr_function hws_win_delete_attr_fn;
MPI_Datarep_conversion_function hws_read_conversion_fn, hws_write_conversion_fn;
MPI_Datarep_conversion_function_c hws_read_conversion_fn_c, hws_write_conversion_fn_c;
MPI_Datarep_extent_function hws_dtype_file_extent_fn;
MPI_Grequest_query_function hws_query_fn;
MPI_Grequest_free_function hws_free_fn;
MPI_Grequest_cancel_function hws_cancel_fn;

/* What C gets as an attribute that Fortran set: the address of the value (MPI 5.0 section 19.3.7). And the value again.
 */
void *hws_attribute(MPI_Aint value);
MPI_Aint hws_attribute_value(int keyval, void *attribute);

#endif
