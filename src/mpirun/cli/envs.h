/* SPDX-License-Identifier: BSD-3-Clause
 *
 * envs: the variables that the command line sets for the ranks, and which of mpirun's own go along: all but those that
 * Hydra's -envnone, -envlist and their like for all programs leave out. flag is named in what err says; HWS_EINVAL
 * then.
 */
#ifndef HWS_MPIRUN_ENVS_H
#define HWS_MPIRUN_ENVS_H

#include <stdbool.h>
#include <stddef.h>

#include "mpirun/util/env.h"

enum hws_env_passed { HWS_ENV_UNSAID, HWS_ENV_ALL, HWS_ENV_LISTED };

struct hws_env_choice {
    enum hws_env_passed passed;
    const char *names; /* HWS_ENV_LISTED: with commas between; "" for none */
};

/* "VAR=VALUE" is set, "VAR" is passed on if mpirun has it. */
int hws_envs_export(struct hws_env *env, const char *flag, const char *var, char *err, size_t err_len);
int hws_envs_set(struct hws_env *env, const char *flag, const char *name, const char *value, char *err, size_t err_len);

/* Only these, with commas between, go along. */
int hws_envs_choose(struct hws_env_choice *c, const char *flag, const char *names, char *err, size_t err_len);

/* The names as strings with a NULL behind the last, each string and the list to be freed. */
char **hws_envs_names(const struct hws_env_choice *c);

/* The set variables of Open MPI's parameters, and of Hydra's way to a host if names_agent does not settle it, that mean
 * nothing to mpirun, with commas between; NULL if none. To be freed. */
char *hws_envs_ignored(bool names_agent);

#endif
