/* SPDX-License-Identifier: BSD-3-Clause
 *
 * env: see the header.
 */
#include "mpirun/util/env.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "mpirun/util/buf.h"

static size_t name_len(const char *var_value)
{
    return strcspn(var_value, "=");
}

static size_t find(const struct hws_env *e, const char *name, size_t len)
{
    for (size_t i = 0; i < e->n; i++)
        if (strncmp(e->vars[i], name, len) == 0 && e->vars[i][len] == '=')
            return i;
    return e->n;
}

static void add(struct hws_env *e, char *var_value)
{
    if (e->n + 2 > e->cap) {
        e->cap = e->cap ? e->cap * 2 : 64;
        e->vars = hws_xrealloc(e->vars, e->cap * sizeof *e->vars);
    }
    e->vars[e->n++] = var_value;
    e->vars[e->n] = NULL;
}

void hws_env_add_all(struct hws_env *e, char *const *vars)
{
    for (size_t i = 0; vars && vars[i]; i++)
        add(e, hws_xstrdup(vars[i]));
}

void hws_env_set(struct hws_env *e, const char *var_value)
{
    size_t at = find(e, var_value, name_len(var_value));
    if (at == e->n) {
        add(e, hws_xstrdup(var_value));
        return;
    }
    char *copy = hws_xstrdup(var_value);
    free(e->vars[at]);
    e->vars[at] = copy;
}

void hws_env_setf(struct hws_env *e, const char *fmt, ...)
{
    char *text = NULL;
    va_list ap;
    va_start(ap, fmt);
    int n = vasprintf(&text, fmt, ap);
    va_end(ap);
    if (n < 0)
        return;
    hws_env_set(e, text);
    free(text);
}

void hws_env_unset(struct hws_env *e, const char *name)
{
    size_t at = find(e, name, strlen(name));
    if (at == e->n)
        return;
    free(e->vars[at]);
    memmove(e->vars + at, e->vars + at + 1, (e->n - at) * sizeof *e->vars); /* with the NULL */
    e->n--;
}

const char *hws_env_get(char *const *vars, const char *name)
{
    size_t len = strlen(name);
    for (size_t i = 0; vars && vars[i]; i++)
        if (strncmp(vars[i], name, len) == 0 && vars[i][len] == '=')
            return vars[i] + len + 1;
    return NULL;
}

void hws_env_free(struct hws_env *e)
{
    for (size_t i = 0; i < e->n; i++)
        free(e->vars[i]);
    free(e->vars);
    *e = (struct hws_env){0};
}

bool hws_env_is_host_bound(const char *var_value)
{
    static const char *const names[] = {"HOSTNAME",      "HOST",
                                        "DISPLAY",       "XAUTHORITY",
                                        "WINDOWID",      "TTY",
                                        "SHLVL",         "PWD",
                                        "OLDPWD",        "_",
                                        "MAIL",          "SLURMD_NODENAME",
                                        "SLURM_NODEID",  "SLURM_PROCID",
                                        "SLURM_LOCALID", "SLURM_TOPOLOGY_ADDR",
                                        "PBS_NODENUM",   "PBS_TASKNUM"};
    static const char *const prefixes[] = {"SSH_", "DBUS_", "XDG_", "BASH_FUNC_"};
    size_t len = name_len(var_value);
    for (size_t i = 0; i < HWS_ARRAY_LEN(names); i++)
        if (strlen(names[i]) == len && strncmp(var_value, names[i], len) == 0)
            return true;
    for (size_t i = 0; i < HWS_ARRAY_LEN(prefixes); i++)
        if (strncmp(var_value, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    return false;
}
