/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sched_build: appends steps to a schedule.
 */
#include "coll/schedule/sched_priv.h"

#include <stdlib.h>

#define FIRST_STEPS 32

/* The next step, or NULL when there is no memory for it. */
static struct hws_step *add(struct hws_sched *s, enum hws_step_kind kind)
{
    if (s->n_steps == s->cap_steps) {
        int cap = s->cap_steps ? 2 * s->cap_steps : FIRST_STEPS;
        struct hws_step *steps = realloc(s->steps, (size_t)cap * sizeof *steps);
        if (!steps) {
            hws_sched_no_memory(s, (uint64_t)cap * sizeof *steps);
            return NULL;
        }
        s->steps = steps;
        s->cap_steps = cap;
    }
    struct hws_step *st = &s->steps[s->n_steps++];
    st->kind = (uint8_t)kind;
    st->fence = s->fence_due;
    st->sched = s;
    s->fence_due = false;
    return st;
}

void hws_sched_fence(struct hws_sched *s)
{
    s->fence_due = s->n_steps > 0;
}

/* A message's step, but for its operation; NULL when there is no memory. */
static struct hws_step *add_message(struct hws_sched *s, enum hws_step_kind kind, uint64_t len_bytes, int rank)
{
    struct hws_step *st = add(s, kind);
    if (!st)
        return NULL;
    st->rank = s->ranks ? s->ranks[rank] : rank;
    st->token = len_bytes == 0;
    return st;
}

static void add_send(struct hws_sched *s, struct hws_data d, int rank)
{
    struct hws_step *st = add_message(s, HWS_STEP_SEND, d.len_bytes, rank);
    if (st)
        st->u.send = (struct hws_send_op){.data = d,
                                          .peer = hws_group_peer(s->group, st->rank),
                                          .ctx = s->ctx,
                                          .tag = s->tag,
                                          .mode = s->abreast ? HWS_ABREAST : HWS_STANDARD};
}

static void add_recv(struct hws_sched *s, struct hws_data d, int rank)
{
    struct hws_step *st = add_message(s, HWS_STEP_RECV, d.len_bytes, rank);
    if (st)
        st->u.recv =
            (struct hws_recv_op){.data = d, .peer = hws_group_peer(s->group, st->rank), .ctx = s->ctx, .tag = s->tag};
}

void hws_sched_send(struct hws_sched *s, struct hws_data d, int rank)
{
    if (d.len_bytes > 0)
        add_send(s, d, rank);
}

void hws_sched_recv(struct hws_sched *s, struct hws_data d, int rank)
{
    if (d.len_bytes > 0)
        add_recv(s, d, rank);
}

void hws_sched_send_token(struct hws_sched *s, int rank)
{
    add_send(s, hws_bytes(NULL, 0), rank);
}

void hws_sched_recv_token(struct hws_sched *s, int rank)
{
    add_recv(s, hws_bytes(NULL, 0), rank);
}

void hws_sched_copy(struct hws_sched *s, struct hws_data src, struct hws_data dst)
{
    if (src.len_bytes == 0)
        return;
    struct hws_step *st = add(s, HWS_STEP_COPY);
    if (!st)
        return;
    st->u.copy.src = src;
    st->u.copy.dst = dst;
}

void hws_sched_reduce(struct hws_sched *s, const struct hws_op *op, const void *in, void *inout, MPI_Count n,
                      struct hws_type *t)
{
    struct hws_step *st = n > 0 ? add(s, HWS_STEP_REDUCE) : NULL;
    if (!st)
        return;
    st->u.reduce.op = op;
    st->u.reduce.in = in;
    st->u.reduce.inout = inout;
    st->u.reduce.n = n;
    st->u.reduce.type = t;
}

void hws_sched_add_other(struct hws_sched *s, struct hws_sched_other *o)
{
    struct hws_step *st = add(s, HWS_STEP_OTHER);
    if (st)
        st->u.other = o;
}
