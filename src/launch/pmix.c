/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pmix: ranks of a job whose launcher speaks PMIx. libpmix talks to the server on this host with a thread of its own,
 * which tells this rank by an eventfd that a barrier has ended or that the server is gone. Called as pmi.h says.
 */
#include "launch/pmix.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/hash.h"
#include "launch/mapping.h"
#include "launch/pmi_hosts.h"
#include "launch/pmi_priv.h"
#include "launch/pmix_lib.h"

#define ABORT_PAUSE_MS 100 /* so that the text is out before the launcher kills this rank */

/* Of the process, as libpmix's client is: its thread writes, the rank reads after the eventfd. */
static struct {
    struct hws_pmix_proc me;
    int wake;               /* eventfd, never closed: libpmix's thread may outlive p */
    atomic_bool met, lost;  /* the barrier has ended; the server is gone */
    atomic_int barrier_end; /* PMIx's status of it */
} client;

static void wake(void)
{
    while (eventfd_write(client.wake, 1) != 0 && errno == EINTR)
        ;
}

static void on_fence(int status, void *arg)
{
    (void)arg;
    atomic_store(&client.barrier_end, status);
    atomic_store(&client.met, true);
    wake();
}

static void on_lost(size_t id, int status, const struct hws_pmix_proc *source, struct hws_pmix_info *info,
                    size_t n_info, struct hws_pmix_info *results, size_t n_results, hws_pmix_event_done_fn *done,
                    void *done_arg)
{
    (void)id, (void)status, (void)source, (void)info, (void)n_info, (void)results, (void)n_results;
    atomic_store(&client.lost, true);
    wake();
    if (done)
        done(HWS_PMIX_OK, NULL, 0, NULL, NULL, done_arg);
}

static struct hws_pmix_info yes(const char *key)
{
    struct hws_pmix_info info = {.value = {.type = HWS_PMIX_BOOL, .data.flag = true}};
    snprintf(info.key, sizeof info.key, "%s", key);
    return info;
}

static void drop(struct hws_pmix_value *value)
{
    if (value->type == HWS_PMIX_STRING)
        hws_pmix_lib.free_it(value->data.string);
    hws_pmix_lib.free_it(value);
}

/* A copy of the text, and the end of the value. NULL: it is no text, or no memory. */
static char *text_of(struct hws_pmix_value *value)
{
    char *text = value->type == HWS_PMIX_STRING && value->data.string ? strdup(value->data.string) : NULL;
    drop(value);
    return text;
}

/* What the launcher has told about the job or a rank (HWS_PMIX_ALL_RANKS: the job). NULL: nothing. */
static struct hws_pmix_value *told(uint32_t rank, const char *key)
{
    struct hws_pmix_proc whose = client.me;
    struct hws_pmix_info optional = yes("pmix.optional"); /* it is here, or nowhere */
    struct hws_pmix_value *value = NULL;
    whose.rank = rank;
    return hws_pmix_lib.get(&whose, key, &optional, 1, &value) == HWS_PMIX_OK ? value : NULL;
}

static int told_int(uint32_t rank, const char *key, int absent)
{
    struct hws_pmix_value *value = told(rank, key);
    if (!value)
        return absent;
    int n = absent;
    if (value->type == HWS_PMIX_UINT32)
        n = (int)value->data.uint32;
    else if (value->type == HWS_PMIX_UINT16)
        n = value->data.uint16;
    drop(value);
    return n;
}

static char *told_text(uint32_t rank, const char *key)
{
    struct hws_pmix_value *value = told(rank, key);
    return value ? text_of(value) : NULL;
}

/* ---- start ---- */

/* The map of hosts from the number of each rank's host. NULL: not told. */
static char *map_of_nodes(int size)
{
    int *hosts = malloc((size_t)size * sizeof *hosts);
    int known = 0;
    while (hosts && known < size && (hosts[known] = told_int((uint32_t)known, "pmix.nodeid", -1)) >= 0)
        known++;
    char *text = known == size ? hws_mapping_text(hosts, size) : NULL;
    free(hosts);
    return text;
}

/* Each of these is the same for all ranks, so all find it missing alike. */
static int find_mapping(struct hws_pmi *p)
{
    p->mapping = told_text(HWS_PMIX_ALL_RANKS, "pmix.anlmap");
    if (p->mapping && hws_mapping_host(p->mapping, p->size - 1, p->size) < 0) {
        free(p->mapping);
        p->mapping = NULL;
    }
    if (!p->mapping)
        p->mapping = map_of_nodes(p->size);
    int rc = p->mapping ? HWS_OK : hws_pmi_hosts_meet(p, &p->mapping);
    if (!rc)
        p->n_local = hws_mapping_locals(p->mapping, p->rank, p->size, NULL);
    return rc;
}

static int fail(struct hws_pmi *p, const char *what, int status)
{
    return hws_pmi_fail(p, HWS_EPMI, "%s: PMIx says %s (%d)", what, hws_pmix_lib.error_text(status), status);
}

/* Children of this rank that call MPI_Init themselves must not take its place. Before there are other threads, what
 * makes the environment longer. */
static int join(struct hws_pmi *p)
{
    const char *rank = getenv("PMIX_RANK");
    setenv("HAWSER_PARENT_RANK", rank ? rank : "0", 1);
    int status = hws_pmix_lib.init(&client.me, NULL, 0);
    if (status != HWS_PMIX_OK)
        return fail(p, "the launcher's PMIx server does not take this process", status);
    unsetenv("PMIX_NAMESPACE");
    unsetenv("PMIX_RANK");
    int lost = HWS_PMIX_ERR_LOST;
    hws_pmix_lib.on_event(&lost, 1, NULL, 0, on_lost, NULL, NULL);
    return HWS_OK;
}

static int take_job(struct hws_pmi *p)
{
    p->rank = (int)client.me.rank;
    p->size = told_int(HWS_PMIX_ALL_RANKS, "pmix.job.size", -1);
    if (p->size <= p->rank)
        return hws_pmi_fail(p, HWS_EPMI, "the launcher's PMIx server gives rank %d, and no usable size of the job",
                            p->rank);
    p->appnum = told_int(client.me.rank, "pmix.appnum", -1);
    p->universe_size = told_int(HWS_PMIX_ALL_RANKS, "pmix.univ.size", -1);
    p->vallen_max = HWS_PMI_LINE_MAX;
    p->kvsname = strdup(client.me.nspace);
    p->job_id = hws_hash(HWS_HASH_START, client.me.nspace, strlen(client.me.nspace));
    return p->kvsname ? HWS_OK : hws_pmi_fail(p, HWS_ENOMEM, "out of memory for the job's name");
}

int hws_pmix_ask(struct hws_pmi *p, const char *line)
{
    (void)line;
    int rc = hws_pmix_lib_load(HWS_PMIX_SONAME, p->reason, sizeof p->reason);
    if (rc)
        return rc;
    p->wire.fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    client.wake = fcntl(p->wire.fd, F_DUPFD_CLOEXEC, 0);
    if (client.wake < 0)
        return hws_pmi_fail(p, HWS_EPMI, "the kernel gives no eventfd");
    rc = join(p);
    if (!rc)
        rc = take_job(p);
    if (!rc)
        rc = find_mapping(p);
    return !rc && p->rank == 0 ? hws_pmi_publish_secret(p) : rc;
}

/* ---- keys ---- */

int hws_pmix_owner(const char *key)
{
    const char *end = strrchr(key, '-');
    bool is_number = end && end[1] && strspn(end + 1, "0123456789") == strlen(end + 1) && strlen(end) < 11;
    return is_number ? atoi(end + 1) : 0;
}

int hws_pmix_put(struct hws_pmi *p, const char *key, const char *value, size_t len)
{
    if (hws_pmix_owner(key) != p->rank)
        return hws_pmi_fail(p, HWS_EINVAL, "rank %d cannot put key %s of rank %d", p->rank, key, hws_pmix_owner(key));
    char *text = strndup(value, len);
    if (!text)
        return hws_pmi_fail(p, HWS_ENOMEM, "out of memory for the value of key %s", key);
    struct hws_pmix_value v = {.type = HWS_PMIX_STRING, .data.string = text};
    int status = hws_pmix_lib.put(HWS_PMIX_GLOBAL, key, &v);
    free(text);
    return status == HWS_PMIX_OK ? HWS_OK : fail(p, key, status);
}

int hws_pmix_get(struct hws_pmi *p, const char *key, char **value)
{
    struct hws_pmix_proc whose = client.me;
    struct hws_pmix_info now = yes("pmix.immediate"); /* else it waits until somebody puts it */
    struct hws_pmix_value *v = NULL;
    whose.rank = (uint32_t)hws_pmix_owner(key);
    int status = hws_pmix_lib.get(&whose, key, &now, 1, &v);
    if (status != HWS_PMIX_OK || !v)
        return hws_pmi_fail(p, HWS_EINVAL, "the launcher knows no key %s (%s)", key, hws_pmix_lib.error_text(status));
    char *text = text_of(v);
    if (!text)
        return hws_pmi_fail(p, HWS_EINVAL, "the launcher's value of key %s is no text", key);
    *value = text;
    return HWS_OK;
}

bool hws_pmix_host_of(const struct hws_pmi *p, int rank, char *dst, size_t len)
{
    char *name = p->is_lost ? NULL : told_text((uint32_t)rank, "pmix.hname");
    bool fits = name && *name && strlen(name) < len;
    if (fits)
        memcpy(dst, name, strlen(name) + 1);
    free(name);
    return fits;
}

/* ---- barrier and end ---- */

/* Values of all ranks come along, so that no rank is asked for its card while it computes. */
int hws_pmix_enter(struct hws_pmi *p, const char *wanted)
{
    (void)wanted;
    struct hws_pmix_info collect = yes("pmix.collect");
    atomic_store(&client.met, false);
    int status = hws_pmix_lib.commit();
    if (status == HWS_PMIX_OK)
        status = hws_pmix_lib.fence(NULL, 0, &collect, 1, on_fence, NULL);
    return status == HWS_PMIX_OK ? HWS_OK : fail(p, "no barrier", status);
}

int hws_pmix_read(struct hws_pmi *p)
{
    eventfd_t n;
    (void)eventfd_read(client.wake, &n);
    if (p->barrier_pending && atomic_load(&client.met)) {
        p->barrier_pending = false;
        int status = atomic_load(&client.barrier_end);
        return status == HWS_PMIX_OK ? HWS_OK : fail(p, "a barrier has failed", status);
    }
    return atomic_load(&client.lost) ? hws_pmi_note_io(p, HWS_ECLOSED) : HWS_OK;
}

int hws_pmix_finalize(struct hws_pmi *p)
{
    int status = hws_pmix_lib.finalize(NULL, 0);
    return status == HWS_PMIX_OK ? HWS_OK : fail(p, "the end", status);
}

void hws_pmix_abort(struct hws_pmi *p, int code, const char *text)
{
    (void)p;
    fprintf(stderr, "hawser: %s\n", text);
    poll(NULL, 0, ABORT_PAUSE_MS);
    hws_pmix_lib.abort(code, text, NULL, 0);
}
