/* SPDX-License-Identifier: BSD-3-Clause
 *
 * request_many: the any, all and some forms of waits and tests, and the looks of MPI 4.1 that end nothing (MPI 5.0
 * sections 3.7.5 and 3.7.6). Each form is the same three steps: check the array, get something complete, report it.
 */
#include "mpi/public.h"

#include "base/hot.h"
#include "core/object/error_class.h"
#include "core/object/event.h"
#include "mpi/report.h"
#include "peer/engine.h"

/* How a form gets its requests complete and what it does with them. */
enum how { WAIT, TEST, LOOK };

/* What became of several requests reported together. */
struct outcome {
    const char *fn;
    bool look;             /* leave the requests as they are */
    int failed_at;         /* index of the first that failed, -1: none */
    int code;              /* its error code */
    struct hws_comm *comm; /* its communicator, held; or NULL */
};

HWS_HOT static int check_array(int n, const MPI_Request reqs[], const char *arg_n)
{
    struct hws_request *r;
    int rc;
    if ((rc = hws_check_up()) != MPI_SUCCESS || (rc = hws_check_count(n, arg_n)) != MPI_SUCCESS ||
        (n > 0 && (rc = hws_check_ptr(reqs, "array_of_requests")) != MPI_SUCCESS))
        return rc;
    for (int i = 0; i < n; i++)
        if ((rc = hws_check_request_or_null(reqs[i], "array_of_requests", i, &r)) != MPI_SUCCESS)
            return rc;
    return MPI_SUCCESS;
}

static int end_request(MPI_Request *h, struct hws_request *r, MPI_Status *st, bool look)
{
    if (look)
        return r->ops->finish(r, st);
    if (!r->persistent)
        *h = MPI_REQUEST_NULL;
    return hws_request_report(r, st);
}

/* Ends entry i, which is complete; the code for its MPI_ERROR. */
HWS_HOT static int end_entry(struct outcome *o, int i, MPI_Request *h, MPI_Status *st)
{
    struct hws_request *r = (struct hws_request *)*h;
    if (__builtin_expect(r->error == MPI_SUCCESS && !r->ops->end, 1)) {
        end_request(h, r, st, o->look);
        return MPI_SUCCESS;
    }
    struct hws_comm *c = r->comm;
    if (c)
        hws_comm_hold(c);
    int rc = end_request(h, r, st, o->look);
    int code = rc == MPI_SUCCESS ? MPI_SUCCESS : hws_error_code(o->fn, rc);
    if (rc != MPI_SUCCESS && o->failed_at < 0) {
        o->failed_at = i;
        o->code = code;
        o->comm = c;
    } else if (c) {
        hws_comm_drop(c);
    }
    return code;
}

static bool is_pending(MPI_Request h)
{
    struct hws_request *r = hws_set_active(h);
    return r && !hws_request_is_complete(r);
}

/* The text of the first failure without the names that stand in front of every error. */
static int raise_in_status(const struct outcome *o, int n)
{
    char text[MPI_MAX_ERROR_STRING];
    int len;
    if (o->failed_at < 0)
        return MPI_SUCCESS;
    hws_error_string(o->code, text, &len);
    const char *from = strstr(text, "MPI_ERR_");
    int rc = hws_fail(MPI_ERR_IN_STATUS, "request %d of %d failed: %s", o->failed_at, n, from ? from : text);
    rc = hws_raise(o->comm, o->fn, rc);
    if (o->comm)
        hws_comm_drop(o->comm);
    return rc;
}

static MPI_Status *status_at(MPI_Status sts[], int i)
{
    return sts == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : &sts[i];
}

/* Its end calls functions of the user, which may use MPI, or wait for a thread that does. */
static bool has_user_code(const struct hws_request *r)
{
    return r->kind == HWS_REQ_GENERALIZED || r->ops->end;
}

/* The lock is taken once for all. MPI_ERROR fields are set only when the call fails (MPI 5.0 section 3.2.5): those
 * passed already when that turns out, then each one. */
HWS_HOT static int report_all(struct outcome *o, int n, MPI_Request reqs[], MPI_Status sts[])
{
    bool silent = sts == MPI_STATUSES_IGNORE && !o->look, locked = hws_is_threaded();
    if (locked)
        hws_engine_lock(hws_world.engine);
    for (int i = 0; i < n; i++) {
        struct hws_request *r = hws_set_active(reqs[i]);
        int code = MPI_SUCCESS;
        if (__builtin_expect(locked && r && has_user_code(r), 0)) {
            hws_engine_unlock(hws_world.engine);
            locked = false;
        }
        if (silent && r && hws_request_is_complete(r) && hws_request_ends_silently(r)) {
            reqs[i] = MPI_REQUEST_NULL;
            hws_request_free(r);
            continue;
        }
        if (!r)
            hws_status_empty(status_at(sts, i));
        else if (hws_request_is_complete(r))
            code = end_entry(o, i, &reqs[i], status_at(sts, i));
        else
            code = MPI_ERR_PENDING;
        if (o->failed_at < 0 || sts == MPI_STATUSES_IGNORE)
            continue;
        sts[i].MPI_ERROR = code;
        if (o->failed_at == i)
            for (int k = 0; k < i; k++)
                sts[k].MPI_ERROR = is_pending(reqs[k]) ? MPI_ERR_PENDING : MPI_SUCCESS;
    }
    if (locked)
        hws_engine_unlock(hws_world.engine);
    return raise_in_status(o, n);
}

static int all_any_how(const char *fn, enum how how, int n, MPI_Request reqs[], int *flag, MPI_Status sts[])
{
    struct outcome o = {.fn = fn, .look = how == LOOK, .failed_at = -1};
    int rc = check_array(n, reqs, "count");
    if (rc != MPI_SUCCESS || (rc = hws_check_ptr(flag, "flag")) != MPI_SUCCESS)
        return hws_raise(NULL, fn, rc);
    if (how == WAIT) {
        hws_set_wait_all(n, reqs);
    } else if (!hws_set_is_ready(n, reqs)) {
        hws_engine_progress(hws_world.engine);
        hws_events_deliver();
        if (!hws_set_is_ready(n, reqs)) {
            *flag = 0;
            return MPI_SUCCESS;
        }
    } else {
        hws_engine_push(hws_world.engine);
    }
    *flag = 1;
    return report_all(&o, n, reqs, sts);
}

/* Index of a complete request, HWS_SET_NONE_COMPLETE (never after a wait) or HWS_SET_NONE_ACTIVE. */
static int get_one(const char *fn, enum how how, int n, const MPI_Request reqs[])
{
    if (how == WAIT)
        return hws_set_wait_any(fn, n, reqs);
    int i = hws_set_find(n, reqs, 0);
    if (i != HWS_SET_NONE_COMPLETE) {
        hws_engine_push(hws_world.engine);
        return i;
    }
    hws_engine_progress(hws_world.engine);
    hws_events_deliver();
    return hws_set_find(n, reqs, 0);
}

static int any_any_how(const char *fn, enum how how, int n, MPI_Request reqs[], int *indx, int *flag, MPI_Status *st)
{
    int rc = check_array(n, reqs, "count");
    if (rc != MPI_SUCCESS || (rc = hws_check_ptr(indx, "indx")) != MPI_SUCCESS ||
        (rc = hws_check_ptr(flag, "flag")) != MPI_SUCCESS)
        return hws_raise(NULL, fn, rc);
    int i = get_one(fn, how, n, reqs);
    *flag = i != HWS_SET_NONE_COMPLETE;
    *indx = i < 0 ? MPI_UNDEFINED : i;
    if (i == HWS_SET_NONE_ACTIVE)
        hws_status_empty(st);
    if (i < 0)
        return MPI_SUCCESS;
    struct hws_request *r = (struct hws_request *)reqs[i];
    return how == LOOK ? hws_raise(r->comm, fn, r->ops->finish(r, st)) : hws_report_one(fn, &reqs[i], r, st);
}

static int report_some(struct outcome *o, int n, MPI_Request reqs[], int first, int *outcount, int indices[],
                       MPI_Status sts[])
{
    int k = 0;
    for (int i = first; i >= 0; i = hws_set_find(n, reqs, i + 1)) {
        int code = end_entry(o, i, &reqs[i], status_at(sts, k));
        if (o->failed_at == i && sts != MPI_STATUSES_IGNORE)
            for (int j = 0; j < k; j++)
                sts[j].MPI_ERROR = MPI_SUCCESS;
        if (o->failed_at >= 0 && sts != MPI_STATUSES_IGNORE)
            sts[k].MPI_ERROR = code;
        indices[k++] = i;
    }
    *outcount = k;
    return raise_in_status(o, n);
}

static int some_any_how(const char *fn, enum how how, int n, MPI_Request reqs[], int *outcount, int indices[],
                        MPI_Status sts[])
{
    struct outcome o = {.fn = fn, .look = how == LOOK, .failed_at = -1};
    int rc = check_array(n, reqs, "incount");
    if (rc != MPI_SUCCESS || (rc = hws_check_ptr(outcount, "outcount")) != MPI_SUCCESS ||
        (n > 0 && (rc = hws_check_ptr(indices, "array_of_indices")) != MPI_SUCCESS))
        return hws_raise(NULL, fn, rc);
    int first = get_one(fn, how, n, reqs);
    if (first >= 0)
        return report_some(&o, n, reqs, first, outcount, indices, sts);
    *outcount = first == HWS_SET_NONE_ACTIVE ? MPI_UNDEFINED : 0;
    return MPI_SUCCESS;
}

HWS_HOT int PMPI_Waitall(int count, MPI_Request array_of_requests[], MPI_Status *array_of_statuses)
{
    int flag;
    return all_any_how("MPI_Waitall", WAIT, count, array_of_requests, &flag, array_of_statuses);
}
HWS_MPI(Waitall)

int PMPI_Testall(int count, MPI_Request array_of_requests[], int *flag, MPI_Status *array_of_statuses)
{
    return all_any_how("MPI_Testall", TEST, count, array_of_requests, flag, array_of_statuses);
}
HWS_MPI(Testall)

int PMPI_Request_get_status_all(int count, const MPI_Request array_of_requests[], int *flag,
                                MPI_Status *array_of_statuses)
{
    return all_any_how("MPI_Request_get_status_all", LOOK, count, (MPI_Request *)(uintptr_t)array_of_requests, flag,
                       array_of_statuses);
}
HWS_MPI(Request_get_status_all)

int PMPI_Waitany(int count, MPI_Request array_of_requests[], int *indx, MPI_Status *status)
{
    int flag;
    return any_any_how("MPI_Waitany", WAIT, count, array_of_requests, indx, &flag, status);
}
HWS_MPI(Waitany)

int PMPI_Testany(int count, MPI_Request array_of_requests[], int *indx, int *flag, MPI_Status *status)
{
    return any_any_how("MPI_Testany", TEST, count, array_of_requests, indx, flag, status);
}
HWS_MPI(Testany)

int PMPI_Request_get_status_any(int count, const MPI_Request array_of_requests[], int *indx, int *flag,
                                MPI_Status *status)
{
    return any_any_how("MPI_Request_get_status_any", LOOK, count, (MPI_Request *)(uintptr_t)array_of_requests, indx,
                       flag, status);
}
HWS_MPI(Request_get_status_any)

int PMPI_Waitsome(int incount, MPI_Request array_of_requests[], int *outcount, int array_of_indices[],
                  MPI_Status *array_of_statuses)
{
    return some_any_how("MPI_Waitsome", WAIT, incount, array_of_requests, outcount, array_of_indices,
                        array_of_statuses);
}
HWS_MPI(Waitsome)

int PMPI_Testsome(int incount, MPI_Request array_of_requests[], int *outcount, int array_of_indices[],
                  MPI_Status *array_of_statuses)
{
    return some_any_how("MPI_Testsome", TEST, incount, array_of_requests, outcount, array_of_indices,
                        array_of_statuses);
}
HWS_MPI(Testsome)

int PMPI_Request_get_status_some(int incount, const MPI_Request array_of_requests[], int *outcount,
                                 int array_of_indices[], MPI_Status *array_of_statuses)
{
    return some_any_how("MPI_Request_get_status_some", LOOK, incount, (MPI_Request *)(uintptr_t)array_of_requests,
                        outcount, array_of_indices, array_of_statuses);
}
HWS_MPI(Request_get_status_some)
