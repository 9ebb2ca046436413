/* SPDX-License-Identifier: BSD-3-Clause
 *
 * states_test: what may become of a flow, a trunk and a client of a gateway, and that docs/states.md says so.
 */
#include <criterion/criterion.h>

#include "../../support/lifecycle.h"
#include "gateway/gateway.h"

/* main.c has the real ones; this test links only the tables. */
void gateway_say(const struct gateway *g, const char *fmt, ...)
{
    (void)g;
    (void)fmt;
}

int gateway_check_preface(struct gateway *g, const struct hws_preface *p)
{
    (void)g;
    (void)p;
    return HWS_EAUTH;
}

void gateway_make_preface(struct hws_preface *p, const struct hws_gate_addr *from, const struct hws_gate_addr *to)
{
    *p = (struct hws_preface){.from = *from, .to = *to};
}

Test(states, of_a_flow)
{
    hws_test_lifecycle(
        &flow_lifecycle,
        "OFFERED>OPEN OFFERED>LOST OFFERED>OVER DIALING>OPEN DIALING>LOST DIALING>OVER OPEN>LOST OPEN>OVER LOST>OVER");
}

Test(states, of_a_trunk)
{
    hws_test_lifecycle(&trunk_lifecycle,
                       "IDLE>DIALING IDLE>SHAKING IDLE>OVER DIALING>SHAKING DIALING>OVER SHAKING>GREETING SHAKING>OVER "
                       "GREETING>UP GREETING>OVER UP>OVER");
}

Test(states, of_a_client)
{
    hws_test_lifecycle(&client_lifecycle, "ASKING>OPEN ASKING>OVER DIALING>OPEN DIALING>OVER OPEN>OVER");
}
