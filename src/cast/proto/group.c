/* SPDX-License-Identifier: BSD-3-Clause
 *
 * group: hands packets and calls to the stream that they belong to.
 */
#include "cast/proto/group.h"

#include <stdlib.h>

#include "cast/proto/in.h"
#include "cast/proto/out.h"
#include "cast/proto/tree.h"

int hws_cast_group_init(struct hws_cast_group *g)
{
    g->out = NULL;
    g->now_ns = 0;
    g->counts = (struct hws_cast_counts){0};
    g->ins = calloc((size_t)g->n, sizeof(struct hws_cast_in *));
    return g->ins ? HWS_OK : HWS_ENOMEM;
}

void hws_cast_group_fini(struct hws_cast_group *g)
{
    for (int i = 0; g->ins && i < g->n; i++)
        if (g->ins[i])
            hws_cast_in_free(g->ins[i]);
    free(g->ins);
    free(g->out);
    g->ins = NULL;
    g->out = NULL;
}

int hws_cast_group_send(struct hws_cast_group *g, struct hws_cast_send *op, uint64_t now_ns)
{
    g->now_ns = now_ns;
    if (!g->out && (g->out = hws_cast_out_new(g)) == NULL)
        return HWS_ENOMEM;
    hws_cast_out_send(g->out, op);
    return HWS_OK;
}

static struct hws_cast_in *in_of(struct hws_cast_group *g, int from)
{
    if (!g->ins[from])
        g->ins[from] = hws_cast_in_new(g, from);
    return g->ins[from];
}

int hws_cast_group_recv(struct hws_cast_group *g, struct hws_cast_recv *op, uint64_t now_ns)
{
    struct hws_cast_in *in = in_of(g, op->from);
    g->now_ns = now_ns;
    if (!in)
        return HWS_ENOMEM;
    hws_cast_in_post(in, op);
    return HWS_OK;
}

void hws_cast_group_cancel(struct hws_cast_group *g, struct hws_cast_recv *op)
{
    hws_cast_in_cancel(g->ins[op->from], op);
}

/* A report goes up the tree of its stream. */
static void take_report(struct hws_cast_group *g, const struct hws_cast_packet *p)
{
    if (p->of == g->me) {
        if (g->out)
            hws_cast_out_report(g->out, p);
        else
            g->counts.strange++;
        return;
    }
    bool is_child = p->from != p->of && hws_cast_parent(p->from, p->of, g->n) == g->me;
    struct hws_cast_in *in = is_child ? in_of(g, p->of) : NULL;
    if (in)
        hws_cast_in_child(in, p);
    else
        g->counts.strange++;
}

void hws_cast_group_packet(struct hws_cast_group *g, const struct hws_cast_packet *p, uint64_t now_ns)
{
    g->now_ns = now_ns;
    if (p->group != g->id || p->from >= g->n || p->of >= g->n || p->from == g->me) {
        g->counts.strange++;
        return;
    }
    if (p->kind == HWS_CAST_IS_REPORT) {
        take_report(g, p);
        return;
    }
    struct hws_cast_in *in = p->of == p->from && p->kind != HWS_CAST_IS_HELLO ? in_of(g, p->from) : NULL;
    if (in)
        hws_cast_in_packet(in, p);
    else
        g->counts.strange++;
}

uint64_t hws_cast_group_tick(struct hws_cast_group *g, uint64_t now_ns)
{
    g->now_ns = now_ns;
    uint64_t next = g->out ? hws_cast_out_tick(g->out) : UINT64_MAX;
    for (int i = 0; i < g->n; i++) {
        uint64_t due = g->ins[i] ? hws_cast_in_tick(g->ins[i]) : UINT64_MAX;
        next = due < next ? due : next;
    }
    return next;
}

void hws_cast_group_drop(struct hws_cast_group *g, int member)
{
    if (g->out || (g->out = hws_cast_out_new(g)) != NULL)
        hws_cast_out_drop(g->out, member);
}

bool hws_cast_group_is_idle(const struct hws_cast_group *g)
{
    return !g->out || hws_list_is_empty(&g->out->sends);
}

int hws_cast_group_owes(const struct hws_cast_group *g, int after)
{
    const struct hws_cast_out *o = g->out;
    for (int i = after + 1; o && i < g->n; i++)
        if (i != g->me && !o->members[i].dead && o->members[i].cum < o->end && hws_cast_out_is_direct(o, i))
            return i;
    return -1;
}
