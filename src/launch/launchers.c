/* SPDX-License-Identifier: BSD-3-Clause
 *
 * launchers: in what launchers differ: those that speak PMI-1's lines, and PMIx. A new one is a row of the table at the
 * end.
 */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "launch/mapping.h"
#include "launch/pmi_priv.h"
#include "launch/pmix.h"

#define LINE_MAX_OTHERS 1023 /* bytes of a line that Slurm and MPICH read, whatever they say of values */
#define ABORT_PAUSE_MS  100  /* Hydra drops output that it has not read when the abort arrives */
#define ABORT_WAIT_MS   3000 /* for mpirun's SIGTERM after an abort */

/* ---- Hawser's mpirun: it answers no put and no finalize ---------------------------------------------------------- */

static bool is_own(const char *line)
{
    return hws_pmi_int_word(line, "hawser", 0) && hws_pmi_int_word(line, "brief", 0) == 1;
}

static bool is_own_plain(const char *line)
{
    return hws_pmi_int_word(line, "hawser", 0) != 0;
}

static int put_own(struct hws_pmi *p, const char *key, const char *value, size_t len)
{
    return hws_pmi_request(p, NULL, NULL, "cmd=put kvsname=%s key=%s value=%.*s\n", p->kvsname, key, (int)len, value);
}

static int finalize_own(struct hws_pmi *p)
{
    return hws_pmi_request(p, NULL, NULL, "cmd=finalize\n");
}

/* Waits to be killed: if this rank left at once, its neighbours would see a broken connection and complain about that.
 */
static void abort_own(struct hws_pmi *p, int code, const char *text)
{
    char *line = strdup(text); /* one line: the protocol's unit */
    for (char *s = line; s && *s; s++)
        *s = (unsigned char)*s < ' ' ? ' ' : *s;
    int rc = hws_pmi_request(p, NULL, NULL, "cmd=abort exitcode=%d text=%s\n", code, line ? line : "");
    free(line);
    struct pollfd pfd = {.fd = p->wire.fd, .events = POLLIN};
    while (!rc && poll(&pfd, 1, ABORT_WAIT_MS) == 1)
        rc = hws_pmi_note_io(p, hws_pmi_wire_read(&p->wire, false));
}

static bool host_of_own(const struct hws_pmi *p, int rank, char *dst, size_t len)
{
    const char *name = getenv(HWS_PMI_HOSTS_VAR);
    int host = name && p->mapping ? hws_mapping_host(p->mapping, rank, p->size) : -1;
    for (; name && host > 0; host--)
        name = strchr(name, ',') ? strchr(name, ',') + 1 : NULL;
    if (!name || host < 0 || strcspn(name, ",") == 0 || strcspn(name, ",") >= len)
        return false;
    snprintf(dst, len, "%.*s", (int)strcspn(name, ","), name);
    return true;
}

/* ---- PMI-1 as others speak it ------------------------------------------------------------------------------------ */

static bool is_any(const char *line)
{
    (void)line;
    return true;
}

static int put_pmi1(struct hws_pmi *p, const char *key, const char *value, size_t len)
{
    char *line = NULL;
    int rc = hws_pmi_request(p, "put_result", &line, "cmd=put kvsname=%s key=%s value=%.*s\n", p->kvsname, key,
                             (int)len, value);
    if (rc)
        return rc;
    if (hws_pmi_int_word(line, "rc", 0) != 0)
        rc = hws_pmi_fail(p, HWS_EPMI, "the launcher refuses key %s: %.100s", key, line);
    free(line);
    return rc;
}

/* The job's name as Slurm's plugin for PMI-1 makes it; that one keeps names, which others need not know. */
static bool is_slurm(const struct hws_pmi *p)
{
    const char *job = getenv("SLURM_JOB_ID"), *step = getenv("SLURM_STEP_ID");
    char name[48];
    return job && step && snprintf(name, sizeof name, "%s.%s", job, step) < (int)sizeof name &&
           strcmp(name, p->kvsname ? p->kvsname : "") == 0;
}

/* A name for each rank and barrier; srun keeps it for the step. */
static int be_here_slurm(struct hws_pmi *p)
{
    char *line = NULL;
    if (!is_slurm(p))
        return HWS_OK;
    int rc = hws_pmi_request(p, "publish_result", &line, "cmd=publish_name service=hawser-%s-%u-%d port=1\n",
                             p->kvsname, p->n_waits, p->rank);
    free(line);
    return rc;
}

static enum hws_presence is_here_slurm(struct hws_pmi *p, int rank)
{
    char *line = NULL, *info;
    if (!is_slurm(p) || hws_pmi_request(p, "lookup_result", &line, "cmd=lookup_name service=hawser-%s-%u-%d\n",
                                        p->kvsname, p->n_waits, rank) != HWS_OK)
        return HWS_PRESENCE_UNKNOWN;
    info = hws_pmi_copy_word(line, "info");
    enum hws_presence is = info && strcmp(info, "ok") == 0 ? HWS_PRESENCE_YES : HWS_PRESENCE_NO;
    free(info);
    free(line);
    return is;
}

static int finalize_pmi1(struct hws_pmi *p)
{
    char *line = NULL;
    int rc = hws_pmi_request(p, "finalize_ack", &line, "cmd=finalize\n");
    free(line);
    return rc;
}

static void abort_pmi1(struct hws_pmi *p, int code, const char *text)
{
    fprintf(stderr, "hawser: %s\n", text);
    poll(NULL, 0, ABORT_PAUSE_MS);
    hws_pmi_request(p, NULL, NULL, "cmd=abort exitcode=%d\n", code);
}

/* ---- the table --------------------------------------------------------------------------------------------------- */

static bool has_no_lines(const char *line)
{
    return !line;
}

const struct hws_launcher hws_launcher_none = {.kind = HWS_PMI_SINGLETON};

/* The first row that knows the answer to init as its own. The third is of a client without HWS_PMI_MARK_VAR. */
static const struct hws_launcher launchers[] = {
    {.kind = HWS_PMI_FOREIGN,
     .is_it = has_no_lines,
     .ask = hws_pmix_ask,
     .put = hws_pmix_put,
     .get = hws_pmix_get,
     .enter = hws_pmix_enter,
     .read = hws_pmix_read,
     .finalize = hws_pmix_finalize,
     .abort = hws_pmix_abort,
     .host_of = hws_pmix_host_of},
    {.kind = HWS_PMI_HAWSER,
     .is_it = is_own,
     .ask = hws_pmi_ask_own,
     .put = put_own,
     .get = hws_pmi_get_line,
     .enter = hws_pmi_enter_line,
     .read = hws_pmi_read_lines,
     .finalize = finalize_own,
     .abort = abort_own,
     .judges_deaths = true,
     .gives_value = true,
     .host_of = host_of_own},
    {.kind = HWS_PMI_HAWSER,
     .is_it = is_own_plain,
     .ask = hws_pmi_ask_own_plain,
     .put = put_pmi1,
     .get = hws_pmi_get_line,
     .enter = hws_pmi_enter_line,
     .read = hws_pmi_read_lines,
     .finalize = finalize_pmi1,
     .abort = abort_own,
     .judges_deaths = true},
    {.kind = HWS_PMI_FOREIGN,
     .is_it = is_any,
     .ask = hws_pmi_ask_pmi1,
     .put = put_pmi1,
     .get = hws_pmi_get_line,
     .enter = hws_pmi_enter_line,
     .read = hws_pmi_read_lines,
     .finalize = finalize_pmi1,
     .abort = abort_pmi1,
     .be_here = be_here_slurm,
     .is_here = is_here_slurm,
     .line_max = LINE_MAX_OTHERS},
};

const struct hws_launcher *hws_launcher_find(const char *line)
{
    size_t i = 0;
    while (!launchers[i].is_it(line))
        i++;
    return &launchers[i];
}
