/* SPDX-License-Identifier: BSD-3-Clause
 *
 * profile: see the header. Memory of constant size, whatever the job's length: slots of time double.
 */
#include "base/profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "base/clock.h"

#define PAGE_MAX 65536 /* bytes */

size_t hws_profile_stride(int n_ranks)
{
    size_t len = sizeof(struct hws_profile) + (size_t)n_ranks * sizeof(struct hws_profile_peer);
    return (len + PAGE_MAX - 1) / PAGE_MAX * PAGE_MAX;
}

static uint64_t real_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (uint64_t)t.tv_sec * HWS_NS_PER_S + (uint64_t)t.tv_nsec;
}

struct hws_profile *hws_profile_take(void)
{
    const char *text = getenv(HWS_PROFILE_VAR);
    int fd = -1, n_ranks = 0;
    long offset = -1;
    struct stat st;
    bool is_good = text && sscanf(text, "%d,%ld,%d", &fd, &offset, &n_ranks) == 3 && fd >= 0 && offset >= 0 &&
                   n_ranks > 0 && offset % PAGE_MAX == 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
                   st.st_size >= offset + (long)hws_profile_stride(n_ranks);
    unsetenv(HWS_PROFILE_VAR);
    if (!is_good)
        return NULL;
    struct hws_profile *p = mmap(NULL, hws_profile_stride(n_ranks), PROT_READ | PROT_WRITE, MAP_SHARED, fd, offset);
    if (p == MAP_FAILED)
        return NULL;
    memset(p, 0, sizeof *p);
    p->n_ranks = (uint32_t)n_ranks;
    p->begin_ns = real_ns();
    p->from_ns = hws_clock_ns();
    p->slot_ns = HWS_PROFILE_SLOT_NS;
    p->version = HWS_PROFILE_VERSION;
    return p;
}

void hws_profile_drop(struct hws_profile *p)
{
    if (p)
        munmap(p, hws_profile_stride((int)p->n_ranks));
}

/* Until a time is within the slots. */
static void make_room(struct hws_profile *p, uint64_t to_ns)
{
    while ((to_ns - 1) / p->slot_ns >= HWS_PROFILE_SLOTS) {
        for (uint32_t l = 0; l < p->n_lanes; l++) {
            uint64_t *b = p->lanes[l].bytes;
            for (int i = 0; i < HWS_PROFILE_SLOTS / 2; i++)
                b[i] = b[2 * i] + b[2 * i + 1];
            memset(b + HWS_PROFILE_SLOTS / 2, 0, HWS_PROFILE_SLOTS / 2 * sizeof *b);
        }
        p->slot_ns *= 2;
    }
}

static struct hws_profile_lane *lane_of(struct hws_profile *p, const char *name)
{
    for (uint32_t i = 0; i < p->n_lanes; i++)
        if (strncmp(p->lanes[i].name, name, sizeof p->lanes[i].name - 1) == 0)
            return &p->lanes[i];
    if (p->n_lanes == HWS_PROFILE_LANES)
        return &p->lanes[HWS_PROFILE_LANES - 1];
    struct hws_profile_lane *l = &p->lanes[p->n_lanes++];
    snprintf(l->name, sizeof l->name, "%s", p->n_lanes == HWS_PROFILE_LANES ? "others" : name);
    return l;
}

void hws_profile_lane(struct hws_profile *p, const char *name, uint64_t bytes)
{
    lane_of(p, name)->sum += bytes;
}

void hws_profile_look(struct hws_profile *p, uint64_t now_ns)
{
    uint64_t to_ns = now_ns - p->from_ns;
    if (to_ns <= p->elapsed_ns)
        to_ns = p->elapsed_ns + 1;
    make_room(p, to_ns);
    uint64_t first = p->elapsed_ns / p->slot_ns, n = (to_ns - 1) / p->slot_ns - first + 1;
    for (uint32_t k = 0; k < p->n_lanes; k++) {
        struct hws_profile_lane *l = &p->lanes[k];
        uint64_t more = l->sum > l->told ? l->sum - l->told : 0;
        for (uint64_t i = 0; i < n; i++)
            l->bytes[first + i] += more / n + (i < more % n);
        l->told += more;
        l->sum = 0;
    }
    p->elapsed_ns = to_ns;
}

void hws_profile_add_slow(struct hws_profile *p, const struct hws_profile_slow *s)
{
    uint32_t at = 0;
    while (at < p->n_slow && (p->slow[at].begin_ns != s->begin_ns || strcmp(p->slow[at].name, s->name) != 0 ||
                              p->slow[at].peer != s->peer))
        at++;
    if (at < p->n_slow) {
        p->slow[at] = *s;
        return;
    }
    if (at < HWS_PROFILE_SLOWEST) {
        p->n_slow++;
    } else {
        at = 0;
        for (uint32_t i = 1; i < HWS_PROFILE_SLOWEST; i++)
            at = p->slow[i].ns < p->slow[at].ns ? i : at;
        if (p->slow[at].ns >= s->ns)
            return;
    }
    p->slow[at] = *s;
}
