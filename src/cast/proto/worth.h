/* SPDX-License-Identifier: BSD-3-Clause
 *
 * worth: whether a communicator's multicast is worth using. After some calls a few go by unicast, and what took less
 * time for a byte goes on: how fast links, processors and a switch's multicast are, nothing else tells
 * (docs/decisions/031). A glance, a comparison of few calls, comes first: it ends what is slower by far. What was
 * found for short calls says nothing of longer ones: these are compared anew. Where the user has said that it is to be
 * used, only much loss leads to that. Loss alone cannot say it: where the links themselves lose packets, unicast
 * suffers more. Pure: time is an argument.
 */
#ifndef HWS_CAST_WORTH_H
#define HWS_CAST_WORTH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/lifecycle.h"

enum hws_cast_use {
    HWS_CAST_ABSENT, /* of zero */
    HWS_CAST_USED,
    HWS_CAST_COMPARED,
    HWS_CAST_GIVEN_UP,
    HWS_CAST_USE_N
};

extern const struct hws_lifecycle hws_cast_uses;

struct hws_cast_worth {
    enum hws_cast_use use;  /* hws_cast_worth_begin() writes it, nobody else */
    bool is_wanted;         /* by the user */
    bool is_glance;         /* the comparison that runs, or ran last */
    uint32_t n_calls;       /* since it began to be in this state */
    uint64_t bytes;         /* of these calls, but for the first ones */
    uint64_t longest;       /* bytes of the longest of these calls */
    uint64_t compared;      /* the same, of those behind which it was compared last; 0: it has not been */
    uint32_t n_longer;      /* of these calls those that are twice as long as what was compared */
    uint64_t since_ns;      /* when those that count began */
    double multicast_ns;    /* for a byte, before the comparison */
    unsigned n_begun;       /* states, on all ranks alike */
    unsigned n_comparisons; /* that multicast has won; this and what follows at member 0 */
    unsigned rest;          /* reviews before the next one */
};

/* So many calls go by unicast before multicast is tried; of these the first do not count, as their connections are new.
 */
#define HWS_CAST_LOOKS 5
#define HWS_CAST_COLD  2

/* Whether unicast that has brought so many bytes to each host in that time is so fast that multicast need not be tried.
 */
bool hws_cast_is_fast(uint64_t bytes, uint64_t ns);

/* A state begins; from another one, or the same anew after a review. */
void hws_cast_worth_begin(struct hws_cast_worth *w, enum hws_cast_use use, uint64_t now_ns);

/* Counts a call that multicast would serve, as it begins. */
void hws_cast_worth_count(struct hws_cast_worth *w, uint64_t bytes, uint64_t now_ns);

/* Whether a review is due, before the next call. */
bool hws_cast_worth_is_due(const struct hws_cast_worth *w);

/* Whether so many packets were lost that multicast is compared even if the user wants it. packets, resent: of all
 * members since the last review. */
bool hws_cast_worth_is_lossy(uint64_t packets, uint64_t resent);

/* The review, when all ranks have made all that was counted: what is to begin now. packets, resent: as above. */
enum hws_cast_use hws_cast_worth_review(struct hws_cast_worth *w, uint64_t packets, uint64_t resent, uint64_t now_ns);

#endif
