/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Generalized requests: which callback is called when, and what becomes of the values they return.
 */
#include "../p2p/setup.h"

#include "core/comm/raise.h"
#include "core/object/error_class.h"

TestSuite(grequest, .init = p2p_setup);

struct calls {
    int query, freed, cancelled, cancelled_complete;
    int query_rc, free_rc;
};

static int query(void *extra, MPI_Status *st)
{
    struct calls *c = extra;
    c->query++;
    st->MPI_SOURCE = 21;
    st->MPI_TAG = 22;
    MPI_Status_set_cancelled(st, c->cancelled);
    return c->query_rc;
}

static int free_it(void *extra)
{
    struct calls *c = extra;
    c->freed++;
    return c->free_rc;
}

static int cancel(void *extra, int complete)
{
    struct calls *c = extra;
    c->cancelled++;
    c->cancelled_complete = complete;
    return MPI_SUCCESS;
}

static MPI_Request start(struct calls *c)
{
    MPI_Request r;
    cr_assert_eq(MPI_Grequest_start(query, free_it, cancel, c, &r), MPI_SUCCESS);
    return r;
}

Test(grequest, wait_queries_then_frees)
{
    struct calls c = {0};
    MPI_Status st;
    int flag = 1;
    MPI_Request r = start(&c);
    cr_assert_eq(MPI_Test(&r, &flag, &st), MPI_SUCCESS);
    cr_expect_not(flag);
    cr_expect_eq(c.query + c.freed, 0);
    cr_assert_eq(MPI_Grequest_complete(r), MPI_SUCCESS);
    cr_expect_eq(c.query + c.freed, 0, "callbacks belong to the call that reports");
    cr_expect_eq(fake.wakes, 1, "another thread may be waiting");
    cr_assert_eq(MPI_Wait(&r, &st), MPI_SUCCESS);
    cr_expect_eq(c.query, 1);
    cr_expect_eq(c.freed, 1);
    cr_expect_eq(st.MPI_SOURCE, 21);
    cr_expect_eq(st.MPI_TAG, 22);
    cr_expect_eq(r, MPI_REQUEST_NULL);
}

Test(grequest, query_is_called_without_a_status_too)
{
    struct calls c = {0}, d = {0};
    MPI_Request r[2] = {start(&c), start(&d)};
    MPI_Grequest_complete(r[0]);
    MPI_Grequest_complete(r[1]);
    cr_assert_eq(MPI_Waitall(2, r, MPI_STATUSES_IGNORE), MPI_SUCCESS);
    cr_expect_eq(c.query + c.freed + d.query + d.freed, 4);
}

Test(grequest, get_status_queries_only)
{
    struct calls c = {0};
    MPI_Status st;
    int flag;
    MPI_Request r = start(&c);
    MPI_Grequest_complete(r);
    for (int i = 1; i < 3; i++) {
        cr_assert_eq(MPI_Request_get_status(r, &flag, &st), MPI_SUCCESS);
        cr_expect(flag);
        cr_expect_eq(c.query, i);
        cr_expect_eq(c.freed, 0);
    }
    cr_assert_eq(MPI_Request_free(&r), MPI_SUCCESS);
    cr_expect_eq(c.freed, 1);
    cr_expect_eq(c.query, 2);
}

Test(grequest, freed_before_completion)
{
    struct calls c = {0};
    MPI_Request r = start(&c), copy = r;
    cr_assert_eq(MPI_Request_free(&r), MPI_SUCCESS);
    cr_expect_eq(c.freed, 0);
    cr_assert_eq(MPI_Grequest_complete(copy), MPI_SUCCESS);
    cr_expect_eq(c.freed, 1);
    cr_expect_eq(c.query, 0);
}

Test(grequest, cancel_tells_whether_complete)
{
    struct calls c = {0};
    MPI_Status st;
    int flag = 0;
    MPI_Request r = start(&c);
    cr_assert_eq(MPI_Cancel(&r), MPI_SUCCESS);
    cr_expect_eq(c.cancelled_complete, 0);
    MPI_Grequest_complete(r);
    cr_assert_eq(MPI_Cancel(&r), MPI_SUCCESS);
    cr_expect_neq(c.cancelled_complete, 0);
    cr_assert_eq(MPI_Wait(&r, &st), MPI_SUCCESS);
    MPI_Test_cancelled(&st, &flag);
    cr_expect(flag);
}

Test(grequest, codes_of_callbacks_are_returned)
{
    struct calls c = {.query_rc = MPI_ERR_IO}, d = {.free_rc = MPI_ERR_ACCESS}, e = {.query_rc = MPI_ERR_IO};
    MPI_Request r = start(&c), s = start(&d), some[2] = {MPI_REQUEST_NULL, start(&e)};
    MPI_Status st[2];
    int cls = 0, n = 0, where[2];
    MPI_Grequest_complete(r);
    MPI_Grequest_complete(s);
    MPI_Grequest_complete(some[1]);
    hws_error_class(MPI_Wait(&r, MPI_STATUS_IGNORE), &cls);
    cr_expect_eq(cls, MPI_ERR_IO);
    hws_error_class(MPI_Wait(&s, MPI_STATUS_IGNORE), &cls);
    cr_expect_eq(cls, MPI_ERR_ACCESS);
    hws_error_class(MPI_Waitsome(2, some, &n, where, st), &cls);
    cr_expect_eq(cls, MPI_ERR_IN_STATUS);
    cr_expect_eq(n, 1);
    hws_error_class(st[0].MPI_ERROR, &cls);
    cr_expect_eq(cls, MPI_ERR_IO);
    cr_expect_eq(e.freed, 1);
}

Test(grequest, wrong_requests)
{
    struct calls c = {0};
    int v;
    MPI_Request r = start(&c), other;
    MPI_Grequest_complete(r);
    check_error(MPI_Grequest_complete(r), MPI_ERR_REQUEST,
                "MPI_Grequest_complete: MPI_ERR_REQUEST: invalid request: it is complete already");
    MPI_Irecv(&v, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &other);
    check_error(MPI_Grequest_complete(other), MPI_ERR_REQUEST,
                "MPI_Grequest_complete: MPI_ERR_REQUEST: invalid request: it is no generalized request");
}
