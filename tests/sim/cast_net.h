/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cast_net: the members of a multicast group in one process, with a network between them that loses, delays and doubles
 * packets for each receiver on its own. Time is virtual; everything follows from the seed.
 */
#ifndef HWS_TESTS_CAST_NET_H
#define HWS_TESTS_CAST_NET_H

#include "cast/proto/group.h"

struct cast_event;

struct cast_net {
    /* filled by the test */
    int n;
    unsigned room;
    double loss, doubled;         /* of a packet for a receiver, 0 to 1 */
    uint64_t delay_ns, jitter_ns; /* on the way */
    uint64_t each_ns;             /* a packet occupies its sender's interface so long; 0: no time */
    unsigned queue;               /* packets that wait there at most, more are lost; 0: any number */
    uint64_t random;              /* the seed; then where its random numbers stand */
    /* the net's */
    uint64_t now_ns;
    struct hws_cast_group *members; /* members[n] */
    uint64_t *wakes_ns, *busy_ns;   /* wakes_ns[n]: when its tick is due; busy_ns[n]: until when its interface is */
    bool *stopped;                  /* stopped[n]: does nothing, as a process under SIGSTOP; a test may set it */
    struct cast_event **heap;
    size_t n_heap, cap_heap;
    uint64_t bytes, packets, reports_to_sender; /* sent; REPORTs that came to the member they are about */
};

void cast_net_open(struct cast_net *net);
void cast_net_close(struct cast_net *net);

/* Lets time go on until *flag is `value`, at most `limit_ns`. Whether it came to be so. */
bool cast_net_run(struct cast_net *net, const int *flag, int value, uint64_t limit_ns);

/* After a call to a member: what it wants to send leaves. */
void cast_net_tick(struct cast_net *net, int member);

#endif
