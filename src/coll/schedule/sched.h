/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sched: a collective operation as a list of steps, so that one algorithm serves the blocking, nonblocking and
 * persistent form. A builder appends steps; the executor runs them in their order:
 *   - copy and reduce run at once, where they stand;
 *   - send and recv are started and left in flight;
 *   - a fence holds everything after it back until all that was started before it is complete.
 * What lies between two fences is a round. A local step of a round sees the data that earlier rounds received, never
 * that of its own round, and runs while the messages started before it in the round are on their way.
 *
 * Between two ranks messages match in the order of their steps, so one tag serves the whole schedule.
 *
 * After an error the fences open: all messages that are left are started at once, the receives to take what others have
 * sent already, the sends as a note that this rank has failed, so that whoever waits for them fails too instead of
 * waiting for ever. Nothing more is computed, and the schedule completes with the error. A note is two messages: no
 * bytes where some are due (one where none are), then, with a tag of its own, the MPI class of what failed and the
 * sentence about it, which each rank so learns and passes on.
 *
 * The builder calls return nothing: a failure is kept in `rc`, and hws_sched_start (sched_run.h) refuses to run
 * the schedule.
 */
#ifndef HWS_COLL_SCHED_H
#define HWS_COLL_SCHED_H

#include "coll/schedule/data.h"
#include "core/comm/comm.h"
#include "core/op/op.h"
#include "core/type/datatype.h"
#include "peer/ops.h"

struct hws_sched;
struct hws_step;
struct hws_sched_net;
/* A step that is not the engine's; it lives in the schedule's memory. */
struct hws_sched_other {
    void (*start)(struct hws_sched_other *o, struct hws_step *st); /* ends with hws_sched_other_done() */
};

enum hws_step_kind { HWS_STEP_SEND, HWS_STEP_RECV, HWS_STEP_COPY, HWS_STEP_REDUCE, HWS_STEP_OTHER };

/* The second message of a note; of the words it has as many as there are. Without memory for them it is the class. */
struct hws_note {
    int32_t why; /* MPI class */
    char words[252];
};

struct hws_step {
    uint8_t kind;          /* enum hws_step_kind */
    bool fence;            /* wait for all started before */
    bool counted;          /* its completion has been seen in this run */
    bool token;            /* a message of no bytes */
    bool notes;            /* the second message of a note is due */
    int32_t why;           /* its class */
    int rank;              /* the other side's, in its group; for messages */
    struct hws_note *note; /* the one that is being received, owned; NULL: it has no words */
    struct hws_sched *sched;
    union {
        struct hws_send_op send;
        struct hws_recv_op recv;
        struct {
            struct hws_data src, dst;
        } copy;
        struct {
            const struct hws_op *op;
            const void *in;
            void *inout;
            MPI_Count n;
            struct hws_type *type;
        } reduce;
        struct hws_sched_other *other;
    } u;
};

struct hws_sched_chunk;

/* What went wrong first. */
struct hws_sched_failure {
    int rc;                /* MPI class of a failure while building */
    enum hws_err err;      /* first failure while running */
    int peer;              /* in the job: where it failed first */
    int32_t why;           /* MPI class of what failed at that peer, as its note says; 0: no note */
    struct hws_note *note; /* what the own notes say, or the first one said that came; NULL: none, no memory */
    uint64_t got, room;    /* bytes, of a message of wrong length */
};

/* What stays until the schedule goes. */
struct hws_sched_held {
    struct hws_sched_chunk *chunks; /* temporary buffers, owned */
    struct hws_type **types;        /* types[n_types] */
    int n_types, cap_types;
    struct hws_op *op; /* or NULL */
};

struct hws_sched {
    /* for builders: the group whose ranks `rank` arguments mean */
    int rank, size; /* own rank (MPI_UNDEFINED in a remote group), size */
    bool lenient;   /* a message may be shorter than the receive's room (v and w forms) */
    bool abreast;   /* the sends that follow are HWS_ABREAST */
    /* the rest is for sched*.c */
    uint32_t ctx;
    int32_t tag;
    const struct hws_group *group;
    const int *ranks; /* ranks[size]: what `rank` arguments mean in the group; NULL: themselves */
    struct hws_comm *comm;
    struct hws_step *steps; /* steps[cap_steps], owned; never moves once started */
    int n_steps, cap_steps;
    int next;    /* the next step to run */
    int pending; /* messages in flight */
    bool fence_due, running, persistent;
    bool hollow; /* without memory for data: it runs only as one that fails, see hws_sched_hollow */
    volatile bool complete;
    struct hws_sched_failure fail;
    int32_t tag_local; /* intercommunicator: the tag inside the local group; -1: none taken yet */
    const struct hws_sched_net *net;
    void *net_arg;                            /* tests */
    void (*on_complete)(struct hws_sched *s); /* or NULL; from inside progress, may free s */
    void *owner;
    uint64_t look_bytes; /* on_complete's, for hws_cast_looked() */
    struct hws_sched_held held;
};

/* An empty schedule for one collective on c, over the group that c's ranks count in. Takes the next collective tag of
 * c, on every rank the same. From the cache where possible. NULL: no memory. */
struct hws_sched *hws_sched_new(struct hws_comm *c, bool persistent);
/* Drops what it holds; the schedule itself is kept for the next one where it is not too large. */
void hws_sched_free(struct hws_sched *s);
/* Frees the cached schedule (MPI_Finalize). */
void hws_sched_fini(void);

/* Following steps address the local group of an intercommunicator, or again the remote one. Each call changes over, so
 * the two take turns, local first. */
void hws_sched_use_local(struct hws_sched *s);
void hws_sched_use_remote(struct hws_sched *s);

/* Following steps address ranks[n] of the group by their places; own place: me. NULL: all again, as themselves. The
 * array must stay until the next call. Parts of a schedule that follow one another may share pairs of ranks: messages
 * match in the order of steps, and all ranks append the parts in one order. */
void hws_sched_use_ranks(struct hws_sched *s, const int *ranks, int n, int me);

/* A message. No step is made for no bytes: both sides know the length. Tokens are messages of no bytes (barrier). */
void hws_sched_send(struct hws_sched *s, struct hws_data d, int rank);
void hws_sched_recv(struct hws_sched *s, struct hws_data d, int rank);
void hws_sched_send_token(struct hws_sched *s, int rank);
void hws_sched_recv_token(struct hws_sched *s, int rank);

/* Copies as many bytes as src has; a shorter dst makes the schedule fail with MPI_ERR_TRUNCATE. */
void hws_sched_copy(struct hws_sched *s, struct hws_data src, struct hws_data dst);

/* inout[i] = in[i] op inout[i]: `in` is the left operand. */
void hws_sched_reduce(struct hws_sched *s, const struct hws_op *op, const void *in, void *inout, MPI_Count n,
                      struct hws_type *t);

/* The steps that follow wait until all before are complete. */
void hws_sched_fence(struct hws_sched *s);

/* Temporary memory that lives as long as the schedule. Never NULL (on failure rc is set and the address is not usable).
 * temp: for data, which only steps touch; array: for what the builder itself writes and reads. */
void *hws_sched_array(struct hws_sched *s, uint64_t bytes);
void *hws_sched_temp(struct hws_sched *s, uint64_t bytes);
/* Room for n elements; the address is that of element 0's origin, as of a user's buffer. */
void *hws_sched_temp_typed(struct hws_sched *s, MPI_Count n, const struct hws_type *t);

/* Bytes [at, at + n) of whole's packed stream. */
struct hws_data hws_sched_slice(struct hws_sched *s, struct hws_data whole, uint64_t at, uint64_t n);

/* Keeps t or op alive until the schedule goes (nonblocking and persistent forms). */
void hws_sched_hold_type(struct hws_sched *s, struct hws_type *t);
void hws_sched_hold_op(struct hws_sched *s, struct hws_op *op);

/* Empties a schedule for which there was no memory, to be built again without any for data: started, it makes itself
 * and the others fail with MPI_ERR_NO_MEM, who else would wait for this rank. False: it was built so already. */
bool hws_sched_hollow(struct hws_sched *s);

#endif
