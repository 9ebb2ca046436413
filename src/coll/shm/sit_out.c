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

/* A block as its slot has it. */
static int look_at_block(const struct hws_region_later *l, uint64_t came, int from)
{
    if (came == 0)
        return MPI_SUCCESS;
    if (came > l->limit && came != HWS_SLOT_BAD)
        take_message(l, from);
    return too_much(l, came, from);
}

static int look_at_gatherv(struct hws_region *r, const struct hws_region_later *l)
{
    int rc = r->n == 2 ? hws_region_meet_other(r, &l->turn, false, true) : hws_region_await(r, &l->turn);
    if (rc != MPI_SUCCESS)
        return rc;
    for (int i = 0; i < r->n; i++) {
        int one = i == r->me ? MPI_SUCCESS : look_at_block(l, hws_region_slot(r, &l->turn, i)->bytes, i);
        rc = rc == MPI_SUCCESS ? one : rc;
    }
    hws_region_end(r, &l->turn);
    return rc;
}

static int look_at_scatterv(struct hws_region *r, const struct hws_region_later *l)
{
    int rc = hws_shm_await_giver(r, &l->turn);
    if (rc != MPI_SUCCESS)
        return rc;
    const struct hws_region_slot *s = hws_region_slot(r, &l->turn, r->n == 2 ? l->root : r->me);
    rc = hws_shm_slot_class(s);
    if (rc == MPI_SUCCESS)
        rc = look_at_block(l, s->bytes, l->root);
    hws_region_end(r, &l->turn);
    return rc;
}

static int look_at_alltoallv(struct hws_region *r, const struct hws_region_later *l)
{
    int rc = hws_shm_await_all(r, &l->turn);
    if (rc != MPI_SUCCESS)
        return rc;
    for (int i = 0; i < r->n; i++) {
        const struct hws_region_slot *s = hws_region_slot(r, &l->turn, i);
        int one = i == r->me ? MPI_SUCCESS : hws_shm_slot_class(s);
        uint64_t gives = i == r->me || one != MPI_SUCCESS ? 0 : hws_pair_of(s, i, r->me)->gives;
        if (gives)
            one = too_much(l, gives, i);
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

static void come_to_alltoallv(struct hws_region *r, const struct hws_turn *t, const struct hws_coll_call *a)
{
    struct hws_pairs x;
    hws_pairs_init(&x, a, NULL, r->room);
    hws_pairs_put(&x, r, hws_region_slot(r, t, r->me));
    hws_pairs_fini(&x);
    hws_shm_come(r, t);
}

HWS_HOT int hws_shm_sit_out(struct hws_region *r, const struct hws_coll_call *a, uint64_t limit)
{
    struct hws_region_later l = {.comm = a->comm, .kind = (int)a->kind, .root = a->root, .limit = limit};
    bool gatherv = a->kind == HWS_COLL_GATHERV, scatterv = a->kind == HWS_COLL_SCATTERV;
    l.look = gatherv ? look_at_gatherv : scatterv ? look_at_scatterv : look_at_alltoallv;
    int rc = hws_region_begin(r, !gatherv && !scatterv, true, !gatherv && !scatterv, &l.turn);
    if (rc != MPI_SUCCESS)
        return rc;
    if (gatherv)
        come_to_gatherv(r, &l.turn);
    else if (!scatterv)
        come_to_alltoallv(r, &l.turn, a);
    l.tag = (uint32_t)hws_comm_next_tag(a->comm);
    hws_region_look_later(r, l);
    return MPI_SUCCESS;
}
