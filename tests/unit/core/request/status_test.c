/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Counts and fields of statuses, counts beyond int included.
 */
#include "../p2p/setup.h"

#include "core/request/request.h"

TestSuite(status, .init = p2p_setup);

Test(status, counts_are_whole_elements)
{
    MPI_Status st;
    int n;
    MPI_Count wide;
    hws_status_set(&st, 1, 2, 10, false);
    cr_assert_eq(MPI_Get_count(&st, MPI_SHORT, &n), MPI_SUCCESS);
    cr_expect_eq(n, 5);
    cr_assert_eq(MPI_Get_count(&st, MPI_INT, &n), MPI_SUCCESS);
    cr_expect_eq(n, MPI_UNDEFINED);
    hws_status_set(&st, 1, 2, 0, false);
    cr_assert_eq(MPI_Get_count(&st, MPI_INT, &n), MPI_SUCCESS);
    cr_expect_eq(n, 0);
    hws_status_set(&st, 1, 2, 6000000000u * 4, false);
    cr_assert_eq(MPI_Get_count(&st, MPI_INT, &n), MPI_SUCCESS);
    cr_expect_eq(n, MPI_UNDEFINED);
    cr_assert_eq(MPI_Get_count_c(&st, MPI_INT, &wide), MPI_SUCCESS);
    cr_expect_eq(wide, 6000000000);
}

Test(status, fields_can_be_read_and_set)
{
    MPI_Status st = {0};
    int v;
    cr_assert_eq(MPI_Status_set_source(&st, 3), MPI_SUCCESS);
    cr_assert_eq(MPI_Status_set_tag(&st, 4), MPI_SUCCESS);
    cr_assert_eq(MPI_Status_set_error(&st, 5), MPI_SUCCESS);
    cr_assert_eq(MPI_Status_set_cancelled(&st, 1), MPI_SUCCESS);
    cr_assert_eq(MPI_Status_get_source(&st, &v), MPI_SUCCESS);
    cr_expect_eq(v, 3);
    cr_assert_eq(MPI_Status_get_tag(&st, &v), MPI_SUCCESS);
    cr_expect_eq(v, 4);
    cr_assert_eq(MPI_Status_get_error(&st, &v), MPI_SUCCESS);
    cr_expect_eq(v, 5);
    cr_assert_eq(MPI_Test_cancelled(&st, &v), MPI_SUCCESS);
    cr_expect(v);
}

Test(status, wrong_arguments)
{
    int n;
    MPI_Status st = {0};
    check_error(MPI_Get_count(MPI_STATUS_IGNORE, MPI_INT, &n), MPI_ERR_ARG,
                "MPI_Get_count: MPI_ERR_ARG: invalid argument: status is MPI_STATUS_IGNORE");
    check_error(MPI_Get_count(&st, MPI_DATATYPE_NULL, &n), MPI_ERR_TYPE,
                "MPI_Get_count: MPI_ERR_TYPE: invalid datatype: argument datatype is MPI_DATATYPE_NULL");
    check_error(MPI_Test_cancelled(&st, NULL), MPI_ERR_ARG,
                "MPI_Test_cancelled: MPI_ERR_ARG: invalid argument: flag is a null pointer");
}
