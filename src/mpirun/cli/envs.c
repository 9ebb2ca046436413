/* SPDX-License-Identifier: BSD-3-Clause
 *
 * envs: see the header.
 */
#include "mpirun/cli/envs.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/errors.h"
#include "mpirun/util/buf.h"

static int check_name(const char *flag, const char *name, size_t len, char *err, size_t err_len)
{
    bool is_good = len > 0 && !isdigit((unsigned char)name[0]);
    for (size_t i = 0; i < len; i++)
        is_good = is_good && (isalnum((unsigned char)name[i]) || name[i] == '_');
    if (is_good)
        return HWS_OK;
    snprintf(err, err_len, "-%s: '%.*s' is not the name of a variable", flag, len < 100 ? (int)len : 100, name);
    return HWS_EINVAL;
}

int hws_envs_export(struct hws_env *env, const char *flag, const char *var, char *err, size_t err_len)
{
    size_t len = strcspn(var, "=");
    int rc = check_name(flag, var, len, err, err_len);
    if (rc)
        return rc;
    const char *value = var[len] ? NULL : getenv(var);
    if (var[len])
        hws_env_set(env, var);
    else if (value)
        hws_env_setf(env, "%s=%s", var, value);
    return HWS_OK;
}

int hws_envs_set(struct hws_env *env, const char *flag, const char *name, const char *value, char *err, size_t err_len)
{
    int rc = check_name(flag, name, strlen(name), err, err_len);
    if (!rc)
        hws_env_setf(env, "%s=%s", name, value);
    return rc;
}

int hws_envs_choose(struct hws_env_choice *c, const char *flag, const char *names, char *err, size_t err_len)
{
    for (const char *at = names; *names; at++) {
        size_t len = strcspn(at, ",");
        int rc = check_name(flag, at, len, err, err_len);
        if (rc)
            return rc;
        at += len;
        if (!*at)
            break;
    }
    *c = (struct hws_env_choice){HWS_ENV_LISTED, names};
    return HWS_OK;
}

char **hws_envs_names(const struct hws_env_choice *c)
{
    size_t n = 0;
    char **list = hws_xcalloc(1, sizeof *list);
    for (const char *at = c->names; *at; at += *at == ',') {
        size_t len = strcspn(at, ",");
        list = hws_xrealloc(list, (n + 2) * sizeof *list);
        list[n++] = hws_xstrndup(at, len);
        list[n] = NULL;
        at += len;
    }
    return list;
}
