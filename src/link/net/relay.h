/* SPDX-License-Identifier: BSD-3-Clause
 *
 * relay: the gateways between sites, as a process sees them (docs/decisions/032-gateways.md): which ones its own site
 * has, whether another site has any, and the prefaces: the one that tells the own gateway whom a connection is for, and
 * the one that stands in front of what comes through a gateway.
 */
#ifndef HWS_LINK_RELAY_H
#define HWS_LINK_RELAY_H

#include "base/params.h"
#include "link/link.h"
#include "link/net/card.h"
#include "wire/gate.h"

enum { HWS_RELAY_GATEWAYS = 4, HWS_RELAY_SITES = 32 };

enum hws_relay_way { HWS_RELAY_DIRECT, HWS_RELAY_GATEWAY, HWS_RELAY_AUTO };

/* How `auto` leads to a site: what its gateways measure of the way, and whether a direct connection comes about. */
enum hws_relay_order { HWS_RELAY_UNKNOWN, HWS_RELAY_GATEWAYS_FIRST, HWS_RELAY_DIRECT_FIRST };

struct hws_relay {
    enum hws_relay_way way;
    char site[HWS_GATE_NAME]; /* the own one */
    struct {
        struct hws_addr addr;
        uint16_t port;      /* host order */
        uint64_t silent_ns; /* when it was asked and did not answer; 0: never */
    } own[HWS_RELAY_GATEWAYS];
    unsigned n_own;
    char others[HWS_RELAY_SITES][HWS_GATE_NAME]; /* sites that have a gateway */
    unsigned n_others;
    struct {
        uint64_t asked_ns;                             /* 0: never */
        struct hws_gate_counts of[HWS_RELAY_GATEWAYS]; /* as each own gateway said last */
        enum hws_relay_order order;
    } sites[HWS_RELAY_SITES]; /* as others[] */
    bool is_admitted;         /* the key is there */
    uint8_t key[HWS_PREFACE_KEY];
};

/* Reads -wan, -site and -gateways. HWS_OK, or HWS_EINVAL with one line in err. */
int hws_relay_init(struct hws_relay *r, const struct hws_params *params, char *err, size_t err_len);

/* Takes the key that the processes of the job and its gateways share. */
void hws_relay_admit(struct hws_relay *r, const uint8_t key[HWS_LINK_KEY_LEN]);

/* Whether gateways lead to a process of that site. */
bool hws_relay_leads(const struct hws_relay *r, const char *site);

/* Writes the preface of a connection to a process of another site. Returns its length. */
size_t hws_relay_preface(const struct hws_relay *r, const char *site, const struct hws_addr *to, uint16_t port,
                         uint8_t dst[HWS_PREFACE_MAX]);

/* What passed between the own site and that one, through all gateways of the own site; of at most a tenth of a second
 * ago. Waits; of a gateway that does not answer it is what it said last, so that nothing goes back, and for some
 * seconds it is not asked again. False: no gateways lead there. */
bool hws_relay_ask(struct hws_relay *r, const char *site, struct hws_gate_counts *out);

/* Whether direct connections to a process of that site go before those by gateways: by -wan auto, if the site is near
 * and one of these n addresses takes a connection. The first to be asked for each site waits for the own gateways'
 * answer, and where that says near for the connection, some milliseconds each; what was found out stays so. */
bool hws_relay_is_direct_first(struct hws_relay *r, const char *site, const struct hws_card_addr *addrs, size_t n);

/* A preface that comes bit by bit. Who is behind it proves itself by the hello, so nothing of it is believed. */
struct hws_relay_in {
    size_t got;
    uint8_t bytes[HWS_PREFACE_MAX];
};

/* How many bytes are to be read next into bytes + got; 0: the preface is whole; HWS_EPROTO: it is none. */
ssize_t hws_relay_wanted(const struct hws_relay_in *in);

#endif
