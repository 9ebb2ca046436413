/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sctp_test: the SCTP backend of the suite, and what only links with messages have. Skipped where the kernel has no SCTP:
 * tests/uml runs it in one that has.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "link/sctp.h"
#include "suite.h"

static struct hws_reactor *reactor;

void backend_open(struct hws_transport *out[2])
{
    struct hws_params params;
    char err[512];
    cr_assert_eq(hws_params_load(&params, err, sizeof err), HWS_OK, "%s", err);
    cr_assert_eq(hws_reactor_open(&reactor), HWS_OK);
    for (int i = 0; i < 2; i++) {
        int rc = hws_sctp_open(&params, reactor, true, &out[i], err, sizeof err);
        if (rc == HWS_ESYS && strstr(err, "no SCTP"))
            cr_skip_test("%s", err);
        cr_assert_eq(rc, HWS_OK, "%s", err);
    }
}

void backend_close(void)
{
    hws_reactor_fini(reactor);
}

void backend_step(void)
{
    hws_reactor_run(reactor, false);
    usleep(20); /* the kernel delivers by itself */
}
