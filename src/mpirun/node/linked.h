/* SPDX-License-Identifier: BSD-3-Clause
 *
 * linked: what an ELF program asks the loader for. Another MPI's: our mpirun could not bring its ranks together, each
 * would be a job of one (MPICH and its relatives speak PMI-1 and work; Open MPI needs its own mpirun). Ours: it may be
 * in a folder that the loader does not know, which mpirun does.
 */
#ifndef HWS_MPIRUN_LINKED_H
#define HWS_MPIRUN_LINKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HWS_OWN_LIBRARY "libmpi_abi.so.1"
#define HWS_OWN_FORTRAN "libmpifort_abi.so.1" /* beside it, and leads to it; Fortran often names it alone */

struct hws_linked {
    const char *other; /* the library of another MPI, "libmpi.so.40"; NULL: none */
    const char *ours;  /* it asks for HWS_OWN_FORTRAN, or else HWS_OWN_LIBRARY; NULL: for neither */
    char rpath[1024];  /* its own list of folders (DT_RUNPATH or DT_RPATH), as it is there; "$" if that is longer than
                          this */
};

/* What a file of this machine's kind asks for; nothing, if it is none. Reads no byte outside the n of the file,
 * whatever is in it. Pure. */
struct hws_linked hws_linked_in(const uint8_t *file, size_t n);

/* The same of a file; nothing also where it cannot be read, and for scripts. */
struct hws_linked hws_linked_to(const char *path);

/* Whether one of the folders that `program` (its path) names for the loader has what it asks for of ours. A folder with
 * a token other than $ORIGIN counts as one that has it: only the loader knows. */
bool hws_linked_finds_ours(const struct hws_linked *l, const char *program);

/* The library that `mpirun -report FILE.html` has the loader put before ours, of this build or installation; false: it
 * is not there. */
bool hws_linked_report(char *out, size_t len);

/* The folder of the library that was installed, or built, with this program; false: it has none, or it is one in which
 * the loader looks by itself. */
bool hws_linked_own_folder(char *out, size_t len);

#endif
