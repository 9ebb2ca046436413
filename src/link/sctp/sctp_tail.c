/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sctp_tail: finds the last packets of a burst when they are lost. Linux sends a packet again when three later ones
 * were acknowledged, or after a timeout of at least 200 ms (-sctprtomin), which also closes the window. After the last
 * packets of a burst nothing later comes, so an association that has waited for acknowledgments for two round trips in
 * silence is sent three messages of one byte that the other end ignores. (TCP has this in the kernel: RFC 8985
 * section 7.)
 *
 * Only associations that have sent something are looked at, while they are silent, every -sctpprobe ms; a process that
 * sends nothing has no timer. The kernel is asked how much is unacknowledged: once for all, then for the silent ones.
 */
#include <linux/sock_diag.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "base/clock.h"
#include "base/log.h"
#include "link/sctp/sctp_priv.h"

#define PROBES      3 /* missing reports that make the kernel send again: RFC 9260 section 7.2.4 */
#define ROUND_TRIPS 2 /* of silence: as long as TCP waits (RFC 8985 section 7.2) */

void hws_sctp_tail_sent(struct hws_sctp *t, struct hws_assoc *a)
{
    a->moved = true;
    if (t->params.sctp_probe_ms == 0 || !hws_list_is_empty(&a->tail))
        return;
    hws_list_push(&t->tails, &a->tail);
    if (!hws_timer_is_set(&t->look))
        hws_timer_set(&t->look, t->params.sctp_probe_ms);
}

/* Of all associations; also where each has a buffer of its own. */
static bool is_all_acknowledged(const struct hws_sctp *t)
{
    uint32_t memory[SK_MEMINFO_VARS];
    socklen_t len = sizeof memory;
    memset(memory, 0xff, sizeof memory);
    return getsockopt(t->io.fd, SOL_SOCKET, SO_MEMINFO, memory, &len) == 0 && memory[SK_MEMINFO_WMEM_QUEUED] == 0;
}

static void probe(struct hws_assoc *a)
{
    const struct hws_list *first = a->links.next;
    if (first == &a->links)
        return;
    const struct hws_sctp_link *l = hws_container_of(first, struct hws_sctp_link, node);
    hws_trace(link, "association %d: %u packets unacknowledged in silence, probed (%s)", (int)a->id, a->unacked,
              l->text);
    for (int i = 0; i < PROBES; i++)
        hws_sctp_probe(l);
    a->probed = true;
    a->moved = false; /* what is sent for this does not count */
    a->unacked = 0;
}

static uint64_t patience_ns(const struct hws_sctp *t, const struct sctp_status *status)
{
    uint64_t least = t->params.sctp_probe_ms * HWS_NS_PER_MS;
    uint64_t wait = ROUND_TRIPS * status->sstat_primary.spinfo_srtt * t->tick_us * HWS_NS_PER_US;
    return wait > least ? wait : least;
}

/* False: nothing is unacknowledged. */
static bool look_at(const struct hws_sctp *t, struct hws_assoc *a, uint64_t now)
{
    struct sctp_status status = {.sstat_assoc_id = a->id};
    socklen_t len = sizeof status;
    bool moved = a->moved;
    if (!moved) {
        if (a->ending || getsockopt(t->io.fd, IPPROTO_SCTP, SCTP_STATUS, &status, &len) < 0 ||
            status.sstat_unackdata == 0)
            return false;
        moved = a->unacked && status.sstat_unackdata != a->unacked;
    }
    a->moved = false;
    a->unacked = status.sstat_unackdata;
    if (moved) {
        a->silent_since_ns = now;
        a->probed = false;
    } else if (!a->probed && now - a->silent_since_ns >= patience_ns(t, &status)) {
        probe(a);
    }
    return true;
}

static void on_look(struct hws_timer *timer)
{
    struct hws_sctp *t = hws_container_of(timer, struct hws_sctp, look);
    bool all = is_all_acknowledged(t);
    uint64_t now = hws_clock_ns();
    for (struct hws_list *n = t->tails.next, *next = n->next; n != &t->tails; n = next, next = n->next)
        if (all || !look_at(t, hws_container_of(n, struct hws_assoc, tail), now))
            hws_list_remove(n);
    if (!hws_list_is_empty(&t->tails))
        hws_timer_set(timer, t->params.sctp_probe_ms);
}

/* Linux tells round trips in ticks of its clock. */
void hws_sctp_tail_init(struct hws_sctp *t, struct hws_reactor *reactor)
{
    struct timespec tick = {0, 0};
    clock_getres(CLOCK_MONOTONIC_COARSE, &tick);
    t->tick_us = (uint64_t)tick.tv_nsec / HWS_NS_PER_US;
    hws_list_init(&t->tails);
    hws_timer_init(reactor, &t->look, on_look);
}
