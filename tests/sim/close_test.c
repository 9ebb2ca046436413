/* SPDX-License-Identifier: BSD-3-Clause
 *
 * close_test: the connection dies after exactly so many bytes, at every offset through the hello and the first frames,
 * and at random ones in bulk, and nothing is kept (survive_test has the rest). Every operation ends; what is reported
 * received is whole, right and in order; each side is told of the loss once; and a connection that dies before its
 * hello is over costs nothing at all.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "../support/seed.h"
#include "sim.h"
#include "wire/wire.h"

enum { N = 10 };

/* Bytes of the acceptor's half of the hello: CHALLENGE and VERDICT (docs/wire.md section 2). With fewer than these in
 * each direction neither end can believe to be connected. */
enum { HELLO_BYTES = HWS_CHALLENGE_LEN + HWS_VERDICT_LEN };

static const struct {
    size_t len;
    enum hws_send_mode mode;
} plan[N] = {
    {10, HWS_STANDARD},   {0, HWS_STANDARD},    {300, HWS_SYNC},  {3000, HWS_STANDARD}, {20000, HWS_STANDARD},
    {4096, HWS_STANDARD}, {4097, HWS_STANDARD}, {9000, HWS_SYNC}, {17, HWS_STANDARD},   {30000, HWS_SYNC},
};

struct end {
    struct hws_send_op sends[N];
    struct hws_recv_op recvs[N];
    uint8_t *out[N], *in[N];
    int n_sent, n_posted;
    bool is_sender;
};

struct pair {
    struct sim sim;
    struct end ends[2];
};

static void set_up(struct hws_engine_config *cfg, void *arg)
{
    cfg->params.tcp_eager = 4096;
    cfg->params.tcp_max_frag = 4096;
    cfg->params.tcp_con_retries = 2;
    cfg->params.survive = 0;
    cfg->params.connect_ms = 10;
    cfg->params.deadline_ms = 300;
    (void)arg;
}

static void start_next(struct pair *t, int me)
{
    struct end *e = &t->ends[me];
    struct hws_engine *engine = t->sim.engines[me];
    if (hws_test_random(2) && e->is_sender && e->n_sent < N) {
        int i = e->n_sent++;
        e->sends[i].data = (struct hws_data){e->out[i], plan[i].len, NULL};
        e->sends[i].peer = 1 - me;
        e->sends[i].tag = i;
        e->sends[i].mode = plan[i].mode;
        hws_engine_send(engine, &e->sends[i]);
    } else if (t->ends[1 - me].is_sender && e->n_posted < N) {
        int i = e->n_posted++;
        e->recvs[i].data = (struct hws_data){e->in[i], plan[i].len, NULL};
        e->recvs[i].peer = 1 - me;
        e->recvs[i].tag = HWS_ANY_TAG; /* so that a message that overtakes another is seen */
        hws_engine_recv(engine, &e->recvs[i]);
    }
}

static bool is_end_over(const struct end *e, bool other_sends)
{
    if ((e->is_sender && e->n_sent < N) || (other_sends && e->n_posted < N))
        return false;
    for (int i = 0; i < N; i++)
        if ((e->is_sender && !e->sends[i].done) || (other_sends && !e->recvs[i].done))
            return false;
    return true;
}

static bool is_over(void *arg)
{
    struct pair *t = arg;
    for (int me = 0; me < 2; me++)
        if (hws_test_random(2))
            start_next(t, me);
    return is_end_over(&t->ends[0], t->ends[1].is_sender) && is_end_over(&t->ends[1], t->ends[0].is_sender);
}

/* Returns how many receives succeeded. Those that did not must come after those that did: MPI's order leaves no gap. */
static int check_received(const struct end *e, int me, uint64_t close_at)
{
    int n_ok = 0;
    for (int i = 0; i < N; i++) {
        const struct hws_recv_op *op = &e->recvs[i];
        if (op->err != HWS_OK)
            continue;
        n_ok++;
        cr_assert_eq(op->from_peer, 1 - me);
        cr_assert_eq(op->from_tag, i, "closed at %d: receive %d got message %d", (int)close_at, i, op->from_tag);
        cr_assert_eq(op->from_len, plan[i].len);
        cr_assert_eq(sim_differs(e->in[i], plan[i].len, (uint64_t)(100 * (1 - me) + i)), plan[i].len);
    }
    return n_ok;
}

/* What is started once the other end is lost fails, and at once. */
static void check_after_loss(struct pair *t, int me)
{
    struct hws_send_op send = {.peer = 1 - me};
    struct hws_recv_op recv = {.peer = 1 - me, .ctx = 77};
    hws_engine_send(t->sim.engines[me], &send);
    hws_engine_recv(t->sim.engines[me], &recv);
    cr_assert(send.done && send.err != HWS_OK);
    cr_assert(recv.done && recv.err != HWS_OK);
    cr_assert_neq(hws_engine_peer_reason(t->sim.engines[me], 1 - me)[0], '\0');
}

static void allocate(struct end *e, int me)
{
    for (int i = 0; i < N; i++) {
        e->out[i] = malloc(plan[i].len + 1);
        e->in[i] = malloc(plan[i].len + 1);
        cr_assert(e->out[i] && e->in[i]);
        sim_fill(e->out[i], plan[i].len, (uint64_t)(100 * me + i));
    }
}

static void release(struct end *e)
{
    for (int i = 0; i < N; i++) {
        free(e->out[i]);
        free(e->in[i]);
    }
}

/* directions: 1: engine 0 sends, 2: engine 1 sends, 3: both. */
static void run_close(uint64_t close_at, int nth_link, int directions)
{
    struct hws_mem_faults f = {.seed = hws_test_next(), .close_at = close_at, .close_nth_link = nth_link};
    if (hws_test_random(2))
        f.max_read = f.max_write = 1 + hws_test_random(2000);
    struct pair *t = calloc(1, sizeof *t);
    cr_assert_not_null(t);
    sim_open(&t->sim, 2, &f, set_up, NULL);
    for (int me = 0; me < 2; me++) {
        allocate(&t->ends[me], me);
        t->ends[me].is_sender = directions >> me & 1;
    }
    cr_assert(sim_run(&t->sim, is_over, t), "hangs when closed at byte %d of link %d", (int)close_at, nth_link);
    for (int me = 0; me < 2; me++) {
        int n_ok = t->ends[1 - me].is_sender ? check_received(&t->ends[me], me, close_at) : N;
        unsigned n_lost = t->sim.n_lost[me][1 - me];
        cr_assert_leq(n_lost, 1);
        cr_assert(n_lost || n_ok == N, "closed at %d: a receive failed although nobody was lost", (int)close_at);
        if (nth_link == 0 && close_at < HELLO_BYTES)
            cr_assert(!n_lost && n_ok == N, "closed at %d, before the hello was over: must be dialled again",
                      (int)close_at);
        if (n_lost)
            check_after_loss(t, me);
    }
    sim_close(&t->sim);
    release(&t->ends[0]);
    release(&t->ends[1]);
    free(t);
}

Test(close, a_first_link_that_dies_at_any_byte_of_the_hello_costs_nothing)
{
    hws_test_seed("close");
    for (uint64_t at = 1; at < HELLO_BYTES; at++)
        run_close(at, 0, 1 + (int)(at % 3));
}

Test(close, at_every_byte_of_the_first_frames)
{
    hws_test_seed("close");
    for (uint64_t at = HELLO_BYTES; at < 700; at++)
        run_close(at, 0, 1 + (int)hws_test_random(3));
}

Test(close, somewhere_in_long_messages)
{
    hws_test_seed("close");
    for (int i = 0; i < 300; i++)
        run_close(700 + hws_test_random(70000), 0, 1 + (int)hws_test_random(3));
}

Test(close, links_that_all_die_early_lose_the_peer_and_nothing_hangs)
{
    hws_test_seed("close");
    int n_rounds = hws_test_rounds(25);
    for (int i = 0; i < n_rounds;
         i++) /* both send: who only waits to receive cannot know that nobody gets through to him */
        run_close(1 + hws_test_random(HELLO_BYTES - 1), -1, 3);
}

Test(close, links_that_all_die_late)
{
    hws_test_seed("close");
    int n_rounds = hws_test_rounds(50);
    for (int i = 0; i < n_rounds; i++)
        run_close(HELLO_BYTES + hws_test_random(5000), -1, 1 + i % 3);
}
