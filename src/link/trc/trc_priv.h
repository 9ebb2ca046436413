/* SPDX-License-Identifier: BSD-3-Clause
 *
 * trc_priv: shared by trc.c (a link: born, watched, closed), trc_send.c, trc_recv.c, trc_stream.c (its connections:
 * opened, shed, closed), trc_state.c (their states) and trc_transport.c (accepting, dialing).
 *
 *   transport --- links --- main, streams by flow, dying streams --- inner (a link of the tcp transport)
 *
 * Every connection begins with a preamble that the dialer sends, then carries messages, each behind a word of its
 * length and kind. Whoever dialed the main connection dials the streams too, so no two meet head-on; the other end asks
 * for them.
 */
#ifndef HWS_LINK_TRC_PRIV_H
#define HWS_LINK_TRC_PRIV_H

#include "base/lifecycle.h"
#include "base/list.h"
#include "link/link.h"
#include "link/trc/trc.h"
#include "reactor/reactor.h"
#include "wire/trc.h"

#define HWS_TRC_READ                                                                                                   \
    512 /* read ahead between messages, so that short ones cost one system call; the rest stays in the kernel */
#define HWS_TRC_BUCKET_BITS 6
#define HWS_TRC_BUCKETS     (1 << HWS_TRC_BUCKET_BITS) /* of streams, by their flow */
#define HWS_TRC_MAX_IOV     260                        /* of a message, with its word */

/* Of a stream, and of the first connection, which knows but DIALING, FAILED and UP (trc_state.c; docs/states.md). */
enum hws_stream_state {
    HWS_STREAM_WAITS,
    HWS_STREAM_DIALING,
    HWS_STREAM_FAILED,
    HWS_STREAM_UNCONFIRMED,
    HWS_STREAM_UP,
    HWS_STREAM_SHEDDING,
    HWS_STREAM_CLOSING,
    HWS_STREAM_DRAINING,
    HWS_STREAM_FINISHED,
    HWS_STREAM_N
};

enum {
    /* no longer found by its flow, which is free for a new stream; all that comes is taken */
    HWS_STREAMS_DYING = 1 << HWS_STREAM_CLOSING | 1 << HWS_STREAM_DRAINING | 1 << HWS_STREAM_FINISHED,
    /* its descriptor is about to be free */
    HWS_STREAMS_SHEDDING = HWS_STREAMS_DYING | 1 << HWS_STREAM_SHEDDING,
    /* bytes come and go */
    HWS_STREAMS_CONNECTED = HWS_STREAMS_SHEDDING | 1 << HWS_STREAM_UNCONFIRMED | 1 << HWS_STREAM_UP
};

struct hws_trc_piece {
    struct hws_trc_piece *next;
    size_t len, off;
    uint8_t bytes[];
};

struct hws_trc;
struct hws_trc_link;

struct hws_trc_stream {
    struct hws_trc_link *l;
    struct hws_link *inner;      /* NULL: no connection so far */
    enum hws_stream_state state; /* hws_trc_stream_become() writes it, nobody else */
    uint64_t flow;
    uint32_t id;
    /* true of the connection or of its next message, in any state */
    bool held; /* the next message is not wanted */
    bool sure; /* the next message is taken whatever the owner says */
    bool eof;  /* nothing more can be read */
    bool owes; /* the other kernel may not have acknowledged all */
    struct hws_link_silence silence;
    uint64_t resent;       /* packets that its kernel has sent again, when it was asked last */
    uint64_t tried_ns;     /* when it was dialed in vain first; 0: it was not */
    struct hws_list node;  /* in the link's bucket, or its dying ones */
    struct hws_list ready; /* in the link's list of what may have input */
    struct hws_list
        used; /* in the transport's list, the least recently used first; or of those that wait to be dialed */
    struct hws_trc_piece *first, *last; /* taken, and not yet in the kernel */
    size_t left;                        /* bytes of the message being read */
    enum hws_trc_kind kind;             /* of it */
    size_t head, tail;
    uint8_t buf[HWS_TRC_READ];
};

/* What is gathered from all its connections when it is asked for. */
struct hws_trc_asked {
    struct hws_link_health health; /* while it is asked for: of all connections so far */
    uint64_t resent;               /* packets that all connections so far have sent again */
    uint64_t taken, drained;       /* bytes of messages that were taken; that had left when the backlog was asked for */
    bool shares;
    bool awaits; /* while that is asked for: the other process must take a stream first */
    uint64_t probed_ns;
};

struct hws_trc_link {
    struct hws_link base;
    struct hws_trc *t;
    struct hws_list node;   /* in the transport's links */
    struct hws_route route; /* dialer: of the main connection */
    bool dialer, has_token, connected;
    uint8_t token[HWS_TRC_TOKEN];
    uint32_t next_id;
    unsigned interest;
    enum hws_err dial, dead;        /* dial: HWS_EAGAIN until it has ended */
    enum hws_err no_output, broken; /* nothing more can be sent; a stream was reset */
    char why[128];
    struct hws_trc_stream main;
    struct hws_list buckets[HWS_TRC_BUCKETS], dying, ready;
    struct hws_trc_stream *cur, *last, *blocked; /* in the middle of a message; read last; which refused */
    uint64_t n_sent, n_came;                     /* messages on streams */
    bool ended;
    uint64_t end_after;
    struct hws_timer kick; /* there is something to tell although no socket is ready */
    struct hws_timer grace;
    struct hws_trc_asked asked;
};

struct hws_trc_accept { /* a connection before its preamble is here */
    struct hws_list node;
    struct hws_trc *t;
    struct hws_link *inner;
    uint64_t since_ns;
    size_t n;
    uint8_t bytes[HWS_TRC_PREAMBLE];
};

struct hws_trc {
    struct hws_transport base;
    struct hws_transport *inner;
    struct hws_reactor *reactor;
    struct hws_list links, accepts, used, waits;
    unsigned n_accepts, n_open, n_shedding, limit;
    bool accepts_pause; /* until a descriptor is free, or the tcp transport tries again */
    uint64_t hello_ms, silent_ms, deadline_ms;
    struct hws_timer retry, reap;
};

static inline struct hws_trc_link *hws_trc_link_of(const struct hws_link *l)
{
    return hws_container_of((struct hws_link *)(uintptr_t)l, struct hws_trc_link, base);
}

static inline bool hws_trc_is_in(const struct hws_trc_stream *s, unsigned states)
{
    return states >> s->state & 1;
}

/* Bytes that are read ahead. */
static inline size_t hws_trc_here(const struct hws_trc_stream *s)
{
    return s->tail - s->head;
}

/* All that the other end has sent has come. */
static inline bool hws_trc_is_at_end(const struct hws_trc_link *l)
{
    return l->ended ? l->n_came >= l->end_after : l->main.eof;
}

/* The owner is called from the reactor although no socket is ready. */
static inline void hws_trc_kick(struct hws_trc_link *l)
{
    if (!hws_timer_is_set(&l->kick))
        hws_timer_set(&l->kick, 0);
}

/* trc.c */
struct hws_trc_link *hws_trc_link_new(struct hws_trc *t, struct hws_link *inner, bool dialer); /* NULL: no memory */
void hws_trc_fail(struct hws_trc_link *l, enum hws_err why);          /* the link is dead; the first reason stays */
void hws_trc_ready(struct hws_trc_stream *s);                         /* it may have input */
void hws_trc_watch(struct hws_trc_stream *s);                         /* tells the reactor what is waited for now */
void hws_trc_adopt(struct hws_trc_stream *s, struct hws_link *inner); /* the stream's connection from now on */
void hws_trc_tune(struct hws_trc_stream *s);                          /* its connection is up: for traffic */

/* trc_send.c */
ssize_t hws_trc_send(struct hws_link *base, const struct iovec *iov, int n);
ssize_t hws_trc_send_message(struct hws_link *base, const struct iovec *iov, int n, uint64_t flow);
/* HWS_OK: something may be sent; HWS_EAGAIN: not yet; or why never again. */
int hws_trc_check_open(const struct hws_trc_link *l);
/* Takes a message whole: what the kernel does not, is queued. HWS_OK or an error. */
int hws_trc_put(struct hws_trc_stream *s, enum hws_trc_kind kind, const struct iovec *iov, int n);
int hws_trc_tell(struct hws_trc_link *l, enum hws_trc_kind kind, uint64_t value); /* on the main connection */
void hws_trc_flush(struct hws_trc_stream *s); /* what is queued, as far as the kernel takes it */
/* Nothing more can be sent; what the other end has sent is still read, and its close behind that. Returns why. */
int hws_trc_lose_output(struct hws_trc_link *l, enum hws_err why);
void hws_trc_unblock(
    struct hws_trc_link *l); /* the main connection's room is told instead of the stream's that refused */
/* The first bytes of a connection. HWS_OK or an error. */
int hws_trc_send_preamble(struct hws_link *inner, enum hws_trc_first kind, uint32_t id, uint64_t flow,
                          const uint8_t *token);

/* trc_recv.c */
ssize_t hws_trc_recv(struct hws_link *base, const struct iovec *iov, int n);
void hws_trc_offer_again(struct hws_link *base, bool sure);
/* A stream is broken or can't be had: either the link was closed there and its END comes, or it dies of that. */
void hws_trc_await_end(struct hws_trc_link *l, enum hws_err why);
void hws_trc_release(struct hws_trc_stream *s); /* its next message is wanted after all */

/* trc_state.c */
extern const struct hws_lifecycle hws_trc_streams;
void hws_trc_stream_become(struct hws_trc_stream *s, enum hws_stream_state next, const char *why);

/* trc_stream.c */
void hws_trc_stream_init(struct hws_trc_stream *s, struct hws_trc_link *l, uint64_t flow);
struct hws_trc_stream *hws_trc_stream_get(struct hws_trc_link *l, uint64_t flow); /* makes it; NULL: no memory */
void hws_trc_stream_touch(struct hws_trc_stream *s);
void hws_trc_stream_dialed(struct hws_trc_stream *s); /* its dial may have ended */
bool hws_trc_stream_attach(struct hws_trc_link *l, struct hws_link *inner, uint32_t id, uint64_t flow);
int hws_trc_stream_control(struct hws_trc_link *l, enum hws_trc_kind kind, uint64_t value);
void hws_trc_stream_finned(struct hws_trc_stream *s);
bool hws_trc_stream_is_over(const struct hws_trc_stream *s);
void hws_trc_stream_free(struct hws_trc_stream *s);
void hws_trc_each(struct hws_trc_link *l, void (*fn)(struct hws_trc_stream *s, bool arg),
                  bool arg); /* all but main; fn may free it, but touch no other */
/* Descriptors have run out: from now on fewer streams. */
void hws_trc_no_files(struct hws_trc *t);
void hws_trc_on_retry(struct hws_timer *timer);

#endif
