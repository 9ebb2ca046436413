/* SPDX-License-Identifier: BSD-3-Clause
 *
 * outlive: for programs of which a rank dies while the others look. The process that mpirun knows as the rank only made
 * the one that is the rank, and stays when that is killed, else the job would end before anybody has seen an error.
 */
#ifndef HWS_TESTS_OUTLIVE_H
#define HWS_TESTS_OUTLIVE_H

#include <sys/wait.h>
#include <unistd.h>

/* main: be_rank(arg) in a child. Returns its status; if a signal ended it, never: mpirun ends this process then. */
static inline int outlive(int (*be_rank)(const char *arg), const char *arg)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0)
        return be_rank(arg);
    while (waitpid(child, &status, 0) < 0)
        ;
    while (WIFSIGNALED(status))
        pause();
    return WEXITSTATUS(status);
}

#endif
