/* SPDX-License-Identifier: BSD-3-Clause
 *
 * frag_test: how messages are cut and charged, over the corners and at random; sender and receiver must charge alike.
 */
#include "frag/frag.h"

#include <criterion/criterion.h>

#include "../../support/seed.h"

enum { ENVELOPE = 64 };

Test(frag, a_short_message_goes_whole)
{
    struct hws_first f = hws_frag_first(100, 16384, 1 << 20, ENVELOPE);
    cr_assert(!f.rendezvous && !f.no_credit);
    cr_assert_eq(f.len, 100);
    cr_assert_eq(f.charge, 164);
}

Test(frag, the_limit_itself_is_short)
{
    cr_assert_not(hws_frag_first(16384, 16384, 1 << 20, ENVELOPE).rendezvous);
    cr_assert(hws_frag_first(16385, 16384, 1 << 20, ENVELOPE).rendezvous);
}

Test(frag, a_long_message_begins_with_a_full_fragment)
{
    struct hws_first f = hws_frag_first(1ull << 40, 16384, 1 << 20, ENVELOPE);
    cr_assert(f.rendezvous && !f.no_credit);
    cr_assert_eq(f.len, 16384);
    cr_assert_eq(f.charge, 16384 + ENVELOPE);
}

Test(frag, without_credit_only_the_announcement_goes_and_costs_an_envelope)
{
    for (uint64_t len = 0; len < 200000; len += 9973) {
        struct hws_first f = hws_frag_first(len, 16384, (len < 16384 ? len : 16384) + ENVELOPE - 1, ENVELOPE);
        cr_assert(f.rendezvous && f.no_credit);
        cr_assert(f.len == 0 && f.charge == ENVELOPE);
    }
}

Test(frag, an_eager_limit_of_zero_still_sends_empty_messages_whole)
{
    cr_assert_not(hws_frag_first(0, 0, 1000, ENVELOPE).rendezvous);
    struct hws_first f = hws_frag_first(1, 0, 1000, ENVELOPE);
    cr_assert(f.rendezvous && f.len == 0 && f.charge == ENVELOPE);
}

Test(frag, both_sides_charge_alike_and_never_beyond_the_credit)
{
    hws_test_seed("frag");
    for (int i = 0; i < 200000; i++) {
        uint64_t msg_len = hws_test_next() >> hws_test_random(64), eager = hws_test_random(1 << 20);
        uint64_t credit = ENVELOPE + (hws_test_next() >> (40 + hws_test_random(24)));
        struct hws_first f = hws_frag_first(msg_len, eager, credit, ENVELOPE);
        cr_assert_leq(f.charge, credit);
        cr_assert_leq(f.len, eager);
        cr_assert_leq(f.len, msg_len);
        cr_assert(f.rendezvous || f.len == msg_len);
        cr_assert_eq(hws_frag_charge(false, f.len, ENVELOPE), f.charge);
    }
}

Test(frag, the_fragments_cover_the_rest_exactly)
{
    hws_test_seed("frag");
    for (int i = 0; i < 2000; i++) {
        uint64_t limit = hws_test_random(1 << 20), max_frag = 4096 + hws_test_random(1 << 17),
                 at = hws_test_random(limit + 1);
        size_t n;
        int n_frags = 0;
        uint64_t left = limit - at;
        for (; (n = hws_frag_next(at, limit, max_frag)) != 0; at += n, n_frags++)
            cr_assert(n <= max_frag && at + n <= limit);
        cr_assert_eq(at, limit);
        cr_assert_eq((uint64_t)n_frags, (left + max_frag - 1) / max_frag,
                     "no fragment shorter than it must be but the last");
    }
    cr_assert_eq(hws_frag_next(10, 5, 4096), 0, "more is there than the receiver takes");
}
