/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pool_test: objects do not overlap, are aligned, and memory goes back.
 */
#include "base/pool.h"

#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <stdint.h>
#include <string.h>

#include "../../support/seed.h"
#include "base/bufpool.h"

#define KEPT      ((size_t)256 * 1024) /* bytes of empty chunks that stay, ... */
#define MOST_KEPT ((size_t)4 << 20)    /* ... and at most */

struct shape {
    size_t size, align;
};

ParameterizedTestParameters(pool, objects_are_apart_and_aligned)
{
    static struct shape shapes[] = {{1, 1},       {7, 4},       {24, 8},         {64, 64},   {200, 16},
                                    {4096, 4096}, {9000, 4096}, {64 * 1024, 64}, {65535, 1}, {300, 128}};
    return cr_make_param_array(struct shape, shapes, HWS_ARRAY_LEN(shapes));
}

ParameterizedTest(struct shape *s, pool, objects_are_apart_and_aligned)
{
    enum { N = 300 };
    static unsigned char *objs[N];
    struct hws_pool p;
    hws_pool_init(&p, s->size, s->align);
    for (int i = 0; i < N; i++) {
        objs[i] = hws_pool_get(&p);
        cr_assert_not_null(objs[i]);
        cr_assert_eq((uintptr_t)objs[i] % s->align, 0);
        memset(objs[i], i, s->size);
    }
    for (int i = 0; i < N; i++)
        for (size_t k = 0; k < s->size; k++)
            cr_assert_eq(objs[i][k], (unsigned char)i);
    cr_assert_eq(hws_pool_count(&p), N);
    for (int i = 0; i < N; i++)
        hws_pool_put(&p, objs[i]);
    cr_assert_eq(hws_pool_count(&p), 0);
    cr_assert_leq(hws_pool_bytes(&p), p.chunk_bytes > KEPT ? p.chunk_bytes : KEPT);
    hws_pool_fini(&p);
    cr_assert_eq(hws_pool_bytes(&p), 0);
}

Test(pool, an_object_put_back_is_given_again)
{
    struct hws_pool p;
    hws_pool_init(&p, 100, 8);
    void *a = hws_pool_get(&p), *b = hws_pool_get(&p);
    hws_pool_put(&p, a);
    cr_assert_eq(hws_pool_get(&p), a);
    cr_assert_neq(a, b);
    hws_pool_fini(&p);
}

Test(pool, may_be_used_again_after_fini)
{
    struct hws_pool p;
    hws_pool_init(&p, 100, 8);
    cr_assert_not_null(hws_pool_get(&p));
    hws_pool_fini(&p);
    cr_assert_not_null(hws_pool_get(&p));
    cr_assert_eq(hws_pool_count(&p), 1);
    hws_pool_fini(&p);
}

/* Takes bytes' worth of objects and puts all back. Returns how many chunks it had to take. */
static size_t wave(struct hws_pool *p, size_t bytes)
{
    enum { N = 8192 };
    static void *objs[N];
    size_t before = p->n_chunks, n = bytes / p->stride, peak;
    cr_assert_leq(n, N);
    for (size_t i = 0; i < n; i++)
        cr_assert_not_null(objs[i] = hws_pool_get(p));
    peak = p->n_chunks;
    for (size_t i = 0; i < n; i++)
        hws_pool_put(p, objs[i]);
    return peak - before;
}

Test(pool, what_is_wanted_again_and_again_stays)
{
    struct hws_pool p;
    hws_pool_init(&p, 1024, 8);
    cr_assert_gt(wave(&p, 2 << 20), 0);
    cr_assert_leq(hws_pool_bytes(&p), KEPT); /* it may have been the only one */
    for (int i = 0; i < 4; i++)
        wave(&p, 2 << 20);
    cr_assert_eq(wave(&p, 2 << 20), 0);
    for (int i = 0; i < 8; i++)
        wave(&p, 8 << 20);
    cr_assert_leq(hws_pool_bytes(&p), MOST_KEPT);
    hws_pool_fini(&p);
}

Test(pool, random_use_keeps_every_content)
{
    enum { N = 500 };
    static uint64_t *objs[N], want[N];
    struct hws_pool p;
    size_t n_out = 0;
    hws_test_seed("pool");
    hws_pool_init(&p, 1500, 8);
    for (int step = 0; step < 100000; step++) {
        size_t i = hws_test_random(N);
        if (objs[i]) {
            cr_assert(objs[i][0] == want[i] && objs[i][187 - 1] == want[i]);
            hws_pool_put(&p, objs[i]);
            objs[i] = NULL;
            n_out--;
        } else {
            objs[i] = hws_pool_get(&p);
            objs[i][0] = objs[i][187 - 1] = want[i] = hws_test_next();
            n_out++;
        }
        cr_assert_eq(hws_pool_count(&p), n_out);
    }
    hws_pool_fini(&p);
}

/* ---- bufpool ---- */

Test(bufpool, every_length_fits_its_class_and_loses_at_most_a_quarter)
{
    size_t before = 0;
    for (size_t len = 0; len <= 70000; len++) {
        size_t size = hws_bufpool_size(len);
        cr_assert_geq(size, len);
        cr_assert_geq(size, before);
        cr_assert(len <= 64 || size - len <= len / 4, "%zu takes %zu", len, size);
        before = size;
    }
    cr_assert_eq(hws_bufpool_size(8192), 8192);
    cr_assert_eq(hws_bufpool_size(65536), 65536);
}

Test(bufpool, the_bytes_are_counted_and_go_back)
{
    static const size_t lens[] = {0, 1, 64, 65, 8192, 8193, 65536, 65537, 1 << 20};
    void *bufs[HWS_ARRAY_LEN(lens)];
    struct hws_bufpool b;
    hws_bufpool_init(&b);
    size_t sum = 0;
    for (size_t i = 0; i < HWS_ARRAY_LEN(lens); i++) {
        bufs[i] = hws_bufpool_get(&b, lens[i]);
        cr_assert_not_null(bufs[i]);
        cr_assert_eq((uintptr_t)bufs[i] % 16, 0);
        memset(bufs[i], 0x55, lens[i]);
        sum += hws_bufpool_size(lens[i]);
    }
    cr_assert_eq(hws_bufpool_bytes(&b), sum);
    for (size_t i = 0; i < HWS_ARRAY_LEN(lens); i++)
        hws_bufpool_put(&b, bufs[i], lens[i]);
    hws_bufpool_put(&b, NULL, 5);
    cr_assert_eq(hws_bufpool_bytes(&b), 0);
    hws_bufpool_fini(&b);
}

Test(bufpool, a_flood_leaves_little_behind)
{
    enum { N = 4000, LEN = 8192 };
    static void *bufs[N];
    struct hws_bufpool b;
    hws_bufpool_init(&b);
    for (int i = 0; i < N; i++)
        cr_assert_not_null(bufs[i] = hws_bufpool_get(&b, LEN));
    for (int i = 0; i < N; i++)
        hws_bufpool_put(&b, bufs[i], LEN);
    size_t held = 0;
    for (int i = 0; i < HWS_BUFPOOL_CLASSES; i++)
        held += hws_pool_bytes(&b.classes[i]);
    cr_assert_leq(held, 1024 * 1024);
    hws_bufpool_fini(&b);
}
