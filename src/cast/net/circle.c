/* SPDX-License-Identifier: BSD-3-Clause
 *
 * circle: a group with the addresses of its members. Before it is used, each member says hello by multicast some times
 * and listens who else does: only where all hear all does multicast reach all.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "cast/net/station_priv.h"
#include "cast/proto/bits.h"

/* ---- its states -------------------------------------------------------------------------------------------------- */

#define TO(state)                 (1u << HWS_CIRCLE_##state)
#define ROW(state, meaning, next) [HWS_CIRCLE_##state] = {#state, meaning, next}

static const struct hws_lifecycle_state rows[HWS_CIRCLE_N] = {
    ROW(MEETING, "the members say hello, listen, and tell each other whom they hear.", TO(UP) | TO(OFF)),
    ROW(UP, "all hear all: collectives use it.", 0),
    ROW(OFF, "some member is not heard by some other: collectives go without it.", 0),
};

#undef ROW
#undef TO

const struct hws_lifecycle hws_circles = HWS_LIFECYCLE("multicast group", rows);

static void become(struct hws_circle *c, enum hws_circle_state next)
{
    assert(hws_lifecycle_allows(&hws_circles, c->state, next));
    c->state = next;
}

/* ---- hello ------------------------------------------------------------------------------------------------------- */

/* When each is said (ms); after the last one so long is listened. */
static const unsigned hello_ms[] = {0, 1, 3, 8, 20, 45, 90, 150};
#define N_HELLOS  (sizeof hello_ms / sizeof hello_ms[0])
#define LISTEN_MS 250

static void say_hello(struct hws_circle *c)
{
    struct hws_cast_packet p = {.kind = HWS_CAST_IS_HELLO,
                                .group = c->group.id,
                                .from = (uint16_t)c->group.me,
                                .of = (uint16_t)c->group.me,
                                .seq = c->n_hellos++};
    hws_post_packet(c, HWS_CAST_ALL, &p);
}

static void meet(struct hws_circle *c)
{
    if (!c->has_met)
        hws_station_notice(c->station);
    c->has_met = true;
}

/* Others may still listen when this member has heard all, so all are said. */
static uint64_t tick_hello(struct hws_circle *c, uint64_t now_ns)
{
    while (c->n_hellos < N_HELLOS && now_ns >= c->began_ns + hello_ms[c->n_hellos] * HWS_NS_PER_MS)
        say_hello(c);
    uint64_t end = c->began_ns + LISTEN_MS * HWS_NS_PER_MS;
    if (now_ns >= end)
        meet(c);
    if (c->n_hellos < N_HELLOS)
        return c->began_ns + hello_ms[c->n_hellos] * HWS_NS_PER_MS;
    return c->has_met ? UINT64_MAX : end;
}

/* Who is late has heard none if all had been said by then: one more is. */
static void hear(struct hws_circle *c, int from)
{
    if (c->heard[from])
        return;
    c->heard[from] = true;
    if (c->n_hellos >= N_HELLOS)
        say_hello(c);
    if (++c->n_heard == c->group.n)
        meet(c);
}

uint64_t hws_circle_tick(struct hws_circle *c, uint64_t now_ns)
{
    if (!hws_cast_group_is_idle(&c->group))
        c->group.queued = hws_nic_queued(c->nic);
    uint64_t hello = tick_hello(c, now_ns), next = hws_cast_group_tick(&c->group, now_ns);
    return hello < next ? hello : next;
}

void hws_circle_take(struct hws_circle *c, const struct hws_cast_packet *p, uint64_t now_ns)
{
    if (p->from == c->group.me && p->from < c->group.n)
        return; /* the own one, from loopback */
    if (p->kind == HWS_CAST_IS_HELLO && p->from < c->group.n)
        hear(c, p->from);
    else
        hws_cast_group_packet(&c->group, p, now_ns);
}

/* ---- life -------------------------------------------------------------------------------------------------------- */

static void transmit(void *arg, int to, const struct hws_cast_packet *p)
{
    hws_post_packet(arg, to, p);
}

/* The address of a member that is on the same network. */
static bool place(struct hws_circle *c, int i, const struct hws_station_card *card)
{
    for (int k = 0; k < card->n && k < HWS_STATION_NICS; k++)
        if (hws_addr_is_in(&card->at[k].addr, &c->nic->addr, c->nic->prefix_len)) {
            c->addr_len = hws_addr_to_sockaddr(&card->at[k].addr, card->at[k].port, c->nic->ifindex, &c->members[i]);
            return true;
        }
    return false;
}

static bool set_up(struct hws_circle *c, const struct hws_station_card *cards)
{
    struct hws_station *s = c->station;
    uint16_t port;
    size_t n = (size_t)c->group.n;
    struct hws_addr all = hws_seal_group(&s->seal, c->nic->addr.family, &port);
    c->members = calloc(n, sizeof *c->members);
    c->heard = calloc(n, sizeof *c->heard);
    if (!c->members || !c->heard || hws_nic_join(c->nic, &all, port) != HWS_OK)
        return false;
    for (int i = 0; i < c->group.n; i++)
        if (!place(c, i, &cards[i]))
            return false;
    c->group.room = HWS_CAST_WINDOW;
    for (int i = 0; i < c->group.n; i++)
        if (cards[i].room < c->group.room)
            c->group.room = cards[i].room;
    hws_addr_to_sockaddr(&all, port, c->nic->ifindex, &c->all);
    return hws_cast_group_init(&c->group) == HWS_OK;
}

void hws_circle_free(struct hws_circle *c)
{
    hws_cast_group_fini(&c->group);
    free(c->members);
    free(c->heard);
    free(c);
}

struct hws_circle *hws_circle_new(struct hws_station *s, uint64_t id, int n, int me,
                                  const struct hws_station_card *cards, int nic)
{
    struct hws_circle *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->station = s;
    c->nic = &s->nics[nic];
    c->group = (struct hws_cast_group){.id = id, .n = n, .me = me, .transmit = transmit, .arg = c};
    c->began_ns = hws_clock_ns();
    pthread_mutex_lock(&s->mutex);
    bool ok = set_up(c, cards);
    if (ok) {
        hear(c, me);
        hws_list_push(&s->circles, &c->node);
        hws_station_look_again(s);
        hws_station_settle(s);
    }
    pthread_mutex_unlock(&s->mutex);
    if (!ok)
        hws_circle_free(c);
    return ok ? c : NULL;
}

bool hws_circle_has_met(const struct hws_circle *c)
{
    return __atomic_load_n(&c->has_met, __ATOMIC_RELAXED);
}

int hws_circle_unheard(struct hws_circle *c)
{
    int i = 0;
    pthread_mutex_lock(&c->station->mutex);
    while (i < c->group.n && c->heard[i])
        i++;
    pthread_mutex_unlock(&c->station->mutex);
    return i < c->group.n ? i : -1;
}

void hws_circle_label(struct hws_circle *c, uint32_t label)
{
    pthread_mutex_lock(&c->station->mutex);
    c->label = label;
    pthread_mutex_unlock(&c->station->mutex);
}

void hws_circle_settle(struct hws_circle *c, bool used)
{
    become(c, used ? HWS_CIRCLE_UP : HWS_CIRCLE_OFF);
}

bool hws_circle_is_up(const struct hws_circle *c)
{
    return c->state == HWS_CIRCLE_UP;
}

struct hws_cast_counts hws_circle_count(struct hws_circle *c)
{
    pthread_mutex_lock(&c->station->mutex);
    struct hws_cast_counts counts = c->group.counts;
    pthread_mutex_unlock(&c->station->mutex);
    return counts;
}

void hws_circle_describe(const struct hws_circle *c, char *dst, size_t len)
{
    char text[HWS_ADDR_TEXT];
    uint16_t port;
    struct hws_addr all = hws_seal_group(&c->station->seal, c->nic->addr.family, &port);
    snprintf(dst, len, "%s, %s", c->nic->name, hws_addr_format(&all, text));
}

/* ---- messages ---------------------------------------------------------------------------------------------------- */

static void on_sent(struct hws_cast_send *op)
{
    struct hws_cast_call *call = hws_container_of(op, struct hws_cast_call, op.send);
    call->err = op->err;
    hws_station_done(call->circle->station, call);
}

static void on_came(struct hws_cast_recv *op)
{
    struct hws_cast_call *call = hws_container_of(op, struct hws_cast_call, op.recv);
    call->err = op->err;
    hws_station_done(call->circle->station, call);
}

/* Who has begun it looks himself whether it is done already. */
static int begun(struct hws_cast_call *call, int rc)
{
    struct hws_station *s = call->circle->station;
    hws_station_settle(s);
    call->was_done = call->done;
    if (call->done)
        hws_list_remove(&call->node);
    pthread_mutex_unlock(&s->mutex);
    return rc;
}

static void begin(struct hws_circle *c, struct hws_cast_call *call)
{
    call->circle = c;
    call->done = false;
    call->err = HWS_OK;
    hws_list_init(&call->node);
    pthread_mutex_lock(&c->station->mutex);
}

int hws_circle_send(struct hws_circle *c, struct hws_cast_call *call)
{
    begin(c, call);
    call->op.send.on_done = on_sent;
    return begun(call, hws_cast_group_send(&c->group, &call->op.send, hws_clock_ns()));
}

int hws_circle_recv(struct hws_circle *c, struct hws_cast_call *call)
{
    begin(c, call);
    call->op.recv.on_done = on_came;
    return begun(call, hws_cast_group_recv(&c->group, &call->op.recv, hws_clock_ns()));
}

/* A message with a copy of its data. */
struct copy {
    struct hws_cast_send op;
    struct hws_circle *circle;
    char data[];
};

#define MOST_COPIED (128u << 10) /* bytes in a group */
#define LEAST       1024u        /* what a message counts at least */

static uint64_t weight(uint64_t len)
{
    return len < LEAST ? LEAST : len;
}

static void on_copy_sent(struct hws_cast_send *op)
{
    struct copy *copy = hws_container_of(op, struct copy, op);
    copy->circle->copied -= weight(op->len);
    free(copy);
}

int hws_circle_send_copy(struct hws_circle *c, const struct hws_cast_send *op)
{
    int rc = HWS_EAGAIN;
    pthread_mutex_lock(&c->station->mutex);
    struct copy *copy = c->copied + weight(op->len) <= MOST_COPIED ? malloc(sizeof *copy + op->len) : NULL;
    if (copy) {
        copy->op = (struct hws_cast_send){.tag = op->tag, .data = copy->data, .len = op->len, .on_done = on_copy_sent};
        copy->circle = c;
        if (op->len)
            memcpy(copy->data, op->data, op->len);
        c->copied += weight(op->len);
        rc = hws_cast_group_send(&c->group, &copy->op, hws_clock_ns());
        if (rc != HWS_OK) {
            c->copied -= weight(op->len);
            free(copy);
        }
        hws_station_settle(c->station);
    }
    pthread_mutex_unlock(&c->station->mutex);
    return rc;
}

bool hws_circle_cancel(struct hws_cast_call *call)
{
    struct hws_circle *c = call->circle;
    pthread_mutex_lock(&c->station->mutex);
    bool cancelled = !call->done;
    if (cancelled)
        hws_cast_group_cancel(&c->group, &call->op.recv);
    pthread_mutex_unlock(&c->station->mutex);
    return cancelled;
}

void hws_circle_drop(struct hws_circle *c, int member)
{
    pthread_mutex_lock(&c->station->mutex);
    hws_cast_group_drop(&c->group, member);
    hws_station_settle(c->station);
    pthread_mutex_unlock(&c->station->mutex);
}
