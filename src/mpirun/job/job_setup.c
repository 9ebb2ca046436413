/* SPDX-License-Identifier: BSD-3-Clause
 *
 * job_setup: what the ranks are to be: secret, name, environment, programs, and who runs where.
 */
#include "mpirun/job/job_priv.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "launch/mapping.h"
#include "launch/pmi.h"
#include "mpirun/cli/envs.h"

#define HOSTS_MAX 65536 /* bytes of an environment variable: the kernel takes 128 KiB */

/* ---- set-up ---------------------------------------------------------------------------------------------------- */

static char *make_mapping(const struct hws_place *p)
{
    int *hosts = hws_xcalloc((size_t)p->size, sizeof *hosts);
    for (int i = 0; i < p->size; i++)
        hosts[i] = p->ranks[i].node;
    char *text = hws_mapping_text(hosts, p->size);
    free(hosts);
    return text;
}

/* Which of the variables of all programs this one gets: what -genv set always. */
static void list_env(struct hws_app *app, const struct hws_args *a, const struct hws_args_app *own)
{
    const struct hws_env_choice *c = own->env_choice.passed == HWS_ENV_UNSAID ? &a->env_choice : &own->env_choice;
    size_t n = 0;
    if (c->passed != HWS_ENV_LISTED)
        return;
    app->takes_listed = true;
    app->listed = hws_envs_names(c);
    while (app->listed[n])
        n++;
    app->listed = hws_xrealloc(app->listed, (n + a->env.n + 1) * sizeof *app->listed);
    for (size_t i = 0; i < a->env.n; i++)
        app->listed[n++] = hws_xstrndup(a->env.vars[i], strcspn(a->env.vars[i], "="));
    app->listed[n] = NULL;
}

static void make_apps(struct job *j)
{
    const struct hws_args *a = j->args;
    j->plan.apps = hws_xcalloc((size_t)a->n_apps, sizeof *j->plan.apps);
    for (int i = 0; i < a->n_apps; i++) {
        struct hws_app *app = &j->plan.apps[i];
        app->argv = a->apps[i].argv;
        app->env = a->apps[i].env.vars;
        list_env(app, a, &a->apps[i]);
        app->path = a->apps[i].path ? hws_xstrdup(a->apps[i].path) : NULL;
        if (a->apps[i].wdir)
            app->wdir = a->apps[i].wdir[0] == '/' ? hws_xstrdup(a->apps[i].wdir)
                                                  : hws_xprintf("%s/%s", j->mpirun->self.cwd, a->apps[i].wdir);
    }
}

static void make_env(struct job *j)
{
    extern char **environ;
    hws_env_add_all(&j->plan.env, environ);
    for (char **v = environ; *v; v++)
        if (!hws_env_is_host_bound(*v))
            hws_env_add_all(&j->plan.remote_env, (char *[]){*v, NULL});
    for (size_t i = 0; i < j->args->env.n; i++) {
        hws_env_set(&j->plan.env, j->args->env.vars[i]);
        hws_env_set(&j->plan.remote_env, j->args->env.vars[i]);
    }
}

/* So that a rank can name another's host without asking. */
static void tell_hosts(struct job *j)
{
    struct hws_buf names = {0};
    hws_buf_printf(&names, HWS_PMI_HOSTS_VAR "=");
    for (int i = 0; i < j->place->n_nodes; i++)
        hws_buf_printf(&names, "%s%s", i ? "," : "", j->place->nodes[i]);
    hws_buf_append(&names, "", 1);
    if (names.len < HOSTS_MAX) {
        hws_env_set(&j->plan.env, hws_buf_data(&names));
        hws_env_set(&j->plan.remote_env, hws_buf_data(&names));
    }
    hws_buf_free(&names);
}

/* Which site each host is in, and each rank's own. */
static void tell_sites(struct job *j, struct job_node *n)
{
    struct hws_buf sites = {0};
    const struct hws_sites *s = &j->place->sites;
    if (!s->n)
        return;
    for (int i = 0; i < j->place->n_nodes; i++)
        hws_buf_printf(&sites, "%s%s", i ? "," : "", hws_sites_of(s, j->place->nodes[i]));
    hws_buf_append(&sites, "", 1);
    hws_env_add_all(&n->env, n->spec.env);
    if (sites.len < HOSTS_MAX)
        hws_env_setf(&n->env, HWS_PMI_SITES_VAR "=%s", hws_buf_data(&sites));
    hws_env_setf(&n->env, "HAWSER_SITE=%s", hws_sites_of(s, n->name));
    hws_buf_free(&sites);
    n->spec.env = n->env.vars;
}

static void make_nodes(struct job *j, const struct hws_spec *common)
{
    j->nodes = hws_xcalloc((size_t)j->place->n_nodes, sizeof *j->nodes);
    j->ranks = hws_xcalloc((size_t)j->place->size, sizeof *j->ranks);
    for (int i = 0; i < j->place->n_nodes; i++) {
        struct job_node *n = &j->nodes[i];
        n->job = j;
        n->host = hws_mpirun_host(j->mpirun, j->place->nodes[i]);
        n->name = n->host->name;
        n->any.job = j->id;
        n->spec = *common;
        n->spec.node = i;
        n->spec.env = strcmp(n->name, j->mpirun->self.host) == 0 ? j->plan.env.vars : j->plan.remote_env.vars;
        tell_sites(j, n);
        n->spec.ranks = hws_xcalloc((size_t)j->place->size, sizeof *n->spec.ranks);
    }
    for (int i = 0; i < j->place->size; i++) {
        struct hws_spec *spec = &j->nodes[j->place->ranks[i].node].spec;
        spec->ranks[spec->n_ranks++] = (struct hws_spec_rank){i, j->place->ranks[i].app};
        j->ranks[i].node = j->place->ranks[i].node;
    }
}

/* Jobs' names begin as mpirun's, so that all their processes are found by it. */
static void name_job(struct job *j, struct hws_spec *s)
{
    if (j->number == 0)
        snprintf(s->job, sizeof s->job, "%s", j->mpirun->self.name);
    else
        snprintf(s->job, sizeof s->job, "%s.%d", j->mpirun->self.name, j->number);
    s->id = j->id = hws_pmi_id_of_job(s->job, strlen(s->job));
}

static int draw(void *out, size_t len)
{
    if (getrandom(out, len, 0) == (ssize_t)len)
        return 0;
    fprintf(stderr, "mpirun: the kernel gave no random bytes for the job's secret\n");
    return 1;
}

static int name_self(struct mpirun_self *self)
{
    uint64_t id;
    if (draw(&id, sizeof id) != 0)
        return 1;
    snprintf(self->name, sizeof self->name, "hawser-%d-%016llx", (int)getpid(), (unsigned long long)id);
    snprintf(self->agent_mark, sizeof self->agent_mark, "%s/agent/", self->name);
    return 0;
}

int hws_mpirun_setup(struct mpirun *m)
{
    struct mpirun_self *self = &m->self;
    if (name_self(self) != 0)
        return 1;
    self->cwd = getcwd(NULL, 0);
    if (!self->cwd) {
        fprintf(stderr, "mpirun: the current directory does not exist: %s\n", strerror(errno));
        return 1;
    }
    snprintf(self->host, sizeof self->host, "localhost");
    gethostname(self->host, sizeof self->host - 1);
    if (m->args->prefix)
        snprintf(self->exe, sizeof self->exe, "%s/bin/mpirun", m->args->prefix);
    else if (readlink("/proc/self/exe", self->exe, sizeof self->exe - 1) < 0)
        snprintf(self->exe, sizeof self->exe, "mpirun");
    return 0;
}

/* The rank that reads mpirun's input, which is the first job's. */
static int reader_of(const struct job *j)
{
    if (j->number > 0 || j->args->no_stdin)
        return -1;
    return j->args->stdin_all ? HWS_STDIN_ALL : j->args->stdin_rank;
}

int hws_job_setup(struct job *j)
{
    struct hws_spec s = {.size = j->place->size, .stdin_rank = reader_of(j)};
    if (s.stdin_rank >= s.size) {
        fprintf(stderr, "mpirun: -stdin: there is no rank %d among the %d of the job\n", s.stdin_rank, s.size);
        return 2;
    }
    if (j->place->sites.n && strcmp(j->args->params.wan, "gateway") == 0 &&
        strcmp(j->args->params.transport, "tcp") != 0) {
        fprintf(stderr, "mpirun: -wan gateway: only -transport tcp goes through gateways\n");
        return 2;
    }
    if (draw(s.secret, sizeof s.secret) != 0)
        return 1;
    name_job(j, &s);
    make_apps(j);
    make_env(j);
    tell_hosts(j);
    s.universe_size = j->place->n_slots > j->place->size ? j->place->n_slots : j->place->size;
    s.mapping = j->plan.mapping = make_mapping(j->place);
    s.cwd = j->mpirun->self.cwd;
    s.apps = j->plan.apps;
    s.n_apps = j->args->n_apps;
    make_nodes(j, &s);
    explicit_bzero(&s, sizeof s);
    return hws_job_output_setup(j);
}

/* "host a: ranks 0-3, 8" */
static void say_map(struct job *j, int node)
{
    struct hws_buf text = {0};
    const struct hws_spec *s = &j->nodes[node].spec;
    for (int i = 0, end; i < s->n_ranks; i = end + 1) {
        for (end = i; end + 1 < s->n_ranks && s->ranks[end + 1].rank == s->ranks[end].rank + 1;)
            end++;
        hws_buf_printf(&text, "%s%d", i ? ", " : "", s->ranks[i].rank);
        if (end > i)
            hws_buf_printf(&text, "-%d", s->ranks[end].rank);
    }
    hws_buf_append(&text, "", 1);
    const char *site = hws_sites_of(&j->place->sites, j->place->nodes[node]);
    hws_job_say(j, "host %s%s%s: rank%s %s", j->place->nodes[node], site ? " of site " : "", site ? site : "",
                s->n_ranks > 1 ? "s" : "", hws_buf_data(&text));
    hws_buf_free(&text);
}

void hws_job_say_plan(struct job *j)
{
    size_t n;
    char value[600];
    const struct hws_param_row *rows = hws_param_table(&n);
    if (j->args->ignored_mca)
        hws_job_say(j, "warning: these --mca parameters of Open MPI mean nothing here and are ignored: %s",
                    j->args->ignored_mca);
    char *ignored = hws_envs_ignored(j->args->names_agent);
    if (ignored)
        hws_job_say(j, "warning: these variables of other MPIs mean nothing here and are ignored: %s", ignored);
    free(ignored);
    for (int i = 0; i < j->place->n_nodes && j->args->shows_map; i++)
        say_map(j, i);
    for (int i = 0; i < j->place->sites.n && j->args->shows_map; i++)
        if (j->place->sites.list[i].at.is_gateway)
            hws_job_say(j, "host %s: gateway of site %s", j->place->sites.list[i].host,
                        j->place->sites.list[i].at.site);
    if (!j->args->is_verbose)
        return;
    for (size_t i = 0; i < n; i++)
        hws_job_say(j, "-%s (%s) = %s", rows[i].flag, rows[i].env,
                    hws_param_format(&j->args->params, &rows[i], value, sizeof value));
    if (j->args->ignores_binding)
        hws_job_say(j, "ranks fill the hosts by slots; where on a host they run, -bind-to says");
    for (int i = 0; i < j->place->n_nodes; i++)
        hws_job_say(j, "host %s: %d of %d ranks", j->place->nodes[i], j->nodes[i].spec.n_ranks, j->place->size);
}
