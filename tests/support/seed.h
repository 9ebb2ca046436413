/* SPDX-License-Identifier: BSD-3-Clause
 *
 * seed: random numbers for property tests. The seed comes from HAWSER_TEST_SEED or from the kernel and is printed, so
 * that a failure can be run again.
 */
#ifndef HWS_TESTS_SEED_H
#define HWS_TESTS_SEED_H

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>

static uint64_t hws_test_state = 1;

/* SplitMix64 (Steele, Lea, Flood 2014). */
static inline uint64_t hws_test_next(void)
{
    uint64_t z = hws_test_state += 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

/* A number from 0 to bound - 1. */
static inline uint64_t hws_test_random(uint64_t bound)
{
    return hws_test_next() % bound;
}

/* Of n rounds with content of their own each, how many to run: all, or as many of a hundred as HAWSER_TEST_ROUNDS says,
 * where a round takes several times as long; but six, so that each role has its turn. */
static inline int hws_test_rounds(int n)
{
    const char *text = getenv("HAWSER_TEST_ROUNDS");
    int some = text ? n * atoi(text) / 100 : n, least = n < 6 ? n : 6;
    return some > least ? some : least;
}

static inline uint64_t hws_test_seed(const char *name)
{
    const char *text = getenv("HAWSER_TEST_SEED");
    uint64_t seed = 0;
    if (text)
        seed = strtoull(text, NULL, 0);
    else if (getrandom(&seed, sizeof seed, 0) != sizeof seed)
        abort();
    hws_test_state = seed;
    fprintf(stderr, "%s: HAWSER_TEST_SEED=%" PRIu64 "\n", name, seed);
    return seed;
}

#endif
