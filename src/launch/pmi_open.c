/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pmi_open: what a rank asks its launcher at the start.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "launch/mapping.h"
#include "launch/pmi_env.h"
#include "launch/pmi_hosts.h"
#include "launch/pmi_priv.h"

#define FOREIGN_VALUE 256 /* vallen_max assumed when the launcher does not say */

static int set_kvsname(struct hws_pmi *p, const char *line)
{
    size_t len = 0;
    const char *v = hws_pmi_word(line, "kvsname", &len);
    if (!v || !len)
        return hws_pmi_fail(p, HWS_EPMI, "the launcher named no key space");
    p->kvsname = strndup(v, len);
    if (!p->kvsname)
        return hws_pmi_fail(p, HWS_ENOMEM, "out of memory for the name of the key space");
    p->job_id = hws_pmi_id_of_job(p->kvsname, len);
    return HWS_OK;
}

/* What a client that said hawser=1 gets with the first answer. */
static int take_brief(struct hws_pmi *p, const char *line)
{
    char *secret = hws_pmi_copy_word(line, "secret");
    p->mapping = hws_pmi_copy_word(line, "mapping");
    int rc = secret ? hws_pmi_parse_secret(p, secret) : hws_pmi_fail(p, HWS_EPMI, "the launcher named no secret");
    if (secret)
        explicit_bzero(secret, strlen(secret));
    free(secret);
    return rc;
}

static int take_job(struct hws_pmi *p, const char *line)
{
    p->appnum = hws_pmi_int_word(line, "appnum", -1);
    p->universe_size = hws_pmi_int_word(line, "universe_size", -1);
    p->vallen_max = (size_t)hws_pmi_int_word(line, "vallen_max", FOREIGN_VALUE);
    return set_kvsname(p, line);
}

/* Hawser's mpirun says everything in its first answer, answers no put and no finalize, and gives a value together with
 * the end of a barrier: of eight round trips three are left, for each of thousands of ranks that share a launcher. */
int hws_pmi_ask_own(struct hws_pmi *p, const char *line)
{
    int rc = take_brief(p, line);
    return rc ? rc : take_job(p, line);
}

int hws_pmi_ask_own_plain(struct hws_pmi *p, const char *line)
{
    int rc = take_job(p, line);
    if (rc)
        return rc;
    rc = hws_pmi_get_whole(p, HWS_MAPPING_KEY, &p->mapping);
    return rc == HWS_EINVAL ? HWS_OK : rc; /* others of the job may not have had to ask: no map of their own */
}

static int ask_int(struct hws_pmi *p, const char *cmd, const char *answer, const char *word, int absent, int *out)
{
    char *line = NULL;
    int rc = hws_pmi_request(p, answer, &line, "cmd=%s\n", cmd);
    if (rc)
        return rc;
    *out = hws_pmi_int_word(line, word, absent);
    free(line);
    return HWS_OK;
}

/* Asks for the launcher's map of hosts. It is one text for all ranks, so all find it missing or cut alike, and make one
 * of their own then. */
static int find_mapping(struct hws_pmi *p)
{
    int rc = hws_pmi_get_whole(p, HWS_MAPPING_KEY, &p->mapping);
    if (rc && rc != HWS_EINVAL)
        return rc;
    if (!rc && hws_mapping_host(p->mapping, p->size - 1, p->size) >= 0)
        return HWS_OK;
    free(p->mapping);
    p->mapping = NULL;
    rc = hws_pmi_hosts_meet(p, &p->mapping);
    return rc == HWS_ENOMEM ? hws_pmi_fail(p, rc, "out of memory for the map of hosts") : rc;
}

int hws_pmi_ask_pmi1(struct hws_pmi *p, const char *init)
{
    (void)init;
    int vallen_max = FOREIGN_VALUE;
    char *line = NULL;
    int rc = ask_int(p, "get_maxes", "maxes", "vallen_max", FOREIGN_VALUE, &vallen_max);
    p->vallen_max = (size_t)(vallen_max > 64 ? vallen_max : FOREIGN_VALUE);
    if (!rc)
        rc = ask_int(p, "get_appnum", "appnum", "appnum", -1, &p->appnum);
    if (!rc)
        rc = ask_int(p, "get_universe_size", "universe_size", "size", -1, &p->universe_size);
    if (!rc)
        rc = hws_pmi_request(p, "my_kvsname", &line, "cmd=get_my_kvsname\n");
    if (!rc)
        rc = set_kvsname(p, line);
    free(line);
    if (rc)
        return rc;
    rc = find_mapping(p);
    if (rc)
        return rc;
    if (p->n_local == 0)
        p->n_local = hws_mapping_locals(p->mapping, p->rank, p->size, NULL);
    return p->rank == 0 ? hws_pmi_publish_secret(p) : HWS_OK;
}

static int handshake(struct hws_pmi *p)
{
    char *line = NULL;
    int rc = hws_pmi_request(p, "response_to_init", &line, "cmd=init pmi_version=1 pmi_subversion=1%s\n",
                             getenv(HWS_PMI_MARK_VAR) ? " hawser=1" : "");
    if (rc)
        return rc;
    if (hws_pmi_int_word(line, "rc", 0) != 0) {
        rc = hws_pmi_fail(p, HWS_EPMI, "the launcher refuses PMI 1.1: %.100s", line);
    } else {
        p->launcher = hws_launcher_find(line);
        rc = p->launcher->ask(p, line);
    }
    explicit_bzero(line, strlen(line)); /* it may hold the secret */
    free(line);
    return rc;
}

/* Children of this rank that call MPI_Init themselves must not take its place. */
static void claim(struct hws_pmi *p)
{
    char text[16];
    snprintf(text, sizeof text, "%d", p->rank);
    fcntl(p->wire.fd, F_SETFD, FD_CLOEXEC);
    setenv("HAWSER_PARENT_RANK", text, 1);
    unsetenv("PMI_FD");
}

static int be_alone(struct hws_pmi *p)
{
    p->launcher = &hws_launcher_none;
    int rc = hws_pmi_read_secret(p);
    memcpy(&p->job_id, p->secret + 8, sizeof p->job_id);
    p->job_id ^= (uint64_t)getpid(); /* not a part of the secret itself */
    return rc;
}

/* HWS_ESYS: there is no libpmix. */
static int meet_pmix(struct hws_pmi *p)
{
    p->launcher = hws_launcher_find(NULL);
    int rc = p->launcher->ask(p, NULL);
    if (rc != HWS_ESYS)
        return rc;
    if (hws_pmi_env_allows_singleton())
        return be_alone(p);
    char why[sizeof p->reason];
    snprintf(why, sizeof why, "%s", p->reason);
    return hws_pmi_fail(p, HWS_EPMI,
                        "the launcher speaks PMIx, but %s; or use 'srun --mpi=pmi2' or Hawser's mpirun, or set "
                        "HAWSER_SINGLETON_OK=1 to run each process alone",
                        why);
}

int hws_pmi_open(struct hws_pmi **out, uint64_t init_wait_ms, char *err, size_t err_len)
{
    struct hws_pmi_env env;
    int rc = hws_pmi_env_read(&env, err, err_len);
    if (rc)
        return rc;
    struct hws_pmi *p = calloc(1, sizeof *p);
    if (!p) {
        snprintf(err, err_len, "out of memory for the launcher's connection");
        return HWS_ENOMEM;
    }
    *p = (struct hws_pmi){.launcher = &hws_launcher_none,
                          .wire = {.fd = env.fd},
                          .owner = getpid(),
                          .rank = env.rank,
                          .size = env.size,
                          .appnum = -1,
                          .universe_size = -1,
                          .n_local = env.n_local,
                          .init_wait_ms = init_wait_ms};
    if (env.fd >= 0) {
        claim(p);
        rc = handshake(p);
    } else if (env.pmix) {
        rc = meet_pmix(p);
    } else {
        rc = be_alone(p);
    }
    if (rc) {
        snprintf(err, err_len, "%s", p->reason);
        hws_pmi_close(p);
        return rc == HWS_ENOMEM ? rc : HWS_EPMI;
    }
    *out = p;
    return HWS_OK;
}
