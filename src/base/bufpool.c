/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bufpool: see bufpool.h. Class c > 0 is the (c-1)%4-th of four equal steps between two powers of two.
 */
#include "base/bufpool.h"

#include <stdint.h>
#include <stdlib.h>

#define SMALLEST 64u

/* len: 0 to HWS_POOL_MAX_SIZE */
static unsigned class_of(size_t len)
{
    if (len <= SMALLEST)
        return 0;
    unsigned log2 = 63 - (unsigned)__builtin_clzll(len - 1);
    return (log2 - 6) * 4 + (((len - 1) >> (log2 - 2)) & 3) + 1;
}

static size_t size_of(unsigned class)
{
    if (class == 0)
        return SMALLEST;
    unsigned log2 = (class - 1) / 4 + 6, step = (class - 1) % 4;
    return (size_t)(4 + step + 1) << (log2 - 2);
}

void hws_bufpool_init(struct hws_bufpool *b)
{
    for (unsigned i = 0; i < HWS_BUFPOOL_CLASSES; i++)
        hws_pool_init(&b->classes[i], size_of(i), 16);
    b->large_bytes = 0;
}

void *hws_bufpool_get(struct hws_bufpool *b, size_t len)
{
    if (len <= HWS_POOL_MAX_SIZE)
        return hws_pool_get(&b->classes[class_of(len)]);
    void *buf = malloc(len);
    if (buf)
        b->large_bytes += len;
    return buf;
}

void hws_bufpool_put(struct hws_bufpool *b, void *buf, size_t len)
{
    if (!buf)
        return;
    if (len <= HWS_POOL_MAX_SIZE) {
        hws_pool_put(&b->classes[class_of(len)], buf);
        return;
    }
    free(buf);
    b->large_bytes -= len;
}

void hws_bufpool_fini(struct hws_bufpool *b)
{
    for (unsigned i = 0; i < HWS_BUFPOOL_CLASSES; i++)
        hws_pool_fini(&b->classes[i]);
}

size_t hws_bufpool_bytes(const struct hws_bufpool *b)
{
    size_t sum = b->large_bytes;
    for (unsigned i = 0; i < HWS_BUFPOOL_CLASSES; i++)
        sum += hws_pool_count(&b->classes[i]) * size_of(i);
    return sum;
}

size_t hws_bufpool_size(size_t len)
{
    return len <= HWS_POOL_MAX_SIZE ? size_of(class_of(len)) : len;
}
