/* SPDX-License-Identifier: BSD-3-Clause
 *
 * reduce_shm: reductions in shared memory: what reduce_shm.c shares with the forms in two levels. Elements lie in slots
 * as in memory, gaps and all, since operations work on them there. A call goes in pieces: what one slot takes.
 *
 * What the tree leaves in the slots: the later of two sides keeps both sides' result in its last member's slot, the
 * earlier one keeps its own. So slot x-1 holds members x - b .. x-1 for the lowest bit b of x, the last one's all of
 * them, and members 0 .. x-1 are found in as many slots as x has bits (P. M. Fenwick: A new data structure for
 * cumulative frequency tables. Software - Practice and Experience 24(3), 1994).
 */
#ifndef HWS_COLL_REDUCE_SHM_H
#define HWS_COLL_REDUCE_SHM_H

#include "coll/shm/shm.h"

/* Elements of t that a slot of `room` bytes takes. 0: none, or t can't be reduced there (all elements at one place). */
MPI_Count hws_shm_elements(const struct hws_type *t, uint64_t room);

/* n elements laid out as in memory: the bytes they take; element 0's origin when they lie in so many bytes at mem,
 * whose address is a multiple of 16: there elements are aligned as in the user's memory. */
uint64_t hws_shm_image_len(const struct hws_type *t, MPI_Count n);
void *hws_shm_image(void *mem, const struct hws_type *t, MPI_Count n);

/* One piece of a call. */
struct hws_shm_part {
    struct hws_region *r;
    const struct hws_coll_call *a;
    struct hws_turn t;
    MPI_Count n;    /* elements */
    uint64_t total; /* bytes of the whole call */
    bool more;      /* the first of several: all look whether lengths are alike before they go on */
    uint64_t came;  /* of two members: the same as the other one has it, once it is known */
};

/* Puts the operand in and combines; the last one releases member `to` (-1: all), who then finds results. MPI class. */
int hws_shm_part_put(struct hws_shm_part *p, bool joint, const void *operand, int to);
/* After the release: members 0 .. end-1 combined, into result (end 0: nothing). MPI class: MPI_ERR_TRUNCATE on all
 * ranks if some have other lengths. */
int hws_shm_part_take(struct hws_shm_part *p, int end, void *result);

/* Elements of the piece in a member's slot: element 0's origin. */
void *hws_shm_part_slot(const struct hws_shm_part *p, int member);

/* hws_reduce_shm at a root without memory for the result: it takes part, so that nobody waits for it, and gets nothing.
 * MPI class. */
int hws_reduce_shm_blind(struct hws_region *r, const struct hws_coll_call *a);

#endif
