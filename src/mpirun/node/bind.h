/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bind: which processors each rank of a node runs on (-bind-to core|socket|none). Cores and sockets are hwloc's, as far
 * as this process may use them itself. More ranks than cores: nobody is bound.
 */
#ifndef HWS_MPIRUN_BIND_H
#define HWS_MPIRUN_BIND_H

#include <sched.h>
#include <stddef.h>

struct hws_bind;

/* Plans for n_ranks. NULL: the ranks are not bound, *why says so in a few words ("" when nobody asked for it). */
struct hws_bind *hws_bind_open(const char *policy, int n_ranks, const char **why);
void hws_bind_close(struct hws_bind *b); /* NULL allowed */

/* The processors of local rank i; valid until close. text gets "core 3" or "socket 0". */
const cpu_set_t *hws_bind_set(const struct hws_bind *b, int i, char *text, size_t len);

/* Processors of all ranks of the node together. */
int hws_bind_n_cpus(const struct hws_bind *b);

#endif
