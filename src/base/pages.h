/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pages: brings pages of memory in before they are written for the first time. A fault for each was measured to take
 * 22 us on a virtual machine; madvise(2) with MADV_POPULATE_WRITE (Linux 5.14) takes 1 to 3, and the first access still
 * 10, probably as the host's own tables are filled then. Twice as many as are there come at a time, up to a step: what
 * is used little stays small.
 *
 * And large tables of which little is written.
 */
#ifndef HWS_BASE_PAGES_H
#define HWS_BASE_PAGES_H

#include <stddef.h>

#define HWS_PAGES_STEP (64 * 1024) /* bytes that come at a time at most */

/* Bytes at `mem` that should be there when the first `need` of `len` will be, and the first `done` are. */
size_t hws_pages_next(size_t done, size_t need, size_t len);

/* The pages that hold bytes from .. to-1 of mem come into being. They are as they were: zeros, if they were new. A
 * kernel that can't, lets them fault one by one. */
void hws_pages_bring(void *mem, size_t from, size_t to);

/* Both, for the writer of bytes up to `need`. done: bytes that are there, kept by the caller, 0 at first. */
static inline void hws_pages_ahead(void *mem, size_t len, size_t *done, size_t need)
{
    if (__builtin_expect(need <= *done, 1))
        return;
    size_t next = hws_pages_next(*done, need, len);
    hws_pages_bring(mem, *done, next);
    *done = next;
}

/* bytes of zeros, of which only pages that are written take memory: calloc(3) writes zeros where it takes memory that
 * was in use before, which with 10,000 ranks was a ninth of what each had. NULL: no memory. */
void *hws_pages_zeros(size_t bytes);
void hws_pages_free(void *mem, size_t bytes); /* as many; NULL allowed */

#endif
