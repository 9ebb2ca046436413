/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fake_engine: the functions of peer/engine.h in memory, for tests of what is above them. A send to oneself is matched
 * here; a send to another peer is kept for the test to look at; messages of other peers arrive when the test says so,
 * at once or after so many steps of progress. A wait that nothing can end aborts the test.
 */
#ifndef HWS_TESTS_FAKE_ENGINE_H
#define HWS_TESTS_FAKE_ENGINE_H

#include "peer/areas.h"
#include "peer/engine.h"
#include "peer/info.h"

/* When a send is done: on return without its callback, on return with it, in the next step of progress, or only when
 * fake_release_sends() is called. */
enum fake_sends { FAKE_QUIET, FAKE_CALLED, FAKE_NEXT_STEP, FAKE_HELD };

struct fake_sent {
    int peer;
    uint32_t ctx;
    int32_t tag;
    enum hws_send_mode mode;
    uint64_t len;
    unsigned char *bytes;
};

struct fake_state {
    enum fake_sends sends;
    int me, n_peers;
    unsigned steps; /* of progress so far */
    unsigned waits; /* calls of hws_engine_wait and hws_engine_wait_until */
    unsigned wakes; /* calls of hws_engine_wake */
    int locked;     /* depth of the lock */
    int n_sent;
    struct fake_sent sent[256];
    enum hws_err send_error; /* all sends fail with it */
};

extern struct fake_state fake;

/* A fresh engine of n_peers processes, of which this is number me; sets hws_world.engine. */
void fake_reset(int me, int n_peers);

/* A message of a peer arrives after that many steps of progress (0: now). */
void fake_arrive(unsigned steps, int peer, uint32_t ctx, int32_t tag, const void *bytes, uint64_t len);

/* The peer is lost after that many steps: receives from it fail. */
void fake_lose(unsigned steps, int peer, enum hws_err err, const char *reason);

/* Ends the sends that are held (FAKE_HELD). */
void fake_release_sends(void);

int fake_n_posted(void);

#endif
