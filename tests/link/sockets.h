/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sockets: the backend of the suite for transports over the kernel's sockets: two of them in this process, on one
 * reactor, ports chosen by the kernel. A test gives the function that opens one.
 */
#ifndef HWS_TESTS_LINK_SOCKETS_H
#define HWS_TESTS_LINK_SOCKETS_H

#include "base/params.h"
#include "link/link.h"
#include "reactor/reactor.h"

int sockets_open(const struct hws_params *params, struct hws_reactor *reactor, struct hws_transport **out, char *err,
                 size_t err_len);

#endif
