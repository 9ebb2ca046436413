/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ids_test: context ids that are used again. A small job lives in this process: its members make communicators of
 * random groups and leaders and free them in any order; letters wait as long as they like. No process may ever have one
 * id twice, and the places that a leader uses stay few.
 */
#include "core/comm/ids.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "core/comm/comm_agree.h"

#define MAX_PEERS 9
#define MAX_COMMS 24
#define MAX_MAIL  4096

struct mail {
    int to;
    unsigned n;
    uint32_t ids[HWS_IDS_LETTER];
};

struct live {
    uint32_t id;          /* HWS_CTX_NONE: none */
    int n, left;          /* members; those that have left */
    int peers[MAX_PEERS]; /* the leader first */
    bool has[MAX_PEERS];  /* by place in peers */
};

static struct hws_ids job[MAX_PEERS];
static struct live comms[MAX_COMMS];
static struct mail mail[MAX_MAIL];
static int n_mail;
static unsigned seed;

static unsigned below(unsigned n)
{
    seed = seed * 1103515245u + 12345u;
    return (seed >> 8) % n;
}

static void post(void *arg, int peer, const uint32_t *ids, unsigned n)
{
    (void)arg;
    cr_assert_lt(n_mail, MAX_MAIL);
    mail[n_mail].to = peer;
    mail[n_mail].n = n;
    memcpy(mail[n_mail++].ids, ids, n * sizeof *ids);
}

static void begin(int n)
{
    for (int i = 0; i < n; i++)
        hws_ids_init(&job[i], n, i, post, NULL);
    for (int i = 0; i < MAX_COMMS; i++)
        comms[i].id = HWS_CTX_NONE;
    n_mail = 0;
}

static void end(int n)
{
    for (int i = 0; i < n; i++)
        hws_ids_fini(&job[i]);
}

static void deliver(void)
{
    struct mail m = mail[below((unsigned)n_mail)];
    for (int i = 0; i < n_mail; i++)
        if (mail[i].to == m.to && mail[i].n == m.n && memcmp(mail[i].ids, m.ids, m.n * sizeof *m.ids) == 0) {
            memmove(&mail[i], &mail[i + 1], (size_t)(--n_mail - i) * sizeof *mail);
            break;
        }
    hws_ids_told(&job[m.to], m.ids, m.n);
}

static bool shares_member(const struct live *a, const struct live *b)
{
    for (int i = 0; i < a->n; i++)
        for (int k = 0; k < b->n; k++)
            if (a->has[i] && a->peers[i] == b->peers[k])
                return true;
    return false;
}

static void make(struct live *c, int n)
{
    bool in[MAX_PEERS] = {false};
    c->n = 1 + (int)below((unsigned)n);
    for (int i = 0; i < c->n; i++) {
        do
            c->peers[i] = (int)below((unsigned)n);
        while (in[c->peers[i]]);
        in[c->peers[i]] = c->has[i] = true;
    }
    uint32_t id = hws_ids_take(&job[c->peers[0]]);
    cr_assert_neq(id, HWS_CTX_NONE);
    cr_assert_eq(id % (1u << HWS_CTX_KIND_BITS), 0);
    cr_assert_eq(hws_ids_leader(&job[0], id), c->peers[0]);
    c->left = 0;
    c->id = id;
    uint32_t mask = UINT32_MAX >> job[0].generation_bits;
    for (int i = 0; i < MAX_COMMS; i++)
        cr_assert(&comms[i] == c || comms[i].id == HWS_CTX_NONE || ((comms[i].id ^ id) & mask) ||
                      !shares_member(&comms[i], c),
                  "id %x is given, and somebody still has %x", id, comms[i].id);
}

/* A member that is still in it leaves, along the tree. */
static void leave(struct live *c)
{
    int i = (int)below((unsigned)c->n), n = 0;
    while (!c->has[i])
        i = (i + 1) % c->n;
    c->has[i] = false;
    for (int bit = hws_tree_first_bit(i, c->n); bit; bit >>= 1)
        n += i + bit < c->n;
    uint32_t id = c->id;
    if (++c->left == c->n)
        c->id = HWS_CTX_NONE;
    hws_ids_leave(&job[c->peers[i]], id, i ? c->peers[hws_tree_parent(i)] : -1, n);
}

static void run(int n, int steps)
{
    begin(n);
    for (int i = 0; i < steps; i++) {
        struct live *c = &comms[below(MAX_COMMS)];
        if (n_mail && below(3) == 0)
            deliver();
        if (c->id == HWS_CTX_NONE)
            make(c, n);
        else
            leave(c);
    }
    for (int i = 0; i < n; i++)
        cr_expect_leq(job[i].n_places, 4 + MAX_COMMS + MAX_PEERS * MAX_PEERS * HWS_IDS_LETTER,
                      "process %d of %d uses %u places", i, n, job[i].n_places);
    end(n);
}

Test(ids, nobody_has_one_twice_and_places_stay_few)
{
    for (seed = 1; seed <= 3; seed++)
        for (int n = 1; n <= MAX_PEERS; n++)
            run(n, 200000);
}

/* The generations of a place come round, and a letter may be late: one of two members leaves, the other does not. */
Test(ids, a_place_waits_for_the_last_member)
{
    begin(2);
    uint32_t held = hws_ids_take(&job[0]), mask = UINT32_MAX >> job[0].generation_bits;
    hws_ids_leave(&job[0], held, -1, 1);
    for (int i = 0; i < 100000; i++) {
        uint32_t id = hws_ids_take(&job[0]);
        cr_assert((id ^ held) & mask, "taken again while the other has it");
        hws_ids_leave(&job[1], id, 0, 0);
        hws_ids_leave(&job[0], id, -1, 1);
        while (n_mail)
            deliver();
    }
    cr_expect_leq(job[0].n_places, 4 + 1 + HWS_IDS_LETTER);
    end(2);
}

/* All sizes of job leave room for some communicators and two generations; a leader that has no place left says so. */
Test(ids, every_size_of_job_has_places)
{
    static const int sizes[] = {1, 2, 3, 1024, 1025, 30000, 1 << 16, 1 << 20};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct hws_ids s;
        hws_ids_init(&s, sizes[i], sizes[i] - 1, post, NULL);
        cr_expect_leq(s.peer_bits + s.place_bits + s.generation_bits + HWS_CTX_KIND_BITS, 32u);
        cr_expect_geq(s.generation_bits, 2u);
        cr_expect_geq(s.place_bits, sizes[i] > 1 << 16 ? 7u : 10u, "%d processes", sizes[i]);
        uint32_t all = (1u << (s.place_bits < 12 ? s.place_bits : 12)) - HWS_CTX_RESERVED, last = HWS_CTX_NONE;
        for (uint32_t k = 0; k < all; k++) {
            last = hws_ids_take(&s);
            cr_assert_neq(last, HWS_CTX_NONE, "%d processes, id %u", sizes[i], k);
            cr_assert_eq(hws_ids_leader(&s, last), sizes[i] - 1);
        }
        if (s.place_bits < 12)
            cr_expect_eq(hws_ids_take(&s), HWS_CTX_NONE);
        hws_ids_give(&s, last);
        hws_ids_give(&s, last); /* once more: ignored */
        uint32_t next = hws_ids_take(&s);
        cr_expect_neq(next, last);
        cr_expect_eq((next ^ last) & UINT32_MAX >> s.generation_bits, 0u);
        hws_ids_fini(&s);
    }
}
