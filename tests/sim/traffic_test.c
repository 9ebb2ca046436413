/* SPDX-License-Identifier: BSD-3-Clause
 *
 * traffic_test: random messages between random engines over a network that cuts, delays and refuses, with random
 * protocol sizes. Nothing may be lost, come twice, out of MPI's order, or with other bytes (MPI 5.0 section 3.5).
 * Prints its seed; HAWSER_TEST_SEED repeats a run.
 *
 * All receives of one engine in one context are of one kind, so that for each receive it is known which message of its
 * sender it must have got: the first not yet received that its pattern admits.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "../support/seed.h"
#include "sim.h"

enum { N_CTX = 3, N_TAGS = 4, MAX_MSGS = 400 };

enum kind { EXACT, ANY_PEER, ANY_TAG, ANY_BOTH, PROBED, N_KINDS };

struct message {
    int src, dst;
    uint32_t ctx;
    int32_t tag;
    size_t len;
    const struct hws_layout *layout; /* or NULL */
    bool is_received;
    uint8_t *bytes;
    struct hws_send_op op;
};

struct receive {
    size_t room;
    const struct hws_layout *layout;
    bool is_posted;
    uint8_t *bytes;
    struct hws_recv_op op;
};

struct traffic {
    struct sim sim;
    int n_msgs;
    struct message msgs[MAX_MSGS];  /* those of one sender leave in this order */
    struct receive recvs[MAX_MSGS]; /* recvs[i] exists because of msgs[i]; of one receiver in this order */
    enum kind kinds[SIM_MAX][N_CTX];
    int next_send[SIM_MAX], next_recv[SIM_MAX];
};

static size_t random_len(void)
{
    static const size_t edges[] = {0, 1, 255, 256, 257, 1023, 1024, 1025, 4096, 16383, 16384, 16385, 65536, 65537};
    if (hws_test_random(3) == 0)
        return edges[hws_test_random(sizeof edges / sizeof edges[0])];
    return hws_test_next() >> (64 - 1 - hws_test_random(17));
}

static const struct hws_layout *random_layout(void)
{
    const struct hws_layout *const layouts[] = {NULL, NULL, NULL, NULL, &sim_strided, &sim_in_runs};
    return layouts[hws_test_random(sizeof layouts / sizeof layouts[0])];
}

static void make_message(struct traffic *t, int i)
{
    struct message *m = &t->msgs[i];
    struct receive *r = &t->recvs[i];
    m->src = (int)hws_test_random((uint64_t)t->sim.n);
    m->dst = (int)hws_test_random((uint64_t)t->sim.n);
    m->ctx = (uint32_t)hws_test_random(N_CTX);
    m->tag = (int32_t)hws_test_random(N_TAGS);
    m->len = random_len();
    m->layout = random_layout();
    m->bytes = malloc(2 * m->len + 1);
    uint8_t *packed = m->layout ? malloc(m->len + 1) : m->bytes;
    cr_assert(m->bytes && packed);
    sim_fill(packed, m->len, (uint64_t)i);
    if (m->layout) {
        memset(m->bytes, 0xee, 2 * m->len + 1);
        m->layout->unpack(m->layout, m->bytes, 0, packed, m->len);
        free(packed);
    }
    enum kind kind = t->kinds[m->dst][m->ctx];
    r->op.ctx = m->ctx;
    r->op.peer = kind == ANY_PEER || kind >= ANY_BOTH ? HWS_ANY_PEER : m->src;
    r->op.tag = kind == ANY_TAG || kind >= ANY_BOTH ? HWS_ANY_TAG : m->tag;
    r->layout = random_layout();
    /* Which message a wildcard gets is open, so only exact receives may be too short on purpose. */
    r->room = kind == EXACT && hws_test_random(6) == 0 ? hws_test_random(m->len + 1) : 70000;
    if (m->len > r->room && kind != EXACT)
        r->room = m->len;
    r->bytes = malloc(2 * r->room + 2);
    cr_assert_not_null(r->bytes);
    memset(r->bytes, 0xee, 2 * r->room + 2);
}

static bool with_crc; /* every frame is checked: bits may flip */

static void random_params(struct hws_engine_config *cfg, void *arg)
{
    const uint64_t *seed = arg;
    uint64_t keep = hws_test_state;
    hws_test_state = *seed; /* equal for all engines of a job, as the launcher sees to */
    static const uint64_t eagers[] = {0, 1, 64, 1000, 16384};
    cfg->params.tcp_eager = eagers[hws_test_random(5)];
    cfg->params.tcp_max_frag = 4096u << hws_test_random(5);
    cfg->params.credit = 4096u << hws_test_random(9);
    cfg->params.lanes = hws_test_random(3);
    cfg->params.crc = hws_test_random(3) == 0 || with_crc;
    hws_test_state = keep;
}

static void random_faults(struct hws_mem_faults *f)
{
    memset(f, 0, sizeof *f);
    f->seed = hws_test_next();
    f->close_nth_link = -1;
    if (hws_test_random(2))
        f->max_read = (size_t)1 << hws_test_random(12);
    if (hws_test_random(2))
        f->max_write = (size_t)1 << hws_test_random(12);
    if (hws_test_random(3) == 0)
        f->capacity = 200 + hws_test_random(5000);
    f->delay_pumps = (unsigned)(hws_test_random(2) * hws_test_random(20));
    f->refuse_percent = (unsigned)(hws_test_random(2) * hws_test_random(60));
}

/* Links that die, all of them again and again, and lose what is in flight; several pairs of interfaces. A link lives
 * long enough for the largest frame. */
static void random_deaths(struct hws_mem_faults *f)
{
    f->cards = (int)hws_test_random(5);
    f->lose_in_flight = hws_test_random(2);
    if (hws_test_random(2)) {
        f->close_read_at = 135000 + hws_test_random(70000); /* the longest frame comes whole in between */
    } else {
        f->close_at = 1 + hws_test_random(50000);
        f->close_nth_link = (int)hws_test_random(4);
    }
}

static void start_send(struct traffic *t, struct message *m)
{
    m->op.data = (struct hws_data){m->bytes, m->len, m->layout};
    m->op.peer = m->dst;
    m->op.ctx = m->ctx;
    m->op.tag = m->tag;
    m->op.mode = hws_test_random(4) == 0 ? HWS_SYNC : HWS_STANDARD;
    if (hws_test_random(2))
        hws_engine_send(t->sim.engines[m->src], &m->op);
    else
        hws_engine_send_now(t->sim.engines[m->src], &m->op);
}

/* False: a probed receive whose message is not there yet. */
static bool start_recv(struct traffic *t, struct receive *r, int me, enum kind kind)
{
    struct hws_engine *e = t->sim.engines[me];
    r->op.data = (struct hws_data){r->bytes, r->room, r->layout};
    if (kind != PROBED) {
        hws_engine_recv(e, &r->op);
    } else {
        struct hws_envelope env, again;
        if (!hws_engine_probe(e, r->op.peer, r->op.ctx, r->op.tag, &env))
            return false;
        struct hws_message *msg = hws_engine_mprobe(e, r->op.peer, r->op.ctx, r->op.tag, &again);
        cr_assert(msg && env.peer == again.peer && env.tag == again.tag && env.len_bytes == again.len_bytes,
                  "a probe must name the message that is received next");
        hws_engine_mrecv(e, msg, &r->op);
    }
    r->is_posted = true;
    return true;
}

/* Starts what one engine does next: its next send or its next receive. */
static void start_one(struct traffic *t, int me)
{
    if (hws_test_random(2)) {
        int i = t->next_send[me];
        while (i < t->n_msgs && t->msgs[i].src != me)
            i++;
        if (i < t->n_msgs)
            start_send(t, &t->msgs[i++]);
        t->next_send[me] = i;
        return;
    }
    int i = t->next_recv[me];
    while (i < t->n_msgs && t->msgs[i].dst != me)
        i++;
    if (i < t->n_msgs && start_recv(t, &t->recvs[i], me, t->kinds[me][t->msgs[i].ctx]))
        i++;
    t->next_recv[me] = i;
}

/* Everything started and done. Starts more on the way. */
static bool is_over(void *arg)
{
    struct traffic *t = arg;
    bool is_started = true;
    for (int k = 0; k < t->sim.n; k++) {
        if (hws_test_random(3) == 0)
            start_one(t, k);
        is_started &= t->next_send[k] == t->n_msgs && t->next_recv[k] == t->n_msgs;
    }
    if (!is_started)
        return false;
    for (int i = 0; i < t->n_msgs; i++)
        if (!t->msgs[i].op.done || !t->recvs[i].op.done)
            return false;
    return true;
}

/* The message that a receive must have got. */
static int expected(const struct traffic *t, const struct receive *r, int me)
{
    for (int i = 0; i < t->n_msgs; i++) {
        const struct message *m = &t->msgs[i];
        if (m->dst == me && m->ctx == r->op.ctx && m->src == r->op.from_peer && !m->is_received &&
            (r->op.tag == HWS_ANY_TAG || r->op.tag == m->tag))
            return i;
    }
    return -1;
}

/* The n bytes of a message, and nothing else, were written. */
static void check_bytes(const struct receive *r, size_t n, uint64_t number)
{
    uint8_t *packed = malloc(n + 1);
    cr_assert_not_null(packed);
    if (r->layout)
        r->layout->pack(r->layout, r->bytes, 0, packed, n);
    else
        memcpy(packed, r->bytes, n);
    cr_assert_eq(sim_differs(packed, n, number), n, "message %d, byte %zu of %zu", (int)number,
                 sim_differs(packed, n, number), n);
    memset(packed, 0xee, n);
    if (r->layout)
        r->layout->unpack(r->layout, r->bytes, 0, packed, n);
    else
        memcpy(r->bytes, packed, n);
    for (size_t i = 0; i < 2 * r->room + 2; i++)
        cr_assert_eq(r->bytes[i], 0xee,
                     "byte %zu, no part of message %d of %zu bytes, was written, room %zu, peer %d tag %d", i,
                     (int)number, n, r->room, r->op.from_peer, r->op.from_tag);
    free(packed);
}

static void check_receive(struct traffic *t, int k)
{
    struct receive *r = &t->recvs[k];
    int me = t->msgs[k].dst, i = expected(t, r, me);
    cr_assert_geq(i, 0, "receive %d got a message from %d that was never sent", k, r->op.from_peer);
    struct message *m = &t->msgs[i];
    m->is_received = true;
    cr_assert_eq(r->op.from_tag, m->tag, "receive %d: message %d overtaken", k, i);
    cr_assert_eq(r->op.from_len, m->len, "receive %d: message %d overtaken", k, i);
    cr_assert_eq(r->op.err, m->len > r->room ? HWS_ETRUNCATE : HWS_OK);
    check_bytes(r, m->len < r->room ? m->len : r->room, (uint64_t)i);
}

static void run_traffic(int n_engines, int n_msgs, const struct hws_mem_faults *faults)
{
    struct traffic *t = calloc(1, sizeof *t);
    uint64_t param_seed = hws_test_next();
    cr_assert_not_null(t);
    sim_open(&t->sim, n_engines, faults, random_params, &param_seed);
    for (int k = 0; k < n_engines; k++)
        for (int c = 0; c < N_CTX; c++)
            t->kinds[k][c] = (enum kind)hws_test_random(N_KINDS);
    t->n_msgs = n_msgs;
    for (int i = 0; i < n_msgs; i++)
        make_message(t, i);
    cr_assert(sim_run(&t->sim, is_over, t), "the engines hang");
    for (int i = 0; i < n_msgs; i++) {
        cr_assert_eq(t->msgs[i].op.err, HWS_OK);
        check_receive(t, i);
    }
    for (int k = 0; k < n_engines; k++) {
        cr_assert_eq(sim_counter(&t->sim, k, "unexpected_queue"), 0);
        cr_assert_eq(sim_counter(&t->sim, k, "unexpected_bytes"), 0);
        for (int p = 0; p < n_engines; p++)
            cr_assert_eq(t->sim.n_lost[k][p], 0, "engine %d lost %d", k, p);
    }
    sim_close(&t->sim);
    for (int i = 0; i < n_msgs; i++) {
        free(t->msgs[i].bytes);
        free(t->recvs[i].bytes);
    }
    free(t);
}

Test(traffic, two_engines_over_a_perfect_network)
{
    struct hws_mem_faults none = {.close_nth_link = -1};
    hws_test_seed("traffic");
    int n_rounds = hws_test_rounds(10);
    for (int i = 0; i < n_rounds; i++)
        run_traffic(2, 200, &none);
}

Test(traffic, two_engines_one_byte_at_a_time)
{
    struct hws_mem_faults f = {.seed = 1, .max_read = 1, .max_write = 1, .close_nth_link = -1};
    hws_test_seed("traffic");
    run_traffic(2, 40, &f);
}

Test(traffic, many_engines_over_a_bad_network)
{
    hws_test_seed("traffic");
    int n_rounds = hws_test_rounds(20);
    for (int i = 0; i < n_rounds; i++) {
        struct hws_mem_faults f;
        random_faults(&f);
        run_traffic(2 + (int)hws_test_random(SIM_MAX - 1), 30 + (int)hws_test_random(200), &f);
    }
}

Test(traffic, many_engines_whose_links_die)
{
    hws_test_seed("traffic");
    int n_rounds = hws_test_rounds(15);
    for (int i = 0; i < n_rounds; i++) {
        struct hws_mem_faults f;
        random_faults(&f);
        random_deaths(&f);
        run_traffic(2 + (int)hws_test_random(3), 30 + (int)hws_test_random(200), &f);
    }
}

Test(traffic, damaged_frames_come_again)
{
    hws_test_seed("traffic");
    with_crc = true;
    int n_rounds = hws_test_rounds(10);
    for (int i = 0; i < n_rounds; i++) {
        struct hws_mem_faults f;
        random_faults(&f);
        f.cards = (int)hws_test_random(3);
        f.flip_every = 200001 + hws_test_random(50000); /* the longest frame comes whole in between */
        run_traffic(2, 30 + (int)hws_test_random(200), &f);
    }
}
