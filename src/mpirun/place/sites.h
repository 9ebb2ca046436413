/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sites: which hosts of a job are which site, and which of them are gateways (docs/user-guide.md, Sites).
 */
#ifndef HWS_MPIRUN_SITES_H
#define HWS_MPIRUN_SITES_H

#include "mpirun/place/hosts.h"

#define HWS_SITE_NAME 24 /* of a site, with its end: a gateway's name has a number behind it */

struct hws_site_host {
    char *host;
    struct hws_host_site at; /* own copies */
};

struct hws_sites {
    struct hws_site_host *list; /* n hosts that have a site */
    int n;
};

/* Adds the hosts of a list that have a site, and takes those without slots out of it. HWS_OK, or HWS_EINVAL with one
 * line in err: no host is left for ranks. */
int hws_sites_take(struct hws_sites *s, struct hws_host_list *h, char *err, size_t err_len);

/* The site of a host, or NULL. */
const char *hws_sites_of(const struct hws_sites *s, const char *host);

/* HWS_OK, or HWS_EINVAL with one line in err: one of these hosts has no site, but another one has. */
int hws_sites_check(const struct hws_sites *s, char *const *nodes, int n_nodes, char *err, size_t err_len);

void hws_sites_fini(struct hws_sites *s);

#endif
