/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bundle: flows by number, what each owes, and whose turn it is.
 */
#include "gateway/bundle.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

#define QUANTUM    HWS_GATE_PAYLOAD
#define IDLE_NS    HWS_NS_PER_S
#define POOL_SHORT 4 /* less than a quarter left */

enum owes { OWES_OPEN = 1, OWES_RESET = 2, OWES_ACK = 4, OWES_LESS = 8, OWES_ASK = 16 };

#define BIT(state) (1u << FLOW_##state)

static const struct hws_lifecycle_state states[FLOW_STATES] = {
    [FLOW_OFFERED] = {"OFFERED", "a client here wants to reach the other site; no answer yet.",
                      BIT(OPEN) | BIT(LOST) | BIT(OVER)},
    [FLOW_DIALING] = {"DIALING", "the other site wants to reach a client here, which is being connected.",
                      BIT(OPEN) | BIT(LOST) | BIT(OVER)},
    [FLOW_OPEN] = {"OPEN", "both clients are connected.", BIT(LOST) | BIT(OVER)},
    [FLOW_LOST] = {"LOST", "reset by this end; the other has not said yet that it knows.", BIT(OVER)},
    [FLOW_OVER] = {"OVER", "gone.", 0},
};

const struct hws_lifecycle flow_lifecycle = HWS_LIFECYCLE("flow between gateways", states);

static void flow_become(struct flow *f, enum flow_state next)
{
    assert(hws_lifecycle_allows(&flow_lifecycle, f->state, next));
    f->state = next;
}

/* ---- what is to be sent ------------------------------------------------------------------------------------------ */

static void owe(struct flow *f, unsigned what)
{
    f->owes |= what;
    if (hws_list_is_empty(&f->owing))
        hws_list_push(&f->bundle->owing, &f->owing);
    f->bundle->user->wants(f->bundle->arg);
}

static bool has_something(const struct flow *f)
{
    return f->state != FLOW_LOST && (sender_has_data(&f->out) || sender_has_fin(&f->out));
}

static void make_ready(struct flow *f)
{
    struct bundle *b = f->bundle;
    if (!has_something(f))
        return;
    if (hws_list_is_empty(&f->ready)) {
        f->is_old = false;
        f->deficit = QUANTUM;
        hws_list_push(&b->fresh, &f->ready);
    }
    b->user->wants(b->arg);
}

static void move_to_old(struct flow *f)
{
    hws_list_remove(&f->ready);
    f->is_old = true;
    hws_list_push(&f->bundle->old, &f->ready);
}

/* ---- flows ------------------------------------------------------------------------------------------------------- */

static struct hws_list *bucket(struct bundle *b, uint32_t id)
{
    return &b->flows[(id >> 1) % BUNDLE_BUCKETS];
}

static struct flow *find(struct bundle *b, uint32_t id)
{
    struct hws_list *head = bucket(b, id);
    for (struct hws_list *n = head->next; n != head; n = n->next) {
        struct flow *f = hws_container_of(n, struct flow, by_id);
        if (f->id == id)
            return f;
    }
    return NULL;
}

static struct flow *add_flow(struct bundle *b, uint32_t id, const struct hws_gate_open *open, enum flow_state state)
{
    struct flow *f = calloc(1, sizeof *f);
    if (!f)
        return NULL;
    f->bundle = b;
    f->id = id;
    f->open = *open;
    f->state = state;
    f->out.edge = WINDOW_BASE; /* at least this is granted to each; the first ACK says what more */
    receiver_init(&f->in, b->pool);
    hws_list_init(&f->ready);
    hws_list_init(&f->owing);
    hws_list_push(bucket(b, id), &f->by_id);
    b->n_flows++;
    return f;
}

static void free_halves(struct flow *f)
{
    sender_free(&f->out);
    receiver_free(&f->in, f->bundle->pool);
    hws_list_remove(&f->ready);
}

static void free_flow(struct flow *f)
{
    flow_become(f, FLOW_OVER);
    free_halves(f);
    hws_list_remove(&f->by_id);
    hws_list_remove(&f->owing);
    f->bundle->n_flows--;
    free(f);
}

/* The other end, or the end of both directions, ends the flow. */
static void end_flow(struct flow *f, enum hws_gate_why why)
{
    if (f->state != FLOW_LOST)
        f->bundle->user->over(f->bundle->arg, f, why);
    free_flow(f);
}

/* Both directions ended, and the other end knows of it or can ask. */
static bool end_if_over(struct flow *f)
{
    if (f->state != FLOW_OPEN || !f->out.fin_acked || !receiver_is_over(&f->in) || (f->owes & OWES_ACK))
        return false;
    end_flow(f, 0);
    return true;
}

void bundle_init(struct bundle *b, const struct bundle_user *user, void *arg, struct window_pool *pool, bool is_even)
{
    *b = (struct bundle){.user = user, .arg = arg, .pool = pool, .next_id = is_even ? 2 : 1};
    for (unsigned i = 0; i < BUNDLE_BUCKETS; i++)
        hws_list_init(&b->flows[i]);
    hws_list_init(&b->fresh);
    hws_list_init(&b->old);
    hws_list_init(&b->owing);
}

/* Calls `each` for all flows; it may end its own. */
static void for_each_flow(struct bundle *b, void (*each)(struct flow *, uint64_t), uint64_t arg)
{
    for (unsigned i = 0; i < BUNDLE_BUCKETS; i++) {
        struct hws_list *n = b->flows[i].next;
        while (n != &b->flows[i]) {
            struct flow *f = hws_container_of(n, struct flow, by_id);
            n = n->next;
            each(f, arg);
        }
    }
}

static void reset_one(struct flow *f, uint64_t why)
{
    end_flow(f, (enum hws_gate_why)why);
}

void bundle_reset(struct bundle *b, enum hws_gate_why why)
{
    for_each_flow(b, reset_one, why);
    b->n_gone = 0;
}

struct flow *bundle_open(struct bundle *b, const struct hws_gate_open *open, void *client)
{
    struct flow *f = add_flow(b, b->next_id, open, FLOW_OFFERED);
    if (!f)
        return NULL;
    b->next_id += 2;
    f->client = client;
    owe(f, OWES_OPEN);
    return f;
}

void flow_connected(struct flow *f)
{
    flow_become(f, FLOW_OPEN);
    owe(f, OWES_ACK);
}

void flow_reset(struct flow *f, enum hws_gate_why why)
{
    flow_become(f, FLOW_LOST);
    free_halves(f);
    f->why = why;
    f->client = NULL;
    f->owes = 0;
    owe(f, OWES_RESET);
}

void flow_added(struct flow *f, size_t n)
{
    sender_added(&f->out, n);
    make_ready(f);
}

bool flow_put(struct flow *f, const uint8_t *src, size_t len)
{
    bool is_there = sender_put(&f->out, src, len);
    make_ready(f);
    return is_there;
}

void flow_took(struct flow *f, size_t n)
{
    receiver_took(&f->in, n);
    if (receiver_owes_ack(&f->in) || receiver_is_over(&f->in))
        owe(f, OWES_ACK);
}

/* ---- frames out -------------------------------------------------------------------------------------------------- */

static size_t put_frame(uint8_t *dst, enum hws_gate_kind kind, uint32_t flow, uint64_t offset, size_t len)
{
    struct hws_gate_frame h = {kind, flow, offset, (uint32_t)len};
    hws_gate_header_encode(dst, &h);
    return HWS_GATE_HEADER + len;
}

static size_t put_ack(struct flow *f, uint8_t *dst)
{
    struct hws_gate_ack ack;
    uint64_t offset = receiver_ack(&f->in, f->bundle->pool, &ack);
    hws_gate_ack_encode(dst + HWS_GATE_HEADER, &ack);
    return put_frame(dst, HWS_GATE_ACK, f->id, offset, HWS_GATE_ACK_BYTES);
}

static size_t put_less(struct flow *f, uint8_t *dst)
{
    uint64_t offset = f->out.edge_epoch == f->out.epoch ? sender_less(&f->out) : f->out.edge; /* or once more */
    hws_put32(dst + HWS_GATE_HEADER, f->out.epoch);
    return put_frame(dst, HWS_GATE_LESS, f->id, offset, HWS_GATE_LESS_BYTES);
}

static size_t put_open(struct flow *f, uint16_t trunk, uint8_t *dst)
{
    f->open_sent = true;
    f->open_trunk = trunk;
    hws_gate_open_encode(dst + HWS_GATE_HEADER, &f->open);
    return put_frame(dst, HWS_GATE_OPEN, f->id, 0, HWS_GATE_OPEN_BYTES);
}

static size_t put_reset(struct flow *f, uint8_t *dst)
{
    dst[HWS_GATE_HEADER] = (uint8_t)f->why;
    return put_frame(dst, HWS_GATE_RESET, f->id, 0, 1);
}

/* The most urgent of what a flow owes. */
static size_t put_owed(struct flow *f, uint16_t trunk, uint8_t *dst)
{
    unsigned what = f->owes & -f->owes;
    f->owes &= ~what;
    if (what == OWES_OPEN)
        return put_open(f, trunk, dst);
    if (what == OWES_RESET)
        return put_reset(f, dst);
    if (what == OWES_ACK)
        return put_ack(f, dst);
    if (what == OWES_LESS)
        return put_less(f, dst);
    return put_frame(dst, HWS_GATE_ASK, f->id, 0, 0);
}

/* Nothing of a flow may overtake its OPEN. */
static bool may_use(const struct flow *f, uint16_t trunk)
{
    return f->state != FLOW_OFFERED || (f->owes & OWES_OPEN) || (f->open_sent && f->open_trunk == trunk);
}

static size_t next_owed(struct bundle *b, uint16_t trunk, uint8_t *dst)
{
    for (struct hws_list *n = b->owing.next; n != &b->owing; n = n->next) {
        struct flow *f = hws_container_of(n, struct flow, owing);
        if (!may_use(f, trunk))
            continue;
        size_t len = put_owed(f, trunk, dst);
        if (!f->owes)
            hws_list_remove(&f->owing);
        end_if_over(f);
        return len;
    }
    return 0;
}

static size_t put_data(struct flow *f, uint16_t trunk, uint8_t *dst, size_t room)
{
    uint64_t offset;
    size_t most = room - HWS_GATE_HEADER < HWS_GATE_PAYLOAD ? room - HWS_GATE_HEADER : HWS_GATE_PAYLOAD;
    size_t len = sender_next(&f->out, trunk, dst + HWS_GATE_HEADER, most, &offset);
    if (len) {
        f->deficit -= (int)(len + HWS_GATE_HEADER);
        return put_frame(dst, HWS_GATE_DATA, f->id, offset, len);
    }
    if (!sender_has_fin(&f->out))
        return 0; /* no memory to note the piece: asked again with the next */
    sender_fin(&f->out, trunk);
    return put_frame(dst, HWS_GATE_FIN, f->id, f->out.end, 0);
}

/* One flow had its turn. A new one that is empty goes through the old ones once, so that it cannot always be new. */
static void after_turn(struct flow *f)
{
    if (has_something(f)) {
        if (f->deficit <= 0) {
            f->deficit += QUANTUM;
            move_to_old(f);
        }
    } else if (!f->is_old && !hws_list_is_empty(&f->bundle->old)) {
        move_to_old(f);
    } else {
        hws_list_remove(&f->ready);
    }
}

static size_t next_of(struct hws_list *list, uint16_t trunk, uint8_t *dst, size_t room)
{
    struct hws_list *n = list->next;
    while (n != list) {
        struct flow *f = hws_container_of(n, struct flow, ready);
        n = n->next;
        if (!has_something(f)) {
            hws_list_remove(&f->ready);
        } else if (may_use(f, trunk) && !(f->owes & OWES_OPEN)) {
            size_t len = put_data(f, trunk, dst, room);
            after_turn(f);
            if (len)
                return len;
        }
    }
    return 0;
}

size_t bundle_next(struct bundle *b, uint16_t trunk, uint8_t *dst, size_t room)
{
    if (b->n_gone)
        return put_frame(dst, HWS_GATE_GONE, b->gone[--b->n_gone], 0, 0);
    size_t len = next_owed(b, trunk, dst);
    if (!len)
        len = next_of(&b->fresh, trunk, dst, room);
    return len ? len : next_of(&b->old, trunk, dst, room);
}

/* ---- frames in --------------------------------------------------------------------------------------------------- */

static void say_gone(struct bundle *b, uint32_t id)
{
    if (b->n_gone < BUNDLE_GONE)
        b->gone[b->n_gone++] = id;
    b->user->wants(b->arg);
}

static int on_open(struct bundle *b, const struct hws_gate_frame *h, const uint8_t *payload)
{
    struct hws_gate_open open;
    struct flow *f = find(b, h->flow);
    if (f) { /* sent again, as the answer was lost */
        owe(f, f->state == FLOW_LOST ? OWES_RESET : f->state == FLOW_OPEN ? OWES_ACK : 0);
        return HWS_OK;
    }
    if ((h->flow & 1) == (b->next_id & 1) || hws_gate_open_decode(payload, &open) != HWS_OK)
        return HWS_EPROTO;
    f = add_flow(b, h->flow, &open, FLOW_DIALING);
    if (!f)
        return HWS_ENOMEM;
    b->user->offered(b->arg, f);
    return HWS_OK;
}

static int on_data(struct flow *f, const struct hws_gate_frame *h, const uint8_t *payload, uint64_t now_ns)
{
    uint64_t next = f->in.next;
    int rc = receiver_put(&f->in, h->offset, payload, h->len);
    f->active_ns = now_ns;
    if (rc == HWS_OK && f->in.next != next && f->state == FLOW_OPEN)
        f->bundle->user->arrived(f->bundle->arg, f);
    return rc;
}

static int on_fin(struct flow *f, const struct hws_gate_frame *h)
{
    bool is_known = f->in.has_fin;
    int rc = receiver_fin(&f->in, h->offset);
    if (rc != HWS_OK)
        return rc;
    if (receiver_is_over(&f->in))
        owe(f, OWES_ACK);
    if (!is_known && f->state == FLOW_OPEN)
        f->bundle->user->arrived(f->bundle->arg, f);
    return HWS_OK;
}

static int on_ack(struct flow *f, const struct hws_gate_frame *h, const uint8_t *payload)
{
    int rc = sender_ack(&f->out, h->offset, hws_gate_ack_decode(payload));
    if (rc != HWS_OK)
        return rc;
    make_ready(f);
    if (!end_if_over(f) && sender_room(&f->out))
        f->bundle->user->room(f->bundle->arg, f);
    return HWS_OK;
}

static int on_less(struct flow *f, const struct hws_gate_frame *h, const uint8_t *payload)
{
    int rc = receiver_less(&f->in, f->bundle->pool, h->offset, hws_get32(payload));
    if (rc == HWS_OK)
        owe(f, OWES_ACK);
    return rc;
}

static int on_ask(struct flow *f)
{
    if (f->state == FLOW_OPEN && f->out.acked == f->out.end && f->out.edge_epoch == f->out.epoch &&
        f->out.edge > f->out.end + WINDOW_BASE)
        owe(f, OWES_LESS);
    return HWS_OK;
}

/* The other end has no such flow: it ended in order, and its last ACK was lost, or it was reset. */
static int on_gone(struct flow *f)
{
    bool was_complete = f->out.fin_tried && receiver_is_over(&f->in);
    end_flow(f, was_complete ? 0 : HWS_GATE_CLOSED);
    return HWS_OK;
}

static int on_reset(struct flow *f, const uint8_t *payload)
{
    uint32_t id = f->id;
    struct bundle *b = f->bundle;
    end_flow(f, payload[0] && payload[0] < HWS_GATE_WHYS ? (enum hws_gate_why)payload[0] : HWS_GATE_CLOSED);
    say_gone(b, id);
    return HWS_OK;
}

int bundle_input(struct bundle *b, const struct hws_gate_frame *h, const uint8_t *payload, uint64_t now_ns)
{
    if (h->kind == HWS_GATE_OPEN)
        return on_open(b, h, payload);
    struct flow *f = find(b, h->flow);
    if (h->kind == HWS_GATE_RESET && f)
        return on_reset(f, payload);
    if (h->kind == HWS_GATE_GONE)
        return f ? on_gone(f) : HWS_OK;
    if (!f) {
        say_gone(b, h->flow);
        return HWS_OK;
    }
    if (f->state == FLOW_LOST) /* it does not know yet */
        return HWS_OK;
    if (f->state ==
        FLOW_OFFERED) { /* whatever comes, the other client is connected; it should know this end's window */
        flow_become(f, FLOW_OPEN);
        owe(f, OWES_ACK);
    }
    switch (h->kind) {
    case HWS_GATE_DATA:
        return on_data(f, h, payload, now_ns);
    case HWS_GATE_FIN:
        return on_fin(f, h);
    case HWS_GATE_ACK:
        return on_ack(f, h, payload);
    case HWS_GATE_LESS:
        return on_less(f, h, payload);
    case HWS_GATE_ASK:
        return on_ask(f);
    default:
        return HWS_EPROTO;
    }
}

static void lost_one(struct flow *f, uint64_t trunk)
{
    if (f->state == FLOW_LOST) {
        owe(f, OWES_RESET);
        return;
    }
    if (f->state == FLOW_OFFERED && f->open_sent && f->open_trunk == trunk) {
        f->open_sent = false;
        owe(f, OWES_OPEN);
    }
    sender_lost(&f->out, (uint16_t)trunk);
    if (f->state == FLOW_OPEN)
        owe(f, OWES_ACK | (f->out.edge_epoch != f->out.epoch ? OWES_LESS : 0u));
    make_ready(f);
}

void bundle_lost(struct bundle *b, uint16_t trunk)
{
    for_each_flow(b, lost_one, trunk);
}

static void tick_one(struct flow *f, uint64_t now_ns)
{
    if (f->state == FLOW_LOST)
        owe(f, OWES_RESET); /* the answer may have been one too many to keep */
    if (f->state == FLOW_OPEN && f->in.window > WINDOW_BASE && now_ns > f->active_ns + IDLE_NS)
        owe(f, OWES_ASK);
    if (f->state == FLOW_OPEN && f->in.delivered != f->in.told)
        owe(f, OWES_ACK); /* so that the other end need not keep it for long */
}

void bundle_tick(struct bundle *b, uint64_t now_ns)
{
    bool is_short = b->pool->left < b->pool->total / POOL_SHORT;
    for_each_flow(b, tick_one, is_short ? now_ns : 0);
}
