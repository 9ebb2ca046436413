/* SPDX-License-Identifier: BSD-3-Clause
 *
 * socket: one connection to a peer over one pair of addresses, and its state machine (LA-MPI's states). One table gives
 * each state's interest, deadline, handlers and successors; become() is the only writer of the state.
 *
 *   CLOSED --dial----> CONNECTING --writable--> AWAIT_CHALLENGE ----> AWAIT_VERDICT --welcome----> CONNECTED
 *      \----accept--------------> AWAIT_HELLO --------> AWAIT_PROOF ----proof holds-----------------^  |
 *   what ends, ends in two steps: here at once, in ENDING or DROPPED; in CLOSED when the engine frees it   <--+
 *
 * In the AWAIT states (LA-MPI's CONNECT_ACK) the two ends exchange the hello (docs/wire.md section 2). Reads
 * accumulate: a partial hello is normal.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "peer/conn/conn.h"
#include "peer/conn/headon.h"
#include "peer/lane/lane.h"
#include "peer/state/engine.h"
#include "peer/state/socket.h"
#include "peer/state/up.h"

#define ASK_S        1     /* so often the other kernel is asked whether it is there, while its process does not say */
#define LONG_MS      10000 /* after that it is seldom: a rank that computes has to answer for all who wait for it */
#define ASK_SELDOM_S 5
#define MUTE_MS      200  /* a dialer's first bytes are here by then */
#define MAX_ASKED    20   /* questions without an answer before the kernel ends the connection by itself */
#define WRITE_TRIES  1000 /* of a hello that the kernel does not take: then the link counts as dead */
#define FIRST_COMERS 64   /* accepted sockets without a hello, beside one for each peer ... */
#define COMERS_MAX   1024 /* ... of at most so many */
#define MISSED       3    /* questions without an answer that tell of a dead network */

static void finish_dial(struct hws_socket *s);
static void on_hello(struct hws_socket *s);
static void on_challenge(struct hws_socket *s);
static void on_proof(struct hws_socket *s);
static void on_verdict(struct hws_socket *s);
static void read_hello(struct hws_socket *s);
static void read_frames(struct hws_socket *s);
static void write_frames(struct hws_socket *s);

enum budget { NO_DEADLINE, DIAL, HELLO };

/* A message of the hello. */
struct message {
    const char *name;
    size_t len;
    void (*handle)(struct hws_socket *s);
};

struct row {
    struct hws_lifecycle_state is;
    unsigned interest;
    enum budget budget;
    void (*on_readable)(struct hws_socket *s);
    void (*on_writable)(struct hws_socket *s);
    const struct message *expects; /* the hello's that is due */
};

static const struct message hello_due = {"HELLO", HWS_HELLO_LEN, on_hello};
static const struct message challenge_due = {"CHALLENGE", HWS_CHALLENGE_LEN, on_challenge};
static const struct message proof_due = {"PROOF", HWS_PROOF_LEN, on_proof};
static const struct message verdict_due = {"VERDICT", HWS_VERDICT_LEN, on_verdict};

#define TO(state) (1u << HWS_SOCKET_##state)
#define ROW(state, interest, budget, readable, writable, expects, next, meaning)                                       \
    [HWS_SOCKET_##state] = {{#state, meaning, next}, interest, budget, readable, writable, expects}
#define R HWS_LINK_R
#define W HWS_LINK_W

/*  state, fd wants, deadline, on readable, on writable, message that is due, may become, meaning */
static const struct row rows[] = {
    ROW(CLOSED, 0, NO_DEADLINE, NULL, NULL, NULL, TO(CONNECTING) | TO(AWAIT_HELLO),
        "made, not yet begun, or over and about to be freed."),
    ROW(CONNECTING, W, DIAL, NULL, finish_dial, NULL, TO(AWAIT_CHALLENGE) | TO(DROPPED),
        "dialed; the peer's kernel has not answered yet."),
    ROW(AWAIT_CHALLENGE, R, HELLO, read_hello, NULL, &challenge_due, TO(AWAIT_VERDICT) | TO(DROPPED),
        "dialed, and connected; HELLO is on its way."),
    ROW(AWAIT_VERDICT, R, HELLO, read_hello, NULL, &verdict_due, TO(CONNECTED) | TO(DROPPED),
        "dialed; the other end has proven itself, and has this end's PROOF to judge."),
    ROW(AWAIT_HELLO, R, HELLO, read_hello, NULL, &hello_due, TO(AWAIT_PROOF) | TO(DROPPED),
        "accepted; whoever dialed has said nothing yet."),
    ROW(AWAIT_PROOF, R, HELLO, read_hello, NULL, &proof_due, TO(CONNECTED) | TO(DROPPED),
        "accepted; the dialer has said who it is, and has not proven it."),
    ROW(CONNECTED, R, NO_DEADLINE, read_frames, write_frames, NULL, TO(ENDING), "proven; frames flow."),
    ROW(ENDING, 0, NO_DEADLINE, NULL, NULL, NULL, TO(CLOSED),
        "was CONNECTED; its lane is out of use, and is taken down at the end of the step."),
    ROW(DROPPED, 0, NO_DEADLINE, NULL, NULL, NULL, TO(CLOSED),
        "never came to be CONNECTED, and is freed at the end of the step."),
};

#undef R
#undef W
#undef ROW
#undef TO

static void show(unsigned state, char *dst, size_t len)
{
    static const char *const budgets[] = {"none", "-tcpconnect", "-tcphello"};
    const struct row *r = &rows[state];
    snprintf(dst, len, "%s%s | %s | %s", r->interest & HWS_LINK_R ? "R" : "", r->interest & HWS_LINK_W ? "W" : "",
             r->expects ? r->expects->name : "", budgets[r->budget]);
}

const struct hws_lifecycle hws_socket_states =
    HWS_LIFECYCLE_WITH("connection", rows, "waits for | expects | deadline", show);

/* One deadline is for the whole hello. */
static void become(struct hws_socket *s, enum hws_socket_state next, const char *why)
{
    const struct row *from = &rows[s->state], *to = &rows[next];
    assert(hws_lifecycle_allows(&hws_socket_states, s->state, next));
    hws_trace(peer, "rank %d: %s -> %s (%s)", s->peer ? s->peer->rank : -1, from->is.name, to->is.name, why);
    s->state = next;
    if (from->budget == to->budget && from->interest == to->interest)
        return;
    hws_timer_stop(&s->timer);
    if (to->budget != NO_DEADLINE)
        hws_timer_set(&s->timer, hws_peer_dial_ms(s, to->budget == HELLO));
    hws_link_want(s->link, to->interest);
}

void hws_socket_end(struct hws_socket *s, enum hws_err why)
{
    if (hws_socket_is_over(s))
        return;
    bool was_connected = s->state == HWS_SOCKET_CONNECTED;
    s->why = why;
    become(s, was_connected ? HWS_SOCKET_ENDING : HWS_SOCKET_DROPPED, hws_err_text(why));
    if (was_connected) {
        hws_lane_watch_end(&s->lane, why);
        hws_peer_lane_down(s->peer, &s->lane);
    }
    if (!s->peer)
        hws_socket_leave_half_open(s);
    hws_engine_forget_lane(s->engine, &s->lane);
    hws_list_remove(&s->lane.dirty_node);
    hws_list_remove(&s->lane.blocked_node);
    hws_list_remove(&s->lane.acked_node);
    hws_list_push(&s->engine->work.ended, &s->node);
}

static const char *peer_name(const struct hws_socket *s, char *dst, size_t len)
{
    return s->peer ? hws_peer_name(s->peer, dst, len) : "an unknown process";
}

/* ---- a dial that fails, a connection that ends ------------------------------------------------------------------- */

static void give_up(struct hws_socket *s, enum hws_err err, const char *why)
{
    char text[160], name[96];
    if (s->dialer && s->peer && s->path && s->path->socket == s) {
        hws_link_describe(s->link, text, sizeof text);
        char reason[HWS_REASON_LEN];
        snprintf(reason, sizeof reason, "%s: %s", text, why);
        hws_peer_dial_failed(s->peer, s, err, reason);
    } else {
        hws_trace(peer, "hello with %s ended: %s", peer_name(s, name, sizeof name), why);
    }
    hws_socket_end(s, err);
}

/* This process may have been outside MPI beyond the deadline, and the answer may have been here for long. */
static bool has_answered(struct hws_socket *s)
{
    enum hws_socket_state before = s->state;
    if (before == HWS_SOCKET_CONNECTING) {
        finish_dial(s);
        return s->state != before;
    }
    read_hello(s);
    if (s->state == before)
        return false;
    if (hws_socket_in_hello(s))
        hws_timer_set(&s->timer, hws_peer_dial_ms(s, true));
    return true;
}

static bool is_silent(const struct hws_socket *s)
{
    struct hws_link_health h;
    if (!hws_link_health(s->link, &h))
        return false;
    return h.waits_for_ack || (s->ask_s && h.heard_ms > MISSED * HWS_MS_PER_S * s->ask_s + h.rtt_us / HWS_US_PER_MS);
}

/* While the kernel answers there, the process only computes, or is stopped. Its accept queue holds this connection, and
 * should not have to hold another one, so this one stays. A network that fails meanwhile is noticed as the kernel is
 * asked. */
static bool may_wait(struct hws_socket *s)
{
    if (is_silent(s))
        return false;
    unsigned every_s = s->peer->dial == s && hws_peer_shows_life(s->peer, s->link) < LONG_MS ? ASK_S : ASK_SELDOM_S;
    if (s->ask_s != every_s)
        hws_link_ask(s->link, every_s, MAX_ASKED);
    s->ask_s = every_s;
    hws_timer_set(&s->timer, every_s * HWS_MS_PER_S);
    return true;
}

static void on_deadline(struct hws_timer *t)
{
    struct hws_socket *s = hws_container_of(t, struct hws_socket, timer);
    if (has_answered(s) || (s->dialer && hws_socket_in_hello(s) && may_wait(s)))
        return;
    give_up(s, HWS_ETIMEDOUT,
            s->state == HWS_SOCKET_CONNECTING ? "no answer to the connection attempt" : "no answer to the hello");
}

/* ---- the hello --------------------------------------------------------------------------------------------------- */

/* Both ends name a connection by the nonce of the dialer's HELLO. */
static void name_connection(struct hws_socket *s)
{
    struct hws_hello h;
    if (hws_hello_decode(s->hello, sizeof s->hello, HWS_HELLO, &h) == HWS_OK)
        memcpy(&s->conn_id, h.nonce, sizeof s->conn_id);
}

static struct hws_name name_of(const struct hws_peer *p)
{
    return (struct hws_name){p->job->id, p->rank};
}

static struct hws_name own_name(const struct hws_engine *e)
{
    return (struct hws_name){e->cfg.job_id, e->cfg.me};
}

/* What the other end says of itself; hws_jobs_number() knows it, or the connection ends. */
static struct hws_name their_name(const struct hws_socket *s)
{
    return (struct hws_name){s->theirs.from_job, (int)s->theirs.from};
}

static bool is_for_me(const struct hws_socket *s)
{
    const struct hws_engine *e = s->engine;
    return s->theirs.to_job == e->cfg.job_id && s->theirs.to == (uint32_t)e->cfg.me;
}

/* Of its job, which is known. */
static const unsigned char *their_secret(const struct hws_socket *s)
{
    return hws_jobs_find(s->engine, s->theirs.from_job)->secret;
}

/* Libsodium is not looked at before: a rank whose job is on one host never needs it. */
static bool make_hello(struct hws_socket *s, uint8_t kind, struct hws_name to, uint8_t dst[HWS_HELLO_LEN])
{
    if (hws_auth_init() != HWS_OK) {
        give_up(s, HWS_ESYS, "libsodium cannot be used here");
        return false;
    }
    s->keeps = s->engine->cfg.params.survive && !s->link->is_local && !s->link->heals;
    struct hws_hello h = {.kind = kind,
                          .lane = s->path ? (uint16_t)s->path->number : s->theirs.lane,
                          .keeps = s->keeps,
                          .crc = s->engine->cfg.params.crc,
                          .big_endian = s->engine->big_endian,
                          .from_job = s->engine->cfg.job_id,
                          .from = (uint32_t)s->engine->cfg.me,
                          .to_job = to.job,
                          .to = (uint32_t)to.rank,
                          .credit = HWS_GRANT_FIRST};
    hws_auth_nonce(h.nonce);
    hws_hello_encode(dst, &h);
    return true;
}

/* A hello message is far smaller than any socket buffer: what the kernel does not take at once means a dead link. */
static bool write_all(struct hws_socket *s, const uint8_t *bytes, size_t n)
{
    struct iovec iov = {(void *)(uintptr_t)bytes, n};
    for (int tries = 0; iov.iov_len && tries < WRITE_TRIES; tries++) {
        ssize_t rc = hws_link_send(s->link, &iov, 1);
        if (rc < 0 && rc != HWS_EAGAIN)
            break;
        if (rc > 0) {
            iov.iov_base = (uint8_t *)iov.iov_base + rc;
            iov.iov_len -= (size_t)rc;
        }
    }
    if (iov.iov_len)
        give_up(s, HWS_ECLOSED, "connection lost during the hello");
    return iov.iov_len == 0;
}

static void finish_dial(struct hws_socket *s)
{
    char why[HWS_REASON_LEN];
    int rc = hws_link_dial_result(s->link, why, sizeof why);
    if (rc == HWS_EAGAIN)
        return;
    if (rc != HWS_OK) {
        give_up(s, (enum hws_err)rc, why);
        return;
    }
    become(s, HWS_SOCKET_AWAIT_CHALLENGE, "connected");
    if (!make_hello(s, HWS_HELLO, name_of(s->peer), s->hello))
        return;
    name_connection(s);
    write_all(s, s->hello, sizeof s->hello);
}

static void connected(struct hws_socket *s, const char *why)
{
    become(s, HWS_SOCKET_CONNECTED, why);
    hws_peer_connected(s->peer, s);
}

static void on_challenge(struct hws_socket *s)
{
    struct hws_engine *e = s->engine;
    uint8_t proof[HWS_PROOF_LEN], mac[HWS_MAC_LEN];
    if (hws_hello_decode(s->in, s->n_in, HWS_CHALLENGE, &s->theirs) != HWS_OK || !is_for_me(s) ||
        hws_jobs_number(e, s->theirs.from_job, s->theirs.from) != s->peer->number) {
        give_up(s, HWS_EPROTO, "answered by something that is not the expected rank");
        return;
    }
    memcpy(s->challenge, s->in, sizeof s->challenge);
    if (!hws_auth_check(their_secret(s), "acceptor", s->hello, s->challenge, s->in + HWS_HELLO_LEN)) {
        give_up(s, HWS_EAUTH, "the answer does not prove the job's secret");
        return;
    }
    hws_auth_mac(their_secret(s), "dialer", s->hello, s->challenge, mac);
    hws_proof_encode(proof, mac);
    become(s, HWS_SOCKET_AWAIT_VERDICT, "challenge");
    write_all(s, proof, sizeof proof);
}

static void on_verdict(struct hws_socket *s)
{
    enum hws_verdict verdict;
    if (hws_verdict_decode(s->in, s->n_in, &verdict) != HWS_OK) {
        give_up(s, HWS_EPROTO, "malformed verdict");
        return;
    }
    if (verdict == HWS_VERDICT_WELCOME && !hws_kept_is_settled(s->peer, s->conn_id)) {
        connected(s, "welcome");
        return;
    }
    hws_peer_dial_refused(s->peer, s);
    hws_socket_end(s, HWS_ECANCELLED);
}

static bool is_known_other(const struct hws_engine *e, int number)
{
    return number >= 0 && number != e->cfg.me;
}

static void on_hello(struct hws_socket *s)
{
    struct hws_engine *e = s->engine;
    uint8_t out[HWS_CHALLENGE_LEN];
    if (hws_hello_decode(s->in, s->n_in, HWS_HELLO, &s->theirs) != HWS_OK || !is_for_me(s) ||
        !is_known_other(e, hws_jobs_number(e, s->theirs.from_job, s->theirs.from))) {
        e->count.n_refused++;
        give_up(s, HWS_EPROTO, "not a hello for this rank and job");
        return;
    }
    memcpy(s->hello, s->in, sizeof s->hello);
    s->connects_then = e->count.n_connects;
    name_connection(s);
    if (!make_hello(s, HWS_CHALLENGE, their_name(s), s->challenge))
        return;
    memcpy(out, s->challenge, sizeof s->challenge);
    hws_auth_mac(their_secret(s), "acceptor", s->hello, s->challenge, out + HWS_HELLO_LEN);
    become(s, HWS_SOCKET_AWAIT_PROOF, "hello");
    write_all(s, out, sizeof out);
}

static bool send_verdict(struct hws_socket *s, enum hws_verdict v)
{
    uint8_t out[HWS_VERDICT_LEN];
    hws_verdict_encode(out, v);
    return write_all(s, out, sizeof out);
}

/* Head-on, and this end has won already: the other end began this connection before it welcomed one that was dialed
 * from here, and has dropped it since. */
static bool is_crossed(const struct hws_socket *s, const struct hws_peer *p)
{
    for (unsigned i = 0; i < p->n_up; i++) {
        const struct hws_socket *up = hws_container_of(p->up[i], struct hws_socket, lane);
        if (up->dialer && up->connects_then > s->connects_then)
            return true;
    }
    return false;
}

/* A proven connection of a peer for which this end has a connection of its own, or tries to open one. */
static enum hws_verdict decide(const struct hws_socket *s, const struct hws_peer *p, const struct hws_socket *own)
{
    if (is_crossed(s, p))
        return HWS_VERDICT_HEADON;
    if (!own || hws_socket_is_over(own))
        return HWS_VERDICT_WELCOME;
    if (own->state ==
        HWS_SOCKET_CONNECTED) /* where nothing is lost with it, the other end knows better that it is over */
        return own->lane.keeps && s->theirs.keeps ? HWS_VERDICT_WELCOME : HWS_VERDICT_DUPLICATE;
    return hws_headon_keep_mine(own_name(s->engine), name_of(p), hws_socket_in_hello(own)) ? HWS_VERDICT_HEADON
                                                                                           : HWS_VERDICT_WELCOME;
}

static void on_proof(struct hws_socket *s)
{
    struct hws_engine *e = s->engine;
    uint8_t mac[HWS_MAC_LEN];
    if (hws_proof_decode(s->in, s->n_in, mac) != HWS_OK ||
        !hws_auth_check(their_secret(s), "dialer", s->hello, s->challenge, mac)) {
        e->count.n_refused++;
        give_up(s, HWS_EAUTH, "the proof does not hold");
        return;
    }
    struct hws_peer *p = hws_engine_peer(e, hws_jobs_number(e, s->theirs.from_job, s->theirs.from));
    if (!p || hws_peer_is_over(p) || e->closing) {
        hws_socket_end(s, HWS_ECLOSED);
        return;
    }
    struct hws_path *path = hws_peer_path(p, s->theirs.lane);
    if (!path) {
        hws_socket_end(s, HWS_EPROTO);
        return;
    }
    struct hws_socket *own = p->n_up ? path->socket : p->dial;
    enum hws_verdict verdict = decide(s, p, own);
    if (!send_verdict(s, verdict))
        return;
    if (verdict != HWS_VERDICT_WELCOME) {
        hws_socket_end(s, HWS_ECANCELLED);
        return;
    }
    if (own) {
        hws_socket_end(own, own->state == HWS_SOCKET_CONNECTED ? HWS_ECLOSED : HWS_ECANCELLED);
        hws_engine_detach(own);
    }
    hws_socket_leave_half_open(s);
    e->count.n_accepts++;
    s->peer = p;
    s->path = path;
    connected(s, "proof holds");
}

/* Reads no byte beyond the message that is due, so that frames behind it stay in the socket. */
static void read_hello(struct hws_socket *s)
{
    while (hws_socket_in_hello(s)) {
        const struct message *due = rows[s->state].expects;
        size_t len = due->len;
        struct iovec iov = {s->in + s->n_in, len - s->n_in};
        ssize_t n = hws_link_recv(s->link, &iov, 1);
        if (n == HWS_EAGAIN)
            return;
        if (n < 0) {
            give_up(s, (enum hws_err)n, "connection closed during the hello");
            return;
        }
        s->n_in += (size_t)n;
        if (s->n_in < len)
            continue;
        due->handle(s);
        s->n_in = 0;
    }
    if (s->state == HWS_SOCKET_CONNECTED)
        hws_lane_read(&s->lane);
}

/* ---- traffic ----------------------------------------------------------------------------------------------------- */

static void read_frames(struct hws_socket *s)
{
    if (hws_lane_read(&s->lane))
        hws_lane_found(&s->lane);
}

static void write_frames(struct hws_socket *s)
{
    hws_lane_on_writable(&s->lane);
}

static void on_readable(void *owner)
{
    struct hws_socket *s = owner;
    if (rows[s->state].on_readable)
        rows[s->state].on_readable(s);
}

static void on_writable(void *owner)
{
    struct hws_socket *s = owner;
    if (rows[s->state].on_writable)
        rows[s->state].on_writable(s);
}

static const struct hws_link_events events = {on_readable, on_writable};

/* ---- birth and death --------------------------------------------------------------------------------------------- */

struct hws_socket *hws_socket_new(struct hws_engine *e, struct hws_peer *p, struct hws_link *l, bool dialer)
{
    struct hws_socket *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->engine = e;
    s->peer = p;
    s->link = l;
    s->dialer = dialer;
    l->owner = s;
    l->events = &events;
    hws_list_init(&s->node);
    hws_list_init(&s->lane.dirty_node);
    hws_list_init(&s->lane.blocked_node);
    hws_list_init(&s->lane.acked_node);
    hws_list_init(&s->lane.out.staged_ops);
    hws_timer_init(e->reactor, &s->timer, on_deadline);
    return s;
}

void hws_socket_start(struct hws_socket *s)
{
    if (s->dialer) {
        become(s, HWS_SOCKET_CONNECTING, "dial");
        return;
    }
    become(s, HWS_SOCKET_AWAIT_HELLO, "accept");
}

void hws_socket_free(struct hws_socket *s)
{
    hws_timer_stop(&s->timer);
    hws_engine_not_hot(s->engine, &s->lane);
    hws_list_remove(&s->node);
    become(s, HWS_SOCKET_CLOSED, hws_err_text(s->why));
    hws_lane_close(&s->lane);
    hws_link_close(s->link);
    free(s);
}

static unsigned *source_of(const struct hws_socket *s)
{
    return &s->engine->accepts.from[s->link->there % HWS_SOURCES];
}

void hws_socket_leave_half_open(struct hws_socket *s)
{
    hws_list_remove(&s->node);
    s->engine->accepts.n--;
    --*source_of(s);
}

/* How far its hello is. */
static unsigned progress_of(const struct hws_socket *s)
{
    return (s->state == HWS_SOCKET_AWAIT_HELLO ? 0 : 2) + (s->n_in > 0);
}

static bool is_mute(const struct hws_socket *s, uint64_t now)
{
    return progress_of(s) == 0 && now - s->since_ns > MUTE_MS * HWS_NS_PER_MS;
}

static bool is_worth_less(const struct hws_socket *a, const struct hws_socket *b, uint64_t now)
{
    if (is_mute(a, now) != is_mute(b, now))
        return is_mute(a, now);
    return *source_of(a) != *source_of(b) ? *source_of(a) > *source_of(b) : progress_of(a) < progress_of(b);
}

/* One half-open connection has to go: one that had time and has said nothing, else one of the host that has most of
 * them, the least advanced; of equal ones the oldest. A rank that is cut off so dials again. */
static void evict(struct hws_engine *e, uint64_t now)
{
    struct hws_socket *worst = hws_container_of(e->accepts.half_open.next, struct hws_socket, node);
    for (struct hws_list *n = worst->node.next; n != &e->accepts.half_open; n = n->next) {
        struct hws_socket *s = hws_container_of(n, struct hws_socket, node);
        if (is_worth_less(s, worst, now))
            worst = s;
    }
    e->count.n_refused++;
    hws_socket_end(worst, HWS_ECANCELLED);
}

void hws_engine_on_accept(void *engine, struct hws_link *l)
{
    struct hws_engine *e = engine;
    unsigned cap = FIRST_COMERS + (unsigned)(e->jobs.n_peers < COMERS_MAX ? e->jobs.n_peers : COMERS_MAX);
    struct hws_socket *s = hws_socket_new(e, NULL, l, false);
    if (!s) {
        hws_link_close(l);
        return;
    }
    s->since_ns = hws_clock_ns();
    hws_list_push(&e->accepts.half_open, &s->node);
    e->accepts.n++;
    ++*source_of(s);
    hws_socket_start(s);
    read_hello(s); /* a dialer's is here mostly: so it is told from those that say nothing */
    if (e->accepts.n > cap)
        evict(e, hws_clock_ns());
}

void hws_engine_detach(struct hws_socket *s)
{
    if (s->peer && s->peer->dial == s)
        s->peer->dial = NULL;
    if (s->path)
        hws_path_leave(s->path, s);
}
