/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sim: links of given speeds with socket buffers, in steps of simulated time, and a stream of messages that some scheme
 * divides over them. It knows nothing of packets: a link drains its buffer at its speed of the moment, give or take a
 * fifth. The sender looks only now and then, and learns of what has arrived by acknowledgments, which come a round trip
 * later and in lumps. That a message has arrived it learns a round trip later, too.
 */
#ifndef HWS_TESTS_STRIPING_SIM_H
#define HWS_TESTS_STRIPING_SIM_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "../../support/seed.h"
#include "striping/rate.h"
#include "striping/stripe.h"

enum { SIM_LANES = 4, SIM_PIECES = 8192, SIM_WINDOW = 16, SIM_PAST = 1024, SIM_MIN_FRAG = 8192, SIM_MAX_FRAG = 131072 };

enum sim_scheme {
    SIM_PULL,       /* hws_stripe_take with measured rates */
    SIM_NOMINAL,    /* each message is divided at its start in proportion to the links' nominal speed */
    SIM_ROUND_ROBIN /* pieces of SIM_MAX_FRAG in turn */
};

struct sim_piece {
    uint64_t message, bytes;
};

struct sim_lane {
    uint64_t rate, rate_after, change_ns; /* bytes/s, before and from change_ns on; 0: no change */
    uint64_t buffer;                      /* it has room while less than this is in it, unacknowledged bytes included */
    uint64_t rtt_ns, lump;                /* of acknowledgments; one that leaves nothing open comes at once */
    /* state */
    uint64_t handed, sent, known, acked, carry;
    uint64_t past[SIM_PAST]; /* sent, one entry a step */
    struct hws_rate measured;
    struct sim_piece fifo[SIM_PIECES];
    unsigned head, tail;
    uint64_t dealt; /* bytes of messages already divided that wait for room: NOMINAL and ROUND_ROBIN */
};

struct sim {
    struct sim_lane lane[SIM_LANES];
    size_t n;
    uint64_t size, n_messages, window, step_ns;
    uint64_t look_ns; /* mean time between two looks of the sender; it looks at once when a message is done */
    enum sim_scheme scheme;
    /* state */
    uint64_t now, n_steps, next_look, n_started, n_done;
    uint64_t unsent;              /* of the messages started, not yet handed to a lane */
    uint64_t missing[SIM_WINDOW]; /* of message i at i % SIM_WINDOW: bytes that have not arrived */
    uint64_t next;                /* message that the next byte handed out belongs to */
    uint64_t next_left;           /* bytes of it not handed out */
    unsigned turn;
};

static inline uint64_t sim_rate(const struct sim_lane *l, uint64_t now)
{
    return l->change_ns && now >= l->change_ns ? l->rate_after : l->rate;
}

static inline uint64_t sim_backlog(const struct sim_lane *l)
{
    return l->handed - l->acked;
}

static inline void sim_hand(struct sim *s, struct sim_lane *l, uint64_t bytes)
{
    l->handed += bytes;
    s->unsent -= bytes;
    while (bytes > 0) {
        uint64_t part = bytes < s->next_left ? bytes : s->next_left;
        struct sim_piece *p = &l->fifo[l->tail++ % SIM_PIECES];
        *p = (struct sim_piece){s->next, part};
        assert(l->tail - l->head <= SIM_PIECES);
        bytes -= part;
        s->next_left -= part;
        if (s->next_left == 0) {
            s->next++;
            s->next_left = s->size;
        }
    }
}

static inline uint64_t sim_take_pull(struct sim *s, size_t me)
{
    struct hws_stripe_lane view[SIM_LANES];
    for (size_t i = 0; i < s->n; i++)
        view[i] = (struct hws_stripe_lane){.open = true,
                                           .rate = hws_rate_of(&s->lane[i].measured),
                                           .slowest = hws_rate_slowest(&s->lane[i].measured),
                                           .fastest = hws_rate_fastest(&s->lane[i].measured),
                                           .backlog = sim_backlog(&s->lane[i]),
                                           .latency_ns = s->lane[i].rtt_ns / 2,
                                           .floor = hws_rate_floor(&s->lane[i].measured),
                                           .burst = hws_rate_burst(&s->lane[i].measured),
                                           .is_guess = !hws_rate_is_sure(&s->lane[i].measured)};
    return hws_stripe_take(view, s->n, me, s->unsent, SIM_MIN_FRAG, SIM_MAX_FRAG);
}

static inline uint64_t sim_take(struct sim *s, size_t me)
{
    if (s->unsent == 0)
        return 0;
    if (s->scheme == SIM_PULL)
        return sim_take_pull(s, me);
    uint64_t most = s->lane[me].dealt < SIM_MAX_FRAG ? s->lane[me].dealt : SIM_MAX_FRAG;
    s->lane[me].dealt -= most;
    return most;
}

/* A message is divided when it starts, unless lanes pull. */
static inline void sim_deal(struct sim *s)
{
    uint64_t sum = 0, left = s->size;
    for (size_t i = 0; i < s->n; i++)
        sum += s->lane[i].rate;
    if (s->scheme == SIM_NOMINAL)
        for (size_t i = 0; i < s->n; i++) {
            uint64_t part = i + 1 == s->n ? left : s->size * s->lane[i].rate / sum;
            s->lane[i].dealt += part;
            left -= part;
        }
    for (; s->scheme == SIM_ROUND_ROBIN && left > 0; s->turn++) {
        uint64_t part = left < SIM_MAX_FRAG ? left : SIM_MAX_FRAG;
        s->lane[s->turn % s->n].dealt += part;
        left -= part;
    }
}

static inline void sim_start(struct sim *s)
{
    while (s->n_started < s->n_messages && s->n_started < s->n_done + s->window) {
        s->missing[s->n_started++ % SIM_WINDOW] = s->size;
        s->unsent += s->size;
        sim_deal(s);
    }
}

/* Every lane that has room asks until none takes any more; who asks first is left to chance. */
static inline void sim_feed(struct sim *s)
{
    bool is_taken = s->unsent > 0;
    while (is_taken) {
        is_taken = false;
        size_t first = hws_test_random(s->n);
        for (size_t k = 0; k < s->n; k++) {
            struct sim_lane *l = &s->lane[(first + k) % s->n];
            uint64_t bytes = sim_backlog(l) < l->buffer ? sim_take(s, (first + k) % s->n) : 0;
            if (bytes)
                sim_hand(s, l, bytes);
            is_taken |= bytes > 0;
        }
    }
}

static inline void sim_arrive(struct sim *s, struct sim_lane *l, uint64_t bytes)
{
    while (bytes > 0) {
        struct sim_piece *p = &l->fifo[l->head % SIM_PIECES];
        uint64_t part = bytes < p->bytes ? bytes : p->bytes;
        s->missing[p->message % SIM_WINDOW] -= part;
        p->bytes -= part;
        bytes -= part;
        l->head += p->bytes == 0;
    }
}

static inline void sim_drain(struct sim *s, struct sim_lane *l)
{
    l->carry += sim_rate(l, s->now) * s->step_ns / 1000 * (800 + hws_test_random(401)); /* in bytes * ns/s */
    uint64_t bytes = l->carry / 1000000000u, queued = l->handed - l->sent;
    l->carry %= 1000000000u;
    if (bytes > queued) {
        bytes = queued;
        l->carry = 0;
    }
    l->sent += bytes;
    l->past[s->n_steps % SIM_PAST] = l->sent;
    uint64_t ago = l->rtt_ns / s->step_ns, then = s->n_steps < ago ? 0 : l->past[(s->n_steps - ago) % SIM_PAST];
    assert(ago < SIM_PAST);
    sim_arrive(s, l, then - l->known);
    l->known = then;
    if (then - l->acked >= l->lump || then == l->handed)
        l->acked = then;
}

static inline void sim_look(struct sim *s)
{
    sim_start(s);
    for (size_t i = 0; i < s->n; i++)
        hws_rate_update(&s->lane[i].measured, s->now, s->lane[i].acked, sim_backlog(&s->lane[i]));
    sim_feed(s);
    for (size_t i = 0; i < s->n; i++)
        hws_rate_update(&s->lane[i].measured, s->now, s->lane[i].acked, sim_backlog(&s->lane[i]));
    s->next_look = s->now + hws_test_random(2 * s->look_ns + 1);
}

static inline void sim_step(struct sim *s)
{
    if (s->now >= s->next_look)
        sim_look(s);
    s->now += s->step_ns;
    s->n_steps++;
    for (size_t i = 0; i < s->n; i++)
        sim_drain(s, &s->lane[i]);
    while (s->n_done < s->n_started && s->missing[s->n_done % SIM_WINDOW] == 0) {
        s->n_done++;
        s->next_look = s->now;
    }
}

/* Runs to the end and returns how long it took. Messages complete in order. */
static inline uint64_t sim_run(struct sim *s)
{
    while (s->n_done < s->n_messages)
        sim_step(s);
    return s->now;
}

/* The least time in which links that are idle for a round trip after each message sent alone move everything. */
static inline uint64_t sim_ideal(const struct sim *s)
{
    uint64_t n_waits = s->window == 1 ? s->n_messages : 1;
    double left = (double)s->size * (double)s->n_messages, at = (double)(n_waits * s->lane[0].rtt_ns);
    for (;;) {
        double rate = 0, until = 1e18;
        for (size_t i = 0; i < s->n; i++) {
            const struct sim_lane *l = &s->lane[i];
            rate += (double)sim_rate(l, (uint64_t)at);
            if (l->change_ns && (double)l->change_ns > at && (double)l->change_ns < until)
                until = (double)l->change_ns;
        }
        if (at + left / rate * 1e9 <= until)
            return (uint64_t)(at + left / rate * 1e9);
        left -= rate * (until - at) / 1e9;
        at = until;
    }
}

#endif
