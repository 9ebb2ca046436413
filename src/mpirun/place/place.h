/* SPDX-License-Identifier: BSD-3-Clause
 *
 * place: which rank runs where. Pure.
 */
#ifndef HWS_MPIRUN_PLACE_H
#define HWS_MPIRUN_PLACE_H

#include <stdbool.h>
#include <stddef.h>

#include "mpirun/place/hosts.h"
#include "mpirun/place/sites.h"

struct hws_place_app {
    int n;        /* ranks wanted; 0: as many as its hosts have slots, or one without hosts */
    int ppn;      /* at most so many a host and round; 0: its slots */
    bool by_node; /* in turn over the hosts, each as long as it has slots, and again from the first */
    int per_node; /* so many a host and no more; 0: not said */
    const struct hws_host_list *hosts; /* of this program; programs may share a list; never NULL nor empty */
};

struct hws_placed {
    int app, node;
};

struct hws_place {
    struct hws_placed *ranks; /* size entries */
    int size;
    char **nodes; /* distinct names, n_nodes, in the order of their lowest rank */
    int n_nodes;
    int n_slots;            /* of all hosts together */
    struct hws_sites sites; /* the caller sets it */
};

/* Fills the hosts of each program slot by slot, in order, again from the first when all are full. HWS_OK, or HWS_EINVAL
 * with one line in err when max_slots or per_node do not allow so many. */
int hws_place_ranks(struct hws_place *p, const struct hws_place_app *apps, int n_apps, char *err, size_t err_len);
void hws_place_fini(struct hws_place *p);

#endif
