/* SPDX-License-Identifier: BSD-3-Clause
 *
 * place: by slot, or in turn. A program goes on where the program before it with the same list of hosts has stopped.
 */
#include "mpirun/place/place.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/errors.h"
#include "mpirun/util/buf.h"

/* Where placing stands in one list of hosts. */
struct cursor {
    const struct hws_host_list *hosts;
    int at;     /* entry */
    int used;   /* of its slots in this round */
    int rounds; /* by_node: how often all slots were taken */
    int *taken; /* ranks per entry */
};

static int slots_of(const struct hws_host *h, int ppn)
{
    return ppn ? ppn : h->slots ? h->slots : 1;
}

static bool is_full(const struct cursor *c, int entry)
{
    const struct hws_host *h = &c->hosts->list[entry];
    return h->max_slots && c->taken[entry] >= h->max_slots;
}

/* The entry that takes the next rank in turn: the next one with a slot left in this round. */
static int next_in_turn(struct cursor *c, int ppn)
{
    int n = c->hosts->n;
    for (int tries = 0; tries < 2 * n; tries++) {
        int entry = c->at;
        c->at = (c->at + 1) % n;
        if (!is_full(c, entry) && c->taken[entry] < (c->rounds + 1) * slots_of(&c->hosts->list[entry], ppn)) {
            c->taken[entry]++;
            return entry;
        }
        c->rounds += tries == n - 1;
    }
    return -1;
}

static void step(struct cursor *c)
{
    c->at = (c->at + 1) % c->hosts->n;
    c->used = 0;
}

/* The entry that takes the next rank, or -1: all are full for good. */
static int next_entry(struct cursor *c, int ppn)
{
    if (c->used >= slots_of(&c->hosts->list[c->at], ppn))
        step(c);
    for (int tries = 0; is_full(c, c->at); tries++) {
        if (tries > c->hosts->n)
            return -1;
        step(c);
    }
    c->used++;
    c->taken[c->at]++;
    return c->at;
}

static int node_number(struct hws_place *p, const char *name)
{
    for (int i = p->n_nodes - 1; i >= 0; i--)
        if (strcmp(p->nodes[i], name) == 0)
            return i;
    p->nodes = hws_xrealloc(p->nodes, (size_t)(p->n_nodes + 1) * sizeof *p->nodes);
    p->nodes[p->n_nodes] = hws_xstrdup(name);
    return p->n_nodes++;
}

static struct cursor *find_cursor(struct cursor *list, int *n, const struct hws_host_list *hosts)
{
    for (int i = 0; i < *n; i++)
        if (list[i].hosts == hosts)
            return &list[i];
    struct cursor *c = &list[(*n)++];
    *c = (struct cursor){.hosts = hosts, .taken = hws_xcalloc((size_t)hosts->n, sizeof(int))};
    return c;
}

static int count_slots(const struct hws_host_list *hosts, int ppn)
{
    long sum = 0;
    for (int i = 0; i < hosts->n; i++)
        sum += slots_of(&hosts->list[i], ppn);
    return sum > HWS_SLOTS_MAX ? HWS_SLOTS_MAX : (int)sum;
}

static int place_app(struct hws_place *p, int app, const struct hws_place_app *a, struct cursor *c, char *err,
                     size_t err_len)
{
    int ppn = a->per_node ? a->per_node : a->ppn, most = count_slots(a->hosts, ppn), n = a->n ? a->n : most;
    if (a->per_node && n > most) {
        snprintf(err, err_len, "-map-by ppr:%d:node has a place for %d of the %d ranks that are asked for", a->per_node,
                 most, n);
        return HWS_EINVAL;
    }
    p->ranks = hws_xrealloc(p->ranks, (size_t)(p->size + n) * sizeof *p->ranks);
    for (int i = 0; i < n; i++) {
        int entry = a->by_node ? next_in_turn(c, ppn) : next_entry(c, ppn);
        if (entry < 0) {
            snprintf(err, err_len, "max_slots of the hosts allow %d ranks, but %d are asked for", i, n);
            return HWS_EINVAL;
        }
        p->ranks[p->size++] = (struct hws_placed){app, node_number(p, a->hosts->list[entry].name)};
    }
    return HWS_OK;
}

int hws_place_ranks(struct hws_place *p, const struct hws_place_app *apps, int n_apps, char *err, size_t err_len)
{
    struct cursor *cursors = hws_xcalloc((size_t)n_apps, sizeof *cursors);
    int n_cursors = 0, rc = HWS_OK;
    *p = (struct hws_place){0};
    for (int i = 0; i < n_apps && !rc; i++) {
        int n_before = n_cursors;
        struct cursor *c = find_cursor(cursors, &n_cursors, apps[i].hosts);
        if (n_cursors > n_before)
            p->n_slots += count_slots(apps[i].hosts, apps[i].per_node ? apps[i].per_node : apps[i].ppn);
        rc = place_app(p, i, &apps[i], c, err, err_len);
    }
    for (int i = 0; i < n_cursors; i++)
        free(cursors[i].taken);
    free(cursors);
    return rc;
}

void hws_place_fini(struct hws_place *p)
{
    for (int i = 0; i < p->n_nodes; i++)
        free(p->nodes[i]);
    free(p->nodes);
    free(p->ranks);
    hws_sites_fini(&p->sites);
    *p = (struct hws_place){0};
}
