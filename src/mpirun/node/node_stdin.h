/* SPDX-License-Identifier: BSD-3-Clause
 *
 * node_stdin: mpirun's input on a host, for the one rank that reads it or for all (-stdin all). Each rank reads at its
 * own pace: what the fastest has read decides how much comes, and what others have not read yet is kept in a file
 * without a name (in TMPDIR), or in memory where there is no room for one.
 */
#ifndef HWS_MPIRUN_NODE_STDIN_H
#define HWS_MPIRUN_NODE_STDIN_H

#include <stdbool.h>
#include <stddef.h>

#include "mpirun/util/loop.h"

struct hws_node_stdin;

struct hws_node_stdin_events {
    void (*on_taken)(void *arg, size_t n); /* the rank that has read most has read n bytes more */
    void (*on_closed)(void *arg);          /* nobody reads any more */
};

/* For at most n_ranks readers, of which others may be on other hosts (of_all). The events must live as long. */
struct hws_node_stdin *hws_node_stdin_open(struct hws_loop *loop, int n_ranks, bool of_all,
                                           const struct hws_node_stdin_events *ev, void *arg);

/* Frees it; no event follows. */
void hws_node_stdin_fini(struct hws_node_stdin *s);

/* Local rank i reads from the other end of this pipe, which does not block and is closed here. */
void hws_node_stdin_add(struct hws_node_stdin *s, int i, int fd);

/* More input; len 0: its end. */
void hws_node_stdin_give(struct hws_node_stdin *s, const char *data, size_t len);

/* Local rank i has exited. Nothing happens if it does not read. */
void hws_node_stdin_drop(struct hws_node_stdin *s, int i);

#endif
