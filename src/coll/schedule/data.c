/* SPDX-License-Identifier: BSD-3-Clause
 *
 * data: see data.h.
 */
#include "coll/schedule/data.h"

#include <string.h>

/* Two typed buffers: through a piece of the stack that stays in the first-level cache. */
static void copy_staged(struct hws_data src, struct hws_data dst)
{
    char piece[8192];
    for (uint64_t at = 0; at < src.len_bytes; at += sizeof piece) {
        size_t n = src.len_bytes - at < sizeof piece ? (size_t)(src.len_bytes - at) : sizeof piece;
        src.layout->pack(src.layout, src.base, at, piece, n);
        dst.layout->unpack(dst.layout, dst.base, at, piece, n);
    }
}

void hws_data_copy(struct hws_data src, struct hws_data dst)
{
    if (src.layout && dst.layout)
        copy_staged(src, dst);
    else if (src.layout)
        src.layout->pack(src.layout, src.base, 0, dst.base, src.len_bytes);
    else if (dst.layout)
        dst.layout->unpack(dst.layout, dst.base, 0, src.base, src.len_bytes);
    else
        memmove(dst.base, src.base, src.len_bytes);
}
