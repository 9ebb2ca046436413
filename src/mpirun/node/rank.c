/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rank: clone as vfork does it, and exec. Between the two the child runs on the parent's memory, which stands still
 * meanwhile: it may only make system calls and write the error where the parent looks for it.
 *
 * A node of 1024 ranks holds 3072 descriptors. vfork would copy the table of all of them for every rank and exec would
 * close each: a quarter of the time until all run. So the child shares the table until it takes its own, short copy.
 */
#include "mpirun/node/rank.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mpirun/util/buf.h"

#define OWN_ROOM    64         /* descriptors below those of the ranks: loop, guard, and the ends that go to a rank */
#define FILES_USUAL 1024       /* descriptors, where the limit is not told */
#define STATUS_NONE 127        /* exit status of a child that never became the program, as shells have it */
#define STACK_BYTES (32 << 10) /* system calls need far less */

/* Above all descriptors that are open now, with some room for what the launcher opens for itself. */
static int first_own(void)
{
    DIR *dir = opendir("/proc/self/fd");
    int last = 2;
    for (struct dirent *e; dir && (e = readdir(dir));)
        last = atoi(e->d_name) > last ? atoi(e->d_name) : last;
    if (dir)
        closedir(dir);
    return last + OWN_ROOM;
}

void hws_origin_init(struct hws_origin *o)
{
    sigprocmask(SIG_SETMASK, NULL, &o->mask);
    o->first_own = first_own();
    if (getrlimit(RLIMIT_NOFILE, &o->nofile) != 0)
        o->nofile = (struct rlimit){FILES_USUAL, FILES_USUAL};
    struct rlimit most = {o->nofile.rlim_max, o->nofile.rlim_max};
    setrlimit(RLIMIT_NOFILE, &most); /* a refusal shows when descriptors run out */
}

int hws_origin_raise(const struct hws_origin *o, int fd)
{
    int high = fcntl(fd, F_DUPFD_CLOEXEC, o->first_own);
    if (high < 0)
        return fd; /* the limit of descriptors: costs time, nothing else */
    close(fd);
    return high;
}

struct failure {
    int errnum;
    const char *what;
};

struct child {
    const struct hws_launch *launch;
    pid_t parent;
    volatile struct failure failure;
};

static int child_fail(volatile struct failure *f, const char *what)
{
    f->errnum = errno;
    f->what = what;
    return STATUS_NONE;
}

/* The child's own table: without what the launcher keeps for other ranks, unless this rank's ends are among it. */
static int take_table(const struct hws_launch *l)
{
    int fds[] = {l->in, l->out, l->err, l->keep[0], l->keep[1]};
    int from = l->origin->first_own;
    for (size_t i = 0; i < sizeof fds / sizeof *fds; i++)
        from = fds[i] >= from ? fds[i] + 1 : from;
    if (close_range((unsigned)from, ~0u, CLOSE_RANGE_UNSHARE) == 0)
        return 0;
    return unshare(CLONE_FILES); /* an old kernel: a copy of all; exec closes what must not go on */
}

/* Returns what the child exits with; only when it fails. */
static int run_child(void *arg)
{
    struct child *c = arg;
    const struct hws_launch *l = c->launch;
    volatile struct failure *f = &c->failure;
    if (take_table(l) != 0)
        return child_fail(f, "fork");
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != c->parent)
        return STATUS_NONE;
    if (l->own_group)
        setpgid(0, 0);
    if (l->wdir && chdir(l->wdir) != 0)
        return child_fail(f, "chdir");
    dup2(l->in, 0);
    dup2(l->out, 1);
    dup2(l->err, 2);
    for (int i = 0; i < 2; i++)
        if (l->keep[i] >= 0)
            fcntl(l->keep[i], F_SETFD, 0);
    setrlimit(RLIMIT_NOFILE, &l->origin->nofile);
    if (l->cpus)
        sched_setaffinity(0, sizeof *l->cpus, l->cpus); /* a refusal leaves the rank unbound, which is no failure */
    signal(SIGPIPE, SIG_DFL);
    if (l->no_keys) {
        signal(SIGINT, SIG_IGN);
        signal(SIGQUIT, SIG_IGN);
        signal(SIGTSTP, SIG_IGN);
    }
    sigprocmask(SIG_SETMASK, &l->origin->mask, NULL);
    execve(l->path, l->argv, l->env);
    return child_fail(f, "exec");
}

static int run(const struct hws_launch *l, pid_t *pid, const char **what)
{
    static _Alignas(64) char stack[STACK_BYTES]; /* of one child at a time: the parent stands still */
    struct child c = {.launch = l, .parent = getpid()};
    sigset_t all, old;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &old); /* no handler of ours may run in the child */
    pid_t child = clone(run_child, stack + sizeof stack, CLONE_VM | CLONE_VFORK | CLONE_FILES | SIGCHLD, &c);
    int fork_errno = errno;
    sigprocmask(SIG_SETMASK, &old, NULL);
    if (child < 0) {
        *what = "fork";
        return fork_errno;
    }
    *what = c.failure.what;
    *pid = child;
    return c.failure.errnum; /* the owner of SIGCHLD reaps a pid that it does not know */
}

/* A text file that is executable but names no interpreter: the shell runs it, as execvp would have it. */
static int run_as_script(const struct hws_launch *l, pid_t *pid, const char **what)
{
    size_t n = 0;
    while (l->argv[n])
        n++;
    char **argv = hws_xcalloc(n + 2, sizeof *argv);
    argv[0] = (char *)"/bin/sh";
    argv[1] = (char *)l->path;
    for (size_t i = 1; i < n; i++)
        argv[i + 1] = l->argv[i];
    struct hws_launch script = *l;
    script.path = "/bin/sh";
    script.argv = argv;
    int rc = run(&script, pid, what);
    free(argv);
    return rc;
}

int hws_launch_run(const struct hws_launch *l, pid_t *pid, const char **what)
{
    int rc = run(l, pid, what);
    return rc == ENOEXEC ? run_as_script(l, pid, what) : rc;
}

/* The path if it is a file that may be executed; notes EACCES for one that is there but may not. */
static bool is_program(const char *path, int *errnum)
{
    struct stat st;
    if (stat(path, &st) != 0)
        return false;
    if (S_ISREG(st.st_mode) && access(path, X_OK) == 0)
        return true;
    *errnum = EACCES;
    return false;
}

static char *join(const char *dir, size_t dir_len, const char *wdir, const char *name)
{
    if (dir_len && dir[0] == '/')
        return hws_xprintf("%.*s/%s", (int)dir_len, dir, name);
    return hws_xprintf("%s/%.*s%s%s", wdir, (int)dir_len, dir, dir_len ? "/" : "", name);
}

static char *find_in(const char *dirs, const char *wdir, const char *name, int *errnum)
{
    while (dirs && *dirs) {
        size_t len = strcspn(dirs, ":");
        char *path = join(dirs, len, wdir, name);
        if (is_program(path, errnum))
            return path;
        free(path);
        dirs += len + (dirs[len] == ':');
    }
    return NULL;
}

char *hws_find_program(const char *name, const char *wdir, const char *first, const char *search)
{
    int errnum = ENOENT;
    char *path = NULL;
    if (!strchr(name, '/')) {
        path = find_in(first, wdir, name, &errnum);
        if (!path)
            path = find_in(search ? search : "/usr/local/bin:/usr/bin:/bin", wdir, name, &errnum);
    }
    if (path)
        return path;
    path = name[0] == '/' ? hws_xstrdup(name) : join("", 0, wdir, name);
    if (*name && is_program(path, &errnum))
        return path;
    free(path);
    errno = errnum;
    return NULL;
}
