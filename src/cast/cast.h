/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cast: multicast among the hosts of a communicator: one rank of each host, the first, is a member. Whether it reaches
 * all of them is found out once, when a collective first could use it.
 */
#ifndef HWS_CAST_CAST_H
#define HWS_CAST_CAST_H

#include "cast/net/station.h"
#include "cast/proto/worth.h"
#include "core/comm/comm.h"

struct hws_cast {
    struct hws_circle *circle;   /* at members, where it is used */
    struct hws_cast_worth worth; /* whether it is used: on all ranks alike, but for what member 0 alone measures */
    uint64_t packets, resent;    /* of this member, when it was reviewed last */
    int n, ranks[];              /* ranks[n]: the members, by their ranks in the communicator */
};

/* Whether it is worth the attempt, as all ranks know alike: -multicast, the number of hosts, and not tried before. */
bool hws_cast_is_due(const struct hws_comm *c);

/* The same before the ranks have agreed where they are: it may turn out that it is not. */
bool hws_cast_may_be_due(const struct hws_comm *c);

/* Counts a call, on all ranks, as it begins, that goes by unicast as multicast has not been tried. True: what it brings
 * to each host is to be told to hws_cast_looked(). */
bool hws_cast_look(struct hws_comm *c);

/* So many bytes of such a call have come to each host, or will have before another call begins. */
void hws_cast_looked(struct hws_comm *c, uint64_t bytes);

/* Whether enough of them have shown how fast unicast is, or the user wants multicast however fast that is. */
bool hws_cast_is_looked(const struct hws_comm *c);

/* Together with all ranks of c: finds out, within a second, and makes c->cast. Where multicast does not reach all, or
 * unicast was fast, it says so under -v and is not used. MPI class. */
int hws_cast_begin(struct hws_comm *c);

/* Whether the user wants it, however fast it is. */
bool hws_cast_is_wanted(void);

/* Whether a schedule that is made once may use it: it was faster than unicast, or is wanted. */
bool hws_cast_is_proven(const struct hws_comm *c);

/* Whether calls that multicast would serve are to be counted. */
bool hws_cast_is_reviewed(const struct hws_comm *c);

/* Counts one, on all ranks, as it begins. */
void hws_cast_count_call(struct hws_comm *c, uint64_t bytes);

/* Whether it is time for a review, on all ranks alike. */
bool hws_cast_review_is_due(const struct hws_comm *c);

/* Together with all ranks of c: looks whether unicast is faster (proto/worth.h); multicast is not used any more then,
 * which -v says. MPI class. */
int hws_cast_review(struct hws_comm *c);

/* Whether these are the members of c's multicast, and it is used. ranks NULL: 0, 1, 2 ... */
bool hws_cast_serves(const struct hws_comm *c, const int *ranks, int n);

/* Sums of this process, for MPI_T; zero where there is no multicast. */
void hws_cast_count(struct hws_cast_counts *groups, struct hws_station_counts *own);

/* The counts of this rank in the group of a communicator, by its context id; zeros where it has none. */
struct hws_cast_counts hws_cast_count_of(uint32_t ctx);

#endif
