/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gate_fuzz: what another site's gateway may say: the input is frames, one behind the other, for a bundle that has a
 * flow of its own and takes every one that is offered. Each frame is taken or refused; what leaves can be read; and in
 * the end nothing is left. Prefaces and hellos are read on the way.
 */
#include <stdlib.h>
#include <string.h>

#include "gateway/bundle.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { POOL = 1 << 20, FLOWS_MAX = 64 };

static unsigned n_offered;

static void require(int holds)
{
    if (!holds)
        abort();
}

static void on_offered(void *arg, struct flow *f)
{
    (void)arg;
    if (++n_offered > FLOWS_MAX)
        flow_reset(f, HWS_GATE_NO_ROOM);
    else
        flow_connected(f);
}

static void on_arrived(void *arg, struct flow *f)
{
    size_t len;
    (void)arg;
    while (receiver_bytes(&f->in, &len)) {
        require(len > 0);
        flow_took(f, len);
    }
}

static void on_room(void *arg, struct flow *f)
{
    static const uint8_t bytes[5000] = {1};
    size_t room = sender_room(&f->out);
    (void)arg;
    require(flow_put(f, bytes, room < sizeof bytes ? room : sizeof bytes));
}

static void on_over(void *arg, struct flow *f, enum hws_gate_why why)
{
    (void)arg;
    (void)f;
    require(why < HWS_GATE_WHYS);
}

static void on_wants(void *arg)
{
    (void)arg;
}

static const struct bundle_user user = {on_offered, on_arrived, on_room, on_over, on_wants};

static void send_all(struct bundle *b)
{
    uint8_t out[16384];
    struct hws_gate_frame h;
    size_t len;
    for (int i = 0; i < 200 && (len = bundle_next(b, (uint16_t)(i & 1), out, sizeof out)); i++) {
        require(hws_gate_header_decode(out, &h) == HWS_OK);
        require(len == HWS_GATE_HEADER + h.len);
    }
}

static void try_preface(const uint8_t *data, size_t size)
{
    static const uint8_t key[HWS_PREFACE_KEY] = {7};
    struct hws_preface p;
    if (size >= HWS_PREFACE_HEAD)
        require(hws_preface_length(data) <= HWS_PREFACE_MAX);
    hws_preface_decode(data, size, key, &p);
}

/* One frame; how many bytes it took, 0: what is left is none. */
static size_t try_frame(struct bundle *b, const uint8_t *data, size_t size, uint64_t now)
{
    struct hws_gate_frame h;
    struct hws_gate_hello hello;
    if (size < HWS_GATE_HEADER || hws_gate_header_decode(data, &h) != HWS_OK || size - HWS_GATE_HEADER < h.len)
        return 0;
    const uint8_t *payload = data + HWS_GATE_HEADER;
    if (h.kind == HWS_GATE_HELLO)
        hws_gate_hello_decode(payload, &hello);
    else if (bundle_input(b, &h, payload, now) != HWS_OK)
        bundle_lost(b, (uint16_t)(h.flow & 1)); /* as a trunk that broke the rules */
    return HWS_GATE_HEADER + h.len;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct bundle b;
    struct window_pool pool = {POOL, POOL};
    const struct hws_gate_open open = {{AF_INET, 1, {10}}, {AF_INET, 2, {11}}};
    n_offered = 0;
    try_preface(data, size);
    bundle_init(&b, &user, NULL, &pool, false);
    struct flow *own = bundle_open(&b, &open, NULL);
    require(own != NULL);
    on_room(NULL, own);
    uint64_t now = 0;
    for (size_t n; (n = try_frame(&b, data, size, now)); data += n, size -= n) {
        now += 300000000;
        send_all(&b);
        bundle_tick(&b, now);
    }
    send_all(&b);
    bundle_reset(&b, HWS_GATE_CLOSED);
    require(pool.left == POOL && b.n_flows == 0);
    return 0;
}
