/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gateway: what the parts of the program hawser-gateway share: the process, the gateways of other sites, their trunks,
 * and the clients of this site. One thread, one reactor.
 */
#ifndef HWS_GATEWAY_GATEWAY_H
#define HWS_GATEWAY_GATEWAY_H

#include "gateway/bundle.h"
#include "gateway/crowd.h"
#include "gateway/sites.h"
#include "gateway/sock.h"
#include "gateway/tls.h"
#include "gateway/use.h"
#include "reactor/reactor.h"

#define RECORD_BYTES 16384  /* of TLS */
#define READ_AT_ONCE 262144 /* from a client */
#define NONCES       4096   /* prefaces remembered, so that none is taken twice */
#define PREFACE_S    120    /* and how old one may be */

/* ---- trunks ------------------------------------------------------------------------------------------------------ */

enum trunk_state { TRUNK_IDLE, TRUNK_DIALING, TRUNK_SHAKING, TRUNK_GREETING, TRUNK_UP, TRUNK_OVER, TRUNK_STATES };

extern const struct hws_lifecycle trunk_lifecycle;

struct trunk {
    struct hws_list strangers; /* in the gateway's: accepted, has not said yet whose it is; or over */
    struct gateway *gateway;
    struct remote *remote;                  /* NULL: not known yet */
    uint16_t number;                        /* of its place in the remote */
    bool is_dialed, is_blocked, is_warming; /* is_warming: `out` holds PAD */
    enum trunk_state state;                 /* written by trunk_become() only */
    struct hws_io io;
    struct hws_timer deadline;
    struct hws_timer more;      /* something was read ahead of which the socket does not tell */
    struct hws_gate_addr other; /* for messages */
    struct tls *tls;            /* NULL: the sites' file turned it off */
    bool is_known;              /* without TLS: the other end's preface was right */
    size_t in_len, out_from, out_len;
    uint64_t bytes_in, bytes_out;
    uint64_t written_ns; /* when bytes were last written */
    unsigned restarts;   /* how often the congestion window was less after an idle time */
    size_t warm_left;    /* bytes of PAD that are still to go where there is nothing else */
    uint64_t warm_until_ns;
    int unsent_max; /* bytes that may stand in the socket; found anew every few ms, while something is written */
    uint64_t looked_ns;
    struct sock_state seen; /* at that time */
    uint8_t in[RECORD_BYTES], out[RECORD_BYTES];
};

/* ---- gateways of other sites ------------------------------------------------------------------------------------- */

struct remote {
    struct gateway *gateway;
    const struct site *site;
    const struct gateway_at *at;
    struct bundle bundle;
    struct trunk *trunks[TRUNKS_MAX];
    unsigned n_up;
    bool dials, wants, is_told;
    uint64_t incarnation;
    uint64_t down_ns; /* since when no trunk is up */
    unsigned backoff_ms;
    struct hws_timer redial;
    uint64_t flows, bytes_in, bytes_out; /* of trunks that ended, too */
    uint64_t moved;                      /* bytes either way, PAD and all */
    unsigned again, restarts;            /* of trunks that ended: segments sent again, idle restarts */
    struct use use;
    struct crowd crowd;
};

/* ---- clients ----------------------------------------------------------------------------------------------------- */

enum client_state { CLIENT_ASKING, CLIENT_DIALING, CLIENT_OPEN, CLIENT_OVER, CLIENT_STATES };

extern const struct hws_lifecycle client_lifecycle;

struct client {
    struct hws_list all;
    struct gateway *gateway;
    struct flow *flow;       /* NULL while ASKING */
    enum client_state state; /* written by client_become() only */
    struct hws_io io;
    struct hws_timer deadline;
    bool read_ended, write_ended, is_full; /* is_full: the socket took no more */
    size_t got;
    uint8_t preface[HWS_PREFACE_MAX];
};

/* ---- the process ------------------------------------------------------------------------------------------------- */

struct gateway {
    struct sites sites;
    const struct site *site;
    const struct gateway_at *self;
    struct hws_reactor *reactor;
    struct tls_context *tls;
    uint8_t preface_key[HWS_PREFACE_KEY], trunk_key[HWS_PREFACE_KEY];
    struct window_pool pool;
    struct remote *remotes;
    unsigned n_remotes, n_asking;
    struct hws_list clients, strangers;
    struct hws_list over_trunks, over_clients; /* closed in this pass of the reactor, freed after it */
    struct hws_io lan, wan, signals;
    struct hws_timer tick;
    uint64_t incarnation, refused; /* connections that had not the key */
    uint8_t nonces[NONCES][HWS_PREFACE_NONCE];
    unsigned next_nonce;
    uint8_t spare[READ_AT_ONCE]; /* for what a client's flow has no memory for yet */
    bool is_verbose, is_over;
    const char *picture; /* a file; NULL: none */
    uint64_t begin_ns;   /* since 1970: when remotes_open() was called */
    bool is_of_job;      /* started by mpirun, which speaks on stdin, and ended with it */
    struct hws_io mpirun;
};

/* "hawser-gateway a1: text" on stderr. */
void gateway_say(const struct gateway *g, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* HWS_OK: the preface is of now and was never seen; HWS_EAUTH. */
int gateway_check_preface(struct gateway *g, const struct hws_preface *p);
/* A preface of now. */
void gateway_make_preface(struct hws_preface *p, const struct hws_gate_addr *from, const struct hws_gate_addr *to);

/* Counters of each other gateway, on stderr. */
void gateway_report(struct gateway *g);

/* A gateway of a job (job.c): listens, tells mpirun where, and reads the sites. HWS_OK, or an error with one line in
 * err. */
int job_meet(struct gateway *g, const char *ports, char *err, size_t err_len);
/* Tells mpirun how the ways to other sites were used. */
void job_tell_use(struct gateway *g);
/* From now on mpirun may ask for counters, and its end is the gateway's. */
void job_watch(struct gateway *g);

void remotes_open(struct gateway *g);
/* The gateway to go through to that site; NULL: the site has none. */
struct remote *remotes_to(struct gateway *g, const struct site *site);
/* The one of that name; NULL. */
struct remote *remotes_named(struct gateway *g, const struct hws_gate_hello *h);
void remote_trunk_up(struct remote *r, struct trunk *t, const struct hws_gate_hello *h);
/* A known trunk ends, its socket is still open: takes its counters over. */
void remote_count(struct remote *r, const struct trunk *t);
void remote_trunk_over(struct remote *r, struct trunk *t);
/* Sends what is to be sent, over the trunks that have room. */
void remote_flush(struct remote *r);
void remote_tick(struct remote *r, uint64_t now_ns);
/* Notes what has passed. */
void remote_sample(struct remote *r, uint64_t now_ns);
void remote_report(struct remote *r);
/* Adds what passed to and from that gateway so far. */
void remote_counts(const struct remote *r, struct hws_gate_counts *c);

/* A trunk that dials r->at, or that was accepted. NULL: no memory or no socket. */
struct trunk *trunk_dial(struct remote *r, uint16_t number);
void trunk_accept(struct gateway *g);
/* Fills, if it takes what the bundle has, and writes until the socket is full or nothing is left. */
void trunk_flush(struct trunk *t, bool takes);
/* Ends it: TRUNK_OVER. why: for the message. */
void trunk_end(struct trunk *t, const char *why);

void client_accept(struct gateway *g);
/* What the bundles call. */
extern const struct bundle_user client_user;
/* Ends all that are there, as the process does. */
void clients_close(struct gateway *g);

#endif
