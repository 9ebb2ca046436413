/* SPDX-License-Identifier: BSD-3-Clause
 *
 * copy: copying the payload of short messages. A call of memcpy through the linkage table costs some ten nanoseconds
 * when the kernel has just had the caches; up to 16 bytes are moved by two overlapping loads and stores instead.
 * Copying to memory that another processor has read last: a processor's string instruction takes whole cache lines over
 * without reading them (decision 044); long data may go past the caches (base/bypass.h). And some processors' string
 * instruction is slow where source and destination lie badly to each other (decision 050).
 */
#ifndef HWS_BASE_COPY_H
#define HWS_BASE_COPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/bypass.h"

#define HWS_COPY_PIECE 2048u /* bytes that the C library moves by other instructions */

/* As memcpy, never by the string instruction; what hws_copy_long does where that is slow. */
void hws_copy_in_pieces(void *dst, const void *src, size_t n);

/* The destination begins 1 to 15 bytes behind the source, modulo a page: the string instruction moves 3 instead of 50
 * bytes a nanosecond on some processors. */
static inline bool hws_copy_is_slow(const void *dst, const void *src)
{
    return (((uintptr_t)dst - (uintptr_t)src) & 4095) - 1 < 15;
}

/* As memcpy, for what may be long. */
static inline void hws_copy_long(void *dst, const void *src, size_t n)
{
    if (__builtin_expect(n > HWS_COPY_PIECE && hws_copy_is_slow(dst, src), 0))
        hws_copy_in_pieces(dst, src, n);
    else
        memcpy(dst, src, n);
}

/* As memcpy. */
static inline void hws_copy(void *dst, const void *src, size_t n)
{
    uint8_t *d = dst;
    const uint8_t *s = src;
    if (n >= 8 && n <= 16) {
        uint64_t first, last;
        memcpy(&first, s, 8);
        memcpy(&last, s + n - 8, 8);
        memcpy(d, &first, 8);
        memcpy(d + n - 8, &last, 8);
    } else if (n >= 4 && n < 8) {
        uint32_t first, last;
        memcpy(&first, s, 4);
        memcpy(&last, s + n - 4, 4);
        memcpy(d, &first, 4);
        memcpy(d + n - 4, &last, 4);
    } else if (n) { /* no bytes may have no address */
        hws_copy_long(d, s, n);
    }
}

#define HWS_ACROSS_MIN 512u  /* bytes from which on the string instruction is the faster one */
#define HWS_ACROSS_END 8192u /* from here on the C library uses it, too, and looks at the processor's sizes */

extern bool hws_copy_by_string; /* this processor's is a fast one */

/* Finds that out. Before it nothing is copied so. */
void hws_copy_setup(void);

/* As memcpy, into memory from which another process takes it. */
static inline void hws_copy_across(void *dst, const void *src, size_t n)
{
#if defined(__x86_64__)
    if (n >= HWS_ACROSS_MIN && n < HWS_ACROSS_END && hws_copy_by_string && !hws_copy_is_slow(dst, src)) {
        __asm__ volatile("rep movsb" : "+D"(dst), "+S"(src), "+c"(n) : : "memory");
        return;
    }
#endif
    hws_copy(dst, src, n);
}

#define HWS_LONG_ACROSS_MIN 8192u

/* The same of so many bytes and more. b: of the memory that is written. */
void hws_copy_long_across(struct hws_bypass *b, void *dst, const void *src, size_t n);

#endif
