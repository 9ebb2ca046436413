/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cast: see cast.h. All of it runs with the engine's lock held.
 *
 * A short message is copied, so that its sender need not wait for the others. A long one is sent from the user's memory
 * and is done when all have it.
 */
#include "coll/schedule/cast.h"

#include "cast/cast.h"
#include "coll/schedule/sched_priv.h"
#include "coll/schedule/sched_run.h"
#include "core/object/world.h"
#include "peer/engine.h"

/* The receive beside it, or the note instead of it. */
struct watch {
    struct hws_sched_cast *x;
    int member, peer;
    union {
        struct hws_recv_op recv;
        struct hws_send_op send;
    } u;
    char note[sizeof(struct hws_note)];
};

struct hws_sched_cast {
    struct hws_sched_other base;
    struct hws_cast_call call;
    struct hws_circle *circle;
    struct hws_step *st;
    struct hws_data data;
    int root; /* member */
    int root_peer;
    bool is_root;
    uint32_t run;   /* how often it has run: a persistent schedule keeps its tag */
    bool is_called; /* the call is done */
    bool is_over;   /* the step is */
    int lost;       /* peer; -1: none */
    int n_open;     /* watches that are not done */
    int n_watches;  /* root: one for each other rank; else one */
    struct watch watches[];
};

/* Any two messages that one rank has under way in a group have tags of their own: context, tag and run, mixed
 * (SplitMix64, Steele, Lea, Flood 2014). */
static uint64_t tag_of(const struct hws_sched_cast *x)
{
    const struct hws_sched *s = x->st->sched;
    uint64_t z = ((uint64_t)s->ctx << 32 | (uint32_t)s->tag) + 0x9e3779b97f4a7c15ull * (x->run + 1);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

/* ---- the end ----------------------------------------------------------------------------------------------------- */

static void end(struct hws_sched_cast *x)
{
    struct hws_step *st = x->st;
    int peer = x->lost >= 0 ? x->lost : x->root_peer;
    x->is_over = true;
    if (x->is_root || x->call.err != HWS_OK)
        hws_sched_other_done(st, x->call.err, peer, x->call.op.recv.len, x->data.len_bytes);
    else
        hws_sched_other_done(st, x->call.op.recv.len == x->data.len_bytes ? HWS_OK : HWS_ETRUNCATE, peer,
                             x->call.op.recv.len, x->data.len_bytes);
}

/* A watch that has just been matched is waited for. */
static void end_watches(struct hws_sched_cast *x)
{
    for (int i = 0; i < x->n_watches; i++)
        if (!x->watches[i].u.recv.done)
            hws_engine_cancel_recv(hws_world.engine, &x->watches[i].u.recv);
    if (x->n_open == 0 && !x->is_over)
        end(x);
}

static void on_called(struct hws_cast_call *call)
{
    struct hws_sched_cast *x = hws_container_of(call, struct hws_sched_cast, call);
    x->is_called = true;
    end_watches(x);
}

/* A receiver: the root is lost, or says why there is no data. */
static void on_root_failed(struct watch *w)
{
    struct hws_sched_cast *x = w->x;
    struct hws_recv_op *op = &w->u.recv;
    if (x->is_called || !hws_circle_cancel(&x->call))
        return; /* all had come before */
    x->is_over = true;
    if (op->err == HWS_OK)
        hws_sched_other_noted(x->st, op->peer, w->note, op->from_len);
    else
        hws_sched_other_done(x->st, op->err, op->peer, 0, 0);
}

static void on_watched(struct hws_recv_op *op)
{
    struct watch *w = hws_container_of(op, struct watch, u.recv);
    struct hws_sched_cast *x = w->x;
    x->n_open--;
    if (op->err == HWS_ECANCELLED && x->is_called) {
        return; /* end_watches() goes on */
    }
    if (!x->is_root)
        on_root_failed(w);
    else if (op->err != HWS_OK && !x->is_called) {
        x->lost = op->peer;
        hws_circle_drop(x->circle, w->member);
    }
    if (x->is_called && x->n_open == 0 && !x->is_over)
        end(x);
}

/* ---- the start --------------------------------------------------------------------------------------------------- */

static void post_watches(struct hws_sched_cast *x)
{
    const struct hws_sched *s = x->st->sched;
    x->n_open = x->n_watches;
    for (int i = 0; i < x->n_watches; i++) {
        struct watch *w = &x->watches[i];
        w->u.recv = (struct hws_recv_op){.data = hws_bytes(w->note, sizeof w->note),
                                         .peer = w->peer,
                                         .ctx = s->ctx,
                                         .tag = s->tag | HWS_SCHED_TAG_CAST | (x->is_root ? HWS_SCHED_TAG_AWAY : 0),
                                         .on_done = on_watched};
    }
    for (int i = 0; i < x->n_watches && !x->is_over; i++) {
        struct hws_recv_op *op = &x->watches[i].u.recv;
        hws_engine_recv(hws_world.engine, op);
    }
}

static void on_noted(struct hws_send_op *op)
{
    struct hws_sched_cast *x = hws_container_of(op, struct watch, u.send)->x;
    if (--x->n_open == 0)
        hws_sched_other_done(x->st, HWS_ECANCELLED, op->peer, 0, 0);
}

static void send_notes(struct hws_sched_cast *x)
{
    const struct hws_sched *s = x->st->sched;
    x->n_open = x->n_watches;
    for (int i = 0; i < x->n_watches; i++) {
        struct watch *w = &x->watches[i];
        w->u.send = (struct hws_send_op){.data = hws_sched_other_note(x->st),
                                         .peer = w->peer,
                                         .ctx = s->ctx,
                                         .tag = s->tag | HWS_SCHED_TAG_CAST,
                                         .on_done = on_noted};
        hws_engine_send_at_once(hws_world.engine, &w->u.send);
    }
}

static void start_send(struct hws_sched_cast *x)
{
    x->call.op.send = (struct hws_cast_send){.tag = tag_of(x), .data = x->data.base, .len = x->data.len_bytes};
    int rc = hws_circle_send_copy(x->circle, &x->call.op.send);
    if (rc == HWS_OK) {
        x->call.err = HWS_OK;
        x->is_called = true;
        end(x);
        return;
    }
    rc = hws_circle_send(x->circle, &x->call);
    x->is_called = rc != HWS_OK || x->call.was_done;
    if (rc != HWS_OK)
        x->call.err = (enum hws_err)rc;
    if (x->is_called)
        end(x);
    else
        post_watches(x);
}

static void start_recv(struct hws_sched_cast *x)
{
    x->call.op.recv =
        (struct hws_cast_recv){.tag = tag_of(x), .from = x->root, .data = x->data.base, .room = x->data.len_bytes};
    int rc = hws_circle_recv(x->circle, &x->call);
    x->is_called = rc != HWS_OK || x->call.was_done;
    if (rc != HWS_OK)
        x->call.err = (enum hws_err)rc;
    if (x->is_called)
        end(x);
    else
        post_watches(x);
}

/* What the root has sent all the same is thrown away. */
static void skip(struct hws_sched_cast *x)
{
    x->call.op.recv = (struct hws_cast_recv){.tag = tag_of(x), .from = x->root};
    if (hws_circle_recv(x->circle, &x->call) == HWS_OK && !x->call.was_done)
        hws_circle_cancel(&x->call);
    hws_sched_other_done(x->st, HWS_ECANCELLED, x->root_peer, 0, 0);
}

static void start(struct hws_sched_other *o, struct hws_step *st)
{
    struct hws_sched_cast *x = hws_container_of(o, struct hws_sched_cast, base);
    bool failed = st->sched->fail.err != HWS_OK;
    x->st = st;
    x->lost = -1;
    x->is_called = x->is_over = false;
    x->run++;
    x->call.on_done = on_called;
    if (failed && x->is_root)
        send_notes(x);
    else if (failed)
        skip(x);
    else if (x->is_root)
        start_send(x);
    else
        start_recv(x);
}

static int peer_of(const struct hws_sched *s, int rank)
{
    return hws_group_peer(s->group, s->ranks ? s->ranks[rank] : rank);
}

void hws_sched_cast_circle(struct hws_sched *s, struct hws_data d, int root)
{
    bool is_root = s->rank == root;
    int n = is_root ? s->size - 1 : 1;
    struct hws_sched_cast *x = hws_sched_array(s, sizeof *x + (uint64_t)n * sizeof x->watches[0]);
    if (s->fail.rc != MPI_SUCCESS)
        return;
    *x = (struct hws_sched_cast){.base = {start},
                                 .circle = s->comm->cast->circle,
                                 .data = d,
                                 .root = root,
                                 .root_peer = peer_of(s, root),
                                 .is_root = is_root,
                                 .n_watches = n};
    for (int i = 0; i < n; i++) {
        x->watches[i].x = x;
        x->watches[i].member = !is_root ? root : i < root ? i : i + 1;
        x->watches[i].peer = peer_of(s, x->watches[i].member);
    }
    hws_sched_add_other(s, &x->base);
}

void hws_sched_cast(struct hws_sched *s, struct hws_data d, int root)
{
    s->net->cast(s, d, root);
}
