/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sched_priv: what the files of schedules share.
 */
#ifndef HWS_COLL_SCHED_PRIV_H
#define HWS_COLL_SCHED_PRIV_H

#include "coll/schedule/sched.h"

/* What the cached schedule, one in a process, may keep: enough that no collective of usual size calls malloc. With new
 * pages each time a reduce_scatter of 1 MiB took 5 times as long, one of 2 MiB in place, which needs 4, 3 times. */
#define HWS_SCHED_KEEP_BYTES (16u << 20)

/* Bits of a tag above HWS_COLL_TAG_MASK.
 * NOTE: the second message of a note: other receives for the same rank may be waiting.
 * CAST: what goes beside a multicast, see cast.h. AWAY: the receive of its sender, to which nothing is ever sent.
 * PERSISTENT: tags of persistent collectives stay in use as long as the request; those of others come and go. Two
 * halves keep a tag that has come round again from meeting a persistent one. */
#define HWS_SCHED_TAG_NOTE       0x20000000
#define HWS_SCHED_TAG_PERSISTENT 0x40000000u
#define HWS_SCHED_TAG_CAST       0x10000000
#define HWS_SCHED_TAG_AWAY       0x08000000

/* The engine's way of hws_sched_cast(), see struct hws_sched_net. */
void hws_sched_cast_circle(struct hws_sched *s, struct hws_data d, int root);

/* A step that is not the engine's, and its end. got, room: bytes, with HWS_ETRUNCATE. */
void hws_sched_add_other(struct hws_sched *s, struct hws_sched_other *o);
void hws_sched_other_done(struct hws_step *st, enum hws_err err, int peer, uint64_t got, uint64_t room);
/* The end, by a note that came instead of the data: note[len] is it. */
void hws_sched_other_noted(struct hws_step *st, int peer, const void *note, uint64_t len);
/* What such a step tells others of the schedule's failure. */
struct hws_data hws_sched_other_note(struct hws_step *st);

/* Building fails with MPI_ERR_NO_MEM, if it has not failed yet: so many bytes were not to be had. */
void hws_sched_no_memory(struct hws_sched *s, uint64_t bytes);

/* Frees the temporary memory but for the largest chunk of no more than keep_bytes, which is empty then. */
void hws_sched_trim(struct hws_sched *s, uint64_t keep_bytes);

#endif
