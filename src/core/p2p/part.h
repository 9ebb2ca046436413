/* SPDX-License-Identifier: BSD-3-Clause
 *
 * part: partitioned point-to-point (MPI 5.0 chapter 4). Both sides may cut the buffer into different numbers of
 * partitions.
 */
#ifndef HWS_CORE_PART_H
#define HWS_CORE_PART_H

#include "core/request/request.h"

/* Persistent requests over `partitions` partitions of n elements each, begun by hws_request_start(). */
int hws_psend_init(struct hws_comm *c, const void *buf, int partitions, MPI_Count n, struct hws_type *t, int dest,
                   int tag, struct hws_request **req);
int hws_precv_init(struct hws_comm *c, void *buf, int partitions, MPI_Count n, struct hws_type *t, int source, int tag,
                   struct hws_request **req);

/* MPI_SUCCESS if r is a partitioned request of that direction and has the partition. */
int hws_part_check(const struct hws_request *r, bool is_send, int partition, const char *arg);

/* The partition may leave; r and the partition were checked. From any thread. */
int hws_part_ready(struct hws_request *r, int partition);

/* True once the partition is in its place, or r is inactive. One step of progress if it is not. */
int hws_part_arrived(struct hws_request *r, int partition, int *flag);

#endif
