/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mapping: reads and writes the text. The rounds in brackets are Hydra's of MPICH 4.3; what goes on from host 0 is
 * older.
 */
#include "launch/mapping.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool take(const char **s, char c)
{
    bool is_there = **s == c;
    *s += is_there;
    return is_there;
}

static bool take_int(const char **s, int *out)
{
    size_t digits = strspn(*s, "0123456789");
    if (digits == 0 || digits > 9)
        return false;
    *out = atoi(*s);
    *s += digits;
    return true;
}

/* The runs of ranks in a mapping's text: `n` ranks from `from` on are on `host`. */
struct runs {
    const char *at;    /* behind the current item */
    const char *again; /* the item from which it is repeated, or NULL */
    const char *group; /* the first item in brackets, or NULL */
    int rounds;        /* of the group that are left, the current one counts; 0: not known yet */
    int size, host, last, ranks, from, n;
};

/* An item without the comma; `at` is behind it then. */
static bool take_item(struct runs *r)
{
    const char *s = r->at;
    int first, hosts = 1;
    r->ranks = 1;
    if (take(&s, '[')) {
        r->group = s;
        r->rounds = 0;
    }
    bool ok = take(&s, '(') ? take_int(&s, &first) && take(&s, ',') && take_int(&s, &hosts) && take(&s, ',') &&
                                  take_int(&s, &r->ranks) && take(&s, ')')
                            : take_int(&s, &first);
    if (!ok || hosts < 1 || r->ranks < 1)
        return false;
    if (first == 0 && !r->again)
        r->again = r->at;
    r->at = s;
    r->host = first;
    r->last = first + hosts - 1;
    return true;
}

/* At the end of a group, "]xN": back to its first item, or on. */
static bool end_round(struct runs *r)
{
    const char *s = r->at;
    int n;
    if (!r->group || !take(&s, ']') || !take(&s, 'x') || !take_int(&s, &n) || n < 1)
        return false;
    r->rounds = (r->rounds ? r->rounds : n) - 1;
    r->at = r->rounds ? r->group : s;
    r->group = r->rounds ? r->group : NULL;
    return true;
}

static bool next_item(struct runs *r)
{
    while (*r->at == ']') {
        if (!end_round(r))
            return false;
        if (r->group)
            return take_item(r);
    }
    if (take(&r->at, ','))
        return take_item(r);
    if (*r->at != ')' || r->group || !r->again)
        return false;
    r->at = r->again;
    return take_item(r);
}

/* The next run. False: all ranks are placed, or the text cannot be understood. */
static bool next_run(struct runs *r)
{
    r->from += r->n;
    if (r->from >= r->size)
        return false;
    if (++r->host > r->last && !next_item(r))
        return false;
    r->n = r->ranks < r->size - r->from ? r->ranks : r->size - r->from;
    return true;
}

/* A text that was cut behind an item would be taken for one that repeats. */
static bool is_whole(const char *mapping)
{
    int depth = 0;
    for (const char *s = mapping; *s; s++) {
        depth += (*s == '(') - (*s == ')');
        if (depth <= 0)
            return depth == 0 && s[1] == '\0';
    }
    return false;
}

static struct runs runs_of(const char *mapping, int size)
{
    static const char head[] = "(vector";
    bool ok = strncmp(mapping, head, sizeof head - 1) == 0 && is_whole(mapping);
    return (struct runs){.at = ok ? mapping + sizeof head - 1 : "", .size = size, .last = -1, .host = -1};
}

int hws_mapping_host(const char *mapping, int rank, int size)
{
    struct runs r = runs_of(mapping, size);
    while (rank >= 0 && next_run(&r))
        if (rank < r.from + r.n)
            return r.host;
    return -1;
}

bool hws_mapping_hosts(const char *mapping, int size, int *hosts)
{
    struct runs r = runs_of(mapping, size);
    while (next_run(&r))
        for (int i = 0; i < r.n; i++)
            hosts[r.from + i] = r.host;
    return r.from >= size;
}

int hws_mapping_locals(const char *mapping, int rank, int size, int *out)
{
    struct runs r = runs_of(mapping, size);
    int host = hws_mapping_host(mapping, rank, size), count = 0;
    while (host >= 0 && next_run(&r))
        for (int i = 0; r.host == host && i < r.n; i++, count++)
            if (out)
                out[count] = r.from + i;
    return r.from >= size ? count : 0;
}

/* How many ranks from this one on are on one host. */
static int run_from(const int *hosts, int size, int from)
{
    int n = 1;
    while (from + n < size && hosts[from + n] == hosts[from])
        n++;
    return n;
}

char *hws_mapping_text(const int *hosts, int size)
{
    char *text = NULL;
    size_t len;
    FILE *f = open_memstream(&text, &len);
    if (!f)
        return NULL;
    fputs("(vector", f);
    for (int i = 0, n, count; i < size; i += count * n) {
        n = run_from(hosts, size, i);
        for (count = 1; i + count * n < size && hosts[i + count * n] == hosts[i] + count &&
                        run_from(hosts, size, i + count * n) == n;
             count++)
            ;
        fprintf(f, ",(%d,%d,%d)", hosts[i], count, n);
    }
    fputc(')', f);
    bool failed = ferror(f) != 0;
    if (fclose(f) == 0 && !failed)
        return text;
    free(text);
    return NULL;
}
