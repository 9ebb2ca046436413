/* SPDX-License-Identifier: BSD-3-Clause
 *
 * job_gateways: the gateways of a job of several sites (docs/decisions/032-gateways.md). Each is started as the
 * daemons are, says where it listens (src/gateway/job.c), and is then told of all; its stdin is what it lives by, so it
 * ends with mpirun, however that ends. A gateway that does not start ends the job; one that ends later is told of, as
 * the site may have another.
 */
#include "mpirun/job/job_priv.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mpirun/page/page.h"
#include "mpirun/remote/agent.h"

#define START_S  60.0 /* as of a host's daemon */
#define SAYS     "HAWSER-GATEWAY 1 "
#define USES     "HAWSER-GATEWAY-USE "
#define ADDR_MAX 64
#define READ_MAX 4096

struct gateway {
    struct job *job;
    const struct hws_site_host *host;
    char name[HWS_SITE_NAME + 12], mode[256], exe[4200];
    pid_t pid;
    int fds[3];
    struct hws_output_sink to;
    struct hws_loop_io *from_io, *err_io;
    struct hws_buf in, err;
    char lan[ADDR_MAX], wan[ADDR_MAX]; /* "ADDR:PORT" or "none"; lan empty: has not said it yet */
    char last[256];                    /* of its lines on stderr */
};

struct job_gateways {
    struct gateway *list;
    int n, n_ready;
    bool is_ended;
    struct hws_loop_timer *timer;
};

/* ---- addresses --------------------------------------------------------------------------------------------------- */

static bool is_loopback(const struct sockaddr *sa)
{
    const struct sockaddr_in *in = (const void *)sa;
    if (sa->sa_family == AF_INET)
        return (ntohl(in->sin_addr.s_addr) >> 24) == 127;
    return sa->sa_family == AF_INET6 &&
           IN6_IS_ADDR_LOOPBACK(&((const struct sockaddr_in6 *)(const void *)sa)->sin6_addr);
}

/* What this host takes the name for, unless that is itself. */
static bool resolve(const char *name, char ip[INET6_ADDRSTRLEN])
{
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *list = NULL;
    bool found = false;
    if (getaddrinfo(name, NULL, &hints, &list) != 0)
        return false;
    for (struct addrinfo *a = list; a && !found; a = a->ai_next)
        found = !is_loopback(a->ai_addr) &&
                getnameinfo(a->ai_addr, a->ai_addrlen, ip, INET6_ADDRSTRLEN, NULL, 0, NI_NUMERICHOST) == 0;
    freeaddrinfo(list);
    return found;
}

/* wanted: what the host file says, or NULL; first: the first address that the gateway has told. */
static bool choose(const struct gateway *g, const char *wanted, const char *first, unsigned port, char dst[ADDR_MAX])
{
    char ip[INET6_ADDRSTRLEN];
    if (!resolve(wanted ? wanted : g->host->host, ip)) {
        if (wanted || !first)
            return false;
        snprintf(ip, sizeof ip, "%s", first);
    }
    snprintf(dst, ADDR_MAX, strchr(ip, ':') ? "[%s]:%u" : "%s:%u", ip, port);
    return true;
}

/* ---- what all are told ------------------------------------------------------------------------------------------- */

static void append_sites(struct job_gateways *all, struct hws_buf *text)
{
    for (int i = 0; i < all->n; i++) {
        const char *site = all->list[i].host->at.site;
        bool is_first = true;
        for (int k = 0; k < i; k++)
            is_first &= strcmp(all->list[k].host->at.site, site) != 0;
        if (!is_first)
            continue;
        hws_buf_printf(text, "site %s\n", site);
        for (int k = i; k < all->n; k++)
            if (strcmp(all->list[k].host->at.site, site) == 0)
                hws_buf_printf(text, "gateway %s lan %s wan %s\n", all->list[k].name, all->list[k].lan,
                               all->list[k].wan);
    }
}

static void append_trunks(const struct hws_host_site *at, struct hws_buf *text)
{
    if (at->trunks)
        hws_buf_printf(text, "trunks %s\n", at->trunks);
    if (at->congestion)
        hws_buf_printf(text, "congestion %s\n", at->congestion);
}

static void tell_gateway(const struct job *j, struct gateway *g)
{
    struct hws_buf text = {0};
    const unsigned char *secret = j->nodes[0].spec.secret;
    append_sites(j->gateways, &text);
    append_trunks(&g->host->at, &text);
    hws_buf_printf(&text, "secret ");
    for (int i = 0; i < HWS_SECRET_BYTES; i++)
        hws_buf_printf(&text, "%02x", secret[i]);
    hws_buf_printf(&text, "\nend\n");
    hws_sink_write(&g->to, hws_buf_data(&text), text.len);
    explicit_bzero((void *)(uintptr_t)hws_buf_data(&text), text.len);
    hws_buf_free(&text);
}

static void tell_gateways(struct job *j)
{
    for (int i = 0; i < j->gateways->n; i++)
        if (j->gateways->list[i].fds[0] >= 0)
            tell_gateway(j, &j->gateways->list[i]);
}

static void tell_ranks(struct job *j)
{
    struct hws_buf text = {0};
    for (int i = 0; i < j->gateways->n; i++)
        hws_buf_printf(&text, "%s%s=%s", i ? "," : "", j->gateways->list[i].host->at.site, j->gateways->list[i].lan);
    hws_buf_append(&text, "", 1);
    for (int i = 0; i < j->place->n_nodes; i++) {
        struct job_node *n = &j->nodes[i];
        hws_env_setf(&n->env, "HAWSER_GATEWAYS=%s", hws_buf_data(&text));
        n->spec.env = n->env.vars;
    }
    hws_buf_free(&text);
}

/* ---- one gateway ------------------------------------------------------------------------------------------------- */

static void close_stream(struct gateway *g, int which)
{
    struct hws_loop_io **io = which == 1 ? &g->from_io : &g->err_io;
    if (g->fds[which] < 0)
        return;
    if (which)
        hws_loop_unwatch(*io);
    else
        hws_sink_close(&g->to);
    if (which)
        *io = NULL;
    close(g->fds[which]);
    g->fds[which] = -1;
}

static void fail(struct gateway *g, const char *why)
{
    hws_job_fail(g->job, 1, "gateway %s on host %s: %s%s%s", g->name, g->host->host, why, g->last[0] ? ": " : "",
                 g->last);
}

/* "LAN-PORT WAN-PORT ADDRESS..." */
static void take_place(struct gateway *g, char *line)
{
    unsigned lan, wan;
    int at = 0;
    const struct hws_host_site *said = &g->host->at;
    struct job_gateways *all = g->job->gateways;
    if (g->lan[0] || sscanf(line, "%u %u %n", &lan, &wan, &at) != 2)
        return;
    char *save = NULL, *first = strtok_r(line + at, " ", &save);
    bool no_wan = said->wan && strcmp(said->wan, "none") == 0;
    snprintf(g->wan, sizeof g->wan, "none");
    if ((!no_wan && !choose(g, said->wan, first, wan, g->wan)) || !choose(g, said->lan, first, lan, g->lan)) {
        fail(g, "its address cannot be found; the host file may say it: lan=ADDRESS wan=ADDRESS");
        return;
    }
    if (g->job->args->is_verbose)
        hws_job_say(g->job, "gateway %s on host %s: %s for site %s, %s for others", g->name, g->host->host, g->lan,
                    said->site, g->wan);
    if (++all->n_ready < all->n)
        return;
    hws_loop_timer_stop(all->timer);
    tell_gateways(g->job);
    tell_ranks(g->job);
    hws_job_go(g->job);
}

/* "BEGIN STEP SITE OUT IN OUT IN ...": src/gateway/use.h. */
static void take_use(struct gateway *g, char *line)
{
    struct hws_page_wan wan = {0};
    char *save = NULL, *words[3];
    for (int i = 0; i < 3; i++)
        if (!(words[i] = strtok_r(i ? NULL : line, " ", &save)))
            return;
    wan.begin_ns = strtoull(words[0], NULL, 10);
    wan.step_ns = strtoull(words[1], NULL, 10);
    for (char *w; wan.n < HWS_PAGE_WAN_SLOTS && (w = strtok_r(NULL, " ", &save)); wan.n++) {
        wan.out[wan.n] = strtoull(w, NULL, 10);
        w = strtok_r(NULL, " ", &save);
        wan.in[wan.n] = w ? strtoull(w, NULL, 10) : 0;
    }
    snprintf(wan.host, sizeof wan.host, "%s", g->host->host);
    snprintf(wan.site, sizeof wan.site, "%s", words[2]);
    if (g->job->page && wan.step_ns)
        hws_page_add_wan(g->job->page, &wan);
}

static void take_line(struct gateway *g, int which, char *line)
{
    size_t len = strlen(line);
    while (len && isspace((unsigned char)line[len - 1]))
        line[--len] = '\0';
    char *says = which == 1 ? strstr(line, SAYS) : NULL;
    char *uses = which == 1 ? strstr(line, USES) : NULL;
    if (says)
        take_place(g, says + strlen(SAYS));
    else if (uses)
        take_use(g, uses + strlen(USES));
    if (which == 1 || !len)
        return;
    snprintf(g->last, sizeof g->last, "%s", line);
    for (char *s = g->last; *s; s++)
        *s = iscntrl((unsigned char)*s) ? ' ' : *s;
    if (!g->job->gateways->is_ended || g->job->args->is_verbose) /* then it is about our own end */
        hws_job_say(g->job, "gateway on host %s: %s", g->host->host, g->last);
}

static void on_bytes(struct gateway *g, int which)
{
    struct hws_buf *b = which == 1 ? &g->in : &g->err;
    ssize_t n = read(g->fds[which], hws_buf_reserve(b, READ_MAX), READ_MAX);
    const char *end;
    if (n < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    if (n > 0)
        hws_buf_added(b, (size_t)n);
    while (b->len && ((end = memchr(hws_buf_data(b), '\n', b->len)) || n <= 0 || b->len > READ_MAX)) {
        size_t len = end ? (size_t)(end - hws_buf_data(b)) : b->len;
        char *line = hws_xstrndup(hws_buf_data(b), len);
        hws_buf_consume(b, end ? len + 1 : len);
        take_line(g, which, line);
        free(line);
    }
    if (n <= 0)
        close_stream(g, which);
}

static void on_from(void *arg, int events)
{
    (void)events;
    on_bytes(arg, 1);
}

static void on_err(void *arg, int events)
{
    (void)events;
    on_bytes(arg, 2);
}

bool hws_job_gateways_on_child(struct job *j, pid_t pid, int wait_status)
{
    struct gateway *g = NULL;
    for (int i = 0; j->gateways && i < j->gateways->n; i++)
        if (j->gateways->list[i].pid == pid)
            g = &j->gateways->list[i];
    if (!g)
        return false;
    g->pid = 0;
    for (int i = 0; i < 64 && (g->fds[1] >= 0 || g->fds[2] >= 0); i++)
        for (int which = 1; which <= 2; which++) /* its last words */
            if (g->fds[which] >= 0)
                on_bytes(g, which);
    for (int which = 0; which < 3; which++)
        close_stream(g, which);
    char text[64];
    if (WIFSIGNALED(wait_status))
        snprintf(text, sizeof text, "was killed by signal %d", WTERMSIG(wait_status));
    else
        snprintf(text, sizeof text, "exited with status %d", WEXITSTATUS(wait_status));
    if (j->gateways->is_ended)
        hws_job_check_end(j);
    else if (j->state == JOB_STARTING)
        fail(g, text);
    else
        hws_job_say(j, "gateway %s on host %s %s; its connections are made anew by another one, if site %s has one",
                    g->name, g->host->host, text, g->host->at.site);
    return true;
}

/* ---- all of them ------------------------------------------------------------------------------------------------- */

static void on_late(void *arg)
{
    struct job *j = arg;
    for (int i = 0; i < j->gateways->n; i++)
        if (!j->gateways->list[i].lan[0])
            fail(&j->gateways->list[i], "it has not said within 60 s where it listens");
}

static void find_exe(const struct job *j, char *dst, size_t len)
{
    const char *slash = strrchr(j->mpirun->self.exe, '/');
    snprintf(dst, len, "%.*shawser-gateway", slash ? (int)(slash - j->mpirun->self.exe + 1) : 0, j->mpirun->self.exe);
}

static void start(struct gateway *g)
{
    struct job *j = g->job;
    const char *range = j->args->params.port_range;
    bool is_here = strcmp(g->host->host, j->mpirun->self.host) == 0;
    snprintf(g->mode, sizeof g->mode, "-j -n %s%s%s%s", g->name, *range ? " -p " : "", range,
             j->args->is_verbose ? " -v" : "");
    find_exe(j, g->exe, sizeof g->exe);
    struct hws_remote_config cfg = {.extra = j->args->agent_extra,
                                    .cwd = j->mpirun->self.cwd,
                                    .host = is_here ? NULL : g->host->host,
                                    .exe = g->exe,
                                    .mode = g->mode,
                                    .mark = j->mpirun->self.agent_mark,
                                    .origin = j->mpirun->origin};
    int rc = hws_agent_run(&cfg, j->mpirun->reach.agent, &g->pid, g->fds);
    if (rc) {
        fail(g, strerror(rc));
        return;
    }
    hws_sink_init(&g->to, j->mpirun->loop, g->fds[0], NULL, NULL);
    g->from_io = hws_loop_watch(j->mpirun->loop, g->fds[1], HWS_LOOP_READ, on_from, g);
    g->err_io = hws_loop_watch(j->mpirun->loop, g->fds[2], HWS_LOOP_READ, on_err, g);
}

/* Gateways of one site alone lead nowhere. */
static int count(const struct job *j)
{
    const struct hws_sites *s = &j->place->sites;
    const char *first = NULL;
    bool are_apart = false;
    int n = 0;
    for (int i = 0; i < s->n; i++) {
        if (!s->list[i].at.is_gateway)
            continue;
        n++;
        are_apart |= first && strcmp(first, s->list[i].at.site) != 0;
        first = s->list[i].at.site;
    }
    return are_apart && strcmp(j->args->params.wan, "direct") != 0 ? n : 0;
}

static void init(struct gateway *g, struct job *j, const struct hws_site_host *host, int number)
{
    *g = (struct gateway){.job = j, .host = host, .fds = {-1, -1, -1}};
    snprintf(g->name, sizeof g->name, "%s.%d", host->at.site, number);
}

void hws_job_gateways_open(struct job *j)
{
    const struct hws_sites *s = &j->place->sites;
    int n = count(j);
    if (!n)
        return;
    struct job_gateways *all = j->gateways = hws_xcalloc(1, sizeof *all);
    all->list = hws_xcalloc((size_t)n, sizeof *all->list);
    all->timer = hws_loop_timer(j->mpirun->loop, on_late, j);
    for (int i = 0; i < s->n; i++)
        if (s->list[i].at.is_gateway) {
            init(&all->list[all->n], j, &s->list[i], all->n);
            all->n++;
        }
    hws_loop_timer_start(all->timer, START_S);
    for (int i = 0; i < n && j->state == JOB_STARTING; i++)
        start(&all->list[i]);
}

bool hws_job_gateways_are_ready(const struct job *j)
{
    return !j->gateways || j->gateways->n_ready == j->gateways->n;
}

void hws_job_gateways_report(struct job *j)
{
    for (int i = 0; j->gateways && i < j->gateways->n; i++)
        if (j->gateways->list[i].fds[0] >= 0)
            hws_sink_write(&j->gateways->list[i].to, "report\n", strlen("report\n"));
}

void hws_job_gateways_end(struct job *j, int signum)
{
    if (!j->gateways)
        return;
    j->gateways->is_ended = true;
    hws_loop_timer_stop(j->gateways->timer);
    for (int i = 0; i < j->gateways->n; i++) {
        struct gateway *g = &j->gateways->list[i];
        close_stream(g, 0);
        if (signum && g->pid > 0)
            kill(g->pid, signum);
    }
}

bool hws_job_gateways_run(const struct job *j)
{
    for (int i = 0; j->gateways && i < j->gateways->n; i++)
        if (j->gateways->list[i].pid > 0)
            return true;
    return false;
}
