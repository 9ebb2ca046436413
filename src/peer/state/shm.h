/* SPDX-License-Identifier: BSD-3-Clause
 *
 * shm: the engine's part in the memory that the ranks of its host share, and a peer that is reached through it
 * (docs/design.md, Within a host).
 */
#ifndef HWS_PEER_STATE_SHM_H
#define HWS_PEER_STATE_SHM_H

#include "base/bypass.h"
#include "base/list.h"
#include "peer/ops.h"
#include "reactor/reactor.h"
#include "shm/copies.h"
#include "shm/ring.h"
#include "shm/segment.h"

struct hws_engine;
struct hws_peer;

#define HWS_SHM_LOOKED_AT 64 /* ranks of a host, for whom each looks where the others are, and whether they wait */
#define HWS_SHM_HOT       16 /* rings polled in each step; beyond, those idle longest have their writers ring the bell */

struct hws_shm_answer { /* CTS, DONE; CANCEL: question's handle, context << 32 | tag, number; CANCELLED: handle, yes;
                            WANT: list, context << 32 | tag, a receive is posted */
    uint64_t send_handle, recv_handle, limit;
};

struct hws_shm_queued {
    uint8_t type;
    struct hws_shm_answer answer;
};

/* Messages sent. */
struct hws_shm_sent {
    uint64_t n, n_slow; /* all; those that did not take the short cut */
    uint64_t payload;   /* bytes */
};

/* Long messages, and middle ones (2 to 8 KiB). */
struct hws_shm_long {
    uint64_t copied_out, copied_in;  /* bytes by single copy */
    struct hws_bypass bypass;        /* of data in the ring that goes there */
    struct hws_bypass of_streams[2]; /* the same of middle messages, of which one follows the other, by length */
    uint64_t heard;                  /* rx.pos at the last middle message */
    unsigned n_unheard;              /* of these in a row, nothing having come in between */
    int sent_class;                  /* of the last one that was sent (shm/copies.h), and one; 0: none was */
    unsigned n_since;                /* that have come since */
    unsigned n_both; /* how many of the last ones came while others went there, or were about to; up to a few */
};

/* Single copies that are put off (shm/later.c). */
struct hws_shm_later {
    struct hws_shm_due {
        struct hws_shm_peer *peer;
        struct hws_recv_op *op; /* in peer's in.under_way */
        uint64_t address, send_handle;
    } * of; /* from first to before end, the oldest first */
    unsigned first, end, cap;
    uint64_t found_step; /* the next one when a receive that does not wait found a long message last; or 0 */
    bool is_rule;        /* long sends follow receives that do not wait: these put their copies off */
    bool is_vain;        /* nothing long was sent since the first of them was put off */
};

struct hws_shm_peer {
    /* out */
    uint64_t credit;        /* bytes that may still go there unexpected */
    uint64_t credit_seen;   /* of those it has given back */
    const uint32_t *asleep; /* its flag */
    uint64_t max_eager;     /* bytes */
    bool slow;              /* something is queued, or it is undecided, lost: no short cut */
    bool must_fence;
    bool undecided; /* not known yet whether it has attached */
    bool in_poll;   /* in shm->hot */
    struct hws_ring_tx tx;
    /* in */
    struct hws_ring_rx rx;
    uint64_t returned, told; /* credit given back ever, and as the peer knows it */
    uint64_t grant, in_use;  /* bytes that it may leave here unexpected, and has */
    uint64_t tell_at;        /* so much of what it has left is given back when other messages are taken */
    bool draining;           /* its record is being handled: callbacks may start receives */
    uint64_t active_step;    /* engine step of the last record */
    struct hws_shm_sent sent;
    uint64_t n_came;        /* messages */
    uint64_t n_out_of_turn; /* that came so, and are not in n_came */
    uint32_t n_put;         /* that are in the ring or were; the next one's number */
    uint32_t n_vain;        /* receives that did not wait, since one of them has found something in the ring */
    struct hws_shm_long long_ones;
    struct hws_peer *peer;
    struct hws_shm *shm;
    int local;                      /* its number in the segment */
    struct hws_shm_queued *answers; /* that found no room; n_answers of cap_answers */
    unsigned n_answers, cap_answers;
    struct hws_list busy_node; /* in shm->busy while anything is queued */
};

struct hws_shm {
    struct hws_engine *engine;
    struct hws_shm_peer *hot[HWS_SHM_HOT];
    unsigned n_hot;
    const uint32_t *bell;  /* own */
    struct hws_list busy;  /* peers with queued output, or undecided */
    struct hws_list waits; /* struct hws_area_wait, of threads that wait for something in an area */
    struct hws_shm_later later;
    unsigned n_passed; /* waits for an area that were not needed */
    struct hws_segment seg;
    struct hws_shm_peer **peers; /* [seg.n], NULL until needed */
    char offer[HWS_SEGMENT_OFFER_LEN];
    bool attached;
    bool crowded;       /* as the engine's, after attaching: waits yield instead of spinning */
    bool together;      /* threads of this rank keep to one processor (place.c) */
    unsigned n_waited;  /* counts how often that was told */
    bool beside_busy;   /* crowded, and some rank of the host computes, as of the last look (place.c) */
    uint64_t looked_ns; /* ... which was then */
    uint32_t seen_idle[HWS_SHM_LOOKED_AT]; /* and what it saw */
    uint64_t moved_ns, move_gap_ns; /* when it left a processor to another rank last, and for how long it then stays */
    bool no_single_copy;            /* process_vm_readv is forbidden or switched off, for good */
    unsigned n_direct;              /* receives in a row that took the short cut */
    uint64_t attach_ns;
    struct hws_io wake_io;
    struct hws_timer alive;      /* while asleep: looks whether peers have died */
    uint8_t *bounce;             /* for scattered receives by single copy */
    uint64_t n_single, n_double; /* long messages by single copy, through the ring */
    bool weighs;                 /* of long messages, each goes the way that has been the quicker one: */
    struct hws_copies copies[2]; /* of messages one way; of those that go both ways at once */
};

#endif
