/* SPDX-License-Identifier: BSD-3-Clause
 *
 * words: the contents of messages as a function of a key and of the position. Lengths need not be whole words.
 */
#ifndef HWS_TESTS_WORDS_H
#define HWS_TESTS_WORDS_H

#include <stdint.h>
#include <string.h>

/* splitmix64 (public domain, Vigna). */
static inline uint64_t words_mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* Word i of a message; `times` is how many messages were added up. */
static inline uint64_t words_at(uint64_t key, uint64_t times, long i)
{
    return key + times * (uint64_t)i * 0x9e3779b97f4a7c15u;
}

static inline void words_fill(void *buffer, long bytes, uint64_t key, uint64_t times)
{
    unsigned char *p = buffer;
    for (long i = 0; i < bytes / 8; i++) {
        uint64_t w = words_at(key, times, i);
        memcpy(p + 8 * i, &w, 8);
    }
    uint64_t last = words_at(key, times, bytes / 8);
    memcpy(p + (bytes & ~7L), &last, (size_t)(bytes & 7));
}

/* The first word that is wrong; -1: none is. */
static inline long words_wrong(const void *buffer, long bytes, uint64_t key, uint64_t times)
{
    const unsigned char *p = buffer;
    uint64_t wrong = 0;
    for (long i = 0; i < bytes / 8; i++) {
        uint64_t w;
        memcpy(&w, p + 8 * i, 8);
        wrong |= w ^ words_at(key, times, i);
    }
    uint64_t last = words_at(key, times, bytes / 8);
    if (!wrong)
        return bytes & 7 && memcmp(p + (bytes & ~7L), &last, (size_t)(bytes & 7)) ? bytes / 8 : -1;
    for (long i = 0;; i++) {
        uint64_t w = words_at(key, times, i);
        if (memcmp(p + 8 * i, &w, 8))
            return i;
    }
}

#endif
