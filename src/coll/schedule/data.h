/* SPDX-License-Identifier: BSD-3-Clause
 *
 * data: plain bytes as the engine sees data, and copies between two places of this process.
 */
#ifndef HWS_COLL_DATA_H
#define HWS_COLL_DATA_H

#include "peer/ops.h"

/* n bytes at p. */
static inline struct hws_data hws_bytes(void *p, uint64_t n)
{
    return (struct hws_data){.base = p, .len_bytes = n, .layout = NULL};
}

/* n bytes from `at` on of the memory at p (which may be NULL when n is 0). */
static inline struct hws_data hws_bytes_at(void *p, uint64_t at, uint64_t n)
{
    return hws_bytes((void *)((uintptr_t)p + at), n);
}

/* Copies as many bytes as src has; dst has room for them. Contiguous data may overlap. */
void hws_data_copy(struct hws_data src, struct hws_data dst);

#endif
