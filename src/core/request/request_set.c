/* SPDX-License-Identifier: BSD-3-Clause
 *
 * request_set: waits on many requests in one wait of the engine. The predicates run after every step of progress, so
 * they look at the totals of completions first and scan the array only when those have moved.
 */
#include "core/request/request_set.h"

#include "base/hot.h"
#include "core/comm/call.h"
#include "core/object/world.h"
#include "peer/engine.h"

struct any_wait {
    const char *call;
    int n, found;
    const MPI_Request *set;
    uint64_t seen; /* completions at the last scan */
};

struct all_wait {
    int n, next; /* entries before next are complete */
    const MPI_Request *set;
    uint64_t seen; /* lost ones at the last scan */
};

int hws_set_find(int n, const MPI_Request *set, int from)
{
    int none = HWS_SET_NONE_ACTIVE;
    for (int i = from; i < n; i++) {
        struct hws_request *r = hws_set_active(set[i]);
        if (!r)
            continue;
        if (hws_request_is_complete(r))
            return i;
        none = HWS_SET_NONE_COMPLETE;
    }
    return none;
}

static bool any_is_complete(void *arg)
{
    struct any_wait *w = arg;
    uint64_t now = hws_request_totals.completed;
    if (now == w->seen)
        return false;
    w->seen = now;
    w->found = hws_set_find(w->n, w->set, 0);
    return w->found != HWS_SET_NONE_COMPLETE;
}

#define DESCRIBE_MAX 256 /* requests that are counted: this happens when the wait goes to sleep */

/* Entries before `from` are complete. */
static void describe_set(const char *call, int from, int n, const MPI_Request *set, struct hws_board_what *out)
{
    const struct hws_request *first = NULL;
    for (int i = from; i < n && i - from < DESCRIBE_MAX; i++) {
        const struct hws_request *r = hws_set_active(set[i]);
        if (r && !hws_request_is_complete(r)) {
            first = first ? first : r;
            out->n_open++;
        }
    }
    out->n_all = (uint32_t)n;
    out->n_open = n - from > DESCRIBE_MAX ? 0 : out->n_open;
    hws_call_tell(out, call, first ? first->comm : NULL);
    if (first)
        hws_request_tell(first, out);
}

static void describe_any(const void *arg, struct hws_board_what *out)
{
    const struct any_wait *w = arg;
    describe_set(w->call, 0, w->n, w->set, out);
}

static void describe_all(const void *arg, struct hws_board_what *out)
{
    const struct all_wait *w = arg;
    describe_set("MPI_Waitall", w->next, w->n, w->set, out);
}

int hws_set_wait_any(const char *call, int n, const MPI_Request *set)
{
    struct any_wait w = {.call = call, .n = n, .set = set, .seen = hws_request_totals.completed};
    w.found = hws_set_find(n, set, 0);
    if (w.found == HWS_SET_NONE_COMPLETE) {
        w.seen--; /* a completion between the scan and now would be missed */
        hws_engine_wait_until(hws_world.engine, any_is_complete, &w, describe_any);
    } else {
        hws_engine_push(hws_world.engine);
    }
    return w.found;
}

/* A failure that means a lost peer: others may never end. */
static bool has_lost(int n, const MPI_Request *set)
{
    for (int i = 0; i < n; i++) {
        struct hws_request *r = hws_set_active(set[i]);
        if (r && hws_request_is_complete(r) && hws_request_error_is_lost(r->error))
            return true;
    }
    return false;
}

static int skip_complete(int n, const MPI_Request *set, int next)
{
    for (; next < n; next++) {
        struct hws_request *r = hws_set_active(set[next]);
        if (r && !hws_request_is_complete(r))
            break;
    }
    return next;
}

HWS_HOT static bool all_are_ready(void *arg)
{
    struct all_wait *w = arg;
    w->next = skip_complete(w->n, w->set, w->next);
    if (w->next == w->n)
        return true;
    uint64_t now = hws_request_totals.lost;
    if (now == w->seen)
        return false;
    w->seen = now;
    return has_lost(w->n, w->set);
}

bool hws_set_is_ready(int n, const MPI_Request *set)
{
    struct all_wait w = {.n = n, .set = set}; /* seen = 0: looks at failures once any operation ever failed so */
    return all_are_ready(&w);
}

HWS_HOT void hws_set_wait_all(int n, const MPI_Request *set)
{
    struct all_wait w = {.n = n, .set = set};
    if (!all_are_ready(&w))
        hws_engine_wait_until(hws_world.engine, all_are_ready, &w, describe_all);
    else
        hws_engine_push(hws_world.engine);
}
