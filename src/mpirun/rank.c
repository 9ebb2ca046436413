/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rank: vfork and exec. Between the two the child runs on the parent's memory, which stands still meanwhile: it may only
 * make system calls and write the error where the parent looks for it.
 */
#include "mpirun/rank.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mpirun/buf.h"

void hws_origin_init(struct hws_origin *o)
{
    sigprocmask(SIG_SETMASK, NULL, &o->mask);
    if (getrlimit(RLIMIT_NOFILE, &o->nofile) != 0)
        o->nofile = (struct rlimit){1024, 1024};
    struct rlimit most = {o->nofile.rlim_max, o->nofile.rlim_max};
    setrlimit(RLIMIT_NOFILE, &most); /* a refusal shows when descriptors run out */
}

struct failure {
    int errnum;
    const char *what;
};

static void child_fail(volatile struct failure *f, const char *what)
{
    f->errnum = errno;
    f->what = what;
    _exit(127);
}

static void run_child(const struct hws_launch *l, pid_t parent, volatile struct failure *f)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(127);
    if (l->own_group)
        setpgid(0, 0);
    if (l->wdir && chdir(l->wdir) != 0)
        child_fail(f, "chdir");
    dup2(l->in, 0);
    dup2(l->out, 1);
    dup2(l->err, 2);
    if (l->keep >= 0)
        fcntl(l->keep, F_SETFD, 0);
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
    child_fail(f, "exec");
}

static int __attribute__((noinline)) run(const struct hws_launch *l, pid_t *pid, const char **what)
{
    volatile struct failure f = {0, NULL};
    pid_t parent = getpid();
    sigset_t all, old;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &old); /* no handler of ours may run in the child */
    pid_t child = vfork();
    if (child == 0)
        run_child(l, parent, &f); /* does not return */
    int fork_errno = errno;
    sigprocmask(SIG_SETMASK, &old, NULL);
    if (child < 0) {
        *what = "fork";
        return fork_errno;
    }
    *what = f.what;
    *pid = child;
    return f.errnum; /* the owner of SIGCHLD reaps a pid that it does not know */
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
