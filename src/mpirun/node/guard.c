/* SPDX-License-Identifier: BSD-3-Clause
 *
 * guard: forked before anything else happens, sleeps in read() and costs nothing while the job runs.
 */
#include "mpirun/node/guard.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "mpirun/util/buf.h"
#include "mpirun/util/spec.h"

#define ENVIRON_MAX  (4 << 20) /* bytes of one environment that are searched */
#define SWEEP_ROUNDS 100       /* a killed process takes a moment to go */
#define SWEEP_NS     10000000  /* between them ... */
#define FIRST_NS     100000    /* ... and before the second, when a rank's own children are killed */

/* False: it is another user's, or gone. */
static bool read_environ(const char *pid, struct hws_buf *b)
{
    char path[300];
    snprintf(path, sizeof path, "/proc/%s/environ", pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    b->start = b->len = 0;
    while (b->len < ENVIRON_MAX) {
        ssize_t n = read(fd, hws_buf_reserve(b, 16384), 16384);
        if (n <= 0)
            break;
        hws_buf_added(b, (size_t)n);
    }
    close(fd);
    return true;
}

static bool has_mark(const struct hws_buf *b, const char *mark)
{
    static const char var[] = HWS_COOKIE_VAR "=";
    const char *s = hws_buf_data(b), *end = s + b->len;
    while (s < end) {
        size_t len = strnlen(s, (size_t)(end - s));
        if (len >= sizeof var - 1 + strlen(mark) && memcmp(s, var, sizeof var - 1) == 0 &&
            memcmp(s + sizeof var - 1, mark, strlen(mark)) == 0)
            return true;
        s += len + 1;
    }
    return false;
}

/* Fields of /proc/PID/stat, by their numbers in proc(5). */
enum {
    STAT_STATE = 3,
    STAT_PARENT = 4,
    STAT_FLAGS = 9,
    STAT_CODE_START = 26,
    STAT_ENV_START = 50,
    STAT_ENV_END = 51,
    STAT_FIELDS = 52
};

#define IS_KERNEL_THREAD 0x00200000 /* PF_KTHREAD: has no environment */

/* Fills field[] with numbers (the state: its letter). False: there is no such process. */
static bool read_stat(const char *pid, unsigned long long field[STAT_FIELDS + 1])
{
    char path[300], text[2048];
    snprintf(path, sizeof path, "/proc/%s/stat", pid);
    FILE *f = fopen(path, "re");
    text[f ? fread(text, 1, sizeof text - 1, f) : 0] = '\0';
    if (f)
        fclose(f);
    char *name_end = strrchr(text, ')'), *rest = NULL; /* the name may hold anything */
    if (!name_end)
        return false;
    memset(field, 0, (STAT_FIELDS + 1) * sizeof *field);
    char *word = strtok_r(name_end + 1, " ", &rest);
    for (int i = STAT_STATE; word && i <= STAT_FIELDS; i++, word = strtok_r(NULL, " ", &rest))
        field[i] = i == STAT_STATE ? (unsigned char)*word : strtoull(word, NULL, 10);
    return true;
}

/* Whether what was just read, len bytes, is this process's whole environment. In the middle of an execve() it reads as
 * empty, or ends anywhere: the old one is gone and the new one not there yet. While Linux fills the new one in, it has
 * an end already, which is its start; where the code starts is said only after that (create_elf_tables and its caller
 * of Linux 6.18). */
static bool is_whole_environ(const char *pid, size_t len)
{
    unsigned long long field[STAT_FIELDS + 1];
    if (!read_stat(pid, field) || strchr("ZX", (int)field[STAT_STATE]) || field[STAT_FLAGS] & IS_KERNEL_THREAD)
        return true;
    return field[STAT_CODE_START] && field[STAT_ENV_END] &&
           (len >= ENVIRON_MAX || len == field[STAT_ENV_END] - field[STAT_ENV_START]);
}

static bool is_pid(const char *name)
{
    return name[0] >= '1' && name[0] <= '9';
}

/* SIGKILL to every child of this process. */
static void kill_children(void)
{
    DIR *dir = opendir("/proc");
    unsigned long long field[STAT_FIELDS + 1];
    for (struct dirent *d; dir && (d = readdir(dir));)
        if (is_pid(d->d_name) && read_stat(d->d_name, field) && field[STAT_PARENT] == (unsigned long long)getpid())
            kill((pid_t)atoi(d->d_name), SIGKILL);
    if (dir)
        closedir(dir);
}

/* False: there are none any more. */
static bool reap_children(void)
{
    pid_t pid;
    do
        pid = waitpid(-1, NULL, WNOHANG);
    while (pid > 0);
    return pid == 0;
}

/* Returns how many there were, with those of which it can't be told at this moment. */
static int kill_marked(const char *mark, struct hws_buf *scratch)
{
    DIR *dir = opendir("/proc");
    int n = 0;
    for (struct dirent *d; dir && (d = readdir(dir));) {
        pid_t pid = is_pid(d->d_name) ? (pid_t)atoi(d->d_name) : 0;
        if (pid <= 0 || pid == getpid() || !read_environ(d->d_name, scratch))
            continue;
        bool is_marked = has_mark(scratch, mark);
        if (is_marked)
            kill(pid, SIGKILL);
        n += is_marked || !is_whole_environ(d->d_name, scratch->len);
    }
    if (dir)
        closedir(dir);
    return n;
}

void hws_guard_sweep(const char *mark)
{
    struct hws_buf scratch = {0};
    for (int i = 0; kill_marked(mark, &scratch) && i < SWEEP_ROUNDS; i++)
        nanosleep(&(struct timespec){.tv_nsec = SWEEP_NS}, NULL);
    hws_buf_free(&scratch);
}

void hws_guard_adopt(struct hws_guard *g, bool runs_agents)
{
    bool has_others = runs_agents || waitid(P_ALL, 0, &(siginfo_t){0}, WEXITED | WNOHANG | WNOWAIT) == 0;
    *g = (struct hws_guard){.fd = -1, .adopts = !has_others && prctl(PR_SET_CHILD_SUBREAPER, 1) == 0};
}

void hws_guard_disown(struct hws_guard *g)
{
    if (g->adopts)
        prctl(PR_SET_CHILD_SUBREAPER, 0);
    g->adopts = false;
}

static void be_guard(int fd, const char *mark)
{
    static const int ignored[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGTSTP, SIGPIPE};
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
        signal(ignored[i], SIG_IGN);
    setsid();
    prctl(PR_SET_NAME, "mpirun-guard");
    dup2(fd, 0); /* the only descriptor it keeps: others would hold the user's pipes open */
    close_range(1, ~0u, 0);
    char byte;
    ssize_t n;
    do
        n = read(0, &byte, 1);
    while (n < 0);
    if (n == 0)
        hws_guard_sweep(mark);
    _exit(0);
}

void hws_guard_start(struct hws_guard *g, const char *mark)
{
    int fds[2];
    if (pipe2(fds, O_CLOEXEC) != 0)
        return; /* then PR_SET_PDEATHSIG alone has to do */
    pid_t pid = fork();
    if (pid == 0) {
        close(fds[1]);
        be_guard(fds[0], mark);
    }
    close(fds[0]);
    if (pid < 0) {
        close(fds[1]);
        return;
    }
    g->pid = pid;
    g->fd = fds[1];
}

static void dismiss(struct hws_guard *g)
{
    if (g->pid <= 0)
        return;
    ssize_t n = write(g->fd, "", 1);
    (void)n;
    close(g->fd);
    waitpid(g->pid, NULL, 0);
    g->pid = 0;
}

void hws_guard_end(struct hws_guard *g, const char *mark)
{
    dismiss(g);
    hws_guard_sweep(mark);
}

/* What one of the children leaves becomes a child in its turn. */
void hws_guard_stop(struct hws_guard *g, const char *mark)
{
    dismiss(g);
    if (!g->adopts && mark)
        hws_guard_sweep(mark);
    for (int i = 0; g->adopts && i < SWEEP_ROUNDS && reap_children(); i++) {
        kill_children();
        nanosleep(&(struct timespec){.tv_nsec = i ? SWEEP_NS : FIRST_NS}, NULL); /* the first round is mostly enough */
    }
}
