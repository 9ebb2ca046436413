/* SPDX-License-Identifier: BSD-3-Clause
 *
 * loopback: sockets over which a test talks with itself.
 */
#ifndef HWS_TESTS_SUPPORT_LOOPBACK_H
#define HWS_TESTS_SUPPORT_LOOPBACK_H

#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <stdint.h>
#include <sys/socket.h>
#include <unistd.h>

/* A socket that listens on loopback, at a free port. */
static inline int hws_test_listen(uint16_t *port)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof at;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    cr_assert_eq(bind(fd, (struct sockaddr *)&at, len), 0);
    cr_assert_eq(listen(fd, 8), 0);
    cr_assert_eq(getsockname(fd, (struct sockaddr *)&at, &len), 0);
    *port = ntohs(at.sin_port);
    return fd;
}

/* Both ends, which block; the caller closes them. */
static inline void hws_test_connect(int *accepted, int *dialed)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    uint16_t port;
    int listener = hws_test_listen(&port);
    at.sin_port = htons(port);
    *dialed = socket(AF_INET, SOCK_STREAM, 0);
    cr_assert_eq(connect(*dialed, (struct sockaddr *)&at, sizeof at), 0);
    *accepted = accept(listener, NULL, NULL);
    cr_assert_geq(*accepted, 0);
    close(listener);
}

#endif
