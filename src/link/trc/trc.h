/* SPDX-License-Identifier: BSD-3-Clause
 *
 * trc: links of many TCP connections (docs/decisions/015-tcp-trc.md). The first carries the hello, bytes and what has
 * no flow; each flow has one of its own, opened when it is first used. What the owner would not take stays in the
 * kernel's buffer of its flow's connection. When descriptors run short the least recently used ones are closed.
 */
#ifndef HWS_LINK_TRC_H
#define HWS_LINK_TRC_H

#include "base/params.h"
#include "link/link.h"
#include "reactor/reactor.h"

/* Opens the transport. `listen` false: a process without peers needs no listeners. HWS_OK, or the error with one line
 * in err. */
int hws_trc_open(const struct hws_params *params, struct hws_reactor *reactor, bool listen, struct hws_transport **out,
                 char *err, size_t err_len);

#endif
