/* SPDX-License-Identifier: BSD-3-Clause
 *
 * topo: virtual topologies as plain data.
 */
#include "core/topo/topo.h"

#include <stdlib.h>

#include "core/object/fail.h"

void hws_topo_hold(struct hws_topo *t)
{
    if (t)
        __atomic_add_fetch(&t->refs, 1, __ATOMIC_RELAXED);
}

void hws_topo_drop(struct hws_topo *t)
{
    if (!t || __atomic_sub_fetch(&t->refs, 1, __ATOMIC_ACQ_REL) > 0)
        return;
    free(t->dims);
    free(t->periods);
    free(t->coords);
    free(t->index);
    free(t->edges);
    free(t->in_weights);
    free(t->out_weights);
    free(t->in);
    free(t->out);
    free(t);
}

int hws_topo_neighbors(const struct hws_topo *t, int *n_in, const int **in, int *n_out, const int **out)
{
    if (!t)
        return hws_fail(MPI_ERR_TOPOLOGY, "invalid topology: the communicator has none");
    *n_in = t->n_in;
    *in = t->in;
    *n_out = t->n_out;
    *out = t->out;
    return MPI_SUCCESS;
}

void hws_cart_coords(const struct hws_topo *t, int rank, int *coords)
{
    for (int d = t->ndims - 1; d >= 0; d--) {
        coords[d] = rank % t->dims[d];
        rank /= t->dims[d];
    }
}

int hws_cart_rank(const struct hws_topo *t, const int *coords)
{
    int rank = 0;
    for (int d = 0; d < t->ndims; d++) {
        int at = coords[d];
        if (at < 0 || at >= t->dims[d]) {
            if (!t->periods[d])
                return MPI_PROC_NULL;
            at %= t->dims[d];
            if (at < 0)
                at += t->dims[d];
        }
        rank = rank * t->dims[d] + at;
    }
    return rank;
}

int hws_cart_neighbor(const struct hws_topo *t, int rank, int dim, long long disp)
{
    long long below = 1, size = t->dims[dim]; /* below: ranks between two neighbours along dim */
    for (int d = dim + 1; d < t->ndims; d++)
        below *= t->dims[d];
    long long at = rank / below % size, to = at + disp;
    if (to < 0 || to >= size) {
        if (!t->periods[dim])
            return MPI_PROC_NULL;
        to = (to % size + size) % size;
    }
    return (int)(rank + (to - at) * below);
}
