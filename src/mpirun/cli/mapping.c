/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpirun/cli/mapping.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/errors.h"
#include "base/list.h"

struct word {
    const char *text;
    size_t len;
};

static bool is(struct word w, const char *text)
{
    return w.len == strlen(text) && strncasecmp(w.text, text, w.len) == 0;
}

static bool is_one_of(struct word w, const char *const *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (is(w, list[i]))
            return true;
    return false;
}

/* The word up to one of `ends`; text goes on behind it. False: there is none. */
static bool take_word(const char **text, const char *ends, struct word *out)
{
    if (!**text)
        return false;
    size_t len = strcspn(*text, ends);
    *out = (struct word){*text, len};
    *text += len + ((*text)[len] != '\0');
    return true;
}

static int refuse(char *err, size_t err_len, struct word w, const char *instead)
{
    snprintf(err, err_len, "-map-by: '%.*s' cannot be done: %s", w.len < 100 ? (int)w.len : 100, w.text, instead);
    return HWS_EINVAL;
}

/* Units among which all ranks of a host may be: they fill the hosts slot by slot. */
static const char *const slots[] = {"slot", "core", "hwthread"};
static const char *const parts[] = {"socket", "package", "numa", "board", "l1cache", "l2cache", "l3cache"};

static int take_unit(struct hws_mapping *m, struct word w, char *err, size_t err_len)
{
    if (is(w, "node"))
        m->by_node = true;
    else if (is_one_of(w, parts, HWS_ARRAY_LEN(parts)))
        m->is_within = true;
    else if (!is_one_of(w, slots, HWS_ARRAY_LEN(slots)))
        return refuse(err, err_len, w,
                      "there are slot, node and ppr:N:node; name hosts and slots by -host or -hostfile");
    return HWS_OK;
}

static int take_ppr(struct hws_mapping *m, const char **text, char *err, size_t err_len)
{
    struct word n = {"", 0}, unit = {"", 0};
    take_word(text, ":", &n);
    take_word(text, ":", &unit);
    if (n.len == 0 || n.len > 7 || strspn(n.text, "0123456789") < n.len || atoi(n.text) < 1 ||
        atoi(n.text) > HWS_RANKS_MAX)
        return refuse(err, err_len, n, "behind ppr: there must be a number of ranks, as in ppr:2:node");
    if (!is(unit, "node"))
        return refuse(err, err_len, unit, "ranks are counted by hosts only; use ppr:N:node and -bind-to");
    m->per_node = atoi(n.text);
    return HWS_OK;
}

/* Said of what always is so, or of what others do to processors and not to places. */
static const char *const harmless[] = {"oversubscribe", "span",     "inherit",         "noinherit",
                                       "hwtcpus",       "corecpus", "overload-allowed"};

static int take_modifier(struct word w, char *err, size_t err_len)
{
    if (is_one_of(w, harmless, HWS_ARRAY_LEN(harmless)))
        return HWS_OK;
    if (w.len >= 3 && strncasecmp(w.text, "pe=", 3) == 0)
        return refuse(err, err_len, w,
                      "a rank is bound to a core or a socket; give fewer ranks a host by ppr:N:node, and -bind-to "
                      "socket or none");
    if (is(w, "nooversubscribe"))
        return refuse(err, err_len, w,
                      "a host takes more ranks than slots if asked to; bound it by max_slots=N in the host file");
    if (is(w, "nolocal"))
        return refuse(err, err_len, w, "name the other hosts by -host");
    return refuse(err, err_len, w, "no such modifier here");
}

int hws_mapping_parse(struct hws_mapping *m, const char *text, char *err, size_t err_len)
{
    struct word w;
    const char *at = text;
    if (!take_word(&at, ":", &w))
        return refuse(err, err_len, (struct word){text, 0}, "there are slot, node and ppr:N:node");
    int rc = is(w, "ppr") ? take_ppr(m, &at, err, err_len) : take_unit(m, w, err, err_len);
    while (!rc && take_word(&at, ":,", &w))
        rc = take_modifier(w, err, err_len);
    return rc;
}
