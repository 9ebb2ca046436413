/* SPDX-License-Identifier: BSD-3-Clause
 *
 * call: what a thread that waits says of itself on the rank's board (base/board.h). Waits for one message or request
 * say it by the site that they give to the engine; calls that wait in many places, as collectives do, by their name.
 */
#ifndef HWS_CORE_CALL_H
#define HWS_CORE_CALL_H

#include "base/board.h"
#include "core/comm/comm.h"

struct hws_engine_config;

struct hws_call {
    const char *name; /* NULL: the wait's site says it */
    const struct hws_comm *comm;
};

extern _Thread_local struct hws_call hws_call __attribute__((tls_model("initial-exec")));

/* From here to the end whatever this thread waits for is this call's. */
static inline void hws_call_begin(const char *name, const struct hws_comm *c)
{
    hws_call.comm = c;
    hws_call.name = name;
}

static inline void hws_call_end(void)
{
    hws_call.name = NULL;
}

/* Fills in what is known of a call on c (or NULL). */
void hws_call_tell(struct hws_board_what *out, const char *name, const struct hws_comm *c);

/* The same with the message that it waits for; ctx: of receives and probes. */
void hws_call_tell_message(struct hws_board_what *out, enum hws_board_verb verb, int peer, int tag, uint32_t ctx);

/* Finds the board and has the engine write there. */
void hws_call_find_board(struct hws_engine_config *cfg);
void hws_call_drop_board(void);

/* The rank's board; NULL: there is none. */
struct hws_board *hws_call_board(void);

/* MPI_Init waits for the launcher, not in the engine. */
void hws_call_meet(const char *name);
void hws_call_met(void);

#endif
