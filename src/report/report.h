/* SPDX-License-Identifier: BSD-3-Clause
 *
 * report: libhawser-report.so, which `mpirun -report FILE.html` has the loader put before the MPI library. Each call
 * that can wait or send is one of this library first, which notes what it is and goes on with the next one of that
 * name: a profiling tool's, or the library's. What is noted the library's sampler reads (core/env/gather.c).
 */
#ifndef HWS_REPORT_REPORT_H
#define HWS_REPORT_REPORT_H

#include <stddef.h>

#include "base/profile.h"

/* A function that is wrapped, and where its next one is kept. */
struct hws_report_next {
    const char *name;
    void **next;
};

/* Made by write_calls.awk; the order is that of the names in HWS_PROFILE_SYMBOL. */
extern const struct hws_report_next hws_report_nexts[];
extern const char *const hws_report_names[];
extern const unsigned hws_report_n;

/* This thread's; NULL: it has made no call yet. */
extern __thread struct hws_profile_thread *hws_report_own __attribute__((tls_model("initial-exec")));

/* Gives the thread a place, which it leaves when it ends. */
struct hws_profile_thread *hws_report_adopt(void) __attribute__((cold));

/* Finds the next functions, where that is still to be done: a library that is loaded late is not there at the start. */
void hws_report_find(void);

/* A call begins: returns the thread's place, and in *outer the call around it (a callback's), or 0. */
static inline struct hws_profile_thread *hws_report_enter(unsigned call, uint32_t *outer)
{
    struct hws_profile_thread *t = hws_report_own;
    if (__builtin_expect(!t, 0))
        t = hws_report_adopt();
    *outer = t->call;
    t->n[call]++;
    __atomic_store_n(&t->call, call + 1, __ATOMIC_RELAXED);
    return t;
}

static inline void hws_report_leave(struct hws_profile_thread *t, uint32_t outer)
{
    __atomic_store_n(&t->call, outer, __ATOMIC_RELAXED);
}

#endif
