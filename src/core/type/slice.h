/* SPDX-License-Identifier: BSD-3-Clause
 *
 * slice: a part of a buffer's packed stream as data of its own, so that what is not contiguous is sent and received
 * segment by segment without being packed whole.
 */
#ifndef HWS_CORE_SLICE_H
#define HWS_CORE_SLICE_H

#include "peer/ops.h"

struct hws_slice {
    struct hws_layout layout; /* the engine's view; container_of leads back here */
    const struct hws_layout *whole;
    uint64_t skip; /* bytes of the packed stream before the slice */
};

/* Bytes [offset, offset + n) of whole. keep is filled and must stay as long as the result is in use; it may be NULL
 * when whole is contiguous. */
struct hws_data hws_data_slice(struct hws_data whole, uint64_t offset, uint64_t n, struct hws_slice *keep);

#endif
