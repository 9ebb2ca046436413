/* SPDX-License-Identifier: BSD-3-Clause
 *
 * plain: runs the tests that criterion.h of this folder has collected, each in its own process, and prints TAP.
 */
#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LIMIT_S = 120, SKIPPED = 77 };

static struct plain_test *first, **last = &first;

void plain_add(struct plain_test *t)
{
    *last = t;
    last = &t->next;
}

void plain_fail(const char *file, int line, const char *what, const char *fmt, ...)
{
    va_list ap;
    printf("# %s:%d: %s:", file, line, what);
    va_start(ap, fmt);
    vprintf(fmt, ap);
    va_end(ap);
    printf("\n");
    fflush(stdout);
    _exit(1);
}

void plain_skip(const char *fmt, ...)
{
    va_list ap;
    printf("# skipped: ");
    va_start(ap, fmt);
    vprintf(fmt, ap);
    va_end(ap);
    printf("\n");
    fflush(stdout);
    _exit(SKIPPED);
}

static int run(const struct plain_test *t)
{
    int status = 0;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        alarm(LIMIT_S);
        if (t->options->init)
            t->options->init();
        t->run();
        if (t->options->fini)
            t->options->fini();
        fflush(stdout);
        _exit(0);
    }
    if (child < 0 || waitpid(child, &status, 0) < 0)
        return 1;
    if (WIFSIGNALED(status))
        printf("# ended by signal %d\n", WTERMSIG(status));
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

int main(void)
{
    int n = 0, failed = 0;
    for (const struct plain_test *t = first; t; t = t->next) {
        int rc = run(t);
        failed += rc != 0 && rc != SKIPPED;
        printf("%s %d - %s%s\n", rc == 0 || rc == SKIPPED ? "ok" : "not ok", ++n, t->name,
               rc == SKIPPED ? " # SKIP" : "");
    }
    printf("1..%d\n", n);
    return failed || !n;
}
