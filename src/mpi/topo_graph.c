/* SPDX-License-Identifier: BSD-3-Clause
 *
 * topo_graph: graphs and distributed graphs (MPI 5.0 section 8.5).
 */
#include "mpi/public.h"

#include <stdlib.h>
#include <string.h>

#include "core/comm/comm_topo.h"
#include "core/topo/topo.h"
#include "mpi/check_object.h"
#include "mpi/check_topo.h"

/* ---- graphs: every process knows all edges ---- */

static int check_edges(int nnodes, const int *index, const int *edges)
{
    int rc = hws_check_ptr(index, "index");
    if (rc != MPI_SUCCESS)
        return rc;
    for (int i = 0, before = 0; i < nnodes; before = index[i++])
        if (index[i] < before)
            return hws_fail(MPI_ERR_ARG, "invalid argument: index[%d] is %d, it must be at least %d", i, index[i],
                            before);
    if (index[nnodes - 1] > 0 && (rc = hws_check_ptr(edges, "edges")) != MPI_SUCCESS)
        return rc;
    for (int i = 0; i < index[nnodes - 1]; i++)
        if (edges[i] < 0 || edges[i] >= nnodes)
            return hws_fail(MPI_ERR_ARG, "invalid argument: edges[%d] is %d, it must be 0 to %d", i, edges[i],
                            nnodes - 1);
    return MPI_SUCCESS;
}

static int check_graph(const struct hws_comm *c, int nnodes, const int *index, const int *edges)
{
    if (nnodes < 0 || nnodes > c->size)
        return hws_fail(MPI_ERR_ARG, "invalid argument: nnodes is %d, it must be 0 to %d", nnodes, c->size);
    return nnodes ? check_edges(nnodes, index, edges) : MPI_SUCCESS;
}

int PMPI_Graph_create(MPI_Comm comm_old, int nnodes, const int indx[], const int edges[], int reorder,
                      MPI_Comm *comm_graph)
{
    struct hws_comm *c, *n = NULL;
    int rc = hws_check_intra(comm_old, "comm_old", &c);
    (void)reorder;
    hws_call_begin("MPI_Graph_create", c);
    if (rc == MPI_SUCCESS && (rc = hws_check_ptr(comm_graph, "comm_graph")) == MPI_SUCCESS &&
        (rc = check_graph(c, nnodes, indx, edges)) == MPI_SUCCESS)
        rc = hws_topo_make_graph(c, nnodes, indx, edges, &n);
    return hws_give_comm("MPI_Graph_create", c, rc, n, comm_graph);
}
HWS_MPI(Graph_create)

int PMPI_Graph_map(MPI_Comm comm, int nnodes, const int indx[], const int edges[], int *newrank)
{
    struct hws_comm *c;
    int rc = hws_check_intra(comm, "comm", &c);
    if (rc == MPI_SUCCESS && nnodes < 1)
        rc = hws_fail(MPI_ERR_ARG, "invalid argument: nnodes is %d, it must be positive", nnodes);
    if (rc == MPI_SUCCESS && (rc = hws_check_ptr(newrank, "newrank")) == MPI_SUCCESS &&
        (rc = check_graph(c, nnodes, indx, edges)) == MPI_SUCCESS)
        *newrank = c->rank < nnodes ? c->rank : MPI_UNDEFINED;
    return hws_raise(c, "MPI_Graph_map", rc);
}
HWS_MPI(Graph_map)

int PMPI_Graphdims_get(MPI_Comm comm, int *nnodes, int *nedges)
{
    struct hws_comm *c;
    int rc = hws_check_topo(comm, MPI_GRAPH, &c);
    if (rc == MPI_SUCCESS && (rc = hws_check_ptr(nnodes, "nnodes")) == MPI_SUCCESS &&
        (rc = hws_check_ptr(nedges, "nedges")) == MPI_SUCCESS) {
        *nnodes = c->topo->n_nodes;
        *nedges = c->topo->n_edges;
    }
    return hws_raise(c, "MPI_Graphdims_get", rc);
}
HWS_MPI(Graphdims_get)

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* At most maxindex and maxedges entries are filled. */
int PMPI_Graph_get(MPI_Comm comm, int maxindex, int maxedges, int indx[], int edges[])
{
    struct hws_comm *c;
    int rc = hws_check_topo(comm, MPI_GRAPH, &c);
    if (rc == MPI_SUCCESS && (maxindex < 0 || maxedges < 0))
        rc = hws_fail(MPI_ERR_ARG, "invalid argument: maxindex is %d, maxedges is %d, they must not be negative",
                      maxindex, maxedges);
    if (rc == MPI_SUCCESS && maxindex > 0)
        rc = hws_check_ptr(indx, "indx");
    if (rc == MPI_SUCCESS && maxedges > 0)
        rc = hws_check_ptr(edges, "edges");
    if (rc == MPI_SUCCESS && maxindex > 0)
        memcpy(indx, c->topo->index, (size_t)least(maxindex, c->topo->n_nodes) * sizeof *indx);
    if (rc == MPI_SUCCESS && maxedges > 0)
        memcpy(edges, c->topo->edges, (size_t)least(maxedges, c->topo->n_edges) * sizeof *edges);
    return hws_raise(c, "MPI_Graph_get", rc);
}
HWS_MPI(Graph_get)

/* Neighbours of any node: the first edge and their number. */
static const int *node_edges(const struct hws_topo *t, int rank, int *n)
{
    int first = rank ? t->index[rank - 1] : 0;
    *n = t->index[rank] - first;
    return t->edges + first;
}

int PMPI_Graph_neighbors_count(MPI_Comm comm, int rank, int *nneighbors)
{
    struct hws_comm *c;
    int rc = hws_check_topo(comm, MPI_GRAPH, &c);
    if (rc == MPI_SUCCESS && (rc = hws_check_node(rank, c->size)) == MPI_SUCCESS &&
        (rc = hws_check_ptr(nneighbors, "nneighbors")) == MPI_SUCCESS)
        node_edges(c->topo, rank, nneighbors);
    return hws_raise(c, "MPI_Graph_neighbors_count", rc);
}
HWS_MPI(Graph_neighbors_count)

int PMPI_Graph_neighbors(MPI_Comm comm, int rank, int maxneighbors, int neighbors[])
{
    struct hws_comm *c;
    int rc = hws_check_topo(comm, MPI_GRAPH, &c), n = 0;
    const int *edges = NULL;
    if (rc == MPI_SUCCESS && (rc = hws_check_node(rank, c->size)) == MPI_SUCCESS) {
        edges = node_edges(c->topo, rank, &n);
        if (maxneighbors < n)
            rc = hws_fail(MPI_ERR_ARG, "invalid argument: maxneighbors is %d, there are %d", maxneighbors, n);
        else if (n > 0 && (rc = hws_check_ptr(neighbors, "neighbors")) == MPI_SUCCESS)
            memcpy(neighbors, edges, (size_t)n * sizeof *neighbors);
    }
    return hws_raise(c, "MPI_Graph_neighbors", rc);
}
HWS_MPI(Graph_neighbors)

/* ---- distributed graphs ---- */

/* n ranks and their weights: MPI_UNWEIGHTED, MPI_WEIGHTS_EMPTY for none, or n of them, not negative. */
static int check_neighbors(const struct hws_comm *c, int n, const int *ranks, const int *weights, const char *what)
{
    int rc = MPI_SUCCESS;
    if (n < 0)
        return hws_fail(MPI_ERR_ARG, "invalid argument: the number of %s is %d, it must not be negative", what, n);
    if (n > 0 && (rc = hws_check_ptr(ranks, what)) != MPI_SUCCESS)
        return rc;
    if (n > 0 && (!weights || weights == MPI_WEIGHTS_EMPTY))
        return hws_fail(MPI_ERR_ARG, "invalid argument: there are no weights for %d %s", n, what);
    for (int i = 0; i < n; i++) {
        if (ranks[i] < 0 || ranks[i] >= c->size)
            return hws_fail(MPI_ERR_RANK, "invalid rank: %s[%d] is %d, it must be 0 to %d", what, i, ranks[i],
                            c->size - 1);
        if (weights != MPI_UNWEIGHTED && weights[i] < 0)
            return hws_fail(MPI_ERR_ARG, "invalid argument: weight %d of %s is %d, it must not be negative", i, what,
                            weights[i]);
    }
    return MPI_SUCCESS;
}

int PMPI_Dist_graph_create_adjacent(MPI_Comm comm_old, int indegree, const int sources[], const int sourceweights[],
                                    int outdegree, const int destinations[], const int destweights[], MPI_Info info,
                                    int reorder, MPI_Comm *comm_dist_graph)
{
    struct hws_comm *c, *n = NULL;
    struct hws_info *i;
    int rc = hws_check_intra(comm_old, "comm_old", &c);
    (void)reorder;
    if (rc == MPI_SUCCESS && (rc = hws_check_info(info, &i)) == MPI_SUCCESS &&
        (rc = hws_check_ptr(comm_dist_graph, "comm_dist_graph")) == MPI_SUCCESS &&
        (rc = check_neighbors(c, indegree, sources, sourceweights, "sources")) == MPI_SUCCESS)
        rc = check_neighbors(c, outdegree, destinations, destweights, "destinations");
    if (rc == MPI_SUCCESS && (sourceweights == MPI_UNWEIGHTED) != (destweights == MPI_UNWEIGHTED))
        rc = hws_fail(MPI_ERR_ARG, "invalid argument: only one of sourceweights and destweights is MPI_UNWEIGHTED");
    hws_call_begin("MPI_Dist_graph_create_adjacent", c);
    if (rc == MPI_SUCCESS)
        rc = hws_topo_make_adjacent(c, indegree, sources, sourceweights, outdegree, destinations, destweights,
                                    sourceweights != MPI_UNWEIGHTED, &n);
    return hws_give_comm("MPI_Dist_graph_create_adjacent", c, rc, n, comm_dist_graph);
}
HWS_MPI(Dist_graph_create_adjacent)

/* All edges that this process gives, one after the other. */
static int list_edges(const struct hws_comm *c, int n, const int *sources, const int *degrees, const int *destinations,
                      const int *weights, struct hws_topo_edge **out, int *total)
{
    long long sum = 0;
    int rc = check_neighbors(c, n, sources, MPI_UNWEIGHTED, "sources");
    if (rc == MPI_SUCCESS && n > 0)
        rc = hws_check_ptr(degrees, "degrees");
    if (rc != MPI_SUCCESS)
        return rc;
    for (int i = 0; i < n; sum += degrees[i++])
        if (degrees[i] < 0)
            return hws_fail(MPI_ERR_ARG, "invalid argument: degrees[%d] is %d, it must not be negative", i, degrees[i]);
    if (sum > INT32_MAX / 16)
        return hws_fail(MPI_ERR_ARG, "invalid argument: degrees add up to %lld", sum);
    if ((rc = check_neighbors(c, (int)sum, destinations, weights, "destinations")) != MPI_SUCCESS)
        return rc;
    struct hws_topo_edge *e = malloc(((size_t)sum + 1) * sizeof *e);
    if (!e)
        return hws_fail(MPI_ERR_NO_MEM, "out of memory for %lld edges", sum);
    int at = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < degrees[i]; k++, at++)
            e[at] = (struct hws_topo_edge){sources[i], destinations[at], weights == MPI_UNWEIGHTED ? 0 : weights[at]};
    *out = e;
    *total = at;
    return MPI_SUCCESS;
}

int PMPI_Dist_graph_create(MPI_Comm comm_old, int n, const int sources[], const int degrees[], const int destinations[],
                           const int weights[], MPI_Info info, int reorder, MPI_Comm *comm_dist_graph)
{
    struct hws_comm *c, *made = NULL;
    struct hws_info *i;
    struct hws_topo_edge *edges = NULL;
    int total = 0, rc = hws_check_intra(comm_old, "comm_old", &c);
    (void)reorder;
    if (rc == MPI_SUCCESS && (rc = hws_check_info(info, &i)) == MPI_SUCCESS &&
        (rc = hws_check_ptr(comm_dist_graph, "comm_dist_graph")) == MPI_SUCCESS)
        rc = list_edges(c, n, sources, degrees, destinations, weights, &edges, &total);
    hws_call_begin("MPI_Dist_graph_create", c);
    if (rc == MPI_SUCCESS)
        rc = hws_topo_make_distributed(c, total, edges, weights != MPI_UNWEIGHTED, &made);
    free(edges);
    return hws_give_comm("MPI_Dist_graph_create", c, rc, made, comm_dist_graph);
}
HWS_MPI(Dist_graph_create)

int PMPI_Dist_graph_neighbors_count(MPI_Comm comm, int *indegree, int *outdegree, int *weighted)
{
    struct hws_comm *c;
    int rc = hws_check_topo(comm, MPI_DIST_GRAPH, &c);
    if (rc == MPI_SUCCESS && (rc = hws_check_ptr(indegree, "indegree")) == MPI_SUCCESS &&
        (rc = hws_check_ptr(outdegree, "outdegree")) == MPI_SUCCESS &&
        (rc = hws_check_ptr(weighted, "weighted")) == MPI_SUCCESS) {
        *indegree = c->topo->n_in;
        *outdegree = c->topo->n_out;
        *weighted = c->topo->weighted;
    }
    return hws_raise(c, "MPI_Dist_graph_neighbors_count", rc);
}
HWS_MPI(Dist_graph_neighbors_count)

/* The first `max` of n neighbours, and their weights where the caller wants them. */
static int give_neighbors(int max, int n, const int *ranks, const int *weights, int *to, int *to_weights,
                          const char *what)
{
    int k = least(max, n), rc = MPI_SUCCESS;
    if (max < 0)
        return hws_fail(MPI_ERR_ARG, "invalid argument: the room for %s is %d, it must not be negative", what, max);
    if (k > 0 && (rc = hws_check_ptr(to, what)) != MPI_SUCCESS)
        return rc;
    if (k > 0)
        memcpy(to, ranks, (size_t)k * sizeof *to);
    if (k > 0 && weights && to_weights && to_weights != MPI_UNWEIGHTED && to_weights != MPI_WEIGHTS_EMPTY)
        memcpy(to_weights, weights, (size_t)k * sizeof *to_weights);
    return rc;
}

int PMPI_Dist_graph_neighbors(MPI_Comm comm, int maxindegree, int sources[], int sourceweights[], int maxoutdegree,
                              int destinations[], int destweights[])
{
    struct hws_comm *c;
    int rc = hws_check_topo(comm, MPI_DIST_GRAPH, &c);
    if (rc == MPI_SUCCESS)
        rc = give_neighbors(maxindegree, c->topo->n_in, c->topo->in, c->topo->in_weights, sources, sourceweights,
                            "sources");
    if (rc == MPI_SUCCESS)
        rc = give_neighbors(maxoutdegree, c->topo->n_out, c->topo->out, c->topo->out_weights, destinations, destweights,
                            "destinations");
    return hws_raise(c, "MPI_Dist_graph_neighbors", rc);
}
HWS_MPI(Dist_graph_neighbors)
