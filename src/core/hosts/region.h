/* SPDX-License-Identifier: BSD-3-Clause
 *
 * region: memory that the ranks of a communicator on one host share, laid out for operations that they do together one
 * after another. Such an operation (a turn) uses one of several cells: a slot for each rank's data, a tree of meeting
 * points and a word that says that the turn is ready.
 *
 *   left:  wanted | rank 0 | rank 1 | .. | rank n-1                            one cache line each
 *   cell:  ready | node 1 .. node n-1 | slot 0 | slot 1 | .. | slot n-1       meeting points: one cache line each
 *
 * All ranks take the same turns in the same order, so they know without a word which cell each turn has. A turn that
 * each rank waits in until all have come (`joint`) tells a rank at its end that the others have left all earlier turns,
 * whose cells are then free. Ranks that leave other turns early may come back to a cell that somebody still reads: they
 * look, in a line for each rank, who has left which turn.
 *
 * Meeting: the ranks are the leaves of a binary tree. Of the two that come to a node the later one goes on upwards,
 * with what both sides have; the last of all reaches the root. So a rank need not run again before the turn is ready,
 * whatever the order in which they come, and what is combined is combined in the order of ranks, always with the same
 * brackets.
 *
 * Two members need no tree: each one's slot says in which turn it was filled, and each waits for the other one's. So
 * the word and short data are one cache line, and nobody combines for somebody else who waits meanwhile.
 */
#ifndef HWS_CORE_REGION_H
#define HWS_CORE_REGION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bypass.h"
#include "base/pages.h"

#define HWS_REGION_LONG  6 /* classes of long pieces, by powers of two from 8 KiB on */
#define HWS_REGION_CELLS 4 /* for turns with data; one more for those without */

/* Turns and words only grow and never come round: a cell may not be used for 2^32 turns and longer. */
struct hws_region_line {
    _Alignas(64) uint64_t value;
    uint64_t ways;  /* in left[0]: what member 0 has chosen for long blocks (coll/shm/direct.h) */
    uint64_t given; /* a turn that this member has still to look at, though the others have all that they need of it */
};

/* What stands before a rank's data. */
struct hws_region_slot {
    _Alignas(16) uint64_t bytes; /* of what follows; HWS_SLOT_BAD: of no use, the ranks' lengths differ */
    uint32_t error;              /* MPI class of what failed where the data comes from; with HWS_SLOT_BAD */
    uint32_t words;              /* then: so many bytes of data are the sentence about it */
    uint64_t come;               /* the last turn of two members in which it was filled */
    _Alignas(16) uint8_t data[];
};

#define HWS_SLOT_BAD UINT64_MAX

struct hws_region;
struct hws_direct;

/* How ranks wait for each other; the engine, or a test's own. */
struct hws_region_net {
    int (*wait)(struct hws_region *r, const uint64_t *word, uint64_t value); /* until *word >= value; MPI class */
    void (*wake)(struct hws_region *r, int to);                              /* a member, -1: all */
    void (*pass)(struct hws_region *r);                                      /* a wait was not needed */
};

struct hws_turn {
    uint8_t *cell;
    int number; /* of the cell */
    uint64_t turn;
    bool joint;
    uint64_t goal; /* value of a node when its second side has come, in this turn */
};

struct hws_comm;

/* A turn in which this member has given what is due, and need not see what the others have put there before it goes on:
 * it looks when it takes its next turn. */
struct hws_region_later {
    int (*look)(struct hws_region *r, const struct hws_region_later *l); /* waits, looks, ends the turn. NULL: none */
    struct hws_turn turn;
    struct hws_comm *comm;
    int kind, root; /* of the call, as its form counts kinds */
    uint32_t tag;
    uint64_t limit; /* bytes */
};

struct hws_region {
    int n, me;   /* members, own number among them */
    size_t room; /* bytes of data that a slot takes; the same at all members */
    /* the rest is region.c's own */
    struct hws_region_line *left; /* left[1 + n]; in the area, as the cells are */
    uint8_t *cells;
    size_t cell_len, slot_len;
    uint64_t turn, last_joint, last_use[HWS_REGION_CELLS + 1]; /* 0: never */
    uint64_t met[HWS_REGION_CELLS + 1];                        /* turns with meetings in each cell so far */
    size_t there[HWS_REGION_CELLS];            /* bytes of the own slots whose pages came ahead of their first use */
    struct hws_bypass bypass[HWS_REGION_LONG]; /* of long pieces that are put into the own slots */
    uint64_t seen; /* of two members: a turn that the other one had come to, so it has left all before */
    bool broken;   /* a member has died: of no use any more */
    int late;      /* MPI class of what a look at an earlier turn has found; its sentence is late_words */
    char *late_words;
    struct hws_region_later later;
    int area;
    int *locals;               /* locals[n], owned */
    struct hws_direct *direct; /* malloc'ed by coll/shm/direct.c; NULL: none yet */
    const struct hws_region_net *net;
};

/* A word that is waited for has come to that value. */
static inline bool hws_region_is_at(const uint64_t *word, uint64_t value)
{
    return __atomic_load_n(word, __ATOMIC_ACQUIRE) >= value;
}

/* Lays r out in len_bytes of zeros at mem. False: too small for n. */
bool hws_region_init(struct hws_region *r, void *mem, size_t len_bytes, int n, int me);

/* The next turn. data: it needs slots. writes: this rank puts something into its cell. MPI class: it may have to wait.
 */
int hws_region_begin(struct hws_region *r, bool joint, bool data, bool writes, struct hws_turn *t);

static inline struct hws_region_slot *hws_region_slot(const struct hws_region *r, const struct hws_turn *t, int rank)
{
    return (struct hws_region_slot *)(void *)(t->cell + (size_t)r->n * 64 + (size_t)rank * r->slot_len);
}

/* The own slot, which is about to get so many bytes of data. */
static inline struct hws_region_slot *hws_region_own(struct hws_region *r, const struct hws_turn *t, uint64_t bytes)
{
    struct hws_region_slot *s = hws_region_slot(r, t, r->me);
    hws_pages_ahead(s, r->slot_len, &r->there[t->number], sizeof *s + bytes);
    return s;
}

/* Meets the others: combine(arg, left, right) is called for two sides when both are there: left is the last
 * member of the left side, right that of the right one, and each side's result is kept by its last member. True: all
 * are here, and this rank has come last. */
bool hws_region_meet(struct hws_region *r, const struct hws_turn *t, void (*combine)(void *arg, int left, int right),
                     void *arg);

/* Says that the turn is ready: to a member, or to all (-1). */
void hws_region_release(struct hws_region *r, const struct hws_turn *t, int to);

/* Waits until it is. MPI class. */
int hws_region_await(struct hws_region *r, const struct hws_turn *t);

/* The meeting of a region of two members, in a turn with slots, instead of the three above; a cell may have turns of
 * both kinds. gives: this member's slot is filled. takes: it waits until the other one's is. MPI class. */
int hws_region_meet_other(struct hws_region *r, const struct hws_turn *t, bool gives, bool takes);

/* The turn is looked at later, at the next one. */
void hws_region_look_later(struct hws_region *r, struct hws_region_later later);
/* That look, now, if there is one to be had; it may wait. What it finds is kept. MPI class: of the waiting. */
int hws_region_settle(struct hws_region *r);
/* What looks have found since this was called last. MPI class, with the sentence. */
int hws_region_take_late(struct hws_region *r);

/* This rank is done with it, successfully. */
static inline void hws_region_end(struct hws_region *r, const struct hws_turn *t)
{
    if (t->joint)
        r->last_joint = t->turn;
    __atomic_store_n(&r->left[1 + r->me].value, t->turn, __ATOMIC_RELEASE);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (__builtin_expect(__atomic_load_n(&r->left[0].value, __ATOMIC_RELAXED), 0))
        r->net->wake(r, -1);
}

/* ---- of communicators ---- */

struct hws_group;

/* An area for n ranks of this host; -1: there is none. */
int hws_region_take(int n);
/* The region of a group in it. NULL: no memory. */
struct hws_region *hws_region_of_area(const struct hws_group *g, int area);
/* Gives the area back; from the last of its ranks it is free. NULL allowed. */
void hws_region_drop(struct hws_region *r);

#endif
