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
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"

#define ASK_MS       2000 /* the engine waits meanwhile */
#define ASK_FIRST_MS 200  /* the same before the first message leaves */
#define TRY_MS       20   /* for a connection to a site that is near */
#define NEAR_US      2000 /* there gateways take 10 to 70 % longer than direct connections: decision 032 */
#define ASK_AGAIN_NS (100 * HWS_NS_PER_MS)
#define SILENCE_NS   (10 * HWS_NS_PER_S)

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

/* Of a site in others[]; n_others: it is not there. */
static unsigned number_of(const struct hws_relay *r, const char *site)
{
    unsigned i = 0;
    while (i < r->n_others && strcmp(r->others[i], site) != 0)
        i++;
    return i;
}

bool hws_relay_leads(const struct hws_relay *r, const char *site)
{
    return r->way != HWS_RELAY_DIRECT && r->is_admitted && r->n_own && number_of(r, site) < r->n_others;
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

static int connect_for(const struct hws_addr *to, uint16_t port, int ms)
{
    struct sockaddr_storage sa;
    struct timeval limit = {ms / 1000, ms % 1000 * 1000L};
    socklen_t len = hws_addr_to_sockaddr(to, port, 0, &sa);
    int fd = socket(sa.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -1;
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit); /* of connect(), too */
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    if (connect(fd, (struct sockaddr *)&sa, len) == 0)
        return fd;
    close(fd);
    return -1;
}

static bool ask_one(const struct hws_relay *r, unsigned gateway, const char *site, int ms, struct hws_gate_counts *out)
{
    uint8_t preface[HWS_PREFACE_MAX], text[HWS_GATE_COUNTS_BYTES];
    int fd = connect_for(&r->own[gateway].addr, r->own[gateway].port, ms);
    if (fd < 0)
        return false;
    ssize_t len = (ssize_t)hws_relay_preface(r, site, &r->own[gateway].addr, 0, preface);
    bool answers = send(fd, preface, (size_t)len, MSG_NOSIGNAL) == len &&
                   recv(fd, text, sizeof text, MSG_WAITALL) == (ssize_t)sizeof text;
    close(fd);
    if (answers)
        hws_gate_counts_decode(out, text);
    return answers;
}

static void ask_all(struct hws_relay *r, unsigned site, int ms)
{
    for (unsigned k = 0; k < r->n_own; k++) {
        uint64_t silent_ns = r->own[k].silent_ns;
        if (silent_ns && hws_clock_ns() - silent_ns < SILENCE_NS)
            continue;
        r->own[k].silent_ns = ask_one(r, k, r->others[site], ms, &r->sites[site].of[k]) ? 0 : hws_clock_ns();
    }
    r->sites[site].asked_ns = hws_clock_ns();
}

static bool ask_within(struct hws_relay *r, const char *site, int ms, struct hws_gate_counts *out)
{
    if (!hws_relay_leads(r, site))
        return false;
    unsigned i = number_of(r, site);
    if (!r->sites[i].asked_ns || hws_clock_ns() - r->sites[i].asked_ns > ASK_AGAIN_NS)
        ask_all(r, i, ms);
    *out = (struct hws_gate_counts){0};
    for (unsigned k = 0; k < r->n_own; k++)
        hws_gate_counts_add(out, &r->sites[i].of[k]);
    return true;
}

bool hws_relay_ask(struct hws_relay *r, const char *site, struct hws_gate_counts *out)
{
    return ask_within(r, site, ASK_MS, out);
}

static bool takes_connections(const struct hws_card_addr *at)
{
    int fd = connect_for(&at->addr, at->port, TRY_MS);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

static enum hws_relay_order find_order(struct hws_relay *r, const char *site, const struct hws_card_addr *addrs,
                                       size_t n)
{
    struct hws_gate_counts c;
    if (!ask_within(r, site, ASK_FIRST_MS, &c) || !c.least_rtt_us)
        return HWS_RELAY_UNKNOWN;
    for (size_t i = 0; i < n && c.least_rtt_us <= NEAR_US; i++)
        if (takes_connections(&addrs[i]))
            return HWS_RELAY_DIRECT_FIRST;
    return HWS_RELAY_GATEWAYS_FIRST;
}

bool hws_relay_is_direct_first(struct hws_relay *r, const char *site, const struct hws_card_addr *addrs, size_t n)
{
    if (r->way != HWS_RELAY_AUTO || !hws_relay_leads(r, site))
        return false;
    enum hws_relay_order *order = &r->sites[number_of(r, site)].order;
    if (*order == HWS_RELAY_UNKNOWN)
        *order = find_order(r, site, addrs, n);
    return *order == HWS_RELAY_DIRECT_FIRST;
}

ssize_t hws_relay_wanted(const struct hws_relay_in *in)
{
    if (in->got < HWS_PREFACE_HEAD)
        return (ssize_t)(HWS_PREFACE_HEAD - in->got);
    size_t whole = hws_preface_length(in->bytes);
    return whole ? (ssize_t)(whole - in->got) : HWS_EPROTO;
}
