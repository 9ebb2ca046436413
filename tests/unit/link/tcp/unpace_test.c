/* SPDX-License-Identifier: BSD-3-Clause
 *
 * unpace_test: which congestion control a socket has after hws_tcp_unpace(), by what it had before.
 */
#include <criterion/criterion.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "link/tcp/tcp_priv.h"

static int fd;

static void setup(void)
{
    fd = socket(AF_INET, SOCK_STREAM, 0);
    cr_assert_geq(fd, 0);
}

static void teardown(void)
{
    close(fd);
}

static bool set_algorithm(const char *name)
{
    return setsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, name, (socklen_t)strlen(name)) == 0;
}

static const char *algorithm(void)
{
    static char name[32];
    socklen_t len = sizeof name - 1;
    memset(name, 0, sizeof name);
    cr_assert_eq(getsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, name, &len), 0);
    return name;
}

TestSuite(unpace, .init = setup, .fini = teardown);

Test(unpace, a_socket_that_paces_does_so_no_more)
{
    if (!set_algorithm("bbr"))
        cr_skip_test("this kernel gives no socket bbr");
    hws_tcp_unpace(fd);
    cr_assert_str_eq(algorithm(), "reno");
}

Test(unpace, any_other_choice_of_the_host_stays)
{
    char before[32];
    if (!set_algorithm("cubic") && !set_algorithm("dctcp"))
        cr_assert(set_algorithm("reno"), "every kernel has reno");
    strcpy(before, algorithm());
    hws_tcp_unpace(fd);
    cr_assert_str_eq(algorithm(), before);
}
