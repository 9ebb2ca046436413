/* SPDX-License-Identifier: BSD-3-Clause
 *
 * topo: virtual topologies as plain data.
 */
#include "core/topo.h"

#include <stdlib.h>

#include "core/error.h"

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

int hws_topo_neighbors(const struct hws_comm *c, int *n_in, const int **in, int *n_out, const int **out)
{
    const struct hws_topo *t = c->topo;
    if (!t)
        return hws_fail(MPI_ERR_TOPOLOGY, "invalid topology: the communicator has none");
    *n_in = t->n_in;
    *in = t->in;
    *n_out = t->n_out;
    *out = t->out;
    return MPI_SUCCESS;
}
