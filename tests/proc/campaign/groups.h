/* SPDX-License-Identifier: BSD-3-Clause
 *
 * groups: collective operations, blocking and not, and data that is not contiguous.
 */
#ifndef HWS_CAMPAIGN_GROUPS_H
#define HWS_CAMPAIGN_GROUPS_H

#include "campaign/common.h"

/* One collective operation: its number, its block of `bytes` for each rank, a multiple of 8; two buffers of proc_size
 * blocks. */
struct call {
    const struct phase *ph;
    long number;
    int root, bytes, is_nonblocking;
    char *out, *in;
};

static uint64_t block_key(const struct call *c, int from, int to)
{
    return key_of(c->ph, from, to, c->number);
}

/* The blocks that are sent: one for all, or one for each. */
static void fill_blocks(const struct call *c, int n_blocks)
{
    for (int to = 0; to < n_blocks; to++)
        words_fill(c->out + (long)to * c->bytes, c->bytes, block_key(c, proc_rank, to), 1);
}

static void check_block(const struct call *c, int at, int from, int to)
{
    verify_words(c->in + (long)at * c->bytes, c->bytes, block_key(c, from, to), 1, c->number);
}

/* What ranks 0 to n - 1 have added up in block `at`. */
static void check_sum(const struct call *c, int at, int n)
{
    uint64_t sum = 0;
    for (int from = 0; from < n; from++)
        sum += block_key(c, from, at);
    verify_words(c->in, c->bytes, sum, (uint64_t)n, c->number);
}

static void do_bcast(struct call *c, MPI_Request *r)
{
    if (proc_rank == c->root)
        words_fill(c->in, c->bytes, block_key(c, c->root, 0), 1);
    if (c->is_nonblocking)
        MPI_Ibcast(c->in, c->bytes, MPI_BYTE, c->root, MPI_COMM_WORLD, r);
    else
        MPI_Bcast(c->in, c->bytes, MPI_BYTE, c->root, MPI_COMM_WORLD);
}

static void check_bcast(struct call *c)
{
    check_block(c, 0, c->root, 0);
}

static void do_allreduce(struct call *c, MPI_Request *r)
{
    fill_blocks(c, 1);
    if (c->is_nonblocking)
        MPI_Iallreduce(c->out, c->in, c->bytes / 8, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD, r);
    else
        MPI_Allreduce(c->out, c->in, c->bytes / 8, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
}

static void check_allreduce(struct call *c)
{
    check_sum(c, 0, proc_size);
}

static void do_reduce(struct call *c, MPI_Request *r)
{
    fill_blocks(c, 1);
    if (c->is_nonblocking)
        MPI_Ireduce(c->out, c->in, c->bytes / 8, MPI_UINT64_T, MPI_SUM, c->root, MPI_COMM_WORLD, r);
    else
        MPI_Reduce(c->out, c->in, c->bytes / 8, MPI_UINT64_T, MPI_SUM, c->root, MPI_COMM_WORLD);
}

static void check_reduce(struct call *c)
{
    if (proc_rank == c->root)
        check_sum(c, 0, proc_size);
}

static void do_scan(struct call *c, MPI_Request *r)
{
    fill_blocks(c, 1);
    if (c->is_nonblocking)
        MPI_Iscan(c->out, c->in, c->bytes / 8, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD, r);
    else
        MPI_Scan(c->out, c->in, c->bytes / 8, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
}

static void check_scan(struct call *c)
{
    check_sum(c, 0, proc_rank + 1);
}

static void do_alltoall(struct call *c, MPI_Request *r)
{
    fill_blocks(c, proc_size);
    if (c->is_nonblocking)
        MPI_Ialltoall(c->out, c->bytes, MPI_BYTE, c->in, c->bytes, MPI_BYTE, MPI_COMM_WORLD, r);
    else
        MPI_Alltoall(c->out, c->bytes, MPI_BYTE, c->in, c->bytes, MPI_BYTE, MPI_COMM_WORLD);
}

static void check_alltoall(struct call *c)
{
    for (int from = 0; from < proc_size; from++)
        check_block(c, from, from, proc_rank);
}

static void do_allgather(struct call *c, MPI_Request *r)
{
    fill_blocks(c, 1);
    if (c->is_nonblocking)
        MPI_Iallgather(c->out, c->bytes, MPI_BYTE, c->in, c->bytes, MPI_BYTE, MPI_COMM_WORLD, r);
    else
        MPI_Allgather(c->out, c->bytes, MPI_BYTE, c->in, c->bytes, MPI_BYTE, MPI_COMM_WORLD);
}

static void check_allgather(struct call *c)
{
    for (int from = 0; from < proc_size; from++)
        check_block(c, from, from, 0);
}

static void do_gather(struct call *c, MPI_Request *r)
{
    fill_blocks(c, 1);
    if (c->is_nonblocking)
        MPI_Igather(c->out, c->bytes, MPI_BYTE, c->in, c->bytes, MPI_BYTE, c->root, MPI_COMM_WORLD, r);
    else
        MPI_Gather(c->out, c->bytes, MPI_BYTE, c->in, c->bytes, MPI_BYTE, c->root, MPI_COMM_WORLD);
}

static void check_gather(struct call *c)
{
    if (proc_rank == c->root)
        check_allgather(c);
}

static void do_scatter(struct call *c, MPI_Request *r)
{
    fill_blocks(c, proc_size);
    if (c->is_nonblocking)
        MPI_Iscatter(c->out, c->bytes, MPI_BYTE, c->in, c->bytes, MPI_BYTE, c->root, MPI_COMM_WORLD, r);
    else
        MPI_Scatter(c->out, c->bytes, MPI_BYTE, c->in, c->bytes, MPI_BYTE, c->root, MPI_COMM_WORLD);
}

static void check_scatter(struct call *c)
{
    check_block(c, 0, c->root, proc_rank);
}

static void do_barrier(struct call *c, MPI_Request *r)
{
    if (c->is_nonblocking)
        MPI_Ibarrier(MPI_COMM_WORLD, r);
    else
        MPI_Barrier(MPI_COMM_WORLD);
}

static void check_barrier(struct call *c)
{
    (void)c;
}

static const struct {
    void (*start)(struct call *, MPI_Request *);
    void (*finish)(struct call *);
} calls[] = {
    {do_bcast, check_bcast},   {do_allreduce, check_allreduce}, {do_reduce, check_reduce},
    {do_scan, check_scan},     {do_alltoall, check_alltoall},   {do_allgather, check_allgather},
    {do_gather, check_gather}, {do_scatter, check_scatter},     {do_barrier, check_barrier},
};

/* Operations in turn, some nonblocking with work before the wait. */
static void run_collectives(const struct phase *ph)
{
    size_t room = (size_t)(ph->max & ~7L) + 8;
    char *out = allocate(room * (size_t)proc_size), *in = allocate(room * (size_t)proc_size);
    for (int k = 0; k < ph->count; k++) {
        uint64_t r = words_mix(ph->key + (uint64_t)k);
        struct call c = {ph, k, (int)(r >> 32 & 0xff) % proc_size, (int)size_of(ph, r) & ~7, r >> 40 & 1, out, in};
        MPI_Request request = MPI_REQUEST_NULL;
        size_t which = r % (sizeof(calls) / sizeof(*calls));
        memset(in, 0, (size_t)c.bytes * (size_t)proc_size);
        calls[which].start(&c, &request);
        think(ph, k);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        calls[which].finish(&c);
        meter_done(c.bytes);
    }
    free(out);
    free(in);
}

/* ---- derived types ---- */

/* n words, of which one in `stride` words of memory. */
static MPI_Datatype every(int n, int stride)
{
    MPI_Datatype t;
    MPI_Type_vector(n, 1, stride, MPI_UINT64_T, &t);
    MPI_Type_commit(&t);
    return t;
}

/* n words in blocks of 1, 2, 3, ... with a word between them; returns how many words of memory they take. */
static int in_blocks(int n, MPI_Datatype *t)
{
    int *lengths = allocate(sizeof(int) * (size_t)(n + 1)), *places = allocate(sizeof(int) * (size_t)(n + 1)),
        n_blocks = 0, at = 0;
    for (int left = n; left > 0; left -= lengths[n_blocks++]) {
        lengths[n_blocks] = left < n_blocks % 50 + 1 ? left : n_blocks % 50 + 1;
        places[n_blocks] = at;
        at += lengths[n_blocks] + 1;
    }
    MPI_Type_indexed(n_blocks, lengths, places, MPI_UINT64_T, t);
    MPI_Type_commit(t);
    free(lengths);
    free(places);
    return at;
}

/* Message k in a ring: sent with gaps of one kind, received with gaps of another; the gaps stay as they are. */
static void types_one(const struct phase *ph, int left, int right, long k)
{
    int stride = 2 + (int)(ph->key >> 8 & 0xff) % 3, n = (int)(size_of(ph, key_of(ph, proc_rank, right, k)) / 32);
    int n_in = (int)(size_of(ph, key_of(ph, left, proc_rank, k)) / 32), packed = 0;
    MPI_Datatype blocks, vector = every(n, stride);
    int span = in_blocks(n_in, &blocks);
    uint64_t *out = allocate((size_t)(n * stride + 1) * 8), *in = allocate((size_t)(span + 1) * 8),
             *words = allocate((size_t)n_in * 8);
    MPI_Status status;
    for (int i = 0; i < n; i++)
        out[i * stride] = words_at(key_of(ph, proc_rank, right, k), 1, i);
    MPI_Sendrecv(out, 1, vector, right, TAG_TYPE, in, 1, blocks, left, TAG_TYPE, MPI_COMM_WORLD, &status);
    MPI_Pack(in, 1, blocks, words, n_in * 8, &packed, MPI_COMM_WORLD);
    if (bytes_of(&status) != n_in * 8L || packed != n_in * 8)
        give_up("a message of a derived type has a length that is not its own", k);
    verify_words(words, n_in * 8L, key_of(ph, left, proc_rank, k), 1, k);
    for (int i = 0, at = 0; at < span; i++) {
        at += i % 50 + 1;
        if (at < span && in[at++])
            give_up("a gap was written to", k);
    }
    MPI_Type_free(&vector);
    MPI_Type_free(&blocks);
    free(out);
    free(in);
    free(words);
}

static void run_types(const struct phase *ph)
{
    int right = (proc_rank + 1) % proc_size, left = (proc_rank + proc_size - 1) % proc_size;
    for (int k = 0; k < ph->count; k++) {
        think(ph, k);
        types_one(ph, left, right, k);
        meter_done(size_of(ph, key_of(ph, left, proc_rank, k)));
    }
}

#endif
