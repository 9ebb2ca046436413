/* SPDX-License-Identifier: BSD-3-Clause
 *
 * all: what concerns all lanes of a peer at once.
 */
#include "peer/info.h"
#include "peer/lane/lane.h"
#include "peer/state/engine.h"
#include "peer/state/socket.h"

void hws_peer_each_lane(struct hws_peer *p, void (*fn)(struct hws_lane *l, void *arg), void *arg)
{
    const struct hws_list *ended = &p->engine->work.ended;
    for (int i = 0; i < p->n_paths; i++)
        if (p->paths[i] && p->paths[i]->socket && hws_socket_has_lane(p->paths[i]->socket))
            fn(&p->paths[i]->socket->lane, arg);
    for (struct hws_list *n = ended->next; n != ended; n = n->next) {
        struct hws_socket *s = hws_container_of(n, struct hws_socket, node);
        if (s->peer == p && s->state == HWS_SOCKET_ENDING && s->path->socket != s)
            fn(&s->lane, arg); /* another connection has taken its place already */
    }
}

void hws_peer_ack_all(struct hws_peer *p)
{
    p->in.ack_now = false;
    for (unsigned i = 0; i < p->n_up; i++)
        if (p->up[i]->keeps && p->up[i]->in.received != p->up[i]->in.acked)
            hws_lane_ack(p->up[i]);
}

/* Each is first once: whoever is asked first takes most of what links swallow at once. */
void hws_peer_hold_all(struct hws_peer *p)
{
    p->share.n_holds++;
    for (unsigned i = 0; i < p->n_up; i++)
        hws_lane_hold(p->up[(p->share.n_holds + i) % p->n_up]);
}

void hws_recv_tell_credit(struct hws_peer *p)
{
    if (p->n_up)
        hws_lane_ack(p->up[0]);
}

void hws_traffic_add_lane(struct hws_traffic *t, const struct hws_lane *l)
{
    t->bytes_out += l->out.sent;
    t->bytes_in += l->count.bytes_in;
    t->frames_out += l->count.frames_out;
    t->frames_in += l->count.frames_in;
    t->send_calls += l->count.sends;
    t->recv_calls += l->count.recvs;
}

void hws_lane_account(struct hws_lane *l)
{
    if (!l->peer)
        return;
    hws_traffic_add_lane(&l->peer->count.gone, l);
    hws_traffic_add_lane(&l->path->gone, l);
}
