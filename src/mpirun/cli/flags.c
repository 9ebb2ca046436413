/* SPDX-License-Identifier: BSD-3-Clause
 *
 * flags: see flags.h. One function sets what a flag says, one table has them all.
 */
#include "mpirun/cli/flags.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/errors.h"
#include "base/list.h"
#include "base/profile.h"
#include "mpirun/cli/appfile.h"
#include "mpirun/cli/near.h"
#include "mpirun/place/refused.h"
#include "mpirun/util/buf.h"
#include "mpirun/util/spec.h"

#define FILES_MAX 16 /* of -configfile: they may name others, but not in a circle */

int hws_parse_fail(struct hws_parse *p, const char *fmt, const char *text)
{
    snprintf(p->err, p->err_len, fmt, text);
    return HWS_EINVAL;
}

static int parse_int(struct hws_parse *p, const char *flag, const char *text, const char *what, int max, int *out)
{
    size_t len = strlen(text);
    long v = len && len < 10 && strspn(text, "0123456789") == len ? atol(text) : 0;
    if (v >= 1 && v <= max) {
        *out = (int)v;
        return HWS_OK;
    }
    snprintf(p->err, p->err_len, "-%s: '%.100s' is not a %s from 1 to %d", flag, text, what, max);
    return HWS_EINVAL;
}

int hws_parse_seconds(struct hws_parse *p, const char *name, const char *text, double *out)
{
    char *end;
    double v = isdigit((unsigned char)text[0]) ? strtod(text, &end) : -1;
    if (v >= 0 && *end == '\0' && v < 1e8 && !strpbrk(text, "xXpP")) {
        *out = v;
        return HWS_OK;
    }
    snprintf(p->err, p->err_len, "%s: '%.100s' is not a number of seconds", name, text);
    return HWS_EINVAL;
}

static int set_n(struct hws_parse *p, const char *flag, char **v)
{
    return parse_int(p, flag, v[0], "number of ranks", HWS_RANKS_MAX, &p->app->n);
}

static int set_ppn(struct hws_parse *p, const char *flag, char **v)
{
    return parse_int(p, flag, v[0], "number of ranks per host", HWS_RANKS_MAX, &p->app->ppn);
}

static int set_host(struct hws_parse *p, const char *flag, char **v)
{
    (void)flag;
    p->app->hosts = v[0];
    return HWS_OK;
}

static int set_hostfile(struct hws_parse *p, const char *flag, char **v)
{
    (void)flag;
    p->app->hostfile = v[0];
    return HWS_OK;
}

static int set_wdir(struct hws_parse *p, const char *flag, char **v)
{
    (void)flag;
    p->app->wdir = v[0];
    return HWS_OK;
}

static int set_path(struct hws_parse *p, const char *flag, char **v)
{
    (void)flag;
    p->app->path = v[0];
    return HWS_OK;
}

static int set_x(struct hws_parse *p, const char *flag, char **v)
{
    return hws_envs_export(&p->app->env, flag, v[0], p->err, p->err_len);
}

static int set_env(struct hws_parse *p, const char *flag, char **v)
{
    return hws_envs_set(&p->app->env, flag, v[0], v[1], p->err, p->err_len);
}

static int set_genv(struct hws_parse *p, const char *flag, char **v)
{
    return hws_envs_set(&p->a->env, flag, v[0], v[1], p->err, p->err_len);
}

/* -genvlist and its like are for all programs, -envlist for one. */
static struct hws_env_choice *choice_of(struct hws_parse *p, const char *flag)
{
    return *flag == 'g' ? &p->a->env_choice : &p->app->env_choice;
}

static int set_envlist(struct hws_parse *p, const char *flag, char **v)
{
    return hws_envs_choose(choice_of(p, flag), flag, v[0], p->err, p->err_len);
}

static int set_envnone(struct hws_parse *p, const char *flag, char **v)
{
    (void)v;
    return hws_envs_choose(choice_of(p, flag), flag, "", p->err, p->err_len);
}

static int set_envall(struct hws_parse *p, const char *flag, char **v)
{
    (void)v;
    choice_of(p, flag)->passed = HWS_ENV_ALL;
    return HWS_OK;
}

static int set_tags(struct hws_parse *p, const char *flag, char **v)
{
    (void)flag;
    (void)v;
    p->a->output.has_tags = true;
    return HWS_OK;
}

static int set_timeout(struct hws_parse *p, const char *flag, char **v)
{
    (void)flag;
    return hws_parse_seconds(p, "-timeout", v[0], &p->a->timeout_s);
}

static int set_wait_hosts(struct hws_parse *p, const char *flag, char **v)
{
    (void)flag;
    return hws_parse_seconds(p, "-wait-hosts", v[0], &p->a->wait_hosts_s);
}

static int set_stdin(struct hws_parse *p, const char *flag, char **v)
{
    (void)flag;
    size_t len = strlen(v[0]);
    p->a->no_stdin = strcmp(v[0], "none") == 0;
    p->a->stdin_all = strcmp(v[0], "all") == 0;
    if (p->a->no_stdin || p->a->stdin_all)
        return HWS_OK;
    if (len && len < 7 && strspn(v[0], "0123456789") == len) {
        p->a->stdin_rank = atoi(v[0]);
        return HWS_OK;
    }
    snprintf(p->err, p->err_len,
             "-stdin: '%.100s' is neither a rank nor all nor none; rank 0 reads it if nothing is said", v[0]);
    return HWS_EINVAL;
}

static int set_verbose(struct hws_parse *p, const char *flag, char **v)
{
    (void)flag;
    (void)v;
    p->a->is_verbose = true;
    hws_env_set(&p->a->env, HWS_BIND_SAY_VAR "=1");
    p->a->params.counters = 1;
    hws_env_set(&p->a->env, "HAWSER_COUNTERS=1");
    return HWS_OK;
}

static int set_help(struct hws_parse *p, const char *flag, char **v)
{
    (void)flag;
    (void)v;
    p->a->action = HWS_ARGS_HELP;
    return HWS_OK;
}

static int set_version(struct hws_parse *p, const char *flag, char **v)
{
    (void)flag;
    (void)v;
    p->a->action = HWS_ARGS_VERSION;
    return HWS_OK;
}

static int ignore(struct hws_parse *p, const char *flag, char **v)
{
    (void)p;
    (void)flag;
    (void)v;
    return HWS_OK;
}

static int set_mapping(struct hws_parse *p, const char *flag, char **v)
{
    (void)flag;
    p->app->map = (struct hws_mapping){0};
    int rc = hws_mapping_parse(&p->app->map, v[0], p->err, p->err_len);
    p->a->ignores_binding |= p->app->map.is_within;
    return rc;
}

/* Ranks are numbered as they are placed. */
static int set_ranking(struct hws_parse *p, const char *flag, char **v)
{
    bool is_by_node = strcasecmp(v[0], "node") == 0;
    if (strcasecmp(v[0], "slot") == 0 || strcasecmp(v[0], "core") == 0 || strcasecmp(v[0], "hwthread") == 0 ||
        (is_by_node && p->app->map.by_node))
        return HWS_OK;
    snprintf(p->err, p->err_len, "-%s: '%.100s' cannot be done: ranks are numbered as they are placed; %s", flag, v[0],
             is_by_node ? "-map-by node before it does both" : "there are slot and node");
    return HWS_EINVAL;
}

static int set_by_node(struct hws_parse *p, const char *flag, char **v)
{
    (void)flag;
    (void)v;
    p->app->map.by_node = true;
    return HWS_OK;
}

static int set_one_per_node(struct hws_parse *p, const char *flag, char **v)
{
    (void)flag;
    (void)v;
    p->app->map.per_node = 1;
    return HWS_OK;
}

static int set_param(struct hws_parse *p, const char *flag, char **v);

/* Whether "a, b, c" has that name. */
static bool is_in_list(const char *list, const char *name)
{
    size_t len = strlen(name);
    for (const char *at = strstr(list, name); at && len; at = strstr(at + 1, name))
        if ((at == list || at[-1] == ' ') && (at[len] == ',' || at[len] == '\0'))
            return true;
    return false;
}

/* Which interfaces Open MPI may use is the one parameter that is ours as well. */
static int set_mca(struct hws_parse *p, const char *flag, char **v)
{
    char *before = p->a->ignored_mca;
    (void)flag;
    if (strcmp(v[0], "btl_tcp_if_include") == 0)
        return set_param(p, "i", v + 1);
    if (before && is_in_list(before, v[0]))
        return HWS_OK;
    p->a->ignored_mca = before ? hws_xprintf("%s, %s", before, v[0]) : hws_xstrdup(v[0]);
    free(before);
    return HWS_OK;
}

static int set_param(struct hws_parse *p, const char *flag, char **v)
{
    const struct hws_param_row *row = hws_param_find(flag);
    int rc = hws_param_set(&p->a->params, row, v[0], p->err, p->err_len);
    if (!rc)
        hws_env_setf(&p->a->env, "%s=%s", row->env, v[0]);
    return rc;
}

static int set_interfaces(struct hws_parse *p, const char *flag, char **v)
{
    (void)flag;
    return set_param(p, "i", v);
}

static int set_agent(struct hws_parse *p, const char *flag, char **v)
{
    if (!v[0][0]) {
        snprintf(p->err, p->err_len, "-%s: no command is given", flag);
        return HWS_EINVAL;
    }
    p->a->agent_extra = "";
    p->a->names_agent = true;
    return set_param(p, "rsh", v);
}

/* The words of other launchers too: the nearest of ours; what follows ':' is Open MPI's and says what is always so. */
static int set_binding(struct hws_parse *p, const char *flag, char **v)
{
    static const char *const words[][2] = {{"hwthread", "core"},  {"core", "core"},   {"socket", "socket"},
                                           {"package", "socket"}, {"numa", "socket"}, {"l3cache", "socket"},
                                           {"none", "none"},      {"board", "none"},  {"machine", "none"}};
    size_t len = strcspn(v[0], ":");
    for (size_t i = 0; i < HWS_ARRAY_LEN(words); i++)
        if (strlen(words[i][0]) == len && strncmp(words[i][0], v[0], len) == 0)
            return set_param(p, flag, (char *[]){(char *)words[i][1], NULL});
    return set_param(p, flag, v); /* says what is allowed */
}

static int set_report(struct hws_parse *p, const char *flag, char **v)
{
    (void)flag;
    (void)v;
    hws_env_set(&p->a->env, HWS_BIND_SAY_VAR "=1");
    p->a->params.counters = 1;
    hws_env_set(&p->a->env, "HAWSER_COUNTERS=1");
    return HWS_OK;
}

static int set_map_shown(struct hws_parse *p, const char *flag, char **v)
{
    (void)flag;
    (void)v;
    p->a->shows_map = true;
    return HWS_OK;
}

/* Whether a list of words, with commas, names only these; each is done. */
static int each_word(struct hws_parse *p, const char *flag, const char *list,
                     int (*one)(struct hws_parse *p, const char *word, size_t len), const char *known)
{
    for (const char *at = list;; at++) {
        size_t len = strcspn(at, ",");
        if (one(p, at, len) != HWS_OK) {
            snprintf(p->err, p->err_len, "-%s: '%.*s' cannot be done: there %s", flag, len < 100 ? (int)len : 100, at,
                     known);
            return HWS_EINVAL;
        }
        at += len;
        if (!*at)
            return HWS_OK;
    }
}

static bool is_word(const char *word, size_t len, const char *what)
{
    return strlen(what) == len && strncasecmp(word, what, len) == 0;
}

static int display_one(struct hws_parse *p, const char *word, size_t len)
{
    if (is_word(word, len, "map") || is_word(word, len, "map-devel") || is_word(word, len, "allocation"))
        return set_map_shown(p, "", NULL);
    return is_word(word, len, "bind") || is_word(word, len, "bindings") ? set_report(p, "", NULL) : HWS_EINVAL;
}

static int set_display(struct hws_parse *p, const char *flag, char **v)
{
    return each_word(p, flag, v[0], display_one, "are map, allocation and bind");
}

static int set_time(struct hws_parse *p, const char *flag, char **v)
{
    (void)v;
    return hws_output_words(&p->a->output, flag, "timestamp", p->err, p->err_len);
}

static int set_output(struct hws_parse *p, const char *flag, char **v)
{
    return hws_output_words(&p->a->output, flag, v[0], p->err, p->err_len);
}

static int set_output_dir(struct hws_parse *p, const char *flag, char **v)
{
    return hws_output_dir(&p->a->output, flag, v[0], p->err, p->err_len);
}

static int set_out_pattern(struct hws_parse *p, const char *flag, char **v)
{
    return hws_output_pattern(&p->a->output, 1, flag, v[0], p->err, p->err_len);
}

static int set_err_pattern(struct hws_parse *p, const char *flag, char **v)
{
    return hws_output_pattern(&p->a->output, 2, flag, v[0], p->err, p->err_len);
}

static int set_prefix(struct hws_parse *p, const char *flag, char **v)
{
    p->a->prefix = v[0];
    if (v[0][0] == '/')
        return HWS_OK;
    snprintf(p->err, p->err_len, "-%s: '%.100s' is not an absolute path", flag, v[0]);
    return HWS_EINVAL;
}

static int set_default_hostfile(struct hws_parse *p, const char *flag, char **v)
{
    (void)flag;
    if (!p->app->hostfile)
        p->app->hostfile = v[0];
    return HWS_OK;
}

/* Whose the hosts are is found in the environment; "user" is who names them. */
static int set_manager(struct hws_parse *p, const char *flag, char **v)
{
    static const struct {
        const char *name, *variable;
    } known[] = {{"slurm", "SLURM_JOB_NODELIST"}, {"pbs", "PBS_NODEFILE"},   {"sge", "PE_HOSTFILE"},
                 {"lsf", "LSB_DJOB_HOSTFILE"},    {"lsf", "LSB_MCPU_HOSTS"}, {"lsf", "LSB_HOSTS"},
                 {"cobalt", "COBALT_NODEFILE"},   {"oar", "OAR_NODEFILE"},   {"oar", "OAR_FILE_NODES"}};
    for (size_t i = 0; i < HWS_ARRAY_LEN(known); i++)
        if (strcmp(v[0], known[i].name) == 0 && getenv(known[i].variable))
            return HWS_OK;
    snprintf(p->err, p->err_len,
             "-%s: no allocation of '%.100s' is to be seen in the environment; name the hosts by -host or -hostfile",
             flag, v[0]);
    return HWS_EINVAL;
}

/* The words of other launchers for the way to a host. */
static int set_launcher(struct hws_parse *p, const char *flag, char **v)
{
    static const char *const ways[][2] = {{"ssh", "ssh"}, {"rsh", "rsh"}, {"slurm", "srun"}, {"srun", "srun"}};
    for (size_t i = 0; i < HWS_ARRAY_LEN(ways); i++)
        if (strcmp(v[0], ways[i][0]) == 0)
            return set_agent(p, flag, (char *[]){(char *)ways[i][1], NULL});
    snprintf(p->err, p->err_len,
             "-%s: '%.100s' is not known here: there are ssh, rsh and slurm, and any other command by -rsh COMMAND",
             flag, v[0]);
    return HWS_EINVAL;
}

/* The lines of a file are the sections of the command line: the first goes on with the flags before -configfile. */
static int set_appfile(struct hws_parse *p, const char *flag, char **v)
{
    char why[300];
    char **words = NULL;
    if (p->a->n_files == FILES_MAX)
        return hws_parse_fail(p, "-configfile '%.100s': files name one another", v[0]);
    words = hws_appfile_read(v[0], why, sizeof why);
    if (!words) {
        snprintf(p->err, p->err_len, "-%s %s", flag, why);
        return HWS_EINVAL;
    }
    p->a->files = hws_xrealloc(p->a->files, (size_t)(p->a->n_files + 1) * sizeof *p->a->files);
    p->a->files[p->a->n_files++] = words;
    p->file = words;
    return HWS_OK;
}

static int set_report_of(struct hws_parse *p, const char *flag, char **v)
{
    size_t len = strlen(v[0]);
    if (len > 5 && strcmp(v[0] + len - 5, ".html") == 0) {
        p->a->report_file = v[0];
        hws_env_set(&p->a->env, HWS_PROFILE_WISH_VAR "=1");
        return HWS_OK;
    }
    p->a->action = HWS_ARGS_REPORT;
    if (v[0][0] && !v[0][strspn(v[0], "0123456789")])
        return parse_int(p, flag, v[0], "process number", 999999999, &p->a->report_pid);
    snprintf(p->err, p->err_len,
             "-%s: '%.100s' is neither the process number of an mpirun nor a file whose name ends in .html", flag,
             v[0]);
    return HWS_EINVAL;
}

static const struct hws_flag flags[] = {
    {"n", 1, set_n, "N", "number of ranks (without it: one for each slot of the hosts)"},
    {"np", 1, set_n, "N", "the same"},
    {"host", 1, set_host, "LIST", "hosts, each with its slots: a:4,b"},
    {"hostfile", 1, set_hostfile, "FILE", "hosts, one a line: 'host slots=N' or 'host:N'"},
    {"ppn", 1, set_ppn, "N", "ranks per host, instead of the slots"},
    {"x", 1, set_x, "VAR[=VALUE]", "set or pass on an environment variable"},
    {"genvlist", 1, set_envlist, "VAR,VAR..", "pass on only these variables (-envlist: for one program)"},
    {"genvnone", 0, set_envnone, "", "pass on no variable but those that are set by flags (-envnone: for one program)"},
    {"envlist", 1, set_envlist, NULL, NULL},
    {"envnone", 0, set_envnone, NULL, NULL},
    {"wdir", 1, set_wdir, "DIR", "working directory of the ranks"},
    {"path", 1, set_path, "DIR", "directory where the program is looked for first"},
    {"tag-output", 0, set_tags, "", "put [rank] before each line of output"},
    {"timestamp-output", 0, set_time, "", "put the time and the stream before each line of output"},
    {"outfile-pattern", 1, set_out_pattern, "NAME", "write stdout into files (%r rank, %p host's number, %h its name)"},
    {"errfile-pattern", 1, set_err_pattern, "NAME", "write stderr into files"},
    {"output-filename", 1, set_output_dir, "DIR", "write output into DIR/1/rank.N/stdout and stderr, too"},
    {"output", 1, set_output, "LIST",
     "tag, timestamp, dir=DIR, file=NAME (into NAME.N.out and .err, too); :nocopy, only there"},
    {"stdin", 1, set_stdin, "N|all|none", "which rank reads mpirun's input (0), or all, or nobody"},
    {"timeout", 1, set_timeout, "SECONDS", "end the job after so long (also MPIEXEC_TIMEOUT)"},
    {"wait-hosts", 1, set_wait_hosts, "SECONDS", "go on trying to reach hosts for so long"},
    {"report", 1, set_report_of, "PID",
     "say where the ranks of that running mpirun wait (also SIGUSR1 to it, and -timeout)"},
    {"report", 1, set_report_of, "FILE.html", "draw who sent how much to whom, and where the time went, into one file"},
    {"v", 0, set_verbose, "", "say what is done, the parameters in force, and at the end what went over each lane"},
    {"version", 0, set_version, "", "print the version"},
    {"h", 0, set_help, "", "print this list"},
    {"H", 1, set_host, NULL, NULL},
    {"hosts", 1, set_host, NULL, NULL},
    {"f", 1, set_hostfile, NULL, NULL},
    {"machinefile", 1, set_hostfile, NULL, NULL},
    {"perhost", 1, set_ppn, NULL, NULL},
    {"npernode", 1, set_ppn, NULL, NULL},
    {"N", 1, set_ppn, NULL, NULL},
    {"c", 1, set_n, NULL, NULL},
    {"wd", 1, set_wdir, NULL, NULL},
    {"env", 2, set_env, NULL, NULL},
    {"genv", 2, set_genv, NULL, NULL},
    {"l", 0, set_tags, NULL, NULL},
    {"prepend-rank", 0, set_tags, NULL, NULL},
    {"verbose", 0, set_verbose, NULL, NULL},
    {"V", 0, set_version, NULL, NULL},
    {"help", 0, set_help, NULL, NULL},
    {"?", 0, set_help, NULL, NULL},
    {"iface", 1, set_interfaces, NULL, NULL},
    {"rsh", 1, set_agent, NULL, NULL},
    {"launcher-exec", 1, set_agent, NULL, NULL},
    {"launcher", 1, set_launcher, NULL, NULL},
    {"bootstrap", 1, set_launcher, NULL, NULL},
    {"bootstrap-exec", 1, set_agent, NULL, NULL},
    {"configfile", 1, set_appfile, "FILE", "programs with their flags, one a line, as if ':' were between the lines"},
    {"app", 1, set_appfile, NULL, NULL},
    {"prefix", 1, set_prefix, "DIR", "where Hawser is on the other hosts (DIR/bin/mpirun)"},
    {"display-map", 0, set_map_shown, "", "say which ranks run where"},
    {"display-allocation", 0, set_map_shown, NULL, NULL},
    {"display-devel-map", 0, set_map_shown, NULL, NULL},
    {"display", 1, set_display, NULL, NULL},
    {"default-hostfile", 1, set_default_hostfile, NULL, NULL},
    {"rmk", 1, set_manager, NULL, NULL},
    {"quiet", 0, ignore, NULL, NULL},
    {"q", 0, ignore, NULL, NULL},
    {"report-state-on-timeout", 0, ignore, NULL, NULL},
    {"get-stack-traces", 0, ignore, NULL, NULL},
    {"bind-to", 1, set_binding, NULL, NULL},
    {"map-by", 1, set_mapping, "slot|node|ppr:N:node", "where the next rank goes"},
    {"rank-by", 1, set_ranking, NULL, NULL},
    {"report-bindings", 0, set_report, NULL, NULL},
    {"bynode", 0, set_by_node, NULL, NULL},
    {"byslot", 0, ignore, NULL, NULL},
    {"pernode", 0, set_one_per_node, NULL, NULL},
    {"mca", 2, set_mca, NULL, NULL},
    {"gmca", 2, set_mca, NULL, NULL},
    {"pmixmca", 2, set_mca, NULL, NULL},
    {"prtemca", 2, set_mca, NULL, NULL},
    {"genvall", 0, set_envall, NULL, NULL},
    {"envall", 0, set_envall, NULL, NULL},
    {"allow-run-as-root", 0, ignore, NULL, NULL},
    {"oversubscribe", 0, ignore, NULL, NULL},
    {"use-hwthread-cpus", 0, ignore, NULL, NULL},
    {"print-all-exitcodes", 0, ignore, NULL, NULL},
    {"soft", 1, ignore, NULL, NULL},
    {"arch", 1, ignore, NULL, NULL},
};

const struct hws_flag *hws_flag_find(const char *name, size_t len)
{
    static struct hws_flag param = {NULL, 1, set_param, NULL, NULL};
    for (size_t i = 0; i < HWS_ARRAY_LEN(flags); i++)
        if (strlen(flags[i].name) == len && strncmp(flags[i].name, name, len) == 0)
            return &flags[i];
    size_t n;
    const struct hws_param_row *rows = hws_param_table(&n);
    for (size_t i = 0; i < n; i++)
        if (strlen(rows[i].flag) == len && strncmp(rows[i].flag, name, len) == 0) {
            param.name = rows[i].flag;
            return &param;
        }
    return NULL;
}

/* The flag that may have been meant, or NULL. */
static const char *nearest(const char *name, size_t len)
{
    const char *best = NULL;
    unsigned least = HWS_FLAG_FAR;
    size_t n;
    const struct hws_param_row *rows = hws_param_table(&n);
    for (size_t i = 0; i < HWS_ARRAY_LEN(flags) + n; i++) {
        const char *known = i < HWS_ARRAY_LEN(flags) ? flags[i].name : rows[i - HWS_ARRAY_LEN(flags)].flag;
        unsigned d = hws_flag_distance(name, len, known);
        if (d < least) {
            least = d;
            best = known;
        }
    }
    return best;
}

int hws_flag_unknown(struct hws_parse *p, const char *word, const char *name, size_t len)
{
    const char *refused = hws_refused_flag(name, len), *meant = nearest(name, len);
    if (refused)
        snprintf(p->err, p->err_len, "flag '%.100s' cannot be done: %s", word, refused);
    else if (meant)
        snprintf(p->err, p->err_len, "unknown flag '%.100s'; is -%s meant? (mpirun -h lists the flags)", word, meant);
    else
        snprintf(p->err, p->err_len, "unknown flag '%.100s' (mpirun -h lists the flags)", word);
    return HWS_EINVAL;
}

void hws_flags_help(FILE *to)
{
    for (size_t i = 0; i < HWS_ARRAY_LEN(flags); i++)
        if (flags[i].help)
            fprintf(to, "  -%s %-*s %s\n", flags[i].name, 22 - (int)strlen(flags[i].name), flags[i].values_help,
                    flags[i].help);
}
