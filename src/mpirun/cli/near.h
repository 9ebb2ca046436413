/* SPDX-License-Identifier: BSD-3-Clause
 *
 * near: which known flag may have been meant by one that is not known.
 */
#ifndef HWS_MPIRUN_CLI_NEAR_H
#define HWS_MPIRUN_CLI_NEAR_H

#include <limits.h>
#include <stddef.h>

#define HWS_FLAG_FAR UINT_MAX /* another word */

/* How far the first len bytes of name are from a known flag, both without dashes: letters to change, add, leave out or
 * exchange with the next, and more if the first letters differ. Words of one or two letters have to begin alike. */
unsigned hws_flag_distance(const char *name, size_t len, const char *known);

#endif
