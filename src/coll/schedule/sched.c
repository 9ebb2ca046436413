/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sched: the life of a schedule: made, or found in the cache, pointed at a group, freed. Its steps are added in
 * sched_build.c, run in sched_run.c; its memory is sched_memory.c's.
 */
#include "coll/schedule/sched_priv.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "coll/schedule/sched_run.h"

#define KEEP_STEPS 256 /* see HWS_SCHED_KEEP_BYTES */

static _Atomic(struct hws_sched *) cache; /* one idle schedule, or NULL */

static int32_t take_tag(struct hws_comm *c, bool persistent)
{
    uint32_t n = c->coll_tag++ & HWS_COLL_TAG_MASK;
    return (int32_t)(persistent ? n | HWS_SCHED_TAG_PERSISTENT : n);
}

struct hws_sched *hws_sched_new(struct hws_comm *c, bool persistent)
{
    struct hws_sched *s = atomic_exchange(&cache, NULL);
    if (!s && (s = calloc(1, sizeof *s)) == NULL)
        return NULL;
    s->comm = c;
    s->persistent = persistent;
    s->net = hws_sched_default_net;
    s->n_steps = s->next = s->pending = 0;
    s->fence_due = s->running = s->complete = s->lenient = s->abreast = s->hollow = false;
    s->fail.rc = MPI_SUCCESS;
    s->fail.err = HWS_OK;
    s->fail.why = MPI_SUCCESS;
    s->on_complete = NULL;
    s->tag = take_tag(c, persistent);
    s->tag_local = c->local ? take_tag(c->local, persistent) : -1;
    s->ctx = c->ctx + HWS_CTX_COLL;
    s->rank = c->rank;
    s->group = hws_comm_peers(c);
    s->ranks = NULL;
    s->size = s->group->size;
    return s;
}

void hws_sched_use_local(struct hws_sched *s)
{
    int32_t remote_tag = s->tag;
    struct hws_comm *l = s->comm->local;
    s->ctx = l->ctx + HWS_CTX_COLL;
    s->rank = l->rank;
    s->size = l->size;
    s->group = l->group;
    s->tag = s->tag_local;
    s->tag_local = remote_tag;
}

void hws_sched_use_remote(struct hws_sched *s)
{
    int32_t local_tag = s->tag;
    s->ctx = s->comm->ctx + HWS_CTX_COLL;
    s->rank = s->comm->rank;
    s->group = s->comm->remote;
    s->size = s->group->size;
    s->tag = s->tag_local;
    s->tag_local = local_tag;
}

void hws_sched_use_ranks(struct hws_sched *s, const int *ranks, int n, int me)
{
    s->ranks = ranks;
    s->rank = ranks ? me : s->comm->rank;
    s->size = ranks ? n : s->group->size;
}

void hws_sched_hold_type(struct hws_sched *s, struct hws_type *t)
{
    if (!t || t->obj.handle) /* predefined: stays anyway */
        return;
    if (s->held.n_types == s->held.cap_types) {
        int cap = s->held.cap_types ? 2 * s->held.cap_types : 8;
        struct hws_type **types = realloc(s->held.types, (size_t)cap * sizeof *types);
        if (!types) {
            hws_sched_no_memory(s, (uint64_t)cap * sizeof *types);
            return;
        }
        s->held.types = types;
        s->held.cap_types = cap;
    }
    hws_type_hold(t);
    s->held.types[s->held.n_types++] = t;
}

void hws_sched_hold_op(struct hws_sched *s, struct hws_op *op)
{
    if (op) {
        hws_op_hold(op);
        s->held.op = op;
    }
}

bool hws_sched_hollow(struct hws_sched *s)
{
    if (s->hollow)
        return false;
    if (s->ctx != s->comm->ctx + HWS_CTX_COLL)
        hws_sched_use_remote(s);
    hws_sched_use_ranks(s, NULL, 0, 0);
    hws_sched_trim(s, 0);
    s->n_steps = 0;
    s->fence_due = s->lenient = s->abreast = false;
    s->fail.rc = MPI_SUCCESS;
    s->hollow = true;
    return true;
}

static void drop_held(struct hws_sched *s)
{
    for (int i = 0; i < s->held.n_types; i++)
        hws_type_drop(s->held.types[i]);
    s->held.n_types = 0;
    if (s->held.op)
        hws_op_drop(s->held.op);
    s->held.op = NULL;
    free(s->fail.note);
    s->fail.note = NULL;
}

static void destroy(struct hws_sched *s)
{
    if (!s)
        return;
    hws_sched_trim(s, 0);
    free(s->fail.note);
    free(s->held.types);
    free(s->steps);
    free(s);
}

void hws_sched_free(struct hws_sched *s)
{
    drop_held(s);
    if (s->held.chunks)
        hws_sched_trim(s, HWS_SCHED_KEEP_BYTES);
    if (s->cap_steps > KEEP_STEPS) {
        free(s->steps);
        s->steps = NULL;
        s->cap_steps = 0;
    }
    destroy(atomic_exchange(&cache, s));
}

void hws_sched_fini(void)
{
    destroy(atomic_exchange(&cache, NULL));
}
