/* SPDX-License-Identifier: BSD-3-Clause
 *
 * comm_topo: ranks are never reordered: the launcher places neighbours in rank order
 * close to each other already, and reorder is a permission, not a demand (MPI 5.0 section 8.5).
 */
#include "core/comm/comm_topo.h"

#include <stdlib.h>
#include <string.h>

#include "core/comm/comm_agree.h"
#include "core/comm/comm_make.h"
#include "core/object/fail.h"
#include "core/topo/topo.h"

static int no_memory(void)
{
    return hws_fail(MPI_ERR_NO_MEM, "out of memory for a topology");
}

static struct hws_topo *new_topo(int kind)
{
    struct hws_topo *t = calloc(1, sizeof *t);
    if (t) {
        t->refs = 1;
        t->kind = kind;
    }
    return t;
}

/* A copy of n ints, never NULL for want of entries. */
static int *copy(const int *from, int n)
{
    int *to = malloc(((size_t)n + 1) * sizeof *to);
    if (to && n)
        memcpy(to, from, (size_t)n * sizeof *to);
    return to;
}

/* The communicator of the first n_nodes processes of c. */
static int make_comm(struct hws_comm *c, int n_nodes, struct hws_comm **out)
{
    int range[1][3] = {{0, n_nodes - 1, 1}};
    struct hws_group *g;
    int rc = hws_group_range(c->group, n_nodes > 0, range, false, &g);
    if (rc != MPI_SUCCESS)
        return rc;
    rc = hws_comm_create(c, g, out);
    hws_group_drop(g);
    return rc;
}

/* Hangs t on the new communicator, or drops both when there is no memory (ok false). */
static int attach(struct hws_comm *n, struct hws_topo *t, bool ok, struct hws_comm **out)
{
    if (ok) {
        n->topo = t;
        *out = n;
        return MPI_SUCCESS;
    }
    hws_topo_drop(t);
    hws_comm_drop(n);
    *out = NULL;
    return no_memory();
}

/* ---- grids ---- */

static bool fill_cart(struct hws_topo *t, int rank, int ndims, const int *dims, const int *periods)
{
    t->ndims = ndims;
    t->n_in = t->n_out = 2 * ndims;
    t->dims = copy(dims, ndims);
    t->periods = copy(periods, ndims);
    t->coords = copy(dims, ndims);
    t->in = malloc(((size_t)t->n_in + 1) * sizeof *t->in);
    if (!t->dims || !t->periods || !t->coords || !t->in)
        return false;
    hws_cart_coords(t, rank, t->coords);
    for (int d = 0; d < ndims; d++) {
        t->in[2 * d] = hws_cart_neighbor(t, rank, d, -1);
        t->in[2 * d + 1] = hws_cart_neighbor(t, rank, d, 1);
    }
    t->out = copy(t->in, t->n_in);
    return t->out != NULL;
}

int hws_topo_make_cart(struct hws_comm *c, int ndims, const int *dims, const int *periods, struct hws_comm **out)
{
    int n_nodes = 1;
    struct hws_comm *n;
    for (int d = 0; d < ndims; d++)
        n_nodes *= dims[d];
    int rc = make_comm(c, n_nodes, &n);
    *out = NULL;
    if (rc != MPI_SUCCESS || !n)
        return rc;
    struct hws_topo *t = new_topo(MPI_CART);
    return attach(n, t, t && fill_cart(t, n->rank, ndims, dims, periods), out);
}

/* Processes with equal coordinates in the dimensions left out stay together; their order is that in the old grid. */
int hws_topo_make_sub(struct hws_comm *c, const int *remain, struct hws_comm **out)
{
    const struct hws_topo *old = c->topo;
    int color = 0, ndims = 0;
    int *dims = copy(old->dims, old->ndims), *periods = copy(old->periods, old->ndims);
    struct hws_comm *n = NULL;
    int rc = dims && periods ? MPI_SUCCESS : no_memory();
    for (int d = 0; rc == MPI_SUCCESS && d < old->ndims; d++) {
        if (remain[d]) {
            dims[ndims] = old->dims[d];
            periods[ndims++] = old->periods[d];
        } else {
            color = color * old->dims[d] + old->coords[d];
        }
    }
    if (rc == MPI_SUCCESS)
        rc = hws_comm_split(c, color, c->rank, &n);
    if (rc == MPI_SUCCESS) {
        struct hws_topo *t = new_topo(MPI_CART);
        rc = attach(n, t, t && fill_cart(t, n->rank, ndims, dims, periods), out);
    }
    free(dims);
    free(periods);
    return rc;
}

/* ---- graphs ---- */

int hws_topo_make_graph(struct hws_comm *c, int n_nodes, const int *index, const int *edges, struct hws_comm **out)
{
    struct hws_comm *n;
    int rc = make_comm(c, n_nodes, &n);
    *out = NULL;
    if (rc != MPI_SUCCESS || !n)
        return rc;
    struct hws_topo *t = new_topo(MPI_GRAPH);
    if (!t)
        return attach(n, t, false, out);
    int first = n->rank ? index[n->rank - 1] : 0;
    t->n_nodes = n_nodes;
    t->n_edges = index[n_nodes - 1];
    t->index = copy(index, n_nodes);
    t->edges = copy(edges, t->n_edges);
    t->n_in = t->n_out = index[n->rank] - first;
    t->in = copy(edges + first, t->n_in);
    t->out = copy(edges + first, t->n_in);
    return attach(n, t, t->index && t->edges && t->in && t->out, out);
}

int hws_topo_make_adjacent(struct hws_comm *c, int n_in, const int *in, const int *in_weights, int n_out,
                           const int *out_ranks, const int *out_weights, bool weighted, struct hws_comm **out)
{
    struct hws_comm *n;
    int rc = make_comm(c, c->size, &n);
    *out = NULL;
    if (rc != MPI_SUCCESS)
        return rc;
    struct hws_topo *t = new_topo(MPI_DIST_GRAPH);
    if (!t)
        return attach(n, t, false, out);
    t->weighted = weighted;
    t->n_in = n_in;
    t->n_out = n_out;
    t->in = copy(in, n_in);
    t->out = copy(out_ranks, n_out);
    t->in_weights = t->weighted ? copy(in_weights, n_in) : NULL;
    t->out_weights = t->weighted ? copy(out_weights, n_out) : NULL;
    return attach(n, t, t->in && t->out && (!t->weighted || (t->in_weights && t->out_weights)), out);
}

/* My edges among all, as the two neighbour lists. */
struct lists {
    int n_in, n_out;
    int *in, *in_weights, *out, *out_weights;
};

static bool pick(struct lists *l, int rank, size_t n, const struct hws_topo_edge *all)
{
    size_t n_in = 0, n_out = 0;
    for (size_t i = 0; i < n; i++) {
        n_in += all[i].to == rank;
        n_out += all[i].from == rank;
    }
    l->in = malloc((n_in + 1) * 2 * sizeof(int));
    l->out = malloc((n_out + 1) * 2 * sizeof(int));
    if (!l->in || !l->out)
        return false;
    l->in_weights = l->in + n_in + 1;
    l->out_weights = l->out + n_out + 1;
    for (size_t i = 0; i < n; i++) {
        if (all[i].to == rank) {
            l->in_weights[l->n_in] = all[i].weight;
            l->in[l->n_in++] = all[i].from;
        }
        if (all[i].from == rank) {
            l->out_weights[l->n_out] = all[i].weight;
            l->out[l->n_out++] = all[i].to;
        }
    }
    return true;
}

/* All edges go to rank 0 and from there to everybody: linear in the edges of the whole graph, in a call that programs
 * make once; graphs too large for that use MPI_Dist_graph_create_adjacent. */
int hws_topo_make_distributed(struct hws_comm *c, int n, const struct hws_topo_edge *edges, bool weighted,
                              struct hws_comm **out)
{
    struct hws_talk up = hws_talk_of(c), down = hws_talk_of(c);
    struct lists l = {0, 0, NULL, NULL, NULL, NULL};
    void *all;
    size_t total;
    int rc = hws_talk_collect(&up, edges, (size_t)n * sizeof *edges, &all, &total);
    if (rc == MPI_SUCCESS && !all && (all = malloc(total + 1)) == NULL)
        rc = no_memory();
    if (rc == MPI_SUCCESS && total)
        rc = hws_talk_bcast(&down, all, total);
    if (rc == MPI_SUCCESS && !pick(&l, c->rank, total / sizeof *edges, all))
        rc = no_memory();
    if (rc == MPI_SUCCESS)
        rc = hws_topo_make_adjacent(c, l.n_in, l.in, l.in_weights, l.n_out, l.out, l.out_weights, weighted, out);
    free(all);
    free(l.in);
    free(l.out);
    return rc;
}
