/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mem_test: the in-memory backend of the suite, with short reads and writes and delays.
 */
#include <criterion/criterion.h>

#include "link/mem/mem.h"
#include "suite.h"

static struct hws_mem_net *net;

void backend_open(struct hws_transport *out[2])
{
    struct hws_mem_faults f = {.seed = 3, .max_read = 700, .max_write = 900, .delay_pumps = 3, .close_nth_link = -1};
    char err[256];
    cr_assert_not_null(net = hws_mem_net_new(&f));
    for (int i = 0; i < 2; i++)
        cr_assert_eq(hws_mem_open(hws_mem_net_place(net, i), NULL, &out[i], err, sizeof err), HWS_OK);
}

void backend_close(void)
{
    hws_mem_net_free(net);
}

void backend_step(void)
{
    hws_mem_net_pump(net);
}
