/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sit_out: gatherv, scatterv, alltoallv and alltoallw in shared memory at a member that has no part in the call: its
 * counts are all zero (hws_coll_sits_out). It says that it has come, as the others count on it, and goes on without
 * waiting (MPI 5.0 section 6.14: only a barrier synchronizes). Whether the others give it nothing, either, it sees at
 * its next turn; if they do, that call's error says so, though what it was called for is done.
 */
#ifndef HWS_COLL_SIT_OUT_H
#define HWS_COLL_SIT_OUT_H

#include "coll/schedule/call.h"
#include "core/hosts/region.h"

/* limit: bytes, gatherv and scatterv: a longer block that comes by mistake comes as a message. MPI class. */
int hws_shm_sit_out(struct hws_region *r, const struct hws_coll_call *a, uint64_t limit);

#endif
