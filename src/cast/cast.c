/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cast: see cast.h. The ranks tell each other their addresses and rank 0 looks for a network that all are on; all say
 * hello there by multicast; rank 0 gathers who heard whom and tells all the end of it.
 */
#include "cast/cast.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "core/comm/comm_agree.h"
#include "core/hosts/hosts.h"
#include "core/object/fail.h"
#include "core/object/launcher.h"
#include "core/object/world.h"
#include "peer/engine.h"

#define FEWEST 3 /* hosts from which one packet for all saves any */

static struct hws_station *station; /* of this process, with the engine's lock; NULL: none yet */
static struct hws_watcher *watcher;
static uint32_t n_groups; /* that this process has numbered */

static int n_hosts(const struct hws_comm *c)
{
    return c->hosts ? c->hosts->n : c->apart ? c->size : 1;
}

bool hws_cast_is_wanted(void)
{
    return strcmp(hws_world.params.multicast, "1") == 0;
}

bool hws_cast_is_due(const struct hws_comm *c)
{
    int n = c->hosts && c->hosts->sites ? 0 : n_hosts(c); /* what joins sites carries no multicast */
    return !c->cast && n >= (hws_cast_is_wanted() ? 2 : FEWEST) && n <= HWS_CAST_MEMBERS &&
           strcmp(hws_world.params.multicast, "0") != 0;
}

bool hws_cast_may_be_due(const struct hws_comm *c)
{
    if (c->coll_crowd)
        return hws_cast_is_due(c);
    return !c->cast && c->size >= 2 && strcmp(hws_world.params.multicast, "0") != 0;
}

bool hws_cast_look(struct hws_comm *c)
{
    if (c->n_cast_looks++ == HWS_CAST_COLD)
        c->cast_look_ns = hws_clock_ns();
    return c->n_cast_looks > HWS_CAST_COLD;
}

void hws_cast_looked(struct hws_comm *c, uint64_t bytes)
{
    __atomic_fetch_add(&c->cast_look_bytes, bytes, __ATOMIC_RELAXED); /* also from the thread that drives */
}

bool hws_cast_is_looked(const struct hws_comm *c)
{
    return hws_cast_is_wanted() || c->n_cast_looks >= HWS_CAST_LOOKS;
}

bool hws_cast_is_proven(const struct hws_comm *c)
{
    return c->cast && (c->cast->worth.is_wanted || c->cast->worth.n_begun > 1);
}

bool hws_cast_is_reviewed(const struct hws_comm *c)
{
    return c->cast && (c->cast->worth.use == HWS_CAST_USED || c->cast->worth.use == HWS_CAST_COMPARED);
}

bool hws_cast_serves(const struct hws_comm *c, const int *ranks, int n)
{
    if (!c->cast || c->cast->worth.use != HWS_CAST_USED || n != c->cast->n)
        return false;
    for (int i = 0; i < n; i++)
        if (c->cast->ranks[i] != (ranks ? ranks[i] : i))
            return false;
    return true;
}

/* ---- this process's station -------------------------------------------------------------------------------------- */

static void on_done(void *arg)
{
    hws_station_collect(arg);
}

static void end_station(void)
{
    hws_engine_watch_end(watcher);
    hws_station_close(station);
    watcher = NULL;
    station = NULL;
}

static size_t find_netifs(struct hws_netif *out)
{
    static struct hws_netif all[HWS_NETIF_MAX];
    char err[512];
    int n = hws_netif_list(all, HWS_NETIF_MAX);
    if (n > 0)
        n = hws_netif_select(all, (size_t)n, hws_world.params.interfaces, hws_world.params.n_interfaces, out, err,
                             sizeof err);
    return n > 0 ? (size_t)n : 0;
}

/* Without one this rank takes part in what all find out, as one that is on no network. */
static void open_station(void)
{
    struct hws_seal seal;
    char err[128];
    struct hws_netif *netifs = malloc(HWS_NETIF_MAX * sizeof *netifs);
    hws_engine_lock(hws_world.engine);
    size_t n = netifs && !station ? find_netifs(netifs) : 0;
    if (n > 0 && hws_launcher_key("multicast", seal.key) == HWS_OK &&
        hws_station_open(&seal, netifs, n, &station, err, sizeof err) == HWS_OK) {
        watcher = hws_engine_watch_more(hws_world.engine, hws_station_fd(station), on_done, station);
        hws_world.on_end = end_station;
        if (!watcher) {
            hws_station_close(station);
            station = NULL;
            hws_world.on_end = NULL;
        }
    }
    hws_engine_unlock(hws_world.engine);
    explicit_bzero(&seal, sizeof seal);
    free(netifs);
}

void hws_cast_count(struct hws_cast_counts *groups, struct hws_station_counts *own)
{
    *groups = (struct hws_cast_counts){0};
    *own = (struct hws_station_counts){0};
    if (station)
        hws_station_count(station, groups, own);
}

struct hws_cast_counts hws_cast_count_of(uint32_t ctx)
{
    return station ? hws_station_count_of(station, ctx) : (struct hws_cast_counts){0};
}

/* ---- finding out ------------------------------------------------------------------------------------------------- */

/* On each network: who comes late to the first one, as where a packet of the plan is lost, comes in time to the second,
 * before which all have waited for each other. */
#define ATTEMPTS 2

/* What rank 0 decides for each attempt. */
struct plan {
    uint64_t id;
    struct hws_addr net; /* family 0: there is none, and no further one */
    uint32_t prefix_len;
    int32_t nic;     /* of rank 0's networks; -1: before the first */
    int32_t attempt; /* on this one: 0 .. ATTEMPTS-1 */
    int32_t missing; /* without any that all are on: the first rank that rank 0's networks do not have */
};

static bool is_on(const struct hws_station_card *card, const struct hws_addr *net, unsigned prefix_len)
{
    for (int i = 0; i < card->n && i < HWS_STATION_NICS; i++)
        if (hws_addr_is_in(&card->at[i].addr, net, prefix_len))
            return true;
    return false;
}

/* The first rank that is not there; n: all are. */
static int missing_on(const struct hws_station_card *cards, int n, const struct hws_addr *net, unsigned prefix_len)
{
    int i = 0;
    while (i < n && is_on(&cards[i], net, prefix_len))
        i++;
    return i;
}

/* The next one that all are on. */
static void find_network(const struct hws_station_card *cards, int n, struct plan *plan)
{
    for (int k = plan->nic + 1; k < cards[0].n && k < HWS_STATION_NICS; k++) {
        int missing = missing_on(cards, n, &cards[0].at[k].addr, cards[0].at[k].prefix_len);
        plan->missing = missing > plan->missing ? missing : plan->missing;
        if (missing < n)
            continue;
        plan->nic = k;
        plan->net = cards[0].at[k].addr;
        plan->prefix_len = cards[0].at[k].prefix_len;
        return;
    }
}

/* The members, who talk among themselves. */
struct party {
    struct hws_talk talk;
    int n, me;
};

/* All members' cards to all. Whoever hears that a member is dead, here and below, takes part in the rest. */
static int exchange(const struct party *x, struct hws_station_card *cards)
{
    struct hws_station_card mine;
    memset(&mine, 0, sizeof mine);
    if (station)
        mine = hws_station_card(station);
    int rc = hws_talk_gather_on(&x->talk, MPI_SUCCESS, &mine, sizeof mine, x->me == 0 ? cards : NULL);
    return hws_talk_bcast_on(&x->talk, rc, cards, (size_t)x->n * sizeof *cards);
}

static void next_attempt(const struct hws_station_card *cards, int n, struct plan *plan)
{
    plan->id = (uint64_t)hws_world.rank << 32 | n_groups++;
    if (plan->net.family && ++plan->attempt < ATTEMPTS)
        return;
    memset(&plan->net, 0, sizeof plan->net);
    plan->attempt = 0;
    find_network(cards, n, plan);
}

/* What to try next, or that the last network will do. Whom this does not come to, those behind it in the tree it
 * does not come to either: none of them goes on. */
static int agree_on_plan(const struct party *x, int rc, const struct hws_station_card *cards, bool will_do,
                         struct plan *plan)
{
    if (rc == MPI_SUCCESS && x->me == 0) {
        if (will_do)
            memset(&plan->net, 0, sizeof plan->net);
        else
            next_attempt(cards, x->n, plan);
    }
    return hws_talk_bcast_on(&x->talk, rc, plan, sizeof *plan);
}

static struct hws_circle *make_circle(const struct party *x, const struct hws_station_card *cards,
                                      const struct plan *plan)
{
    for (int k = 0; station && k < cards[x->me].n; k++)
        if (hws_addr_is_in(&cards[x->me].at[k].addr, &plan->net, plan->prefix_len))
            return hws_circle_new(station, plan->id, x->n, x->me, cards, k);
    return NULL;
}

static bool has_met(void *circle)
{
    return hws_circle_has_met(circle);
}

static int no_memory(int n)
{
    return hws_fail(MPI_ERR_NO_MEM, "out of memory for a multicast group of %d hosts", n);
}

/* A member that does not hear another one. */
struct unheard {
    int32_t by, whom; /* by -1: all hear all; whom -1: the member has no socket */
};

/* At member 0: the first that says so. rc: what has failed before. */
static int compare(const struct party *x, int rc, struct hws_circle *circle, struct unheard *verdict)
{
    struct unheard mine = {-1, -1}, *all = x->me == 0 ? malloc((size_t)x->n * sizeof *all) : NULL;
    if (circle)
        mine.whom = hws_circle_unheard(circle);
    if (!circle || mine.whom >= 0)
        mine.by = x->me;
    rc = hws_talk_gather_on(&x->talk, rc, &mine, sizeof mine, all);
    for (int i = 0; all && rc == MPI_SUCCESS && i < x->n && verdict->by < 0; i++)
        *verdict = all[i];
    free(all);
    return rc;
}

static const char *name_of(const struct party *x, int member)
{
    return hws_world_peer_name(hws_group_peer(x->talk.group, member));
}

/* Under -v, and where it was asked for in vain. */
static void say(const struct party *x, struct hws_circle *circle, const struct plan *plan, struct unheard verdict)
{
    char text[128] = "", whom[320] = "";
    bool is_used = plan->net.family && verdict.by < 0;
    if (x->me != 0 || !(hws_world.params.counters || (!is_used && hws_cast_is_wanted())))
        return;
    if (circle)
        hws_circle_describe(circle, text, sizeof text);
    if (is_used)
        fprintf(stderr, "hawser: multicast reaches all %d hosts (%s): collectives between them use it\n", x->n, text);
    else if (!plan->net.family)
        fprintf(stderr, "hawser: no multicast: %s is on no network with %s\n", name_of(x, plan->missing),
                hws_world.host);
    else if (verdict.whom < 0)
        fprintf(stderr, "hawser: no multicast: %s cannot open its sockets for it\n", name_of(x, verdict.by));
    else {
        snprintf(whom, sizeof whom, "%s", name_of(x, verdict.whom));
        fprintf(stderr, "hawser: no multicast (%s): %s does not hear %s\n", text, name_of(x, verdict.by), whom);
    }
}

/* A group on one network. *used: at member 0, whether all hear all. */
static int try_network(const struct party *x, const struct hws_station_card *cards, const struct plan *plan,
                       struct hws_circle **circle, bool *used)
{
    struct unheard verdict = {-1, -1};
    if (*circle)
        hws_circle_settle(*circle, false);
    *circle = make_circle(x, cards, plan);
    if (*circle)
        hws_engine_wait_until(hws_world.engine, has_met, *circle, NULL);
    int rc = compare(x, MPI_SUCCESS, *circle, &verdict);
    if (rc == MPI_SUCCESS && (verdict.by < 0 || plan->attempt == ATTEMPTS - 1))
        say(x, *circle, plan, verdict);
    *used = rc == MPI_SUCCESS && x->me == 0 && verdict.by < 0;
    return rc;
}

/* One attempt after the other. *used: at member 0. */
static int find_out(const struct party *x, struct hws_station_card *cards, struct hws_circle **circle, bool *used)
{
    struct plan plan = {.nic = -1};
    open_station();
    int rc = agree_on_plan(x, exchange(x, cards), cards, false, &plan);
    if (rc == MPI_SUCCESS && !plan.net.family)
        say(x, NULL, &plan, (struct unheard){-1, -1});
    while (rc == MPI_SUCCESS && plan.net.family) {
        rc = try_network(x, cards, &plan, circle, used);
        rc = agree_on_plan(x, rc, cards, *used, &plan);
    }
    return rc;
}

static struct hws_group *members_of(struct hws_comm *c, const struct hws_cast *cast)
{
    int *peers = malloc((size_t)cast->n * sizeof *peers);
    for (int i = 0; peers && i < cast->n; i++)
        peers[i] = hws_comm_peer(c, cast->ranks[i]);
    return peers ? hws_group_new(cast->n, peers, NULL) : NULL;
}

/* At the members: makes the group. *circle: theirs. */
static int meet(struct hws_comm *c, const struct hws_cast *cast, struct party *x, struct hws_circle **circle,
                bool *used)
{
    struct hws_station_card *cards = calloc((size_t)cast->n, sizeof *cards);
    struct hws_group *g = members_of(c, cast);
    int rc = g && cards ? MPI_SUCCESS : no_memory(cast->n);
    if (rc == MPI_SUCCESS && g->rank != MPI_UNDEFINED) {
        x->talk.group = g;
        x->talk.rank = x->me = g->rank;
        x->n = cast->n;
        rc = find_out(x, cards, circle, used);
    }
    hws_group_drop(g);
    free(cards);
    return rc;
}

/* ---- whether it still pays --------------------------------------------------------------------------------------- */

void hws_cast_count_call(struct hws_comm *c, uint64_t bytes)
{
    hws_cast_worth_count(&c->cast->worth, bytes, hws_clock_ns());
}

bool hws_cast_review_is_due(const struct hws_comm *c)
{
    return hws_cast_worth_is_due(&c->cast->worth);
}

/* What a member tells of the time since the last review. */
struct sent {
    uint64_t packets, resent;
};

static struct sent since_last(struct hws_cast *cast)
{
    struct hws_cast_counts now = hws_circle_count(cast->circle);
    struct sent s = {now.packets - cast->packets, now.resent - cast->resent};
    cast->packets = now.packets;
    cast->resent = now.resent;
    return s;
}

/* At member 0, under -v. */
static void say_verdict(const struct hws_cast_worth *w, const struct sent *sum, enum hws_cast_use next)
{
    if (!hws_world.params.counters || next == w->use)
        return;
    if (next == HWS_CAST_USED && w->is_glance)
        fprintf(stderr, "hawser: multicast did not take longer by far: it goes on\n");
    else if (next == HWS_CAST_USED)
        fprintf(stderr, "hawser: unicast took longer: multicast goes on\n");
    else if (next == HWS_CAST_GIVEN_UP)
        fprintf(stderr, "hawser: multicast took longer: unicast from here on\n");
    else if (hws_cast_worth_is_lossy(sum->packets, sum->resent))
        fprintf(stderr, "hawser: multicast sent %llu packets again of %llu: some calls go by unicast, for comparison\n",
                (unsigned long long)sum->resent, (unsigned long long)sum->packets);
}

/* At member 0: what is to begin now. */
static enum hws_cast_use judge(struct hws_cast *cast, const struct sent *all)
{
    struct sent sum = {0, 0};
    for (int i = 0; i < cast->n; i++) {
        sum.packets += all[i].packets;
        sum.resent += all[i].resent;
    }
    enum hws_cast_use next = hws_cast_worth_review(&cast->worth, sum.packets, sum.resent, hws_clock_ns());
    say_verdict(&cast->worth, &sum, next);
    return next;
}

/* Among the members. *next: at member 0. */
static int ask_members(struct hws_cast *cast, const struct party *x, enum hws_cast_use *next)
{
    struct sent mine = since_last(cast), *all = x->me == 0 ? malloc((size_t)x->n * sizeof *all) : NULL;
    int rc = hws_talk_gather_on(&x->talk, MPI_SUCCESS, &mine, sizeof mine, all);
    if (rc == MPI_SUCCESS && all)
        *next = judge(cast, all);
    free(all);
    return rc;
}

int hws_cast_review(struct hws_comm *c)
{
    struct hws_cast *cast = c->cast;
    struct party x = {.talk = hws_talk_of(c), .n = cast->n};
    struct hws_talk all = hws_talk_of(c);
    enum hws_cast_use next = cast->worth.use;
    struct hws_group *g = members_of(c, cast);
    int rc = g ? MPI_SUCCESS : no_memory(cast->n);
    if (rc == MPI_SUCCESS && g->rank != MPI_UNDEFINED) {
        x.talk.group = g;
        x.talk.rank = x.me = g->rank;
        rc = ask_members(cast, &x, &next);
    }
    hws_group_drop(g);
    rc = hws_talk_bcast_on(&all, rc, &next, sizeof next);
    if (rc == MPI_SUCCESS)
        hws_cast_worth_begin(&cast->worth, next, hws_clock_ns());
    c->cast_given_up = cast->worth.use == HWS_CAST_GIVEN_UP;
    return rc;
}

/* ---- the beginning ----------------------------------------------------------------------------------------------- */

static struct hws_cast *new_cast(const struct hws_comm *c)
{
    int n = n_hosts(c);
    struct hws_cast *cast = calloc(1, sizeof *cast + (size_t)n * sizeof cast->ranks[0]);
    if (!cast)
        return NULL;
    cast->n = n;
    cast->worth.is_wanted = hws_cast_is_wanted();
    for (int i = 0; i < n; i++)
        cast->ranks[i] = c->hosts ? c->hosts->ranks[c->hosts->first[i]] : i;
    return cast;
}

/* At rank 0: all are through with the calls that were looked at. */
static int hear_all(const struct hws_talk *all, int rc)
{
    char here = 1, *heard = all->rank == 0 ? malloc((size_t)all->group->size) : NULL;
    rc = hws_talk_gather_on(all, rc, &here, sizeof here, heard);
    free(heard);
    return rc;
}

static bool was_fast(const struct hws_comm *c)
{
    uint64_t ns = hws_clock_ns() - c->cast_look_ns;
    uint64_t bytes = __atomic_load_n(&c->cast_look_bytes, __ATOMIC_RELAXED);
    if (!hws_cast_is_fast(bytes, ns))
        return false;
    if (hws_world.params.counters)
        fprintf(stderr, "hawser: multicast is not tried: unicast brought each host %.0f MB/s\n",
                (double)bytes * 1000 / (double)ns);
    return true;
}

/* Whether it is tried, as rank 0 knows: others may have made c at another moment. */
static int ask_whether(const struct hws_comm *c, const struct hws_talk *all, int rc, bool *tries)
{
    if (!hws_cast_is_wanted())
        rc = hear_all(all, rc);
    *tries = c->rank == 0 && !c->cast_given_up && (hws_cast_is_wanted() || !was_fast(c));
    return hws_talk_bcast_on(all, rc, tries, sizeof *tries);
}

/* Member 0 is rank 0, which tells all. */
int hws_cast_begin(struct hws_comm *c)
{
    struct party x = {.talk = hws_talk_of(c)};
    struct hws_talk all = hws_talk_of(c);
    struct hws_circle *circle = NULL;
    struct hws_cast *cast = new_cast(c);
    bool used = false, tries;
    int rc = ask_whether(c, &all, cast ? MPI_SUCCESS : no_memory(n_hosts(c)), &tries);
    if (rc == MPI_SUCCESS && tries)
        rc = meet(c, cast, &x, &circle, &used);
    rc = hws_talk_bcast_on(&all, rc, &used, sizeof used);
    if (circle) {
        hws_circle_label(circle, c->ctx);
        hws_circle_settle(circle, rc == MPI_SUCCESS && used);
    }
    if (rc != MPI_SUCCESS) {
        free(cast);
        return rc;
    }
    if (used)
        hws_cast_worth_begin(&cast->worth, HWS_CAST_USED, hws_clock_ns());
    cast->circle = used ? circle : NULL;
    c->cast_given_up = !used;
    c->cast = cast;
    return MPI_SUCCESS;
}
