/* SPDX-License-Identifier: BSD-3-Clause
 *
 * job_priv: what mpirun holds, shared by mpirun.c (its end, signals, input), job.c (a job's running and ending),
 * job_setup.c (before), job_output.c (what ranks write) and job_connect.c (other hosts). A host, with its daemon, is
 * mpirun's and serves all jobs; a node is the ranks of one job on it.
 */
#ifndef HWS_MPIRUN_JOB_PRIV_H
#define HWS_MPIRUN_JOB_PRIV_H

#include <stdio.h>

#include "mpirun/io/files.h"
#include "mpirun/io/fold.h"
#include "mpirun/io/input.h"
#include "mpirun/io/lines.h"
#include "mpirun/io/sink.h"
#include "mpirun/job/job.h"
#include "mpirun/job/job_report.h"
#include "mpirun/job/policy.h"
#include "mpirun/job/standing.h"
#include "mpirun/node/guard.h"
#include "mpirun/node/node_state.h"
#include "mpirun/remote/any_node.h"

struct job_rank {
    int node;
    pid_t pid;
    struct hws_lines lines[2];
    struct hws_file *files[2]; /* where they go; NULL: to mpirun's own streams */
};

struct job_host {
    struct mpirun *mpirun;
    const char *name;
    struct job_node *nodes;    /* of all jobs that were begun, by the order of jobs */
    struct hws_remote *remote; /* NULL: mpirun's own host */
    enum hws_host_state state; /* written by hws_host_become() alone: here and in remote.c */
    struct hws_loop_timer *retry_timer;
    const char *agent; /* that of the last attempt to reach it */
    int n_wanted;      /* nodes that wait for it to be reached */
    double wanted_s;   /* since when the first of them does */
};

struct job_node {
    struct job *job;
    struct job_host *host;
    struct job_node *next; /* of the host */
    const char *name;      /* of the host */
    struct hws_spec spec;
    struct hws_any_node any;
    enum hws_node_state state; /* written by hws_node_become() alone */
    uint64_t input_taken;      /* bytes of mpirun's input that the rank there that has taken most has */
    bool waits;                /* for the host to be reached */
    bool reads_input, owes_report;
    struct hws_env env; /* of its ranks, in a job of several sites */
};

enum job_state { JOB_STARTING, JOB_RUNNING, JOB_ENDING };

/* What the ranks are to be (job_setup.c); stays. */
struct job_plan {
    struct hws_app *apps;
    char *mapping;
    struct hws_env env, remote_env;
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

/* Why it ends, and how far it has come with that (job.c). */
struct job_end {
    const struct hws_policy *policy;
    struct hws_failure failure; /* what ends the job */
    struct hws_loop_timer *hold_timer, *kill_timer, *limit_timer;
    int n_interrupts;
    bool is_over;     /* no rank and no output is waited for */
    bool is_put_away; /* over while others were not, and nothing of it is left */
};

struct job {
    struct job *unbegun_next;
    struct mpirun *mpirun;
    int number; /* 0 for the first, for users; elsewhere it is id */
    uint64_t id;
    const struct hws_args *args;
    const struct hws_place *place;
    enum job_state state;
    struct job_node *nodes; /* place->n_nodes */
    struct job_rank *ranks; /* place->size */
    int n_running;          /* nodes that are RUNNING */
    int n_waiting;          /* nodes whose hosts are to be reached */
    int n_launched;         /* ranks, for -v, with begin_ns */
    uint64_t begin_ns;
    struct job_plan plan;
    struct job_exchange exchange;
    struct hws_warning_fold fold; /* of its standard error, with fold_timer */
    struct hws_loop_timer *fold_timer;
    struct hws_standing standing; /* while a report is made */
    struct job_end end;
    struct job_gateways *gateways; /* job_gateways.c; NULL: none */
    struct hws_page *page;         /* -report FILE; or NULL */
    FILE *page_file;
};

/* What mpirun knows of itself. */
struct mpirun_self {
    char name[HWS_JOB_NAME_MAX - 16];       /* jobs' names begin so */
    char agent_mark[HWS_JOB_NAME_MAX + 16]; /* of remote shells' processes */
    char host[256], exe[4096];              /* this host; mpirun's path on all */
    char *cwd;
};

/* The way to the other hosts (job_connect.c). */
struct mpirun_reach {
    void *tree;                           /* of tsearch(): the hosts by name */
    const char *agent;                    /* the remote shell for hosts that are still to be reached */
    int n_remote, n_wanted, n_connecting; /* hosts; nodes that wait for theirs; remote shells under way */
    struct hws_loop_timer *notice_timer;
};

/* What ranks write, on its way out (job_output.c). */
struct mpirun_out {
    struct hws_output_sink sinks[2];
    struct hws_files files;
    bool is_paused; /* the nodes were told to stop reading output */
    struct hws_loop_timer *prompt_timer;
};

struct mpirun {
    const struct hws_args *args; /* of the first job: what is about mpirun as a whole */
    const struct hws_origin *origin;
    struct hws_loop *loop;
    struct job **jobs; /* those that are over, too: news of them may still come */
    int n_jobs;
    struct job *unbegun; /* a list by unbegun_next: those that could not be set up */
    struct job_host **hosts;
    int n_hosts;
    struct hws_input input; /* for the first job */
    struct hws_reports *reports;
    struct hws_guard guard;
    struct mpirun_self self;
    struct mpirun_reach reach;
    struct mpirun_out out;
    struct hws_loop_timer *timeout_timer, *dismiss_timer, *tidy_timer;
    int forwarded; /* the last signal that was passed on */
    bool is_dismissed, is_over;
};

/* ---- mpirun.c -------------------------------------------------------------------------------------------------- */

/* Ends the loop if nothing is left to do; while there is, has what jobs that are over left behind put away soon. */
void hws_mpirun_check_end(struct mpirun *m);

/* Whether a job other than j, or any job where j is NULL, is not over. */
bool hws_mpirun_has_others(const struct mpirun *m, const struct job *j);

/* Hears of children that have exited. */
void hws_mpirun_reap(struct mpirun *m);

/* Kills the remote shells, at the latest moment. */
void hws_mpirun_drop_agents(struct mpirun *m);

/* Begins to read mpirun's input for its first job. */
void hws_mpirun_open_input(struct mpirun *m);

/* ---- job.c ----------------------------------------------------------------------------------------------------- */

/* Readies a job that was set up: its timers, and its node on this host. */
void hws_job_open(struct job *j);

/* Passes a signal on that mpirun was sent. */
void hws_job_forward(struct job *j, int signum);

/* mpirun's own reason to end the job with this exit status. */
void hws_job_fail(struct job *j, int status, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* A host cannot be reached, or is lost with its ranks. */
void hws_job_lose_host(struct job *j, int status, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* The time that -timeout gives is over. */
void hws_job_fail_late(struct job *j);

/* Whether a rank number that came over the wire is one of that node's. */
bool hws_job_is_rank_of(const struct job_node *n, int rank);

/* The job is over if nothing of it is left to do. */
void hws_job_check_end(struct job *j);

/* Starts the ranks of all nodes; every daemon is ready, and every gateway. */
void hws_job_start_ranks(struct job *j);

extern const struct hws_node_events hws_job_node_events;

/* ---- job_output.c ---------------------------------------------------------------------------------------------- */

/* One line "mpirun: ..." on stderr, between whole lines of the ranks; about a later job than the first, "mpirun: job
 * 1: ...". */
void hws_job_say(struct job *j, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void hws_mpirun_say(struct mpirun *m, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Opens the files in which a job's output goes. 0 or the exit status, the reason said on stderr. */
int hws_job_output_setup(struct job *j);

/* Makes mpirun's own streams ready. */
void hws_output_open(struct mpirun *m);

/* Makes the files of a job ready, and what holds its warnings back. */
void hws_job_output_open(struct job *j);

/* on_output of a node (node.h), whose arg is the job_node. */
void hws_job_on_output(void *arg, int rank, int stream, const char *data, size_t len);

/* Has the nodes stop reading output while it cannot be written, and go on when it can. */
void hws_output_pause(struct mpirun *m);

/* Gives out the warnings that were held back for others like them. */
void hws_job_output_unfold(struct job *j);

/* Whether something is not written yet. */
bool hws_output_waits(const struct mpirun *m);

/* At the end: writes out everything, as hws_sink_flush(). */
void hws_output_flush(struct mpirun *m, int patience_ms);

/* ---- job_setup.c ----------------------------------------------------------------------------------------------- */

/* Everything about mpirun and about a job that can be done without a loop. 0 or the exit status, the reason said on
 * stderr. */
int hws_mpirun_setup(struct mpirun *m);
int hws_job_setup(struct job *j);
void hws_job_say_plan(struct job *j);

/* ---- job_connect.c --------------------------------------------------------------------------------------------- */

/* The host of that name; a new one has nothing yet. */
struct job_host *hws_mpirun_host(struct mpirun *m, const char *name);

/* Starts connecting to the hosts of a job that have no daemon yet, and its gateways; calls hws_job_go() when all have
 * answered, at once if there is none. */
void hws_job_connect(struct job *j);

/* Starts the ranks if all that they need is there. */
void hws_job_go(struct job *j);

/* The job waits for no host any more: ends the agents of those that nobody else waits for. */
void hws_job_connect_cancel(struct job *j);

/* ---- job_page.c ------------------------------------------------------------------------------------------------ */

/* -report FILE, of the first job: opens it, before the job starts. 0 or the exit status, the reason said. */
int hws_job_page_open(struct job *j);

/* What the ranks of a node have gathered (page/records.h). */
void hws_job_page_add(struct job_node *n, const char *data, size_t len);

/* At the end: writes it; a failure is said, and becomes the exit status of a job that went well. */
void hws_job_page_write(struct job *j);

/* ---- job_gateways.c -------------------------------------------------------------------------------------------- */

/* Starts the gateways of the job's sites, which call hws_job_go() when all have said where they listen; ranks are told,
 * then. */
void hws_job_gateways_open(struct job *j);
bool hws_job_gateways_are_ready(const struct job *j);
/* Has them say their counters on stderr. */
void hws_job_gateways_report(struct job *j);
/* They are to end; signum not 0: at once, by that signal to what runs them. hws_job_check_end() is called then. */
void hws_job_gateways_end(struct job *j, int signum);
bool hws_job_gateways_run(const struct job *j);
/* As hws_node_on_child(). */
bool hws_job_gateways_on_child(struct job *j, pid_t pid, int wait_status);

#endif
