/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pmi_hosts: each rank puts the id of its host, rank 0 makes a mapping of them for all. If each fetched them all, a
 * launcher would answer size * size questions.
 */
#include "launch/pmi_hosts.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/errors.h"
#include "base/host.h"
#include "launch/mapping.h"
#include "launch/pmi.h"

#define MAPPING_KEY "hawser-mapping"

static int put_id(struct hws_pmi *p)
{
    char key[HWS_PMI_KEY_MAX + 1], value[17];
    snprintf(key, sizeof key, "hawser-host-%d", hws_pmi_rank(p));
    snprintf(value, sizeof value, "%016" PRIx64, hws_host_id());
    return hws_pmi_put(p, key, value);
}

/* The hosts get their numbers in the order of their first ranks. */
static int number_hosts(struct hws_pmi *p, uint64_t *ids, int *hosts)
{
    char key[HWS_PMI_KEY_MAX + 1], value[17];
    int rc = HWS_OK, n = 0;
    for (int i = 0, first; i < hws_pmi_size(p) && !rc; i++) {
        snprintf(key, sizeof key, "hawser-host-%d", i);
        rc = hws_pmi_get(p, key, value, sizeof value);
        ids[i] = rc ? 0 : strtoull(value, NULL, 16);
        for (first = 0; ids[first] != ids[i]; first++)
            ;
        hosts[i] = first < i ? hosts[first] : n++;
    }
    return rc;
}

static int put_mapping(struct hws_pmi *p)
{
    size_t n = (size_t)hws_pmi_size(p);
    uint64_t *ids = malloc(n * sizeof *ids);
    int *hosts = malloc(n * sizeof *hosts);
    int rc = ids && hosts ? number_hosts(p, ids, hosts) : HWS_ENOMEM;
    char *text = rc ? NULL : hws_mapping_text(hosts, (int)n);
    if (!rc)
        rc = text ? hws_pmi_put(p, MAPPING_KEY, text) : HWS_ENOMEM;
    free(text);
    free(hosts);
    free(ids);
    return rc;
}

int hws_pmi_hosts_meet(struct hws_pmi *p, char **mapping)
{
    int rc = put_id(p);
    if (!rc)
        rc = hws_pmi_barrier(p);
    if (!rc && hws_pmi_rank(p) == 0)
        rc = put_mapping(p);
    if (!rc)
        rc = hws_pmi_barrier(p);
    return rc ? rc : hws_pmi_get_whole(p, MAPPING_KEY, mapping);
}
