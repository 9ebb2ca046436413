/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fortran: what the entry points of the Fortran bindings are made of (MPI 5.0 chapter 19). The entries themselves are
 * written by src/fortran/generate. Everything here is above the C functions of mpi.h and calls their PMPI_ names, so
 * that a tool sees the user's calls only.
 *
 * A helper that gives a pointer gives NULL when it could not, and has then set the reason (hws_trouble); the entry then
 * calls hws_not_made() instead of MPI.
 */
#ifndef HWS_FORTRAN_FORTRAN_H
#define HWS_FORTRAN_FORTRAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "ISO_Fortran_binding.h"
#include "config.h"
#include "fortran/callback.h"
#include "fortran/integer.h"
#include "mpi.h"

/* The entries are compiled twice: mpi_send_ calls MPI_Send, which a tool may replace, and pmpi_send_ calls PMPI_Send.
 * Those of the first kind are weak as MPI_Send is. DESCRIPTORS: those of mpi_f08 that Fortran calls by C's rules. */
#define HWS_TEXT_OF(x) #x
#define HWS_TEXT(x)    HWS_TEXT_OF(x)
#ifdef HWS_PROFILING
#define FORTRAN(lower, UPPER) FC_FUNC_(pmpi_##lower, PMPI_##UPPER)
#define DESCRIPTORS(lower)    pmpi_##lower##_f08ts_
#define MPI(name)             PMPI_##name
#else
#define FORTRAN(lower, UPPER) __attribute__((weak)) FC_FUNC_(mpi_##lower, MPI_##UPPER)
#define DESCRIPTORS(lower)    __attribute__((weak)) mpi_##lower##_f08ts_
#define MPI(name)             MPI_##name
#endif

/* An entry under another name: what mpi_f08 calls it. */
#ifdef HWS_PROFILING
#define SAME(lower, UPPER, other, OTHER)                                                                               \
    extern __typeof__(FC_FUNC_(pmpi_##other, PMPI_##OTHER)) FC_FUNC_(pmpi_##lower, PMPI_##UPPER)                       \
        __attribute__((alias(HWS_TEXT(FC_FUNC_(pmpi_##other, PMPI_##OTHER)))));
#else
#define SAME(lower, UPPER, other, OTHER)                                                                               \
    extern __typeof__(FC_FUNC_(mpi_##other, MPI_##OTHER)) FC_FUNC_(mpi_##lower, MPI_##UPPER)                           \
        __attribute__((weak, alias(HWS_TEXT(FC_FUNC_(mpi_##other, MPI_##OTHER)))));
#endif

#define HWS_USUAL(condition) __builtin_expect(condition, true)

/* ---- errors */
/* Why a helper returns NULL, for hws_not_made(). */
void hws_trouble(int error_class, const char *text, ...) __attribute__((format(printf, 2, 3)));
/* Raises that error, or that memory ran out, on MPI_COMM_SELF; gives the code. */
int hws_not_made(const char *function);

static inline void hws_return(hws_integer *ierror, int rc)
{
    if (ierror) /* optional in mpi_f08 */
        *ierror = rc;
}

/* Whether there are results: of functions with statuses also when one of these has an error. */
static inline bool hws_is_done(int rc)
{
    return rc == MPI_SUCCESS || rc == MPI_ERR_IN_STATUS;
}

/* ---- sentinels: places in common blocks, known by their address */
#define hws_bottom              FC_FUNC_(hws_mpi_bottom, HWS_MPI_BOTTOM)
#define hws_in_place            FC_FUNC_(hws_mpi_in_place, HWS_MPI_IN_PLACE)
#define hws_buffer_automatic    FC_FUNC_(hws_mpi_buffer_automatic, HWS_MPI_BUFFER_AUTOMATIC)
#define hws_status_ignore       FC_FUNC_(hws_mpi_status_ignore, HWS_MPI_STATUS_IGNORE)
#define hws_statuses_ignore     FC_FUNC_(hws_mpi_statuses_ignore, HWS_MPI_STATUSES_IGNORE)
#define hws_status_ignore_f08   FC_FUNC_(hws_mpi_status_ignore_f08, HWS_MPI_STATUS_IGNORE_F08)
#define hws_statuses_ignore_f08 FC_FUNC_(hws_mpi_statuses_ignore_f08, HWS_MPI_STATUSES_IGNORE_F08)
#define hws_unweighted          FC_FUNC_(hws_mpi_unweighted, HWS_MPI_UNWEIGHTED)
#define hws_weights_empty       FC_FUNC_(hws_mpi_weights_empty, HWS_MPI_WEIGHTS_EMPTY)
#define hws_errcodes_ignore     FC_FUNC_(hws_mpi_errcodes_ignore, HWS_MPI_ERRCODES_IGNORE)
#define hws_argv_null           FC_FUNC_(hws_mpi_argv_null, HWS_MPI_ARGV_NULL)
#define hws_argvs_null          FC_FUNC_(hws_mpi_argvs_null, HWS_MPI_ARGVS_NULL)
extern char hws_argv_null, hws_argvs_null;
extern hws_integer hws_errcodes_ignore, hws_bottom, hws_in_place, hws_buffer_automatic, hws_unweighted,
    hws_weights_empty;
extern hws_integer hws_status_ignore[MPI_F_STATUS_SIZE], hws_statuses_ignore[MPI_F_STATUS_SIZE];
extern hws_integer hws_status_ignore_f08[MPI_F_STATUS_SIZE], hws_statuses_ignore_f08[MPI_F_STATUS_SIZE];

/* A predefined handle is its own number in C (MPI 5.0 section 20.3). */
static inline bool hws_is_predefined(hws_integer number)
{
    return number > 0 && number < 4096;
}

MPI_Datatype hws_datatype_made(hws_integer number); /* bounds.h */
/* The handle of C. Most are predefined: no call for these. */
#define HWS_HANDLE(name, type, from_int)                                                                               \
    static inline type hws_##name##_of(hws_integer number)                                                             \
    {                                                                                                                  \
        return hws_is_predefined(number) ? (type)(uintptr_t)number : from_int(hws_int(number));                        \
    }
HWS_HANDLE(comm, MPI_Comm, PMPI_Comm_fromint)
HWS_HANDLE(datatype, MPI_Datatype, hws_datatype_made)
HWS_HANDLE(errhandler, MPI_Errhandler, PMPI_Errhandler_fromint)
HWS_HANDLE(file, MPI_File, PMPI_File_fromint)
HWS_HANDLE(group, MPI_Group, PMPI_Group_fromint)
HWS_HANDLE(info, MPI_Info, PMPI_Info_fromint)
HWS_HANDLE(message, MPI_Message, PMPI_Message_fromint)
HWS_HANDLE(op, MPI_Op, PMPI_Op_fromint)
HWS_HANDLE(request, MPI_Request, PMPI_Request_fromint)
HWS_HANDLE(session, MPI_Session, PMPI_Session_fromint)
HWS_HANDLE(win, MPI_Win, PMPI_Win_fromint)

static inline void *hws_choice(void *buf)
{
    return buf == &hws_bottom             ? MPI_BOTTOM
           : buf == &hws_in_place         ? MPI_IN_PLACE
           : buf == &hws_buffer_automatic ? MPI_BUFFER_AUTOMATIC
                                          : buf;
}

#if HWS_INTEGER_BYTES == 4 /* else integer.h */
/* A status of Fortran is one of C: eight integers. */
static inline MPI_Status *hws_status(hws_integer *status)
{
    return status == hws_status_ignore || status == hws_status_ignore_f08 ? MPI_STATUS_IGNORE : (MPI_Status *)status;
}

static inline MPI_Status *hws_statuses(hws_integer *statuses)
{
    return statuses == hws_statuses_ignore || statuses == hws_statuses_ignore_f08 ? MPI_STATUSES_IGNORE
                                                                                  : (MPI_Status *)statuses;
}

static inline int *hws_weights(hws_integer *weights)
{
    if (weights == &hws_unweighted)
        return MPI_UNWEIGHTED;
    return weights == &hws_weights_empty ? MPI_WEIGHTS_EMPTY : weights;
}

static inline int *hws_errcodes(hws_integer *codes)
{
    return codes == &hws_errcodes_ignore ? MPI_ERRCODES_IGNORE : codes;
}
#endif

/* What MPI_Buffer_detach gave, as Fortran's C_LOC would. */
static inline void *hws_detached(void *buf)
{
    return buf == MPI_BUFFER_AUTOMATIC ? &hws_buffer_automatic : buf;
}

/* ---- scalars and arrays */
extern int hws_logical_true, hws_logical_false; /* as the compiler has them */

static inline int hws_is_true(hws_integer logical)
{
    return logical != hws_logical_false;
}

static inline hws_integer hws_logical(int flag)
{
    return flag ? hws_logical_true : hws_logical_false;
}

/* n of Fortran's as C's, for free(). Room for n of C's, for free(), and these as Fortran's. */
int *hws_truths(const hws_integer *logicals, MPI_Count n);
int *hws_flags(MPI_Count n);
void hws_logicals(hws_integer *to, const int *flags, MPI_Count n);

/* Fortran counts from 1; n or an index can be MPI_UNDEFINED. */
static inline void hws_indices(int *indices, int n)
{
    for (int i = 0; i < n; i++)
        if (indices[i] != MPI_UNDEFINED)
            indices[i]++;
}

/* Handles of C, for free(): those of Fortran, or null pointers. And back: those that MPI has set. */
MPI_Datatype *hws_datatypes(const hws_integer *from, MPI_Count n);
MPI_Info *hws_infos(const hws_integer *from, MPI_Count n);
MPI_Request *hws_requests(const hws_integer *from, MPI_Count n);
void hws_datatypes_back(hws_integer *to, const MPI_Datatype *from, MPI_Count n);
void hws_requests_back(hws_integer *to, const MPI_Request *from, MPI_Count n);

/* Lengths of arrays that the communicator decides: ranks of the group that is talked to, neighbours, dimensions. 0 if
 * it is not such a one; the function that is called says so. */
int hws_ranks(MPI_Comm comm);
int hws_sources(MPI_Comm comm);
int hws_destinations(MPI_Comm comm);
int hws_dims(MPI_Comm comm);

/* Whether the caller is who a collective operation with this root gives its result to. */
bool hws_is_root(MPI_Comm comm, int root);

/* ---- strings */

/* A string of C without the blanks at both ends, for free(). */
char *hws_string(const char *from, size_t len);
/* Room for a string of C, empty, for free(). */
char *hws_room(int bytes);
/* Arrays of Fortran's strings, of len characters each, as C's, for one free(): count commands, the arguments of a
 * command, which end with a blank one, and those of count commands, an element for each command in turn. false: out of
 * memory; arguments that are the sentinel stay NULL. */
bool hws_commands(const char *from, size_t len, int count, char ***out);
bool hws_argv(const char *from, size_t len, char ***out);
bool hws_argvs(const char *from, size_t len, int count, char ****out);
/* C's string into len characters, padded or cut. */
void hws_pad(char *to, size_t len, const char *from);

/* ---- sections: buffers of mpi_f08 */
struct hws_section {
    void *addr;
    MPI_Count count;         /* with the type: what a message is */
    MPI_Datatype type;       /* own_type: to be freed */
    const CFI_cdesc_t *back; /* where the copy at addr goes back to; NULL: nowhere */
    struct hws_late *late;   /* of a copy that a request needs */
    bool made, own_type, own_copy;
};

bool hws_is_contiguous(const CFI_cdesc_t *d);

/* The common ones without gaps: scalars and arrays of one dimension. */
static inline bool hws_is_line(const CFI_cdesc_t *d)
{
    return d->rank == 0 || (d->rank == 1 && d->dim[0].sm == (CFI_index_t)d->elem_len);
}

static inline bool hws_has_gaps(const CFI_cdesc_t *d)
{
    return !hws_is_line(d) && !hws_is_contiguous(d);
}

struct hws_section hws_strided_message(const CFI_cdesc_t *d, MPI_Count count, MPI_Datatype type);
struct hws_section hws_strided_whole(const CFI_cdesc_t *d, bool back);
void hws_section_release(struct hws_section *s);

/* count elements of a type in a section; one of a type made for it, if the section has gaps. */
static inline struct hws_section hws_message(const CFI_cdesc_t *d, MPI_Count count, MPI_Datatype type)
{
    if (hws_has_gaps(d))
        return hws_strided_message(d, count, type);
    return (struct hws_section){.addr = hws_choice(d->base_addr), .count = count, .type = type, .made = true};
}

/* Memory as such: a section with gaps is refused. */
struct hws_section hws_contiguous(const CFI_cdesc_t *d);

/* A section that a blocking function uses as a whole; with gaps it is copied, and back if it is written. */
static inline struct hws_section hws_whole(const CFI_cdesc_t *d, bool back)
{
    if (hws_has_gaps(d))
        return hws_strided_whole(d, back);
    return (struct hws_section){.addr = hws_choice(d->base_addr), .made = true};
}

/* The same for a nonblocking function: its request keeps the copy until it completes in Fortran, and a persistent one
 * until it is freed (section.c). */
enum hws_lasting { HWS_ONCE, HWS_PERSISTENT };
struct hws_section hws_strided_late(const CFI_cdesc_t *d, bool back);
void hws_section_keep(struct hws_section *s, hws_integer request, enum hws_lasting lasting);
void hws_late_start_kept(const hws_integer *requests, MPI_Count n);
void hws_late_complete(hws_integer request, MPI_Request is);
extern int hws_n_late; /* requests that keep a copy */

static inline struct hws_section hws_whole_late(const CFI_cdesc_t *d, bool back)
{
    if (hws_has_gaps(d))
        return hws_strided_late(d, back);
    return (struct hws_section){.addr = hws_choice(d->base_addr), .made = true};
}

static inline void hws_section_late(struct hws_section *s, int rc, hws_integer request, enum hws_lasting lasting)
{
    if (s->late && rc == MPI_SUCCESS)
        hws_section_keep(s, request, lasting);
}

/* Persistent requests of Fortran are about to be started. */
static inline void hws_late_start(const hws_integer *requests, MPI_Count n)
{
    if (__atomic_load_n(&hws_n_late, __ATOMIC_RELAXED))
        hws_late_start_kept(requests, n);
}

/* A request of Fortran was started, tested, waited for or freed, and is now this one of C. */
static inline void hws_late_check(hws_integer was, MPI_Request is)
{
    if (__atomic_load_n(&hws_n_late, __ATOMIC_RELAXED))
        hws_late_complete(was, is);
}

static inline void hws_section_end(struct hws_section *s)
{
    if (s->own_type || s->own_copy)
        hws_section_release(s);
}

#endif
