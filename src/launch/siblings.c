/* SPDX-License-Identifier: BSD-3-Clause
 *
 * siblings: reads /proc. Each rank is a child of the launcher's daemon, or below one that has the rank's environment
 * (a shell, a wrapper).
 */
#include "launch/siblings.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"

static const struct {
    const char *name;     /* of the daemon, as the kernel cuts it: 15 characters */
    const char *rank_var; /* what it gives to each rank */
} daemons[] = {
    {"slurmstepd", "SLURM_PROCID="}, {"hydra_pmi_proxy", "PMI_RANK="}, {"orted", "PMIX_RANK="},
    {"orterun", "PMIX_RANK="},       {"mpirun.openmpi", "PMIX_RANK="}, {"mpiexec.openmpi", "PMIX_RANK="},
    {"mpirun", "PMIX_RANK="},        {"mpiexec", "PMIX_RANK="},        {"prterun", "PMIX_RANK="},
    {"prte", "PMIX_RANK="},          {"prted", "PMIX_RANK="},
};

struct process {
    char name[64], state;
    int parent;
};

static bool read_process(const char *proc, int pid, struct process *p)
{
    char path[256], line[512];
    snprintf(path, sizeof path, "%s/%d/stat", proc, pid);
    FILE *f = fopen(path, "re");
    if (!f)
        return false;
    bool ok = fgets(line, sizeof line, f) != NULL;
    fclose(f);
    char *from = ok ? strchr(line, '(') : NULL, *end = ok ? strrchr(line, ')') : NULL;
    if (!from || !end || end < from)
        return false;
    snprintf(p->name, sizeof p->name, "%.*s", (int)(end - from - 1), from + 1);
    return sscanf(end + 1, " %c %d", &p->state, &p->parent) == 2;
}

/* The row of the daemon above process `pid`, and its number. -1: none. */
static int find_daemon(const char *proc, int pid, int *daemon)
{
    struct process p;
    while (pid > 1 && read_process(proc, pid, &p)) {
        for (size_t i = 0; i < HWS_ARRAY_LEN(daemons); i++) {
            if (strcmp(p.name, daemons[i].name) == 0) {
                *daemon = pid;
                return (int)i;
            }
        }
        pid = p.parent;
    }
    return -1;
}

/* The rank in a process's environment; -1: it has none; -2: it may not be read. */
static int rank_of(const char *proc, int pid, const char *rank_var)
{
    char path[256], *word = NULL;
    size_t cap = 0, len = strlen(rank_var);
    int rank = -1;
    snprintf(path, sizeof path, "%s/%d/environ", proc, pid);
    FILE *f = fopen(path, "re");
    if (!f)
        return -2;
    while (rank < 0 && getdelim(&word, &cap, '\0', f) > 0)
        if (strncmp(word, rank_var, len) == 0)
            rank = atoi(word + len);
    free(word);
    fclose(f);
    return rank;
}

/* Marks the ranks that have a process. False: it cannot be told. */
static bool mark(const char *proc, int daemon, const char *rank_var, const int *ranks, int n, bool *alive)
{
    DIR *dir = opendir(proc);
    bool known = dir != NULL;
    struct dirent *e;
    while (known && (e = readdir(dir))) {
        struct process p;
        int pid = atoi(e->d_name);
        if (pid <= 0 || !read_process(proc, pid, &p) || p.parent != daemon || strchr("ZX", p.state))
            continue;
        int rank = rank_of(proc, pid, rank_var);
        known = rank != -2 || !read_process(proc, pid, &p) || strchr("ZX", p.state); /* it may just have ended */
        for (int i = 0; i < n; i++)
            alive[i] = alive[i] || ranks[i] == rank;
    }
    if (dir)
        closedir(dir);
    return known;
}

int hws_siblings_missing(const char *proc, int pid, int me, const int *ranks, int n)
{
    int daemon, row = find_daemon(proc, pid, &daemon), missing = -1;
    bool sees_me = false;
    bool *alive = row >= 0 && n > 0 ? calloc((size_t)n, sizeof *alive) : NULL;
    if (!alive)
        return -1;
    if (mark(proc, daemon, daemons[row].rank_var, ranks, n, alive))
        for (int i = n - 1; i >= 0; i--) {
            missing = alive[i] ? missing : ranks[i];
            sees_me = sees_me || (alive[i] && ranks[i] == me);
        }
    free(alive);
    return sees_me ? missing : -1;
}
