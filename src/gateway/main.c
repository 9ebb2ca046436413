/* SPDX-License-Identifier: BSD-3-Clause
 *
 * hawser-gateway: leads the connections of one site's processes to other sites over few long-distance ones
 * (docs/user-guide.md, docs/decisions/032-gateways.md).
 */
#include "config.h"

#include <errno.h>
#include <getopt.h>
#include <sched.h>
#include <signal.h>
#include <sodium.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "gateway/gateway.h"
#include "gateway/sock.h"

#define TICK_MS  250
#define POOL_MIB 24
#define ACCEPTS  16 /* in one pass */

static const char usage[] = "usage: hawser-gateway -c FILE -n NAME [-m MIB] [-w FILE] [-v]\n"
                            "       hawser-gateway -j -n NAME [-p LOW-HIGH] [-m MIB] [-v]\n"
                            "  -c FILE  sites, their networks and gateways; the same for all\n"
                            "  -n NAME  which of these gateways this is\n"
                            "  -m MIB   memory for what is on the way, beside 16 KiB for each connection (24)\n"
                            "  -w FILE  a picture of what passed over time, SVG, at the end and on SIGUSR1\n"
                            "  -v       say when gateways are reached and trunks end\n"
                            "  -j       for one job: mpirun runs it so, and says on stdin what else stands in FILE\n"
                            "  -p RANGE ports to listen on, with -j (any)\n"
                            "  -V       the version\n"
                            "SIGUSR1: counters of each other gateway on stderr\n";

void gateway_say(const struct gateway *g, const char *fmt, ...)
{
    char line[1024];
    va_list args;
    int n = snprintf(line, sizeof line, "hawser-gateway %s: ", g->self ? g->self->name : "?");
    va_start(args, fmt);
    int more = vsnprintf(line + n, sizeof line - (size_t)n - 1, fmt, args);
    va_end(args);
    n = more < 0 ? n : n + more;
    n = n < (int)sizeof line - 1 ? n : (int)sizeof line - 2;
    line[n] = '\n';
    if (write(STDERR_FILENO, line, (size_t)n + 1) < 0)
        return; /* nobody reads it */
}

/* ---- prefaces ---------------------------------------------------------------------------------------------------- */

int gateway_check_preface(struct gateway *g, const struct hws_preface *p)
{
    uint64_t now = (uint64_t)time(NULL);
    if (p->time_s + PREFACE_S < now || p->time_s > now + PREFACE_S)
        return HWS_EAUTH;
    for (unsigned i = 0; i < NONCES; i++)
        if (memcmp(g->nonces[i], p->nonce, sizeof p->nonce) == 0)
            return HWS_EAUTH;
    memcpy(g->nonces[g->next_nonce++ % NONCES], p->nonce, sizeof p->nonce);
    return HWS_OK;
}

void gateway_make_preface(struct hws_preface *p, const struct hws_gate_addr *from, const struct hws_gate_addr *to)
{
    *p = (struct hws_preface){.from = *from, .to = *to, .time_s = (uint64_t)time(NULL)};
    randombytes_buf(p->nonce, sizeof p->nonce);
}

/* ---- the loop ---------------------------------------------------------------------------------------------------- */

static void on_lan(struct hws_io *io, unsigned ready)
{
    (void)ready;
    for (int i = 0; i < ACCEPTS; i++)
        client_accept(hws_container_of(io, struct gateway, lan));
}

static void on_wan(struct hws_io *io, unsigned ready)
{
    (void)ready;
    for (int i = 0; i < ACCEPTS; i++)
        trunk_accept(hws_container_of(io, struct gateway, wan));
}

void gateway_report(struct gateway *g)
{
    for (unsigned i = 0; i < g->n_remotes; i++)
        remote_report(&g->remotes[i]);
    gateway_say(g, "%llu connections without the key refused", (unsigned long long)g->refused);
}

static void sample_all(struct gateway *g)
{
    for (unsigned i = 0; i < g->n_remotes; i++)
        remote_sample(&g->remotes[i], hws_clock_ns());
}

static void draw_picture(struct gateway *g)
{
    FILE *out = g->picture ? fopen(g->picture, "we") : NULL;
    if (!out) {
        if (g->picture)
            gateway_say(g, "cannot write %s: %s", g->picture, strerror(errno));
        return;
    }
    fprintf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%u\">\n", USE_WIDTH,
            g->n_remotes * USE_HEIGHT);
    for (unsigned i = 0; i < g->n_remotes; i++)
        use_draw(&g->remotes[i].use, g->site->name, g->remotes[i].site->name, i * USE_HEIGHT, out);
    fprintf(out, "</svg>\n");
    if (fclose(out) != 0)
        gateway_say(g, "cannot write %s: %s", g->picture, strerror(errno));
}

static void on_signal(struct hws_io *io, unsigned ready)
{
    struct gateway *g = hws_container_of(io, struct gateway, signals);
    struct signalfd_siginfo info;
    (void)ready;
    if (read(io->fd, &info, sizeof info) != sizeof info)
        return;
    if (info.ssi_signo == SIGUSR1) {
        gateway_report(g);
        sample_all(g);
        draw_picture(g);
    } else {
        g->is_over = true;
    }
}

static void on_tick(struct hws_timer *t)
{
    struct gateway *g = hws_container_of(t, struct gateway, tick);
    for (unsigned i = 0; i < g->n_remotes; i++)
        remote_tick(&g->remotes[i], hws_clock_ns());
    sample_all(g);
    hws_timer_set(t, TICK_MS);
}

static void free_over(struct gateway *g)
{
    struct hws_list *n;
    while ((n = hws_list_pop(&g->over_trunks)))
        free(hws_container_of(n, struct trunk, strangers));
    while ((n = hws_list_pop(&g->over_clients)))
        free(hws_container_of(n, struct client, all));
}

static void flush_all(struct gateway *g)
{
    for (unsigned i = 0; i < g->n_remotes; i++)
        if (g->remotes[i].wants)
            remote_flush(&g->remotes[i]);
}

static void run(struct gateway *g)
{
    while (!g->is_over) {
        hws_reactor_run(g->reactor, true);
        flush_all(g);
        free_over(g);
    }
    clients_close(g);
    flush_all(g);
    sample_all(g);
    draw_picture(g);
    if (g->is_of_job)
        job_tell_use(g);
    if (g->is_verbose)
        gateway_report(g);
}

/* ---- the beginning ----------------------------------------------------------------------------------------------- */

static int fail(const char *what)
{
    fprintf(stderr, "hawser-gateway: %s\n", what);
    return 1;
}

static int listen_at(struct gateway *g, struct hws_io *io, const struct hws_gate_addr *at,
                     void (*on_ready)(struct hws_io *, unsigned))
{
    char text[GATE_ADDR_TEXT];
    if (!at->family)
        return HWS_OK;
    int fd = sock_listen(at);
    if (fd < 0) {
        fprintf(stderr, "hawser-gateway: cannot listen at %s: %s\n", gate_addr_text(at, text), strerror(errno));
        return HWS_ESYS;
    }
    hws_io_init(g->reactor, io, fd, on_ready);
    hws_io_want(io, HWS_R);
    return HWS_OK;
}

static int open_signals(struct gateway *g)
{
    sigset_t set;
    signal(SIGPIPE, SIG_IGN); /* OpenSSL writes to trunks whose other end is gone */
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGHUP);
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, NULL);
    int fd = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
    if (fd < 0)
        return HWS_ESYS;
    hws_io_init(g->reactor, &g->signals, fd, on_signal);
    hws_io_want(&g->signals, HWS_R);
    return HWS_OK;
}

static void raise_limit(void)
{
    struct rlimit l;
    if (getrlimit(RLIMIT_NOFILE, &l) == 0) {
        l.rlim_cur = l.rlim_max;
        setrlimit(RLIMIT_NOFILE, &l);
    }
}

/* Ranks that poll for their messages leave a gateway on their host no processor, and wait for it. Where it may. */
static void go_first(void)
{
    struct sched_param least = {.sched_priority = sched_get_priority_min(SCHED_RR)};
    sched_setscheduler(0, SCHED_RR | SCHED_RESET_ON_FORK, &least);
}

static int open_gateway(struct gateway *g)
{
    uint8_t psk[HWS_PREFACE_KEY];
    sites_key(&g->sites, "trunk", psk);
    memcpy(g->trunk_key, psk, sizeof psk);
    sites_key(&g->sites, "preface", g->preface_key);
    randombytes_buf(&g->incarnation, sizeof g->incarnation);
    hws_list_init(&g->clients);
    hws_list_init(&g->strangers);
    hws_list_init(&g->over_trunks);
    hws_list_init(&g->over_clients);
    raise_limit();
    go_first();
    if (g->sites.has_tls && !(g->tls = tls_context_open(psk)))
        return fail("OpenSSL offers no TLS 1.3 here");
    if (hws_reactor_open(&g->reactor) != HWS_OK || open_signals(g) != HWS_OK)
        return fail("no event loop");
    if (g->is_of_job) {
        hws_io_init(g->reactor, &g->lan, g->lan.fd, on_lan);
        hws_io_init(g->reactor, &g->wan, g->wan.fd, on_wan);
        hws_io_want(&g->lan, HWS_R);
        hws_io_want(&g->wan, HWS_R);
        job_watch(g);
    } else if (listen_at(g, &g->lan, &g->self->lan, on_lan) != HWS_OK ||
               listen_at(g, &g->wan, &g->self->wan, on_wan) != HWS_OK)
        return 1;
    hws_timer_init(g->reactor, &g->tick, on_tick);
    hws_timer_set(&g->tick, TICK_MS);
    remotes_open(g);
    return 0;
}

int main(int argc, char **argv)
{
    static struct gateway g;
    const char *file = NULL, *name = NULL, *ports = "";
    char err[512];
    long mib = POOL_MIB;
    int opt;
    while ((opt = getopt(argc, argv, "c:n:m:p:w:jvVh")) != -1) {
        if (opt == 'c')
            file = optarg;
        else if (opt == 'n')
            name = optarg;
        else if (opt == 'm')
            mib = strtol(optarg, NULL, 10);
        else if (opt == 'j')
            g.is_of_job = true;
        else if (opt == 'p')
            ports = optarg;
        else if (opt == 'w')
            g.picture = optarg;
        else if (opt == 'v')
            g.is_verbose = true;
        else if (opt == 'V')
            return puts("hawser-gateway " PACKAGE_VERSION) < 0;
        else
            return fputs(usage, opt == 'h' ? stdout : stderr) < 0 || opt != 'h';
    }
    if (!file == !g.is_of_job || !name || optind != argc || mib < 1 || mib > 65536)
        return fputs(usage, stderr), 1;
    if (sodium_init() < 0)
        return fail("libsodium does not start");
    int rc = g.is_of_job ? job_meet(&g, ports, err, sizeof err) : sites_read(&g.sites, file, err, sizeof err);
    if (rc != HWS_OK)
        return fail(err);
    g.self = sites_gateway(&g.sites, name, &g.site);
    if (!g.self) {
        snprintf(err, sizeof err, "%s has no gateway %s", file ? file : "mpirun", name);
        return fail(err);
    }
    g.pool.total = g.pool.left = (uint64_t)mib << 20;
    if (open_gateway(&g) != 0)
        return 1;
    run(&g);
    return 0;
}
