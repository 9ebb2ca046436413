/* SPDX-License-Identifier: BSD-3-Clause
 *
 * site_test: the ports a process may listen on, and what is wrong with a range or an interface.
 */
#include "link/net/site.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/errors.h"

static struct hws_site site;
static char err[1024];

static int init(const char *range, const char *interfaces)
{
    struct hws_params params;
    setenv("HAWSER_PORTRANGE", range, 1);
    setenv("HAWSER_I", interfaces, 1);
    cr_assert_eq(hws_params_load(&params, err, sizeof err), HWS_OK, "%s", err);
    memset(&site, 0, sizeof site);
    return hws_site_init(&site, &params, err, sizeof err);
}

Test(site, without_a_range_the_kernel_chooses)
{
    cr_assert_eq(init("", ""), HWS_OK, "%s", err);
    cr_assert_eq(hws_site_n_ports(&site), 1);
    cr_assert_eq(hws_site_port(&site, 0), 0);
    cr_assert_eq(site.card.pid, (unsigned)getpid());
    cr_assert(site.card.hostname[0] && site.card.host_id);
    cr_assert_gt(site.n_all, 0);
}

Test(site, each_port_of_a_range_comes_once)
{
    int came[5] = {0};
    cr_assert_eq(init("65531-65535", ""), HWS_OK, "%s", err);
    cr_assert_eq(hws_site_n_ports(&site), 5);
    for (unsigned i = 0; i < 5; i++) {
        cr_assert_geq(hws_site_port(&site, i), 65531);
        came[hws_site_port(&site, i) - 65531]++;
    }
    for (int i = 0; i < 5; i++)
        cr_assert_eq(came[i], 1);
    cr_assert_eq(init("7000-7000", ""), HWS_OK);
    cr_assert_eq(hws_site_n_ports(&site), 1);
    cr_assert_eq(hws_site_port(&site, 0), 7000);
}

Test(site, what_is_no_range_is_named)
{
    const char *wrong[] = {"x", "7000", "7000-", "7001-7000", "0-7000", "7000-65536", "7000-7001x"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        cr_assert_eq(init(wrong[i], ""), HWS_EINVAL, "%s", wrong[i]);
        cr_assert_not_null(strstr(err, wrong[i]), "%s", err);
        cr_assert_not_null(strstr(err, "-portrange"), "%s", err);
    }
}

Test(site, an_interface_that_is_not_there_is_named)
{
    cr_assert_eq(init("", "nosuch0"), HWS_EINVAL);
    cr_assert_not_null(strstr(err, "nosuch0"), "%s", err);
}
