/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pmi_wait: the wait in a barrier of the start, where the launcher may not end a job of which a rank has ended. Each
 * second a rank looks for the processes of its own host. Of other hosts nobody tells it, so the wait has a bound: ranks
 * that have waited for a while say to the launcher that they are here, where it keeps such names, and who is missing
 * follows from that.
 */
#include "launch/pmi_wait.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "launch/pmi_priv.h"
#include "launch/siblings.h"

#define LOOK_MS    1000  /* how often a rank looks whether those that it waits for still exist */
#define TELL_MS    15000 /* of waiting, before a rank says that it is here; half of the bound, if that is less */
#define NOTICE_MS  20000 /* of waiting, before rank 0 says so */
#define OTHERS_MS  30000 /* later than the rank that says why the others end, if that one has not ended the job */
#define ASK_MS     10000 /* spent on asking for ranks, at most */
#define ASK_LIMIT  8     /* groups of ranks that are named */
#define NAMES_SIZE 256

/* One wait in a barrier. */
struct wait {
    uint64_t begin_ns;
    bool has_looked, has_told, has_noticed, is_later;
};

static uint64_t waited_ms(const struct wait *w)
{
    return (hws_clock_ns() - w->begin_ns) / HWS_NS_PER_MS;
}

/* Our mpirun ends the job of a rank that leaves before MPI_Init. Others may not; nobody has got as far as to end well
 * while there are ranks in the barriers of the start. */
static int look_for_missing(struct hws_pmi *p)
{
    int *ranks, n = hws_pmi_locals(p, &ranks);
    int missing = hws_siblings_missing("/proc", (int)getpid(), p->rank, ranks, n);
    free(ranks);
    return missing < 0 ? HWS_OK : hws_pmi_fail(p, HWS_EPMI, "rank %d has ended without MPI_Init", missing);
}

static enum hws_presence presence(struct hws_pmi *p, int rank)
{
    return p->launcher->is_here ? p->launcher->is_here(p, rank) : HWS_PRESENCE_UNKNOWN;
}

/* "rank 3", "ranks 2-3, 7": who is not here; "other ranks" if nobody knows. */
static void name_absent(struct hws_pmi *p, char *dst, size_t len)
{
    uint64_t end = hws_clock_ns() + ASK_MS * HWS_NS_PER_MS;
    int first[ASK_LIMIT], last[ASK_LIMIT], n = 0, n_ranks = 0, rank = 0;
    for (; rank < p->size && hws_clock_ns() < end; rank++) {
        if (rank == p->rank || presence(p, rank) != HWS_PRESENCE_NO)
            continue;
        n_ranks++;
        if (n > 0 && last[n - 1] == rank - 1)
            last[n - 1] = rank;
        else if (n < ASK_LIMIT)
            first[n] = rank, last[n] = rank, n++;
        else
            break;
    }
    int at = snprintf(dst, len, "%s", n == 0 ? "other ranks" : n_ranks == 1 ? "rank " : "ranks ");
    for (int i = 0; i < n; i++) {
        at += snprintf(dst + at, len - (size_t)at, "%s%d", i ? ", " : "", first[i]);
        if (last[i] > first[i])
            at += snprintf(dst + at, len - (size_t)at, "-%d", last[i]);
    }
    if (n > 0 && rank < p->size)
        snprintf(dst + at, len - (size_t)at, " and perhaps more");
}

static void notice(struct hws_pmi *p)
{
    char who[NAMES_SIZE], until[96] = "";
    name_absent(p, who, sizeof who);
    if (p->init_wait_ms)
        snprintf(until, sizeof until, "; the job ends after %.9g s of that (HAWSER_INITWAIT)",
                 (double)p->init_wait_ms / HWS_MS_PER_S);
    fprintf(stderr, "hawser: rank 0 has waited for %d s in MPI_Init for %s%s\n", NOTICE_MS / (int)HWS_MS_PER_S, who,
            until);
}

/* The lowest rank that is here says why the job ends; where that is not known, rank 0. */
static bool is_speaker(struct hws_pmi *p)
{
    for (int rank = 0; rank < p->rank; rank++)
        if (presence(p, rank) != HWS_PRESENCE_NO)
            return false;
    return true;
}

static int give_up(struct hws_pmi *p)
{
    char who[NAMES_SIZE];
    name_absent(p, who, sizeof who);
    return hws_pmi_fail(p, HWS_EPMI,
                        "rank %d has waited for %.9g s in MPI_Init for %s, which may have ended before it; "
                        "HAWSER_INITWAIT is that time in ms (0: without end)",
                        p->rank, (double)p->init_wait_ms / HWS_MS_PER_S, who);
}

static int look_at_bound(struct hws_pmi *p, struct wait *w)
{
    uint64_t waited = waited_ms(w), limit = p->init_wait_ms;
    if (!w->has_told && waited >= (limit && limit / 2 < TELL_MS ? limit / 2 : TELL_MS)) {
        w->has_told = true;
        int rc = p->launcher->be_here ? p->launcher->be_here(p) : HWS_OK;
        if (rc)
            return rc;
    }
    if (p->rank == 0 && !w->has_noticed && waited >= NOTICE_MS) {
        w->has_noticed = true;
        notice(p);
    }
    if (!limit || waited < limit || (w->is_later && waited - limit < OTHERS_MS))
        return HWS_OK;
    if (!w->is_later && !is_speaker(p)) {
        w->is_later = true;
        return HWS_OK;
    }
    return give_up(p);
}

static int wait_and_look(struct hws_pmi *p, struct wait *w)
{
    if (poll(&(struct pollfd){.fd = p->wire.fd, .events = POLLIN}, 1, LOOK_MS) != 0)
        return HWS_OK;
    if (!w->has_looked) { /* all have been started by the second look */
        w->has_looked = true;
        return HWS_OK;
    }
    int rc = look_for_missing(p);
    return rc ? rc : look_at_bound(p, w);
}

int hws_pmi_wait_barrier(struct hws_pmi *p)
{
    struct wait w = {.begin_ns = hws_clock_ns()};
    int rc = HWS_OK;
    p->n_waits++;
    while (!rc && p->barrier_pending) {
        if (!p->launcher->judges_deaths)
            rc = wait_and_look(p, &w);
        else
            poll(&(struct pollfd){.fd = p->wire.fd, .events = POLLIN}, 1, -1);
        if (!rc)
            rc = hws_pmi_on_readable(p);
    }
    return rc;
}
