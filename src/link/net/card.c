/* SPDX-License-Identifier: BSD-3-Clause
 *
 * card: text form of an address card. The reader is a cursor over a bounded text; every step either takes exactly what
 * the grammar in card.h says or sets `bad`, after which all further steps do nothing. What it accepts it can print
 * again byte for byte (the fuzzer checks that).
 */
#include "link/net/card.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/errors.h"

#define MAGIC "HWS1/"

/* ---- writing ---- */

struct out {
    char *dst;
    size_t len, at;
    bool is_full;
};

static void put(struct out *o, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void put(struct out *o, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(o->dst + o->at, o->len - o->at, fmt, ap);
    va_end(ap);
    if (n < 0 || (size_t)n >= o->len - o->at)
        o->is_full = true;
    else
        o->at += (size_t)n;
}

static bool is_plain(unsigned char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' || c == '-' ||
           c == '_' || c == ':';
}

static void put_name(struct out *o, const char *name)
{
    for (const unsigned char *p = (const unsigned char *)name; *p; p++)
        put(o, is_plain(*p) ? "%c" : "%%%02x", *p);
}

static void put_addr(struct out *o, const struct hws_card_addr *a)
{
    char text[HWS_ADDR_TEXT];
    put(o, "%s,%u,%u,", hws_addr_format(&a->addr, text), a->prefix_len, a->port);
    put_name(o, a->ifname);
    put(o, ",%" PRIu32 "/", a->speed_mbps);
}

static bool format_some(const struct hws_card *c, size_t n_addrs, char *dst, size_t len)
{
    struct out o = {.dst = dst, .len = len};
    put(&o, MAGIC "%016" PRIx64 "/%" PRIu32 "/", c->host_id, c->pid);
    put_name(&o, c->hostname);
    put(&o, "/%u/%zu/", c->loopback_port, n_addrs);
    for (size_t i = 0; i < n_addrs; i++)
        put_addr(&o, &c->addrs[i]);
    if (c->site[0]) {
        put(&o, "@");
        put_name(&o, c->site);
        put(&o, "/");
    }
    return !o.is_full;
}

/* ---- reading ---- */

struct in {
    const char *at, *end;
    bool bad;
};

static char peek(const struct in *i)
{
    return i->at < i->end ? *i->at : '\0';
}

static void expect(struct in *i, char c)
{
    if (!i->bad && peek(i) == c && i->at < i->end)
        i->at++;
    else
        i->bad = true;
}

/* Decimal, no sign, no leading zero, at most max. */
static uint64_t get_number(struct in *i, uint64_t max)
{
    uint64_t v = 0;
    const char *start = i->at;
    while (!i->bad && peek(i) >= '0' && peek(i) <= '9') {
        unsigned digit = (unsigned)(*i->at++ - '0');
        if (v > (max - digit) / 10)
            i->bad = true;
        v = v * 10 + digit;
    }
    if (i->at == start || (*start == '0' && i->at - start > 1))
        i->bad = true;
    return i->bad ? 0 : v;
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static uint64_t get_hex(struct in *i, int n_digits)
{
    uint64_t v = 0;
    for (; !i->bad && n_digits > 0; n_digits--) {
        int d = hex_digit(peek(i));
        if (d < 0)
            i->bad = true;
        else
            i->at++;
        v = v << 4 | (uint64_t)(d & 15);
    }
    return i->bad ? 0 : v;
}

/* A percent-escaped name of 1 to size-1 bytes, none of them NUL; what needs no escape must not have one. */
static void get_name(struct in *i, char *dst, size_t size)
{
    size_t n = 0;
    while (!i->bad && (is_plain((unsigned char)peek(i)) || peek(i) == '%')) {
        char c = *i->at++;
        if (c == '%') {
            c = (char)get_hex(i, 2);
            i->bad |= c == '\0' || is_plain((unsigned char)c);
        }
        if (n + 1 >= size)
            i->bad = true;
        else
            dst[n++] = c;
    }
    dst[n] = '\0';
    i->bad |= n == 0;
}

/* An address in the one form that hws_addr_format() gives it. */
static void get_ip(struct in *i, struct hws_addr *out)
{
    char text[HWS_ADDR_TEXT], again[HWS_ADDR_TEXT];
    size_t n = 0;
    while (i->at < i->end && *i->at != ',' && n + 1 < sizeof text)
        text[n++] = *i->at++;
    text[n] = '\0';
    if (i->bad || strlen(text) != n || hws_addr_parse(text, out) != HWS_OK ||
        strcmp(hws_addr_format(out, again), text) != 0)
        i->bad = true;
}

static void get_addr(struct in *i, struct hws_card_addr *a)
{
    get_ip(i, &a->addr);
    expect(i, ',');
    a->prefix_len = (uint8_t)get_number(i, i->bad ? 0 : hws_addr_bits(&a->addr));
    expect(i, ',');
    a->port = (uint16_t)get_number(i, UINT16_MAX);
    expect(i, ',');
    get_name(i, a->ifname, sizeof a->ifname);
    expect(i, ',');
    a->speed_mbps = (uint32_t)get_number(i, UINT32_MAX);
    expect(i, '/');
    if (!i->bad && (a->port == 0 || !hws_addr_is_unicast(&a->addr) || hws_addr_is_loopback(&a->addr)))
        i->bad = true;
}

/* ---- public ---- */

bool hws_card_add(struct hws_card *c, const struct hws_netif *e, uint16_t port)
{
    if (c->n_addrs == HWS_CARD_ADDRS || port == 0 || !hws_addr_is_unicast(&e->addr) || hws_addr_is_loopback(&e->addr))
        return false;
    struct hws_card_addr *a = &c->addrs[c->n_addrs++];
    memset(a, 0, sizeof *a);
    a->addr = e->addr;
    a->prefix_len = e->prefix_len;
    a->port = port;
    a->speed_mbps = e->speed_mbps;
    memcpy(a->ifname, e->name, sizeof a->ifname);
    return true;
}

int hws_card_format(const struct hws_card *c, char *dst, size_t len)
{
    size_t limit = len < HWS_CARD_TEXT ? len : HWS_CARD_TEXT;
    if (!c->hostname[0])
        return HWS_EINVAL;
    for (size_t n = c->n_addrs + 1; limit && n-- > 0;)
        if (format_some(c, n, dst, limit))
            return HWS_OK;
    return HWS_EINVAL;
}

int hws_card_parse(const char *text, size_t len, struct hws_card *out)
{
    struct hws_card c = {0};
    struct in i = {.at = text, .end = text + strnlen(text, len)};
    if (i.end - i.at >= HWS_CARD_TEXT)
        return HWS_EPROTO;
    for (const char *m = MAGIC; *m; m++)
        expect(&i, *m);
    c.host_id = get_hex(&i, 16);
    expect(&i, '/');
    c.pid = (uint32_t)get_number(&i, UINT32_MAX);
    expect(&i, '/');
    get_name(&i, c.hostname, sizeof c.hostname);
    expect(&i, '/');
    c.loopback_port = (uint16_t)get_number(&i, UINT16_MAX);
    expect(&i, '/');
    c.n_addrs = (size_t)get_number(&i, HWS_CARD_ADDRS);
    expect(&i, '/');
    for (size_t k = 0; k < c.n_addrs && !i.bad; k++)
        get_addr(&i, &c.addrs[k]);
    if (!i.bad && i.at != i.end) {
        expect(&i, '@');
        get_name(&i, c.site, sizeof c.site);
        expect(&i, '/');
    }
    if (i.bad || i.at != i.end)
        return HWS_EPROTO;
    *out = c;
    return HWS_OK;
}
