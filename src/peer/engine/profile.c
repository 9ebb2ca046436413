/* SPDX-License-Identifier: BSD-3-Clause
 *
 * profile: every so often what went to each peer and over each lane is copied to where `mpirun -report FILE.html` finds
 * it (base/profile.h), also when this process does not come to its end. Nothing of it runs without a profile.
 */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/list.h"
#include "base/profile.h"
#include "peer/engine/parts.h"
#include "peer/info.h"
#include "peer/state/engine.h"
#include "peer/state/shm.h"

#define LOOK_MS 50 /* in MPI, of which a job of 1000 ranks spends some 50 us in a look */

/* The length of a port at the begin of a text, ":5000" or " port 5000"; 0: there is none. */
static size_t port_len(const char *text)
{
    static const char *const before[] = {":", " port "};
    for (size_t i = 0; i < HWS_ARRAY_LEN(before); i++) {
        size_t len = strlen(before[i]), digits = 0;
        if (strncmp(text, before[i], len) == 0)
            digits = strspn(text + len, "0123456789");
        if (digits && (text[len + digits] == ' ' || text[len + digits] == '\0'))
            return len + digits;
    }
    return 0;
}

/* A lane's name without its ports, which say nothing to users and differ in each connection. */
static void strip_ports(char *text)
{
    char *to = text;
    for (const char *from = text; *from;) {
        size_t len = port_len(from);
        from += len;
        if (!len)
            *to++ = *from++;
    }
    *to = '\0';
}

static void add_lanes(struct hws_profile *profile, const struct hws_engine *e, int peer)
{
    struct hws_lane_info lanes[HWS_MAX_LANES];
    size_t n = hws_engine_lanes(e, peer, lanes, HWS_MAX_LANES);
    for (size_t i = 0; i < n && i < HWS_MAX_LANES; i++) {
        strip_ports(lanes[i].name);
        hws_profile_lane(profile, lanes[i].name, lanes[i].traffic.bytes_out);
    }
}

void hws_engine_gather(struct hws_engine *e)
{
    struct hws_profile *profile = e->cfg.profile;
    struct hws_peer_info info;
    if (!profile)
        return;
    for (int i = 0; i < e->jobs.n_peers && i < (int)profile->n_ranks; i++) {
        if (!e->peers[i])
            continue;
        hws_engine_peer_info(e, i, &info);
        bool is_shm = e->peers[i]->shm != NULL;
        profile->peers[i] =
            (struct hws_profile_peer){info.payload_out, info.messages_out, is_shm ? HWS_PROFILE_SHM : HWS_PROFILE_NET};
        if (is_shm)
            hws_profile_lane(profile, "shared memory", info.traffic.bytes_out);
        else
            add_lanes(profile, e, i);
    }
    hws_profile_look(profile, hws_clock_ns());
}

void hws_engine_on_gather(struct hws_timer *t)
{
    struct hws_engine *e = hws_container_of(t, struct hws_engine, looks.gather);
    hws_engine_gather(e);
    hws_timer_set(t, LOOK_MS);
}

uint64_t hws_engine_moves(const struct hws_engine *e)
{
    const struct hws_shm *m = __atomic_load_n(&e->shm, __ATOMIC_RELAXED);
    uint64_t sum = __atomic_load_n(&e->work.activity, __ATOMIC_RELAXED);
    for (int i = 0; m && i < m->seg.n; i++) {
        const struct hws_shm_peer *s = __atomic_load_n(&m->peers[i], __ATOMIC_ACQUIRE); /* stays until the end */
        if (s)
            sum += s->tx.pos + s->rx.pos + s->long_ones.copied_out + s->long_ones.copied_in;
    }
    return sum;
}
