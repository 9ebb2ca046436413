/* SPDX-License-Identifier: BSD-3-Clause
 *
 * window_test: how far the window of a connection may grow after hws_tcp_grow_window(), by what had come before.
 */
#include <netinet/tcp.h>

#include "../../../support/loopback.h"
#include "link/tcp/tcp_priv.h"

#define LONG (64 << 10)

static int here, there; /* the ends of a connection over loopback */

static void setup(void)
{
    hws_test_connect(&here, &there);
}

static void teardown(void)
{
    close(here);
    close(there);
}

static int number(int level, int which)
{
    int value = 0;
    socklen_t len = sizeof value;
    cr_assert_eq(getsockopt(here, level, which, &value, &len), 0);
    return value;
}

static void pass(size_t n)
{
    static char bytes[LONG];
    cr_assert_eq(send(there, bytes, n, 0), (ssize_t)n);
    cr_assert_eq(recv(here, bytes, n, MSG_WAITALL), (ssize_t)n);
}

/* The kernel tells twice the buffer that it was asked for; half of it at least is for data. */
static void assert_grown(void)
{
    cr_assert_geq(number(IPPROTO_TCP, TCP_WINDOW_CLAMP), number(SOL_SOCKET, SO_RCVBUF) / 2);
}

TestSuite(window, .init = setup, .fini = teardown);

Test(window, what_came_before_the_buffer_does_not_keep_it_small)
{
    pass(LONG);
    int before = number(SOL_SOCKET, SO_RCVBUF);
    hws_tcp_grow_window(here);
    if (number(SOL_SOCKET, SO_RCVBUF) < 2 * before)
        cr_skip_test("this kernel allows no larger buffer than it gives at first");
    assert_grown();
    pass(LONG);
    assert_grown();
}

Test(window, nor_does_what_comes_after_it)
{
    hws_tcp_grow_window(here);
    pass(LONG);
    assert_grown();
}
