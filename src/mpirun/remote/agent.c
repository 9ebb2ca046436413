/* SPDX-License-Identifier: BSD-3-Clause
 *
 * agent: the command that carries a node daemon to another host, and the pipes to it.
 */
#include "mpirun/remote/agent.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mpirun/util/buf.h"
#include "mpirun/util/env.h"

#define WORDS_MAX 64 /* of an agent command, its host and the program with all */
#define WORDS_OWN 20 /* of these, at least, for what is added here: flags of srun, host, program, its mode, the end */

/* True if a shell takes the path as one plain word. */
static bool is_plain(const char *path)
{
    return path[strspn(path, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./+-,=@%:")] == '\0';
}

static char *quote(const char *path)
{
    struct hws_buf b = {0};
    hws_buf_append(&b, "'", 1);
    for (const char *s = path; *s; s++)
        hws_buf_printf(&b, *s == '\'' ? "'\\''" : "%c", *s);
    hws_buf_append(&b, "'", 2);
    char *text = hws_xstrdup(hws_buf_data(&b));
    hws_buf_free(&b);
    return text;
}

static int split_words(char *text, char **words, int n)
{
    char *save = NULL;
    for (char *w = strtok_r(text, " \t", &save); w && n < WORDS_MAX - WORDS_OWN; w = strtok_r(NULL, " \t", &save))
        words[n++] = w;
    return n;
}

static bool is_srun(char *const *words)
{
    const char *slash = strrchr(words[0], '/');
    return strcmp(slash ? slash + 1 : words[0], "srun") == 0;
}

/* srun is told the host by a flag; every other agent takes it as its next word, as rsh does. Unless it is told not to,
 * it passes output on in whole lines, and what a daemon says has none; and it binds the daemon, so its ranks, to one
 * processor. */
static int add_host(const char *host, char **words, int n)
{
    static char flags[][16] = {"--nodes=1", "--ntasks=1", "--mpi=none", "--unbuffered", "--cpu-bind=none", "-w"};
    for (size_t i = 0; is_srun(words) && i < sizeof flags / sizeof *flags; i++)
        words[n++] = flags[i];
    words[n++] = (char *)host;
    return n;
}

static int open_pipes(int ours[3], int theirs[3])
{
    for (int i = 0; i < 3; i++) {
        int fds[2];
        if (pipe2(fds, O_CLOEXEC) != 0)
            return errno;
        int own = i == 0 ? 1 : 0;
        fcntl(fds[own], F_SETFL, O_NONBLOCK);
        ours[i] = fds[own];
        theirs[i] = fds[!own];
    }
    return 0;
}

static void close_all(int fds[3])
{
    for (int i = 0; i < 3; i++) {
        if (fds[i] >= 0)
            close(fds[i]);
        fds[i] = -1;
    }
}

static int run(const struct hws_remote_config *cfg, char **words, const int theirs[3], pid_t *pid)
{
    extern char **environ;
    struct hws_env env = {0};
    const char *what;
    const char *dir = strchr(words[0], '/') ? cfg->cwd : "/"; /* a bare name is looked for in PATH alone */
    char *path = hws_find_program(words[0], dir, NULL, getenv("PATH"));
    if (!path)
        return errno;
    hws_env_add_all(&env, environ);
    hws_env_setf(&env, HWS_COOKIE_VAR "=%s", cfg->mark);
    if (is_srun(words)) /* the step shares processors with others of the allocation; before Slurm 20.11 all do */
        hws_env_setf(&env, "SLURM_OVERLAP=1");
    struct hws_launch launch = {.origin = cfg->origin,
                                .path = path,
                                .argv = words,
                                .env = env.vars,
                                .in = theirs[0],
                                .out = theirs[1],
                                .err = theirs[2],
                                .keep = {-1, -1},
                                .no_keys = true};
    int rc = hws_launch_run(&launch, pid, &what);
    *pid = rc ? 0 : *pid;
    hws_env_free(&env);
    free(path);
    return rc;
}

int hws_agent_run(const struct hws_remote_config *cfg, const char *agent, pid_t *pid, int fds[3])
{
    char *words[WORDS_MAX] = {NULL}, *command = hws_xstrdup(cfg->host ? agent : ""), *extra = hws_xstrdup(cfg->extra);
    char *mode = hws_xstrdup(cfg->mode ? cfg->mode : "--hawser-node");
    char *exe = is_plain(cfg->exe) || !cfg->host ? hws_xstrdup(cfg->exe) : quote(cfg->exe);
    int theirs[3] = {-1, -1, -1}, n = split_words(command, words, 0);
    int rc = n || !cfg->host ? open_pipes(fds, theirs) : ENOENT;
    if (!rc) {
        if (cfg->host)
            n = add_host(cfg->host, words, split_words(extra, words, n));
        words[n++] = exe;
        split_words(mode, words, n);
        rc = run(cfg, words, theirs, pid);
    }
    close_all(theirs);
    if (rc)
        close_all(fds);
    free(command);
    free(extra);
    free(mode);
    free(exe);
    return rc;
}
