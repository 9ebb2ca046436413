/* SPDX-License-Identifier: BSD-3-Clause
 *
 * attr_test: copy and delete callbacks: when, with what, in which order, and what their failures do.
 */
#include "core/object/attr.h"

#include <criterion/criterion.h>
#include <stdio.h>

static char calls[256];
static size_t n_calls;
static int fail_value = -1; /* the delete function refuses this value */

static int del(MPI_Comm comm, int keyval, void *value, void *extra)
{
    (void)comm, (void)keyval, (void)extra;
    if ((int)(intptr_t)value == fail_value)
        return 4711;
    n_calls += (size_t)snprintf(calls + n_calls, sizeof calls - n_calls, "d%d ", (int)(intptr_t)value);
    return MPI_SUCCESS;
}

/* Copies value + 100 when extra says so. */
static int copy(MPI_Comm comm, int keyval, void *extra, void *in, void *out, int *flag)
{
    (void)comm, (void)keyval;
    *flag = extra != NULL;
    *(void **)out = (char *)in + 100;
    return (int)(intptr_t)in == fail_value ? 4712 : MPI_SUCCESS;
}

static int new_key(void *copy_fn, void *extra)
{
    int key;
    cr_assert_eq(hws_keyval_create(HWS_KIND_COMM, (hws_attr_fn *)copy_fn, (hws_attr_fn *)del, extra, &key),
                 MPI_SUCCESS);
    return key;
}

static void set(struct hws_attrs **a, int key, intptr_t value)
{
    cr_assert_eq(hws_attr_set(a, HWS_KIND_COMM, MPI_COMM_SELF, key, (void *)value), MPI_SUCCESS);
}

/* The value, or -1. */
static intptr_t get(struct hws_attrs *a, int key)
{
    void *value;
    int found;
    cr_assert_eq(hws_attr_get(a, HWS_KIND_COMM, key, &value, &found), MPI_SUCCESS);
    return found ? (intptr_t)value : -1;
}

Test(attr, values_are_kept_replaced_and_deleted)
{
    struct hws_attrs *a = NULL;
    int k = new_key(NULL, NULL);
    cr_expect_eq(get(a, k), -1);
    set(&a, k, 1);
    set(&a, k, 2);
    cr_expect_eq(get(a, k), 2);
    cr_expect_eq(hws_attr_delete(&a, HWS_KIND_COMM, MPI_COMM_SELF, k), MPI_SUCCESS);
    cr_expect_eq(get(a, k), -1);
    cr_expect_str_eq(calls, "d1 d2 ");
}

Test(attr, keys_are_bound_to_a_kind_of_object)
{
    struct hws_attrs *a = NULL;
    void *value;
    int found, k = new_key(NULL, NULL);
    cr_expect_eq(hws_attr_set(&a, HWS_KIND_TYPE, MPI_INT, k, NULL), MPI_ERR_KEYVAL);
    cr_expect_eq(hws_attr_get(a, HWS_KIND_COMM, MPI_KEYVAL_INVALID, &value, &found), MPI_ERR_KEYVAL);
    int predefined = MPI_TAG_UB;
    cr_expect_eq(hws_keyval_free(HWS_KIND_COMM, &predefined), MPI_ERR_KEYVAL);
}

Test(attr, a_freed_key_lives_until_its_last_attribute)
{
    struct hws_attrs *a = NULL;
    int k = new_key(NULL, NULL), kept = k;
    set(&a, k, 5);
    cr_assert_eq(hws_keyval_free(HWS_KIND_COMM, &k), MPI_SUCCESS);
    cr_expect_eq(k, MPI_KEYVAL_INVALID);
    cr_expect_eq(get(a, kept), 5);
    int again = kept;
    cr_expect_eq(hws_keyval_free(HWS_KIND_COMM, &again), MPI_SUCCESS, "harmless while the attribute is there");
    cr_expect_eq(get(a, kept), 5);
    again = kept;
    cr_assert_eq(hws_attrs_free(&a, HWS_KIND_COMM, MPI_COMM_SELF), MPI_SUCCESS);
    cr_expect_str_eq(calls, "d5 ");
    cr_expect_eq(hws_keyval_free(HWS_KIND_COMM, &again), MPI_ERR_KEYVAL);
    cr_expect_eq(hws_attr_set(&a, HWS_KIND_COMM, MPI_COMM_SELF, kept, NULL), MPI_ERR_KEYVAL);
}

Test(attr, duplicates_get_what_the_copy_functions_give)
{
    struct hws_attrs *a = NULL, *b = NULL;
    int none = new_key(NULL, NULL), dup = new_key((void *)1, NULL), mine = new_key(copy, &a), no = new_key(copy, NULL);
    set(&a, none, 1);
    set(&a, dup, 2);
    set(&a, mine, 3);
    set(&a, no, 4);
    cr_assert_eq(hws_attrs_copy(a, HWS_KIND_COMM, MPI_COMM_SELF, &b), MPI_SUCCESS);
    cr_expect_eq(get(b, none), -1);
    cr_expect_eq(get(b, dup), 2);
    cr_expect_eq(get(b, mine), 103);
    cr_expect_eq(get(b, no), -1);
}

Test(attr, the_newest_is_deleted_first_and_a_refusal_stops)
{
    struct hws_attrs *a = NULL;
    for (int i = 1; i <= 4; i++)
        set(&a, new_key(NULL, NULL), i);
    fail_value = 2;
    cr_expect_eq(hws_attrs_free(&a, HWS_KIND_COMM, MPI_COMM_SELF), 4711);
    cr_expect_str_eq(calls, "d4 d3 ");
    cr_expect_not_null(a);
    fail_value = -1;
    cr_expect_eq(hws_attrs_free(&a, HWS_KIND_COMM, MPI_COMM_SELF), MPI_SUCCESS);
    cr_expect_str_eq(calls, "d4 d3 d2 d1 ");
    cr_expect_null(a);
}

Test(attr, a_refused_replacement_leaves_the_old_value)
{
    struct hws_attrs *a = NULL;
    int k = new_key(copy, &a);
    set(&a, k, 9);
    fail_value = 9;
    cr_expect_eq(hws_attr_set(&a, HWS_KIND_COMM, MPI_COMM_SELF, k, NULL), 4711);
    cr_expect_eq(hws_attr_delete(&a, HWS_KIND_COMM, MPI_COMM_SELF, k), 4711);
    cr_expect_eq(get(a, k), 9);
    struct hws_attrs *b = NULL;
    cr_expect_eq(hws_attrs_copy(a, HWS_KIND_COMM, MPI_COMM_SELF, &b), 4712);
}

Test(attr, numbers_of_dead_keys_are_used_again)
{
    struct hws_attrs *a = NULL;
    int held = new_key(NULL, NULL), k = held;
    set(&a, held, 1);
    cr_assert_eq(hws_keyval_free(HWS_KIND_COMM, &k), MPI_SUCCESS);
    int first = new_key(NULL, NULL), last = first;
    for (int i = 0; i < 1000; i++) {
        k = last;
        cr_assert_eq(hws_keyval_free(HWS_KIND_COMM, &k), MPI_SUCCESS);
        last = new_key(NULL, NULL);
        cr_assert_neq(last, held, "an attribute still has it");
    }
    cr_expect_eq(last, first, "keys that are gone take memory: numbers from %d to %d", first, last);
    cr_expect_eq(get(a, held), 1);
}
