/* SPDX-License-Identifier: BSD-3-Clause
 *
 * refused: flags of other launchers that cannot be done here, with what to do instead. Pure.
 */
#ifndef HWS_MPIRUN_REFUSED_H
#define HWS_MPIRUN_REFUSED_H

#include <stddef.h>

/* What to do instead of a flag (without its dashes); NULL: it is none of these. */
const char *hws_refused_flag(const char *flag, size_t len);

/* The same of an attribute in a host file, "sockets" or "ifhn". */
const char *hws_refused_attribute(const char *key, size_t len);

#endif
