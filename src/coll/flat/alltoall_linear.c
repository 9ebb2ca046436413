/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Alltoall, linear with a window: as pairwise, but a window of exchanges is in flight at once. Serves the v and w forms
 * too. Why: one wait for many messages; for blocks of middle size, where latency counts but copying (Bruck) costs more.
 * Cost: (p - 1)/w a + (p - 1) m b for a window of w.
 * Source: R. Thakur, R. Rabenseifner, W. Gropp 2005 (see bcast_binomial.c), section 4.6 (all sends and receives posted
 * at once).
 */
#include "coll/select/algorithm.h"

/* Exchanges in flight: enough to fill the path between hosts, few enough that the receivers' eager memory stays small.
 */
#define WINDOW 32

/* Where blocks go to so many others, a host's ranks keep each other's rings full. */
#define ABREAST 3

static bool goes_to_several(const struct hws_sched *s, const struct hws_coll_call *a)
{
    int n = 0;
    for (int i = 0; i < s->size && n < ABREAST; i++)
        n += i != s->rank && hws_sblock(a, i).len_bytes > 0;
    return n == ABREAST;
}

void hws_alltoall_linear(struct hws_sched *s, const struct hws_coll_call *a)
{
    int n = s->size;
    s->lenient = true;
    hws_sched_copy(s, hws_sblock(a, s->rank), hws_rblock(a, s->rank)); /* not while others wait for answers */
    s->abreast = goes_to_several(s, a);
    for (int first = 1; first < n; first += WINDOW) {
        int last = first + WINDOW < n ? first + WINDOW : n;
        hws_sched_fence(s);
        for (int i = first; i < last; i++)
            hws_sched_recv(s, hws_rblock(a, (s->rank - i + n) % n), (s->rank - i + n) % n);
        for (int i = first; i < last; i++)
            hws_sched_send(s, hws_sblock(a, (s->rank + i) % n), (s->rank + i) % n);
    }
    s->abreast = false;
}
