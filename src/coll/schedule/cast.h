/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cast: the step of a schedule in which one rank sends the same bytes to all others by multicast. While it runs, each
 * end waits for a message of the engine, too, which never comes where all is well: so the engine looks after the other
 * ends' lives as in any receive, and a rank that has failed before it could send tells the others there.
 */
#ifndef HWS_COLL_CAST_H
#define HWS_COLL_CAST_H

#include "coll/schedule/sched.h"

/* Appends it: d is contiguous; root gives, the others take. Once for each root in a schedule. The ranks that the
 * schedule uses are the members of its communicator's multicast: hws_cast_serves() of cast/cast.h. */
void hws_sched_cast(struct hws_sched *s, struct hws_data d, int root);

#endif
