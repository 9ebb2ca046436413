/* SPDX-License-Identifier: BSD-3-Clause
 *
 * run: what the forms of a call have in common. See call.h for the forms themselves.
 */
#ifndef HWS_COLL_RUN_H
#define HWS_COLL_RUN_H

#include "coll/select/select.h"

/* Reads HAWSER_COLL, once, before the first collective. MPI class; a wrong value fails every time. */
int hws_coll_setup(void);

/* Forces algorithms from now on, as HAWSER_COLL does from the start. All ranks must do so between the same two
 * collectives. MPI class; a wrong text changes nothing. */
int hws_coll_force(const char *text);

/* Appends the steps of the call to s, with the algorithm that fits. MPI class. */
int hws_coll_build(struct hws_sched *s, const struct hws_coll_call *a);

/* The same for a part of a call, among the ranks that s uses: with messages among all of them. */
void hws_coll_build_part(struct hws_sched *s, const struct hws_coll_call *a, bool crowded);

/* Together with all ranks, before a persistent call's schedule is made, which may wait for them (MPI 5.0 section 6.13):
 * finds out what blocking calls do, such as who shares memory, and whether multicast is to be had. MPI class. */
int hws_coll_settle(const struct hws_coll_call *a);

/* Before a nonblocking call, which may not: if multicast would serve it, the next call that may wait finds out.
 * Returns what is to be told to hws_cast_looked() when the call is complete. */
uint64_t hws_coll_want_cast(const struct hws_coll_call *a);

/* Whether a call moves nothing at all, as every rank knows by itself: then there is nobody to wait for. */
bool hws_coll_is_empty(const struct hws_coll_call *a);

#endif
