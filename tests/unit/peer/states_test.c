/* SPDX-License-Identifier: BSD-3-Clause
 *
 * states_test: docs/states.md holds the table of states as the code has it.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "peer/priv.h"

Test(states, the_document_shows_the_table_of_the_code)
{
    static char table[8192], document[16384], path[4096];
    const char *srcdir = getenv("srcdir");
    size_t len = hws_socket_states_print(table, sizeof table);
    cr_assert(len > 0 && len < sizeof table);
    snprintf(path, sizeof path, "%s/docs/states.md", srcdir ? srcdir : ".");
    FILE *f = fopen(path, "r");
    cr_assert_not_null(f, "%s", path);
    size_t n = fread(document, 1, sizeof document - 1, f);
    fclose(f);
    document[n] = '\0';
    cr_assert_not_null(strstr(document, table), "docs/states.md must contain:\n%s", table);
}
