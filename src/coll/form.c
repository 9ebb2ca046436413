/* SPDX-License-Identifier: BSD-3-Clause
 *
 * form: nonblocking and persistent collectives: a schedule behind a request. The schedule's end completes the request
 * from inside progress; the request's end frees the schedule.
 */
#include "cast/cast.h"
#include "coll/run.h"
#include "coll/schedule/sched_run.h"
#include "core/object/fail.h"

static struct hws_sched *sched_of(struct hws_request *r)
{
    return r->buf;
}

static void on_complete(struct hws_sched *s)
{
    if (s->look_bytes)
        hws_cast_looked(s->comm, s->look_bytes);
    hws_request_complete(s->owner, hws_sched_class(s));
}

static int start(struct hws_request *r)
{
    return hws_sched_start(sched_of(r));
}

/* MPI 5.0 section 6.12: the status of a collective tells nothing but its error. */
static int finish(struct hws_request *r, MPI_Status *st)
{
    hws_status_empty(st);
    return r->error == MPI_SUCCESS ? MPI_SUCCESS : hws_sched_result(sched_of(r));
}

static int cancel(struct hws_request *r)
{
    (void)r;
    return hws_fail(MPI_ERR_REQUEST, "invalid request: a collective operation cannot be cancelled");
}

static void release(struct hws_request *r)
{
    hws_sched_free(sched_of(r));
}

static const struct hws_request_ops ops = {.start = start, .cancel = cancel, .finish = finish, .release = release};

static int finish_empty(struct hws_request *r, MPI_Status *st)
{
    (void)r;
    hws_status_empty(st);
    return MPI_SUCCESS;
}

static const struct hws_request_ops empty_ops = {
    .cancel = cancel, .finish = finish_empty, .plain = true, .shared = true};

struct hws_request hws_coll_nothing = {
    .obj = {.kind = HWS_KIND_REQUEST, .refs = 1}, .ops = &empty_ops, .kind = HWS_REQ_COLL, .complete = true};

static void hold_w_types(struct hws_sched *s, const MPI_Datatype *types, int n)
{
    for (int i = 0; types && i < n; i++)
        hws_sched_hold_type(s, hws_type_of(types[i]));
}

/* The user may free types and operations before the operation is complete (MPI 5.0 sections 5.1.9, 6.9.5). */
static void hold(struct hws_sched *s, const struct hws_coll_call *a)
{
    int n_in = 0, n_out = 0;
    hws_coll_degrees(a, &n_in, &n_out);
    hws_sched_hold_type(s, a->st);
    hws_sched_hold_type(s, a->rt);
    hws_sched_hold_op(s, a->rop);
    hold_w_types(s, a->stypes, n_out);
    hold_w_types(s, a->rtypes, n_in);
}

/* A built schedule behind an inactive request. */
static int make(const struct hws_coll_call *a, bool persistent, uint64_t look_bytes, struct hws_request **req)
{
    struct hws_sched *s = hws_sched_new(a->comm, persistent);
    struct hws_request *r = s ? hws_request_new(HWS_REQ_COLL, &ops, a->comm, NULL) : NULL;
    if (!r) {
        if (s)
            hws_sched_free(s);
        return hws_fail(MPI_ERR_NO_MEM, "out of memory for the request of a collective operation");
    }
    r->buf = s;
    r->persistent = persistent;
    s->owner = r;
    s->on_complete = on_complete;
    s->look_bytes = look_bytes;
    hold(s, a);
    int rc = hws_coll_build(s, a);
    if (rc != MPI_SUCCESS) {
        hws_request_free(r);
        return rc;
    }
    *req = r;
    return MPI_SUCCESS;
}

int hws_coll_start(const struct hws_coll_call *a, struct hws_request **req)
{
    struct hws_request *r;
    bool out = hws_coll_sits_out(a);
    if (out)
        hws_comm_next_tag(a->comm);
    if (out || hws_coll_is_empty(a)) {
        *req = &hws_coll_nothing;
        return MPI_SUCCESS;
    }
    int rc = make(a, false, hws_coll_want_cast(a), &r);
    if (rc != MPI_SUCCESS)
        return rc;
    *req = r; /* it may be complete, but only the user frees it */
    rc = hws_sched_start(sched_of(r));
    if (rc != MPI_SUCCESS)
        hws_request_free(r);
    return rc;
}

int hws_coll_prepare(const struct hws_coll_call *a, struct hws_request **req)
{
    int rc = hws_coll_is_empty(a) ? MPI_SUCCESS : hws_coll_settle(a);
    if (rc == MPI_SUCCESS)
        rc = make(a, true, 0, req);
    if (rc == MPI_SUCCESS)
        (*req)->complete = true; /* inactive */
    return rc;
}
