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

#define HWS_LEFT_SHORT 512u  /* bytes of a short read: the kernel has a rule of its own for segments from 536 on */
#define HWS_LEFT_SURE  8     /* short reads in a row until the next one is expected to be short, too */
#define HWS_LEFT_OWED  3     /* reads without an own write: the other end is to have its acknowledgment */
#define HWS_LEFT_MOST  1024u /* bytes that may be left */

struct hws_left {
    uint32_t bytes;      /* read and left in the kernel */
    uint8_t short_reads; /* in a row, up to HWS_LEFT_SURE */
    uint8_t owed;        /* reads since the last own write, up to HWS_LEFT_OWED */
};

/* The first read behind an own write need not leave anything: one segment is not acknowledged by it. */
static inline bool hws_left_may(const struct hws_left *t)
{
    return t->short_reads == HWS_LEFT_SURE && t->owed > 0 && t->owed < HWS_LEFT_OWED && t->bytes < HWS_LEFT_MOST;
}

static inline void hws_left_wrote(struct hws_left *t)
{
    t->owed = 0;
}

static inline void hws_left_read(struct hws_left *t, size_t n_bytes)
{
    t->owed += t->owed < HWS_LEFT_OWED;
    if (n_bytes > HWS_LEFT_SHORT)
        t->short_reads = 0;
    else
        t->short_reads += t->short_reads < HWS_LEFT_SURE;
}

#endif
