/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/comm/call.h"

#include <stdio.h>

#include "base/clock.h"
#include "peer/engine.h"

_Thread_local struct hws_call hws_call;
static struct hws_board *board;        /* NULL: nobody reads */
static struct hws_board_wait *meeting; /* in MPI_Init */

void hws_call_tell(struct hws_board_what *out, const char *name, const struct hws_comm *c)
{
    hws_board_text(out->call, name, sizeof out->call);
    if (!c)
        return;
    if (c->name[0])
        hws_board_text(out->comm, c->name, sizeof out->comm);
    else
        snprintf(out->comm, sizeof out->comm, "a communicator of %d ranks", c->size);
}

void hws_call_tell_message(struct hws_board_what *out, enum hws_board_verb verb, int peer, int tag, uint32_t ctx)
{
    out->verb = verb;
    out->peer = peer;
    out->tag = tag;
    out->ctx = ctx;
}

static void describe(hws_wait_site site, const void *arg, struct hws_board_what *out)
{
    if (hws_call.name)
        hws_call_tell(out, hws_call.name, hws_call.comm);
    else if (site)
        site(arg, out);
}

void hws_call_find_board(struct hws_engine_config *cfg)
{
    if (!board)
        board = hws_board_take();
    cfg->board = board;
    cfg->describe = describe;
}

struct hws_board *hws_call_board(void)
{
    return board;
}

void hws_call_drop_board(void)
{
    hws_board_drop(board);
    board = NULL;
}

void hws_call_meet(const char *name)
{
    struct hws_board_what what = {.call = "", .peer = HWS_BOARD_ANY};
    hws_call_tell(&what, name, NULL);
    meeting = board ? hws_board_begin(board, &what, hws_clock_ns()) : NULL;
}

void hws_call_met(void)
{
    if (meeting)
        hws_board_end(meeting);
    meeting = NULL;
}
