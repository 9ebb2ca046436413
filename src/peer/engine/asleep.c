/* SPDX-License-Identifier: BSD-3-Clause
 *
 * asleep: a wait that goes to sleep writes on the rank's board what it waits for (base/board.h). With the engine's
 * lock.
 */
#include "peer/engine/parts.h"

static void note_queues(struct hws_engine *e, struct hws_board_wait *w, uint64_t moved_ns)
{
    const struct hws_match_key any = {w->what.ctx, HWS_MATCH_ANY_PEER, HWS_MATCH_ANY_TAG};
    const struct hws_match_node *oldest = NULL;
    w->n_posted = (uint32_t)hws_match_n_posted(&e->match);
    w->n_unexpected = (uint32_t)hws_match_n_unexpected(&e->match);
    if (w->n_unexpected && (w->what.verb == HWS_BOARD_RECV || w->what.verb == HWS_BOARD_PROBE))
        oldest = hws_match_find_unexpected(&e->match, &any, false);
    w->queued_peer = oldest ? oldest->key.peer : HWS_BOARD_ANY;
    w->queued_tag = oldest ? oldest->key.tag : 0;
    if (moved_ns)
        w->moved_ns = moved_ns;
}

struct hws_board_wait *hws_engine_asleep(struct hws_engine *e, struct hws_board_wait *told, hws_wait_site site,
                                         const void *arg, bool moved, uint64_t now_ns)
{
    if (!e->cfg.board)
        return NULL;
    struct hws_board_what what = {.call = "an MPI call", .peer = HWS_BOARD_ANY};
    if (!told || moved)
        e->cfg.describe(site, arg, &what);
    if (!told)
        told = hws_board_begin(e->cfg.board, &what, now_ns);
    if (told) {
        hws_board_open(told);
        if (moved) /* it may wait for fewer requests now */
            told->what = what;
        note_queues(e, told, moved ? now_ns : 0);
        hws_board_close(told);
    }
    return told;
}
