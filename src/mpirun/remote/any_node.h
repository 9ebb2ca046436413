/* SPDX-License-Identifier: BSD-3-Clause
 *
 * any_node: the ranks of a job on a host, whether they are started here or by a daemon.
 */
#ifndef HWS_MPIRUN_ANY_NODE_H
#define HWS_MPIRUN_ANY_NODE_H

#include "mpirun/node/node.h"
#include "mpirun/remote/remote.h"

struct hws_any_node {
    struct hws_node *local; /* one of the two, the other is NULL */
    struct hws_remote *remote;
    uint64_t job; /* of its ranks, for the daemon, which may have others' */
};

static inline void hws_any_signal(const struct hws_any_node *n, int signum)
{
    if (n->local)
        hws_node_signal(n->local, signum);
    else
        hws_remote_signal(n->remote, n->job, signum);
}

static inline void hws_any_release(const struct hws_any_node *n, const char *batch, size_t len)
{
    if (n->local)
        hws_node_release(n->local, batch, len);
    else
        hws_remote_release(n->remote, n->job, batch, len);
}

static inline void hws_any_ask(const struct hws_any_node *n)
{
    if (n->local)
        hws_node_ask(n->local);
    else
        hws_remote_ask(n->remote, n->job);
}

static inline void hws_any_report(const struct hws_any_node *n)
{
    if (n->local)
        hws_node_report(n->local);
    else
        hws_remote_report(n->remote, n->job);
}

static inline void hws_any_value(const struct hws_any_node *n, const char *key, const char *value)
{
    if (n->local)
        hws_node_value(n->local, key, value);
    else
        hws_remote_value(n->remote, n->job, key, value);
}

static inline void hws_any_stdin(const struct hws_any_node *n, const char *data, size_t len)
{
    if (n->local)
        hws_node_stdin(n->local, data, len);
    else
        hws_remote_stdin(n->remote, n->job, data, len);
}

static inline void hws_any_pause(const struct hws_any_node *n, bool is_paused)
{
    if (n->local)
        hws_node_pause(n->local, is_paused);
    else
        hws_remote_pause(n->remote, n->job, is_paused);
}

static inline void hws_any_close_stream(const struct hws_any_node *n, int stream)
{
    if (n->local)
        hws_node_close_stream(n->local, stream);
    else
        hws_remote_close_stream(n->remote, n->job, stream);
}

#endif
