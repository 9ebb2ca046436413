/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Alltoall, tree: all blocks are gathered at rank 0 along a binomial tree, turned there, and scattered down it again;
 * star: the same with all ranks below rank 0. Why: 2 (p - 1) messages, for very short blocks where ranks outnumber the
 * processors (see barrier_tree.c). Cost: 2 ceil(log2 p) a + 2 p (p - 1) m b at rank 0. Source: composed of
 * gather_binomial.c and scatter_binomial.c.
 */
#include <assert.h>
#include <string.h>

#include "base/copy.h"
#include "coll/flat/tree.h"
#include "coll/select/algorithm.h"

/* Rows of n blocks, read column by column: rank i's block for rank j lies at [i][j] and is packed to [j][i]. A layout,
 * so that the whole turn is one step. */
struct turned {
    struct hws_layout layout;
    uint64_t n, block; /* rows and columns; bytes */
};

static void pack_turned(const struct hws_layout *l, const void *base, uint64_t offset, void *dst, size_t len)
{
    const struct turned *t = hws_container_of(l, const struct turned, layout);
    const char *rows = base;
    char *to = dst;
    assert(offset == 0 && len == t->n * t->n * t->block); /* only local copies of the whole */
    (void)offset, (void)len;
    for (uint64_t j = 0; j < t->n; j++)
        for (uint64_t i = 0; i < t->n; i++, to += t->block)
            hws_copy_long(to, rows + (i * t->n + j) * t->block, t->block);
}

static void turn(struct hws_sched *s, char *rows, char *out, uint64_t block)
{
    struct turned *t = hws_sched_array(s, sizeof *t);
    if (s->fail.rc != MPI_SUCCESS)
        return;
    *t = (struct turned){.layout = {.pack = pack_turned}, .n = (uint64_t)s->size, .block = block};
    struct hws_data all = hws_bytes(rows, t->n * t->n * block), turned = all;
    turned.layout = &t->layout;
    all.base = out;
    hws_sched_copy(s, turned, all);
}

static void gather(struct hws_sched *s, const struct hws_coll_call *a, struct hws_tree_shape t, char *rows,
                   uint64_t row)
{
    int n = s->size, v = s->rank, count = hws_shape_size(t, v);
    bool in_place = hws_coll_in_place(a->sbuf);
    for (int m = 1; m < count; m = hws_shape_up(t, m))
        hws_sched_recv(s, hws_bytes_at(rows, row * (uint64_t)m, row * (uint64_t)hws_shape_size(t, v + m)), v + m);
    for (int i = 0; i < n; i++)
        hws_sched_copy(s, in_place ? hws_rblock(a, i) : hws_sblock(a, i),
                       hws_bytes_at(rows, row / (uint64_t)n * (uint64_t)i, row / (uint64_t)n));
    hws_sched_fence(s);
    if (v > 0)
        hws_sched_send(s, hws_bytes(rows, row * (uint64_t)count), hws_shape_parent(t, v));
}

static void scatter(struct hws_sched *s, struct hws_tree_shape t, char *rows, uint64_t row)
{
    int v = s->rank, count = hws_shape_size(t, v);
    hws_sched_fence(s);
    if (v > 0) {
        hws_sched_recv(s, hws_bytes(rows, row * (uint64_t)count), hws_shape_parent(t, v));
        hws_sched_fence(s);
    }
    for (int m = hws_shape_top(t, count); m > 0; m = hws_shape_down(t, m))
        hws_sched_send(s, hws_bytes_at(rows, row * (uint64_t)m, row * (uint64_t)hws_shape_size(t, v + m)), v + m);
}

static void run(struct hws_sched *s, const struct hws_coll_call *a, struct hws_tree_shape t)
{
    uint64_t n = (uint64_t)s->size, block = (uint64_t)(a->rn * a->rt->size), row = block * n;
    char *rows = hws_sched_temp(s, row * (uint64_t)hws_shape_size(t, s->rank)), *turned = rows;
    gather(s, a, t, rows, row);
    if (s->rank == 0) {
        turned = hws_sched_temp(s, row * n);
        turn(s, rows, turned, block);
    }
    scatter(s, t, turned, row);
    for (int i = 0; i < s->size; i++)
        hws_sched_copy(s, hws_bytes_at(turned, block * (uint64_t)i, block), hws_rblock(a, i));
}

void hws_alltoall_tree(struct hws_sched *s, const struct hws_coll_call *a)
{
    run(s, a, (struct hws_tree_shape){.n = s->size});
}

void hws_alltoall_star(struct hws_sched *s, const struct hws_coll_call *a)
{
    run(s, a, (struct hws_tree_shape){.n = s->size, .star = true});
}
