/* SPDX-License-Identifier: BSD-3-Clause
 *
 * conn: how lanes come about and end: sockets, the hello, dialing, paths, and looks at peers that may be gone.
 */
#ifndef HWS_PEER_CONN_CONN_H
#define HWS_PEER_CONN_CONN_H

#include "peer/state/engine.h"
#include "peer/state/socket.h"

/* socket.c */
struct hws_socket *hws_socket_new(struct hws_engine *e, struct hws_peer *p, struct hws_link *l, bool dialer);
void hws_socket_start(struct hws_socket *s);
void hws_socket_free(struct hws_socket *s);
void hws_engine_on_accept(void *engine, struct hws_link *l);
void hws_socket_leave_half_open(struct hws_socket *s);
void hws_engine_detach(struct hws_socket *s); /* its peer knows it no longer */
extern const struct hws_lifecycle hws_socket_states;

/* auth.c: the challenge and the response (libsodium crypto_auth). role: "acceptor" or "dialer". */
int hws_auth_init(void); /* before the first of them; again costs nothing */
void hws_auth_nonce(uint8_t nonce[HWS_NONCE_LEN]);
void hws_auth_mac(const uint8_t secret[32], const char *role, const uint8_t hello[HWS_HELLO_LEN],
                  const uint8_t challenge[HWS_HELLO_LEN], uint8_t mac[HWS_MAC_LEN]);
/* A key for something else than the hello; purpose is shorter than a transcript, so the two never meet. */
void hws_auth_key(const uint8_t secret[32], const char *purpose, uint8_t key[HWS_LINK_KEY_LEN]);
bool hws_auth_check(const uint8_t secret[32], const char *role, const uint8_t hello[HWS_HELLO_LEN],
                    const uint8_t challenge[HWS_HELLO_LEN], const uint8_t mac[HWS_MAC_LEN]);

/* connect.c */
void hws_attempt_init(struct hws_peer *p);
void hws_attempt_end(struct hws_peer *p);  /* no dial is due any more */
void hws_peer_connect(struct hws_peer *p); /* if it is UNUSED */
void hws_peer_dial_failed(struct hws_peer *p, struct hws_socket *s, enum hws_err err, const char *why);
void hws_peer_connected(struct hws_peer *p, struct hws_socket *s);
/* How long this end waits for an answer to a dial (-tcpconnect), or to a hello (-tcphello). At first it is less: a
 * route is silent more often than slow, and what comes back is soon noticed; the kernel alone would try again after 1,
 * 3 and 7 s. A peer that was reached before is dialed still more briefly and often. */
uint64_t hws_peer_dial_ms(const struct hws_socket *s, bool connected);
void hws_peer_reconnect(struct hws_peer *p, int lane);          /* its last lane has died, which had that number */
struct hws_path *hws_peer_path(struct hws_peer *p, int number); /* makes it; NULL: no such number, or no memory */

/* A dial waits only for the process there: its kernel has just shown that it lives. Says so after a while. Returns for
 * how long, in ms, that is so. */
uint64_t hws_peer_shows_life(struct hws_peer *p, const struct hws_link *l);

/* knock.c */
void hws_peer_knock(struct hws_peer *p, int route); /* it did not answer there: is its host up? */
void hws_peer_end_knock(struct hws_peer *p);

/* paths.c: several lanes */
struct hws_path *hws_path_new(struct hws_peer *p, int number);
/* A socket for the path's lane, over that route, for the caller to start. Else an error, and why[] says what went
 * wrong. */
int hws_path_dial(struct hws_path *path, int route, char *why, size_t why_len);
void hws_path_retry(struct hws_path *path);                             /* dials it again after a while */
void hws_path_end_wait(struct hws_path *path);                          /* no longer */
void hws_path_up(struct hws_path *path, struct hws_socket *s);          /* s is connected */
bool hws_path_leave(struct hws_path *path, const struct hws_socket *s); /* s is it no longer; false: it was not */
extern const struct hws_lifecycle hws_path_states;
void hws_peer_lane_up(struct hws_peer *p, struct hws_lane *l);
void hws_peer_lane_down(struct hws_peer *p, struct hws_lane *l);   /* out of use at once; the socket ends later */
void hws_peer_lane_lost(struct hws_peer *p, struct hws_socket *s); /* a connected socket has ended, its peer goes on */

/* watch.c */
void hws_engine_on_watch(struct hws_timer *t);
void hws_lane_watch_end(struct hws_lane *l, enum hws_err why); /* the lane ends so: a last look */
void hws_engine_suspect(struct hws_engine *e,
                        const struct hws_link *dead); /* who shares its cards is looked at closely */

/* ask.c: a look at who is waited for, by a process that sleeps. any: everybody is; else who has an operation under
 * way, or is `noted`. */
void hws_engine_ask(struct hws_engine *e, bool any);

#endif
