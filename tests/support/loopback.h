/* SPDX-License-Identifier: BSD-3-Clause
 *
 * loopback: a TCP connection of a test with itself.
 */
#ifndef HWS_TESTS_SUPPORT_LOOPBACK_H
#define HWS_TESTS_SUPPORT_LOOPBACK_H

#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <sys/socket.h>
#include <unistd.h>

/* Both ends, which block; the caller closes them. */
static inline void hws_test_connect(int *accepted, int *dialed)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof at;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    *dialed = socket(AF_INET, SOCK_STREAM, 0);
    cr_assert_eq(bind(listener, (struct sockaddr *)&at, len), 0);
    cr_assert_eq(listen(listener, 1), 0);
    cr_assert_eq(getsockname(listener, (struct sockaddr *)&at, &len), 0);
    cr_assert_eq(connect(*dialed, (struct sockaddr *)&at, len), 0);
    *accepted = accept(listener, NULL, NULL);
    cr_assert_geq(*accepted, 0);
    close(listener);
}

#endif
