/* SPDX-License-Identifier: BSD-3-Clause
 *
 * comm_hints: a bit each.
 */
#include "core/comm/comm_hints.h"

#include <string.h>

#include "core/object/info.h"

static const char *const names[] = {"mpi_assert_no_any_tag", "mpi_assert_no_any_source", "mpi_assert_exact_length",
                                    "mpi_assert_allow_overtaking", "mpi_assert_strict_persistent_collective_ordering"};
enum { N_HINTS = sizeof names / sizeof names[0] };
_Static_assert(N_HINTS <= 8 * sizeof(((struct hws_comm *)0)->hints), "a bit each");

void hws_comm_hints_set(struct hws_comm *c, const struct hws_info *info)
{
    char value[8];
    for (unsigned i = 0; info && i < N_HINTS; i++) {
        if (hws_info_get(info, names[i], value, sizeof value) < 0)
            continue;
        if (strcmp(value, "true") == 0)
            c->hints |= (uint8_t)(1u << i);
        else if (strcmp(value, "false") == 0)
            c->hints &= (uint8_t) ~(1u << i);
    }
}

struct hws_info *hws_comm_hints(const struct hws_comm *c)
{
    struct hws_info *info = hws_info_new();
    for (unsigned i = 0; info && i < N_HINTS; i++)
        if (hws_info_set(info, names[i], c->hints >> i & 1 ? "true" : "false") != MPI_SUCCESS) {
            hws_info_free(info);
            return NULL;
        }
    return info;
}
