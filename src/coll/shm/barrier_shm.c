/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Barrier in shared memory: a turn in which all meet. Each rank runs once, whatever the order in which they come: the
 * last one frees all others. Cost: at most log2 p cache lines for a rank, one store for all; of two one line each.
 * Source: the combining tree of J. Mellor-Crummey, M. Scott, Algorithms for Scalable Synchronization on Shared-Memory
 * Multiprocessors, ACM TOCS 9(1), 1991, section 3.2, with counters that only grow.
 */
#include "base/hot.h"
#include "coll/select/algorithm.h"
#include "coll/shm/shm.h"
#include "core/object/fail.h"

uint32_t hws_shm_put_words(uint8_t *dst, size_t room, int rc)
{
    const char *words = hws_fail_sentence(rc);
    size_t n = words ? strlen(words) : 0;
    n = n < room ? n : room;
    if (n)
        memcpy(dst, words, n);
    return (uint32_t)n;
}

int hws_shm_failed_there(const struct hws_region_slot *s)
{
    static const char what[] = "the collective operation failed at another rank of this host";
    char words[MPI_MAX_ERROR_STRING];
    size_t n = s->words < sizeof words - 1 ? s->words : sizeof words - 1;
    memcpy(words, s->data, n);
    words[n] = '\0';
    return n ? hws_fail((int)s->error, "%s: %s", what, words) : hws_fail((int)s->error, "%s", what);
}

int hws_shm_truncated(uint64_t got, int rank, uint64_t due)
{
    if (got == HWS_SLOT_BAD)
        return hws_fail(MPI_ERR_TRUNCATE,
                        "message truncated: the ranks' counts differ from the %llu bytes that are due",
                        (unsigned long long)due);
    return hws_fail(MPI_ERR_TRUNCATE,
                    "message truncated: %llu bytes came from rank %d where %llu were due; the ranks' counts differ",
                    (unsigned long long)got, rank, (unsigned long long)due);
}

void hws_shm_put_long(struct hws_region *r, void *dst, const void *src, uint64_t n)
{
    int class = 0;
    for (uint64_t top = 2 * HWS_LONG_ACROSS_MIN; n >= top && class + 1 < HWS_REGION_LONG; top *= 2)
        class ++;
    hws_copy_long_across(&r->bypass[class], dst, src, n);
}

/* Of two members each says in its own slot that it has come and looks into the other's, so both leave as soon as the
 * later one's word has passed: by the tree that one would be through before the other hears of it. */
static int meet_two(struct hws_region *r)
{
    struct hws_turn t;
    int rc = hws_region_begin(r, true, true, true, &t);
    if (rc == MPI_SUCCESS)
        rc = hws_shm_meet_all(r, &t);
    if (rc == MPI_SUCCESS)
        hws_region_end(r, &t);
    return rc;
}

HWS_HOT int hws_barrier_shm(struct hws_region *r, const struct hws_coll_call *a)
{
    struct hws_turn t;
    (void)a;
    if (r->n == 2)
        return meet_two(r);
    int rc = hws_region_begin(r, true, false, true, &t);
    if (rc != MPI_SUCCESS)
        return rc;
    if (hws_region_meet(r, &t, NULL, NULL))
        hws_region_release(r, &t, -1);
    rc = hws_region_await(r, &t);
    if (rc == MPI_SUCCESS)
        hws_region_end(r, &t);
    return rc;
}
