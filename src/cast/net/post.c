/* SPDX-License-Identifier: BSD-3-Clause
 *
 * post: packets leave in batches of one socket, each with its MAC. What the kernel does not take is as if it were lost
 * on the way: the protocol sends it again, slower.
 */
#include <string.h>

#include "cast/net/station_priv.h"

void hws_post_flush(struct hws_station *s)
{
    struct hws_post *post = &s->post;
    struct mmsghdr headers[HWS_POST_BATCH];
    struct iovec iovs[HWS_POST_BATCH];
    for (unsigned i = 0; i < post->n; i++) {
        struct hws_post_packet *p = &post->packets[i];
        iovs[i] = (struct iovec){p->bytes, p->len};
        headers[i] = (struct mmsghdr){
            .msg_hdr = {.msg_name = &p->to, .msg_namelen = p->to_len, .msg_iov = &iovs[i], .msg_iovlen = 1}};
    }
    for (unsigned sent = 0; sent < post->n;) {
        int n = sendmmsg(post->fd, headers + sent, post->n - sent, MSG_NOSIGNAL);
        if (n > 0) {
            sent += (unsigned)n;
            continue;
        }
        s->counts.unsent++; /* this one; perhaps the next can be sent */
        sent++;
    }
    post->n = 0;
}

void hws_post_packet(struct hws_circle *c, int to, const struct hws_cast_packet *p)
{
    struct hws_station *s = c->station;
    struct hws_post *post = &s->post;
    if (post->n == HWS_POST_BATCH || (post->n > 0 && post->fd != c->nic->own))
        hws_post_flush(s);
    post->fd = c->nic->own;
    struct hws_post_packet *out = &post->packets[post->n++];
    out->to = to == HWS_CAST_ALL ? c->all : c->members[to];
    out->to_len = c->addr_len;
    out->len = hws_cast_encode(out->bytes, p);
    if (p->kind == HWS_CAST_IS_DATA && p->len > 0) {
        memcpy(out->bytes + out->len, p->payload, p->len);
        out->len += p->len;
    }
    out->len = hws_seal_put(&s->seal, out->bytes, out->len);
}
