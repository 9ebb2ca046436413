/* SPDX-License-Identifier: BSD-3-Clause
 *
 * trc_state: the lifecycle of a stream, and the only function that writes its state. docs/states.md has the picture.
 */
#include <assert.h>
#include <inttypes.h>

#include "base/log.h"
#include "link/trc/trc_priv.h"

#define TO(state)                 (1u << HWS_STREAM_##state)
#define ROW(state, meaning, next) [HWS_STREAM_##state] = {#state, meaning, next}

static const struct hws_lifecycle_state rows[HWS_STREAM_N] = {
    ROW(WAITS,
        "no connection yet: the dialer has none to spare or the network is away, the acceptor has asked the dialer. "
        "Messages are queued.",
        TO(DIALING) | TO(UP) | TO(FAILED)),
    ROW(DIALING, "dialed; the other kernel has not answered yet. The first connection of a link begins here, or UP.",
        TO(UNCONFIRMED) | TO(UP) | TO(WAITS) | TO(FAILED)),
    ROW(FAILED, "dialed in vain; the link ends of it.", 0),
    ROW(UNCONFIRMED, "the dialer's: messages flow, and OPENED has not come yet. It can't be closed before that.",
        TO(UP) | TO(FINISHED)),
    ROW(UP, "messages flow, and both ends know of it.", TO(SHEDDING) | TO(CLOSING) | TO(DRAINING) | TO(FINISHED)),
    ROW(SHEDDING, "the acceptor's: SHED is told, CLOSING has not come yet. Messages flow as before.",
        TO(DRAINING) | TO(FINISHED)),
    ROW(CLOSING,
        "the dialer's: CLOSING and FIN are sent; it reads to the other FIN. The flow is free for a new stream.",
        TO(FINISHED)),
    ROW(DRAINING,
        "the acceptor's: CLOSING has come; it reads to the FIN, whoever wants the messages. The flow is free, too.",
        TO(FINISHED)),
    ROW(FINISHED,
        "FIN has come, and is sent or queued: the dialer closes when its queue is empty, the acceptor behind that.", 0),
};

#undef ROW
#undef TO

const struct hws_lifecycle hws_trc_streams = HWS_LIFECYCLE("stream of tcp-trc", rows);

void hws_trc_stream_become(struct hws_trc_stream *s, enum hws_stream_state next, const char *why)
{
    bool counts = hws_trc_is_in(s, HWS_STREAMS_SHEDDING);
    assert(hws_lifecycle_allows(&hws_trc_streams, s->state, next));
    hws_trace(link, "flow %" PRIx64 " stream %" PRIu32 ": %s -> %s (%s)", s->flow, s->id, rows[s->state].name,
              rows[next].name, why);
    s->state = next;
    if (!counts && hws_trc_is_in(s, HWS_STREAMS_SHEDDING))
        s->l->t->n_shedding++;
}
