/* SPDX-License-Identifier: BSD-3-Clause
 *
 * foreign: see foreign.h.
 */
#include "mpirun/cli/foreign.h"

#include <stdlib.h>
#include <string.h>

#include "base/errors.h"
#include "mpirun/util/buf.h"

static int set(struct hws_parse *p, const char *flag, const char *value)
{
    return hws_flag_find(flag, strlen(flag))->set(p, flag, (char *[]){(char *)value, NULL});
}

static const char *first_set(const char *const *names)
{
    for (; *names; names++) {
        const char *v = getenv(*names);
        if (v && *v)
            return v;
    }
    return NULL;
}

/* How orchestrators that know only other MPIs name the remote shell: used where neither -rsh nor HAWSER_RSH does. */
int hws_foreign_agent(struct hws_parse *p)
{
    static const char *const agents[] = {"HYDRA_LAUNCHER_EXEC", "OMPI_MCA_plm_rsh_agent", "PRTE_MCA_plm_ssh_agent",
                                         "I_MPI_HYDRA_BOOTSTRAP_EXEC", NULL};
    static const char *const extras[] = {"HYDRA_LAUNCH_EXTRA_ARGS", "OMPI_MCA_plm_rsh_args", "PRTE_MCA_plm_ssh_args",
                                         "I_MPI_HYDRA_BOOTSTRAP_EXEC_EXTRA_ARGS", NULL};
    static const char *const ways[] = {"HYDRA_LAUNCHER", "I_MPI_HYDRA_BOOTSTRAP", NULL};
    static const char *const ours[] = {"HAWSER_RSH", NULL};
    const char *agent = first_set(agents), *extra = first_set(extras), *way = first_set(ways);
    p->a->agent_extra = extra ? extra : "";
    if (!agent && way && (strcmp(way, "slurm") == 0 || strcmp(way, "srun") == 0))
        agent = "srun";
    if (!agent && way && (strcmp(way, "ssh") == 0 || strcmp(way, "rsh") == 0))
        agent = way;
    p->a->names_agent = p->a->names_agent || agent || extra || first_set(ours);
    if (!agent || first_set(ours))
        return HWS_OK;
    return hws_param_set(&p->a->params, hws_param_find("rsh"), agent, p->err, p->err_len);
}

/* MPICH has LOW:HIGH for its ranks, and another range for its mpiexec, which opens no port here. */
static int take_ports(struct hws_parse *p)
{
    static const char *const ranges[] = {"MPIR_CVAR_CH3_PORT_RANGE", "MPICH_PORT_RANGE", "MPICH_CH3_PORT_RANGE", NULL};
    const char *range = first_set(ranges);
    if (!range || getenv("HAWSER_PORTRANGE"))
        return HWS_OK;
    int low = (int)strcspn(range, ":");
    char *ours = hws_xprintf("%.*s%s%s", low, range, range[low] ? "-" : "", range[low] ? range + low + 1 : "");
    int rc = set(p, "portrange", ours);
    free(ours);
    return rc;
}

/* Where a variable of Open MPI's or Hydra's says the same as -i or -map-by; flags and HAWSER_I say more. */
int hws_foreign_choices(struct hws_parse *p)
{
    static const char *const interfaces[] = {"OMPI_MCA_btl_tcp_if_include", "HYDRA_IFACE", "I_MPI_HYDRA_IFACE", NULL};
    static const char *const mappings[] = {"OMPI_MCA_rmaps_base_mapping_policy",
                                           "PRTE_MCA_rmaps_default_mapping_policy", NULL};
    char *names = (char *)first_set(interfaces);
    const char *mapping = first_set(mappings);
    int rc = names && !getenv("HAWSER_I") ? set(p, "iface", names) : HWS_OK;
    if (!rc && mapping)
        rc = hws_mapping_parse(&p->map, mapping, p->err, p->err_len);
    p->a->ignores_binding |= p->map.is_within;
    return rc ? rc : take_ports(p);
}
