/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tcp_priv: shared by tcp.c (one connection) and tcp_transport.c (listeners, dials).
 */
#ifndef HWS_LINK_TCP_PRIV_H
#define HWS_LINK_TCP_PRIV_H

#include "link/link.h"
#include "link/net/addr.h"
#include "link/net/relay.h"
#include "link/tcp/left.h"
#include "link/tcp/tcp.h"
#include "link/tcp/turns.h"

struct hws_tcp_link {
    struct hws_link base;
    struct hws_io io;
    char route[160]; /* of a dialed link, for messages; empty when accepted */
    bool aborts; /* a dial whose hello is not over: what nobody has accepted shall vanish with it at the other end, too
                  */
    int keep_idle;    /* TCP_KEEPIDLE as it was before hws_link_ask(), in s; 0: not changed */
    uint8_t *preface; /* goes first when the dial is over: a gateway is to be told where to; or NULL */
    size_t preface_len;
    struct hws_relay_in
        *in; /* of an accepted link that may come through a gateway: its preface is taken off; or NULL */
    struct hws_turns turns;
    int full_window; /* TCP_WINDOW_CLAMP before it was lowered, in bytes; 0: it is not lowered */
    bool may_clamp;  /* its buffers have a fixed size, and it is the only lane to its peer */
    struct hws_left left;
    bool can_leave; /* the kernel reads on behind what was left */
    bool may_leave; /* and the link rests */
    bool *failed;   /* set if the link is closed before its hello is over; or NULL */
};

/* Takes a connected or connecting non-blocking socket. NULL: no memory, fd stays the caller's. */
struct hws_tcp_link *hws_tcp_link_new(struct hws_reactor *r, int fd, const char *route);

/* Takes pacing off a socket that is not connected yet, if this host's congestion control paces (docs/decisions/011). A
 * listener's connections inherit it. */
void hws_tcp_unpace(int fd);

/* Gives a connected socket the receive buffer of a fixed size (docs/decisions/003), and a window that may grow to what
 * it has room for, whatever has come already. False: the kernel allows a smaller one only. */
bool hws_tcp_grow_window(int fd);

#endif
