/* SPDX-License-Identifier: BSD-3-Clause
 *
 * jobs_test: two jobs of one mpirun, with the same rank numbers and the same keys, on this host, on another one by a
 * daemon, and on both. The second dies by a signal; the first goes on and exchanges keys once more. What is killed,
 * said and left behind is each job's own.
 */
#include "mpirun/job/job_priv.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mpirun/cli/parse.h"

#define POLL_S 0.02

static char dir[] = "/tmp/hawser-jobs-XXXXXX", own[256] = "localhost";
static struct mpirun *m;
static struct hws_args args[2];
static struct hws_place places[2];
static struct hws_loop_timer *timer;

static void write_file(const char *name, const char *text, mode_t mode)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, mode);
    cr_assert(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text), "%s", path);
    close(fd);
}

static const char *read_file(const char *name)
{
    static char text[8192], path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    int fd = open(path, O_RDONLY);
    ssize_t n = fd >= 0 ? read(fd, text, sizeof text - 1) : 0;
    if (fd >= 0)
        close(fd);
    text[n > 0 ? n : 0] = '\0';
    return text;
}

/* mpirun, and a remote shell whose hosts are all this one. */
static void make_tools(void)
{
    char path[PATH_MAX], mpirun[PATH_MAX];
    cr_assert_not_null(mkdtemp(dir));
    snprintf(path, sizeof path, "%s/bin", dir);
    cr_assert_eq(mkdir(path, 0700), 0);
    cr_assert_not_null(realpath("mpirun", mpirun), "the test runs in the build tree");
    snprintf(path, sizeof path, "%s/bin/mpirun", dir);
    cr_assert_eq(symlink(mpirun, path), 0);
    write_file("rsh", "#!/bin/sh\nshift\nexec \"$@\"\n", 0700);
    gethostname(own, sizeof own - 1);
}

/* The ranks are a shell's words, with what these need in their environment. What is given stays the command line's. */
static void make_args(int k, const char *words)
{
    static char **lines[2];
    char err[512] = "", client[PATH_MAX];
    cr_assert_not_null(realpath("tests/proc/pmi_client", client));
    const char *list[] = {"mpirun",  "-tag-output",
                          "-stdin",  "none",
                          "-rsh",    hws_xprintf("%s/rsh", dir),
                          "-prefix", dir,
                          "-x",      hws_xprintf("CLIENT=%s", client),
                          "-x",      hws_xprintf("DIR=%s", dir),
                          "sh",      "-c",
                          words};
    int n = sizeof list / sizeof *list;
    lines[k] = hws_xcalloc((size_t)n + 1, sizeof *lines[k]);
    memcpy(lines[k], list, sizeof list);
    cr_assert_eq(hws_args_parse(&args[k], n, lines[k], err, sizeof err), 0, "%s", err);
}

/* Two ranks, on one host or each on its own. */
static void make_place(struct hws_place *p, char *first, char *second)
{
    *p = (struct hws_place){.size = 2, .n_nodes = strcmp(first, second) ? 2 : 1, .n_slots = 2};
    p->ranks = calloc(2, sizeof *p->ranks);
    p->ranks[1].node = p->n_nodes - 1;
    p->nodes = calloc(2, sizeof *p->nodes);
    p->nodes[0] = first;
    p->nodes[1] = second;
}

/* Both leave a process behind. The first job waits for `go` between its exchanges. Of the second, rank 1 is killed once
 * rank 0 has said its word, which then does not listen to SIGTERM. */
#define LEAVE(job) "setsid sleep 300 >/dev/null 2>&1 & echo $! >$DIR/left." job ".$PMI_RANK; "
#define WAIT(file) "while ! [ -s $DIR/" file " ]; do sleep 0.02; done; "
static const char first_words[] =
    LEAVE("0") "$CLIENT long=100 print || exit; echo one here >&2; " WAIT("go") "$CLIENT long=300 && echo went on";
static const char second_words[] = LEAVE(
    "1") "$CLIENT long=5000 print || exit; [ $PMI_RANK = 1 ] || echo yes >$DIR/said; [ $PMI_RANK = 1 ] || trap '' "
         "TERM; [ $PMI_RANK = 1 ] || exec sleep 300; " WAIT("said") WAIT("left.0.0") WAIT("left.0.1") "kill -9 $$";

static pid_t left_by(int job, int rank)
{
    char name[32];
    snprintf(name, sizeof name, "left.%d.%d", job, rank);
    return (pid_t)atoi(read_file(name));
}

/* A process that nobody has reaped yet is gone, too. */
static bool is_there(pid_t pid)
{
    char path[64], line[512] = "";
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *f = fopen(path, "r");
    bool is_read = f && fgets(line, sizeof line, f);
    if (f)
        fclose(f);
    return is_read && strrchr(line, ')') && strrchr(line, ')')[2] != 'Z';
}

/* Lets the first job go on when all of the second is gone. */
static void look(void *arg)
{
    (void)arg;
    if (!m->jobs[1]->end.is_put_away || is_there(left_by(1, 0)) || is_there(left_by(1, 1))) {
        hws_loop_timer_start(timer, POLL_S);
        return;
    }
    for (int rank = 0; rank < 2; rank++)
        cr_expect(is_there(left_by(0, rank)), "what the other job's rank %d started went with it", rank);
    cr_expect_eq(m->jobs[0]->state, JOB_RUNNING);
    cr_expect_not(m->jobs[0]->end.is_over);
    write_file("go", "yes", 0600);
}

static void add(int k)
{
    cr_assert_eq(hws_mpirun_add_job(m, &args[k], &places[k]), 0);
}

static void add_second(void *arg)
{
    if (m->jobs[0]->state != JOB_RUNNING) {
        hws_loop_timer_start(timer, POLL_S);
        return;
    }
    add(1);
    hws_loop_timer_fini(timer);
    timer = hws_loop_timer(m->loop, look, arg);
    hws_loop_timer_start(timer, POLL_S);
}

static int count(const char *text, const char *part)
{
    int n = 0;
    for (const char *at = text; (at = strstr(at, part)); at++)
        n++;
    return n;
}

static void check_words(const char *killed_on)
{
    const char *out = read_file("out");
    for (int rank = 0; rank < 2; rank++) {
        char line[64];
        snprintf(line, sizeof line, "[%d] rank %d of 2", rank, rank);
        cr_expect_eq(count(out, line), 1, "%s", out);
        snprintf(line, sizeof line, "[1:%d] rank %d of 2", rank, rank);
        cr_expect_eq(count(out, line), 1, "%s", out);
        snprintf(line, sizeof line, "[%d] went on\n", rank);
        cr_expect_eq(count(out, line), 1, "%s", out);
    }
    const char *err = read_file("err");
    char line[512];
    snprintf(line, sizeof line, "mpirun: job 1: rank 1 on host %s (pid ", killed_on);
    cr_expect_eq(count(err, line), 1, "%s", err);
    cr_expect_eq(count(err, "was killed by signal 9 (SIGKILL)"), 1, "%s", err);
    cr_expect_eq(count(err, "[0] one here\n") + count(err, "[1] one here\n"), 2, "%s", err);
    cr_expect_eq(count(err, "\n"), 3, "%s", err);
}

static void check_jobs(void)
{
    const struct hws_spec *a = &m->jobs[0]->nodes[0].spec, *b = &m->jobs[1]->nodes[0].spec;
    cr_expect_neq(memcmp(a->secret, b->secret, sizeof a->secret), 0, "each job has a secret of its own");
    cr_expect_neq(m->jobs[0]->id, m->jobs[1]->id);
    cr_expect_str_neq(a->job, b->job);
    cr_expect_eq(m->jobs[0]->end.failure.cause, HWS_CAUSE_NONE);
    cr_expect_eq(m->jobs[1]->end.failure.cause, HWS_CAUSE_SIGNAL);
    cr_expect(m->jobs[0]->end.is_over && m->jobs[1]->end.is_over);
}

static void redirect(int fd, const char *name)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0600);
    cr_assert_geq(dup2(file, fd), 0);
    close(file);
}

static void clean_up(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", dir);
    cr_expect_eq(system(command), 0);
}

/* Rank 0 of both jobs runs on the first host, rank 1 on the second. late: the second job begins when the first runs. */
static void run_two(char *first, char *second, bool late)
{
    struct hws_origin origin;
    const char *words[] = {first_words, second_words};
    make_tools();
    for (int k = 0; k < 2; k++) {
        make_args(k, words[k]);
        make_place(&places[k], *first ? first : own, *second ? second : own);
    }
    int saved[2] = {dup(1), dup(2)};
    redirect(1, "out");
    redirect(2, "err");
    hws_origin_init(&origin);
    m = hws_mpirun_open(&args[0], &origin);
    cr_assert_not_null(m);
    add(0);
    if (!late)
        add(1);
    timer = hws_loop_timer(m->loop, late ? add_second : look, NULL);
    hws_loop_timer_start(timer, POLL_S);
    int status = hws_mpirun_run(m);
    dup2(saved[0], 1);
    dup2(saved[1], 2);
    cr_expect_eq(status, HWS_STATUS_SIGNAL + SIGKILL);
    check_jobs();
    check_words(*second ? second : own);
    for (int rank = 0; rank < 2; rank++)
        cr_expect_not(is_there(left_by(0, rank)), "rank %d left a process behind", rank);
    clean_up();
}

Test(jobs, on_this_host, .timeout = 60)
{
    run_two((char *)"", (char *)"", false);
}

Test(jobs, on_another_host, .timeout = 60)
{
    run_two((char *)"far1", (char *)"far1", false);
}

Test(jobs, on_both_hosts, .timeout = 60)
{
    run_two((char *)"", (char *)"far1", false);
}

Test(jobs, the_second_begins_on_hosts_that_the_first_has_reached, .timeout = 60)
{
    run_two((char *)"far1", (char *)"far2", true);
}

Test(jobs, the_second_begins_on_this_host_while_the_first_runs, .timeout = 60)
{
    run_two((char *)"", (char *)"", true);
}
