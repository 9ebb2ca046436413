/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sit_out: see sit_out.h.
 */
#include "coll/shm/sit_out.h"

#include <stdio.h>

#include "base/hot.h"
#include "coll/schedule/sched_run.h"
#include "coll/select/algorithm.h"
#include "coll/shm/pairs.h"
#include "coll/shm/shm.h"
#include "core/object/fail.h"

/* ---- the look back ----------------------------------------------------------------------------------------------- */

static int too_much(const struct hws_region_later *l, uint64_t came, int from)
{
    int rc = hws_shm_truncated(came, from, 0);
    const char *words = hws_fail_sentence(rc);
    char text[MPI_MAX_ERROR_STRING];
    snprintf(text, sizeof text, "%s", words ? words : "");
    return hws_fail(rc, "an earlier %s on this communicator: %s", hws_coll_names[l->kind], text);
}

/* A long block that is due to nobody: its giver waits for it to be taken. The tag is that of the call, which other
 * members have had as well; the next one's stays. */
static void take_message(const struct hws_region_later *l, int from)
{
    uint32_t next = l->comm->coll_tag;
    l->comm->coll_tag = l->tag;
    struct hws_sched *s = hws_sched_new(l->comm, false);
    l->comm->coll_tag = next;
    if (!s)
        return;
    hws_sched_recv_token(s, from);
    s->lenient = true;
    (void)hws_sched_run(s);
}

static bool is_rooted(const struct hws_region_later *l)
{
    return l->kind == HWS_COLL_GATHERV || l->kind == HWS_COLL_SCATTERV;
}

/* What a member has given to this one, by the slot where it stands. */
static int look_at(const struct hws_region *r, const struct hws_region_later *l, int from)
{
    bool dealt = l->kind == HWS_COLL_SCATTERV && r->n > 2; /* then by the giver, into the taker's slot */
    const struct hws_region_slot *s = hws_region_slot(r, &l->turn, dealt ? r->me : from);
    int rc = hws_shm_slot_class(s);
    if (rc != MPI_SUCCESS)
        return rc;
    uint64_t came = is_rooted(l) ? s->bytes : hws_pair_of(s, from, r->me)->gives;
    if (came == 0)
        return MPI_SUCCESS;
    if (is_rooted(l) && came > l->limit && came != HWS_SLOT_BAD)
        take_message(l, from);
    return too_much(l, came, from);
}

static int look_back(struct hws_region *r, const struct hws_region_later *l)
{
    int rc = hws_shm_await_all(r, &l->turn);
    if (rc != MPI_SUCCESS)
        return rc;
    for (int i = 0; i < r->n; i++) {
        bool gives = i != r->me && (l->kind != HWS_COLL_SCATTERV || i == l->root);
        int one = gives ? look_at(r, l, i) : MPI_SUCCESS;
        rc = rc == MPI_SUCCESS ? one : rc;
    }
    hws_region_end(r, &l->turn);
    return rc;
}

/* ---- the call ---------------------------------------------------------------------------------------------------- */

static void come_to_gatherv(struct hws_region *r, const struct hws_turn *t)
{
    if (r->n != 2 && hws_region_meet(r, t, NULL, NULL))
        hws_region_release(r, t, r->me);
}

/* A failure is the others' as well. MPI class. */
static int come_to_alltoallv(struct hws_region *r, const struct hws_turn *t, const struct hws_coll_call *a)
{
    struct hws_pairs x;
    hws_pairs_init(&x, a, NULL, r->room);
    hws_pairs_put(&x, r, hws_region_slot(r, t, r->me));
    hws_pairs_fini(&x);
    hws_shm_come(r, t);
    return x.rc;
}

HWS_HOT int hws_shm_sit_out(struct hws_region *r, const struct hws_coll_call *a, uint64_t limit)
{
    struct hws_region_later l = {
        .look = look_back, .comm = a->comm, .kind = (int)a->kind, .root = a->root, .limit = limit};
    bool all = !is_rooted(&l);
    int rc = hws_region_begin(r, all, true, all, &l.turn);
    if (rc != MPI_SUCCESS)
        return rc;
    if (all)
        rc = come_to_alltoallv(r, &l.turn, a);
    else if (a->kind == HWS_COLL_GATHERV)
        come_to_gatherv(r, &l.turn);
    l.tag = (uint32_t)hws_comm_next_tag(a->comm);
    hws_region_look_later(r, l);
    return rc;
}
