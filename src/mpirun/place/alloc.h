/* SPDX-License-Identifier: BSD-3-Clause
 *
 * alloc: the hosts that a batch system or a container orchestrator has set aside for the job, from its environment.
 */
#ifndef HWS_MPIRUN_ALLOC_H
#define HWS_MPIRUN_ALLOC_H

#include "mpirun/place/hosts.h"

/* Expands Slurm's compressed form, "n[1-3,07-09],login,rack2-c[1,5]x", into names in order. HWS_OK, or HWS_EINVAL with
 * what is wrong in err. Pure. */
int hws_nodelist_expand(struct hws_host_list *h, const char *text, char *err, size_t err_len);

/* Sets the slots of h's entries from Slurm's "2(x3),1": twice for three hosts, once for one. HWS_OK or HWS_EINVAL (not
 * of that form, or for another number of hosts). Pure. */
int hws_nodelist_set_slots(struct hws_host_list *h, const char *text, char *err, size_t err_len);

/* Adds what LSF says, "a 4 b 2": each host and its slots. HWS_OK, or HWS_EINVAL with what is wrong in err. Pure. */
int hws_hosts_parse_pairs(struct hws_host_list *h, const char *text, char *err, size_t err_len);

/* The hosts of the environment, if any: a hostfile named by HAWSER_HOSTFILE or by the variables of Hydra, Open MPI and
 * Intel MPI that orchestrators set, else the allocation of Slurm, Grid Engine, LSF, OAR, Cobalt or PBS. HWS_OK (h stays
 * empty when there is none), or HWS_EINVAL with one line in err. */
int hws_alloc_read(struct hws_host_list *h, char *err, size_t err_len);

#endif
