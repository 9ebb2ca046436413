/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpirun/cli/near.h"

#include <stdbool.h>
#include <string.h>

/* Letters to change, add, leave out or exchange with the next until a is b. MOST for what has no room below. */
static unsigned distance(const char *a, size_t len, const char *b)
{
    enum { MOST = 32 };
    unsigned rows[3][MOST + 1];
    size_t n = strlen(b);
    if (n > MOST || len > MOST)
        return MOST;
    for (size_t j = 0; j <= n; j++)
        rows[0][j] = (unsigned)j;
    for (size_t i = 1; i <= len; i++) {
        unsigned *now = rows[i % 3], *before = rows[(i + 2) % 3], *twice = rows[(i + 1) % 3];
        now[0] = (unsigned)i;
        for (size_t j = 1; j <= n; j++) {
            unsigned best = before[j - 1] + (a[i - 1] != b[j - 1]);
            best = before[j] + 1 < best ? before[j] + 1 : best;
            best = now[j - 1] + 1 < best ? now[j - 1] + 1 : best;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && twice[j - 2] + 1 < best)
                best = twice[j - 2] + 1;
            now[j] = best;
        }
    }
    return rows[len % 3][n];
}

unsigned hws_flag_distance(const char *name, size_t len, const char *known)
{
    size_t n = strlen(known);
    bool begins_alike = known[0] == name[0];
    unsigned most = len < 4 ? 1 : len < 8 ? 2 : 3, d = distance(name, len, known);
    if (d > most || n < 2 || (!begins_alike && (n == 2 || len <= 2)))
        return HWS_FLAG_FAR;
    return 2 * d + !begins_alike;
}
