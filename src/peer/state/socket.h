/* SPDX-License-Identifier: BSD-3-Clause
 *
 * socket: one connection to a peer over one pair of addresses, with its state and its lane.
 */
#ifndef HWS_PEER_STATE_SOCKET_H
#define HWS_PEER_STATE_SOCKET_H

#include "base/lifecycle.h"
#include "peer/state/lane.h"
#include "reactor/reactor.h"

struct hws_engine;

enum hws_socket_state {
    HWS_SOCKET_CLOSED,
    HWS_SOCKET_CONNECTING,
    HWS_SOCKET_AWAIT_CHALLENGE, /* the four AWAIT states, together CONNECT_ACK: which message of the hello is due */
    HWS_SOCKET_AWAIT_VERDICT,
    HWS_SOCKET_AWAIT_HELLO,
    HWS_SOCKET_AWAIT_PROOF,
    HWS_SOCKET_CONNECTED,
    HWS_SOCKET_ENDING,
    HWS_SOCKET_DROPPED
};

struct hws_socket {
    struct hws_engine *engine;
    struct hws_peer *peer; /* NULL: accepted, not yet proven */
    struct hws_link *link;
    enum hws_socket_state state;
    bool dialer;
    unsigned ask_s;   /* dialer, in the hello: so often the other kernel is asked whether it is there; 0: not yet */
    enum hws_err why; /* ENDING, DROPPED */
    int route;        /* dialer: index into the peer's routes */
    struct hws_path *path;  /* dialer: which one is to be opened; acceptor: once the proof holds */
    bool told;              /* CONNECTED: the other end has said that this connection is over ... */
    uint64_t told_received; /* ... and how much of it arrived there */
    struct hws_timer timer;
    struct hws_list node; /* accepted: in the engine's half-open list; ENDING, DROPPED: in its ended list */
    uint8_t in[HWS_CHALLENGE_LEN];
    size_t n_in;
    uint8_t hello[HWS_HELLO_LEN], challenge[HWS_HELLO_LEN]; /* as sent or received: the MACs cover them */
    struct hws_hello theirs;
    bool keeps;             /* as this end's hello says */
    uint64_t since_ns;      /* acceptor: when it was accepted */
    uint64_t connects_then; /* acceptor: the engine's n_connects when the HELLO came; CONNECTED: its own number */
    uint64_t conn_id;       /* from the hello on: the same at both ends, from the dialer's nonce */
    struct hws_lane lane;
};

/* The connection is open at both ends, and the hello is not through. */
static inline bool hws_socket_in_hello(const struct hws_socket *s)
{
    return s->state >= HWS_SOCKET_AWAIT_CHALLENGE && s->state <= HWS_SOCKET_AWAIT_PROOF;
}

static inline bool hws_socket_is_over(const struct hws_socket *s)
{
    return s->state == HWS_SOCKET_ENDING || s->state == HWS_SOCKET_DROPPED;
}

/* It was proven, so its lane is open, be it in use or to be taken down. */
static inline bool hws_socket_has_lane(const struct hws_socket *s)
{
    return s->state == HWS_SOCKET_CONNECTED || s->state == HWS_SOCKET_ENDING;
}

#endif
