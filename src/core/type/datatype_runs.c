/* SPDX-License-Identifier: BSD-3-Clause
 *
 * datatype_runs: names the memory of a typed buffer run by run, from any byte offset, so that long runs travel without
 * being packed. Short runs are cheaper copied; which types have long ones is decided once, when they are made.
 */
#include "core/type/datatype_priv.h"

/* The average run from which on the kernel may as well copy it from where it lies (docs/decisions/008). */
#define LONG_RUN 4096

struct naming {
    struct iovec *iov;
    int n, max;
};

MPI_Count hws_node_find(const struct hws_type_node *node, uint64_t offset, uint64_t *start)
{
    if (node->kind == HWS_NODE_LOOP || node->kind == HWS_NODE_SAME) {
        uint64_t i = offset / (uint64_t)node->child.len;
        *start = i * (uint64_t)node->child.len;
        return (MPI_Count)i;
    }
    MPI_Count lo = 0, hi = node->n;
    while (hi - lo > 1) {
        MPI_Count mid = lo + (hi - lo) / 2;
        if ((uint64_t)node->start[mid] <= offset)
            lo = mid;
        else
            hi = mid;
    }
    *start = (uint64_t)node->start[lo];
    return lo;
}

MPI_Count hws_piece_runs(const struct hws_piece *p)
{
    return p->node ? p->node->n_runs : p->len > 0;
}

bool hws_piece_has_long_runs(const struct hws_piece *p)
{
    MPI_Count n = hws_piece_runs(p);
    return n > 0 && p->len / n >= LONG_RUN;
}

/* The bytes named: all n, or 0 when there is no entry left. */
static uint64_t name_run(struct naming *w, uintptr_t at, uint64_t n)
{
    struct iovec *last = w->n > 0 ? &w->iov[w->n - 1] : NULL;
    if (last && (uintptr_t)last->iov_base + last->iov_len == at) {
        last->iov_len += n;
        return n;
    }
    if (w->n == w->max)
        return 0;
    w->iov[w->n++] = (struct iovec){(void *)at, n};
    return n;
}

/* Names [offset, offset + n) of a piece; the bytes of it that were named. */
static uint64_t name_part(struct naming *w, const struct hws_piece *p, uintptr_t at, uint64_t offset, uint64_t n);

static uint64_t name_range(struct naming *w, const struct hws_type_node *node, uintptr_t at, uint64_t offset,
                           uint64_t n)
{
    uint64_t start, done = 0;
    for (MPI_Count i = hws_node_find(node, offset, &start); done < n; i++) {
        struct hws_piece p = hws_node_entry(node, i);
        uint64_t skip = offset + done - start, left = (uint64_t)p.len - skip;
        uint64_t want = n - done < left ? n - done : left, got = name_part(w, &p, hws_node_at(node, at, i), skip, want);
        done += got;
        if (got < want)
            break;
        start += (uint64_t)p.len;
    }
    return done;
}

static uint64_t name_part(struct naming *w, const struct hws_piece *p, uintptr_t at, uint64_t offset, uint64_t n)
{
    return p->node ? name_range(w, p->node, at, offset, n) : name_run(w, at + offset, n);
}

int hws_type_runs(const struct hws_type *t, const void *base, uint64_t offset, size_t n, struct iovec *iov, int max,
                  size_t *covered)
{
    struct naming w = {.iov = iov, .max = max};
    uintptr_t at = (uintptr_t)base + (uintptr_t)t->flat->endless_disp;
    *covered = name_range(&w, &t->flat->endless, at, offset, n);
    return w.n;
}
