/* SPDX-License-Identifier: BSD-3-Clause
 *
 * env: an environment under construction: strings "VAR=VALUE" and a NULL behind the last.
 */
#ifndef HWS_MPIRUN_ENV_H
#define HWS_MPIRUN_ENV_H

#include <stdbool.h>
#include <stddef.h>

struct hws_env {
    char **vars; /* NULL at the end once something was added; own copies */
    size_t n, cap;
};

/* Copies all of vars (NULL at the end; NULL is an empty list). */
void hws_env_add_all(struct hws_env *e, char *const *vars);

/* Sets one "VAR=VALUE", replacing an earlier value. */
void hws_env_set(struct hws_env *e, const char *var_value);
void hws_env_setf(struct hws_env *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Removes a variable. */
void hws_env_unset(struct hws_env *e, const char *name);

/* The value or NULL; name without '='. */
const char *hws_env_get(char *const *vars, const char *name);

/* Frees vars and all in it. */
void hws_env_free(struct hws_env *e);

/* True for variables that describe the machine or the login session rather than the user's wishes (HOSTNAME, SSH_*,
 * DISPLAY and the like): they are not carried to other hosts unless -x asks for them. */
bool hws_env_is_host_bound(const char *var_value);

#endif
