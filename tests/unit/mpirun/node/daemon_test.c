/* SPDX-License-Identifier: BSD-3-Clause
 *
 * daemon_test: a node daemon with frames about several jobs, and about none that it knows.
 */
#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "launch/pmi.h"
#include "mpirun/util/proto.h"

static int to, from;
static pid_t pid;
static struct hws_buf in, out;

/* mpirun of the build tree, with pipes. */
static void start_daemon(void)
{
    int down[2], up[2];
    cr_assert(pipe(down) == 0 && pipe(up) == 0);
    pid = fork();
    if (pid == 0) {
        dup2(down[0], 0);
        dup2(up[1], 1);
        for (int i = 0; i < 2; i++) {
            close(down[i]);
            close(up[i]);
        }
        execl("./mpirun", "mpirun", "--hawser-node", NULL);
        _exit(99);
    }
    close(down[0]);
    close(up[1]);
    to = down[1];
    from = up[0];
}

/* A job's name is known by it alone: what a closed job has left is found by the name, and other tests run beside. */
static const char *name_of(char letter)
{
    static char names[26][HWS_JOB_NAME_MAX];
    char *name = names[letter - 'a'];
    snprintf(name, sizeof names[0], "daemon-test-%ld-%c", (long)getpid(), letter);
    return name;
}

static uint64_t id_of(char letter)
{
    return hws_pmi_id_of_job(name_of(letter), strlen(name_of(letter)));
}

/* A shell of one rank: both jobs have a rank 0. */
static void add_start(char job, uint64_t id, const char *words)
{
    char *argv[] = {(char *)"sh", (char *)"-c", (char *)words, NULL}, *env[] = {(char *)"PATH=/usr/bin:/bin", NULL};
    struct hws_app app = {.argv = argv};
    struct hws_spec_rank rank = {0, 0};
    struct hws_spec s = {.size = 1,
                         .universe_size = 1,
                         .stdin_rank = -1,
                         .cwd = (char *)"/",
                         .env = env,
                         .apps = &app,
                         .n_apps = 1,
                         .ranks = &rank,
                         .n_ranks = 1};
    snprintf(s.job, sizeof s.job, "%s", name_of(job));
    size_t begin = hws_frame_begin(&out, HWS_PROTO_START, id);
    hws_spec_encode(&s, &out);
    hws_frame_end(&out, begin);
}

static void add_u32(enum hws_proto_type type, uint64_t job, uint32_t v)
{
    size_t begin = hws_frame_begin(&out, type, job);
    hws_add_u32(&out, v);
    hws_frame_end(&out, begin);
}

static void add_empty(enum hws_proto_type type, uint64_t job)
{
    hws_frame_end(&out, hws_frame_begin(&out, type, job));
}

static void say(void)
{
    cr_assert_eq(write(to, hws_buf_data(&out), out.len), (ssize_t)out.len);
    hws_buf_consume(&out, out.len);
}

/* The next frame of that type; what comes before it is left out. */
static struct hws_proto_frame hear(enum hws_proto_type type)
{
    struct hws_proto_frame f;
    for (;;) {
        int rc = hws_frame_peek(&in, &f);
        cr_assert_geq(rc, 0);
        if (rc > 0 && f.type == type)
            return f;
        if (rc > 0) {
            hws_buf_consume(&in, HWS_PROTO_HEADER + f.len);
            continue;
        }
        ssize_t n = read(from, hws_buf_reserve(&in, 4096), 4096);
        cr_assert_gt(n, 0, "the daemon said no more");
        hws_buf_added(&in, (size_t)n);
    }
}

static void forget(const struct hws_proto_frame *f)
{
    hws_buf_consume(&in, HWS_PROTO_HEADER + f->len);
}

static void skip_banner(void)
{
    size_t len = strlen(HWS_PROTO_BANNER);
    char line[64];
    for (size_t at = 0; at < len;) {
        ssize_t n = read(from, line + at, len - at);
        cr_assert_gt(n, 0);
        at += (size_t)n;
    }
    cr_assert_eq(memcmp(line, HWS_PROTO_BANNER, len), 0);
}

static int status_of_daemon(void)
{
    int status;
    cr_assert_eq(waitpid(pid, &status, 0), pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void expect_exit(uint64_t job, uint32_t wait_status)
{
    struct hws_proto_frame f = hear(HWS_PROTO_EXIT);
    struct hws_reader r = {.data = f.data, .len = f.len};
    cr_expect_eq(f.job, job);
    cr_expect_eq(hws_read_u32(&r), 0u);
    cr_expect_eq(hws_read_u32(&r), wait_status);
    forget(&f);
}

Test(daemon, frames_say_which_job_they_are_about, .timeout = 30)
{
    uint64_t a = id_of('a'), b = id_of('b');
    start_daemon();
    skip_banner();
    add_start('a', a, "exec sleep 300");
    add_start('b', b, "exit 7");
    say();
    expect_exit(b, 7 << 8);
    struct hws_proto_frame f = hear(HWS_PROTO_DRAINED);
    cr_expect_eq(f.job, b);
    forget(&f);
    add_empty(HWS_PROTO_CLOSE, b);
    add_u32(HWS_PROTO_SIGNAL, a, SIGTERM);
    say();
    expect_exit(a, SIGTERM);
    add_start('b', b, "exit 8"); /* it knows nothing any more of what was closed */
    say();
    expect_exit(b, 8 << 8);
    add_u32(HWS_PROTO_END, 0, 0);
    say();
    cr_expect_eq(status_of_daemon(), 0);
}

/* What mpirun never says ends the daemon. */
static void expect_refusal(void)
{
    skip_banner();
    say();
    cr_expect_eq(status_of_daemon(), 1);
}

Test(daemon, a_job_that_it_does_not_know_is_refused, .timeout = 30)
{
    start_daemon();
    add_u32(HWS_PROTO_SIGNAL, id_of('a'), SIGTERM);
    expect_refusal();
}

Test(daemon, a_job_that_was_closed_is_refused, .timeout = 30)
{
    start_daemon();
    add_start('a', id_of('a'), "exec sleep 300");
    add_empty(HWS_PROTO_CLOSE, id_of('a'));
    add_empty(HWS_PROTO_REPORT, id_of('a'));
    expect_refusal();
}

Test(daemon, a_job_cannot_start_twice, .timeout = 30)
{
    start_daemon();
    add_start('a', id_of('a'), "exec sleep 300");
    add_start('a', id_of('a'), "exec sleep 300");
    expect_refusal();
}

Test(daemon, the_id_is_that_of_the_name, .timeout = 30)
{
    start_daemon();
    add_start('a', id_of('b'), "exec sleep 300");
    expect_refusal();
}

Test(daemon, what_is_about_the_host_is_about_no_job, .timeout = 30)
{
    start_daemon();
    add_start('a', id_of('a'), "exec sleep 300");
    add_u32(HWS_PROTO_END, id_of('a'), 0);
    expect_refusal();
}
