/* SPDX-License-Identifier: BSD-3-Clause
 *
 * hosts: see hosts.h.
 */
#include "core/hosts/hosts.h"

#include <stdlib.h>
#include <string.h>

#include "core/comm/comm.h"
#include "core/comm/comm_agree.h"
#include "core/hosts/region.h"
#include "core/object/fail.h"
#include "core/object/launcher.h"
#include "core/object/world.h"

struct hws_hosts hws_hosts_flat = {.n = 1};

struct keyed {
    int32_t key;
    int leader, rank;
};

static int by_key(const void *a, const void *b)
{
    const struct keyed *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->rank - y->rank;
}

static int by_leader(const void *a, const void *b)
{
    const struct keyed *x = a, *y = b;
    return x->leader != y->leader ? x->leader - y->leader : x->rank - y->rank;
}

/* Ranks mostly lie host by host as they are: then a million of them are looked through once instead of sorted. */
static void sort(struct keyed *k, int n, int (*compare)(const void *, const void *))
{
    int i = 1;
    while (i < n && compare(&k[i - 1], &k[i]) < 0)
        i++;
    if (i < n)
        qsort(k, (size_t)n, sizeof *k, compare);
}

static void fill(struct hws_hosts *h, const struct keyed *k, int size, int rank)
{
    h->in_order = h->in_turn = true;
    for (int i = 0; i < size; i++) {
        if (i == 0 || k[i].leader != k[i - 1].leader)
            h->first[h->n++] = i;
        h->ranks[i] = k[i].rank;
        h->of[k[i].rank] = h->n - 1;
        h->in_order &= k[i].rank == i;
        if (k[i].rank == rank)
            h->me = i - h->first[h->n - 1];
    }
    for (int i = 0; i < size; i++)
        h->in_turn &= h->of[i] == i % h->n;
    h->first[h->n] = size;
    h->mine = h->of[rank];
}

struct hws_hosts *hws_hosts_map(const int32_t *keys, int size, int rank)
{
    struct hws_hosts *h = calloc(1, sizeof *h);
    int *memory = malloc((3 * (size_t)size + 1) * sizeof *memory);
    struct keyed *k = malloc((size_t)size * sizeof *k);
    if (!h || !memory || !k) {
        free(h);
        free(memory);
        free(k);
        return NULL;
    }
    h->of = memory;
    h->ranks = memory + size;
    h->first = memory + 2 * size;
    for (int i = 0; i < size; i++)
        k[i] = (struct keyed){keys[i], 0, i};
    sort(k, size, by_key);
    for (int i = 0; i < size; i++)
        k[i].leader = i > 0 && k[i].key == k[i - 1].key ? k[i - 1].leader : k[i].rank;
    sort(k, size, by_leader);
    fill(h, k, size, rank);
    free(k);
    return h;
}

int hws_hosts_place(const struct hws_hosts *h, int rank)
{
    int at = h->first[h->of[rank]];
    while (h->ranks[at] != rank)
        at++;
    return at - h->first[h->of[rank]];
}

void hws_hosts_drop(struct hws_hosts *h)
{
    if (!h || h == &hws_hosts_flat)
        return;
    hws_hosts_drop(h->sites);
    hws_region_drop(h->region);
    free(h->of);
    free(h);
}

/* ---- alone ------------------------------------------------------------------------------------------------------- */

static int no_memory(void)
{
    return hws_fail(MPI_ERR_NO_MEM, "out of memory for the map of a communicator's hosts");
}

int hws_hosts_add_sites(struct hws_hosts *h, const int *site_of)
{
    int32_t *keys = malloc((size_t)h->n * sizeof *keys);
    bool apart = false;
    for (int i = 0; keys && i < h->n; i++) {
        keys[i] = site_of[h->ranks[h->first[i]]];
        apart |= keys[i] != keys[0];
    }
    if (keys && apart)
        h->sites = hws_hosts_map(keys, h->n, h->mine);
    bool ok = keys && (!apart || h->sites);
    free(keys);
    return ok ? MPI_SUCCESS : no_memory();
}

/* As the launcher has told, if it has told of any. */
static int find_sites(const struct hws_comm *c, struct hws_hosts *h)
{
    const int *site_of;
    int rc = hws_world_sites(&site_of);
    if (rc != MPI_SUCCESS || !site_of)
        return rc;
    int *mine = malloc((size_t)c->size * sizeof *mine);
    for (int i = 0; mine && i < c->size; i++)
        mine[i] = site_of[hws_group_peer(c->group, i)];
    rc = mine ? hws_hosts_add_sites(h, mine) : no_memory();
    free(mine);
    return rc;
}

static int place(struct hws_comm *c)
{
    const int *host_of;
    int rc = hws_world_hosts(&host_of);
    if (rc != MPI_SUCCESS || !host_of) {
        c->placed = rc == MPI_SUCCESS ? &hws_hosts_flat : NULL;
        return rc;
    }
    int32_t *keys = malloc((size_t)c->size * sizeof *keys);
    bool apart = false;
    for (int i = 0; keys && i < c->size; i++) {
        keys[i] = host_of[hws_group_peer(c->group, i)];
        apart |= keys[i] != keys[0];
    }
    if (keys)
        c->placed = apart ? hws_hosts_map(keys, c->size, c->rank) : &hws_hosts_flat;
    free(keys);
    if (!c->placed)
        return no_memory();
    if (c->placed != &hws_hosts_flat)
        rc = find_sites(c, c->placed);
    if (rc != MPI_SUCCESS || (c->placed->n == c->size && !c->placed->sites)) {
        hws_hosts_drop(c->placed);
        c->placed = rc == MPI_SUCCESS ? &hws_hosts_flat : NULL;
    }
    return rc;
}

int hws_hosts_placed(struct hws_comm *c, const struct hws_hosts **h)
{
    int rc = c->placed ? MPI_SUCCESS : place(c);
    *h = c->placed && c->placed->n > 1 ? c->placed : NULL;
    return rc;
}

/* ---- together ---------------------------------------------------------------------------------------------------- */

/* The group of ranks[n] of c. NULL: no memory. */
static struct hws_group *group_of(const struct hws_comm *c, const int *ranks, int n)
{
    int *peers = malloc((size_t)n * sizeof *peers);
    if (!peers)
        return NULL;
    for (int i = 0; i < n; i++)
        peers[i] = hws_group_peer(c->group, ranks[i]);
    return hws_group_new(n, peers, NULL);
}

/* The leader takes an area for its host. *ok: there is one. */
static int share(struct hws_comm *c, struct hws_hosts *h, int tag, bool *ok)
{
    int n = hws_hosts_size(h, h->mine);
    const int *ranks = h->ranks + h->first[h->mine];
    if (n == 1)
        return MPI_SUCCESS;
    struct hws_group *g = group_of(c, ranks, n);
    if (!g)
        return no_memory();
    struct hws_talk t = {g, h->me, c->ctx + HWS_CTX_COLL, tag, 0};
    int32_t area = h->me == 0 ? hws_region_take(n) : -1;
    int rc = hws_talk_bcast(&t, &area, sizeof area);
    if (rc == MPI_SUCCESS && area >= 0 && (h->region = hws_region_of_area(g, area)) == NULL)
        rc = no_memory();
    *ok = area >= 0;
    hws_group_drop(g);
    return rc;
}

/* All ranks' keys, here. */
static int collect(struct hws_comm *c, int32_t key, int32_t *keys)
{
    struct hws_talk t = hws_talk_of(c);
    int rc = hws_talk_gather(&t, &key, sizeof key, c->rank == 0 ? keys : NULL);
    return rc == MPI_SUCCESS ? hws_talk_bcast(&t, keys, (size_t)c->size * sizeof *keys) : rc;
}

/* The least of all. */
static int least(struct hws_comm *c, size_t *value)
{
    struct hws_talk t = hws_talk_of(c);
    uint64_t mine = *value, *all = malloc((size_t)c->size * sizeof *all);
    if (!all)
        return no_memory();
    int rc = hws_talk_gather(&t, &mine, sizeof mine, c->rank == 0 ? all : NULL);
    for (int i = 0; rc == MPI_SUCCESS && c->rank == 0 && i < c->size; i++)
        mine = all[i] < mine ? all[i] : mine;
    free(all);
    if (rc == MPI_SUCCESS)
        rc = hws_talk_bcast(&t, &mine, sizeof mine);
    *value = (size_t)mine;
    return rc;
}

int hws_hosts_make(struct hws_comm *c, int32_t key)
{
    int32_t *keys = malloc((size_t)c->size * sizeof *keys);
    int rc = keys ? collect(c, key, keys) : no_memory();
    struct hws_hosts *h = rc == MPI_SUCCESS ? hws_hosts_map(keys, c->size, c->rank) : NULL;
    free(keys);
    if (!h)
        return rc == MPI_SUCCESS ? no_memory() : rc;
    bool ok = true;
    if ((rc = find_sites(c, h)) != MPI_SUCCESS) {
        hws_hosts_drop(h);
        return rc;
    }
    rc = share(c, h, hws_comm_next_tag(c), &ok);
    h->room = !ok ? 0 : h->region ? h->region->room : SIZE_MAX;
    if (rc == MPI_SUCCESS)
        rc = least(c, &h->room);
    if (rc == MPI_SUCCESS && h->room)
        c->hosts = h;
    else
        hws_hosts_drop(h);
    return rc;
}
