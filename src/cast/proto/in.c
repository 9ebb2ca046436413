/* SPDX-License-Identifier: BSD-3-Clause
 *
 * in: see in.h.
 */
#include "cast/proto/in.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "cast/proto/tree.h"

#define GATHER (1 * HWS_NS_PER_MS) /* so long a member waits for the reports of those below it */

struct hws_cast_in *hws_cast_in_new(struct hws_cast_group *g, int from)
{
    int n = hws_cast_children(g->me, from, g->n);
    struct hws_cast_in *in = calloc(1, sizeof *in + (size_t)n * sizeof in->children[0]);
    if (!in)
        return NULL;
    in->g = g;
    in->from = from;
    in->limit = g->room;
    in->n_children = n;
    hws_list_init(&in->messages);
    for (int i = 0; i < n; i++)
        in->children[i].limit = g->room;
    return in;
}

static struct hws_cast_recv *recv_of(struct hws_list *node)
{
    return hws_container_of(node, struct hws_cast_recv, node);
}

static void thrown_away(struct hws_cast_recv *op)
{
    free(op);
}

void hws_cast_in_free(struct hws_cast_in *in)
{
    for (struct hws_list *l = in->messages.next, *next; l != &in->messages; l = next) {
        next = l->next;
        if (recv_of(l)->state == HWS_CAST_KEPT || recv_of(l)->on_done == thrown_away)
            free(recv_of(l));
    }
    free(in);
}

/* ---- messages ---------------------------------------------------------------------------------------------------- */

static struct hws_cast_recv *find(const struct hws_cast_in *in, uint64_t tag)
{
    for (struct hws_list *l = in->messages.next; l != &in->messages; l = l->next)
        if (recv_of(l)->tag == tag)
            return recv_of(l);
    return NULL;
}

static bool is_whole(const struct hws_cast_recv *m)
{
    return m->got == m->len && m->packets > 0;
}

static void finish(struct hws_cast_recv *m, enum hws_err err)
{
    hws_list_remove(&m->node);
    hws_cast_recv_become(m, HWS_CAST_CAME);
    m->err = err;
    m->on_done(m);
}

static void finish_whole(struct hws_cast_recv *m)
{
    finish(m, m->len > m->room ? HWS_ETRUNCATE : HWS_OK);
}

/* The pages of its memory come into being as its data does, and the room bounds that. */
static struct hws_cast_recv *keep(struct hws_cast_in *in, const struct hws_cast_packet *p)
{
    struct hws_cast_recv *m = p->msg_len < SIZE_MAX / 2 ? malloc(sizeof *m + p->msg_len) : NULL;
    in->starved = !m;
    if (!m)
        return NULL;
    *m = (struct hws_cast_recv){.tag = p->tag, .from = in->from, .data = m + 1, .room = p->msg_len, .len = p->msg_len};
    m->state = HWS_CAST_KEPT;
    hws_list_push(&in->messages, &m->node);
    return m;
}

/* Puts a packet into its message. False: it is as if it had not come. */
static bool place(struct hws_cast_in *in, const struct hws_cast_packet *p)
{
    struct hws_cast_recv *m = find(in, p->tag);
    if (!m && (m = keep(in, p)) == NULL)
        return false;
    if (m->packets > 0 && m->len != p->msg_len)
        return false;
    m->len = p->msg_len;
    if (p->offset < m->room) {
        uint64_t fits = m->room - p->offset;
        memcpy((char *)m->data + p->offset, p->payload, p->len < fits ? p->len : fits);
    }
    m->got += p->len;
    m->packets++;
    if (m->end < p->offset + p->len)
        m->end = p->offset + p->len;
    if (m->state == HWS_CAST_KEPT)
        in->kept++;
    else if (m->state == HWS_CAST_AWAITED)
        hws_cast_recv_become(m, HWS_CAST_COMING);
    return true;
}

/* ---- reports ----------------------------------------------------------------------------------------------------- */

/* The limit only grows. */
static uint64_t own_limit(struct hws_cast_in *in)
{
    uint64_t room = in->g->room > in->kept ? in->g->room - in->kept : 0;
    if (in->cum + room > in->limit)
        in->limit = in->cum + room;
    return in->limit;
}

/* Up to where this member itself asks for packets. */
static uint64_t asks_up_to(const struct hws_cast_in *in)
{
    if (!in->starved)
        return in->top;
    return in->retries && in->cum < in->top ? in->cum + 1 : in->cum;
}

static bool is_lacking(const struct hws_cast_in *in, uint64_t s)
{
    if (s >= in->cum && s < asks_up_to(in) && !hws_cast_bit(&in->have, s))
        return true;
    for (int i = 0; i < in->n_children; i++)
        if (in->children[i].is_lacking && hws_cast_bit(&in->children[i].lacks, s))
            return true;
    return false;
}

static void add_ranges(struct hws_cast_in *in, struct hws_cast_packet *p)
{
    struct hws_cast_range *r = NULL;
    uint64_t end = in->top < p->seq + HWS_CAST_WINDOW ? in->top : p->seq + HWS_CAST_WINDOW;
    for (uint64_t s = p->seq; s < end; s++) {
        if (!is_lacking(in, s)) {
            r = NULL;
            continue;
        }
        if (!r && p->n_ranges == HWS_CAST_RANGES)
            return;
        if (!r) {
            r = &p->ranges[p->n_ranges++];
            *r = (struct hws_cast_range){(uint32_t)(s - p->seq), 0};
        }
        r->n++;
        hws_cast_bit_set(&in->asked, s);
    }
}

static uint16_t who_lacks(const struct hws_cast_in *in)
{
    bool me = false;
    uint16_t who = HWS_CAST_SEVERAL;
    unsigned n = 0;
    for (uint64_t s = in->cum; s < asks_up_to(in) && !me; s++)
        me = !hws_cast_bit(&in->have, s);
    if (me) {
        who = (uint16_t)in->g->me;
        n++;
    }
    for (int i = 0; i < in->n_children; i++)
        if (in->children[i].is_lacking) {
            who = in->children[i].who;
            n++;
        }
    return n == 1 ? who : HWS_CAST_SEVERAL;
}

static void report(struct hws_cast_in *in)
{
    struct hws_cast_group *g = in->g;
    struct hws_cast_packet p = {.kind = HWS_CAST_IS_REPORT,
                                .group = g->id,
                                .from = (uint16_t)g->me,
                                .of = (uint16_t)in->from,
                                .seq = in->cum,
                                .turn = in->turn,
                                .limit = own_limit(in)};
    for (int i = 0; i < in->n_children; i++) {
        p.seq = in->children[i].cum < p.seq ? in->children[i].cum : p.seq;
        p.limit = in->children[i].limit < p.limit ? in->children[i].limit : p.limit;
    }
    in->told = p.seq;
    hws_cast_bits_zero(&in->asked);
    p.who = who_lacks(in);
    add_ranges(in, &p);
    in->due_ns = 0;
    g->counts.reports++;
    g->transmit(g->arg, in->direct ? in->from : hws_cast_parent(g->me, in->from, g->n), &p);
    in->direct = false;
}

static bool have_children(const struct hws_cast_in *in)
{
    for (int i = 0; i < in->n_children; i++)
        if (in->children[i].cum < in->cum)
            return false;
    return true;
}

/* One is wanted; those below are waited for. */
static void report_soon(struct hws_cast_in *in)
{
    if (have_children(in) || in->direct)
        report(in);
    else if (!in->due_ns)
        in->due_ns = in->g->now_ns + GATHER;
}

uint64_t hws_cast_in_tick(struct hws_cast_in *in)
{
    if (in->due_ns && in->g->now_ns >= in->due_ns)
        report(in);
    return in->due_ns ? in->due_ns : UINT64_MAX;
}

/* A report whose ranges are new goes on at once; the same gap seen by many is asked for once. */
void hws_cast_in_child(struct hws_cast_in *in, const struct hws_cast_packet *p)
{
    struct hws_cast_child *c = &in->children[hws_cast_child(p->from, in->from, in->g->n)];
    bool news = false;
    if (p->seq < c->cum || p->seq > in->limit + HWS_CAST_WINDOW) {
        in->g->counts.strange++;
        return;
    }
    c->cum = p->seq;
    c->limit = p->limit > c->limit ? p->limit : c->limit;
    c->who = p->who;
    c->is_lacking = p->n_ranges > 0;
    hws_cast_bits_zero(&c->lacks);
    for (unsigned i = 0; i < p->n_ranges; i++) {
        for (uint64_t k = 0; k < p->ranges[i].n && p->ranges[i].at + k < HWS_CAST_WINDOW; k++) {
            uint64_t s = p->seq + p->ranges[i].at + k;
            hws_cast_bit_set(&c->lacks, s);
            news |= !hws_cast_bit(&in->asked, s);
            in->top = s >= in->top ? s + 1 : in->top;
        }
    }
    if (news || (have_children(in) && (in->due_ns || in->told < in->cum)))
        report(in);
}

/* ---- packets ----------------------------------------------------------------------------------------------------- */

static void advance(struct hws_cast_in *in)
{
    while (in->cum < in->top && hws_cast_bit(&in->have, in->cum)) {
        hws_cast_bit_clear(&in->have, in->cum);
        in->cum++;
    }
}

/* Whether it is new, and there is room for it. */
static bool is_wanted(struct hws_cast_in *in, const struct hws_cast_packet *p)
{
    hws_cast_bit_clear(&in->asked, p->seq);
    if (p->seq < in->cum || (p->seq < in->cum + HWS_CAST_WINDOW && hws_cast_bit(&in->have, p->seq))) {
        in->g->counts.duplicates++;
        return false;
    }
    if (p->seq >= in->limit || p->seq >= in->cum + HWS_CAST_WINDOW || !place(in, p)) {
        in->g->counts.overruns++;
        return false;
    }
    in->g->counts.received++;
    return true;
}

/* Between the packets that came last and this one others are missing. */
static bool reveals_gap(struct hws_cast_in *in, uint64_t end)
{
    bool gap = false;
    for (uint64_t s = in->top; s < end; s++)
        gap |= !hws_cast_bit(&in->asked, s);
    return gap;
}

void hws_cast_in_packet(struct hws_cast_in *in, const struct hws_cast_packet *p)
{
    bool is_data = p->kind == HWS_CAST_IS_DATA, gap = false;
    if (p->seq > in->limit + HWS_CAST_WINDOW) {
        in->g->counts.strange++;
        return;
    }
    in->turn = p->turn;
    in->retries = !is_data;
    in->direct |= (p->flags & HWS_CAST_DIRECT) != 0;
    if (is_data && is_wanted(in, p)) {
        hws_cast_bit_set(&in->have, p->seq);
        gap = reveals_gap(in, p->seq);
        in->top = p->seq >= in->top ? p->seq + 1 : in->top;
        advance(in);
        struct hws_cast_recv *m = find(in, p->tag);
        if (m->state == HWS_CAST_COMING && is_whole(m))
            finish_whole(m);
    } else if (!is_data && p->seq > in->top && p->seq <= in->cum + HWS_CAST_WINDOW) {
        gap = reveals_gap(in, p->seq); /* the last packets before it are lost */
        in->top = p->seq;
    }
    if (gap)
        report(in);
    else if (!is_data || (p->flags & (HWS_CAST_ASKS | HWS_CAST_DIRECT)))
        report_soon(in);
}

/* ---- receives ---------------------------------------------------------------------------------------------------- */

/* The sender may stand still for want of room; then it is told that there is some again. */
static void tell_room(struct hws_cast_in *in)
{
    uint64_t told = in->limit;
    if (own_limit(in) > told && told <= in->top + in->g->room / 2)
        report(in);
}

static void take_over(struct hws_cast_in *in, struct hws_cast_recv *op, struct hws_cast_recv *kept)
{
    op->len = kept->len;
    op->got = kept->got;
    op->end = kept->end;
    op->packets = kept->packets;
    uint64_t n = kept->end < op->room ? kept->end : op->room;
    if (n > 0)
        memcpy(op->data, kept->data, n);
    in->kept -= kept->packets;
    hws_list_remove(&kept->node);
    free(kept);
}

void hws_cast_in_post(struct hws_cast_in *in, struct hws_cast_recv *op)
{
    struct hws_cast_recv *kept = find(in, op->tag);
    op->state = kept ? HWS_CAST_KEPT : HWS_CAST_AWAITED;
    op->err = HWS_OK;
    op->len = op->got = op->end = op->packets = 0;
    if (kept) {
        take_over(in, op, kept);
        tell_room(in);
    } else if (in->starved) {
        in->starved = false;
        report(in);
    }
    hws_list_push(&in->messages, &op->node);
    if (kept && is_whole(op)) {
        finish_whole(op);
        return;
    }
    if (kept)
        hws_cast_recv_become(op, HWS_CAST_COMING);
}

/* Another receive, without room, takes its place for what is still to come. Without memory for it that is kept. */
void hws_cast_in_cancel(struct hws_cast_in *in, struct hws_cast_recv *op)
{
    struct hws_cast_recv *rest = malloc(sizeof *rest);
    hws_list_remove(&op->node);
    if (rest) {
        *rest = *op;
        rest->room = 0;
        rest->on_done = thrown_away;
        hws_list_push(&in->messages, &rest->node);
    }
    hws_cast_recv_become(op, HWS_CAST_CAME);
}
