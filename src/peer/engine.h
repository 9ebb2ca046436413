/* SPDX-License-Identifier: BSD-3-Clause
 *
 * engine: what core sees of everything below it. One engine holds the reactor, the peers and the matching of one
 * process (tests hold several). Peers are numbered 0..n-1, their rank in MPI_COMM_WORLD; the engine knows no
 * communicator, datatype or handle.
 *
 * Descriptors (struct hws_send_op, struct hws_recv_op) are the caller's memory, embedded in its request, and must stay
 * until `done` is set. The engine is single threaded: with locking on, every function here takes the engine's
 * lock itself, and hws_engine_wait() gives it up while it blocks.
 */
#ifndef HWS_PEER_ENGINE_H
#define HWS_PEER_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include "base/errors.h"
#include "base/list.h"
#include "base/params.h"
#include "match/match.h"

struct hws_cpus_sum;

#define HWS_ANY_PEER (-1)
#define HWS_ANY_TAG  (-2) /* the value of MPI_ANY_TAG; user tags are >= 0 */
#define HWS_TAG_UB   0x7fffffff

/* How the bytes of a message lie in memory when they are not one run. pack and unpack copy n bytes from byte `offset`
 * of the packed message; offset + n never exceeds the message. Source: TEG's data-type engine that starts at any
 * offset.
 *
 * runs names the memory of the same bytes instead: it fills at most max entries of iov, in order, and returns how many;
 * *covered: the bytes in them, > 0. NULL: the runs are so short that copying is cheaper. */
struct hws_layout {
    void (*pack)(const struct hws_layout *l, const void *base, uint64_t offset, void *dst, size_t n);
    void (*unpack)(const struct hws_layout *l, void *base, uint64_t offset, const void *src, size_t n);
    int (*runs)(const struct hws_layout *l, const void *base, uint64_t offset, size_t n, struct iovec *iov, int max,
                size_t *covered);
};

struct hws_data {
    void *base;                      /* borrowed until done */
    uint64_t len_bytes;              /* of the packed message, or the room for it */
    const struct hws_layout *layout; /* NULL: contiguous at base */
};

enum hws_send_mode { HWS_STANDARD, HWS_SYNC, HWS_READY, HWS_BUFFERED };

struct hws_engine;

struct hws_send_op {
    /* filled by the caller */
    struct hws_data data;
    int peer;     /* 0..n_peers-1 */
    uint32_t ctx; /* context id of communicator and kind of traffic */
    int32_t tag;
    enum hws_send_mode mode;                 /* BUFFERED is treated as STANDARD: core has copied */
    void (*on_done)(struct hws_send_op *op); /* or NULL; called once from inside progress, may start other operations */
    /* set by the engine */
    volatile bool done;
    enum hws_err err; /* valid once done */
    /* the engine's own */
    struct hws_list node; /* in the peer's pending, staged, answer or bulk list */
    uint64_t handle;      /* own descriptor while an answer is due, else 0 */
    uint64_t recv_handle; /* the receiver's, from the CTS */
    uint64_t offset;      /* bytes handed to the lane so far */
    uint64_t limit;       /* bytes that the receiver takes */
    struct hws_engine *engine;
    uint64_t staged_end; /* position in the lane's staging ring after which it is out */
    uint32_t seq;
    uint32_t n_queued; /* segments in the lane that still point at the user's buffer */
    bool answer_due;   /* a CTS or ACK must come */
    bool numbered;     /* seq is set: it has left the peer's pending list */
    bool is_asked;     /* it goes without credit, as its receiver waits for it or one behind it */
    bool taken_back;   /* done, with HWS_ECANCELLED, once no segment points at the user's buffer */
};

/* The question whether a send can be taken back. */
struct hws_cancel_op {
    /* filled by the caller: of the send, as they are once it is started */
    int peer;
    uint32_t ctx, seq;
    int32_t tag;
    struct hws_send_op *send;                 /* looked at only in the call; NULL: it is done and perhaps gone */
    void (*on_done)(struct hws_cancel_op *c); /* or NULL */
    /* set by the engine */
    volatile bool done;
    bool taken; /* no receive will ever see the message; the send ends with HWS_ECANCELLED, if it was not
                   done before */
    /* the engine's own */
    struct hws_list node; /* in the peer's list of questions */
    uint64_t handle;      /* while the answer is due, else 0 */
    uint64_t send_handle; /* of the send, if it waited for an answer itself */
};

struct hws_recv_op {
    /* filled by the caller */
    struct hws_data data; /* len_bytes: the room */
    int peer;             /* or HWS_ANY_PEER */
    uint32_t ctx;
    int32_t tag; /* or HWS_ANY_TAG */
    void (*on_done)(struct hws_recv_op *op);
    /* set by the engine */
    volatile bool done;
    enum hws_err err; /* HWS_ETRUNCATE: the buffer was filled, from_len tells the true length */
    int from_peer;    /* with HWS_EPEERDEAD and its like: who is lost, or HWS_ANY_PEER */
    int32_t from_tag;
    uint64_t from_len; /* bytes of the message */
    /* the engine's own */
    struct hws_match_node match; /* in the posted queue */
    struct hws_list node;        /* in the peer's list of receives under way */
    uint64_t received;           /* bytes in place so far */
    uint64_t expect;             /* bytes to come in all: the shorter of message and room */
    uint64_t handle;             /* own descriptor while bulk is due, else 0 */
};

/* A message that was taken out of the unexpected queue by a matched probe (MPI_Mprobe). */
struct hws_message;

struct hws_envelope {
    int peer;
    int32_t tag;
    uint64_t len_bytes;
};

struct hws_engine;
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
    unsigned mask;                                /* bit per kind: those that are wanted */
    volatile bool due;                            /* have `deliver` called when a wait leaves the engine */
    void (*on_event)(const struct hws_event *ev); /* lock held, inside progress: must not call the engine */
    void (*deliver)(void);                        /* without the lock; may call anything */
};

struct hws_engine_config {
    int n_peers;            /* processes of the job */
    int me;                 /* own number */
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
    const char *(*peer_name)(void *arg, int peer); /* "rank 3 on host h1", for messages; or NULL */
    /* Called once when a peer is lost while the job still runs. */
    void (*on_peer_lost)(void *arg, int peer, enum hws_err why, const char *text);
    /* Called right before, if messages go with it whose sends were done: no operation is left that could fail. Or NULL.
     */
    void (*on_messages_lost)(void *arg, int peer, enum hws_err why, const char *text);
    struct hws_event_sink *events; /* or NULL */
    unsigned
        generation_bits; /* highest bits of a context: how often the others have been used, hws_engine_ctx_begin() */
    /* Messages on that context are handed over as they come, from inside progress and with the lock held. NULL: there
     * are none. */
    uint32_t note_ctx;
    void (*on_note)(void *arg, const void *bytes, size_t len); /* arg: lookup_arg */
    struct hws_params params;
};

/* Creates the engine and its listeners. *out owned by the caller until hws_engine_fini(). On failure err gets one line.
 */
int hws_engine_open(const struct hws_engine_config *cfg, struct hws_engine **out, char *err, size_t err_len);

/* The own address card for the exchange, one line of printable text without spaces; valid until fini. */
const char *hws_engine_card(const struct hws_engine *e);

/* Shared memory with the ranks of this host. The first of them offers: a word for the others, "" if there is none; they
 * attach with it before the first message, the first one too. A failure is no error: those ranks talk over TCP. */
const char *hws_engine_shm_offer(const struct hws_engine *e);
void hws_engine_shm_attach(struct hws_engine *e, const char *offer);

/* Whether the ranks of this host are too many for their processors. The engine knows its own processors only, where
 * mpirun has not told their number, and the other ranks' when it has attached to shared memory. While it still wants
 * the others', they may be given to it another way. */
bool hws_engine_is_crowded(const struct hws_engine *e);
bool hws_engine_wants_cpus(const struct hws_engine *e);
void hws_engine_take_cpus(struct hws_engine *e, const struct hws_cpus_sum *sum);

/* Sends out all that is queued; returns when every byte is in the kernel or its peer is lost. */
void hws_engine_flush(struct hws_engine *e);

/* The same, then tells all peers that nothing more will come. From then on progress ends what peers still wait for from
 * this rank (engine/gone.c). Only hws_engine_fini() may follow, after a wait for the others. */
void hws_engine_end(struct hws_engine *e);

/* Closes every connection and listener, frees everything. Call hws_engine_end() and a job-wide barrier first. */
void hws_engine_fini(struct hws_engine *e);

/* Starts a send or a receive. The result is always in op->done and op->err, perhaps already on return. Never blocks. */
void hws_engine_send(struct hws_engine *e, struct hws_send_op *op);
void hws_engine_recv(struct hws_engine *e, struct hws_recv_op *op);

/* The same, and waits until it is done: with a short cut for messages that come through shared memory. */
void hws_engine_recv_wait(struct hws_engine *e, struct hws_recv_op *op);

/* As hws_engine_send, but leaves at once, never held back for coalescing. */
void hws_engine_send_at_once(struct hws_engine *e, struct hws_send_op *op);

/* The same for a lone blocking send, not within a callback: where credit is short, progress is made first. */
void hws_engine_send_now(struct hws_engine *e, struct hws_send_op *op);

/* Sends what a burst of nonblocking sends has left held back; nothing to do costs a load. For a call that finds all
 * complete and so makes no progress, and where it is known that the burst is over. */
void hws_engine_push(struct hws_engine *e);

/* Takes a receive back that has not been matched. True: it is done with HWS_ECANCELLED. */
bool hws_engine_cancel_recv(struct hws_engine *e, struct hws_recv_op *op);

/* Asks for a send, done or not, to be taken back. Never blocks; the answer is in c->done and c->taken, perhaps already
 * on return. It is no when the peer is lost or finalizes. */
void hws_engine_cancel_send(struct hws_engine *e, struct hws_cancel_op *c);

/* Looks for an unexpected message (MPI_Iprobe): after one step of progress if need be. True: *env filled. */
bool hws_engine_probe(struct hws_engine *e, int peer, uint32_t ctx, int32_t tag, struct hws_envelope *env);

/* The same, and takes the message out of matching (MPI_Improbe). NULL: none. To be received exactly once. */
struct hws_message *hws_engine_mprobe(struct hws_engine *e, int peer, uint32_t ctx, int32_t tag,
                                      struct hws_envelope *env);
/* How often so far receives from any source have failed because of a peer, and the last one of these. A probe of any
 * source that waits when the number grows is to fail with them. */
unsigned hws_engine_any_lost(struct hws_engine *e, int *peer);

void hws_engine_mrecv(struct hws_engine *e, struct hws_message *m, struct hws_recv_op *op);

/* Before the first operation on contexts ctx .. ctx + n_kinds - 1, of a generation that is new here. All processes are
 * through with the earlier ones; messages of these that nobody has received are dropped. */
void hws_engine_ctx_begin(struct hws_engine *e, uint32_t ctx, int n_kinds);

/* One step of progress without blocking. True: something moved. */
bool hws_engine_progress(struct hws_engine *e);

/* Blocks (spin, then reactor) until *flag is true. */
void hws_engine_wait(struct hws_engine *e, const volatile bool *flag);

/* Blocks until pred(arg) is true; pred is called again after each step in which something moved. With locking on it is
 * called with the lock held. */
void hws_engine_wait_until(struct hws_engine *e, bool (*pred)(void *arg), void *arg);

/* Has all waits look at their flag or predicate again: something that no message changes has changed (a generalized
 * request is complete). From any thread. */
void hws_engine_wake(struct hws_engine *e);

/* Takes and gives the engine's lock (recursive; nothing when locking is off): for state of core that callbacks touch.
 */
void hws_engine_lock(struct hws_engine *e);
void hws_engine_unlock(struct hws_engine *e);

/* Has the reactor call on_readable(arg) when fd is readable (the launcher's descriptor). fd < 0 ends it. */
void hws_engine_watch(struct hws_engine *e, int fd, void (*on_readable)(void *arg), void *arg);

/* The reasons why a peer is lost, one line, valid until the next call; "" if it isn't. */
const char *hws_engine_peer_reason(struct hws_engine *e, int peer);

/* Counters by name, for MPI_T, -v and the tests. */
struct hws_counter {
    const char *name, *unit;
    uint64_t value;
};
/* Fills at most n; returns how many there are. e NULL: names and units, all values 0. Call with the engine's lock. */
size_t hws_engine_counters(const struct hws_engine *e, struct hws_counter *out, size_t n);

struct hws_traffic {
    uint64_t bytes_out, bytes_in, frames_out, frames_in, send_calls, recv_calls;
};

struct hws_lane_info {
    char name[160]; /* the pair of addresses */
    bool is_up;
    struct hws_traffic traffic;
    int number;                           /* the same at both ends */
    uint64_t connects, failures, resends; /* connections made; lost or not made; frames sent again on it */
    uint64_t rate;                        /* measured drain (bytes/s); 0: not measured, as it is with a single lane */
    uint64_t queued_bytes;                /* handed over and not yet in the kernel */
};

/* The lanes to a peer, in an order that stays. Fills at most n; returns how many there are. Call with the lock. */
size_t hws_engine_lanes(const struct hws_engine *e, int peer, struct hws_lane_info *out, size_t n);

enum hws_reach { HWS_REACH_UNUSED, HWS_REACH_CONNECTING, HWS_REACH_CONNECTED, HWS_REACH_LOST };

struct hws_peer_info {
    enum hws_reach state;
    struct hws_traffic traffic; /* of all its lanes, those that are gone too */
    uint64_t messages_out, messages_in;
    uint64_t connects, retries;            /* connections made, attempts that failed */
    uint64_t unexpected, unexpected_bytes; /* its messages that wait here now; bytes with envelopes */
    uint64_t credit;                       /* bytes that may still be sent there without a receive */
};

/* All zero for a peer that nothing was exchanged with. Call with the lock. */
void hws_engine_peer_info(const struct hws_engine *e, int peer, struct hws_peer_info *out);

/* Writes the counters of all lanes to standard error. Call with the lock. */
void hws_engine_tell(const struct hws_engine *e);

/* The same whenever this signal comes, until the engine's end; nothing if the program handles the signal itself. */
void hws_engine_tell_on(struct hws_engine *e, int number);

/* ---- memory shared by ranks of this host ----------------------------------------------------------------------------
 *
 * An area is a piece of it, zero at first, which some ranks of this host use as they like. One of them takes it and
 * tells the others its number; each of them gives it back. */
/* The number of a peer among the ranks that share this host's memory, this process included; -1: it is not one of them.
 */
int hws_engine_local(const struct hws_engine *e, int peer);

/* The first of those; -1: this process shares no memory. */
int hws_engine_first_local(const struct hws_engine *e);

/* n_users: how many will give it back. -1: there is none. */
int hws_engine_area_take(struct hws_engine *e, int n_users);
void *hws_engine_area(const struct hws_engine *e, int area, size_t *len_bytes); /* NULL: no such area */
void hws_engine_area_give(struct hws_engine *e, int area);

/* Waiting for what others do in an area. */
struct hws_area_wait {
    /* filled by the caller */
    bool (*is_over)(void *arg); /* looks at the area only; cheap */
    void *arg;
    const int *locals; /* locals[n]: those who must be alive until then, by hws_engine_local */
    int n;
    bool (*has_done)(void *arg, int i); /* locals[i] has done its part of what is waited for; looks at the area only */
    /* set by the engine */
    int lost; /* the peer that has died meanwhile, or called MPI_Finalize instead; -1: none */
    struct hws_list node;
};

/* Blocks until is_over(), or one of the others has died or is in MPI_Finalize without its part done; messages move
 * meanwhile. */
void hws_engine_area_wait(struct hws_engine *e, struct hws_area_wait *w);

/* After a store that ends waits of these: wakes those of them that sleep. */
void hws_engine_area_wake(struct hws_engine *e, const int *locals, int n);

/* Now and then instead of a wait that was not needed, so that messages move. */
void hws_engine_area_pass(struct hws_engine *e);

/* Whether a parameter counts while an engine runs; the others count at its start only. */
bool hws_engine_is_tunable(const struct hws_param_row *row);

/* Takes one parameter over from `from` while the engine runs. False: it is not tunable. */
bool hws_engine_tune(struct hws_engine *e, const struct hws_param_row *row, const struct hws_params *from);

#endif
