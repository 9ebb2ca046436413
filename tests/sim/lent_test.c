/* SPDX-License-Identifier: BSD-3-Clause
 *
 * lent_test: messages that go whole without a copy: their sends end when the other engine has them, whichever end
 * dialed or sends and whether a receive waits or not, and an answer that comes right behind finds the receive that is
 * posted once the send is over.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "peer/state/engine.h"
#include "sim.h"

enum { DIALER = 1, SENDER = 2, LATE = 4, ROLES = 8 };
enum { EAGER = 16 << 10, COPIED = 8 * EAGER, LONGEST = 32 * EAGER };

static struct sim sim;
static uint8_t out[LONGEST], in[2][LONGEST];
static struct hws_send_op sends[2];
static struct hws_recv_op recvs[2];

static void send(int from, size_t len)
{
    sends[from] = (struct hws_send_op){.data = {out, len, NULL}, .peer = !from, .ctx = 7};
    hws_engine_send(sim.engines[from], &sends[from]);
}

static void post(int to)
{
    recvs[to] = (struct hws_recv_op){.data = {in[to], LONGEST, NULL}, .peer = !to, .ctx = 7};
    hws_engine_recv(sim.engines[to], &recvs[to]);
}

static bool is_sent(void *from)
{
    return sends[*(int *)from].done;
}

static bool is_received(void *to)
{
    return recvs[*(int *)to].done;
}

static void some_steps(void)
{
    for (int i = 0; i < 200; i++)
        sim_step(&sim);
}

/* One message, from its send to the end of both calls. */
static void settle(int from, size_t len, bool late)
{
    int to = !from;
    memset(in, 0, sizeof in);
    if (!late)
        post(to);
    send(from, len);
    if (late)
        some_steps();
    if (late)
        post(to);
    cr_assert(sim_run(&sim, is_received, &to));
    cr_assert(sim_run(&sim, is_sent, &from));
    cr_assert_arr_eq(in[to], out, len);
}

static uint64_t announced(void)
{
    return sim_counter(&sim, 0, "rendezvous_sent") + sim_counter(&sim, 1, "rendezvous_sent");
}

static void open_pair(int dialer, const struct hws_mem_faults *faults)
{
    sim_fill(out, sizeof out, 3);
    sim_open(&sim, 2, faults, NULL, NULL);
    for (int i = 0; i < 6; i++) /* the last ones acknowledge the long ones */
        settle(i & 1 ? !dialer : dialer, i / 2 == 1 ? COPIED / 2 : 100, false);
}

static const struct hws_mem_faults one_card = {.cards = 1, .close_nth_link = -1, .capacity = 1 << 20};

/* The other process computes: its kernel has taken the message, its engine has not. */
Test(lent, a_send_is_over_when_the_other_engine_has_it)
{
    static const size_t lens[] = {COPIED, COPIED + 1, 200000, LONGEST};
    for (int roles = 0; roles < ROLES; roles++) {
        int from = !!(roles & SENDER), to = !from;
        open_pair(!!(roles & DIALER), &one_card);
        for (unsigned i = 0; i < sizeof lens / sizeof lens[0]; i++) {
            settle(to, 5000, false);
            uint64_t before = announced();
            if (!(roles & LATE))
                post(to);
            sim_away(&sim, to, true, 8);
            send(from, lens[i]);
            some_steps();
            cr_assert_eq(sends[from].done, lens[i] <= COPIED, "%zu bytes", lens[i]);
            sim_away(&sim, to, false, 0);
            cr_assert(sim_run(&sim, is_sent, &from), "an engine takes it without a receive, too");
            if (roles & LATE)
                post(to);
            cr_assert(sim_run(&sim, is_received, &to));
            cr_assert_arr_eq(in[to], out, lens[i]);
            cr_assert_eq(announced(), before, "%zu bytes go whole", lens[i]);
        }
        sim_close(&sim);
    }
}

/* A ping-pong as programs write it: each end sends, and posts its receive when that is over. */
Test(lent, an_answer_finds_its_receive)
{
    for (int roles = 0; roles < LATE; roles++) {
        int first = !!(roles & SENDER), second = !first;
        open_pair(!!(roles & DIALER), &one_card);
        uint64_t before = sim_counter(&sim, first, "unexpected");
        for (int i = 0; i < 20; i++) {
            post(second);
            send(first, LONGEST);
            cr_assert(sim_run(&sim, is_received, &second));
            send(second, LONGEST); /* right behind the acknowledgment, perhaps in one piece with it */
            cr_assert(sim_run(&sim, is_sent, &first));
            post(first);
            cr_assert(sim_run(&sim, is_received, &first));
            cr_assert(sim_run(&sim, is_sent, &second));
        }
        cr_assert_eq(sim_counter(&sim, first, "unexpected"), before);
        sim_close(&sim);
    }
}

static int n_left[2]; /* exchanges that an end has not begun */

static void exchange(int end);

static void go_on(int end)
{
    if (sends[end].done && recvs[end].done && n_left[end] > 0)
        exchange(end);
}

static void sent(struct hws_send_op *op)
{
    go_on((int)(op - sends));
}

static void received(struct hws_recv_op *op)
{
    go_on((int)(op - recvs));
}

static void exchange(int end)
{
    n_left[end]--;
    recvs[end] = (struct hws_recv_op){.data = {in[end], LONGEST, NULL}, .peer = !end, .ctx = 7, .on_done = received};
    sends[end] = (struct hws_send_op){.data = {out, LONGEST, NULL}, .peer = !end, .ctx = 7, .on_done = sent};
    hws_engine_recv(sim.engines[end], &recvs[end]);
    hws_engine_send(sim.engines[end], &sends[end]);
}

static bool is_over(void *unused)
{
    (void)unused;
    return !n_left[0] && !n_left[1] && is_sent(&(int){0}) && is_sent(&(int){1}) && is_received(&(int){0}) &&
           is_received(&(int){1});
}

/* As an allreduce does: each end's next message begins as soon as its last is over. One end finds the other's message
 * and the acknowledgment of its own in one piece, so its own acknowledgment is not out yet when it sends again. */
Test(lent, an_exchange_right_behind_another_is_not_announced)
{
    for (int roles = 0; roles < LATE; roles++) {
        int late = !!(roles & SENDER);
        open_pair(!!(roles & DIALER), &one_card);
        for (int i = 0; i < 20; i++) {
            uint64_t before = announced();
            n_left[0] = n_left[1] = 2;
            exchange(late);
            some_steps();
            sim_away(&sim, late, true, 8);
            exchange(!late);
            some_steps();
            sim_away(&sim, late, false, 0);
            cr_assert(sim_run(&sim, is_over, NULL));
            cr_assert_eq(announced(), before, "of exchange %d", i);
        }
        sim_close(&sim);
    }
}

/* The memory is the sender's until then, and is sent from once more when the connection dies. */
Test(lent, what_a_dead_connection_had_comes_again)
{
    uint64_t resends = 0;
    for (int cut = 1; cut < 40; cut++) {
        const struct hws_mem_faults faults = {.cards = 1,
                                              .close_nth_link = -1,
                                              .capacity = 1 << 20,
                                              .close_at = 600000 + (uint64_t)cut * 7000,
                                              .lose_in_flight = cut & 4};
        open_pair(cut & 1, &faults);
        for (int i = 0; i < 6; i++)
            settle(i & 1, COPIED + 1 + (size_t)cut * 9000, cut & 2);
        resends += sim_counter(&sim, 0, "resends") + sim_counter(&sim, 1, "resends");
        sim_close(&sim);
    }
    cr_assert_gt(resends, 0);
}
