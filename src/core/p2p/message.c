/* SPDX-License-Identifier: BSD-3-Clause
 *
 * message: probes look into the engine's queue of unexpected messages; blocking ones wait in the reactor.
 */
#include "core/p2p/message.h"

#include <stdlib.h>

#include "core/comm/call.h"
#include "core/object/fail.h"
#include "core/object/world.h"
#include "core/p2p/p2p.h"
#include "peer/engine.h"

struct look {
    const struct hws_comm *comm;
    int peer;
    uint32_t ctx;
    int tag;
    bool take; /* matched probe */
    struct hws_envelope env;
    struct hws_message *m;
    bool lost; /* the peer can't send any more */
    bool waits;
    int lost_peer;
    unsigned n_any_lost; /* waits, for any source: as it was at the begin */
};

static struct hws_matched no_proc = {
    .obj = {.kind = HWS_KIND_MESSAGE, .refs = 1, .handle = (uintptr_t)MPI_MESSAGE_NO_PROC}};

struct hws_matched *hws_matched_of(MPI_Message h)
{
    return h == MPI_MESSAGE_NO_PROC ? &no_proc : (struct hws_matched *)hws_object_of(h, HWS_KIND_MESSAGE);
}

static struct look make_look(const struct hws_comm *c, int source, int tag, bool take)
{
    int peer = source == MPI_ANY_SOURCE ? HWS_ANY_PEER : hws_comm_peer(c, source);
    return (struct look){.comm = c, .peer = peer, .ctx = c->ctx + HWS_CTX_P2P, .tag = tag, .take = take};
}

static bool look_once(struct look *l)
{
    if (!l->take)
        return hws_engine_probe(hws_world.engine, l->peer, l->ctx, l->tag, &l->env);
    l->m = hws_engine_mprobe(hws_world.engine, l->peer, l->ctx, l->tag, &l->env);
    return l->m != NULL;
}

/* For the engine's wait: found, or will never be. */
static bool look_or_lost(void *arg)
{
    struct look *l = arg;
    if (look_once(l))
        return true;
    if (l->peer != HWS_ANY_PEER)
        l->lost = hws_engine_peer_reason(hws_world.engine, l->peer)[0] != '\0';
    else if (l->waits)
        l->lost = hws_engine_any_lost(hws_world.engine, &l->lost_peer) != l->n_any_lost;
    return l->lost;
}

static void describe_look(const void *arg, struct hws_board_what *out)
{
    const struct look *l = arg;
    hws_call_tell(out, l->take ? "MPI_Mprobe" : "MPI_Probe", l->comm);
    hws_call_tell_message(out, HWS_BOARD_PROBE, l->peer, l->tag, l->ctx);
}

static void wait_for_it(struct look *l)
{
    l->waits = true;
    l->n_any_lost = hws_engine_any_lost(hws_world.engine, &l->lost_peer);
    hws_engine_wait_until(hws_world.engine, look_or_lost, l, describe_look);
}

static int failed(const struct hws_comm *c, const struct look *l, int source)
{
    return source == MPI_ANY_SOURCE ? hws_p2p_any_failed(HWS_EPEERDEAD, "probe of", l->lost_peer)
                                    : hws_p2p_failed(c, HWS_EPEERDEAD, "probe of", source);
}

static int set_found(const struct hws_comm *c, const struct look *l, int source, MPI_Status *st)
{
    if (source == MPI_ANY_SOURCE)
        source = hws_comm_rank_of_peer(c, l->env.peer);
    hws_status_set(st, source, l->env.tag, l->env.len_bytes, false);
    return source;
}

static struct hws_matched *new_matched(struct hws_comm *c)
{
    struct hws_matched *m = calloc(1, sizeof(*m));
    if (!m)
        return NULL;
    hws_object_init(&m->obj, HWS_KIND_MESSAGE);
    hws_comm_hold(c);
    m->comm = c;
    return m;
}

static void free_matched(struct hws_matched *m)
{
    if (m == &no_proc)
        return;
    hws_comm_drop(m->comm);
    m->obj.kind = 0;
    free(m);
}

int hws_probe(struct hws_comm *c, int source, int tag, MPI_Status *st)
{
    if (source == MPI_PROC_NULL) {
        hws_status_set(st, MPI_PROC_NULL, MPI_ANY_TAG, 0, false);
        return MPI_SUCCESS;
    }
    struct look l = make_look(c, source, tag, false);
    if (!look_or_lost(&l))
        wait_for_it(&l);
    if (l.lost)
        return failed(c, &l, source);
    set_found(c, &l, source, st);
    return MPI_SUCCESS;
}

int hws_iprobe(struct hws_comm *c, int source, int tag, int *flag, MPI_Status *st)
{
    if (source == MPI_PROC_NULL) {
        *flag = 1;
        return hws_probe(c, source, tag, st);
    }
    struct look l = make_look(c, source, tag, false);
    *flag = look_or_lost(&l) && !l.lost;
    if (l.lost)
        return failed(c, &l, source);
    if (*flag)
        set_found(c, &l, source, st);
    return MPI_SUCCESS;
}

static int mprobe_no_proc(MPI_Message *msg, MPI_Status *st)
{
    *msg = MPI_MESSAGE_NO_PROC;
    hws_status_set(st, MPI_PROC_NULL, MPI_ANY_TAG, 0, false);
    return MPI_SUCCESS;
}

/* The object is made first: a message that was taken out of the queues must not get lost for want of memory. */
static int mprobe_any(struct hws_comm *c, int source, int tag, bool wait, int *flag, MPI_Message *msg, MPI_Status *st)
{
    struct hws_matched *m = new_matched(c);
    if (!m)
        return hws_fail(MPI_ERR_NO_MEM, "out of memory: no message handle could be made");
    struct look l = make_look(c, source, tag, true);
    if (!look_or_lost(&l) && wait)
        wait_for_it(&l);
    *flag = l.m != NULL;
    if (!l.m) {
        free_matched(m);
        return l.lost ? failed(c, &l, source) : MPI_SUCCESS;
    }
    m->m = l.m;
    m->source = set_found(c, &l, source, st);
    *msg = (MPI_Message)m;
    return MPI_SUCCESS;
}

int hws_mprobe(struct hws_comm *c, int source, int tag, MPI_Message *msg, MPI_Status *st)
{
    int flag;
    return source == MPI_PROC_NULL ? mprobe_no_proc(msg, st) : mprobe_any(c, source, tag, true, &flag, msg, st);
}

int hws_improbe(struct hws_comm *c, int source, int tag, int *flag, MPI_Message *msg, MPI_Status *st)
{
    if (source != MPI_PROC_NULL)
        return mprobe_any(c, source, tag, false, flag, msg, st);
    *flag = 1;
    return mprobe_no_proc(msg, st);
}

static void describe_mrecv(const void *flag, struct hws_board_what *out)
{
    (void)flag;
    hws_call_tell(out, "MPI_Mrecv", NULL);
}

int hws_mrecv(struct hws_matched *m, void *buf, MPI_Count n, struct hws_type *t, MPI_Status *st)
{
    if (m == &no_proc) {
        hws_status_set(st, MPI_PROC_NULL, MPI_ANY_TAG, 0, false);
        return MPI_SUCCESS;
    }
    struct hws_recv_op op = {.data = hws_type_data(t, buf, n)};
    hws_engine_mrecv(hws_world.engine, m->m, &op);
    if (!op.done)
        hws_engine_wait(hws_world.engine, &op.done, describe_mrecv);
    int rc = hws_recv_result(m->comm, &op, t, m->source, st);
    free_matched(m);
    return rc;
}

int hws_imrecv(struct hws_matched *m, void *buf, MPI_Count n, struct hws_type *t, struct hws_request **req)
{
    if (m == &no_proc)
        return hws_request_new_noop(NULL, true, req);
    struct hws_request *r = hws_request_new_recv(m->comm, buf, n, t, m->source);
    if (!r)
        return hws_fail(MPI_ERR_NO_MEM, "out of memory: no request could be made");
    hws_engine_mrecv(hws_world.engine, m->m, &r->op.recv);
    hws_request_settle_recv(r);
    free_matched(m);
    *req = r;
    return MPI_SUCCESS;
}
