/* SPDX-License-Identifier: BSD-3-Clause
 *
 * node: the ranks of one job on one host: starts them, serves their PMI connections, carries their stdin, stdout and
 * stderr, reaps and signals them. It decides nothing about the job. mpirun has one of each job for its own host, a node
 * daemon one of each job for its host.
 */
#ifndef HWS_MPIRUN_NODE_H
#define HWS_MPIRUN_NODE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "mpirun/node/rank.h"
#include "mpirun/util/buf.h"
#include "mpirun/util/loop.h"
#include "mpirun/util/rank_state.h"
#include "mpirun/util/spec.h"

struct hws_node_events {
    void (*on_started)(void *arg, int rank, pid_t pid);
    /* Bytes of stream 1 or 2 of a rank; len 0: its end. */
    void (*on_output)(void *arg, int rank, int stream, const char *data, size_t len);
    void (*on_abort)(void *arg, int rank, int code, const char *text);
    /* wait_status as of waitpid(); last: the state in which it exited; call: the MPI call that it was in, or "". All
     * that the rank told the launcher came before. */
    void (*on_exit)(void *arg, int rank, int wait_status, enum hws_rank_state last, const char *call);
    /* All ranks here, but for those that ended without MPI_Init, wait in the barrier; answer with hws_node_release().
     */
    void (*on_barrier)(void *arg, struct hws_buf *batch);
    /* After hws_node_ask(): a rank wants what another node's rank may have put; answer with hws_node_value(). */
    void (*on_wanted)(void *arg, const char *key);
    /* n more bytes of stdin have gone to the rank that has taken most. */
    void (*on_stdin_taken)(void *arg, size_t n);
    /* No rank here reads stdin any more. */
    void (*on_stdin_closed)(void *arg);
    /* The answer to hws_node_report(): records (boards.h). */
    void (*on_report)(void *arg, const char *data, size_t len);
    /* With -report FILE, before on_drained: what the ranks have gathered (page/records.h). */
    void (*on_profiles)(void *arg, const char *data, size_t len);
    /* Every rank has exited and no more output comes. */
    void (*on_drained)(void *arg);
};

struct hws_node;

/* spec and origin stay the caller's and must live as long as the node. */
struct hws_node *hws_node_open(struct hws_loop *loop, const struct hws_spec *spec, const struct hws_origin *origin,
                               const struct hws_node_events *ev, void *arg);

/* Ends what still runs with SIGKILL, closes all descriptors and frees it; no event follows. Not within an event. */
void hws_node_fini(struct hws_node *n);

/* Starts all ranks. 0, or the exit status that mpirun should end with (126, 127 or 1) and one line in err; ranks that
 * had been started are killed then, and hws_node_check_drained() is to be called once the failure was noted. */
int hws_node_start(struct hws_node *n, char *err, size_t err_len);

/* Calls on_drained if that is so and was not said yet. */
void hws_node_check_drained(struct hws_node *n);

/* To be called for every child that waitpid() reports. False: not one of the node's. */
bool hws_node_on_child(struct hws_node *n, pid_t pid, int wait_status);

/* Sends a signal to the process group of every living rank. */
void hws_node_signal(struct hws_node *n, int signum);

/* The barrier is complete; the batch holds the entries of all nodes. HWS_OK or HWS_EPROTO. */
int hws_node_release(struct hws_node *n, const char *batch, size_t len);

/* What other nodes put is not told with the barrier's end but when a rank here wants it: see on_wanted. Before the
 * release. */
void hws_node_ask(struct hws_node *n);
void hws_node_value(struct hws_node *n, const char *key, const char *value);

/* Queues bytes for the stdin of the ranks that get it; len 0 is the end of input. */
void hws_node_stdin(struct hws_node *n, const char *data, size_t len);

/* Says where the ranks are. on_report follows, perhaps within the call. */
void hws_node_report(struct hws_node *n);

/* Stops and resumes reading the ranks' output (whoever takes it is full). */
void hws_node_pause(struct hws_node *n, bool is_paused);

/* Nobody takes the output of this stream any more: closes it, so that ranks which write to it get SIGPIPE. */
void hws_node_close_stream(struct hws_node *n, int stream);

#endif
