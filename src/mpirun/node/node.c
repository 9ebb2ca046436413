/* SPDX-License-Identifier: BSD-3-Clause
 *
 * node: see the header. A rank has four descriptors here: its PMI connection, the read ends of its stdout and stderr,
 * which carriers hold where descriptors are short, and (ranks that read mpirun's input) the write end of its stdin, in
 * node_stdin.c.
 */
#include "mpirun/node/node_priv.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/errors.h"
#include "base/profile.h"
#include "mpirun/page/records.h"
#include "mpirun/util/env.h"

#define READ_BYTES  65536 /* of one read of a rank's output; a pipe holds as much */
#define READ_ROUNDS 4     /* reads of one stream before the others have their turn */
#define DRAIN_S     1.0   /* for output of processes that a rank left behind */

/* ---- output ---------------------------------------------------------------------------------------------------- */

/* What the ranks gathered, however they ended. */
static void tell_profiles(struct hws_node *n)
{
    struct hws_buf records = {0};
    for (int i = 0; i < n->spec->n_ranks; i++) {
        const struct hws_profile *p = hws_boards_profile(n->boards, i);
        if (p)
            hws_page_encode(p, n->ranks[i].number, n->spec->size, &records);
    }
    if (records.len)
        n->ev.on_profiles(n->arg, hws_buf_data(&records), records.len);
    hws_buf_free(&records);
}

void hws_node_check_drained(struct hws_node *n)
{
    if (n->n_running || n->is_drained)
        return;
    if (n->n_streams) {
        hws_loop_timer_start(n->drain_timer, DRAIN_S);
        return;
    }
    n->is_drained = true;
    hws_loop_timer_stop(n->drain_timer);
    tell_profiles(n);
    n->ev.on_drained(n->arg);
}

static void end_stream(struct stream *s)
{
    struct hws_node *n = s->rank->node;
    n->n_streams--;
    n->ev.on_output(n->arg, s->rank->number, s->number, NULL, 0);
    hws_node_check_drained(n);
}

static void close_stream(struct stream *s)
{
    if (s->fd < 0)
        return;
    hws_loop_unwatch(s->io);
    s->io = NULL;
    close(s->fd);
    s->fd = -1;
    end_stream(s);
}

void hws_node_on_carried(void *arg, int local, int stream, const char *data, size_t len)
{
    struct hws_node *n = arg;
    struct stream *s = &n->ranks[local].streams[stream - 1];
    if (!s->carried)
        return;
    if (len) {
        n->ev.on_output(n->arg, s->rank->number, s->number, data, len);
        return;
    }
    s->carried = false;
    end_stream(s);
}

/* Its last words, also where somebody else keeps the streams open. */
static void finish_carried(struct rank *r)
{
    struct hws_node *n = r->node;
    int local = (int)(r - n->ranks);
    if (n->carriers)
        hws_carrier_finish(n->carriers[local / n->n_carried], local);
}

static void on_stream(void *arg, int events)
{
    static char data[READ_BYTES];
    struct stream *s = arg;
    struct hws_node *n = s->rank->node;
    (void)events;
    for (int i = 0; i < READ_ROUNDS && s->fd >= 0 && !n->is_paused; i++) {
        ssize_t len = read(s->fd, data, sizeof data);
        if (len < 0 && (errno == EAGAIN || errno == EINTR))
            return;
        if (len <= 0) {
            close_stream(s);
            return;
        }
        n->ev.on_output(n->arg, s->rank->number, s->number, data, (size_t)len);
        if ((size_t)len < sizeof data)
            return;
    }
}

/* Reads what a stream holds at this moment and closes it: who wrote it has exited, who keeps it open was left behind.
 */
static void finish_stream(struct stream *s)
{
    int unread = 0;
    while (s->fd >= 0 && !s->rank->node->is_paused && ioctl(s->fd, FIONREAD, &unread) == 0 && unread > 0)
        on_stream(s, HWS_LOOP_READ);
    if (!s->rank->node->is_paused)
        close_stream(s);
}

static void on_drain_time(void *arg)
{
    struct hws_node *n = arg;
    for (int i = 0; i < n->n_carriers && !n->is_paused; i++)
        for (int s = 1; s <= 2; s++)
            hws_carrier_drop(n->carriers[i], s);
    for (int i = 0; i < n->spec->n_ranks; i++)
        for (int s = 0; s < 2; s++)
            finish_stream(&n->ranks[i].streams[s]);
    hws_node_check_drained(n); /* paused: tries again */
}

void hws_node_pause(struct hws_node *n, bool is_paused)
{
    if (is_paused == n->is_paused)
        return;
    n->is_paused = is_paused;
    for (int i = 0; i < n->n_carriers; i++)
        hws_carrier_pause(n->carriers[i], is_paused);
    for (int i = 0; i < n->spec->n_ranks; i++)
        for (int s = 0; s < 2; s++)
            if (n->ranks[i].streams[s].io)
                hws_loop_want(n->ranks[i].streams[s].io, is_paused ? 0 : HWS_LOOP_READ);
}

void hws_node_close_stream(struct hws_node *n, int stream)
{
    for (int i = 0; i < n->n_carriers; i++)
        hws_carrier_drop(n->carriers[i], stream);
    for (int i = 0; i < n->spec->n_ranks; i++)
        close_stream(&n->ranks[i].streams[stream - 1]);
}

/* ---- stdin ----------------------------------------------------------------------------------------------------- */

static void stdin_taken(void *arg, size_t len)
{
    struct hws_node *n = arg;
    n->ev.on_stdin_taken(n->arg, len);
}

static void stdin_closed(void *arg)
{
    struct hws_node *n = arg;
    n->ev.on_stdin_closed(n->arg);
}

void hws_node_stdin(struct hws_node *n, const char *data, size_t len)
{
    hws_node_stdin_give(n->input, data, len);
}

/* ---- PMI ------------------------------------------------------------------------------------------------------- */

static void close_pmi(struct rank *r)
{
    if (r->pmi_fd < 0)
        return;
    hws_loop_unwatch(r->pmi_io);
    r->pmi_io = NULL;
    close(r->pmi_fd);
    r->pmi_fd = -1;
}

static void push_pmi(struct rank *r)
{
    struct hws_buf *out = &r->conn.out;
    while (out->len && r->pmi_fd >= 0) {
        ssize_t len = send(r->pmi_fd, hws_buf_data(out), out->len, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (len < 0 && errno == EINTR)
            continue;
        if (len < 0)
            break; /* full: goes on when writable; closed: the reader notices */
        hws_buf_consume(out, (size_t)len);
    }
    if (r->pmi_io)
        hws_loop_want(r->pmi_io, HWS_LOOP_READ | (out->len ? HWS_LOOP_WRITE : 0));
}

/* Reads all that the rank has sent. */
static void read_pmi(struct rank *r)
{
    char data[4096];
    while (r->pmi_fd >= 0) {
        ssize_t len = recv(r->pmi_fd, data, sizeof data, MSG_DONTWAIT);
        if (len < 0 && errno == EINTR)
            continue;
        if (len < 0 && errno == EAGAIN)
            return;
        if (len <= 0 || hws_pmi_server_feed(r->node->server, &r->conn, data, (size_t)len) != HWS_OK) {
            close_pmi(r);
            return;
        }
    }
}

static void on_pmi(void *arg, int events)
{
    struct rank *r = arg;
    if (events & HWS_LOOP_WRITE)
        push_pmi(r);
    if (events & HWS_LOOP_READ)
        read_pmi(r);
}

static void server_output(void *arg, struct hws_pmi_conn *conn)
{
    struct hws_node *n = arg;
    (void)n;
    push_pmi((struct rank *)((char *)conn - offsetof(struct rank, conn)));
}

static void server_abort(void *arg, int rank, int code, const char *text)
{
    struct hws_node *n = arg;
    n->ev.on_abort(n->arg, rank, code, text);
}

static void server_barrier(void *arg, struct hws_buf *batch)
{
    struct hws_node *n = arg;
    n->ev.on_barrier(n->arg, batch);
}

static void server_miss(void *arg, const char *key)
{
    struct hws_node *n = arg;
    n->ev.on_wanted(n->arg, key);
}

void hws_node_ask(struct hws_node *n)
{
    hws_pmi_server_ask(n->server);
}

void hws_node_value(struct hws_node *n, const char *key, const char *value)
{
    hws_pmi_server_value(n->server, key, value);
}

int hws_node_release(struct hws_node *n, const char *batch, size_t len)
{
    return hws_pmi_server_release(n->server, batch, len);
}

/* ---- life and death -------------------------------------------------------------------------------------------- */

void hws_node_adopt(struct rank *r, const struct ends *e)
{
    struct hws_node *n = r->node;
    int fds[2] = {e->out[0], e->err[0]};
    for (int s = 0; s < 2; s++) {
        r->streams[s] = (struct stream){.rank = r, .number = s + 1, .fd = fds[s], .carried = n->carriers != NULL};
        if (!n->carriers)
            r->streams[s].io = hws_loop_watch(n->loop, fds[s], HWS_LOOP_READ, on_stream, &r->streams[s]);
        n->n_streams++;
    }
    r->pmi_fd = e->pmi[0];
    r->pmi_io = hws_loop_watch(n->loop, r->pmi_fd, HWS_LOOP_READ, on_pmi, r);
    if (e->stdin_write >= 0)
        hws_node_stdin_add(n->input, (int)(r - n->ranks), e->stdin_write);
    n->n_running++;
    hws_rank_become(&r->conn.state, HWS_RANK_STARTED);
}

bool hws_node_on_child(struct hws_node *n, pid_t pid, int wait_status)
{
    struct rank *r = NULL;
    for (int i = 0; i < n->spec->n_ranks && !r; i++)
        if (n->ranks[i].pid == pid)
            r = &n->ranks[i];
    if (!r)
        return false;
    r->pid = 0;
    read_pmi(r); /* an abort or finalize that it sent last */
    close_pmi(r);
    finish_carried(r);
    for (int s = 0; s < 2; s++) /* its last words come before the news of its end */
        if (r->streams[s].fd >= 0)
            on_stream(&r->streams[s], HWS_LOOP_READ);
    hws_node_stdin_drop(n->input, (int)(r - n->ranks));
    n->n_running--;
    enum hws_rank_state last = r->conn.state;
    hws_rank_become(&r->conn.state, HWS_RANK_EXITED);
    char call[HWS_BOARD_SAY];
    hws_boards_last(n->boards, (int)(r - n->ranks), call, sizeof call);
    n->ev.on_exit(n->arg, r->number, wait_status, last, call);
    if (last == HWS_RANK_STARTED)
        hws_pmi_server_absent(n->server);
    hws_node_check_drained(n);
    return true;
}

void hws_node_signal(struct hws_node *n, int signum)
{
    for (int i = 0; i < n->spec->n_ranks; i++)
        if (n->ranks[i].pid > 0 && kill(-n->ranks[i].pid, signum) != 0)
            kill(n->ranks[i].pid, signum);
}

void hws_node_report(struct hws_node *n)
{
    struct hws_buf records = {0};
    for (int i = 0; i < n->spec->n_ranks; i++) {
        const struct rank *r = &n->ranks[i];
        hws_boards_report(n->boards, i, r->number, r->conn.state, r->pid, &records);
    }
    n->ev.on_report(n->arg, hws_buf_data(&records), records.len);
    hws_buf_free(&records);
}

struct hws_node *hws_node_open(struct hws_loop *loop, const struct hws_spec *spec, const struct hws_origin *origin,
                               const struct hws_node_events *ev, void *arg)
{
    static const struct hws_pmi_server_events server_events = {server_barrier, server_abort, server_output,
                                                               server_miss};
    static const struct hws_node_stdin_events stdin_events = {stdin_taken, stdin_closed};
    struct hws_node *n = hws_xcalloc(1, sizeof *n);
    *n = (struct hws_node){.loop = loop, .spec = spec, .origin = origin, .ev = *ev, .arg = arg};
    n->ranks = hws_xcalloc((size_t)spec->n_ranks, sizeof *n->ranks);
    n->conns = hws_xcalloc((size_t)spec->n_ranks, sizeof *n->conns);
    for (int i = 0; i < spec->n_ranks; i++) {
        struct rank *r = &n->ranks[i];
        r->node = n;
        r->number = r->conn.rank = spec->ranks[i].rank;
        r->conn.app = spec->ranks[i].app;
        r->pmi_fd = r->streams[0].fd = r->streams[1].fd = -1;
        r->streams[0].rank = r->streams[1].rank = r;
        n->conns[i] = &r->conn;
    }
    n->server = hws_pmi_server_open(spec, n->conns, spec->n_ranks, &server_events, n);
    n->drain_timer = hws_loop_timer(loop, on_drain_time, n);
    n->boards = hws_boards_open(spec->n_ranks, hws_env_get(spec->env, HWS_PROFILE_WISH_VAR) ? spec->size : 0);
    n->input = hws_node_stdin_open(loop, spec->n_ranks, spec->stdin_rank == HWS_STDIN_ALL, &stdin_events, n);
    return n;
}

static void fini_rank(struct rank *r)
{
    for (int s = 0; s < 2; s++) {
        hws_loop_unwatch(r->streams[s].io);
        if (r->streams[s].fd >= 0)
            close(r->streams[s].fd);
    }
    close_pmi(r);
    hws_pmi_conn_fini(&r->conn);
}

void hws_node_fini(struct hws_node *n)
{
    hws_node_signal(n, SIGKILL);
    for (int i = 0; i < n->n_carriers; i++)
        hws_carrier_close(n->carriers[i]);
    for (int i = 0; i < n->spec->n_ranks; i++)
        fini_rank(&n->ranks[i]);
    hws_pmi_server_fini(n->server);
    hws_boards_close(n->boards);
    hws_node_stdin_fini(n->input);
    hws_loop_timer_fini(n->drain_timer);
    free(n->carriers);
    free(n->conns);
    free(n->ranks);
    free(n);
}
