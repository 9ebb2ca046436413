/* SPDX-License-Identifier: BSD-3-Clause
 *
 * world: the process: started how, by whom, with which engine. The only global state of core besides the predefined
 * objects.
 */
#ifndef HWS_CORE_WORLD_H
#define HWS_CORE_WORLD_H

#include <stdatomic.h>
#include <stdbool.h>

#include <mpi.h>

#include "base/errors.h"
#include "base/params.h"

struct hws_engine;

enum hws_model { HWS_MODEL_NONE, HWS_MODEL_UP, HWS_MODEL_DONE };

struct hws_world {
    struct hws_engine *engine; /* NULL before init and after finalize */
    struct hws_params params;
    bool unchecked;            /* -checks 0 */
    int rank, size;            /* in the job */
    int appnum;                /* or -1 */
    int n_local;               /* ranks of the job on this host */
    int universe_size;         /* or -1 */
    int n_lost;                /* peers lost since the start */
    int thread_asked;          /* MPI_THREAD_... that MPI_Init_thread was asked for */
    int thread_level;          /* MPI_THREAD_... provided */
    bool tool_threads;         /* MPI_T_init_thread promised that tools may call from any thread */
    unsigned long main_thread; /* pthread_t of the thread that initialized */
    _Atomic int initialized;   /* 0 no, 1 yes: the engine is up, by MPI_Init or by a session */
    _Atomic int finalized;
    _Atomic int model; /* enum hws_model: MPI_Init and MPI_Finalize (MPI 5.0 section 11.2) */
    char host[256];    /* MPI_Get_processor_name */
};

extern struct hws_world hws_world;

/* Whether several threads may be in the library at once: the user's, or the progress thread. */
static inline bool hws_is_threaded(void)
{
    return hws_world.thread_level == MPI_THREAD_MULTIPLE || hws_world.params.progress[0] == 't';
}

/* Starts the process for MPI_Init(_thread): launcher, engine, predefined communicators. MPI class with a sentence. */
int hws_world_init(int required, int *provided);
/* The end of MPI_Finalize: flush, barrier with the launcher, close. */
int hws_world_fini(void);

/* The same two for each session (MPI 5.0 section 11.3). */
int hws_world_add_session(void);
int hws_world_remove_session(void);

/* Messages to a process are lost though their sends were complete, so that no operation is left to tell of it: ends the
 * job, unless `why` is no failure or MPI_COMM_WORLD has an error handler of the program's own or MPI_ERRORS_RETURN. */
void hws_world_lose_messages(int peer, enum hws_err why, const char *text);

/* Tells the launcher to end the job, from any thread at any time. False: nobody has printed the text. */
bool hws_world_abort(int exit_code, const char *text);

/* (*hosts)[size]: the number of each process's host, as the launcher placed them, the same in all processes; valid until the
 * end. NULL: not known, to none of them. MPI class. */
int hws_world_hosts(const int **hosts);

/* "rank 3 on host h1" of any process of the job, for messages; valid until the thread's next call. */
const char *hws_world_peer_name(int peer);

/* True between init and finalize; entry points refuse otherwise (MPI_ERR_OTHER). */
static inline bool hws_world_is_up(void)
{
    return atomic_load_explicit(&hws_world.initialized, memory_order_relaxed) &&
           !atomic_load_explicit(&hws_world.finalized, memory_order_relaxed);
}

#endif
