/* SPDX-License-Identifier: BSD-3-Clause
 *
 * attempt: what conn/connect.c remembers while a lane to a peer is wanted and none is up: what was tried, for how long,
 * and when the next dial is due. Only conn/connect.c knows what is in it; conn/knock.c knows its own two.
 */
#ifndef HWS_PEER_STATE_ATTEMPT_H
#define HWS_PEER_STATE_ATTEMPT_H

#include <stdbool.h>
#include <stdint.h>

#include "reactor/reactor.h"

struct hws_link;

struct hws_attempt {
    uint64_t failed_ns;  /* when the last dial failed, or the first began */
    uint64_t tried_ns;   /* how long it was tried in vain, as far as this process was there to try */
    uint64_t refused_ns; /* how long, of that, every dial was refused: no process listens there */
    bool is_refused;     /* the last one was */
    unsigned n_failed;   /* dials that failed */
    unsigned rounds;     /* times all routes were tried, for the back-off */
    int next_route;
    int last_lost;          /* number of that lane; -1: none to be avoided */
    uint64_t waiting_ns;    /* since then its kernel answers and its process does not; 0: it does */
    bool told_waiting;      /* the "still waiting" line was printed */
    struct hws_timer retry; /* BACKOFF, DOWN: then it is dialed */
    struct hws_link *knock; /* asks whether its host is up; NULL: it was not asked */
    uint64_t knocked_ns;    /* when it was asked last */
};

#endif
