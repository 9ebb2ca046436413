/* SPDX-License-Identifier: BSD-3-Clause
 *
 * grant_test: what peers may leave unexpected follows the number of those that are connected, not the size of the job;
 * and who only sends sees the credit that lies in its socket.
 */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "../support/seed.h"
#include "base/list.h"
#include "sim.h"

enum { JOB = 2000, BOUND = 512 << 10, LEAST = 20 << 10, PEERS = 8, LEN = 8192, N = 1000, ROUNDS = 200 };

static struct hws_mem_faults none = {.close_nth_link = -1};
static struct sim sim;

static void in_a_large_job(struct hws_engine_config *cfg, void *arg)
{
    (void)arg;
    cfg->n_peers = JOB;
}

static void set_bound(struct hws_engine_config *cfg, void *arg)
{
    (void)arg;
    cfg->params.unexpected = BOUND;
}

static bool is_true(void *flag)
{
    return *(volatile bool *)flag;
}

static void send_one(int from, int to)
{
    static uint8_t out[LEN], in[LEN];
    struct hws_send_op send = {.data = {out, LEN, NULL}, .peer = to};
    struct hws_recv_op recv = {.data = {in, LEN, NULL}, .peer = from};
    hws_engine_recv(sim.engines[to], &recv);
    hws_engine_send(sim.engines[from], &send);
    cr_assert(sim_run(&sim, is_true, (void *)(uintptr_t)&recv.done));
    cr_assert(sim_run(&sim, is_true, (void *)(uintptr_t)&send.done));
}

static uint64_t credit_of(int from, int to)
{
    struct hws_peer_info info;
    hws_engine_peer_info(sim.engines[from], to, &info);
    return info.credit;
}

static void pass_steps(int n)
{
    while (n--)
        sim_step(&sim);
}

Test(grant, two_of_a_large_job_leave_each_other_what_two_of_a_small_one_do)
{
    for (int role = 0; role < 2; role++) {
        hws_test_seed("grant");
        sim_open(&sim, 2, &none, in_a_large_job, NULL);
        send_one(role, 1 - role);
        pass_steps(50);
        cr_assert_geq(credit_of(role, 1 - role), 900 << 10, "of who dialed");
        cr_assert_geq(credit_of(1 - role, role), 900 << 10, "of who was dialed");
        sim_close(&sim);
    }
}

static uint64_t sum_of_credit(void)
{
    uint64_t sum = 0;
    for (int i = 1; i < PEERS; i++)
        sum += credit_of(i, 0);
    return sum;
}

Test(grant, those_who_come_late_get_their_share_from_the_first)
{
    for (int role = 0; role < 2; role++) {
        hws_test_seed("grant");
        sim_open(&sim, PEERS, &none, set_bound, NULL);
        for (int i = 1; i < PEERS; i++) {
            send_one(role ? i : 0, role ? 0 : i);
            pass_steps(50);
            cr_assert_leq(sum_of_credit(), BOUND + PEERS * LEAST);
        }
        for (int round = 0; round < ROUNDS; round++)
            for (int i = 1; i < PEERS; i++)
                send_one(i, 0);
        pass_steps(50);
        cr_assert_leq(sum_of_credit(), BOUND + PEERS * LEAST);
        cr_assert_geq(sum_of_credit(), BOUND / 2 - PEERS * LEAST); /* about as much may be owed */
        for (int i = 1; i < PEERS; i++)
            cr_assert_leq(credit_of(i, 0), 2 * BOUND / (PEERS - 1), "%d keeps what was for all", i);
        sim_close(&sim);
    }
}

struct stream {
    struct hws_send_op sends[N];
    struct hws_recv_op recvs[N];
    uint8_t out[LEN], in[LEN];
};

/* As MPI_Send does, whose caller never waits as all is sent at once: the engine of the sender takes no step of its own.
 */
Test(grant, a_stream_of_blocking_sends_needs_no_rendezvous_while_its_credit_lies_in_the_socket)
{
    for (int role = 0; role < 2; role++) {
        struct stream *s = calloc(1, sizeof *s);
        cr_assert_not_null(s);
        hws_test_seed("grant");
        sim_open(&sim, 2, &none, NULL, NULL);
        send_one(0, 1);
        int from = role, to = 1 - role;
        pass_steps(50);
        for (int i = 0; i < N; i++) {
            s->recvs[i] = (struct hws_recv_op){.data = {s->in, LEN, NULL}, .peer = from};
            hws_engine_recv(sim.engines[to], &s->recvs[i]);
            s->sends[i] = (struct hws_send_op){.data = {s->out, LEN, NULL}, .peer = to};
            hws_engine_send_now(sim.engines[from], &s->sends[i]);
            for (int k = 0; k < 3; k++) {
                hws_mem_net_pump(sim.net);
                hws_engine_progress(sim.engines[to]);
            }
            if (!s->sends[i].done)
                cr_assert(sim_run(&sim, is_true, (void *)(uintptr_t)&s->sends[i].done));
        }
        cr_assert(sim_run(&sim, is_true, (void *)(uintptr_t)&s->recvs[N - 1].done));
        cr_assert_eq(sim_counter(&sim, from, "rendezvous_sent"), 0);
        sim_close(&sim);
        free(s);
    }
}
