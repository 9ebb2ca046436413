/* SPDX-License-Identifier: BSD-3-Clause
 *
 * engine: all that one process has to communicate. What each step of progress touches stands first, within a page.
 *
 *   engine --- peers[n] --- paths[k] --- socket (one connection and its state) --- lane (queues of a connected socket)
 *      \                      (a pair of interfaces, over many connections)  \--- link (tcp, mem)
 *       \--- match (posted, unexpected)
 *
 * A peer is made when it is first needed. Everything here is changed only with the engine's lock held.
 */
#ifndef HWS_PEER_STATE_ENGINE_H
#define HWS_PEER_STATE_ENGINE_H

#include <pthread.h>

#include "base/biglock.h"
#include "base/bufpool.h"
#include "base/list.h"
#include "base/pool.h"
#include "base/runq.h"
#include "match/match.h"
#include "peer/engine.h"
#include "peer/state/cede.h"
#include "peer/state/handle.h"
#include "peer/state/peer.h"
#include "peer/state/spin.h"
#include "reactor/reactor.h"

#define HWS_MAX_HOT          4  /* lanes read directly in each step: to ask epoll for all costs as much as two reads */
#define HWS_COOL_AFTER       64 /* direct reads in a row that find nothing, after which a lane is epoll's again, ... */
#define HWS_COOL_AFTER_ALONE 1024 /* ... where no step over shared memory waits for them */
#define HWS_REST_AFTER       16 /* direct reads that find something, without a sleep, after which a lane's link rests */
#define HWS_SOURCES          64
#define HWS_PROBED           4 /* sources of probes between two looks at who waits in vain */

struct hws_waiter;

/* What the next step has to do. */
struct hws_engine_work {
    uint64_t step;            /* counts steps of progress */
    uint64_t activity;        /* counts reads and writes that moved bytes */
    bool owed;                /* held-back output that must leave before the call returns; bursts of sends need not */
    bool held;                /* a burst (atomic) */
    bool stepping;            /* inside a step, which sends what is held back at its end */
    bool is_starting;         /* inside a receive that does not wait, and outside a step */
    bool frames_came;         /* some of rooms above the engine are to be handed over */
    bool probes;              /* the last probe was in vain: what comes next is likely its message */
    struct hws_list dirty;    /* lanes with held-back output */
    struct hws_list blocked;  /* lanes whose socket is full */
    struct hws_list draining; /* peers whose lanes have bulk in the kernel: their rates are measured meanwhile */
    struct hws_list acked;    /* lanes with acknowledged bytes that are not released yet */
    struct hws_list ended;    /* sockets to take down, outside callbacks: ENDING, DROPPED */
};

/* Which lanes are read directly, and when epoll is asked (state/hot.c, engine/wait.c). */
struct hws_engine_poll {
    struct hws_lane *hot[HWS_MAX_HOT];
    unsigned n_hot;
    unsigned since_cold; /* steps since epoll was asked, over all waits; those that moved something count more */
    unsigned cold_gap;   /* steps until it is asked again, as long as it finds something: that is soon */
    uint64_t asked_ns;   /* when a call that does not wait asked it last */
    uint64_t n_turns;    /* counts how often another lane than the last one had something */
    const struct hws_lane *turn; /* that one */
};

/* Threads that wait: one of them drives, the others sleep (engine/waiters.h). */
struct hws_engine_threads {
    struct hws_biglock lock;
    bool waits_alone;          /* without locking: the thread is in a wait */
    struct hws_list sleepers;  /* struct hws_waiter, asleep until their wait is over or they are to drive */
    struct hws_waiter *driver; /* makes progress, awake or asleep in the reactor; NULL: nobody does (atomic) */
    struct hws_waiter *deputy; /* of the sleepers, the one that looks whether somebody drives; NULL: none */
    uint64_t wanted_ns;        /* when the lock was first seen to be wanted in the driver's wait, or 0 */
    bool called;               /* one that slept has been woken to drive and is not here yet */
    bool due;                  /* an operation has ended: the wait of one of them may be over */
    bool settling;             /* that is being looked at */
    uint32_t n_left;           /* counts how often a driver has left (atomic) */
    uint64_t left_ns;          /* when, if nobody has begun to wait since; else 0 */
    unsigned n_short;          /* times in a row that the next wait came soon after that */
    uint64_t last_woken;       /* the thread whose wait was over last, found by the driver of now, ... */
    unsigned n_woken;          /* ... and how often in a row */
    uint64_t n_moves;          /* counts steps that moved something */
    bool stop;                 /* the progress thread is to end */
    pthread_t progress;
};

struct hws_engine_waits {
    struct hws_spin spin;
    struct hws_cede cede; /* among threads, and where ranks outnumber processors and share no memory */
    struct hws_runq runq;
    bool to_learn; /* by spin, from the end of the last wait */
    uint64_t to_learn_ns;
    unsigned n_woken;       /* ranks of this host that had been woken from here when a spin yielded for it last */
    uint64_t spared_ns;     /* when a wait last went on spinning, as others had run meanwhile */
    uint64_t look_first_ns; /* where ranks outnumber processors and some compute: time in vain before a yield */
    uint64_t ceded_ns;      /* when a test or a probe yielded last, beside such as compute, or a spin */
    unsigned n_vain;        /* counts tests and probes that found nothing */
    uint64_t n_recv_wait;   /* counts blocking receives that could not take the short cut */
};

/* See hws_engine_is_crowded(). */
struct hws_engine_cpus {
    bool is_crowded, is_wanted;
    bool is_tight;     /* each rank has one processor for a share, and not two: its threads run by turns */
    int n;             /* processors that the ranks of this host have, as far as is known */
    unsigned patience; /* so many times later than usual a waiting rank looks what may have happened: thousands that do
                        * so ten times a second leave no processor to those that work */
};

struct hws_engine_handles {
    struct hws_slot *slots;
    uint32_t cap, free;
};

/* What peers may leave here (msg/grant.c). */
struct hws_engine_account {
    uint64_t local_grant;        /* bytes that each rank of this host may have unexpected here, by shared memory */
    uint64_t granted, n_granted; /* to the connected peers, and how many they are */
};

/* Messages that may be matched before their turn, or that their senders hold back (msg/early.c, msg/hold.c). */
struct hws_engine_early {
    uint64_t
        n; /* parked messages of peers with flows that may be matched before their turn; peers that hold; n_short */
    const struct hws_match_key *wish; /* a receive or probe that is about to be: would_take knows of it; else NULL */
    uint64_t n_short;                 /* peers in shorts */
    struct hws_list shorts;           /* peers that may hold messages back for want of credit */
};

struct hws_engine_count {
    uint64_t n_connects, n_accepts, n_retries, n_refused, n_unexpected, n_eager, n_rts, n_no_credit, n_wants, n_polls,
        n_sleeps;
    uint64_t n_lanes_lost, n_lanes_back, n_resends, n_corrupt;
    uint64_t unexpected_bytes, unexpected_peak;
};

/* Accepted sockets before their proof. */
struct hws_engine_accepts {
    struct hws_list half_open;
    unsigned n;
    unsigned from[HWS_SOURCES]; /* of these, by the card at the other end */
};

struct hws_engine_looks {
    struct hws_timer drain; /* draining peers, while this process sleeps */
    uint64_t drain_ns;
    uint64_t came;           /* bytes read from all lanes */
    struct hws_timer gather; /* fills the profile; runs only with one */
    struct hws_timer watch;  /* looks after lanes with unacknowledged bytes */
    bool is_set, is_suspect; /* the watch is; some lane is */
};

/* Frames of rooms above it (peer/kinds.h). */
struct hws_engine_kinds {
    struct hws_list came;                        /* struct hws_came, whole */
    const struct hws_kinds *of[HWS_FRAME_TYPES]; /* who takes which kind; NULL: nobody */
};

/* Who waits in vain (engine/gone.c). */
struct hws_engine_gone {
    struct hws_timer idle;  /* while this process sleeps or ends */
    int stranded;           /* who was waited for at the last look; HWS_NOBODY */
    int probed[HWS_PROBED]; /* who was probed since, without a message, as far as there is room */
    unsigned n_probed;
    int next_contact;
    bool told_alone;     /* a line was printed: only a thread of this rank can end a wait */
    unsigned n_any_lost; /* see hws_engine_any_lost() */
    int any_lost;
    int missing;           /* a rank that has died without MPI_Finalize, while this one is in it; HWS_NOBODY */
    unsigned stays;        /* looks for which connections still stay open in MPI_Finalize */
    struct hws_next *next; /* engine/next.c; NULL: nobody is watched */
};

/* The launcher's descriptor. */
struct hws_engine_launcher {
    struct hws_io io;
    bool is_watched;
    void (*on_readable)(void *arg);
    void *arg;
};

struct hws_engine_tell {
    int signal; /* that asks for the counters; 0: none */
    struct hws_io io;
    char reason[HWS_REASON_LEN]; /* of hws_engine_peer_reason() */
};

/* Processes with which this one may talk: those of its own job, and of others that were made known. */
struct hws_job {
    uint64_t id;
    int first; /* number of its rank 0 as a peer */
    int n;
    unsigned char secret[32]; /* of connections to its processes */
};

struct hws_engine_jobs {
    struct hws_job **list; /* the own one first */
    int n;
    int n_peers; /* of all jobs; in the engine's peers */
};

struct hws_engine {
    /* What each step of progress touches, and matching: in the struct's first page. */
    struct hws_reactor *reactor;
    struct hws_transport *transport;
    struct hws_shm *shm;         /* once attached, else NULL */
    struct hws_shm *shm_offered; /* the same from the start; NULL: no shared memory */
    struct hws_peer **peers;
    struct hws_engine_work work;
    struct hws_engine_poll poll;
    bool big_endian;
    bool closing, ending; /* ending: MPI_Finalize has sent all out */
    uint32_t ctx_mask;    /* bits of a context that are no generation */
    uint32_t self_seq;    /* numbers messages to oneself */
    struct hws_engine_waits waits;
    struct hws_engine_threads threads;
    struct hws_engine_handles handles;
    struct hws_engine_account account;
    struct hws_engine_early early;
    struct hws_engine_count count;
    struct hws_match match;
    struct hws_pool messages;     /* struct hws_message */
    struct hws_engine_config cfg; /* first what is asked often */
    /* The rest is rarer. */
    struct hws_bufpool payloads; /* of messages, and packed ones on their way out: a flood leaves no memory behind */
    struct hws_engine_cpus cpus;
    struct hws_engine_accepts accepts;
    struct hws_engine_looks looks;
    struct hws_engine_gone gone;
    struct hws_engine_kinds kinds;
    struct hws_engine_launcher launcher;
    struct hws_engine_tell tell;
    struct hws_engine_jobs jobs;
};

/* jobs.c */
int hws_jobs_open(struct hws_engine *e); /* with the own job; HWS_OK or HWS_ENOMEM */
void hws_jobs_fini(struct hws_engine *e);
const struct hws_job *hws_jobs_find(const struct hws_engine *e, uint64_t id);   /* NULL: not known */
const struct hws_job *hws_jobs_of_peer(const struct hws_engine *e, int number); /* of a peer's number */
int hws_jobs_number(const struct hws_engine *e, uint64_t id, uint32_t rank);    /* negative: no such process */

/* hot.c */
void hws_engine_hot(struct hws_engine *e, struct hws_lane *l); /* read directly from now on */
void hws_engine_not_hot(struct hws_engine *e, struct hws_lane *l);
void hws_engine_forget_lane(struct hws_engine *e, struct hws_lane *l);
void hws_lane_found(struct hws_lane *l); /* something came on it: may make it hot */

/* lock.c */
void hws_engine_event_slow(struct hws_engine *e, struct hws_event ev) __attribute__((cold));
void hws_engine_sleep_anew(struct hws_engine *e); /* a thread that sleeps in the reactor: there is more to wait for */

static inline bool hws_engine_is_watched(const struct hws_engine *e, enum hws_event_kind kind)
{
    return __builtin_expect(e->cfg.events && (__atomic_load_n(&e->cfg.events->mask, __ATOMIC_RELAXED) & 1u << kind), 0);
}

/* An operation is done: threads that wait for it may be asleep. They are woken when the lock is given. */
static inline void hws_engine_notify(struct hws_engine *e)
{
    e->threads.due = true;
}

#endif
