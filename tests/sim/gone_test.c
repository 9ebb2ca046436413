/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gone_test: a rank waits for any source, in a receive or in probes, and all others have called MPI_Finalize or died
 * (src/peer/engine/gone.c, decision 026), whether they have met before or not: the wait fails. Where another thread
 * could still send to its own rank, a line says so instead, and it may. Time is virtual.
 */
#include <criterion/criterion.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "../support/seed.h"
#include "peer/engine/parts.h"
#include "peer/state/engine.h"
#include "peer/engine/waiters.h"
#include "sim.h"
#include "virtual.h"

enum { N = 3, LIMIT_MS = 60000, TAG = 5 };

struct test {
    struct sim sim;
    int waiter;
    bool probes; /* else it has a receive posted */
    bool dead[N];
    struct hws_recv_op recv;
};

static void set_up(struct hws_engine_config *cfg, void *arg)
{
    cfg->locking = *(const bool *)arg;
    cfg->n_local = 1;
    cfg->params.tcp_con_retries = 3;
}

/* As a wait does before each sleep. */
static void on_step(struct sim *sim, bool moved)
{
    const struct test *t = hws_container_of(sim, struct test, sim);
    struct hws_envelope env;
    virtual_pass(moved ? 20000 : 1000000);
    if (t->probes)
        hws_engine_probe(sim->engines[t->waiter], HWS_ANY_PEER, 0, TAG, &env);
    hws_engine_may_strand(sim->engines[t->waiter]);
}

static void run_for(struct test *t, uint64_t ms)
{
    for (uint64_t end = virtual_now() + ms * 1000000; virtual_now() < end;)
        sim_step(&t->sim);
}

/* One message for each pair: who sends it dials. */
static void meet(struct test *t)
{
    struct hws_send_op sends[N * N] = {{.done = false}};
    struct hws_recv_op recvs[N * N] = {{.done = false}};
    for (int a = 0; a < N; a++)
        for (int b = 0; b < a; b++) {
            int from = hws_test_random(2) ? a : b, to = a + b - from;
            sends[N * a + b] = (struct hws_send_op){.peer = to, .tag = 1};
            recvs[N * a + b] = (struct hws_recv_op){.peer = from, .tag = 1};
            hws_engine_recv(t->sim.engines[to], &recvs[N * a + b]);
            hws_engine_send(t->sim.engines[from], &sends[N * a + b]);
        }
    run_for(t, 500);
    for (int a = 0; a < N; a++)
        for (int b = 0; b < a; b++)
            cr_assert(sends[N * a + b].done && recvs[N * a + b].done);
}

static void die(struct test *t, int who)
{
    sim_away(&t->sim, who, true, 0);
    hws_mem_net_trouble(t->sim.net, -1, who, 0, HWS_MEM_REFUSED);
    for (int i = 0; i < N; i++)
        if (i != who)
            hws_mem_net_cut(t->sim.net, i, who);
}

/* dead: a bit for each other rank in turn; the rest finalize. */
static void begin(struct test *t, int waiter, bool probes, bool met, int dead, bool locking)
{
    static const struct hws_mem_faults none = {.cards = 1, .close_nth_link = -1};
    memset(t, 0, sizeof *t);
    sim_open(&t->sim, N, &none, set_up, &locking);
    t->waiter = waiter;
    t->sim.on_step = on_step;
    if (met)
        meet(t);
    struct hws_engine *e = t->sim.engines[waiter];
    static struct hws_waiter driver;
    if (locking) /* a thread is in a wait */
        e->threads.driver = &driver;
    else
        e->threads.waits_alone = true;
    t->probes = probes;
    if (!probes) {
        t->recv = (struct hws_recv_op){.peer = HWS_ANY_PEER, .tag = TAG};
        hws_engine_recv(e, &t->recv);
    }
    for (int round = 0; round < 2; round++) /* who is in MPI_Finalize has flushed before anybody dies */
        for (int i = 0, k = 0; i < N; i++) {
            bool dies = i != waiter && (dead >> k & 1);
            k += i != waiter;
            if (dies && round == 1)
                die(t, i);
            else if (i != waiter && !dies && round == 0)
                hws_engine_end(t->sim.engines[i], hws_test_random(2));
        }
}

static bool has_failed(struct test *t)
{
    int peer;
    if (!t->probes)
        return t->recv.done;
    return hws_engine_any_lost(t->sim.engines[t->waiter], &peer) > 0 && peer != t->waiter;
}

static void run_alone(int waiter, bool probes, bool met, int dead, bool locking)
{
    struct test t;
    begin(&t, waiter, probes, met, dead, locking);
    while (!has_failed(&t) && virtual_now() / 1000000 < LIMIT_MS)
        sim_step(&t.sim);
    cr_assert(has_failed(&t), "rank %d waits for ever: probes %d, met %d, dead %d, locking %d", waiter, probes, met,
              dead, locking);
    if (!probes)
        cr_assert(t.recv.err == HWS_EPEERDEAD && t.recv.from_peer != waiter);
    sim_close(&t.sim);
}

Test(gone, who_waits_for_any_when_all_others_are_over_fails)
{
    hws_test_seed("gone");
    for (int i = 0; i < N * 2 * 2 * 4; i++)
        run_alone(i % N, i / N % 2, i / (2 * N) % 2, i / (4 * N), false);
}

static void *sit(void *arg)
{
    char c;
    return read(*(const int *)arg, &c, 1) < 0 ? arg : NULL;
}

/* Another thread is there for as long as it runs. */
static void run_with_thread(int waiter, bool probes, char *said, size_t len)
{
    struct test t;
    struct hws_send_op own = {.peer = waiter, .tag = TAG};
    struct hws_envelope env;
    pthread_t thread;
    int lines[2], word[2], saved = dup(2);
    cr_assert(pipe(lines) == 0 && pipe(word) == 0);
    cr_assert_eq(pthread_create(&thread, NULL, sit, &word[0]), 0);
    dup2(lines[1], 2);
    begin(&t, waiter, probes, true, waiter, true);
    run_for(&t, 30000);
    bool has_died = waiter != 0, failed = has_failed(&t); /* a death fails what waits for any at once */
    bool is_done = t.recv.done;
    hws_engine_send(t.sim.engines[waiter], &own);
    bool found = hws_engine_probe(t.sim.engines[waiter], HWS_ANY_PEER, 0, TAG, &env);
    dup2(saved, 2);
    close(lines[1]);
    ssize_t n = read(lines[0], said, len - 1);
    said[n > 0 ? n : 0] = '\0';
    cr_assert_eq(write(word[1], "x", 1), 1);
    pthread_join(thread, NULL);
    for (int i = 0; i < 2; i++)
        close(word[i]);
    close(lines[0]);
    close(saved);
    cr_assert(has_died || !failed);
    if (probes)
        cr_assert(found && env.peer == waiter);
    else
        cr_assert(t.recv.done && (is_done || t.recv.err == HWS_OK));
    sim_close(&t.sim);
}

Test(gone, where_another_thread_may_send_a_line_says_so_once)
{
    hws_test_seed("gone");
    for (int i = 0; i < N * 2; i++) {
        static const char words[] = "only another thread of this rank can still send to it";
        char said[4096];
        run_with_thread(i % N, i / N, said, sizeof said);
        const char *first = strstr(said, words);
        bool fails_at_once = i % N && !(i / N); /* the receive was gone with the first death */
        cr_assert_eq(first != NULL, !fails_at_once, "'%s'", said);
        cr_assert(!first || !strstr(first + 1, words), "'%s'", said);
    }
}

/* Two threads probe, each for a rank that nothing is known of. */
Test(gone, all_who_are_probed_for_are_connected_to)
{
    hws_test_seed("gone");
    struct test t;
    struct hws_envelope env;
    begin(&t, 1, false, false, 0, false);
    struct hws_engine *e = t.sim.engines[1];
    hws_engine_cancel_recv(e, &t.recv);
    while (!(e->peers[0] && e->peers[2] && hws_peer_is_over(e->peers[0]) && hws_peer_is_over(e->peers[2]))) {
        hws_engine_probe(e, 0, 0, TAG, &env);
        hws_engine_probe(e, 2, 0, TAG, &env);
        sim_step(&t.sim);
        cr_assert_lt(virtual_now() / 1000000, LIMIT_MS);
    }
    sim_close(&t.sim);
}
