/* SPDX-License-Identifier: BSD-3-Clause
 *
 * carrier: a process that holds the read ends of ranks' stdout and stderr for a node that has not enough descriptors
 * for them, and passes on what comes (decision 034). With it a rank costs the node one descriptor, its PMI connection.
 */
#ifndef HWS_MPIRUN_CARRIER_H
#define HWS_MPIRUN_CARRIER_H

#include <stdbool.h>
#include <stddef.h>

#include "mpirun/util/loop.h"

/* Bytes of stream 1 or 2 of a rank; len 0: its end. rank: as given to hws_carrier_give(). */
typedef void (*hws_carrier_output)(void *arg, int rank, int stream, const char *data, size_t len);

struct hws_carrier;

/* The ranks whose output one carrier can hold under that limit of descriptors. */
int hws_carrier_room(unsigned long limit);

/* Starts one for ranks first .. first + n - 1. NULL: errno says why. */
struct hws_carrier *hws_carrier_open(struct hws_loop *loop, int first, int n, hws_carrier_output on_output, void *arg);

/* Passes both read ends, which the caller closes afterwards. 0, or -1 and errno. */
int hws_carrier_give(struct hws_carrier *c, int rank, int out_fd, int err_fd);

/* While paused nothing is read from it; what ranks write waits in their pipes then. */
void hws_carrier_pause(struct hws_carrier *c, bool is_paused);

/* Closes that stream of all its ranks, so that those which write to it get SIGPIPE. Their ends are told. */
void hws_carrier_drop(struct hws_carrier *c, int stream);

/* Returns when all that the rank has written until now has been given to on_output. */
void hws_carrier_finish(struct hws_carrier *c, int rank);

/* Ends the process and frees c. Output that was not read is lost. */
void hws_carrier_close(struct hws_carrier *c);

#endif
