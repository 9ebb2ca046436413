/* SPDX-License-Identifier: BSD-3-Clause
 *
 * receiver: the receiving half of a flow: order, and how much the other end may send.
 */
#include <stdlib.h>
#include <string.h>

#include "gateway/halves.h"

#define FIRST_SHARE 16 /* a new flow takes a sixteenth of what is left */

/* Rings are powers of two, so what a window has beyond one would cost twice as much memory as it counts for. */
static uint64_t power_of_two(uint64_t n)
{
    uint64_t power = WINDOW_BASE;
    while (2 * power <= n)
        power *= 2;
    return power;
}

/* Takes a window of up to `want` bytes from the pool, in place of the one it has. */
static void take_window(struct receiver *r, struct window_pool *pool, uint64_t want)
{
    uint64_t extra = r->window > WINDOW_BASE ? r->window - WINDOW_BASE : 0;
    pool->left += extra;
    want = want > WINDOW_MAX ? WINDOW_MAX : want;
    extra = want > WINDOW_BASE ? want - WINDOW_BASE : 0;
    extra = power_of_two(WINDOW_BASE + (extra > pool->left ? pool->left : extra)) - WINDOW_BASE;
    pool->left -= extra;
    r->window = WINDOW_BASE + extra;
}

void receiver_init(struct receiver *r, struct window_pool *pool)
{
    *r = (struct receiver){0};
    take_window(r, pool, WINDOW_BASE + pool->left / FIRST_SHARE);
    r->edge = r->window;
}

static bool insert_extent(struct receiver *r, uint32_t at, struct extent e)
{
    if (r->n_ahead == r->cap_ahead) {
        uint32_t cap = r->cap_ahead ? 2 * r->cap_ahead : 4;
        struct extent *grown = realloc(r->ahead, cap * sizeof *grown);
        if (!grown)
            return false;
        r->ahead = grown;
        r->cap_ahead = cap;
    }
    memmove(r->ahead + at + 1, r->ahead + at, (r->n_ahead - at) * sizeof *r->ahead);
    r->ahead[at] = e;
    r->n_ahead++;
    return true;
}

static void remove_extents(struct receiver *r, uint32_t at, uint32_t n)
{
    memmove(r->ahead + at, r->ahead + at + n, (r->n_ahead - at - n) * sizeof *r->ahead);
    r->n_ahead -= n;
}

/* Notes that the bytes of e are here, joined with what they touch. */
static bool note_extent(struct receiver *r, struct extent e)
{
    uint32_t at = 0, n = 0;
    while (at < r->n_ahead && r->ahead[at].to < e.from)
        at++;
    for (; at + n < r->n_ahead && r->ahead[at + n].from <= e.to; n++) {
        e.from = r->ahead[at + n].from < e.from ? r->ahead[at + n].from : e.from;
        e.to = r->ahead[at + n].to > e.to ? r->ahead[at + n].to : e.to;
    }
    if (n) {
        r->ahead[at] = e;
        remove_extents(r, at + 1, n - 1);
        return true;
    }
    return insert_extent(r, at, e);
}

/* Behind the last byte that has come. */
static uint64_t last_byte(const struct receiver *r)
{
    return r->n_ahead ? r->ahead[r->n_ahead - 1].to : r->next;
}

int receiver_put(struct receiver *r, uint64_t offset, const uint8_t *src, size_t len)
{
    uint64_t last = r->has_fin ? r->fin_at : r->edge, to = offset + len;
    if (offset > last || len > last - offset) /* not `to > last`: an offset may be anything */
        return HWS_EPROTO;
    if (offset < r->next) { /* sent again after a trunk ended, although it had come */
        size_t known = r->next - offset < len ? (size_t)(r->next - offset) : len;
        offset += known, src += known, len -= known;
    }
    if (!len)
        return HWS_OK;
    if (!ring_reserve(&r->ring, r->delivered, last_byte(r), to))
        return HWS_ENOMEM;
    ring_put(&r->ring, offset, src, len);
    if (offset > r->next)
        return note_extent(r, (struct extent){offset, to}) ? HWS_OK : HWS_ENOMEM;
    r->next = to;
    while (r->n_ahead && r->ahead->from <= r->next) {
        r->next = r->ahead->to > r->next ? r->ahead->to : r->next;
        remove_extents(r, 0, 1);
    }
    return HWS_OK;
}

int receiver_fin(struct receiver *r, uint64_t at)
{
    if (at < last_byte(r) || at > r->edge || (r->has_fin && at != r->fin_at))
        return HWS_EPROTO;
    r->has_fin = true;
    r->fin_at = at;
    return HWS_OK;
}

const uint8_t *receiver_bytes(const struct receiver *r, size_t *len)
{
    *len = 0;
    return r->delivered == r->next ? NULL : ring_at(&r->ring, r->delivered, (size_t)(r->next - r->delivered), len);
}

void receiver_took(struct receiver *r, size_t n)
{
    r->delivered += n;
    if (r->delivered == r->next && !r->n_ahead)
        ring_free(&r->ring);
}

bool receiver_is_over(const struct receiver *r)
{
    return r->has_fin && r->delivered == r->fin_at;
}

bool receiver_owes_ack(const struct receiver *r)
{
    return r->delivered - r->told >= r->window / 4;
}

uint64_t receiver_ack(struct receiver *r, struct window_pool *pool, struct hws_gate_ack *ack)
{
    uint64_t delivered = r->delivered - r->told, exposed = r->edge - r->delivered;
    if (delivered >= r->window / 4 &&
        exposed < r->window) /* it uses its window: a larger one, of what is left at most half */
        take_window(r, pool, r->window + (pool->left / 2 < r->window ? pool->left / 2 : r->window));
    if (r->delivered + r->window > r->edge)
        r->edge = r->delivered + r->window;
    r->told = r->delivered;
    *ack = (struct hws_gate_ack){r->edge, r->epoch};
    return r->delivered + receiver_is_over(r);
}

int receiver_less(struct receiver *r, struct window_pool *pool, uint64_t offset, uint32_t epoch)
{
    if (epoch <= r->epoch) /* sent twice */
        return HWS_OK;
    if (offset > r->edge || offset < last_byte(r))
        return HWS_EPROTO;
    r->epoch = epoch;
    take_window(r, pool, WINDOW_BASE);
    r->edge = offset;
    return HWS_OK;
}

void receiver_free(struct receiver *r, struct window_pool *pool)
{
    take_window(r, pool, 0);
    ring_free(&r->ring);
    free(r->ahead);
    *r = (struct receiver){0};
}
