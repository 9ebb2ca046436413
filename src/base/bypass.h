/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bypass: whether long data are put into shared memory through the caches, as any copy, or past them, by stores that
 * bypass them (non-temporal). What has been put there before another processor has read; to write it again a processor
 * must first take each line back. Where both share a cache that costs nothing, and who takes the data finds them
 * there; between cores of their own it can take four times as long as to write to memory (decision 049). No question to
 * the system tells which it is, and a virtual machine's host changes it, so both ways are timed: some copies of the one
 * that is taken, then some of the other one, again and again, the more seldom the longer nothing changes.
 * Pure: times are arguments.
 */
#ifndef HWS_BASE_BYPASS_H
#define HWS_BASE_BYPASS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hws_bypass {
    bool in_turn;      /* set by the owner: who takes the data begins when all are there, not while they are copied */
    bool is_past;      /* the way taken */
    uint32_t n;        /* copies since the last trial */
    uint32_t pause;    /* so many are between two trials; 0: none yet */
    uint32_t least[2]; /* ns for 64 KiB, the least of those timed: of the way taken, of the other one; 0: none */
    uint32_t level;    /* that of the way taken when it was */
    uint32_t watched;  /* the least of the last few that are timed in between, and how many they are */
    uint32_t n_watched;
};

/* How the next copy is to go. */
struct hws_bypass_way {
    bool past;  /* the caches */
    bool timed; /* hws_bypass_took is to be told */
};

struct hws_bypass_way hws_bypass_next(struct hws_bypass *b);

/* The copy of len_bytes, the last one that hws_bypass_next was asked for, has taken so long. */
void hws_bypass_took(struct hws_bypass *b, uint64_t ns, size_t len_bytes);

#endif
