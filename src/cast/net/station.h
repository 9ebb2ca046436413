/* SPDX-License-Identifier: BSD-3-Clause
 *
 * station: a process's end of all multicast groups that it is in: sockets, and the thread that serves them, so that
 * packets are acknowledged and sent again while the program computes (docs/decisions/031-who-serves-multicast.md).
 * Whoever starts a message sends its first packets himself; the thread does the rest, and tells of what is done through
 * a descriptor that the engine watches. All functions may be called from any thread but the station's.
 */
#ifndef HWS_CAST_STATION_H
#define HWS_CAST_STATION_H

#include "cast/net/nic.h"
#include "cast/net/seal.h"
#include "cast/proto/group.h"

#define HWS_STATION_NICS 4 /* addresses of a process that others are told */

struct hws_station;
struct hws_circle; /* a group, with the addresses of its members */

/* How one member is reached, as it says itself; plain bytes, the same on all hosts of one byte order. */
struct hws_station_card {
    uint8_t n;
    struct {
        struct hws_addr addr;
        uint8_t prefix_len;
        uint16_t port;
    } at[HWS_STATION_NICS];
    uint32_t room;
};

enum hws_circle_state { HWS_CIRCLE_MEETING, HWS_CIRCLE_UP, HWS_CIRCLE_OFF, HWS_CIRCLE_N };
extern const struct hws_lifecycle hws_circles;

/* A message of a group, in the caller's memory until it is done. */
struct hws_cast_call {
    union {
        struct hws_cast_send send;
        struct hws_cast_recv recv;
    } op;                                        /* the caller fills what message.h says but on_done */
    void (*on_done)(struct hws_cast_call *call); /* from hws_station_collect(); may free it */
    /* the station's */
    struct hws_circle *circle;
    enum hws_err err;
    bool done;            /* under the mutex: the thread may set it at any time */
    bool was_done;        /* when it was begun: then there is no on_done */
    struct hws_list node; /* in the station's list of what is done */
};

/* Of this process, beside its groups' counts. */
struct hws_station_counts {
    uint64_t foreign; /* packets with a wrong MAC, or none */
    uint64_t unsent;  /* that the kernel did not take */
};

/* Opens the sockets of the interfaces. HWS_OK, or the error with one line in err. */
int hws_station_open(const struct hws_seal *seal, const struct hws_netif *netifs, size_t n_netifs,
                     struct hws_station **out, char *err, size_t err_len);
void hws_station_close(struct hws_station *s); /* ends the thread; what is not done is forgotten */

struct hws_station_card hws_station_card(const struct hws_station *s);
/* Readable when something is done: then call collect, which runs on_done of all that is. */
int hws_station_fd(const struct hws_station *s);
void hws_station_collect(struct hws_station *s);

/* Makes a group of cards[n] on the network of at[nic] of cards[me], and says hello to all. NULL: no memory, or the
 * kernel refuses. */
struct hws_circle *hws_circle_new(struct hws_station *s, uint64_t id, int n, int me,
                                  const struct hws_station_card *cards, int nic);
/* Whether it is known who is heard; collect is called then. And the first member that is not; -1: all are. */
bool hws_circle_has_met(const struct hws_circle *r);
int hws_circle_unheard(struct hws_circle *r);
/* Whose counts its counts are. */
void hws_circle_label(struct hws_circle *r, uint32_t label);
/* What all members made of that. */
void hws_circle_settle(struct hws_circle *r, bool used);
bool hws_circle_is_up(const struct hws_circle *r);

/* HWS_OK: call->was_done tells whether it is over already, without on_done; or HWS_ENOMEM. */
int hws_circle_send(struct hws_circle *r, struct hws_cast_call *call);
int hws_circle_recv(struct hws_circle *r, struct hws_cast_call *call);
/* The same with a copy of the data, which the station keeps until all have it. HWS_EAGAIN: it is too long, or too much
 * of that is kept already. op: as its caller fills it; not used any more afterwards. */
int hws_circle_send_copy(struct hws_circle *c, const struct hws_cast_send *op);
/* Takes a receive back. False: it is done, and on_done follows. */
bool hws_circle_cancel(struct hws_cast_call *call);
/* A member is dead. */
void hws_circle_drop(struct hws_circle *r, int member);

/* Sums over all groups. */
void hws_station_count(struct hws_station *s, struct hws_cast_counts *groups, struct hws_station_counts *own);

/* Of one group; of the newest group with this label (zeros: there is none). */
struct hws_cast_counts hws_circle_count(struct hws_circle *r);
struct hws_cast_counts hws_station_count_of(struct hws_station *s, uint32_t label);

/* The network of a group, for messages: "n0 (239.195.3.4)". */
void hws_circle_describe(const struct hws_circle *r, char *dst, size_t len);

#endif
