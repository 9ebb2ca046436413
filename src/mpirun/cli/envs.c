/* SPDX-License-Identifier: BSD-3-Clause
 *
 * envs: see the header.
 */
#include "mpirun/cli/envs.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

static bool is_one_of(const char *const *list, const char *s, size_t len)
{
    for (; *list; list++)
        if (strlen(*list) == len && memcmp(*list, s, len) == 0)
            return true;
    return false;
}

/* Whether "NAME=VALUE" is a parameter of Open MPI's or MPICH's that neither mpirun takes nor images of containers set
 * for all. */
static bool is_ignored_parameter(const char *var)
{
    static const char *const known[] = {"OMPI_MCA_orte_default_hostfile",
                                        "PRTE_MCA_prte_default_hostfile",
                                        "OMPI_MCA_plm_rsh_agent",
                                        "PRTE_MCA_plm_ssh_agent",
                                        "OMPI_MCA_plm_rsh_args",
                                        "PRTE_MCA_plm_ssh_args",
                                        "OMPI_MCA_btl_tcp_if_include",
                                        "OMPI_MCA_rmaps_base_mapping_policy",
                                        "PRTE_MCA_rmaps_default_mapping_policy",
                                        "OMPI_MCA_btl_vader_single_copy_mechanism",
                                        "OMPI_MCA_btl_base_warn_component_unused",
                                        "OMPI_MCA_mca_base_component_show_load_errors",
                                        "OMPI_MCA_opal_cuda_support",
                                        "MPIR_CVAR_CH3_PORT_RANGE",
                                        NULL};
    if (strncmp(var, "OMPI_MCA_", 9) != 0 && strncmp(var, "PRTE_MCA_", 9) != 0 && strncmp(var, "MPIR_CVAR_", 10) != 0)
        return false;
    return !is_one_of(known, var, strcspn(var, "="));
}

static bool is_ignored_way(const char *var)
{
    static const char *const names[] = {"HYDRA_LAUNCHER", "I_MPI_HYDRA_BOOTSTRAP", NULL};
    static const char *const ways[] = {"", "ssh", "rsh", "slurm", "srun", NULL};
    size_t len = strcspn(var, "=");
    return is_one_of(names, var, len) && var[len] && !is_one_of(ways, var + len + 1, strlen(var + len + 1));
}

char *hws_envs_ignored(bool names_agent)
{
    char *sum = NULL;
    /* A rank of Open MPI's has many, which its mpirun set. */
    bool is_inside = getenv("OMPI_COMM_WORLD_SIZE") != NULL;
    for (char **var = environ; *var; var++) {
        bool is_way = !names_agent && is_ignored_way(*var);
        if (!is_way && (is_inside || !is_ignored_parameter(*var)))
            continue;
        size_t len = is_way ? strlen(*var) : strcspn(*var, "=");
        char *more = hws_xprintf("%s%s%.*s", sum ? sum : "", sum ? ", " : "", len < 200 ? (int)len : 200, *var);
        free(sum);
        sum = more;
    }
    return sum;
}
