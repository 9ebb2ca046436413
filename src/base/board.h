/* SPDX-License-Identifier: BSD-3-Clause
 *
 * board: a page of memory where a rank writes what its threads wait for, and the launcher of its host reads it: without
 * a signal, a message or the rank's help, so also when it is stopped, stuck or dead. Written only by a wait that goes
 * to sleep (decision 030). Numbers are the machine's own: both ends are on one host.
 */
#ifndef HWS_BASE_BOARD_H
#define HWS_BASE_BOARD_H

#include <stdbool.h>
#include <stdint.h>

#define HWS_BOARD_VAR     "HAWSER_BOARD" /* in the ranks' environment: "descriptor,offset" */
#define HWS_BOARD_STRIDE  65536          /* between the boards of two ranks: a multiple of any page size (bytes) */
#define HWS_BOARD_WAITS   8              /* threads of a rank that are seen */
#define HWS_BOARD_VERSION 1
#define HWS_BOARD_ANY     (-1)

enum hws_board_verb { HWS_BOARD_CALL, HWS_BOARD_SEND, HWS_BOARD_RECV, HWS_BOARD_PROBE };

/* What is waited for. */
struct hws_board_what {
    char call[32];          /* "MPI_Recv" */
    char comm[64];          /* the communicator's name; "": none */
    uint32_t verb;          /* enum hws_board_verb; CALL: peer and tag mean nothing */
    int32_t peer;           /* rank in MPI_COMM_WORLD or HWS_BOARD_ANY */
    int32_t tag;            /* or below 0: any */
    uint32_t ctx;           /* RECV, PROBE: the context of the messages that could be meant */
    uint32_t n_all, n_open; /* requests of the call, and those of them that are not complete (0: not counted) */
};

struct hws_board_wait {
    uint32_t seq;                /* odd while the rest is written */
    uint32_t used;               /* 1: a thread waits here */
    uint64_t since_ns, moved_ns; /* hws_clock_ns(): when the wait went to sleep, and when it last saw something move */
    struct hws_board_what what;
    uint32_t n_posted, n_unexpected; /* receives without a message, messages without a receive, in the whole rank */
    int32_t queued_peer, queued_tag; /* RECV, PROBE: the oldest message without a receive in that context; or ANY */
};

struct hws_board {
    uint32_t version; /* HWS_BOARD_VERSION from MPI_Init on */
    uint32_t is_over; /* MPI_Finalize is through */
    struct hws_board_wait waits[HWS_BOARD_WAITS];
    char died_in[64]; /* the call in which a signal struck, or HWS_BOARD_NO_CALL; "": unknown; written last */
};

#define HWS_BOARD_NO_CALL "-" /* it struck outside MPI, whatever other threads wait for */

/* The board that the environment names, mapped, and its descriptor closed; NULL: there is none. Takes the variable out
 * of the environment, so that children do not write on it. */
struct hws_board *hws_board_take(void);
void hws_board_drop(struct hws_board *b); /* NULL allowed */

/* A place for a thread that goes to sleep: fills it but for the queues. One thread at a time. NULL: all are taken. */
struct hws_board_wait *hws_board_begin(struct hws_board *b, const struct hws_board_what *what, uint64_t now_ns);
void hws_board_end(struct hws_board_wait *w);

/* Changes of a place are made between these. */
void hws_board_open(struct hws_board_wait *w);
void hws_board_close(struct hws_board_wait *w);

/* Copies a text into a field of len bytes; what is too long is cut. */
void hws_board_text(char *field, const char *text, unsigned len);

/* The reader's side: a copy of place i that is whole and whose texts end; false: nobody waits there, or it is being
 * written all the time. */
bool hws_board_read(const struct hws_board *b, int i, struct hws_board_wait *out);

#endif
