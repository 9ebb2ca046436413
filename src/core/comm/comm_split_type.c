/* SPDX-License-Identifier: BSD-3-Clause
 *
 * comm_split_type: MPI_Comm_split_type (MPI 5.0 section 7.4.2). The only hardware that Hawser tells apart is the host,
 * by its name and the kernel's boot id; process sets are the two that every job has.
 */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/host.h"
#include "core/comm/comm_make.h"
#include "core/object/fail.h"
#include "core/object/info.h"
#include "core/object/world.h"

#define HW_TYPE       "mpi_hw_resource_type"
#define SHARED_MEMORY "mpi_shared_memory"

/* 62 bits that are the same on one host and differ between hosts, as two colors. */
static void host_colors(int color[2])
{
    uint64_t h = hws_host_id();
    color[0] = (int)(h & 0x7fffffff);
    color[1] = (int)(h >> 32 & 0x7fffffff);
}

/* Two rounds, because a color has 31 bits and two of 1000 hosts would share one every few thousand jobs. */
static int split_by_host(struct hws_comm *c, bool take_part, int key, struct hws_comm **out)
{
    int color[2];
    struct hws_comm *first;
    host_colors(color);
    int rc = hws_comm_split(c, take_part ? color[0] : MPI_UNDEFINED, key, &first);
    *out = NULL;
    if (rc != MPI_SUCCESS || !first)
        return rc;
    rc = hws_comm_split(first, color[1], 0, out);
    hws_comm_drop(first);
    return rc;
}

enum how { HOW_NONE, HOW_HOST, HOW_WORLD, HOW_SELF };

/* What an info object asks for. */
static enum how guided(const struct hws_info *info, bool psets)
{
    char value[64];
    if (!info)
        return HOW_NONE;
    if (hws_info_get(info, HW_TYPE, value, sizeof value) >= 0)
        return strcmp(value, SHARED_MEMORY) == 0 || strcmp(value, "hawser://host") == 0 ? HOW_HOST : HOW_NONE;
    if (!psets || hws_info_get(info, "mpi_pset_name", value, sizeof value) < 0)
        return HOW_NONE;
    return strcasecmp(value, "mpi://WORLD") == 0  ? HOW_WORLD
           : strcasecmp(value, "mpi://SELF") == 0 ? HOW_SELF
                                                  : HOW_NONE;
}

static enum how how_of(int split_type, const struct hws_info *info)
{
    switch (split_type) {
    case MPI_COMM_TYPE_SHARED:
    case MPI_COMM_TYPE_HW_UNGUIDED:
        return HOW_HOST;
    case MPI_COMM_TYPE_HW_GUIDED:
        return guided(info, false);
    case MPI_COMM_TYPE_RESOURCE_GUIDED:
        return guided(info, true);
    default:
        return HOW_NONE;
    }
}

/* Whether the hosts are a real part of the old communicator, remote groups included: else "unguided" gives nothing. */
static bool is_part(const struct hws_comm *host, const struct hws_comm *whole)
{
    return host->size != whole->size || hws_comm_peers(host)->size != hws_comm_peers(whole)->size;
}

/* Processes may differ in split_type only by MPI_UNDEFINED, so all take the same path or none. Every path begins with a
 * split over the old communicator, in which those of MPI_UNDEFINED take part too. */
int hws_comm_split_type(struct hws_comm *c, int split_type, int key, struct hws_info *info, struct hws_comm **out)
{
    enum how how = how_of(split_type, info);
    if (how == HOW_WORLD || how == HOW_SELF)
        return hws_comm_split(c, how == HOW_WORLD ? 0 : hws_world.rank, key, out);
    int rc = split_by_host(c, how == HOW_HOST, key, out);
    if (rc != MPI_SUCCESS || !*out || split_type != MPI_COMM_TYPE_HW_UNGUIDED)
        return rc;
    bool part = is_part(*out, c);
    if (part && info)
        rc = hws_info_set(info, HW_TYPE, SHARED_MEMORY);
    if (!part || rc != MPI_SUCCESS) {
        hws_comm_drop(*out);
        *out = NULL;
    }
    return rc;
}
