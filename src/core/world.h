/* SPDX-License-Identifier: BSD-3-Clause
 *
 * world: the process: started how, by whom, with which engine. The only global state of core besides the predefined
 * objects.
 */
#ifndef HWS_CORE_WORLD_H
#define HWS_CORE_WORLD_H

#include <stdatomic.h>
#include <stdbool.h>

#include "base/params.h"

struct hws_engine;

struct hws_world {
    struct hws_engine *engine;     /* NULL before init and after finalize */
    struct hws_params params;
    int rank, size;                /* in the job */
    int appnum;                    /* or -1 */
    int n_local;                   /* ranks of the job on this host */
    int universe_size;
    int thread_level;              /* MPI_THREAD_... provided */
    unsigned long main_thread;     /* pthread_t of the thread that initialized */
    _Atomic int initialized;       /* 0 no, 1 yes */
    _Atomic int finalized;
    char host[256];                /* MPI_Get_processor_name */
};

extern struct hws_world hws_world;

/* Starts the process for MPI_Init(_thread): launcher, engine, predefined communicators. MPI class with a sentence. */
int hws_world_init(int required, int *provided);
/* The end of MPI_Finalize: flush, barrier with the launcher, close. */
int hws_world_fini(void);

/* True between init and finalize; entry points refuse otherwise (MPI_ERR_OTHER). */
static inline bool hws_world_is_up(void)
{
    return atomic_load_explicit(&hws_world.initialized, memory_order_relaxed) &&
           !atomic_load_explicit(&hws_world.finalized, memory_order_relaxed);
}

#endif
