/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpirun/job/standing.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/errors.h"
#include "mpirun/util/proto.h"

#define TENTHS_MS  10000 /* shorter times are told with a tenth of a second */
#define STILL_MS   1000  /* nothing has moved for so long: a message between hosts takes far less */
#define RANGES_MAX 16    /* of ranks named in one line */

static void add(struct hws_standing *s, struct hws_standing_rank r)
{
    if (s->n == s->cap) {
        s->cap = s->cap ? 2 * s->cap : 64;
        s->list = hws_xrealloc(s->list, s->cap * sizeof *s->list);
    }
    s->list[s->n++] = r;
}

int hws_standing_add(struct hws_standing *s, const char *data, size_t len, bool (*is_rank)(void *arg, int rank),
                     void *arg)
{
    struct hws_reader in = {.data = data, .len = len};
    while (in.len && !in.bad) {
        size_t text_len;
        uint32_t rank = hws_read_u32(&in), stand = hws_read_u32(&in);
        uint32_t for_ms = hws_read_u32(&in), still_ms = hws_read_u32(&in);
        const char *text = hws_read_text(&in, &text_len);
        if (in.bad || stand >= HWS_STAND_N || rank > INT32_MAX || !is_rank(arg, (int)rank))
            return HWS_EPROTO;
        add(s, (struct hws_standing_rank){(int)rank, (enum hws_stand)stand, for_ms, still_ms,
                                          hws_xstrndup(text, text_len)});
    }
    return in.bad ? HWS_EPROTO : HWS_OK;
}

bool hws_standing_has_mpi(const struct hws_standing *s)
{
    for (size_t i = 0; i < s->n; i++)
        if (s->list[i].stand != HWS_STAND_OUTSIDE && s->list[i].stand != HWS_STAND_STOPPED)
            return true;
    return false;
}

static int by_text(const void *a, const void *b)
{
    const struct hws_standing_rank *x = a, *y = b;
    int c = strcmp(x->text, y->text);
    return c ? c : x->rank - y->rank;
}

/* A run of the sorted list with one text. */
struct group {
    const struct hws_standing_rank *first;
    size_t n;
};

static int by_first_rank(const void *a, const void *b)
{
    const struct group *x = a, *y = b;
    return x->first->rank - y->first->rank;
}

static void print_ranks(const struct group *g, struct hws_buf *out)
{
    int n_ranges = 0;
    hws_buf_printf(out, g->n > 1 ? "ranks " : "rank ");
    for (size_t i = 0, end; i < g->n; i = end + 1) {
        for (end = i; end + 1 < g->n && g->first[end + 1].rank <= g->first[end].rank + 1;)
            end++;
        if (++n_ranges > RANGES_MAX) {
            hws_buf_printf(out, ", ... (%zu in all)", g->n);
            return;
        }
        hws_buf_printf(out, "%s%d", i ? ", " : "", g->first[i].rank);
        if (g->first[end].rank != g->first[i].rank)
            hws_buf_printf(out, "-%d", g->first[end].rank);
    }
}

static void print_seconds(uint32_t ms, struct hws_buf *out)
{
    if (ms < TENTHS_MS)
        hws_buf_printf(out, "%.1f", (double)ms / HWS_MS_PER_S);
    else
        hws_buf_printf(out, "%u", ms / HWS_MS_PER_S);
}

static void print_group(const struct group *g, struct hws_buf *out)
{
    uint32_t least = UINT32_MAX, most = 0;
    for (size_t i = 0; i < g->n; i++) {
        least = g->first[i].for_ms < least ? g->first[i].for_ms : least;
        most = g->first[i].for_ms > most ? g->first[i].for_ms : most;
    }
    print_ranks(g, out);
    int text_len = (int)strcspn(g->first->text, "\n");
    const char *more = g->first->text + text_len;
    hws_buf_printf(out, ": %.*s", text_len, g->first->text);
    if (g->first->stand == HWS_STAND_WAITS) {
        hws_buf_printf(out, ", for ");
        if (most - least >= HWS_MS_PER_S) {
            print_seconds(least, out);
            hws_buf_printf(out, " to ");
        }
        print_seconds(most, out);
        hws_buf_printf(out, " s");
    }
    hws_buf_printf(out, "%s%s\n", *more ? "; " : "", *more ? more + 1 : "");
}

/* All ranks that are not through sleep in MPI, and none of them has seen anything move. */
static void print_deadlock(const struct hws_standing *s, int size, struct hws_buf *out)
{
    uint32_t still = UINT32_MAX;
    int n_known = 0, n_waiting = 0, last = -1;
    char *is_known = hws_xcalloc((size_t)size, 1);
    for (size_t i = 0; i < s->n; i++) {
        const struct hws_standing_rank *r = &s->list[i];
        if (r->stand != HWS_STAND_WAITS && r->stand != HWS_STAND_OVER)
            still = 0;
        if (r->stand == HWS_STAND_WAITS && r->still_ms < still)
            still = r->still_ms;
        if (r->rank < size && !is_known[r->rank]) {
            is_known[r->rank] = 1;
            n_known++;
            n_waiting += r->stand == HWS_STAND_WAITS;
            last = r->stand == HWS_STAND_WAITS ? r->rank : last;
        }
    }
    free(is_known);
    if (n_known < size || !n_waiting || still < STILL_MS)
        return;
    if (n_waiting == 1)
        hws_buf_printf(out, "rank %d", last);
    else
        hws_buf_printf(out, "all %d ranks", n_waiting);
    hws_buf_printf(out, "%s wait%s in MPI and nothing has moved for ",
                   n_waiting > 1 && n_waiting < size ? " that have not ended" : "", n_waiting == 1 ? "s" : "");
    print_seconds(still, out);
    hws_buf_printf(out, " s: a deadlock is suspected\n");
}

void hws_standing_print(struct hws_standing *s, int size, struct hws_buf *out)
{
    if (!s->n)
        return;
    struct group *groups = hws_xcalloc(s->n, sizeof *groups);
    size_t n = 0;
    qsort(s->list, s->n, sizeof *s->list, by_text);
    for (size_t i = 0; i < s->n; i++) {
        if (n && strcmp(groups[n - 1].first->text, s->list[i].text) == 0)
            groups[n - 1].n++;
        else
            groups[n++] = (struct group){&s->list[i], 1};
    }
    qsort(groups, n, sizeof *groups, by_first_rank);
    for (size_t i = 0; i < n; i++)
        print_group(&groups[i], out);
    free(groups);
    print_deadlock(s, size, out);
}

void hws_standing_free(struct hws_standing *s)
{
    for (size_t i = 0; i < s->n; i++)
        free(s->list[i].text);
    free(s->list);
    *s = (struct hws_standing){0};
}
