/* SPDX-License-Identifier: BSD-3-Clause
 *
 * blocks: see blocks.h.
 */
#include "coll/flat/blocks.h"

bool hws_blocks_of_result(struct hws_sched *s, const struct hws_coll_call *a, int first, struct hws_blocks *b)
{
    int n = s->size;
    uint64_t total = 0;
    b->start = NULL;
    if (a->rcounts.p) {
        b->start = hws_sched_array(s, ((uint64_t)n + 1) * sizeof *b->start);
        if (s->fail.rc != MPI_SUCCESS)
            return false;
        for (int i = 0; i < n; i++) {
            b->start[i] = total;
            total += hws_rblock(a, (first + i) % n).len_bytes;
        }
        b->start[n] = total;
    } else {
        b->block = (uint64_t)(a->rn * a->rt->size);
        total = b->block * (uint64_t)n;
    }
    b->base = hws_sched_temp(s, total);
    return s->fail.rc == MPI_SUCCESS;
}
