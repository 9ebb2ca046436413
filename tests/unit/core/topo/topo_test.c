/* SPDX-License-Identifier: BSD-3-Clause
 *
 * topo_test: grids: ranks and coordinates are inverse, neighbours wrap or end, and MPI_Dims_create finds the best
 * factors (compared with an exhaustive search).
 */
#include "core/topo/topo.h"

#include <criterion/criterion.h>
#include <limits.h>
#include <string.h>

static int dims[3] = {3, 4, 2}, periods[3] = {1, 0, 0};
static struct hws_topo grid = {.kind = MPI_CART, .ndims = 3, .dims = dims, .periods = periods};

Test(topo, rank_and_coordinates_are_inverse)
{
    int c[3];
    for (int rank = 0; rank < 24; rank++) {
        hws_cart_coords(&grid, rank, c);
        cr_expect_eq((c[0] * 4 + c[1]) * 2 + c[2], rank);
        cr_expect_eq(hws_cart_rank(&grid, c), rank);
        int wrapped[3] = {c[0] - 6, c[1], c[2]};
        cr_expect_eq(hws_cart_rank(&grid, wrapped), rank);
    }
    cr_expect_eq(hws_cart_rank(&grid, (int[]){0, 4, 0}), MPI_PROC_NULL);
    cr_expect_eq(hws_cart_rank(&grid, (int[]){0, 0, -1}), MPI_PROC_NULL);
}

Test(topo, neighbours_agree_with_coordinates)
{
    for (int rank = 0; rank < 24; rank++)
        for (int d = 0; d < 3; d++)
            for (int disp = -7; disp <= 7; disp++) {
                int c[3];
                hws_cart_coords(&grid, rank, c);
                c[d] += disp;
                cr_assert_eq(hws_cart_neighbor(&grid, rank, d, disp), hws_cart_rank(&grid, c), "rank %d dim %d disp %d",
                             rank, d, disp);
            }
    cr_expect_eq(hws_cart_neighbor(&grid, 0, 0, INT_MIN), (3 - 2) % 3 * 8, "-2^31 is 1 modulo 3");
}

/* The least difference of the largest and the smallest of k factors of n, by trying all non-increasing ones. */
static int least_spread(int n, int k, int first, int last)
{
    int best = INT_MAX;
    if (k == 0)
        return n == 1 ? first - last : INT_MAX;
    for (int d = 1; d <= last && d <= n; d++) {
        int spread = n % d ? INT_MAX : least_spread(n / d, k - 1, first ? first : d, d);
        best = spread < best ? spread : best;
    }
    return best;
}

Test(topo, dims_create_is_as_even_as_can_be)
{
    for (int k = 1; k <= 4; k++)
        for (int n = 1; n <= 400; n++) {
            int got[4] = {0}, product = 1;
            cr_assert_eq(hws_dims_create(n, k, got), MPI_SUCCESS);
            for (int i = 0; i < k; i++) {
                cr_assert(i == 0 || got[i] <= got[i - 1]);
                product *= got[i];
            }
            cr_assert_eq(product, n);
            cr_assert_eq(got[0] - got[k - 1], least_spread(n, k, 0, n), "%d into %d", n, k);
        }
}

Test(topo, dims_create_keeps_what_is_given)
{
    int d[3] = {0, 3, 0};
    cr_expect_eq(hws_dims_create(36, 3, d), MPI_SUCCESS);
    cr_expect_arr_eq(d, ((int[]){4, 3, 3}), sizeof d);
    int big[2] = {0, 0};
    cr_expect_eq(hws_dims_create(2147395600, 2, big), MPI_SUCCESS); /* 46340 squared, the largest square */
    cr_expect_arr_eq(big, ((int[]){46340, 46340}), sizeof big);
    int many[30] = {0}, product = 1;
    cr_expect_eq(hws_dims_create(1 << 30, 30, many), MPI_SUCCESS);
    for (int i = 0; i < 30; i++)
        product *= many[i];
    cr_expect_eq(product, 1 << 30);
}

Test(topo, dims_create_refuses_what_can_not_be)
{
    cr_expect_eq(hws_dims_create(7, 2, (int[]){2, 0}), MPI_ERR_DIMS);
    cr_expect_eq(hws_dims_create(6, 2, (int[]){2, 2}), MPI_ERR_DIMS);
    cr_expect_eq(hws_dims_create(6, 2, (int[]){-2, 0}), MPI_ERR_DIMS);
    cr_expect_eq(hws_dims_create(0, 1, (int[]){0}), MPI_ERR_ARG);
    cr_expect_eq(hws_dims_create(6, 2, (int[]){3, 2}), MPI_SUCCESS);
}
