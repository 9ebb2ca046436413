/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sim: several engines in one process over the in-memory network, driven step by step by one thread. Bytes move only
 * when the test pumps, and time passes only with the steps (virtual.h), so that a seed gives the same traffic and the
 * same ends of timers on a machine of any speed.
 */
#ifndef HWS_TESTS_SIM_H
#define HWS_TESTS_SIM_H

#include "link/mem/mem.h"
#include "peer/engine.h"
#include "peer/info.h"

#define SIM_MAX 8

struct sim {
    int n;
    struct hws_mem_net *net;
    struct hws_engine *engines[SIM_MAX];
    bool away[SIM_MAX];                /* sim_away() */
    unsigned n_lost[SIM_MAX][SIM_MAX]; /* [engine][peer]: calls of on_peer_lost */
    struct {
        struct sim *sim;
        int me;
    } self[SIM_MAX];
    void (*on_step)(struct sim *s, bool moved); /* or NULL; set after sim_open: after each step; lets time pass */
};

/* Stops the real time and opens n engines. tweak may change an engine's configuration (NULL: no). Short deadlines, many
 * retries by default. */
void sim_open(struct sim *s, int n, const struct hws_mem_faults *faults,
              void (*tweak)(struct hws_engine_config *cfg, void *arg), void *arg);
void sim_close(struct sim *s);

/* One step of each engine, in random order, of the network, and of time. */
void sim_step(struct sim *s);

/* The engine's process computes from now on, or is back. backlog: connections that its kernel takes meanwhile. */
void sim_away(struct sim *s, int engine, bool away, int backlog);

/* Steps until is_done(arg). False: nothing has moved for half a minute of virtual time, that is: something hangs. */
bool sim_run(struct sim *s, bool (*is_done)(void *arg), void *arg);

/* A counter of an engine by name. */
uint64_t sim_counter(const struct sim *s, int engine, const char *name);

/* Content of a message: byte i depends on the message's number. */
void sim_fill(uint8_t *dst, size_t n, uint64_t number);
/* The first byte that differs from what sim_fill() writes, or n. */
size_t sim_differs(const uint8_t *bytes, size_t n, uint64_t number);

/* Layouts: packed byte i lies at base[2 * i]; and in runs of SIM_RUN bytes, every other one, which are also named. In
 * both no byte lies behind base[2 * i]. */
#define SIM_RUN 1500
extern const struct hws_layout sim_strided, sim_in_runs;

#endif
