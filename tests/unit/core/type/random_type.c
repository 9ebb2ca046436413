/* SPDX-License-Identifier: BSD-3-Clause
 *
 * random_type: see random_type.h. Slow and plain on purpose.
 */
#include "random_type.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../support/seed.h"
#include "core/type/datatype_make.h"

#define NEST_MAX 40 /* entries: larger ones are not nested further */

static const MPI_Datatype basics[] = {
    MPI_CHAR,      MPI_SHORT,      MPI_INT,  MPI_DOUBLE,           MPI_FLOAT, MPI_INT8_T, MPI_LONG, MPI_LONG_DOUBLE,
    MPI_SHORT_INT, MPI_DOUBLE_INT, MPI_BYTE, MPI_C_DOUBLE_COMPLEX, MPI_2REAL, MPI_INT16_T};

static MPI_Count pick(MPI_Count from, MPI_Count to)
{
    return from + (MPI_Count)hws_test_random((uint64_t)(to - from + 1));
}

static void widen(struct model *m, MPI_Count lo, MPI_Count hi)
{
    m->lb = !m->marked || lo < m->lb ? lo : m->lb;
    m->ub = !m->marked || hi > m->ub ? hi : m->ub;
    m->marked = true;
}

/* Appends one element of `from` at disp. */
static void place(struct model *m, const struct model *from, MPI_Count disp)
{
    cr_assert(m->n + from->n <= MODEL_MAX);
    if (from->n > 0 && (m->n == 0 || disp + from->ub > m->padded_ub))
        m->padded_ub = disp + from->ub;
    for (int i = 0; i < from->n; i++)
        m->e[m->n++] = (struct entry){from->e[i].basic, from->e[i].disp + disp};
    if (from->marked)
        widen(m, disp + from->lb, disp + from->ub);
}

/* Size, true bounds, and lb and ub where no marks are (section 5.1.6; parts with their padding, datatype_make.c). */
static void settle(struct model *m)
{
    MPI_Count align = 1;
    m->size = m->true_lb = m->true_ub = 0;
    for (int i = 0; i < m->n; i++) {
        const struct entry *e = &m->e[i];
        m->size += e->basic->size;
        align = e->basic->align > align ? e->basic->align : align;
        m->true_lb = i == 0 || e->disp < m->true_lb ? e->disp : m->true_lb;
        m->true_ub = i == 0 || e->disp + e->basic->size > m->true_ub ? e->disp + e->basic->size : m->true_ub;
    }
    if (m->marked)
        return;
    m->lb = m->true_lb;
    m->ub = m->n > 0 ? m->padded_ub : 0;
    while ((m->ub - m->lb) % align != 0)
        m->ub++;
}

static struct sample basic_sample(void)
{
    struct sample s = {.model = calloc(1, sizeof *s.model)};
    cr_assert_not_null(s.model);
    s.type = hws_type_of(basics[hws_test_random(sizeof basics / sizeof basics[0])]);
    snprintf(s.text, sizeof s.text, "%s", s.type->name + 4);
    struct model *m = s.model;
    m->n = 2;
    if (s.type == hws_type_of(MPI_SHORT_INT)) {
        m->e[0] = (struct entry){hws_type_of(MPI_SHORT), 0};
        m->e[1] = (struct entry){hws_type_of(MPI_INT), 4};
    } else if (s.type == hws_type_of(MPI_DOUBLE_INT)) {
        m->e[0] = (struct entry){hws_type_of(MPI_DOUBLE), 0};
        m->e[1] = (struct entry){hws_type_of(MPI_INT), 8};
    } else if (s.type == hws_type_of(MPI_2REAL)) {
        m->e[0] = (struct entry){hws_type_of(MPI_REAL), 0};
        m->e[1] = (struct entry){hws_type_of(MPI_REAL), 4};
    } else {
        m->n = 1;
        m->e[0] = (struct entry){s.type, 0};
    }
    m->padded_ub = m->e[m->n - 1].disp + m->e[m->n - 1].basic->size;
    settle(m);
    return s;
}

static struct sample fresh(void)
{
    struct sample s = {.model = calloc(1, sizeof *s.model)};
    cr_assert_not_null(s.model);
    return s;
}

static int most(const struct sample *old, int wish)
{
    int room = MODEL_MAX / 4 / (old->model->n ? old->model->n : 1);
    return room < wish ? room : wish;
}

static struct sample vector(const struct sample *old)
{
    struct sample s = fresh();
    MPI_Count ex = old->model->ub - old->model->lb, n = pick(0, most(old, 6)),
              len = pick(0, n > 0 ? most(old, 24) / n : 3);
    MPI_Count stride = pick(0, 2) ? pick(-8, 12) * ex : pick(-40, 40);
    stride = pick(0, 3) ? stride : len * ex;
    for (MPI_Count i = 0; i < n; i++)
        for (MPI_Count j = 0; j < len; j++)
            place(s.model, old->model, i * stride + j * ex);
    cr_assert_eq(hws_type_new_loop(n, len, stride, old->type, &s.type), MPI_SUCCESS);
    snprintf(s.text, sizeof s.text, "hvector(%d,%d,%d,%.300s)", (int)n, (int)len, (int)stride, old->text);
    return s;
}

static struct sample indexed(const struct sample *old)
{
    struct sample s = fresh();
    MPI_Count ex = old->model->ub - old->model->lb, lens[8], at = pick(-20, 20);
    int n = (int)pick(0, 8), disps[8], step = (int)pick(-9, 9), even = pick(0, 1) == 0, in_bytes = pick(0, 2) == 0;
    struct hws_type_blocks b = {.n = n, .lens = {lens, true}, .disps = {disps, false}, .unit = in_bytes ? 1 : ex};
    for (int i = 0; i < n; i++) {
        lens[i] = even ? 1 : pick(0, most(old, 3));
        at += even ? step : pick(-10, 20);
        disps[i] = (int)at;
        for (MPI_Count j = 0; j < lens[i]; j++)
            place(s.model, old->model, at * b.unit + j * ex);
    }
    cr_assert_eq(hws_type_new_blocks(&b, old->type, &s.type), MPI_SUCCESS);
    snprintf(s.text, sizeof s.text, "indexed(%d%s%s,%.300s)", n, even ? ",even" : "", in_bytes ? ",bytes" : "",
             old->text);
    return s;
}

/* The points of a grid one by one, as users list a face of an array. */
static struct sample grid(const struct sample *old)
{
    struct sample s = fresh();
    MPI_Count ex = old->model->ub - old->model->lb, disps[64], inner = pick(1, 10), outer = pick(30, 60);
    int n = 0, rows = (int)pick(1, 5), columns = (int)pick(1, 6);
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns && n < most(old, 60); c++)
            disps[n++] = r * outer + c * inner;
    if (pick(0, 2) == 0) /* all but regular */
        disps[pick(0, n - 1)] += pick(-1, 1);
    struct hws_type_blocks b = {.n = n, .blocklen = 1, .disps = {disps, true}, .unit = ex};
    for (int i = 0; i < n; i++)
        place(s.model, old->model, disps[i] * ex);
    cr_assert_eq(hws_type_new_blocks(&b, old->type, &s.type), MPI_SUCCESS);
    snprintf(s.text, sizeof s.text, "grid(%d,%d,%.300s)", n, columns, old->text);
    return s;
}

static struct sample structure(int depth)
{
    struct sample s = fresh(), part[4];
    MPI_Count disps[4], at = pick(-16, 16);
    MPI_Datatype types[4];
    int n = (int)pick(1, 4), lens[4];
    size_t used = (size_t)snprintf(s.text, sizeof s.text, "struct(");
    for (int i = 0; i < n; i++) {
        part[i] = sample_make(i == 0 ? depth - 1 : 0);
        lens[i] = (int)pick(0, most(&part[i], 3));
        disps[i] = at;
        at += pick(0, 3) ? part[i].model->size * lens[i] : pick(-20, 60);
        types[i] = hws_type_handle(part[i].type);
        for (int j = 0; j < lens[i]; j++)
            place(s.model, part[i].model, disps[i] + j * (part[i].model->ub - part[i].model->lb));
        if (used < 300)
            used += (size_t)snprintf(s.text + used, sizeof s.text - used, "%d:%d*%.150s ", (int)disps[i], lens[i],
                                     part[i].text);
    }
    cr_assert_eq(
        hws_type_new_struct(n, (struct hws_counts){lens, false}, (struct hws_counts){disps, true}, types, &s.type),
        MPI_SUCCESS);
    for (int i = 0; i < n; i++)
        sample_free(&part[i]);
    return s;
}

static struct sample resized(const struct sample *old)
{
    struct sample s = fresh();
    MPI_Count lb = pick(-20, 20), extent = pick(0, 4) ? pick(0, 80) : -pick(0, 30);
    place(s.model, old->model, 0);
    s.model->marked = true;
    s.model->lb = lb;
    s.model->ub = lb + extent;
    cr_assert_eq(hws_type_new_resized(old->type, lb, extent, &s.type), MPI_SUCCESS);
    snprintf(s.text, sizeof s.text, "resized(%d,%d,%.300s)", (int)lb, (int)extent, old->text);
    return s;
}

static struct sample duplicate(const struct sample *old)
{
    struct sample s = fresh();
    *s.model = *old->model;
    cr_assert_eq(hws_type_new_dup(old->type, &s.type), MPI_SUCCESS);
    snprintf(s.text, sizeof s.text, "dup(%.300s)", old->text);
    return s;
}

#define DIMS 3

/* Places the elements of an array whose indices in dimension d are owned[d][0..n[d]), the last given `order` fastest.
 */
static void place_array(struct model *m, const struct model *old, int ndims, bool fortran, const int *sizes,
                        int (*owned)[8], const int *n)
{
    MPI_Count ex = old->ub - old->lb, all = 1;
    int total = 1;
    for (int d = 0; d < ndims; d++) {
        total *= n[d];
        all *= sizes[d];
    }
    for (int k = 0; k < total; k++) {
        MPI_Count at = 0, weight = 1;
        int rest = k;
        for (int i = 0; i < ndims; i++) {
            int d = fortran ? i : ndims - 1 - i; /* fastest first */
            at += owned[d][rest % n[d]] * weight;
            rest /= n[d];
            weight *= sizes[d];
        }
        place(m, old, at * ex);
    }
    m->marked = true;
    m->lb = 0;
    m->ub = all * ex;
}

static struct sample subarray(const struct sample *old)
{
    struct sample s = fresh();
    int ndims = (int)pick(1, most(old, 64) >= 64 ? DIMS : 1), sizes[DIMS], part[DIMS], starts[DIMS], owned[DIMS][8];
    bool fortran = pick(0, 1);
    for (int d = 0; d < ndims; d++) {
        sizes[d] = (int)pick(1, most(old, 6));
        part[d] = (int)pick(1, sizes[d] < 4 ? sizes[d] : 4);
        starts[d] = (int)pick(0, sizes[d] - part[d]);
        for (int i = 0; i < part[d]; i++)
            owned[d][i] = starts[d] + i;
    }
    struct hws_subarray a = {ndims, fortran, {sizes, false}, {part, false}, {starts, false}};
    place_array(s.model, old->model, ndims, fortran, sizes, owned, part);
    cr_assert_eq(hws_type_new_subarray(&a, old->type, &s.type), MPI_SUCCESS);
    snprintf(s.text, sizeof s.text, "subarray(%dd,%.300s)", ndims, old->text);
    return s;
}

static struct sample darray(const struct sample *old)
{
    struct sample s = fresh();
    int ndims = (int)pick(1, most(old, 64) >= 64 ? 2 : 1), sizes[DIMS], kinds[DIMS], args[DIMS], grid_sizes[DIMS];
    int coords[DIMS], owned[DIMS][8], n[DIMS] = {0}, size = 1, rank = 0;
    bool fortran = pick(0, 1);
    for (int d = 0; d < ndims; d++) {
        sizes[d] = (int)pick(1, most(old, 8));
        kinds[d] = MPI_DISTRIBUTE_NONE + (int)pick(0, 2);
        grid_sizes[d] = kinds[d] == MPI_DISTRIBUTE_NONE ? 1 : (int)pick(1, 3);
        coords[d] = (int)pick(0, grid_sizes[d] - 1);
        args[d] = MPI_DISTRIBUTE_DFLT_DARG;
        int p = grid_sizes[d], block = kinds[d] == MPI_DISTRIBUTE_CYCLIC ? 1 : (sizes[d] + p - 1) / p;
        if (kinds[d] != MPI_DISTRIBUTE_NONE && pick(0, 1))
            block = args[d] = block + (int)pick(0, 2);
        for (int i = 0; i < sizes[d]; i++)
            if (i / block % p == coords[d])
                owned[d][n[d]++] = i;
        size *= p;
        rank = rank * p + coords[d];
    }
    struct hws_darray a = {size, rank, ndims, fortran, {sizes, false}, kinds, args, grid_sizes};
    place_array(s.model, old->model, ndims, fortran, sizes, owned, n);
    cr_assert_eq(hws_type_new_darray(&a, old->type, &s.type), MPI_SUCCESS);
    snprintf(s.text, sizeof s.text, "darray(%dd,%.300s)", ndims, old->text);
    return s;
}

struct sample sample_make(int depth)
{
    static struct sample (*const makers[])(const struct sample *) = {vector,    indexed,  grid,   resized,
                                                                     duplicate, subarray, darray, vector};
    int kind = (int)pick(0, 9);
    struct sample s;
    if (depth == 0)
        return basic_sample();
    if (kind >= 8) {
        s = structure(depth);
    } else {
        struct sample old = sample_make(depth - 1);
        if (old.model->n > NEST_MAX)
            return old;
        s = makers[kind](&old);
        sample_free(&old); /* the new type holds what it needs */
    }
    settle(s.model);
    return s;
}

void sample_free(struct sample *s)
{
    hws_type_drop(s->type);
    free(s->model);
}

void model_pack(const struct model *m, const char *base, char *out)
{
    for (int i = 0; i < m->n; i++) {
        memcpy(out, base + m->e[i].disp, (size_t)m->e[i].basic->size);
        out += m->e[i].basic->size;
    }
}

void model_unpack(const struct model *m, char *base, const char *in)
{
    for (int i = 0; i < m->n; i++) {
        memcpy(base + m->e[i].disp, in, (size_t)m->e[i].basic->size);
        in += m->e[i].basic->size;
    }
}

void model_span(const struct model *m, MPI_Count count, MPI_Count *lo, MPI_Count *hi)
{
    MPI_Count last = (count - 1) * (m->ub - m->lb);
    *lo = m->true_lb + (last < 0 ? last : 0);
    *hi = m->true_ub + (last > 0 ? last : 0);
}
