/* SPDX-License-Identifier: BSD-3-Clause
 *
 * site: what the transports over IP have in common when they open.
 */
#include "link/net/site.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/errors.h"

static int parse_range(struct hws_site *s, const char *range, char *err, size_t err_len)
{
    char rest;
    unsigned low, high;
    if (!range[0])
        return HWS_OK;
    if (sscanf(range, "%u-%u%c", &low, &high, &rest) == 2 && low > 0 && low <= high && high <= 65535) {
        s->port_low = low;
        s->port_high = high;
        s->port_first = (unsigned)getpid() % (high - low + 1);
        return HWS_OK;
    }
    snprintf(err, err_len, "-portrange (HAWSER_PORTRANGE): '%s' is not LOW-HIGH with ports from 1 to 65535", range);
    return HWS_EINVAL;
}

static int find_interfaces(struct hws_site *s, const struct hws_params *params, char *err, size_t err_len)
{
    int n = hws_netif_list(s->all, HWS_NETIF_MAX);
    if (n < 0) {
        snprintf(err, err_len, "cannot list the network interfaces: %s", strerror(errno));
        return n;
    }
    s->n_all = (size_t)n;
    n = hws_netif_select(s->all, s->n_all, params->interfaces, params->n_interfaces, s->mine, err, err_len);
    if (n < 0)
        return n;
    s->n_mine = (size_t)n;
    return HWS_OK;
}

int hws_site_init(struct hws_site *s, const struct hws_params *params, char *err, size_t err_len)
{
    int rc = parse_range(s, params->port_range, err, err_len);
    if (rc == HWS_OK)
        rc = find_interfaces(s, params, err, err_len);
    if (rc != HWS_OK)
        return rc;
    s->card.host_id = hws_netif_host_id();
    s->card.pid = (uint32_t)getpid();
    snprintf(s->card.site, sizeof s->card.site, "%s", params->site);
    gethostname(s->card.hostname, sizeof s->card.hostname - 1);
    return HWS_OK;
}

unsigned hws_site_n_ports(const struct hws_site *s)
{
    return s->port_low ? s->port_high - s->port_low + 1 : 1;
}

uint16_t hws_site_port(const struct hws_site *s, unsigned i)
{
    return s->port_low ? (uint16_t)(s->port_low + (s->port_first + i) % hws_site_n_ports(s)) : 0;
}

size_t hws_site_pairs(const struct hws_site *s, const struct hws_card *theirs, struct hws_pair *out, size_t n)
{
    struct hws_pairs_input in = {.all = s->all,
                                 .n_all = s->n_all,
                                 .mine = s->mine,
                                 .n_mine = s->n_mine,
                                 .host_id = s->card.host_id,
                                 .theirs = theirs,
                                 .route = hws_netif_route};
    return hws_pairs_plan(&in, out, n);
}
