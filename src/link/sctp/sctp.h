/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sctp: links over SCTP (docs/decisions/017-sctp.md). One one-to-many socket for the whole process, bound to all chosen
 * addresses; one association with each process, which finds another pair of addresses by itself when one fails. Its
 * links carry messages in flows: a flow is a stream of the association.
 */
#ifndef HWS_LINK_SCTP_H
#define HWS_LINK_SCTP_H

#include "base/params.h"
#include "link/link.h"
#include "reactor/reactor.h"

/* Opens the transport. `listen` false: a process without peers needs no socket. HWS_OK, or the error with one line in
 * err: the kernel has no SCTP, or this build has none. */
int hws_sctp_open(const struct hws_params *params, struct hws_reactor *reactor, bool listen, struct hws_transport **out,
                  char *err, size_t err_len);

#endif
