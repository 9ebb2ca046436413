/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sctp_test: the SCTP backend of the suite. Skipped where the kernel has no SCTP: tests/uml runs it in one that has.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "base/errors.h"
#include "link/sctp/sctp.h"
#include "sockets.h"

int sockets_open(const struct hws_params *params, struct hws_reactor *reactor, struct hws_transport **out, char *err,
                 size_t err_len)
{
    int rc = hws_sctp_open(params, reactor, true, out, err, err_len);
    if (rc == HWS_ESYS && strstr(err, "no SCTP"))
        cr_skip_test("%s", err);
    return rc;
}
