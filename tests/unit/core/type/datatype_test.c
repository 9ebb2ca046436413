/* SPDX-License-Identifier: BSD-3-Clause
 *
 * datatype_test: random nested types against their plain lists: bounds, packing cut at every offset, elements; and what
 * must hold for particular types.
 */
#include "core/type/datatype.h"

#include <criterion/criterion.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "../../../support/seed.h"
#include "core/type/datatype_elems.h"
#include "core/type/datatype_make.h"
#include "core/type/datatype_priv.h"
#include "random_type.h"

#define TYPES 400 /* random types a test, less than a second */

/* Memory that count elements fit in, filled with noise, and where offset 0 lies. */
struct area {
    char *bytes, *origin;
    size_t len;
};

static struct area area_new(const struct model *m, MPI_Count count)
{
    MPI_Count lo, hi;
    model_span(m, count, &lo, &hi);
    struct area a = {.len = (size_t)(hi - lo) + 64};
    a.bytes = malloc(a.len);
    cr_assert_not_null(a.bytes);
    a.origin = (char *)((uintptr_t)a.bytes + 32 - (uintptr_t)lo);
    for (size_t i = 0; i < a.len; i++)
        a.bytes[i] = (char)hws_test_next();
    return a;
}

static char *packed_by_list(const struct model *m, const char *origin, MPI_Count count)
{
    char *out = malloc((size_t)(m->size * count) + 1);
    cr_assert_not_null(out);
    for (MPI_Count i = 0; i < count; i++)
        model_pack(m, (char *)((uintptr_t)origin + (uintptr_t)(i * (m->ub - m->lb))), out + i * m->size);
    return out;
}

Test(datatype, bounds_follow_the_definitions)
{
    hws_test_seed("bounds");
    for (int i = 0; i < 4 * TYPES; i++) {
        struct sample s = sample_make((int)hws_test_random(5));
        const struct model *m = s.model;
        const struct hws_type *t = s.type;
        cr_assert_eq(t->size, m->size, "%s: size %lld", s.text, (long long)t->size);
        cr_assert_eq(t->lb, m->lb, "%s: lb %lld, not %lld", s.text, (long long)t->lb, (long long)m->lb);
        cr_assert_eq(t->extent, m->ub - m->lb, "%s: extent %lld, not %lld", s.text, (long long)t->extent,
                     (long long)(m->ub - m->lb));
        cr_assert_eq(t->true_lb, m->true_lb, "%s: true lb", s.text);
        cr_assert_eq(t->true_extent, m->true_ub - m->true_lb, "%s: true extent", s.text);
        cr_assert(!t->dense || t->solid, "%s", s.text);
        cr_assert(!t->solid || t->true_extent == t->size, "%s: solid with a hole", s.text);
        sample_free(&s);
    }
}

/* Random elements of random types: `pack` must leave in got[n] what the list says, and touch nothing behind it. */
static void each_packed(const char *seed, int max_count,
                        void (*pack)(const struct sample *s, const char *origin, size_t n, const char *want, char *got))
{
    hws_test_seed(seed);
    for (int i = 0; i < TYPES; i++) {
        struct sample s = sample_make(1 + (int)hws_test_random(4));
        MPI_Count count = 1 + (MPI_Count)hws_test_random((unsigned)max_count);
        struct area a = area_new(s.model, count);
        size_t n = (size_t)(s.model->size * count);
        char *want = packed_by_list(s.model, a.origin, count), *got = malloc(n + 1);
        got[n] = 0x55;
        pack(&s, a.origin, n, want, got);
        cr_assert_eq(memcmp(got, want, n), 0, "%s x%d", s.text, (int)count);
        cr_assert_eq(got[n], 0x55);
        free(got);
        free(want);
        free(a.bytes);
        sample_free(&s);
    }
}

static void pack_with_cuts(const struct sample *s, const char *origin, size_t n, const char *want, char *got)
{
    size_t step = n > 400 ? n / 100 : 1; /* of long ones a sample of the cuts */
    for (size_t cut = 0; cut <= n; cut += step) {
        memset(got, 0x55, n + 1);
        hws_type_pack(s->type, origin, 0, got, cut);
        for (size_t k = cut; k <= n; k++)
            cr_assert_eq(got[k], 0x55, "%s, %zu bytes cut at %zu: wrote more", s->text, n, cut);
        hws_type_pack(s->type, origin, cut, got + cut, n - cut);
        cr_assert_eq(memcmp(got, want, n), 0, "%s, %zu bytes cut at %zu", s->text, n, cut);
        cr_assert_eq(got[n], 0x55);
    }
}

Test(datatype, packing_cut_at_every_offset)
{
    each_packed("pack", 3, pack_with_cuts);
}

static void pack_fragments(const struct sample *s, const char *origin, size_t n, const char *want, char *got)
{
    (void)want;
    for (size_t at = 0, len; at < n; at += len) {
        len = 1 + hws_test_random(n - at < 97 ? n - at : 97);
        hws_type_pack(s->type, origin, at, got + at, len);
    }
}

Test(datatype, packing_in_random_fragments)
{
    each_packed("fragments", 20, pack_fragments);
}

/* Bytes [at, at + len) named run by run, copied to out; the parts must be in order, none empty, no two of them one run.
 */
static void copy_named(const struct hws_type *t, const char *origin, size_t at, size_t len, char *out)
{
    struct iovec iov[40];
    for (size_t covered; len > 0; at += covered, len -= covered) {
        int max = 1 + (int)hws_test_random(40), n = hws_type_runs(t, origin, at, len, iov, max, &covered);
        size_t sum = 0;
        cr_assert(n >= 1 && n <= max && covered <= len);
        cr_assert(n == max || covered == len, "entries left, and not all named");
        for (int i = 0; i < n; i++) {
            cr_assert(iov[i].iov_len > 0);
            cr_assert(i == 0 || (char *)iov[i - 1].iov_base + iov[i - 1].iov_len != iov[i].iov_base);
            memcpy(out + sum, iov[i].iov_base, iov[i].iov_len);
            sum += iov[i].iov_len;
        }
        cr_assert_eq(sum, covered);
        out += covered;
    }
}

static void copy_runs(const struct sample *s, const char *origin, size_t n, const char *want, char *got)
{
    (void)want;
    for (size_t at = 0, len; at < n; at += len) {
        len = 1 + hws_test_random(n - at < 997 ? n - at : 997);
        copy_named(s->type, origin, at, len, got + at);
    }
}

Test(datatype, runs_named_from_any_offset)
{
    each_packed("runs", 20, copy_runs);
}

/* Whether count elements write no byte twice. */
static bool is_disjoint(const struct model *m, MPI_Count count, const struct area *a)
{
    char *seen = calloc(1, a->len);
    bool ok = true;
    for (MPI_Count k = 0; k < count; k++)
        for (int i = 0; i < m->n; i++) {
            uintptr_t at = (uintptr_t)a->origin + (uintptr_t)(k * (m->ub - m->lb) + m->e[i].disp) - (uintptr_t)a->bytes;
            for (MPI_Count j = 0; j < m->e[i].basic->size; j++) {
                ok = ok && !seen[at + (uintptr_t)j];
                seen[at + (uintptr_t)j] = 1;
            }
        }
    free(seen);
    return ok;
}

static void unpack_by_list(const struct model *m, char *origin, MPI_Count count, const char *in)
{
    for (MPI_Count i = 0; i < count; i++)
        model_unpack(m, (char *)((uintptr_t)origin + (uintptr_t)(i * (m->ub - m->lb))), in + i * m->size);
}

/* Every cut of one type; true if it could be tested. */
static bool unpack_cuts(const struct sample *s, MPI_Count count)
{
    struct area a = area_new(s->model, count), b = area_new(s->model, count);
    size_t n = (size_t)(s->model->size * count), step = n > 300 ? n / 60 : 1;
    char *in = malloc(n + 1), *part = malloc(n + 1), *want = malloc(a.len);
    bool usable = is_disjoint(s->model, count, &a);
    for (size_t i = 0; i < n; i++)
        in[i] = (char)hws_test_next();
    memcpy(want, a.bytes, a.len);
    unpack_by_list(s->model, a.origin, count, in);
    for (size_t cut = 0; usable && cut <= n; cut += step) {
        memcpy(b.bytes, want, a.len);                               /* the untouched noise */
        hws_type_unpack(s->type, b.origin, cut, in + cut, n - cut); /* fragments may come in any order */
        for (size_t k = 0; k < n; k++)
            part[k] = k < cut ? in[k] : (char)~in[k]; /* must not be read */
        hws_type_unpack(s->type, b.origin, 0, part, cut);
        cr_assert_eq(memcmp(b.bytes, a.bytes, a.len), 0, "%s x%d cut at %zu", s->text, (int)count, cut);
    }
    free(in);
    free(part);
    free(want);
    free(a.bytes);
    free(b.bytes);
    return usable;
}

Test(datatype, unpacking_cut_at_every_offset)
{
    int tested = 0;
    hws_test_seed("unpack");
    for (int i = 0; i < TYPES; i++) {
        struct sample s = sample_make(1 + (int)hws_test_random(4));
        tested += unpack_cuts(&s, 1 + (MPI_Count)hws_test_random(3));
        sample_free(&s);
    }
    cr_assert_gt(tested, TYPES / 8, "only %d types without overlap", tested);
}

Test(datatype, copies_between_any_two_types)
{
    hws_test_seed("copy");
    for (int i = 0; i < TYPES; i++) {
        struct sample s = sample_make(1 + (int)hws_test_random(3));
        struct area a = area_new(s.model, 2);
        size_t n = (size_t)(s.model->size * 2);
        char *want = packed_by_list(s.model, a.origin, 2), *got = malloc(n + 8);
        struct hws_type *spread;
        cr_assert_eq(hws_type_new_resized(hws_type_of(MPI_BYTE), 0, 3, &spread), MPI_SUCCESS);
        char *wide = calloc(3, n + 1);
        cr_assert_eq(hws_type_copy(a.origin, 2, s.type, got, (MPI_Count)n, hws_type_of(MPI_BYTE)), MPI_SUCCESS);
        cr_assert_eq(memcmp(got, want, n), 0, "%s", s.text);
        cr_assert_eq(hws_type_copy(a.origin, 2, s.type, wide, (MPI_Count)n, spread), MPI_SUCCESS);
        for (size_t k = 0; k < n; k++)
            cr_assert_eq(wide[3 * k], want[k], "%s byte %zu", s.text, k);
        if (n > 0)
            cr_assert_eq(hws_type_copy(a.origin, 2, s.type, got, (MPI_Count)n - 1, hws_type_of(MPI_BYTE)),
                         MPI_ERR_TRUNCATE);
        hws_type_drop(spread);
        free(wide);
        free(got);
        free(want);
        free(a.bytes);
        sample_free(&s);
    }
}

/* Elements in the first `bytes` of the stream, by the list; -1: cut. */
static MPI_Count count_by_list(const struct model *m, MPI_Count bytes)
{
    MPI_Count elems = 0;
    for (int i = 0; bytes > 0; i = (i + 1) % m->n) {
        bytes -= m->e[i].basic->size;
        elems++;
    }
    return bytes == 0 ? elems : -1;
}

Test(datatype, elements_of_every_length)
{
    hws_test_seed("elements");
    for (int i = 0; i < TYPES; i++) {
        struct sample s = sample_make((int)hws_test_random(5));
        MPI_Count end = s.model->size < 300 ? 2 * s.model->size : 600, back;
        for (MPI_Count bytes = 0; bytes <= end; bytes++) {
            MPI_Count want = s.model->n ? count_by_list(s.model, bytes) : 0;
            cr_assert_eq(hws_type_elements(s.type, bytes), want, "%s: %lld bytes", s.text, (long long)bytes);
            if (want < 0)
                continue;
            cr_assert(hws_type_elements_bytes(s.type, want, &back));
            cr_assert_eq(back, bytes, "%s: %lld elements", s.text, (long long)want);
        }
        if (s.model->n == 0)
            cr_assert_eq(hws_type_elements(s.type, 1), -1);
        sample_free(&s);
    }
}

static struct hws_type *loop(MPI_Count n, MPI_Count len, MPI_Count stride, struct hws_type *old)
{
    struct hws_type *t = NULL;
    cr_assert_eq(hws_type_new_loop(n, len, stride, old, &t), MPI_SUCCESS);
    return t;
}

/* Blocks of one length and step, forth and back, near and far, as many as need another way or not. */
static void check_blocks(MPI_Count len, MPI_Count step, MPI_Count n)
{
    struct hws_type *byte = hws_type_of(MPI_BYTE), *t = loop(n, len, step, byte);
    MPI_Count room = (step < 0 ? -step : step) * (n - 1) + len, first = step < 0 ? room - len : 0;
    char *typed = malloc((size_t)room), *packed = malloc((size_t)(n * len)), *back = calloc(1, (size_t)room);
    for (MPI_Count i = 0; i < room; i++)
        typed[i] = (char)hws_test_next();
    hws_type_pack(t, typed + first, 0, packed, (size_t)(n * len));
    hws_type_unpack(t, back + first, 0, packed, (size_t)(n * len));
    for (MPI_Count i = 0; i < n; i++) {
        char *at = typed + first + i * step;
        cr_assert_eq(memcmp(packed + i * len, at, (size_t)len), 0, "block %d of %d, step %d", (int)i, (int)len,
                     (int)step);
        cr_assert_eq(memcmp(back + (at - typed), at, (size_t)len), 0);
        memset(back + (at - typed), 0, (size_t)len);
    }
    for (MPI_Count i = 0; i < room; i++)
        cr_assert_eq(back[i], 0, "a byte between the blocks was written");
    free(typed);
    free(packed);
    free(back);
    hws_type_drop(t);
}

Test(datatype, blocks_of_every_length)
{
    static const MPI_Count steps[] = {101, 128, 200, 1000}, counts[] = {1, 2, 7, 127, 128, 301};
    hws_test_seed("blocks");
    for (MPI_Count len = 1; len <= 70; len++)
        for (int i = 0; i < 4; i++)
            for (int k = 0; k < 6; k++) {
                check_blocks(len, steps[i], counts[k]);
                check_blocks(len, -steps[i], counts[k]);
                check_blocks(len, len + i + 1, counts[k]);
            }
}

Test(datatype, regular_types_become_loops)
{
    struct hws_type *line = loop(10, 1, 32, hws_type_of(MPI_DOUBLE)), *face = loop(20, 1, 320, line), *t;
    cr_assert_null(face->flat->one.node->child.node, "strides go on: one loop");
    cr_assert_eq(face->flat->one.node->n, 200);
    hws_type_drop(line);
    MPI_Count disps[60];
    for (int i = 0; i < 60; i++)
        disps[i] = i / 6 * 100 + i % 6 * 3;
    struct hws_type_blocks b = {.n = 60, .blocklen = 2, .disps = {disps, true}, .unit = 8};
    cr_assert_eq(hws_type_new_blocks(&b, hws_type_of(MPI_DOUBLE), &t), MPI_SUCCESS);
    const struct hws_type_node *outer = t->flat->one.node;
    cr_assert(outer->kind == HWS_NODE_LOOP && outer->n == 10 && outer->stride == 800);
    cr_assert(outer->child.node->kind == HWS_NODE_LOOP && outer->child.node->n == 6 &&
              outer->child.node->child.len == 16);
    hws_type_drop(t);
    hws_type_drop(face);
    t = loop(5, 4, 16, hws_type_of(MPI_INT));
    cr_assert(t->dense && t->size == 80);
    hws_type_drop(t);
}

Test(datatype, long_runs_are_named_short_ones_copied)
{
    struct hws_type *t = loop(4, 1024, 2048, hws_type_of(MPI_DOUBLE)), *many = loop(3, 1, 100000, t);
    cr_assert(t->layout.runs && many->layout.runs);
    hws_type_drop(many);
    hws_type_drop(t);
    t = loop(4096, 1, 2, hws_type_of(MPI_DOUBLE));
    cr_assert_null(t->layout.runs);
    hws_type_drop(t);
}

Test(datatype, derived_types_hold_what_they_are_made_of)
{
    struct hws_type *inner = loop(3, 1, 16, hws_type_of(MPI_INT)), *outer = loop(2, 1, 100, inner);
    int source[40], got[6];
    for (int i = 0; i < 40; i++)
        source[i] = i;
    hws_type_drop(inner);
    hws_type_pack(outer, source, 0, got, sizeof got);
    int want[6] = {0, 4, 8, 25, 29, 33};
    cr_assert_arr_eq(got, want, sizeof got);
    hws_type_drop(outer);
}

Test(datatype, huge_types_cost_nothing_and_overflow_is_seen)
{
    struct hws_type *row = loop((MPI_Count)1 << 31, 1, 8, hws_type_of(MPI_INT)), *t;
    cr_assert_eq(row->size, (MPI_Count)1 << 33);
    cr_assert_eq(row->extent, ((MPI_Count)1 << 34) - 4);
    t = loop((MPI_Count)1 << 40, 1, 0, row);
    cr_assert(t->too_large && t->size == 0);
    cr_assert_eq(hws_type_commit(t), MPI_ERR_TYPE);
    struct hws_type *more = loop(2, 1, 8, t);
    cr_assert(more->too_large, "inherited");
    hws_type_drop(more);
    hws_type_drop(t);
    t = loop((MPI_Count)1 << 20, 1, (MPI_Count)1 << 50, hws_type_of(MPI_INT));
    cr_assert(t->too_large, "the extent overflows");
    hws_type_drop(t);
    MPI_Count sizes[3] = {INT64_MAX, 8, 8}, part[3] = {1, 1, 1}, starts[3] = {0, 0, 0};
    struct hws_subarray a = {3, false, {sizes, true}, {part, true}, {starts, true}};
    cr_assert_eq(hws_type_new_subarray(&a, hws_type_of(MPI_INT), &t), MPI_SUCCESS);
    cr_assert(t->too_large);
    hws_type_drop(t);
    hws_type_drop(row);
}

Test(datatype, absolute_addresses)
{
    int x[4] = {1, 2, 3, 4}, got[2];
    MPI_Count disps[2] = {(MPI_Count)(uintptr_t)&x[3], (MPI_Count)(uintptr_t)&x[1]};
    struct hws_type_blocks b = {.n = 2, .blocklen = 1, .disps = {disps, true}, .unit = 1};
    struct hws_type *t;
    cr_assert_eq(hws_type_new_blocks(&b, hws_type_of(MPI_INT), &t), MPI_SUCCESS);
    hws_type_pack(t, MPI_BOTTOM, 0, got, sizeof got);
    cr_assert(got[0] == 4 && got[1] == 2);
    got[0] = 40;
    hws_type_unpack(t, MPI_BOTTOM, 0, got, sizeof got);
    cr_assert_eq(x[3], 40);
    hws_type_drop(t);
}

Test(datatype, predefined_types_are_those_of_the_abi)
{
    int n = 0;
    for (uintptr_t h = 0x200; h < 0x400; h++) {
        struct hws_type *t = hws_type_of((MPI_Datatype)h);
        if (!t)
            continue;
        n++;
        cr_assert_eq((uintptr_t)hws_type_handle(t), h);
        cr_assert(t->committed && t->combiner == MPI_COMBINER_NAMED && t->lb == 0);
        if ((h & 0x140) == 0x140 || (h & 0x240) == 0x240) /* bit 6: the size is in the handle */
            cr_assert_eq(t->size, 1 << (h >> 3 & 7), "%s", t->name);
        hws_type_drop(t); /* does nothing */
    }
    cr_assert_eq(n, 70);
    const struct hws_type *pair = hws_type_of(MPI_DOUBLE_INT);
    cr_assert(pair->size == 12 && pair->extent == 16 && pair->true_extent == 12 && !pair->dense && pair->solid);
    cr_assert(hws_type_of(MPI_SHORT_INT)->size == 6 && hws_type_of(MPI_SHORT_INT)->extent == 8);
    cr_assert_str_eq(hws_type_of(MPI_2DOUBLE_PRECISION)->name, "MPI_2DOUBLE_PRECISION");
    cr_assert_null(hws_type_of(MPI_DATATYPE_NULL));
    cr_assert_null(hws_type_of((MPI_Datatype)0x3ff));
    cr_assert_null(hws_type_of((MPI_Datatype)MPI_COMM_WORLD));
}
