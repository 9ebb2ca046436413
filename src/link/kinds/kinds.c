/* SPDX-License-Identifier: BSD-3-Clause
 *
 * kinds: the table of transports. A new one is a row here and a name that base/params.c takes.
 */
#include "link/kinds/kinds.h"

#include <stdio.h>
#include <string.h>

#include "base/list.h"
#include "link/sctp/sctp.h"
#include "link/tcp/tcp.h"
#include "link/trc/trc.h"

static const struct {
    const char *name;
    int (*open)(const struct hws_params *params, struct hws_reactor *reactor, bool listen, struct hws_transport **out,
                char *err, size_t err_len);
} kinds[] = {
    {"tcp", hws_tcp_open},
    {"sctp", hws_sctp_open},
    {"tcp-trc", hws_trc_open},
};

int hws_transport_open(const struct hws_params *params, struct hws_reactor *reactor, bool listen,
                       struct hws_transport **out, char *err, size_t err_len)
{
    for (size_t i = 0; i < HWS_ARRAY_LEN(kinds); i++)
        if (strcmp(params->transport, kinds[i].name) == 0)
            return kinds[i].open(params, reactor, listen, out, err, err_len);
    snprintf(err, err_len, "no transport is called '%s'", params->transport);
    return HWS_EINVAL;
}
