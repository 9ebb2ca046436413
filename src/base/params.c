/* SPDX-License-Identifier: BSD-3-Clause
 *
 * params: the table of parameters and its parser. Owns no state; the caller owns struct hws_params.
 */
#include "base/params.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/errors.h"
#include "base/list.h"

#define FIELD(f) offsetof(struct hws_params, f), sizeof(((struct hws_params *)0)->f)
#define KIB      1024ull
#define MIB      (1024 * KIB)
#define GIB      (1024 * MIB)

static const struct hws_param_row table[] = {
    {"i", "HAWSER_I", HWS_PARAM_TEXT, "", "interfaces to use: names, CIDRs or addresses, comma separated",
     FIELD(interfaces), 0, 0},
    {"ni", "HAWSER_NI", HWS_PARAM_COUNT, "0", "use at most so many interfaces (0: all usable)", FIELD(n_interfaces), 0,
     64},
    {"tcpmaxfrag", "HAWSER_TCPMAXFRAG", HWS_PARAM_SIZE, "1M", "largest bulk fragment", FIELD(tcp_max_frag), 4 * KIB,
     GIB},
    {"tcpeagersend", "HAWSER_TCPEAGERSEND", HWS_PARAM_SIZE, "16K", "data sent before a matching receive is known",
     FIELD(tcp_eager), 0, 16 * MIB},
    {"tcpconretries", "HAWSER_TCPCONRETRIES", HWS_PARAM_COUNT, "3", "failed attempts before a peer is given up",
     FIELD(tcp_con_retries), 1, 60000},
    {"tcpconnect", "HAWSER_TCPCONNECT", HWS_PARAM_MS, "3000", "deadline of one connection attempt", FIELD(connect_ms),
     10, 3600000},
    {"tcphello", "HAWSER_TCPHELLO", HWS_PARAM_MS, "10000", "deadline of the hello on a new connection", FIELD(hello_ms),
     10, 3600000},
    {"lanes", "HAWSER_LANES", HWS_PARAM_COUNT, "0", "connections per pair of interfaces (0: by their speed)",
     FIELD(lanes), 0, 8},
    {"survive", "HAWSER_SURVIVE", HWS_PARAM_BOOL, "1", "keep messages until acknowledged, go on when a connection dies",
     FIELD(survive), 0, 1},
    {"crc", "HAWSER_CRC", HWS_PARAM_BOOL, "0", "checksum every frame end to end (CRC32C)", FIELD(crc), 0, 1},
    {"tcpsilent", "HAWSER_TCPSILENT", HWS_PARAM_MS, "1000", "give up a connection on which nothing is acknowledged",
     FIELD(silent_ms), 100, 3600000},
    {"tcpdeadline", "HAWSER_TCPDEADLINE", HWS_PARAM_MS, "20000", "give up a peer to which no connection comes about",
     FIELD(deadline_ms), 100, 86400000},
    {"hosttimeout", "HAWSER_HOSTTIMEOUT", HWS_PARAM_MS, "30000", "give up a host from which nothing is heard",
     FIELD(host_timeout_ms), 100, 86400000},
    {"initwait", "HAWSER_INITWAIT", HWS_PARAM_MS, "300000",
     "under other launchers, end the job when ranks have not called MPI_Init for so long (0: never)",
     FIELD(init_wait_ms), 0, 86400000},
    {"credit", "HAWSER_CREDIT", HWS_PARAM_SIZE, "1M", "unexpected data one peer may leave here", FIELD(credit), 4 * KIB,
     GIB},
    {"unexpected", "HAWSER_UNEXPECTED", HWS_PARAM_SIZE, "32M", "unexpected data all peers may leave here",
     FIELD(unexpected), 64 * KIB, 64 * GIB},
    {"shm", "HAWSER_SHM", HWS_PARAM_BOOL, "1", "shared memory between the ranks of a host", FIELD(shm), 0, 1},
    {"shmeager", "HAWSER_SHMEAGER", HWS_PARAM_SIZE, "16K", "the same as tcpeagersend, in shared memory",
     FIELD(shm_eager), 0, 16 * MIB},
    {"shmsinglecopy", "HAWSER_SHMSINGLECOPY", HWS_PARAM_COUNT, "2",
     "copy long messages straight from the sender's memory: 0 never, 1 always, 2 where it is quicker",
     FIELD(shm_single), 0, 2},
    {"transport", "HAWSER_TRANSPORT", HWS_PARAM_TEXT, "tcp",
     "what carries messages between hosts: tcp, sctp or tcp-trc", FIELD(transport), 0, 0},
    {"wan", "HAWSER_WAN_WAY", HWS_PARAM_TEXT, "auto",
     "how ranks reach those of other sites: direct, gateway, or auto (by measurement)", FIELD(wan), 0, 0},
    {"site", "HAWSER_SITE", HWS_PARAM_TEXT, "", "the site of this host; mpirun sets it from the host file", FIELD(site),
     0, 0},
    {"gateways", "HAWSER_GATEWAYS", HWS_PARAM_TEXT, "",
     "gateways of all sites, SITE=ADDRESS:PORT,...; mpirun sets it when it has started them", FIELD(gateways), 0, 0},
    {"multicast", "HAWSER_MULTICAST", HWS_PARAM_TEXT, "auto",
     "collectives between hosts by multicast: auto, 0 never, 1 wherever it reaches all hosts", FIELD(multicast), 0, 0},
    {"trcstreams", "HAWSER_TRCSTREAMS", HWS_PARAM_COUNT, "0",
     "connections of tcp-trc's streams at most (0: half of the descriptors)", FIELD(trc_streams), 0, 1000000},
    {"sctpstreams", "HAWSER_SCTPSTREAMS", HWS_PARAM_COUNT, "64", "streams of an SCTP association", FIELD(sctp_streams),
     2, 1024},
    {"sctpheartbeat", "HAWSER_SCTPHEARTBEAT", HWS_PARAM_MS, "500", "interval of heartbeats on an idle path of SCTP",
     FIELD(sctp_heartbeat_ms), 50, 3600000},
    {"sctppathretrans", "HAWSER_SCTPPATHRETRANS", HWS_PARAM_COUNT, "2", "timeouts in a row that give up a path of SCTP",
     FIELD(sctp_path_retrans), 0, 100},
    {"sctprtomin", "HAWSER_SCTPRTOMIN", HWS_PARAM_MS, "200", "shortest timeout before SCTP sends again",
     FIELD(sctp_rto_min_ms), 10, 60000},
    {"sctprtomax", "HAWSER_SCTPRTOMAX", HWS_PARAM_MS, "1000", "longest timeout before SCTP sends again",
     FIELD(sctp_rto_max_ms), 10, 60000},
    {"sctpauth", "HAWSER_SCTPAUTH", HWS_PARAM_BOOL, "0",
     "a MAC in every packet of SCTP that carries data (SCTP-AUTH), where the kernel has it", FIELD(sctp_auth), 0, 1},
    {"sctpprobe", "HAWSER_SCTPPROBE", HWS_PARAM_MS, "20",
     "silence after which SCTP's last packets are asked for before a timeout (0: never)", FIELD(sctp_probe_ms), 0,
     60000},
    {"spin", "HAWSER_SPIN", HWS_PARAM_US, "100", "longest spin of a wait before it blocks", FIELD(spin_us), 0, 1000000},
    {"progress", "HAWSER_PROGRESS", HWS_PARAM_TEXT, "poll", "who moves messages: poll (calls) or thread",
     FIELD(progress), 0, 0},
    {"bind-to", "HAWSER_BIND_TO", HWS_PARAM_TEXT, "none", "what mpirun binds each rank to: core, socket or none",
     FIELD(bind_to), 0, 0},
    {"portrange", "HAWSER_PORTRANGE", HWS_PARAM_TEXT, "", "ports to listen on, LOW-HIGH (empty: any)",
     FIELD(port_range), 0, 0},
    {"rsh", "HAWSER_RSH", HWS_PARAM_TEXT, "ssh", "command that starts a program on another host", FIELD(launcher_agent),
     0, 0},
    {"cardspush", "HAWSER_CARDSPUSH", HWS_PARAM_SIZE, "32M",
     "addresses that mpirun sends to all hosts unasked, in all; beyond, hosts ask", FIELD(cards_push), 0, 64 * GIB},
    {"warnwait", "HAWSER_WARNWAIT", HWS_PARAM_MS, "1000",
     "how long mpirun holds a warning of a lane or of a silent rank, to join it with equal ones of other ranks",
     FIELD(warn_wait_ms), 0, 3600000},
    {"coll", "HAWSER_COLL", HWS_PARAM_TEXT, "", "algorithms to force: OPERATION=ALGORITHM, comma separated",
     FIELD(coll), 0, 0},
    {"counters", "HAWSER_COUNTERS", HWS_PARAM_BOOL, "0",
     "print the counters of every lane at the end, as mpirun -v does", FIELD(counters), 0, 1},
    {"trace", "HAWSER_TRACE", HWS_PARAM_TEXT, "", "folders to trace on stderr, or all", FIELD(trace), 0, 0},
    {"checks", "HAWSER_CHECKS", HWS_PARAM_BOOL, "1", "check the arguments of MPI calls", FIELD(checks), 0, 1},
    {"backtrace", "HAWSER_BACKTRACE", HWS_PARAM_BOOL, "1",
     "a rank that a signal kills says in which calls; not of signals that the program handles", FIELD(backtrace), 0, 1},
};

static const char *const unit_names[] = {"size", "number", "milliseconds", "microseconds", "0 or 1", "text"};

const struct hws_param_row *hws_param_table(size_t *n)
{
    *n = HWS_ARRAY_LEN(table);
    return table;
}

const struct hws_param_row *hws_param_find(const char *flag)
{
    for (size_t i = 0; i < HWS_ARRAY_LEN(table); i++)
        if (strcmp(table[i].flag, flag) == 0)
            return &table[i];
    return NULL;
}

int hws_parse_size(const char *text, uint64_t *out)
{
    if (!isdigit((unsigned char)text[0]))
        return HWS_EINVAL;
    char *end;
    unsigned long long v = strtoull(text, &end, 10);
    unsigned shift = 0;
    switch (toupper((unsigned char)*end)) {
    case 'K':
        shift = 10;
        break;
    case 'M':
        shift = 20;
        break;
    case 'G':
        shift = 30;
        break;
    case '\0':
        break;
    default:
        return HWS_EINVAL;
    }
    if (shift)
        end++;
    if (*end || v > (UINT64_MAX >> shift))
        return HWS_EINVAL;
    *out = (uint64_t)v << shift;
    return HWS_OK;
}

static char *format_number(enum hws_param_kind kind, uint64_t v, char *dst, size_t len)
{
    static const struct {
        uint64_t unit;
        char letter;
    } steps[] = {{GIB, 'G'}, {MIB, 'M'}, {KIB, 'K'}};
    for (size_t i = 0; kind == HWS_PARAM_SIZE && v && i < HWS_ARRAY_LEN(steps); i++)
        if (v % steps[i].unit == 0) {
            snprintf(dst, len, "%" PRIu64 "%c", v / steps[i].unit, steps[i].letter);
            return dst;
        }
    snprintf(dst, len, "%" PRIu64, v);
    return dst;
}

static int set_number(struct hws_params *p, const struct hws_param_row *row, const char *text, char *err,
                      size_t err_len)
{
    uint64_t v = 0;
    char low[32], high[32];
    bool is_plain = text[0] && strspn(text, "0123456789") == strlen(text);
    int rc = row->kind == HWS_PARAM_SIZE || is_plain ? hws_parse_size(text, &v) : HWS_EINVAL;
    if (rc == HWS_OK && v >= row->min && v <= row->max) {
        memcpy((char *)p + row->offset, &v, sizeof v);
        return HWS_OK;
    }
    snprintf(err, err_len, "-%s (%s): '%s' is not a %s from %s to %s", row->flag, row->env, text, unit_names[row->kind],
             format_number(row->kind, row->min, low, sizeof low),
             format_number(row->kind, row->max, high, sizeof high));
    return HWS_EINVAL;
}

int hws_param_set(struct hws_params *p, const struct hws_param_row *row, const char *text, char *err, size_t err_len)
{
    if (row->kind != HWS_PARAM_TEXT)
        return set_number(p, row, text, err, err_len);
    if (strlen(text) >= row->size) {
        snprintf(err, err_len, "-%s (%s): text longer than %zu characters", row->flag, row->env, row->size - 1);
        return HWS_EINVAL;
    }
    if (strcmp(row->flag, "progress") == 0 && strcmp(text, "poll") != 0 && strcmp(text, "thread") != 0) {
        snprintf(err, err_len, "-%s (%s): '%s' is neither poll nor thread", row->flag, row->env, text);
        return HWS_EINVAL;
    }
    if (strcmp(row->flag, "bind-to") == 0 && strcmp(text, "core") != 0 && strcmp(text, "socket") != 0 &&
        strcmp(text, "none") != 0) {
        snprintf(err, err_len, "-%s (%s): '%s' is neither core, socket nor none", row->flag, row->env, text);
        return HWS_EINVAL;
    }
    if (strcmp(row->flag, "multicast") == 0 && strcmp(text, "auto") != 0 && strcmp(text, "0") != 0 &&
        strcmp(text, "1") != 0) {
        snprintf(err, err_len, "-%s (%s): '%s' is neither auto, 0 nor 1", row->flag, row->env, text);
        return HWS_EINVAL;
    }
    if (strcmp(row->flag, "wan") == 0 && strcmp(text, "direct") != 0 && strcmp(text, "gateway") != 0 &&
        strcmp(text, "auto") != 0) {
        snprintf(err, err_len, "-%s (%s): '%s' is neither direct, gateway nor auto", row->flag, row->env, text);
        return HWS_EINVAL;
    }
    if (strcmp(row->flag, "transport") == 0 && strcmp(text, "tcp") != 0 && strcmp(text, "sctp") != 0 &&
        strcmp(text, "tcp-trc") != 0) {
        snprintf(err, err_len, "-%s (%s): '%s' is neither tcp, sctp nor tcp-trc", row->flag, row->env, text);
        return HWS_EINVAL;
    }
    memcpy((char *)p + row->offset, text, strlen(text) + 1);
    return HWS_OK;
}

int hws_params_load(struct hws_params *p, char *err, size_t err_len)
{
    memset(p, 0, sizeof *p);
    for (size_t i = 0; i < HWS_ARRAY_LEN(table); i++) {
        int rc = hws_param_set(p, &table[i], table[i].def, err, err_len);
        if (rc != HWS_OK)
            return rc;
        const char *text = getenv(table[i].env);
        if (text && (*text || table[i].kind != HWS_PARAM_TEXT) &&
            (rc = hws_param_set(p, &table[i], text, err, err_len)) != HWS_OK)
            return rc;
    }
    return HWS_OK;
}

char *hws_param_format(const struct hws_params *p, const struct hws_param_row *row, char *dst, size_t len)
{
    if (row->kind == HWS_PARAM_TEXT) {
        snprintf(dst, len, "%s", (const char *)p + row->offset);
        return dst;
    }
    uint64_t v;
    memcpy(&v, (const char *)p + row->offset, sizeof v);
    return format_number(row->kind, v, dst, len);
}
