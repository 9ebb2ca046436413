/* SPDX-License-Identifier: BSD-3-Clause
 *
 * hosts: parsers of host lists. A name that begins with '-' is refused: it would be an option of the remote shell.
 */
#include "mpirun/place/hosts.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/errors.h"
#include "mpirun/place/refused.h"
#include "mpirun/place/sites.h"
#include "mpirun/util/buf.h"

#define FILE_MAX (16 << 20) /* bytes; a larger hostfile is a mistake */

void hws_hosts_add(struct hws_host_list *h, const char *name, size_t name_len, int slots, int max_slots)
{
    if (h->n == h->cap) {
        h->cap = h->cap ? h->cap * 2 : 16;
        h->list = hws_xrealloc(h->list, (size_t)h->cap * sizeof *h->list);
    }
    h->list[h->n++] = (struct hws_host){hws_xstrndup(name, name_len), slots, max_slots, {0}};
}

void hws_hosts_fini(struct hws_host_list *h)
{
    for (int i = 0; i < h->n; i++) {
        free(h->list[i].name);
        hws_host_site_fini(&h->list[i].at);
    }
    free(h->list);
    *h = (struct hws_host_list){0};
}

static char *copy(const char *text)
{
    return text ? hws_xstrdup(text) : NULL;
}

struct hws_host_site hws_host_site_copy(const struct hws_host_site *s)
{
    return (struct hws_host_site){copy(s->site),   copy(s->lan),        copy(s->wan),
                                  copy(s->trunks), copy(s->congestion), s->is_gateway};
}

void hws_host_site_fini(struct hws_host_site *s)
{
    free(s->site);
    free(s->lan);
    free(s->trunks);
    free(s->congestion);
    free(s->wan);
    *s = (struct hws_host_site){0};
}

const struct hws_host *hws_hosts_find(const struct hws_host_list *h, const char *name)
{
    for (int i = 0; i < h->n; i++)
        if (strcmp(h->list[i].name, name) == 0)
            return &h->list[i];
    return NULL;
}

/* A number of slots, 1 to HWS_SLOTS_MAX, that fills the whole text; 0: it is not one. */
static int parse_slots(const char *s, size_t len)
{
    int v = 0;
    if (len == 0 || len > 7)
        return 0;
    for (size_t i = 0; i < len; i++) {
        if (!isdigit((unsigned char)s[i]))
            return 0;
        v = v * 10 + (s[i] - '0');
    }
    return v <= HWS_SLOTS_MAX ? v : 0;
}

static bool is_name(const char *s, size_t len, bool is_bracketed)
{
    for (size_t i = 0; i < len; i++)
        if (!isalnum((unsigned char)s[i]) && !strchr(is_bracketed ? ".:%-_" : ".-_@:%", s[i]))
            return false;
    return len > 0 && len <= 255 && s[0] != '-';
}

static bool has_two_colons(const char *s, size_t len)
{
    const char *first = memchr(s, ':', len);
    return first && memchr(first + 1, ':', len - (size_t)(first + 1 - s));
}

/* Splits "name", "name:N" or "[address]:N". Returns NULL, or what is wrong with it. */
static const char *split_host(const char *s, size_t len, const char **name, size_t *name_len, int *slots)
{
    const char *rest;
    *slots = 0;
    bool is_bracketed = len && *s == '[';
    if (is_bracketed) {
        const char *end = memchr(s, ']', len);
        if (!end)
            return "no ']' behind the address";
        *name = s + 1;
        *name_len = (size_t)(end - s) - 1;
        rest = end + 1;
    } else {
        const char *colon = has_two_colons(s, len) ? NULL : memchr(s, ':', len); /* two: a bare IPv6 address */
        *name = s;
        *name_len = colon ? (size_t)(colon - s) : len;
        rest = s + *name_len;
    }
    if (!is_name(*name, *name_len, is_bracketed))
        return "not a host name";
    size_t rest_len = len - (size_t)(rest - s);
    if (!rest_len)
        return NULL;
    *slots = *rest == ':' ? parse_slots(rest + 1, rest_len - 1) : 0;
    return *slots ? NULL : "slots are not a number from 1 to 1000000";
}

int hws_hosts_parse_list(struct hws_host_list *h, const char *text, char *err, size_t err_len)
{
    const char *s = text;
    do {
        size_t len = strcspn(s, ","), name_len;
        const char *name;
        int slots;
        const char *wrong = split_host(s, len, &name, &name_len, &slots);
        if (wrong) {
            snprintf(err, err_len, "-host '%.200s': '%.*s': %s", text, len < 100 ? (int)len : 100, s, wrong);
            return HWS_EINVAL;
        }
        hws_hosts_add(h, name, name_len, slots, 0);
        s += len;
    } while (*s++ == ',');
    return HWS_OK;
}

static bool is_site_name(const char *s, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (!isalnum((unsigned char)s[i]) && s[i] != '-' && s[i] != '_')
            return false;
    return len > 0 && len < HWS_SITE_NAME;
}

/* What the gateway itself takes: src/gateway/sites.c. */
static bool is_trunks(const char *s, size_t len)
{
    int n = parse_slots(s, len);
    return n >= 1 && n <= 16;
}

static bool is_congestion(const char *s, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (!isalnum((unsigned char)s[i]) && s[i] != '-' && s[i] != '_')
            return false;
    return len > 0 && len < 16;
}

/* Where the value of "KEY=VALUE" goes; NULL: no such key. */
static char **site_value(const char *key, size_t len, struct hws_host_site *at)
{
    const struct {
        const char *key;
        char **text;
    } keys[] = {{"site", &at->site},
                {"lan", &at->lan},
                {"wan", &at->wan},
                {"trunks", &at->trunks},
                {"congestion", &at->congestion}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strlen(keys[i].key) == len && strncmp(key, keys[i].key, len) == 0)
            return keys[i].text;
    return NULL;
}

/* "site=NAME", "gateway", "lan=ADDRESS", "wan=ADDRESS", "trunks=N", "congestion=NAME"; *is_one: it is one of these.
 * NULL, or what is wrong. */
static const char *parse_site(const char *s, size_t len, struct hws_host_site *at, bool *is_one)
{
    size_t n = strcspn(s, "= \t\n"), value_len = len > n ? len - n - 1 : 0;
    const char *value = s + n + 1;
    char **text = len <= n ? NULL : site_value(s, n, at);
    bool is_flag = len == 7 && strncmp(s, "gateway", 7) == 0;
    *is_one = text || is_flag;
    at->is_gateway |= is_flag;
    if (!text)
        return NULL;
    if (text == &at->site && !is_site_name(value, value_len))
        return "a site's name is of letters, digits, '-' and '_', at most 23";
    if (text == &at->trunks && !is_trunks(value, value_len))
        return "trunks are not a number from 1 to 16";
    if (text == &at->congestion && !is_congestion(value, value_len))
        return "not the name of a congestion control";
    if (text != &at->trunks && text != &at->congestion && !is_name(value, value_len, true))
        return "not an address";
    free(*text);
    *text = hws_xstrndup(value, value_len);
    return NULL;
}

/* "slots=N" or "max_slots=N"; NULL, or what is wrong. */
static const char *parse_attribute(const char *s, size_t len, int *slots, int *max_slots)
{
    static const struct {
        const char *key;
        int is_max;
    } keys[] = {{"slots=", 0}, {"cpu=", 0}, {"cpus=", 0}, {"count=", 0}, {"max_slots=", 1}, {"max-slots=", 1}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        size_t key_len = strlen(keys[i].key);
        if (len < key_len || strncmp(s, keys[i].key, key_len) != 0)
            continue;
        int v = len == key_len + 1 && s[key_len] == '0' && !keys[i].is_max ? HWS_SLOTS_NONE
                                                                           : parse_slots(s + key_len, len - key_len);
        *(keys[i].is_max ? max_slots : slots) = v;
        return v ? NULL : "slots are not a number from 1 to 1000000";
    }
    const char *instead = hws_refused_attribute(s, strcspn(s, "= \t\n"));
    return instead ? instead : "neither slots=N nor max_slots=N";
}

static const char *skip_space(const char *s, const char *end)
{
    while (s < end && isspace((unsigned char)*s))
        s++;
    return s;
}

static size_t word_len(const char *s, const char *end)
{
    size_t n = 0;
    while (s + n < end && !isspace((unsigned char)s[n]))
        n++;
    return n;
}

static const char *check_site(const struct hws_host_site *at, int slots)
{
    if (slots == HWS_SLOTS_NONE && !at->is_gateway)
        return "slots are not a number from 1 to 1000000; 0 is for a gateway";
    if (at->is_gateway && !at->site)
        return "a gateway wants a site=NAME";
    bool has_own = at->lan || at->wan || at->trunks || at->congestion;
    return has_own && !at->is_gateway ? "lan=, wan=, trunks= and congestion= are for a gateway" : NULL;
}

/* One line without its comment, its site into *at. NULL, or what is wrong with *word. */
static const char *parse_line(struct hws_host_list *h, const char *s, const char *end, const char **word, size_t *len,
                              struct hws_host_site *at)
{
    const char *name, *wrong;
    size_t name_len;
    int slots, max_slots = 0;
    bool is_site;
    *word = s = skip_space(s, end);
    *len = word_len(s, end);
    if (!*len)
        return NULL;
    if ((wrong = split_host(s, *len, &name, &name_len, &slots)))
        return wrong;
    while ((*word = s = skip_space(s + *len, end)) < end) {
        *len = word_len(s, end);
        wrong = parse_site(s, *len, at, &is_site);
        if (!is_site)
            wrong = parse_attribute(s, *len, &slots, &max_slots);
        if (wrong)
            return wrong;
    }
    *len = 0;
    if (max_slots && slots > max_slots)
        return "more slots than max_slots";
    if ((wrong = check_site(at, slots)))
        return wrong;
    hws_hosts_add(h, name, name_len, slots, max_slots);
    h->list[h->n - 1].at = *at;
    *at = (struct hws_host_site){0};
    return NULL;
}

int hws_hosts_parse_text(struct hws_host_list *h, const char *file, const char *text, char *err, size_t err_len)
{
    for (int line = 1; *text; line++) {
        size_t line_len = strcspn(text, "\n"), len = 0, code_len = strcspn(text, "#\n");
        const char *word = "";
        struct hws_host_site at = {0};
        const char *wrong = parse_line(h, text, text + code_len, &word, &len, &at);
        hws_host_site_fini(&at);
        if (wrong && len)
            snprintf(err, err_len, "%s:%d: '%.*s': %s", file, line, len < 100 ? (int)len : 100, word, wrong);
        else if (wrong)
            snprintf(err, err_len, "%s:%d: %s", file, line, wrong);
        if (wrong)
            return HWS_EINVAL;
        text += line_len + (text[line_len] == '\n');
    }
    return HWS_OK;
}

static int cannot_read(const char *file, int errnum, char *err, size_t err_len)
{
    snprintf(err, err_len, "hostfile '%s': %s", file, strerror(errnum));
    return HWS_EINVAL;
}

int hws_hosts_read_file(struct hws_host_list *h, const char *file, char *err, size_t err_len)
{
    FILE *f = fopen(file, "re");
    if (!f)
        return cannot_read(file, errno, err, err_len);
    struct hws_buf text = {0};
    size_t n;
    errno = 0;
    while (text.len < FILE_MAX && (n = fread(hws_buf_reserve(&text, 8192), 1, 8192, f)) > 0)
        hws_buf_added(&text, n);
    int read_errno = ferror(f) ? errno : text.len >= FILE_MAX ? EFBIG : 0;
    fclose(f);
    int rc = HWS_OK, n_before = h->n;
    if (read_errno)
        rc = cannot_read(file, read_errno, err, err_len);
    else if (memchr(hws_buf_data(&text), '\0', text.len)) {
        snprintf(err, err_len, "hostfile '%s' is not a text", file);
        rc = HWS_EINVAL;
    }
    hws_buf_append(&text, "", 1);
    if (!rc)
        rc = hws_hosts_parse_text(h, file, hws_buf_data(&text), err, err_len);
    if (!rc && h->n == n_before) {
        snprintf(err, err_len, "hostfile '%s' names no host", file);
        rc = HWS_EINVAL;
    }
    hws_buf_free(&text);
    return rc;
}
