/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tcp: links over TCP. One listener per chosen address and one on loopback, in the one port range; dials are
 * non-blocking and bound to the local address of their pair.
 */
#ifndef HWS_LINK_TCP_H
#define HWS_LINK_TCP_H

#include "base/params.h"
#include "link/link.h"
#include "reactor/reactor.h"

/* Opens the transport. `listen` false: a process without peers needs no listeners. HWS_OK, or the error with one line
 * in err (no usable interface, port range used up, ...). */
int hws_tcp_open(const struct hws_params *params, struct hws_reactor *reactor, bool listen, struct hws_transport **out,
                 char *err, size_t err_len);

#endif
