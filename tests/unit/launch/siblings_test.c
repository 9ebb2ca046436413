/* SPDX-License-Identifier: BSD-3-Clause
 *
 * siblings_test: which ranks of a host have no process, in a /proc made by the test.
 */
#include "launch/siblings.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static char proc[] = "/tmp/siblings-XXXXXX";

static void put(int pid, const char *file, const char *data, size_t len)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%d", proc, pid);
    mkdir(path, 0700);
    snprintf(path, sizeof path, "%s/%d/%s", proc, pid, file);
    FILE *f = fopen(path, "w");
    cr_assert_not_null(f);
    fwrite(data, 1, len, f);
    fclose(f);
}

static void add(int pid, const char *name, char state, int parent, const char *var)
{
    char line[128];
    int n = snprintf(line, sizeof line, "%d (%s) %c %d 1 1", pid, name, state, parent);
    put(pid, "stat", line, (size_t)n);
    n = snprintf(line, sizeof line, "HOME=/%c%s%cX=1", 0, var, 0);
    put(pid, "environ", line, (size_t)n);
}

static void drop(void)
{
    char command[64];
    snprintf(command, sizeof command, "rm -r %s", proc);
    cr_assert_eq(system(command), 0);
}

/* Ranks 4 to 6 of a host; rank 5 runs below a shell. */
static void setup(void)
{
    cr_assert_not_null(mkdtemp(proc));
    add(10, "slurmstepd", 'S', 1, "");
    add(11, "prog (a) b", 'S', 10, "SLURM_PROCID=4");
    add(12, "sh", 'S', 10, "SLURM_PROCID=5");
    add(13, "prog", 'R', 12, "SLURM_PROCID=5");
    add(14, "prog", 'S', 10, "SLURM_PROCID=6");
}

TestSuite(siblings, .init = setup, .fini = drop);

static const int ranks[] = {4, 5, 6};

Test(siblings, all_live)
{
    cr_expect_eq(hws_siblings_missing(proc, 11, 4, ranks, 3), -1);
    cr_expect_eq(hws_siblings_missing(proc, 13, 5, ranks, 3), -1);
}

Test(siblings, one_has_left)
{
    add(14, "prog", 'Z', 10, "SLURM_PROCID=6");
    cr_expect_eq(hws_siblings_missing(proc, 13, 5, ranks, 3), 6);
    add(12, "sh", 'S', 1, "SLURM_PROCID=5");
    add(14, "prog", 'S', 10, "SLURM_PROCID=6");
    cr_expect_eq(hws_siblings_missing(proc, 11, 4, ranks, 3), 5);
}

Test(siblings, nothing_is_known_where_the_own_rank_is_not_found)
{
    add(11, "prog", 'S', 1, "SLURM_PROCID=4");
    cr_expect_eq(hws_siblings_missing(proc, 11, 4, ranks, 3), -1, "no daemon above it");
    add(11, "prog", 'S', 10, "PMI_RANK=4");
    cr_expect_eq(hws_siblings_missing(proc, 11, 4, ranks, 3), -1, "ranks of another launcher");
    cr_expect_eq(hws_siblings_missing(proc, 99, 4, ranks, 3), -1, "no such process");
}

Test(siblings, other_launchers)
{
    add(10, "hydra_pmi_proxy", 'S', 1, "");
    for (int i = 0; i < 3; i++)
        add(11 + i, "prog", 'S', 10, i == 0 ? "PMI_RANK=4" : i == 1 ? "PMI_RANK=6" : "PMI_SIZE=7");
    add(14, "other", 'S', 10, "");
    cr_expect_eq(hws_siblings_missing(proc, 11, 4, ranks, 3), 5);
}
