/* SPDX-License-Identifier: BSD-3-Clause
 *
 * world: the process: started how, by whom, with which engine. The only global state of core besides the predefined
 * objects. env/init.h fills it.
 */
#ifndef HWS_CORE_WORLD_H
#define HWS_CORE_WORLD_H

#include <stdatomic.h>
#include <stdbool.h>

#include <mpi.h>

#include "base/params.h"

struct hws_engine;
struct hws_pmi;

enum hws_model { HWS_MODEL_NONE, HWS_MODEL_UP, HWS_MODEL_DONE };

struct hws_world {
    struct hws_engine *engine; /* NULL before init and after finalize */
    struct hws_pmi *pmi;       /* the launcher's client (launcher.h); NULL like the engine */
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
    void (*on_end)(
        void);      /* called behind the last barrier, while the engine is still there; NULL: nobody asks for it */
    char host[256]; /* MPI_Get_processor_name */
};

extern struct hws_world hws_world;

/* Whether several threads may be in the library at once: the user's, or the progress thread. */
static inline bool hws_is_threaded(void)
{
    return hws_world.thread_level == MPI_THREAD_MULTIPLE || hws_world.params.progress[0] == 't';
}

/* True between init and finalize; entry points refuse otherwise (MPI_ERR_OTHER). */
static inline bool hws_world_is_up(void)
{
    return atomic_load_explicit(&hws_world.initialized, memory_order_relaxed) &&
           !atomic_load_explicit(&hws_world.finalized, memory_order_relaxed);
}

#endif
