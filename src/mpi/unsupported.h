/* SPDX-License-Identifier: BSD-3-Clause
 *
 * unsupported: what does not work yet, for hawser-info.
 */
#ifndef HWS_MPI_UNSUPPORTED_H
#define HWS_MPI_UNSUPPORTED_H

/* The names of the functions, a line each. One string, so that the loader has no pointers to mend in it. */
extern const char hws_unsupported[];

#endif
