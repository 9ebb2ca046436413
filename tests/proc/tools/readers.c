/* SPDX-License-Identifier: BSD-3-Clause
 *
 * readers: whom a rank lets read its memory. Argument: 1, where long messages may be copied from the sender's memory,
 * else 0. Yama's scope 1 asks for a right to be given; nobody gets one elsewhere, or where nothing is copied so, and
 * never everybody.
 */
#define _GNU_SOURCE
#include <stdarg.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "proc.h"

static int n_rights;
static unsigned long reader;

/* The library's calls come here. */
int prctl(int option, ...)
{
    unsigned long arg[4];
    va_list ap;
    va_start(ap, option);
    for (int i = 0; i < 4; i++)
        arg[i] = va_arg(ap, unsigned long);
    va_end(ap);
    if (option == PR_SET_PTRACER) {
        n_rights++;
        reader = arg[0];
    }
    return (int)syscall(SYS_prctl, option, arg[0], arg[1], arg[2], arg[3]);
}

int main(int argc, char **argv)
{
    char scope = '0';
    FILE *f = fopen("/proc/sys/kernel/yama/ptrace_scope", "r");
    if (f && fread(&scope, 1, 1, f) != 1)
        scope = '0';
    if (f)
        fclose(f);
    proc_begin(&argc, &argv);
    int may_copy = argc > 1 && atoi(argv[1]);
    check_eq(n_rights, may_copy && scope == '1');
    check(!n_rights || (reader && reader != PR_SET_PTRACER_ANY));
    return proc_end();
}
