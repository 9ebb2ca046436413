/* SPDX-License-Identifier: BSD-3-Clause
 *
 * peer: one remote process, its paths, the order of its messages, and what is under way to it and from it. Everything
 * here is changed only with the engine's lock held.
 */
#ifndef HWS_PEER_STATE_PEER_H
#define HWS_PEER_STATE_PEER_H

#include "base/lifecycle.h"
#include "base/limits.h"
#include "peer/info.h"
#include "peer/state/attempt.h"
#include "peer/state/lane.h"

struct hws_engine;
struct hws_job;
struct hws_route;
struct hws_shm_peer;
struct hws_socket;

#define HWS_ENVELOPE    256u        /* credit charged for the envelope of a message: what keeping it takes here */
#define HWS_GRANT_FIRST (20u << 10) /* what a hello grants: one full eager message and its envelope fit */
#define HWS_SETTLED     (2 * HWS_MAX_LANES) /* outages remembered: those of all lanes that died, twice */
#define HWS_REASON_LEN  320

/* From LEAVING on it no longer takes part, from GONE on it is over. */
enum hws_peer_state {
    HWS_PEER_UNUSED,
    HWS_PEER_DIALING,
    HWS_PEER_BACKOFF,
    HWS_PEER_DOWN,
    HWS_PEER_UP,
    HWS_PEER_DYING,
    HWS_PEER_LEAVING,
    HWS_PEER_GONE,
    HWS_PEER_LOST
};

/* The numbers of messages go on over all generations of a context, so both ends always agree about them. */
struct hws_seq_row {
    uint32_t ctx_plus_1; /* of the generation that was looked up last; 0: free */
    uint32_t send_next, recv_next;
};

enum hws_path_state { HWS_PATH_UNUSED, HWS_PATH_DIALING, HWS_PATH_UP, HWS_PATH_WAITING };

/* The place of a lane: it outlives its connections. */
struct hws_path {
    struct hws_peer *peer;
    enum hws_path_state state; /* written in conn/paths.c, as is the socket */
    int number;                /* in the hello */
    struct hws_socket *socket; /* DIALING, UP; else NULL */
    unsigned rounds;           /* failed dials since the last connection, for the back-off */
    struct hws_timer retry;    /* WAITING: then it is dialed again, beside other lanes; it may run on while DIALING */
    bool told_lost;            /* the line that it is lost was printed, the one that it is back is due */
    char text[160];            /* the last connection's ends */
    uint64_t n_connects, n_failures, n_resends;
    struct hws_traffic gone; /* of connections that are over */
    struct hws_stall stall;  /* for the next connection: a card that loses packets is no better for it */
};

/* A connection that is over: what it carried and nobody has acknowledged, until the other end has told how much
 * arrived. */
struct hws_outage {
    struct hws_list node; /* in the peer's outages */
    struct hws_list kept; /* struct hws_kept, in order */
    uint64_t conn_id;
};

/* A first fragment whose connection died within its payload; it comes again. */
struct hws_torn {
    struct hws_list node;
    uint32_t ctx, seq;
    struct hws_sink sink;
};

/* A message that a receive or probe waits for (msg/hold.c). */
struct hws_wish {
    uint32_t ctx;
    int32_t tag;    /* or HWS_WIRE_ANY_TAG */
    bool found;     /* a message that fits is on its way out */
    bool is_posted; /* a receive that names the tag: it may come out of turn */
    bool again;     /* the wish came anew while an answer to an offer was due */
};

struct hws_wishes {
    struct hws_wish *w;
    unsigned n, cap;
    uint32_t number; /* of the list: those of older ones no longer count */
    uint32_t max;    /* told: how many, before a new list is begun */
    bool look;       /* some may be for what waits in the pending list */
};

/* What dead connections left behind (lane/kept.c). */
struct hws_peer_kept {
    struct hws_list outages;
    struct hws_list resend;        /* struct hws_kept to be sent again */
    uint64_t settled[HWS_SETTLED]; /* ring of connections whose outage is over, as DOWN may come twice */
    unsigned settled_next;
};

/* Sends under way. */
struct hws_peer_out {
    uint64_t bulk_left;      /* bytes of `bulk` not yet given to a lane */
    struct hws_list pending; /* not yet given to a lane, in order; those first that were asked for */
    struct hws_list answers; /* that wait for CTS or ACK */
    struct hws_list bulk;    /* with CTS and bytes to go */
    struct hws_list cancels; /* struct hws_cancel_op whose answer is due */
    struct hws_list frames;  /* struct hws_frame_op: no room, or no connection yet */
    unsigned n_late;         /* answers to messages that had come before their receive, less those to others */
};

/* Receives under way, and messages out of turn. */
struct hws_peer_in {
    struct hws_list under_way; /* receives that wait for bulk */
    struct hws_list parked;    /* messages that came before their turn */
    struct hws_list torn;
    bool ack_now;      /* a long message is whole: its sender waits for the acknowledgment */
    bool holds;        /* messages of it wait unread in the kernel (or did), which counts in the engine's n_early */
    bool flows;        /* messages of one tag come in order, those of different tags may not: msg/early.c */
    unsigned n_passed; /* numbers that were passed; every so often what waits is read */
    struct hws_came *frame_part; /* shared memory: the frame of which some pieces have come; or NULL */
};

/* Eager bytes (msg/grant.c). */
struct hws_peer_account {
    uint64_t credit; /* this process may still send there */
    uint64_t owed;   /* consumed here and not yet told */
    uint64_t in_use; /* of theirs that are not consumed yet: never more than was granted */
    uint64_t grant;  /* that it may have unexpected here */
};

/* The numbers of messages by context: a hash table. */
struct hws_peer_order {
    struct hws_seq_row *rows;
    unsigned cap, n;
    struct hws_seq_row *last;
};

/* Where it is. */
struct hws_peer_reach {
    struct hws_route *routes;
    int n_routes;
    int n_pairs, lanes_per_pair; /* routes that get lanes, and how many each */
};

#define HWS_MIDDLE_LEN 4096u /* a message that is worth a lane of its own */

/* How bulk is shared out to its lanes (lane/share.c). */
struct hws_peer_share {
    struct hws_timer nudge; /* a lane has left bulk to the others: ask again */
    struct hws_list node;   /* in the engine's list of those that drain */
    uint64_t n_holds;       /* of all lanes: another is first each time */
    uint64_t began_ns;      /* when there was bulk again, which a message from there may cross; 0: none is likely */
    unsigned may_announce;  /* so many more times one is */
    uint64_t middle;        /* bytes of messages of HWS_MIDDLE_LEN and more, both ways, since middle_ns */
    uint64_t middle_ns;     /* when the first of them was counted */
    unsigned n_slow;        /* times in a row that many of them took long */
    unsigned n_whole;       /* messages that one of several lanes took alone, though they are not short ... */
    unsigned n_to_watch;    /* ... of which so many are to be looked at */
    const struct hws_lane *back; /* something came by it since a message was sent; it may be gone: compare only */
};

/* While it is awaited, which of several lanes is read (engine/wait.c): numbers among those that are up. */
struct hws_peer_turns {
    unsigned last; /* had something when it was read last */
    unsigned next; /* of the others */
    bool has_found;
};

/* Messages held back for want of credit (msg/hold.c). */
struct hws_peer_hold {
    struct hws_list short_node;     /* in the engine's list of peers that may hold messages back */
    struct hws_wishes wishes, told; /* of it, to be fulfilled here; told to it */
};

struct hws_peer_count {
    struct hws_traffic gone; /* of lanes that are closed */
    uint64_t n_sent, n_came, n_connects, n_retries, n_unexpected;
    uint64_t n_queued;     /* of the messages sent, those that did not leave at once, by one system call */
    uint64_t payload_sent; /* bytes of the messages sent */
};

struct hws_peer {
    struct hws_engine *engine;
    int number;                            /* by which all above this room knows it: its place in the engine's peers */
    struct hws_shm_peer *shm;              /* reached through shared memory: no socket then; else NULL */
    struct hws_path *paths[HWS_MAX_LANES]; /* as numbered in the hello; NULL: not needed so far */
    int n_paths;
    struct hws_lane *up[HWS_MAX_LANES]; /* connected lanes, in the order of their numbers */
    unsigned n_up;
    struct hws_socket *dial; /* DIALING: that one; else NULL */
    enum hws_peer_state state;
    bool noted;         /* at the look that is under way: somebody waits for it */
    unsigned n_awaited; /* looks in a row at which it was waited for, see conn/ask.c */
    bool said_bye;      /* BYE was sent: lanes may end from now on */
    bool opens_lanes;   /* this end dialed the first lane, so it dials the others */
    bool wide;          /* there was an RTS, to it or from it: several lanes are wanted */
    uint64_t rtt_us;    /* of the last lane that came up, with four mean deviations */
    struct hws_peer_out out;
    struct hws_peer_in in;
    struct hws_peer_account account;
    struct hws_peer_order order;
    struct hws_peer_kept kept;
    struct hws_peer_share share;
    struct hws_peer_turns turns;
    struct hws_peer_hold hold;
    struct hws_peer_reach reach;
    struct hws_attempt attempt;
    struct hws_peer_count count;
    const struct hws_job *job;
    int rank; /* in its job: with that, what both ends know it by */
    char reason[HWS_REASON_LEN];
};

/* Nothing goes there or comes from there any more. */
static inline bool hws_peer_is_over(const struct hws_peer *p)
{
    return p->state >= HWS_PEER_GONE;
}

/* It is over, or will be soon: its BYE came. */
static inline bool hws_peer_is_leaving(const struct hws_peer *p)
{
    return p->state >= HWS_PEER_LEAVING;
}

extern const struct hws_lifecycle hws_peer_states;
void hws_peer_become(struct hws_peer *p, enum hws_peer_state next); /* the only writer of the state */
int hws_peer_on_bye(struct hws_peer *p);                            /* an error where no BYE may come */
const char *hws_peer_name(const struct hws_peer *p, char *dst, size_t len);
struct hws_seq_row *hws_peer_seq_slow(struct hws_peer *p, uint32_t ctx); /* NULL: no memory */

/* The message numbers of a context with a peer. NULL: no memory. */
static inline struct hws_seq_row *hws_peer_seq(struct hws_peer *p, uint32_t ctx)
{
    struct hws_seq_row *last = p->order.last;
    return __builtin_expect(last && last->ctx_plus_1 == ctx + 1, 1) ? last : hws_peer_seq_slow(p, ctx);
}

static inline uint32_t hws_peer_take_credit(struct hws_peer *p)
{
    uint32_t c = p->account.owed > UINT32_MAX ? UINT32_MAX : (uint32_t)p->account.owed;
    p->account.owed -= c;
    return c;
}

#endif
