/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sim: see sim.h.
 */
#include "sim.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "../support/seed.h"
#include "base/clock.h"
#include "peer/info.h"
#include "peer/state/engine.h"
#include "virtual.h"

#define HANG_NS    30000000000ull  /* without a movement */
#define VIRTUAL_NS 300000000000ull /* in all, where a test lets time pass by itself */
#define BUSY_NS    10000           /* a step in which something moved */
#define IDLE_NS    50000           /* one in which only a timer can go on, such as that of a dial that waits */

static int lookup(void *arg, int peer, char *card, size_t len)
{
    (void)arg;
    snprintf(card, len, "mem-%d", peer);
    return HWS_OK;
}

static void on_peer_lost(void *arg, int peer, enum hws_err why, const char *text)
{
    struct sim *s = *(struct sim **)arg;
    int me = (int)((char *)arg - (char *)s->self) / (int)sizeof s->self[0];
    cr_assert_neq(why, HWS_OK);
    cr_assert_neq(text[0], '\0');
    s->n_lost[me][peer]++;
}

void sim_open(struct sim *s, int n, const struct hws_mem_faults *faults,
              void (*tweak)(struct hws_engine_config *cfg, void *arg), void *arg)
{
    char err[512] = "";
    memset(s, 0, sizeof *s);
    virtual_begin();
    s->n = n;
    s->net = hws_mem_net_new(faults);
    cr_assert_not_null(s->net);
    for (int i = 0; i < n; i++) {
        struct hws_engine_config cfg = {.n_peers = n, .me = i, .n_local = n, .job_id = 42, .lookup = lookup};
        s->self[i].sim = s;
        s->self[i].me = i;
        cr_assert_eq(hws_params_load(&cfg.params, err, sizeof err), HWS_OK, "%s", err);
        cfg.params.connect_ms = 20;
        cfg.params.tcp_con_retries = 1000;
        cfg.secret[7] = 1;
        cfg.lookup_arg = &s->self[i];
        cfg.on_peer_lost = on_peer_lost;
        cfg.open_transport = hws_mem_open;
        cfg.transport_arg = hws_mem_net_place(s->net, i);
        if (tweak)
            tweak(&cfg, arg);
        cr_assert_eq(hws_engine_open(&cfg, &s->engines[i], err, sizeof err), HWS_OK, "%s", err);
    }
}

void sim_close(struct sim *s)
{
    for (int i = 0; i < s->n; i++)
        hws_engine_fini(s->engines[i]);
    hws_mem_net_free(s->net);
    virtual_end();
}

static bool step_all(struct sim *s)
{
    bool moved = false;
    int first = (int)hws_test_random((uint64_t)s->n);
    for (int i = 0; i < s->n; i++)
        if (!s->away[(first + i) % s->n])
            moved |= hws_engine_progress(s->engines[(first + i) % s->n]);
    moved |= hws_mem_net_pump(s->net);
    if (s->on_step)
        s->on_step(s, moved);
    else
        virtual_pass(moved ? BUSY_NS : IDLE_NS);
    return moved;
}

void sim_away(struct sim *s, int engine, bool away, int backlog)
{
    s->away[engine] = away;
    hws_mem_net_away(s->net, engine, away, backlog);
}

void sim_step(struct sim *s)
{
    step_all(s);
}

static int length(const struct hws_list *head)
{
    int n = 0;
    for (const struct hws_list *i = head->next; i != head; i = i->next)
        n++;
    return n;
}

static void dump_lane(const struct hws_lane *l)
{
    fprintf(stderr, "      lane %d: queued %zu, kept %d, received %d, acked %d, sink %zu, blocked %d, dirty %d\n",
            l->path->number, l->out.queued_bytes, (int)(l->out.sent - l->out.released), (int)l->in.received,
            (int)l->in.acked, l->in.sink.left, l->out.want_write, !hws_list_is_empty(&l->dirty_node));
}

/* What a hanging engine waits for. */
static void dump(const struct hws_engine *e)
{
    for (int i = 0; i < e->cfg.n_peers; i++) {
        const struct hws_peer *p = e->peers[i];
        if (!p || i == e->cfg.me)
            continue;
        if (hws_peer_is_over(p))
            fprintf(stderr, "  %d has lost %d: %s\n", e->cfg.me, i, p->reason);
        fprintf(stderr,
                "  %d to %d: up %u%s%s, retry %d, pending %d, answers %d, bulk %d (%d), under way %d, parked %d, "
                "resend %d, "
                "outages %d, torn %d, credit %d, ended %d\n",
                e->cfg.me, i, p->n_up, p->dial ? ", dials" : "", hws_peer_is_over(p) ? ", lost" : "",
                hws_timer_is_set(&p->attempt.retry), length(&p->out.pending), length(&p->out.answers),
                length(&p->out.bulk), (int)p->out.bulk_left, length(&p->in.under_way), length(&p->in.parked),
                length(&p->kept.resend), length(&p->kept.outages), length(&p->in.torn), (int)p->account.credit,
                length(&e->work.ended));
        for (unsigned k = 0; k < p->n_up; k++)
            dump_lane(p->up[k]);
    }
}

bool sim_run(struct sim *s, bool (*is_done)(void *arg), void *arg)
{
    uint64_t begin = 0, first = hws_clock_ns();
    for (unsigned n_idle = 0; !is_done(arg);) {
        n_idle = step_all(s) ? 0 : n_idle + 1;
        if (s->on_step && hws_clock_ns() - first > VIRTUAL_NS)
            break;
        if (n_idle < 100) {
            begin = 0;
            continue;
        }
        if (!begin)
            begin = hws_clock_ns();
        else if (hws_clock_ns() - begin > HANG_NS)
            break;
    }
    for (int i = 0; i < s->n && !is_done(arg); i++)
        dump(s->engines[i]);
    return is_done(arg);
}

uint64_t sim_counter(const struct sim *s, int engine, const char *name)
{
    struct hws_counter all[64];
    size_t n = hws_engine_counters(s->engines[engine], all, 64);
    for (size_t i = 0; i < n; i++)
        if (strcmp(all[i].name, name) == 0)
            return all[i].value;
    cr_assert_fail("no counter '%s'", name);
    return 0;
}

static uint8_t byte_of(size_t i, uint64_t number)
{
    uint64_t z = (i / 8 + 1) * 0x9e3779b97f4a7c15ull ^ number * 0xd1342543de82ef95ull;
    z ^= z >> 29;
    return (uint8_t)(z * 0xbf58476d1ce4e5b9ull >> (8 * (i % 8)));
}

void sim_fill(uint8_t *dst, size_t n, uint64_t number)
{
    for (size_t i = 0; i < n; i++)
        dst[i] = byte_of(i, number);
}

size_t sim_differs(const uint8_t *bytes, size_t n, uint64_t number)
{
    for (size_t i = 0; i < n; i++)
        if (bytes[i] != byte_of(i, number))
            return i;
    return n;
}

static void pack(const struct hws_layout *l, const void *base, uint64_t offset, void *dst, size_t n)
{
    (void)l;
    for (size_t i = 0; i < n; i++)
        ((uint8_t *)dst)[i] = ((const uint8_t *)base)[2 * (offset + i)];
}

static void unpack(const struct hws_layout *l, void *base, uint64_t offset, const void *src, size_t n)
{
    (void)l;
    for (size_t i = 0; i < n; i++)
        ((uint8_t *)base)[2 * (offset + i)] = ((const uint8_t *)src)[i];
}

const struct hws_layout sim_strided = {pack, unpack, NULL};

/* Where byte i is, and how many follow it in its run. */
static uint8_t *run_at(const void *base, uint64_t i, size_t *left)
{
    *left = SIM_RUN - i % SIM_RUN;
    return (uint8_t *)(uintptr_t)base + i / SIM_RUN * (2 * SIM_RUN) + i % SIM_RUN;
}

static void pack_runs(const struct hws_layout *l, const void *base, uint64_t offset, void *dst, size_t n)
{
    size_t left;
    (void)l;
    for (size_t i = 0; i < n; i++)
        ((uint8_t *)dst)[i] = *run_at(base, offset + i, &left);
}

static void unpack_runs(const struct hws_layout *l, void *base, uint64_t offset, const void *src, size_t n)
{
    size_t left;
    (void)l;
    for (size_t i = 0; i < n; i++)
        *run_at(base, offset + i, &left) = ((const uint8_t *)src)[i];
}

static int name_runs(const struct hws_layout *l, const void *base, uint64_t offset, size_t n, struct iovec *iov,
                     int max, size_t *covered)
{
    int k = 0;
    (void)l;
    for (*covered = 0; k < max && *covered < n; *covered += iov[k++].iov_len) {
        size_t left;
        iov[k].iov_base = run_at(base, offset + *covered, &left);
        iov[k].iov_len = left < n - *covered ? left : n - *covered;
    }
    return k;
}

const struct hws_layout sim_in_runs = {pack_runs, unpack_runs, name_runs};
