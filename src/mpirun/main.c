/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpirun: starts the ranks of an MPI job (also installed as mpiexec). This file reads the command line, finds the hosts
 * and hands over to job.c.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/errors.h"
#include "mpirun/cli/parse.h"
#include "mpirun/job/job.h"
#include "mpirun/job/job_report.h"
#include "mpirun/node/daemon.h"
#include "mpirun/place/alloc.h"
#include "mpirun/place/hosts.h"
#include "mpirun/place/place.h"
#include "mpirun/util/buf.h"

#define STATUS_USAGE 2

static int usage_error(const char *err)
{
    fprintf(stderr, "mpirun: %s\n", err);
    return STATUS_USAGE;
}

/* Descriptors 0 to 2 must be there, or a rank's pipe would land on them. */
static void fill_standard_fds(void)
{
    int fd = open("/dev/null", O_RDWR | O_CLOEXEC);
    while (fd >= 0 && fd <= 2)
        fd = fcntl(fd, F_DUPFD, 0);
    if (fd > 2)
        close(fd);
}

/* -host names the hosts, -hostfile gives their slots; either may be alone. */
static int read_hosts(struct hws_host_list *out, const struct hws_args_app *app, char *err, size_t err_len)
{
    struct hws_host_list file = {0};
    int rc = app->hostfile ? hws_hosts_read_file(app->hosts ? &file : out, app->hostfile, err, err_len) : HWS_OK;
    if (!rc && app->hosts)
        rc = hws_hosts_parse_list(out, app->hosts, err, err_len);
    for (int i = 0; i < out->n && file.n; i++) {
        const struct hws_host *known = hws_hosts_find(&file, out->list[i].name);
        if (known && !out->list[i].slots)
            out->list[i].slots = known->slots;
        if (!known)
            continue;
        out->list[i].max_slots = known->max_slots;
        out->list[i].at = hws_host_site_copy(&known->at);
    }
    for (int i = 0; i < file.n; i++) { /* gateways are needed, whoever of the hosts gets ranks */
        if (!file.list[i].at.is_gateway || hws_hosts_find(out, file.list[i].name))
            continue;
        hws_hosts_add(out, file.list[i].name, strlen(file.list[i].name), HWS_SLOTS_NONE, 0);
        out->list[out->n - 1].at = hws_host_site_copy(&file.list[i].at);
    }
    hws_hosts_fini(&file);
    return rc;
}

/* All names of this machine become one, so that they make one node. */
static void unify_local(struct hws_host_list *h)
{
    char own[256] = "localhost";
    gethostname(own, sizeof own - 1);
    for (int i = 0; i < h->n; i++)
        if (hws_host_is_local(h->list[i].name)) {
            free(h->list[i].name);
            h->list[i].name = hws_xstrdup(own);
        }
}

/* Where nobody names hosts this one has as many slots as processors that may be used: one rank for each without -n. */
static int own_processors(void)
{
    cpu_set_t set;
    int n = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : (int)sysconf(_SC_NPROCESSORS_ONLN);
    return n > 0 ? n : 1;
}

static int find_hosts(const struct hws_args *a, struct hws_host_list *lists, struct hws_place_app *apps,
                      struct hws_sites *sites, char *err, size_t err_len)
{
    for (int i = 0; i < a->n_apps; i++) {
        const struct hws_args_app *app = &a->apps[i];
        bool has_own = app->hosts || app->hostfile;
        int rc = has_own ? read_hosts(&lists[i], app, err, err_len) : HWS_OK;
        if (rc)
            return rc;
        if (i == 0 && !has_own)
            rc = hws_alloc_read(&lists[0], err, err_len);
        if (rc)
            return rc;
        if (lists[0].n == 0)
            hws_hosts_add(&lists[0], "localhost", strlen("localhost"), a->n_apps == 1 && !app->n ? own_processors() : 0,
                          0);
        unify_local(&lists[i]);
        if ((rc = hws_sites_take(sites, &lists[i], err, err_len)))
            return rc;
        apps[i] = (struct hws_place_app){.n = app->n,
                                         .ppn = app->ppn,
                                         .by_node = app->map.by_node,
                                         .per_node = app->map.per_node,
                                         .hosts = has_own ? &lists[i] : &lists[0]};
        if (!app->n && a->n_apps > 1 && !app->map.per_node)
            apps[i].n = 1;
    }
    return HWS_OK;
}

static int run(const struct hws_args *a, const struct hws_origin *origin)
{
    char err[1024];
    struct hws_host_list *lists = hws_xcalloc((size_t)a->n_apps, sizeof *lists);
    struct hws_place_app *apps = hws_xcalloc((size_t)a->n_apps, sizeof *apps);
    struct hws_place place = {0};
    struct hws_sites sites = {0};
    int rc = find_hosts(a, lists, apps, &sites, err, sizeof err);
    if (!rc)
        rc = hws_place_ranks(&place, apps, a->n_apps, err, sizeof err);
    place.sites = sites;
    if (!rc)
        rc = hws_sites_check(&sites, place.nodes, place.n_nodes, err, sizeof err);
    rc = rc ? usage_error(err) : hws_job_run(a, &place, origin);
    hws_place_fini(&place);
    for (int i = 0; i < a->n_apps; i++)
        hws_hosts_fini(&lists[i]);
    free(lists);
    free(apps);
    return rc;
}

int main(int argc, char **argv)
{
    struct hws_args a;
    struct hws_origin origin;
    char err[1024];
    fill_standard_fds();
    hws_origin_init(&origin);
    if (argc == 2 && strcmp(argv[1], HWS_DAEMON_FLAG) == 0)
        return hws_daemon_run(&origin);
    int rc = hws_args_parse(&a, argc, argv, err, sizeof err);
    if (rc)
        rc = usage_error(err);
    else if (a.action == HWS_ARGS_HELP)
        hws_args_help(stdout);
    else if (a.action == HWS_ARGS_VERSION)
        printf("mpirun (Hawser) %s\naccepts flags of MPICH's Hydra mpiexec and of Open MPI's mpirun\n",
               PACKAGE_VERSION);
    else if (a.action == HWS_ARGS_REPORT)
        rc = hws_report_main(a.report_pid);
    else
        rc = run(&a, &origin);
    hws_args_fini(&a);
    return rc;
}
