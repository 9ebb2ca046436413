/* SPDX-License-Identifier: BSD-3-Clause
 *
 * params: every tuning parameter in one table: mpirun flag, HAWSER_ variable, default as text, unit, help. The library,
 * mpirun and hawser-info read the same table. A flag of mpirun becomes the variable in the ranks' environment.
 */
#ifndef HWS_BASE_PARAMS_H
#define HWS_BASE_PARAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum hws_param_kind { HWS_PARAM_SIZE, HWS_PARAM_COUNT, HWS_PARAM_MS, HWS_PARAM_US, HWS_PARAM_BOOL, HWS_PARAM_TEXT };

struct hws_params {
    char interfaces[512];     /* -i: names, CIDRs or addresses, comma separated; empty: all usable */
    bool one_host;            /* no parameter: all ranks are of this host, and no -i names what to listen on */
    uint64_t n_interfaces;    /* -ni: at most so many; 0: no bound */
    uint64_t tcp_max_frag;    /* bytes of payload in a bulk fragment, 4096 to 1 GiB */
    uint64_t tcp_eager;       /* bytes of payload in the first fragment, 0 to 16 MiB */
    uint64_t tcp_con_retries; /* failed attempts before a peer is given up, or a lane that never was is left out */
    uint64_t connect_ms;      /* deadline of one connection attempt (ms) */
    uint64_t hello_ms;        /* deadline of the hello on a connection (ms) */
    uint64_t lanes;           /* connections per pair of interfaces; 0: by the speed of the pair */
    uint64_t survive;         /* keep what is sent until it is acknowledged, go on when a lane dies (bool) */
    uint64_t crc;             /* checksum every frame (bool) */
    uint64_t silent_ms;       /* a lane whose peer's kernel acknowledges nothing for so long is given up (ms) */
    uint64_t deadline_ms;     /* all lanes gone for so long: the peer is lost (ms) */
    uint64_t init_wait_ms;    /* a wait for ranks that have not called MPI_Init; 0: for ever (ms) */
    uint64_t host_timeout_ms; /* a host from which nothing is heard for so long is lost (ms) */
    uint64_t credit;          /* bytes a peer may have unexpected here (bytes) */
    uint64_t unexpected;      /* bound of all peers' unexpected bytes (bytes) */
    uint64_t shm;             /* ranks of one host talk through shared memory (bool) */
    uint64_t shm_eager;       /* bytes of a message that goes through it whole, before its receive is known */
    uint64_t shm_single;   /* copy longer ones straight out of the sender's memory, where the kernel allows it: 0 never,
                              1 always, 2 where ranks outnumber processors or it has been quicker */
    char multicast[8];     /* "auto", "0" or "1": collectives between hosts use it */
    char wan[8];           /* to ranks of other sites: "direct", "gateway" or "auto" */
    char site[32];         /* of this host; empty: there is one site */
    char gateways[1024];   /* of all sites, "SITE=ADDR:PORT,..."; where processes of the site connect to */
    char transport[16];    /* between hosts: "tcp", "sctp" or "tcp-trc" */
    uint64_t trc_streams;  /* connections of flows at most, in all; 0: by the limit of descriptors */
    uint64_t sctp_streams; /* streams of an association that are asked for, the control stream among them */
    uint64_t sctp_heartbeat_ms;                /* between heartbeats on an idle path (ms) */
    uint64_t sctp_path_retrans;                /* timeouts in a row after which a path is given up */
    uint64_t sctp_rto_min_ms, sctp_rto_max_ms; /* bounds of the retransmission timeout (ms) */
    uint64_t sctp_auth;                        /* SCTP-AUTH where the kernel has it (bool) */
    uint64_t sctp_probe_ms;                    /* least silence before the last packets are probed for; 0: never (ms) */
    uint64_t spin_us;                          /* longest spin of a wait before it blocks (us) */
    char progress[16];                         /* "poll" or "thread" */
    char port_range[32];                       /* "" or "LOW-HIGH" */
    char coll[512];                            /* "" or "allreduce=ring,bcast=chain" (coll/select/select.h) */
    uint64_t counters;                         /* print what each lane has carried at the end (bool) */
    char trace[64];                            /* "" , "all" or a list of folders */
    char launcher_agent[256];                  /* -rsh */
    uint64_t cards_push;                       /* addresses that mpirun sends to all hosts unasked, at most (bytes) */
    uint64_t warn_wait_ms;                     /* how long mpirun holds warnings that are alike back (ms) */
    char bind_to[16];                          /* "core", "socket" or "none" */
    uint64_t checks;                           /* check arguments of MPI calls (bool) */
    uint64_t backtrace;                        /* say where a signal struck (bool) */
};

struct hws_param_row {
    const char *flag; /* without dashes, as mpirun takes it */
    const char *env;  /* HAWSER_... */
    enum hws_param_kind kind;
    const char *def;     /* default, as text */
    const char *help;    /* one line */
    size_t offset, size; /* of the field in struct hws_params */
    uint64_t min, max;   /* numbers only */
};

/* The table; *n gets the number of rows. */
const struct hws_param_row *hws_param_table(size_t *n);

/* The row whose flag is `flag` (no dashes), or NULL. */
const struct hws_param_row *hws_param_find(const char *flag);

/* Sets one field from text. On failure writes one clear line into err (names the parameter, the text and what is
 * allowed) and returns HWS_EINVAL, the field unchanged. */
int hws_param_set(struct hws_params *p, const struct hws_param_row *row, const char *text, char *err, size_t err_len);

/* Defaults, then the environment. Returns HWS_OK or HWS_EINVAL with err set as above. */
int hws_params_load(struct hws_params *p, char *err, size_t err_len);

/* The value of a row as text ("64K", "3", "poll"). Returns dst. */
char *hws_param_format(const struct hws_params *p, const struct hws_param_row *row, char *dst, size_t len);

/* Parses "64K", "1M", "2G" or plain bytes. HWS_OK or HWS_EINVAL. */
int hws_parse_size(const char *text, uint64_t *out);

#endif
