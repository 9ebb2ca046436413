/* SPDX-License-Identifier: BSD-3-Clause
 *
 * job_report: mpirun listens on a socket whose name, in the kernel's own space of names, holds its process number; who
 * connects and is of the same user gets the report and the end.
 */
#include "mpirun/job/job_report.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "mpirun/job/job_priv.h"
#include "mpirun/job/standing.h"

#define ANSWER_S  1.0 /* for the hosts: they answer at once unless they, or the network, are stuck */
#define PATIENT_S 10  /* of who asks by -report */
#define ASKERS    8   /* at once */

struct hws_reports {
    struct job *job;
    struct hws_standing standing;
    struct hws_loop_timer *timer;
    bool is_open;       /* a question is */
    char *has_answered; /* a host has */
    int n_due;          /* hosts that will */
    bool is_loud;       /* for standard error, too */
    void (*then)(struct job *j);
    int askers[ASKERS]; /* sockets */
    int n_askers;
    int listener;
};

static socklen_t name_of(pid_t pid, struct sockaddr_un *a)
{
    *a = (struct sockaddr_un){.sun_family = AF_UNIX};
    int n = snprintf(a->sun_path + 1, sizeof a->sun_path - 1, "hawser-mpirun-%d", (int)pid);
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)n);
}

/* Of the process at the other end of a socket. */
static bool is_ours(int fd, pid_t pid)
{
    struct ucred who;
    socklen_t len = sizeof who;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &len) != 0 || (pid && who.pid != pid))
        return false;
    return who.uid == geteuid() || who.uid == 0 || geteuid() == 0;
}

/* ---- the answer ------------------------------------------------------------------------------------------------ */

static void add_missing(const struct hws_reports *r, struct hws_buf *out)
{
    for (int i = 0; i < r->job->place->n_nodes; i++) {
        const struct job_node *n = &r->job->nodes[i];
        if (n->state == HWS_HOST_RUNNING && !r->has_answered[i])
            hws_buf_printf(out, "host %s has not said where its ranks are\n", n->name);
        else if (n->state != HWS_HOST_RUNNING && n->state != HWS_HOST_DRAINED)
            hws_buf_printf(out, "host %s: no ranks run there\n", n->name);
    }
}

static void tell_user(struct hws_reports *r, const struct hws_buf *text)
{
    const char *line = hws_buf_data(text), *end = line + text->len;
    for (const char *stop; line < end && (stop = memchr(line, '\n', (size_t)(end - line))); line = stop + 1)
        hws_job_say(r->job, "%.*s", (int)(stop - line), line);
}

static void tell_askers(struct hws_reports *r, const struct hws_buf *text)
{
    for (int i = 0; i < r->n_askers; i++) {
        send(r->askers[i], hws_buf_data(text), text->len, MSG_NOSIGNAL | MSG_DONTWAIT);
        close(r->askers[i]);
    }
    r->n_askers = 0;
}

static void finish(void *arg)
{
    struct hws_reports *r = arg;
    struct hws_buf text = {0};
    void (*then)(struct job * j) = r->then;
    hws_loop_timer_stop(r->timer);
    hws_standing_print(&r->standing, r->job->place->size, &text);
    add_missing(r, &text);
    if (r->is_loud && hws_standing_has_mpi(&r->standing))
        tell_user(r, &text);
    tell_askers(r, &text);
    hws_buf_free(&text);
    hws_standing_free(&r->standing);
    r->is_open = r->is_loud = false;
    r->then = NULL;
    if (then)
        then(r->job);
}

static bool is_rank_of(void *arg, int rank)
{
    const struct job_node *n = arg;
    return rank < n->job->place->size && &n->job->nodes[n->job->ranks[rank].node] == n;
}

void hws_reports_answer(struct hws_reports *r, const struct job_node *n, const char *data, size_t len)
{
    size_t i = (size_t)(n - r->job->nodes);
    if (!r->is_open || r->has_answered[i])
        return; /* an answer to a question that is closed */
    if (hws_standing_add(&r->standing, data, len, is_rank_of, (void *)(uintptr_t)n) != 0)
        hws_job_fail(r->job, 1, "host %s sent a report that is none", n->name);
    r->has_answered[i] = 1;
    if (--r->n_due == 0)
        finish(r);
}

/* ---- the question ---------------------------------------------------------------------------------------------- */

static void ask_hosts(struct hws_reports *r)
{
    struct job *j = r->job;
    if (r->is_open)
        return;
    r->is_open = true;
    r->n_due = 1; /* this loop itself: answers may come within it */
    memset(r->has_answered, 0, (size_t)j->place->n_nodes);
    hws_loop_timer_start(r->timer, ANSWER_S);
    for (int i = 0; i < j->place->n_nodes; i++)
        if (j->nodes[i].state == HWS_HOST_RUNNING) {
            r->n_due++;
            hws_any_report(&j->nodes[i].any);
        }
    if (--r->n_due == 0)
        finish(r);
}

void hws_reports_ask(struct hws_reports *r, void (*then)(struct job *j))
{
    r->is_loud = true;
    if (then)
        r->then = then;
    ask_hosts(r);
}

static void on_asker(void *arg, int events)
{
    struct hws_reports *r = arg;
    (void)events;
    int fd = accept4(r->listener, NULL, NULL, SOCK_CLOEXEC);
    if (fd < 0)
        return;
    if (r->n_askers == ASKERS || !is_ours(fd, 0)) {
        close(fd);
        return;
    }
    r->askers[r->n_askers++] = fd;
    ask_hosts(r);
}

struct hws_reports *hws_reports_open(struct job *j)
{
    struct hws_reports *r = hws_xcalloc(1, sizeof *r);
    struct sockaddr_un a;
    socklen_t len = name_of(getpid(), &a);
    r->job = j;
    r->has_answered = hws_xcalloc((size_t)j->place->n_nodes, 1);
    r->timer = hws_loop_timer(j->loop, finish, r);
    r->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (r->listener >= 0 && bind(r->listener, (struct sockaddr *)&a, len) == 0 && listen(r->listener, ASKERS) == 0) {
        r->listener = hws_origin_raise(j->origin, r->listener);
        hws_loop_watch(j->loop, r->listener, HWS_LOOP_READ, on_asker, r);
    }
    return r;
}

/* ---- mpirun -report PID ---------------------------------------------------------------------------------------- */

int hws_report_main(pid_t pid)
{
    struct sockaddr_un a;
    struct timeval patience = {.tv_sec = PATIENT_S};
    char text[4096];
    ssize_t n, sum = 0;
    socklen_t len = name_of(pid, &a);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || connect(fd, (struct sockaddr *)&a, len) != 0) {
        fprintf(stderr, "mpirun: process %d is no mpirun of Hawser on this host: %s\n", (int)pid, strerror(errno));
        return 1;
    }
    if (!is_ours(fd, pid)) {
        fprintf(stderr, "mpirun: process %d belongs to another user\n", (int)pid);
        return 1;
    }
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    while ((n = read(fd, text, sizeof text)) > 0) {
        fwrite(text, 1, (size_t)n, stdout);
        sum += n;
    }
    if (sum == 0)
        fprintf(stderr, "mpirun: process %d has given no answer\n", (int)pid);
    return sum == 0;
}
