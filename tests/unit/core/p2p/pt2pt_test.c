/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sends and receives in all modes and forms: what reaches the engine, what comes back in the status, every wrong
 * argument.
 */
#include "setup.h"

TestSuite(pt2pt, .init = p2p_setup);

static const int seven = 7;

Test(pt2pt, every_mode_reaches_the_engine)
{
    enum hws_send_mode want[] = {HWS_STANDARD, HWS_SYNC, HWS_READY, HWS_STANDARD, HWS_SYNC, HWS_READY};
    MPI_Request r[3];
    cr_assert_eq(MPI_Send(&seven, 1, MPI_INT, 2, 5, MPI_COMM_WORLD), MPI_SUCCESS);
    cr_assert_eq(MPI_Ssend(&seven, 1, MPI_INT, 2, 5, MPI_COMM_WORLD), MPI_SUCCESS);
    cr_assert_eq(MPI_Rsend(&seven, 1, MPI_INT, 2, 5, MPI_COMM_WORLD), MPI_SUCCESS);
    cr_assert_eq(MPI_Isend(&seven, 1, MPI_INT, 2, 5, MPI_COMM_WORLD, &r[0]), MPI_SUCCESS);
    cr_assert_eq(MPI_Issend(&seven, 1, MPI_INT, 2, 5, MPI_COMM_WORLD, &r[1]), MPI_SUCCESS);
    cr_assert_eq(MPI_Irsend(&seven, 1, MPI_INT, 2, 5, MPI_COMM_WORLD, &r[2]), MPI_SUCCESS);
    cr_assert_eq(MPI_Waitall(3, r, MPI_STATUSES_IGNORE), MPI_SUCCESS);
    cr_assert_eq(fake.n_sent, 6);
    for (int i = 0; i < 6; i++) {
        cr_expect_eq(fake.sent[i].mode, want[i]);
        cr_expect_eq(fake.sent[i].peer, 2);
        cr_expect_eq(fake.sent[i].tag, 5);
        cr_expect_eq(fake.sent[i].ctx, p2p_ctx());
        cr_expect_eq(fake.sent[i].len, sizeof(int));
        cr_expect_eq(memcmp(fake.sent[i].bytes, &seven, sizeof(int)), 0);
    }
}

Test(pt2pt, a_blocking_send_that_is_done_at_once_does_not_wait)
{
    cr_assert_eq(MPI_Send(&seven, 1, MPI_INT, 0, 0, MPI_COMM_WORLD), MPI_SUCCESS);
    cr_expect_eq(fake.waits, 0);
    fake.sends = FAKE_NEXT_STEP;
    cr_assert_eq(MPI_Send(&seven, 1, MPI_INT, 0, 0, MPI_COMM_WORLD), MPI_SUCCESS);
    cr_expect_eq(fake.waits, 1);
}

Test(pt2pt, isend_completes_whenever_the_engine_says)
{
    for (enum fake_sends how = FAKE_QUIET; how <= FAKE_NEXT_STEP; how++) {
        MPI_Request r;
        int flag;
        fake.sends = how;
        cr_assert_eq(MPI_Isend(&seven, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &r), MPI_SUCCESS);
        cr_assert_neq(r, MPI_REQUEST_NULL);
        unsigned steps = fake.steps;
        cr_assert_eq(MPI_Test(&r, &flag, MPI_STATUS_IGNORE), MPI_SUCCESS);
        cr_expect(flag);
        cr_expect_eq(r, MPI_REQUEST_NULL);
        cr_expect_eq(fake.steps - steps, how == FAKE_NEXT_STEP, "a test makes progress only when it has to");
    }
}

Test(pt2pt, status_of_a_receive)
{
    int v = 0, n;
    MPI_Status st = {.MPI_ERROR = 4711};
    fake_arrive(3, 2, p2p_ctx(), 9, &seven, sizeof(seven));
    cr_assert_eq(MPI_Recv(&v, 1, MPI_INT, 2, 9, MPI_COMM_WORLD, &st), MPI_SUCCESS);
    cr_expect_eq(v, 7);
    cr_expect_eq(st.MPI_SOURCE, 2);
    cr_expect_eq(st.MPI_TAG, 9);
    cr_expect_eq(st.MPI_ERROR, 4711, "only calls with several statuses touch MPI_ERROR");
    cr_assert_eq(MPI_Get_count(&st, MPI_INT, &n), MPI_SUCCESS);
    cr_expect_eq(n, 1);
}

Test(pt2pt, wildcards_report_who_it_was)
{
    int v;
    MPI_Status st;
    fake_arrive(0, 3, p2p_ctx(), 11, &seven, sizeof(seven));
    fake_arrive(2, 0, p2p_ctx(), 12, &seven, sizeof(seven));
    for (int i = 0; i < 2; i++) {
        cr_assert_eq(MPI_Recv(&v, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &st), MPI_SUCCESS);
        cr_expect_eq(st.MPI_SOURCE, i == 0 ? 3 : 0);
        cr_expect_eq(st.MPI_TAG, 11 + i);
    }
}

Test(pt2pt, proc_null_completes_at_once)
{
    MPI_Request r[2];
    MPI_Status st[2];
    int n = -1;
    cr_assert_eq(MPI_Send(NULL, 0, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD), MPI_SUCCESS);
    cr_assert_eq(MPI_Recv(NULL, 0, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &st[0]), MPI_SUCCESS);
    cr_expect_eq(st[0].MPI_SOURCE, MPI_PROC_NULL);
    cr_expect_eq(st[0].MPI_TAG, MPI_ANY_TAG);
    cr_assert_eq(MPI_Get_count(&st[0], MPI_INT, &n), MPI_SUCCESS);
    cr_expect_eq(n, 0);
    cr_assert_eq(MPI_Isend(NULL, 0, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &r[0]), MPI_SUCCESS);
    cr_assert_eq(MPI_Irecv(NULL, 0, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &r[1]), MPI_SUCCESS);
    cr_assert_eq(MPI_Waitall(2, r, st), MPI_SUCCESS);
    cr_expect_eq(st[1].MPI_SOURCE, MPI_PROC_NULL);
    cr_expect_eq(st[1].MPI_TAG, MPI_ANY_TAG);
    cr_expect_eq(fake.n_sent + (int)fake.waits, 0);
}

Test(pt2pt, an_empty_message_needs_no_datatype)
{
    cr_assert_eq(MPI_Send(NULL, 0, MPI_DATATYPE_NULL, 2, 1, MPI_COMM_WORLD), MPI_SUCCESS);
    fake_arrive(0, 0, p2p_ctx(), 1, "", 0);
    cr_assert_eq(MPI_Recv(NULL, 0, MPI_DATATYPE_NULL, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE), MPI_SUCCESS);
    cr_expect_eq(fake.sent[0].len, 0);
}

Test(pt2pt, truncation_tells_both_lengths)
{
    char big[2000] = {0}, small[1000];
    MPI_Status st;
    int n;
    fake_arrive(0, 2, p2p_ctx(), 3, big, sizeof(big));
    int rc = MPI_Recv(small, 1000, MPI_CHAR, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &st);
    check_error(
        rc, MPI_ERR_TRUNCATE,
        "MPI_Recv: MPI_ERR_TRUNCATE: message truncated: 2000 bytes came from rank 2 with tag 3, the receive buffer "
        "holds 1000 bytes");
    cr_expect_eq(st.MPI_SOURCE, 2);
    cr_expect_eq(MPI_Get_count(&st, MPI_CHAR, &n), MPI_SUCCESS);
    cr_expect_eq(n, 1000);
}

Test(pt2pt, a_lost_peer_ends_what_waits_for_it)
{
    int v;
    MPI_Request r;
    fake_lose(5, 3, HWS_EPEERDEAD, "rank 3 on host x: killed");
    check_error(MPI_Recv(&v, 1, MPI_INT, 3, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE), MPI_ERR_PROC_ABORTED,
                "MPI_Recv: MPI_ERR_PROC_ABORTED: receive from rank 3 failed: rank 3 on host x: killed");
    check_error(MPI_Send(&v, 1, MPI_INT, 3, 0, MPI_COMM_WORLD), MPI_ERR_PROC_ABORTED,
                "MPI_Send: MPI_ERR_PROC_ABORTED: send to rank 3 failed: rank 3 on host x: killed");
    cr_assert_eq(MPI_Isend(&v, 1, MPI_INT, 3, 0, MPI_COMM_WORLD, &r), MPI_SUCCESS, "reported by the wait, not here");
    check_error(MPI_Wait(&r, MPI_STATUS_IGNORE), MPI_ERR_PROC_ABORTED,
                "MPI_Wait: MPI_ERR_PROC_ABORTED: send to rank 3 failed: rank 3 on host x: killed");
    cr_expect_eq(r, MPI_REQUEST_NULL);
}

Test(pt2pt, sendrecv_posts_its_receive_first)
{
    int out = 1, in = 0;
    MPI_Status st;
    fake.sends = FAKE_NEXT_STEP;
    cr_assert_eq(MPI_Sendrecv(&out, 1, MPI_INT, ME, 4, &in, 1, MPI_INT, ME, 4, MPI_COMM_WORLD, &st), MPI_SUCCESS);
    cr_expect_eq(in, 1);
    cr_expect_eq(st.MPI_SOURCE, ME);
    fake_arrive(4, 0, p2p_ctx(), 6, &seven, sizeof(seven));
    cr_assert_eq(MPI_Sendrecv_replace(&out, 1, MPI_INT, 2, 5, 0, 6, MPI_COMM_WORLD, &st), MPI_SUCCESS);
    cr_expect_eq(out, 7);
    cr_expect_eq(fake.sent[0].bytes[0], 1);
}

Test(pt2pt, sendrecv_with_proc_null_on_either_side)
{
    int out = 1, in = 5;
    MPI_Status st;
    cr_assert_eq(MPI_Sendrecv(&out, 1, MPI_INT, 2, 4, &in, 1, MPI_INT, MPI_PROC_NULL, 4, MPI_COMM_WORLD, &st),
                 MPI_SUCCESS);
    cr_expect_eq(st.MPI_SOURCE, MPI_PROC_NULL);
    cr_expect_eq(in, 5);
    fake_arrive(0, 0, p2p_ctx(), 6, &seven, sizeof(seven));
    cr_assert_eq(MPI_Sendrecv(&out, 1, MPI_INT, MPI_PROC_NULL, 4, &in, 1, MPI_INT, 0, 6, MPI_COMM_WORLD, &st),
                 MPI_SUCCESS);
    cr_expect_eq(in, 7);
    cr_expect_eq(fake.n_sent, 1);
}

Test(pt2pt, a_failed_sendrecv_leaves_no_receive_behind)
{
    int out = 1, in = 0;
    fake_lose(0, 3, HWS_EPEERDEAD, "gone");
    int rc = MPI_Sendrecv(&out, 1, MPI_INT, 3, 4, &in, 1, MPI_INT, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    check_error(rc, MPI_ERR_PROC_ABORTED, "MPI_Sendrecv: MPI_ERR_PROC_ABORTED: send to rank 3 failed: gone");
    cr_expect_eq(fake_n_posted(), 0);
}

Test(pt2pt, isendrecv_is_one_request)
{
    for (enum fake_sends how = FAKE_QUIET; how <= FAKE_NEXT_STEP; how++) {
        int out = 1, in = 0;
        MPI_Request r[2];
        MPI_Status st[2];
        fake.sends = how;
        fake_arrive(3, 0, p2p_ctx(), 6, &seven, sizeof(seven));
        fake_arrive(5, 2, p2p_ctx(), 8, &seven, sizeof(seven));
        cr_assert_eq(MPI_Isendrecv(&out, 1, MPI_INT, 2, 5, &in, 1, MPI_INT, 0, 6, MPI_COMM_WORLD, &r[0]), MPI_SUCCESS);
        cr_assert_eq(MPI_Isendrecv_replace(&out, 1, MPI_INT, 2, 5, 2, 8, MPI_COMM_WORLD, &r[1]), MPI_SUCCESS);
        cr_assert_eq(MPI_Waitall(2, r, st), MPI_SUCCESS);
        cr_expect_eq(in, 7);
        cr_expect_eq(out, 7);
        cr_expect_eq(st[0].MPI_SOURCE, 0);
        cr_expect_eq(st[1].MPI_TAG, 8);
        cr_expect_eq(fake.sent[fake.n_sent - 1].bytes[0], 1, "the copy was sent, not the answer");
    }
}

Test(pt2pt, wrong_arguments_of_a_send)
{
    int v = 0;
    MPI_Request r;
    check_error(MPI_Send(&v, -1, MPI_INT, 0, 0, MPI_COMM_WORLD), MPI_ERR_COUNT,
                "MPI_Send: MPI_ERR_COUNT: invalid count: argument count is -1, it must not be negative");
    check_error(MPI_Bsend(&v, 1, MPI_DATATYPE_NULL, 0, 0, MPI_COMM_WORLD), MPI_ERR_TYPE,
                "MPI_Bsend: MPI_ERR_TYPE: invalid datatype: argument datatype is MPI_DATATYPE_NULL");
    check_error(MPI_Ssend(&v, 1, MPI_INT, 4, 0, MPI_COMM_WORLD), MPI_ERR_RANK,
                "MPI_Ssend: MPI_ERR_RANK: invalid rank: argument dest is 4, it must be 0 to 3 or MPI_PROC_NULL");
    check_error(MPI_Rsend(&v, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD), MPI_ERR_RANK,
                "MPI_Rsend: MPI_ERR_RANK: invalid rank: argument dest is -1, it must be 0 to 3 or MPI_PROC_NULL");
    check_error(MPI_Isend(&v, 1, MPI_INT, 0, -5, MPI_COMM_WORLD, &r), MPI_ERR_TAG,
                "MPI_Isend: MPI_ERR_TAG: invalid tag: argument tag is -5, it must be 0 to 2147483647");
    check_error(MPI_Isend(&v, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &r), MPI_ERR_TAG,
                "MPI_Isend: MPI_ERR_TAG: invalid tag: argument tag is -2, it must be 0 to 2147483647");
    check_error(MPI_Issend(&v, 1, MPI_INT, 0, 0, MPI_COMM_NULL, &r), MPI_ERR_COMM,
                "MPI_Issend: MPI_ERR_COMM: invalid communicator: argument comm is MPI_COMM_NULL");
    check_error(MPI_Irsend(NULL, 3, MPI_INT, 0, 0, MPI_COMM_WORLD, &r), MPI_ERR_BUFFER,
                "MPI_Irsend: MPI_ERR_BUFFER: invalid buffer: argument buf is a null pointer, but the count is 3");
    check_error(
        MPI_Send_c(&v, INT64_MAX, MPI_INT, 0, 0, MPI_COMM_WORLD), MPI_ERR_COUNT,
        "MPI_Send_c: MPI_ERR_COUNT: invalid count: argument count is 9223372036854775807, the message would have 2^63 "
        "bytes or more");
    check_error(MPI_Isend(&v, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, NULL), MPI_ERR_ARG,
                "MPI_Isend: MPI_ERR_ARG: invalid argument: request is a null pointer");
    cr_expect_eq(fake.n_sent, 0);
}

Test(pt2pt, wrong_arguments_of_a_receive)
{
    int v = 0;
    MPI_Request r;
    check_error(MPI_Recv(&v, 1, MPI_INT, -2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE), MPI_ERR_RANK,
                "MPI_Recv: MPI_ERR_RANK: invalid rank: argument source is -2, it must be 0 to 3, MPI_ANY_SOURCE or "
                "MPI_PROC_NULL");
    check_error(MPI_Irecv(&v, 1, MPI_INT, 0, -7, MPI_COMM_WORLD, &r), MPI_ERR_TAG,
                "MPI_Irecv: MPI_ERR_TAG: invalid tag: argument tag is -7, it must be 0 to 2147483647 or MPI_ANY_TAG");
    check_error(MPI_Recv_init(&v, -3, MPI_INT, 0, 0, MPI_COMM_WORLD, &r), MPI_ERR_COUNT,
                "MPI_Recv_init: MPI_ERR_COUNT: invalid count: argument count is -3, it must not be negative");
    cr_expect_eq(fake_n_posted(), 0);
}

Test(pt2pt, wrong_arguments_of_a_sendrecv_are_named_as_it_names_them)
{
    int a = 0, b = 0;
    check_error(MPI_Sendrecv(&a, -1, MPI_INT, 0, 0, &b, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE),
                MPI_ERR_COUNT,
                "MPI_Sendrecv: MPI_ERR_COUNT: invalid count: argument sendcount is -1, it must not be negative");
    check_error(
        MPI_Sendrecv(&a, 1, MPI_INT, 0, 0, &b, 1, MPI_INT, 0, -9, MPI_COMM_WORLD, MPI_STATUS_IGNORE), MPI_ERR_TAG,
        "MPI_Sendrecv: MPI_ERR_TAG: invalid tag: argument recvtag is -9, it must be 0 to 2147483647 or MPI_ANY_TAG");
    check_error(MPI_Sendrecv_replace(&a, 1, MPI_DATATYPE_NULL, 0, 0, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE),
                MPI_ERR_TYPE,
                "MPI_Sendrecv_replace: MPI_ERR_TYPE: invalid datatype: argument datatype is MPI_DATATYPE_NULL");
    cr_expect_eq(fake.n_sent + fake_n_posted(), 0);
}
