/* SPDX-License-Identifier: BSD-3-Clause
 *
 * layouts: derived types between ranks: each rank sends to the next one, every type in one direction typed and in the
 * other as what MPI_Pack makes of it, from a few bytes to many fragments.
 */
#include "proc.h"

#include <stdint.h>

#define MAX_TYPES 24

static MPI_Datatype types[MAX_TYPES];
static const char *names[MAX_TYPES];
static int n_types;

static void add(const char *name, MPI_Datatype t)
{
    MPI_Type_commit(&t);
    names[n_types] = name;
    types[n_types++] = t;
}

static void add_regular(void)
{
    MPI_Datatype t, line;
    MPI_Type_contiguous(7, MPI_INT, &t);
    add("contiguous", t);
    for (int len = 1; len <= 4; len++) {
        MPI_Type_vector(5, len, 5, MPI_INT, &t);
        add("vector", t);
    }
    MPI_Type_vector(6, 1, -3, MPI_DOUBLE, &t);
    add("vector backwards", t);
    MPI_Type_create_hvector(3, 3, 17, MPI_CHAR, &t);
    add("hvector of chars", t);
    MPI_Type_vector(4, 1, 3, MPI_DOUBLE, &line);
    MPI_Type_create_hvector(3, 1, 200, line, &t);
    add("vector of vectors", t);
    MPI_Type_free(&line);
    MPI_Type_dup(types[1], &t);
    add("dup", t);
}

static void add_irregular(void)
{
    MPI_Datatype t, part;
    int lens[4] = {2, 0, 3, 1}, disps[4] = {9, 4, 0, 20}, face[12];
    MPI_Aint bytes[3] = {100, 3, 40};
    MPI_Type_indexed(4, lens, disps, MPI_INT, &t);
    add("indexed", t);
    MPI_Type_create_hindexed(3, lens, bytes, MPI_SHORT, &t);
    add("hindexed", t);
    MPI_Type_create_hindexed_block(3, 2, bytes, MPI_DOUBLE, &t);
    add("hindexed_block", t);
    for (int i = 0; i < 12; i++)
        face[i] = i / 4 * 16 + i % 4 * 4;
    MPI_Type_create_indexed_block(12, 1, face, MPI_FLOAT, &t);
    add("face", t);
    MPI_Aint at[4] = {0, 8, 24, 27};
    int field[4] = {1, 2, 3, 5};
    MPI_Datatype kinds[4] = {MPI_CHAR, MPI_DOUBLE, MPI_CHAR, MPI_BYTE};
    MPI_Type_create_struct(4, field, at, kinds, &part);
    add("struct", part);
    MPI_Type_create_resized(part, -8, 64, &t);
    add("resized struct", t);
    MPI_Type_vector(3, 2, 3, part, &t);
    add("vector of structs", t);
    MPI_Type_contiguous(2, MPI_SHORT_INT, &t);
    add("pairs with holes", t);
    MPI_Aint far[3] = {0, 5603, 6000};
    int many[3] = {1400, 3, 1700};
    MPI_Datatype mixed[3] = {MPI_INT, MPI_CHAR, MPI_INT};
    MPI_Type_create_struct(3, many, far, mixed, &t);
    add("long runs and a short one", t);
}

static void add_arrays(void)
{
    MPI_Datatype t;
    int sizes[3] = {6, 5, 4}, part[3] = {3, 2, 4}, starts[3] = {1, 3, 0};
    MPI_Type_create_subarray(3, sizes, part, starts, MPI_ORDER_C, MPI_INT, &t);
    add("subarray, C", t);
    MPI_Type_create_subarray(2, sizes, part, starts, MPI_ORDER_FORTRAN, MPI_DOUBLE, &t);
    add("subarray, Fortran", t);
    int kinds[2] = {MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_BLOCK}, args[2] = {2, MPI_DISTRIBUTE_DFLT_DARG},
        grid[2] = {2, 2};
    MPI_Type_create_darray(4, 3, 2, sizes, kinds, args, grid, MPI_ORDER_C, MPI_INT, &t);
    add("darray", t);
}

/* Memory for count elements: base of the allocation, and where the buffer argument points. */
static char *room(MPI_Datatype t, int count, char **base, size_t *len)
{
    MPI_Aint lb, extent, true_lb, true_extent;
    MPI_Type_get_extent(t, &lb, &extent);
    MPI_Type_get_true_extent(t, &true_lb, &true_extent);
    *len = (size_t)(true_extent + (extent < 0 ? -extent : extent) * (count - 1));
    *base = malloc(*len + 1);
    MPI_Aint back = -true_lb + (extent < 0 ? -extent * (count - 1) : 0);
    return *base + back;
}

static void fill(char *p, size_t n, unsigned seed)
{
    for (size_t i = 0; i < n; i++)
        p[i] = (char)(seed = seed * 1103515245u + 12345u, seed >> 16);
}

/* To the right neighbour typed, received packed; and packed, received typed. */
static void exchange(int which, int count)
{
    MPI_Datatype t = types[which];
    int right = (proc_rank + 1) % proc_size, left = (proc_rank + proc_size - 1) % proc_size, bytes, position = 0, got;
    char *base_a, *base_b, *base_c;
    size_t len;
    char *a = room(t, count, &base_a, &len), *b = room(t, count, &base_b, &len), *c = room(t, count, &base_c, &len);
    MPI_Pack_size(count, t, MPI_COMM_WORLD, &bytes);
    char *packed = malloc((size_t)bytes + 1), *want = malloc((size_t)bytes + 1);
    MPI_Status status;
    fill(base_a, len, 7u + (unsigned)left);
    MPI_Pack(a, count, t, want, bytes, &position, MPI_COMM_WORLD);
    check_eq(position, bytes);
    fill(base_a, len, 7u + (unsigned)proc_rank);
    MPI_Sendrecv(a, count, t, right, 1, packed, bytes, MPI_BYTE, left, 1, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, t, &got);
    check_eq(got, count);
    check(memcmp(packed, want, (size_t)bytes) == 0);
    memset(base_b, 0x5a, len + 1);
    memset(base_c, 0x5a, len + 1);
    MPI_Request request;
    MPI_Irecv(b, count, t, right, 2, MPI_COMM_WORLD, &request);
    MPI_Send(packed, bytes, MPI_PACKED, left, 2, MPI_COMM_WORLD); /* home again */
    MPI_Wait(&request, &status);
    position = 0;
    MPI_Pack(a, count, t, want, bytes, &position, MPI_COMM_WORLD);
    position = 0;
    MPI_Unpack(want, bytes, &position, c, count, t, MPI_COMM_WORLD);
    if (memcmp(base_b, base_c, len + 1) != 0)
        fprintf(stderr, "%s x%d was received wrongly\n", names[which], count), proc_failures++;
    free(base_a);
    free(base_b);
    free(base_c);
    free(packed);
    free(want);
}

/* A struct of absolute addresses: buffers are MPI_BOTTOM. */
static void absolute(void)
{
    static int number;
    static double reals[3];
    MPI_Aint at[2];
    int lens[2] = {1, 3}, right = (proc_rank + 1) % proc_size, left = (proc_rank + proc_size - 1) % proc_size;
    MPI_Datatype kinds[2] = {MPI_INT, MPI_DOUBLE}, t;
    MPI_Get_address(&number, &at[0]);
    MPI_Get_address(reals, &at[1]);
    MPI_Type_create_struct(2, lens, at, kinds, &t);
    MPI_Type_commit(&t);
    number = proc_rank;
    reals[2] = proc_rank + 0.5;
    MPI_Sendrecv_replace(MPI_BOTTOM, 1, t, right, 3, left, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    check_eq(number, left);
    check(reals[2] == left + 0.5);
    MPI_Bcast(MPI_BOTTOM, 1, t, 0, MPI_COMM_WORLD);
    check_eq(number, proc_size - 1);
    MPI_Type_free(&t);
}

/* The type may be freed while a transfer with it is under way. */
static void freed_early(void)
{
    MPI_Datatype t;
    MPI_Request requests[2];
    int right = (proc_rank + 1) % proc_size, left = (proc_rank + proc_size - 1) % proc_size, n = 200000;
    int *in = calloc((size_t)n, 2 * sizeof *in), *out = calloc((size_t)n, 2 * sizeof *out);
    for (int i = 0; i < n; i++)
        out[2 * i] = i + proc_rank;
    MPI_Type_vector(n, 1, 2, MPI_INT, &t);
    MPI_Type_commit(&t);
    MPI_Irecv(in, 1, t, left, 4, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(out, 1, t, right, 4, MPI_COMM_WORLD, &requests[1]);
    MPI_Type_free(&t);
    check(t == MPI_DATATYPE_NULL);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    int wrong = 0;
    for (int i = 0; i < n; i++)
        wrong += in[2 * i] != i + left || in[2 * i + 1] != 0;
    check_eq(wrong, 0);
    free(in);
    free(out);
}

/* A broadcast of n runs of len integers, each as far from the next as it is long. */
static void spread(int n, int len)
{
    MPI_Datatype t;
    int total = 2 * n * len, wrong = 0, *a = calloc((size_t)total, sizeof *a);
    for (int i = 0; i < total && proc_rank == 0; i++)
        a[i] = i / len % 2 ? 0 : i + 1;
    MPI_Type_vector(n, len, 2 * len, MPI_INT, &t);
    MPI_Type_commit(&t);
    MPI_Bcast(a, 1, t, 0, MPI_COMM_WORLD);
    for (int i = 0; i < total; i++)
        wrong += a[i] != (i / len % 2 ? 0 : i + 1);
    check_eq(wrong, 0);
    MPI_Type_free(&t);
    free(a);
}

int main(int argc, char **argv)
{
    static const int counts[] = {1, 2, 37, 3000};
    proc_begin(&argc, &argv);
    add_regular();
    add_irregular();
    add_arrays();
    for (int i = 0; i < n_types; i++) {
        int size;
        MPI_Type_size(types[i], &size);
        for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++)
            exchange(i, size > 1000 && counts[k] > 100 ? 100 : counts[k]);
    }
    absolute();
    freed_early();
    spread(150000, 1);
    spread(5001, 2); /* pieces of it end inside a run */
    spread(40, 5000);
    for (int i = 0; i < n_types; i++)
        MPI_Type_free(&types[i]);
    return proc_end();
}
