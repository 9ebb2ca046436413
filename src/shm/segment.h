/* SPDX-License-Identifier: BSD-3-Clause
 *
 * segment: the memory that the ranks of one job on one host share: who is attached, who sleeps, whose bell rang,
 * a ring (ring.h) for each ordered pair, and areas that some of the ranks take for what they do together. One rank,
 * the first, makes it and offers it; the others attach.
 *
 * It is a memory file without a name, found through the maker's descriptor in /proc: nothing lies in /dev/shm, whose
 * size is no matter, and nothing is left after any kind of death. The file is sparse: a ring that is never used costs
 * nothing but addresses. Two descriptors a rank at most: the maker's, and the socket that others wake it with. The
 * names of such sockets are no secret (/proc/net/unix), so a filter in the kernel lets pass only datagrams with a key
 * that lies in the segment: what strangers send there neither wakes a rank nor takes room in its queue.
 */
#ifndef HWS_SHM_SEGMENT_H
#define HWS_SHM_SEGMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cpus.h"
#include "shm/ring.h"

#define HWS_SEGMENT_OFFER_LEN 96 /* characters of an offer, with the end */
#define HWS_SEGMENT_MAX_RANKS 16384
#define HWS_SEGMENT_AREAS     64

/* A rank's state changes once from UNDECIDED: attached by itself, or given up by another that waited too long. */
enum hws_segment_state {
    HWS_SEGMENT_UNDECIDED,
    HWS_SEGMENT_ATTACHED,
    HWS_SEGMENT_REFUSED,
    HWS_SEGMENT_LEAVING,
    HWS_SEGMENT_GONE
};

struct hws_segment_rank {
    _Alignas(HWS_LINE) uint32_t state; /* enum hws_segment_state */
    uint32_t pid;
    uint32_t must_fence;   /* its sleep needs a fence from whoever writes to it: no membarrier(2) */
    uint32_t credit;       /* bytes that each other may leave there unexpected */
    uint32_t n_readers;    /* that copy a long message out of its memory now */
    uint32_t ways;         /* bit k: long messages of class k are copied once there now; behind those bits, of
                              such as go both ways (shm/copies.h) */
    struct hws_cpus cpus;  /* that it may run on */
    uint64_t wake_name[2]; /* of its wake-up socket */
    _Alignas(HWS_LINE) uint32_t asleep; /* it sleeps, or is about to: to be woken */
    uint32_t dead;                      /* some rank has found out that it has died */
    uint32_t cpu;                       /* processor on which it was seen by itself last, and one; 0: not known */
    uint64_t looked_ns;                 /* when one of them looked last (the host's monotonic clock) */
    _Alignas(HWS_LINE) uint32_t bell;   /* some bit of its row is set */
    _Alignas(HWS_LINE) uint32_t n_idle; /* counts its yields in waits, where ranks outnumber processors */
};

struct hws_segment_head;

struct hws_segment {
    struct hws_segment_head *head; /* base of the map; NULL: none */
    size_t len_bytes;
    struct hws_segment_rank *ranks; /* [n] */
    uint64_t *bits;                 /* [n][words]: a set bit is a ring to look at */
    uint8_t *rings;
    size_t ring_size, ring_stride;
    uint32_t *area_users; /* [HWS_SEGMENT_AREAS]: ranks that have not given it back; 0: free */
    uint8_t *areas;
    size_t area_len; /* bytes; addresses, of which memory is what has been touched */
    int n, me, words;
    int fd;           /* the maker's, else -1 */
    int wake_fd;      /* readable: somebody woke us */
    unsigned n_woken; /* counts those that were woken from here */
    bool has_barrier; /* membarrier(2) works: sleeping costs the writers no fence */
};

/* Makes the segment for n ranks of this job. offer gets the text that the others need. HWS_OK, or an error with a line
 * in err: then there is none, and TCP does the work. */
int hws_segment_create(struct hws_segment *s, uint64_t job_id, int n, char offer[HWS_SEGMENT_OFFER_LEN], char *err,
                       size_t err_len);

/* Takes part as number `me` of n, in a segment that was created (the maker) or found through its offer (the others),
 * and tells the others the credit they have here. HWS_EINVAL with a line in err: it cannot (which the others are told
 * where the segment was found), or they have given it up. */
int hws_segment_attach(struct hws_segment *s, const char *offer, uint64_t job_id, int me, int n, uint32_t credit,
                       char *err, size_t err_len);

/* State LEAVING: whatever this rank had for others it has written. */
void hws_segment_leave(struct hws_segment *s);

/* State GONE, unmaps, closes. Idempotent. */
void hws_segment_close(struct hws_segment *s);

static inline struct hws_ring_shared *hws_segment_ring(const struct hws_segment *s, int from, int to)
{
    return (struct hws_ring_shared *)(void *)(s->rings + ((size_t)to * (size_t)s->n + (size_t)from) * s->ring_stride);
}

/* The state of a rank. give_up: an undecided one is refused from now on. */
enum hws_segment_state hws_segment_state(struct hws_segment *s, int rank, bool give_up);

/* Adds the processors of the ranks that take part. The number of ranks of which it is not known yet whether they do. */
int hws_segment_add_cpus(const struct hws_segment *s, struct hws_cpus_sum *sum);

/* Has the owner of a ring that is not hot look at it. */
void hws_segment_ring_bell(struct hws_segment *s, int to);

/* The same for the own row: a ring that was given up came to life meanwhile. */
void hws_segment_ring_own_bell(struct hws_segment *s, int from);

/* Takes the bits of the own row whose bell rang: calls fn(arg, from) for each. */
void hws_segment_answer_bell(struct hws_segment *s, void (*fn)(void *arg, int from), void *arg);

/* Before a sleep: set the own `asleep`, or a ring's `hot` to 0, or `starved`, then call this, then look again at what
 * others may have written. Whoever wrote without seeing the flag has written before this returns. */
void hws_segment_barrier(const struct hws_segment *s);

/* Ends a sleep that its flag shows. */
void hws_segment_wake(struct hws_segment *s, int rank);

/* An area for this number of users, all zero; -1: none is free. It is free again when each of them has given it back;
 * what ranks that die have, stays taken. */
int hws_segment_take_area(struct hws_segment *s, uint32_t users);
void hws_segment_give_area(struct hws_segment *s, int area);

static inline void *hws_segment_area(const struct hws_segment *s, int area)
{
    return s->areas + (size_t)area * s->area_len;
}

/* Forgets the wake-ups that came. */
void hws_segment_drain_wake(const struct hws_segment *s);

#endif
