/* SPDX-License-Identifier: BSD-3-Clause
 *
 * comm_inter: intercommunicators (MPI 5.0 section 7.6). The leaders of both sides swap what their sides want to say,
 * one message each way, and tell their own side. The side whose leader has the lower number in the engine gives the
 * id.
 */
#ifndef HWS_CORE_COMM_INTER_H
#define HWS_CORE_COMM_INTER_H

#include "core/comm/comm.h"

/* All return an MPI class; *out NULL: the caller is in none. */
int hws_inter_create(struct hws_comm *local, int local_leader, struct hws_comm *peer, int remote_leader, int tag,
                     struct hws_comm **out);
int hws_inter_create_from_groups(struct hws_group *local, int local_leader, struct hws_group *remote, int remote_leader,
                                 const char *stringtag, struct hws_comm **out);
int hws_inter_merge(struct hws_comm *c, bool high, struct hws_comm **out);

/* Of an intercommunicator: the id for a duplicate, a subset of each side, a split. */
int hws_inter_ctx(struct hws_comm *c, uint32_t *ctx);
int hws_inter_subset(struct hws_comm *c, struct hws_group *g, struct hws_comm **out);
int hws_inter_split(struct hws_comm *c, int color, int key, struct hws_comm **out);

/* True on the side that gives the id. */
static inline bool hws_inter_is_low(const struct hws_comm *c)
{
    return hws_group_peer(c->group, 0) < hws_group_peer(c->remote, 0);
}

#endif
