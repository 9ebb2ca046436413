/* SPDX-License-Identifier: BSD-3-Clause
 *
 * frame_fuzz: what the frame decoder accepts it has read within its bounds, and encoding it again gives the same frame.
 */
#include <stdlib.h>
#include <string.h>

#include "wire/wire.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int holds)
{
    if (!holds)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct hws_frame f, again;
    memset(&f, 0, sizeof f);
    memset(&again, 0, sizeof again);
    uint8_t header[HWS_FRAME_MAX_HDR];
    uint8_t *exact = malloc(size ? size : 1); /* so that a read behind the end is seen */
    if (!exact)
        return 0;
    memcpy(exact, data, size);
    int n = hws_frame_decode(exact, size, &f);
    require(n == HWS_EPROTO || n == HWS_ECORRUPT || n == 0 || (n >= HWS_FRAME_PREFIX && (size_t)n <= size));
    if (n > 0) {
        require((size_t)n == (f.flags & HWS_FRAME_CRC ? HWS_FRAME_MAX_HDR : hws_frame_header_len(f.type)));
        require(f.len <= HWS_FRAME_MAX_LEN);
        require(hws_frame_encode(header, &f) == (size_t)n);
        require(hws_frame_decode(header, (size_t)n, &again) == n);
        require(memcmp(&f, &again, sizeof f) == 0);
        for (int k = 0; k < n; k++) /* no part of a good header is a frame, or refused */
            require(hws_frame_decode(exact, (size_t)k, &again) == 0);
    }
    free(exact);
    return 0;
}
