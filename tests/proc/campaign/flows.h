/* SPDX-License-Identifier: BSD-3-Clause
 *
 * flows: messages from one rank to another in both directions and with windows: one-way, ring, ping-pong, all to all,
 * many to one.
 */
#ifndef HWS_CAMPAIGN_FLOWS_H
#define HWS_CAMPAIGN_FLOWS_H

#include "campaign/common.h"

enum { MAX_FLOWS = 64 };

/* Messages to or from one rank: a ring of buffers, each with its message under way. */
struct flow {
    int peer, is_out;
    long next; /* message to start */
    unsigned char *buffers;
    long number[16]; /* of the message in each buffer */
};

static void flow_start(const struct phase *ph, struct flow *f, int slot, MPI_Request *r)
{
    unsigned char *buffer = f->buffers + slot * ph->max;
    *r = MPI_REQUEST_NULL;
    if (f->next == ph->count)
        return;
    long k = f->number[slot] = f->next++;
    if (!f->is_out) {
        MPI_Irecv(buffer, (int)ph->max, MPI_BYTE, f->peer, TAG_FLOW, MPI_COMM_WORLD, r);
        return;
    }
    think(ph, k);
    uint64_t key = key_of(ph, proc_rank, f->peer, k);
    fill(ph, buffer, proc_rank, f->peer, k);
    if (words_mix(key) % 8 == 0)
        MPI_Issend(buffer, (int)size_of(ph, key), MPI_BYTE, f->peer, TAG_FLOW, MPI_COMM_WORLD, r);
    else
        MPI_Isend(buffer, (int)size_of(ph, key), MPI_BYTE, f->peer, TAG_FLOW, MPI_COMM_WORLD, r);
}

static void flow_done(const struct phase *ph, const struct flow *f, int slot, const MPI_Status *status)
{
    const unsigned char *buffer = f->buffers + slot * ph->max;
    long k = f->number[slot];
    if (f->is_out)
        meter_done(size_of(ph, key_of(ph, proc_rank, f->peer, k)));
    else {
        verify(ph, buffer, bytes_of(status), f->peer, proc_rank, k);
        meter_done(bytes_of(status));
    }
}

/* All flows of this rank, until each has had its messages. */
static void run_flows(const struct phase *ph, struct flow *flows, int n)
{
    MPI_Request *all = allocate(sizeof(*all) * (size_t)(n * ph->window));
    for (int i = 0; i < n; i++) {
        flows[i].buffers = allocate((size_t)(ph->max * ph->window));
        for (int slot = 0; slot < ph->window; slot++)
            flow_start(ph, &flows[i], slot, &all[i * ph->window + slot]);
    }
    for (;;) {
        int at;
        MPI_Status status;
        MPI_Waitany(n * ph->window, all, &at, &status);
        if (at == MPI_UNDEFINED)
            break;
        flow_done(ph, &flows[at / ph->window], at % ph->window, &status);
        flow_start(ph, &flows[at / ph->window], at % ph->window, &all[at]);
    }
    for (int i = 0; i < n; i++)
        free(flows[i].buffers);
    free(all);
}

static void send_one(const struct phase *ph, void *buffer, int to, long k, int tag)
{
    uint64_t key = key_of(ph, proc_rank, to, k);
    think(ph, k);
    fill(ph, buffer, proc_rank, to, k);
    if (words_mix(key) % 8 == 0)
        MPI_Ssend(buffer, (int)size_of(ph, key), MPI_BYTE, to, tag, MPI_COMM_WORLD);
    else
        MPI_Send(buffer, (int)size_of(ph, key), MPI_BYTE, to, tag, MPI_COMM_WORLD);
    meter_done(size_of(ph, key));
}

static void recv_one(const struct phase *ph, void *buffer, int from, long k, int tag)
{
    MPI_Status status;
    MPI_Recv(buffer, (int)ph->max, MPI_BYTE, from, tag, MPI_COMM_WORLD, &status);
    verify(ph, buffer, bytes_of(&status), from, proc_rank, k);
    meter_done(bytes_of(&status));
}

/* ---- patterns ---- */

/* One half sends, the other receives and sends nothing at all: blocking, or with a window. */
static void run_oneway(const struct phase *ph)
{
    int peer = across(), sends = (proc_rank < proc_size / 2) ^ (ph->key >> 8 & 1);
    if (peer < 0)
        return;
    if (ph->key & 1) {
        run_flows(ph, &(struct flow){.peer = peer, .is_out = sends}, 1);
        return;
    }
    void *buffer = allocate((size_t)ph->max);
    for (int k = 0; k < ph->count; k++)
        if (sends)
            send_one(ph, buffer, peer, k, TAG_FLOW);
        else
            recv_one(ph, buffer, peer, k, TAG_FLOW);
    free(buffer);
}

static void run_ring(const struct phase *ph)
{
    int right = (proc_rank + 1) % proc_size, left = (proc_rank + proc_size - 1) % proc_size;
    run_flows(ph, (struct flow[2]){{.peer = right, .is_out = 1}, {.peer = left}}, 2);
}

static void run_pingpong(const struct phase *ph)
{
    int peer = across(), begins = (proc_rank < proc_size / 2) ^ (ph->key >> 8 & 1);
    if (peer < 0)
        return;
    void *buffer = allocate((size_t)ph->max);
    for (int k = 0; k < ph->count; k++) {
        if (begins)
            send_one(ph, buffer, peer, k, TAG_PING);
        recv_one(ph, buffer, peer, k, TAG_PING);
        if (!begins)
            send_one(ph, buffer, peer, k, TAG_PING);
    }
    free(buffer);
}

static void run_pairs(const struct phase *ph)
{
    struct flow flows[MAX_FLOWS];
    struct phase shared = *ph; /* the pace is that of a rank */
    int n = 0;
    shared.pace_us /= proc_size;
    memset(flows, 0, sizeof(flows));
    for (int d = 1; d < proc_size && n + 2 <= MAX_FLOWS; d++) {
        flows[n++].peer = (proc_rank + proc_size - d) % proc_size;
        flows[n].is_out = 1;
        flows[n++].peer = (proc_rank + d) % proc_size;
    }
    run_flows(&shared, flows, n);
}

/* One message from whom it may be; its number is that of its sender's turn. */
static void recv_any(const struct phase *ph, void *buffer, long next[], int is_probed)
{
    MPI_Status status;
    if (is_probed) {
        MPI_Message message;
        MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &message, &status);
        MPI_Mrecv(buffer, (int)bytes_of(&status), MPI_BYTE, &message, &status);
    } else {
        MPI_Recv(buffer, (int)ph->max, MPI_BYTE, MPI_ANY_SOURCE, TAG_MANY, MPI_COMM_WORLD, &status);
    }
    verify(ph, buffer, bytes_of(&status), status.MPI_SOURCE, proc_rank, next[status.MPI_SOURCE]++);
    meter_done(bytes_of(&status));
}

/* All to one rank, which receives from any. */
static void run_many(const struct phase *ph)
{
    int root = (int)(ph->key >> 16 & 0xffff) % proc_size;
    void *buffer = allocate((size_t)ph->max);
    if (proc_rank != root) {
        for (int k = 0; k < ph->count; k++)
            send_one(ph, buffer, root, k, TAG_MANY);
    } else {
        long *next = allocate(sizeof(*next) * (size_t)proc_size);
        for (int k = 0; k < ph->count * (proc_size - 1); k++) {
            if (k % (proc_size - 1) == 0)
                think(ph, k);
            recv_any(ph, buffer, next, words_mix(ph->key + (uint64_t)k) % 4 == 0);
        }
        free(next);
    }
    free(buffer);
}

#endif
