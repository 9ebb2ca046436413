/* SPDX-License-Identifier: BSD-3-Clause
 *
 * copy: what the processor can.
 */
#include "base/copy.h"

#include "base/clock.h"

#if defined(__x86_64__) && defined(__has_include)
#if __has_include(<sys/platform/x86.h>)
#define KNOWN_TO_LIBC
#include <sys/platform/x86.h>
#endif
#endif
#if defined(__x86_64__) && !defined(KNOWN_TO_LIBC)
#include <cpuid.h>
#endif

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

bool hws_copy_by_string;

/* The C library has asked at its start; to ask again costs a virtual machine some ten microseconds. */
static bool has_fast_string(void)
{
#if defined(KNOWN_TO_LIBC)
    return CPU_FEATURE_PRESENT(ERMS);
#elif defined(__x86_64__)
    unsigned a, b, c, d;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & 1u << 9); /* ERMS: enhanced rep movsb */
#else
    return false;
#endif
}

void hws_copy_setup(void)
{
    hws_copy_by_string = has_fast_string();
}

void hws_copy_in_pieces(void *dst, const void *src, size_t n)
{
    uint8_t *d = dst;
    const uint8_t *s = src;
    for (; n > HWS_COPY_PIECE; n -= HWS_COPY_PIECE, d += HWS_COPY_PIECE, s += HWS_COPY_PIECE)
        memcpy(d, s, HWS_COPY_PIECE);
    memcpy(d, s, n);
}

/* ---- past the caches --------------------------------------------------------------------------------------------- */

#if defined(__x86_64__)
/* Whole lines, each by stores that follow one another: else it is written to memory in parts. */
static void copy_lines_past(void *dst, const void *src, size_t n)
{
    __m128i *d = dst;
    const __m128i *s = src;
    for (; n >= 64; d += 4, s += 4, n -= 64) {
        __m128i a = _mm_loadu_si128(s), b = _mm_loadu_si128(s + 1), c = _mm_loadu_si128(s + 2),
                e = _mm_loadu_si128(s + 3);
        _mm_stream_si128(d, a);
        _mm_stream_si128(d + 1, b);
        _mm_stream_si128(d + 2, c);
        _mm_stream_si128(d + 3, e);
    }
    _mm_sfence(); /* they are not ordered before the word that says that they are there */
}

static void copy_past(uint8_t *dst, const uint8_t *src, size_t n)
{
    size_t head = (size_t)(-(uintptr_t)dst & 63), lines = (n - head) & ~(size_t)63;
    memcpy(dst, src, head);
    copy_lines_past(dst + head, src + head, lines);
    memcpy(dst + head + lines, src + head + lines, n - head - lines);
}

void hws_copy_long_across(struct hws_bypass *b, void *dst, const void *src, size_t n)
{
    struct hws_bypass_way way = hws_bypass_next(b);
    uint64_t begin = way.timed ? hws_clock_ns() : 0;
    if (way.past)
        copy_past(dst, src, n);
    else
        hws_copy_long(dst, src, n);
    if (way.timed)
        hws_bypass_took(b, hws_clock_ns() - begin, n);
}
#else
void hws_copy_long_across(struct hws_bypass *b, void *dst, const void *src, size_t n)
{
    (void)b;
    hws_copy_long(dst, src, n);
}
#endif
