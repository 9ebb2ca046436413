/* SPDX-License-Identifier: BSD-3-Clause
 *
 * config: what an engine is given when it is made, and what it tells those who watch it.
 */
#ifndef HWS_PEER_CONFIG_H
#define HWS_PEER_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/board.h"
#include "base/errors.h"
#include "base/params.h"
#include "base/profile.h"

struct hws_transport;

/* What happens inside the engine, for those who watch it (MPI_T). */
enum hws_event_kind {
    HWS_EVENT_LANE_OPENED,   /* a connection to a peer is up */
    HWS_EVENT_LANE_LOST,     /* one broke; `why` */
    HWS_EVENT_LANE_RETURNED, /* one is up again */
    HWS_EVENT_PEER_LOST,     /* its last one broke; `why` */
    HWS_EVENT_UNEXPECTED,    /* a message was queued, as no receive was posted; `bytes`, `queued` */
    HWS_EVENT_NO_CREDIT,     /* a short message had to go by rendezvous for want of credit; `bytes` */
    HWS_N_EVENTS
};

struct hws_event {
    enum hws_event_kind kind;
    int peer;
    int lane;
    int tag;
    int why;          /* enum hws_err */
    uint64_t bytes;   /* of the message */
    uint64_t queued;  /* length of the unexpected queue with this message */
    uint64_t when_ns; /* hws_clock_ns() */
};

/* Owned by whoever made the config; may change at any time with the engine's lock held. */
struct hws_event_sink {
    unsigned mask;                                /* (atomic) bit per kind: those that are wanted */
    bool due;                                     /* (atomic) have `deliver` called when a wait leaves the engine */
    void (*on_event)(const struct hws_event *ev); /* lock held, inside progress: must not call the engine */
    void (*deliver)(void);                        /* without the lock; may call anything */
};

/* What a kind of wait says of itself: fills in what is known, from the wait's flag or argument. Called when the wait
 * goes to sleep, with the lock held. */
typedef void (*hws_wait_site)(const void *arg, struct hws_board_what *out);

struct hws_engine_config {
    int n_peers;            /* processes of the job */
    int me;                 /* own number: the rank in it */
    int n_local;            /* ranks that share this host's processors */
    const int *local_ranks; /* the ranks of this host, ascending, the own among them; borrowed until fini */
    int n_local_ranks;      /* 0: unknown, no shared memory */
    int launcher_pid;       /* from which all ranks of this host descend; 0: not known */
    uint64_t job_id;
    unsigned char secret[32];
    bool locking;         /* MPI_THREAD_MULTIPLE or a progress thread */
    bool progress_thread; /* one thread of the engine's own sleeps in the reactor; needs locking */
    /* Makes the transport; NULL: tcp. Tests give mem. The reactor is the engine's (struct hws_reactor). */
    int (*open_transport)(void *arg, void *reactor, struct hws_transport **out, char *err, size_t err_len);
    void *transport_arg;
    /* The address card of a peer (hws_engine_card's text on the other side). Called when a connection is first needed.
     * Returns HWS_OK and fills card, or HWS_EPMI. */
    int (*lookup)(void *arg, int peer, char *card, size_t len);
    void *lookup_arg;
    const char *(*peer_name)(void *arg,
                             int peer); /* "rank 3 on host h1", for messages, of a rank of the own job; or NULL */
    /* Called once when a peer is lost while the job still runs. */
    void (*on_peer_lost)(void *arg, int peer, enum hws_err why, const char *text);
    /* Called right before, if messages go with it whose sends were done: no operation is left that could fail. Or NULL.
     */
    void (*on_messages_lost)(void *arg, int peer, enum hws_err why, const char *text);
    struct hws_event_sink *events; /* or NULL */
    struct hws_board *board;       /* where waits that sleep say what they wait for; or NULL */
    struct hws_profile *profile;   /* where what was sent is gathered; or NULL */
    /* With a board: has the site (or NULL) say it, or says what the call that is made is. */
    void (*describe)(hws_wait_site site, const void *arg, struct hws_board_what *out);
    unsigned
        generation_bits; /* highest bits of a context: how often the others have been used, hws_engine_ctx_begin() */
    struct hws_params params;
};

#endif
