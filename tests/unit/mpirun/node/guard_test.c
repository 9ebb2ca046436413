/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpirun/node/guard.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mpirun/util/spec.h"

enum { N_CHILDREN = 4, N_VARIABLES = 50000, N_LINKS = 400 };

static void make_mark(char mark[40])
{
    snprintf(mark, 40, "guard-test-%d", (int)getpid());
}

/* A process with that mark in its environment, which runs this text as a shell's program; it has become the shell. */
static pid_t start(const char *mark, const char *program)
{
    int fds[2];
    char byte;
    cr_assert_eq(pipe2(fds, O_CLOEXEC), 0);
    pid_t pid = fork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        setenv(HWS_COOKIE_VAR, mark, 1);
        execl("/bin/sh", "sh", "-c", program, program, (char *)NULL);
        _exit(127);
    }
    cr_assert_gt(pid, 0);
    close(fds[1]);
    cr_assert_eq(read(fds[0], &byte, 1), 0);
    close(fds[0]);
    return pid;
}

/* Becomes /bin/sh again and again, so it is mostly in the middle of an execve(), when /proc shows no environment. */
static const char AGAIN[] = "exec sh -c \"$0\" \"$0\"";

static void expect_killed(pid_t pid)
{
    int status;
    cr_assert_eq(waitpid(pid, &status, 0), pid);
    cr_expect(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL, "pid %d ended with %#x", (int)pid, status);
}

/* What the guard misses would run on for ever: it is found by its end, so a miss hangs until the test's time is up. */
Test(guard, what_is_becoming_another_program_is_found, .timeout = 120)
{
    char mark[40];
    make_mark(mark);
    for (int round = 0; round < 20; round++) {
        pid_t pids[N_CHILDREN];
        for (int i = 0; i < N_CHILDREN; i++)
            pids[i] = start(mark, AGAIN);
        hws_guard_sweep(mark);
        for (int i = 0; i < N_CHILDREN; i++)
            expect_killed(pids[i]);
    }
}

static bool is_named(pid_t pid, const char *name)
{
    char path[40], text[32] = "";
    snprintf(path, sizeof path, "/proc/%d/comm", (int)pid);
    FILE *f = fopen(path, "re");
    cr_assert_not_null(f);
    cr_assert_not_null(fgets(text, sizeof text, f));
    fclose(f);
    return strncmp(text, name, strlen(name)) == 0;
}

/* Linux takes its time to lay out that many variables, in which the environment has a place already and reads as empty.
 * env(1) does little with them: a chain of it, which ends in a program that stays, is there for much of its time. */
Test(guard, what_has_not_all_of_its_environment_yet_is_found, .timeout = 120)
{
    static char text[N_VARIABLES][12], *variables[N_VARIABLES + 1], program[4 * N_LINKS + 32];
    char mark[40];
    for (int i = 0; i < N_VARIABLES; i++) {
        snprintf(text[i], sizeof text[i], "V%d=1", i);
        variables[i] = text[i];
    }
    environ = variables;
    int at = snprintf(program, sizeof program, "exec ");
    for (int i = 0; i < N_LINKS; i++)
        at += snprintf(program + at, sizeof program - (size_t)at, "env ");
    snprintf(program + at, sizeof program - (size_t)at, "sleep 300");
    make_mark(mark);
    for (int round = 0; round < 20; round++) {
        pid_t pid = start(mark, program);
        while (is_named(pid, "sh"))
            usleep(1000);
        hws_guard_sweep(mark);
        expect_killed(pid);
    }
}

Test(guard, what_has_another_mark_or_none_is_left)
{
    char mark[40], other[60];
    make_mark(mark);
    snprintf(other, sizeof other, "not-%s", mark);
    pid_t pid = start(other, "exec sleep 300");
    hws_guard_sweep(mark);
    usleep(20000);
    cr_expect_eq(waitpid(pid, NULL, WNOHANG), 0, "it must still run");
    kill(pid, SIGKILL);
    expect_killed(pid);
}
