/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sctp_priv: shared by sctp.c (links), sctp_assoc.c (the socket's input) and sctp_transport.c (socket, dials).
 *
 *   transport (one socket) --- assocs, by id --- links: those dialed here, those dialed there
 *
 * Between two sockets there is one association at most, so two processes that dial each other at the same time meet in
 * one. Therefore a link is not the association but a name in it: (who dialed, a number that the dialer counts), in
 * every message's payload protocol identifier. The peers' rule for connections head-on then decides as it does over
 * TCP.
 */
#ifndef HWS_LINK_SCTP_PRIV_H
#define HWS_LINK_SCTP_PRIV_H

#include <netinet/in.h>
#include <netinet/sctp.h>

#include "base/list.h"
#include "link/link.h"
#include "link/net/site.h"
#include "link/sctp/sctp.h"
#include "link/sctp/sctp_lib.h"
#include "reactor/reactor.h"

#define HWS_SCTP_MESSAGE ((64u << 10) + 256) /* longest message: a fragment of 64 KiB and any header */
#define HWS_SCTP_QUEUED  (4u << 20) /* bytes in the queues of all links beyond which the socket is left alone */
#define HWS_SCTP_BUCKETS 256        /* of associations by id */

/* Payload protocol identifier: 'H' << 24 | from_dialer << 23 | kind << 16 | number */
enum hws_sctp_kind { HWS_SCTP_OPEN, HWS_SCTP_BYTES, HWS_SCTP_WHOLE, HWS_SCTP_CLOSE, HWS_SCTP_KINDS };

struct hws_sctp_piece {
    struct hws_sctp_piece *next;
    size_t len, off;
    uint8_t bytes[];
};

struct hws_sctp_queue {
    struct hws_sctp_piece *first, *last;
};

struct hws_sctp;

struct hws_assoc {
    struct hws_list node; /* in the transport's bucket */
    struct hws_list links;
    struct hws_list idle; /* in the transport's list of associations without links */
    sctp_assoc_t id;
    bool up;
    bool ending;        /* shut down: nothing more can be sent */
    uint16_t n_streams; /* outward; >= 1 */
    uint16_t next_number;
    unsigned n_paths_lost;
    struct hws_list tail; /* in the transport's list of associations that may wait for acknowledgments */
    bool moved;           /* something was sent since the last look */
    bool probed;          /* the silence since then has had its probes */
    unsigned unacked;     /* packets without an acknowledgment at the last look; 0: not asked for */
    uint64_t silent_since_ns;
    uint64_t idle_since_ns;
    char text[160]; /* of a dialed one */
};

struct hws_sctp_link {
    struct hws_link base;
    struct hws_sctp *t;
    struct hws_assoc *assoc; /* NULL: gone */
    struct hws_list node;    /* in the association's links */
    struct hws_list ready;   /* in the transport's list of links to call */
    struct hws_list writer;  /* in its list of links that want to write */
    bool dialer;
    uint16_t number;
    unsigned interest;
    bool tell_dialed; /* the dial has ended: on_writable is due */
    bool accepted;    /* not given to the owner so far */
    bool connected;
    bool closed;             /* the other end has closed it, after ... */
    uint64_t closed_after;   /* ... so many messages */
    enum hws_err dead;       /* the association is gone: why; HWS_OK: it is not */
    uint64_t n_sent, n_came; /* messages */
    struct hws_sctp_queue bytes, messages;
    char text[160];
};

struct hws_sctp_addr {
    struct hws_addr addr;
    unsigned ifindex; /* what leads to it; counts for link-local IPv6 only */
};

/* A process that can be dialed; a route points at it. */
struct hws_sctp_target {
    struct hws_list node; /* in the transport's */
    int n;
    struct hws_sctp_addr addrs[HWS_CARD_ADDRS + 1];
    uint16_t port;
    bool is_auth; /* it uses SCTP-AUTH */
    char text[160];
};

struct hws_sctp {
    struct hws_transport base;
    struct hws_reactor *reactor;
    struct hws_io io; /* fd -1: not open */
    bool is_v6;
    bool is_auth;       /* SCTP-AUTH */
    bool is_link_local; /* the chosen interfaces have no other addresses */
    struct hws_params params;
    struct hws_site site;
    char card_text[HWS_CARD_TEXT];
    struct hws_list targets;
    struct hws_list assocs[HWS_SCTP_BUCKETS];
    unsigned n_assocs;
    struct hws_list idle, ready, writers, tails;
    struct hws_sctp_link *calling; /* whose callback runs, unless it closed itself */
    struct hws_timer kick;         /* links are ready although the socket is not */
    struct hws_timer reap;         /* associations without links */
    struct hws_timer look;         /* at the associations in tails, while there are any */
    uint64_t tick_us;              /* of the kernel, which tells round trips in them */
    size_t queued;                 /* bytes in the queues of all links */
    uint8_t *buf;                  /* HWS_SCTP_MESSAGE bytes */
};

/* sctp_assoc.c */
bool hws_sctp_read(struct hws_sctp *t);                               /* one message or notification; false: none */
struct hws_assoc *hws_assoc_get(struct hws_sctp *t, sctp_assoc_t id); /* makes it; NULL: no memory */
struct hws_assoc *hws_assoc_find(const struct hws_sctp *t, sctp_assoc_t id);
void hws_assoc_leave(struct hws_sctp_link *l); /* the link is no longer one of its association's */
void hws_assoc_end(struct hws_sctp *t, struct hws_assoc *a, uint16_t how); /* SCTP_EOF or SCTP_ABORT */
void hws_assoc_free(struct hws_sctp *t, struct hws_assoc *a);
void hws_sctp_ready(struct hws_sctp_link *l); /* its owner is called soon */
void hws_sctp_input(struct hws_sctp *t);      /* whether the socket is read and written to from the reactor */
void hws_sctp_on_ready(struct hws_io *io, unsigned ready);
void hws_sctp_on_kick(struct hws_timer *timer);
void hws_sctp_on_reap(struct hws_timer *timer);

/* sctp_auth.c */
bool hws_sctp_auth_begin(struct hws_sctp *t, const uint8_t key[HWS_LINK_KEY_LEN]); /* false: the kernel has it not */
bool hws_sctp_auth_is_met(const struct hws_sctp *t,
                          const struct hws_assoc *a); /* the other end does it if this one does */

/* sctp_tail.c */
void hws_sctp_tail_init(struct hws_sctp *t, struct hws_reactor *reactor);
void hws_sctp_tail_sent(struct hws_sctp *t, struct hws_assoc *a); /* something was given to the kernel */

/* sctp.c */
struct hws_sctp_link *hws_sctp_link_new(struct hws_sctp *t, struct hws_assoc *a, bool dialer, uint16_t number);
bool hws_sctp_is_readable(const struct hws_sctp_link *l);
void hws_sctp_clear(struct hws_sctp *t, struct hws_sctp_queue *q);
/* As sendmsg(2): -1 with errno. */
ssize_t hws_sctp_send(const struct hws_sctp *t, const struct iovec *iov, int n, const struct sctp_sndinfo *info);
void hws_sctp_opened(struct hws_sctp_link *l); /* the association is up: the dialer says so, its owner is told */
void hws_sctp_close_message(const struct hws_sctp_link *l);
void hws_sctp_probe(const struct hws_sctp_link *l); /* a message that the other end ignores */

#endif
