/* SPDX-License-Identifier: BSD-3-Clause
 *
 * lane: the traffic on a connected socket: what is queued, what is read, what is measured.
 */
#ifndef HWS_PEER_STATE_LANE_H
#define HWS_PEER_STATE_LANE_H

#include "link/link.h"
#include "peer/ops.h"
#include "striping/pace.h"
#include "striping/rate.h"
#include "striping/stall.h"
#include "wire/wire.h"

struct hws_came;
struct hws_message;
struct hws_path;
struct hws_peer;

#define HWS_PREFETCH_LEN    (64u << 10)  /* of a connected lane: many small frames in one recv */
#define HWS_TAIL_LEN        1024u        /* prefetch room behind a direct read: little, so that bulk is not copied */
#define HWS_LARGE_LEN       65536u       /* a payload whose copy costs more than another recv */
#define HWS_COPY_LEN        1024u        /* up to here a payload is copied behind its header, not an iovec of its own */
#define HWS_PACK_LEN        (64u << 10)  /* bytes packed into one buffer: they stay in the cache until they are sent */
#define HWS_MAX_RUNS        64           /* runs of a layout named at once */
#define HWS_STAGE_SOFT      (64u << 10)  /* beyond, sends wait in the peer's pending list */
#define HWS_BURST_FLUSH     (32u << 10)  /* a burst of held-back sends leaves when it is that long */
#define HWS_LANE_QUEUE      (256u << 10) /* bytes that bulk may have queued in a lane */
#define HWS_KEEP_MAX        (1u << 20)   /* copies of eager messages that a lane keeps until they are acknowledged */
#define HWS_ACK_EVERY       (64u << 10) /* received bytes after which an acknowledgment does not wait for other traffic */
#define HWS_ACK_WHOLE       (264u << 10) /* the same of whole messages that are not lent */
#define HWS_LONE_TIMES      8 /* times -tcpeagersend, up to which a message goes whole, copied, by an only lane */
#define HWS_MIN_FRAG        (16u << 10) /* least piece of bulk for one of several lanes while no rate is known */
#define HWS_FRAMES_PER_READ 16          /* recv calls on one lane before others get their turn */

enum hws_seg_kind { HWS_SEG_STAGED, HWS_SEG_USER, HWS_SEG_PACKED };

/* Bytes queued in a lane. They stay, whole, until they are released: when the kernel has taken them or, in a lane that
 * keeps, when the other end has acknowledged them. */
struct hws_seg {
    enum hws_seg_kind kind;
    const uint8_t *base; /* USER, PACKED; STAGED: in the lane's staging ring */
    size_t len;
    struct hws_send_op *op; /* USER, PACKED; NULL: nobody waits for it */
    void *packed;           /* PACKED: from the engine's payloads; NULL once it is sent and op can pack it again */
    size_t packed_len;
    uint64_t offset; /* PACKED: in op's message */
};

/* Where the payload of the frame being read goes. */
struct hws_sink {
    size_t left; /* payload bytes still to come, kept ones first, then `discard` */
    size_t discard;
    uint8_t *dst;            /* next byte, or NULL: unpack into op */
    struct hws_recv_op *op;  /* receive that takes it, or NULL */
    struct hws_message *msg; /* unexpected message that takes it, or NULL */
    struct hws_came *came;   /* it is a frame of a room above the engine; or NULL */
    uint64_t offset;         /* in the message, for unpack */
    size_t frame_len;        /* payload of the whole frame */
    uint32_t charge;         /* credit to give back at the end */
};

/* A frame in the output of a lane whose link carries messages. */
struct hws_cut {
    uint32_t len;  /* header and payload (bytes) */
    uint64_t flow; /* hws_flow(), hws_flow_exact() or 0 */
};

/* Out: a stream of bytes, released <= sent <= queued. */
struct hws_lane_out {
    struct hws_seg *segs; /* ring, seg_cap is a power of two */
    unsigned seg_head, seg_n, seg_cap;
    unsigned seg_cur;         /* of the seg_n, so many are sent whole */
    size_t cur_off, head_off; /* bytes sent of segment seg_cur, released of the head */
    uint8_t *stage;           /* ring of stage_cap bytes, a power of two */
    size_t stage_cap;
    uint64_t staged, staged_sent, staged_freed; /* bytes ever written into the ring, sent and released */
    uint64_t sent, released;                    /* bytes of the stream */
    uint64_t confirmed;   /* where it keeps: acknowledged, to be released at the begin of the next step */
    uint64_t lent_until;  /* in the stream: the end of the last message that is lent; 0: there is none */
    size_t queued_bytes;  /* not sent yet */
    struct hws_cut *cuts; /* ring of the frames that are not sent yet, cut_cap a power of two; NULL: a link of bytes */
    unsigned cut_head, cut_n, cut_cap;
    struct hws_list staged_ops;    /* sends that are done once the ring is out up to their staged_end */
    bool want_write;               /* the socket was full at the last try */
    bool armed;                    /* the reactor watches for room */
    uint64_t burst_step, burst_ns; /* engine step and time of the last nonblocking send */
};

/* Its place among the lanes that are read directly (hot.c). */
struct hws_lane_hot {
    unsigned direct_reads; /* that found something, while hot, since the last sleep */
    bool is_hot;           /* in the engine's list */
    unsigned idle_reads;   /* direct ones in a row that found nothing */
    uint64_t found_at;     /* the engine's n_turns when the last one found something */
};

/* In: a stream of frames. */
struct hws_lane_in {
    uint8_t *pre; /* the prefetch buffer */
    size_t pre_head, pre_tail;
    bool large;     /* the last frame's payload was HWS_LARGE_LEN or more */
    bool gives_way; /* a send is over: the caller may post a receive for what comes next, so it is not begun yet */
    struct hws_sink sink;
    struct hws_frame frame;   /* the one being read */
    size_t frame_bytes;       /* of it, header and payload */
    uint32_t frame_crc;       /* of the payload so far */
    uint64_t received, acked; /* bytes of whole frames; what the other end was last told of it */
};

/* When the other end sent last, UNDER_WAY bytes at least (msg/send.c): what was sent and what had come by then,
 * and how much of its answer goes whole. */
struct hws_lane_turn {
    uint64_t sent, received, room;
};

/* What the kernel likely has of a lane between two looks. */
struct hws_lane_guess {
    uint64_t at_ns, backlog, sent;
};

/* How fast its card is, from one look to the next; asked of an only lane (lane/share.c). */
struct hws_lane_speed {
    uint64_t at_ns, sent;
    bool was_full;   /* the socket, all the time since then */
    unsigned n_slow; /* so many more spans were slow than fast, of the last ones */
};

/* Measured, where there are several lanes (lane/share.c). */
struct hws_lane_share {
    struct hws_rate rate;
    uint64_t looked_ns, backlog_then, sent_then; /* the last look at the kernel's backlog */
    struct hws_lane_guess guess;
    struct hws_stall stall;
    struct hws_pace pace;
    uint64_t nominal; /* Mb/s of its interfaces; 0: not known */
    uint64_t even;    /* bytes: what it has carried beyond them it is ahead of the others */
    bool left_bulk;   /* to other lanes, when it was asked last */
    struct hws_lane_speed speed;
    uint64_t latency_ns; /* half the round trip when it was last measured; 0: not known */
};

/* What the watch knows (conn/watch.c, conn/ask.c). */
struct hws_lane_watch {
    struct hws_link_silence silence;
    uint64_t drained;    /* where nothing is kept: of `sent`, what is known to have arrived */
    bool told_silent;    /* the line that it is silent was printed */
    unsigned ask_s;      /* so often the other kernel is asked whether it is there; 0: it is not */
    uint64_t suspect_ns; /* since then: another lane over the same card has died; 0: not */
};

struct hws_lane_count {
    uint64_t frames_out, frames_in, sends, recvs, bytes_in;
};

struct hws_lane {
    struct hws_peer *peer;
    struct hws_link *link;
    struct hws_path *path;
    bool keeps;   /* both ends keep what is not acknowledged */
    bool watched; /* its link may fall silent, and can tell */
    bool crc;
    struct hws_list blocked_node; /* in the engine's list of lanes whose socket is full */
    struct hws_list dirty_node;   /* in the engine's list of lanes with held-back output */
    struct hws_list acked_node;   /* in the engine's list of lanes with bytes to release */
    struct hws_lane_out out;
    struct hws_lane_hot hot;
    struct hws_lane_in in;
    struct hws_lane_turn turn;
    struct hws_lane_share share;
    struct hws_lane_watch watch;
    struct hws_lane_count count;
};

/* All that is queued is sent (perhaps not acknowledged). */
static inline bool hws_lane_has_room(const struct hws_lane *l)
{
    return l->out.staged - l->out.staged_sent < HWS_STAGE_SOFT && l->out.queued_bytes < HWS_LANE_QUEUE &&
           l->out.staged - l->out.staged_freed < HWS_KEEP_MAX;
}

static inline bool hws_lane_is_sent(const struct hws_lane *l)
{
    return l->out.queued_bytes == 0;
}

#endif
