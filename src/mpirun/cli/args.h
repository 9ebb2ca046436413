/* SPDX-License-Identifier: BSD-3-Clause
 *
 * args: the command line of mpirun. Parsing changes nothing outside the result, and reads no file but -configfile's.
 */
#ifndef HWS_MPIRUN_ARGS_H
#define HWS_MPIRUN_ARGS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/params.h"
#include "mpirun/cli/envs.h"
#include "mpirun/cli/mapping.h"
#include "mpirun/cli/output.h"
#include "mpirun/util/env.h"

/* One program of the job; ':' separates them. */
struct hws_args_app {
    int n;                            /* -n; 0: not given */
    int ppn;                          /* -ppn; 0: not given */
    struct hws_mapping map;           /* -map-by */
    const char *hosts;                /* -host; or NULL */
    const char *hostfile;             /* -hostfile; or NULL */
    const char *wdir;                 /* -wdir; or NULL */
    const char *path;                 /* -path; or NULL */
    struct hws_env env;               /* -x and -env */
    struct hws_env_choice env_choice; /* -envlist and the like */
    char **argv;                      /* NULL at the end; the strings are the command line's */
    int argc;
};

enum hws_args_action { HWS_ARGS_RUN, HWS_ARGS_HELP, HWS_ARGS_VERSION, HWS_ARGS_REPORT };

struct hws_args {
    enum hws_args_action action;
    struct hws_args_app *apps;
    int n_apps;
    struct hws_env env;               /* of all programs: -genv, and the tuning flags as HAWSER_ variables */
    struct hws_env_choice env_choice; /* -genvlist and the like: of programs that say nothing */
    struct hws_params params;         /* in force: defaults, environment, flags */
    int report_pid;                   /* HWS_ARGS_REPORT: of the mpirun to ask */
    const char *report_file;          /* -report FILE; or NULL */
    double timeout_s;                 /* 0: none */
    double wait_hosts_s;              /* -wait-hosts: how long to go on trying hosts that do not answer */
    const char *agent_extra;          /* more words for the remote shell, from the environment */
    bool names_agent;                 /* a flag or a variable says which remote shell, so it is no other one's turn */
    bool is_verbose, no_stdin;
    struct hws_output output;
    bool shows_map;     /* say which ranks run where */
    int stdin_rank;     /* the rank that reads mpirun's input, if not no_stdin */
    bool stdin_all;     /* all do */
    const char *prefix; /* where Hawser is on the other hosts; NULL: where it is here */
    char ***files;      /* words of -configfile, n_files of them; what apps point at */
    int n_files;
    char *ignored_mca;    /* parameters of --mca that mean nothing here, with commas between; or NULL */
    bool ignores_binding; /* -map-by socket and the like were given: a note under -v */
};

/* Of one that hws_args_parse() has filled, or failed to. */
void hws_args_fini(struct hws_args *a);

#endif
