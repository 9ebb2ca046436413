/* SPDX-License-Identifier: BSD-3-Clause
 *
 * file_test: small files, whole, cut and missing.
 */
#include "base/file.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static char name[] = "/tmp/file.XXXXXX";

static void begin(void)
{
    int fd = mkstemp(name);
    cr_assert_geq(fd, 0);
    cr_assert_eq(write(fd, "some text\n", 10), 10);
    close(fd);
}

static void end(void)
{
    unlink(name);
}

TestSuite(file, .init = begin, .fini = end);

Test(file, is_read_whole)
{
    char text[64];
    cr_expect_eq(hws_file_text(name, text, sizeof text), text);
    cr_expect_str_eq(text, "some text\n");
}

Test(file, is_cut_where_there_is_no_more_room)
{
    char text[5];
    memset(text, 'x', sizeof text);
    cr_expect_str_eq(hws_file_text(name, text, sizeof text), "some");
}

Test(file, is_empty_where_there_is_none)
{
    char text[8] = "before";
    cr_expect_str_eq(hws_file_text("/proc/none/of/these", text, sizeof text), "");
    cr_expect_str_eq(hws_file_text("/proc", text, sizeof text), "", "a folder");
}

static void await_state(pid_t pid, char state)
{
    while (hws_process_state(pid) != state)
        usleep(1000);
}

Test(file, a_process_is_seen_in_all_its_states)
{
    cr_expect_eq(hws_process_state(getpid()), 'R');
    pid_t pid = fork();
    if (pid == 0)
        prctl(PR_SET_PDEATHSIG, SIGKILL); /* also where the test fails */
    while (pid == 0)
        pause();
    await_state(pid, 'S');
    kill(pid, SIGSTOP);
    await_state(pid, 'T');
    kill(pid, SIGKILL);
    await_state(pid, 'Z');
    waitpid(pid, NULL, 0);
    cr_expect_eq(hws_process_state(pid), 0);
}
