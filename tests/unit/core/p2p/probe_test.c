/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Probes and matched receives.
 */
#include "setup.h"

TestSuite(probe, .init = p2p_setup);

static const int seven = 7;

Test(probe, blocking_probe_waits_and_leaves_the_message)
{
    MPI_Status st;
    int n, v;
    fake_arrive(20, 2, p2p_ctx(), 5, (int[]){1, 2, 3}, 12);
    cr_assert_eq(MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &st), MPI_SUCCESS);
    cr_expect_eq(st.MPI_SOURCE, 2);
    cr_expect_eq(st.MPI_TAG, 5);
    cr_assert_eq(MPI_Get_count(&st, MPI_INT, &n), MPI_SUCCESS);
    cr_expect_eq(n, 3);
    cr_expect_eq(fake.waits, 1);
    cr_assert_eq(MPI_Iprobe(2, 5, MPI_COMM_WORLD, &v, MPI_STATUS_IGNORE), MPI_SUCCESS);
    cr_expect(v, "still there");
}

Test(probe, iprobe_says_no)
{
    int flag = 1;
    cr_assert_eq(MPI_Iprobe(2, 5, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE), MPI_SUCCESS);
    cr_expect_not(flag);
    fake_arrive(0, 2, p2p_ctx(), 6, &seven, 4);
    cr_assert_eq(MPI_Iprobe(2, 5, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE), MPI_SUCCESS);
    cr_expect_not(flag, "another tag");
}

Test(probe, proc_null_is_always_there)
{
    int flag = 0, v = 3;
    MPI_Status st;
    MPI_Message m;
    MPI_Request r;
    cr_assert_eq(MPI_Iprobe(MPI_PROC_NULL, 5, MPI_COMM_WORLD, &flag, &st), MPI_SUCCESS);
    cr_expect(flag);
    cr_expect_eq(st.MPI_SOURCE, MPI_PROC_NULL);
    cr_assert_eq(MPI_Mprobe(MPI_PROC_NULL, 5, MPI_COMM_WORLD, &m, &st), MPI_SUCCESS);
    cr_expect_eq(m, MPI_MESSAGE_NO_PROC);
    cr_assert_eq(MPI_Mrecv(&v, 1, MPI_INT, &m, &st), MPI_SUCCESS);
    cr_expect_eq(m, MPI_MESSAGE_NULL);
    cr_expect_eq(st.MPI_SOURCE, MPI_PROC_NULL);
    cr_assert_eq(MPI_Improbe(MPI_PROC_NULL, 5, MPI_COMM_WORLD, &flag, &m, &st), MPI_SUCCESS);
    cr_assert_eq(MPI_Imrecv(&v, 1, MPI_INT, &m, &r), MPI_SUCCESS);
    cr_assert_eq(MPI_Wait(&r, &st), MPI_SUCCESS);
    cr_expect_eq(st.MPI_SOURCE, MPI_PROC_NULL);
    cr_expect_eq(v, 3);
}

Test(probe, a_matched_message_is_out_of_matching)
{
    int flag = 1, v = 0, w = 0;
    MPI_Status st;
    MPI_Message m, n;
    MPI_Request r;
    fake_arrive(2, 0, p2p_ctx(), 5, (int[]){1}, 4);
    fake_arrive(2, 0, p2p_ctx(), 5, (int[]){2}, 4);
    cr_assert_eq(MPI_Mprobe(0, 5, MPI_COMM_WORLD, &m, &st), MPI_SUCCESS);
    cr_assert_eq(MPI_Improbe(MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &flag, &n, &st), MPI_SUCCESS);
    cr_expect(flag);
    cr_assert_eq(MPI_Iprobe(0, 5, MPI_COMM_WORLD, &flag, &st), MPI_SUCCESS);
    cr_expect_not(flag);
    cr_assert_eq(MPI_Imrecv(&w, 1, MPI_INT, &n, &r), MPI_SUCCESS);
    cr_assert_eq(MPI_Mrecv(&v, 1, MPI_INT, &m, &st), MPI_SUCCESS);
    cr_assert_eq(MPI_Wait(&r, &st), MPI_SUCCESS);
    cr_expect_eq(v, 1);
    cr_expect_eq(w, 2);
    cr_expect_eq(st.MPI_SOURCE, 0);
    cr_expect_eq(m, MPI_MESSAGE_NULL);
}

Test(probe, wrong_messages_and_truncation)
{
    int v = 0;
    MPI_Message m = MPI_MESSAGE_NULL;
    check_error(MPI_Mrecv(&v, 1, MPI_INT, &m, MPI_STATUS_IGNORE), MPI_ERR_REQUEST,
                "MPI_Mrecv: MPI_ERR_REQUEST: invalid message: argument message is MPI_MESSAGE_NULL");
    fake_arrive(0, 0, p2p_ctx(), 5, (int[]){1, 2}, 8);
    cr_assert_eq(MPI_Mprobe(0, 5, MPI_COMM_WORLD, &m, MPI_STATUS_IGNORE), MPI_SUCCESS);
    check_error(
        MPI_Mrecv(&v, 1, MPI_INT, &m, MPI_STATUS_IGNORE), MPI_ERR_TRUNCATE,
        "MPI_Mrecv: MPI_ERR_TRUNCATE: message truncated: 8 bytes came from rank 0 with tag 5, the receive buffer "
        "holds 4 bytes");
    cr_expect_eq(m, MPI_MESSAGE_NULL);
}

Test(probe, probes_of_a_lost_peer_end)
{
    MPI_Message m;
    fake_lose(3, 2, HWS_EPEERDEAD, "killed");
    check_error(MPI_Probe(2, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE), MPI_ERR_PROC_ABORTED,
                "MPI_Probe: MPI_ERR_PROC_ABORTED: probe of rank 2 failed: killed");
    check_error(MPI_Mprobe(2, 5, MPI_COMM_WORLD, &m, MPI_STATUS_IGNORE), MPI_ERR_PROC_ABORTED,
                "MPI_Mprobe: MPI_ERR_PROC_ABORTED: probe of rank 2 failed: killed");
}
