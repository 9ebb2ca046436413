/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sockets: backend_open(), backend_close() and backend_step() of the transports over sockets.
 */
#include "sockets.h"

#include <criterion/criterion.h>
#include <unistd.h>

#include "base/errors.h"
#include "suite.h"

static struct hws_reactor *reactor;

void backend_open(struct hws_transport *out[2])
{
    struct hws_params params;
    char err[512];
    cr_assert_eq(hws_params_load(&params, err, sizeof err), HWS_OK, "%s", err);
    cr_assert_eq(hws_reactor_open(&reactor), HWS_OK);
    for (int i = 0; i < 2; i++)
        cr_assert_eq(sockets_open(&params, reactor, &out[i], err, sizeof err), HWS_OK, "%s", err);
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
