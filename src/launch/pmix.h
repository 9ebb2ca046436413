/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pmix: the client of launchers that speak PMIx (srun --mpi=pmix, Open MPI's prterun and mpirun), as a row of the table
 * in launchers.c. PMIx asks a rank for its values: a key that ends in -N belongs to rank N, every other one to rank 0.
 */
#ifndef HWS_LAUNCH_PMIX_H
#define HWS_LAUNCH_PMIX_H

#include <stdbool.h>
#include <stddef.h>

struct hws_pmi;

/* Meets the server that the environment names: rank, size, map of hosts, and a descriptor in p->wire.fd that is
 * readable when a barrier has ended or the server is gone. HWS_OK, HWS_ESYS (no libpmix), HWS_EPMI or HWS_ENOMEM. */
int hws_pmix_ask(struct hws_pmi *p, const char *line);

/* As the functions of the same names in pmi.h. */
int hws_pmix_put(struct hws_pmi *p, const char *key, const char *value, size_t len);
int hws_pmix_get(struct hws_pmi *p, const char *key, char **value);
int hws_pmix_enter(struct hws_pmi *p, const char *wanted);
int hws_pmix_read(struct hws_pmi *p);
int hws_pmix_finalize(struct hws_pmi *p);
void hws_pmix_abort(struct hws_pmi *p, int code, const char *text);
bool hws_pmix_host_of(const struct hws_pmi *p, int rank, char *dst, size_t len);

/* The rank that puts a key. */
int hws_pmix_owner(const char *key);

#endif
