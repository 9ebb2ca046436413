/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pages: see pages.h.
 */
#include "base/pages.h"

#include <stdint.h>
#include <sys/mman.h>

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23 /* <linux/mman.h> from 5.14 on */
#endif

#define PAGE ((size_t)4096) /* at least; larger ones are there whole */

size_t hws_pages_next(size_t done, size_t need, size_t len)
{
    size_t more = done < HWS_PAGES_STEP ? done : HWS_PAGES_STEP, next = done + more;
    next = next < need ? need : next;
    next = (next + PAGE - 1) & ~(PAGE - 1);
    return next < len ? next : len;
}

void hws_pages_bring(void *mem, size_t from, size_t to)
{
    uintptr_t first = ((uintptr_t)mem + from) & ~(PAGE - 1), end = ((uintptr_t)mem + to + PAGE - 1) & ~(PAGE - 1);
    if (end > first + PAGE) /* a single one may as well fault */
        madvise((void *)first, end - first, MADV_POPULATE_WRITE);
}
