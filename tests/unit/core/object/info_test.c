/* SPDX-License-Identifier: BSD-3-Clause
 *
 * info_test: pairs are kept in order, replaced, merged and deleted; the environment is described.
 */
#include "core/object/info.h"

#include <criterion/criterion.h>
#include <string.h>
#include <unistd.h>

static char buf[MPI_MAX_INFO_VAL];

Test(info, keys_stay_in_order_and_values_are_replaced)
{
    struct hws_info *i = hws_info_new();
    char key[MPI_MAX_INFO_KEY];
    hws_info_set(i, "b", "1");
    hws_info_set(i, "a", "2");
    hws_info_set(i, "b", "3");
    cr_assert_eq(hws_info_count(i), 2);
    cr_assert(hws_info_key(i, 0, key));
    cr_expect_str_eq(key, "b");
    cr_assert(hws_info_key(i, 1, key));
    cr_expect_str_eq(key, "a");
    cr_expect_not(hws_info_key(i, 2, key));
    cr_expect_not(hws_info_key(i, -1, key));
    cr_expect_eq(hws_info_get(i, "b", buf, sizeof buf), 1);
    cr_expect_str_eq(buf, "3");
    hws_info_free(i);
}

Test(info, long_values_are_cut_and_their_length_is_told)
{
    struct hws_info *i = hws_info_new();
    hws_info_set(i, "k", "abcdefgh");
    memset(buf, 'x', sizeof buf);
    cr_expect_eq(hws_info_get(i, "k", buf, 4), 8);
    cr_expect_str_eq(buf, "abc");
    cr_expect_eq(hws_info_get(i, "k", NULL, 0), 8);
    cr_expect_eq(hws_info_get(i, "none", buf, sizeof buf), -1);
}

Test(info, delete_needs_the_key)
{
    struct hws_info *i = hws_info_new();
    hws_info_set(i, "a", "1");
    hws_info_set(i, "b", "2");
    cr_expect_eq(hws_info_delete(i, "a"), MPI_SUCCESS);
    cr_expect_eq(hws_info_delete(i, "a"), MPI_ERR_INFO_NOKEY);
    cr_expect_eq(hws_info_count(i), 1);
    cr_expect_eq(hws_info_get(i, "b", buf, sizeof buf), 1);
}

Test(info, copies_are_independent_and_merging_replaces)
{
    struct hws_info *a = hws_info_new();
    hws_info_set(a, "x", "1");
    struct hws_info *b = hws_info_dup(a);
    hws_info_set(a, "x", "2");
    hws_info_get(b, "x", buf, sizeof buf);
    cr_expect_str_eq(buf, "1");
    hws_info_set(b, "y", "9");
    cr_assert_eq(hws_info_merge(a, b), MPI_SUCCESS);
    hws_info_get(a, "x", buf, sizeof buf);
    cr_expect_str_eq(buf, "1");
    cr_expect_eq(hws_info_count(a), 2);
    cr_expect_eq(hws_info_count(hws_info_dup(NULL)), 0);
}

Test(info, the_environment_names_command_and_directory)
{
    char *argv[] = {"./prog", "one", "two words", NULL}, cwd[1024];
    struct hws_info *i = hws_info_new();
    cr_assert_eq(hws_info_fill_env(i, 3, argv), MPI_SUCCESS);
    hws_info_get(i, "command", buf, sizeof buf);
    cr_expect_str_eq(buf, "./prog");
    hws_info_get(i, "argv", buf, sizeof buf);
    cr_expect_str_eq(buf, "one two words");
    hws_info_get(i, "wdir", buf, sizeof buf);
    cr_expect_str_eq(buf, getcwd(cwd, sizeof cwd));
    cr_expect_geq(hws_info_get(i, "thread_level", buf, sizeof buf), 17);
    cr_expect_not_null(hws_info_of(MPI_INFO_ENV));
    cr_expect_gt(hws_info_count(hws_info_of(MPI_INFO_ENV)), 3);
    cr_expect_null(hws_info_of(MPI_INFO_NULL));
}
