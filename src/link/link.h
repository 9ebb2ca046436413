/* SPDX-License-Identifier: BSD-3-Clause
 *
 * link: a reliable stream of bytes to one other process over one pair of addresses, and the transport that makes such
 * links: tcp, sctp, tcp-trc, and mem (both ends in one process, with faults, for tests). Knows nothing of frames or
 * MPI.
 *
 * A link may be able to carry whole messages in flows besides: messages of one flow stay in order, those of different
 * flows may overtake each other. The receiver reads them one after the other, each in one piece. Bytes come before
 * messages: what a link gets as messages is kept back until hws_link_connected(). Such a link may leave messages in the
 * kernel until they are wanted (offer_again below); messages without a flow never wait.
 *
 * Upward news travels by struct hws_link_events, given with the link's owner. A link's callbacks never run from inside
 * send or recv.
 */
#ifndef HWS_LINK_LINK_H
#define HWS_LINK_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/uio.h>

#include "base/errors.h"
#include "base/limits.h"

struct hws_link;
struct hws_transport;

#define HWS_LINK_R    1u
#define HWS_LINK_W    2u
#define HWS_OFFER_LEN 64u /* the longest header of a frame */
#define HWS_FLOW_MAY_WAIT                                                                                              \
    (1ull << 63) /* a message that may be refused; a link with offer_again takes all others, as they are bounded */

struct hws_link_events {
    void (*on_readable)(void *owner);
    void (*on_writable)(void *owner); /* also: a dial has ended, ask hws_link_dial_result() */
};

/* What the kernel knows of a connection's health. */
struct hws_link_health {
    uint64_t unsent;     /* bytes taken by send and not yet acknowledged by the other kernel */
    bool waits_for_ack;  /* some were sent and the other kernel owes an acknowledgment (not: its window is closed) */
    uint64_t acked;      /* bytes acknowledged so far */
    uint64_t rtt_us;     /* smoothed round trip with four mean deviations; 0: not measured */
    uint64_t srtt_us;    /* the smoothed round trip alone */
    uint64_t heard_ms;   /* since then nothing has come from the other kernel; 0: not known */
    uint64_t min_rtt_us; /* least round trip there has been: no waiting in it; 0: not measured */
    uint64_t resent;     /* packets sent again so far, without those that were needless, as far as is known */
    uint64_t silent_ns;  /* a link of several connections: how long one of them has been silent at most; else 0 */
};

/* Since when a connection owes an acknowledgment and has made no progress. All zero at first. */
struct hws_link_silence {
    uint64_t since_ns, acked;
};

/* For how long it has been silent, as far as looks tell. What is asked for is an acknowledgment of what was sent, since
 * a failure of one direction lets other packets come. */
static inline uint64_t hws_link_silence_ns(struct hws_link_silence *s, const struct hws_link_health *h, uint64_t now_ns)
{
    if (!h->waits_for_ack) {
        s->since_ns = 0;
        return 0;
    }
    if (!s->since_ns || h->acked != s->acked)
        s->since_ns = now_ns;
    s->acked = h->acked;
    return now_ns - s->since_ns;
}

struct hws_link_ops {
    ssize_t (*send)(struct hws_link *l, const struct iovec *iov, int n);
    ssize_t (*recv)(struct hws_link *l, const struct iovec *iov, int n);
    void (*want)(struct hws_link *l, unsigned interest);
    int (*dial_result)(struct hws_link *l, char *why, size_t why_len);
    void (*connected)(struct hws_link *l);
    void (*close)(struct hws_link *l);
    void (*describe)(const struct hws_link *l, char *dst, size_t len);
    bool (*health)(struct hws_link *l, struct hws_link_health *h); /* or NULL */
    uint64_t (*backlog)(struct hws_link *l);                       /* or NULL */
    void (*share)(struct hws_link *l);                             /* or NULL */
    void (*rest)(struct hws_link *l, bool rest);                   /* or NULL */
    ssize_t (*send_message)(struct hws_link *l, const struct iovec *iov, int n,
                            uint64_t flow);                            /* or NULL: bytes only */
    void (*ask)(struct hws_link *l, unsigned every_s, unsigned tries); /* or NULL */
    void (*pace)(struct hws_link *l, uint64_t bytes_s);                /* or NULL */
};

struct hws_link {
    const struct hws_link_ops *ops;
    const struct hws_link_events *events;
    void *owner;
    bool is_local;        /* inside one host: no card that could fail */
    bool heals;           /* goes on over another path by itself: what it took arrives, or the process is lost */
    uint64_t here, there; /* the card at each end: equal for links over the same one; 0: not known */
    uint32_t speed_mbps;  /* of the own card, where the other end has dialed, by what the driver tells; 0: not known */
    size_t unread_most;   /* bytes that the other kernel has room for until they are read, safely; 0: not known */
    size_t queued;        /* bytes that it took, has not given to the kernel, and would lose if it were closed */
    /* A link that leaves messages of flows unread. The owner may set would_take, which is shown the first HWS_OFFER_LEN
     * bytes of a message (fewer if it is shorter), from inside recv; false: it and what follows in its flow stays where
     * it is. The link sets offer_again, and shows all that waits once more; `sure`: what is wanted now is not asked for
     * again. */
    bool (*would_take)(void *owner, const uint8_t *head, size_t n);
    void (*offer_again)(struct hws_link *l, bool sure); /* or NULL: nothing ever waits */
};

/* Offers bytes. iov borrowed until return. Bytes taken (1..total); HWS_EAGAIN: full; other negative: dead. */
static inline ssize_t hws_link_send(struct hws_link *l, const struct iovec *iov, int n)
{
    return l->ops->send(l, iov, n);
}

/* Offers a whole message, at most the transport's max_message bytes. Its length: taken; HWS_EAGAIN: full; other
 * negative: dead. */
static inline ssize_t hws_link_send_message(struct hws_link *l, const struct iovec *iov, int n, uint64_t flow)
{
    return l->ops->send_message(l, iov, n, flow);
}

/* Takes bytes. Bytes read (>= 1); HWS_EAGAIN: none now; HWS_ECLOSED: the other end closed; other negative: dead. */
static inline ssize_t hws_link_recv(struct hws_link *l, const struct iovec *iov, int n)
{
    return l->ops->recv(l, iov, n);
}

/* Which events are called; sets, not adds. */
static inline void hws_link_want(struct hws_link *l, unsigned interest)
{
    l->ops->want(l, interest);
}

/* How a dial ended: HWS_OK, HWS_EAGAIN (still under way), or the error, with its reason in why. */
static inline int hws_link_dial_result(struct hws_link *l, char *why, size_t why_len)
{
    return l->ops->dial_result(l, why, why_len);
}

/* The hello is over: the link may tune itself for traffic. */
static inline void hws_link_connected(struct hws_link *l)
{
    if (l->ops->connected)
        l->ops->connected(l);
}

/* False: the link cannot tell. Asked now and then while there is something unsent. */
static inline bool hws_link_health(struct hws_link *l, struct hws_link_health *h)
{
    return l->ops->health && l->ops->health(l, h);
}

/* Bytes that send took and that have not reached the other kernel. */
static inline uint64_t hws_link_backlog(struct hws_link *l)
{
    return l->ops->backlog ? l->ops->backlog(l) : 0;
}

/* The peer has several links: this one shall take little ahead of what it can send, so that the others get their part.
 */
static inline void hws_link_share(struct hws_link *l)
{
    if (l->ops->share)
        l->ops->share(l);
}

static inline bool hws_link_paces(const struct hws_link *l)
{
    return l->ops->pace != NULL;
}

/* So many bytes a second may leave for the other end from now on; 0: as many as can. Only for one that paces. */
static inline void hws_link_pace(struct hws_link *l, uint64_t bytes_s)
{
    l->ops->pace(l, bytes_s);
}

/* Somebody reads this link directly all the time: on_readable is not needed meanwhile, and saves the other end's kernel
 * work. Must be ended before the reader sleeps or turns away. */
static inline void hws_link_rest(struct hws_link *l, bool rest)
{
    if (l->ops->rest)
        l->ops->rest(l, rest);
}

/* While nothing is sent, the other kernel shall be asked every so many seconds whether it is there; after that many
 * questions (at most 100) without an answer the link ends. health's heard_ms tells of answers. every_s 0 ends it, and
 * so does hws_link_connected(). */
static inline void hws_link_ask(struct hws_link *l, unsigned every_s, unsigned tries)
{
    if (l->ops->ask)
        l->ops->ask(l, every_s, tries);
}

/* Closes and frees; no callback follows. */
static inline void hws_link_close(struct hws_link *l)
{
    l->ops->close(l);
}

/* Both ends for messages: "10.77.0.1:4000 (n0) to 10.77.0.2:5000". Returns dst. */
static inline const char *hws_link_describe(const struct hws_link *l, char *dst, size_t len)
{
    l->ops->describe(l, dst, len);
    return dst;
}

/* A place to dial: one (local interface, remote address) pair; opaque to the peer but for its text. */
struct hws_route {
    char text[160];      /* for messages: "n0 10.77.0.1 to 10.77.0.2:5000" */
    bool is_lane;        /* worth a connection of its own beside the earlier ones: pairs.h */
    uint32_t speed_mbps; /* of the slower end, by what the drivers tell */
    uint64_t priv[16];   /* what the transport keeps of it */
};

#define HWS_LINK_KEY_LEN 32 /* of the key that protects a transport (bytes) */

struct hws_gate_counts;

struct hws_transport_ops {
    /* The own address card, printable, no spaces; valid until fini. */
    const char *(*card)(const struct hws_transport *t);
    /* The routes to the process with that card, best first; the number of them, or HWS_EINVAL (bad card). */
    int (*routes)(struct hws_transport *t, const char *card, struct hws_route *out, int n);
    /* Begins to connect. HWS_OK: *out is given, on_writable tells the end. Else the reason in why. */
    int (*dial)(struct hws_transport *t, const struct hws_route *r, struct hws_link **out, char *why, size_t why_len);
    /* Interest in new connections off and on again (descriptors ran out). */
    void (*pause_accept)(struct hws_transport *t, bool pause);
    void (*fini)(struct hws_transport *t);
    /* Or NULL. Before the card is read: what comes is to be authenticated with a key that all processes of the job
     * have, if the parameters say so. False: the kernel can't, it goes on without. */
    bool (*protect)(struct hws_transport *t, const uint8_t key[HWS_LINK_KEY_LEN]);
    /* Or NULL. As dial, but to where nobody listens: HWS_OK or HWS_EREFUSED in the end means that a kernel answers
     * there. */
    int (*knock)(struct hws_transport *t, const struct hws_route *r, struct hws_link **out, char *why, size_t why_len);
    /* Or NULL: it knows no gateways of sites. The key that they ask for; before anything is dialed. */
    void (*admit)(struct hws_transport *t, const uint8_t key[HWS_LINK_KEY_LEN]);
    /* Or NULL. What passed between the own site and that of the process with that card; waits for gateways. False: no
     * gateways lead there. Without a card: whether gateways lead to any site. */
    bool (*site)(struct hws_transport *t, const char *card, struct hws_gate_counts *out);
};

struct hws_transport {
    const struct hws_transport_ops *ops;
    size_t max_message;                                 /* of its links (bytes); 0: they carry bytes only */
    void (*on_accept)(void *owner, struct hws_link *l); /* a new inbound link, not yet owned: set events and owner */
    void (*on_no_files)(void *owner); /* or NULL: no descriptor was left for an inbound connection, which waits */
    void *owner;
};

#endif
