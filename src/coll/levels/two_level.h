/* SPDX-License-Identifier: BSD-3-Clause
 *
 * two_level: what the forms share that go in two levels (core/hosts/hosts.h): within each host through shared memory
 * (shm.h), between the hosts' leaders with messages, as a collective of theirs, for which the selection starts anew.
 * They serve blocking calls.
 */
#ifndef HWS_COLL_TWO_LEVEL_H
#define HWS_COLL_TWO_LEVEL_H

#include "coll/shm/shm.h"
#include "core/hosts/hosts.h"

/* The leaders' part: runs `a`, whose ranks are hosts, at a leader; elsewhere nothing. rc: what went wrong before; then
 * the other leaders fail too instead of waiting for this one. MPI class. */
int hws_two_level_between(const struct hws_hosts *h, struct hws_coll_call *a, int rc);

/* Runs a schedule that has been built (s->rc tells how that ended), where something may have gone wrong before (rc):
 * then it takes part as one that fails. Frees it. MPI class. */
int hws_two_level_run(struct hws_sched *s, int rc);

/* The number of a rank in its host. */
int hws_two_level_within(const struct hws_hosts *h, int rank);

/* Bytes of a vector as a call's data. */
static inline struct hws_type *hws_two_level_byte(void)
{
    return hws_type_of(MPI_BYTE);
}

#endif
