/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sched_run: running schedules. The executor is advance(): it runs steps until a fence must wait, and is entered again
 * by the completion of the last message in flight, from inside the engine's progress. Completions that arrive while it
 * runs (a send that is done at once) only count down; so it never recurses.
 */
#include "coll/schedule/sched_run.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coll/schedule/sched_priv.h"
#include "core/object/fail.h"
#include "core/object/launcher.h"
#include "core/object/world.h"
#include "peer/engine.h"

/* A round rarely has two messages for one peer, so holding one back to join it with the next would only cost time. */
static void engine_send(struct hws_send_op *op)
{
    hws_engine_send_at_once(hws_world.engine, op);
}

static void engine_recv(struct hws_recv_op *op)
{
    hws_engine_recv(hws_world.engine, op);
}

static void engine_wait(const volatile bool *flag)
{
    hws_engine_wait(hws_world.engine, flag, NULL);
}

static void engine_lock(void)
{
    hws_engine_lock(hws_world.engine);
}

static void engine_unlock(void)
{
    hws_engine_unlock(hws_world.engine);
}

const struct hws_sched_net hws_sched_engine_net = {engine_send, engine_recv,   engine_wait,
                                                   engine_lock, engine_unlock, hws_sched_cast_circle};
const struct hws_sched_net *hws_sched_default_net = &hws_sched_engine_net;

/* ---- what a message's end does ---- */

static void advance(struct hws_sched *s);
static void on_send_done(struct hws_send_op *op);
static void on_recv_done(struct hws_recv_op *op);

static void step_done(struct hws_step *st, enum hws_err err, int peer)
{
    struct hws_sched *s = st->sched;
    if (st->counted)
        return;
    st->counted = true;
    bool first = err != HWS_OK && s->fail.err == HWS_OK;
    if (first) {
        s->fail.err = err;
        s->fail.peer = peer;
    }
    s->pending--;
    if ((s->pending == 0 || first) && !s->running) /* an error passes all fences at once, see start_send */
        advance(s);
}

/* ---- notes ---- */

static struct hws_note *new_note(int why, const char *words)
{
    struct hws_note *n = malloc(sizeof *n);
    if (n) {
        n->why = why;
        snprintf(n->words, sizeof n->words, "%s", words ? words : "");
    }
    return n;
}

/* Others are named by their numbers in the job: those of this communicator may be hosts, which tell the user nothing.
 */
static void describe(const struct hws_sched *s, char *text, size_t len)
{
    if (s->fail.err == HWS_ETRUNCATE) {
        snprintf(text, len, "message truncated: %llu bytes came from %s where %llu were due; the ranks' counts differ",
                 (unsigned long long)s->fail.got, hws_world_peer_name(s->fail.peer), (unsigned long long)s->fail.room);
        return;
    }
    const char *why = hws_world.engine ? hws_engine_peer_reason(hws_world.engine, s->fail.peer) : "";
    snprintf(text, len, "the collective operation lost %s: %s", hws_world_peer_name(s->fail.peer),
             *why ? why : hws_err_text(s->fail.err));
}

/* What others are told of the own failure. */
static void word_note(struct hws_sched *s, int why)
{
    char text[sizeof s->fail.note->words] = "";
    if (s->fail.note || s->hollow)
        return;
    if (s->fail.why == MPI_SUCCESS)
        describe(s, text, sizeof text);
    s->fail.note = new_note(why, text);
}

static struct hws_data note_out(const struct hws_sched *s, struct hws_step *st)
{
    struct hws_note *n = s->fail.note;
    return n ? hws_bytes(n, offsetof(struct hws_note, words) + strlen(n->words)) : hws_bytes(&st->why, sizeof st->why);
}

static struct hws_data note_in(struct hws_step *st)
{
    st->note = new_note(MPI_ERR_OTHER, NULL);
    return st->note ? hws_bytes(st->note, sizeof *st->note) : hws_bytes(&st->why, sizeof st->why);
}

static enum hws_err take_note(struct hws_sched *s, struct hws_step *st, uint64_t len)
{
    struct hws_note *n = st->note;
    st->notes = false;
    st->note = NULL;
    if (n) {
        uint64_t n_words = len > sizeof n->why ? len - sizeof n->why : 0;
        n->words[n_words < sizeof n->words ? n_words : sizeof n->words - 1] = '\0';
        st->why = n->why;
    }
    if (s->fail.err != HWS_OK || s->fail.note) {
        free(n);
        return HWS_ECANCELLED;
    }
    s->fail.why = st->why;
    s->fail.note = n;
    return HWS_ECANCELLED;
}

static void drop_note(struct hws_step *st)
{
    free(st->note);
    st->note = NULL;
}

/* The second message of a note, from inside the first one's completion. */
static void go_on_with_note(struct hws_sched *s, struct hws_step *st,
                            void (*post)(struct hws_sched *s, struct hws_step *st))
{
    bool running = s->running;
    s->running = true; /* else the schedule might end, and go, in here */
    post(s, st);
    s->running = running;
    if (!running && (s->pending == 0 || s->fail.err != HWS_OK))
        advance(s);
}

static void post_send(struct hws_sched *s, struct hws_step *st)
{
    struct hws_send_op *op = &st->u.send;
    op->done = false;
    op->err = HWS_OK;
    s->net->send(op);
    if (op->done)
        on_send_done(op);
}

static void post_recv(struct hws_sched *s, struct hws_step *st)
{
    struct hws_recv_op *op = &st->u.recv;
    op->done = false;
    op->err = HWS_OK;
    s->net->recv(op);
    if (op->done)
        on_recv_done(op);
}

static void on_send_done(struct hws_send_op *op)
{
    struct hws_step *st = hws_container_of(op, struct hws_step, u.send);
    if (!st->notes || op->err != HWS_OK) {
        step_done(st, op->err, op->peer);
        return;
    }
    st->notes = false;
    op->tag |= HWS_SCHED_TAG_NOTE;
    op->data = note_out(st->sched, st);
    go_on_with_note(st->sched, st, post_send);
}

static enum hws_err judge_length(struct hws_sched *s, const struct hws_recv_op *op)
{
    bool short_one = op->err == HWS_OK && op->from_len < op->data.len_bytes && !s->lenient;
    enum hws_err err = short_one ? HWS_ETRUNCATE : op->err;
    if (err == HWS_ETRUNCATE && s->fail.err == HWS_OK) {
        s->fail.got = op->from_len;
        s->fail.room = op->data.len_bytes;
    }
    return err;
}

static void on_recv_done(struct hws_recv_op *op)
{
    struct hws_step *st = hws_container_of(op, struct hws_step, u.recv);
    bool arrived = op->err == HWS_OK || op->err == HWS_ETRUNCATE;
    if (st->counted)
        return;
    if (st->notes && arrived) {
        step_done(st, take_note(st->sched, st, op->from_len), op->peer);
    } else if (!st->notes && arrived && op->from_len == st->token) {
        st->notes = true;
        op->tag |= HWS_SCHED_TAG_NOTE;
        op->data = note_in(st);
        go_on_with_note(st->sched, st, post_recv);
    } else {
        drop_note(st);
        step_done(st, judge_length(st->sched, op), op->peer);
    }
}

/* ---- steps ---- */

static void start_send(struct hws_sched *s, struct hws_step *st)
{
    st->counted = false;
    st->notes = s->fail.err != HWS_OK;     /* the other side must fail, not wait: see sched.h */
    st->u.send.tag &= ~HWS_SCHED_TAG_NOTE; /* of a run before */
    st->u.send.on_done = on_send_done;
    s->pending++;
    if (st->notes) {
        st->u.send.data = hws_bytes(&st->kind, st->token);
        st->why = hws_sched_class(s);
        word_note(s, st->why);
    }
    post_send(s, st);
}

static void start_recv(struct hws_sched *s, struct hws_step *st)
{
    st->counted = st->notes = false;
    st->note = NULL;
    st->u.recv.tag &= ~HWS_SCHED_TAG_NOTE;
    st->u.recv.on_done = on_recv_done;
    s->pending++;
    if (s->fail.err != HWS_OK)
        st->u.recv.data = hws_bytes(NULL, 0);
    post_recv(s, st);
}

/* ---- steps that are not the engine's ---- */

void hws_sched_other_done(struct hws_step *st, enum hws_err err, int peer, uint64_t got, uint64_t room)
{
    if (err == HWS_ETRUNCATE && st->sched->fail.err == HWS_OK) {
        st->sched->fail.got = got;
        st->sched->fail.room = room;
    }
    step_done(st, err, peer);
}

void hws_sched_other_noted(struct hws_step *st, int peer, const void *note, uint64_t len)
{
    struct hws_data in = note_in(st);
    memcpy(in.base, note, len < in.len_bytes ? len : in.len_bytes);
    step_done(st, take_note(st->sched, st, len), peer);
}

struct hws_data hws_sched_other_note(struct hws_step *st)
{
    st->why = hws_sched_class(st->sched);
    word_note(st->sched, st->why);
    return note_out(st->sched, st);
}

static void start_other(struct hws_sched *s, struct hws_step *st)
{
    st->counted = st->notes = false;
    st->note = NULL;
    s->pending++;
    st->u.other->start(st->u.other, st);
}

/* A rank's own part that does not fit fails here and not while building, so that the others learn of it. */
static void run_copy(struct hws_sched *s, struct hws_data src, struct hws_data dst)
{
    if (src.len_bytes <= dst.len_bytes) {
        hws_data_copy(src, dst);
        return;
    }
    s->fail.err = HWS_ETRUNCATE;
    s->fail.peer = hws_world.rank;
    s->fail.got = src.len_bytes;
    s->fail.room = dst.len_bytes;
}

/* After an error messages still run, so that nobody waits for them in vain, but nothing is computed. */
static void run_step(struct hws_sched *s, struct hws_step *st)
{
    if (st->kind == HWS_STEP_SEND)
        start_send(s, st);
    else if (st->kind == HWS_STEP_RECV)
        start_recv(s, st);
    else if (st->kind == HWS_STEP_OTHER)
        start_other(s, st);
    else if (s->fail.err != HWS_OK)
        return;
    else if (st->kind == HWS_STEP_COPY)
        run_copy(s, st->u.copy.src, st->u.copy.dst);
    else
        hws_op_apply(st->u.reduce.op, st->u.reduce.in, st->u.reduce.inout, st->u.reduce.n, st->u.reduce.type);
}

static void advance(struct hws_sched *s)
{
    s->running = true;
    while (s->next < s->n_steps) {
        struct hws_step *st = &s->steps[s->next];
        if (st->fence && s->pending > 0 && s->fail.err == HWS_OK)
            break;
        s->next++;
        run_step(s, st);
    }
    s->running = false;
    if (s->pending > 0)
        return;
    void (*on_complete)(struct hws_sched *) = s->on_complete;
    __atomic_store_n(&s->complete, true, __ATOMIC_RELEASE); /* a blocking caller may free s from here on */
    if (on_complete)
        on_complete(s);
}

/* Runs all steps anew, with the engine's lock held. why: MPI class of what failed before the start, so that it takes
 * part only to make the others fail, too; or MPI_SUCCESS. Complete at once, s may be gone behind it. */
static void begin(struct hws_sched *s, int why)
{
    const struct hws_sched_net *net = s->net;
    net->lock();
    if (why != MPI_SUCCESS) {
        s->fail.err = HWS_ECANCELLED;
        s->fail.why = why;
        s->fail.peer = hws_world.rank;
    }
    s->next = s->pending = 0;
    s->complete = false;
    advance(s);
    net->unlock();
}

static void wait_for_end(struct hws_sched *s)
{
    if (!__atomic_load_n(&s->complete, __ATOMIC_ACQUIRE)) /* another thread may have driven it */
        s->net->wait(&s->complete);
}

int hws_sched_start(struct hws_sched *s)
{
    if (s->fail.rc != MPI_SUCCESS)
        return s->fail.rc;
    begin(s, s->hollow ? MPI_ERR_NO_MEM : MPI_SUCCESS);
    return MPI_SUCCESS;
}

int hws_sched_class(const struct hws_sched *s)
{
    return s->fail.why != MPI_SUCCESS ? s->fail.why : hws_fail_err(s->fail.err, NULL);
}

int hws_sched_result(struct hws_sched *s)
{
    char text[640];
    if (s->fail.err == HWS_OK)
        return MPI_SUCCESS;
    if (s->hollow)
        return hws_fail(MPI_ERR_NO_MEM, "out of memory for a collective operation");
    if (s->fail.why != MPI_SUCCESS && s->fail.note && s->fail.note->words[0])
        return hws_fail(s->fail.why, "the collective operation failed at another rank, as %s tells: %s",
                        hws_world_peer_name(s->fail.peer), s->fail.note->words);
    if (s->fail.why != MPI_SUCCESS)
        return hws_fail(s->fail.why, "the collective operation failed at another rank, as %s tells",
                        hws_world_peer_name(s->fail.peer));
    describe(s, text, sizeof text);
    return hws_fail_err(s->fail.err, text);
}

int hws_sched_run_after(struct hws_sched *s, int why)
{
    if (s->fail.rc != MPI_SUCCESS)
        return why == MPI_SUCCESS ? s->fail.rc : why;
    if (why != MPI_SUCCESS) {
        s->fail.note = new_note(why, hws_fail_sentence(why));
        begin(s, why);
    } else {
        begin(s, s->hollow ? MPI_ERR_NO_MEM : MPI_SUCCESS);
    }
    wait_for_end(s);
    return why == MPI_SUCCESS ? hws_sched_result(s) : why;
}

int hws_sched_run(struct hws_sched *s)
{
    int rc = hws_sched_run_after(s, MPI_SUCCESS);
    hws_sched_free(s);
    return rc;
}
