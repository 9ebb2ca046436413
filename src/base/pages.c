/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pages: see pages.h.
 */
#include "base/pages.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23 /* <linux/mman.h> from 5.14 on */
#endif

#define PAGE ((size_t)4096) /* at least; larger ones are there whole */
#define FEW  (4 * PAGE)     /* not worth a mapping of their own */

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

void *hws_pages_zeros(size_t bytes)
{
    if (bytes < FEW)
        return calloc(1, bytes ? bytes : 1);
    void *mem = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return mem == MAP_FAILED ? NULL : mem;
}

void hws_pages_free(void *mem, size_t bytes)
{
    if (bytes < FEW)
        free(mem);
    else if (mem)
        munmap(mem, bytes);
}
