/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dims: MPI_Dims_create (MPI 5.0 section 8.5.2): n as a product of k factors that are as close to each other as can be.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "core/object/fail.h"
#include "core/topo/topo.h"

#define DIVISORS_MAX 1600 /* an int has at most 1536 */
#define FACTORS_MAX  31   /* of an int, that are larger than 1 */

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

/* True if d to the power k is beyond n: d can't be the smallest of k factors. */
static bool above_root(long long d, int k, int n)
{
    long long p = 1;
    while (k-- > 0 && p <= n)
        p *= d;
    return p > n;
}

/* n as k factors from lo to hi into out[k], non-increasing, the smallest as large as can be, then the next; false:
 * there are none. */
static bool fill(const struct search *s, int n, int k, int lo, int hi, int *out)
{
    if (k == 0)
        return n == 1;
    for (int i = s->n_divisors - 1; i >= 0 && s->divisors[i] >= lo; i--) {
        int small = s->divisors[i];
        if (small > hi || n % small || above_root(small, k, n) || !fill(s, n / small, k - 1, small, hi, out))
            continue;
        out[k - 1] = small;
        return true;
    }
    return false;
}

/* n as k > 1 factors, non-increasing: of all ways the one whose largest and smallest differ least, then that with the
 * larger smallest. There is always one: n, 1, 1, ... */
static void factor(const struct search *s, int n, int k, int *out)
{
    int best = INT_MAX, mid = 0; /* mid: first divisor that reaches n as a k-th power */
    while (!reaches(s->divisors[mid], k, n))
        mid++;
    for (int i = mid; i >= 0; i--) {
        int small = s->divisors[i], between[FACTORS_MAX];
        if (n % small || above_root(small, k, n))
            continue;
        for (int j = mid; j < s->n_divisors && s->divisors[j] - small < best; j++) {
            int large = s->divisors[j];
            if (n / small % large || !fill(s, n / small / large, k - 2, small, large, between))
                continue;
            out[0] = large;
            memcpy(out + 1, between, (size_t)(k - 2) * sizeof *out);
            out[k - 1] = small;
            best = large - small;
            break;
        }
    }
}

/* Fills out[k]: beyond 31 factors of an int, at least one is 1. */
static void factor_all(const struct search *s, int n, int k, int *out)
{
    int searched = k < FACTORS_MAX ? k : FACTORS_MAX;
    out[0] = n;
    if (searched > 1)
        factor(s, n, searched, out);
    for (int i = searched; i < k; i++)
        out[i] = 1;
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
        factor_all(s, rest, n_free, found);
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
