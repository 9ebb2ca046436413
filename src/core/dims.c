/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dims: MPI_Dims_create (MPI 5.0 section 8.5.2): n as a product of k factors, none larger than it must be.
 */
#include <stdlib.h>

#include "core/error.h"
#include "core/topo.h"

#define DIVISORS_MAX 1600 /* an int has at most 1536 */

struct search {
    int n_divisors;
    int divisors[DIVISORS_MAX]; /* ascending */
};

static void find_divisors(struct search *s, int n)
{
    int upper[DIVISORS_MAX], n_upper = 0;
    s->n_divisors = 0;
    for (int d = 1; (long long)d * d <= n; d++) {
        if (n % d)
            continue;
        s->divisors[s->n_divisors++] = d;
        if (d != n / d)
            upper[n_upper++] = n / d;
    }
    while (n_upper)
        s->divisors[s->n_divisors++] = upper[--n_upper];
}

/* True if d to the power k reaches n. */
static bool reaches(long long d, int k, int n)
{
    long long p = 1;
    while (k-- > 0 && p < n)
        p *= d;
    return p >= n;
}

/* n as k factors, each at most cap, into out[k], non-increasing; the least possible first factor is tried first. */
static bool factor(const struct search *s, int n, int k, int cap, int *out)
{
    if (k == 1) {
        out[0] = n;
        return n <= cap;
    }
    for (int i = 0; i < s->n_divisors && s->divisors[i] <= cap && s->divisors[i] <= n; i++) {
        int d = s->divisors[i];
        if (n % d || !reaches(d, k, n))
            continue;
        out[0] = d;
        if (factor(s, n / d, k - 1, d, out + 1))
            return true;
    }
    return false;
}

/* The product of the given entries, and how many are to be found. */
static int check_given(int n_nodes, int ndims, const int *dims, int *rest, int *n_free)
{
    long long given = 1;
    *n_free = 0;
    for (int d = 0; d < ndims; d++) {
        if (dims[d] < 0)
            return hws_fail(MPI_ERR_DIMS, "invalid dimensions: dims[%d] is %d, it must not be negative", d, dims[d]);
        *n_free += dims[d] == 0;
        given *= dims[d] ? dims[d] : 1;
        if (given > n_nodes)
            break;
    }
    if (given > n_nodes || n_nodes % given)
        return hws_fail(MPI_ERR_DIMS, "invalid dimensions: nnodes is %d, no multiple of what dims gives", n_nodes);
    *rest = (int)(n_nodes / given);
    if (*n_free == 0 && *rest != 1)
        return hws_fail(MPI_ERR_DIMS, "invalid dimensions: nnodes is %d, but the product of dims is %lld", n_nodes,
                        given);
    return MPI_SUCCESS;
}

int hws_dims_create(int n_nodes, int ndims, int *dims)
{
    int rest = n_nodes, n_free = 0;
    if (n_nodes <= 0)
        return hws_fail(MPI_ERR_ARG, "invalid argument: nnodes is %d, it must be positive", n_nodes);
    int rc = check_given(n_nodes, ndims, dims, &rest, &n_free);
    if (rc != MPI_SUCCESS || n_free == 0)
        return rc;
    struct search *s = malloc(sizeof *s);
    int *found = malloc((size_t)n_free * sizeof *found), at = 0;
    if (s && found) {
        find_divisors(s, rest);
        factor(s, rest, n_free, rest, found); /* rest * 1 * ... always fits */
        for (int d = 0; d < ndims; d++)
            if (dims[d] == 0)
                dims[d] = found[at++];
    } else {
        rc = hws_fail(MPI_ERR_NO_MEM, "out of memory for MPI_Dims_create");
    }
    free(s);
    free(found);
    return rc;
}
