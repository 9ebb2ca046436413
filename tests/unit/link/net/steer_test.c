/* SPDX-License-Identifier: BSD-3-Clause
 *
 * steer_test: where steering is needed, and who accepts a connection where a plain listener and one bound to the device
 * share a port.
 */
#include "link/net/steer.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/errors.h"

static struct hws_netif netif(unsigned ifindex, const char *addr, uint8_t bits, bool is_up)
{
    struct hws_netif e = {.ifindex = ifindex, .prefix_len = bits, .is_up = is_up};
    cr_assert_eq(hws_addr_parse(addr, &e.addr), HWS_OK);
    e.is_loopback = hws_addr_is_loopback(&e.addr);
    return e;
}

static bool is_contested(unsigned ifindex, const char *to)
{
    struct hws_netif all[] = {
        netif(1, "127.0.0.1", 8, true), netif(2, "10.0.0.1", 24, true), netif(2, "10.3.0.1", 24, true),
        netif(3, "10.0.0.3", 24, true), netif(4, "10.1.0.1", 24, true), netif(5, "10.1.0.2", 24, false),
        netif(4, "fe80::4", 64, true),  netif(3, "fe80::3", 64, true),  netif(4, "fd00::4", 64, true),
    };
    struct hws_addr a;
    cr_assert_eq(hws_addr_parse(to, &a), HWS_OK);
    return hws_steer_is_contested(all, sizeof all / sizeof *all, ifindex, &a);
}

Test(steer, only_several_interfaces_in_one_subnet_are_contested)
{
    cr_assert(is_contested(2, "10.0.0.9"));
    cr_assert(is_contested(3, "10.0.0.9"));
    cr_assert_not(is_contested(2, "10.3.0.9"), "two addresses of one interface");
    cr_assert_not(is_contested(4, "10.1.0.9"), "the other one is down");
    cr_assert_not(is_contested(4, "10.9.0.9"), "routed");
    cr_assert_not(is_contested(4, "fe80::9"), "link-local: by scope");
    cr_assert_not(is_contested(4, "fd00::9"));
    cr_assert(is_contested(2, "fd00::9"));
}

static int plain_listener(struct sockaddr_in *sa)
{
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    socklen_t len = sizeof *sa;
    *sa = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    cr_assert_eq(bind(fd, (struct sockaddr *)sa, sizeof *sa), 0);
    cr_assert_eq(listen(fd, 5), 0);
    cr_assert_eq(getsockname(fd, (struct sockaddr *)sa, &len), 0);
    return fd;
}

static bool may_bind(void)
{
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool may = hws_steer_bind(fd, "lo");
    close(fd);
    return may;
}

Test(steer, what_comes_in_through_the_device_goes_to_its_listener)
{
    if (!may_bind())
        cr_skip_test("SO_BINDTODEVICE is not allowed");
    struct sockaddr_in sa;
    int plain = plain_listener(&sa), device = hws_steer_listen(plain, "lo", 5);
    cr_assert_geq(device, 0);
    for (int i = 0; i < 10; i++) {
        int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        cr_assert_eq(connect(fd, (struct sockaddr *)&sa, sizeof sa), 0);
        cr_assert_lt(accept4(plain, NULL, NULL, SOCK_CLOEXEC), 0);
        int accepted = accept4(device, NULL, NULL, SOCK_CLOEXEC);
        cr_assert_geq(accepted, 0);
        close(accepted);
        close(fd);
    }
    close(device);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    cr_assert_eq(connect(fd, (struct sockaddr *)&sa, sizeof sa), 0);
    cr_assert_geq(accept4(plain, NULL, NULL, SOCK_CLOEXEC), 0, "the plain one is there for the rest");
}

/* The port stays this process's, -portrange depends on it. */
Test(steer, nobody_else_gets_the_port)
{
    if (!may_bind())
        cr_skip_test("SO_BINDTODEVICE is not allowed");
    struct sockaddr_in sa;
    int plain = plain_listener(&sa);
    cr_assert_geq(hws_steer_listen(plain, "lo", 5), 0);
    int other = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    cr_assert(bind(other, (struct sockaddr *)&sa, sizeof sa) < 0 && errno == EADDRINUSE);
}

Test(steer, an_unknown_device_is_refused)
{
    struct sockaddr_in sa;
    int plain = plain_listener(&sa);
    cr_assert_lt(hws_steer_listen(plain, "nosuch0", 5), 0);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    cr_assert_eq(connect(fd, (struct sockaddr *)&sa, sizeof sa), 0, "the plain one still works");
}
