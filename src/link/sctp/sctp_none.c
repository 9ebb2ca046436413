/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sctp_none: what stands for the SCTP transport where lksctp-tools were not found when this was built.
 */
#include <stdio.h>

#include "link/sctp/sctp.h"

int hws_sctp_open(const struct hws_params *params, struct hws_reactor *reactor, bool want_listeners,
                  struct hws_transport **out, char *err, size_t err_len)
{
    (void)params;
    (void)reactor;
    (void)want_listeners;
    (void)out;
    snprintf(err, err_len,
             "this build has no SCTP: libsctp-dev was not there when it was configured; use -transport tcp");
    return HWS_ESYS;
}
