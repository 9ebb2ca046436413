/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sites: see sites.h.
 */
#include "mpirun/place/sites.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/errors.h"
#include "mpirun/util/buf.h"

static struct hws_site_host *find(const struct hws_sites *s, const char *host)
{
    for (int i = 0; i < s->n; i++)
        if (strcmp(s->list[i].host, host) == 0)
            return &s->list[i];
    return NULL;
}

static void add(struct hws_sites *s, const struct hws_host *h)
{
    struct hws_site_host *known = find(s, h->name);
    if (known) {
        known->at.is_gateway |= h->at.is_gateway;
        return;
    }
    s->list = hws_xrealloc(s->list, (size_t)(s->n + 1) * sizeof *s->list);
    s->list[s->n++] = (struct hws_site_host){hws_xstrdup(h->name), hws_host_site_copy(&h->at)};
}

int hws_sites_take(struct hws_sites *s, struct hws_host_list *h, char *err, size_t err_len)
{
    int kept = 0, n = h->n;
    for (int i = 0; i < n; i++) {
        struct hws_host *one = &h->list[i];
        if (one->at.site)
            add(s, one);
        if (one->slots != HWS_SLOTS_NONE) {
            h->list[kept++] = *one;
            continue;
        }
        free(one->name);
        hws_host_site_fini(&one->at);
    }
    h->n = kept;
    if (kept || !n)
        return HWS_OK;
    snprintf(err, err_len, "the hosts are gateways without slots, and none is left for ranks");
    return HWS_EINVAL;
}

const char *hws_sites_of(const struct hws_sites *s, const char *host)
{
    const struct hws_site_host *h = find(s, host);
    return h ? h->at.site : NULL;
}

int hws_sites_check(const struct hws_sites *s, char *const *nodes, int n_nodes, char *err, size_t err_len)
{
    for (int i = 0; i < n_nodes && s->n; i++) {
        if (hws_sites_of(s, nodes[i]))
            continue;
        snprintf(err, err_len, "host %s has no site=NAME in the host file, but other hosts have", nodes[i]);
        return HWS_EINVAL;
    }
    return HWS_OK;
}

void hws_sites_fini(struct hws_sites *s)
{
    for (int i = 0; i < s->n; i++) {
        free(s->list[i].host);
        hws_host_site_fini(&s->list[i].at);
    }
    free(s->list);
    *s = (struct hws_sites){0};
}
