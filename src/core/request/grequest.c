/* SPDX-License-Identifier: BSD-3-Clause
 *
 * grequest: query_fn is called by every call that reports the status, free_fn once, by the call that frees the request
 * or, if the user freed it before, at its completion. What callbacks return is the result of the MPI call (MPI 5.0
 * section 13.2).
 */
#include "core/request/grequest.h"

#include <stdlib.h>

#include "core/object/fail.h"
#include "core/object/world.h"
#include "peer/engine.h"

static int grequest_finish(struct hws_request *r, MPI_Status *st)
{
    struct hws_grequest_calls *g = r->owner;
    MPI_Status own, *s = st == MPI_STATUS_IGNORE ? &own : st;
    hws_status_set(s, MPI_UNDEFINED, MPI_UNDEFINED, 0, false);
    return g->query(g->extra, s);
}

static int grequest_cancel(struct hws_request *r)
{
    struct hws_grequest_calls *g = r->owner;
    return g->cancel(g->extra, hws_request_is_complete(r));
}

static int grequest_end(struct hws_request *r)
{
    struct hws_grequest_calls *g = r->owner;
    return g->free ? g->free(g->extra) : MPI_SUCCESS;
}

static void grequest_release(struct hws_request *r)
{
    free(r->owner);
}

static const struct hws_request_ops grequest_ops = {
    .finish = grequest_finish,
    .cancel = grequest_cancel,
    .end = grequest_end,
    .release = grequest_release,
};

int hws_grequest_start(const struct hws_grequest_calls *calls, struct hws_request **req)
{
    struct hws_grequest_calls *g = malloc(sizeof(*g));
    struct hws_request *r = g ? hws_request_new(HWS_REQ_GENERALIZED, &grequest_ops, NULL, NULL) : NULL;
    if (!r) {
        free(g);
        return hws_fail(MPI_ERR_NO_MEM, "out of memory: no request could be made");
    }
    *g = *calls;
    r->owner = g;
    *req = r;
    return MPI_SUCCESS;
}

int hws_grequest_complete(struct hws_request *r)
{
    if (r->kind != HWS_REQ_GENERALIZED)
        return hws_fail(MPI_ERR_REQUEST, "invalid request: it is no generalized request");
    hws_engine_lock(hws_world.engine);
    bool again = hws_request_is_complete(r);
    if (!again) {
        hws_request_complete(r, MPI_SUCCESS);
        hws_engine_wake(hws_world.engine);
    }
    hws_engine_unlock(hws_world.engine);
    return again ? hws_fail(MPI_ERR_REQUEST, "invalid request: it is complete already") : MPI_SUCCESS;
}
