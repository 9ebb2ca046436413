/* SPDX-License-Identifier: BSD-3-Clause
 *
 * comm_hints: info hints of communicators (MPI 5.0 section 7.4.4). Known are the assertions that the standard names,
 * all of them boolean and false at first. None changes what Hawser does; they are kept because MPI_Comm_get_info must
 * tell them. A key that is not known, or a value that is no boolean, is ignored.
 */
#ifndef HWS_CORE_COMM_HINTS_H
#define HWS_CORE_COMM_HINTS_H

#include "core/comm/comm.h"

struct hws_info;

/* Takes over what info says; NULL: nothing. */
void hws_comm_hints_set(struct hws_comm *c, const struct hws_info *info);

/* All hints in force, as a new object of the caller's; NULL: no memory. */
struct hws_info *hws_comm_hints(const struct hws_comm *c);

#endif
