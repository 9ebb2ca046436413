/* SPDX-License-Identifier: BSD-3-Clause */
#include "peer/jobs.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/pages.h"
#include "peer/state/engine.h"

const struct hws_job *hws_jobs_find(const struct hws_engine *e, uint64_t id)
{
    for (int i = 0; i < e->jobs.n; i++)
        if (e->jobs.list[i]->id == id)
            return e->jobs.list[i];
    return NULL;
}

const struct hws_job *hws_jobs_of_peer(const struct hws_engine *e, int number)
{
    int i = e->jobs.n - 1;
    while (i > 0 && number < e->jobs.list[i]->first)
        i--;
    return e->jobs.list[i];
}

int hws_jobs_number(const struct hws_engine *e, uint64_t id, uint32_t rank)
{
    const struct hws_job *job = hws_jobs_find(e, id);
    return job && rank < (uint32_t)job->n ? job->first + (int)rank : -1;
}

/* Room for n peers, in the place of e->peers. They may be tens of thousands: only the pages of those that are met are
 * touched. */
static struct hws_peer **grow(struct hws_engine *e, int n)
{
    struct hws_peer **peers = hws_pages_zeros((size_t)n * sizeof *peers);
    for (int i = 0; peers && i < e->jobs.n_peers; i++)
        if (e->peers[i])
            peers[i] = e->peers[i];
    if (peers)
        hws_pages_free(e->peers, (size_t)e->jobs.n_peers * sizeof(struct hws_peer *));
    return peers;
}

/* The tables grow first, so that a failure leaves all as it was. */
static int add(struct hws_engine *e, const struct hws_job *job)
{
    int n_peers = job->first + job->n;
    struct hws_job *copy = malloc(sizeof *copy), **list = realloc(e->jobs.list, ((size_t)e->jobs.n + 1) * sizeof *list);
    if (list)
        e->jobs.list = list;
    struct hws_peer **peers = copy && list ? grow(e, n_peers) : NULL;
    if (!peers) {
        free(copy);
        return HWS_ENOMEM;
    }
    *copy = *job;
    e->peers = peers;
    e->jobs.list[e->jobs.n++] = copy;
    e->jobs.n_peers = n_peers;
    return HWS_OK;
}

int hws_jobs_open(struct hws_engine *e)
{
    struct hws_job own = {.id = e->cfg.job_id, .n = e->cfg.n_peers};
    memcpy(own.secret, e->cfg.secret, sizeof own.secret);
    int rc = add(e, &own);
    explicit_bzero(own.secret, sizeof own.secret);
    return rc;
}

void hws_jobs_fini(struct hws_engine *e)
{
    for (int i = 0; i < e->jobs.n; i++) {
        explicit_bzero(e->jobs.list[i]->secret, sizeof e->jobs.list[i]->secret);
        free(e->jobs.list[i]);
    }
    free(e->jobs.list);
    hws_pages_free(e->peers, (size_t)e->jobs.n_peers * sizeof(struct hws_peer *));
}

int hws_engine_add_job(struct hws_engine *e, uint64_t job_id, int n, const unsigned char secret[32], int *first)
{
    hws_engine_lock(e);
    struct hws_job job = {.id = job_id, .first = e->jobs.n_peers, .n = n};
    memcpy(job.secret, secret, sizeof job.secret);
    int rc = HWS_EINVAL;
    if (n > 0 && n <= INT_MAX - job.first && !hws_jobs_find(e, job_id))
        rc = add(e, &job);
    if (rc == HWS_OK)
        *first = job.first;
    explicit_bzero(job.secret, sizeof job.secret);
    hws_engine_unlock(e);
    return rc;
}

int hws_engine_number(struct hws_engine *e, uint64_t job_id, int rank)
{
    hws_engine_lock(e);
    int number = rank < 0 ? -1 : hws_jobs_number(e, job_id, (uint32_t)rank);
    hws_engine_unlock(e);
    return number;
}
