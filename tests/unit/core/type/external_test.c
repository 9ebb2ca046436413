/* SPDX-License-Identifier: BSD-3-Clause
 *
 * external_test: external32 (MPI 5.0 section 14.5.2): golden bytes, worked out by hand from the standard's tables, and
 * the way there and back for random types.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "../../../support/seed.h"
#include "core/type/datatype_elems.h"
#include "core/type/datatype_make.h"
#include "random_type.h"

static void expect(MPI_Datatype h, const void *value, const char *hex, size_t len)
{
    struct hws_type *t = hws_type_of(h);
    unsigned char got[64] = {0}, back[64] = {0};
    cr_assert_eq((size_t)hws_type_external_size(t), len, "%s", t->name);
    cr_assert_eq(hws_type_pack_external(t, value, 1, got), MPI_SUCCESS, "%s", t->name);
    cr_assert_eq(memcmp(got, hex, len), 0, "%s", t->name);
    cr_assert_eq(hws_type_unpack_external(t, back, 1, got), MPI_SUCCESS);
    cr_assert_eq(memcmp(back, value, (size_t)t->size), 0, "%s back", t->name);
}

#define PAIR_1_2                                                                                                       \
    {                                                                                                                  \
        {                                                                                                              \
            1, 2                                                                                                       \
        }                                                                                                              \
    }
#define EXPECT(type, ctype, value, bytes)                                                                              \
    do {                                                                                                               \
        ctype v = value;                                                                                               \
        expect(type, &v, bytes, sizeof bytes - 1);                                                                     \
    } while (0)

Test(external, integers)
{
    EXPECT(MPI_INT, int, 0x01020304, "\x01\x02\x03\x04");
    EXPECT(MPI_INT, int, -2, "\xff\xff\xff\xfe");
    EXPECT(MPI_SHORT, short, 0x1234, "\x12\x34");
    EXPECT(MPI_LONG, long, 0x01020304, "\x01\x02\x03\x04"); /* 4 bytes there */
    EXPECT(MPI_LONG, long, -2, "\xff\xff\xff\xfe");
    EXPECT(MPI_UNSIGNED_LONG, unsigned long, 0xfffffffeul, "\xff\xff\xff\xfe");
    EXPECT(MPI_LONG_LONG, long long, 0x0102030405060708, "\x01\x02\x03\x04\x05\x06\x07\x08");
    EXPECT(MPI_INT64_T, int64_t, -256, "\xff\xff\xff\xff\xff\xff\xff\x00");
    EXPECT(MPI_AINT, MPI_Aint, 5, "\0\0\0\0\0\0\0\5");
    EXPECT(MPI_CHAR, char, 'A', "A");
    EXPECT(MPI_BYTE, unsigned char, 0xfe, "\xfe");
    EXPECT(MPI_C_BOOL, _Bool, 1, "\1");
    EXPECT(MPI_WCHAR, wchar_t, 0x20ac, "\x20\xac"); /* 2 bytes there */
}

Test(external, floating_point)
{
    EXPECT(MPI_FLOAT, float, 1.0f, "\x3f\x80\0\0");
    EXPECT(MPI_DOUBLE, double, -2.5, "\xc0\x04\0\0\0\0\0\0");
    EXPECT(MPI_C_FLOAT_COMPLEX, float _Complex, 1.0f + 2.0f * __extension__ 1.0if, "\x3f\x80\0\0\x40\0\0\0");
    EXPECT(MPI_C_DOUBLE_COMPLEX, double _Complex, 1.0 - 2.0 * __extension__ 1.0i,
           "\x3f\xf0\0\0\0\0\0\0\xc0\0\0\0\0\0\0\0");
    unsigned char got[32];
    long double v = 1.5L, back = 0; /* its padding is not compared */
    struct hws_type *t = hws_type_of(MPI_LONG_DOUBLE);
    cr_assert_eq(hws_type_external_size(t), 16);
    cr_assert_eq(hws_type_pack_external(t, &v, 1, got), MPI_SUCCESS);
    cr_assert_eq(memcmp(got, "\x3f\xff\x80\0\0\0\0\0\0\0\0\0\0\0\0\0", 16), 0);
    cr_assert_eq(hws_type_unpack_external(t, &back, 1, got), MPI_SUCCESS);
    cr_assert_eq(back, v);
}

Test(external, pairs_and_structs_have_no_holes)
{
    struct {
        double d;
        int i;
    } pair = {1.0, 7};
    EXPECT(
        MPI_2INT, struct { int a[2]; }, PAIR_1_2, "\0\0\0\1\0\0\0\2");
    unsigned char got[12];
    cr_assert_eq(hws_type_external_size(hws_type_of(MPI_DOUBLE_INT)), 12);
    cr_assert_eq(hws_type_pack_external(hws_type_of(MPI_DOUBLE_INT), &pair, 1, got), MPI_SUCCESS);
    cr_assert_eq(memcmp(got, "\x3f\xf0\0\0\0\0\0\0\0\0\0\7", 12), 0);
}

Test(external, a_value_that_does_not_fit_is_an_error)
{
    long v[3] = {1, 1L << 40, 3};
    unsigned char got[12];
    unsigned long u = 1ul << 32;
    cr_assert_eq(hws_type_pack_external(hws_type_of(MPI_LONG), v, 3, got), MPI_ERR_CONVERSION);
    cr_assert_eq(memcmp(got + 8, "\0\0\0\3", 4), 0, "the rest is converted");
    cr_assert_eq(hws_type_pack_external(hws_type_of(MPI_UNSIGNED_LONG), &u, 1, got), MPI_ERR_CONVERSION);
}

/* A type whose native bytes, whatever they are, come back the same: no shortened or padded basic type in it. */
static bool is_lossless(const struct model *m)
{
    for (int i = 0; i < m->n; i++)
        if (m->e[i].basic == hws_type_of(MPI_LONG) || m->e[i].basic == hws_type_of(MPI_LONG_DOUBLE))
            return false;
    return true;
}

/* external32 of the packed stream, entry by entry. */
static void convert_by_list(const struct model *m, const char *packed, MPI_Count count, char *out)
{
    for (MPI_Count k = 0; k < count * m->n; k++) {
        const struct hws_type *b = m->e[k % m->n].basic;
        MPI_Count unit = b == hws_type_of(MPI_C_DOUBLE_COMPLEX) ? 8 : b->size;
        for (MPI_Count i = 0; i < b->size; i++)
            out[i] = packed[i / unit * unit + (unit - 1 - i % unit)];
        out += b->size;
        packed += b->size;
    }
}

Test(external, random_types_there_and_back)
{
    hws_test_seed("external");
    int tested = 0;
    for (int i = 0; i < 600; i++) {
        struct sample s = sample_make(1 + (int)hws_test_random(3));
        MPI_Count count = 1 + (MPI_Count)hws_test_random(30), lo, hi, n = s.model->size * count,
                  ex = s.model->ub - s.model->lb;
        if (!is_lossless(s.model) || n == 0) {
            sample_free(&s);
            continue;
        }
        model_span(s.model, count, &lo, &hi);
        char *mem = malloc((size_t)(hi - lo)), *native = malloc((size_t)n), *want = malloc((size_t)n),
             *got = malloc((size_t)n);
        char *origin = (char *)((uintptr_t)mem - (uintptr_t)lo);
        for (MPI_Count k = 0; k < hi - lo; k++)
            mem[k] = (char)hws_test_next();
        for (MPI_Count k = 0; k < count; k++)
            model_pack(s.model, (char *)((uintptr_t)origin + (uintptr_t)(k * ex)), native + k * s.model->size);
        convert_by_list(s.model, native, count, want);
        cr_assert_eq(hws_type_external_size(s.type), s.model->size, "%s", s.text);
        cr_assert_eq(hws_type_pack_external(s.type, origin, count, got), MPI_SUCCESS);
        cr_assert_eq(memcmp(got, want, (size_t)n), 0, "%s x%d", s.text, (int)count);
        hws_type_unpack_external(s.type, origin, count, want); /* puts back what was there */
        hws_type_pack(s.type, origin, 0, got, (size_t)n);
        cr_assert_eq(memcmp(got, native, (size_t)n), 0, "%s x%d back", s.text, (int)count);
        tested++;
        free(mem);
        free(native);
        free(want);
        free(got);
        sample_free(&s);
    }
    cr_assert_gt(tested, 100);
}
