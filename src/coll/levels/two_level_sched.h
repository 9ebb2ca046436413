/* SPDX-License-Identifier: BSD-3-Clause
 *
 * two_level_sched: what the schedules in two levels share, which serve all forms of a call (nonblocking and persistent
 * ones have nothing else): parts among the ranks of a host and among the hosts' heads follow one another, for each of
 * which the selection starts anew. A host's head is its first rank, or the root, which saves its data a way. All
 * messages go under the schedule's one tag: no part can take another's, see hws_sched_use_ranks.
 */
#ifndef HWS_COLL_TWO_LEVEL_SCHED_H
#define HWS_COLL_TWO_LEVEL_SCHED_H

#include "coll/schedule/call.h"
#include "core/hosts/hosts.h"

struct hws_levels {
    struct hws_sched *s;
    const struct hws_coll_call *a;
    const struct hws_hosts *h;
    int *heads;       /* heads[h->n]: the head's rank */
    const int *here;  /* here[n_here]: ranks of the own host */
    int n_here, head; /* the head's place in `here` */
    int root_host;
    bool is_head, root; /* this rank is the head, the root */
};

/* False: no memory. */
bool hws_levels_begin(struct hws_levels *l, struct hws_sched *s, const struct hws_coll_call *a, bool rooted);
/* Steps count in all ranks again. */
void hws_levels_end(const struct hws_levels *l);

/* Following steps are among the ranks of the own host, after all that was before. */
void hws_levels_use_here(const struct hws_levels *l);

/* A part within each host, whose root is the head; a part between the heads, whose root is the root's host. */
void hws_levels_within(const struct hws_levels *l, struct hws_coll_call *part);
void hws_levels_between(const struct hws_levels *l, struct hws_coll_call *part);

#endif
