/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mem: links inside one process, for tests: several engines talk over one struct hws_mem_net, which injects faults from
 * a seed. Nothing happens by itself: hws_mem_net_pump() moves time and calls the links' events, so a run is repeatable.
 *
 *     for (;;) { for each engine: hws_engine_progress(e);  hws_mem_net_pump(net); }
 */
#ifndef HWS_LINK_MEM_H
#define HWS_LINK_MEM_H

#include "link/link.h"

#define HWS_MEM_CARDS 8

struct hws_mem_faults {
    uint64_t seed;
    size_t max_read, max_write; /* longest transfer of one call (bytes), random from 1; 0: no bound */
    size_t capacity;            /* bytes in flight in one direction; 0: 64 KiB */
    unsigned delay_pumps;       /* bytes are readable only so many pumps after they were sent, at random 0..delay */
    unsigned refuse_percent;    /* dials that fail */
    uint64_t close_at;          /* the link dies after so many bytes in one direction; 0: never */
    int cards;                  /* pairs of interfaces between any two processes; 0: one */
    uint64_t flip_every;    /* one bit of every so many bytes of a direction is flipped, the hello spared; 0: none */
    uint64_t close_read_at; /* every link dies once so many bytes of a direction were read; 0: never. Unlike with
                               close_at, what is longer than any frame lets some frame through in each life */
    bool lose_in_flight;    /* a link that dies loses a part of what was sent and not read yet */
    int flows;              /* links carry messages too, in so many flows, each with delays of its own; 0: bytes only */
    int close_nth_link;     /* which dialed link, counted from 0, close_at is for; -1: every one */
    bool tells_health;      /* links tell their cards, and what the other end's kernel has acknowledged */
    uint64_t rates[HWS_MEM_CARDS]; /* bytes/s that a link over that card drains in each direction; 0: at once. Bytes
                                      only, and not for a direction that is silenced */
    uint64_t latency_ns;           /* of links with a rate: from one end to the other */
    uint64_t
        burst; /* bytes that one which was idle lets pass at once, as a shaper does; it saves them up at its rate */
    void (*on_sent)(size_t bytes); /* of a link without flows has taken so many: a test's clock may pass; or NULL */
};

struct hws_mem_net;

/* A network without engines; faults is copied. NULL: no memory. */
struct hws_mem_net *hws_mem_net_new(const struct hws_mem_faults *faults);
/* After the engines are gone. */
void hws_mem_net_free(struct hws_mem_net *net);

/* One step of time: delivers bytes, accepts, dial results; calls events. True: something happened. */
bool hws_mem_net_pump(struct hws_mem_net *net);

/* Kills every link that joins the two processes, from both ends' view. */
void hws_mem_net_cut(struct hws_mem_net *net, int a, int b);

/* From now on nothing leaves from's card to to's any more, and no error is told, as when a switch fails; or it does
 * again. What was sent meanwhile stays in flight and arrives then, since kernels send again. -1: any process.
 * Acknowledgments go the other way, so a direction that is silent stops those of the other. Bytes only: links with
 * flows heal by themselves. */
void hws_mem_net_silence(struct hws_mem_net *net, int from, int to, int card, bool silent);

/* How dials from one process to another over that card end from now on, in spite of who is there: with an error at
 * once, as where an interface is down; with one later, as where a filter answers for the other host; or as they should.
 * -1: any process. */
enum hws_mem_trouble { HWS_MEM_FINE, HWS_MEM_NO_ROUTE, HWS_MEM_REFUSED };
void hws_mem_net_trouble(struct hws_mem_net *net, int from, int to, int card, enum hws_mem_trouble what);

/* The process computes from now on: its kernel takes as many connections for it as its backlog has room for, and what
 * comes on them, and dials beyond get no answer; or it is back. Whoever steps the engines leaves its engine out
 * meanwhile. */
void hws_mem_net_away(struct hws_mem_net *net, int place, bool away, int backlog);

/* Connections that its kernel has taken and it has not. */
int hws_mem_net_queued(const struct hws_mem_net *net, int place);

/* faults.close_at, while it runs. */
void hws_mem_net_close_at(struct hws_mem_net *net, uint64_t close_at);

/* Messages of this flow (of faults.flows) stay away from now on, as after a loss; -1: none does. */
void hws_mem_net_hold(struct hws_mem_net *net, int flow);

/* For struct hws_engine_config: open_transport = hws_mem_open, transport_arg = hws_mem_net_place(net, index). The card
 * of process i is "mem-i". */
void *hws_mem_net_place(struct hws_mem_net *net, int index);
int hws_mem_open(void *place, void *reactor, struct hws_transport **out, char *err, size_t err_len);

/* A pair of connected links without transport, for tests of the link layer; close each with hws_link_close(). */
int hws_mem_link_pair(struct hws_mem_net *net, struct hws_link *out[2]);

#endif
