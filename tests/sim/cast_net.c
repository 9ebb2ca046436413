/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cast_net: see cast_net.h.
 */
#include "cast_net.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

struct cast_event {
    uint64_t when_ns;
    int to;
    size_t len;
    uint8_t bytes[];
};

/* xorshift64* (Marsaglia 2003, Vigna 2016); the tests draw from another source. */
static uint64_t draw(struct cast_net *net)
{
    net->random ^= net->random >> 12;
    net->random ^= net->random << 25;
    net->random ^= net->random >> 27;
    return net->random * 0x2545f4914f6cdd1dull;
}

static bool happens(struct cast_net *net, double p)
{
    return p > 0 && (double)(draw(net) >> 11) < p * (double)(1ull << 53);
}

static void push(struct cast_net *net, struct cast_event *e)
{
    if (net->n_heap == net->cap_heap) {
        net->cap_heap = net->cap_heap ? 2 * net->cap_heap : 1024;
        net->heap = realloc(net->heap, net->cap_heap * sizeof(struct cast_event *));
        cr_assert_not_null(net->heap);
    }
    size_t i = net->n_heap++;
    for (; i > 0 && net->heap[(i - 1) / 2]->when_ns > e->when_ns; i = (i - 1) / 2)
        net->heap[i] = net->heap[(i - 1) / 2];
    net->heap[i] = e;
}

static struct cast_event *pop(struct cast_net *net)
{
    struct cast_event *first = net->heap[0], *last = net->heap[--net->n_heap];
    size_t i = 0;
    for (size_t child; (child = 2 * i + 1) < net->n_heap; i = child) {
        child += child + 1 < net->n_heap && net->heap[child + 1]->when_ns < net->heap[child]->when_ns;
        if (net->heap[child]->when_ns >= last->when_ns)
            break;
        net->heap[i] = net->heap[child];
    }
    net->heap[i] = last;
    return first;
}

static void deliver(struct cast_net *net, int to, uint64_t at_ns, const uint8_t *bytes, size_t len)
{
    struct cast_event *e = malloc(sizeof *e + len);
    cr_assert_not_null(e);
    e->when_ns = at_ns + net->delay_ns + (net->jitter_ns ? draw(net) % net->jitter_ns : 0);
    e->to = to;
    e->len = len;
    memcpy(e->bytes, bytes, len);
    push(net, e);
}

static void carry(struct cast_net *net, int to, uint64_t at_ns, const uint8_t *bytes, size_t len)
{
    if (!happens(net, net->loss))
        deliver(net, to, at_ns, bytes, len);
    if (happens(net, net->doubled))
        deliver(net, to, at_ns, bytes, len);
}

struct end {
    struct cast_net *net;
    int me;
};

static void transmit(void *arg, int to, const struct hws_cast_packet *p)
{
    struct end *end = arg;
    struct cast_net *net = end->net;
    uint8_t bytes[HWS_CAST_PACKET];
    size_t len = hws_cast_encode(bytes, p);
    if (p->kind == HWS_CAST_IS_DATA && p->len) {
        memcpy(bytes + len, p->payload, p->len);
        len += p->len;
    }
    net->packets++;
    net->bytes += len;
    uint64_t at = net->busy_ns[end->me] > net->now_ns ? net->busy_ns[end->me] : net->now_ns;
    if (net->each_ns && net->queue && (at - net->now_ns) / net->each_ns >= net->queue)
        return;
    net->busy_ns[end->me] = at + net->each_ns;
    for (int i = 0; i < net->n; i++)
        if (i != end->me && (to == HWS_CAST_ALL || to == i))
            carry(net, i, at + net->each_ns, bytes, len);
}

void cast_net_open(struct cast_net *net)
{
    size_t n = (size_t)net->n;
    struct end *ends = calloc(n, sizeof *ends);
    net->members = calloc(n, sizeof *net->members);
    net->wakes_ns = calloc(n, sizeof(uint64_t));
    net->busy_ns = calloc(n, sizeof(uint64_t));
    net->stopped = calloc(n, sizeof(bool));
    cr_assert(ends && net->members && net->wakes_ns && net->busy_ns && net->stopped);
    net->random |= 1;
    net->now_ns = 1000000;
    for (int i = 0; i < net->n; i++) {
        ends[i] = (struct end){net, i};
        net->wakes_ns[i] = UINT64_MAX;
        net->members[i] = (struct hws_cast_group){
            .id = 77, .n = net->n, .me = i, .room = net->room, .transmit = transmit, .arg = &ends[i]};
        cr_assert_eq(hws_cast_group_init(&net->members[i]), HWS_OK);
    }
}

void cast_net_close(struct cast_net *net)
{
    free(net->members[0].arg);
    for (int i = 0; i < net->n; i++)
        hws_cast_group_fini(&net->members[i]);
    while (net->n_heap > 0)
        free(net->heap[--net->n_heap]);
    free(net->heap);
    free(net->members);
    free(net->wakes_ns);
    free(net->busy_ns);
    free(net->stopped);
}

void cast_net_tick(struct cast_net *net, int member)
{
    uint64_t busy = net->busy_ns[member], now = net->now_ns;
    net->members[member].queued = busy > now && net->each_ns ? (busy - now) / net->each_ns : 0;
    net->wakes_ns[member] = hws_cast_group_tick(&net->members[member], net->now_ns);
}

static void arrive(struct cast_net *net, struct cast_event *e)
{
    struct hws_cast_packet p;
    cr_assert_eq(hws_cast_decode(e->bytes, e->len, &p), HWS_OK);
    net->reports_to_sender += p.kind == HWS_CAST_IS_REPORT && p.of == e->to;
    if (!net->stopped[e->to]) {
        hws_cast_group_packet(&net->members[e->to], &p, net->now_ns);
        cast_net_tick(net, e->to);
    }
    free(e);
}

static int next_wake(const struct cast_net *net)
{
    int first = -1;
    for (int i = 0; i < net->n; i++)
        if (!net->stopped[i] && net->wakes_ns[i] != UINT64_MAX &&
            (first < 0 || net->wakes_ns[i] < net->wakes_ns[first]))
            first = i;
    return first;
}

bool cast_net_run(struct cast_net *net, const int *flag, int value, uint64_t limit_ns)
{
    uint64_t end = net->now_ns + limit_ns;
    while (*flag != value) {
        int wake = next_wake(net);
        uint64_t at = wake >= 0 ? net->wakes_ns[wake] : UINT64_MAX;
        bool packet = net->n_heap > 0 && net->heap[0]->when_ns <= at;
        at = packet ? net->heap[0]->when_ns : at;
        if (at > end)
            return false;
        net->now_ns = at > net->now_ns ? at : net->now_ns;
        if (packet)
            arrive(net, pop(net));
        else
            cast_net_tick(net, wake);
    }
    return true;
}
