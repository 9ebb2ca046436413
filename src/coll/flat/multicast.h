/* SPDX-License-Identifier: BSD-3-Clause
 *
 * multicast: what the collectives by multicast share: data of any layout to all ranks, of one rank or of each.
 */
#ifndef HWS_COLL_MULTICAST_H
#define HWS_COLL_MULTICAST_H

#include "coll/schedule/sched.h"

/* root's d to all others, each of whom has room of as many bytes in its own d. At most one such part in a schedule. */
void hws_multicast_one(struct hws_sched *s, struct hws_data d, int root);

/* blocks[size]: each rank's own one to all others, some at a time. At most one such part in a schedule, and none of the
 * other kind. */
void hws_multicast_blocks(struct hws_sched *s, const struct hws_data *blocks);

#endif
