/* SPDX-License-Identifier: BSD-3-Clause
 *
 * kinds_test: frames of rooms above the engine (peer/kinds.h). Each comes once, whole and to the right room: over one
 * lane or several, over links of messages, through rings of any size, to oneself, and when lanes die on the way. Who
 * sends more than there is room for waits, and an operation always ends, also with its peer.
 */
#include "peer/kinds.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "../support/seed.h"
#include "peer/state/engine.h"
#include "peer/state/shm.h"
#include "peer/state/up.h"
#include "sim.h"

enum { N = 2, FRAMES = 300, LONGEST = (int)HWS_ROOM_PAYLOAD };

struct room {
    struct hws_kinds kinds;
    int me;
    unsigned n_came;
    bool in_order, answers;
    unsigned seen[FRAMES];
};

static struct sim sim;
static struct room rooms[N];
static struct hws_frame_op ops[N][FRAMES];
static uint8_t bytes[FRAMES][LONGEST];
static unsigned n_done;

static uint32_t length_of(unsigned i)
{
    static const uint32_t some[] = {4, 5, 64, 1500, 937, LONGEST, 4096};
    return some[i % HWS_ARRAY_LEN(some)];
}

static int on_frame(void *arg, int peer, uint8_t kind, const void *frame, size_t len)
{
    struct room *r = arg;
    unsigned number;
    cr_assert(kind == HWS_FRAME_LEFT && (peer == !r->me || peer == r->me) && len >= sizeof number);
    memcpy(&number, frame, sizeof number);
    cr_assert_lt(number, (unsigned)FRAMES);
    cr_assert_eq(len, length_of(number));
    cr_assert_eq(memcmp(frame, bytes[number], len), 0, "frame %u", number);
    r->in_order &= number == r->n_came;
    r->seen[number]++;
    r->n_came++;
    return HWS_OK;
}

static void on_done(struct hws_frame_op *op)
{
    cr_assert(op->done);
    n_done++;
}

static void begin(const struct hws_mem_faults *faults, void (*tweak)(struct hws_engine_config *cfg, void *arg))
{
    n_done = 0;
    sim_open(&sim, N, faults, tweak, NULL);
    for (int i = 0; i < N; i++) {
        rooms[i] = (struct room){.me = i, .in_order = true};
        rooms[i].kinds = (struct hws_kinds){HWS_FRAME_LEFT, HWS_FRAME_LEFT, on_frame, &rooms[i]};
        cr_assert_eq(hws_engine_take_kinds(sim.engines[i], &rooms[i].kinds), HWS_OK);
    }
    for (unsigned i = 0; i < FRAMES; i++) {
        sim_fill(bytes[i], LONGEST, i);
        memcpy(bytes[i], &i, sizeof i);
    }
}

static void send(int from, int to, unsigned i)
{
    ops[from][i] = (struct hws_frame_op){
        .peer = to, .kind = HWS_FRAME_LEFT, .bytes = bytes[i], .len = length_of(i), .on_done = on_done};
    hws_engine_send_frame(sim.engines[from], &ops[from][i]);
}

static bool all_came(void *arg)
{
    (void)arg;
    return rooms[0].n_came == FRAMES && rooms[1].n_came == FRAMES && n_done == N * FRAMES;
}

static void both_ways(void)
{
    for (unsigned i = 0; i < FRAMES; i++)
        for (int from = 0; from < N; from++)
            send(from, !from, i);
    cr_assert(sim_run(&sim, all_came, NULL), "%u and %u of %d came", rooms[0].n_came, rooms[1].n_came, FRAMES);
    for (int i = 0; i < N; i++)
        for (int k = 0; k < FRAMES; k++) {
            cr_assert_eq(rooms[i].seen[k], 1, "%d came %u times", k, rooms[i].seen[k]);
            cr_assert_eq(ops[i][k].err, HWS_OK);
        }
}

Test(kinds, each_comes_once_and_in_order_on_one_lane)
{
    static const struct hws_mem_faults none = {.close_nth_link = -1},
                                       slow = {.delay_pumps = 9, .max_read = 70, .max_write = 90, .close_nth_link = -1},
                                       messages = {.flows = 5, .delay_pumps = 9, .close_nth_link = -1};
    const struct hws_mem_faults *faults[] = {&none, &slow, &messages};
    for (int i = 0; i < 3; i++) {
        begin(faults[i], NULL);
        both_ways();
        cr_expect(rooms[0].in_order && rooms[1].in_order);
        sim_close(&sim);
    }
}

static void with_sums(struct hws_engine_config *cfg, void *arg)
{
    (void)arg;
    cfg->params.crc = 1;
}

/* What a dead connection leaves is sent again: torn, damaged, acknowledged or not. */
Test(kinds, none_is_lost_or_doubled_when_lanes_die)
{
    static const struct hws_mem_faults dying = {.close_read_at = 100000,
                                                .lose_in_flight = true,
                                                .max_read = 3000,
                                                .close_nth_link = -1,
                                                .cards = 2},
                                       damaged = {.flip_every = 400000, .close_nth_link = -1};
    hws_test_seed("kinds");
    begin(&dying, NULL);
    both_ways();
    cr_expect_gt(sim_counter(&sim, 0, "lanes_lost"), 0);
    sim_close(&sim);
    begin(&damaged, with_sums);
    both_ways();
    cr_expect_gt(sim_counter(&sim, 0, "corrupt") + sim_counter(&sim, 1, "corrupt"), 0);
    sim_close(&sim);
}

static void share_memory(struct hws_engine_config *cfg, void *arg)
{
    static const int both[] = {0, 1};
    (void)arg;
    cfg->local_ranks = both;
    cfg->n_local_ranks = 2;
}

static void attach(void)
{
    const char *offer = hws_engine_shm_offer(sim.engines[0]);
    cr_assert_neq(offer[0], '\0');
    hws_engine_shm_attach(sim.engines[1], offer);
    hws_engine_shm_attach(sim.engines[0], offer);
}

/* As with hundreds of ranks on a host: a frame goes in pieces. */
static void make_rings_small(void)
{
    for (int i = 0; i < N; i++) {
        hws_engine_lock(sim.engines[i]);
        struct hws_shm_peer *s = hws_engine_peer(sim.engines[i], !i)->shm;
        cr_assert_not_null(s);
        size_t size = 4096 - sizeof(struct hws_ring_shared);
        hws_ring_tx_init(&s->tx, s->tx.shared, size);
        hws_ring_rx_init(&s->rx, s->rx.shared, size);
        hws_engine_unlock(sim.engines[i]);
    }
}

Test(kinds, through_rings)
{
    static const struct hws_mem_faults none = {.close_nth_link = -1};
    for (int is_small = 0; is_small < 2; is_small++) {
        begin(&none, share_memory);
        attach();
        if (is_small)
            make_rings_small();
        both_ways();
        cr_expect(rooms[0].in_order && rooms[1].in_order);
        cr_expect_eq(hws_engine_peer(sim.engines[0], 1)->n_paths, 0);
        sim_close(&sim);
    }
}

static bool own_came(void *arg)
{
    (void)arg;
    return rooms[0].n_came == FRAMES;
}

Test(kinds, to_oneself)
{
    static const struct hws_mem_faults none = {.close_nth_link = -1};
    begin(&none, NULL);
    for (unsigned i = 0; i < FRAMES; i++)
        send(0, 0, i);
    cr_expect_eq(rooms[0].n_came, 0, "handed over by progress, not within the call that sends");
    cr_assert(sim_run(&sim, own_came, NULL));
    cr_expect(rooms[0].in_order);
    sim_close(&sim);
}

static bool is_done(void *arg)
{
    return *(volatile bool *)arg;
}

static bool is_up(void *arg)
{
    (void)arg;
    const struct hws_peer *p = sim.engines[0]->peers[1];
    return p && p->n_up;
}

/* The other process computes: what it does not read stays with the sender's room, not in any queue of the engine. */
Test(kinds, a_flood_waits_with_its_sender)
{
    static const struct hws_mem_faults none = {.close_nth_link = -1};
    begin(&none, NULL);
    send(0, 1, 0);
    cr_assert(sim_run(&sim, is_up, NULL));
    sim_away(&sim, 1, true, 8);
    for (unsigned i = 1; i < FRAMES; i++)
        send(0, 1, i);
    for (int i = 0; i < 200; i++)
        sim_step(&sim);
    uint64_t sum = 0, out = 0;
    for (unsigned i = 0; i < FRAMES; i++) {
        sum += length_of(i);
        out += ops[0][i].done ? length_of(i) : 0;
    }
    cr_expect_leq(out, (uint64_t)HWS_KEEP_MAX + (64 << 10), "of %llu bytes", (unsigned long long)sum);
    cr_expect_lt(n_done, (unsigned)FRAMES, "%llu bytes found room", (unsigned long long)sum);
    cr_expect_eq(n_done ? ops[0][n_done - 1].done : true, true, "in order");
    sim_away(&sim, 1, false, 0);
    cr_assert(sim_run(&sim, is_done, (void *)(uintptr_t)&ops[0][FRAMES - 1].done));
    for (int i = 0; i < 500 && rooms[1].n_came < FRAMES; i++)
        sim_step(&sim);
    cr_expect_eq(rooms[1].n_came, (unsigned)FRAMES);
    sim_close(&sim);
}

/* Those that wait, and those that come later. */
Test(kinds, all_end_with_their_peer)
{
    static const struct hws_mem_faults none = {.close_nth_link = -1};
    begin(&none, NULL);
    sim_away(&sim, 1, true, 8);
    for (unsigned i = 0; i < FRAMES - 1; i++)
        send(0, 1, i);
    hws_engine_lock(sim.engines[0]);
    hws_peer_lose(sim.engines[0]->peers[1], HWS_EPEERDEAD, "it is dead");
    hws_engine_unlock(sim.engines[0]);
    cr_expect_eq(n_done, (unsigned)FRAMES - 1);
    cr_expect_eq(ops[0][FRAMES - 2].err, HWS_EPEERDEAD);
    send(0, 1, FRAMES - 1);
    cr_expect(ops[0][FRAMES - 1].done && ops[0][FRAMES - 1].err == HWS_EPEERDEAD);
    sim_close(&sim);
}

Test(kinds, a_room_takes_only_kinds_of_rooms_and_only_once)
{
    static const struct hws_mem_faults none = {.close_nth_link = -1};
    static const uint8_t wrong[][2] = {{HWS_FRAME_LEFT, HWS_FRAME_LEFT}, /* taken */
                                       {1, 1},
                                       {HWS_FRAME_LEFT - 1, HWS_FRAME_LEFT},
                                       {HWS_FRAME_TYPES, HWS_FRAME_TYPES},
                                       {255, 255}};
    begin(&none, NULL);
    for (size_t i = 0; i < HWS_ARRAY_LEN(wrong); i++) {
        struct hws_kinds k = {wrong[i][0], wrong[i][1], on_frame, NULL};
        cr_expect_eq(hws_engine_take_kinds(sim.engines[0], &k), HWS_EINVAL, "%zu", i);
    }
    sim_close(&sim);
}
