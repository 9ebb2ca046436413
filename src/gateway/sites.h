/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sites: the file that says which networks are which site, and where their gateways are. The same file serves all
 * gateways of all sites and the programs that go through them (docs/user-guide.md).
 */
#ifndef HWS_GATEWAY_SITES_H
#define HWS_GATEWAY_SITES_H

#include <stdio.h>
#include <sys/socket.h>

#include "wire/gate.h"

enum { SITES_MAX = 32, SITE_NETWORKS_MAX = 16, SITE_GATEWAYS_MAX = 4, TRUNKS_MAX = 16, SITES_PATH = 256 };

struct network {
    struct hws_gate_addr addr; /* port 0 */
    unsigned bits;
};

struct gateway_at {
    char name[HWS_GATE_NAME];
    struct hws_gate_addr lan; /* where the site's processes connect to */
    struct hws_gate_addr wan; /* where other gateways do; family 0: it cannot be dialed */
};

struct site {
    char name[HWS_GATE_NAME];
    struct network networks[SITE_NETWORKS_MAX];
    struct gateway_at gateways[SITE_GATEWAYS_MAX];
    unsigned n_networks, n_gateways; /* no networks: any address, of connections that name the site */
};

struct sites {
    struct site sites[SITES_MAX];
    unsigned n;
    unsigned trunks;     /* long-distance connections to each other gateway */
    char congestion[16]; /* TCP_CONGESTION of these */
    bool has_tls;
    char key_file[SITES_PATH]; /* relative to the file's folder, or absolute */
    uint8_t key[HWS_PREFACE_KEY];
};

/* Reads the file and the key that it names. HWS_OK, or an error with one line in err: file, line, word. */
int sites_read(struct sites *s, const char *path, char *err, size_t err_len);

/* The same of what mpirun says to a gateway of a job, up to `end`. */
int sites_read_job(struct sites *s, FILE *in, char *err, size_t err_len);

/* The site of that name, or NULL. */
const struct site *sites_named(const struct sites *s, const char *name);

/* A key for one purpose, made from the one of the file. */
void sites_key(const struct sites *s, const char *purpose, uint8_t key[HWS_PREFACE_KEY]);

/* The site of an address; NULL: it is in none. */
const struct site *sites_find(const struct sites *s, const struct hws_gate_addr *a);
/* The gateway of that name, and its site; NULL: there is none. */
const struct gateway_at *sites_gateway(const struct sites *s, const char *name, const struct site **site);

/* HWS_OK, or HWS_EINVAL: neither IPv4 nor IPv6. An IPv4 address that stands as IPv6 becomes IPv4. */
int gate_addr_from(struct hws_gate_addr *a, const struct sockaddr *sa);
socklen_t gate_addr_to(const struct hws_gate_addr *a, struct sockaddr_storage *sa);
bool gate_addr_same_host(const struct hws_gate_addr *a, const struct hws_gate_addr *b);

#define GATE_ADDR_TEXT 64
/* "10.1.0.1:7500", "[fd00::1]:7500". Returns dst. */
const char *gate_addr_text(const struct hws_gate_addr *a, char dst[GATE_ADDR_TEXT]);

#endif
