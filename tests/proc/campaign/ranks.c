/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ranks: phases of seeded messages in one of several patterns each, until a file exists; every word of every message is
 * checked. campaign.test.py lets networks fail under it.
 *
 *     ranks -q SEED -p PATTERN[,PATTERN...] [-f FOLDER] [-m BYTES] [-e BYTES] [-h RANKS] [-n PHASES] [-t] [-g]
 *
 * -m: the longest message. -e: -tcpeagersend of this job, -h: ranks a host, as sizes and partners follow from them. -t:
 * asks for MPI_THREAD_MULTIPLE. -g: sends nothing before FOLDER/go exists. Ends after PHASES phases or when FOLDER/stop
 * exists. FOLDER/row.RANK tells where a rank is (struct row), FOLDER/stops.RANK gets a line "begin end pattern"
 * (CLOCK_MONOTONIC) for each time that no message was completed though some should have been. What a rank computes is
 * part of it: at most 0.1 s.
 */
#include "campaign/common.h"
#include "campaign/flows.h"
#include "campaign/groups.h"
#include "campaign/kinds.h"

#include <getopt.h>

enum { MAX_PATTERNS = 32, VOLUME = 1 << 20, ROOM = 8 << 20 };

static const struct pattern {
    const char *name;
    void (*run)(const struct phase *);
    int needs_threads;
} patterns[] = {
    {"oneway", run_oneway, 0},
    {"ring", run_ring, 0},
    {"pingpong", run_pingpong, 0},
    {"pairs", run_pairs, 0},
    {"many", run_many, 0},
    {"modes", run_modes, 0},
    {"collectives", run_collectives, 0},
    {"types", run_types, 0},
    {"persistent", run_persistent, 0},
    {"partitioned", run_partitioned, 0},
    {"cancel", run_cancel, 0},
    {"threads", run_threads, 1},
};

static const struct pattern *chosen[MAX_PATTERNS];
static int n_chosen, wants_threads, waits_for_go;
static long n_phases = -1;

static void choose(char *names)
{
    for (char *name = strtok(names, ","); name; name = strtok(NULL, ",")) {
        const struct pattern *found = NULL;
        for (size_t i = 0; i < sizeof(patterns) / sizeof(*patterns); i++)
            if (strcmp(name, patterns[i].name) == 0)
                found = &patterns[i];
        if (!found || n_chosen == MAX_PATTERNS || (found->needs_threads && !wants_threads)) {
            fprintf(stderr, "campaign: -p %s: no such pattern, or it needs -t before it\n", name);
            exit(2);
        }
        chosen[n_chosen++] = found;
    }
}

static void parse(int argc, char **argv)
{
    for (int c; (c = getopt(argc, argv, "q:p:f:m:e:h:n:tg")) != -1;) {
        switch (c) {
        case 'q':
            opt.seed = strtoull(optarg, NULL, 0);
            break;
        case 'p':
            choose(optarg);
            break;
        case 'f':
            opt.folder = optarg;
            break;
        case 'm':
            opt.max = atol(optarg);
            break;
        case 'e':
            opt.eager = atol(optarg);
            break;
        case 'h':
            opt.n_per_host = atoi(optarg);
            break;
        case 'n':
            n_phases = atol(optarg);
            break;
        case 't':
            wants_threads = 1;
            break;
        case 'g':
            waits_for_go = 1;
            break;
        default:
            exit(2);
        }
    }
    if (!n_chosen || (!opt.folder && n_phases < 0) || opt.max < 1 || opt.max > ROOM || opt.n_per_host < 1) {
        fprintf(stderr, "campaign: needs -p, -f or -n, -m from 1 to 8388608, -h from 1\n");
        exit(2);
    }
}

static struct phase draw_phase(long number, const struct pattern *p)
{
    static const int windows[] = {1, 2, 4, 16}, paces[] = {0, 0, 0, 500, 5000};
    uint64_t r = words_mix(opt.seed ^ words_mix((uint64_t)number + 1));
    struct phase ph = {.name = p->name, .key = r, .max = r >> 63 ? opt.max : opt.max / 16 + 1};
    ph.window = windows[words_mix(r + 1) % 4];
    ph.pace_us = paces[words_mix(r + 2) % 5];
    ph.count = 4 << words_mix(r + 3) % 8;
    while (ph.window > 1 && ph.window * ph.max > ROOM / proc_size)
        ph.window /= 2;
    while (ph.count > 4 && (ph.count * (ph.max / 8 + 64) > VOLUME || (long)ph.count * ph.pace_us > 150000))
        ph.count /= 2;
    return ph;
}

static void run_phase(long number)
{
    const struct pattern *p = chosen[words_mix(opt.seed + (uint64_t)number) % (uint64_t)n_chosen];
    struct phase ph = draw_phase(number, p);
    snprintf(meter.row->pattern, sizeof(meter.row->pattern), "%s", p->name);
    meter_expect(p->name, now());
    p->run(&ph);
}

static int exists(const char *name)
{
    char path[4096];
    if (!opt.folder)
        return 0;
    snprintf(path, sizeof(path), "%s/%s", opt.folder, name);
    return access(path, F_OK) == 0;
}

/* Whether there is another phase: all hear it from rank 0. Who comes late to this does not make it a stop of the
 * others. */
static int goes_on(long number)
{
    double mine[2] = {now(), proc_rank == 0 && (number == n_phases || exists("stop"))}, all[2];
    snprintf(meter.row->pattern, sizeof(meter.row->pattern), "agree");
    MPI_Allreduce(mine, all, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    meter_expect("agree", all[0]);
    meter_done(16);
    meter.row->phases++;
    return all[1] == 0;
}

static void begin(int *argc, char ***argv)
{
    int provided = MPI_THREAD_MULTIPLE;
    if (wants_threads)
        MPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, &provided);
    else
        MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &proc_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &proc_size);
    if (provided < MPI_THREAD_MULTIPLE)
        give_up("no MPI_THREAD_MULTIPLE", provided);
}

int main(int argc, char **argv)
{
    parse(argc, argv);
    begin(&argc, &argv);
    meter_open();
    while (waits_for_go && opt.folder && !exists("go"))
        usleep(2000);
    meter_expect("first", now());
    for (long number = 0; number == 0 || goes_on(number); number++)
        run_phase(number);
    snprintf(meter.row->pattern, sizeof(meter.row->pattern), "end");
    int status = proc_end();
    snprintf(meter.row->pattern, sizeof(meter.row->pattern), "ended");
    return status;
}
