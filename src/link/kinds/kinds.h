/* SPDX-License-Identifier: BSD-3-Clause
 *
 * kinds: the transports between hosts that -transport may name.
 */
#ifndef HWS_LINK_KINDS_H
#define HWS_LINK_KINDS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/params.h"
#include "link/link.h"

struct hws_reactor;

/* Opens the one that params->transport names. `listen` false: a process without peers needs nothing to listen with.
 * HWS_OK, or the error with one line in err (no such transport, no usable interface, port range used up, ...). */
int hws_transport_open(const struct hws_params *params, struct hws_reactor *reactor, bool listen,
                       struct hws_transport **out, char *err, size_t err_len);

#endif
