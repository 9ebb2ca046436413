/* SPDX-License-Identifier: BSD-3-Clause
 *
 * boards: the memory where the ranks of a node write what they wait for (base/board.h), and a report of it: a list of
 * records, one for each thread that waits and one for each rank that has none. A record is u32 rank, u32 enum
 * hws_stand, u32 milliseconds that it has waited, u32 milliseconds since it last saw something move,
 * text; what stands behind a newline in the text is said after the time.
 */
#ifndef HWS_MPIRUN_BOARDS_H
#define HWS_MPIRUN_BOARDS_H

#include "mpirun/util/buf.h"
#include "mpirun/util/rank_state.h"
#include "mpirun/util/stand.h"

#define HWS_BOARD_SAY 256 /* bytes of a few words about a wait */

struct hws_boards;

/* Of n ranks; each with a profile (base/profile.h) of a job of that many, unless n_profiled is 0. NULL: the kernel
 * gives no such memory, and there is nothing to report then. */
struct hws_boards *hws_boards_open(int n, int n_profiled);
void hws_boards_close(struct hws_boards *b); /* NULL allowed */

/* The descriptor that the ranks inherit, all the same one; -1: b is NULL. */
int hws_boards_fd(const struct hws_boards *b);

/* Where the profile of local rank i is in that file, and the profile itself; -1 and NULL: there is none. */
long hws_boards_profile_at(const struct hws_boards *b, int i);
const struct hws_profile *hws_boards_profile(const struct hws_boards *b, int i);

/* Appends the records of local rank i, which is `rank` in the job, in this state and process (0: none). b may be NULL.
 */
void hws_boards_report(const struct hws_boards *b, int i, int rank, enum hws_rank_state state, int pid,
                       struct hws_buf *out);

/* What it was in when it ended, in a few words, "MPI_Recv from rank 3, tag 0, on MPI_COMM_WORLD"; "": that is not
 * known.
 */
void hws_boards_last(const struct hws_boards *b, int i, char *out, size_t len);

#endif
