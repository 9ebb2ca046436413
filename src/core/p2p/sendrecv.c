/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sendrecv: MPI_Isendrecv as one request over two (a pair), and the replace forms, which send a packed copy of the
 * buffer while the answer arrives in it (MPI 5.0 section 3.10).
 */
#include "core/p2p/p2p.h"

#include <stdlib.h>

#include "base/copy.h"
#include "core/object/fail.h"
#include "core/object/world.h"
#include "peer/engine.h"

#define SMALL 1024 /* bytes of a message copied to the stack: no malloc for what latency matters of */

struct pair {
    struct hws_request *send, *recv;
    int left;   /* of the two; under the engine's lock */
    void *copy; /* packed message of a replace; NULL: none */
};

static struct hws_type *byte_type(void)
{
    return hws_type_of(MPI_BYTE);
}

static void half_done(struct hws_request *half)
{
    struct hws_request *r = half->owner;
    struct pair *p = r->owner;
    if (--p->left == 0)
        hws_request_complete(r, p->recv->error != MPI_SUCCESS ? p->recv->error : p->send->error);
}

static int pair_finish(struct hws_request *r, MPI_Status *st)
{
    struct pair *p = r->owner;
    int rc = p->recv->ops->finish(p->recv, st);
    if (rc == MPI_SUCCESS && p->send->error != MPI_SUCCESS)
        rc = p->send->ops->finish(p->send, MPI_STATUS_IGNORE);
    return rc;
}

static void pair_release(struct hws_request *r)
{
    struct pair *p = r->owner;
    if (p->recv)
        hws_request_free(p->recv);
    if (p->send)
        hws_request_free(p->send);
    free(p->copy);
    free(p);
}

static const struct hws_request_ops pair_ops = {.finish = pair_finish, .release = pair_release};

static struct hws_request *new_pair(struct hws_comm *c)
{
    struct pair *p = calloc(1, sizeof(*p));
    struct hws_request *r = p ? hws_request_new(HWS_REQ_PAIR, &pair_ops, c, NULL) : NULL;
    if (!r) {
        free(p);
        hws_fail(MPI_ERR_NO_MEM, "out of memory: no request could be made");
        return NULL;
    }
    p->left = 2;
    r->owner = p;
    return r;
}

static void watch_halves(struct hws_request *r)
{
    struct pair *p = r->owner;
    hws_engine_lock(hws_world.engine);
    hws_request_then(p->recv, half_done, r);
    hws_request_then(p->send, half_done, r);
    hws_engine_unlock(hws_world.engine);
}

/* The receive is posted already when the send cannot be made (no memory): take it back before it is freed. */
static void abandon(struct hws_request *r)
{
    struct pair *p = r->owner;
    if (p->recv && !hws_request_is_complete(p->recv)) {
        hws_request_cancel(p->recv);
        hws_engine_wait(hws_world.engine, &p->recv->complete, NULL);
    }
    hws_request_free(r);
}

int hws_isendrecv(struct hws_comm *c, const void *sbuf, MPI_Count sn, struct hws_type *st, int dest, int stag,
                  void *rbuf, MPI_Count rn, struct hws_type *rt, int source, int rtag, struct hws_request **req)
{
    struct hws_request *r = new_pair(c);
    if (!r)
        return MPI_ERR_NO_MEM;
    struct pair *p = r->owner;
    int rc = hws_irecv(c, HWS_CTX_P2P, rbuf, rn, rt, source, rtag, &p->recv);
    if (rc == MPI_SUCCESS)
        rc = hws_isend(c, HWS_CTX_P2P, HWS_STANDARD, sbuf, sn, st, dest, stag, &p->send);
    if (rc != MPI_SUCCESS) {
        abandon(r);
        return rc;
    }
    watch_halves(r);
    *req = r;
    return MPI_SUCCESS;
}

static void *copy_packed(const void *buf, const struct hws_data *d, const struct hws_type *t, void *small)
{
    void *copy = d->len_bytes <= SMALL && small ? small : malloc(d->len_bytes ? d->len_bytes : 1);
    if (!copy) {
        hws_fail(MPI_ERR_NO_MEM, "out of memory: %llu bytes for a copy of the message",
                 (unsigned long long)d->len_bytes);
        return NULL;
    }
    if (!d->layout && d->len_bytes > 0)
        hws_copy_long(copy, d->base, d->len_bytes);
    else if (d->layout)
        hws_type_pack(t, buf, 0, copy, d->len_bytes);
    return copy;
}

int hws_sendrecv_replace(struct hws_comm *c, void *buf, MPI_Count n, struct hws_type *t, int dest, int stag, int source,
                         int rtag, MPI_Status *status)
{
    char small[SMALL];
    small[0] = 0; /* an empty message has an address too */
    struct hws_data d = hws_type_data(t, buf, n);
    void *copy = copy_packed(buf, &d, t, small);
    if (!copy)
        return MPI_ERR_NO_MEM;
    int rc = hws_sendrecv(c, HWS_CTX_P2P, copy, (MPI_Count)d.len_bytes, byte_type(), dest, stag, buf, n, t, source,
                          rtag, status);
    if (copy != small)
        free(copy);
    return rc;
}

int hws_isendrecv_replace(struct hws_comm *c, void *buf, MPI_Count n, struct hws_type *t, int dest, int stag,
                          int source, int rtag, struct hws_request **req)
{
    struct hws_data d = hws_type_data(t, buf, n);
    void *copy = copy_packed(buf, &d, t, NULL);
    if (!copy)
        return MPI_ERR_NO_MEM;
    struct hws_request *r;
    int rc = hws_isendrecv(c, copy, (MPI_Count)d.len_bytes, byte_type(), dest, stag, buf, n, t, source, rtag, &r);
    if (rc != MPI_SUCCESS) {
        free(copy);
        return rc;
    }
    /* Complete or not, nobody frees the pair before its handle is given out. */
    ((struct pair *)r->owner)->copy = copy;
    *req = r;
    return MPI_SUCCESS;
}
