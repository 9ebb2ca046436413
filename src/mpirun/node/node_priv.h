/* SPDX-License-Identifier: BSD-3-Clause
 *
 * node_priv: what the files of a node share: node.c (its ranks while they run) and node_start.c (how they come to run).
 */
#ifndef HWS_MPIRUN_NODE_PRIV_H
#define HWS_MPIRUN_NODE_PRIV_H

#include "mpirun/node/bind.h"
#include "mpirun/node/boards.h"
#include "mpirun/node/carrier.h"
#include "mpirun/node/node.h"
#include "mpirun/node/node_stdin.h"
#include "mpirun/pmi/pmi_server.h"

struct stream {
    struct rank *rank;
    int number; /* 1 or 2 */
    int fd;     /* -1: at its end, or carried */
    bool carried;
    struct hws_loop_io *io;
};

struct rank {
    struct hws_node *node;
    int number; /* in the job */
    pid_t pid;  /* 0: none, or reaped: nobody may be signalled by it any more */
    struct stream streams[2];
    int pmi_fd; /* -1: closed */
    struct hws_loop_io *pmi_io;
    struct hws_pmi_conn conn;
};

struct hws_node {
    struct hws_loop *loop;
    const struct hws_spec *spec;
    const struct hws_origin *origin;
    struct hws_node_events ev;
    void *arg;
    struct rank *ranks; /* spec->n_ranks */
    struct hws_pmi_conn **conns;
    struct hws_pmi_server *server;
    struct hws_boards *boards; /* NULL: there is no memory for them */
    struct hws_bind *bind;     /* while ranks are started; NULL: not bound */
    bool says_binding;
    struct hws_carrier *
        *carriers; /* of the ranks' output, where descriptors are short; n_carriers, each for n_carried ranks */
    int n_carriers, n_carried;
    int n_running, n_streams; /* processes alive, streams open */
    bool is_paused, is_drained;
    struct hws_loop_timer *drain_timer;
    struct hws_node_stdin *input;
};

/* The descriptors of a rank that is being started; -1: not open. */
struct ends {
    int in, out[2], err[2], pmi[2]; /* [0] ours, [1] the rank's */
    int stdin_write;
};

/* Output of a local rank that a carrier holds. */
void hws_node_on_carried(void *arg, int local, int stream, const char *data, size_t len);

/* Takes over our ends for a rank that runs now. */
void hws_node_adopt(struct rank *r, const struct ends *e);

#endif
