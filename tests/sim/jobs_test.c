/* SPDX-License-Identifier: BSD-3-Clause
 *
 * jobs_test: processes of another job are peers (peer/jobs.h). Four engines: 0 and 1 are the ranks of one job, 2 and 3
 * of another. The same rank of two jobs is two peers: messages, wildcards, credit and losses never mix; connections
 * come about whoever dials, or both; and a job that is not known, or has another secret, is refused.
 */
#include "peer/jobs.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "../support/seed.h"
#include "peer/kinds.h"
#include "peer/state/engine.h"
#include "peer/state/up.h"
#include "sim.h"

enum { N = 4, JOB_A = 42, JOB_B = 43, TAG = 7, LONG = 200000 };

static struct sim sim;
static const struct hws_mem_faults none = {.close_nth_link = -1};
static const unsigned char secret[32] = {1, 2, 3}, other_secret[32] = {1, 2, 4};

/* Both jobs have two ranks, so the other job's peers are 2 and 3 in each engine. */
static int number_of(int me, int engine)
{
    return me / 2 == engine / 2 ? engine % 2 : 2 + engine % 2;
}

static int engine_of(int me, int number)
{
    return number < 2 ? me / 2 * 2 + number : (1 - me / 2) * 2 + number - 2;
}

static int lookup(void *arg, int peer, char *card, size_t len)
{
    const struct {
        struct sim *sim;
        int me;
    } *self = arg;
    snprintf(card, len, "mem-%d", engine_of(self->me, peer));
    return HWS_OK;
}

static void tweak(struct hws_engine_config *cfg, void *arg)
{
    int engine = cfg->me;
    (void)arg;
    cfg->n_peers = 2;
    cfg->me = engine % 2;
    cfg->job_id = engine < 2 ? JOB_A : JOB_B;
    cfg->secret[9] = (unsigned char)engine / 2; /* what a job has within itself is no other's */
    cfg->lookup = lookup;
}

static void know(int engine, const unsigned char with[32])
{
    int first = -1;
    cr_assert_eq(hws_engine_add_job(sim.engines[engine], engine < 2 ? JOB_B : JOB_A, 2, with, &first), HWS_OK);
    cr_assert_eq(first, 2);
}

static void begin(const struct hws_mem_faults *faults)
{
    sim_open(&sim, N, faults, tweak, NULL);
    for (int i = 0; i < N; i++)
        know(i, secret);
}

static bool is_done(void *arg)
{
    return *(volatile bool *)arg;
}

struct exchange {
    struct hws_send_op sends[N][N];
    struct hws_recv_op recvs[N][N];
    uint8_t out[N][N][LONG], in[N][N][LONG];
};

static struct exchange x;

static uint64_t content(int from, int to)
{
    return (uint64_t)(from * N + to);
}

static void start_recv(int me, int from, size_t len)
{
    x.recvs[me][from] =
        (struct hws_recv_op){.data = {x.in[me][from], len, NULL}, .peer = number_of(me, from), .tag = TAG};
    hws_engine_recv(sim.engines[me], &x.recvs[me][from]);
}

static void start_send(int me, int to, size_t len)
{
    sim_fill(x.out[me][to], len, content(me, to));
    x.sends[me][to] = (struct hws_send_op){.data = {x.out[me][to], len, NULL}, .peer = number_of(me, to), .tag = TAG};
    hws_engine_send(sim.engines[me], &x.sends[me][to]);
}

/* Everybody to everybody, at once: so all connections are head-on. */
static void exchange_all(size_t len)
{
    memset(&x, 0, sizeof x);
    for (int a = 0; a < N; a++)
        for (int b = 0; b < N; b++)
            if (a != b) {
                start_recv(a, b, len);
                start_send(a, b, len);
            }
    for (int a = 0; a < N; a++)
        for (int b = 0; b < N; b++) {
            if (a == b)
                continue;
            cr_assert(sim_run(&sim, is_done, (void *)(uintptr_t)&x.recvs[a][b].done), "%d from %d hangs", a, b);
            cr_assert(sim_run(&sim, is_done, (void *)(uintptr_t)&x.sends[b][a].done), "%d to %d hangs", b, a);
            cr_assert_eq(x.recvs[a][b].err, HWS_OK);
            cr_assert_eq(x.recvs[a][b].from_peer, number_of(a, b));
            cr_assert_eq(sim_differs(x.in[a][b], len, content(b, a)), len, "%d has not what %d sent", a, b);
        }
}

Test(jobs, everybody_talks_to_everybody)
{
    static const struct hws_mem_faults slow = {.delay_pumps = 9, .max_read = 700, .close_nth_link = -1},
                                       dying = {.close_read_at = 300000,
                                                .lose_in_flight = true,
                                                .close_nth_link = -1,
                                                .cards = 2};
    const struct hws_mem_faults *faults[] = {&none, &slow, &dying};
    hws_test_seed("jobs");
    for (int i = 0; i < 3; i++) {
        begin(faults[i]);
        exchange_all(64);
        exchange_all(LONG);
        exchange_all(64);
        sim_close(&sim);
    }
}

/* One side dials alone: each in turn. */
Test(jobs, either_dials)
{
    for (int from = 0; from < N; from++) {
        int to = 3 - from;
        begin(&none);
        memset(&x, 0, sizeof x);
        start_send(from, to, 64);
        cr_assert(sim_run(&sim, is_done, (void *)(uintptr_t)&x.sends[from][to].done));
        start_recv(to, from, 64);
        cr_assert(sim_run(&sim, is_done, (void *)(uintptr_t)&x.recvs[to][from].done));
        cr_expect_eq(sim_differs(x.in[to][from], 64, content(from, to)), 64);
        sim_close(&sim);
    }
}

/* Rank 1 of either job sends to engine 0 the same context and tag: a receive that names one never gets the other's. */
Test(jobs, the_same_rank_of_two_jobs_is_two_peers)
{
    begin(&none);
    memset(&x, 0, sizeof x);
    start_send(3, 0, 64);
    cr_assert(sim_run(&sim, is_done, (void *)(uintptr_t)&x.sends[3][0].done));
    start_recv(0, 1, 64);
    for (int i = 0; i < 200; i++)
        sim_step(&sim);
    cr_expect_not(x.recvs[0][1].done);
    start_send(1, 0, 64);
    cr_assert(sim_run(&sim, is_done, (void *)(uintptr_t)&x.recvs[0][1].done));
    cr_expect_eq(sim_differs(x.in[0][1], 64, content(1, 0)), 64);
    struct hws_recv_op any = {.data = {x.in[0][3], 64, NULL}, .peer = HWS_ANY_PEER, .tag = HWS_ANY_TAG};
    hws_engine_recv(sim.engines[0], &any);
    cr_assert(sim_run(&sim, is_done, (void *)(uintptr_t)&any.done));
    cr_expect_eq(any.from_peer, number_of(0, 3));
    cr_expect_eq(sim_differs(x.in[0][3], 64, content(3, 0)), 64);
    sim_close(&sim);
}

Test(jobs, names_and_numbers)
{
    int first = -1;
    char name[96];
    begin(&none);
    struct hws_engine *e = sim.engines[2];
    cr_expect_eq(hws_engine_number(e, JOB_B, 1), 1);
    cr_expect_eq(hws_engine_number(e, JOB_A, 1), 3);
    cr_expect_lt(hws_engine_number(e, JOB_A, 2), 0);
    cr_expect_lt(hws_engine_number(e, JOB_A, -1), 0);
    cr_expect_lt(hws_engine_number(e, 44, 0), 0);
    cr_expect_eq(hws_engine_add_job(e, JOB_A, 2, secret, &first), HWS_EINVAL, "known");
    cr_expect_eq(hws_engine_add_job(e, JOB_B, 2, secret, &first), HWS_EINVAL, "its own");
    cr_expect_eq(hws_engine_add_job(e, 44, 0, secret, &first), HWS_EINVAL, "nobody");
    cr_expect_eq(hws_engine_add_job(e, 44, 3, secret, &first), HWS_OK);
    cr_expect_eq(first, 4);
    cr_expect_eq(hws_engine_number(e, 44, 2), 6);
    hws_engine_lock(e);
    cr_expect_str_eq(hws_peer_name(hws_engine_peer(e, 1), name, sizeof name), "rank 1");
    cr_expect_str_eq(hws_peer_name(hws_engine_peer(e, 3), name, sizeof name), "rank 1 of job 000000000000002a");
    hws_engine_unlock(e);
    sim_close(&sim);
}

/* A peer of the other job is lost: only operations that name it fail, and its namesake talks on. */
Test(jobs, a_loss_is_of_one_process)
{
    begin(&none);
    exchange_all(64);
    memset(&x, 0, sizeof x);
    start_recv(0, 3, 64);
    start_recv(0, 1, 64);
    hws_engine_lock(sim.engines[0]);
    hws_peer_lose(sim.engines[0]->peers[3], HWS_EPEERDEAD, "it is dead");
    hws_engine_unlock(sim.engines[0]);
    cr_expect(x.recvs[0][3].done && x.recvs[0][3].err == HWS_EPEERDEAD);
    cr_expect_eq(sim.n_lost[0][3], 1);
    start_send(1, 0, 64);
    cr_assert(sim_run(&sim, is_done, (void *)(uintptr_t)&x.recvs[0][1].done));
    cr_expect_eq(x.recvs[0][1].err, HWS_OK);
    cr_expect_eq(sim.n_lost[0][1], 0);
    sim_close(&sim);
}

/* Whoever is not known waits at the door; once it is, its next dial gets in. */
Test(jobs, a_job_that_is_not_known_is_refused)
{
    sim_open(&sim, N, &none, tweak, NULL);
    know(2, secret);
    memset(&x, 0, sizeof x);
    start_send(2, 0, 64);
    for (int i = 0; i < 2000 && !x.sends[2][0].done; i++)
        sim_step(&sim);
    cr_expect_not(x.sends[2][0].done);
    cr_expect_gt(sim_counter(&sim, 0, "refused"), 0);
    know(0, secret);
    start_recv(0, 2, 64);
    cr_assert(sim_run(&sim, is_done, (void *)(uintptr_t)&x.recvs[0][2].done));
    cr_expect_eq(sim_differs(x.in[0][2], 64, content(2, 0)), 64);
    sim_close(&sim);
}

Test(jobs, another_secret_is_refused)
{
    sim_open(&sim, N, &none, tweak, NULL);
    know(2, secret);
    know(0, other_secret);
    memset(&x, 0, sizeof x);
    start_recv(0, 2, 64);
    start_send(2, 0, 64);
    for (int i = 0; i < 2000; i++)
        sim_step(&sim);
    cr_expect_not(x.recvs[0][2].done && x.recvs[0][2].err == HWS_OK);
    cr_expect_not(x.sends[2][0].done && x.sends[2][0].err == HWS_OK);
    sim_close(&sim);
}

static int n_frames;

static int on_frame(void *arg, int peer, uint8_t kind, const void *bytes, size_t len)
{
    (void)arg, (void)kind;
    cr_assert(peer == 3 && len == 4 && memcmp(bytes, "abcd", 4) == 0);
    n_frames++;
    return HWS_OK;
}

Test(jobs, frames_of_rooms_come_from_other_jobs_too)
{
    static const struct hws_kinds k = {HWS_FRAME_LEFT, HWS_FRAME_LEFT, on_frame, NULL};
    struct hws_frame_op op = {.peer = 2, .kind = HWS_FRAME_LEFT, .bytes = "abcd", .len = 4};
    begin(&none);
    cr_assert_eq(hws_engine_take_kinds(sim.engines[0], &k), HWS_OK);
    hws_engine_send_frame(sim.engines[3], &op);
    cr_assert(sim_run(&sim, is_done, (void *)(uintptr_t)&op.done));
    for (int i = 0; i < 200 && !n_frames; i++)
        sim_step(&sim);
    cr_expect_eq(n_frames, 1);
    sim_close(&sim);
}
