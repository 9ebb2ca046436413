/* SPDX-License-Identifier: BSD-3-Clause
 *
 * generations_test: contexts that are used again while messages of their earlier generations are still about:
 * unexpected, in flight, or on a lane that dies. None of these may be received in a later generation, their credit
 * comes back, and the numbers of both ends go on together.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "peer/info.h"
#include "peer/state/engine.h"
#include "sim.h"

enum { BITS = 8, PLACE = 40, LEFT = 3, LEN = 3000, ROUNDS = 300 };

static struct sim sim;

static void tweak(struct hws_engine_config *cfg, void *arg)
{
    (void)arg;
    cfg->generation_bits = BITS;
}

static uint32_t generation(int i)
{
    return (uint32_t)i << (32 - BITS) | PLACE;
}

static bool is_done(void *arg)
{
    return *(volatile bool *)arg;
}

/* Messages that nobody receives, then one that somebody does: in this generation, with the same tag. */
static void one_round(int i, int from)
{
    static uint8_t old[LEN], out[LEN], in[LEN];
    struct hws_send_op left[LEFT], send = {.data = {out, LEN, NULL}, .peer = !from, .ctx = generation(i), .tag = 1};
    struct hws_recv_op recv = {.data = {in, LEN, NULL},
                               .peer = i & 1 ? from : HWS_ANY_PEER,
                               .ctx = generation(i),
                               .tag = i & 2 ? 1 : HWS_ANY_TAG};
    sim_fill(out, LEN, (uint64_t)i);
    memset(old, 0xee, LEN);
    hws_engine_ctx_begin(sim.engines[from], generation(i), 1);
    if (i & 4) { /* early: the receiver has not heard of this generation yet */
        hws_engine_send(sim.engines[from], &send);
        for (int k = 0; k < 20; k++)
            sim_step(&sim);
    }
    hws_engine_ctx_begin(sim.engines[!from], generation(i), 1);
    hws_engine_recv(sim.engines[!from], &recv);
    if (!(i & 4))
        hws_engine_send(sim.engines[from], &send);
    cr_assert(sim_run(&sim, is_done, (void *)(uintptr_t)&recv.done), "generation %d hangs", i);
    cr_assert(sim_run(&sim, is_done, (void *)(uintptr_t)&send.done), "generation %d hangs", i);
    cr_assert_eq(recv.err, HWS_OK);
    cr_assert_eq(sim_differs(in, LEN, (uint64_t)i), (size_t)LEN, "generation %d has received another one's message", i);
    for (int k = 0; k < LEFT; k++) {
        left[k] = (struct hws_send_op){.data = {old, LEN, NULL}, .peer = !from, .ctx = generation(i), .tag = 1};
        hws_engine_send(sim.engines[from], &left[k]);
    }
    for (int k = 0; k < LEFT; k++)
        cr_assert(sim_run(&sim, is_done, (void *)(uintptr_t)&left[k].done), "no credit came back for generation %d", i);
}

static void run(const struct hws_mem_faults *faults, int rounds, int from)
{
    sim_open(&sim, 2, faults, tweak, NULL);
    for (int i = 0; i < rounds; i++)
        one_round(i, from);
    struct hws_peer_info info;
    hws_engine_peer_info(sim.engines[!from], from, &info);
    cr_expect_leq(info.unexpected, 2u * LEFT, "messages of old generations stay: %llu",
                  (unsigned long long)info.unexpected);
    sim_close(&sim);
}

Test(generations, what_nobody_received_meets_no_later_receive)
{
    static const struct hws_mem_faults none = {.close_nth_link = -1},
                                       slow = {.delay_pumps = 9, .max_read = 700, .close_nth_link = -1},
                                       dying = {.close_read_at = 40000,
                                                .lose_in_flight = true,
                                                .close_nth_link = -1,
                                                .cards = 2};
    const struct hws_mem_faults *faults[] = {&none, &slow, &dying};
    for (int i = 0; i < 6; i++)
        run(faults[i / 2], faults[i / 2] == &dying ? ROUNDS / 10 : ROUNDS, i & 1);
}
