/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Alltoall, Bruck. Block i of a rank has to travel i ranks up; in round k all blocks with bit k of i set move 2^k up,
 * as one message. Why: log2 p messages a rank instead of p - 1; for short blocks, because each travels up to log2 p
 * times. Cost: ceil(log2 p) (a + p/2 m b). Source: J. Bruck et al. 1997 (see allgather_bruck.c).
 */
#include "coll/flat/blocks.h"
#include "coll/select/algorithm.h"

/* Copies all blocks with bit k set from or to `packed`; returns their bytes. */
static uint64_t move_blocks(struct hws_sched *s, const struct hws_blocks *b, int k, char *packed, bool out)
{
    uint64_t at = 0;
    for (int i = k; i < s->size; i += 2 * k) {
        struct hws_data run = hws_blocks_run(b, i, k < s->size - i ? k : s->size - i);
        struct hws_data part = hws_bytes_at(packed, at, run.len_bytes);
        hws_sched_copy(s, out ? run : part, out ? part : run);
        at += run.len_bytes;
    }
    return at;
}

void hws_alltoall_bruck(struct hws_sched *s, const struct hws_coll_call *a)
{
    int n = s->size;
    struct hws_blocks b;
    if (!hws_blocks_of_result(s, a, 0, &b))
        return;
    bool in_place = hws_coll_in_place(a->sbuf);
    for (int i = 0; i < n; i++) {
        int to = (s->rank + i) % n;
        hws_sched_copy(s, in_place ? hws_rblock(a, to) : hws_sblock(a, to), hws_blocks_run(&b, i, 1));
    }
    char *out = hws_sched_temp(s, b.block * (uint64_t)n), *in = hws_sched_temp(s, b.block * (uint64_t)n);
    for (int k = 1; k < n; k *= 2) {
        uint64_t len = move_blocks(s, &b, k, out, true);
        hws_sched_recv(s, hws_bytes(in, len), (s->rank - k + n) % n);
        hws_sched_send(s, hws_bytes(out, len), (s->rank + k) % n);
        hws_sched_fence(s);
        move_blocks(s, &b, k, in, false);
    }
    for (int i = 0; i < n; i++) /* block i came from i ranks below */
        hws_sched_copy(s, hws_blocks_run(&b, i, 1), hws_rblock(a, (s->rank - i + n) % n));
}
