/* SPDX-License-Identifier: BSD-3-Clause
 *
 * relay: see relay.h.
 */
#include "link/net/relay.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* "ADDR:PORT"; IPv6 in brackets. Changes the text. */
static bool parse_place(char *text, struct hws_addr *addr, uint16_t *port)
{
    char *colon = strrchr(text, ':'), *end;
    if (!colon)
        return false;
    *colon = '\0';
    size_t len = strlen(text);
    if (len > 2 && text[0] == '[' && text[len - 1] == ']') {
        text[len - 1] = '\0';
        text++;
    }
    unsigned long n = strtoul(colon + 1, &end, 10);
    *port = (uint16_t)n;
    return n > 0 && n <= UINT16_MAX && !*end && hws_addr_parse(text, addr) == HWS_OK;
}

static void add_other(struct hws_relay *r, const char *site)
{
    for (unsigned i = 0; i < r->n_others; i++)
        if (strcmp(r->others[i], site) == 0)
            return;
    if (r->n_others < HWS_RELAY_SITES)
        snprintf(r->others[r->n_others++], HWS_GATE_NAME, "%s", site);
}

/* "SITE=ADDR:PORT" */
static bool take(struct hws_relay *r, char *entry)
{
    struct hws_addr addr;
    uint16_t port;
    char *at = strchr(entry, '=');
    if (!at || at == entry || at - entry >= HWS_GATE_NAME)
        return false;
    *at++ = '\0';
    if (!parse_place(at, &addr, &port))
        return false;
    if (strcmp(entry, r->site) != 0) {
        add_other(r, entry);
    } else if (r->n_own < HWS_RELAY_GATEWAYS) {
        r->own[r->n_own].addr = addr;
        r->own[r->n_own++].port = port;
    }
    return true;
}

int hws_relay_init(struct hws_relay *r, const struct hws_params *params, char *err, size_t err_len)
{
    char text[sizeof params->gateways], *save = NULL;
    *r = (struct hws_relay){.way = strcmp(params->wan, "direct") == 0    ? HWS_RELAY_DIRECT
                                   : strcmp(params->wan, "gateway") == 0 ? HWS_RELAY_GATEWAY
                                                                         : HWS_RELAY_AUTO};
    snprintf(r->site, sizeof r->site, "%s", params->site);
    snprintf(text, sizeof text, "%s", params->gateways);
    for (char *entry = strtok_r(text, ",", &save); entry; entry = strtok_r(NULL, ",", &save)) {
        if (take(r, entry))
            continue;
        snprintf(err, err_len, "-gateways (HAWSER_GATEWAYS): '%.200s' is not SITE=ADDRESS:PORT,...", params->gateways);
        return HWS_EINVAL;
    }
    return HWS_OK;
}

void hws_relay_admit(struct hws_relay *r, const uint8_t key[HWS_LINK_KEY_LEN])
{
    _Static_assert(HWS_LINK_KEY_LEN == HWS_PREFACE_KEY, "one length of keys");
    hws_gate_key(key, "preface", r->key);
    r->is_admitted = true;
}

bool hws_relay_leads(const struct hws_relay *r, const char *site)
{
    if (r->way == HWS_RELAY_DIRECT || !r->is_admitted || !r->n_own)
        return false;
    for (unsigned i = 0; i < r->n_others; i++)
        if (strcmp(r->others[i], site) == 0)
            return true;
    return false;
}

size_t hws_relay_preface(const struct hws_relay *r, const char *site, const struct hws_addr *to, uint16_t port,
                         uint8_t dst[HWS_PREFACE_MAX])
{
    struct hws_preface p = {.time_s = (uint64_t)time(NULL)};
    p.to.family = to->family == 6 ? AF_INET6 : AF_INET;
    p.to.port = htons(port);
    memcpy(p.to.ip, to->bytes, sizeof p.to.ip);
    p.from.family = p.to.family;
    snprintf(p.site, sizeof p.site, "%s", site);
    randombytes_buf(p.nonce, sizeof p.nonce);
    return hws_preface_encode(dst, &p, r->key);
}

ssize_t hws_relay_wanted(const struct hws_relay_in *in)
{
    if (in->got < HWS_PREFACE_HEAD)
        return (ssize_t)(HWS_PREFACE_HEAD - in->got);
    size_t whole = hws_preface_length(in->bytes);
    return whole ? (ssize_t)(whole - in->got) : HWS_EPROTO;
}
