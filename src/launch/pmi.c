/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pmi: PMI-1 client. Owns the inherited descriptor; every request waits for its one answer, except the barrier, whose
 * answer may arrive while another request waits. Called by core/env/init.c and core/object/launcher.c. The protocol is
 * the one that Hydra and Slurm's pmi2 plugin serve; what differs with PMIx is behind the launcher's row.
 */
#include "launch/pmi.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "launch/mapping.h"
#include "launch/pmi_priv.h"
#include "launch/pmi_wait.h"

int hws_pmi_fail(struct hws_pmi *p, int rc, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(p->reason, sizeof p->reason, fmt, ap);
    va_end(ap);
    return rc;
}

int hws_pmi_note_io(struct hws_pmi *p, int rc)
{
    if (rc == HWS_ECLOSED) {
        p->is_lost = !p->finalized;
        return hws_pmi_fail(p, rc, "the launcher of rank %d is gone", p->rank);
    }
    if (rc == HWS_ENOMEM)
        return hws_pmi_fail(p, rc, "out of memory for the launcher's answer");
    if (rc == HWS_EPROTO)
        return hws_pmi_fail(p, HWS_EPMI, "the launcher sent a line of more than %d bytes", HWS_PMI_LINE_MAX);
    return rc;
}

char *hws_pmi_copy_word(const char *line, const char *key)
{
    size_t len = 0;
    const char *v = hws_pmi_word(line, key, &len);
    return v ? strndup(v, len) : NULL;
}

/* Notes a barrier_out. True: the line was one. */
static bool take_barrier_out(struct hws_pmi *p, const char *line)
{
    if (!hws_pmi_is_command(line, "barrier_out"))
        return false;
    p->barrier_pending = false;
    free(p->given);
    p->given = hws_pmi_copy_word(line, "value");
    return true;
}

/* Waits for the answer `cmd`; the caller frees *out. */
static int wait_answer(struct hws_pmi *p, const char *cmd, char **out)
{
    for (;;) {
        char *line = hws_pmi_wire_line(&p->wire);
        if (!line) {
            int rc = hws_pmi_note_io(p, hws_pmi_wire_read(&p->wire, true));
            if (rc && rc != HWS_EAGAIN)
                return rc;
            continue;
        }
        if (hws_pmi_is_command(line, cmd)) {
            *out = line;
            return HWS_OK;
        }
        bool expected = p->barrier_pending && take_barrier_out(p, line);
        if (!expected)
            hws_pmi_fail(p, HWS_EPMI, "the launcher answered '%.100s' where %s was due", line, cmd);
        free(line);
        if (!expected)
            return HWS_EPMI;
    }
}

int hws_pmi_check_owner(struct hws_pmi *p)
{
    p->reason[0] = '\0';
    if (getpid() == p->owner)
        return HWS_OK;
    return hws_pmi_fail(p, HWS_EPMI, "process %d is a child of rank %d and cannot use its connection to the launcher",
                        (int)getpid(), p->rank);
}

int hws_pmi_request(struct hws_pmi *p, const char *answer, char **out, const char *fmt, ...)
{
    int rc = hws_pmi_check_owner(p);
    if (rc)
        return rc;
    char *text;
    va_list ap;
    va_start(ap, fmt);
    int len = vasprintf(&text, fmt, ap);
    va_end(ap);
    if (len < 0)
        return hws_pmi_fail(p, HWS_ENOMEM, "out of memory for a request to the launcher");
    rc = hws_pmi_note_io(p, hws_pmi_wire_write(&p->wire, text, (size_t)len));
    free(text);
    return rc || !answer ? rc : wait_answer(p, answer, out);
}

/* ---- what is known ---------------------------------------------------------------------------------------------- */

int hws_pmi_rank(const struct hws_pmi *p)
{
    return p->rank;
}

int hws_pmi_size(const struct hws_pmi *p)
{
    return p->size;
}

int hws_pmi_appnum(const struct hws_pmi *p)
{
    return p->appnum;
}

int hws_pmi_universe_size(const struct hws_pmi *p)
{
    return p->universe_size;
}

int hws_pmi_n_local(const struct hws_pmi *p)
{
    return p->n_local;
}

uint64_t hws_pmi_job_id(const struct hws_pmi *p)
{
    return p->job_id;
}

bool hws_pmi_is_singleton(const struct hws_pmi *p)
{
    return p->launcher->kind == HWS_PMI_SINGLETON;
}

enum hws_pmi_launcher hws_pmi_launcher(const struct hws_pmi *p)
{
    return p->launcher->kind;
}

bool hws_pmi_judges_deaths(const struct hws_pmi *p)
{
    return p->launcher->judges_deaths;
}

int hws_pmi_fd(const struct hws_pmi *p)
{
    return p->wire.fd;
}

bool hws_pmi_is_lost(const struct hws_pmi *p)
{
    return p->is_lost;
}

const char *hws_pmi_reason(const struct hws_pmi *p)
{
    return p->reason;
}

int hws_pmi_locals(struct hws_pmi *p, int **ranks)
{
    *ranks = NULL;
    int n = p->mapping ? hws_mapping_locals(p->mapping, p->rank, p->size, NULL) : 0;
    if (n == 0 || !(*ranks = malloc((size_t)n * sizeof **ranks)))
        return 0;
    return hws_mapping_locals(p->mapping, p->rank, p->size, *ranks);
}

bool hws_pmi_hosts(struct hws_pmi *p, int *hosts)
{
    return p->mapping && hws_mapping_hosts(p->mapping, p->size, hosts);
}

/* The number of word i among those that differ, in a list with commas; -1: the list has no word i. */
static int number_of_word(const char *list, int i)
{
    const char *word = list;
    for (; word && i > 0; i--)
        word = strchr(word, ',') ? strchr(word, ',') + 1 : NULL;
    if (!word)
        return -1;
    int number = 0;
    size_t len = strcspn(word, ",");
    for (const char *w = list; w < word; w += strcspn(w, ",") + 1, number++)
        if (strcspn(w, ",") == len && strncmp(w, word, len) == 0)
            break;
    return number;
}

bool hws_pmi_sites(struct hws_pmi *p, int *sites)
{
    const char *list = getenv(HWS_PMI_SITES_VAR);
    if (!list || !hws_pmi_hosts(p, sites))
        return false;
    int last_host = -1, last_site = -1;
    for (int i = 0; i < p->size; i++) {
        if (sites[i] != last_host) {
            last_host = sites[i];
            last_site = number_of_word(list, last_host);
        }
        sites[i] = last_site;
        if (last_site < 0)
            return false;
    }
    return true;
}

bool hws_pmi_host_of(const struct hws_pmi *p, int rank, char *dst, size_t len)
{
    return p->launcher->host_of && p->launcher->host_of(p, rank, dst, len);
}

/* ---- barrier and end ------------------------------------------------------------------------------------------ */

int hws_pmi_enter_line(struct hws_pmi *p, const char *wanted)
{
    if (wanted)
        return hws_pmi_request(p, NULL, NULL, "cmd=barrier_in key=%s\n", wanted);
    return hws_pmi_request(p, NULL, NULL, "cmd=barrier_in\n");
}

/* wanted: a key whose value shall come with the barrier's end, or NULL. */
static int begin_barrier(struct hws_pmi *p, const char *wanted)
{
    if (p->wire.fd < 0)
        return HWS_OK; /* it is alone */
    if (p->barrier_pending)
        return hws_pmi_fail(p, HWS_EINVAL, "a barrier is already under way");
    p->barrier_pending = true;
    return p->launcher->enter(p, wanted);
}

int hws_pmi_barrier_begin(struct hws_pmi *p)
{
    return begin_barrier(p, NULL);
}

bool hws_pmi_barrier_is_done(const struct hws_pmi *p)
{
    return !p->barrier_pending;
}

int hws_pmi_read_lines(struct hws_pmi *p)
{
    int rc = hws_pmi_note_io(p, hws_pmi_wire_read(&p->wire, false));
    if (rc && rc != HWS_EAGAIN)
        return rc;
    char *line;
    rc = HWS_OK; /* a line may have come together with the answer to a request */
    while (!rc && (line = hws_pmi_wire_line(&p->wire))) {
        if (!take_barrier_out(p, line))
            rc = hws_pmi_fail(p, HWS_EPMI, "the launcher sent '%.100s' unasked", line);
        free(line);
    }
    return rc;
}

int hws_pmi_on_readable(struct hws_pmi *p)
{
    if (p->wire.fd < 0)
        return HWS_OK;
    int rc = hws_pmi_check_owner(p);
    return rc ? rc : p->launcher->read(p);
}

int hws_pmi_barrier(struct hws_pmi *p)
{
    int rc = begin_barrier(p, NULL);
    return rc ? rc : hws_pmi_wait_barrier(p);
}

int hws_pmi_barrier_get(struct hws_pmi *p, const char *key, char *value, size_t len)
{
    int rc = begin_barrier(p, p->launcher->gives_value ? key : NULL);
    if (!rc)
        rc = hws_pmi_wait_barrier(p);
    value[0] = '\0';
    if (!rc && p->launcher->gives_value && p->given && strlen(p->given) < len)
        memcpy(value, p->given, strlen(p->given) + 1);
    else if (!rc && !p->launcher->gives_value && hws_pmi_get(p, key, value, len) != HWS_OK)
        value[0] = '\0';
    return rc;
}

void hws_pmi_abort(struct hws_pmi *p, int code, const char *reason)
{
    char text[2048]; /* the reason may be the last call's, which the next call forgets */
    snprintf(text, sizeof text, "%s", reason);
    if (!p->launcher->abort || hws_pmi_check_owner(p) != HWS_OK || p->is_lost)
        fprintf(stderr, "hawser: %s\n", text);
    else
        p->launcher->abort(p, code, text);
}

int hws_pmi_finalize(struct hws_pmi *p)
{
    if (!p->launcher->finalize)
        return HWS_OK;
    int rc = p->launcher->finalize(p);
    p->finalized = rc == HWS_OK;
    return rc;
}

void hws_pmi_die(const struct hws_pmi *p)
{
    dprintf(STDERR_FILENO, "hawser: rank %d (pid %d): the launcher died, so this rank ends\n", p->rank, (int)getpid());
    _exit(1);
}

void hws_pmi_close(struct hws_pmi *p)
{
    if (!p)
        return;
    if (p->wire.fd >= 0)
        close(p->wire.fd);
    explicit_bzero(p->secret, sizeof p->secret);
    free(p->kvsname);
    free(p->mapping);
    free(p->given);
    if (p->wire.buf)
        explicit_bzero(p->wire.buf, p->wire.cap); /* the secret came through it */
    free(p->wire.buf);
    free(p);
}
