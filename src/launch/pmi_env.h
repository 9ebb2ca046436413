/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pmi_env: what the environment says about who started this process. No connection is made here.
 */
#ifndef HWS_LAUNCH_PMI_ENV_H
#define HWS_LAUNCH_PMI_ENV_H

#include <stdbool.h>
#include <stddef.h>

struct hws_pmi_env {
    int fd;      /* the launcher's descriptor; -1: none, the process is a singleton */
    int rank;    /* 0 .. size-1 */
    int size;
    int n_local; /* ranks on this host; 0: unknown */
};

/* Reads PMI_FD, PMI_RANK, PMI_SIZE and MPI_LOCALNRANKS, and looks for a step without PMI. HWS_OK, or HWS_EPMI with one
 * line of advice in err. */
int hws_pmi_env_read(struct hws_pmi_env *env, char *err, size_t err_len);

/* How many ranks share the host of `rank`, from the value of the key PMI_process_mapping, for example
 * "(vector,(0,2,4))": blocks of (first host, number of hosts, ranks on each), repeated until all ranks have a place.
 * out, unless NULL, gets their ranks in ascending order. 0: the text cannot be understood. Pure. */
int hws_pmi_mapping_locals(const char *mapping, int rank, int size, int *out);

/* The number of the rank's host in the same text; -1: it cannot be understood. Pure. */
int hws_pmi_mapping_host(const char *mapping, int rank, int size);

/* The same of all ranks, in hosts[size]. False: the text cannot be understood. Pure. */
bool hws_pmi_mapping_hosts(const char *mapping, int size, int *hosts);

#endif
