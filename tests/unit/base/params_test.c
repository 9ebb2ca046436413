/* SPDX-License-Identifier: BSD-3-Clause
 *
 * params_test: the table parses its own defaults, refuses what is out of range and says so in one line.
 */
#include "base/params.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "base/errors.h"

static struct hws_params params;
static char err[256];

Test(params, defaults_load_and_print_as_written)
{
    size_t n;
    const struct hws_param_row *row = hws_param_table(&n);
    for (size_t i = 0; i < n; i++)
        unsetenv(row[i].env);
    cr_assert_eq(hws_params_load(&params, err, sizeof err), HWS_OK, "%s", err);
    for (size_t i = 0; i < n; i++) {
        char text[512];
        cr_expect_str_eq(hws_param_format(&params, &row[i], text, sizeof text), row[i].def, "-%s", row[i].flag);
    }
}

Test(params, sizes_take_units)
{
    static const struct {
        const char *text;
        uint64_t value;
    } good[] = {{"0", 0}, {"4096", 4096}, {"64K", 65536}, {"64k", 65536}, {"1M", 1 << 20}, {"2G", 2ull << 30}};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        uint64_t v = 1;
        cr_expect_eq(hws_parse_size(good[i].text, &v), HWS_OK, "%s", good[i].text);
        cr_expect_eq(v, good[i].value, "%s", good[i].text);
    }
}

Test(params, sizes_refuse_the_rest_and_leave_the_value)
{
    static const char *const bad[] = {"", "K", "-1", "64KB", "1.5M", "64 K", "0x10", "99999999999G", "1T"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        uint64_t v = 7;
        cr_expect_eq(hws_parse_size(bad[i], &v), HWS_EINVAL, "%s", bad[i]);
        cr_expect_eq(v, 7, "%s", bad[i]);
    }
}

Test(params, environment_sets_a_value)
{
    setenv("HAWSER_TCPMAXFRAG", "1M", 1);
    cr_assert_eq(hws_params_load(&params, err, sizeof err), HWS_OK);
    cr_expect_eq(params.tcp_max_frag, 1 << 20);
}

Test(params, out_of_range_names_flag_variable_and_bounds)
{
    setenv("HAWSER_TCPMAXFRAG", "12", 1);
    cr_assert_eq(hws_params_load(&params, err, sizeof err), HWS_EINVAL);
    cr_expect_str_eq(err, "-tcpmaxfrag (HAWSER_TCPMAXFRAG): '12' is not a size from 4K to 1G");
}

Test(params, text_is_bounded_by_its_field)
{
    char longest[sizeof params.interfaces + 1];
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    cr_expect_eq(hws_param_set(&params, hws_param_find("i"), longest, err, sizeof err), HWS_EINVAL);
    longest[sizeof longest - 2] = '\0';
    cr_expect_eq(hws_param_set(&params, hws_param_find("i"), longest, err, sizeof err), HWS_OK);
    cr_expect_str_eq(params.interfaces, longest);
}

Test(params, progress_is_poll_or_thread)
{
    const struct hws_param_row *row = hws_param_find("progress");
    cr_expect_eq(hws_param_set(&params, row, "thread", err, sizeof err), HWS_OK);
    cr_expect_eq(hws_param_set(&params, row, "pool", err, sizeof err), HWS_EINVAL);
    cr_expect_str_eq(params.progress, "thread");
}

Test(params, unknown_flag_is_not_found)
{
    cr_expect_null(hws_param_find("tcpmaxfrags"));
}
