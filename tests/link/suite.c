/* SPDX-License-Identifier: BSD-3-Clause
 *
 * suite: the conformance tests. A step is backend_step(); what must happen has happened after many of them, and what
 * must not happen has not.
 */
#include "suite.h"

#include <criterion/criterion.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "../support/seed.h"

enum { ENOUGH = 20000, A_WHILE = 200 };

struct end {
    struct hws_link *link;
    int n_readable, n_writable;
    bool is_inside; /* a call of send or recv is on the stack */
};

static struct hws_transport *transports[2];
static struct end ends[2]; /* 0 dialed, 1 accepted */
static int n_accepted;

static void on_readable(void *owner)
{
    struct end *e = owner;
    cr_assert_not(e->is_inside, "called back from inside a call");
    e->n_readable++;
}

static void on_writable(void *owner)
{
    struct end *e = owner;
    cr_assert_not(e->is_inside, "called back from inside a call");
    e->n_writable++;
}

static const struct hws_link_events events = {on_readable, on_writable};

static void adopt(struct end *e, struct hws_link *l)
{
    e->link = l;
    l->owner = e;
    l->events = &events;
}

static void on_accept(void *owner, struct hws_link *l)
{
    cr_assert_eq(owner, transports[1]);
    n_accepted++;
    adopt(&ends[1], l);
}

static void setup(void)
{
    memset(ends, 0, sizeof ends);
    backend_open(transports);
    for (int i = 0; i < 2; i++) {
        transports[i]->owner = transports[i];
        transports[i]->on_accept = on_accept;
    }
}

static void close_end(int i)
{
    if (ends[i].link)
        hws_link_close(ends[i].link);
    ends[i].link = NULL;
}

static void teardown(void)
{
    for (int i = 0; i < 2; i++)
        close_end(i);
    for (int i = 0; i < 2; i++)
        if (transports[i])
            transports[i]->ops->fini(transports[i]);
    backend_close();
}

TestSuite(link, .init = setup, .fini = teardown);

static void steps(int n)
{
    while (n-- > 0)
        backend_step();
}

/* The kernel tells in its own time; what it has not told after that many steps it does not tell. */
static void until_more(const int *n, int than)
{
    for (int i = 0; i < ENOUGH && *n <= than; i++)
        backend_step();
}

static ssize_t try_send(struct end *e, const struct iovec *iov, int n)
{
    e->is_inside = true;
    ssize_t rc = hws_link_send(e->link, iov, n);
    e->is_inside = false;
    return rc;
}

static ssize_t try_recv(struct end *e, void *dst, size_t n)
{
    struct iovec iov[2] = {{dst, n / 2}, {(char *)dst + n / 2, n - n / 2}};
    e->is_inside = true;
    ssize_t rc = hws_link_recv(e->link, iov, 2);
    e->is_inside = false;
    return rc;
}

/* Begins to dial; the end of it is awaited. Returns its result. */
static int dial_card(const char *card, char *why, size_t why_len)
{
    struct hws_route routes[HWS_MAX_LANES];
    int n = transports[0]->ops->routes(transports[0], card, routes, HWS_MAX_LANES);
    cr_assert_gt(n, 0);
    cr_assert_neq(routes[0].text[0], '\0');
    struct hws_link *l;
    int rc = transports[0]->ops->dial(transports[0], &routes[0], &l, why, why_len);
    if (rc != HWS_OK)
        return rc;
    adopt(&ends[0], l);
    hws_link_want(l, HWS_LINK_W);
    for (int i = 0; i < ENOUGH && ends[0].n_writable == 0; i++)
        backend_step();
    cr_assert_gt(ends[0].n_writable, 0, "nobody tells that the dial has ended");
    hws_link_want(l, 0);
    return hws_link_dial_result(l, why, why_len);
}

static void connect_both(void)
{
    char why[256] = "";
    cr_assert_eq(dial_card(transports[1]->ops->card(transports[1]), why, sizeof why), HWS_OK, "%s", why);
    for (int i = 0; i < ENOUGH && !n_accepted; i++)
        backend_step();
    cr_assert_eq(n_accepted, 1);
    for (int i = 0; i < 2; i++) {
        hws_link_connected(ends[i].link);
        ends[i].n_writable = ends[i].n_readable = 0;
    }
}

Test(link, a_card_is_one_printable_word)
{
    for (int i = 0; i < 2; i++) {
        const char *card = transports[i]->ops->card(transports[i]);
        cr_assert_gt(strlen(card), 0);
        cr_assert_lt(strlen(card), 1024);
        for (const char *p = card; *p; p++)
            cr_assert(isgraph((unsigned char)*p) && *p != '=' && *p != ';', "'%c' in '%s'", *p, card);
    }
}

Test(link, what_is_no_card_has_no_routes)
{
    struct hws_route r;
    static const char *const cards[] = {"", "x", "HWS1", "mem", "HWS9/0/", "tcp 1 2 3"};
    for (size_t i = 0; i < sizeof cards / sizeof cards[0]; i++)
        cr_assert_eq(transports[0]->ops->routes(transports[0], cards[i], &r, 1), HWS_EINVAL, "'%s'", cards[i]);
}

Test(link, a_dial_is_accepted_once)
{
    connect_both();
    steps(A_WHILE);
    cr_assert_eq(n_accepted, 1);
}

Test(link, both_ends_describe_themselves)
{
    char text[160];
    connect_both();
    for (int i = 0; i < 2; i++) {
        cr_assert_eq(hws_link_describe(ends[i].link, text, sizeof text), text);
        cr_assert_neq(text[0], '\0');
        cr_assert_lt(strlen(hws_link_describe(ends[i].link, text, 8)), 8);
    }
}

Test(link, a_dial_to_a_place_that_is_gone_fails_with_a_reason)
{
    char why[256] = "", card[1024];
    snprintf(card, sizeof card, "%s", transports[1]->ops->card(transports[1]));
    transports[1]->ops->fini(transports[1]);
    transports[1] = NULL;
    cr_assert_lt(dial_card(card, why, sizeof why), 0);
    cr_assert_neq(why[0], '\0');
    cr_assert_eq(n_accepted, 0);
}

Test(link, nothing_to_read_is_eagain)
{
    char byte;
    connect_both();
    steps(A_WHILE);
    for (int i = 0; i < 2; i++)
        cr_assert_eq(try_recv(&ends[i], &byte, 1), HWS_EAGAIN);
}

static uint8_t pattern(int from, size_t at)
{
    return (uint8_t)((at * 31 + (at >> 8) * 7 + (size_t)from * 101) % 251);
}

/* Offers up to 5 pieces from byte `at` on of the pattern of an end. */
static size_t send_some(int i, size_t at, size_t end)
{
    static uint8_t bytes[2][50000];
    struct iovec iov[5];
    size_t n = 1 + hws_test_random(sizeof bytes[0]), done = 0;
    int k = 0;
    if (n > end - at)
        n = end - at;
    for (size_t b = 0; b < n; b++)
        bytes[i][b] = pattern(i, at + b);
    for (; k < 5 && done < n; k++) {
        size_t piece = k == 4 ? n - done : 1 + hws_test_random(n - done);
        iov[k] = (struct iovec){bytes[i] + done, piece};
        done += piece;
    }
    ssize_t rc = try_send(&ends[i], iov, k);
    cr_assert(rc == HWS_EAGAIN || (rc > 0 && (size_t)rc <= n), "%zd of %zu", rc, n);
    return rc > 0 ? (size_t)rc : 0;
}

static size_t recv_some(int i, size_t at)
{
    static uint8_t bytes[30000];
    ssize_t rc = try_recv(&ends[i], bytes, 1 + hws_test_random(sizeof bytes));
    cr_assert(rc == HWS_EAGAIN || rc > 0);
    for (ssize_t b = 0; b < rc; b++)
        cr_assert_eq(bytes[b], pattern(1 - i, at + (size_t)b));
    return rc > 0 ? (size_t)rc : 0;
}

Test(link, bytes_arrive_whole_and_in_order_both_ways)
{
    enum { TOTAL = 600000 };
    size_t sent[2] = {0, 0}, got[2] = {0, 0};
    hws_test_seed("link");
    connect_both();
    for (int i = 0; i < ENOUGH && (got[0] < TOTAL || got[1] < TOTAL); i++) {
        for (int e = 0; e < 2; e++) {
            if (sent[e] < TOTAL)
                sent[e] += send_some(e, sent[e], TOTAL);
            got[e] += recv_some(e, got[e]);
        }
        backend_step();
    }
    cr_assert(got[0] == TOTAL && got[1] == TOTAL, "%zu and %zu", got[0], got[1]);
}

/* Sends until the link takes no more. Returns how much it took. */
static size_t fill(int i)
{
    static uint8_t bytes[4096];
    struct iovec iov = {bytes, sizeof bytes};
    size_t total = 0;
    for (int n_full = 0; n_full < A_WHILE;) {
        ssize_t rc = try_send(&ends[i], &iov, 1);
        cr_assert(rc > 0 || rc == HWS_EAGAIN);
        if (rc > 0) {
            total += (size_t)rc;
            n_full = 0;
            cr_assert_lt(total, 64u << 20, "takes everything");
        } else {
            n_full++;
            backend_step();
        }
    }
    return total;
}

/* The other end's kernel may take some more by itself; then writable must mean that there is room. Until all is quiet.
 */
static size_t fill_when_told(void)
{
    static uint8_t bytes[4096];
    struct iovec iov = {bytes, sizeof bytes};
    size_t total = 0;
    for (int n_quiet = 0; n_quiet < A_WHILE; n_quiet++) {
        backend_step();
        if (!ends[0].n_writable)
            continue;
        ssize_t rc = try_send(&ends[0], &iov, 1);
        cr_assert_gt(rc, 0, "told writable while full");
        total += (size_t)rc;
        cr_assert_lt(total, 64u << 20, "takes everything");
        ends[0].n_writable = 0;
        n_quiet = 0;
    }
    return total;
}

Test(link, a_full_link_says_so_and_tells_when_there_is_room)
{
    static uint8_t bytes[65536];
    connect_both();
    size_t left = fill(0);
    hws_link_want(ends[0].link, HWS_LINK_W);
    left += fill_when_told();
    for (int i = 0; i < ENOUGH && left; i++) {
        ssize_t rc = try_recv(&ends[1], bytes, sizeof bytes);
        left -= rc > 0 ? (size_t)rc : 0;
        backend_step();
    }
    cr_assert_eq(left, 0);
    until_more(&ends[0].n_writable, 0);
    cr_assert_gt(ends[0].n_writable, 0);
}

Test(link, only_what_is_wanted_is_called)
{
    struct iovec iov = {(void *)(uintptr_t) "x", 1};
    connect_both();
    cr_assert_eq(try_send(&ends[0], &iov, 1), 1);
    hws_link_want(ends[1].link, 0);
    steps(A_WHILE);
    cr_assert(ends[1].n_readable == 0 && ends[1].n_writable == 0);
    hws_link_want(ends[1].link, HWS_LINK_R);
    until_more(&ends[1].n_readable, 0);
    steps(A_WHILE);
    cr_assert(ends[1].n_readable > 0 && ends[1].n_writable == 0);
    hws_link_want(ends[1].link, HWS_LINK_W);
    int before = ends[1].n_readable;
    until_more(&ends[1].n_writable, 0);
    steps(A_WHILE);
    cr_assert(ends[1].n_readable == before && ends[1].n_writable > 0, "want sets, it does not add");
}

/* Sends all of a short text. */
static void say(int i, const char *text)
{
    struct iovec iov = {(void *)(uintptr_t)text, strlen(text)};
    for (int k = 0; k < ENOUGH && iov.iov_len; k++) {
        ssize_t rc = try_send(&ends[i], &iov, 1);
        cr_assert(rc > 0 || rc == HWS_EAGAIN);
        iov.iov_base = (char *)iov.iov_base + (rc > 0 ? rc : 0);
        iov.iov_len -= rc > 0 ? (size_t)rc : 0;
        backend_step();
    }
    cr_assert_eq(iov.iov_len, 0);
}

Test(link, readable_is_told_again_until_all_is_read)
{
    char byte;
    connect_both();
    say(0, "abc");
    hws_link_want(ends[1].link, HWS_LINK_R);
    for (int i = 0; i < 3; i++) {
        int before = ends[1].n_readable;
        until_more(&ends[1].n_readable, before);
        cr_assert_gt(ends[1].n_readable, before, "byte %d", i);
        cr_assert_eq(try_recv(&ends[1], &byte, 1), 1);
        cr_assert_eq(byte, "abc"[i]);
    }
}

Test(link, a_close_is_seen_behind_the_last_byte)
{
    char bytes[16];
    size_t got = 0;
    ssize_t rc = HWS_EAGAIN;
    connect_both();
    say(0, "last words");
    close_end(0);
    hws_link_want(ends[1].link, HWS_LINK_R);
    for (int i = 0; i < ENOUGH; i++) {
        rc = try_recv(&ends[1], bytes + got, sizeof bytes - got);
        if (rc < 0 && rc != HWS_EAGAIN)
            break;
        got += rc > 0 ? (size_t)rc : 0;
        backend_step();
    }
    cr_assert_eq(got, 10);
    cr_assert_eq(memcmp(bytes, "last words", 10), 0);
    cr_assert_eq(rc, HWS_ECLOSED);
    cr_assert_eq(try_recv(&ends[1], bytes, 1), HWS_ECLOSED, "and stays closed");
    int before = ends[1].n_readable;
    until_more(&ends[1].n_readable, before);
    cr_assert_gt(ends[1].n_readable, before, "the end of the stream is readable");
}

Test(link, sending_to_a_closed_end_fails_and_raises_no_signal)
{
    struct iovec iov = {(void *)(uintptr_t) "x", 1};
    ssize_t rc = 0;
    connect_both();
    close_end(1);
    for (int i = 0; i < ENOUGH && (rc >= 0 || rc == HWS_EAGAIN); i++) {
        rc = try_send(&ends[0], &iov, 1);
        backend_step();
    }
    cr_assert_eq(rc, HWS_ECLOSED);
}
