/* SPDX-License-Identifier: BSD-3-Clause
 *
 * init: start and end of the process. Two models use it (MPI 5.0 chapter 11): MPI_Init and any number of sessions. The
 * first user starts launcher client and engine, the last one ends them. A job that uses sessions alone may start again,
 * so there the launcher is told at exit only.
 *
 * The launcher's client isn't thread safe: it is used with the engine's lock held, or before there is an engine.
 */
#include "core/env/init.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/cpus.h"
#include "core/comm/comm.h"
#include "core/comm/call.h"
#include "core/comm/ctx.h"
#include "core/env/crash.h"
#include "core/env/gather.h"
#include "core/comm/raise.h"
#include "core/object/errhandler.h"
#include "core/object/error.h"
#include "core/object/event.h"
#include "core/object/launcher.h"
#include "core/object/world.h"
#include "core/p2p/bsend.h"
#include "launch/pmi.h"
#include "peer/engine.h"
#include "peer/info.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER; /* of everything below */
static int n_users;                                       /* MPI_Init and the open sessions */
static bool used_model;                                   /* MPI_Init was among them */
static bool at_exit_set;
static int *local_ranks; /* of this host; NULL: not known */
static int n_local_ranks;

/* ---- what the engine asks for ---- */

static int lookup(void *arg, int peer, char *card, size_t len)
{
    (void)arg;
    char value[HWS_LAUNCHER_CARD];
    if (hws_launcher_card(peer, value, sizeof value) != HWS_OK)
        return HWS_EPMI;
    const char *slash = strchr(value, '/');
    if (!slash || strlen(slash + 1) >= len)
        return HWS_EPMI;
    memcpy(card, slash + 1, strlen(slash + 1) + 1);
    return HWS_OK;
}

static const char *peer_name(void *arg, int peer)
{
    (void)arg;
    return hws_world_peer_name(peer);
}

/* The operations that need the peer fail with the engine's reason, and their error handler decides; nothing to do here
 * but to remember that the job is no longer whole. See below for messages that no operation waits for any more. */
static void on_peer_lost(void *arg, int peer, enum hws_err why, const char *text)
{
    (void)arg, (void)peer, (void)why, (void)text;
    hws_world.n_lost++;
}

static void on_messages_lost(void *arg, int peer, enum hws_err why, const char *text)
{
    (void)arg;
    hws_raise_lost(peer, why, text);
}

/* ---- launcher ---- */

static void on_launcher(void *arg)
{
    (void)arg;
    int rc = hws_pmi_on_readable(hws_world.pmi);
    if (rc == HWS_ECLOSED)
        hws_pmi_die(hws_world.pmi);
    if (rc != HWS_OK)
        hws_abort(1, hws_pmi_reason(hws_world.pmi));
    hws_launcher_barrier_done = hws_pmi_barrier_is_done(hws_world.pmi);
}

/* ---- start ---- */

static void raise_file_limit(void)
{
    struct rlimit r;
    if (getrlimit(RLIMIT_NOFILE, &r) == 0 && r.rlim_cur < r.rlim_max) {
        r.rlim_cur = r.rlim_max;
        setrlimit(RLIMIT_NOFILE, &r); /* failing is no harm yet: the engine says so when it runs out */
    }
}

static int start_launcher(void)
{
    char err[512];
    if (hws_pmi_open(&hws_world.pmi, hws_world.params.init_wait_ms, err, sizeof err) != HWS_OK)
        return hws_fail(MPI_ERR_OTHER, "%s", err);
    hws_world.rank = hws_pmi_rank(hws_world.pmi);
    hws_world.size = hws_pmi_size(hws_world.pmi);
    hws_world.appnum = hws_pmi_appnum(hws_world.pmi);
    hws_world.universe_size = hws_pmi_universe_size(hws_world.pmi);
    hws_world.n_local = hws_pmi_n_local(hws_world.pmi) > 0 ? hws_pmi_n_local(hws_world.pmi) : 1;
    return MPI_SUCCESS;
}

static int launcher_failed(const char *what)
{
    return hws_fail(MPI_ERR_OTHER, "the launcher refused %s: %s", what, hws_pmi_reason(hws_world.pmi));
}

/* A foreign launcher knows no secret: there rank 0's own becomes visible after a barrier. */
static int get_secret(unsigned char *secret)
{
    if (hws_pmi_launcher(hws_world.pmi) == HWS_PMI_FOREIGN && hws_pmi_barrier(hws_world.pmi) != HWS_OK)
        return launcher_failed("a barrier");
    return hws_pmi_secret(hws_world.pmi, secret) == HWS_OK ? MPI_SUCCESS : launcher_failed("the job's secret");
}

/* Who may share memory with this rank. */
static void find_locals(void)
{
    free(local_ranks);
    local_ranks = NULL;
    n_local_ranks = 0;
    if (hws_world.params.shm && hws_world.size > 1 && hws_world.n_local > 1)
        n_local_ranks = hws_pmi_locals(hws_world.pmi, &local_ranks);
}

/* It made the pair of sockets of which this rank has one. */
static int launcher_pid(void)
{
    struct ucred maker;
    socklen_t len = sizeof maker;
    int fd = hws_pmi_fd(hws_world.pmi);
    return fd >= 0 && getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &maker, &len) == 0 ? maker.pid : 0;
}

static int start_engine(bool locking)
{
    char err[512];
    find_locals();
    struct hws_engine_config cfg = {.params = hws_world.params,
                                    .n_peers = hws_world.size,
                                    .me = hws_world.rank,
                                    .n_local = hws_world.n_local,
                                    .local_ranks = local_ranks,
                                    .n_local_ranks = n_local_ranks,
                                    .launcher_pid = launcher_pid(),
                                    .job_id = hws_pmi_job_id(hws_world.pmi),
                                    .locking = locking || strcmp(hws_world.params.progress, "thread") == 0,
                                    .progress_thread = strcmp(hws_world.params.progress, "thread") == 0,
                                    .lookup = lookup,
                                    .peer_name = peer_name,
                                    .on_peer_lost = on_peer_lost,
                                    .on_messages_lost = on_messages_lost,
                                    .events = &hws_event_sink};
    cfg.params.one_host = hws_world.n_local == hws_world.size && !cfg.params.interfaces[0];
    hws_ctx_begin(&cfg);
    hws_gather_begin(&cfg);
    hws_call_find_board(&cfg);
    int rc = get_secret(cfg.secret);
    if (rc == MPI_SUCCESS && hws_engine_open(&cfg, &hws_world.engine, err, sizeof err) != HWS_OK)
        rc = hws_fail(MPI_ERR_OTHER, "%s", err);
    if (rc == MPI_SUCCESS && hws_ctx_listen() != HWS_OK)
        rc = hws_fail(MPI_ERR_INTERN, "two parts of the library want the same frames");
    if (rc == MPI_SUCCESS)
        hws_engine_tell_on(hws_world.engine, SIGUSR1);
    explicit_bzero(cfg.secret, sizeof cfg.secret);
    if (rc == MPI_SUCCESS)
        hws_gather_start();
    return rc;
}

static void key_of_offer(char key[HWS_PMI_KEY_MAX + 1])
{
    snprintf(key, HWS_PMI_KEY_MAX + 1, "shm-%d", local_ranks[0]);
}

/* The first rank of each host has made the memory that its ranks share: tells the others where it is. */
static int offer_memory(void)
{
    char key[HWS_PMI_KEY_MAX + 1];
    const char *offer = hws_engine_shm_offer(hws_world.engine);
    if (!offer[0])
        return MPI_SUCCESS;
    key_of_offer(key);
    return hws_pmi_put(hws_world.pmi, key, offer) == HWS_OK ? MPI_SUCCESS : launcher_failed("the shared memory's name");
}

static void key_of_cpus(char key[HWS_PMI_KEY_MAX + 1], int rank)
{
    snprintf(key, HWS_PMI_KEY_MAX + 1, "cpus-%d", rank);
}

/* Ranks that share no memory tell each other their processors here. */
static int put_cpus(void)
{
    char key[HWS_PMI_KEY_MAX + 1], text[HWS_CPUS_TEXT];
    struct hws_cpus own;
    if (n_local_ranks >= 2 || hws_world.n_local < 2 || hws_cpus_told() || !hws_cpus_own(&own))
        return MPI_SUCCESS;
    key_of_cpus(key, hws_world.rank);
    return hws_pmi_put(hws_world.pmi, key, hws_cpus_text(&own, text)) == HWS_OK ? MPI_SUCCESS
                                                                                : launcher_failed("the own processors");
}

/* After the barrier. Of ranks that say nothing nothing is counted. */
static void get_cpus(void)
{
    char key[HWS_PMI_KEY_MAX + 1], text[HWS_CPUS_TEXT];
    struct hws_cpus cpus;
    struct hws_cpus_sum sum;
    int *ranks;
    if (n_local_ranks >= 2 || !hws_engine_wants_cpus(hws_world.engine) || !hws_cpus_own(&cpus))
        return;
    int n = hws_pmi_locals(hws_world.pmi, &ranks);
    hws_cpus_begin(&sum, &cpus);
    for (int i = 0; i < n; i++) {
        key_of_cpus(key, ranks[i]);
        if (hws_pmi_get(hws_world.pmi, key, text, sizeof text) == HWS_OK && hws_cpus_parse(&cpus, text))
            hws_cpus_add(&sum, &cpus);
    }
    if (n > 0)
        hws_engine_take_cpus(hws_world.engine, &sum);
    free(ranks);
}

/* The barrier after which all ranks know all cards. The others take the memory then; without an offer they use TCP. */
static int meet(void)
{
    char key[HWS_PMI_KEY_MAX + 1], offer[256];
    if (n_local_ranks < 2)
        return hws_pmi_barrier(hws_world.pmi);
    key_of_offer(key);
    bool is_first = local_ranks[0] == hws_world.rank;
    int rc = is_first ? hws_pmi_barrier(hws_world.pmi) : hws_pmi_barrier_get(hws_world.pmi, key, offer, sizeof offer);
    if (rc == HWS_OK)
        hws_engine_shm_attach(hws_world.engine, is_first ? hws_engine_shm_offer(hws_world.engine) : offer);
    return rc;
}

/* Publishes the own address, waits until all have done so: afterwards any peer can be looked up when it is needed. */
static int exchange(void)
{
    char key[HWS_PMI_KEY_MAX + 1], value[HWS_LAUNCHER_CARD];
    if (hws_world.size == 1 && hws_pmi_is_singleton(hws_world.pmi))
        return MPI_SUCCESS;
    snprintf(key, sizeof key, "card-%d", hws_world.rank);
    int n = snprintf(value, sizeof value, "%s/%s", hws_world.host, hws_engine_card(hws_world.engine));
    if (n >= (int)sizeof value)
        return hws_fail(MPI_ERR_INTERN, "the own address takes %d bytes, at most %d fit", n, HWS_LAUNCHER_CARD - 1);
    if (hws_pmi_put(hws_world.pmi, key, value) != HWS_OK)
        return launcher_failed("the own address");
    int rc = offer_memory();
    if (rc == MPI_SUCCESS)
        rc = put_cpus();
    if (rc == MPI_SUCCESS && meet() != HWS_OK)
        rc = launcher_failed("a barrier");
    if (rc == MPI_SUCCESS)
        get_cpus();
    return rc;
}

static int start_all(bool locking)
{
    char err[512];
    if (hws_params_load(&hws_world.params, err, sizeof err) != HWS_OK)
        return hws_fail(MPI_ERR_OTHER, "%s", err);
    hws_world.unchecked = !hws_world.params.checks;
    int rc = start_launcher();
    if (rc != MPI_SUCCESS)
        return rc;
    if (gethostname(hws_world.host, sizeof hws_world.host))
        memcpy(hws_world.host, "unknown", sizeof "unknown");
    hws_world.host[sizeof hws_world.host - 1] = '\0';
    raise_file_limit();
    if ((rc = start_engine(locking)) != MPI_SUCCESS)
        return rc;
    if (hws_world.params.backtrace)
        hws_crash_begin(hws_call_board(), hws_world.rank, hws_world.host);
    hws_call_meet("MPI_Init");
    rc = exchange();
    hws_call_met();
    if (rc != MPI_SUCCESS)
        return rc;
    if (hws_pmi_fd(hws_world.pmi) >= 0)
        hws_engine_watch(hws_world.engine, hws_pmi_fd(hws_world.pmi), on_launcher, NULL);
    return MPI_SUCCESS;
}

static bool is_level(int level)
{
    return level == MPI_THREAD_SINGLE || level == MPI_THREAD_FUNNELED || level == MPI_THREAD_SERIALIZED ||
           level == MPI_THREAD_MULTIPLE;
}

/* With the mutex held: one more user. */
static int add_user(int level)
{
    int rc = MPI_SUCCESS;
    if (!hws_world.engine) {
        if (hws_world.pmi)
            return hws_fail(MPI_ERR_OTHER, "the start failed before");
        if (atomic_load(&hws_world.finalized))
            return hws_fail(MPI_ERR_OTHER, "MPI was finalized, it can't be started again");
        hws_world.thread_level = level;
        rc = start_all(level == MPI_THREAD_MULTIPLE || hws_world.tool_threads);
    }
    if (rc == MPI_SUCCESS && n_users == 0)
        rc = hws_comm_begin_predefined();
    if (rc != MPI_SUCCESS)
        return rc;
    n_users++;
    atomic_store(&hws_world.initialized, 1);
    return MPI_SUCCESS;
}

int hws_world_init(int required, int *provided)
{
    if (!is_level(required))
        return hws_fail(MPI_ERR_ARG, "invalid argument: required is %d, it is no thread level", required);
    pthread_mutex_lock(&mutex);
    int rc = atomic_load(&hws_world.model) == HWS_MODEL_NONE
                 ? MPI_SUCCESS
                 : hws_fail(MPI_ERR_OTHER, "MPI was initialized before, that is allowed once");
    if (rc == MPI_SUCCESS)
        rc = add_user(required);
    if (rc == MPI_SUCCESS) {
        used_model = true;
        hws_world.main_thread = (unsigned long)pthread_self();
        hws_world.thread_asked = required;
        *provided = required < hws_world.thread_level ? required : hws_world.thread_level;
        atomic_store(&hws_world.model, HWS_MODEL_UP);
    }
    pthread_mutex_unlock(&mutex);
    return rc;
}

/* Whether a thread of a session may call at any time is known only later, so the engine of sessions always locks. */
int hws_world_add_session(void)
{
    pthread_mutex_lock(&mutex);
    int rc = add_user(MPI_THREAD_MULTIPLE);
    pthread_mutex_unlock(&mutex);
    return rc;
}

/* ---- end ---- */

static bool is_end_over(void *missing)
{
    return hws_launcher_barrier_done || hws_engine_is_missing(hws_world.engine, missing);
}

/* Other launchers may wait for those who never come: Slurm does, unless srun is told otherwise. */
static int end_without(int rank)
{
    int rc = hws_fail(MPI_ERR_PROC_ABORTED, "%s has died, or was lost, without calling MPI_Finalize",
                      hws_world_peer_name(rank));
    hws_world_abort(1, hws_fail_sentence(rc));
    return rc;
}

/* Waits for all ranks, moving messages meanwhile: a peer may still need ours. */
static int barrier_of_job(void)
{
    int missing;
    struct hws_engine *e = hws_world.engine;
    if (hws_pmi_fd(hws_world.pmi) < 0)
        return MPI_SUCCESS;
    hws_engine_lock(e);
    int rc = hws_pmi_barrier_begin(hws_world.pmi);
    hws_launcher_barrier_done = hws_pmi_barrier_is_done(hws_world.pmi);
    hws_engine_unlock(e);
    if (rc != HWS_OK)
        return launcher_failed("a barrier");
    if (hws_pmi_judges_deaths(hws_world.pmi))
        hws_engine_wait(e, &hws_launcher_barrier_done, NULL);
    else
        hws_engine_wait_until(e, is_end_over, &missing, NULL);
    return hws_launcher_barrier_done ? MPI_SUCCESS : end_without(missing);
}

static int end_all(void)
{
    struct hws_engine *e = hws_world.engine;
    hws_call_begin("MPI_Finalize", NULL);
    hws_engine_end(e, !hws_pmi_judges_deaths(hws_world.pmi));
    int rc = barrier_of_job();
    hws_engine_watch(e, -1, NULL, NULL);
    if (hws_world.on_end)
        hws_world.on_end();
    hws_world.on_end = NULL;
    if (hws_world.params.counters)
        hws_engine_tell(e);
    if (hws_pmi_finalize(hws_world.pmi) != HWS_OK && rc == MPI_SUCCESS)
        rc = launcher_failed("the end");
    hws_gather_end();
    atomic_store(&hws_world.finalized, 1);
    hws_engine_lock(e);
    hws_world.engine = NULL; /* a thread of progress may still read letters */
    hws_engine_unlock(e);
    hws_engine_fini(e);
    hws_call_end();
    hws_crash_end();
    hws_call_drop_board();
    hws_ctx_end();
    free(local_ranks);
    local_ranks = NULL;
    hws_launcher_close();
    return rc;
}

/* Sessions alone: the end, unless the process leaves with one still open, which is a failure the launcher shall see. */
static void at_exit(void)
{
    if (n_users == 0 && hws_world.engine)
        end_all();
}

/* With the mutex held: one user less. */
static int remove_user(void)
{
    if (--n_users > 0)
        return MPI_SUCCESS;
    hws_bsend_end(&hws_bsend_process);
    hws_comm_end_predefined();
    if (used_model)
        return end_all();
    hws_engine_flush(hws_world.engine);
    atomic_store(&hws_world.initialized, 0);
    if (!at_exit_set)
        at_exit_set = atexit(at_exit) == 0;
    return MPI_SUCCESS;
}

int hws_world_fini(void)
{
    pthread_mutex_lock(&mutex);
    atomic_store(&hws_world.model, HWS_MODEL_DONE);
    int rc = remove_user();
    pthread_mutex_unlock(&mutex);
    return rc;
}

int hws_world_remove_session(void)
{
    pthread_mutex_lock(&mutex);
    int rc = remove_user();
    pthread_mutex_unlock(&mutex);
    return rc;
}
