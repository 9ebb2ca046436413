/* SPDX-License-Identifier: BSD-3-Clause
 *
 * spec: all that one node needs to know to start its ranks. mpirun fills it for its own host and sends it to the
 * daemons of the others.
 */
#ifndef HWS_MPIRUN_SPEC_H
#define HWS_MPIRUN_SPEC_H

#include <stdbool.h>
#include <stdint.h>

#define HWS_JOB_NAME_MAX 64
#define HWS_SECRET_BYTES 32
#define HWS_BIND_SAY_VAR "HAWSER_SAY_BINDING" /* have each node say on stderr where its ranks run */
#define HWS_COOKIE_VAR   "HAWSER_JOB"         /* marks every process of a job on a node: JOB/NODE/ */

struct hws_app {
    char **argv;       /* NULL at the end, argv[0] as the user wrote it */
    char *wdir;        /* absolute; NULL: spec->cwd */
    char *path;        /* -path: where to look for the program first; or NULL */
    char **env;        /* VAR=VALUE of this program alone, NULL at the end */
    bool takes_listed; /* of spec->env only the variables named in `listed`, and Hawser's own */
    char **listed;     /* NULL at the end; NULL: none */
};

#define HWS_STDIN_ALL (-2)

struct hws_spec_rank {
    int rank, app;
};

struct hws_spec {
    char job[HWS_JOB_NAME_MAX]; /* name of the key space; unique */
    uint64_t id;                /* the job's number everywhere else, as in the ranks' hello: hws_pmi_id_of_job() */
    unsigned char secret[HWS_SECRET_BYTES];
    int size;          /* ranks of the job */
    int universe_size; /* slots of the job */
    int node;          /* number of this host in the job */
    int stdin_rank;    /* the rank that gets stdin; -1: none; HWS_STDIN_ALL */
    char *mapping;     /* which ranks share a host (launch/mapping.h); NULL: not known */
    char *cwd;
    char **env; /* environment of all ranks, NULL at the end */
    struct hws_app *apps;
    int n_apps;
    struct hws_spec_rank *ranks; /* of this node, ascending */
    int n_ranks;
};

#endif
