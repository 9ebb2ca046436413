/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sender: the sending half of a flow. Pieces stand in the order of their offsets, and new ones have the highest, so the
 * acknowledged ones leave in front.
 */
#include <stdlib.h>
#include <string.h>

#include "gateway/halves.h"

size_t sender_room(const struct sender *s)
{
    return s->is_ended || s->end >= s->edge ? 0 : (size_t)(s->edge - s->end);
}

uint8_t *sender_space(const struct sender *s, size_t *len)
{
    size_t room = sender_room(s), left = s->ring.cap - (size_t)(s->end - s->acked);
    *len = room < left ? room : left;
    return *len ? ring_at(&s->ring, s->end, *len, len) : NULL;
}

void sender_added(struct sender *s, size_t n)
{
    s->end += n;
}

bool sender_put(struct sender *s, const uint8_t *src, size_t len)
{
    if (!ring_reserve(&s->ring, s->acked, s->end, s->end + len))
        return false;
    ring_put(&s->ring, s->end, src, len);
    s->end += len;
    return true;
}

void sender_end(struct sender *s)
{
    s->is_ended = true;
}

bool sender_has_data(const struct sender *s)
{
    return s->n_again || s->sent < s->end;
}

bool sender_has_fin(const struct sender *s)
{
    return s->is_ended && !s->fin_sent && s->sent == s->end;
}

static bool note_piece(struct sender *s, uint64_t from, size_t len, uint16_t trunk)
{
    struct piece *last = s->n_pieces ? &s->pieces[s->n_pieces - 1] : NULL;
    if (last && last->trunk == trunk && !last->again && last->len < UINT32_MAX - len) {
        last->len += (uint32_t)len;
        return true;
    }
    if (s->n_pieces == s->cap_pieces) {
        uint32_t cap = s->cap_pieces ? 2 * s->cap_pieces : 4;
        struct piece *grown = realloc(s->pieces, cap * sizeof *grown);
        if (!grown)
            return false;
        s->pieces = grown;
        s->cap_pieces = cap;
    }
    s->pieces[s->n_pieces++] = (struct piece){from, (uint32_t)len, trunk, false};
    return true;
}

/* A piece whose trunk ended leaves once more, as a whole or its first part. */
static size_t send_again(struct sender *s, uint16_t trunk, uint8_t *dst, size_t most, uint64_t *from)
{
    struct piece *p = s->pieces;
    while (!p->again)
        p++;
    size_t len = p->len < most ? p->len : most;
    *from = p->from;
    if (len < p->len) { /* split: room for one more behind it */
        struct piece rest = {p->from + len, (uint32_t)(p->len - len), p->trunk, true};
        size_t at = (size_t)(p - s->pieces);
        if (!note_piece(s, 0, 0, UINT16_MAX))
            return 0;
        p = s->pieces + at;
        memmove(p + 2, p + 1, (s->n_pieces - at - 2) * sizeof *p);
        p[1] = rest;
        p->len = (uint32_t)len;
        s->n_again++;
    }
    p->again = false;
    p->trunk = trunk;
    s->n_again--;
    ring_get(&s->ring, *from, dst, len);
    return len;
}

size_t sender_next(struct sender *s, uint16_t trunk, uint8_t *dst, size_t most, uint64_t *from)
{
    if (s->n_again)
        return send_again(s, trunk, dst, most, from);
    size_t len = s->end - s->sent < most ? (size_t)(s->end - s->sent) : most;
    if (!len || !note_piece(s, s->sent, len, trunk))
        return 0;
    *from = s->sent;
    ring_get(&s->ring, s->sent, dst, len);
    s->sent += len;
    return len;
}

void sender_fin(struct sender *s, uint16_t trunk)
{
    s->fin_sent = s->fin_tried = true;
    s->fin_trunk = trunk;
}

/* Forgets what is acknowledged of the pieces. */
static void drop_pieces(struct sender *s, uint64_t upto)
{
    uint32_t n = 0;
    while (n < s->n_pieces && s->pieces[n].from + s->pieces[n].len <= upto)
        s->n_again -= s->pieces[n++].again;
    memmove(s->pieces, s->pieces + n, (s->n_pieces - n) * sizeof *s->pieces);
    s->n_pieces -= n;
    if (s->n_pieces && s->pieces->from < upto) {
        s->pieces->len -= (uint32_t)(upto - s->pieces->from);
        s->pieces->from = upto;
    }
}

int sender_ack(struct sender *s, uint64_t delivered, struct hws_gate_ack ack)
{
    bool is_fin = s->fin_tried && delivered == s->end + 1;
    uint64_t upto = is_fin ? s->end : delivered;
    if (upto > s->sent || ack.epoch > s->epoch || ack.edge > upto + WINDOW_MAX)
        return HWS_EPROTO;
    if (is_fin)
        s->fin_acked = s->fin_sent = true;
    if (ack.epoch == s->epoch) {
        s->edge = ack.edge > s->edge ? ack.edge : s->edge;
        s->edge_epoch = ack.epoch;
    }
    if (upto <= s->acked) /* an older one came later, over another trunk */
        return HWS_OK;
    s->acked = upto;
    if (s->n_pieces)
        drop_pieces(s, upto);
    if (s->acked == s->end)
        ring_free(&s->ring);
    return HWS_OK;
}

void sender_lost(struct sender *s, uint16_t trunk)
{
    for (uint32_t i = 0; i < s->n_pieces; i++) {
        if (s->pieces[i].trunk == trunk && !s->pieces[i].again) {
            s->pieces[i].again = true;
            s->n_again++;
        }
    }
    if (s->fin_sent && !s->fin_acked && s->fin_trunk == trunk)
        s->fin_sent = false;
}

uint64_t sender_less(struct sender *s)
{
    uint64_t offset = s->end + WINDOW_BASE;
    if (s->edge > offset)
        s->edge = offset;
    s->epoch++;
    return s->edge;
}

void sender_free(struct sender *s)
{
    ring_free(&s->ring);
    free(s->pieces);
    *s = (struct sender){0};
}
