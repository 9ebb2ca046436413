/* SPDX-License-Identifier: BSD-3-Clause
 *
 * info: what an engine tells about itself: counters, lanes, peers; and which parameters may change while it runs.
 */
#ifndef HWS_PEER_INFO_H
#define HWS_PEER_INFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/params.h"

struct hws_engine;

/* Counters by name, for MPI_T, -v and the tests. */
struct hws_counter {
    const char *name, *unit;
    uint64_t value;
};
/* Fills at most n; returns how many there are. e NULL: names and units, all values 0. Call with the engine's lock. */
size_t hws_engine_counters(const struct hws_engine *e, struct hws_counter *out, size_t n);

struct hws_traffic {
    uint64_t bytes_out, bytes_in, frames_out, frames_in, send_calls, recv_calls;
};

struct hws_lane_info {
    char name[160]; /* the pair of addresses */
    bool is_up;
    struct hws_traffic traffic;
    int number;                           /* the same at both ends */
    uint64_t connects, failures, resends; /* connections made; lost or not made; frames sent again on it */
    uint64_t rate;                        /* measured drain (bytes/s); 0: not measured, as it is with a single lane */
    uint64_t queued_bytes;                /* handed over and not yet in the kernel */
};

/* The lanes to a peer, in an order that stays. Fills at most n; returns how many there are. Call with the lock. */
size_t hws_engine_lanes(const struct hws_engine *e, int peer, struct hws_lane_info *out, size_t n);

enum hws_reach { HWS_REACH_UNUSED, HWS_REACH_CONNECTING, HWS_REACH_CONNECTED, HWS_REACH_LOST };

struct hws_peer_info {
    enum hws_reach state;
    struct hws_traffic traffic; /* of all its lanes, those that are gone too */
    uint64_t messages_out, messages_in;
    uint64_t payload_out;                  /* bytes of the messages, without headers */
    uint64_t direct_out;                   /* messages that left at once, as short ones do while nothing is queued */
    uint64_t connects, retries;            /* connections made, attempts that failed */
    uint64_t unexpected, unexpected_bytes; /* its messages that wait here now; bytes with envelopes */
    uint64_t credit;                       /* bytes that may still be sent there without a receive */
};

/* All zero for a peer that nothing was exchanged with. Call with the lock. */
void hws_engine_peer_info(const struct hws_engine *e, int peer, struct hws_peer_info *out);

/* What passed between this site and a peer's, for all processes, through the gateways of this one. */
struct hws_site_info {
    uint64_t bytes_out, bytes_in; /* between gateways, headers included */
    uint64_t again, restarts;     /* segments sent again; congestion windows taken back after an idle time */
    uint64_t rtt_us;
};

/* All zero where no gateway leads to the peer, and for a peer that nothing was exchanged with. Waits for the gateways.
 * Call with the lock. */
void hws_engine_site_info(struct hws_engine *e, int peer, struct hws_site_info *out);

/* Counts what moves, by lanes and in shared memory. Needs no lock, and may be a moment late. */
uint64_t hws_engine_moves(const struct hws_engine *e);

/* Copies what went to each peer and over each lane into the profile of the engine's configuration; nothing without one.
 * Call with the lock. */
void hws_engine_gather(struct hws_engine *e);

/* Writes the counters of all lanes to standard error. Call with the lock. */
void hws_engine_tell(const struct hws_engine *e);

/* The same whenever this signal comes, until the engine's end; nothing if the program handles the signal itself. */
void hws_engine_tell_on(struct hws_engine *e, int number);

/* Whether a parameter counts while an engine runs; the others count at its start only. */
bool hws_engine_is_tunable(const struct hws_param_row *row);

/* Takes one parameter over from `from` while the engine runs. False: it is not tunable. */
bool hws_engine_tune(struct hws_engine *e, const struct hws_param_row *row, const struct hws_params *from);

#endif
