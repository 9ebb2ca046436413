/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/lifecycle.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct text {
    char *dst;
    size_t len, used; /* used: of what all would take */
};

static void add(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(struct text *t, const char *format, ...)
{
    size_t at = t->used < t->len ? t->used : t->len;
    va_list args;
    va_start(args, format);
    int n = vsnprintf(t->dst + at, t->len - at, format, args);
    va_end(args);
    t->used += n > 0 ? (size_t)n : 0;
}

static void add_heads(struct text *t, const char *columns)
{
    add(t, "| state |");
    if (columns)
        add(t, " %s |", columns);
    add(t, " may become |\n|---|");
    for (const char *at = columns; at; at = strchr(at + 1, '|'))
        add(t, "---|");
    add(t, "---|\n");
}

static void add_columns(struct text *t, const struct hws_lifecycle *l, unsigned state)
{
    char columns[128];
    if (!l->columns)
        return;
    l->show(state, columns, sizeof columns);
    add(t, " %s |", columns);
}

size_t hws_lifecycle_print(const struct hws_lifecycle *l, char *dst, size_t len)
{
    struct text t = {dst, len, 0};
    add_heads(&t, l->columns);
    for (unsigned i = 0; i < l->n; i++) {
        add(&t, "| %s |", hws_lifecycle_state(l, i)->name);
        add_columns(&t, l, i);
        for (unsigned k = 0; k < l->n; k++)
            if (hws_lifecycle_allows(l, i, k))
                add(&t, " %s", hws_lifecycle_state(l, k)->name);
        add(&t, " |\n");
    }
    add(&t, "\n");
    for (unsigned i = 0; i < l->n; i++)
        add(&t, "- %s: %s\n", hws_lifecycle_state(l, i)->name, hws_lifecycle_state(l, i)->meaning);
    return t.used;
}
