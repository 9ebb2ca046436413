/* SPDX-License-Identifier: BSD-3-Clause
 *
 * stripe_sim_test: scheduler and measurement together on simulated links: how near a stream of messages comes to the
 * sum of the links' speeds. The figures of docs/decisions are printed by the last test.
 */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>

#include "base/list.h"
#include "sim.h"

struct setting {
    char name[32];    /* no pointer: parameters are copied to another process */
    unsigned percent; /* of the ideal that must be reached */
    size_t n;
    uint64_t mbytes[SIM_LANES]; /* MB/s */
    int changing;               /* this lane changes after half a second, -1: none */
    uint64_t mbytes_after;
};

static struct setting settings[] = {
    {"2 equal", 95, 2, {125, 125}, -1, 0},
    {"4 equal", 95, 4, {125, 125, 125, 125}, -1, 0},
    {"4:3", 95, 2, {125, 94}, -1, 0},
    {"5:4", 88, 2, {125, 100}, -1, 0}, /* within what measures of equal links differ by */
    {"4:1", 95, 2, {125, 31}, -1, 0},
    {"10:1", 92, 2, {125, 12}, -1, 0}, /* what is lost is lost before the rates are known */
    {"4 fast", 95, 4, {1250, 1250, 1250, 1250}, -1, 0},
    {"1 of 2 drops to a tenth", 95, 2, {125, 125}, 1, 12},
    {"1 of 4 drops to a tenth", 91, 4, {125, 125, 125, 125}, 2, 12},
    {"1 of 2 rises tenfold", 80, 2, {125, 12}, 1, 125},
};

static struct sim sim;
enum { LOOK_NS = 20000 };

static void prepare(const struct setting *c, uint64_t size, uint64_t window, enum sim_scheme scheme)
{
    uint64_t total = 0, lump = hws_test_random(2) ? 65536 : 2896;
    memset(&sim, 0, sizeof sim);
    sim.n = c->n;
    sim.size = sim.next_left = size;
    sim.window = window;
    sim.scheme = scheme;
    sim.step_ns = size < 1 << 20 || c->mbytes[0] > 1000 ? 2000 : 10000;
    sim.look_ns = LOOK_NS;
    for (size_t i = 0; i < c->n; i++) {
        struct sim_lane *l = &sim.lane[i];
        l->rate = c->mbytes[i] * 1000000;
        l->buffer = 1 << 20;
        l->rtt_ns = l->rate > 1000000000 ? 20000 : 100000;
        hws_rate_set_way(&l->measured, l->rtt_ns);
        l->lump = lump;
        total += l->rate;
        if (c->changing == (int)i) {
            l->rate_after = c->mbytes_after * 1000000;
            l->change_ns = 500000000;
        }
    }
    /* 0.5 s, and with a change more than half a second beyond it */
    sim.n_messages = total * (c->changing < 0 ? 5 : 12) / 10 / size + 1;
}

static double run(const struct setting *c, uint64_t size, uint64_t window, enum sim_scheme scheme)
{
    prepare(c, size, window, scheme);
    double ideal = (double)sim_ideal(&sim);
    return ideal / (double)sim_run(&sim) * 100;
}

/* Over before anybody has had a look or two: the lanes' rates are guesses. */
static bool is_short(const struct setting *c, uint64_t size)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < c->n; i++)
        sum += c->mbytes[i] * 1000000;
    return (double)size / (double)sum * 1e9 < 4 * LOOK_NS;
}

/* A message is over by the others before that one, at its old speed, would be done with the least piece: nobody tries
 * whether it has become faster. */
static bool leaves_out_the_changed(const struct setting *c, uint64_t size)
{
    uint64_t others = 0;
    for (size_t i = 0; i < c->n; i++)
        others += (int)i == c->changing ? 0 : c->mbytes[i];
    return c->changing >= 0 && SIM_MIN_FRAG * others > size * c->mbytes[c->changing];
}

ParameterizedTestParameters(stripe_sim, comes_near_the_sum_of_the_links)
{
    return cr_make_param_array(struct setting, settings, HWS_ARRAY_LEN(settings));
}

ParameterizedTest(struct setting *c, stripe_sim, comes_near_the_sum_of_the_links)
{
    hws_test_seed("stripe_sim");
    for (uint64_t window = 1; window <= SIM_WINDOW; window *= SIM_WINDOW)
        for (uint64_t size = 65536; size <= 16 << 20; size *= 4) {
            double percent = run(c, size, window, SIM_PULL);
            unsigned least = is_short(c, size) ? 75 : c->percent;
            if (window == 1 && leaves_out_the_changed(c, size))
                least = 60;
            cr_expect_geq(percent, least, "%s: %.1f %% of the ideal, messages of %llu bytes, %llu at a time", c->name,
                          percent, (unsigned long long)size, (unsigned long long)window);
        }
}

/* A link that passes nothing any more holds up what it has, and nothing else: all others' bytes arrive. */
Test(stripe_sim, a_dead_link_gets_no_more_than_it_has_room_for)
{
    hws_test_seed("stripe_sim");
    struct setting dead = {"dead", 0, 2, {125, 125}, 1, 0};
    prepare(&dead, 1 << 20, SIM_WINDOW, SIM_PULL);
    sim.lane[1].change_ns = 100000000;
    while (sim.now < 1000000000)
        sim_step(&sim);
    cr_assert_leq(sim_backlog(&sim.lane[1]), sim.lane[1].buffer + SIM_MAX_FRAG);
    cr_assert_lt(hws_rate_of(&sim.lane[1].measured), 1000000, "it is known to be slow");
    cr_assert_eq(sim.unsent, 0, "the other has taken the rest");
    cr_assert_eq(sim_backlog(&sim.lane[0]), 0);
}

Test(stripe_sim, compared_with_shares_fixed_in_advance)
{
    static const char *const names[] = {"pull", "nominal", "round robin"};
    hws_test_seed("stripe_sim");
    for (size_t i = 0; i < HWS_ARRAY_LEN(settings); i++)
        for (uint64_t window = 1; window <= SIM_WINDOW; window *= SIM_WINDOW) {
            double percent[3];
            fprintf(stderr, "%-24s %2u at a time:", settings[i].name, (unsigned)window);
            for (int scheme = 0; scheme < 3; scheme++) {
                percent[scheme] = run(&settings[i], 1 << 20, window, (enum sim_scheme)scheme);
                fprintf(stderr, "  %s %.1f", names[scheme], percent[scheme]);
            }
            fprintf(stderr, "\n");
            cr_expect_gt(percent[SIM_PULL], percent[SIM_NOMINAL] - 8, "%s", settings[i].name);
            cr_expect_gt(percent[SIM_PULL], percent[SIM_ROUND_ROBIN] - 5, "%s", settings[i].name);
        }
}
