/* SPDX-License-Identifier: BSD-3-Clause
 *
 * headon: two processes dial each other at the same time; one of the two connections must go, and both ends must come
 * to the same one without asking. Pure; headon_test walks through every interleaving of the two handshakes.
 */
#ifndef HWS_PEER_CONN_HEADON_H
#define HWS_PEER_CONN_HEADON_H

#include <stdbool.h>
#include <stdint.h>

/* Of a process. */
struct hws_name {
    uint64_t job;
    int rank;
};

/* An order of all processes that both ends agree about. */
static inline bool hws_name_is_lower(struct hws_name a, struct hws_name b)
{
    return a.job != b.job ? a.job < b.job : a.rank < b.rank;
}

/* Asked by an acceptor that holds a proven connection of `them` while its own dial is under way. True: refuse theirs,
 * the own one wins; false: take theirs, drop the own one. mine_answered   the own dial has been answered by their
 * kernel, and its hello is under way The lower name's connection wins. But a dial that nobody has answered yet never
 * wins: it may lead nowhere (a filter that passes connections in one direction only), and as no proof went out on it,
 * the other end cannot have taken it. */
static inline bool hws_headon_keep_mine(struct hws_name me, struct hws_name them, bool mine_answered)
{
    return mine_answered && hws_name_is_lower(me, them);
}

#endif
