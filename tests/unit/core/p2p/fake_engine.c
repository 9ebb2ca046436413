/* SPDX-License-Identifier: BSD-3-Clause */
#include "fake_engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/object/world.h"
#include "peer/kinds.h"

#define HANG 100000 /* steps without result after which a wait counts as hung */

struct hws_message {
    struct hws_list node;
    unsigned due;
    int peer;
    uint32_t ctx;
    int32_t tag;
    uint64_t len;
    unsigned char *bytes;
    struct hws_send_op *sync; /* done when this is matched; or NULL */
};

struct loss {
    bool set;
    unsigned due;
    int peer;
    enum hws_err err;
    char reason[128];
};

struct fake_state fake;
static struct hws_list posted, unexpected, later, sending, held;
static struct loss loss;

static void list_free(struct hws_list *l)
{
    if (!l->next)
        return;
    for (struct hws_list *n; (n = hws_list_pop(l));) {
        struct hws_message *m = hws_container_of(n, struct hws_message, node);
        free(m->bytes);
        free(m);
    }
}

void fake_reset(int me, int n_peers)
{
    list_free(&unexpected);
    list_free(&later);
    for (int i = 0; i < fake.n_sent; i++)
        free(fake.sent[i].bytes);
    fake = (struct fake_state){.me = me, .n_peers = n_peers};
    loss.set = false;
    loss.reason[0] = '\0';
    hws_list_init(&posted);
    hws_list_init(&unexpected);
    hws_list_init(&later);
    hws_list_init(&sending);
    hws_list_init(&held);
    hws_world.engine = (struct hws_engine *)&fake;
}

static void end_send(struct hws_send_op *op, bool call)
{
    op->numbered = true;
    op->done = true;
    if (call && op->on_done)
        op->on_done(op);
}

static void end_recv(struct hws_recv_op *op, enum hws_err err)
{
    op->err = err;
    op->done = true;
    if (op->on_done)
        op->on_done(op);
}

static void deliver(struct hws_message *m, struct hws_recv_op *op)
{
    uint64_t n = m->len < op->data.len_bytes ? m->len : op->data.len_bytes;
    if (op->data.layout)
        op->data.layout->unpack(op->data.layout, op->data.base, 0, m->bytes, n);
    else if (n)
        memcpy(op->data.base, m->bytes, n);
    op->from_peer = m->peer;
    op->from_tag = m->tag;
    op->from_len = m->len;
    if (m->sync)
        end_send(m->sync, true);
    enum hws_err err = m->len > op->data.len_bytes ? HWS_ETRUNCATE : HWS_OK;
    free(m->bytes);
    free(m);
    end_recv(op, err);
}

static bool fits(const struct hws_message *m, int peer, uint32_t ctx, int32_t tag)
{
    return m->ctx == ctx && (peer == HWS_ANY_PEER || peer == m->peer) && (tag == HWS_ANY_TAG || tag == m->tag);
}

static void arrive(struct hws_message *m)
{
    for (struct hws_list *n = posted.next; n != &posted; n = n->next) {
        struct hws_recv_op *op = hws_container_of(n, struct hws_recv_op, node);
        if (!fits(m, op->peer, op->ctx, op->tag))
            continue;
        hws_list_remove(n);
        deliver(m, op);
        return;
    }
    hws_list_push(&unexpected, &m->node);
}

static struct hws_message *new_message(int peer, uint32_t ctx, int32_t tag, uint64_t len)
{
    struct hws_message *m = calloc(1, sizeof(*m));
    m->bytes = malloc(len ? len : 1);
    hws_list_init(&m->node);
    m->peer = peer;
    m->ctx = ctx;
    m->tag = tag;
    m->len = len;
    return m;
}

void fake_arrive(unsigned steps, int peer, uint32_t ctx, int32_t tag, const void *bytes, uint64_t len)
{
    struct hws_message *m = new_message(peer, ctx, tag, len);
    memcpy(m->bytes, bytes, len);
    m->due = fake.steps + steps;
    if (steps == 0)
        arrive(m);
    else
        hws_list_push(&later, &m->node);
}

void fake_lose(unsigned steps, int peer, enum hws_err err, const char *reason)
{
    loss = (struct loss){.set = true, .due = fake.steps + steps, .peer = peer, .err = err};
    snprintf(loss.reason, sizeof(loss.reason), "%s", reason);
}

static bool is_lost(int peer)
{
    return loss.set && fake.steps >= loss.due && peer == loss.peer;
}

void fake_release_sends(void)
{
    for (struct hws_list *n; (n = hws_list_pop(&held));)
        end_send(hws_container_of(n, struct hws_send_op, node), true);
}

int fake_n_posted(void)
{
    int k = 0;
    for (struct hws_list *n = posted.next; n != &posted; n = n->next)
        k++;
    return k;
}

static void copy_out(const struct hws_send_op *op, unsigned char *bytes)
{
    if (op->data.layout)
        op->data.layout->pack(op->data.layout, op->data.base, 0, bytes, op->data.len_bytes);
    else if (op->data.len_bytes)
        memcpy(bytes, op->data.base, op->data.len_bytes);
}

static void record(struct hws_send_op *op)
{
    if (fake.n_sent == (int)HWS_ARRAY_LEN(fake.sent))
        abort();
    struct fake_sent *s = &fake.sent[fake.n_sent++];
    *s = (struct fake_sent){op->peer, op->ctx, op->tag, op->mode, op->data.len_bytes, malloc(op->data.len_bytes + 1)};
    copy_out(op, s->bytes);
}

void hws_engine_send(struct hws_engine *e, struct hws_send_op *op)
{
    (void)e;
    op->done = false;
    op->err = is_lost(op->peer) ? loss.err : fake.send_error;
    hws_list_init(&op->node);
    if (op->peer == fake.me && op->err == HWS_OK) {
        struct hws_message *m = new_message(op->peer, op->ctx, op->tag, op->data.len_bytes);
        copy_out(op, m->bytes);
        m->sync = op->mode == HWS_SYNC ? op : NULL;
        arrive(m);
        if (op->mode == HWS_SYNC)
            return;
    } else if (op->err == HWS_OK) {
        record(op);
    }
    if (fake.sends == FAKE_QUIET || fake.sends == FAKE_CALLED)
        end_send(op, fake.sends == FAKE_CALLED);
    else
        hws_list_push(fake.sends == FAKE_HELD ? &held : &sending, &op->node);
}

void hws_engine_send_now(struct hws_engine *e, struct hws_send_op *op)
{
    hws_engine_send(e, op);
}

/* Letters about context ids: nobody is there to read them. */
void hws_engine_send_frame(struct hws_engine *e, struct hws_frame_op *op)
{
    (void)e;
    op->err = HWS_OK;
    op->done = true;
    if (op->on_done)
        op->on_done(op);
}

int hws_engine_take_kinds(struct hws_engine *e, const struct hws_kinds *k)
{
    (void)e, (void)k;
    return HWS_OK;
}

static struct hws_message *find(int peer, uint32_t ctx, int32_t tag)
{
    for (struct hws_list *n = unexpected.next; n != &unexpected; n = n->next) {
        struct hws_message *m = hws_container_of(n, struct hws_message, node);
        if (fits(m, peer, ctx, tag))
            return m;
    }
    return NULL;
}

void hws_engine_recv(struct hws_engine *e, struct hws_recv_op *op)
{
    (void)e;
    struct hws_message *m = find(op->peer, op->ctx, op->tag);
    op->done = false;
    hws_list_init(&op->node);
    if (m) {
        hws_list_remove(&m->node);
        deliver(m, op);
    } else {
        hws_list_push(&posted, &op->node);
    }
}

static bool is_posted(const struct hws_recv_op *op)
{
    for (struct hws_list *n = posted.next; n != &posted; n = n->next)
        if (n == &op->node)
            return true;
    return false;
}

bool hws_engine_cancel_recv(struct hws_engine *e, struct hws_recv_op *op)
{
    (void)e;
    if (op->done || !is_posted(op))
        return false;
    hws_list_remove(&op->node);
    end_recv(op, HWS_ECANCELLED);
    return true;
}

/* As for a message that is matched already: too late. */
void hws_engine_cancel_send(struct hws_engine *e, struct hws_cancel_op *c)
{
    (void)e;
    c->taken = false;
    c->done = true;
    if (c->on_done)
        c->on_done(c);
}

void hws_engine_recv_wait(struct hws_engine *e, struct hws_recv_op *op, hws_wait_site site)
{
    (void)site;
    hws_engine_recv(e, op);
    hws_engine_wait(e, &op->done, NULL);
}

static struct hws_message *look(struct hws_engine *e, int peer, uint32_t ctx, int32_t tag, struct hws_envelope *env)
{
    struct hws_message *m = find(peer, ctx, tag);
    if (!m) {
        hws_engine_progress(e);
        m = find(peer, ctx, tag);
    }
    if (m)
        *env = (struct hws_envelope){m->peer, m->tag, m->len};
    return m;
}

bool hws_engine_probe(struct hws_engine *e, int peer, uint32_t ctx, int32_t tag, struct hws_envelope *env)
{
    return look(e, peer, ctx, tag, env) != NULL;
}

struct hws_message *hws_engine_mprobe(struct hws_engine *e, int peer, uint32_t ctx, int32_t tag,
                                      struct hws_envelope *env)
{
    struct hws_message *m = look(e, peer, ctx, tag, env);
    if (m)
        hws_list_remove(&m->node);
    return m;
}

void hws_engine_mrecv(struct hws_engine *e, struct hws_message *m, struct hws_recv_op *op)
{
    (void)e;
    op->done = false;
    deliver(m, op);
}

static void fail_posted(void)
{
    for (struct hws_list *n = posted.next, *next; n != &posted; n = next) {
        struct hws_recv_op *op = hws_container_of(n, struct hws_recv_op, node);
        next = n->next;
        if (!is_lost(op->peer))
            continue;
        hws_list_remove(n);
        end_recv(op, loss.err);
    }
}

bool hws_engine_progress(struct hws_engine *e)
{
    (void)e;
    fake.steps++;
    for (struct hws_list *n; (n = hws_list_pop(&sending));)
        end_send(hws_container_of(n, struct hws_send_op, node), true);
    for (struct hws_list *n = later.next, *next; n != &later; n = next) {
        struct hws_message *m = hws_container_of(n, struct hws_message, node);
        next = n->next;
        if (fake.steps < m->due)
            continue;
        hws_list_remove(n);
        arrive(m);
    }
    fail_posted();
    return true;
}

static void check_hang(unsigned since)
{
    if (fake.steps - since < HANG)
        return;
    fprintf(stderr, "fake engine: a wait would hang\n");
    abort();
}

void hws_engine_push(struct hws_engine *e)
{
    (void)e; /* nothing is held back */
}

void hws_engine_wait(struct hws_engine *e, const volatile bool *flag, hws_wait_site site)
{
    (void)site;
    fake.waits++;
    for (unsigned since = fake.steps; !*flag; check_hang(since))
        hws_engine_progress(e);
}

void hws_engine_wait_until(struct hws_engine *e, bool (*pred)(void *arg), void *arg, hws_wait_site site)
{
    (void)site;
    fake.waits++;
    for (unsigned since = fake.steps; !pred(arg); check_hang(since))
        hws_engine_progress(e);
}

bool hws_engine_is_crowded(const struct hws_engine *e)
{
    (void)e;
    return false;
}

bool hws_engine_wants_cpus(const struct hws_engine *e)
{
    (void)e;
    return false;
}

void hws_engine_take_cpus(struct hws_engine *e, const struct hws_cpus_sum *sum)
{
    (void)e, (void)sum;
}

void hws_engine_ctx_begin(struct hws_engine *e, uint32_t ctx, int n_kinds)
{
    (void)e, (void)ctx, (void)n_kinds;
}

void hws_engine_lock(struct hws_engine *e)
{
    (void)e;
    fake.locked++;
}

void hws_engine_unlock(struct hws_engine *e)
{
    (void)e;
    if (--fake.locked < 0)
        abort();
}

void hws_engine_wake(struct hws_engine *e)
{
    (void)e;
    fake.wakes++;
}

const char *hws_engine_peer_reason(struct hws_engine *e, int peer)
{
    (void)e;
    return is_lost(peer) ? loss.reason : "";
}

/* What only the start and the end of a process call. */
int hws_engine_open(const struct hws_engine_config *cfg, struct hws_engine **out, char *err, size_t err_len)
{
    (void)cfg, (void)out;
    snprintf(err, err_len, "no engine in this test");
    return HWS_EINVAL;
}

const char *hws_engine_card(const struct hws_engine *e)
{
    (void)e;
    return "";
}

void hws_engine_end(struct hws_engine *e, bool see_deaths)
{
    (void)see_deaths;
    hws_engine_flush(e);
}

void hws_engine_flush(struct hws_engine *e)
{
    (void)e;
}

void hws_engine_fini(struct hws_engine *e)
{
    (void)e;
}

void hws_engine_watch(struct hws_engine *e, int fd, void (*on_readable)(void *arg), void *arg)
{
    (void)e, (void)fd, (void)on_readable, (void)arg;
}

size_t hws_engine_counters(const struct hws_engine *e, struct hws_counter *out, size_t n)
{
    (void)e, (void)out, (void)n;
    return 0;
}

const char *hws_engine_shm_offer(const struct hws_engine *e)
{
    (void)e;
    return "";
}

void hws_engine_shm_attach(struct hws_engine *e, const char *offer)
{
    (void)e, (void)offer;
}

void hws_engine_tell(const struct hws_engine *e)
{
    (void)e;
}

void hws_engine_tell_on(struct hws_engine *e, int number)
{
    (void)e, (void)number;
}

/* ---- no memory is shared ---- */

int hws_engine_local(const struct hws_engine *e, int peer)
{
    (void)e, (void)peer;
    return -1;
}

int hws_engine_first_local(const struct hws_engine *e)
{
    (void)e;
    return -1;
}

int hws_engine_area_take(struct hws_engine *e, int n_users)
{
    (void)e, (void)n_users;
    return -1;
}

void *hws_engine_area(const struct hws_engine *e, int area, size_t *len_bytes)
{
    (void)e, (void)area, (void)len_bytes;
    return NULL;
}

unsigned hws_engine_any_lost(struct hws_engine *e, int *peer)
{
    (void)e;
    *peer = loss.peer;
    return loss.set && is_lost(loss.peer);
}

void hws_engine_area_give(struct hws_engine *e, int area)
{
    (void)e, (void)area;
}

void hws_engine_area_wait(struct hws_engine *e, struct hws_area_wait *w)
{
    (void)e, (void)w;
}

void hws_engine_area_wake(struct hws_engine *e, const int *locals, int n)
{
    (void)e, (void)locals, (void)n;
}

void hws_engine_area_pass(struct hws_engine *e)
{
    (void)e;
}
