/* SPDX-License-Identifier: BSD-3-Clause
 *
 * remote: mpirun's end of a node daemon on another host, which may hold ranks of several jobs: starts it with the
 * remote shell (ssh or what -rsh names), and turns frames into the same events that a local node gives. Nothing is
 * listened on and nothing secret is in an argument: all goes through the agent's stdin and stdout.
 */
#ifndef HWS_MPIRUN_REMOTE_H
#define HWS_MPIRUN_REMOTE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "mpirun/node/node.h"
#include "mpirun/remote/host_state.h"

struct hws_remote;

struct hws_remote_events {
    /* The arg of `node` and on_failed for news of that job; NULL: its ranks were not started there, so a daemon that
     * speaks of them is none. */
    void *(*of_job)(void *arg, uint64_t job);
    struct hws_node_events node;
    void (*on_failed)(void *arg, int status, const char *text); /* it could not start the job's ranks */
    void (*on_ready)(void *arg);                                /* the daemon runs; hws_remote_start() may follow */
    /* The agent failed or the connection ended; from: the state before. */
    void (*on_lost)(void *arg, enum hws_host_state from, const char *text);
    void (*on_gone)(void *arg); /* the agent has exited; last event */
};

struct hws_remote_config {
    const char *cwd;    /* where mpirun was started: a relative path of an agent begins there */
    const char *extra;  /* more words behind the agent's, or "" */
    const char *host;   /* NULL (hws_agent_run() only): this one, without any agent */
    const char *exe;    /* absolute path of mpirun, the same on all hosts */
    const char *mode;   /* words behind it; NULL: the node daemon's */
    const char *mark;   /* HWS_COOKIE_VAR of the agent */
    double deadline_s;  /* for the daemon's first line */
    uint64_t silent_ms; /* later on: a daemon that is silent for so long is lost */
    const struct hws_origin *origin;
};

/* Prepares; nothing runs yet. cfg's texts must live as long, and so must the host's state: what is learned of the
 * daemon is written there, the caller writes what it decides. */
struct hws_remote *hws_remote_open(struct hws_loop *loop, const struct hws_remote_config *cfg,
                                   const struct hws_remote_events *ev, enum hws_host_state *host, void *arg);

/* Runs the agent of a host that is IDLE, which is CONNECTING then. agent: words of the remote shell command, split at
 * spaces, must live as long as r. 0, or an errno. */
int hws_remote_connect(struct hws_remote *r, const char *agent);

/* Frames to the daemon, queued without blocking, dropped when it is gone. start follows on_ready and begins the ranks
 * of a job; the others do for that job what the functions of the same name do in a node (mpirun/node/node.h), and none
 * may come before. close also kills what the job's ranks left behind, and is the last one about it. */
void hws_remote_start(struct hws_remote *r, const struct hws_spec *spec);
void hws_remote_close(struct hws_remote *r, uint64_t job);
void hws_remote_signal(struct hws_remote *r, uint64_t job, int signum);
void hws_remote_release(struct hws_remote *r, uint64_t job, const char *batch, size_t len);
void hws_remote_ask(struct hws_remote *r, uint64_t job);
void hws_remote_report(struct hws_remote *r, uint64_t job);
void hws_remote_value(struct hws_remote *r, uint64_t job, const char *key, const char *value);
void hws_remote_stdin(struct hws_remote *r, uint64_t job, const char *data, size_t len);
void hws_remote_pause(struct hws_remote *r, uint64_t job, bool is_paused);
void hws_remote_close_stream(struct hws_remote *r, uint64_t job, int stream);

/* This process is about to stop, by a signal that it waits for, and tells the daemon not to take that for its end; or
 * it goes on. */
void hws_remote_rest(struct hws_remote *r, bool rests);

/* Dismisses the daemon. on_gone follows. */
void hws_remote_end(struct hws_remote *r, bool sweep);

/* Kills the agent with this signal. */
void hws_remote_kill_agent(struct hws_remote *r, int signum);

/* As hws_node_on_child(). */
bool hws_remote_on_child(struct hws_remote *r, pid_t pid, int wait_status);

/* True while the agent runs. */
bool hws_remote_is_running(const struct hws_remote *r);

/* What the agent's stderr said, line by line, goes to this function too (under -v); NULL ends it. */
void hws_remote_show_stderr(struct hws_remote *r, void (*show)(void *arg, const char *line));

#endif
