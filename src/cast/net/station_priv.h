/* SPDX-License-Identifier: BSD-3-Clause
 *
 * station_priv: shared by station.c (thread, sockets, what is done), post.c (packets out) and circle.c (groups). All of
 * a station is under its mutex. The engine's lock is taken before it, never after.
 */
#ifndef HWS_CAST_STATION_PRIV_H
#define HWS_CAST_STATION_PRIV_H

#include <pthread.h>
#include <sys/socket.h>

#include "cast/net/station.h"

#define HWS_POST_BATCH 32   /* packets in one system call */
#define HWS_CAST_BYTES 1600 /* room for a packet with its MAC */

struct hws_post_packet {
    struct sockaddr_storage to;
    socklen_t to_len;
    size_t len;
    uint8_t bytes[HWS_CAST_BYTES];
};

/* Packets on their way out, all of one socket. */
struct hws_post {
    int fd;
    unsigned n;
    struct hws_post_packet packets[HWS_POST_BATCH];
};

struct hws_circle {
    struct hws_list node; /* in the station's list */
    struct hws_station *station;
    struct hws_cast_group group;
    enum hws_circle_state state; /* hws_circle_become() writes it, nobody else */
    struct hws_nic *nic;
    struct sockaddr_storage all;
    socklen_t addr_len;
    struct sockaddr_storage *members; /* members[n] */
    bool *heard;                      /* heard[n]; the own one too */
    int n_heard;
    bool has_met;
    unsigned n_hellos;
    uint64_t began_ns;
    uint64_t copied; /* bytes of messages that were copied, and are not done */
    uint32_t label;  /* of whom its counts are */
};

struct hws_station {
    pthread_mutex_t mutex;
    pthread_t thread;
    int stop_fd, timer_fd, done_fd; /* done_fd: for the engine */
    uint64_t timer_ns;              /* what timer_fd is set to; UINT64_MAX: nothing */
    struct hws_seal seal;
    int n_nics;
    struct hws_nic nics[HWS_STATION_NICS];
    struct hws_list circles;
    struct hws_list done; /* struct hws_cast_call */
    struct hws_station_counts counts;
    struct hws_post post;
};

/* post.c */
void hws_post_packet(struct hws_circle *c, int to, const struct hws_cast_packet *p);
void hws_post_flush(struct hws_station *s);

/* station.c */
void hws_station_done(struct hws_station *s, struct hws_cast_call *call);
void hws_station_notice(struct hws_station *s);     /* has the engine call collect */
void hws_station_look_again(struct hws_station *s); /* there is another socket to poll */
/* Sends what is due, and has the thread look again in time. */
void hws_station_settle(struct hws_station *s);

/* circle.c */
void hws_circle_free(struct hws_circle *c);
void hws_circle_take(struct hws_circle *c, const struct hws_cast_packet *p, uint64_t now_ns);
uint64_t hws_circle_tick(struct hws_circle *c, uint64_t now_ns); /* as hws_cast_group_tick() */

#endif
