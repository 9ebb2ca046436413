/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pmi: the rank's end of the launcher's connection. It speaks the PMI-1 wire protocol (text lines of key=value words)
 * on the inherited descriptor PMI_FD, so Hawser's mpirun, Hydra's mpiexec and srun --mpi=pmi2 all start it, or PMIx
 * through libpmix (srun --mpi=pmix, Open MPI's mpirun and prterun). A process
 * that no launcher started is a singleton: every call works on a private store then.
 *
 * Not thread safe: the caller holds the engine's lock. A forked child must not use the parent's connection: every call
 * in a process other than the one that opened it returns HWS_EPMI, and the descriptor is closed on exec.
 *
 * Order of use: open, put, barrier (exchange of address cards), secret, get whenever a card is needed, barrier_begin
 * ... is_done (MPI_Finalize), finalize, close. The key space is the job's; a value put before a barrier is seen by all
 * after it.
 */
#ifndef HWS_LAUNCH_PMI_H
#define HWS_LAUNCH_PMI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/errors.h"
#include "base/hash.h"

#define HWS_PMI_SECRET_BYTES 32
#define HWS_PMI_KEY_MAX      48             /* characters of a key without the end */
#define HWS_PMI_SITES_VAR    "HAWSER_SITES" /* the sites of these hosts, in the same order */
#define HWS_PMI_HOSTS_VAR    "HAWSER_HOSTS" /* the names of the job's hosts, comma separated, in the mapping's order */
#define HWS_PMI_MARK_VAR     "HAWSER_JOB" /* in the environment of what Hawser's mpirun started: it may say hawser=1 */

/* The number of the job whose key space has this name, for a launcher that speaks PMI-1. */
static inline uint64_t hws_pmi_id_of_job(const char *kvsname, size_t len)
{
    return hws_hash(HWS_HASH_START, kvsname, len);
}

enum hws_pmi_launcher { HWS_PMI_SINGLETON, HWS_PMI_HAWSER, HWS_PMI_FOREIGN };

struct hws_pmi;

/* Connects to the launcher that PMI_FD names; without one the process is a singleton (rank 0 of 1).
 *   init_wait_ms  how long a barrier may last where the launcher does not judge deaths; 0: for ever
 *   returns    HWS_OK and *out, owned by the caller until hws_pmi_close(); HWS_EPMI with one line of advice in err: the
 *              process is one of several of a Slurm, PBS or foreign step, yet has no PMI (HAWSER_SINGLETON_OK=1 makes
 * it a singleton then), or the launcher does not answer effects    takes PMI_FD out of the environment so that children
 * which call MPI_Init are singletons */
int hws_pmi_open(struct hws_pmi **out, uint64_t init_wait_ms, char *err, size_t err_len);

int hws_pmi_rank(const struct hws_pmi *p);
int hws_pmi_size(const struct hws_pmi *p);
int hws_pmi_appnum(const struct hws_pmi *p);        /* index of the program between colons, or -1 */
int hws_pmi_universe_size(const struct hws_pmi *p); /* slots of the job, or -1 if the launcher does not say */
int hws_pmi_n_local(const struct hws_pmi *p);       /* ranks of the job on this host; 0: unknown */
/* The ranks of the job on this host, ascending, the own among them; the array is the caller's to free. 0: not known (a
 * singleton). */
int hws_pmi_locals(struct hws_pmi *p, int **ranks);
/* The number of each rank's host, in hosts[size]; all ranks get the same. False: not known. */
bool hws_pmi_hosts(struct hws_pmi *p, int *hosts);

/* The same of their sites; false: the launcher does not tell. */
bool hws_pmi_sites(struct hws_pmi *p, int *sites);
/* The name of a rank's host as mpirun knows it, without a question to the launcher, who may be stopped or cut off.
 * False: not known. */
bool hws_pmi_host_of(const struct hws_pmi *p, int rank, char *dst, size_t len);
uint64_t hws_pmi_job_id(const struct hws_pmi *p); /* the same in all ranks of a job, different between jobs */
bool hws_pmi_is_singleton(const struct hws_pmi *p);
enum hws_pmi_launcher hws_pmi_launcher(const struct hws_pmi *p);
bool hws_pmi_judges_deaths(const struct hws_pmi *p); /* what a rank's death means for the job, this launcher decides */

/* Stores a value of any length (printable, no spaces) under a key of at most HWS_PMI_KEY_MAX characters. Blocks for the
 * answer of a foreign launcher. HWS_OK, HWS_EINVAL, HWS_EPMI or HWS_ECLOSED (the launcher is gone). */
int hws_pmi_put(struct hws_pmi *p, const char *key, const char *value);

/* Fetches a value that was put before the last barrier; len is the room in value. Blocks for the launcher's answer; may
 * be called while a barrier is under way. HWS_OK, HWS_EINVAL (no such key, or no room), HWS_EPMI or HWS_ECLOSED. */
int hws_pmi_get(struct hws_pmi *p, const char *key, char *value, size_t len);
/* The same without a bound; *value is the caller's to free. */
int hws_pmi_get_whole(struct hws_pmi *p, const char *key, char **value);

/* Waits until all ranks of the job have called it. HWS_OK, HWS_EPMI (also: some have not come) or HWS_ECLOSED. */
int hws_pmi_barrier(struct hws_pmi *p);

/* The same, then fetches a value that some rank has put before; "" if none has, or there is no room. Hawser's mpirun
 * sends it along with the end of the barrier. */
int hws_pmi_barrier_get(struct hws_pmi *p, const char *key, char *value, size_t len);

/* The same without blocking: begin, then wait for hws_pmi_fd() to be readable and call hws_pmi_on_readable() until
 * hws_pmi_barrier_is_done(). One barrier at a time. */
int hws_pmi_barrier_begin(struct hws_pmi *p);
bool hws_pmi_barrier_is_done(const struct hws_pmi *p);

/* The descriptor to watch for the whole life of the process; -1 for a singleton. */
int hws_pmi_fd(const struct hws_pmi *p);

/* Reads what the launcher sent, without blocking. HWS_OK; HWS_ECLOSED: the launcher is gone and the rank must end at
 * once, see hws_pmi_die(); HWS_EPMI: it sent nonsense. */
int hws_pmi_on_readable(struct hws_pmi *p);

/* True once the launcher's connection has ended without hws_pmi_finalize(). */
bool hws_pmi_is_lost(const struct hws_pmi *p);

/* Why the last call failed, one sentence; valid until the next call; "" if it did not. */
const char *hws_pmi_reason(const struct hws_pmi *p);

/* Says on stderr that the launcher died and leaves the process with status 1, running no exit handlers. */
_Noreturn void hws_pmi_die(const struct hws_pmi *p);

/* The job's secret for the hello. Call after the first barrier. It came over the inherited descriptor (from Hawser's
 * mpirun, or from rank 0 through a foreign launcher), never through arguments or the environment. */
int hws_pmi_secret(struct hws_pmi *p, unsigned char out[HWS_PMI_SECRET_BYTES]);

/* Asks the launcher to end the whole job with this code. Hawser's mpirun prints the text (one line, the reason); under
 * other launchers and in a singleton the text goes to stderr from here. The caller leaves the process afterwards. */
void hws_pmi_abort(struct hws_pmi *p, int code, const char *text);

/* Tells the launcher that this rank ends cleanly; from now on its exit is no failure. */
int hws_pmi_finalize(struct hws_pmi *p);

/* Closes the connection and frees p. NULL is allowed. */
void hws_pmi_close(struct hws_pmi *p);

#endif
