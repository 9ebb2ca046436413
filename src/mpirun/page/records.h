/* SPDX-License-Identifier: BSD-3-Clause
 *
 * records: what ranks have gathered (base/profile.h) on its way from a host to mpirun, one record for each rank. Of
 * numbers only those that are not zero travel. Texts that a rank wrote are cut to printable letters, as a program may
 * have written over its memory.
 */
#ifndef HWS_MPIRUN_RECORDS_H
#define HWS_MPIRUN_RECORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/profile.h"
#include "mpirun/util/buf.h"
#include "mpirun/util/proto.h"

struct hws_page_peer {
    int rank;
    enum hws_profile_way way;
    uint64_t bytes, messages;
};

/* One rank's data; all arrays are its own. */
struct hws_page_rank {
    bool has_data, has_calls;
    uint64_t begin_ns, elapsed_ns, slot_ns; /* since 1970; until its last look; a slot of the lanes */
    uint64_t sampled_ns, in_mpi_ns, wait_ns;
    int n_lanes, n_calls, n_slow, n_peers;
    struct hws_profile_lane *lanes;
    struct hws_profile_call *calls;
    struct hws_profile_slow *slow;
    struct hws_page_peer *peers;
};

/* Appends the record of a rank in a job of n_ranks; nothing if it has gathered nothing. */
void hws_page_encode(const struct hws_profile *p, int rank, int n_ranks, struct hws_buf *out);

/* The next record: its rank (within 0..n_ranks-1) and data, to be freed with hws_page_rank_fini() in any case. False:
 * it is none. */
bool hws_page_decode(struct hws_reader *in, int n_ranks, int *rank, struct hws_page_rank *out);
void hws_page_rank_fini(struct hws_page_rank *r);

#endif
