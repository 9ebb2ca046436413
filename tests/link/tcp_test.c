/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tcp_test: the TCP backend of the suite.
 */
#include "link/tcp/tcp.h"
#include "sockets.h"

int sockets_open(const struct hws_params *params, struct hws_reactor *reactor, struct hws_transport **out, char *err,
                 size_t err_len)
{
    return hws_tcp_open(params, reactor, true, out, err, err_len);
}
