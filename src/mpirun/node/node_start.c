/* SPDX-License-Identifier: BSD-3-Clause
 *
 * node_start: starts a node's ranks: their environment, descriptors and processors.
 */
#include "mpirun/node/linked.h"
#include "mpirun/node/node_priv.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/board.h"
#include "base/cpus.h"
#include "base/profile.h"
#include "mpirun/util/env.h"

#define FDS_PER_RANK    3
#define FDS_CARRIED     1 /* of a rank whose output a carrier holds */
#define FDS_PER_CARRIER 2
#define FDS_OF_MPIRUN   32 /* standard ones, loop, guard, the ends of the rank that is being started */

/* What one program of the job has in common for all its ranks here. */
struct plan {
    const char *wdir;
    char *path;
    struct hws_env env; /* what all its ranks have */
    char **vars;        /* the same, then N_OWN places that are written anew for every rank */
};

enum { N_OWN = 12 };
static char own_vars[N_OWN][64];

/* Whether a variable of all programs goes to this one. */
static bool is_passed(const struct hws_app *app, const char *var_value)
{
    size_t len = strcspn(var_value, "=");
    if (!app->takes_listed || strncmp(var_value, "HAWSER_", 7) == 0)
        return true;
    for (size_t i = 0; app->listed && app->listed[i]; i++)
        if (strlen(app->listed[i]) == len && strncmp(app->listed[i], var_value, len) == 0)
            return true;
    return false;
}

static void plan_env(struct hws_node *n, const struct hws_app *app, struct hws_env *env)
{
    static const char *const stale[] = {"PMI_FD",
                                        "PMI_RANK",
                                        "PMI_SIZE",
                                        "PMI_PORT",
                                        "PMI_ID",
                                        "PMI_SPAWNED",
                                        "PMI_KVS",
                                        "PMIX_RANK",
                                        "PMIX_NAMESPACE",
                                        "HAWSER_PARENT_RANK",
                                        "MPI_LOCALRANKID",
                                        "MPI_LOCALNRANKS",
                                        "OMPI_COMM_WORLD_RANK",
                                        "OMPI_COMM_WORLD_SIZE",
                                        "OMPI_COMM_WORLD_LOCAL_RANK",
                                        "OMPI_COMM_WORLD_LOCAL_SIZE",
                                        "OMPI_COMM_WORLD_NODE_RANK",
                                        HWS_NODE_CPUS_VAR,
                                        HWS_BIND_SAY_VAR,
                                        HWS_BOARD_VAR,
                                        HWS_PROFILE_VAR,
                                        HWS_PROFILE_WISH_VAR,
                                        HWS_COOKIE_VAR};
    for (char **v = n->spec->env; v && *v; v++)
        if (is_passed(app, *v))
            hws_env_add_all(env, (char *[]){*v, NULL});
    for (size_t i = 0; app->env && app->env[i]; i++)
        hws_env_set(env, app->env[i]);
    for (size_t i = 0; i < sizeof stale / sizeof *stale; i++)
        hws_env_unset(env, stale[i]);
    hws_env_setf(env, HWS_COOKIE_VAR "=%s/%d/", n->spec->job, n->spec->node);
    if (n->bind)
        hws_env_setf(env, HWS_NODE_CPUS_VAR "=%d", hws_bind_n_cpus(n->bind));
}

static void set_own_vars(char **last, const struct hws_node *n, int local, int pmi_fd)
{
    int rank = n->ranks[local].number, board_fd = hws_boards_fd(n->boards);
    const struct {
        const char *name;
        int value;
    } vars[N_OWN - 2] = {{"PMI_RANK", rank},
                         {"PMI_SIZE", n->spec->size},
                         {"PMI_FD", pmi_fd},
                         {"MPI_LOCALRANKID", local},
                         {"MPI_LOCALNRANKS", n->spec->n_ranks},
                         {"OMPI_COMM_WORLD_RANK", rank},
                         {"OMPI_COMM_WORLD_SIZE", n->spec->size},
                         {"OMPI_COMM_WORLD_LOCAL_RANK", local},
                         {"OMPI_COMM_WORLD_LOCAL_SIZE", n->spec->n_ranks},
                         {"OMPI_COMM_WORLD_NODE_RANK", local}};
    for (int i = 0; i < N_OWN - 2; i++) {
        snprintf(own_vars[i], sizeof own_vars[i], "%s=%d", vars[i].name, vars[i].value);
        last[i] = own_vars[i];
    }
    snprintf(own_vars[N_OWN - 2], sizeof own_vars[N_OWN - 2], HWS_BOARD_VAR "=%d,%ld", board_fd,
             (long)local * HWS_BOARD_STRIDE);
    last[N_OWN - 2] = own_vars[N_OWN - 2];
    long profile_at = hws_boards_profile_at(n->boards, local);
    snprintf(own_vars[N_OWN - 1], sizeof own_vars[N_OWN - 1], HWS_PROFILE_VAR "=%d,%ld,%d", board_fd, profile_at,
             n->spec->size);
    last[N_OWN - 1] = profile_at < 0 ? NULL : own_vars[N_OWN - 1];
}

static int say_program(char *err, size_t err_len, const char *name, const char *host, int errnum)
{
    snprintf(err, err_len, "cannot run '%s' on host %s: %s", name, host,
             errnum == ENOENT ? "no such program" : strerror(errnum));
    return errnum == ENOENT ? 127 : 126;
}

/* Said once for a job: by the node of rank 0, which has it first. */
static void warn_of_other_mpi(const struct hws_node *n, const struct hws_app *app, const struct hws_linked *linked)
{
    const char *library = n->ranks[0].number == 0 && n->spec->size > 1 ? linked->other : NULL;
    if (library)
        fprintf(stderr,
                "mpirun: warning: '%s' is linked to %s, Open MPI's, so this will be %d jobs of one rank each; build it "
                "with Hawser's mpicc, or start it "
                "with Open MPI's mpirun\n",
                app->argv[0], library, n->spec->size);
}

/* A program that asks for our library, and finds none by the folders that it names itself, gets this mpirun's, behind
 * the folders that the user names. */
static void lead_to_own_library(struct hws_env *env, const struct hws_linked *linked, const char *program)
{
    char folder[PATH_MAX];
    const char *old = hws_env_get(env->vars, "LD_LIBRARY_PATH");
    if (linked->ours && !hws_linked_finds_ours(linked, program) && hws_linked_own_folder(folder, sizeof folder))
        hws_env_setf(env, "LD_LIBRARY_PATH=%s%s%s", old ? old : "", old && *old ? ":" : "", folder);
}

/* Calls are counted by a library before all others; without it the page says that they were not. */
static void preload_report(const struct hws_node *n, struct hws_env *env)
{
    char library[PATH_MAX];
    const char *old = hws_env_get(env->vars, "LD_PRELOAD");
    if (hws_boards_profile_at(n->boards, 0) >= 0 && hws_linked_report(library, sizeof library))
        hws_env_setf(env, "LD_PRELOAD=%s%s%s", library, old && *old ? ":" : "", old ? old : "");
}

static int plan_app(struct hws_node *n, const struct hws_app *app, struct plan *p, const char *host, char *err,
                    size_t err_len)
{
    p->wdir = app->wdir ? app->wdir : n->spec->cwd;
    if (access(p->wdir, X_OK) != 0) {
        snprintf(err, err_len, "cannot change to directory '%s' on host %s: %s", p->wdir, host, strerror(errno));
        return 1;
    }
    plan_env(n, app, &p->env);
    const char *search = hws_env_get(p->env.vars, "PATH");
    p->path = hws_find_program(app->argv[0], p->wdir, app->path, search ? search : hws_env_get(n->spec->env, "PATH"));
    if (!p->path)
        return say_program(err, err_len, app->argv[0], host, errno);
    struct hws_linked linked = hws_linked_to(p->path);
    warn_of_other_mpi(n, app, &linked);
    lead_to_own_library(&p->env, &linked, p->path);
    preload_report(n, &p->env);
    p->vars = hws_xcalloc(p->env.n + N_OWN + 1, sizeof *p->vars);
    memcpy(p->vars, p->env.vars, p->env.n * sizeof *p->vars);
    return 0;
}

static void close_ends(struct ends *e, bool ours)
{
    int fds[] = {e->in,
                 e->out[1],
                 e->err[1],
                 e->pmi[1],
                 ours ? e->out[0] : -1,
                 ours ? e->err[0] : -1,
                 ours ? e->pmi[0] : -1,
                 ours ? e->stdin_write : -1};
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

static bool gets_input(const struct hws_spec *spec, int rank)
{
    return spec->stdin_rank == HWS_STDIN_ALL || spec->stdin_rank == rank;
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
    if (!n->bind && n->says_binding)
        fprintf(stderr, "mpirun: ranks on host %s are not bound: %s\n", host, *why ? why : "-bind-to is none");
}

/* 0 or an error number. */
static int give_to_carrier(struct hws_node *n, int i, struct ends *e, const char **what)
{
    if (!n->carriers)
        return 0;
    *what = "output";
    if (hws_carrier_give(n->carriers[i / n->n_carried], i, e->out[0], e->err[0]) != 0)
        return errno;
    close(e->out[0]);
    close(e->err[0]);
    e->out[0] = e->err[0] = -1;
    return 0;
}

static int start_rank(struct hws_node *n, int i, struct plan *p, const char *host, char *err, size_t err_len)
{
    struct rank *r = &n->ranks[i];
    const struct hws_app *app = &n->spec->apps[n->spec->ranks[i].app];
    struct ends e;
    if (open_ends(&e, n->origin, gets_input(n->spec, r->number)) != 0) {
        snprintf(err, err_len, "cannot start rank %d on host %s: %s", r->number, host, strerror(errno));
        close_ends(&e, true);
        return 1;
    }
    set_own_vars(p->vars + p->env.n, n, i, e.pmi[1]);
    struct hws_launch launch = {.origin = n->origin,
                                .path = p->path,
                                .argv = app->argv,
                                .env = p->vars,
                                .wdir = p->wdir,
                                .in = e.in,
                                .out = e.out[1],
                                .err = e.err[1],
                                .keep = {e.pmi[1], hws_boards_fd(n->boards)},
                                .cpus = processors_of(n, i, host),
                                .own_group = true};
    const char *what = "";
    int errnum = give_to_carrier(n, i, &e, &what);
    if (!errnum)
        errnum = hws_launch_run(&launch, &r->pid, &what);
    close_ends(&e, errnum != 0);
    if (!errnum) {
        hws_node_adopt(r, &e);
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

/* Where the limit is too low for all of the ranks' output, carriers have it. */
static int open_carriers(struct hws_node *n)
{
    n->n_carriers = (n->spec->n_ranks + n->n_carried - 1) / n->n_carried;
    n->carriers = hws_xcalloc((size_t)n->n_carriers, sizeof *n->carriers);
    for (int i = 0; i < n->n_carriers; i++) {
        int first = i * n->n_carried, rest = n->spec->n_ranks - first;
        n->carriers[i] =
            hws_carrier_open(n->loop, first, rest < n->n_carried ? rest : n->n_carried, hws_node_on_carried, n);
        if (!n->carriers[i]) {
            n->n_carriers = i;
            return -1;
        }
    }
    return 0;
}

/* Says what is missing before the first rank starts, rather than after the thousandth. */
static int provide_descriptors(struct hws_node *n, const char *host, char *err, size_t err_len)
{
    struct rlimit now;
    unsigned long n_ranks = (unsigned long)n->spec->n_ranks, needed = n_ranks * FDS_PER_RANK + FDS_OF_MPIRUN;
    if (getrlimit(RLIMIT_NOFILE, &now) != 0 || now.rlim_cur >= needed)
        return 0;
    n->n_carried = hws_carrier_room(now.rlim_cur);
    unsigned long n_carriers =
        n->n_carried ? (n_ranks + (unsigned long)n->n_carried - 1) / (unsigned long)n->n_carried : n_ranks;
    needed = n_ranks * FDS_CARRIED + n_carriers * FDS_PER_CARRIER + FDS_OF_MPIRUN;
    if (now.rlim_cur < needed)
        snprintf(err, err_len, "%d ranks on host %s need %lu descriptors, but the limit is %lu (ulimit -Hn)",
                 n->spec->n_ranks, host, needed, (unsigned long)now.rlim_cur);
    else if (open_carriers(n) != 0)
        snprintf(err, err_len, "cannot start a process for the ranks' output on host %s: %s", host, strerror(errno));
    else
        return 0;
    return 1;
}

int hws_node_start(struct hws_node *n, char *err, size_t err_len)
{
    char host[256] = "?";
    gethostname(host, sizeof host - 1);
    if (provide_descriptors(n, host, err, err_len) != 0)
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
