/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Alltoallv and alltoallw in two levels: within a host as in shared memory (pairs.h); what goes to other hosts the
 * leader takes from its host's packets, one message to each leader, and what comes it deals into packets of the same
 * form. Long blocks go as messages between their ranks. Why: h^2 messages for h hosts instead of one for each pair of
 * ranks. Cost: short blocks between hosts are copied four times, and all ranks of all hosts wait for each other.
 *
 *   between leaders:  pairs of (rank there, rank here), as in a packet | blocks
 */
#include <stdlib.h>
#include <string.h>

#include "base/copy.h"
#include "coll/schedule/sched_run.h"
#include "coll/select/algorithm.h"
#include "coll/shm/pairs.h"
#include "core/hosts/hosts.h"
#include "core/object/fail.h"

struct spread {
    struct hws_pairs x;
    const struct hws_hosts *h;
    struct hws_region *r;          /* NULL: the only rank of its host */
    struct hws_turn t, out;        /* packets of this host's ranks; packets that the leader deals */
    struct hws_region_slot *alone; /* the packet of an only rank */
    uint8_t *memory;               /* of the leader: messages of all hosts, as they go, then as they come */
};

static int no_memory(void)
{
    return hws_fail(MPI_ERR_NO_MEM, "out of memory for a collective operation in two levels");
}

/* Ranks here or of another host. */
static int n_of(const struct spread *s, int host)
{
    return hws_hosts_size(s->h, host);
}

static int rank_of(const struct spread *s, int host, int number)
{
    return s->h->ranks[s->h->first[host] + number];
}

static const struct hws_shm_pair *pairs_in(const uint8_t *message)
{
    return (const struct hws_shm_pair *)(const void *)message;
}

static const struct hws_region_slot *packet_of(const struct spread *s, int number)
{
    return s->r ? hws_region_slot(s->r, &s->t, number) : s->alone;
}

/* ---- the leader's part ------------------------------------------------------------------------------------------- */

/* The most that so many ranks get from this host's, or send them (bytes). */
static uint64_t most(const struct spread *s, int n)
{
    return (uint64_t)n * (uint64_t)n_of(s, s->h->mine) * (sizeof(struct hws_shm_pair) + s->x.fits_far);
}

/* The message to a host; the one from there. Their places are as far apart as the ranks are in h->ranks. */
static uint8_t *message_to(const struct spread *s, int host)
{
    int before = s->h->first[host] - (host > s->h->mine ? n_of(s, s->h->mine) : 0);
    return s->memory + most(s, before);
}

static uint8_t *message_from(const struct spread *s, int host)
{
    return message_to(s, host) + most(s, s->x.a->comm->size - n_of(s, s->h->mine));
}

/* One pair and its block, from a packet to another place: that of the pair, and of the blocks, `*at` bytes from base.
 */
static void move_pair(const struct spread *s, const struct hws_shm_pair *p, const uint8_t *packet,
                      struct hws_shm_pair *to, uint8_t *base, uint64_t *at)
{
    *to = (struct hws_shm_pair){p->gives, p->expects, *at};
    if (p->gives == 0 || p->gives > s->x.fits_far)
        return;
    hws_copy_long(base + *at, packet + p->at, p->gives);
    *at += hws_pair_room(p->gives);
}

/* Fills the message for a host. Its bytes. */
static uint64_t fill(const struct spread *s, int host)
{
    int here = n_of(s, s->h->mine), there = n_of(s, host);
    uint8_t *base = message_to(s, host);
    struct hws_shm_pair *to = (struct hws_shm_pair *)(void *)base;
    uint64_t at = (uint64_t)here * (uint64_t)there * sizeof *to;
    for (int i = 0; i < here; i++) {
        const struct hws_region_slot *slot = packet_of(s, i);
        for (int j = 0; j < there; j++)
            move_pair(s, hws_pair_of(slot, rank_of(s, s->h->mine, i), rank_of(s, host, j)), slot->data, to++, base,
                      &at);
    }
    return at;
}

static int look_at_packets(const struct spread *s)
{
    int rc = MPI_SUCCESS;
    for (int i = 0; i < n_of(s, s->h->mine) && rc == MPI_SUCCESS; i++)
        rc = hws_shm_slot_class(packet_of(s, i));
    return rc;
}

static int leader_of(const struct spread *s, int host)
{
    return rank_of(s, host, 0);
}

/* rc: what went wrong before; then the others fail, too. */
static int exchange(struct spread *s, int rc)
{
    struct hws_sched *q = hws_sched_new(s->x.a->comm, false);
    if (!q)
        return no_memory();
    q->lenient = true; /* what comes may be shorter than there is room for */
    for (int host = 0; host < s->h->n; host++)
        if (host != s->h->mine)
            hws_sched_recv(q, hws_bytes(rc == MPI_SUCCESS ? message_from(s, host) : NULL, most(s, n_of(s, host))),
                           leader_of(s, host));
    for (int host = 0; host < s->h->n; host++)
        if (host != s->h->mine)
            hws_sched_send(q, rc == MPI_SUCCESS ? hws_bytes(message_to(s, host), fill(s, host)) : hws_bytes(NULL, 1),
                           leader_of(s, host));
    rc = hws_sched_run_after(q, rc);
    hws_sched_free(q);
    return rc;
}

/* Member `number`'s packet. */
static void deal(const struct spread *s, int number, int rc)
{
    struct hws_region_slot *slot = hws_region_slot(s->r, &s->out, number);
    uint64_t at = hws_pairs_bytes(s->x.a->comm->size);
    int here = n_of(s, s->h->mine), rank = rank_of(s, s->h->mine, number);
    slot->bytes = rc == MPI_SUCCESS ? 0 : HWS_SLOT_BAD;
    hws_shm_put_failure(slot, rc, hws_pairs_room(&s->x));
    for (int host = 0; host < s->h->n && rc == MPI_SUCCESS; host++) {
        if (host == s->h->mine)
            continue;
        const uint8_t *message = message_from(s, host);
        for (int i = 0; i < n_of(s, host); i++)
            move_pair(s, &pairs_in(message)[i * here + number], message,
                      hws_pair_in(slot->data, rank, rank_of(s, host, i)), slot->data, &at);
    }
}

static int lead(struct spread *s)
{
    int rc = s->r ? hws_region_await(s->r, &s->t) : MPI_SUCCESS;
    s->memory = malloc(2 * most(s, s->x.a->comm->size - n_of(s, s->h->mine)));
    if (rc == MPI_SUCCESS)
        rc = s->x.rc != MPI_SUCCESS ? s->x.rc : s->memory ? look_at_packets(s) : no_memory();
    rc = exchange(s, rc);
    if (!s->r || s->r->broken)
        return rc;
    for (int i = 1; i < s->r->n; i++)
        deal(s, i, rc);
    hws_region_release(s->r, &s->out, -1);
    return rc;
}

/* ---- every rank's part ------------------------------------------------------------------------------------------- */

/* All ranks take the same tags, also those that have nothing to say. */
static int follow(struct spread *s)
{
    hws_comm_next_tag(s->x.a->comm);
    int rc = hws_region_await(s->r, &s->out);
    return rc == MPI_SUCCESS ? hws_shm_slot_class(hws_region_slot(s->r, &s->out, s->r->me)) : rc;
}

/* The leader takes what is for it from where it came. */
static void take_far(struct spread *s, int host)
{
    int here = n_of(s, s->h->mine);
    for (int i = 0; i < n_of(s, host); i++) {
        int from = rank_of(s, host, i);
        if (s->h->me == 0) {
            const uint8_t *message = message_from(s, host);
            hws_pairs_take(&s->x, from, &pairs_in(message)[i * here], message);
        } else {
            const struct hws_region_slot *dealt = hws_region_slot(s->r, &s->out, s->r->me);
            hws_pairs_take(&s->x, from, hws_pair_of(dealt, s->x.a->comm->rank, from), dealt->data);
        }
    }
}

static void take_all(struct spread *s)
{
    for (int i = 0; i < n_of(s, s->h->mine); i++)
        if (i != s->h->me)
            hws_pairs_take_slot(&s->x, rank_of(s, s->h->mine, i), packet_of(s, i));
    for (int host = 0; host < s->h->n; host++)
        if (host != s->h->mine)
            take_far(s, host);
}

static int run(struct spread *s)
{
    struct hws_region *r = s->r;
    int rc = hws_region_begin(r, true, true, true, &s->t);
    if (rc == MPI_SUCCESS)
        rc = hws_region_begin(r, false, true, r->me == 0, &s->out);
    if (rc != MPI_SUCCESS) {
        if (r->me > 0)
            hws_comm_next_tag(s->x.a->comm);
        return r->me == 0 ? exchange(s, rc) : rc;
    }
    hws_pairs_put(&s->x, r, hws_region_slot(r, &s->t, r->me));
    if (hws_region_meet(r, &s->t, NULL, NULL))
        hws_region_release(r, &s->t, 0);
    rc = r->me == 0 ? lead(s) : follow(s);
    if (rc == MPI_SUCCESS)
        take_all(s);
    if (!r->broken) {
        hws_region_end(r, &s->t);
        hws_region_end(r, &s->out);
    }
    return rc;
}

static int run_alone(struct spread *s)
{
    s->alone = malloc(sizeof *s->alone + (size_t)s->x.a->comm->size * (sizeof(struct hws_shm_pair) + s->x.fits_far));
    if (s->alone)
        hws_pairs_put(&s->x, NULL, s->alone);
    else if (s->x.rc == MPI_SUCCESS)
        s->x.rc = no_memory();
    int rc = lead(s);
    if (rc == MPI_SUCCESS)
        take_all(s);
    free(s->alone);
    return rc;
}

int hws_alltoallv_two_level(struct hws_region *r, const struct hws_coll_call *a)
{
    struct spread s = {.h = a->comm->hosts, .r = r};
    hws_pairs_init(&s.x, a, s.h, s.h->room);
    int rc = r ? run(&s) : run_alone(&s);
    s.x.rc = rc == MPI_SUCCESS ? s.x.rc : rc;
    rc = hws_pairs_finish(&s.x);
    free(s.memory);
    return rc;
}
