/* SPDX-License-Identifier: BSD-3-Clause
 *
 * stranger: the other end of one engine, driven by hand over the in-memory network: says anything, at any point of the
 * hello or after it. The engine is rank 0 of a job of two; the stranger sits at rank 1's place and knows the secret if
 * it likes.
 */
#ifndef HWS_TESTS_STRANGER_H
#define HWS_TESTS_STRANGER_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "link/mem/mem.h"
#include "peer/engine.h"
#include "peer/conn/conn.h"
#include "peer/state/engine.h"
#include "peer/state/socket.h"
#include "wire/wire.h"

struct stranger {
    struct hws_mem_net *net;
    struct hws_engine *engine;
    struct hws_transport *transport;
    struct hws_link *link;
    struct hws_engine_config cfg;
    unsigned n_lost;
    bool keeps; /* says in its hello that it keeps what is not acknowledged */
    uint8_t hello[HWS_HELLO_LEN], challenge[HWS_CHALLENGE_LEN];
};

static void stranger_ignore(void *owner)
{
    (void)owner;
}

static int stranger_lookup(void *arg, int peer, char *card, size_t len)
{
    (void)arg;
    snprintf(card, len, "mem-%d", peer);
    return HWS_OK;
}

static void stranger_on_lost(void *arg, int peer, enum hws_err why, const char *text)
{
    (void)peer, (void)why, (void)text;
    ((struct stranger *)arg)->n_lost++;
}

/* Opens the engine and the stranger's place. False: no memory. */
static inline bool stranger_open_net(struct stranger *s, const struct hws_mem_faults *faults)
{
    char err[512];
    memset(s, 0, sizeof *s);
    s->net = hws_mem_net_new(faults);
    s->cfg = (struct hws_engine_config){.n_peers = 2, .n_local = 2, .job_id = 42, .lookup = stranger_lookup};
    s->cfg.secret[3] = 77;
    s->cfg.lookup_arg = s;
    s->cfg.on_peer_lost = stranger_on_lost;
    s->cfg.open_transport = hws_mem_open;
    s->cfg.transport_arg = hws_mem_net_place(s->net, 0);
    if (!s->net || hws_params_load(&s->cfg.params, err, sizeof err) != HWS_OK ||
        hws_engine_open(&s->cfg, &s->engine, err, sizeof err) != HWS_OK)
        return false;
    return hws_mem_open(hws_mem_net_place(s->net, 1), NULL, &s->transport, err, sizeof err) == HWS_OK;
}

static inline bool stranger_open(struct stranger *s)
{
    return stranger_open_net(s, &(struct hws_mem_faults){.close_nth_link = -1});
}

static inline void stranger_close(struct stranger *s)
{
    if (s->link)
        hws_link_close(s->link);
    hws_engine_fini(s->engine);
    hws_mem_net_free(s->net);
}

/* Lets the engine and the network work until nothing moves any more. */
static inline void stranger_settle(struct stranger *s)
{
    for (int n_idle = 0; n_idle < 12;) { /* progress looks at cold sockets every eighth time */
        bool moved = hws_engine_progress(s->engine);
        n_idle = hws_mem_net_pump(s->net) || moved ? 0 : n_idle + 1;
    }
}

/* A new connection to the engine. False: it was not taken. */
static inline bool stranger_dial(struct stranger *s)
{
    static const struct hws_link_events events = {stranger_ignore, stranger_ignore};
    struct hws_route route;
    char why[128];
    if (s->link)
        hws_link_close(s->link);
    s->link = NULL;
    if (s->transport->ops->routes(s->transport, "mem-0", &route, 1) != 1 ||
        s->transport->ops->dial(s->transport, &route, &s->link, why, sizeof why) != HWS_OK)
        return false;
    s->link->events = &events;
    stranger_settle(s);
    return hws_link_dial_result(s->link, why, sizeof why) == HWS_OK;
}

/* Says something. False: the engine has closed the connection. */
static inline bool stranger_say(struct stranger *s, const void *bytes, size_t n)
{
    struct iovec iov = {(void *)(uintptr_t)bytes, n};
    while (iov.iov_len) {
        ssize_t k = hws_link_send(s->link, &iov, 1);
        if (k < 0 && k != HWS_EAGAIN)
            return false;
        if (k > 0) {
            iov.iov_base = (uint8_t *)iov.iov_base + k;
            iov.iov_len -= (size_t)k;
        }
        stranger_settle(s);
    }
    return true;
}

/* Reads what the engine says, at most n bytes. The number of bytes, or negative: closed and nothing left. */
static inline ssize_t stranger_hear(struct stranger *s, void *bytes, size_t n)
{
    size_t at = 0;
    for (;;) {
        struct iovec iov = {(uint8_t *)bytes + at, n - at};
        ssize_t k = n > at ? hws_link_recv(s->link, &iov, 1) : HWS_EAGAIN;
        if (k == HWS_EAGAIN)
            return (ssize_t)at;
        if (k < 0)
            return at ? (ssize_t)at : k;
        at += (size_t)k;
        stranger_settle(s);
    }
}

static inline bool stranger_is_closed(struct stranger *s)
{
    uint8_t bytes[256];
    ssize_t n;
    while ((n = stranger_hear(s, bytes, sizeof bytes)) > 0)
        ;
    return n < 0;
}

/* The hello as rank 1 would say it. */
static inline struct hws_hello stranger_hello(const struct stranger *s)
{
    struct hws_hello h = {.kind = HWS_HELLO,
                          .from_job = s->cfg.job_id,
                          .to_job = s->cfg.job_id,
                          .from = 1,
                          .to = 0,
                          .credit = 1 << 20,
                          .keeps = s->keeps};
    memset(h.nonce, 0x5a, sizeof h.nonce);
    return h;
}

/* Sends a HELLO and takes the CHALLENGE. False: closed instead. */
static inline bool stranger_greet(struct stranger *s, const struct hws_hello *h)
{
    hws_hello_encode(s->hello, h);
    if (!stranger_say(s, s->hello, sizeof s->hello))
        return false;
    return stranger_hear(s, s->challenge, sizeof s->challenge) == sizeof s->challenge;
}

/* Sends the PROOF made with a secret and takes the VERDICT; negative: closed instead. */
static inline int stranger_prove(struct stranger *s, const unsigned char secret[32], const char *role)
{
    uint8_t mac[HWS_MAC_LEN], proof[HWS_PROOF_LEN], verdict[HWS_VERDICT_LEN];
    enum hws_verdict v;
    hws_auth_mac(secret, role, s->hello, s->challenge, mac);
    hws_proof_encode(proof, mac);
    if (!stranger_say(s, proof, sizeof proof) || stranger_hear(s, verdict, sizeof verdict) != sizeof verdict ||
        hws_verdict_decode(verdict, sizeof verdict, &v) != HWS_OK)
        return -1;
    return v;
}

/* Everything up to a connected lane. */
static inline bool stranger_connect(struct stranger *s)
{
    struct hws_hello h = stranger_hello(s);
    return stranger_dial(s) && stranger_greet(s, &h) &&
           stranger_prove(s, s->cfg.secret, "dialer") == HWS_VERDICT_WELCOME;
}

/* Sends a frame with n bytes of payload from `bytes`. */
static inline bool stranger_frame(struct stranger *s, const struct hws_frame *f, const void *bytes, size_t n)
{
    uint8_t header[HWS_FRAME_MAX_HDR];
    size_t k = hws_frame_encode(header, f);
    return stranger_say(s, header, k) && stranger_say(s, bytes, n);
}

#endif
