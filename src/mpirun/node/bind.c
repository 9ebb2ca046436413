/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bind: see the header. Ranks fill cores in hwloc's order, so that neighbours share caches; over sockets they are
 * spread in blocks of neighbours.
 */
#include "mpirun/node/bind.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "mpirun/util/buf.h"

struct hws_bind {
    const char *unit; /* "core" or "socket" */
    int n_units, n_ranks, n_cpus;
    cpu_set_t *sets; /* sets[n_units] */
    int *numbers;    /* numbers[n_units], hwloc's logical ones */
};

#ifdef HAVE_HWLOC

#include <hwloc.h>
#include <hwloc/glibc-sched.h>

/* Units of a type that hold processors of `usable`; fills b when it is not NULL. */
static int list_units(hwloc_topology_t t, hwloc_obj_type_t type, hwloc_const_cpuset_t usable, struct hws_bind *b)
{
    int n = 0;
    hwloc_bitmap_t part = hwloc_bitmap_alloc();
    for (hwloc_obj_t o = NULL; (o = hwloc_get_next_obj_by_type(t, type, o)) != NULL;) {
        hwloc_bitmap_and(part, o->cpuset, usable);
        if (hwloc_bitmap_iszero(part))
            continue;
        if (b) {
            hwloc_cpuset_to_glibc_sched_affinity(t, part, &b->sets[n], sizeof b->sets[n]);
            b->numbers[n] = (int)o->logical_index;
        }
        n++;
    }
    hwloc_bitmap_free(part);
    return n;
}

static struct hws_bind *plan(hwloc_topology_t t, hwloc_const_cpuset_t usable, bool by_core, int n_ranks,
                             const char **why)
{
    if (n_ranks > list_units(t, HWLOC_OBJ_CORE, usable, NULL)) {
        *why = "more ranks than cores";
        return NULL;
    }
    hwloc_obj_type_t type = by_core ? HWLOC_OBJ_CORE : HWLOC_OBJ_PACKAGE;
    int n = list_units(t, type, usable, NULL);
    if (n == 0) {
        *why = "the sockets of this host are not known";
        return NULL;
    }
    struct hws_bind *b = hws_xcalloc(1, sizeof *b);
    *b = (struct hws_bind){by_core ? "core" : "socket", n, n_ranks, hwloc_bitmap_weight(usable), NULL, NULL};
    b->sets = hws_xcalloc((size_t)n, sizeof *b->sets);
    b->numbers = hws_xcalloc((size_t)n, sizeof *b->numbers);
    list_units(t, type, usable, b);
    return b;
}

struct hws_bind *hws_bind_open(const char *policy, int n_ranks, const char **why)
{
    hwloc_topology_t t;
    struct hws_bind *b = NULL;
    *why = "";
    if (!policy || strcmp(policy, "none") == 0)
        return NULL;
    *why = "hwloc cannot read this host's topology";
    if (hwloc_topology_init(&t) != 0)
        return NULL;
#if HWLOC_API_VERSION >= 0x00020100
    hwloc_topology_set_flags(t, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED); /* cores keep their numbers in any cpuset */
#endif
    if (hwloc_topology_load(t) == 0) {
        hwloc_bitmap_t usable = hwloc_bitmap_alloc(); /* a batch system may have left us a part only */
        if (hwloc_get_cpubind(t, usable, HWLOC_CPUBIND_PROCESS) != 0 || hwloc_bitmap_iszero(usable))
            hwloc_bitmap_copy(usable, hwloc_topology_get_allowed_cpuset(t));
        hwloc_bitmap_and(usable, usable, hwloc_topology_get_allowed_cpuset(t));
        b = plan(t, usable, strcmp(policy, "core") == 0, n_ranks, why);
        hwloc_bitmap_free(usable);
    }
    hwloc_topology_destroy(t);
    return b;
}

#else

struct hws_bind *hws_bind_open(const char *policy, int n_ranks, const char **why)
{
    (void)n_ranks;
    *why = policy && strcmp(policy, "none") != 0 ? "built without hwloc" : "";
    return NULL;
}

#endif

void hws_bind_close(struct hws_bind *b)
{
    if (!b)
        return;
    free(b->sets);
    free(b->numbers);
    free(b);
}

const cpu_set_t *hws_bind_set(const struct hws_bind *b, int i, char *text, size_t len)
{
    int unit = b->n_units >= b->n_ranks ? i : (int)((long)i * b->n_units / b->n_ranks);
    snprintf(text, len, "%s %d", b->unit, b->numbers[unit]);
    return &b->sets[unit];
}

int hws_bind_n_cpus(const struct hws_bind *b)
{
    return b->n_cpus;
}
