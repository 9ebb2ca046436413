/* SPDX-License-Identifier: BSD-3-Clause
 *
 * turns: whether the two ends of a connection take turns, as in a ping-pong, or one of them streams, and whether the
 * reader is ahead of what it reads. Pure: it is told what is sent and received (docs/decisions/037, 055).
 */
#ifndef HWS_LINK_TCP_TURNS_H
#define HWS_LINK_TCP_TURNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HWS_TURNS_LONG  1024u /* bytes of a read or write that counts */
#define HWS_TURNS_READS 32    /* long reads between two judgments */
#define HWS_TURNS_SURE  4     /* judgments in a row until it is believed: exchanges look like turns now and then */
#define HWS_TURNS_MUCH  8192u /* bytes of a long read from which on it pays to ask for it behind a short one, too */
#define HWS_TURNS_SHORT 8     /* reads behind a long one until the next is expected to be short */

struct hws_turns {
    uint32_t reads;     /* long ones, since the last judgment */
    uint32_t writes;    /* the same */
    uint32_t turns;     /* writes of any length, each the first one behind a long read */
    uint32_t in_row;    /* judgments that found turns, up to HWS_TURNS_SURE */
    uint32_t at_once;   /* long reads without an attempt in vain since the read before */
    uint32_t last_long; /* bytes of the last long read */
    uint8_t n_short;    /* reads since the last long one, up to HWS_TURNS_SHORT */
    bool is_read;       /* a long read came last */
    bool is_missed;     /* an attempt to read was in vain since the last read */
    bool is_ahead;      /* by the last judgment what comes is waited for */
};

static inline void hws_turns_wrote(struct hws_turns *t, size_t n_bytes)
{
    t->writes += n_bytes > HWS_TURNS_LONG;
    t->turns += t->is_read;
    t->is_read = false;
}

/* There was nothing to read. */
static inline void hws_turns_missed(struct hws_turns *t)
{
    t->is_missed = true;
}

/* True: enough has been read for hws_turns_judge(). */
static inline bool hws_turns_read(struct hws_turns *t, size_t n_bytes)
{
    bool is_missed = t->is_missed;
    t->is_missed = false;
    if (n_bytes <= HWS_TURNS_LONG) {
        t->n_short += t->n_short < HWS_TURNS_SHORT;
        return false;
    }
    t->n_short = 0;
    t->last_long = (uint32_t)n_bytes;
    t->at_once += !is_missed;
    t->is_read = true;
    return ++t->reads >= HWS_TURNS_READS;
}

/* Whether in the last HWS_TURNS_SURE judgments, this one included, three in four of the long writes and half of the
 * long reads were turns: a message may come in two reads. Begins to count anew. */
static inline bool hws_turns_judge(struct hws_turns *t)
{
    bool is_taken = 2u * t->turns >= t->reads && 4u * t->turns >= 3u * t->writes;
    if (!is_taken)
        t->in_row = 0;
    else if (t->in_row < HWS_TURNS_SURE)
        t->in_row++;
    t->is_ahead = t->in_row == HWS_TURNS_SURE && 8u * t->at_once <= t->reads;
    t->reads = t->writes = t->turns = t->at_once = 0;
    return t->in_row == HWS_TURNS_SURE;
}

/* Whether to ask if anything has come before the next attempt to read: a long message is waited for. */
static inline bool hws_turns_asks(const struct hws_turns *t)
{
    bool is_long_next = t->n_short == 0 || (t->n_short < HWS_TURNS_SHORT && t->last_long > HWS_TURNS_MUCH);
    return t->is_ahead && t->is_missed && is_long_next;
}

#endif
