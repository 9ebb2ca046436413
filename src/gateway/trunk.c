/* SPDX-License-Identifier: BSD-3-Clause
 *
 * trunk: a long-distance connection between two gateways: connect, prove, greet, then frames. Frames leave in records
 * of TLS, as many short ones in one as there are.
 */
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "gateway/gateway.h"
#include "gateway/sock.h"

#define DEADLINE_MS     10000
#define UNSENT_LEAST    (32 << 10) /* what stands in the kernel unsent delays whatever comes after it, ... */
#define UNSENT_BURSTS   3 /* ... but a kernel that has less than it gathers for one burst thinks that it is idle */
#define BURST_MAX       (64 << 10) /* Linux: what the pace lets go in 2^-10 s, at most the largest segment to offload */
#define LOOK_NS         (10 * HWS_NS_PER_MS)
#define WAN_DEADLINE_MS 60000 /* a trunk whose bytes nobody acknowledges for so long has ended */
#define JOB_DEADLINE_MS 4000  /* where its flows may go another way, and lose nothing */
#define LEAST_ROOM      (HWS_GATE_HEADER + 64)
#define READS_AT_ONCE   16
#define WARM_BYTES      (256 << 10)           /* of PAD over a new trunk, ... */
#define WARM_NS         (250 * HWS_NS_PER_MS) /* ... for so long at most */
#define WARM_UNSENT     (8 << 10)             /* meanwhile little stands in the kernel: a job may begin */
#define IDLE_NS         (200 * HWS_NS_PER_MS) /* Linux takes a window back after one retransmission timeout, at least this */

#define BIT(state) (1u << TRUNK_##state)

static const struct hws_lifecycle_state states[TRUNK_STATES] = {
    [TRUNK_IDLE] = {"IDLE", "made, no socket yet.", BIT(DIALING) | BIT(SHAKING) | BIT(OVER)},
    [TRUNK_DIALING] = {"DIALING", "the other gateway's kernel has not answered yet.", BIT(SHAKING) | BIT(OVER)},
    [TRUNK_SHAKING] = {"SHAKING", "each end proves that it has the key.", BIT(GREETING) | BIT(OVER)},
    [TRUNK_GREETING] = {"GREETING", "HELLO went; the other's is awaited.", BIT(UP) | BIT(OVER)},
    [TRUNK_UP] = {"UP", "frames flow.", BIT(OVER)},
    [TRUNK_OVER] = {"OVER", "closed, and freed.", 0},
};

const struct hws_lifecycle trunk_lifecycle = HWS_LIFECYCLE("trunk between gateways", states);

static void trunk_become(struct trunk *t, enum trunk_state next)
{
    assert(hws_lifecycle_allows(&trunk_lifecycle, t->state, next));
    t->state = next;
}

void trunk_end(struct trunk *t, const char *why)
{
    char text[GATE_ADDR_TEXT];
    if (t->gateway->is_verbose && why)
        gateway_say(t->gateway, "trunk %s %s ended: %s", t->is_dialed ? "to" : "from", gate_addr_text(&t->other, text),
                    why);
    bool was_known = t->remote != NULL;
    trunk_become(t, TRUNK_OVER);
    hws_list_remove(&t->strangers);
    hws_timer_stop(&t->deadline);
    hws_timer_stop(&t->more);
    hws_io_want(&t->io, 0);
    if (was_known)
        remote_count(t->remote, t);
    tls_close(t->tls);
    close(t->io.fd);
    hws_list_push(&t->gateway->over_trunks, &t->strangers);
    if (was_known)
        remote_trunk_over(t->remote, t);
}

static void on_deadline(struct hws_timer *timer)
{
    trunk_end(hws_container_of(timer, struct trunk, deadline), "no answer in time");
}

/* ---- bytes ------------------------------------------------------------------------------------------------------- */

static long read_some(struct trunk *t, void *dst, size_t len)
{
    if (t->tls)
        return tls_read(t->tls, dst, len);
    ssize_t n = recv(t->io.fd, dst, len, 0);
    return n > 0 ? (long)n : n < 0 && (errno == EAGAIN || errno == EINTR) ? HWS_EAGAIN : HWS_ECLOSED;
}

static long write_some(struct trunk *t, const void *src, size_t len)
{
    if (t->tls)
        return tls_write(t->tls, src, len);
    ssize_t n = send(t->io.fd, src, len, MSG_NOSIGNAL);
    return n >= 0 ? (long)n : errno == EAGAIN || errno == EINTR ? HWS_EAGAIN : HWS_ECLOSED;
}

static void count_moved(struct trunk *t, long n)
{
    if (t->remote)
        t->remote->moved += (uint64_t)n;
}

static void want(struct trunk *t)
{
    hws_io_want(&t->io, HWS_R | (t->is_blocked ? HWS_W : 0));
}

/* Writes, and counts whether the kernel took the congestion window back because nothing was written for a while. */
static long write_counted(struct trunk *t)
{
    uint64_t now_ns = hws_clock_ns();
    bool was_idle = t->written_ns && now_ns - t->written_ns > IDLE_NS;
    unsigned window = was_idle ? sock_state(t->io.fd).window : 0;
    long n = write_some(t, t->out + t->out_from, t->out_len - t->out_from);
    if (n > 0)
        t->written_ns = now_ns;
    t->restarts += n > 0 && was_idle && sock_state(t->io.fd).window < window;
    return n;
}

/* Writes what `out` holds. False: the socket took not all, or broke. */
static bool write_out(struct trunk *t)
{
    while (t->out_from < t->out_len) {
        long n = write_counted(t);
        if (n == HWS_EAGAIN) {
            t->is_blocked = true;
            return false;
        }
        if (n < 0) {
            trunk_end(t, "the connection broke");
            return false;
        }
        t->out_from += (size_t)n;
        t->bytes_out += t->is_warming ? 0 : (uint64_t)n;
        count_moved(t, n);
    }
    t->out_from = t->out_len = 0;
    t->is_warming = false;
    return true;
}

/* A job's first messages find a window that is open: it grows by what is acknowledged, whatever that is. */
static void begin_warming(struct trunk *t)
{
    t->warm_left = WARM_BYTES;
    t->warm_until_ns = hws_clock_ns() + WARM_NS;
    t->unsent_max = WARM_UNSENT;
    sock_set_unsent(t->io.fd, t->unsent_max);
}

/* How much may stand unsent. A kernel that finds less than its next burst takes the connection for idle, and bbr does
 * not believe the rates that it measures then: it stayed in its startup, sent each message at thrice the way's rate,
 * and lost what the queue had no room for, a tenth of all (decision 032). */
static int unsent_for(uint64_t pace)
{
    uint64_t burst = pace >> 10;
    burst = burst > BURST_MAX ? BURST_MAX : burst;
    return UNSENT_BURSTS * burst > UNSENT_LEAST ? (int)(UNSENT_BURSTS * burst) : UNSENT_LEAST;
}

/* Behind what was written, which so waits for no answer of the kernel's. */
static void look(struct trunk *t)
{
    uint64_t now_ns = hws_clock_ns();
    if (now_ns - t->looked_ns < LOOK_NS)
        return;
    t->looked_ns = now_ns;
    t->seen = sock_state(t->io.fd);
    int most = unsent_for(t->seen.pace);
    if (t->warm_left || most == t->unsent_max)
        return;
    t->unsent_max = most;
    sock_set_unsent(t->io.fd, most);
}

static void end_warming(struct trunk *t)
{
    t->warm_left = 0;
    t->looked_ns = 0;
    look(t);
}

static void put_warmth(struct trunk *t)
{
    struct hws_gate_frame f = {HWS_GATE_PAD, 0, 0, WARM_UNSENT - HWS_GATE_HEADER};
    hws_gate_header_encode(t->out, &f);
    memset(t->out + HWS_GATE_HEADER, 0, f.len);
    t->out_len = HWS_GATE_HEADER + f.len;
    t->is_warming = true;
    t->warm_left = t->warm_left > t->out_len ? t->warm_left - t->out_len : 0;
    if (!t->warm_left)
        end_warming(t);
}

static void fill(struct trunk *t, bool takes)
{
    size_t n;
    while (takes && RECORD_BYTES - t->out_len >= LEAST_ROOM &&
           (n = bundle_next(&t->remote->bundle, t->number, t->out + t->out_len, RECORD_BYTES - t->out_len)))
        t->out_len += n;
    if (!t->out_len && t->warm_left)
        put_warmth(t);
}

void trunk_flush(struct trunk *t, bool takes)
{
    bool has_written = false;
    if (t->warm_left && hws_clock_ns() > t->warm_until_ns) /* also of a trunk that has never been idle */
        end_warming(t);
    while (!t->is_blocked) {
        if (!t->out_len)
            fill(t, takes);
        if (!t->out_len)
            break;
        if (!write_out(t)) {
            if (t->state == TRUNK_OVER)
                return;
            break;
        }
        has_written = true;
        t->is_blocked = sock_unsent(t->io.fd) > t->unsent_max;
    }
    if (has_written)
        look(t);
    want(t);
}

/* ---- the beginning ----------------------------------------------------------------------------------------------- */

static void send_hello(struct trunk *t)
{
    const struct gateway *g = t->gateway;
    struct hws_gate_hello h = {.incarnation = g->incarnation};
    struct hws_gate_frame f = {HWS_GATE_HELLO, 0, 0, HWS_GATE_HELLO_BYTES};
    strcpy(h.site, g->site->name);
    strcpy(h.gateway, g->self->name);
    hws_gate_header_encode(t->out + t->out_len, &f);
    hws_gate_hello_encode(t->out + t->out_len + HWS_GATE_HEADER, &h);
    t->out_len += HWS_GATE_HEADER + HWS_GATE_HELLO_BYTES;
}

static void greet(struct trunk *t)
{
    trunk_become(t, TRUNK_GREETING);
    send_hello(t);
    if (write_out(t) || t->state != TRUNK_OVER)
        want(t);
}

static void shake(struct trunk *t)
{
    int rc = t->tls ? tls_handshake(t->tls) : HWS_OK;
    if (rc == HWS_OK) {
        greet(t);
    } else if (rc == HWS_EAGAIN) {
        hws_io_want(&t->io, tls_wants(t->tls));
    } else {
        t->gateway->refused++;
        trunk_end(t, rc == HWS_EAUTH ? "the other end has another key" : "closed before it had proven the key");
    }
}

/* Without TLS each end proves the key by a preface; who reads along could use it once more only where it was used. */
static void send_preface(struct trunk *t)
{
    struct hws_preface p;
    gateway_make_preface(&p, &t->gateway->self->lan, &t->gateway->self->lan);
    t->out_len += hws_preface_encode(t->out, &p, t->gateway->trunk_key);
}

static void begin_shaking(struct trunk *t)
{
    trunk_become(t, TRUNK_SHAKING);
    sock_tune_wan(t->io.fd, t->gateway->sites.congestion, t->gateway->is_of_job ? JOB_DEADLINE_MS : WAN_DEADLINE_MS);
    if (t->gateway->tls) {
        t->tls = tls_open(t->gateway->tls, t->io.fd, !t->is_dialed);
        if (!t->tls) {
            trunk_end(t, "out of memory");
            return;
        }
    } else {
        send_preface(t);
    }
    shake(t);
}

/* The other end's preface, at the begin of `in`. HWS_OK, HWS_EAGAIN or HWS_EAUTH. */
static int take_preface(struct trunk *t)
{
    struct hws_preface p;
    if (t->tls || t->is_known)
        return HWS_OK;
    if (t->in_len < HWS_PREFACE_HEAD)
        return HWS_EAGAIN;
    size_t len = hws_preface_length(t->in);
    if (!len || (t->in_len >= len && (hws_preface_decode(t->in, len, t->gateway->trunk_key, &p) != HWS_OK ||
                                      gateway_check_preface(t->gateway, &p) != HWS_OK)))
        return HWS_EAUTH;
    if (t->in_len < len)
        return HWS_EAGAIN;
    t->is_known = true;
    t->in_len -= len;
    memmove(t->in, t->in + len, t->in_len);
    return HWS_OK;
}

/* Whose trunk it is. HWS_OK, or an error: it is nobody's. */
static int on_hello(struct trunk *t, const uint8_t *payload)
{
    struct hws_gate_hello h;
    if (hws_gate_hello_decode(payload, &h) != HWS_OK)
        return HWS_EPROTO;
    struct remote *r = remotes_named(t->gateway, &h);
    if (!r || (t->is_dialed && r != t->remote) || (!t->is_dialed && r->dials))
        return HWS_EPROTO;
    for (uint16_t i = 0; !t->remote && i < TRUNKS_MAX; i++) {
        if (!r->trunks[i]) {
            r->trunks[i] = t;
            t->number = i;
            t->remote = r;
        }
    }
    if (!t->remote)
        return HWS_EPROTO;
    hws_list_remove(&t->strangers);
    hws_timer_stop(&t->deadline);
    trunk_become(t, TRUNK_UP);
    begin_warming(t);
    remote_trunk_up(r, t, &h);
    return HWS_OK;
}

/* ---- frames in --------------------------------------------------------------------------------------------------- */

static int on_frame(struct trunk *t, const struct hws_gate_frame *f, const uint8_t *payload)
{
    if (t->state == TRUNK_GREETING)
        return f->kind == HWS_GATE_HELLO ? on_hello(t, payload) : HWS_EPROTO;
    if (f->kind == HWS_GATE_PAD) {
        t->bytes_in -= HWS_GATE_HEADER + f->len; /* counted as it came, and nobody's */
        return HWS_OK;
    }
    return f->kind == HWS_GATE_HELLO ? HWS_EPROTO : bundle_input(&t->remote->bundle, f, payload, hws_clock_ns());
}

/* All whole frames of `in`. HWS_OK, or what was wrong. */
static int take_frames(struct trunk *t)
{
    struct hws_gate_frame f;
    size_t at = 0;
    int rc = take_preface(t);
    while (rc == HWS_OK && t->in_len - at >= HWS_GATE_HEADER) {
        rc = hws_gate_header_decode(t->in + at, &f);
        if (rc != HWS_OK || t->in_len - at < HWS_GATE_HEADER + f.len)
            break;
        rc = on_frame(t, &f, t->in + at + HWS_GATE_HEADER);
        at += HWS_GATE_HEADER + f.len;
    }
    t->in_len -= at;
    memmove(t->in, t->in + at, t->in_len);
    return rc == HWS_EAGAIN ? HWS_OK : rc;
}

/* There was as much as there was room for. What has come in the meantime the socket tells. */
static bool may_have_more(const struct trunk *t, size_t got, size_t room)
{
    return t->tls ? tls_has_more(t->tls) : got == room;
}

static void read_in(struct trunk *t)
{
    bool more = true;
    for (unsigned i = 0; more && i < READS_AT_ONCE; i++) {
        size_t room = RECORD_BYTES - t->in_len;
        long n = read_some(t, t->in + t->in_len, room);
        if (n == HWS_EAGAIN)
            return;
        if (n < 0) {
            trunk_end(t, n == HWS_EPROTO ? "damaged on the way" : "closed by the other end");
            return;
        }
        t->in_len += (size_t)n;
        t->bytes_in += (uint64_t)n;
        count_moved(t, n);
        int rc = take_frames(t);
        if (rc != HWS_OK) {
            t->gateway->refused += rc == HWS_EAUTH;
            trunk_end(t, rc == HWS_ENOMEM  ? "out of memory"
                         : rc == HWS_EAUTH ? "the other end has another key"
                                           : "the other end broke the protocol");
            return;
        }
        more = may_have_more(t, (size_t)n, room);
    }
    if (more)
        hws_timer_set(&t->more, 0);
}

static void on_more(struct hws_timer *timer)
{
    read_in(hws_container_of(timer, struct trunk, more));
}

static void unblocked(struct trunk *t)
{
    t->is_blocked = false;
    if (t->state == TRUNK_UP)
        t->remote->wants = true; /* flushed at the end of this pass */
    else if (write_out(t) || t->state != TRUNK_OVER)
        want(t);
}

static void on_ready(struct hws_io *io, unsigned ready)
{
    struct trunk *t = hws_container_of(io, struct trunk, io);
    if (t->state == TRUNK_DIALING) {
        int e = sock_error(io->fd);
        if (e)
            trunk_end(t, strerror(e));
        else
            begin_shaking(t);
    } else if (t->state == TRUNK_SHAKING) {
        shake(t);
    } else {
        if (ready & HWS_W)
            unblocked(t);
        if ((ready & HWS_R) && t->state != TRUNK_OVER)
            read_in(t);
    }
}

static struct trunk *make_trunk(struct gateway *g, struct remote *r, int fd)
{
    struct trunk *t = fd < 0 ? NULL : calloc(1, sizeof *t);
    if (!t) {
        if (fd >= 0)
            close(fd);
        return NULL;
    }
    t->gateway = g;
    t->remote = r;
    t->is_dialed = r != NULL;
    hws_list_init(&t->strangers);
    hws_io_init(g->reactor, &t->io, fd, on_ready);
    hws_timer_init(g->reactor, &t->deadline, on_deadline);
    hws_timer_init(g->reactor, &t->more, on_more);
    hws_timer_set(&t->deadline, DEADLINE_MS);
    return t;
}

struct trunk *trunk_dial(struct remote *r, uint16_t number)
{
    struct trunk *t = make_trunk(r->gateway, r, sock_dial(NULL, &r->at->wan));
    if (!t)
        return NULL;
    t->number = number;
    t->other = r->at->wan;
    trunk_become(t, TRUNK_DIALING);
    hws_io_want(&t->io, HWS_W);
    return t;
}

void trunk_accept(struct gateway *g)
{
    struct hws_gate_addr from;
    int fd = sock_accept(g->wan.fd, &from);
    struct trunk *t = make_trunk(g, NULL, fd);
    if (!t)
        return;
    t->other = from;
    hws_list_push(&g->strangers, &t->strangers);
    begin_shaking(t);
}
