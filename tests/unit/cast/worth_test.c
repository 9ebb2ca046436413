/* SPDX-License-Identifier: BSD-3-Clause
 *
 * worth_test: when a communicator gives its multicast up.
 */
#include "../../support/lifecycle.h"
#include "base/clock.h"
#include "cast/proto/worth.h"

#define MS HWS_NS_PER_MS

/* Calls of so many bytes, so many ms each, until a review is due; the time then. */
static uint64_t calls_of(struct hws_cast_worth *w, uint64_t bytes, uint64_t each_ms)
{
    uint64_t now = w->since_ns;
    for (; !hws_cast_worth_is_due(w); now += each_ms * MS)
        hws_cast_worth_count(w, bytes, now);
    return now;
}

static uint64_t calls(struct hws_cast_worth *w, uint64_t each_ms)
{
    return calls_of(w, 10000, each_ms);
}

static struct hws_cast_worth used(bool is_wanted)
{
    struct hws_cast_worth w = {.use = HWS_CAST_ABSENT, .is_wanted = is_wanted};
    hws_cast_worth_begin(&w, HWS_CAST_USED, 5 * MS);
    return w;
}

/* A review; what it says begins. resent: of 1000 packets. */
static enum hws_cast_use review(struct hws_cast_worth *w, uint64_t resent, uint64_t each_ms)
{
    uint64_t now = calls(w, each_ms);
    hws_cast_worth_begin(w, hws_cast_worth_review(w, 1000, resent, now), now);
    return w->use;
}

/* A glance, which multicast survives. */
static struct hws_cast_worth glanced(void)
{
    struct hws_cast_worth w = used(false);
    cr_assert_eq(review(&w, 0, 10), HWS_CAST_COMPARED);
    cr_assert(w.is_glance);
    cr_assert_eq(review(&w, 0, 4), HWS_CAST_USED);
    return w;
}

Test(cast_worth, these_changes_are_legal_and_the_document_shows_them)
{
    hws_test_lifecycle(&hws_cast_uses, "ABSENT>USED USED>USED USED>COMPARED COMPARED>USED COMPARED>GIVEN_UP");
}

Test(cast_worth, one_that_is_wanted_and_loses_little_is_never_compared)
{
    struct hws_cast_worth w = used(true);
    for (int i = 0; i < 1000; i++)
        cr_assert_eq(review(&w, 250, 10), HWS_CAST_USED);
}

Test(cast_worth, one_that_is_slower_by_far_is_given_up_after_five_calls)
{
    struct hws_cast_worth w = used(false);
    cr_assert_eq(review(&w, 0, 10), HWS_CAST_COMPARED);
    cr_assert_eq(review(&w, 0, 3), HWS_CAST_GIVEN_UP);
}

Test(cast_worth, five_calls_of_each_are_a_glance)
{
    struct hws_cast_worth w = used(false);
    calls(&w, 10);
    cr_assert_eq(w.n_calls, 5);
    hws_cast_worth_begin(&w, HWS_CAST_COMPARED, w.since_ns);
    calls(&w, 10);
    cr_assert_eq(w.n_calls, 5);
}

Test(cast_worth, one_that_is_a_little_slower_is_given_up_after_a_longer_comparison)
{
    struct hws_cast_worth w = glanced();
    uint64_t now = calls(&w, 10);
    cr_assert_eq(w.n_calls, 12);
    cr_assert_eq(hws_cast_worth_review(&w, 0, 0, now), HWS_CAST_COMPARED);
    hws_cast_worth_begin(&w, HWS_CAST_COMPARED, now);
    cr_assert_not(w.is_glance);
    now = calls(&w, 9);
    cr_assert_eq(w.n_calls, 10);
    cr_assert_eq(hws_cast_worth_review(&w, 0, 0, now), HWS_CAST_GIVEN_UP);
}

/* Only member 0 reviews: the others hear what is to begin. */
Test(cast_worth, all_ranks_find_a_review_due_at_the_same_call)
{
    struct hws_cast_worth w = used(false), other = used(false);
    for (unsigned i = 0; i < 1000; i++) {
        hws_cast_worth_count(&w, 10000, i * 10 * MS);
        hws_cast_worth_count(&other, 10000, i * 10 * MS);
        bool is_due = hws_cast_worth_is_due(&w);
        cr_assert_eq(hws_cast_worth_is_due(&other), is_due, "call %u", i);
        if (!is_due)
            continue;
        enum hws_cast_use next = hws_cast_worth_review(&w, 0, 0, w.since_ns + (w.use == HWS_CAST_USED ? 1 : 200));
        hws_cast_worth_begin(&w, next, i * 10 * MS);
        hws_cast_worth_begin(&other, next, i * 10 * MS);
    }
    cr_assert_gt(w.n_comparisons, 2);
}

Test(cast_worth, the_first_calls_of_either_do_not_count)
{
    struct hws_cast_worth w = used(false);
    uint64_t now = 5 * MS;
    for (int i = 0; !hws_cast_worth_is_due(&w); now += (i++ < 2 ? 1000 : 10) * MS)
        hws_cast_worth_count(&w, 10000, now);
    cr_assert_eq(hws_cast_worth_review(&w, 0, 0, now), HWS_CAST_COMPARED);
    hws_cast_worth_begin(&w, HWS_CAST_COMPARED, now);
    for (int i = 0; !hws_cast_worth_is_due(&w); now += (i++ < 2 ? 1000 : 3) * MS)
        hws_cast_worth_count(&w, 10000, now);
    cr_assert_eq(hws_cast_worth_review(&w, 0, 0, now), HWS_CAST_GIVEN_UP);
}

Test(cast_worth, a_few_packets_say_nothing)
{
    struct hws_cast_worth w = used(true);
    cr_assert_eq(hws_cast_worth_review(&w, 100, 100, calls(&w, 10)), HWS_CAST_USED);
}

Test(cast_worth, one_that_loses_much_and_is_slower_than_unicast_is_given_up)
{
    struct hws_cast_worth w = used(true);
    cr_assert_eq(review(&w, 251, 10), HWS_CAST_COMPARED);
    cr_assert_eq(review(&w, 0, 9), HWS_CAST_GIVEN_UP);
}

Test(cast_worth, one_that_is_faster_goes_on_and_is_compared_ever_more_rarely)
{
    struct hws_cast_worth w = glanced();
    unsigned between[10] = {0}, n = 0;
    for (unsigned i = 0; i < 400 && n < 10; i++)
        if (review(&w, 0, 10) == HWS_CAST_USED)
            between[n]++;
        else {
            n++;
            cr_assert_eq(review(&w, 0, 11), HWS_CAST_USED);
        }
    const unsigned want[10] = {0, 1, 2, 4, 8, 16, 32, 64, 64, 64};
    for (unsigned i = 0; i < 10; i++)
        cr_assert_eq(between[i], want[i], "%u: %u", i, between[i]);
}

Test(cast_worth, calls_of_other_lengths_are_compared_by_their_bytes)
{
    struct hws_cast_worth w = used(true);
    cr_assert_eq(review(&w, 900, 10), HWS_CAST_COMPARED);
    while (!hws_cast_worth_is_due(&w))
        hws_cast_worth_count(&w, 100000, w.since_ns);
    cr_assert_eq(hws_cast_worth_review(&w, 0, 0, w.since_ns + 8 * 50 * MS), HWS_CAST_GIVEN_UP);
}

/* It has won for 10,000 bytes, and is not to be looked at again for 128 calls. */
static struct hws_cast_worth won(void)
{
    struct hws_cast_worth w = glanced();
    cr_assert_eq(review(&w, 0, 10), HWS_CAST_COMPARED);
    cr_assert_eq(review(&w, 0, 11), HWS_CAST_USED);
    return w;
}

/* Calls of 20,000 bytes until a review, which begins what it says. */
static enum hws_cast_use longer(struct hws_cast_worth *w, uint64_t each_ms)
{
    uint64_t now = calls_of(w, 20000, each_ms);
    hws_cast_worth_begin(w, hws_cast_worth_review(w, 0, 0, now), now);
    return w->use;
}

Test(cast_worth, longer_calls_are_glanced_at_soon)
{
    struct hws_cast_worth w = won();
    for (int i = 0; i < 20; i++)
        hws_cast_worth_count(&w, 10000, w.since_ns);
    uint64_t now = calls_of(&w, 20000, 100);
    cr_assert_eq(w.n_calls, 25);
    cr_assert_eq(hws_cast_worth_review(&w, 0, 0, now), HWS_CAST_COMPARED);
    hws_cast_worth_begin(&w, HWS_CAST_COMPARED, now);
    cr_assert_eq(longer(&w, 33), HWS_CAST_GIVEN_UP);
}

Test(cast_worth, and_compared_behind_that)
{
    struct hws_cast_worth w = won();
    cr_assert_eq(longer(&w, 100), HWS_CAST_COMPARED);
    cr_assert_eq(longer(&w, 40), HWS_CAST_USED);
    cr_assert_eq(longer(&w, 100), HWS_CAST_COMPARED);
    cr_assert_not(w.is_glance);
    cr_assert_eq(longer(&w, 99), HWS_CAST_GIVEN_UP);
}

Test(cast_worth, calls_of_about_the_same_length_are_not)
{
    struct hws_cast_worth w = won();
    calls_of(&w, 19999, 100);
    cr_assert_eq(w.n_calls, 64);
}

Test(cast_worth, what_has_won_for_long_calls_is_not_compared_again_for_them)
{
    struct hws_cast_worth w = won();
    for (int i = 0; i < 2; i++) { /* a glance, and the comparison behind it */
        cr_assert_eq(longer(&w, 10), HWS_CAST_COMPARED);
        cr_assert_eq(longer(&w, 11), HWS_CAST_USED);
    }
    calls_of(&w, 20000, 10);
    cr_assert_eq(w.n_calls, 64);
}

Test(cast_worth, who_wants_multicast_has_no_longer_calls_compared)
{
    struct hws_cast_worth w = used(true);
    cr_assert_eq(review(&w, 900, 10), HWS_CAST_COMPARED);
    cr_assert_eq(review(&w, 0, 11), HWS_CAST_USED);
    calls_of(&w, 100000, 10);
    cr_assert_eq(w.n_calls, 64);
}

/* Bytes of 20 ms of a link, as unicast uses it. */
Test(cast_worth, unicast_is_fast_where_links_are)
{
    cr_assert(hws_cast_is_fast(125 * 20000, 20 * MS), "1 Gbit/s");
    cr_assert(hws_cast_is_fast(125 * 20000, 60 * MS), "and used for a third");
    cr_assert_not(hws_cast_is_fast(25 * 20000, 20 * MS), "100 Mbit/s, of which twice as much passes in a burst");
    cr_assert_not(hws_cast_is_fast(0, 20 * MS), "nonblocking calls alone");
}
