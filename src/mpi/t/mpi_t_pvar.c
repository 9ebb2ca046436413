/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpi_t_pvar: which performance variables there are, and their values now. The engine's own counters come first, under
 * the engine's names, then those of multicast, then the arrays of this table.
 */
#include "mpi/public.h"

#include <stddef.h>
#include <string.h>

#include "base/list.h"
#include "cast/cast.h"
#include "core/object/world.h"
#include "mpi/t/mpi_t.h"
#include "mpi/t/mpi_t_pvar.h"
#include "peer/engine.h"
#include "peer/info.h"

#define MAX_COUNTERS 64

static const char *const state_names[] = {"unused", "connecting", "connected", "lost"};
static struct MPI_ABI_T_enum peer_states = {HWS_T_ENUM_MAGIC, 4, "hawser_peer_state", state_names};

/* Of the engine's counters: what needs more than a unit. The class of the others is COUNTER. */
static const struct {
    const char *name, *desc;
    int cls;
} notes[] = {
    {"bytes_out", "bytes written to other processes, headers included", MPI_T_PVAR_CLASS_COUNTER},
    {"bytes_in", "bytes read from other processes, headers included", MPI_T_PVAR_CLASS_COUNTER},
    {"payload_out", "bytes of the messages to other processes", MPI_T_PVAR_CLASS_COUNTER},
    {"messages_out", "messages to other processes", MPI_T_PVAR_CLASS_COUNTER},
    {"messages_in", "messages from other processes", MPI_T_PVAR_CLASS_COUNTER},
    {"lanes_open", "connections that are up", MPI_T_PVAR_CLASS_LEVEL},
    {"connect_retries", "attempts to connect that failed", MPI_T_PVAR_CLASS_COUNTER},
    {"refused", "connections of strangers that were refused", MPI_T_PVAR_CLASS_COUNTER},
    {"without_credit", "short messages that went by rendezvous for want of credit", MPI_T_PVAR_CLASS_COUNTER},
    {"unexpected", "messages that came before their receive", MPI_T_PVAR_CLASS_COUNTER},
    {"unexpected_queue", "messages that wait for a receive now", MPI_T_PVAR_CLASS_LEVEL},
    {"unexpected_bytes", "bytes of messages that wait for a receive now", MPI_T_PVAR_CLASS_LEVEL},
    {"unexpected_peak", "most bytes that ever waited for a receive", MPI_T_PVAR_CLASS_HIGHWATERMARK},
    {"single_copies", "long messages in shared memory that were copied from their sender", MPI_T_PVAR_CLASS_COUNTER},
    {"double_copies", "long messages in shared memory that went through a ring", MPI_T_PVAR_CLASS_COUNTER},
    {"processors", "processors that the ranks of this host share", MPI_T_PVAR_CLASS_LEVEL},
    {"crowded", "1: the ranks of this host are too many for their processors", MPI_T_PVAR_CLASS_LEVEL},
    {"sleeps", "waits that gave the processor up", MPI_T_PVAR_CLASS_COUNTER},
};

/* Sums over the groups that this process is in; all are counters. */
struct of_multicast {
    const char *name, *desc;
    size_t offset; /* of a uint64_t in struct multicast */
};

struct multicast {
    struct hws_cast_counts groups;
    struct hws_station_counts own;
};

#define GROUPS(f) offsetof(struct multicast, groups.f)
#define OWN(f)    offsetof(struct multicast, own.f)

static const struct of_multicast of_multicast[] = {
    {"multicast_packets", "packets of messages sent by multicast, each once", GROUPS(packets)},
    {"multicast_resent", "packets sent again, to one host or to all", GROUPS(resent)},
    {"multicast_requests", "reports that came and asked for packets again", GROUPS(requests)},
    {"multicast_reports", "reports sent to those who multicast", GROUPS(reports)},
    {"multicast_received", "packets of messages that came by multicast and were new", GROUPS(received)},
    {"multicast_duplicates", "packets that came by multicast and were here already", GROUPS(duplicates)},
    {"multicast_overruns", "multicast packets dropped for want of room", GROUPS(overruns)},
    {"multicast_strange", "multicast packets dropped because they contradict what is known", GROUPS(strange)},
    {"multicast_timeouts", "times that a multicast sender heard nothing for too long", GROUPS(timeouts)},
    {"multicast_foreign", "packets with a wrong MAC, or none, at the multicast sockets", OWN(foreign)},
    {"multicast_unsent", "multicast packets that the kernel did not take", OWN(unsent)},
};

#undef GROUPS
#undef OWN

enum source { PEER, LANE, SITE, GROUP };

struct array {
    const char *name, *desc;
    int cls;
    enum source source;
    size_t offset; /* in struct hws_peer_info, hws_lane_info, hws_site_info or hws_cast_counts; a uint64_t except for
                      the state */
};

#define PEER_FIELD(f)  PEER, offsetof(struct hws_peer_info, f)
#define LANE_FIELD(f)  LANE, offsetof(struct hws_lane_info, f)
#define SITE_FIELD(f)  SITE, offsetof(struct hws_site_info, f)
#define GROUP_FIELD(f) GROUP, offsetof(struct hws_cast_counts, f)
#define COUNTER        MPI_T_PVAR_CLASS_COUNTER
#define LEVEL          MPI_T_PVAR_CLASS_LEVEL

_Static_assert(HWS_MAX_LANES == 32, "as the descriptions of lane_... say");
static const struct array arrays[] = {
    {"peer_bytes_out", "bytes written to each rank", COUNTER, PEER_FIELD(traffic.bytes_out)},
    {"peer_bytes_in", "bytes read from each rank", COUNTER, PEER_FIELD(traffic.bytes_in)},
    {"peer_payload_out", "bytes of the messages to each rank, without headers", COUNTER, PEER_FIELD(payload_out)},
    {"peer_messages_out", "messages to each rank", COUNTER, PEER_FIELD(messages_out)},
    {"peer_messages_in", "messages from each rank", COUNTER, PEER_FIELD(messages_in)},
    {"peer_connects", "connections made with each rank", COUNTER, PEER_FIELD(connects)},
    {"peer_retries", "attempts to connect to each rank that failed", COUNTER, PEER_FIELD(retries)},
    {"peer_unexpected", "messages of each rank that wait for a receive now", LEVEL, PEER_FIELD(unexpected)},
    {"peer_unexpected_bytes", "bytes of each rank's messages that wait here now, with envelopes", LEVEL,
     PEER_FIELD(unexpected_bytes)},
    {"peer_credit", "bytes that each rank still takes without a receive", LEVEL, PEER_FIELD(credit)},
    {"peer_state", "connection to each rank", MPI_T_PVAR_CLASS_STATE, PEER_FIELD(state)},
    {"lane_bytes_out", "bytes written on each lane; 32 lanes per rank", COUNTER, LANE_FIELD(traffic.bytes_out)},
    {"lane_bytes_in", "bytes read on each lane; 32 lanes per rank", COUNTER, LANE_FIELD(traffic.bytes_in)},
    {"lane_frames_out", "frames written on each lane; 32 lanes per rank", COUNTER, LANE_FIELD(traffic.frames_out)},
    {"lane_frames_in", "frames read on each lane; 32 lanes per rank", COUNTER, LANE_FIELD(traffic.frames_in)},
    {"lane_queued_bytes", "bytes that each lane has still to write; 32 lanes per rank", LEVEL,
     LANE_FIELD(queued_bytes)},
    {"peer_site_bytes_out", "bytes through the gateways to each rank's site, of all ranks", COUNTER,
     SITE_FIELD(bytes_out)},
    {"peer_site_bytes_in", "bytes through the gateways from each rank's site, of all ranks", COUNTER,
     SITE_FIELD(bytes_in)},
    {"peer_site_resent", "segments that the gateways sent again to each rank's site", COUNTER, SITE_FIELD(again)},
    {"peer_site_idle_restarts", "times that a way to each rank's site began slowly after an idle time", COUNTER,
     SITE_FIELD(restarts)},
    {"peer_site_round_trip_us", "round trip of the gateways to each rank's site, in us", LEVEL, SITE_FIELD(rtt_us)},
    {"comm_multicast_packets", "as multicast_packets, in this communicator", COUNTER, GROUP_FIELD(packets)},
    {"comm_multicast_resent", "as multicast_resent, in this communicator", COUNTER, GROUP_FIELD(resent)},
    {"comm_multicast_requests", "as multicast_requests, in this communicator", COUNTER, GROUP_FIELD(requests)},
    {"comm_multicast_reports", "as multicast_reports, in this communicator", COUNTER, GROUP_FIELD(reports)},
    {"comm_multicast_received", "as multicast_received, in this communicator", COUNTER, GROUP_FIELD(received)},
    {"comm_multicast_duplicates", "as multicast_duplicates, in this communicator", COUNTER, GROUP_FIELD(duplicates)},
    {"comm_multicast_overruns", "as multicast_overruns, in this communicator", COUNTER, GROUP_FIELD(overruns)},
    {"comm_multicast_strange", "as multicast_strange, in this communicator", COUNTER, GROUP_FIELD(strange)},
    {"comm_multicast_timeouts", "as multicast_timeouts, in this communicator", COUNTER, GROUP_FIELD(timeouts)},
};

#undef PEER_FIELD
#undef SITE_FIELD
#undef GROUP_FIELD
#undef LANE_FIELD
#undef COUNTER
#undef LEVEL

static int n_counters(void)
{
    return (int)hws_engine_counters(NULL, NULL, 0);
}

static int n_of_process(void)
{
    return n_counters() + (int)HWS_ARRAY_LEN(of_multicast);
}

int hws_t_n_pvars(void)
{
    return n_of_process() + (int)HWS_ARRAY_LEN(arrays);
}

static struct hws_t_pvar of_process(int index)
{
    struct hws_counter all[MAX_COUNTERS];
    if (index >= n_counters()) {
        const struct of_multicast *m = &of_multicast[index - n_counters()];
        return (struct hws_t_pvar){
            .name = m->name, .desc = m->desc, .cls = MPI_T_PVAR_CLASS_COUNTER, .per_rank = 1, .is_counter = true};
    }
    hws_engine_counters(NULL, all, MAX_COUNTERS);
    struct hws_t_pvar v = {
        .name = all[index].name, .desc = all[index].unit, .cls = MPI_T_PVAR_CLASS_COUNTER, .per_rank = 1};
    for (size_t i = 0; i < HWS_ARRAY_LEN(notes); i++)
        if (strcmp(notes[i].name, v.name) == 0) {
            v.desc = notes[i].desc;
            v.cls = notes[i].cls;
        }
    v.is_counter = v.cls == MPI_T_PVAR_CLASS_COUNTER;
    return v;
}

bool hws_t_pvar(int index, struct hws_t_pvar *out)
{
    if (index < 0 || index >= hws_t_n_pvars())
        return false;
    if (index < n_of_process()) {
        *out = of_process(index);
        return true;
    }
    const struct array *a = &arrays[index - n_of_process()];
    *out = (struct hws_t_pvar){.name = a->name,
                               .desc = a->desc,
                               .cls = a->cls,
                               .of_comm = true,
                               .per_rank = a->source == LANE    ? HWS_MAX_LANES
                                           : a->source == GROUP ? 0
                                                                : 1,
                               .is_counter = a->cls == MPI_T_PVAR_CLASS_COUNTER,
                               .states = a->cls == MPI_T_PVAR_CLASS_STATE ? &peer_states : MPI_T_ENUM_NULL};
    return true;
}

const char *hws_t_pvar_name(int index)
{
    struct hws_t_pvar v = {.name = ""};
    hws_t_pvar(index, &v);
    return v.name;
}

/* ---- values ---- */

static uint64_t field(const void *info, const struct array *a)
{
    uint64_t value;
    memcpy(&value, (const char *)info + a->offset, sizeof value);
    return value;
}

static void sample_lanes(const struct array *a, int peer, uint64_t *out)
{
    struct hws_lane_info lanes[HWS_MAX_LANES];
    size_t n = hws_engine_lanes(hws_world.engine, peer, lanes, HWS_MAX_LANES);
    for (size_t i = 0; i < HWS_MAX_LANES; i++)
        out[i] = i < n ? field(&lanes[i], a) : 0;
}

static void sample_array(const struct array *a, const int *peers, int n, uint64_t *out)
{
    struct hws_peer_info info;
    struct hws_site_info site;
    int step = a->source == LANE ? HWS_MAX_LANES : 1;
    for (int i = 0; i < n; i += step) {
        if (a->source == LANE) {
            sample_lanes(a, peers[i / step], out + i);
            continue;
        }
        if (a->source == SITE) {
            hws_engine_site_info(hws_world.engine, peers[i], &site);
            out[i] = field(&site, a);
            continue;
        }
        hws_engine_peer_info(hws_world.engine, peers[i], &info);
        out[i] = a->cls == MPI_T_PVAR_CLASS_STATE ? (uint64_t)info.state : field(&info, a);
    }
}

static uint64_t sample_multicast(const struct of_multicast *m)
{
    struct multicast now;
    uint64_t value;
    hws_cast_count(&now.groups, &now.own);
    memcpy(&value, (const char *)&now + m->offset, sizeof value);
    return value;
}

static void sample_of_comm(const struct array *a, const struct hws_t_bound *b, uint64_t *out)
{
    if (a->source != GROUP) {
        sample_array(a, b->peers, b->n, out);
        return;
    }
    struct hws_cast_counts counts = hws_cast_count_of(b->ctx);
    *out = field(&counts, a);
}

void hws_t_pvar_sample(int index, const struct hws_t_bound *b, uint64_t *out)
{
    struct hws_counter all[MAX_COUNTERS];
    struct hws_engine *e = hws_world.engine;
    memset(out, 0, (size_t)b->n * sizeof *out);
    if (!e)
        return;
    hws_engine_lock(e);
    if (index >= n_of_process()) {
        sample_of_comm(&arrays[index - n_of_process()], b, out);
    } else if (index >= n_counters()) {
        *out = sample_multicast(&of_multicast[index - n_counters()]);
    } else {
        hws_engine_counters(e, all, MAX_COUNTERS);
        *out = all[index].value;
    }
    hws_engine_unlock(e);
}

/* ---- queries ---- */

int PMPI_T_pvar_get_num(int *num_pvar)
{
    if (!hws_t_is_up())
        return MPI_T_ERR_NOT_INITIALIZED;
    if (!num_pvar)
        return MPI_T_ERR_INVALID;
    *num_pvar = hws_t_n_pvars();
    return MPI_SUCCESS;
}
HWS_MPI(T_pvar_get_num)

int PMPI_T_pvar_get_info(int pvar_index, char *name, int *name_len, int *verbosity, int *var_class,
                         MPI_Datatype *datatype, MPI_T_enum *enumtype, char *desc, int *desc_len, int *bind,
                         int *readonly, int *continuous, int *atomic)
{
    struct hws_t_pvar v;
    if (!hws_t_is_up())
        return MPI_T_ERR_NOT_INITIALIZED;
    if (!hws_t_pvar(pvar_index, &v))
        return MPI_T_ERR_INVALID_INDEX;
    hws_t_give_text(v.name, name, name_len);
    hws_t_give_text(v.desc, desc, desc_len);
    hws_t_give_int(v.of_comm ? MPI_T_VERBOSITY_USER_DETAIL : MPI_T_VERBOSITY_USER_BASIC, verbosity);
    hws_t_give_int(v.cls, var_class);
    if (datatype)
        *datatype = v.states ? MPI_INT : MPI_UNSIGNED_LONG_LONG;
    if (enumtype)
        *enumtype = v.states;
    hws_t_give_int(v.of_comm ? MPI_T_BIND_MPI_COMM : MPI_T_BIND_NO_OBJECT, bind);
    hws_t_give_int(!v.is_counter, readonly);
    hws_t_give_int(!v.of_comm || !v.is_counter, continuous);
    hws_t_give_int(v.is_counter, atomic);
    return MPI_SUCCESS;
}
HWS_MPI(T_pvar_get_info)

int PMPI_T_pvar_get_index(const char *name, int var_class, int *pvar_index)
{
    struct hws_t_pvar v;
    if (!hws_t_is_up())
        return MPI_T_ERR_NOT_INITIALIZED;
    if (!name || !pvar_index)
        return MPI_T_ERR_INVALID;
    for (int i = 0; hws_t_pvar(i, &v); i++)
        if (strcmp(v.name, name) == 0 && v.cls == var_class) {
            *pvar_index = i;
            return MPI_SUCCESS;
        }
    return MPI_T_ERR_INVALID_NAME;
}
HWS_MPI(T_pvar_get_index)
