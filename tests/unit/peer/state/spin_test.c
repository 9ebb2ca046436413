/* SPDX-License-Identifier: BSD-3-Clause
 *
 * spin_test: the budget over scripted waits; no clock runs.
 */
#include "peer/state/spin.h"

#include <criterion/criterion.h>

#define US  1000ull
#define MAX (100 * US)

static struct hws_spin s;

static void init(void)
{
    hws_spin_init(&s, MAX, false);
}

TestSuite(spin, .init = init);

/* n waits of the given length by a process that spins as long as it may and then sleeps; 20 us pass until it is woken.
 */
static uint64_t wait_n(int n, uint64_t ns)
{
    uint64_t spun = 0;
    for (int i = 0; i < n; i++) {
        uint64_t budget = hws_spin_budget(&s);
        bool is_found = ns <= budget;
        spun += is_found ? ns : budget;
        hws_spin_learn(&s, is_found ? ns : ns + 20 * US, is_found);
    }
    return spun;
}

Test(spin, starts_in_full)
{
    cr_assert_eq(hws_spin_budget(&s), MAX);
}

Test(spin, short_waits_keep_it_full)
{
    wait_n(1000, 10 * US);
    cr_assert_eq(hws_spin_budget(&s), MAX);
    wait_n(1000, 90 * US);
    cr_assert_eq(hws_spin_budget(&s), MAX);
}

Test(spin, more_ranks_than_processors_never_spin)
{
    hws_spin_init(&s, MAX, true);
    cr_assert_eq(hws_spin_budget(&s), 0);
    wait_n(100, 1);
    cr_assert_eq(hws_spin_budget(&s), 0);
}

Test(spin, a_bound_of_zero_never_spins)
{
    hws_spin_init(&s, 0, false);
    wait_n(100, 1);
    cr_assert_eq(hws_spin_budget(&s), 0);
}

Test(spin, long_waits_burn_next_to_nothing)
{
    uint64_t spun = wait_n(1000, 1000000 * US);
    cr_assert_leq(hws_spin_budget(&s), MAX / 50);
    cr_assert_leq(spun, 10 * MAX + 1000 * (MAX / 50));
}

Test(spin, one_long_wait_changes_little)
{
    wait_n(100, 10 * US);
    wait_n(1, 3000000 * US);
    cr_assert_eq(hws_spin_budget(&s), MAX);
}

Test(spin, recovers_when_waits_become_short)
{
    wait_n(1000, 1000000 * US);
    wait_n(7, 10 * US);
    cr_assert_gt(hws_spin_budget(&s), MAX / 50);
    wait_n(10, 10 * US);
    cr_assert_eq(hws_spin_budget(&s), MAX);
}

Test(spin, recovers_also_from_a_wait_that_just_misses_a_small_budget)
{
    wait_n(1000, 1000000 * US);
    wait_n(50, 80 * US);
    cr_assert_eq(hws_spin_budget(&s), MAX);
}

Test(spin, never_beyond_the_bound_and_never_rising_with_longer_waits)
{
    uint64_t before = UINT64_MAX;
    for (uint64_t ns = 0; ns < 20 * MAX; ns += MAX / 10) {
        init();
        wait_n(200, ns);
        cr_assert_leq(hws_spin_budget(&s), MAX);
        cr_assert_leq(hws_spin_budget(&s), before);
        before = hws_spin_budget(&s);
    }
    cr_assert_gt(before, 0);
}

Test(spin, extreme_times_do_not_overflow)
{
    hws_spin_init(&s, 1000000 * US, false);
    for (int i = 0; i < 100; i++)
        hws_spin_learn(&s, UINT64_MAX, i % 2);
    cr_assert_leq(hws_spin_budget(&s), 1000000 * US / 50);
    for (int i = 0; i < 100; i++)
        hws_spin_learn(&s, 0, false);
    cr_assert_eq(hws_spin_budget(&s), 1000000 * US);
}
