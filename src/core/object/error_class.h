/* SPDX-License-Identifier: BSD-3-Clause
 *
 * error_class: the classes of MPI and MPI_T with their general texts, the classes, codes and strings that a program
 * adds (MPI 5.0 section 9.5), and the codes handed to users. A code of ours is 0x40000000 | instance << 16 | class; its
 * whole sentence is kept for the last HWS_ERROR_RING codes. Usable before MPI_Init and after MPI_Finalize, from any
 * thread.
 */
#ifndef HWS_CORE_ERROR_CLASS_H
#define HWS_CORE_ERROR_CLASS_H

#include <stdbool.h>

#include <mpi.h>

#define HWS_ERROR_RING 1024

/* "MPI_ERR_TAG" of a predefined class; NULL if it is none. */
const char *hws_class_name(int cls);

/* Stores the text; returns the code that stands for it. cls: a predefined class. */
int hws_code_new(int cls, const char *text);

/* A code that hws_code_new() made (its sentence may be forgotten by now). */
bool hws_code_is_ours(int code);

/* True for every value that MPI_Error_class accepts. */
bool hws_code_is_valid(int code);

/* Largest class or code in use: the attribute MPI_LASTUSEDCODE. */
int hws_code_last_used(void);

/* Class of any code; text of any code into s (at most MPI_MAX_ERROR_STRING with the NUL). MPI_SUCCESS or MPI_ERR_ARG.
 */
int hws_error_class(int code, int *cls);
int hws_error_string(int code, char *s, int *len);

/* MPI_Add_error_class and its family. MPI class. */
int hws_class_add(int *cls);
int hws_class_remove(int cls);
int hws_code_add(int cls, int *code);
int hws_code_remove(int code);
int hws_code_add_string(int code, const char *text);
int hws_code_remove_string(int code);

#endif
