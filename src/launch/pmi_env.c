/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pmi_env: finds the launcher in the environment, and refuses to become one of N singletons by mistake (a program that
 * srun or another MPI's mpirun started N times computes N times the same, and nobody notices).
 */
#include "launch/pmi_env.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/errors.h"
#include "base/list.h"

/* A decimal environment variable in 0 .. INT_MAX, or `absent`. */
static int env_int(const char *name, int absent)
{
    const char *text = getenv(name);
    if (!text || !*text || strspn(text, "0123456789") != strlen(text) || strlen(text) > 9)
        return absent;
    return atoi(text);
}

bool hws_pmi_env_allows_singleton(void)
{
    const char *ok = getenv("HAWSER_SINGLETON_OK");
    return ok && strcmp(ok, "1") == 0;
}

/* Steps that start several copies of a program and tell each how many there are. */
static const struct {
    const char *size_var;
    int more_than;
    const char *starter, *advice;
} steps[] = {
    {"SLURM_STEP_NUM_TASKS", 1, "srun", "use 'srun --mpi=pmix', 'srun --mpi=pmi2' or Hawser's mpirun"},
    {"OMPI_COMM_WORLD_SIZE", 1, "Open MPI's mpirun", "use Hawser's mpirun"},
    {"PMI_SIZE", 1, "a PMI launcher without a descriptor", "use Hawser's mpirun"},
    {"PBS_TASKNUM", 1, "pbsdsh", "use Hawser's mpirun"}, /* the job script itself is task 1 */
};

static int check_steps(char *err, size_t err_len)
{
    for (size_t i = 0; i < HWS_ARRAY_LEN(steps); i++) {
        if (env_int(steps[i].size_var, 0) <= steps[i].more_than)
            continue;
        snprintf(err, err_len,
                 "started by %s (%s=%s) but without PMI, so the processes do not know each other: %s, or set "
                 "HAWSER_SINGLETON_OK=1 to run each alone",
                 steps[i].starter, steps[i].size_var, getenv(steps[i].size_var), steps[i].advice);
        return HWS_EPMI;
    }
    return HWS_OK;
}

static int read_without_fd(char *err, size_t err_len)
{
    if (getenv("HAWSER_PARENT_RANK") || hws_pmi_env_allows_singleton())
        return HWS_OK;
    return check_steps(err, err_len);
}

int hws_pmi_env_read(struct hws_pmi_env *env, char *err, size_t err_len)
{
    *env = (struct hws_pmi_env){.fd = -1, .rank = 0, .size = 1, .n_local = 1};
    env->pmix = !getenv("PMI_FD") && getenv("PMIX_NAMESPACE") && getenv("PMIX_RANK");
    if (env->pmix)
        return HWS_OK;
    if (!getenv("PMI_FD"))
        return read_without_fd(err, err_len);
    struct stat st;
    int fd = env_int("PMI_FD", -1);
    if (fd < 0 || fstat(fd, &st) != 0 || !(S_ISSOCK(st.st_mode) || S_ISFIFO(st.st_mode))) {
        if (hws_pmi_env_allows_singleton())
            return HWS_OK;
        snprintf(err, err_len,
                 "the launcher's descriptor PMI_FD=%s is not open: a program between the launcher and this one closed "
                 "it; set HAWSER_SINGLETON_OK=1 to run without the launcher",
                 getenv("PMI_FD"));
        return HWS_EPMI;
    }
    int rank = env_int("PMI_RANK", -1), size = env_int("PMI_SIZE", -1);
    if (rank < 0 || rank >= size) {
        snprintf(err, err_len, "the launcher gave PMI_FD but no usable PMI_RANK and PMI_SIZE");
        return HWS_EPMI;
    }
    *env = (struct hws_pmi_env){.fd = fd, .rank = rank, .size = size, .n_local = env_int("MPI_LOCALNRANKS", 0)};
    return HWS_OK;
}
