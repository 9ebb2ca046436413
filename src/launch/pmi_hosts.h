/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pmi_hosts: the ranks' own map of hosts, where the launcher tells none: it knows none, or it has cut it.
 */
#ifndef HWS_LAUNCH_PMI_HOSTS_H
#define HWS_LAUNCH_PMI_HOSTS_H

struct hws_pmi;

/* All ranks of the job call it at once: two barriers, and rank 0 fetches a value of each. *mapping has the form of the
 * launcher's, the caller frees it. HWS_OK, HWS_ENOMEM or what the launcher's client says; the job cannot go on then. */
int hws_pmi_hosts_meet(struct hws_pmi *p, char **mapping);

#endif
