/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bundle_test: two bundles joined by trunks that deliver at random times, so that what goes over different trunks comes
 * in any order, and that end at any moment, each end noticing when it does. Either end opens flows, sends, half-closes,
 * resets, reads slowly. Every byte must come, once and in order, and nothing may be left.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "gateway/bundle.h"

enum { TRUNKS = 3, FLOWS = 24, QUEUE = 4096 };

struct packet {
    size_t len;
    uint8_t bytes[HWS_GATE_HEADER + HWS_GATE_PAYLOAD];
};

/* One direction of a trunk. */
struct pipe {
    struct packet *queue[QUEUE];
    unsigned head, tail;
};

/* One client's end of a flow. */
struct side {
    struct flow *flow;
    uint64_t to_send, sent, got, other_sends;
    bool connected, ended, saw_end, is_over, was_reset;
    enum hws_gate_why why;
};

struct end {
    struct bundle bundle;
    struct window_pool pool;
    bool has_noticed[TRUNKS]; /* that the trunk ended */
    struct end *other;
};

static struct end ends[2];
static struct pipe pipes[2][TRUNKS]; /* [from][trunk] */
static bool is_up[TRUNKS];
static struct side sides[FLOWS][2]; /* [opener, acceptor] */
static unsigned short seed[3];

static uint64_t rnd(uint64_t n)
{
    return (uint64_t)nrand48(seed) % n;
}

static uint8_t byte_of(unsigned flow, unsigned side, uint64_t offset)
{
    return (uint8_t)(offset * 31 + (offset >> 9) + flow * 7 + side * 101);
}

/* ---- the clients ------------------------------------------------------------------------------------------------- */

static unsigned number_of(const struct flow *f)
{
    return ntohs(f->open.to.port);
}

static struct side *side_of(struct flow *f)
{
    struct side *s = f->client;
    cr_assert_not_null(s);
    return s;
}

static void take(struct side *s, size_t most)
{
    size_t len;
    unsigned n = number_of(s->flow), which = (unsigned)(s - sides[n]);
    const uint8_t *bytes = receiver_bytes(&s->flow->in, &len);
    len = len < most ? len : most;
    for (size_t i = 0; i < len; i++)
        cr_assert_eq(bytes[i], byte_of(n, !which, s->got + i), "flow %u, offset %llu", n,
                     (unsigned long long)(s->got + i));
    s->got += len;
    s->saw_end = s->saw_end || (s->flow->in.has_fin && s->flow->in.fin_at == s->got);
    if (len)
        flow_took(s->flow, len);
}

static void put(struct side *s)
{
    static uint8_t bytes[40000];
    unsigned n = number_of(s->flow), which = (unsigned)(s - sides[n]);
    size_t want = 1 + (size_t)rnd(sizeof bytes);
    want = want < s->to_send - s->sent ? want : (size_t)(s->to_send - s->sent);
    size_t room = sender_room(&s->flow->out), len;
    want = want < room ? want : room;
    if (want) {
        for (size_t i = 0; i < want; i++)
            bytes[i] = byte_of(n, which, s->sent + i);
        uint8_t *space = sender_space(&s->flow->out, &len);
        len = !space || rnd(4) == 0 ? 0 : len < want ? len : want;
        if (len)
            memcpy(space, bytes, len);
        flow_added(s->flow, len);
        cr_assert(flow_put(s->flow, bytes + len, want - len));
        s->sent += want;
    } else if (s->sent == s->to_send && !s->ended) {
        s->ended = true;
        sender_end(&s->flow->out);
        flow_added(s->flow, 0);
    }
}

static void offered(void *arg, struct flow *f)
{
    (void)arg;
    struct side *s = &sides[number_of(f)][1];
    cr_assert_null(s->flow);
    s->flow = f;
    f->client = s;
}

static void over(void *arg, struct flow *f, enum hws_gate_why why)
{
    (void)arg;
    struct side *s = side_of(f);
    cr_assert(!s->is_over);
    s->is_over = true;
    s->saw_end = s->saw_end || (f->in.has_fin && f->in.fin_at == s->got);
    s->why = why;
    s->flow = NULL;
}

static void nothing(void *arg, struct flow *f)
{
    (void)arg;
    (void)f;
}

static void wants(void *arg)
{
    (void)arg;
}

static const struct bundle_user user = {offered, nothing, nothing, over, wants};

/* ---- the trunks -------------------------------------------------------------------------------------------------- */

static void drop(struct pipe *p)
{
    while (p->head != p->tail)
        free(p->queue[p->head++ % QUEUE]);
}

static void send_one(unsigned e, uint16_t trunk)
{
    struct pipe *p = &pipes[e][trunk];
    if (ends[e].has_noticed[trunk] || p->tail - p->head > 40)
        return;
    struct packet *k = malloc(sizeof *k);
    size_t room = HWS_GATE_HEADER + (rnd(4) ? HWS_GATE_PAYLOAD : 64 + rnd(3000));
    k->len = bundle_next(&ends[e].bundle, trunk, k->bytes, room);
    cr_assert(k->len <= room);
    if (k->len && is_up[trunk])
        p->queue[p->tail++ % QUEUE] = k;
    else
        free(k); /* into a trunk that is no more */
}

static void deliver_one(unsigned e, uint16_t trunk, uint64_t now)
{
    struct pipe *p = &pipes[e][trunk];
    struct hws_gate_frame h;
    if (p->head == p->tail || !is_up[trunk])
        return;
    struct packet *k = p->queue[p->head++ % QUEUE];
    cr_assert_eq(hws_gate_header_decode(k->bytes, &h), HWS_OK);
    cr_assert_eq(k->len, HWS_GATE_HEADER + h.len);
    int rc = bundle_input(&ends[!e].bundle, &h, k->bytes + HWS_GATE_HEADER, now);
    cr_assert_eq(rc, HWS_OK, "%s of flow %u: %d", hws_gate_kind_name(h.kind), h.flow, rc);
    free(k);
}

/* Ends a trunk, lets an end notice, or joins it anew once both have. */
static void break_or_mend(uint16_t trunk)
{
    if (is_up[trunk]) {
        is_up[trunk] = false;
        drop(&pipes[0][trunk]);
        drop(&pipes[1][trunk]);
        return;
    }
    unsigned e = (unsigned)rnd(2);
    if (!ends[e].has_noticed[trunk]) {
        ends[e].has_noticed[trunk] = true;
        bundle_lost(&ends[e].bundle, trunk);
    } else if (ends[!e].has_noticed[trunk]) {
        is_up[trunk] = true;
        ends[0].has_noticed[trunk] = ends[1].has_noticed[trunk] = false;
    }
}

/* ---- a run ------------------------------------------------------------------------------------------------------- */

static void start_flow(unsigned n)
{
    struct hws_gate_open open = {{AF_INET, 1, {10, 1, 0, 1}}, {AF_INET, htons((uint16_t)n), {10, 2, 0, 1}}};
    unsigned e = n & 1; /* who opens */
    sides[n][0].flow = bundle_open(&ends[e].bundle, &open, &sides[n][0]);
    for (unsigned k = 0; k < 2; k++) {
        sides[n][k].to_send = rnd(3) ? rnd(2000) : rnd(400000);
        sides[n][!k].other_sends = sides[n][k].to_send;
    }
}

static void act(unsigned n, unsigned k, bool may_reset)
{
    struct side *s = &sides[n][k];
    if (!s->flow)
        return;
    if (k == 1 && !s->connected) {
        s->connected = true;
        flow_connected(s->flow);
    } else if (may_reset && n % 8 == 5 && !rnd(100)) {
        s->was_reset = true;
        flow_reset(s->flow, HWS_GATE_CLOSED);
        s->flow = NULL;
    } else if (rnd(2)) {
        put(s);
    } else {
        take(s, 1 + (size_t)rnd(20000));
    }
}

static bool is_done(unsigned n)
{
    const struct side *a = &sides[n][0], *b = &sides[n][1];
    return (a->is_over || a->was_reset) && (b->is_over || b->was_reset || (a->was_reset && !b->flow));
}

static void check_flow(unsigned n)
{
    for (unsigned k = 0; k < 2; k++) {
        const struct side *s = &sides[n][k];
        if (sides[n][0].was_reset || sides[n][1].was_reset)
            continue;
        cr_assert_eq(s->why, 0, "flow %u", n);
        cr_assert_eq(s->got, s->other_sends, "flow %u: %llu of %llu", n, (unsigned long long)s->got,
                     (unsigned long long)s->other_sends);
        cr_assert(s->saw_end);
    }
}

static void setup(unsigned number, uint64_t pool)
{
    seed[0] = (unsigned short)number, seed[1] = 7, seed[2] = 11;
    memset(sides, 0, sizeof sides);
    for (unsigned e = 0; e < 2; e++) {
        ends[e].pool = (struct window_pool){pool, pool};
        ends[e].other = &ends[!e];
        bundle_init(&ends[e].bundle, &user, &ends[e], &ends[e].pool, e == 1);
    }
    for (unsigned t = 0; t < TRUNKS; t++)
        is_up[t] = true, ends[0].has_noticed[t] = ends[1].has_noticed[t] = false;
}

static bool is_over(void)
{
    for (unsigned n = 0; n < FLOWS; n++)
        if (!is_done(n))
            return false;
    return ends[0].bundle.n_flows == 0 && ends[1].bundle.n_flows == 0;
}

/* One in `breaks` steps something happens to a trunk; 0: never. */
static void run(unsigned number, unsigned breaks, uint64_t pool)
{
    unsigned started = 0;
    uint64_t now = 0;
    setup(number, pool);
    for (unsigned step = 0; !is_over(); step++) {
        cr_assert(step < 20000000, "seed %u does not end", number);
        now += 100000;
        if (started < FLOWS && !rnd(200))
            start_flow(started++);
        if (started)
            act((unsigned)rnd(started), (unsigned)rnd(2), breaks != 0);
        uint16_t trunk = (uint16_t)rnd(TRUNKS);
        unsigned e = (unsigned)rnd(2);
        rnd(2) ? send_one(e, trunk) : deliver_one(e, trunk, now);
        if ((breaks && !rnd(breaks)) || (!is_up[trunk] && !rnd(50)))
            break_or_mend(trunk);
        if (step % 2500 == 0) {
            bundle_tick(&ends[0].bundle, now);
            bundle_tick(&ends[1].bundle, now);
        }
    }
    for (unsigned n = 0; n < FLOWS; n++)
        check_flow(n);
    for (unsigned t = 0; t < TRUNKS; t++)
        drop(&pipes[0][t]), drop(&pipes[1][t]);
    cr_assert_eq(ends[0].pool.left, pool, "seed %u", number);
    cr_assert_eq(ends[1].pool.left, pool, "seed %u", number);
}

Test(bundle, all_arrives_over_trunks_that_stay)
{
    for (unsigned i = 0; i < 20; i++)
        run(i, 0, 4u << 20);
}

Test(bundle, all_arrives_over_trunks_that_end)
{
    for (unsigned i = 100; i < 140; i++)
        run(i, 3000, 4u << 20);
}

Test(bundle, all_arrives_with_hardly_any_room)
{
    for (unsigned i = 200; i < 220; i++)
        run(i, 5000, 64u << 10);
}
