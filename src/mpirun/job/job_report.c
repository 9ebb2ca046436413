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
    struct mpirun *mpirun;
    struct hws_loop_timer *timer;
    bool is_open; /* a question is */
    int n_due;    /* nodes that will answer */
    bool is_loud; /* for standard error, too */
    void (*then)(struct mpirun *m);
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

static void add_missing(const struct job *j, struct hws_buf *out)
{
    for (int i = 0; i < j->place->n_nodes; i++) {
        const struct job_node *n = &j->nodes[i];
        if (n->state == HWS_NODE_RUNNING && n->owes_report)
            hws_buf_printf(out, "host %s has not said where its ranks are\n", n->name);
        else if (n->state != HWS_NODE_RUNNING && n->state != HWS_NODE_DRAINED)
            hws_buf_printf(out, "host %s: no ranks run there\n", n->name);
    }
}

/* What there is to say of all jobs that go on; of more than the first, each behind a line with its number. Whether some
 * rank has to do with MPI. */
static bool print(struct mpirun *m, struct hws_buf *out)
{
    bool has_mpi = false;
    for (int i = 0; i < m->n_jobs; i++) {
        struct job *j = m->jobs[i];
        if (j->end.is_over)
            continue;
        if (j->number > 0)
            hws_buf_printf(out, "job %d:\n", j->number);
        hws_standing_print(&j->standing, j->place->size, out);
        add_missing(j, out);
        has_mpi = has_mpi || hws_standing_has_mpi(&j->standing);
    }
    return has_mpi;
}

static void tell_user(struct hws_reports *r, const struct hws_buf *text)
{
    const char *line = hws_buf_data(text), *end = line + text->len;
    for (const char *stop; line < end && (stop = memchr(line, '\n', (size_t)(end - line))); line = stop + 1)
        hws_mpirun_say(r->mpirun, "%.*s", (int)(stop - line), line);
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
    void (*then)(struct mpirun * m) = r->then;
    hws_loop_timer_stop(r->timer);
    bool has_mpi = print(r->mpirun, &text);
    if (r->is_loud && has_mpi)
        tell_user(r, &text);
    tell_askers(r, &text);
    hws_buf_free(&text);
    for (int i = 0; i < r->mpirun->n_jobs; i++)
        hws_standing_free(&r->mpirun->jobs[i]->standing);
    r->is_open = r->is_loud = false;
    r->then = NULL;
    if (then)
        then(r->mpirun);
}

static bool is_rank_of(void *arg, int rank)
{
    const struct job_node *n = arg;
    return rank < n->job->place->size && &n->job->nodes[n->job->ranks[rank].node] == n;
}

void hws_reports_answer(struct hws_reports *r, struct job_node *n, const char *data, size_t len)
{
    if (!r->is_open || !n->owes_report)
        return; /* an answer to a question that is closed */
    if (hws_standing_add(&n->job->standing, data, len, is_rank_of, n) != 0)
        hws_job_fail(n->job, 1, "host %s sent a report that is none", n->name);
    n->owes_report = false;
    if (--r->n_due == 0)
        finish(r);
}

/* ---- the question ---------------------------------------------------------------------------------------------- */

static void ask_nodes(struct hws_reports *r, struct job *j)
{
    for (int i = 0; i < j->place->n_nodes; i++) {
        struct job_node *n = &j->nodes[i];
        n->owes_report = n->state == HWS_NODE_RUNNING;
        if (!n->owes_report)
            continue;
        r->n_due++;
        hws_any_report(&n->any);
    }
}

static void ask_all(struct hws_reports *r)
{
    if (r->is_open)
        return;
    r->is_open = true;
    r->n_due = 1; /* this loop itself: answers may come within it */
    hws_loop_timer_start(r->timer, ANSWER_S);
    for (int i = 0; i < r->mpirun->n_jobs; i++)
        ask_nodes(r, r->mpirun->jobs[i]);
    if (--r->n_due == 0)
        finish(r);
}

void hws_reports_ask(struct hws_reports *r, void (*then)(struct mpirun *m))
{
    r->is_loud = true;
    if (then)
        r->then = then;
    ask_all(r);
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
    ask_all(r);
}

struct hws_reports *hws_reports_open(struct mpirun *m)
{
    struct hws_reports *r = hws_xcalloc(1, sizeof *r);
    struct sockaddr_un a;
    socklen_t len = name_of(getpid(), &a);
    r->mpirun = m;
    r->timer = hws_loop_timer(m->loop, finish, r);
    r->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (r->listener >= 0 && bind(r->listener, (struct sockaddr *)&a, len) == 0 && listen(r->listener, ASKERS) == 0) {
        r->listener = hws_origin_raise(m->origin, r->listener);
        hws_loop_watch(m->loop, r->listener, HWS_LOOP_READ, on_asker, r);
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
