/* SPDX-License-Identifier: BSD-3-Clause
 *
 * engine: what core sees of everything below it. One engine holds the reactor, the peers and the matching of one
 * process (tests hold several). Peers are numbered from 0: the processes of the own job by their ranks, those of others
 * behind them (jobs.h). The engine knows no communicator, datatype or handle.
 *
 * The engine is single threaded: with locking on, every function here takes the engine's lock itself, and
 * hws_engine_wait() gives it up while it blocks.
 */
#ifndef HWS_PEER_ENGINE_H
#define HWS_PEER_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "peer/config.h"
#include "peer/ops.h"

struct hws_cpus_sum;
struct hws_engine;

/* Creates the engine and its listeners. *out owned by the caller until hws_engine_fini(). On failure err gets one line.
 */
int hws_engine_open(const struct hws_engine_config *cfg, struct hws_engine **out, char *err, size_t err_len);

/* The own address card for the exchange, one line of printable text without spaces; valid until fini. */
const char *hws_engine_card(const struct hws_engine *e);

/* Shared memory with the ranks of this host. The first of them offers: a word for the others, "" if there is none; they
 * attach with it before the first message, the first one too. A failure is no error: those ranks talk over TCP. */
const char *hws_engine_shm_offer(const struct hws_engine *e);
void hws_engine_shm_attach(struct hws_engine *e, const char *offer);

/* Whether the ranks of this host are too many for their processors. The engine knows its own processors only, where
 * mpirun has not told their number, and the other ranks' when it has attached to shared memory. While it still wants
 * the others', they may be given to it another way. */
bool hws_engine_is_crowded(const struct hws_engine *e);
bool hws_engine_wants_cpus(const struct hws_engine *e);
void hws_engine_take_cpus(struct hws_engine *e, const struct hws_cpus_sum *sum);

/* Sends out all that is queued; returns when every byte is in the kernel or its peer is lost. */
void hws_engine_flush(struct hws_engine *e);

/* The same, then tells all peers that nothing more will come. From then on progress ends what peers still wait for from
 * this rank (engine/gone.c). Only hws_engine_fini() may follow, after a wait for the others. see_deaths: nobody else
 * tells of a rank that dies meanwhile (hws_engine_is_missing()), so the connections, whose ends tell, stay for 10 s
 * first. */
void hws_engine_end(struct hws_engine *e, bool see_deaths);

/* After that: whether a rank has died that has not called MPI_Finalize, so that a barrier of all will never be over;
 * of those on this host and those connected to. *rank: which one. A wait whose predicate asks for it ends. */
bool hws_engine_is_missing(struct hws_engine *e, int *rank);

/* Closes every connection and listener, frees everything. Call hws_engine_end() and a job-wide barrier first. */
void hws_engine_fini(struct hws_engine *e);

/* Starts a send or a receive. The result is always in op->done and op->err, perhaps already on return. Never blocks. */
void hws_engine_send(struct hws_engine *e, struct hws_send_op *op);
void hws_engine_recv(struct hws_engine *e, struct hws_recv_op *op);

/* The same, and waits until it is done: with a short cut for messages that come through shared memory. */
void hws_engine_recv_wait(struct hws_engine *e, struct hws_recv_op *op, hws_wait_site site);

/* As hws_engine_send, but leaves at once, never held back for coalescing. */
void hws_engine_send_at_once(struct hws_engine *e, struct hws_send_op *op);

/* The same for a lone blocking send, not within a callback: where credit is short, progress is made first. */
void hws_engine_send_now(struct hws_engine *e, struct hws_send_op *op);

/* Sends what a burst of nonblocking sends has left held back; nothing to do costs a load. For a call that finds all
 * complete and so makes no progress, and where it is known that the burst is over. */
void hws_engine_push(struct hws_engine *e);

/* Takes a receive back that has not been matched. True: it is done with HWS_ECANCELLED. */
bool hws_engine_cancel_recv(struct hws_engine *e, struct hws_recv_op *op);

/* Asks for a send, done or not, to be taken back. Never blocks; the answer is in c->done and c->taken, perhaps already
 * on return. It is no when the peer is lost or finalizes. */
void hws_engine_cancel_send(struct hws_engine *e, struct hws_cancel_op *c);

/* Looks for an unexpected message (MPI_Iprobe): after one step of progress if need be. True: *env filled. */
bool hws_engine_probe(struct hws_engine *e, int peer, uint32_t ctx, int32_t tag, struct hws_envelope *env);

/* The same, and takes the message out of matching (MPI_Improbe). NULL: none. To be received exactly once. */
struct hws_message *hws_engine_mprobe(struct hws_engine *e, int peer, uint32_t ctx, int32_t tag,
                                      struct hws_envelope *env);
/* How often so far receives from any source have failed because of a peer, and the last one of these. A probe of any
 * source that waits when the number grows is to fail with them. */
unsigned hws_engine_any_lost(struct hws_engine *e, int *peer);

void hws_engine_mrecv(struct hws_engine *e, struct hws_message *m, struct hws_recv_op *op);

/* Before the first operation on contexts ctx .. ctx + n_kinds - 1, of a generation that is new here. All processes are
 * through with the earlier ones; messages of these that nobody has received are dropped. */
void hws_engine_ctx_begin(struct hws_engine *e, uint32_t ctx, int n_kinds);

/* One step of progress without blocking. True: something moved. */
bool hws_engine_progress(struct hws_engine *e);

/* Blocks (spin, then reactor) until *flag is true. site: what it says of itself, from the flag's address; NULL:
 * nothing.
 */
void hws_engine_wait(struct hws_engine *e, const volatile bool *flag, hws_wait_site site);

/* Blocks until pred(arg) is true; pred is called again after each step in which something moved. With locking on it is
 * called with the lock held. site: as above, from arg. */
void hws_engine_wait_until(struct hws_engine *e, bool (*pred)(void *arg), void *arg, hws_wait_site site);

/* Has all waits look at their flag or predicate again: something that no message changes has changed (a generalized
 * request is complete). From any thread. */
void hws_engine_wake(struct hws_engine *e);

/* Takes and gives the engine's lock (recursive; nothing when locking is off): for state of core that callbacks touch.
 */
void hws_engine_lock(struct hws_engine *e);
void hws_engine_unlock(struct hws_engine *e);

/* Has the reactor call on_readable(arg) when fd is readable (the launcher's descriptor). fd < 0 ends it. */
void hws_engine_watch(struct hws_engine *e, int fd, void (*on_readable)(void *arg), void *arg);

/* The same for any other descriptor: on_readable(arg) runs from inside progress, with the lock held, and reads it
 * empty. NULL: no memory. */
struct hws_watcher;
struct hws_watcher *hws_engine_watch_more(struct hws_engine *e, int fd, void (*on_readable)(void *arg), void *arg);
void hws_engine_watch_end(struct hws_watcher *w);

/* The reasons why a peer is lost, one line, valid until the next call; "" if it isn't. */
const char *hws_engine_peer_reason(struct hws_engine *e, int peer);

#endif
