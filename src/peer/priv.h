/* SPDX-License-Identifier: BSD-3-Clause
 *
 * priv: structures that only the files of src/peer share.
 *
 *   engine --- peers[n] --- paths[k] --- socket (one connection and its state) --- lane (queues of a connected socket)
 *      \                      (a pair of interfaces, over many connections)  \--- link (tcp, mem)
 *       \--- match (posted, unexpected)
 *
 * A peer is made when it is first needed. Everything here is changed only with the engine's lock held.
 */
#ifndef HWS_PEER_PRIV_H
#define HWS_PEER_PRIV_H

#include <pthread.h>

#include "base/bufpool.h"
#include "base/lifecycle.h"
#include "base/list.h"
#include "link/link.h"
#include "match/match.h"
#include "peer/attempt.h"
#include "peer/areas.h"
#include "peer/engine.h"
#include "peer/info.h"
#include "peer/spin.h"
#include "reactor/reactor.h"
#include "striping/rate.h"
#include "striping/stall.h"
#include "striping/stripe.h"
#include "wire/wire.h"

#define HWS_PREFETCH_LEN     (64u << 10)  /* of a connected lane: many small frames in one recv */
#define HWS_TAIL_LEN         1024u        /* prefetch room behind a direct read: little, so that bulk is not copied */
#define HWS_LARGE_LEN        8192u        /* a payload whose copy costs more than another recv */
#define HWS_COPY_LEN         1024u        /* up to here a queued payload is copied into the staging ring */
#define HWS_PACK_LEN         (64u << 10)  /* bytes packed into one buffer: they stay in the cache until they are sent */
#define HWS_MAX_RUNS         64           /* runs of a layout named at once */
#define HWS_STAGE_SOFT       (64u << 10)  /* beyond, sends wait in the peer's pending list */
#define HWS_BURST_FLUSH      (32u << 10)  /* a burst of held-back sends leaves when it is that long */
#define HWS_LANE_QUEUE       (256u << 10) /* bytes that bulk may have queued in a lane */
#define HWS_ENVELOPE         256u         /* credit charged for the envelope of a message: what keeping it takes here */
#define HWS_KEEP_MAX         (1u << 20)   /* copies of eager messages that a lane keeps until they are acknowledged */
#define HWS_ACK_EVERY        (64u << 10) /* received bytes after which an acknowledgment does not wait for other traffic */
#define HWS_MIN_FRAG         (16u << 10) /* least piece of bulk for one of several lanes that are fast, or of unknown rate */
#define HWS_MAX_PATHS        32
#define HWS_SETTLED          (2 * HWS_MAX_PATHS)
#define HWS_MAX_HOT          4  /* lanes read directly in each step: to ask epoll for all costs as much as two reads */
#define HWS_COOL_AFTER       64 /* direct reads in a row that find nothing, after which a lane is epoll's again, ... */
#define HWS_COOL_AFTER_ALONE 1024 /* ... where no step over shared memory waits for them */
#define HWS_REST_AFTER       16 /* direct reads that find something, without a sleep, after which a lane's link rests */
#define HWS_FRAMES_PER_READ  16 /* recv calls on one lane before others get their turn */
#define HWS_REASON_LEN       320
#define HWS_SOURCES          64

/* ---- a connected lane ----------------------------------------------------------------------------------------------
 */

enum hws_seg_kind { HWS_SEG_STAGED, HWS_SEG_USER, HWS_SEG_PACKED };

/* Bytes queued in a lane. They stay, whole, until they are released: when the kernel has taken them or, in a lane that
 * keeps, when the other end has acknowledged them. */
struct hws_seg {
    enum hws_seg_kind kind;
    const uint8_t *base; /* USER, PACKED; STAGED: in the lane's staging ring */
    size_t len;
    struct hws_send_op *op; /* USER, PACKED; NULL: nobody waits for it */
    void *packed;           /* PACKED: from the engine's payloads; NULL once it is sent and op can pack it again */
    size_t packed_len;
    uint64_t offset; /* PACKED: in op's message */
};

/* Where the payload of the frame being read goes. */
struct hws_sink {
    size_t left; /* payload bytes still to come, kept ones first, then `discard` */
    size_t discard;
    uint8_t *dst;            /* next byte, or NULL: unpack into op */
    struct hws_recv_op *op;  /* receive that takes it, or NULL */
    struct hws_message *msg; /* unexpected message that takes it, or NULL */
    uint64_t offset;         /* in the message, for unpack */
    size_t frame_len;        /* payload of the whole frame */
    uint32_t charge;         /* credit to give back at the end */
};

/* A frame in the output of a lane whose link carries messages. */
struct hws_cut {
    uint32_t len;  /* header and payload (bytes) */
    uint64_t flow; /* hws_flow(), hws_flow_exact() or 0 */
};

struct hws_lane {
    struct hws_peer *peer;
    struct hws_link *link;
    struct hws_path *path;
    bool keeps;   /* both ends keep what is not acknowledged */
    bool watched; /* its link may fall silent, and can tell */
    bool crc;
    /* out: a stream of bytes, released <= sent <= queued */
    struct hws_seg *segs; /* ring, seg_cap is a power of two */
    unsigned seg_head, seg_n, seg_cap;
    unsigned seg_cur;         /* of the seg_n, so many are sent whole */
    size_t cur_off, head_off; /* bytes sent of segment seg_cur, released of the head */
    uint8_t *stage;           /* ring of stage_cap bytes, a power of two */
    size_t stage_cap;
    uint64_t staged, staged_sent, staged_freed; /* bytes ever written into the ring, sent and released */
    uint64_t sent, released;                    /* bytes of the stream */
    uint64_t confirmed;   /* where it keeps: acknowledged, to be released at the begin of the next step */
    size_t queued_bytes;  /* not sent yet */
    struct hws_cut *cuts; /* ring of the frames that are not sent yet, cut_cap a power of two; NULL: a link of bytes */
    unsigned cut_head, cut_n, cut_cap;
    struct hws_list staged_ops;    /* sends that are done once the ring is out up to their staged_end */
    bool want_write;               /* the socket was full at the last try */
    bool armed;                    /* the reactor watches for room */
    struct hws_list blocked_node;  /* in the engine's list of lanes whose socket is full */
    struct hws_list dirty_node;    /* in the engine's list of lanes with held-back output */
    struct hws_list acked_node;    /* in the engine's list of lanes with bytes to release */
    unsigned direct_reads;         /* that found something, while hot, since the last sleep */
    bool is_hot;                   /* in the engine's list */
    unsigned idle_reads;           /* direct ones in a row that found nothing */
    uint64_t found_at;             /* the engine's n_turns when the last one found something */
    uint64_t burst_step, burst_ns; /* engine step and time of the last nonblocking send */
    /* in: a stream of frames */
    uint8_t *pre;
    size_t pre_head, pre_tail;
    bool large; /* the last frame's payload was HWS_LARGE_LEN or more */
    struct hws_sink sink;
    struct hws_frame frame;   /* the one being read */
    size_t frame_bytes;       /* of it, header and payload */
    uint32_t frame_crc;       /* of the payload so far */
    uint64_t received, acked; /* bytes of whole frames; what the other end was last told of it */
    /* measured, where there are several lanes */
    struct hws_rate rate;
    uint64_t looked_ns, backlog_then, sent_then; /* the last look at the kernel's backlog */
    struct hws_stall stall;
    bool left_bulk;                  /* to other lanes, when it was asked last */
    uint64_t latency_ns;             /* half the round trip when it was last measured; 0: not known */
    struct hws_link_silence silence; /* watch */
    uint64_t drained;                /* watch, where nothing is kept: of `sent`, what is known to have arrived */
    bool told_silent;                /* watch: the line that it is silent was printed */
    unsigned ask_s;                  /* so often the other kernel is asked whether it is there; 0: it is not */
    uint64_t suspect_ns;             /* since then: another lane over the same card has died; 0: not */
    /* counters */
    uint64_t frames_out, frames_in, sends, recvs, bytes_in;
};

/* ---- a connection -------------------------------------------------------------------------------------------------
 */

enum hws_socket_state {
    HWS_SOCKET_CLOSED,
    HWS_SOCKET_CONNECTING,
    HWS_SOCKET_AWAIT_CHALLENGE, /* the four AWAIT states, together CONNECT_ACK: which message of the hello is due */
    HWS_SOCKET_AWAIT_VERDICT,
    HWS_SOCKET_AWAIT_HELLO,
    HWS_SOCKET_AWAIT_PROOF,
    HWS_SOCKET_CONNECTED,
    HWS_SOCKET_ENDING,
    HWS_SOCKET_DROPPED
};

struct hws_socket {
    struct hws_engine *engine;
    struct hws_peer *peer; /* NULL: accepted, not yet proven */
    struct hws_link *link;
    enum hws_socket_state state;
    bool dialer;
    unsigned ask_s;   /* dialer, in the hello: so often the other kernel is asked whether it is there; 0: not yet */
    enum hws_err why; /* ENDING, DROPPED */
    int route;        /* dialer: index into the peer's routes */
    struct hws_path *path;  /* dialer: which one is to be opened; acceptor: once the proof holds */
    bool told;              /* CONNECTED: the other end has said that this connection is over ... */
    uint64_t told_received; /* ... and how much of it arrived there */
    struct hws_timer timer;
    struct hws_list node; /* accepted: in the engine's half-open list; ENDING, DROPPED: in its ended list */
    uint8_t in[HWS_CHALLENGE_LEN];
    size_t n_in;
    uint8_t hello[HWS_HELLO_LEN], challenge[HWS_HELLO_LEN]; /* as sent or received: the MACs cover them */
    struct hws_hello theirs;
    bool keeps;             /* as this end's hello says */
    uint64_t since_ns;      /* acceptor: when it was accepted */
    uint64_t connects_then; /* acceptor: the engine's n_connects when the HELLO came; CONNECTED: its own number */
    uint64_t conn_id;       /* from the hello on: the same at both ends, from the dialer's nonce */
    struct hws_lane lane;
};

/* The connection is open at both ends, and the hello is not through. */
static inline bool hws_socket_in_hello(const struct hws_socket *s)
{
    return s->state >= HWS_SOCKET_AWAIT_CHALLENGE && s->state <= HWS_SOCKET_AWAIT_PROOF;
}

static inline bool hws_socket_is_over(const struct hws_socket *s)
{
    return s->state == HWS_SOCKET_ENDING || s->state == HWS_SOCKET_DROPPED;
}

/* It was proven, so its lane is open, be it in use or to be taken down. */
static inline bool hws_socket_has_lane(const struct hws_socket *s)
{
    return s->state == HWS_SOCKET_CONNECTED || s->state == HWS_SOCKET_ENDING;
}

/* ---- a peer -------------------------------------------------------------------------------------------------------
 */

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

struct hws_peer {
    struct hws_engine *engine;
    int rank;
    struct hws_shm_peer *shm;              /* reached through shared memory: no socket then; else NULL */
    struct hws_path *paths[HWS_MAX_PATHS]; /* as numbered in the hello; NULL: not needed so far */
    int n_paths;
    struct hws_lane *up[HWS_MAX_PATHS]; /* connected lanes, in the order of their numbers */
    unsigned n_up;
    struct hws_socket *dial; /* DIALING: that one; else NULL */
    enum hws_peer_state state;
    bool noted;                            /* at the look that is under way: somebody waits for it */
    bool said_bye;                         /* BYE was sent: lanes may end from now on */
    bool leads;                            /* this end dialed the first lane, so it dials the others */
    bool wide;                             /* there was an RTS, to it or from it: several lanes are wanted */
    uint64_t rtt_us;                       /* of the last lane that came up, with four mean deviations */
    struct hws_list outages, resend, torn; /* resend: struct hws_kept to be sent again */
    uint64_t settled[HWS_SETTLED];         /* ring of connections whose outage is over, as DOWN may come twice */
    unsigned settled_next;
    uint64_t bulk_left;     /* bytes of `bulk` not yet given to a lane */
    bool ack_now;           /* a long message is whole: its sender waits for the acknowledgment */
    struct hws_timer nudge; /* a lane has left bulk to the others: ask again */
    struct hws_list draining_node;
    struct hws_list pending;   /* sends not yet given to a lane, in order; those first that were asked for */
    struct hws_list answers;   /* sends that wait for CTS or ACK */
    struct hws_list bulk;      /* sends with CTS and bytes to go */
    struct hws_list under_way; /* receives that wait for bulk */
    struct hws_list cancels;   /* struct hws_cancel_op whose answer is due */
    struct hws_list parked;    /* messages that came before their turn */
    bool holds;           /* messages of it wait unread in the kernel (or did), which counts in the engine's n_early */
    unsigned n_passed;    /* numbers that were passed; every so often what waits is read */
    bool flows;           /* messages of one tag come in order, those of different tags may not: msg/early.c */
    uint64_t credit;      /* eager bytes this process may still send there */
    uint64_t credit_owed; /* eager bytes consumed here and not yet told */
    uint64_t in_use;      /* eager bytes of theirs that are not consumed yet: never more than was granted */
    uint64_t grant;       /* eager bytes that it may have unexpected here */
    struct hws_seq_row *seqs;
    unsigned seq_cap, seq_n;
    struct hws_seq_row *seq_last;
    struct hws_route *routes;
    int n_routes;
    int n_pairs, lanes_per_pair; /* routes that get lanes, and how many each */
    struct hws_attempt attempt;
    char reason[HWS_REASON_LEN];
    struct hws_list short_node;     /* in the engine's list of peers that may hold messages back */
    struct hws_wishes wishes, told; /* of it, to be fulfilled here; told to it */
    /* counters */
    struct hws_traffic gone; /* of lanes that are closed */
    uint64_t n_sent, n_came, n_connects, n_retries, n_unexpected;
    unsigned n_awaited; /* looks in a row at which it was waited for, see conn/ask.c */
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

/* ---- an unexpected message ----------------------------------------------------------------------------------------
 */

struct hws_message {
    struct hws_match_node match; /* key and, while unmatched, place in the unexpected queue */
    struct hws_list node;        /* in the peer's parked list */
    struct hws_peer *peer;       /* NULL: from this process */
    uint64_t msg_len;
    uint32_t have, received; /* payload bytes of the first fragment, and how many are here */
    uint8_t *data;           /* have bytes; NULL when none */
    uint64_t send_handle;
    uint64_t address; /* shared memory: of a long message in its sender; 0: not to be read there */
    uint8_t type;     /* enum hws_frame_type; shared memory: enum hws_shm_type */
    bool passed;      /* parked: only its number is left, it was matched before its turn */
    uint32_t seq, ctx, charge;
    struct hws_send_op *self_op; /* from this process, not copied */
    struct hws_recv_op *claimed; /* matched while the payload is still coming */
};

/* ---- the engine ---------------------------------------------------------------------------------------------------
 */

/* One table holds both; a peer that names a send where a receive is due must not be believed. */
enum hws_handle_kind { HWS_HANDLE_SEND, HWS_HANDLE_RECV, HWS_HANDLE_CANCEL };

struct hws_slot {
    void *op;
    enum hws_handle_kind kind;
    uint32_t generation;
    uint32_t next_free;
};

#define HWS_PROBED 4 /* sources of probes between two looks at who waits in vain */

struct hws_engine {
    /* What each step of progress touches, and matching: in the struct's first page. */
    struct hws_reactor *reactor;
    struct hws_transport *transport;
    struct hws_shm *shm;         /* once attached, else NULL */
    struct hws_shm *shm_offered; /* the same from the start; NULL: no shared memory */
    struct hws_peer **peers;
    struct hws_list dirty;    /* lanes with held-back output */
    struct hws_list blocked;  /* lanes whose socket is full */
    struct hws_list draining; /* peers whose lanes have bulk in the kernel: their rates are measured meanwhile */
    struct hws_list acked;    /* lanes with acknowledged bytes that are not released yet */
    struct hws_list ended;    /* sockets to take down, outside callbacks: ENDING, DROPPED */
    struct hws_lane *hot[HWS_MAX_HOT];
    unsigned n_hot;
    unsigned since_cold; /* steps since epoll was asked, over all waits; those that moved something count more */
    unsigned cold_gap;   /* steps until it is asked again, as long as it finds something: that is soon */
    uint64_t n_turns;    /* counts how often another lane than the last one had something */
    const struct hws_lane *turn; /* that one */
    unsigned waiters;            /* threads in cond_wait */
    unsigned lock_waiters;       /* threads that want the mutex (atomic) */
    bool polling;                /* some thread drives the reactor */
    bool to_learn;               /* by spin, from the end of the last wait */
    bool owed;     /* held-back output that must leave before the call returns; bursts of sends need not */
    bool held;     /* a burst (atomic) */
    bool stepping; /* inside a step, which sends what is held back at its end */
    bool big_endian;
    bool closing, ending;        /* ending: MPI_Finalize has sent all out */
    bool is_crowded, wants_cpus; /* see hws_engine_is_crowded() */
    int n_cpus;                  /* processors that the ranks of this host have, as far as is known */
    struct hws_spin spin;
    uint64_t to_learn_ns;
    uint64_t step;     /* counts steps of progress */
    uint64_t activity; /* counts reads and writes that moved bytes */
    pthread_mutex_t mutex;
    pthread_cond_t cond;
    uint64_t n_recv_wait; /* counts blocking receives that could not take the short cut */
    bool notes_due;       /* a message on cfg.note_ctx has come */
    uint32_t ctx_mask;    /* bits of a context that are no generation */
    uint64_t n_early;     /* parked messages of peers with flows that may be matched before their turn; peers that hold;
                             n_short */
    const struct hws_match_key *wish; /* a receive or probe that is about to be: would_take knows of it; else NULL */
    struct hws_slot *slots;
    uint32_t slot_cap, slot_free;
    uint32_t self_seq;           /* numbers messages to oneself */
    uint64_t local_grant;        /* bytes that each rank of this host may have unexpected here, by shared memory */
    uint64_t granted, n_granted; /* to the connected peers, and how many they are */
    uint64_t n_short;            /* peers in shorts */
    struct hws_list shorts;      /* peers that may hold messages back for want of credit */
    /* counters */
    uint64_t n_connects, n_accepts, n_retries, n_refused, n_unexpected, n_eager, n_rts, n_no_credit, n_wants, n_polls,
        n_sleeps;
    uint64_t n_lanes_lost, n_lanes_back, n_resends, n_corrupt;
    uint64_t unexpected_bytes, unexpected_peak;
    struct hws_match match;
    struct hws_pool messages;     /* struct hws_message */
    struct hws_engine_config cfg; /* first what is asked often */
    /* The rest is rarer. */
    struct hws_bufpool payloads; /* of messages, and packed ones on their way out: a flood leaves no memory behind */
    struct hws_list half_open;   /* accepted sockets before their proof */
    unsigned n_half_open;
    unsigned half_open_from[HWS_SOURCES]; /* of these, by the card at the other end */
    struct hws_timer look;                /* draining peers, while this process sleeps */
    uint64_t looked_ns;
    struct hws_timer watch; /* looks after lanes with unacknowledged bytes */
    bool watched, suspects; /* the timer is set; some lane is suspect */
    struct hws_timer idle;  /* engine/gone.c, while this process sleeps or ends */
    int stranded;           /* who was waited for at the last look; HWS_NOBODY */
    int probed[HWS_PROBED]; /* who was probed since, without a message, as far as there is room */
    unsigned n_probed;
    int next_contact;
    bool told_alone;     /* a line was printed: only a thread of this rank can end a wait */
    unsigned n_any_lost; /* see hws_engine_any_lost() */
    int any_lost;
    /* launcher's descriptor */
    struct hws_io watch_io;
    bool watching;
    void (*watch_fn)(void *arg);
    void *watch_arg;
    int tells; /* signal that asks for the counters; 0: none */
    struct hws_io tell_io;
    bool stop_thread;
    pthread_t thread;
    char reason[HWS_REASON_LEN];
};

void hws_engine_tell_end(struct hws_engine *e); /* engine/tell.c */

/* engine/engine.c */
struct hws_peer *hws_engine_peer(struct hws_engine *e, int rank);
void hws_engine_begin_spin(struct hws_engine *e);
void hws_engine_limit_frames(struct hws_engine *e); /* to what fits into a message of the transport */
uint64_t hws_handle_new(struct hws_engine *e, enum hws_handle_kind kind, void *op);           /* 0: no memory */
void *hws_handle_get(const struct hws_engine *e, enum hws_handle_kind kind, uint64_t handle); /* NULL: no such one */
void hws_handle_free(struct hws_engine *e, uint64_t handle);
void hws_engine_detach(struct hws_socket *s);                  /* its peer knows it no longer */
void hws_engine_hot(struct hws_engine *e, struct hws_lane *l); /* read directly from now on */
void hws_engine_not_hot(struct hws_engine *e, struct hws_lane *l);
void hws_engine_forget_lane(struct hws_engine *e, struct hws_lane *l);
void hws_lane_found(struct hws_lane *l); /* something came on it: may make it hot */

/* engine/gone.c */
#define HWS_NOBODY (-3)
void hws_engine_on_idle(struct hws_timer *t);
void hws_engine_note_probe(struct hws_engine *e, int source); /* of that rank, or any; nothing was there */
bool hws_engine_may_strand(
    struct hws_engine *e); /* before a sleep; true: a timer was set, so who sleeps already must be woken */

/* conn/ask.c: a look at who is waited for, by a process that sleeps. any: everybody is; else who has an operation under
 * way, or is `noted`. */
void hws_engine_ask(struct hws_engine *e, bool any);

/* peer.c */
void hws_peer_each_lane(struct hws_peer *p, void (*fn)(struct hws_lane *l, void *arg),
                        void *arg); /* CONNECTED and ENDING */
struct hws_peer *hws_peer_new(struct hws_engine *e, int rank);
void hws_peer_free(struct hws_peer *p);
struct hws_seq_row *hws_peer_seq_slow(struct hws_peer *p, uint32_t ctx); /* NULL: no memory */
extern const struct hws_lifecycle hws_peer_states;
void hws_peer_become(struct hws_peer *p, enum hws_peer_state next); /* the only writer of the state */
int hws_peer_on_bye(struct hws_peer *p);                            /* an error where no BYE may come */
void hws_peer_lose(struct hws_peer *p, enum hws_err why, const char *fmt, ...)
    __attribute__((cold, format(printf, 3, 4))); /* GONE if it was LEAVING */
void hws_peer_gone(struct hws_peer *p, const char *fmt, ...)
    __attribute__((cold, format(printf, 2, 3))); /* MPI_Finalize parts it from this rank */
const char *hws_peer_name(const struct hws_peer *p, char *dst, size_t len);

/* conn/connect.c */
void hws_peer_connect(struct hws_peer *p); /* if it is UNUSED */
void hws_peer_dial_failed(struct hws_peer *p, struct hws_socket *s, enum hws_err err, const char *why);
void hws_peer_connected(struct hws_peer *p, struct hws_socket *s);
/* How long this end waits for an answer to a dial (-tcpconnect), or to a hello (-tcphello). At first it is less: a
 * route is silent more often than slow, and what comes back is soon noticed; the kernel alone would try again after 1,
 * 3 and 7 s. A peer that was reached before is dialed still more briefly and often. */
uint64_t hws_peer_dial_ms(const struct hws_socket *s, bool connected);
void hws_peer_dial_refused(struct hws_peer *p, struct hws_socket *s); /* the other end's own connection is on its way */
void hws_peer_reconnect(struct hws_peer *p, int lane);          /* its last lane has died, which had that number */
struct hws_path *hws_peer_path(struct hws_peer *p, int number); /* makes it; NULL: no such number, or no memory */

/* A dial waits only for the process there: its kernel has just shown that it lives. Says so after a while. Returns for
 * how long, in ms, that is so. */
uint64_t hws_peer_shows_life(struct hws_peer *p, const struct hws_link *l);

/* conn/knock.c */
void hws_peer_knock(struct hws_peer *p, int route); /* it did not answer there: is its host up? */
void hws_peer_end_knock(struct hws_peer *p);

/* conn/paths.c: several lanes */
struct hws_path *hws_path_new(struct hws_peer *p, int number);
/* A socket for the path's lane, over that route, for the caller to start. Else an error, and why[] says what went
 * wrong. */
int hws_path_dial(struct hws_path *path, int route, char *why, size_t why_len);
void hws_path_retry(struct hws_path *path);                             /* dials it again after a while */
void hws_path_end_wait(struct hws_path *path);                          /* no longer */
void hws_path_up(struct hws_path *path, struct hws_socket *s);          /* s is connected */
bool hws_path_leave(struct hws_path *path, const struct hws_socket *s); /* s is it no longer; false: it was not */
extern const struct hws_lifecycle hws_path_states;
void hws_peer_init_nudge(struct hws_peer *p);
void hws_peer_widen(struct hws_peer *p); /* there is bulk: open the other lanes */
void hws_peer_lane_up(struct hws_peer *p, struct hws_lane *l);
void hws_peer_lane_down(struct hws_peer *p, struct hws_lane *l);   /* out of use at once; the socket ends later */
void hws_peer_lane_lost(struct hws_peer *p, struct hws_socket *s); /* a connected socket has ended, its peer goes on */
void hws_peer_hold_all(struct hws_peer *p);                        /* every lane looks for work at the next step */
struct hws_lane *hws_peer_pick_lane(struct hws_peer *p, uint64_t bytes);
uint64_t hws_peer_bulk_for(struct hws_lane *l, uint64_t max_frag); /* bytes of bulk this lane shall take now */
/* How much of a message's `len` bytes its first fragment, at most `most`, shall carry over this lane, one of several:
 * they carry the rest from its answer on, a round trip later. */
uint64_t hws_peer_first_part(struct hws_lane *l, uint64_t len, uint64_t most);
void hws_engine_look(struct hws_engine *e); /* at what drains, if it is time */
void hws_engine_on_look(struct hws_timer *t);

/* conn/watch.c */
void hws_engine_watch_lanes(struct hws_engine *e);
void hws_engine_on_watch(struct hws_timer *t);
void hws_lane_watch_end(struct hws_lane *l, enum hws_err why); /* the lane ends so: a last look */
void hws_engine_suspect(struct hws_engine *e,
                        const struct hws_link *dead); /* who shares its cards is looked at closely */

/* peer.c */
void hws_peer_each_lane(struct hws_peer *p, void (*fn)(struct hws_lane *l, void *arg),
                        void *arg);        /* CONNECTED and ENDING */
void hws_peer_ack_all(struct hws_peer *p); /* acknowledges what came on every lane */

/* lane/kept.c: what a dead connection leaves behind */
int hws_kept_take(struct hws_lane *l, uint64_t conn_id, struct hws_outage **out); /* empties the lane's queue */
void hws_kept_settle(struct hws_peer *p, struct hws_outage *o, uint64_t received);
void hws_kept_put(struct hws_lane *l, struct hws_list *kept);     /* queues one again and frees it */
void hws_kept_add(struct hws_peer *p, const struct hws_frame *f); /* a frame without payload, for when a lane is up */
bool hws_kept_is_settled(const struct hws_peer *p, uint64_t conn_id); /* nothing that comes on it counts any more */
int hws_kept_on_down(struct hws_lane *l, const struct hws_frame *f);
void hws_kept_fail_all(struct hws_peer *p, enum hws_err why);
bool hws_kept_has_messages(const struct hws_peer *p); /* whole ones, whose sends are done */

/* conn/socket.c */
struct hws_socket *hws_socket_new(struct hws_engine *e, struct hws_peer *p, struct hws_link *l, bool dialer);
void hws_socket_start(struct hws_socket *s);
void hws_socket_free(struct hws_socket *s);
void hws_socket_end(struct hws_socket *s, enum hws_err why)
    __attribute__((cold)); /* out of use at once; the engine frees it soon */
void hws_engine_on_accept(void *engine, struct hws_link *l);
void hws_socket_leave_half_open(struct hws_socket *s);
extern const struct hws_lifecycle hws_socket_states;

/* conn/auth.c: the challenge and the response (libsodium crypto_auth). role: "acceptor" or "dialer". */
int hws_auth_init(void); /* before the first of them; again costs nothing */
void hws_auth_nonce(uint8_t nonce[HWS_NONCE_LEN]);
void hws_auth_mac(const uint8_t secret[32], const char *role, const uint8_t hello[HWS_HELLO_LEN],
                  const uint8_t challenge[HWS_HELLO_LEN], uint8_t mac[HWS_MAC_LEN]);
/* A key for something else than the hello; purpose is shorter than a transcript, so the two never meet. */
void hws_auth_key(const uint8_t secret[32], const char *purpose, uint8_t key[HWS_LINK_KEY_LEN]);
bool hws_auth_check(const uint8_t secret[32], const char *role, const uint8_t hello[HWS_HELLO_LEN],
                    const uint8_t challenge[HWS_HELLO_LEN], const uint8_t mac[HWS_MAC_LEN]);

/* lane/out.c */
int hws_lane_open(struct hws_lane *l, struct hws_socket *s);
void hws_lane_close(struct hws_lane *l);
void hws_lane_put(struct hws_lane *l, const void *bytes, size_t n); /* copies into the staging ring */
void hws_lane_put_user(struct hws_lane *l, struct hws_send_op *op, const void *base, size_t n);
/* of payloads, and takes it over; offset: where it begins in the message; op NULL: nobody waits for it */
void hws_lane_put_packed(struct hws_lane *l, struct hws_send_op *op, uint64_t offset, void *packed, size_t n);
void hws_lane_frame(struct hws_lane *l, struct hws_frame *f);  /* header only; adds owed credit */
void hws_lane_header(struct hws_lane *l, struct hws_frame *f); /* the same with the frame's own credit */
void hws_lane_advance(struct hws_lane *l, size_t n);           /* the kernel has taken n queued bytes */
int hws_lane_on_ack(struct hws_lane *l, uint32_t ack);         /* only notes it: a message comes with it */
void hws_engine_settle_acks(struct hws_engine *e);             /* releases what was noted */
void hws_lane_ack(struct hws_lane *l);                         /* acknowledges with the next write */
bool hws_lane_flush(struct hws_lane *l);                       /* writes what the link takes; true: it took some */
void hws_lane_hold(struct hws_lane *l);                        /* flush at the end of the step or call */
void hws_lane_hold_burst(struct hws_lane *l);                  /* flush at the next call that may send all */
void hws_lane_on_writable(struct hws_lane *l);
void hws_lane_set_blocked(struct hws_lane *l, bool on); /* the link is full; or takes bytes again */
void hws_lane_arm(struct hws_lane *l);                  /* before sleeping: have the reactor watch for room */

/* All that is queued is sent (perhaps not acknowledged). */
static inline bool hws_lane_has_room(const struct hws_lane *l)
{
    return l->staged - l->staged_sent < HWS_STAGE_SOFT && l->queued_bytes < HWS_LANE_QUEUE &&
           l->staged - l->staged_freed < HWS_KEEP_MAX;
}

static inline bool hws_lane_is_sent(const struct hws_lane *l)
{
    return l->queued_bytes == 0;
}

/* lane/cut.c: links that carry messages, one for each frame */
int hws_lane_open_cuts(struct hws_lane *l);
void hws_lane_cut(struct hws_lane *l, size_t len, const struct hws_frame *f);    /* a frame of that length was begun */
bool hws_lane_tells_credit(const struct hws_lane *l, const struct hws_frame *f); /* false: the frame may wait unread */
bool hws_lane_flush_cuts(struct hws_lane *l);

/* What keeps the order of frames over such a link: those of one context and tag; all that belong to no message. */
static inline uint32_t hws_flow(uint32_t ctx, int32_t tag)
{
    return (ctx * 0x9e3779b1u + (uint32_t)tag) | 1u << 31;
}

/* The same without two having one number: over a link that leaves unread what is not wanted, none may wait behind
 * another. */
static inline uint64_t hws_flow_exact(uint32_t ctx, int32_t tag)
{
    return ((uint64_t)ctx << 31 | (uint32_t)tag) + 1;
}

/* lane/in.c */
bool hws_lane_read(struct hws_lane *l); /* true: something came */

/* The engine's own fields of a send that begins. */
static inline void hws_send_op_init(struct hws_engine *e, struct hws_send_op *op)
{
    op->engine = e;
    op->done = op->answer_due = op->taken_back = op->numbered = op->is_asked = false;
    op->err = HWS_OK;
    op->handle = op->offset = op->limit = 0;
    op->n_queued = 0;
    hws_list_init(&op->node);
}

/* msg/send.c */
void hws_send_start(struct hws_peer *p, struct hws_send_op *op, bool hold);
void hws_send_to_lost(struct hws_peer *p, struct hws_send_op *op); /* its end, at once */
bool hws_send_pump(struct hws_peer *p, struct hws_lane *l);        /* true: queued something */
void hws_send_out(struct hws_send_op *op);                         /* its queued bytes are in the kernel */
bool hws_send_take_back(struct hws_peer *p, uint64_t handle); /* the receiver has forgotten it; false: no such send */

/* msg/hold.c: messages held back for want of credit. The sender's side: */
void hws_hold_settle(struct hws_peer *p); /* the wishes are met: what is wanted goes first */
void hws_hold_waits(struct hws_peer *p, const struct hws_send_op *op);    /* it was put into the pending list */
void hws_hold_taken_back(struct hws_peer *p);                             /* some send was taken out of the list */
uint8_t hws_hold_flags(struct hws_peer *p, const struct hws_send_op *op); /* of its RTS, when it goes without credit */
void hws_hold_on_want(struct hws_peer *p, uint32_t ctx, int32_t tag, uint32_t list, bool is_posted);
void hws_hold_accepted(struct hws_peer *p, struct hws_send_op *op); /* an offer is; it is still in the pending list */
int hws_hold_on_decline(struct hws_peer *p, uint64_t handle, bool again);
/* The receiver's: */
void hws_hold_shortens(struct hws_peer *p)
    __attribute__((cold)); /* a message came: perhaps no other can without credit given back */
void hws_hold_wish(struct hws_engine *e, const struct hws_match_key *key,
                   bool is_posted); /* if n_short: a receive, or a probe, has found nothing */
void hws_hold_answered(struct hws_peer *p, uint32_t ctx, int32_t tag); /* a message came that was wished for */
void hws_hold_judged(struct hws_peer *p, uint32_t ctx, int32_t tag);   /* an offer was taken or declined */
void hws_hold_end(struct hws_peer *p);

/* msg/grant.c */
uint32_t hws_grant_first(void); /* what a hello grants */
uint64_t hws_grant_local(const struct hws_engine_config *cfg);
void hws_grant_greet(struct hws_peer *p);  /* it is connected for the first time */
void hws_grant_adjust(struct hws_peer *p); /* to its share, before credit is told */
void hws_grant_end(struct hws_peer *p);

/* msg/cancel.c */
int hws_cancel_on_ask(struct hws_peer *p, const struct hws_frame *f);
int hws_cancel_on_answer(struct hws_peer *p, const struct hws_frame *f);
void hws_cancel_fail_all(struct hws_peer *p);
void hws_cancel_pending(struct hws_peer *p, struct hws_send_op *op);             /* takes back one that has not left */
bool hws_cancel_end_offer(struct hws_peer *p, uint64_t send_handle, bool taken); /* true: somebody had asked for it */
int hws_cancel_end(struct hws_peer *p, uint64_t handle, bool taken);             /* the answer is yes or no */
bool hws_cancel_forget(struct hws_engine *e, const struct hws_match_key *key, uint32_t seq,
                       uint32_t *charge); /* true: it was here */
void hws_send_finish(struct hws_engine *e, struct hws_send_op *op, enum hws_err err);
int hws_send_on_cts(struct hws_peer *p, const struct hws_frame *f);
int hws_send_on_ack(struct hws_peer *p, const struct hws_frame *f);
void hws_send_fail_all(struct hws_peer *p, enum hws_err why);

/* msg/early.c: messages of peers with flows that come before their turn */
int hws_recv_early(struct hws_lane *l, const struct hws_frame *f, const struct hws_match_key *key,
                   struct hws_recv_op **op);
/* One that this receive or probe may have before its turn; NULL: none. `take`: it leaves the list. What waits unread
 * for it is read soon; for a probe, `sure`, as nothing is posted. */
struct hws_message *hws_recv_find_early(struct hws_engine *e, const struct hws_match_key *key, bool take, bool sure);
bool hws_recv_would_take(void *socket, const uint8_t *head, size_t n); /* for struct hws_link */
void hws_recv_want_held(struct hws_engine *e, const struct hws_match_key *key,
                        bool sure);       /* if n_early: what waits unread for that */
void hws_recv_parked(struct hws_peer *p); /* a message waits for its turn: what is left unread of older generations may
                                             be in front of it */
uint64_t hws_recv_judge_early(struct hws_peer *p,
                              const struct hws_frame *f); /* CANCEL of a message whose turn has not come */

/* msg/recv.c */
int hws_recv_on_first(struct hws_lane *l, const struct hws_frame *f); /* sets the sink */
int hws_recv_on_bulk(struct hws_lane *l, const struct hws_frame *f);
int hws_recv_tear(struct hws_lane *l); /* the connection died within a frame */
void hws_recv_body_done(struct hws_lane *l);
bool hws_recv_eager_fast(struct hws_lane *l, const struct hws_frame *f, const uint8_t *payload);
void hws_recv_self(struct hws_engine *e, struct hws_send_op *op);
void hws_recv_fail_all(struct hws_peer *p, enum hws_err why);
void hws_recv_fail_any(struct hws_peer *p,
                       enum hws_err why);       /* receives from any source; p was the last one that could have sent */
void hws_recv_forget_all(struct hws_engine *e); /* at the engine's end: messages that nobody received */
/* For `have` bytes of payload, which the caller fills in. NULL: no memory. */
struct hws_message *hws_message_new(struct hws_engine *e, struct hws_peer *p, const struct hws_match_key *key,
                                    uint32_t have);
void hws_recv_queue_unexpected(struct hws_engine *e, struct hws_message *m);
void hws_recv_notes(struct hws_engine *e) __attribute__((cold)); /* if notes_due */
void hws_message_free(struct hws_engine *e, struct hws_message *m);
void hws_recv_tell_credit(struct hws_peer *p);                      /* sends what is owed now */
void hws_recv_send_answer(struct hws_peer *p, struct hws_frame *f); /* a frame without payload */

/* engine/figures.c */
void hws_engine_event_slow(struct hws_engine *e, struct hws_event ev) __attribute__((cold));
void hws_lane_account(struct hws_lane *l); /* before it closes: its counters stay with the peer */

static inline bool hws_engine_is_watched(const struct hws_engine *e, enum hws_event_kind kind)
{
    return __builtin_expect(e->cfg.events && (e->cfg.events->mask & 1u << kind), 0);
}

/* engine/wait.c */
void hws_engine_step(struct hws_engine *e, bool hot_only);
void hws_engine_notify_slow(struct hws_engine *e) __attribute__((cold));
void hws_engine_send_held(struct hws_engine *e) __attribute__((cold)); /* all of it, unless a step does so anyway */

/* The end of each call that does no step, with the lock: what it owes to others leaves now, be it an answer, credit or
 * a question. A call that starts a nonblocking operation may leave a burst of sends held back (docs/decisions/005), any
 * other one sends that, too. */
static inline void hws_engine_leave(struct hws_engine *e, bool may_hold)
{
    if (__builtin_expect(e->owed || (e->held && !may_hold), 0))
        hws_engine_send_held(e);
}

/* An operation is done: threads that wait for it may be asleep. */
static inline void hws_engine_notify(struct hws_engine *e)
{
    if (__builtin_expect(e->cfg.locking, 0))
        hws_engine_notify_slow(e);
}

/* The message numbers of a context with a peer. NULL: no memory. */
static inline struct hws_seq_row *hws_peer_seq(struct hws_peer *p, uint32_t ctx)
{
    struct hws_seq_row *last = p->seq_last;
    return __builtin_expect(last && last->ctx_plus_1 == ctx + 1, 1) ? last : hws_peer_seq_slow(p, ctx);
}

/* A message's bytes have left the engine's memory. */
static inline void hws_recv_give_credit(struct hws_peer *p, uint32_t charge)
{
    p->in_use -= charge;
    p->credit_owed += charge;
    if (__builtin_expect(p->credit_owed >= p->grant / 2, 0))
        hws_recv_tell_credit(p);
}

static inline void hws_recv_finish(struct hws_engine *e, struct hws_recv_op *op, enum hws_err err)
{
    if (op->handle)
        hws_handle_free(e, op->handle);
    op->handle = 0;
    op->err = err;
    void (*on_done)(struct hws_recv_op *) = op->on_done;
    op->done = true;
    if (on_done)
        on_done(op);
    hws_engine_notify(e);
}

/* There is no credit even for an envelope. Where the link leaves unread what nobody wants, it bounds what comes itself.
 */
static inline bool hws_hold_must_wait(const struct hws_peer *p)
{
    return p->credit < HWS_ENVELOPE && !(p->n_up && p->up[0]->link->offer_again);
}

/* The lane for a first fragment or an answer; NULL: none is up. */
static inline struct hws_lane *hws_peer_lane(struct hws_peer *p, uint64_t bytes)
{
    return __builtin_expect(p->n_up <= 1, 1) ? p->up[0] : hws_peer_pick_lane(p, bytes);
}

static inline uint32_t hws_peer_take_credit(struct hws_peer *p)
{
    uint32_t c = p->credit_owed > UINT32_MAX ? UINT32_MAX : (uint32_t)p->credit_owed;
    p->credit_owed -= c;
    return c;
}

#endif
