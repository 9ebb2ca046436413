/* SPDX-License-Identifier: BSD-3-Clause
 *
 * slice: see slice.h. Every call is passed on with the offset moved.
 */
#include "core/type/slice.h"

#include "base/list.h"

static const struct hws_slice *slice_of(const struct hws_layout *l)
{
    return hws_container_of(l, const struct hws_slice, layout);
}

static void slice_pack(const struct hws_layout *l, const void *base, uint64_t offset, void *dst, size_t n)
{
    const struct hws_slice *s = slice_of(l);
    s->whole->pack(s->whole, base, s->skip + offset, dst, n);
}

static void slice_unpack(const struct hws_layout *l, void *base, uint64_t offset, const void *src, size_t n)
{
    const struct hws_slice *s = slice_of(l);
    s->whole->unpack(s->whole, base, s->skip + offset, src, n);
}

static int slice_runs(const struct hws_layout *l, const void *base, uint64_t offset, size_t n, struct iovec *iov,
                      int max, size_t *covered)
{
    const struct hws_slice *s = slice_of(l);
    return s->whole->runs(s->whole, base, s->skip + offset, n, iov, max, covered);
}

struct hws_data hws_data_slice(struct hws_data whole, uint64_t offset, uint64_t n, struct hws_slice *keep)
{
    struct hws_data d = {.base = whole.base, .len_bytes = n};
    if (!whole.layout) {
        d.base = (void *)((uintptr_t)whole.base + offset); /* no pointer: it may be NULL when n is 0 */
        return d;
    }
    *keep = (struct hws_slice){.whole = whole.layout, .skip = offset};
    keep->layout = (struct hws_layout){slice_pack, slice_unpack, whole.layout->runs ? slice_runs : NULL};
    d.layout = &keep->layout;
    return d;
}
