/* SPDX-License-Identifier: BSD-3-Clause
 *
 * profile: memory in which a rank gathers what `mpirun -report FILE.html` shows, and which the launcher of its host
 * reads when the rank has ended, however it ended (decision 038). One process writes, and numbers are the machine's
 * own: both ends are on one host. All times are nanoseconds.
 */
#ifndef HWS_BASE_PROFILE_H
#define HWS_BASE_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HWS_PROFILE_WISH_VAR "HAWSER_REPORT"  /* in the job's environment: the ranks are to gather */
#define HWS_PROFILE_VAR      "HAWSER_PROFILE" /* in a rank's: "descriptor,offset,ranks of the job" */
#define HWS_PROFILE_VERSION  1
#define HWS_PROFILE_SLOTS    256 /* of time: when all are used, two become one and all last twice as long */
#define HWS_PROFILE_SLOT_NS  (50ull * 1000000)     /* a slot at first */
#define HWS_PROFILE_LANES    16                    /* pairs of addresses; the last stands for all others */
#define HWS_PROFILE_CALLS    192                   /* functions of MPI */
#define HWS_PROFILE_SLOWEST  16                    /* longest calls that are kept */
#define HWS_PROFILE_THREADS  64                    /* of a rank; more share the last place, and are not told apart */
#define HWS_PROFILE_SYMBOL   "hawser_report_calls" /* of the library that counts calls */

enum hws_profile_way { HWS_PROFILE_SHM, HWS_PROFILE_NET };

/* What went to a rank. */
struct hws_profile_peer {
    uint64_t bytes, messages; /* payload, without headers and without what was sent again */
    uint64_t way;             /* enum hws_profile_way */
};

/* What left by a pair of addresses, in each slot, with headers. */
struct hws_profile_lane {
    char name[80];
    uint64_t sum, told; /* bytes ever: as this look adds them up; and those that are in the slots */
    uint64_t bytes[HWS_PROFILE_SLOTS];
};

struct hws_profile_call {
    char name[32];
    uint64_t n;           /* calls that have begun */
    uint64_t ns, wait_ns; /* by samples: in it; and of these without anything that moved */
};

/* A call that took long. */
struct hws_profile_slow {
    char name[32], comm[32]; /* comm "": none */
    uint64_t begin_ns, ns;   /* since begin_ns of the profile; to a sample */
    int64_t peer;            /* rank in comm, or below 0: none */
    uint64_t bytes;          /* 0: not known */
};

struct hws_profile {
    uint32_t version; /* HWS_PROFILE_VERSION from MPI_Init on */
    uint32_t n_ranks; /* of the job: so many are in `peers` */
    uint32_t n_lanes, n_calls, n_slow;
    uint32_t has_calls;  /* calls are counted */
    uint64_t begin_ns;   /* since 1970 */
    uint64_t from_ns;    /* the same moment of hws_clock_ns() */
    uint64_t elapsed_ns; /* from there to the last look at the lanes and peers */
    uint64_t slot_ns;
    uint64_t sampled_ns;         /* until when the next two are known */
    uint64_t in_mpi_ns, wait_ns; /* some thread was in MPI; and all that were, waited */
    struct hws_profile_lane lanes[HWS_PROFILE_LANES];
    struct hws_profile_call calls[HWS_PROFILE_CALLS];
    struct hws_profile_slow slow[HWS_PROFILE_SLOWEST];
    struct hws_profile_peer peers[];
};

/* A thread, as the library that counts calls writes and the sampler reads it. */
struct hws_profile_thread {
    uint32_t call;    /* which it is in, + 1; 0: none (atomic) */
    uint32_t is_used; /* a thread has this place */
    uint64_t n[HWS_PROFILE_CALLS];
    uint64_t comm, type; /* handles of the call; 0: it has none */
    int64_t peer, count; /* peer below 0: none, or any */
    uint64_t unused[3];  /* threads share no cache line */
};
_Static_assert(sizeof(struct hws_profile_thread) % 64 == 0, "places of threads are whole cache lines");

/* HWS_PROFILE_SYMBOL. */
struct hws_profile_calls {
    uint32_t version, n; /* HWS_PROFILE_VERSION; names */
    const char *const *names;
    struct hws_profile_thread *threads; /* HWS_PROFILE_THREADS */
};

/* Bytes from one rank's profile to the next in a job of that size: a multiple of any page size. */
size_t hws_profile_stride(int n_ranks);

/* The profile that the environment names, mapped; NULL: there is none, and nothing is to be gathered. Takes the
 * variable out of the environment; the descriptor stays open, it is the board's. */
struct hws_profile *hws_profile_take(void);
void hws_profile_drop(struct hws_profile *p); /* NULL allowed */

/* A look at all lanes: hws_profile_lane() for each, with the bytes that it has carried ever, then hws_profile_look(),
 * which spreads what is new over the slots since the last look, as nobody knows better. */
void hws_profile_lane(struct hws_profile *p, const char *name, uint64_t bytes);
void hws_profile_look(struct hws_profile *p, uint64_t now_ns);

/* Puts a call among the longest, if it is one of them; one of that name and begin_ns is the same one, which has gone
 * on.
 */
void hws_profile_add_slow(struct hws_profile *p, const struct hws_profile_slow *s);

#endif
