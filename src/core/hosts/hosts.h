/* SPDX-License-Identifier: BSD-3-Clause
 *
 * hosts: which ranks of a communicator share memory, where not all do: what collectives in two levels go by. "Host"
 * means a set of ranks that share memory; the first rank of each host is its leader.
 */
#ifndef HWS_CORE_HOSTS_H
#define HWS_CORE_HOSTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hws_comm;
struct hws_region;

struct hws_hosts {
    int n;                     /* hosts, in the order of their leaders */
    int mine;                  /* own host */
    int me;                    /* own number among its ranks: 0 is the leader */
    int *of;                   /* of[size]: host of each rank */
    int *ranks;                /* ranks[size]: host by host, ascending in each */
    int *first;                /* first[n + 1]: where each host begins in `ranks` */
    bool in_order;             /* `ranks` is 0, 1, 2, ... */
    bool in_turn;              /* rank i is on host i mod n */
    size_t room;               /* bytes that a slot takes, in any host's region */
    struct hws_region *region; /* of the own host; NULL: a single rank */
    struct hws_hosts *sites;   /* which of these hosts (its ranks) are one site (its hosts); NULL: all are */
};

static inline int hws_hosts_size(const struct hws_hosts *h, int host)
{
    return h->first[host + 1] - h->first[host];
}

/* The number of a rank among those of its host. */
int hws_hosts_place(const struct hws_hosts *h, int rank);

/* The map alone, from keys[size] that are equal where memory is shared. NULL: no memory. */
struct hws_hosts *hws_hosts_map(const int32_t *keys, int size, int rank);

/* Gives a map its sites, from site_of[size] by rank; ranks of one host are of one site. MPI class. */
int hws_hosts_add_sites(struct hws_hosts *h, const int *site_of);

extern struct hws_hosts hws_hosts_flat; /* stands for maps from which nothing is gained */

/* Where the launcher has placed the ranks of an intracommunicator, a map alone. Each rank finds it out for itself, when
 * it first asks, and all come to the same. *h is NULL where the launcher does not say, where all ranks are on one host
 * and where each is on its own
 * and all hosts are of one site. MPI class. */
int hws_hosts_placed(struct hws_comm *c, const struct hws_hosts **h);

/* Makes c->hosts together with all ranks of c. NULL is left where some host has no area: then there is no second level
 * anywhere. MPI class. */
int hws_hosts_make(struct hws_comm *c, int32_t key);
void hws_hosts_drop(struct hws_hosts *h); /* NULL allowed */

#endif
