/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpi_t_event_kinds: which events there are, what is in them, and who raises them (MPI 5.0 section 15.3.8). The index
 * of an event is the engine's enum hws_event_kind. Ranks are those of MPI_COMM_WORLD.
 */
#include "mpi/public.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>

#include "base/clock.h"
#include "base/list.h"
#include "core/object/info.h"
#include "mpi/t/mpi_t.h"
#include "mpi/t/mpi_t_event.h"

#define INT(f)                                                                                                         \
    {                                                                                                                  \
        MPI_INT, offsetof(struct hws_event, f)                                                                         \
    }
#define LONG(f)                                                                                                        \
    {                                                                                                                  \
        MPI_UNSIGNED_LONG_LONG, offsetof(struct hws_event, f)                                                          \
    }

static const struct hws_t_element lane_elements[] = {INT(peer), INT(lane)};
static const struct hws_t_element lane_lost_elements[] = {INT(peer), INT(lane), INT(why)};
static const struct hws_t_element peer_lost_elements[] = {INT(peer), INT(why)};
static const struct hws_t_element unexpected_elements[] = {INT(peer), INT(tag), LONG(bytes), LONG(queued)};
static const struct hws_t_element no_credit_elements[] = {INT(peer), INT(tag), LONG(bytes)};

static const char *const lane_names[] = {"rank", "lane"};
static const char *const lane_lost_names[] = {"rank", "lane", "error"};
static const char *const peer_lost_names[] = {"rank", "error"};
static const char *const unexpected_names[] = {"rank", "tag", "bytes", "queue_length"};
static const char *const no_credit_names[] = {"rank", "tag", "bytes"};

#undef INT
#undef LONG

#define NAMES(what)                                                                                                    \
    {                                                                                                                  \
        HWS_T_ENUM_MAGIC, (int)HWS_ARRAY_LEN(what##_names), "hawser_" #what "_elements", what##_names                  \
    }

static struct MPI_ABI_T_enum lane_enum = NAMES(lane), lane_lost_enum = NAMES(lane_lost),
                             peer_lost_enum = NAMES(peer_lost), unexpected_enum = NAMES(unexpected),
                             no_credit_enum = NAMES(no_credit);

#undef NAMES

#define ELEMENTS(what) (int)HWS_ARRAY_LEN(what##_elements), what##_elements, &what##_enum

static const struct hws_t_event_kind kinds[HWS_N_EVENTS] = {
    [HWS_EVENT_LANE_OPENED] = {"hawser_lane_opened", "a connection to a rank is up", ELEMENTS(lane)},
    [HWS_EVENT_LANE_LOST] = {"hawser_lane_lost", "a connection to a rank broke", ELEMENTS(lane_lost)},
    [HWS_EVENT_LANE_RETURNED] = {"hawser_lane_returned", "a connection that had been lost is up again", ELEMENTS(lane)},
    [HWS_EVENT_PEER_LOST] = {"hawser_peer_lost", "a rank cannot be reached any more", ELEMENTS(peer_lost)},
    [HWS_EVENT_UNEXPECTED] = {"hawser_unexpected", "a message came before its receive and was queued",
                              ELEMENTS(unexpected)},
    [HWS_EVENT_NO_CREDIT] = {"hawser_without_credit", "a short message went by rendezvous for want of credit",
                             ELEMENTS(no_credit)},
};

#undef ELEMENTS

const struct hws_t_event_kind *hws_t_event_kind(int index)
{
    return index >= 0 && index < HWS_N_EVENTS ? &kinds[index] : NULL;
}

int hws_t_n_events(void)
{
    return HWS_N_EVENTS;
}

const char *hws_t_event_name(int index)
{
    return kinds[index].name;
}

static size_t size_of(const struct hws_t_element *e)
{
    return e->type == MPI_INT ? sizeof(int) : sizeof(unsigned long long);
}

MPI_Aint hws_t_event_displacement(const struct hws_t_event_kind *k, int i)
{
    size_t at = 0;
    for (int j = 0; j <= i; j++) {
        size_t size = size_of(&k->elements[j]);
        at = (at + size - 1) / size * size;
        if (j < i)
            at += size;
    }
    return (MPI_Aint)at;
}

void hws_t_event_element(const struct hws_t_event_kind *k, int i, const struct hws_event *ev, void *dst)
{
    memcpy(dst, (const char *)ev + k->elements[i].offset, size_of(&k->elements[i]));
}

/* ---- queries ---- */

int PMPI_T_event_get_num(int *num_events)
{
    if (!hws_t_is_up())
        return MPI_T_ERR_NOT_INITIALIZED;
    if (!num_events)
        return MPI_T_ERR_INVALID;
    *num_events = HWS_N_EVENTS;
    return MPI_SUCCESS;
}
HWS_MPI(T_event_get_num)

int PMPI_T_event_get_index(const char *name, int *event_index)
{
    if (!hws_t_is_up())
        return MPI_T_ERR_NOT_INITIALIZED;
    if (!name || !event_index)
        return MPI_T_ERR_INVALID;
    for (int i = 0; i < HWS_N_EVENTS; i++)
        if (strcmp(kinds[i].name, name) == 0) {
            *event_index = i;
            return MPI_SUCCESS;
        }
    return MPI_T_ERR_INVALID_NAME;
}
HWS_MPI(T_event_get_index)

static int give_empty_info(MPI_Info *info)
{
    if (!info)
        return MPI_SUCCESS;
    struct hws_info *i = hws_info_new();
    if (!i)
        return MPI_T_ERR_MEMORY;
    *info = hws_info_handle(i);
    return MPI_SUCCESS;
}

/* num_elements: the room in both arrays, then how many there are. */
static void give_elements(const struct hws_t_event_kind *k, MPI_Datatype types[], MPI_Aint displacements[], int *n)
{
    if (!n)
        return;
    for (int i = 0; i < k->n_elements && i < *n; i++) {
        if (types)
            types[i] = k->elements[i].type;
        if (displacements)
            displacements[i] = hws_t_event_displacement(k, i);
    }
    *n = k->n_elements;
}

int PMPI_T_event_get_info(int event_index, char *name, int *name_len, int *verbosity, MPI_Datatype array_of_datatypes[],
                          MPI_Aint array_of_displacements[], int *num_elements, MPI_T_enum *enumtype, MPI_Info *info,
                          char *desc, int *desc_len, int *bind)
{
    const struct hws_t_event_kind *k = hws_t_event_kind(event_index);
    if (!hws_t_is_up())
        return MPI_T_ERR_NOT_INITIALIZED;
    if (!k)
        return MPI_T_ERR_INVALID_INDEX;
    hws_t_give_text(k->name, name, name_len);
    hws_t_give_text(k->desc, desc, desc_len);
    hws_t_give_int(MPI_T_VERBOSITY_USER_BASIC, verbosity);
    give_elements(k, array_of_datatypes, array_of_displacements, num_elements);
    if (enumtype)
        *enumtype = k->names;
    hws_t_give_int(MPI_T_BIND_NO_OBJECT, bind);
    return give_empty_info(info);
}
HWS_MPI(T_event_get_info)

/* ---- sources: one, the engine ---- */

static int check_source(int index)
{
    if (!hws_t_is_up())
        return MPI_T_ERR_NOT_INITIALIZED;
    return index == 0 ? MPI_SUCCESS : MPI_T_ERR_INVALID_INDEX;
}

int PMPI_T_source_get_num(int *num_sources)
{
    if (!hws_t_is_up())
        return MPI_T_ERR_NOT_INITIALIZED;
    if (!num_sources)
        return MPI_T_ERR_INVALID;
    *num_sources = 1;
    return MPI_SUCCESS;
}
HWS_MPI(T_source_get_num)

int PMPI_T_source_get_info(int source_index, char *name, int *name_len, char *desc, int *desc_len,
                           MPI_T_source_order *ordering, MPI_Count *ticks_per_second, MPI_Count *max_ticks,
                           MPI_Info *info)
{
    int rc = check_source(source_index);
    if (rc != MPI_SUCCESS)
        return rc;
    hws_t_give_text("hawser_engine", name, name_len);
    hws_t_give_text("what moves the messages of this process", desc, desc_len);
    if (ordering)
        *ordering = MPI_T_SOURCE_ORDERED;
    if (ticks_per_second)
        *ticks_per_second = 1000000000;
    if (max_ticks)
        *max_ticks = INT64_MAX;
    return give_empty_info(info);
}
HWS_MPI(T_source_get_info)

int PMPI_T_source_get_timestamp(int source_index, MPI_Count *timestamp)
{
    int rc = check_source(source_index);
    if (rc != MPI_SUCCESS || !timestamp)
        return rc ? rc : MPI_T_ERR_INVALID;
    *timestamp = (MPI_Count)hws_clock_ns();
    return MPI_SUCCESS;
}
HWS_MPI(T_source_get_timestamp)
