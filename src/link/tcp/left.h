/* SPDX-License-Identifier: BSD-3-Clause
 *
 * left: whether a read leaves in the kernel what it reads. Linux acknowledges the second of two short segments in the
 * read that empties the socket, in the time of the process that is about to answer (tcp_cleanup_rbuf); what is read and
 * left is acknowledged by the answer. Pure: it is told what is sent and received (docs/decisions/054).
 */
#ifndef HWS_LINK_TCP_LEFT_H
#define HWS_LINK_TCP_LEFT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HWS_LEFT_SHORT 1100u /* bytes of a short read: a message of 1 KiB with its header */
#define HWS_LEFT_SURE  8     /* short reads in a row until the next one is expected to be short, too */
#define HWS_LEFT_OWED  3     /* reads without an own write: the other end is to have its acknowledgment */
#define HWS_LEFT_MOST  2200u /* bytes that may be left */
#define HWS_LEFT_LEAST 536u  /* the kernel's full segment until a longer one came (TCP_MSS_DEFAULT) */
#define HWS_LEFT_FULL  1400u /* the same where long segments have come, at least */
#define HWS_LEFT_FADE  64    /* short reads in which what a longer one was more than they counts less by two thirds */

struct hws_left {
    uint32_t bytes;      /* read and left in the kernel */
    uint32_t unanswered; /* bytes read since the last own write */
    uint16_t usual;      /* bytes of the longest of the last short reads: the next one is taken to be no longer */
    uint16_t last;       /* of the last read, if it was of HWS_LEFT_LEAST or more, and short */
    uint16_t full;       /* what the kernel takes for a full segment, as far as reads tell; 0: HWS_LEFT_LEAST */
    uint8_t short_reads; /* in a row, up to HWS_LEFT_SURE */
    uint8_t owed;        /* reads since the last own write, up to HWS_LEFT_OWED */
};

/* More than a full segment is acknowledged as it comes, whatever is left (__tcp_ack_snd_check). */
static inline bool hws_left_is_full(const struct hws_left *t)
{
    return t->unanswered + t->usual > (t->full ? t->full : HWS_LEFT_LEAST);
}

/* The first read behind an own write need not leave anything: one segment is not acknowledged by it. */
static inline bool hws_left_may(const struct hws_left *t)
{
    return t->short_reads == HWS_LEFT_SURE && t->owed > 0 && t->owed < HWS_LEFT_OWED && t->bytes < HWS_LEFT_MOST &&
           !hws_left_is_full(t);
}

static inline void hws_left_wrote(struct hws_left *t)
{
    t->owed = 0;
    t->unanswered = 0;
}

/* A longer segment than all before counts as a full one, and so does the second of two of one length, if they are of
 * HWS_LEFT_LEAST or more (tcp_measure_rcv_mss). */
static inline void hws_left_measure(struct hws_left *t, uint16_t n_bytes)
{
    bool is_counted = n_bytes >= HWS_LEFT_LEAST;
    if (is_counted && (n_bytes > t->full || n_bytes == t->last))
        t->full = n_bytes;
    t->last = is_counted ? n_bytes : 0;
    t->usual = n_bytes > t->usual ? n_bytes : (uint16_t)(t->usual - (t->usual - n_bytes) / HWS_LEFT_FADE);
}

static inline void hws_left_read(struct hws_left *t, size_t n_bytes)
{
    t->owed += t->owed < HWS_LEFT_OWED;
    t->unanswered += (uint32_t)n_bytes;
    if (n_bytes > HWS_LEFT_SHORT) {
        t->short_reads = 0;
        t->full = HWS_LEFT_FULL;
        t->last = 0;
        return;
    }
    t->short_reads += t->short_reads < HWS_LEFT_SURE;
    hws_left_measure(t, (uint16_t)n_bytes);
}

#endif
