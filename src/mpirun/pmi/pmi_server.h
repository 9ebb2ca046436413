/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pmi_server: the launcher's end of the PMI-1 wire protocol for the ranks of one node, so of one job. Reads and writes
 * no descriptor: the node gives it received bytes and sends what it leaves in the connection's output queue. Puts and
 * gets stay on the node; a barrier goes up through on_barrier and comes back with the entries of the other nodes.
 */
#ifndef HWS_MPIRUN_PMI_SERVER_H
#define HWS_MPIRUN_PMI_SERVER_H

#include <stdbool.h>
#include <stddef.h>

#include "mpirun/util/buf.h"
#include "mpirun/util/rank_state.h"
#include "mpirun/util/spec.h"

#define HWS_PMI_LINE_MAX  (1 << 24) /* bytes; a longer line is a broken rank */
#define HWS_PMI_VALUE_MAX 65536     /* what get_maxes says */

struct hws_pmi_conn {
    int rank, app;
    struct hws_buf in, out;
    enum hws_rank_state
        state; /* written by hws_rank_become() alone: here what it says, in the node its start and exit */
    bool in_barrier;
    bool is_brief; /* said hawser=1: gets more with the first answer and none to put and finalize (launch/pmi_open.c) */
    char *wanted;  /* the key whose value it gets with the barrier's end, or NULL */
    char *asked;   /* the key of another node that its get waits for, or NULL */
};

struct hws_pmi_server;

struct hws_pmi_server_events {
    /* All ranks of the node that are not absent are in the barrier; the batch holds what they have put since the last.
     */
    void (*on_barrier)(void *arg, struct hws_buf *batch);
    void (*on_abort)(void *arg, int rank, int code, const char *text);
    /* conn->out has got bytes to send. */
    void (*on_output)(void *arg, struct hws_pmi_conn *conn);
    /* After hws_pmi_server_ask(): a key that no rank here has put. hws_pmi_server_value() answers, now or later. */
    void (*on_miss)(void *arg, const char *key);
};

/* `spec` and the n connections stay the caller's and must live as long as the server. */
struct hws_pmi_server *hws_pmi_server_open(const struct hws_spec *spec, struct hws_pmi_conn **conns, int n,
                                           const struct hws_pmi_server_events *ev, void *arg);
void hws_pmi_server_fini(struct hws_pmi_server *s);

/* Frees what is in a connection, whose server may be gone. */
void hws_pmi_conn_fini(struct hws_pmi_conn *c);

/* Bytes from a rank. HWS_OK, or HWS_EPROTO: it does not speak PMI-1 (conn is of no more use). */
int hws_pmi_server_feed(struct hws_pmi_server *s, struct hws_pmi_conn *conn, const char *data, size_t len);

/* The barrier of the whole job is complete: stores the batch of all nodes and lets the ranks of this node go on.
 * HWS_OK or HWS_EPROTO. */
int hws_pmi_server_release(struct hws_pmi_server *s, const char *batch, size_t len);

/* A rank of the node has ended that never called MPI_Init: no barrier waits for it. That the job can't go on is for who
 * gets on_barrier to find. */
void hws_pmi_server_absent(struct hws_pmi_server *s);

/* From now on a key that is not here may be on another node: on_miss asks for it. */
void hws_pmi_server_ask(struct hws_pmi_server *s);

/* What on_miss asked for; value NULL: nobody has put it. It is not kept: the next get asks again. */
void hws_pmi_server_value(struct hws_pmi_server *s, const char *key, const char *value);

#endif
