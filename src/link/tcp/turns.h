/* SPDX-License-Identifier: BSD-3-Clause
 *
 * turns: whether the two ends of a connection take turns, as in a ping-pong, or one of them streams. Pure: it is told
 * what is sent and received (docs/decisions/037).
 */
#ifndef HWS_LINK_TCP_TURNS_H
#define HWS_LINK_TCP_TURNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HWS_TURNS_LONG  1024u /* bytes of a read or write that counts */
#define HWS_TURNS_READS 32    /* long reads between two judgments */
#define HWS_TURNS_SURE  4     /* judgments in a row until it is believed: exchanges look like turns now and then */

struct hws_turns {
    uint32_t reads;  /* long ones, since the last judgment */
    uint32_t writes; /* the same */
    uint32_t turns;  /* writes of any length, each the first one behind a long read */
    uint32_t in_row; /* judgments that found turns, up to HWS_TURNS_SURE */
    bool is_read;    /* a long read came last */
};

static inline void hws_turns_wrote(struct hws_turns *t, size_t n_bytes)
{
    t->writes += n_bytes > HWS_TURNS_LONG;
    t->turns += t->is_read;
    t->is_read = false;
}

/* True: enough has been read for hws_turns_judge(). */
static inline bool hws_turns_read(struct hws_turns *t, size_t n_bytes)
{
    if (n_bytes <= HWS_TURNS_LONG)
        return false;
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
    t->reads = t->writes = t->turns = 0;
    return t->in_row == HWS_TURNS_SURE;
}

#endif
