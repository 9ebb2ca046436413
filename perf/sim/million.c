/* SPDX-License-Identifier: BSD-3-Clause
 *
 * million: what the library's own maps and algorithms cost with so many ranks that no machine at hand can run them. The
 * schedules of all leaders, one a host, are built by the library and run in one process over a network in virtual time
 * that knows a latency and what a message costs the processor at either end; and the start of the job is run the same
 * way, from one host and as a tree.
 *
 *     million HOSTS RANKS [-l LATENCY-US] [-o OVERHEAD-US] [-f FAN-OUT]      a JSON line a figure
 *
 * RANKS are those of a host. What the memory of a host does is not in it: see the times of one host in docs/scaling.md.
 */
#include <malloc.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "coll/run.h"
#include "coll/schedule/sched_run.h"
#include "core/hosts/hosts.h"

#define MOST_RANKS 100000000

static double latency_us = 20, overhead_us = 3;
static int n_leaders;

static void die(const char *what)
{
    fprintf(stderr, "million: %s\n", what);
    exit(1);
}

static double cpu_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static size_t heap_bytes(void)
{
    struct mallinfo2 m = mallinfo2();
    return m.uordblks + m.hblkhd;
}

/* ---- events in virtual time ---- */

/* A message on its way or waiting, or (recv) a receive that waits or is about to complete. */
struct item {
    double at; /* us */
    struct item *next;
    struct hws_recv_op *recv; /* NULL: a message */
    int from, to;
    bool matched; /* recv: the message is there, it completes */
    uint64_t len;
    char bytes[16];
};

static struct item **heap;
static int n_heap, cap_heap;

static void push(struct item *e)
{
    if (n_heap == cap_heap) {
        cap_heap = cap_heap ? 2 * cap_heap : 1024;
        heap = realloc(heap, (size_t)cap_heap * sizeof(struct item *));
        if (!heap)
            die("out of memory");
    }
    int i = n_heap++;
    for (; i > 0 && heap[(i - 1) / 2]->at > e->at; i = (i - 1) / 2)
        heap[i] = heap[(i - 1) / 2];
    heap[i] = e;
}

static struct item *pop(void)
{
    struct item *top = heap[0], *last = heap[--n_heap];
    int i = 0;
    for (int c = 1; c < n_heap; i = c, c = 2 * i + 1) {
        c += c + 1 < n_heap && heap[c + 1]->at < heap[c]->at;
        if (last->at <= heap[c]->at)
            break;
        heap[i] = heap[c];
    }
    heap[i] = last;
    return top;
}

/* ---- ranks ---- */

struct sim_rank {
    double busy_until; /* us */
    struct item *came, *posted;
    long sent, received;
    int *met; /* [n_met] other ranks, each once */
    int n_met;
};

static struct sim_rank *ranks;

static void meet(int me, int other)
{
    struct sim_rank *r = &ranks[me];
    for (int i = 0; i < r->n_met; i++)
        if (r->met[i] == other)
            return;
    if ((r->n_met & (r->n_met - 1)) == 0 &&
        (r->met = realloc(r->met, (size_t)(r->n_met + 1) * 2 * sizeof(int))) == NULL)
        die("out of memory");
    r->met[r->n_met++] = other;
}

static int me_of(const void *op_step)
{
    return (int)(intptr_t)((const struct hws_step *)op_step)->sched->net_arg;
}

static struct item *new_item(int from, int to)
{
    struct item *e = calloc(1, sizeof *e);
    if (!e)
        die("out of memory");
    e->from = from;
    e->to = to;
    return e;
}

static void append(struct item **list, struct item *e)
{
    while (*list)
        list = &(*list)->next;
    *list = e;
}

static struct item *take(struct item **list, int from)
{
    for (; *list; list = &(*list)->next) {
        struct item *e = *list;
        if (e->from == from) {
            *list = e->next;
            e->next = NULL;
            return e;
        }
    }
    return NULL;
}

static void sim_send(struct hws_send_op *op)
{
    int me = me_of(hws_container_of(op, struct hws_step, u.send));
    struct item *e = new_item(me, op->peer);
    e->len = op->data.len_bytes;
    if (e->len > sizeof e->bytes)
        die("only short messages are simulated");
    if (e->len)
        memcpy(e->bytes, op->data.base, e->len);
    ranks[me].busy_until += overhead_us;
    e->at = ranks[me].busy_until + latency_us;
    ranks[me].sent++;
    meet(me, op->peer);
    push(e);
    op->err = HWS_OK;
    op->done = true;
    op->on_done(op);
}

/* Both are there: it completes when the rank has time. */
static void complete_later(struct item *receive, struct item *message, double at)
{
    receive->matched = true;
    receive->len = message->len;
    memcpy(receive->bytes, message->bytes, sizeof receive->bytes);
    receive->at = at;
    free(message);
    push(receive);
}

static void sim_recv(struct hws_recv_op *op)
{
    int me = me_of(hws_container_of(op, struct hws_step, u.recv));
    struct item *e = new_item(op->peer, me), *message = take(&ranks[me].came, op->peer);
    e->recv = op;
    meet(me, op->peer);
    if (message)
        complete_later(e, message, ranks[me].busy_until);
    else
        append(&ranks[me].posted, e);
}

static void sim_nothing(void)
{
}

static void sim_wait(const volatile bool *flag)
{
    if (!*flag)
        die("a schedule waits");
}

static const struct hws_sched_net sim_net = {sim_send, sim_recv, sim_wait, sim_nothing, sim_nothing, NULL};

static void complete(struct item *e)
{
    struct hws_recv_op *op = e->recv;
    struct sim_rank *r = &ranks[e->to];
    r->busy_until = (r->busy_until > e->at ? r->busy_until : e->at) + overhead_us;
    r->received++;
    if (e->len > op->data.len_bytes)
        die("a message is longer than its receive");
    if (e->len)
        memcpy(op->data.base, e->bytes, e->len);
    op->from_len = e->len;
    op->from_peer = e->from;
    op->err = HWS_OK;
    op->done = true;
    op->on_done(op);
    free(e);
}

static void run_events(void)
{
    while (n_heap > 0) {
        struct item *e = pop(), *receive;
        if (e->recv) {
            complete(e);
        } else if ((receive = take(&ranks[e->to].posted, e->from)) != NULL) {
            complete_later(receive, e, e->at);
        } else {
            append(&ranks[e->to].came, e);
        }
    }
}

/* ---- collectives between the leaders ---- */

struct leaders {
    struct hws_group group;
    struct hws_comm *comm;
    struct hws_sched **sched;
    double *in, *out;
};

static void open_leaders(struct leaders *l)
{
    size_t n = (size_t)n_leaders;
    l->group = (struct hws_group){.obj = {HWS_KIND_GROUP, 1, 0}, .size = n_leaders};
    l->comm = calloc(n, sizeof *l->comm);
    l->sched = calloc(n, sizeof(struct hws_sched *));
    l->in = calloc(n, sizeof *l->in);
    l->out = calloc(n, sizeof *l->out);
    ranks = calloc(n, sizeof *ranks);
    if (!l->comm || !l->sched || !l->in || !l->out || !ranks)
        die("out of memory");
    for (int r = 0; r < n_leaders; r++)
        l->comm[r] = (struct hws_comm){.ctx = 64, .rank = r, .size = n_leaders, .group = &l->group};
}

static struct hws_coll_call call_of(struct leaders *l, int r, enum hws_coll_kind kind)
{
    struct hws_type *t = hws_type_of(MPI_DOUBLE);
    l->in[r] = r + 1.0;
    l->out[r] = kind == HWS_COLL_BCAST && r == 0 ? 7 : 0;
    return (struct hws_coll_call){.kind = kind,
                                  .comm = &l->comm[r],
                                  .sbuf = &l->in[r],
                                  .rbuf = &l->out[r],
                                  .sn = 1,
                                  .rn = 1,
                                  .st = t,
                                  .rt = t,
                                  .rop = hws_op_of(MPI_SUM)};
}

static void check(const struct leaders *l, enum hws_coll_kind kind)
{
    double n = n_leaders, right = kind == HWS_COLL_BCAST ? 7 : n * (n + 1) / 2;
    for (int r = 0; r < n_leaders; r++) {
        if (!l->sched[r]->complete || hws_sched_class(l->sched[r]) != MPI_SUCCESS)
            die("a schedule has not ended well");
        if (kind != HWS_COLL_BARRIER && l->out[r] != right)
            die("a wrong result");
    }
}

static void run_collective(struct leaders *l, const char *name, enum hws_coll_kind kind)
{
    size_t before = heap_bytes();
    for (int r = 0; r < n_leaders; r++) {
        struct hws_coll_call a = call_of(l, r, kind);
        struct hws_sched *s = l->sched[r] = hws_sched_new(&l->comm[r], true);
        if (!s)
            die("out of memory");
        s->net = &sim_net;
        s->net_arg = (void *)(intptr_t)r;
        ranks[r].busy_until = 0;
        ranks[r].sent = ranks[r].received = 0;
        hws_coll_build_part(s, &a, false);
    }
    size_t bytes = (heap_bytes() - before) / (size_t)n_leaders;
    for (int r = 0; r < n_leaders; r++)
        if (hws_sched_start(l->sched[r]) != MPI_SUCCESS)
            die("a schedule does not start");
    run_events();
    check(l, kind);
    double last = 0;
    long most = 0;
    for (int r = 0; r < n_leaders; r++) {
        last = ranks[r].busy_until > last ? ranks[r].busy_until : last;
        most = ranks[r].sent + ranks[r].received > most ? ranks[r].sent + ranks[r].received : most;
        hws_sched_free(l->sched[r]);
    }
    printf("{\"figure\":\"%s\",\"leaders\":%d,\"us\":%.1f,\"most_messages\":%ld,\"schedule_bytes\":%zu}\n", name,
           n_leaders, last, most, bytes);
}

static void run_collectives(void)
{
    struct leaders l;
    open_leaders(&l);
    run_collective(&l, "barrier", HWS_COLL_BARRIER);
    run_collective(&l, "allreduce of 8 bytes", HWS_COLL_ALLREDUCE);
    run_collective(&l, "bcast of 8 bytes", HWS_COLL_BCAST);
    int most = 0;
    long all = 0;
    for (int r = 0; r < n_leaders; r++) {
        most = ranks[r].n_met > most ? ranks[r].n_met : most;
        all += ranks[r].n_met;
    }
    printf("{\"figure\":\"connections of a leader after these\",\"most\":%d,\"mean\":%.2f}\n", most,
           (double)all / n_leaders);
}

/* ---- what a rank knows of all ---- */

static void run_map(int n_hosts, int a_host)
{
    int n = n_hosts * a_host;
    int32_t *keys = malloc((size_t)n * sizeof *keys);
    if (!keys)
        die("out of memory");
    for (int i = 0; i < n; i++)
        keys[i] = i / a_host;
    size_t before = heap_bytes();
    double begin = cpu_s();
    struct hws_hosts *h = hws_hosts_map(keys, n, n / 2);
    double end = cpu_s();
    if (!h || h->n != n_hosts)
        die("a wrong map of hosts");
    printf("{\"figure\":\"map of hosts\",\"ranks\":%d,\"hosts\":%d,\"cpu_s\":%.3f,\"bytes\":%zu}\n", n, n_hosts,
           end - begin, heap_bytes() - before);
    hws_hosts_drop(h);
    free(keys);
}

/* ---- start ---- */

/* Each host logs in to its children in a tree of this fan-out, one after the other as far as its processors are what
 * bounds it: seconds until the last daemon runs. The constants are those of docs/scaling.md. */
static double start_tree(int n_hosts, int fan_out, double processors)
{
    const double login_cpu_s = 0.09, login_s = 0.37;
    double *at = calloc((size_t)n_hosts + 1, sizeof *at), last = 0; /* 0: mpirun's host */
    if (!at)
        die("out of memory");
    for (int i = 1; i <= n_hosts; i++) {
        int parent = (i - 1) / fan_out, place = (i - 1) % fan_out;
        at[i] = at[parent] + login_s + place * login_cpu_s / processors;
        last = at[i] > last ? at[i] : last;
    }
    free(at);
    return last;
}

static void run_start(int n_hosts, int fan_out)
{
    static const int processors[] = {2, 16};
    for (int i = 0; i < 2; i++) {
        printf("{\"figure\":\"all hosts reached\",\"hosts\":%d,\"processors\":%d,\"from_one_s\":%.1f,\"fan_out\":%d,"
               "\"tree_s\":%.1f}\n",
               n_hosts, processors[i], start_tree(n_hosts, n_hosts, processors[i]), fan_out,
               start_tree(n_hosts, fan_out, processors[i]));
    }
}

/* A number from `least` to `most`, and nothing behind it. */
static double number(const char *text, double least, double most)
{
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end || !(value >= least && value <= most))
        die("HOSTS RANKS [-l LATENCY-US] [-o OVERHEAD-US] [-f FAN-OUT]: a number is wrong");
    return value;
}

int main(int argc, char **argv)
{
    int fan_out = 32;
    if (argc < 3 || argc % 2 == 0)
        die("HOSTS RANKS [-l LATENCY-US] [-o OVERHEAD-US] [-f FAN-OUT]");
    n_leaders = (int)number(argv[1], 2, MOST_RANKS);
    int a_host = (int)number(argv[2], 1, MOST_RANKS / n_leaders);
    for (int i = 3; i < argc; i += 2) {
        if (strcmp(argv[i], "-l") == 0)
            latency_us = number(argv[i + 1], 0, 1e9);
        else if (strcmp(argv[i], "-o") == 0)
            overhead_us = number(argv[i + 1], 0, 1e9);
        else if (strcmp(argv[i], "-f") == 0)
            fan_out = (int)number(argv[i + 1], 1, MOST_RANKS);
        else
            die("there are -l, -o and -f");
    }
    hws_sched_default_net = &sim_net;
    if (hws_coll_setup() != MPI_SUCCESS)
        die("HAWSER_COLL is wrong");
    run_map(n_leaders, a_host);
    run_collectives();
    run_start(n_leaders, fan_out);
    return 0;
}
