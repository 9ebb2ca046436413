/* SPDX-License-Identifier: BSD-3-Clause
 *
 * left_test: which reads leave in the kernel what they read, what the other end gets of it, and that nothing is read
 * twice.
 */
#include <linux/tcp.h>
#include <netinet/in.h>

#include "../../../support/loopback.h"
#include "../../../support/seed.h"
#include "link/tcp/tcp_priv.h"

static struct hws_left t;

static void init(void)
{
    t = (struct hws_left){.bytes = 0};
}

TestSuite(left, .init = init);

static void read_short(int n)
{
    while (n-- > 0)
        hws_left_read(&t, 8);
}

Test(left, the_second_short_read_behind_a_write_may)
{
    read_short(HWS_LEFT_SURE);
    hws_left_wrote(&t);
    cr_expect_not(hws_left_may(&t), "nor does the kernel acknowledge the first");
    read_short(1);
    cr_expect(hws_left_may(&t));
}

Test(left, who_does_not_answer_acknowledges)
{
    read_short(HWS_LEFT_SURE);
    hws_left_wrote(&t);
    read_short(HWS_LEFT_OWED);
    cr_expect_not(hws_left_may(&t));
    read_short(1000);
    cr_expect_not(hws_left_may(&t));
}

Test(left, a_long_read_ends_it_for_some_time)
{
    read_short(HWS_LEFT_SURE);
    hws_left_read(&t, HWS_LEFT_SHORT + 1);
    for (int i = 0; i < HWS_LEFT_SURE; i++) {
        hws_left_wrote(&t);
        read_short(1);
        cr_expect(hws_left_may(&t) == (i == HWS_LEFT_SURE - 1), "%d", i);
    }
}

Test(left, only_so_much_is_left)
{
    read_short(HWS_LEFT_SURE);
    hws_left_wrote(&t);
    read_short(1);
    t.bytes = HWS_LEFT_MOST;
    cr_expect_not(hws_left_may(&t));
}

/* The first read behind an own write was of some bytes: may the next one leave what it reads? */
static bool may_second(void)
{
    hws_left_wrote(&t);
    hws_left_read(&t, 40);
    return hws_left_may(&t);
}

/* By Linux's rules for what a full segment is. */
Test(left, what_the_kernel_acknowledges_as_it_comes_is_not_left)
{
    read_short(HWS_LEFT_SURE);
    hws_left_read(&t, 700);
    cr_expect_not(may_second(), "40 and 700 are more than a full segment, as which 700 counted");
    hws_left_read(&t, HWS_LEFT_SHORT + 1);
    read_short(HWS_LEFT_SURE);
    hws_left_read(&t, 700);
    cr_expect(may_second(), "a full segment is longer now");
}

Test(left, two_segments_of_one_length_count_as_full)
{
    hws_left_read(&t, HWS_LEFT_SHORT + 1);
    read_short(HWS_LEFT_SURE);
    for (int i = 0; i < 3; i++)
        hws_left_read(&t, i == 1 ? 8 : 700);
    cr_expect(may_second(), "another one came between");
    hws_left_read(&t, 700);
    hws_left_read(&t, 700);
    cr_expect_not(may_second());
}

Test(left, what_came_once_is_not_expected_for_long)
{
    read_short(HWS_LEFT_SURE);
    hws_left_read(&t, 1000);
    hws_left_read(&t, 600);
    hws_left_read(&t, 600);
    cr_expect_not(may_second());
    read_short(4 * HWS_LEFT_FADE);
    cr_expect(may_second());
}

/* ---- the same with a socket -------------------------------------------------------------------------------------- */

static struct hws_reactor *reactor;
static struct hws_tcp_link *mine;
static int there;
static uint8_t bytes[70000];

static void connect_link(void)
{
    int here;
    hws_test_connect(&here, &there);
    cr_assert_eq(setsockopt(there, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int)), 0);
    cr_assert_eq(hws_reactor_open(&reactor), HWS_OK);
    mine = hws_tcp_link_new(reactor, here, "here");
    cr_assert_not_null(mine);
    hws_link_connected(&mine->base);
    hws_link_want(&mine->base, HWS_LINK_R);
    if (!mine->can_leave)
        cr_skip_test("this kernel reads on at no place but the first byte: before Linux 6.9");
}

static void disconnect_link(void)
{
    if (mine)
        hws_link_close(&mine->base);
    hws_reactor_fini(reactor);
    close(there);
}

TestSuite(left_link, .init = connect_link, .fini = disconnect_link);

static ssize_t read_link(size_t room)
{
    return hws_link_recv(&mine->base, &(struct iovec){bytes, room}, 1);
}

/* Reads until there is something: the kernel delivers by itself. */
static ssize_t read_what_comes(void)
{
    ssize_t n = HWS_EAGAIN;
    for (int i = 0; i < 1000000 && n == HWS_EAGAIN; i++)
        n = read_link(sizeof bytes);
    return n;
}

/* The other end's message of that length. */
static void come(size_t n)
{
    static const uint8_t some[1500];
    cr_assert_eq(send(there, some, n, 0), (ssize_t)n);
    cr_assert_eq(read_what_comes(), (ssize_t)n);
}

static void answer(void)
{
    uint8_t byte = 1;
    cr_assert_eq(hws_link_send(&mine->base, &(struct iovec){&byte, 1}, 1), 1);
    cr_assert_eq(recv(there, &byte, 1, MSG_WAITALL), 1);
}

static void begin_to_leave(void)
{
    hws_link_rest(&mine->base, true);
    for (int i = 0; i < HWS_LEFT_SURE; i++)
        come(8);
    answer();
}

static unsigned n_packets(void)
{
    struct tcp_info info;
    socklen_t len = sizeof info;
    cr_assert_eq(getsockopt(mine->io.fd, IPPROTO_TCP, TCP_INFO, &info, &len), 0);
    return info.tcpi_segs_out;
}

enum { ROUNDS = 200 };

/* Packets that went to the other end in so many rounds of two messages and an answer. The kernel sends some of its own
 * accord where this process does not run for 40 ms. */
static unsigned packets_of_rounds(size_t first, size_t second)
{
    begin_to_leave();
    unsigned before = n_packets();
    for (int i = 0; i < ROUNDS; i++) {
        come(first);
        come(second);
        answer();
    }
    return n_packets() - before;
}

Test(left_link, two_messages_and_an_answer_are_one_packet)
{
    cr_expect_lt(packets_of_rounds(8, 24), ROUNDS + ROUNDS / 2);
}

Test(left_link, so_are_a_short_and_a_longer_one_where_long_segments_come)
{
    come(1500);
    cr_expect_lt(packets_of_rounds(24, 1052), ROUNDS + ROUNDS / 2);
}

Test(left_link, without_an_answer_the_kernel_acknowledges)
{
    begin_to_leave();
    unsigned before = n_packets();
    for (int i = 0; i < 40; i++)
        come(8);
    cr_expect_geq(n_packets() - before, 10);
}

static size_t room(void)
{
    return hws_test_random(4) ? sizeof bytes : 1 + hws_test_random(1500);
}

static size_t send_some(uint8_t *next)
{
    static uint8_t out[3000];
    size_t n = 1 + hws_test_random(hws_test_random(8) ? 100 : sizeof out);
    for (size_t b = 0; b < n; b++)
        out[b] = (*next)++;
    cr_assert_eq(send(there, out, n, 0), (ssize_t)n);
    return n;
}

/* Returns how much came. */
static size_t read_some(uint8_t *next)
{
    ssize_t n = read_link(room());
    cr_assert(n > 0 || n == HWS_EAGAIN, "%zd", n);
    for (ssize_t b = 0; b < n; b++)
        cr_assert_eq(bytes[b], (*next)++);
    return n > 0 ? (size_t)n : 0;
}

Test(left_link, every_byte_is_read_once)
{
    uint8_t next_out = 0, next_in = 0;
    size_t under_way = 0;
    hws_test_seed("left");
    begin_to_leave();
    for (int i = 0; i < 20000; i++) {
        under_way += send_some(&next_out);
        for (uint64_t k = hws_test_random(4); k > 0 || under_way > 50000; k -= k > 0)
            under_way -= read_some(&next_in);
        if (hws_test_random(3) == 0)
            answer();
        if (hws_test_random(50) == 0)
            hws_link_rest(&mine->base, hws_test_random(3));
    }
    for (int i = 0; i < 1000000 && under_way; i++)
        under_way -= read_some(&next_in);
    cr_assert_eq(under_way, 0);
    cr_assert_eq(read_link(sizeof bytes), HWS_EAGAIN);
}

Test(left_link, who_rests_no_more_is_not_woken_by_what_was_read)
{
    begin_to_leave();
    come(8);
    come(8);
    cr_expect_gt(mine->left.bytes, 0);
    hws_link_rest(&mine->base, false);
    cr_expect_eq(mine->left.bytes, 0);
    cr_expect_eq(recv(mine->io.fd, bytes, 1, MSG_DONTWAIT), -1);
}

Test(left_link, the_other_end_reads_all_that_was_sent_before_the_close)
{
    begin_to_leave();
    come(8);
    come(8);
    cr_assert_eq(hws_link_send(&mine->base, &(struct iovec){bytes, 1000}, 1), 1000);
    hws_link_close(&mine->base);
    mine = NULL;
    cr_expect_eq(recv(there, bytes, sizeof bytes, MSG_WAITALL), 1000);
    cr_expect_eq(recv(there, bytes, 1, 0), 0, "it is an end, and no reset");
}

Test(left_link, the_end_is_told_behind_what_was_left)
{
    begin_to_leave();
    come(8);
    come(8);
    close(there);
    there = -1;
    cr_expect_eq(read_what_comes(), HWS_ECLOSED);
}
