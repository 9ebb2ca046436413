/* SPDX-License-Identifier: BSD-3-Clause
 *
 * page: see the header. What is drawn is in draw.c; here is what is added up, and the JSON.
 */
#include "mpirun/page/page.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mpirun/page/draw.h"

struct hws_page *hws_page_open(int n_ranks, int n_hosts, const char *const *hosts, const int *host_of)
{
    struct hws_page *p = hws_xcalloc(1, sizeof *p);
    *p = (struct hws_page){.n_ranks = n_ranks, .n_hosts = n_hosts, .hosts = hosts, .host_of = host_of};
    p->ranks = hws_xcalloc((size_t)n_ranks, sizeof *p->ranks);
    return p;
}

void hws_page_close(struct hws_page *p)
{
    if (!p)
        return;
    for (int i = 0; i < p->n_ranks; i++)
        hws_page_rank_fini(&p->ranks[i]);
    free(p->ranks);
    free(p->wans);
    free(p);
}

void hws_page_add_wan(struct hws_page *p, const struct hws_page_wan *wan)
{
    p->wans = hws_xrealloc(p->wans, (size_t)(p->n_wans + 1) * sizeof *p->wans);
    p->wans[p->n_wans++] = *wan;
}

bool hws_page_add(struct hws_page *p, int host, const char *data, size_t len)
{
    struct hws_reader in = {.data = data, .len = len};
    while (in.len) {
        struct hws_page_rank r;
        int rank;
        if (!hws_page_decode(&in, p->n_ranks, &rank, &r) || p->host_of[rank] != host) {
            hws_page_rank_fini(&r);
            return false;
        }
        hws_page_rank_fini(&p->ranks[rank]);
        p->ranks[rank] = r;
    }
    return true;
}

/* ---- sums ------------------------------------------------------------------------------------------------------ */

static int n_rows(const struct hws_page *p)
{
    return p->n_ranks <= HWS_PAGE_ROWS ? p->n_ranks : p->n_hosts <= HWS_PAGE_ROWS ? p->n_hosts : HWS_PAGE_ROWS;
}

/* The row of the matrix that a rank is in. */
static int row_of(const struct hws_page *p, int rank)
{
    int n = n_rows(p);
    if (n == p->n_ranks)
        return rank;
    return (int)((int64_t)p->host_of[rank] * n / p->n_hosts);
}

static void name_rows(const struct hws_page *p, struct hws_draw_rows *rows)
{
    for (int i = p->n_ranks - 1; i >= 0; i--) { /* of a row that has several, the first host stays */
        char **name = &rows->row[row_of(p, i)].name;
        free(*name);
        *name = p->n_ranks == rows->n   ? hws_xprintf("rank %d (%s)", i, p->hosts[p->host_of[i]])
                : p->n_hosts == rows->n ? hws_xprintf("host %s", p->hosts[p->host_of[i]])
                                        : hws_xprintf("hosts from %s", p->hosts[p->host_of[i]]);
    }
}

static void sum_rows(const struct hws_page *p, struct hws_draw_rows *rows)
{
    rows->n = n_rows(p);
    rows->are_ranks = rows->n == p->n_ranks;
    rows->row = hws_xcalloc((size_t)rows->n, sizeof *rows->row);
    rows->cells = hws_xcalloc((size_t)rows->n * (size_t)rows->n, sizeof *rows->cells);
    for (int i = 0; i < p->n_ranks; i++) {
        const struct hws_page_rank *r = &p->ranks[i];
        struct hws_draw_row *row = &rows->row[row_of(p, i)];
        row->n_ranks++;
        row->n_silent += !r->has_data;
        row->has_calls |= r->has_calls;
        row->elapsed_ns += r->sampled_ns;
        row->in_mpi_ns += r->in_mpi_ns;
        row->wait_ns += r->wait_ns;
        for (int k = 0; k < r->n_peers; k++) {
            struct hws_draw_cell *c = &rows->cells[row_of(p, i) * rows->n + row_of(p, r->peers[k].rank)];
            c->bytes += r->peers[k].bytes;
            c->messages += r->peers[k].messages;
            c->by_net |= r->peers[k].way == HWS_PROFILE_NET;
            c->by_shm |= r->peers[k].way == HWS_PROFILE_SHM;
        }
    }
    name_rows(p, rows);
}

static void free_rows(struct hws_draw_rows *rows)
{
    for (int i = 0; i < rows->n; i++)
        free(rows->row[i].name);
    free(rows->row);
    free(rows->cells);
}

/* From the first rank's begin to the last one's end. */
static void find_span(const struct hws_page *p, uint64_t *begin, uint64_t *end)
{
    *begin = UINT64_MAX;
    *end = 0;
    for (int i = 0; i < p->n_ranks; i++) {
        const struct hws_page_rank *r = &p->ranks[i];
        uint64_t last = r->begin_ns + (r->elapsed_ns > r->sampled_ns ? r->elapsed_ns : r->sampled_ns);
        if (r->has_data && r->begin_ns < *begin)
            *begin = r->begin_ns;
        if (r->has_data && last > *end)
            *end = last;
    }
    if (*end <= *begin) {
        *begin = 0;
        *end = 1;
    }
}

static struct hws_draw_line *line_of(struct hws_draw_lines *lines, const char *name, const char *host)
{
    char *full = hws_xprintf("%s: %s", host, name);
    for (int i = 0; i < lines->n; i++)
        if (strcmp(lines->line[i].name, full) == 0) {
            free(full);
            return &lines->line[i];
        }
    lines->line = hws_xrealloc(lines->line, (size_t)(lines->n + 1) * sizeof *lines->line);
    struct hws_draw_line *l = &lines->line[lines->n++];
    *l = (struct hws_draw_line){.name = full};
    return l;
}

/* A slot of a rank's lane, shared out evenly to the page's slots of time that it covers. */
static void add_slot(struct hws_draw_line *l, double from, double to, double slot_ns, double bytes)
{
    const double all = slot_ns * HWS_DRAW_SLOTS; /* a rank may have written any number */
    from = from < all ? from : all - slot_ns;
    to = to < all ? to : all;
    int first = (int)(from / slot_ns), last = (int)(to / slot_ns);
    for (int k = first; k <= last; k++) {
        double begin = k * slot_ns > from ? k * slot_ns : from, end = (k + 1) * slot_ns < to ? (k + 1) * slot_ns : to;
        int at = k < HWS_DRAW_SLOTS ? k : HWS_DRAW_SLOTS - 1;
        if (at >= 0 && end > begin)
            l->bytes[at] += bytes * (end - begin) / (to - from);
    }
    l->sum += bytes;
}

/* One way of a gateway, as lanes of its host. */
static void add_wan(struct hws_draw_lines *lines, const struct hws_page_wan *w, uint64_t begin)
{
    for (int is_out = 0; is_out < 2; is_out++) {
        char name[64];
        snprintf(name, sizeof name, is_out ? "gateway to site %s" : "gateway from site %s", w->site);
        for (int i = 0; i < w->n; i++) {
            uint64_t bytes = is_out ? w->out[i] : w->in[i];
            double from = (double)w->begin_ns - (double)begin + (double)w->step_ns * i, to = from + (double)w->step_ns;
            if (bytes && to > 0)
                add_slot(line_of(lines, name, w->host), from > 0 ? from : 0, to, lines->span_ns / HWS_DRAW_SLOTS,
                         (double)bytes);
        }
    }
}

static void sum_lines(const struct hws_page *p, struct hws_draw_lines *lines)
{
    uint64_t begin, end;
    find_span(p, &begin, &end);
    lines->span_ns = (double)(end - begin);
    for (int i = 0; i < p->n_ranks; i++) {
        const struct hws_page_rank *r = &p->ranks[i];
        for (int k = 0; k < r->n_lanes; k++) {
            struct hws_draw_line *l = line_of(lines, r->lanes[k].name, p->hosts[p->host_of[i]]);
            for (uint64_t s = 0; s < HWS_PROFILE_SLOTS; s++) {
                uint64_t from = s * r->slot_ns, to = from + r->slot_ns;
                to = to > r->elapsed_ns && r->elapsed_ns > from ? r->elapsed_ns : to;
                if (r->lanes[k].bytes[s])
                    add_slot(l, (double)(r->begin_ns - begin + from), (double)(r->begin_ns - begin + to),
                             lines->span_ns / HWS_DRAW_SLOTS, (double)r->lanes[k].bytes[s]);
            }
        }
    }
    for (int i = 0; i < p->n_wans; i++)
        add_wan(lines, &p->wans[i], begin);
}

static void free_lines(struct hws_draw_lines *lines)
{
    for (int i = 0; i < lines->n; i++)
        free(lines->line[i].name);
    free(lines->line);
}

static void add_call(struct hws_draw_calls *all, const struct hws_profile_call *c)
{
    int i = 0;
    while (i < all->n && strcmp(all->call[i].name, c->name) != 0)
        i++;
    if (i == all->n && all->n == HWS_PROFILE_CALLS)
        return;
    if (i == all->n) {
        all->call[i] = *c;
        all->n++;
        return;
    }
    all->call[i].n += c->n;
    all->call[i].ns += c->ns;
    all->call[i].wait_ns += c->wait_ns;
}

static int by_time(const void *a, const void *b)
{
    const struct hws_profile_call *x = a, *y = b;
    if (x->ns != y->ns)
        return x->ns < y->ns ? 1 : -1;
    return x->n != y->n ? (x->n < y->n ? 1 : -1) : strcmp(x->name, y->name);
}

static int by_length(const void *a, const void *b)
{
    const struct hws_draw_slow *x = a, *y = b;
    return x->slow.ns != y->slow.ns ? (x->slow.ns < y->slow.ns ? 1 : -1) : x->rank - y->rank;
}

static void sum_calls(const struct hws_page *p, struct hws_draw_calls *all)
{
    uint64_t begin, end;
    find_span(p, &begin, &end);
    all->slow = hws_xcalloc((size_t)p->n_ranks * HWS_PROFILE_SLOWEST, sizeof *all->slow);
    for (int i = 0; i < p->n_ranks; i++) {
        const struct hws_page_rank *r = &p->ranks[i];
        for (int k = 0; k < r->n_calls; k++)
            add_call(all, &r->calls[k]);
        for (int k = 0; k < r->n_slow; k++) {
            all->slow[all->n_slow] = (struct hws_draw_slow){i, r->slow[k]};
            all->slow[all->n_slow++].slow.begin_ns += r->begin_ns - begin;
        }
    }
    qsort(all->call, (size_t)all->n, sizeof *all->call, by_time);
    qsort(all->slow, (size_t)all->n_slow, sizeof *all->slow, by_length);
}

/* ---- for programs ---------------------------------------------------------------------------------------------- */

static void write_rows(const struct hws_draw_rows *rows, struct hws_buf *out)
{
    hws_buf_printf(out, "\"rows\":[");
    for (int i = 0; i < rows->n; i++) {
        const struct hws_draw_row *r = &rows->row[i];
        hws_buf_printf(out, "%s{\"name\":", i ? ",\n" : "");
        hws_draw_json(out, r->name);
        hws_buf_printf(out,
                       ",\"ranks\":%d,\"silent\":%d,\"elapsed_ns\":%" PRIu64 ",\"in_mpi_ns\":%" PRIu64
                       ",\"waiting_ns\":%" PRIu64 "}",
                       r->n_ranks, r->n_silent, r->elapsed_ns, r->in_mpi_ns, r->wait_ns);
    }
    hws_buf_printf(out, "],\n\"traffic\":[");
    const char *comma = "";
    for (int i = 0; i < rows->n * rows->n; i++) {
        const struct hws_draw_cell *c = &rows->cells[i];
        if (!c->messages)
            continue;
        hws_buf_printf(out, "%s[%d,%d,%" PRIu64 ",%" PRIu64 ",\"%s\"]", comma, i / rows->n, i % rows->n, c->bytes,
                       c->messages, hws_draw_way(c));
        comma = ",\n";
    }
    hws_buf_printf(out, "],\n");
}

static void write_calls(const struct hws_draw_calls *all, struct hws_buf *out)
{
    hws_buf_printf(out, "\"calls\":[");
    for (int i = 0; i < all->n; i++) {
        hws_buf_printf(out, "%s[", i ? ",\n" : "");
        hws_draw_json(out, all->call[i].name);
        hws_buf_printf(out, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "]", all->call[i].n, all->call[i].ns,
                       all->call[i].wait_ns);
    }
    hws_buf_printf(out, "],\n\"slowest\":[");
    for (int i = 0; i < all->n_slow && i < HWS_DRAW_SLOWEST; i++) {
        const struct hws_profile_slow *s = &all->slow[i].slow;
        hws_buf_printf(out, "%s[%d,", i ? ",\n" : "", all->slow[i].rank);
        hws_draw_json(out, s->name);
        hws_buf_printf(out, ",%" PRIu64 ",%" PRIu64 ",", s->begin_ns, s->ns);
        hws_draw_json(out, s->comm);
        hws_buf_printf(out, ",%" PRId64 ",%" PRIu64 "]", s->peer, s->bytes);
    }
    hws_buf_printf(out, "],\n");
}

static void write_lines(const struct hws_draw_lines *lines, struct hws_buf *out)
{
    hws_buf_printf(out, "\"slot_ns\":%.0f,\n\"lanes\":[", lines->span_ns / HWS_DRAW_SLOTS);
    for (int i = 0; i < lines->n && i < HWS_DRAW_LINES; i++) {
        hws_buf_printf(out, "%s[", i ? ",\n" : "");
        hws_draw_json(out, lines->line[i].name);
        hws_buf_printf(out, ",%.0f,[", lines->line[i].sum);
        for (int k = 0; k < HWS_DRAW_SLOTS; k++)
            hws_buf_printf(out, "%s%.0f", k ? "," : "", lines->line[i].bytes[k]);
        hws_buf_printf(out, "]]");
    }
    hws_buf_printf(out, "]");
}

void hws_page_write(const struct hws_page *p, const struct hws_page_about *about, struct hws_buf *out)
{
    struct hws_draw_rows rows = {0};
    struct hws_draw_lines lines = {0};
    struct hws_draw_calls *calls = hws_xcalloc(1, sizeof *calls);
    sum_rows(p, &rows);
    sum_lines(p, &lines);
    hws_draw_sort_lines(&lines);
    sum_calls(p, calls);
    hws_draw_head(out, p, about, lines.span_ns);
    hws_draw_matrix(out, &rows);
    hws_draw_lines(out, &lines);
    hws_draw_times(out, &rows);
    hws_draw_calls(out, calls);
    hws_buf_printf(out, "<script type=\"application/json\" id=\"data\">\n{");
    write_rows(&rows, out);
    write_calls(calls, out);
    write_lines(&lines, out);
    hws_buf_printf(out, "}\n</script>\n</body>\n</html>\n");
    free_rows(&rows);
    free_lines(&lines);
    free(calls->slow);
    free(calls);
}
