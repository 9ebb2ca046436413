/* SPDX-License-Identifier: BSD-3-Clause
 *
 * threads: the places of threads, and the next functions. Processes without MPI load this, too: there it does nothing.
 */
#include "report/report.h"

#include <dlfcn.h>
#include <pthread.h>

#define LIBRARY "libmpi_abi.so.1"

__thread struct hws_profile_thread *hws_report_own __attribute__((tls_model("initial-exec")));

static struct hws_profile_thread threads[HWS_PROFILE_THREADS] __attribute__((aligned(64))); /* a cache line */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* Found by the library by its name, HWS_PROFILE_SYMBOL. */
extern struct hws_profile_calls hawser_report_calls __attribute__((visibility("default")));
struct hws_profile_calls hawser_report_calls = {HWS_PROFILE_VERSION, 0, hws_report_names, threads};

/* Its counts stay: another thread goes on with them. */
static void leave(void *place)
{
    struct hws_profile_thread *t = place;
    hws_report_own = NULL;
    pthread_mutex_lock(&mutex);
    __atomic_store_n(&t->call, 0, __ATOMIC_RELAXED);
    t->is_used = 0;
    pthread_mutex_unlock(&mutex);
}

static void make_key(void)
{
    pthread_key_create(&key, leave);
}

struct hws_profile_thread *hws_report_adopt(void)
{
    struct hws_profile_thread *t = threads;
    pthread_once(&once, make_key);
    pthread_mutex_lock(&mutex);
    while (t < &threads[HWS_PROFILE_THREADS - 1] && t->is_used)
        t++;
    t->is_used = 1;
    pthread_mutex_unlock(&mutex);
    pthread_setspecific(key, t);
    hws_report_own = t;
    return t;
}

static void *next_of(const char *name)
{
    void *next = dlsym(RTLD_NEXT, name);
    void *library =
        next ? NULL : dlopen(LIBRARY, RTLD_LAZY | RTLD_NOLOAD); /* loaded for one caller alone, as by Python */
    if (library) {
        next = dlsym(library, name);
        dlclose(library);
    }
    return next;
}

void hws_report_find(void)
{
    if (hawser_report_calls.n || !next_of("MPI_Init"))
        return;
    for (unsigned i = 0; i < hws_report_n; i++)
        *hws_report_nexts[i].next = next_of(hws_report_nexts[i].name);
    hawser_report_calls.n = hws_report_n;
}

static void __attribute__((constructor)) at_load(void)
{
    hws_report_find();
}
