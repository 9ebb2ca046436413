/* SPDX-License-Identifier: BSD-3-Clause
 *
 * handle_int_test: numbers of handles are stable, distinct, and lead back.
 */
#include "core/object/handle_int.h"

#include <criterion/criterion.h>
#include <mpi.h>
#include <stdint.h>

static void *address(uintptr_t i)
{
    return (void *)(0x7f0000001000 + 32 * i);
}

Test(handle_int, predefined_handles_are_their_constant)
{
    cr_expect_eq(hws_handle_to_int(MPI_COMM_WORLD), 0x101);
    cr_expect_eq(hws_handle_to_int(MPI_INT), (int)(uintptr_t)MPI_INT);
    cr_expect_eq(hws_handle_from_int(0x101), (void *)MPI_COMM_WORLD);
}

Test(handle_int, others_are_outside_the_predefined_range_and_lead_back)
{
    enum { N = 5000 };
    for (int i = 0; i < N; i++)
        cr_assert_eq(hws_handle_to_int(address((uintptr_t)i)), 4096 + i);
    for (int i = N - 1; i >= 0; i--) {
        cr_assert_eq(hws_handle_to_int(address((uintptr_t)i)), 4096 + i, "the number of %d moved", i);
        cr_assert_eq(hws_handle_from_int(4096 + i), address((uintptr_t)i));
    }
}

Test(handle_int, unknown_numbers_are_null)
{
    int known = hws_handle_to_int(address(0));
    cr_expect_null(hws_handle_from_int(known + 1));
    cr_expect_null(hws_handle_from_int(-1));
    cr_expect_null(hws_handle_from_int(INT32_MIN));
    cr_expect_null(hws_handle_from_int(INT32_MAX));
}
