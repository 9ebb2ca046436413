/* SPDX-License-Identifier: BSD-3-Clause
 *
 * programs: two whole programs over a slow network, and whether their results are right. Arguments: sort:KEYS, a
 * bitonic merge sort of so many keys (a power of 2 of ranks), or matrix:N, Cannon's algorithm for matrices of N * N (a
 * square of ranks, whose root divides N). Prints the time of the slowest rank, from the lowest of five runs to the
 * highest.
 */
#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RUNS 5

static int rank, size;

static void fail(const char *what)
{
    fprintf(stderr, "programs: rank %d: %s\n", rank, what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static void *take(size_t len)
{
    void *p = malloc(len);
    if (!p)
        fail("out of memory");
    return p;
}

/* ---- bitonic merge sort: a hypercube's neighbours exchange their lists, and keep the lower or the upper half ----- */

static int compare(const void *a, const void *b)
{
    unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
    return x < y ? -1 : x > y;
}

static void keep_low(const unsigned *mine, const unsigned *other, unsigned *out, long n)
{
    for (long i = 0, j = 0, k = 0; k < n; k++)
        out[k] = mine[i] <= other[j] ? mine[i++] : other[j++];
}

static void keep_high(const unsigned *mine, const unsigned *other, unsigned *out, long n)
{
    for (long i = n - 1, j = n - 1, k = n - 1; k >= 0; k--)
        out[k] = mine[i] > other[j] ? mine[i--] : other[j--];
}

/* keys[3 * n]: the list, the other's, and the next one; sorted ones are in the first part. */
static void sort(unsigned *keys, long n)
{
    unsigned *other = keys + n, *next = keys + 2 * n;
    qsort(keys, (size_t)n, sizeof *keys, compare);
    for (int phase = 2; phase <= size; phase *= 2)
        for (int step = phase / 2; step > 0; step /= 2) {
            int peer = rank ^ step;
            MPI_Sendrecv(keys, (int)n, MPI_UNSIGNED, peer, 0, other, (int)n, MPI_UNSIGNED, peer, 0, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
            if (((rank & phase) == 0) == (rank < peer))
                keep_low(keys, other, next, n);
            else
                keep_high(keys, other, next, n);
            memcpy(keys, next, (size_t)n * sizeof *keys);
        }
}

static unsigned long long sum_of(const unsigned *keys, long n)
{
    unsigned long long sum = 0, all;
    for (long i = 0; i < n; i++)
        sum += keys[i];
    MPI_Allreduce(&sum, &all, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

static void check_order(const unsigned *keys, long n)
{
    int below = rank > 0 ? rank - 1 : MPI_PROC_NULL, above = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
    unsigned least = 0;
    MPI_Sendrecv(&keys[n - 1], 1, MPI_UNSIGNED, above, 1, &least, 1, MPI_UNSIGNED, below, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    for (long i = 0; i < n; i++) {
        if (keys[i] < least)
            fail("keys are not in order");
        least = keys[i];
    }
}

static double run_sort(long all)
{
    long n = all / size;
    if (n < 1 || size & (size - 1))
        fail("a sort is for a power of 2 of ranks");
    unsigned *keys = take((size_t)n * 3 * sizeof *keys), x = 12345u + (unsigned)rank * 7919u;
    for (long i = 0; i < n; i++)
        keys[i] = x = x * 1664525u + 1013904223u;
    unsigned long long before = sum_of(keys, n);
    MPI_Barrier(MPI_COMM_WORLD);
    double t = MPI_Wtime();
    sort(keys, n);
    t = MPI_Wtime() - t;
    check_order(keys, n);
    if (sum_of(keys, n) != before)
        fail("keys were lost");
    free(keys);
    return t;
}

/* ---- Cannon's algorithm ------------------------------------------------------------------------------------------ */

static double a_at(long i, long j)
{
    return (double)((i + 2 * j) % 7);
}

static double b_at(long i, long j)
{
    return (double)((3 * i + j) % 5);
}

static void multiply(const double *a, const double *b, double *c, long n)
{
    for (long i = 0; i < n; i++)
        for (long k = 0; k < n; k++)
            for (long j = 0; j < n; j++)
                c[i * n + j] += a[i * n + k] * b[k * n + j];
}

/* Blocks move so many places to the left (dimension 1) or up (0). */
static void shift(MPI_Comm grid, int dimension, int places, double *block, long n)
{
    int from, to;
    MPI_Cart_shift(grid, dimension, -places, &from, &to);
    if (places > 0)
        MPI_Sendrecv_replace(block, (int)(n * n), MPI_DOUBLE, to, 0, from, 0, grid, MPI_STATUS_IGNORE);
}

static void cannon(MPI_Comm grid, const int *at, int root, double *a, double *b, double *c, long n)
{
    shift(grid, 1, at[0], a, n);
    shift(grid, 0, at[1], b, n);
    for (int step = 0; step < root; step++) {
        multiply(a, b, c, n);
        shift(grid, 1, step + 1 < root, a, n);
        shift(grid, 0, step + 1 < root, b, n);
    }
}

/* Some elements of the own block, each from its row and its column. */
static void check_product(const int *at, const double *c, long n, long all)
{
    for (long k = 0; k < 64; k++) {
        long i = k * 37 % n, j = k * 61 % n;
        double sum = 0;
        for (long m = 0; m < all; m++)
            sum += a_at(at[0] * n + i, m) * b_at(m, at[1] * n + j);
        if (sum != c[i * n + j])
            fail("the product is wrong");
    }
}

static double run_matrix(long all)
{
    int root = 1, rings[2] = {1, 1}, at[2];
    while (root * root < size)
        root++;
    long n = all / root;
    if (root * root != size || n * root != all)
        fail("a matrix is for a square of ranks, whose root divides it");
    MPI_Comm grid;
    MPI_Cart_create(MPI_COMM_WORLD, 2, (int[]){root, root}, rings, 0, &grid);
    MPI_Cart_coords(grid, rank, 2, at);
    double *a = take((size_t)(3 * n * n) * sizeof *a), *b = a + n * n, *c = b + n * n;
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++) {
            a[i * n + j] = a_at(at[0] * n + i, at[1] * n + j);
            b[i * n + j] = b_at(at[0] * n + i, at[1] * n + j);
            c[i * n + j] = 0;
        }
    MPI_Barrier(MPI_COMM_WORLD);
    double t = MPI_Wtime();
    cannon(grid, at, root, a, b, c, n);
    t = MPI_Wtime() - t;
    check_product(at, c, n, all);
    free(a);
    MPI_Comm_free(&grid);
    return t;
}

/* ---- all of it --------------------------------------------------------------------------------------------------- */

static int compare_times(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static void measure(const char *name, double (*run)(long), long n)
{
    double times[RUNS];
    for (int i = 0; i < RUNS; i++) {
        double own = run(n);
        MPI_Allreduce(&own, &times[i], 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    }
    qsort(times, RUNS, sizeof times[0], compare_times);
    if (rank == 0)
        printf("%-9s %9ld %10.1f ms (%.1f to %.1f)\n", name, n, times[RUNS / 2] * 1e3, times[0] * 1e3,
               times[RUNS - 1] * 1e3);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 1; i < argc; i++) {
        const char *colon = strchr(argv[i], ':');
        if (colon && strncmp(argv[i], "sort:", 5) == 0)
            measure("sort", run_sort, atol(colon + 1));
        else if (colon && strncmp(argv[i], "matrix:", 7) == 0)
            measure("matrix", run_matrix, atol(colon + 1));
        else
            fail("arguments: sort:KEYS, matrix:N");
    }
    MPI_Finalize();
    return 0;
}
