/* SPDX-License-Identifier: BSD-3-Clause
 *
 * lifecycle: what every table of states is tested for: docs/states.md shows it as it is, and exactly these changes are
 * legal.
 */
#ifndef HWS_TESTS_LIFECYCLE_H
#define HWS_TESTS_LIFECYCLE_H

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/lifecycle.h"

static inline void hws_test_states_document(const char *table)
{
    static char document[1 << 16], path[4096];
    const char *srcdir = getenv("srcdir");
    snprintf(path, sizeof path, "%s/docs/states.md", srcdir ? srcdir : ".");
    FILE *f = fopen(path, "r");
    cr_assert_not_null(f, "%s", path);
    size_t n = fread(document, 1, sizeof document - 1, f);
    fclose(f);
    document[n] = '\0';
    cr_assert_not_null(strstr(document, table), "docs/states.md must contain:\n%s", table);
}

/* legal: "A>B B>C", every change there may be; any other is illegal. */
static inline void hws_test_lifecycle(const struct hws_lifecycle *l, const char *legal)
{
    static char table[1 << 14];
    char wanted[128], list[2048];
    size_t len = hws_lifecycle_print(l, table, sizeof table);
    cr_assert(len > 0 && len < sizeof table);
    hws_test_states_document(table);
    snprintf(list, sizeof list, " %s ", legal);
    for (unsigned from = 0; from < l->n; from++)
        for (unsigned to = 0; to < l->n; to++) {
            const char *a = hws_lifecycle_state(l, from)->name, *b = hws_lifecycle_state(l, to)->name;
            snprintf(wanted, sizeof wanted, " %s>%s ", a, b);
            cr_expect_eq(hws_lifecycle_allows(l, from, to), strstr(list, wanted) != NULL, "%s: %s to %s", l->of, a, b);
        }
}

#endif
