/* SPDX-License-Identifier: BSD-3-Clause
 *
 * areas: memory shared by ranks of this host. An area is a piece of it, zero at first, which some ranks of this host
 * use as they like. One of them takes it and tells the others its number; each of them gives it back.
 */
#ifndef HWS_PEER_AREAS_H
#define HWS_PEER_AREAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/list.h"
#include "shm/copies.h" /* for who weighs copying out of others' memory */

struct hws_engine;

/* The number of a peer among the ranks that share this host's memory, this process included; -1: it is not one of them.
 */
int hws_engine_local(const struct hws_engine *e, int peer);

/* The first of those; -1: this process shares no memory. */
int hws_engine_first_local(const struct hws_engine *e);

/* n_users: how many will give it back. -1: there is none. */
int hws_engine_area_take(struct hws_engine *e, int n_users);
void *hws_engine_area(const struct hws_engine *e, int area, size_t *len_bytes); /* NULL: no such area */
void hws_engine_area_give(struct hws_engine *e, int area);

/* Whether this process may copy out of the memory of other ranks of this host, as far as is known. */
enum hws_area_reads {
    HWS_AREA_READS_NOTHING,
    HWS_AREA_READS_QUICKER, /* where that is quicker than two copies through an area */
    HWS_AREA_READS_ALL      /* always, as the user has said */
};
enum hws_area_reads hws_engine_area_reads(const struct hws_engine *e);

/* Copies n bytes at `address` of a rank (by hws_engine_local) to dst. False: it can't. The other one, if it waits, is
 * kept awake meanwhile. */
bool hws_engine_area_read(struct hws_engine *e, int local, void *dst, uint64_t address, size_t n);

/* Waiting for what others do in an area. */
struct hws_area_wait {
    /* filled by the caller */
    bool (*is_over)(void *arg); /* looks at the area only; cheap */
    void *arg;
    const int *locals; /* locals[n]: those who must be alive until then, by hws_engine_local */
    int n;
    bool (*has_done)(void *arg, int i); /* locals[i] has done its part of what is waited for; looks at the area only */
    /* set by the engine */
    int lost; /* the peer that has died meanwhile, or called MPI_Finalize instead; -1: none */
    struct hws_list node;
};

/* Blocks until is_over(), or one of the others has died or is in MPI_Finalize without its part done; messages move
 * meanwhile. */
void hws_engine_area_wait(struct hws_engine *e, struct hws_area_wait *w);

/* After a store that ends waits of these: wakes those of them that sleep. */
void hws_engine_area_wake(struct hws_engine *e, const int *locals, int n);

/* Now and then instead of a wait that was not needed, so that messages move. */
void hws_engine_area_pass(struct hws_engine *e);

#endif
