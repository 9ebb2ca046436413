/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pmi_keys: the job's key space, and the job's secret in it. A value that is too long for one line of another launcher
 * goes in parts, and the key itself holds how many.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "launch/pmi_priv.h"

#define SECRET_KEY    "hawser-secret"
#define AROUND_ANSWER 48 /* bytes of a line around the value in an answer */
#define SPLIT_MARK    "#hawser-parts:"

int hws_pmi_get_line(struct hws_pmi *p, const char *key, char **value)
{
    char *line = NULL;
    int rc = hws_pmi_request(p, "get_result", &line, "cmd=get kvsname=%s key=%s\n", p->kvsname, key);
    if (rc)
        return rc;
    size_t len = 0;
    const char *v = hws_pmi_word(line, "value", &len);
    *value = NULL;
    if (hws_pmi_int_word(line, "rc", 0) != 0 || !v)
        rc = hws_pmi_fail(p, HWS_EINVAL, "the launcher knows no key %s", key);
    else if (!(*value = strndup(v, len)))
        rc = hws_pmi_fail(p, HWS_ENOMEM, "out of memory for the value of key %s", key);
    free(line);
    return rc;
}

static bool is_word(const char *text, size_t max)
{
    size_t len = strlen(text);
    for (size_t i = 0; i < len; i++)
        if ((unsigned char)text[i] <= ' ' || (unsigned char)text[i] > '~')
            return false;
    return len > 0 && len <= max;
}

/* Bytes of a value that go into one put; the rest needs more of them, with a number behind the key. */
static size_t value_room(const struct hws_pmi *p, const char *key)
{
    size_t around = strlen("cmd=put kvsname= key=.9999 value=\n") + strlen(p->kvsname) + strlen(key);
    size_t said = p->vallen_max - 1, line = p->launcher->line_max;
    size_t most = line - (around > AROUND_ANSWER ? around : AROUND_ANSWER);
    return !line || said < most ? said : most;
}

int hws_pmi_put(struct hws_pmi *p, const char *key, const char *value)
{
    int rc = hws_pmi_check_owner(p);
    if (rc)
        return rc;
    if (!is_word(key, HWS_PMI_KEY_MAX) || !is_word(value, HWS_PMI_LINE_MAX / 2))
        return hws_pmi_fail(p, HWS_EINVAL, "key '%.60s' or its value is empty, too long, or has spaces", key);
    if (!p->launcher->put)
        return HWS_OK; /* there is nobody to read it */
    size_t len = strlen(value), room = value_room(p, key);
    if (len <= room)
        return p->launcher->put(p, key, value, len);
    size_t n_parts = (len + room - 1) / room;
    char name[HWS_PMI_KEY_MAX + 16], mark[64];
    for (size_t i = 0; i < n_parts && !rc; i++) {
        size_t left = len - i * room;
        snprintf(name, sizeof name, "%s.%zu", key, i);
        rc = p->launcher->put(p, name, value + i * room, left < room ? left : room);
    }
    snprintf(mark, sizeof mark, SPLIT_MARK "%zu", n_parts);
    return rc ? rc : p->launcher->put(p, key, mark, strlen(mark));
}

/* Puts `part` behind *value. */
static int append(struct hws_pmi *p, const char *key, const char *part, char **value, size_t *len)
{
    size_t n = strlen(part);
    char *longer = realloc(*value, *len + n + 1);
    if (!longer)
        return hws_pmi_fail(p, HWS_ENOMEM, "out of memory for the value of key %s", key);
    memcpy(longer + *len, part, n + 1);
    *value = longer;
    *len += n;
    return HWS_OK;
}

/* A value that its rank has put in parts. */
static int get_parts(struct hws_pmi *p, const char *key, unsigned long n_parts, char **value)
{
    char name[HWS_PMI_KEY_MAX + 24];
    size_t len = 0;
    int rc = HWS_OK;
    *value = NULL;
    for (unsigned long i = 0; i < n_parts && !rc; i++) {
        snprintf(name, sizeof name, "%s.%lu", key, i);
        char *part = NULL;
        rc = p->launcher->get(p, name, &part);
        if (!rc)
            rc = append(p, key, part, value, &len);
        free(part);
    }
    if (!rc && !*value)
        rc = hws_pmi_fail(p, HWS_EINVAL, "the value of key %s has no parts", key);
    if (rc) {
        free(*value);
        *value = NULL;
    }
    return rc;
}

int hws_pmi_get_whole(struct hws_pmi *p, const char *key, char **value)
{
    int rc = hws_pmi_check_owner(p);
    if (rc)
        return rc;
    if (p->wire.fd < 0 || !is_word(key, HWS_PMI_KEY_MAX))
        return hws_pmi_fail(p, HWS_EINVAL, "no launcher holds a key '%.60s'", key);
    char *first;
    rc = p->launcher->get(p, key, &first);
    if (rc)
        return rc;
    if (strncmp(first, SPLIT_MARK, strlen(SPLIT_MARK)) != 0) {
        *value = first;
        return HWS_OK;
    }
    unsigned long n_parts = strtoul(first + strlen(SPLIT_MARK), NULL, 10);
    free(first);
    return get_parts(p, key, n_parts, value);
}

int hws_pmi_get(struct hws_pmi *p, const char *key, char *value, size_t len)
{
    char *whole = NULL;
    int rc = hws_pmi_get_whole(p, key, &whole);
    if (!rc && strlen(whole) >= len)
        rc = hws_pmi_fail(p, HWS_EINVAL, "the value of key %s is longer than %zu characters", key, len - 1);
    if (!rc)
        memcpy(value, whole, strlen(whole) + 1);
    free(whole);
    return rc;
}

/* ---- the job's secret ---- */

int hws_pmi_read_secret(struct hws_pmi *p)
{
    ssize_t n;
    do
        n = getrandom(p->secret, sizeof p->secret, 0);
    while (n < 0 && errno == EINTR);
    p->has_secret = n == (ssize_t)sizeof p->secret;
    return p->has_secret ? HWS_OK : hws_pmi_fail(p, HWS_ESYS, "the kernel gave no random bytes for the job's secret");
}

int hws_pmi_publish_secret(struct hws_pmi *p)
{
    char hex[2 * HWS_PMI_SECRET_BYTES + 1];
    int rc = hws_pmi_read_secret(p);
    for (int i = 0; i < HWS_PMI_SECRET_BYTES; i++)
        snprintf(hex + 2 * i, 3, "%02x", p->secret[i]);
    return rc ? rc : hws_pmi_put(p, SECRET_KEY, hex);
}

static int hex_digit(char c)
{
    const char *digits = "0123456789abcdef";
    const char *at = c ? strchr(digits, c) : NULL;
    return at ? (int)(at - digits) : -1;
}

int hws_pmi_parse_secret(struct hws_pmi *p, const char *hex)
{
    if (strlen(hex) != 2 * sizeof p->secret)
        return hws_pmi_fail(p, HWS_EPMI, "the job's secret has %zu digits instead of %zu", strlen(hex),
                            2 * sizeof p->secret);
    for (size_t i = 0; i < sizeof p->secret; i++) {
        int high = hex_digit(hex[2 * i]), low = hex_digit(hex[2 * i + 1]);
        if (high < 0 || low < 0)
            return hws_pmi_fail(p, HWS_EPMI, "the job's secret is not hexadecimal");
        p->secret[i] = (unsigned char)(high << 4 | low);
    }
    p->has_secret = true;
    return HWS_OK;
}

int hws_pmi_secret(struct hws_pmi *p, unsigned char out[HWS_PMI_SECRET_BYTES])
{
    char hex[2 * HWS_PMI_SECRET_BYTES + 1];
    if (!p->has_secret) {
        int rc = hws_pmi_get(p, SECRET_KEY, hex, sizeof hex);
        if (!rc)
            rc = hws_pmi_parse_secret(p, hex);
        explicit_bzero(hex, sizeof hex);
        if (rc)
            return rc;
    }
    memcpy(out, p->secret, HWS_PMI_SECRET_BYTES);
    return HWS_OK;
}
