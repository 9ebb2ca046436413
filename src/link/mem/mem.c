/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mem: see mem.h. A link end owns the pipe that it writes; the other end reads it. A link is freed when both ends are
 * closed.
 */
#include "link/mem/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/list.h"

#define DEFAULT_CAPACITY (64u << 10)
#define MAX_PLACES       64
#define MAX_CARDS        HWS_MEM_CARDS
#define HELLO_LEN        120 /* the longer half of it: docs/wire.md section 2 */
#define MAX_MESSAGE      (64u << 10)
#define DELAYS           64   /* writes whose delay is remembered apart; further ones join the last */
#define PACKETS          1024 /* under way on a link with a rate */
#define PACKET_LEN       1448
#define RESEND_NS        200000000 /* a kernel sends again what it hears nothing of for so long */

struct mem_packet {
    uint64_t upto, at_ns; /* position behind it; when it is there */
};

struct mem_pipe {
    uint8_t *bytes;
    uint64_t in, out;  /* positions; in - out bytes are inside */
    uint64_t visible;  /* readable up to this position: it has come to the other kernel */
    uint64_t acked;    /* ... and this one knows */
    uint64_t moved_ns; /* when it learned something last, or sent again */
    uint64_t resent;   /* how often it has sent again */
    struct {
        uint64_t upto, at_pump;
    } delays[DELAYS];
    unsigned n_delays;
    struct mem_packet *packets; /* ring of PACKETS; NULL: no rate */
    unsigned packet_head, packet_came,
        packet_n;             /* the first packet_came of packet_n have come, and acknowledgments are due */
    uint64_t free_ns;         /* then the card has nothing to send any more, and all of its burst saved up */
    struct hws_list messages; /* as they were sent */
    size_t message_bytes;
};

/* A whole message under way. */
struct mem_message {
    struct hws_list node;
    uint64_t at_pump;
    uint32_t flow;
    size_t len, off;
    uint8_t bytes[];
};

struct mem_wire;

struct mem_end {
    struct hws_link base;
    struct mem_wire *wire;
    int side; /* 0: dialer */
    unsigned interest;
    bool closed;
    bool connected;       /* messages are no longer kept back */
    uint64_t patience_ns; /* so long the kernel asks in vain, then it ends the connection; 0: it does not ask */
};

enum dial_state {
    DIAL_PENDING,
    DIAL_FAILED,
    DIAL_REFUSED,
    DIAL_DONE
}; /* failed: by a fault; refused: nobody is there */

/* Two ends and the two pipes between them: pipes[i] is written by side i. */
struct mem_wire {
    struct hws_list node;
    struct hws_mem_net *net;
    struct mem_end ends[2];
    struct mem_pipe pipes[2];
    int place[2];
    int card; /* the same at both ends */
    int nth;
    enum dial_state dial;
    bool is_queued; /* the other kernel has taken it, the process has not */
    bool is_knock;
    uint64_t heard_ns; /* when the kernels could last hear each other */
    bool dead;
};

struct mem_place {
    struct hws_transport base;
    struct hws_mem_net *net;
    int index;
    bool open;
    char card[32];
};

struct hws_mem_net {
    struct hws_mem_faults faults;
    struct hws_list wires;
    struct mem_place places[MAX_PLACES];
    uint64_t rng, now;
    size_t capacity;
    int n_dialed;
    int held;                                       /* flow whose messages stay away; -1: none */
    bool silent[MAX_PLACES][MAX_PLACES][MAX_CARDS]; /* from, to */
    bool away[MAX_PLACES];                          /* the process computes */
    int backlog[MAX_PLACES];
    enum hws_mem_trouble trouble[MAX_PLACES][MAX_PLACES][MAX_CARDS];
};

/* xorshift64*: repeatable, good enough to choose lengths. */
static uint64_t next_random(struct hws_mem_net *net)
{
    net->rng ^= net->rng >> 12;
    net->rng ^= net->rng << 25;
    net->rng ^= net->rng >> 27;
    return net->rng * 0x2545f4914f6cdd1dull;
}

static size_t bounded(struct hws_mem_net *net, size_t n, size_t max)
{
    if (!max || n == 0)
        return n;
    size_t limit = 1 + next_random(net) % max;
    return n < limit ? n : limit;
}

static struct mem_end *end_of(const struct hws_link *l)
{
    return hws_container_of((struct hws_link *)(uintptr_t)l, struct mem_end, base);
}

static bool is_dead(const struct mem_end *e)
{
    return e->wire->dead;
}

/* What this side sends does not come to the other. */
static bool is_silent(const struct mem_wire *w, int side)
{
    return w->net->silent[w->place[side]][w->place[!side]][w->card];
}

/* The other end has closed, and its kernel has got that told. */
static bool sees_close(const struct mem_end *e)
{
    return e->wire->ends[!e->side].closed && !is_silent(e->wire, !e->side);
}

/* What was in flight may still arrive, in part. */
static void kill_wire(struct mem_wire *w)
{
    w->dead = true;
    for (int i = 0; i < 2 && w->net->faults.lose_in_flight; i++) {
        struct mem_pipe *p = &w->pipes[i];
        p->visible = p->in = p->out + next_random(w->net) % (p->visible - p->out + 1);
        p->n_delays = 0;
    }
}

static void die_at_byte(struct mem_wire *w, const struct mem_pipe *p)
{
    const struct hws_mem_faults *f = &w->net->faults;
    if (f->close_at && p->in >= f->close_at && (f->close_nth_link < 0 || f->close_nth_link == w->nth))
        kill_wire(w);
}

/* What was written goes out in packets, one behind the other. */
static void send_packets(const struct mem_wire *w, struct mem_pipe *p)
{
    uint64_t now = hws_clock_ns(), rate = w->net->faults.rates[w->card],
             burst = w->net->faults.burst * HWS_NS_PER_S / rate;
    uint64_t at = p->packet_n ? p->packets[(p->packet_head + p->packet_n - 1) % PACKETS].upto : p->acked;
    if (p->free_ns < now)
        p->free_ns = now;
    for (uint64_t len; at < p->in; at += len) {
        bool is_full = p->packet_n == PACKETS; /* then the last one grows */
        len = p->in - at < PACKET_LEN || is_full ? p->in - at : PACKET_LEN;
        p->free_ns += len * HWS_NS_PER_S / rate;
        uint64_t sent = p->free_ns > now + burst ? p->free_ns - burst : now;
        unsigned i = is_full ? PACKETS - 1 : p->packet_n++;
        p->packet_came = p->packet_came > i ? i : p->packet_came;
        p->packets[(p->packet_head + i) % PACKETS] = (struct mem_packet){at + len, sent + w->net->faults.latency_ns};
    }
}

/* Packets come, and their acknowledgments come back. */
static void move_packets(const struct mem_wire *w, struct mem_pipe *p)
{
    uint64_t now = hws_clock_ns();
    for (const struct mem_packet *k; p->packet_came < p->packet_n; p->packet_came++) {
        k = &p->packets[(p->packet_head + p->packet_came) % PACKETS];
        if (k->at_ns > now)
            break;
        p->visible = k->upto;
    }
    for (const struct mem_packet *k; p->packet_came > 0; p->packet_came--, p->packet_n--) {
        k = &p->packets[p->packet_head];
        if (k->at_ns + w->net->faults.latency_ns > now)
            break;
        p->acked = k->upto;
        p->packet_head = (p->packet_head + 1) % PACKETS;
    }
}

static void delay(struct mem_wire *w, int side)
{
    struct hws_mem_net *net = w->net;
    struct mem_pipe *p = &w->pipes[side];
    if (p->packets) {
        send_packets(w, p);
        return;
    }
    if (!net->faults.delay_pumps && !p->n_delays && !is_silent(w, side)) {
        p->visible = p->in;
        return;
    }
    uint64_t at = net->now + next_random(net) % (net->faults.delay_pumps + 1);
    if (p->n_delays && p->delays[p->n_delays - 1].at_pump > at)
        at = p->delays[p->n_delays - 1].at_pump; /* a stream: later bytes are never earlier */
    if (p->n_delays == DELAYS)
        p->n_delays--;
    p->delays[p->n_delays].upto = p->in;
    p->delays[p->n_delays++].at_pump = at;
}

static void put_byte(struct hws_mem_net *net, struct mem_pipe *p, uint8_t byte)
{
    uint64_t every = net->faults.flip_every;
    if (every && p->in >= HELLO_LEN && p->in % every == every - 1)
        byte ^= 0x10;
    p->bytes[p->in++ % net->capacity] = byte;
}

static ssize_t send_bytes(struct hws_link *l, const struct iovec *iov, int n)
{
    struct mem_end *e = end_of(l);
    struct hws_mem_net *net = e->wire->net;
    struct mem_pipe *p = &e->wire->pipes[e->side];
    if (is_dead(e) || sees_close(e))
        return HWS_ECLOSED;
    size_t total = 0;
    for (int i = 0; i < n; i++)
        total += iov[i].iov_len;
    size_t room = net->capacity - (size_t)(p->in - p->out);
    size_t take = bounded(net, total < room ? total : room, net->faults.max_write);
    if (net->faults.close_at && p->in < net->faults.close_at && p->in + take > net->faults.close_at)
        take = (size_t)(net->faults.close_at - p->in);
    if (!take)
        return HWS_EAGAIN;
    size_t left = take;
    for (int i = 0; i < n && left; i++)
        for (size_t j = 0; j < iov[i].iov_len && left; j++, left--)
            put_byte(net, p, ((const uint8_t *)iov[i].iov_base)[j]);
    delay(e->wire, e->side);
    die_at_byte(e->wire, p);
    if (net->faults.on_sent)
        net->faults.on_sent(take);
    return (ssize_t)take;
}

/* ---- whole messages ---------------------------------------------------------------------------------------------- */

static uint64_t after_its_flow(const struct mem_pipe *p, uint32_t flow, uint64_t at)
{
    for (const struct hws_list *n = p->messages.next; n != &p->messages; n = n->next) {
        const struct mem_message *m = hws_container_of(n, struct mem_message, node);
        if (m->flow == flow && m->at_pump > at)
            at = m->at_pump;
    }
    return at;
}

static ssize_t send_message(struct hws_link *l, const struct iovec *iov, int n, uint64_t flow)
{
    struct mem_end *e = end_of(l);
    struct hws_mem_net *net = e->wire->net;
    struct mem_pipe *p = &e->wire->pipes[e->side];
    if (is_dead(e) || sees_close(e))
        return HWS_ECLOSED;
    size_t total = 0, at = 0;
    for (int i = 0; i < n; i++)
        total += iov[i].iov_len;
    struct mem_message *m = p->message_bytes < net->capacity ? malloc(sizeof *m + total) : NULL;
    if (!m)
        return HWS_EAGAIN;
    m->flow = flow % (uint32_t)net->faults.flows;
    m->len = total;
    m->off = 0;
    m->at_pump = after_its_flow(p, m->flow, net->now + next_random(net) % (net->faults.delay_pumps + 1));
    for (int i = 0; i < n; at += iov[i++].iov_len)
        if (iov[i].iov_len)
            memcpy(m->bytes + at, iov[i].iov_base, iov[i].iov_len);
    hws_list_push(&p->messages, &m->node);
    p->message_bytes += total;
    return (ssize_t)total;
}

/* The next to be read: one that was begun, else the first that is here. */
static struct mem_message *next_message(const struct mem_end *e)
{
    const struct mem_pipe *p = &e->wire->pipes[!e->side];
    const struct hws_mem_net *net = e->wire->net;
    struct mem_message *first = NULL;
    for (const struct hws_list *n = p->messages.next; e->connected && n != &p->messages; n = n->next) {
        struct mem_message *m = hws_container_of(n, struct mem_message, node);
        if (m->off > 0)
            return m;
        if (!first && m->at_pump <= net->now && (int)m->flow != net->held)
            first = m;
    }
    return first;
}

static ssize_t recv_message(const struct mem_end *e, const struct iovec *iov, int n)
{
    struct mem_message *m = next_message(e);
    struct mem_pipe *p = &e->wire->pipes[!e->side];
    size_t total = 0;
    bool is_over = is_dead(e) || (e->wire->ends[!e->side].closed && hws_list_is_empty(&p->messages) && p->in == p->out);
    if (!m)
        return is_over ? HWS_ECLOSED : HWS_EAGAIN;
    for (int i = 0; i < n; i++)
        total += iov[i].iov_len;
    size_t take =
        bounded(e->wire->net, total < m->len - m->off ? total : m->len - m->off, e->wire->net->faults.max_read);
    size_t left = take;
    for (int i = 0; i < n && left; i++) {
        size_t run = left < iov[i].iov_len ? left : iov[i].iov_len;
        memcpy(iov[i].iov_base, m->bytes + m->off, run);
        m->off += run;
        left -= run;
    }
    p->message_bytes -= take;
    if (m->off == m->len) {
        hws_list_remove(&m->node);
        free(m);
    }
    return (ssize_t)take;
}

static void connected(struct hws_link *l)
{
    end_of(l)->connected = true;
}

/* ---- bytes ------------------------------------------------------------------------------------------------------- */

static ssize_t recv_bytes(struct hws_link *l, const struct iovec *iov, int n)
{
    struct mem_end *e = end_of(l);
    struct hws_mem_net *net = e->wire->net;
    struct mem_pipe *p = &e->wire->pipes[!e->side];
    size_t total = 0, have = (size_t)(p->visible - p->out);
    for (int i = 0; i < n; i++)
        total += iov[i].iov_len;
    size_t take = bounded(net, total < have ? total : have, net->faults.max_read);
    if (!take && net->faults.flows)
        return recv_message(e, iov, n);
    if (!take)
        return is_dead(e) || (sees_close(e) && p->in == p->out) ? HWS_ECLOSED : HWS_EAGAIN;
    size_t left = take;
    for (int i = 0; i < n && left; i++)
        for (size_t j = 0; j < iov[i].iov_len && left; j++, left--)
            ((uint8_t *)iov[i].iov_base)[j] = p->bytes[p->out++ % net->capacity];
    if (net->faults.close_read_at && p->out >= net->faults.close_read_at && !is_dead(e))
        kill_wire(e->wire);
    return (ssize_t)take;
}

static void want(struct hws_link *l, unsigned interest)
{
    end_of(l)->interest = interest;
}

static int dial_result(struct hws_link *l, char *why, size_t why_len)
{
    const struct mem_end *e = end_of(l);
    if (e->wire->dial == DIAL_PENDING)
        return HWS_EAGAIN;
    if (e->wire->dial == DIAL_DONE && !e->wire->dead)
        return HWS_OK;
    bool refused = e->wire->dial == DIAL_REFUSED;
    snprintf(why, why_len, refused ? "nobody is there" : "refused by the test");
    return refused ? HWS_EREFUSED : HWS_EUNREACHABLE;
}

static void free_wire(struct mem_wire *w)
{
    hws_list_remove(&w->node);
    for (int i = 0; i < 2; i++) {
        struct hws_list *n;
        while ((n = hws_list_pop(&w->pipes[i].messages)))
            free(hws_container_of(n, struct mem_message, node));
        free(w->pipes[i].bytes);
        free(w->pipes[i].packets);
    }
    free(w);
}

static void close_link(struct hws_link *l)
{
    struct mem_end *e = end_of(l);
    e->closed = true;
    e->interest = 0;
    if (e->wire->ends[!e->side].closed || e->wire->dial == DIAL_PENDING)
        free_wire(e->wire);
}

static void describe(const struct hws_link *l, char *dst, size_t len)
{
    const struct mem_end *e = end_of(l);
    snprintf(dst, len, "mem-%d to mem-%d", e->wire->place[e->side], e->wire->place[!e->side]);
}

static bool health(struct hws_link *l, struct hws_link_health *h)
{
    const struct mem_end *e = end_of(l);
    const struct mem_pipe *p = &e->wire->pipes[e->side];
    *h = (struct hws_link_health){
        .unsent = p->in - p->acked, .waits_for_ack = p->in > p->acked, .acked = p->acked, .resent = p->resent};
    h->heard_ms = (hws_clock_ns() - e->wire->heard_ns) / HWS_NS_PER_MS;
    h->min_rtt_us = h->rtt_us = 2 * e->wire->net->faults.latency_ns / HWS_NS_PER_US;
    return true;
}

static uint64_t backlog(struct hws_link *l)
{
    const struct mem_end *e = end_of(l);
    return e->wire->pipes[e->side].in - e->wire->pipes[e->side].acked;
}

static void ask(struct hws_link *l, unsigned every_s, unsigned tries)
{
    end_of(l)->patience_ns = (tries + 1ull) * every_s * HWS_NS_PER_S;
}

static const struct hws_link_ops link_ops = {send_bytes, recv_bytes, want, dial_result, NULL, close_link, describe,
                                             NULL,       NULL,       NULL, NULL,        NULL, NULL,       NULL};
static const struct hws_link_ops health_ops = {send_bytes, recv_bytes, want, dial_result, NULL, close_link, describe,
                                               health,     backlog,    NULL, NULL,        NULL, ask,        NULL};
static const struct hws_link_ops message_ops = {send_bytes, recv_bytes,   want, dial_result, connected,
                                                close_link, describe,     NULL, NULL,        NULL,
                                                NULL,       send_message, NULL, NULL};

static uint64_t card_id(int place, int card)
{
    return (uint64_t)(place * MAX_CARDS + card + 1);
}

static struct mem_wire *new_wire(struct hws_mem_net *net, int from, int to, int card)
{
    struct mem_wire *w = calloc(1, sizeof *w);
    if (!w)
        return NULL;
    for (int i = 0; i < 2; i++) {
        w->ends[i].base.ops = net->faults.flows ? &message_ops : net->faults.tells_health ? &health_ops : &link_ops;
        if (net->faults.tells_health) {
            w->ends[i].base.here = card_id(i ? to : from, card);
            w->ends[i].base.there = card_id(i ? from : to, card);
        }
        w->ends[i].base.heals = net->faults.flows > 0;
        hws_list_init(&w->pipes[i].messages);
        w->ends[i].wire = w;
        w->ends[i].side = i;
        w->pipes[i].bytes = malloc(net->capacity);
        if (net->faults.rates[card])
            w->pipes[i].packets = malloc(PACKETS * sizeof(struct mem_packet));
    }
    w->net = net;
    w->place[0] = from;
    w->place[1] = to;
    w->card = card;
    w->heard_ns = hws_clock_ns();
    hws_list_push(&net->wires, &w->node);
    bool has_packets = !net->faults.rates[card] || (w->pipes[0].packets && w->pipes[1].packets);
    if (!w->pipes[0].bytes || !w->pipes[1].bytes || !has_packets) {
        free_wire(w);
        return NULL;
    }
    return w;
}

/* ---- transport --------------------------------------------------------------------------------------------------- */

static struct mem_place *place_of(const struct hws_transport *t)
{
    return hws_container_of((struct hws_transport *)(uintptr_t)t, struct mem_place, base);
}

static const char *card_text(const struct hws_transport *t)
{
    return place_of(t)->card;
}

static int routes(struct hws_transport *t, const char *text, struct hws_route *out, int n)
{
    int index;
    if (n < 1 || sscanf(text, "mem-%d", &index) != 1 || index < 0 || index >= MAX_PLACES)
        return HWS_EINVAL;
    int cards = place_of(t)->net->faults.cards, k = 0;
    for (; k < n && k < (cards ? cards : 1) && k < MAX_CARDS; k++) {
        snprintf(out[k].text, sizeof out[k].text, "mem%d to %.32s", k, text);
        out[k].priv[0] = (uint64_t)index;
        out[k].priv[1] = (uint64_t)k;
        out[k].is_lane = true;
    }
    return k;
}

static int dial(struct hws_transport *t, const struct hws_route *r, struct hws_link **out, char *why, size_t why_len)
{
    struct mem_place *from = place_of(t);
    struct hws_mem_net *net = from->net;
    enum hws_mem_trouble trouble = net->trouble[from->index][r->priv[0]][r->priv[1]];
    if (trouble == HWS_MEM_NO_ROUTE) {
        snprintf(why, why_len, "no route by the test");
        return HWS_EUNREACHABLE;
    }
    struct mem_wire *w = new_wire(net, from->index, (int)r->priv[0], (int)r->priv[1]);
    if (!w) {
        snprintf(why, why_len, "out of memory");
        return HWS_ENOMEM;
    }
    w->nth = net->n_dialed++;
    if (next_random(net) % 100 < net->faults.refuse_percent)
        w->dial = DIAL_FAILED;
    if (trouble == HWS_MEM_REFUSED) {
        w->dial = DIAL_REFUSED;
        w->ends[1].closed = true;
    }
    *out = &w->ends[0].base;
    return HWS_OK;
}

static int knock(struct hws_transport *t, const struct hws_route *r, struct hws_link **out, char *why, size_t why_len)
{
    struct mem_place *from = place_of(t);
    struct mem_wire *w = new_wire(from->net, from->index, (int)r->priv[0], (int)r->priv[1]);
    if (!w) {
        snprintf(why, why_len, "out of memory");
        return HWS_ENOMEM;
    }
    w->is_knock = true;
    w->nth = -2;
    *out = &w->ends[0].base;
    return HWS_OK;
}

static void pause_accept(struct hws_transport *t, bool pause)
{
    (void)t;
    (void)pause;
}

static void fini(struct hws_transport *t)
{
    place_of(t)->open = false;
}

static const struct hws_transport_ops transport_ops = {card_text, routes, dial, pause_accept, fini,
                                                       NULL,      knock,  NULL, NULL};

void *hws_mem_net_place(struct hws_mem_net *net, int index)
{
    struct mem_place *p = &net->places[index];
    p->base.ops = &transport_ops;
    p->net = net;
    p->index = index;
    snprintf(p->card, sizeof p->card, "mem-%d", index);
    return p;
}

int hws_mem_open(void *place, void *reactor, struct hws_transport **out, char *err, size_t err_len)
{
    struct mem_place *p = place;
    (void)reactor;
    (void)err;
    (void)err_len;
    p->open = true;
    p->base.max_message = p->net->faults.flows ? MAX_MESSAGE : 0;
    *out = &p->base;
    return HWS_OK;
}

int hws_mem_link_pair(struct hws_mem_net *net, struct hws_link *out[2])
{
    struct mem_wire *w = new_wire(net, 0, 1, 0);
    if (!w)
        return HWS_ENOMEM;
    w->nth = net->n_dialed++;
    w->dial = DIAL_DONE;
    out[0] = &w->ends[0].base;
    out[1] = &w->ends[1].base;
    return HWS_OK;
}

/* ---- time -------------------------------------------------------------------------------------------------------- */

struct hws_mem_net *hws_mem_net_new(const struct hws_mem_faults *faults)
{
    struct hws_mem_net *net = calloc(1, sizeof *net);
    if (!net)
        return NULL;
    net->faults = *faults;
    net->rng = faults->seed ? faults->seed : 1;
    net->held = -1;
    net->capacity = faults->capacity ? faults->capacity : DEFAULT_CAPACITY;
    hws_list_init(&net->wires);
    return net;
}

void hws_mem_net_free(struct hws_mem_net *net)
{
    while (!hws_list_is_empty(&net->wires))
        free_wire(hws_container_of(net->wires.next, struct mem_wire, node));
    free(net);
}

void hws_mem_net_hold(struct hws_mem_net *net, int flow)
{
    net->held = flow;
}

void hws_mem_net_silence(struct hws_mem_net *net, int from, int to, int card, bool silent)
{
    for (int a = 0; a < MAX_PLACES; a++)
        for (int b = 0; b < MAX_PLACES; b++)
            if ((from < 0 || from == a) && (to < 0 || to == b))
                net->silent[a][b][card] = silent;
}

void hws_mem_net_trouble(struct hws_mem_net *net, int from, int to, int card, enum hws_mem_trouble what)
{
    for (int a = 0; a < MAX_PLACES; a++)
        for (int b = 0; b < MAX_PLACES; b++)
            if ((from < 0 || from == a) && (to < 0 || to == b))
                net->trouble[a][b][card] = what;
}

void hws_mem_net_close_at(struct hws_mem_net *net, uint64_t close_at)
{
    net->faults.close_at = close_at;
}

void hws_mem_net_cut(struct hws_mem_net *net, int a, int b)
{
    for (struct hws_list *n = net->wires.next; n != &net->wires; n = n->next) {
        struct mem_wire *w = hws_container_of(n, struct mem_wire, node);
        if ((w->place[0] == a && w->place[1] == b) || (w->place[0] == b && w->place[1] == a))
            kill_wire(w);
    }
}

static void let_through(struct mem_wire *w, int side)
{
    const struct hws_mem_net *net = w->net;
    struct mem_pipe *p = &w->pipes[side];
    unsigned done = 0;
    if (p->packets)
        move_packets(w, p);
    if (is_silent(w, side))
        return;
    while (done < p->n_delays && p->delays[done].at_pump <= net->now)
        p->visible = p->delays[done++].upto;
    p->n_delays -= done;
    memmove(p->delays, p->delays + done, p->n_delays * sizeof p->delays[0]);
}

static bool is_under_way(const struct mem_wire *w, int side)
{
    return (w->pipes[side].n_delays || w->pipes[side].message_bytes || w->pipes[side].packet_n) && !is_silent(w, side);
}

int hws_mem_net_queued(const struct hws_mem_net *net, int place)
{
    int n = 0;
    for (const struct hws_list *l = net->wires.next; l != &net->wires; l = l->next) {
        const struct mem_wire *w = hws_container_of((struct hws_list *)(uintptr_t)l, struct mem_wire, node);
        n += w->is_queued && w->place[1] == place;
    }
    return n;
}

void hws_mem_net_away(struct hws_mem_net *net, int place, bool away, int backlog)
{
    net->away[place] = away;
    net->backlog[place] = backlog;
}

/* The dial arrives: the other process accepts, or computes, or is not there. */
static void arrive(struct mem_wire *w)
{
    struct hws_mem_net *net = w->net;
    struct mem_place *to = &net->places[w->place[1]];
    if (!w->is_queued && (w->dial != DIAL_PENDING || is_silent(w, 0) || is_silent(w, 1)))
        return;
    if (!to->open || !to->base.on_accept || w->is_knock) {
        w->dial = DIAL_REFUSED;
        w->ends[1].closed = true;
        return;
    }
    if (net->away[to->index]) {
        if (!w->is_queued && hws_mem_net_queued(net, to->index) < net->backlog[to->index]) {
            w->dial = DIAL_DONE;
            w->is_queued = true;
        }
        return;
    }
    w->is_queued = false;
    w->dial = DIAL_DONE;
    to->base.on_accept(to->base.owner, &w->ends[1].base);
}

static bool call_events(struct mem_end *e)
{
    const struct mem_wire *w = e->wire;
    const struct mem_pipe *in = &w->pipes[!e->side], *outp = &w->pipes[e->side];
    if (w->net->away[w->place[e->side]] || (w->is_queued && e->side == 1))
        return false;
    bool gone = w->dead || sees_close(e);
    bool room = outp->in - outp->out < w->net->capacity && outp->message_bytes < w->net->capacity;
    bool writable = w->dial != DIAL_PENDING && (gone || room);
    bool readable = w->dial == DIAL_DONE && (gone || in->visible > in->out || next_message(e));
    if (!e->closed && writable && (e->interest & HWS_LINK_W)) {
        e->base.events->on_writable(e->base.owner);
        return true;
    }
    if (!e->closed && readable && (e->interest & HWS_LINK_R)) {
        e->base.events->on_readable(e->base.owner);
        return true;
    }
    return false;
}

/* The kernel of this side learns what has come to the other's, or sends again after a while. */
static void acknowledge(struct mem_wire *w, int side)
{
    struct mem_pipe *p = &w->pipes[side];
    uint64_t now = hws_clock_ns();
    if (p->packets)
        return;
    bool moved = !is_silent(w, !side) && p->acked != p->visible;
    if (moved)
        p->acked = p->visible;
    if (moved || p->acked == p->in)
        p->moved_ns = now;
    if (now - p->moved_ns < RESEND_NS)
        return;
    p->moved_ns = now;
    p->resent++;
}

/* The kernels hear each other, or one that has asked in vain gives the connection up. */
static void hear(struct mem_wire *w)
{
    uint64_t now = hws_clock_ns();
    if (!is_silent(w, 0) && !is_silent(w, 1))
        w->heard_ns = now;
    for (int i = 0; i < 2; i++)
        if (w->dial == DIAL_DONE && w->ends[i].patience_ns && now - w->heard_ns >= w->ends[i].patience_ns)
            kill_wire(w);
}

bool hws_mem_net_pump(struct hws_mem_net *net)
{
    bool happened = false;
    net->now++;
    for (struct hws_list *n = net->wires.next, *next = n->next; n != &net->wires; n = next, next = n->next) {
        struct mem_wire *w = hws_container_of(n, struct mem_wire, node);
        let_through(w, 0);
        let_through(w, 1);
        hear(w);
        acknowledge(w, 0);
        acknowledge(w, 1);
        if (w->dial == DIAL_FAILED)
            w->ends[1].closed = true;
        arrive(w);
        happened |= call_events(&w->ends[0]);
        happened |= call_events(&w->ends[1]);
        happened |= is_under_way(w, 0) || is_under_way(w, 1);
        next = n->next; /* a callback may have dialed; it never frees a wire (engines close outside callbacks) */
    }
    return happened;
}
