/* SPDX-License-Identifier: BSD-3-Clause
 *
 * linked: whether a program is another MPI's, whose ranks our mpirun could not bring together: each would be a job of one. MPICH
 * and its relatives speak PMI-1 and work; Open MPI needs its own mpirun.
 */
#ifndef HWS_MPIRUN_LINKED_H
#define HWS_MPIRUN_LINKED_H

#include <stddef.h>
#include <stdint.h>

/* The library of another MPI, "libmpi.so.40", that an ELF file of this machine's kind asks for; NULL: none. Reads no byte
 * outside the n of the file, whatever is in it. Pure. */
const char *hws_linked_in(const uint8_t *file, size_t n);

/* The same of a file; NULL also where it cannot be read, and for scripts. */
const char *hws_linked_to(const char *path);

#endif
