/* SPDX-License-Identifier: BSD-3-Clause
 *
 * lifecycle: the states an object may be in and what each may become, as one table. The object's state is written by
 * one function alone, its become(), which asserts hws_lifecycle_allows(). docs/states.md is printed from the tables.
 */
#ifndef HWS_BASE_LIFECYCLE_H
#define HWS_BASE_LIFECYCLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hws_lifecycle_state {
    const char *name;    /* as the enum's, without its prefix */
    const char *meaning; /* one line for the reader of docs/states.md */
    uint32_t may_become; /* bits: 1 << the state's number; 0: the last one */
};

/* rows: an array of structs that begin with a struct hws_lifecycle_state, what else belongs to a state behind it. */
struct hws_lifecycle {
    const char *of; /* "stream of tcp-trc" */
    const void *rows;
    size_t row_bytes;
    unsigned n;          /* up to 32 */
    const char *columns; /* heads of what else a row shows, as "waits for | deadline"; NULL: nothing */
    void (*show)(unsigned state, char *dst, size_t len); /* these columns of a row */
};

#define HWS_LIFECYCLE_WITH(name, table, columns, show)                                                                 \
    {                                                                                                                  \
        (name), (table), sizeof *(table), (unsigned)(sizeof(table) / sizeof *(table)), (columns), (show)               \
    }
#define HWS_LIFECYCLE(name, table) HWS_LIFECYCLE_WITH(name, table, NULL, NULL)

static inline const struct hws_lifecycle_state *hws_lifecycle_state(const struct hws_lifecycle *l, unsigned state)
{
    return (const struct hws_lifecycle_state *)(const void *)((const char *)l->rows + state * l->row_bytes);
}

static inline bool hws_lifecycle_allows(const struct hws_lifecycle *l, unsigned from, unsigned to)
{
    return hws_lifecycle_state(l, from)->may_become >> to & 1;
}

/* The table for docs/states.md, and a line for each state. Returns the length, as snprintf(). */
size_t hws_lifecycle_print(const struct hws_lifecycle *l, char *dst, size_t len);

#endif
