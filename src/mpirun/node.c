/* SPDX-License-Identifier: BSD-3-Clause
 *
 * node: see the header. A rank has four descriptors here: its PMI connection, the read ends of its stdout and stderr, and
 * (one rank of the job) the write end of its stdin.
 */
#include "mpirun/node.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/cpus.h"
#include "base/errors.h"
#include "mpirun/bind.h"
#include "mpirun/env.h"
#include "mpirun/pmi_server.h"

#define READ_BYTES  65536 /* of one read of a rank's output; a pipe holds as much */
#define READ_ROUNDS 4     /* reads of one stream before the others have their turn */
#define FDS_PER_RANK  3
#define FDS_OF_MPIRUN 32    /* standard ones, loop, guard, the ends of the rank that is being started */
#define DRAIN_S     1.0   /* for output of processes that a rank left behind */

struct stream {
    struct rank *rank;
    int number; /* 1 or 2 */
    int fd;     /* -1: at its end */
    struct hws_loop_io *io;
};

struct rank {
    struct hws_node *node;
    int number; /* in the job */
    pid_t pid;  /* 0: not running */
    struct stream streams[2];
    int pmi_fd; /* -1: closed */
    struct hws_loop_io *pmi_io;
    struct hws_pmi_conn conn;
};

struct hws_node {
    struct hws_loop *loop;
    const struct hws_spec *spec;
    const struct hws_origin *origin;
    struct hws_node_events ev;
    void *arg;
    struct rank *ranks; /* spec->n_ranks */
    struct hws_pmi_conn **conns;
    struct hws_pmi_server *server;
    struct hws_bind *bind; /* while ranks are started; NULL: not bound */
    bool says_binding;
    int n_running, n_streams; /* processes alive, streams open */
    bool is_paused, is_drained;
    struct hws_loop_timer *drain_timer;
    int stdin_fd; /* -1: none or closed */
    struct hws_loop_io *stdin_io;
    struct hws_buf stdin_buf;
    bool stdin_at_end;
};

/* ---- output ---------------------------------------------------------------------------------------------------- */

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
    n->ev.on_drained(n->arg);
}

static void close_stream(struct stream *s)
{
    if (s->fd < 0)
        return;
    hws_loop_unwatch(s->io);
    s->io = NULL;
    close(s->fd);
    s->fd = -1;
    struct hws_node *n = s->rank->node;
    n->n_streams--;
    n->ev.on_output(n->arg, s->rank->number, s->number, NULL, 0);
    hws_node_check_drained(n);
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

/* Reads what a stream holds at this moment and closes it: who wrote it has exited, who keeps it open was left behind. */
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
    for (int i = 0; i < n->spec->n_ranks; i++)
        for (int s = 0; s < 2; s++)
            if (n->ranks[i].streams[s].io)
                hws_loop_want(n->ranks[i].streams[s].io, is_paused ? 0 : HWS_LOOP_READ);
}

void hws_node_close_stream(struct hws_node *n, int stream)
{
    for (int i = 0; i < n->spec->n_ranks; i++)
        close_stream(&n->ranks[i].streams[stream - 1]);
}

/* ---- stdin ----------------------------------------------------------------------------------------------------- */

static void close_stdin(struct hws_node *n)
{
    if (n->stdin_fd < 0)
        return;
    hws_loop_unwatch(n->stdin_io);
    n->stdin_io = NULL;
    close(n->stdin_fd);
    n->stdin_fd = -1;
    hws_buf_free(&n->stdin_buf);
    n->ev.on_stdin_closed(n->arg);
}

static void push_stdin(struct hws_node *n)
{
    while (n->stdin_buf.len) {
        ssize_t len = write(n->stdin_fd, hws_buf_data(&n->stdin_buf), n->stdin_buf.len);
        if (len < 0 && errno == EINTR)
            continue;
        if (len < 0 && errno == EAGAIN)
            break;
        if (len < 0) {
            close_stdin(n);
            return;
        }
        hws_buf_consume(&n->stdin_buf, (size_t)len);
        n->ev.on_stdin_taken(n->arg, (size_t)len);
    }
    if (n->stdin_buf.len == 0 && n->stdin_at_end)
        close_stdin(n);
    else
        hws_loop_want(n->stdin_io, n->stdin_buf.len ? HWS_LOOP_WRITE : 0);
}

static void on_stdin_ready(void *arg, int events)
{
    (void)events;
    push_stdin(arg);
}

void hws_node_stdin(struct hws_node *n, const char *data, size_t len)
{
    if (n->stdin_fd < 0)
        return;
    hws_buf_append(&n->stdin_buf, data, len);
    n->stdin_at_end = n->stdin_at_end || len == 0;
    push_stdin(n);
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

/* ---- start ----------------------------------------------------------------------------------------------------- */

/* What one program of the job has in common for all its ranks here. */
struct plan {
    const char *wdir;
    char *path;
    struct hws_env env; /* what all its ranks have */
    char **vars;        /* the same, then N_OWN places that are written anew for every rank */
};

enum { N_OWN = 10 };
static char own_vars[N_OWN][48];

static void plan_env(struct hws_node *n, const struct hws_app *app, struct hws_env *env)
{
    static const char *const stale[] = {"PMI_FD", "PMI_RANK", "PMI_SIZE", "PMI_PORT", "PMI_ID", "PMI_SPAWNED", "PMI_KVS",
                                        "PMIX_RANK", "PMIX_NAMESPACE", "HAWSER_PARENT_RANK", "MPI_LOCALRANKID",
                                        "MPI_LOCALNRANKS", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE",
                                        "OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE",
                                        "OMPI_COMM_WORLD_NODE_RANK", HWS_NODE_CPUS_VAR, HWS_BIND_SAY_VAR,
                                        HWS_COOKIE_VAR};
    hws_env_add_all(env, n->spec->env);
    for (size_t i = 0; app->env && app->env[i]; i++)
        hws_env_set(env, app->env[i]);
    for (size_t i = 0; i < sizeof stale / sizeof *stale; i++)
        hws_env_unset(env, stale[i]);
    hws_env_setf(env, HWS_COOKIE_VAR "=%s/%d/", n->spec->job, n->spec->node);
    if (n->bind)
        hws_env_setf(env, HWS_NODE_CPUS_VAR "=%d", hws_bind_n_cpus(n->bind));
}

static void set_own_vars(char **last, int rank, int size, int local, int n_local, int pmi_fd)
{
    const struct {
        const char *name;
        int value;
    } vars[N_OWN] = {{"PMI_RANK", rank}, {"PMI_SIZE", size}, {"PMI_FD", pmi_fd}, {"MPI_LOCALRANKID", local},
                     {"MPI_LOCALNRANKS", n_local}, {"OMPI_COMM_WORLD_RANK", rank}, {"OMPI_COMM_WORLD_SIZE", size},
                     {"OMPI_COMM_WORLD_LOCAL_RANK", local}, {"OMPI_COMM_WORLD_LOCAL_SIZE", n_local},
                     {"OMPI_COMM_WORLD_NODE_RANK", local}};
    for (int i = 0; i < N_OWN; i++) {
        snprintf(own_vars[i], sizeof own_vars[i], "%s=%d", vars[i].name, vars[i].value);
        last[i] = own_vars[i];
    }
}

static int say_program(char *err, size_t err_len, const char *name, const char *host, int errnum)
{
    snprintf(err, err_len, "cannot run '%s' on host %s: %s", name, host, errnum == ENOENT ? "no such program" : strerror(errnum));
    return errnum == ENOENT ? 127 : 126;
}

static int plan_app(struct hws_node *n, const struct hws_app *app, struct plan *p, const char *host, char *err, size_t err_len)
{
    p->wdir = app->wdir ? app->wdir : n->spec->cwd;
    if (access(p->wdir, X_OK) != 0) {
        snprintf(err, err_len, "cannot change to directory '%s' on host %s: %s", p->wdir, host, strerror(errno));
        return 1;
    }
    plan_env(n, app, &p->env);
    p->vars = hws_xcalloc(p->env.n + N_OWN + 1, sizeof *p->vars);
    memcpy(p->vars, p->env.vars, p->env.n * sizeof *p->vars);
    p->path = hws_find_program(app->argv[0], p->wdir, app->path, hws_env_get(p->env.vars, "PATH"));
    return p->path ? 0 : say_program(err, err_len, app->argv[0], host, errno);
}

struct ends {
    int in, out[2], err[2], pmi[2]; /* [0] ours, [1] the rank's */
    int stdin_write;
};

static void close_ends(struct ends *e, bool ours)
{
    int fds[] = {e->in, e->out[1], e->err[1], e->pmi[1], ours ? e->out[0] : -1, ours ? e->err[0] : -1,
                 ours ? e->pmi[0] : -1, ours ? e->stdin_write : -1};
    for (size_t i = 0; i < sizeof fds / sizeof *fds; i++)
        if (fds[i] >= 0)
            close(fds[i]);
}

static int open_stdin(struct ends *e, bool gets_input)
{
    int fds[2];
    if (!gets_input) {
        e->in = open("/dev/null", O_RDONLY | O_CLOEXEC);
        return e->in;
    }
    if (pipe2(fds, O_CLOEXEC) != 0)
        return -1;
    e->in = fds[0];
    e->stdin_write = fds[1];
    return fcntl(fds[1], F_SETFL, O_NONBLOCK);
}

static int open_ends(struct ends *e, const struct hws_origin *origin, bool gets_input)
{
    *e = (struct ends){-1, {-1, -1}, {-1, -1}, {-1, -1}, -1};
    if (open_stdin(e, gets_input) < 0 || pipe2(e->out, O_CLOEXEC) != 0 || pipe2(e->err, O_CLOEXEC) != 0 ||
        socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, e->pmi) != 0)
        return -1;
    e->out[0] = hws_origin_raise(origin, e->out[0]); /* so the rank's ends have small numbers */
    e->err[0] = hws_origin_raise(origin, e->err[0]);
    e->pmi[0] = hws_origin_raise(origin, e->pmi[0]);
    fcntl(e->out[0], F_SETFL, O_NONBLOCK); /* our ends only: the rank's are other open files */
    fcntl(e->err[0], F_SETFL, O_NONBLOCK);
    return 0;
}

static void adopt(struct rank *r, const struct ends *e)
{
    struct hws_node *n = r->node;
    int fds[2] = {e->out[0], e->err[0]};
    for (int s = 0; s < 2; s++) {
        r->streams[s] = (struct stream){.rank = r, .number = s + 1, .fd = fds[s]};
        r->streams[s].io = hws_loop_watch(n->loop, fds[s], HWS_LOOP_READ, on_stream, &r->streams[s]);
        n->n_streams++;
    }
    r->pmi_fd = e->pmi[0];
    r->pmi_io = hws_loop_watch(n->loop, r->pmi_fd, HWS_LOOP_READ, on_pmi, r);
    if (e->stdin_write >= 0) {
        n->stdin_fd = e->stdin_write;
        n->stdin_io = hws_loop_watch(n->loop, n->stdin_fd, 0, on_stdin_ready, n);
    }
    n->n_running++;
}

/* The processors of local rank i, or NULL. */
static const cpu_set_t *processors_of(const struct hws_node *n, int i, const char *host)
{
    char where[32];
    const cpu_set_t *set = n->bind ? hws_bind_set(n->bind, i, where, sizeof where) : NULL;
    if (set && n->says_binding)
        fprintf(stderr, "mpirun: rank %d on host %s is bound to %s\n", n->ranks[i].number, host, where);
    return set;
}

static void plan_binding(struct hws_node *n, const char *host)
{
    const char *why;
    n->says_binding = hws_env_get(n->spec->env, HWS_BIND_SAY_VAR) != NULL;
    n->bind = hws_bind_open(hws_env_get(n->spec->env, "HAWSER_BIND_TO"), n->spec->n_ranks, &why);
    if (!n->bind && *why && n->says_binding)
        fprintf(stderr, "mpirun: ranks on host %s are not bound: %s\n", host, why);
}

static int start_rank(struct hws_node *n, int i, struct plan *p, const char *host, char *err, size_t err_len)
{
    struct rank *r = &n->ranks[i];
    const struct hws_app *app = &n->spec->apps[n->spec->ranks[i].app];
    struct ends e;
    if (open_ends(&e, n->origin, r->number == n->spec->stdin_rank) != 0) {
        snprintf(err, err_len, "cannot start rank %d on host %s: %s", r->number, host, strerror(errno));
        close_ends(&e, true);
        return 1;
    }
    set_own_vars(p->vars + p->env.n, r->number, n->spec->size, i, n->spec->n_ranks, e.pmi[1]);
    struct hws_launch launch = {.origin = n->origin, .path = p->path, .argv = app->argv, .env = p->vars, .wdir = p->wdir,
                                .in = e.in, .out = e.out[1], .err = e.err[1], .keep = e.pmi[1], .cpus = processors_of(n, i, host), .own_group = true};
    const char *what = "";
    int errnum = hws_launch_run(&launch, &r->pid, &what);
    close_ends(&e, errnum != 0);
    if (!errnum) {
        adopt(r, &e);
        n->ev.on_started(n->arg, r->number, r->pid);
        return 0;
    }
    r->pid = 0;
    if (strcmp(what, "exec") == 0)
        return say_program(err, err_len, app->argv[0], host, errnum);
    snprintf(err, err_len, "cannot start rank %d on host %s: %s: %s", r->number, host, what, strerror(errnum));
    return 1;
}

static void free_plans(struct plan *plans, int n)
{
    for (int i = 0; i < n; i++) {
        hws_env_free(&plans[i].env);
        free(plans[i].vars);
        free(plans[i].path);
    }
    free(plans);
}

/* Says so before the first rank starts, rather than after the thousandth. */
static int check_descriptors(struct hws_node *n, const char *host, char *err, size_t err_len)
{
    struct rlimit now;
    unsigned long needed = (unsigned long)n->spec->n_ranks * FDS_PER_RANK + FDS_OF_MPIRUN;
    if (getrlimit(RLIMIT_NOFILE, &now) != 0 || now.rlim_cur >= needed)
        return 0;
    snprintf(err, err_len, "%d ranks on host %s need %lu descriptors, but the limit is %lu (ulimit -Hn)", n->spec->n_ranks,
             host, needed, (unsigned long)now.rlim_cur);
    return 1;
}

int hws_node_start(struct hws_node *n, char *err, size_t err_len)
{
    char host[256] = "?";
    gethostname(host, sizeof host - 1);
    if (check_descriptors(n, host, err, err_len) != 0)
        return 1;
    struct plan *plans = hws_xcalloc((size_t)n->spec->n_apps, sizeof *plans);
    int rc = 0;
    plan_binding(n, host);
    for (int i = 0; i < n->spec->n_ranks && !rc; i++) {
        int app = n->spec->ranks[i].app;
        if (!plans[app].path)
            rc = plan_app(n, &n->spec->apps[app], &plans[app], host, err, err_len);
        if (!rc)
            rc = start_rank(n, i, &plans[app], host, err, err_len);
    }
    free_plans(plans, n->spec->n_apps);
    hws_bind_close(n->bind);
    n->bind = NULL;
    if (rc)
        hws_node_signal(n, SIGKILL);
    return rc;
}

/* ---- life and death -------------------------------------------------------------------------------------------- */

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
    if (r->number == n->spec->stdin_rank)
        close_stdin(n);
    n->n_running--;
    int flags = (r->conn.has_init ? HWS_EXIT_INIT : 0) | (r->conn.is_final ? HWS_EXIT_FINAL : 0) |
                (r->conn.has_aborted ? HWS_EXIT_ABORT : 0);
    n->ev.on_exit(n->arg, r->number, wait_status, flags);
    if (!r->conn.has_init)
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

struct hws_node *hws_node_open(struct hws_loop *loop, const struct hws_spec *spec, const struct hws_origin *origin,
                               const struct hws_node_events *ev, void *arg)
{
    static const struct hws_pmi_server_events server_events = {server_barrier, server_abort, server_output, server_miss};
    struct hws_node *n = hws_xcalloc(1, sizeof *n);
    *n = (struct hws_node){.loop = loop, .spec = spec, .origin = origin, .ev = *ev, .arg = arg, .stdin_fd = -1};
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
    return n;
}
