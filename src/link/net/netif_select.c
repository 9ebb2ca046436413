/* SPDX-License-Identifier: BSD-3-Clause
 *
 * netif_select: the pure half of netif.h: -i and -ni, or the rule that holds without them. A host with NICs, docker and
 * link-local addresses must end up with its NICs; a host that has nothing else must still work with what there is.
 */
#include "link/net/netif.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/errors.h"

enum { NONE = 0, LAST_TIER = 3 }; /* tiers of preference; lower is better, NONE is never taken */

/* How willingly an entry is taken by default. */
static int tier_of(const struct hws_netif *e)
{
    if (!e->is_up || !e->has_carrier || e->is_loopback || e->is_unusable || !hws_addr_is_unicast(&e->addr))
        return NONE;
    if (hws_addr_is_link_local(&e->addr))
        return LAST_TIER;
    return e->is_host_private ? 2 : 1;
}

static uint32_t speed_of(const struct hws_netif *e)
{
    return e->speed_mbps ? e->speed_mbps : HWS_NETIF_GUESS_MBPS;
}

static bool is_chosen(const struct hws_netif *out, size_t n, const struct hws_netif *e)
{
    for (size_t i = 0; i < n; i++)
        if (out[i].ifindex == e->ifindex && hws_addr_is_equal(&out[i].addr, &e->addr))
            return true;
    return false;
}

/* Stable insertion by speed; the entries of one interface have one speed and stay as the kernel lists them. */
static void sort_by_speed(struct hws_netif *out, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        struct hws_netif e = out[i];
        size_t j = i;
        for (; j && speed_of(&out[j - 1]) < speed_of(&e); j--)
            out[j] = out[j - 1];
        out[j] = e;
    }
}

static size_t select_default(const struct hws_netif *all, size_t n_all, struct hws_netif *out)
{
    size_t n = 0;
    for (int tier = 1; tier <= LAST_TIER && n == 0; tier++)
        for (size_t i = 0; i < n_all; i++)
            if (tier_of(&all[i]) == tier && !is_chosen(out, n, &all[i]))
                out[n++] = all[i];
    sort_by_speed(out, n);
    return n;
}

/* ---- -i ---- */

struct entry {
    char text[256];
    enum { BY_NAME, BY_NET, BY_ADDR } kind;
    struct hws_addr addr;
    unsigned prefix_len;
};

static int describe_all(const struct hws_netif *all, size_t n_all, char *dst, size_t len)
{
    size_t at = 0;
    char addr[HWS_ADDR_TEXT];
    dst[0] = '\0';
    for (size_t i = 0; i < n_all && at < len; i++) {
        const char *state = !all[i].is_up ? " (down)" : !all[i].has_carrier ? " (no carrier)" : "";
        int k = snprintf(dst + at, len - at, "%s%s %s/%u%s", i ? ", " : "", all[i].name,
                         hws_addr_format(&all[i].addr, addr), all[i].prefix_len, state);
        at += k > 0 ? (size_t)k : 0;
    }
    return (int)at;
}

static int parse_entry(const char *text, size_t len, struct entry *out, char *err, size_t err_len)
{
    if (len == 0 || len >= sizeof out->text) {
        snprintf(err, err_len, "-i: %s", len ? "an entry is too long" : "the list has an empty entry");
        return HWS_EINVAL;
    }
    memcpy(out->text, text, len);
    out->text[len] = '\0';
    char *slash = strchr(out->text, '/');
    if (!slash) {
        out->kind = hws_addr_parse(out->text, &out->addr) == HWS_OK ? BY_ADDR : BY_NAME;
        return HWS_OK;
    }
    *slash = '\0';
    int rc = hws_addr_parse(out->text, &out->addr);
    *slash = '/';
    char *end = slash + 1 + strspn(slash + 1, "0123456789");
    unsigned long bits = strtoul(slash + 1, NULL, 10);
    if (rc != HWS_OK || end == slash + 1 || end - slash > 4 || *end || bits > hws_addr_bits(&out->addr)) {
        snprintf(err, err_len, "-i: '%s' is not a network (ADDRESS/BITS)", out->text);
        return HWS_EINVAL;
    }
    out->kind = BY_NET;
    out->prefix_len = (unsigned)bits;
    return HWS_OK;
}

static bool entry_matches(const struct entry *w, const struct hws_netif *e)
{
    switch (w->kind) {
    case BY_NAME:
        return strcmp(w->text, e->name) == 0;
    case BY_NET:
        return hws_addr_is_in(&e->addr, &w->addr, w->prefix_len);
    default:
        return hws_addr_is_equal(&e->addr, &w->addr);
    }
}

/* A name stands for its addresses other than link-local ones, unless it has no others. */
static bool is_meant(const struct entry *w, const struct hws_netif *e, bool has_global)
{
    return entry_matches(w, e) && e->is_up && e->has_carrier && !e->is_unusable &&
           (w->kind != BY_NAME || !has_global || !hws_addr_is_link_local(&e->addr));
}

static int no_match(const struct entry *w, const struct hws_netif *found, const struct hws_netif *all, size_t n_all,
                    char *err, size_t err_len)
{
    char have[1024];
    describe_all(all, n_all, have, sizeof have);
    if (found)
        snprintf(err, err_len, "-i: '%s' cannot be used: interface %s %s; this host has %s", w->text, found->name,
                 !found->is_up         ? "is down"
                 : !found->has_carrier ? "has no carrier"
                                       : "has no usable address",
                 have);
    else
        snprintf(err, err_len, "-i: '%s' matches no interface, network or address; this host has %s", w->text, have);
    return HWS_EINVAL;
}

static int take_entry(const struct entry *w, const struct hws_netif *all, size_t n_all, struct hws_netif *out,
                      size_t *n, char *err, size_t err_len)
{
    const struct hws_netif *found = NULL;
    bool has_global = false, is_used = false;
    for (size_t i = 0; i < n_all; i++)
        if (entry_matches(w, &all[i])) {
            found = &all[i];
            has_global |= !all[i].is_unusable && !hws_addr_is_link_local(&all[i].addr);
        }
    for (size_t i = 0; i < n_all; i++) {
        if (!is_meant(w, &all[i], has_global))
            continue;
        is_used = true;
        if (!is_chosen(out, *n, &all[i]))
            out[(*n)++] = all[i];
    }
    return is_used ? HWS_OK : no_match(w, found, all, n_all, err, err_len);
}

static int select_listed(const struct hws_netif *all, size_t n_all, const char *spec, struct hws_netif *out, size_t *n,
                         char *err, size_t err_len)
{
    for (const char *at = spec;; at++) {
        struct entry w;
        size_t len = strcspn(at, ",");
        int rc = parse_entry(at, len, &w, err, err_len);
        if (rc == HWS_OK)
            rc = take_entry(&w, all, n_all, out, n, err, err_len);
        if (rc != HWS_OK)
            return rc;
        at += len;
        if (!*at)
            return HWS_OK;
    }
}

static bool is_interface_in(const struct hws_netif *out, size_t n, unsigned ifindex)
{
    for (size_t i = 0; i < n; i++)
        if (out[i].ifindex == ifindex)
            return true;
    return false;
}

/* Gathers each interface's entries behind its first one and cuts after max_n interfaces. */
static size_t group_and_bound(struct hws_netif *out, size_t n, size_t max_n)
{
    size_t kept = 0, n_interfaces = 0;
    struct hws_netif e;
    for (size_t i = 0; i < n; i++) {
        e = out[i];
        if (is_interface_in(out, kept, e.ifindex)) {
            size_t to = kept;
            while (out[to - 1].ifindex != e.ifindex)
                to--;
            memmove(&out[to + 1], &out[to], (kept - to) * sizeof e);
            out[to] = e;
            kept++;
        } else if (!max_n || n_interfaces < max_n) {
            out[kept++] = e;
            n_interfaces++;
        }
    }
    return kept;
}

int hws_netif_select(const struct hws_netif *all, size_t n_all, const char *spec, size_t max_n, struct hws_netif *out,
                     char *err, size_t err_len)
{
    size_t n = 0;
    if (spec && spec[0]) {
        int rc = select_listed(all, n_all, spec, out, &n, err, err_len);
        if (rc != HWS_OK)
            return rc;
    } else {
        n = select_default(all, n_all, out);
    }
    return (int)group_and_bound(out, n, max_n);
}
