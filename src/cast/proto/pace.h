/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pace: how fast a stream may go: a window of packets that follows the loss of the receiver that loses most, and a rate
 * that spreads the window over a round trip. Pure: time is an argument.
 *
 * The window grows by 0.85 packets a round trip and shrinks to 7/10 at a loss, about as TCP's of today: so a stream
 * shares a link with TCP instead of starving it or being starved. The loss of one receiver counts, never the sum of
 * all: eight receivers that each lose 1 % on their own lose one of 13 packets together, and a window that followed that
 * would be a third of TCP's.
 *
 * In the queue of the own interface a stream keeps no more than 34 packets, or what leaves in 2.5 ms: Linux allows a
 * TCP stream little more there than leaves in one. One that filled that queue would leave no share of it to TCP: it is
 * the share of the queue that decides about the share of the link, before anything is lost.
 */
#ifndef HWS_CAST_PACE_H
#define HWS_CAST_PACE_H

#include <stdbool.h>
#include <stdint.h>

#define HWS_CAST_FIRST_WINDOW 16 /* packets before anything is known: as TCP's ten segments */
#define HWS_CAST_LEAST_WINDOW 4
#define HWS_CAST_FEWEST_ASKED 25 /* a report is asked for each so many packets, or each quarter of the window */

struct hws_cast_pace {
    double window;                      /* packets */
    double threshold;                   /* below it the window doubles in a round trip */
    double most;                        /* bound of the window */
    uint64_t srtt_ns, var_ns, least_ns; /* 0: no round trip has been measured */
    uint64_t cut_ns;                    /* when the window shrank last */
    uint64_t next_ns;                   /* before it nothing is sent */
    unsigned backoff;                   /* time-outs in a row */
};

void hws_cast_pace_init(struct hws_cast_pace *p, unsigned most);

void hws_cast_pace_rtt(struct hws_cast_pace *p, uint64_t sample_ns);

/* All have answered n packets, of which some may be lost. full: the window was what held more back. */
void hws_cast_pace_arrived(struct hws_cast_pace *p, uint64_t n, bool full);

/* The receiver that loses most has lost a packet; counts once a round trip. True: it did. */
bool hws_cast_pace_lost(struct hws_cast_pace *p, uint64_t now_ns);

/* Nothing was heard for hws_cast_pace_timeout(). */
void hws_cast_pace_silent(struct hws_cast_pace *p, uint64_t now_ns);

uint64_t hws_cast_pace_timeout(const struct hws_cast_pace *p);

/* Packets that may be under way. */
uint64_t hws_cast_pace_window(const struct hws_cast_pace *p);

/* Packets between two that ask for a report. */
uint64_t hws_cast_pace_asks(const struct hws_cast_pace *p);

/* Whether a packet may leave now; counts it if so. queued: packets that have not left this host yet. */
bool hws_cast_pace_take(struct hws_cast_pace *p, uint64_t now_ns, uint64_t queued);

#endif
