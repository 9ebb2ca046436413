/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cast_fuzz: what the decoder of multicast packets accepts it has read within its bounds, and encoding it again gives
 * the same bytes; and a group takes whatever the decoder accepts without harm.
 */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "cast/proto/group.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int holds)
{
    if (!holds)
        abort();
}

static void transmit(void *arg, int to, const struct hws_cast_packet *p)
{
    uint8_t bytes[HWS_CAST_PACKET];
    (void)arg;
    (void)to;
    require(hws_cast_encode(bytes, p) <= sizeof bytes);
}

static void on_sent(struct hws_cast_send *op)
{
    (void)op;
}

static void on_came(struct hws_cast_recv *op)
{
    (void)op;
}

/* Three times the packet, at a member that sends and waits itself. */
static void give(const struct hws_cast_packet *p)
{
    static char out[3000], in[100];
    struct hws_cast_group g = {.id = p->group, .n = 70, .me = 3, .room = 100, .transmit = transmit};
    struct hws_cast_send send = {.tag = 1, .data = out, .len = sizeof out, .on_done = on_sent};
    struct hws_cast_recv recv = {.tag = p->tag, .from = 1, .data = in, .room = sizeof in, .on_done = on_came};
    uint64_t now = HWS_NS_PER_S;
    if (p->kind == HWS_CAST_IS_DATA && p->msg_len > 1u << 20)
        return; /* memory is the group's affair, and its bound another test's */
    require(hws_cast_group_init(&g) == HWS_OK);
    require(hws_cast_group_send(&g, &send, now) == HWS_OK);
    require(hws_cast_group_recv(&g, &recv, now) == HWS_OK);
    for (int i = 0; i < 3; i++) {
        hws_cast_group_packet(&g, p, now);
        require(hws_cast_group_tick(&g, now) > now);
        now += 5 * HWS_NS_PER_MS;
    }
    hws_cast_group_fini(&g);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct hws_cast_packet p;
    uint8_t again[HWS_CAST_PACKET];
    uint8_t *exact = malloc(size ? size : 1); /* so that a read behind the end is seen */
    if (!exact)
        return 0;
    memcpy(exact, data, size);
    memset(&p, 0, sizeof p);
    if (hws_cast_decode(exact, size, &p) == HWS_OK) {
        size_t len = hws_cast_encode(again, &p);
        require(len + p.len == size && memcmp(again, exact, len) == 0);
        require(p.len == 0 || p.payload + p.len == exact + size);
        give(&p);
    }
    free(exact);
    return 0;
}
