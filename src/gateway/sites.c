/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sites: one statement a line, words apart by blanks, # begins a comment.
 *
 *   key-file PATH | trunks N | congestion NAME | tls on|off
 *   site NAME             what follows is of this site
 *   network ADDR/BITS
 *   gateway NAME lan ADDR:PORT wan ADDR:PORT|none
 *
 * mpirun gives the gateways of a job the same statements, and two of its own: `secret HEX`, that of the job, instead
 * of a file with a key, and `end`. Its sites have no networks.
 */
#include "gateway/sites.h"

#include <arpa/inet.h>
#include <errno.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { WORDS_MAX = 8, LINE_MAX_BYTES = 512, TRUNKS = 4 };

/* Reasons in decision 032; where the kernel has it not, it is the kernel's own choice. */
#define CONGESTION "bbr"

struct parse {
    struct sites *s;
    struct site *site; /* the one that the last `site` began */
    char *words[WORDS_MAX];
    unsigned n;
    bool is_job, has_key, is_over; /* mpirun's statements, its secret and its last one */
};

/* ---- addresses --------------------------------------------------------------------------------------------------- */

int gate_addr_from(struct hws_gate_addr *a, const struct sockaddr *sa)
{
    static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff};
    memset(a, 0, sizeof *a);
    if (sa->sa_family == AF_INET) {
        const struct sockaddr_in *in = (const void *)sa;
        a->family = AF_INET;
        a->port = in->sin_port;
        memcpy(a->ip, &in->sin_addr, 4);
        return HWS_OK;
    }
    if (sa->sa_family != AF_INET6)
        return HWS_EINVAL;
    const struct sockaddr_in6 *in6 = (const void *)sa;
    bool is_mapped = memcmp(&in6->sin6_addr, mapped, sizeof mapped) == 0;
    a->family = is_mapped ? AF_INET : AF_INET6;
    a->port = in6->sin6_port;
    memcpy(a->ip, (const uint8_t *)&in6->sin6_addr + (is_mapped ? 12 : 0), is_mapped ? 4 : 16);
    return HWS_OK;
}

socklen_t gate_addr_to(const struct hws_gate_addr *a, struct sockaddr_storage *sa)
{
    memset(sa, 0, sizeof *sa);
    if (a->family == AF_INET) {
        struct sockaddr_in *in = (void *)sa;
        in->sin_family = AF_INET;
        in->sin_port = a->port;
        memcpy(&in->sin_addr, a->ip, 4);
        return sizeof *in;
    }
    struct sockaddr_in6 *in6 = (void *)sa;
    in6->sin6_family = AF_INET6;
    in6->sin6_port = a->port;
    memcpy(&in6->sin6_addr, a->ip, 16);
    return sizeof *in6;
}

bool gate_addr_same_host(const struct hws_gate_addr *a, const struct hws_gate_addr *b)
{
    return a->family == b->family && memcmp(a->ip, b->ip, a->family == AF_INET ? 4 : 16) == 0;
}

const char *gate_addr_text(const struct hws_gate_addr *a, char dst[GATE_ADDR_TEXT])
{
    char ip[INET6_ADDRSTRLEN] = "?";
    inet_ntop(a->family, a->ip, ip, sizeof ip);
    snprintf(dst, GATE_ADDR_TEXT, a->family == AF_INET6 ? "[%s]:%u" : "%s:%u", ip, (unsigned)ntohs(a->port));
    return dst;
}

static bool parse_ip(struct hws_gate_addr *a, const char *text)
{
    memset(a, 0, sizeof *a);
    a->family = strchr(text, ':') ? AF_INET6 : AF_INET;
    return inet_pton(a->family, text, a->ip) == 1;
}

/* A whole number from `least` to `most`; -1: it is not. */
static long parse_number(const char *text, long least, long most)
{
    char *end;
    errno = 0;
    long n = strtol(text, &end, 10);
    return !*text || *end || errno || n < least || n > most ? -1 : n;
}

/* "ADDR:PORT"; IPv6 in brackets. Changes the text. */
static bool parse_place(struct hws_gate_addr *a, char *text)
{
    char *colon = strrchr(text, ':');
    if (!colon)
        return false;
    *colon = 0;
    size_t len = strlen(text);
    if (len > 2 && text[0] == '[' && text[len - 1] == ']') {
        text[len - 1] = 0;
        text++;
    }
    long port = parse_number(colon + 1, 1, UINT16_MAX);
    if (port < 0 || !parse_ip(a, text))
        return false;
    a->port = htons((uint16_t)port);
    return true;
}

static bool is_within(const struct network *n, const struct hws_gate_addr *a)
{
    unsigned whole = n->bits / 8, rest = n->bits % 8;
    if (n->addr.family != a->family || memcmp(n->addr.ip, a->ip, whole) != 0)
        return false;
    return !rest || ((n->addr.ip[whole] ^ a->ip[whole]) >> (8 - rest)) == 0;
}

/* ---- statements -------------------------------------------------------------------------------------------------- */

static const char *take_name(char *dst, size_t room, const char *word)
{
    if (strlen(word) >= room)
        return "is too long";
    strcpy(dst, word);
    return NULL;
}

static const char *on_key_file(struct parse *p)
{
    return take_name(p->s->key_file, sizeof p->s->key_file, p->words[1]);
}

static const char *on_trunks(struct parse *p)
{
    long n = parse_number(p->words[1], 1, TRUNKS_MAX);
    p->s->trunks = n < 0 ? 0 : (unsigned)n;
    return n < 0 ? "is not a number from 1 to 16" : NULL;
}

static const char *on_congestion(struct parse *p)
{
    return take_name(p->s->congestion, sizeof p->s->congestion, p->words[1]);
}

static const char *on_tls(struct parse *p)
{
    p->s->has_tls = strcmp(p->words[1], "on") == 0;
    return p->s->has_tls || strcmp(p->words[1], "off") == 0 ? NULL : "is neither on nor off";
}

static const char *on_site(struct parse *p)
{
    if (p->s->n == SITES_MAX)
        return "is one site too many";
    p->site = &p->s->sites[p->s->n++];
    return take_name(p->site->name, sizeof p->site->name, p->words[1]);
}

static const char *on_network(struct parse *p)
{
    char *slash = strchr(p->words[1], '/');
    if (!p->site || p->site->n_networks == SITE_NETWORKS_MAX)
        return p->site ? "is one network too many" : "stands before any site";
    struct network *n = &p->site->networks[p->site->n_networks];
    if (slash)
        *slash++ = 0;
    if (!parse_ip(&n->addr, p->words[1]))
        return "is not a network: ADDR/BITS";
    long most = n->addr.family == AF_INET ? 32 : 128, bits = slash ? parse_number(slash, 0, most) : most;
    if (bits < 0)
        return "is not a network: ADDR/BITS";
    n->bits = (unsigned)bits;
    p->site->n_networks++;
    return NULL;
}

static const char *on_gateway(struct parse *p)
{
    if (!p->site || p->site->n_gateways == SITE_GATEWAYS_MAX)
        return p->site ? "is one gateway too many" : "stands before any site";
    if (sites_gateway(p->s, p->words[1], NULL))
        return "is the name of another gateway, too";
    struct gateway_at *g = &p->site->gateways[p->site->n_gateways];
    bool no_wan = strcmp(p->words[5], "none") == 0;
    if (strcmp(p->words[2], "lan") != 0 || strcmp(p->words[4], "wan") != 0 || !parse_place(&g->lan, p->words[3]) ||
        (!no_wan && !parse_place(&g->wan, p->words[5])))
        return "wants: gateway NAME lan ADDR:PORT wan ADDR:PORT|none";
    p->site->n_gateways++;
    return take_name(g->name, sizeof g->name, p->words[1]);
}

/* The key is made from the secret as each process of the job makes it (peer/conn/auth.c). */
static const char *on_secret(struct parse *p)
{
    uint8_t secret[crypto_auth_KEYBYTES];
    size_t len = 0;
    if (!p->is_job)
        return "is for mpirun only";
    if (sodium_hex2bin(secret, sizeof secret, p->words[1], strlen(p->words[1]), NULL, &len, NULL) != 0 ||
        len != sizeof secret)
        return "is no secret";
    crypto_auth(p->s->key, (const uint8_t *)HWS_GATE_PURPOSE, strlen(HWS_GATE_PURPOSE), secret);
    sodium_memzero(secret, sizeof secret);
    p->has_key = true;
    return NULL;
}

static const char *on_end(struct parse *p)
{
    p->is_over = p->is_job;
    return p->is_job ? NULL : "is for mpirun only";
}

static const struct statement {
    const char *name;
    unsigned words;
    const char *(*run)(struct parse *p); /* NULL, or what is wrong */
} statements[] = {
    {"key-file", 2, on_key_file}, {"trunks", 2, on_trunks}, {"congestion", 2, on_congestion},
    {"tls", 2, on_tls},           {"site", 2, on_site},     {"network", 2, on_network},
    {"gateway", 6, on_gateway},   {"secret", 2, on_secret}, {"end", 1, on_end},
};

static const char *run_line(struct parse *p)
{
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++) {
        if (strcmp(statements[i].name, p->words[0]) == 0)
            return statements[i].words == p->n ? statements[i].run(p) : "has too few words, or too many";
    }
    return "is no statement; there are: key-file, trunks, congestion, tls, site, network, gateway";
}

static void split(struct parse *p, char *line)
{
    char *save = NULL;
    line[strcspn(line, "#\n")] = 0;
    p->n = 0;
    for (char *word = strtok_r(line, " \t\r", &save); word && p->n < WORDS_MAX; word = strtok_r(NULL, " \t\r", &save))
        p->words[p->n++] = word;
}

static int parse_file(struct parse *p, FILE *in, const char *path, char *err, size_t err_len)
{
    char line[LINE_MAX_BYTES];
    for (unsigned number = 1; !p->is_over && fgets(line, sizeof line, in); number++) {
        split(p, line);
        const char *why = p->n ? run_line(p) : NULL;
        if (why) {
            snprintf(err, err_len, "%s, line %u: %s%s%s %s", path, number, p->words[0], p->n > 1 ? " " : "",
                     p->n > 1 ? p->words[1] : "", why);
            return HWS_EINVAL;
        }
    }
    return HWS_OK;
}

/* ---- the key ----------------------------------------------------------------------------------------------------- */

static int read_key(struct sites *s, const char *path, char *err, size_t err_len)
{
    char full[2 * SITES_PATH], hex[2 * HWS_PREFACE_KEY + 2] = "";
    const char *slash = strrchr(path, '/');
    int folder = s->key_file[0] == '/' || !slash ? 0 : (int)(slash - path + 1);
    size_t len = 0;
    struct stat st;
    snprintf(full, sizeof full, "%.*s%s", folder, path, s->key_file);
    FILE *in = fopen(full, "re");
    if (!in || fstat(fileno(in), &st) != 0) {
        snprintf(err, err_len, "cannot read the key %s: %s", full, strerror(errno));
        return HWS_ESYS;
    }
    size_t got = fread(hex, 1, sizeof hex - 1, in);
    fclose(in);
    if (st.st_mode & S_IRWXO) {
        snprintf(err, err_len, "%s: others may read the key; chmod o-rwx", full);
        return HWS_EINVAL;
    }
    if (sodium_hex2bin(s->key, sizeof s->key, hex, got < 2 * HWS_PREFACE_KEY ? got : 2 * HWS_PREFACE_KEY, NULL, &len,
                       NULL) != 0 ||
        len != sizeof s->key) {
        snprintf(err, err_len, "%s: a key is 64 hexadecimal digits (openssl rand -hex 32)", full);
        return HWS_EINVAL;
    }
    return HWS_OK;
}

int sites_read(struct sites *s, const char *path, char *err, size_t err_len)
{
    struct parse p = {.s = s};
    *s = (struct sites){.trunks = TRUNKS, .congestion = CONGESTION, .has_tls = true};
    FILE *in = fopen(path, "re");
    if (!in) {
        snprintf(err, err_len, "cannot read %s: %s", path, strerror(errno));
        return HWS_ESYS;
    }
    int rc = parse_file(&p, in, path, err, err_len);
    fclose(in);
    if (rc != HWS_OK)
        return rc;
    if (!s->n || !s->key_file[0]) {
        snprintf(err, err_len, "%s names no %s", path, s->n ? "key-file" : "site");
        return HWS_EINVAL;
    }
    return read_key(s, path, err, err_len);
}

int sites_read_job(struct sites *s, FILE *in, char *err, size_t err_len)
{
    struct parse p = {.s = s, .is_job = true};
    *s = (struct sites){.trunks = TRUNKS, .congestion = CONGESTION, .has_tls = true};
    int rc = parse_file(&p, in, "mpirun", err, err_len);
    if (rc == HWS_OK && (!p.is_over || !p.has_key)) {
        snprintf(err, err_len, "mpirun has gone before it said all");
        rc = HWS_ECLOSED;
    }
    return rc;
}

const struct site *sites_named(const struct sites *s, const char *name)
{
    for (unsigned i = 0; i < s->n; i++)
        if (strcmp(s->sites[i].name, name) == 0)
            return &s->sites[i];
    return NULL;
}

void sites_key(const struct sites *s, const char *purpose, uint8_t key[HWS_PREFACE_KEY])
{
    hws_gate_key(s->key, purpose, key);
}

const struct site *sites_find(const struct sites *s, const struct hws_gate_addr *a)
{
    for (unsigned i = 0; i < s->n; i++)
        for (unsigned k = 0; k < s->sites[i].n_networks; k++)
            if (is_within(&s->sites[i].networks[k], a))
                return &s->sites[i];
    return NULL;
}

const struct gateway_at *sites_gateway(const struct sites *s, const char *name, const struct site **site)
{
    for (unsigned i = 0; i < s->n; i++) {
        for (unsigned k = 0; k < s->sites[i].n_gateways; k++) {
            if (strcmp(s->sites[i].gateways[k].name, name) == 0) {
                if (site)
                    *site = &s->sites[i];
                return &s->sites[i].gateways[k];
            }
        }
    }
    return NULL;
}
