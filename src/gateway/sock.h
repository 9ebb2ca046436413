/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sock: the sockets of a gateway: none of them blocks, all are closed on exec.
 */
#ifndef HWS_GATEWAY_SOCK_H
#define HWS_GATEWAY_SOCK_H

#include "gateway/sites.h"

/* A listening socket, or -1 with errno. */
int sock_listen(const struct hws_gate_addr *at);
/* A socket that is connecting from an address of `from` (NULL: any) to `to`, or -1 with errno. The caller closes it. */
int sock_dial(const struct hws_gate_addr *from, const struct hws_gate_addr *to);
/* A connection, with the other end's address; -1 with errno. */
int sock_accept(int listener, struct hws_gate_addr *from);
/* 0, or the errno that a connecting socket ended with. */
int sock_error(int fd);
/* Options of a connection inside a site; of a long-distance one. congestion may be ""; deadline: ms that the other
 * kernel has for acknowledging what was sent, or a probe when nothing is. */
void sock_tune_lan(int fd);
void sock_tune_wan(int fd, const char *congestion, int deadline);
/* The socket can be written to when less than so many bytes stand in it unsent. */
void sock_set_unsent(int fd, int bytes);
/* Bytes that have not left yet, beyond what is on the way. */
int sock_unsent(int fd);
/* Bytes that are not acknowledged yet. */
int sock_unacked(int fd);
/* What the kernel knows of the connection. */
struct sock_state {
    unsigned window, again;      /* congestion window in segments; segments sent again */
    unsigned rtt_us, min_rtt_us; /* round trip, smoothed; the least there has been, 0: not known */
    uint64_t pace;               /* bytes a second that the kernel lets go; 0 or UINT64_MAX: as it likes */
};
struct sock_state sock_state(int fd);
/* Closes so that the other end sees an error. */
void sock_break(int fd);

#endif
