/* SPDX-License-Identifier: BSD-3-Clause
 *
 * out: see out.h.
 */
#include "cast/proto/out.h"

#include <stdlib.h>
#include <string.h>

#include "cast/proto/tree.h"

#define LOSS_MEMORY 256.0 /* packets over which a member's loss is averaged */
#define NEAR_WORST  0.75  /* who loses so much of what the worst one does counts as the worst one, too */

struct hws_cast_out *hws_cast_out_new(struct hws_cast_group *g)
{
    struct hws_cast_out *o = calloc(1, sizeof *o + (size_t)g->n * sizeof o->members[0]);
    if (!o)
        return NULL;
    o->g = g;
    hws_list_init(&o->sends);
    hws_cast_pace_init(&o->pace, g->room);
    for (int i = 0; i < g->n; i++)
        o->members[i].limit = g->room;
    return o;
}

static struct hws_cast_slot *slot_of(struct hws_cast_out *o, uint64_t s)
{
    return &o->slots[s % HWS_CAST_WINDOW];
}

static struct hws_cast_send *send_of(struct hws_list *node)
{
    return hws_container_of(node, struct hws_cast_send, node);
}

/* ---- who counts -------------------------------------------------------------------------------------------------- */

bool hws_cast_out_is_direct(const struct hws_cast_out *o, int member)
{
    const struct hws_cast_group *g = o->g;
    for (int up = hws_cast_parent(member, g->me, g->n); up != g->me; up = hws_cast_parent(up, g->me, g->n))
        if (!o->members[up].dead)
            return false;
    return true;
}

/* Members of whom the sender itself keeps account. -1: no more. */
static int next_counted(const struct hws_cast_out *o, int after)
{
    for (int i = after + 1; i < o->g->n; i++)
        if (i != o->g->me && !o->members[i].dead && hws_cast_out_is_direct(o, i))
            return i;
    return -1;
}

static uint64_t least_limit(const struct hws_cast_out *o)
{
    uint64_t least = UINT64_MAX;
    for (int i = next_counted(o, -1); i >= 0; i = next_counted(o, i))
        least = o->members[i].limit < least ? o->members[i].limit : least;
    return least;
}

static uint64_t least_cum(const struct hws_cast_out *o)
{
    uint64_t least = o->next;
    for (int i = next_counted(o, -1); i >= 0; i = next_counted(o, i))
        least = o->members[i].cum < least ? o->members[i].cum : least;
    return least;
}

/* Transmissions to all of which nothing is under way any more: a member has answered what left after them, or lacks
 * less than that. */
static uint64_t answered(const struct hws_cast_out *o)
{
    uint64_t most = 0;
    for (int i = next_counted(o, -1); i >= 0; i = next_counted(o, i)) {
        const struct hws_cast_member *m = &o->members[i];
        uint64_t left = o->casts - m->seen, lacks = o->next - m->cum, under_way = left < lacks ? left : lacks;
        most = under_way > most ? under_way : most;
    }
    return o->casts - most;
}

/* ---- sending ----------------------------------------------------------------------------------------------------- */

static struct hws_cast_packet header(struct hws_cast_out *o, uint8_t kind, unsigned flags, uint64_t s)
{
    if (++o->turn == 0)
        o->turn = 1;
    o->turns[o->turn % HWS_CAST_TURNS] = (struct hws_cast_turn){o->g->now_ns, o->casts};
    if (flags & HWS_CAST_ASKS)
        o->asked_casts = o->casts;
    return (struct hws_cast_packet){.kind = kind,
                                    .flags = (uint8_t)flags,
                                    .group = o->g->id,
                                    .from = (uint16_t)o->g->me,
                                    .of = (uint16_t)o->g->me,
                                    .seq = s,
                                    .turn = o->turn};
}

static void transmit(struct hws_cast_out *o, const struct hws_cast_send *op, uint64_t s, int to, unsigned flags)
{
    o->casts += to == HWS_CAST_ALL;
    struct hws_cast_packet p = header(o, HWS_CAST_IS_DATA, flags, s);
    p.tag = op->tag;
    p.msg_len = op->len;
    p.offset = (s - op->first) * HWS_CAST_PAYLOAD;
    uint64_t left = op->len - p.offset;
    p.len = (uint32_t)(left < HWS_CAST_PAYLOAD ? left : HWS_CAST_PAYLOAD);
    p.payload = p.len ? (const uint8_t *)op->data + p.offset : NULL;
    slot_of(o, s)->turn = o->turn;
    slot_of(o, s)->n_alone = 0;
    o->g->queued++;
    o->g->transmit(o->g->arg, to, &p);
}

/* Some member lacks it, so its message is among those that are not done. */
static const struct hws_cast_send *send_with(struct hws_cast_out *o, uint64_t s)
{
    for (struct hws_list *l = o->sends.next; l != &o->sends; l = l->next)
        if (s - send_of(l)->first < send_of(l)->n)
            return send_of(l);
    return NULL;
}

static void send_again(struct hws_cast_out *o, uint64_t s, int to, unsigned flags)
{
    const struct hws_cast_send *op = send_with(o, s);
    if (!op)
        return;
    o->g->counts.resent++;
    transmit(o, op, s, to, flags);
}

static void forget_wants(struct hws_cast_out *o, struct hws_cast_slot *slot)
{
    o->n_wanted -= slot->n_wants > 0;
    slot->n_wants = 0;
}

/* To few each alone, who then say at once whether it has come; to many by multicast. */
static void answer_wants(struct hws_cast_out *o, uint64_t s)
{
    struct hws_cast_slot *slot = slot_of(o, s), was = *slot;
    forget_wants(o, slot);
    for (unsigned i = 0; was.n_wants <= HWS_CAST_FEW && i < was.n_wants; i++)
        if (!o->members[was.wants[i]].dead)
            send_again(o, s, was.wants[i], HWS_CAST_ASKS);
    if (was.n_wants > HWS_CAST_FEW) {
        send_again(o, s, HWS_CAST_ALL, o->next == o->end ? HWS_CAST_ASKS : 0);
        return;
    }
    memcpy(slot->alone, was.wants, sizeof slot->alone);
    slot->n_alone = was.n_wants;
}

/* False: the pace holds the rest back. */
static bool push_again(struct hws_cast_out *o)
{
    for (uint64_t s = o->base; o->n_wanted > 0 && s < o->next; s++) {
        if (slot_of(o, s)->n_wants == 0)
            continue;
        if (!hws_cast_pace_take(&o->pace, o->g->now_ns, o->g->queued))
            return false;
        answer_wants(o, s);
    }
    return true;
}

/* Before the stream stands still, a report must be on its way. */
static bool must_ask(struct hws_cast_out *o, bool is_last)
{
    if (o->next - o->asked >= hws_cast_pace_asks(&o->pace))
        return true;
    return o->next == o->end || (is_last && o->asked_casts <= answered(o));
}

static void push_one(struct hws_cast_out *o, bool is_last)
{
    struct hws_cast_send *op = o->at;
    uint64_t s = o->next++;
    bool asks = must_ask(o, is_last);
    if (asks)
        o->asked = o->next;
    if (op->state == HWS_CAST_QUEUED)
        hws_cast_send_become(op, HWS_CAST_SENDING);
    *slot_of(o, s) = (struct hws_cast_slot){0};
    o->g->counts.packets++;
    transmit(o, op, s, HWS_CAST_ALL, asks ? HWS_CAST_ASKS : 0);
    if (o->next == op->first + op->n) {
        hws_cast_send_become(op, HWS_CAST_OWED);
        o->at = op->node.next == &o->sends ? NULL : send_of(op->node.next);
    }
}

/* The first packet that may not be sent now. What is under way fills the window, not what lies between the first packet
 * that somebody lacks and the last one: one that goes again stands behind the others in the own interface's queue, and
 * if the rest waited for it the link would be idle at each loss. How far they may go on, the receivers' room bounds. */
static uint64_t stop(const struct hws_cast_out *o)
{
    uint64_t limit = least_limit(o), under_way = o->casts - answered(o), window = hws_cast_pace_window(&o->pace);
    uint64_t least = under_way < window ? o->next + window - under_way : o->next;
    least = limit < least ? limit : least;
    return least < o->end ? least : o->end;
}

static void push(struct hws_cast_out *o)
{
    if (!push_again(o))
        return;
    for (uint64_t end = stop(o); o->next < end && hws_cast_pace_take(&o->pace, o->g->now_ns, o->g->queued);)
        push_one(o, o->next + 1 == end);
}

/* ---- done -------------------------------------------------------------------------------------------------------- */

static void settle(struct hws_cast_out *o)
{
    while (!hws_list_is_empty(&o->sends)) {
        struct hws_cast_send *op = send_of(o->sends.next);
        if (op->first + op->n > o->base)
            return;
        hws_list_remove(&op->node);
        hws_cast_send_become(op, HWS_CAST_SENT);
        op->on_done(op);
    }
}

static void set_base(struct hws_cast_out *o, uint64_t base)
{
    for (uint64_t s = o->base; s < base; s++)
        forget_wants(o, slot_of(o, s));
    o->base = base;
    o->alarm_ns = 0;
    settle(o);
}

void hws_cast_out_send(struct hws_cast_out *o, struct hws_cast_send *op)
{
    op->state = HWS_CAST_QUEUED;
    op->err = HWS_OK;
    op->first = o->end;
    op->n = op->len ? (op->len + HWS_CAST_PAYLOAD - 1) / HWS_CAST_PAYLOAD : 1;
    o->end += op->n;
    hws_list_push(&o->sends, &op->node);
    if (!o->at)
        o->at = op;
    for (int i = 0; i < o->g->n; i++)
        if (o->members[i].dead)
            op->err = HWS_EPEERDEAD;
    if (next_counted(o, -1) < 0) { /* all others are dead */
        o->next = o->end;
        o->at = NULL;
        set_base(o, o->end);
    }
}

/* ---- reports ----------------------------------------------------------------------------------------------------- */

static void want(struct hws_cast_out *o, struct hws_cast_slot *slot, uint16_t who)
{
    o->n_wanted += slot->n_wants == 0;
    if (who == HWS_CAST_SEVERAL || who >= o->g->n) {
        slot->n_wants = HWS_CAST_FEW + 1;
        return;
    }
    for (unsigned i = 0; i < slot->n_wants && i < HWS_CAST_FEW; i++)
        if (slot->wants[i] == who)
            return;
    if (slot->n_wants < HWS_CAST_FEW)
        slot->wants[slot->n_wants] = who;
    if (slot->n_wants <= HWS_CAST_FEW)
        slot->n_wants++;
}

/* To whoever lacks it: it left after what the report answers. */
static bool is_on_its_way(const struct hws_cast_slot *slot, const struct hws_cast_packet *report)
{
    bool is_for_it = slot->n_alone == 0;
    for (unsigned i = 0; i < slot->n_alone; i++)
        is_for_it |= slot->alone[i] == report->who;
    return is_for_it && (int32_t)(report->turn - slot->turn) < 0;
}

/* What others got alone meanwhile goes to all: a third one lacks it, too. Returns how many are missing. *is_new: some
 * of them left after the window shrank last. */
static unsigned take_ranges(struct hws_cast_out *o, const struct hws_cast_packet *p, bool *is_new)
{
    unsigned lost = 0;
    for (unsigned i = 0; i < p->n_ranges; i++) {
        uint64_t first = p->seq + p->ranges[i].at, end = first + p->ranges[i].n;
        for (uint64_t s = first < o->base ? o->base : first; s < end && s < o->next; s++) {
            struct hws_cast_slot *slot = slot_of(o, s);
            if (is_on_its_way(slot, p))
                continue;
            want(o, slot, (int32_t)(p->turn - slot->turn) < 0 ? HWS_CAST_SEVERAL : p->who);
            lost++;
            *is_new |= (int32_t)(slot->turn - o->cut) > 0;
        }
    }
    return lost;
}

static bool loses_most(const struct hws_cast_out *o, int member)
{
    for (int i = next_counted(o, -1); i >= 0; i = next_counted(o, i))
        if (o->members[member].loss < NEAR_WORST * o->members[i].loss)
            return false;
    return true;
}

static void count_loss(struct hws_cast_out *o, int member, uint64_t came, unsigned lost, bool is_new)
{
    struct hws_cast_member *m = &o->members[member];
    for (unsigned i = 0; i < lost; i++)
        m->loss += (1 - m->loss) / LOSS_MEMORY;
    double of = (double)came / LOSS_MEMORY;
    m->loss -= m->loss * (of < 1 ? of : 1);
    if (is_new && loses_most(o, member) && hws_cast_pace_lost(&o->pace, o->g->now_ns))
        o->cut = o->turn;
}

static void measure(struct hws_cast_out *o, struct hws_cast_member *m, uint32_t turn)
{
    if (turn == 0 || o->turn - turn >= HWS_CAST_TURNS)
        return;
    const struct hws_cast_turn *t = &o->turns[turn % HWS_CAST_TURNS];
    hws_cast_pace_rtt(&o->pace, o->g->now_ns - t->left_ns);
    m->seen = t->casts > m->seen ? t->casts : m->seen;
}

void hws_cast_out_report(struct hws_cast_out *o, const struct hws_cast_packet *p)
{
    struct hws_cast_member *m = &o->members[p->from];
    if (p->seq > o->next || p->seq < m->cum || o->turn - p->turn > INT32_MAX || m->dead) {
        o->g->counts.strange++;
        return;
    }
    uint64_t came = p->seq - m->cum;
    uint64_t before = answered(o);
    bool full = o->casts - before + hws_cast_pace_asks(&o->pace) >= hws_cast_pace_window(&o->pace);
    m->cum = p->seq;
    m->limit = p->limit > m->limit ? p->limit : m->limit;
    o->g->counts.requests += p->n_ranges > 0;
    measure(o, m, p->turn);
    bool is_new = false;
    unsigned lost = take_ranges(o, p, &is_new);
    count_loss(o, p->from, came, lost, is_new);
    uint64_t base = least_cum(o), n = answered(o) - before;
    if (n > 0)
        hws_cast_pace_arrived(&o->pace, n, full);
    if (base > o->base)
        set_base(o, base);
}

void hws_cast_out_drop(struct hws_cast_out *o, int member)
{
    struct hws_cast_member *m = &o->members[member];
    if (m->dead)
        return;
    for (struct hws_list *l = o->sends.next; l != &o->sends; l = l->next)
        if (m->cum < send_of(l)->first + send_of(l)->n)
            send_of(l)->err = HWS_EPEERDEAD;
    m->dead = true;
    if (next_counted(o, -1) < 0) {
        o->next = o->end;
        o->at = NULL;
    }
    set_base(o, least_cum(o));
}

/* ---- time -------------------------------------------------------------------------------------------------------- */

/* What has left by now: whoever lacks the last packets before that learns of it, and asks for all that it lacks. */
static void poll(struct hws_cast_out *o, int to, unsigned flags)
{
    struct hws_cast_packet p = header(o, HWS_CAST_IS_POLL, flags, o->next);
    o->g->transmit(o->g->arg, to, &p);
}

/* Who owes a report about the oldest packet: few are asked alone. */
static void ask_again(struct hws_cast_out *o)
{
    int owing[HWS_CAST_FEW + 1], n = 0;
    bool below = false; /* somebody who reports for others, so that it may be one of these */
    for (int i = next_counted(o, -1); i >= 0; i = next_counted(o, i)) {
        if (o->members[i].cum > o->base)
            continue;
        below |= hws_cast_children(i, o->g->me, o->g->n) > 0;
        if (hws_cast_parent(i, o->g->me, o->g->n) != o->g->me)
            poll(o, i, HWS_CAST_DIRECT);
        else if (n <= HWS_CAST_FEW)
            owing[n++] = i;
    }
    if (n > HWS_CAST_FEW || below)
        poll(o, HWS_CAST_ALL, 0);
    else
        for (int i = 0; i < n; i++)
            poll(o, owing[i], 0);
}

static void ring(struct hws_cast_out *o)
{
    o->g->counts.timeouts++;
    hws_cast_pace_silent(&o->pace, o->g->now_ns);
    if (o->next > o->base)
        ask_again(o);
    else
        poll(o, HWS_CAST_ALL, 0); /* whether there is room again */
}

uint64_t hws_cast_out_tick(struct hws_cast_out *o)
{
    push(o);
    if (o->base == o->end) {
        o->alarm_ns = 0;
        return UINT64_MAX;
    }
    if (o->alarm_ns && o->g->now_ns >= o->alarm_ns) {
        ring(o);
        o->alarm_ns = 0;
    }
    if (!o->alarm_ns)
        o->alarm_ns = o->g->now_ns + hws_cast_pace_timeout(&o->pace);
    bool paced = o->pace.next_ns > o->g->now_ns && (o->n_wanted > 0 || o->next < stop(o));
    return paced && o->pace.next_ns < o->alarm_ns ? o->pace.next_ns : o->alarm_ns;
}
