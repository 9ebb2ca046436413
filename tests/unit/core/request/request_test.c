/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Waits and tests of one, any, some and all requests: order, empty statuses, errors, null and inactive requests,
 * cancel, free.
 */
#include "../p2p/setup.h"

#include "core/comm/raise.h"
#include "core/object/error_class.h"
#include "core/request/request.h"

TestSuite(request, .init = p2p_setup);

static const int seven = 7;

static MPI_Request post(int *v, int source, int tag)
{
    MPI_Request r;
    cr_assert_eq(MPI_Irecv(v, 1, MPI_INT, source, tag, MPI_COMM_WORLD, &r), MPI_SUCCESS);
    return r;
}

static void check_empty(const MPI_Status *st)
{
    int n = -1, flag = 1;
    cr_expect_eq(st->MPI_SOURCE, MPI_ANY_SOURCE);
    cr_expect_eq(st->MPI_TAG, MPI_ANY_TAG);
    cr_expect_eq(st->MPI_ERROR, MPI_SUCCESS);
    cr_expect_eq(MPI_Get_count(st, MPI_INT, &n), MPI_SUCCESS);
    cr_expect_eq(n, 0);
    cr_expect_eq(MPI_Test_cancelled(st, &flag), MPI_SUCCESS);
    cr_expect_not(flag);
}

Test(request, null_requests_give_the_empty_status)
{
    MPI_Request r = MPI_REQUEST_NULL, two[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    MPI_Status st = {.MPI_ERROR = 5}, sts[2] = {{.MPI_ERROR = 5}, {.MPI_ERROR = 5}};
    int flag = 0, i = 0, n = 0, where[2];
    cr_assert_eq(MPI_Wait(&r, &st), MPI_SUCCESS);
    check_empty(&st);
    cr_assert_eq(MPI_Test(&r, &flag, &st), MPI_SUCCESS);
    cr_expect(flag);
    cr_assert_eq(MPI_Waitall(2, two, sts), MPI_SUCCESS);
    check_empty(&sts[1]);
    cr_assert_eq(MPI_Waitany(2, two, &i, &st), MPI_SUCCESS);
    cr_expect_eq(i, MPI_UNDEFINED);
    flag = 0;
    cr_assert_eq(MPI_Testany(2, two, &i, &flag, &st), MPI_SUCCESS);
    cr_expect(flag);
    cr_expect_eq(i, MPI_UNDEFINED);
    check_empty(&st);
    cr_assert_eq(MPI_Waitsome(2, two, &n, where, sts), MPI_SUCCESS);
    cr_expect_eq(n, MPI_UNDEFINED);
    n = 0;
    cr_assert_eq(MPI_Testsome(2, two, &n, where, sts), MPI_SUCCESS);
    cr_expect_eq(n, MPI_UNDEFINED);
    flag = 0;
    cr_assert_eq(MPI_Testall(0, NULL, &flag, MPI_STATUSES_IGNORE), MPI_SUCCESS);
    cr_expect(flag);
    cr_expect_eq(fake.waits, 0);
}

Test(request, waitany_returns_the_one_that_completes)
{
    int v[3] = {0}, i = -1;
    MPI_Status st;
    MPI_Request r[3] = {post(&v[0], 0, 1), post(&v[1], 2, 2), post(&v[2], 3, 3)};
    fake_arrive(10, 2, p2p_ctx(), 2, &seven, sizeof(seven));
    cr_assert_eq(MPI_Waitany(3, r, &i, &st), MPI_SUCCESS);
    cr_expect_eq(i, 1);
    cr_expect_eq(st.MPI_SOURCE, 2);
    cr_expect_eq(v[1], 7);
    cr_expect_eq(r[1], MPI_REQUEST_NULL);
    cr_expect_neq(r[0], MPI_REQUEST_NULL);
    cr_expect_eq(fake.waits, 1, "one wait of the engine for all");
}

Test(request, testany_and_testall_say_no_while_nothing_is_there)
{
    int v[2], i = 0, flag = 1;
    MPI_Request r[2] = {post(&v[0], 0, 1), post(&v[1], 2, 2)};
    fake_arrive(2, 0, p2p_ctx(), 1, &seven, sizeof(seven));
    cr_assert_eq(MPI_Testany(2, r, &i, &flag, MPI_STATUS_IGNORE), MPI_SUCCESS);
    cr_expect_not(flag);
    cr_expect_eq(i, MPI_UNDEFINED);
    cr_assert_eq(MPI_Testall(2, r, &flag, MPI_STATUSES_IGNORE), MPI_SUCCESS);
    cr_expect_not(flag);
    cr_expect_neq(r[0], MPI_REQUEST_NULL, "testall ends all or none");
    cr_assert_eq(MPI_Testany(2, r, &i, &flag, MPI_STATUS_IGNORE), MPI_SUCCESS);
    cr_expect(flag);
    cr_expect_eq(i, 0);
}

Test(request, waitsome_returns_all_that_are_complete)
{
    int v[4], n = 0, where[4];
    MPI_Status st[4];
    MPI_Request r[4] = {post(&v[0], 0, 0), post(&v[1], 0, 1), MPI_REQUEST_NULL, post(&v[3], 0, 3)};
    fake_arrive(4, 0, p2p_ctx(), 3, &seven, sizeof(seven));
    fake_arrive(4, 0, p2p_ctx(), 0, &seven, sizeof(seven));
    cr_assert_eq(MPI_Waitsome(4, r, &n, where, st), MPI_SUCCESS);
    cr_expect_eq(n, 2);
    cr_expect_eq(where[0], 0);
    cr_expect_eq(where[1], 3);
    cr_expect_eq(st[1].MPI_TAG, 3);
    cr_assert_eq(MPI_Testsome(4, r, &n, where, st), MPI_SUCCESS);
    cr_expect_eq(n, 0);
    fake_arrive(1, 0, p2p_ctx(), 1, &seven, sizeof(seven));
    cr_assert_eq(MPI_Testsome(4, r, &n, where, MPI_STATUSES_IGNORE), MPI_SUCCESS);
    cr_expect_eq(n, 1);
    cr_expect_eq(where[0], 1);
}

Test(request, waitall_of_a_thousand_is_one_wait)
{
    enum { N = 1000 };
    static int v[N];
    static MPI_Request r[N];
    for (int i = 0; i < N; i++)
        r[i] = post(&v[i], MPI_ANY_SOURCE, i);
    for (int i = N - 1; i >= 0; i--)
        fake_arrive(1 + (unsigned)i % 50, 2, p2p_ctx(), i, &i, sizeof(i));
    cr_assert_eq(MPI_Waitall(N, r, MPI_STATUSES_IGNORE), MPI_SUCCESS);
    for (int i = 0; i < N; i++)
        cr_assert_eq(v[i], i);
    cr_expect_eq(fake.waits, 1);
}

Test(request, errors_of_several_are_in_their_statuses)
{
    int v[3];
    char line[300];
    MPI_Status st[3] = {{.MPI_ERROR = 77}, {.MPI_ERROR = 77}, {.MPI_ERROR = 77}};
    MPI_Request r[3] = {post(&v[0], 0, 0), post(&v[1], 2, 1), post(&v[2], 3, 2)};
    for (int i = 0; i < 3; i++)
        fake_arrive(1, i == 0 ? 0 : i + 1, p2p_ctx(), i, (int[]){1, 2}, i == 1 ? 8 : 4);
    int rc = MPI_Waitall(3, r, st);
    check_error(
        rc, MPI_ERR_IN_STATUS,
        "MPI_Waitall: MPI_ERR_IN_STATUS: request 1 of 3 failed: MPI_ERR_TRUNCATE: message truncated: 8 bytes came "
        "from rank 2 with tag 1, the receive buffer holds 4 bytes");
    cr_expect_eq(st[0].MPI_ERROR, MPI_SUCCESS);
    strcpy(line,
           "MPI_Waitall: MPI_ERR_TRUNCATE: message truncated: 8 bytes came from rank 2 with tag 1, the receive buffer "
           "holds 4 bytes");
    check_error(st[1].MPI_ERROR, MPI_ERR_TRUNCATE, line);
    cr_expect_eq(st[2].MPI_ERROR, MPI_SUCCESS);
    for (int i = 0; i < 3; i++)
        cr_expect_eq(r[i], MPI_REQUEST_NULL);
}

Test(request, waitall_does_not_hang_on_what_a_lost_peer_leaves_open)
{
    int v[3], cls;
    MPI_Status st[3];
    MPI_Request r[3] = {post(&v[0], 0, 0), post(&v[1], 2, 1), post(&v[2], 3, 2)};
    fake_arrive(1, 3, p2p_ctx(), 2, &seven, sizeof(seven));
    fake_lose(3, 2, HWS_EPEERDEAD, "killed");
    int rc = MPI_Waitall(3, r, st);
    check_error(
        rc, MPI_ERR_IN_STATUS,
        "MPI_Waitall: MPI_ERR_IN_STATUS: request 1 of 3 failed: MPI_ERR_PROC_ABORTED: receive from rank 2 failed: "
        "killed");
    cr_expect_eq(st[0].MPI_ERROR, MPI_ERR_PENDING);
    cr_expect_eq(hws_error_class(st[1].MPI_ERROR, &cls), MPI_SUCCESS);
    cr_expect_eq(cls, MPI_ERR_PROC_ABORTED);
    cr_expect_eq(st[2].MPI_ERROR, MPI_SUCCESS);
    cr_expect_neq(r[0], MPI_REQUEST_NULL);
    cr_expect_eq(r[1], MPI_REQUEST_NULL);
    fake_arrive(1, 0, p2p_ctx(), 0, &seven, sizeof(seven));
    cr_assert_eq(MPI_Wait(&r[0], MPI_STATUS_IGNORE), MPI_SUCCESS, "the pending one can still be waited for");
}

Test(request, waitsome_reports_errors_in_statuses)
{
    int v[2], n, where[2];
    MPI_Status st[2];
    MPI_Request r[2] = {post(&v[0], 0, 0), post(&v[1], 2, 1)};
    fake_arrive(0, 0, p2p_ctx(), 0, &seven, 4);
    fake_arrive(0, 2, p2p_ctx(), 1, (int[]){1, 2}, 8);
    int rc = MPI_Waitsome(2, r, &n, where, st);
    check_error(
        rc, MPI_ERR_IN_STATUS,
        "MPI_Waitsome: MPI_ERR_IN_STATUS: request 1 of 2 failed: MPI_ERR_TRUNCATE: message truncated: 8 bytes came "
        "from rank 2 with tag 1, the receive buffer holds 4 bytes");
    cr_expect_eq(n, 2);
    cr_expect_eq(st[0].MPI_ERROR, MPI_SUCCESS);
    cr_expect_neq(st[1].MPI_ERROR, MPI_SUCCESS);
}

Test(request, get_status_ends_nothing)
{
    int v, flag = 1, i, n, where[1];
    MPI_Status st;
    MPI_Request r = post(&v, 0, 0);
    cr_assert_eq(MPI_Request_get_status(r, &flag, &st), MPI_SUCCESS);
    cr_expect_not(flag);
    fake_arrive(0, 0, p2p_ctx(), 0, &seven, 4);
    for (int k = 0; k < 2; k++) {
        cr_assert_eq(MPI_Request_get_status(r, &flag, &st), MPI_SUCCESS);
        cr_expect(flag);
        cr_expect_eq(st.MPI_SOURCE, 0);
        cr_assert_eq(MPI_Request_get_status_all(1, &r, &flag, &st), MPI_SUCCESS);
        cr_expect(flag);
        cr_assert_eq(MPI_Request_get_status_any(1, &r, &i, &flag, &st), MPI_SUCCESS);
        cr_expect_eq(i, 0);
        cr_assert_eq(MPI_Request_get_status_some(1, &r, &n, where, &st), MPI_SUCCESS);
        cr_expect_eq(n, 1);
    }
    cr_assert_eq(MPI_Wait(&r, &st), MPI_SUCCESS);
    cr_expect_eq(r, MPI_REQUEST_NULL);
}

Test(request, cancel_takes_an_unmatched_receive_back)
{
    int v = 0, flag = 0, n = -1;
    MPI_Status st;
    MPI_Request r = post(&v, 0, 0), s = post(&v, 0, 1);
    fake_arrive(0, 0, p2p_ctx(), 1, &seven, 4);
    cr_assert_eq(MPI_Cancel(&r), MPI_SUCCESS);
    cr_assert_eq(MPI_Cancel(&s), MPI_SUCCESS);
    cr_assert_eq(MPI_Wait(&r, &st), MPI_SUCCESS);
    MPI_Test_cancelled(&st, &flag);
    cr_expect(flag);
    MPI_Get_count(&st, MPI_INT, &n);
    cr_expect_eq(n, 0);
    cr_assert_eq(MPI_Wait(&s, &st), MPI_SUCCESS);
    MPI_Test_cancelled(&st, &flag);
    cr_expect_not(flag, "it was matched before");
    cr_expect_eq(v, 7);
}

Test(request, cancelled_sends_go_out)
{
    int flag = 1;
    MPI_Status st;
    MPI_Request r;
    fake.sends = FAKE_NEXT_STEP;
    cr_assert_eq(MPI_Isend(&seven, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &r), MPI_SUCCESS);
    cr_assert_eq(MPI_Cancel(&r), MPI_SUCCESS);
    cr_assert_eq(MPI_Wait(&r, &st), MPI_SUCCESS);
    MPI_Test_cancelled(&st, &flag);
    cr_expect_not(flag);
}

/* What they were tried with serves the next one; each has its own handle all the same. */
Test(request, sends_that_are_out_at_once_are_apart)
{
    enum { N = 100 };
    MPI_Request in[N], out[N], gone;
    MPI_Status st = {.MPI_ERROR = MPI_SUCCESS};
    int v[N], flag = -1;
    for (int i = 0; i < N; i++)
        in[i] = post(&v[i], ME, i);
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < N / 2; i++) {
            int k = round * N / 2 + i;
            cr_assert_eq(MPI_Isend(&k, 1, MPI_INT, ME, k, MPI_COMM_WORLD, &out[i]), MPI_SUCCESS);
            for (int j = 0; j < i; j++)
                cr_assert_neq(out[i], out[j]);
        }
        gone = out[3];
        cr_assert_eq(MPI_Cancel(&out[1]), MPI_SUCCESS);
        cr_assert_eq(MPI_Wait(&out[1], &st), MPI_SUCCESS);
        cr_assert_eq(MPI_Test_cancelled(&st, &flag), MPI_SUCCESS);
        cr_expect_not(flag, "it has been received");
        cr_assert_eq(MPI_Request_free(&out[2]), MPI_SUCCESS);
        cr_assert_eq(MPI_Wait(&out[3], &st), MPI_SUCCESS);
        check_empty(&st);
        cr_assert_null(hws_request_of(gone));
        cr_assert_eq(MPI_Waitall(N / 2, out, MPI_STATUSES_IGNORE), MPI_SUCCESS);
    }
    cr_assert_eq(MPI_Waitall(N, in, MPI_STATUSES_IGNORE), MPI_SUCCESS);
    for (int i = 0; i < N; i++)
        cr_expect_eq(v[i], i);
}

Test(request, a_send_that_is_out_holds_its_communicator)
{
    struct hws_comm *c = hws_comm_of(MPI_COMM_WORLD);
    MPI_Request in, out;
    int v = -1, refs;
    c->obj.handle = 0; /* as one of the user's */
    cr_assert_eq(MPI_Irecv(&v, 1, MPI_INT, ME, 1, (MPI_Comm)c, &in), MPI_SUCCESS);
    refs = c->obj.refs;
    cr_assert_eq(MPI_Isend(&seven, 1, MPI_INT, ME, 1, (MPI_Comm)c, &out), MPI_SUCCESS);
    cr_expect_eq(c->obj.refs, refs + 1);
    cr_assert_eq(MPI_Wait(&out, MPI_STATUS_IGNORE), MPI_SUCCESS);
    cr_expect_eq(c->obj.refs, refs);
    cr_assert_eq(MPI_Wait(&in, MPI_STATUS_IGNORE), MPI_SUCCESS);
    cr_expect_eq(v, 7);
}

Test(request, freed_while_active_is_freed_at_completion)
{
    int v = 0;
    MPI_Request r = post(&v, 0, 0), copy = r;
    cr_assert_eq(MPI_Request_free(&r), MPI_SUCCESS);
    cr_expect_eq(r, MPI_REQUEST_NULL);
    cr_expect_not_null(hws_request_of(copy));
    fake_arrive(0, 0, p2p_ctx(), 0, &seven, 4);
    cr_expect_eq(v, 7, "the receive goes on without its handle");
    cr_expect_null(hws_request_of(copy));
}

Test(request, stale_and_null_handles_are_refused)
{
    int v, flag;
    MPI_Request r = post(&v, 0, 0), stale = r, null = MPI_REQUEST_NULL;
    fake_arrive(0, 0, p2p_ctx(), 0, &seven, 4);
    cr_assert_eq(MPI_Wait(&r, MPI_STATUS_IGNORE), MPI_SUCCESS);
    check_error(MPI_Wait(&stale, MPI_STATUS_IGNORE), MPI_ERR_REQUEST,
                "MPI_Wait: MPI_ERR_REQUEST: invalid request: argument request is no request");
    check_error(MPI_Cancel(&null), MPI_ERR_REQUEST,
                "MPI_Cancel: MPI_ERR_REQUEST: invalid request: argument request is MPI_REQUEST_NULL");
    check_error(MPI_Request_free(&null), MPI_ERR_REQUEST,
                "MPI_Request_free: MPI_ERR_REQUEST: invalid request: argument request is MPI_REQUEST_NULL");
    check_error(MPI_Testall(1, &stale, &flag, MPI_STATUSES_IGNORE), MPI_ERR_REQUEST,
                "MPI_Testall: MPI_ERR_REQUEST: invalid request: argument array_of_requests[0] is no request");
    check_error(MPI_Waitall(-1, &null, MPI_STATUSES_IGNORE), MPI_ERR_COUNT,
                "MPI_Waitall: MPI_ERR_COUNT: invalid count: argument count is -1, it must not be negative");
    check_error(MPI_Start(&null), MPI_ERR_REQUEST,
                "MPI_Start: MPI_ERR_REQUEST: invalid request: argument request is MPI_REQUEST_NULL");
}

Test(request, persistent_requests_start_again_and_again)
{
    int out = 1, in = 0;
    MPI_Request r[2];
    MPI_Status st[2];
    cr_assert_eq(MPI_Send_init(&out, 1, MPI_INT, ME, 3, MPI_COMM_WORLD, &r[0]), MPI_SUCCESS);
    cr_assert_eq(MPI_Recv_init(&in, 1, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &r[1]), MPI_SUCCESS);
    cr_assert_eq(MPI_Waitall(2, r, st), MPI_SUCCESS);
    check_empty(&st[0]);
    for (out = 10; out < 13; out++) {
        fake.sends = (enum fake_sends)(out - 10);
        cr_assert_eq(MPI_Startall(2, r), MPI_SUCCESS);
        cr_assert_eq(MPI_Waitall(2, r, st), MPI_SUCCESS);
        cr_expect_eq(in, out);
        cr_expect_eq(st[1].MPI_SOURCE, ME);
        cr_assert_neq(r[0], MPI_REQUEST_NULL);
    }
    cr_assert_eq(MPI_Request_free(&r[0]), MPI_SUCCESS);
    cr_assert_eq(MPI_Request_free(&r[1]), MPI_SUCCESS);
}

Test(request, persistent_in_all_modes)
{
    int out = 1;
    char room[4096];
    MPI_Request r[4];
    cr_assert_eq(MPI_Buffer_attach(room, sizeof(room)), MPI_SUCCESS);
    cr_assert_eq(MPI_Send_init(&out, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, &r[0]), MPI_SUCCESS);
    cr_assert_eq(MPI_Bsend_init(&out, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, &r[1]), MPI_SUCCESS);
    cr_assert_eq(MPI_Ssend_init(&out, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, &r[2]), MPI_SUCCESS);
    cr_assert_eq(MPI_Rsend_init(&out, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, &r[3]), MPI_SUCCESS);
    cr_assert_eq(MPI_Startall(4, r), MPI_SUCCESS);
    cr_assert_eq(MPI_Waitall(4, r, MPI_STATUSES_IGNORE), MPI_SUCCESS);
    enum hws_send_mode want[] = {HWS_STANDARD, HWS_BUFFERED, HWS_SYNC, HWS_READY};
    for (int i = 0; i < 4; i++)
        cr_expect_eq(fake.sent[i].mode, want[i]);
}

Test(request, an_active_persistent_request_cannot_be_started)
{
    int in = 0;
    MPI_Request r;
    cr_assert_eq(MPI_Recv_init(&in, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, &r), MPI_SUCCESS);
    check_error(MPI_Cancel(&r), MPI_ERR_REQUEST,
                "MPI_Cancel: MPI_ERR_REQUEST: invalid request: it is not active, there is nothing to cancel");
    cr_assert_eq(MPI_Start(&r), MPI_SUCCESS);
    check_error(
        MPI_Start(&r), MPI_ERR_REQUEST,
        "MPI_Start: MPI_ERR_REQUEST: invalid request: it is active already, wait for it before it is started again");
    cr_assert_eq(MPI_Cancel(&r), MPI_SUCCESS);
    cr_assert_eq(MPI_Wait(&r, MPI_STATUS_IGNORE), MPI_SUCCESS);
    cr_assert_eq(MPI_Start(&r), MPI_SUCCESS, "after a cancel it can be used again");
    cr_assert_eq(MPI_Request_free(&r), MPI_SUCCESS);
    fake_arrive(0, 0, p2p_ctx(), 3, &seven, 4);
    cr_expect_eq(in, 7);
}

Test(request, waits_pass_over_inactive_ones)
{
    int in, v, i, n, where[2];
    MPI_Status st[2];
    MPI_Request r[2];
    cr_assert_eq(MPI_Recv_init(&in, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, &r[0]), MPI_SUCCESS);
    r[1] = post(&v, 0, 1);
    fake_arrive(3, 0, p2p_ctx(), 1, &seven, 4);
    cr_assert_eq(MPI_Waitany(2, r, &i, st), MPI_SUCCESS);
    cr_expect_eq(i, 1);
    cr_assert_eq(MPI_Waitsome(2, r, &n, where, st), MPI_SUCCESS);
    cr_expect_eq(n, MPI_UNDEFINED);
    cr_assert_eq(MPI_Wait(&r[0], st), MPI_SUCCESS);
    check_empty(st);
}

/* For collectives: what is behind the handle. */
static int n_called;
static void count_call(struct hws_request *r)
{
    n_called += r->owner == &n_called;
}

Test(request, then_calls_once_whether_complete_or_not)
{
    int v;
    MPI_Request r = post(&v, 0, 0);
    fake_arrive(0, 0, p2p_ctx(), 0, &seven, 4);
    hws_request_then(hws_request_of(r), count_call, &n_called);
    cr_expect_eq(n_called, 1);
    r = post(&v, 0, 1);
    hws_request_then(hws_request_of(r), count_call, &n_called);
    cr_expect_eq(n_called, 1);
    fake_arrive(0, 0, p2p_ctx(), 1, &seven, 4);
    cr_expect_eq(n_called, 2);
}

Test(request, wait_all_keeps_the_first_error)
{
    int v[3];
    struct hws_request *r[4] = {hws_request_of(post(&v[0], 0, 0)), NULL, hws_request_of(post(&v[1], 2, 0)),
                                hws_request_of(post(&v[2], 3, 0))};
    fake_arrive(1, 0, p2p_ctx(), 0, (int[]){1, 2}, 8);
    fake_arrive(3, 3, p2p_ctx(), 0, &seven, 4);
    fake_lose(2, 2, HWS_EPEERDEAD, "killed");
    cr_expect_eq(hws_request_wait_all(4, r), MPI_ERR_TRUNCATE);
    for (int i = 0; i < 4; i++)
        cr_expect_null(r[i]);
}
