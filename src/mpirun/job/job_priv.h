/* SPDX-License-Identifier: BSD-3-Clause
 *
 * job_priv: the job's state, shared by job.c (running and ending), job_setup.c (before), job_output.c (what
 * ranks write) and job_connect.c (other hosts).
 */
#ifndef HWS_MPIRUN_JOB_PRIV_H
#define HWS_MPIRUN_JOB_PRIV_H

#include <stdio.h>

#include "mpirun/io/files.h"
#include "mpirun/io/fold.h"
#include "mpirun/io/input.h"
#include "mpirun/io/lines.h"
#include "mpirun/io/sink.h"
#include "mpirun/job/policy.h"
#include "mpirun/job/job.h"
#include "mpirun/job/job_report.h"
#include "mpirun/node/guard.h"
#include "mpirun/remote/any_node.h"

struct job_rank {
    int node;
    pid_t pid;
    struct hws_lines lines[2];
    struct hws_file *files[2]; /* where they go; NULL: to mpirun's own streams */
};

struct job_node {
    struct job *job;
    const char *name;
    struct hws_spec spec;
    struct hws_any_node any;
    enum hws_host_state state; /* written by hws_host_become() alone: here and in remote.c */
    struct hws_loop_timer *retry_timer;
    const char *agent;    /* that of the last attempt to reach it */
    uint64_t input_taken; /* bytes of mpirun's input that the rank there that has taken most has */
    bool reads_input;
    struct hws_env env; /* of its ranks, in a job of several sites */
};

enum job_state { JOB_STARTING, JOB_RUNNING, JOB_ENDING };

/* What the ranks are to be (job_setup.c); stays. */
struct job_plan {
    char job_name[HWS_JOB_NAME_MAX];
    char mark[HWS_JOB_NAME_MAX + 2], agent_mark[HWS_JOB_NAME_MAX + 16]; /* of their processes, and the agents' */
    char own_name[256], exe[4096];                                      /* this host; mpirun's path on all */
    struct hws_app *apps;
    char *mapping, *cwd;
    struct hws_env env, remote_env;
};

/* The way to the other hosts (job_connect.c). */
struct job_reach {
    const char *agent; /* the remote shell for hosts that are still to be reached */
    int n_remote, n_ready, n_connecting;
    double start_s;
    struct hws_loop_timer *notice_timer;
};

/* What ranks tell each other at barriers of all. */
struct job_exchange {
    int n_in;                  /* hosts whose ranks are all there */
    int n_done;                /* barriers, for -v */
    struct hws_culprit absent; /* the first rank that ended without MPI_Init; host NULL: none */
    struct hws_buf batches;    /* of the barrier under way */
    struct hws_kvs *kvs;       /* what the hosts ask for; NULL: they are told everything */
    bool is_told;              /* a batch went to all hosts */
};

/* What ranks write, on its way out (job_output.c). */
struct job_out {
    struct hws_output_sink sinks[2];
    struct hws_files files;
    bool is_paused; /* the nodes were told to stop reading output */
    struct hws_warning_fold fold;
    struct hws_loop_timer *fold_timer, *prompt_timer;
};

/* Why it ends, and how far it has come with that (job.c). */
struct job_end {
    const struct hws_policy *policy;
    struct hws_failure failure; /* what ends the job */
    struct hws_loop_timer *hold_timer, *kill_timer, *limit_timer, *timeout_timer, *dismiss_timer;
    int n_interrupts, forwarded; /* the last signal that was passed on */
    bool is_dismissed, is_over;
};

struct job {
    const struct hws_args *args;
    const struct hws_place *place;
    const struct hws_origin *origin;
    struct hws_loop *loop;
    enum job_state state;
    struct job_node *nodes; /* place->n_nodes */
    struct job_rank *ranks; /* place->size */
    int n_running;          /* hosts that are RUNNING */
    int n_launched;         /* ranks, for -v, with begin_ns */
    uint64_t begin_ns;
    struct hws_input input;
    struct hws_reports *reports;
    struct hws_page *page; /* -report FILE; or NULL */
    FILE *page_file;
    struct hws_guard guard;
    struct job_plan plan;
    struct job_reach reach;
    struct job_exchange exchange;
    struct job_out out;
    struct job_end end;
    struct job_gateways *gateways; /* job_gateways.c; NULL: none */
};

/* One line "mpirun: ..." on stderr, between whole lines of the ranks. */
void hws_job_say(struct job *j, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* mpirun's own reason to end the job with this exit status. */
void hws_job_fail(struct job *j, int status, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* A host cannot be reached, or is lost with its ranks. */
void hws_job_lose_host(struct job *j, int status, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* Whether a rank number that came over the wire is one of that host's. */
bool hws_job_is_rank_of(const struct job_node *n, int rank);

/* Opens the files in which output goes. 0 or the exit status, the reason said on stderr. */
int hws_job_output_setup(struct job *j);

/* Makes mpirun's own streams and the files ready. */
void hws_job_output_open(struct job *j);

/* on_output of a node (node.h), whose arg is the job_node. */
void hws_job_on_output(void *arg, int rank, int stream, const char *data, size_t len);

/* Has the nodes stop reading output while it cannot be written, and go on when it can. */
void hws_job_output_pause(struct job *j);

/* Gives out the warnings that were held back for others like them. */
void hws_job_output_unfold(struct job *j);

/* Whether something is not written yet. */
bool hws_job_output_waits(const struct job *j);

/* At the end: writes out everything, as hws_sink_flush(). */
void hws_job_output_flush(struct job *j, int patience_ms);

/* Ends the loop if nothing is left to do. */
void hws_job_check_end(struct job *j);

/* Starts the ranks of all nodes; every daemon is ready. */
void hws_job_start_ranks(struct job *j);

/* -report FILE (job_page.c): opens it, before the job starts. 0 or the exit status, the reason said. */
int hws_job_page_open(struct job *j);

/* What the ranks of a host have gathered (page/records.h). */
void hws_job_page_add(struct job_node *n, const char *data, size_t len);

/* At the end: writes it; a failure is said, and becomes the exit status of a job that went well. */
void hws_job_page_write(struct job *j);

extern const struct hws_node_events hws_job_node_events;

/* Everything that can be done without a loop. 0 or the exit status, the reason said on stderr. */
int hws_job_setup(struct job *j);
void hws_job_say_plan(struct job *j);

/* Starts the ranks if all that they need is there. */
void hws_job_go(struct job *j);

/* Starts the gateways of the job's sites (job_gateways.c), which call hws_job_go() when all have said where they
 * listen; ranks are told, then. */
void hws_job_gateways_open(struct job *j);
bool hws_job_gateways_are_ready(const struct job *j);
/* Has them say their counters on stderr. */
void hws_job_gateways_report(struct job *j);
/* They are to end; signum not 0: at once, by that signal to what runs them. hws_job_check_end() is called then. */
void hws_job_gateways_end(struct job *j, int signum);
bool hws_job_gateways_run(const struct job *j);
/* As hws_node_on_child(). */
bool hws_job_gateways_on_child(struct job *j, pid_t pid, int wait_status);

/* Opens a remote for each node on another host and starts connecting; calls hws_job_start_ranks() when all have
 * answered, at once if there is none. */
void hws_job_connect(struct job *j);

/* Ends the agents of hosts that have not started ranks. */
void hws_job_connect_cancel(struct job *j);

#endif
