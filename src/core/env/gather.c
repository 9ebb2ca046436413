/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gather: a call of some nanoseconds cannot bear two looks at the clock, so calls are counted and their time is
 * sampled. The sampler reads what the threads and the engine write, without a lock: each figure is one word, and a word
 * that is one call late does no harm.
 */
#include "core/env/gather.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/board.h"
#include "base/clock.h"
#include "base/list.h"
#include "base/profile.h"
#include "core/comm/call.h"
#include "core/object/world.h"
#include "core/type/datatype.h"
#include "peer/engine.h"
#include "peer/info.h"

#define SAMPLE_NS   (5 * HWS_NS_PER_MS)  /* between samples at first; at 1 ms messages of 8 bytes take 4 % longer, */
#define FINE_NS     (1 * HWS_NS_PER_S)   /* ... for so long, that short jobs are seen, */
#define COARSE_NS   (10 * HWS_NS_PER_MS) /* ... and then */
#define COUNT_EVERY 16                   /* samples between sums of all threads' counts */

/* What the sampler knows of a thread from the last sample. */
struct seen {
    uint32_t call;
    uint64_t n, begin_ns; /* which one of that name; when it was seen first */
    struct hws_profile_slow slow;
};

static struct hws_profile *profile;           /* NULL: nothing is gathered */
static const struct hws_profile_calls *calls; /* NULL: nobody counts */
static struct seen seen[HWS_PROFILE_THREADS];
static pthread_t sampler;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wake;
static bool runs, is_over; /* the sampler does; it shall end (mutex) */

void hws_gather_begin(struct hws_engine_config *cfg)
{
    if (!profile)
        profile = hws_profile_take();
    cfg->profile = profile;
}

/* ---- one sample ------------------------------------------------------------------------------------------------ */

static int n_asleep(void)
{
    const struct hws_board *board = hws_call_board();
    int n = 0;
    for (int i = 0; board && i < HWS_BOARD_WAITS; i++)
        n += __atomic_load_n(&board->waits[i].used, __ATOMIC_RELAXED) == 1;
    return n;
}

/* Of a predefined type, 0 of others: these may be freed while the sampler looks. */
static uint64_t size_of(uint64_t type)
{
    const struct hws_type *t = type < HWS_ARRAY_LEN(hws_types_builtin) ? hws_types_builtin[type] : NULL;
    return t ? (uint64_t)t->size : 0;
}

static void describe(struct hws_profile_slow *s, const struct hws_profile_thread *t, uint32_t call)
{
    uint64_t comm = t->comm;
    *s = (struct hws_profile_slow){.peer = t->peer};
    hws_board_text(s->name, calls->names[call - 1], sizeof s->name);
    if (comm)
        hws_board_text(s->comm,
                       comm == (uint64_t)(uintptr_t)MPI_COMM_WORLD  ? "MPI_COMM_WORLD"
                       : comm == (uint64_t)(uintptr_t)MPI_COMM_SELF ? "MPI_COMM_SELF"
                                                                    : "another communicator",
                       sizeof s->comm);
    s->bytes = t->count > 0 ? (uint64_t)t->count * size_of(t->type) : 0;
}

/* Whether the call that thread i is in is the one of the last sample. */
static bool is_same(int i, const struct hws_profile_thread *t, uint32_t call, uint64_t now_ns)
{
    struct seen *s = &seen[i];
    uint64_t n = call ? __atomic_load_n(&t->n[call - 1], __ATOMIC_RELAXED) : 0;
    if (call && s->call == call && s->n == n)
        return true;
    s->call = call;
    s->n = n;
    s->begin_ns = now_ns;
    if (call)
        describe(&s->slow, t, call);
    return false;
}

static void keep_slow(const struct seen *s, uint64_t now_ns)
{
    struct hws_profile_slow slow = s->slow;
    slow.begin_ns = s->begin_ns - profile->from_ns;
    slow.ns = now_ns - s->begin_ns;
    hws_profile_add_slow(profile, &slow);
}

static void take_sample(uint64_t last_ns, uint64_t now_ns, bool has_moved)
{
    int n_in = 0, n_stuck = 0;
    bool is_in[HWS_PROFILE_THREADS] = {false}, is_stuck[HWS_PROFILE_THREADS] = {false};
    for (int i = 0; i < HWS_PROFILE_THREADS; i++) {
        uint32_t call = __atomic_load_n(&calls->threads[i].call, __ATOMIC_RELAXED);
        call = call <= calls->n ? call : 0;
        bool same = is_same(i, &calls->threads[i], call, now_ns);
        is_in[i] = call != 0;
        is_stuck[i] = same && !has_moved;
        n_in += is_in[i];
        n_stuck += is_stuck[i];
        if (same)
            keep_slow(&seen[i], now_ns);
    }
    bool all_sleep = n_in && n_asleep() >= n_in;
    for (int i = 0; i < HWS_PROFILE_THREADS; i++)
        if (is_in[i]) {
            struct hws_profile_call *c = &profile->calls[seen[i].call - 1];
            c->ns += now_ns - last_ns;
            c->wait_ns += is_stuck[i] || all_sleep ? now_ns - last_ns : 0;
        }
    profile->in_mpi_ns += n_in ? now_ns - last_ns : 0;
    profile->wait_ns += n_in && (all_sleep || n_stuck == n_in) ? now_ns - last_ns : 0;
    profile->sampled_ns = now_ns - profile->from_ns;
}

static void sum_counts(void)
{
    for (uint32_t c = 0; c < calls->n; c++) {
        uint64_t n = 0;
        for (int i = 0; i < HWS_PROFILE_THREADS; i++)
            n += __atomic_load_n(&calls->threads[i].n[c], __ATOMIC_RELAXED);
        profile->calls[c].n = n;
    }
}

/* ---- the sampler ----------------------------------------------------------------------------------------------- */

/* False: it is over. */
static bool pause_until(uint64_t ns)
{
    struct timespec at = {.tv_sec = (time_t)(ns / HWS_NS_PER_S), .tv_nsec = (long)(ns % HWS_NS_PER_S)};
    pthread_mutex_lock(&mutex);
    while (!is_over && pthread_cond_timedwait(&wake, &mutex, &at) == 0)
        ;
    bool goes_on = !is_over;
    pthread_mutex_unlock(&mutex);
    return goes_on;
}

static void *sample(void *arg)
{
    uint64_t last_ns = hws_clock_ns(), begin_ns = last_ns, moves = 0;
    (void)arg;
    bool goes_on;
    unsigned k = 0;
    do {
        goes_on = pause_until(last_ns + (last_ns - begin_ns < FINE_NS ? SAMPLE_NS : COARSE_NS));
        uint64_t now_ns = hws_clock_ns(), moves_now = hws_engine_moves(hws_world.engine);
        take_sample(last_ns, now_ns, moves_now != moves);
        if (++k % COUNT_EVERY == 0)
            sum_counts();
        last_ns = now_ns;
        moves = moves_now;
    } while (goes_on);
    return NULL;
}

void hws_gather_start(void)
{
    sigset_t all, before;
    pthread_condattr_t attr;
    const struct hws_profile_calls *found = dlsym(RTLD_DEFAULT, HWS_PROFILE_SYMBOL);
    if (!profile || runs || !found || found->version != HWS_PROFILE_VERSION || found->n > HWS_PROFILE_CALLS)
        return;
    calls = found;
    for (uint32_t i = 0; i < calls->n; i++)
        hws_board_text(profile->calls[i].name, calls->names[i], sizeof profile->calls[i].name);
    profile->n_calls = calls->n;
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&wake, &attr);
    pthread_condattr_destroy(&attr);
    is_over = false;
    sigfillset(&all); /* the program's signals are for its own threads */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    runs = pthread_create(&sampler, NULL, sample, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    profile->has_calls = runs;
}

void hws_gather_end(void)
{
    if (!profile)
        return;
    if (runs) {
        pthread_mutex_lock(&mutex);
        is_over = true;
        pthread_cond_signal(&wake);
        pthread_mutex_unlock(&mutex);
        pthread_join(sampler, NULL);
        sum_counts();
        runs = false;
    }
    hws_engine_lock(hws_world.engine);
    hws_engine_gather(hws_world.engine);
    hws_engine_unlock(hws_world.engine);
    hws_profile_drop(profile);
    profile = NULL;
}
