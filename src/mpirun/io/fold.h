/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fold: when a card fails, every rank warns of every lane over it; when a rank is long outside MPI, each of the others
 * says that it waits for it. One line for a host and a pair of addresses, or for the rank that is waited for, says as
 * much: the first is held back for a moment, the others are counted, and it leaves with their number. Pure but for the
 * emit callback: time is the caller's.
 *
 *     hawser: rank 0: lane n0 10.1.0.1 to 10.1.0.2 port 5000 on host h1 to rank 4 on host h1 is lost (timed out); going
 * on with 1 other (and 15 more lanes, of 4 ranks) hawser: rank 2: still waiting for rank 0 on host h1 to answer on
 * n0 10.1.0.1 to 10.1.0.2 port 5001; it may be busy outside MPI (and 6 more ranks wait for it)
 */
#ifndef HWS_MPIRUN_FOLD_H
#define HWS_MPIRUN_FOLD_H

#include <stdbool.h>
#include <stddef.h>

#define HWS_FOLDS 64 /* lines held back at once; further ones are not folded */

struct hws_fold_line {
    char *text;          /* the first line with its tag, without the newline */
    char *key;           /* what makes others alike */
    int node, n_more;    /* node -1: alike on all hosts */
    bool is_waiting;     /* for an answer; else of a lane */
    unsigned char *seen; /* n_seen bytes, a bit for each rank that has said it */
    size_t n_seen;
    int n_ranks;
};

struct hws_warning_fold {
    struct hws_fold_line held[HWS_FOLDS];
    int n;
};

/* Whole lines (len bytes, newlines included) of a rank's standard error on host number `node`. Warnings of lanes, and
 * of an answer that is waited for, are taken out and held, all else is given to emit, in as few pieces as the bytes
 * allow. True: something is held that was not before. */
bool hws_fold_feed(struct hws_warning_fold *f, int node, int rank, const char *lines, size_t len,
                   void (*emit)(void *arg, const char *data, size_t len), void *arg);

/* Gives out what is held. emit may call it again. */
void hws_fold_flush(struct hws_warning_fold *f, void (*emit)(void *arg, const char *data, size_t len), void *arg);

#endif
