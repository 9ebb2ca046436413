/* SPDX-License-Identifier: BSD-3-Clause
 *
 * message: one that is kept here: it came before its receive, or before its turn.
 */
#ifndef HWS_PEER_STATE_MESSAGE_H
#define HWS_PEER_STATE_MESSAGE_H

#include "match/match.h"
#include "peer/ops.h"

struct hws_peer;

struct hws_message {
    struct hws_match_node match; /* key and, while unmatched, place in the unexpected queue */
    struct hws_list node;        /* in the peer's parked list */
    struct hws_peer *peer;       /* NULL: from this process */
    uint64_t msg_len;
    uint32_t have, received; /* payload bytes of the first fragment, and how many are here */
    uint8_t *data;           /* have bytes; NULL when none */
    uint64_t send_handle;
    uint64_t address; /* shared memory: of a long message in its sender; 0: not to be read there */
    uint8_t type;     /* enum hws_frame_type; shared memory: enum hws_shm_type */
    bool waited;      /* in the unexpected queue, before it met its receive */
    bool passed;      /* parked: only its number is left, it was matched before its turn */
    uint32_t seq, ctx, charge;
    struct hws_send_op *self_op; /* from this process, not copied */
    struct hws_recv_op *claimed; /* matched while the payload is still coming */
};

/* A frame of a room above the engine (peer/kinds.h), while it comes and until it is handed over. */
struct hws_came {
    struct hws_list node; /* in the engine's list of those that are whole */
    int peer;
    uint8_t kind;
    uint32_t len, have; /* have: of one in pieces, through shared memory */
    uint8_t bytes[];
};

#endif
