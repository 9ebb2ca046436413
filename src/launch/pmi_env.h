/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pmi_env: what the environment says about who started this process. No connection is made here.
 */
#ifndef HWS_LAUNCH_PMI_ENV_H
#define HWS_LAUNCH_PMI_ENV_H

#include <stdbool.h>
#include <stddef.h>

struct hws_pmi_env {
    int fd;    /* the launcher's descriptor; -1: none, the process is a singleton or has PMIx */
    bool pmix; /* a launcher with PMIx: only libpmix knows rank and size */
    int rank;  /* 0 .. size-1 */
    int size;
    int n_local; /* ranks on this host; 0: unknown */
};

/* Reads PMI_FD, PMI_RANK, PMI_SIZE and MPI_LOCALNRANKS, else PMIX_NAMESPACE, and looks for a step without PMI. HWS_OK,
 * or HWS_EPMI with one line of advice in err. */
int hws_pmi_env_read(struct hws_pmi_env *env, char *err, size_t err_len);

/* HAWSER_SINGLETON_OK=1: a process that cannot talk to its launcher may run alone. */
bool hws_pmi_env_allows_singleton(void);

#endif
