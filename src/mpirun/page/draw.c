/* SPDX-License-Identifier: BSD-3-Clause
 *
 * draw: see the header. Plain SVG, whose <title> elements are what a browser shows beside the pointer.
 */
#include "mpirun/page/draw.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/list.h"
#include "mpirun/page/page.h"

#define SIDE_MAX  480 /* of the matrix, and widths and heights below: CSS pixels */
#define CELL_MAX  44
#define CELL_TEXT 34 /* a cell so wide has its figure written in it */
#define WIDE      860
#define HIGH      220
#define BAR       560
#define LEFT      60
#define CALLS_MAX 25
#define BAR_NAME  24 /* letters of a name left of its bar */

static const char *const colors[HWS_DRAW_LINES + 1] = {"#1f6fb4", "#d9702b", "#2e8b57", "#b8393b", "#7a5bb0", "#8a6d3b",
                                                       "#cf5fa5", "#5f6b73", "#a3a12b", "#1fa7b4", "#444444"};

/* ---- texts and figures ----------------------------------------------------------------------------------------- */

static void put_text(struct hws_buf *out, const char *text)
{
    for (; *text; text++)
        switch (*text) {
        case '<':
            hws_buf_append(out, "&lt;", 4);
            break;
        case '&':
            hws_buf_append(out, "&amp;", 5);
            break;
        case '"':
            hws_buf_append(out, "&quot;", 6);
            break;
        default:
            hws_buf_append(out, (unsigned char)*text < ' ' ? " " : text, 1);
        }
}

void hws_draw_json(struct hws_buf *out, const char *text)
{
    hws_buf_append(out, "\"", 1);
    for (; *text; text++)
        if ((unsigned char)*text < ' ' || strchr("<>&\"\\", *text))
            hws_buf_printf(out, "\\u%04x", (unsigned char)*text);
        else
            hws_buf_append(out, text, 1);
    hws_buf_append(out, "\"", 1);
}

struct figure {
    char text[32];
};

static struct figure scaled(double v, const char *unit, const char *const *prefixes, double step)
{
    struct figure f;
    int k = 0;
    for (; v >= step * 0.9995 && prefixes[k + 1]; k++)
        v /= step;
    snprintf(f.text, sizeof f.text,
             v >= 100 || (k == 0 && v == (double)(int)v) ? "%.0f %s%s"
             : v >= 10                                   ? "%.1f %s%s"
                                                         : "%.2f %s%s",
             v, prefixes[k], unit);
    return f;
}

static struct figure bytes_text(double v)
{
    static const char *const prefixes[] = {"", "k", "M", "G", "T", "P", NULL};
    return scaled(v, "B", prefixes, 1000);
}

static struct figure time_text(double ns)
{
    static const char *const prefixes[] = {"n", "µ", "m", "", NULL};
    return scaled(ns, "s", prefixes, 1000);
}

const char *hws_draw_way(const struct hws_draw_cell *c)
{
    return c->by_net && c->by_shm ? "both" : c->by_net ? "net" : "shm";
}

/* ---- the head -------------------------------------------------------------------------------------------------- */

static const char style[] =
    "body{font:14px/1.45 system-ui,sans-serif;color:#222;background:#fff;max-width:960px;margin:24px auto;padding:0 "
    "16px}"
    "h1{font-size:20px;margin:0 0 4px}h2{font-size:16px;margin:28px 0 6px}p{margin:4px 0 10px;max-width:80ch}"
    ".sub{color:#666}table{border-collapse:collapse}td,th{padding:2px 10px 2px 0;text-align:right;font-variant-numeric:"
    "tabular-nums}th{color:#666;font-weight:500;border-bottom:1px solid #ccc}td:first-child,th:first-child,td.l,th.l{"
    "text-align:left}code{font:13px ui-monospace,monospace}svg{display:block;max-width:100%;height:auto}svg text{font:"
    "11px system-ui,sans-serif;fill:#444}.key{display:inline-block;width:12px;height:12px;margin:0 4px 0 14px;"
    "vertical-align:-1px}";

static void say_silent(struct hws_buf *out, const struct hws_page *p)
{
    int n = 0, n_static = 0;
    for (int i = 0; i < p->n_ranks; i++) {
        n += !p->ranks[i].has_data;
        n_static += p->ranks[i].has_data && !p->ranks[i].has_calls;
    }
    if (n)
        hws_buf_printf(out,
                       "<p>Of %d of %d ranks nothing is known: they have not called MPI_Init of this library, or their "
                       "host was lost.</p>\n",
                       n, p->n_ranks);
    if (n_static)
        hws_buf_printf(out,
                       "<p>The calls of %d ranks could not be counted: their program is linked statically, or the "
                       "loader refused libhawser-report.so.</p>\n",
                       n_static);
}

void hws_draw_head(struct hws_buf *out, const struct hws_page *p, const struct hws_page_about *about, double span_ns)
{
    hws_buf_printf(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                        "<meta name=\"viewport\" content=\"width=device-width\">\n<title>");
    put_text(out, about->command);
    hws_buf_printf(out, "</title>\n<style>");
    hws_buf_append(out, style, strlen(style));
    hws_buf_printf(out, "</style>\n</head>\n<body>\n<h1><code>");
    put_text(out, about->command);
    hws_buf_printf(out, "</code></h1>\n<p class=\"sub\">%d ranks on %d host%s, %s from the first MPI_Init to the end. ",
                   p->n_ranks, p->n_hosts, p->n_hosts > 1 ? "s" : "", time_text(span_ns).text);
    put_text(out, about->end);
    hws_buf_printf(out, "</p>\n");
    say_silent(out, p);
}

/* ---- who sent how much to whom --------------------------------------------------------------------------------- */

/* Light to dark, by the logarithm: a thousandth of the most is still to be seen. */
static void put_shade(struct hws_buf *out, double v, double most)
{
    double part = v <= 0 || most <= 1 ? 0.04 : 1 - log(most / v) / log(1e6);
    part = part < 0.04 ? 0.04 : part > 1 ? 1 : part;
    hws_buf_printf(out, "#%02x%02x%02x", (int)(235 - part * 220), (int)(243 - part * 175), (int)(250 - part * 120));
}

static void draw_cell(struct hws_buf *out, const struct hws_draw_rows *rows, int from, int to, double size, double most)
{
    const struct hws_draw_cell *c = &rows->cells[from * rows->n + to];
    if (!c->messages)
        return;
    double x = LEFT + to * size, y = 24 + from * size, gap = size > 8 ? 1 : 0;
    hws_buf_printf(out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"", x, y, size - gap,
                   size - gap);
    put_shade(out, (double)c->bytes, most);
    hws_buf_printf(out, "\"><title>");
    put_text(out, rows->row[from].name);
    hws_buf_printf(out, " to ");
    put_text(out, rows->row[to].name);
    hws_buf_printf(out, ": %" PRIu64 " bytes in %" PRIu64 " messages, %s</title></rect>\n", c->bytes, c->messages,
                   c->by_net && c->by_shm ? "by network and shared memory"
                   : c->by_net            ? "by network"
                                          : "by shared memory");
    if (size >= CELL_TEXT) {
        bool is_dark = (double)c->bytes * 300 > most;
        hws_buf_printf(out,
                       "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\" pointer-events=\"none\" "
                       "style=\"fill:%s;font-size:9px\">%s</text>\n",
                       x + size / 2, y + size / 2 + 3, is_dark ? "#fff" : "#333", bytes_text((double)c->bytes).text);
    }
}

/* Numbers at the edge: of ranks, or of hosts; as many as fit. */
static void draw_edges(struct hws_buf *out, const struct hws_draw_rows *rows, double size)
{
    int every = (int)(18 / size) + 1;
    for (int i = 0; i < rows->n; i += every) {
        hws_buf_printf(out, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%d<title>", LEFT - 6,
                       24 + (i + 0.5) * size + 4, i);
        put_text(out, rows->row[i].name);
        hws_buf_printf(out, "</title></text><text x=\"%.1f\" y=\"18\" text-anchor=\"middle\">%d<title>",
                       LEFT + (i + 0.5) * size, i);
        put_text(out, rows->row[i].name);
        hws_buf_printf(out, "</title></text>\n");
    }
}

void hws_draw_matrix(struct hws_buf *out, const struct hws_draw_rows *rows)
{
    double size = (double)SIDE_MAX / rows->n, most = 0, sum = 0, sum_net = 0;
    uint64_t n = 0;
    size = size > CELL_MAX ? CELL_MAX : size;
    for (int i = 0; i < rows->n * rows->n; i++) {
        double bytes = (double)rows->cells[i].bytes;
        most = bytes > most ? bytes : most;
        sum += bytes;
        sum_net += rows->cells[i].by_net ? bytes : 0;
        n += rows->cells[i].messages;
    }
    hws_buf_printf(out,
                   "<h2>Who sent how much to whom</h2>\n<p>%s in %" PRIu64 " messages, of these %s by network. A row "
                   "is a %s that sends, a column one that receives; the darker the more, by the logarithm. Payload "
                   "of messages, those of collectives too; collectives inside shared memory send none.</p>\n",
                   bytes_text(sum).text, n, bytes_text(sum_net).text, rows->are_ranks ? "rank" : "host");
    hws_buf_printf(out, "<svg width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" role=\"img\">\n",
                   LEFT + rows->n * size + 4, 28 + rows->n * size, LEFT + rows->n * size + 4, 28 + rows->n * size);
    hws_buf_printf(out, "<rect x=\"%d\" y=\"24\" width=\"%.1f\" height=\"%.1f\" fill=\"#f6f6f6\"/>\n", LEFT,
                   rows->n * size, rows->n * size);
    draw_edges(out, rows, size);
    for (int from = 0; from < rows->n; from++)
        for (int to = 0; to < rows->n; to++)
            draw_cell(out, rows, from, to, size, most);
    hws_buf_printf(out, "</svg>\n");
}

/* ---- lanes over time ------------------------------------------------------------------------------------------- */

static int by_sum(const void *a, const void *b)
{
    const struct hws_draw_line *x = a, *y = b;
    return x->sum != y->sum ? (x->sum < y->sum ? 1 : -1) : strcmp(x->name, y->name);
}

void hws_draw_sort_lines(struct hws_draw_lines *lines)
{
    if (lines->n)
        qsort(lines->line, (size_t)lines->n, sizeof *lines->line, by_sum);
    if (lines->n <= HWS_DRAW_LINES)
        return;
    struct hws_draw_line *rest = &lines->line[HWS_DRAW_LINES - 1];
    for (int i = HWS_DRAW_LINES; i < lines->n; i++) {
        for (int k = 0; k < HWS_DRAW_SLOTS; k++)
            rest->bytes[k] += lines->line[i].bytes[k];
        rest->sum += lines->line[i].sum;
        free(lines->line[i].name);
    }
    free(rest->name);
    rest->name = hws_xprintf("%d others", lines->n - HWS_DRAW_LINES + 1);
    lines->n = HWS_DRAW_LINES;
}

static void draw_axes(struct hws_buf *out, double most_rate, double span_ns)
{
    for (int i = 0; i <= 4; i++) {
        double y = 10 + HIGH * (4 - i) / 4.0, x = LEFT + 20 + (WIDE - LEFT - 40) * i / 4.0;
        hws_buf_printf(out, "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/>", LEFT + 20, WIDE - 20,
                       y, y);
        hws_buf_printf(out, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s/s</text>", LEFT + 14, y + 4,
                       bytes_text(most_rate * i / 4).text);
        hws_buf_printf(out, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>\n", x, HIGH + 28,
                       time_text(span_ns * i / 4).text);
    }
}

static void draw_line(struct hws_buf *out, const struct hws_draw_line *l, const char *color, double most)
{
    hws_buf_printf(out, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\" points=\"", color);
    for (int k = 0; k < HWS_DRAW_SLOTS; k++)
        hws_buf_printf(out, "%.1f,%.1f ", LEFT + 20 + (k + 0.5) * (WIDE - LEFT - 40) / HWS_DRAW_SLOTS,
                       10 + HIGH * (1 - (most > 0 ? l->bytes[k] / most : 0)));
    hws_buf_printf(out, "\"><title>");
    put_text(out, l->name);
    hws_buf_printf(out, "</title></polyline>\n");
}

void hws_draw_lines(struct hws_buf *out, const struct hws_draw_lines *lines)
{
    double most = 0, slot_s = lines->span_ns / HWS_DRAW_SLOTS * 1e-9;
    hws_buf_printf(out, "<h2>Lanes over time</h2>\n");
    if (!lines->n) {
        hws_buf_printf(out, "<p>Nothing was sent.</p>\n");
        return;
    }
    for (int i = 0; i < lines->n; i++)
        for (int k = 0; k < HWS_DRAW_SLOTS; k++)
            most = lines->line[i].bytes[k] > most ? lines->line[i].bytes[k] : most;
    hws_buf_printf(out,
                   "<p>What left by each pair of addresses, and through the memory of each host, with headers; "
                   "looked at every 50 ms in MPI.</p>\n<svg width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
                   "role=\"img\">\n",
                   WIDE, HIGH + 36, WIDE, HIGH + 36);
    draw_axes(out, most / slot_s, lines->span_ns);
    for (int i = lines->n - 1; i >= 0; i--)
        draw_line(out, &lines->line[i], colors[i], most);
    hws_buf_printf(out, "</svg>\n<table><tr><th>lane</th><th>bytes</th><th>highest rate</th></tr>\n");
    for (int i = 0; i < lines->n; i++) {
        const struct hws_draw_line *l = &lines->line[i];
        double top = 0;
        for (int k = 0; k < HWS_DRAW_SLOTS; k++)
            top = l->bytes[k] > top ? l->bytes[k] : top;
        hws_buf_printf(out, "<tr><td><span class=\"key\" style=\"background:%s\"></span>", colors[i]);
        put_text(out, l->name);
        hws_buf_printf(out, "</td><td>%s</td><td>%s/s</td></tr>\n", bytes_text(l->sum).text,
                       bytes_text(top / slot_s).text);
    }
    hws_buf_printf(out, "</table>\n");
}

/* ---- where the time went --------------------------------------------------------------------------------------- */

/* A name as far as there is room beside a bar; the whole of it is shown where the mouse is. */
static void put_start(struct hws_buf *out, const char *name)
{
    char start[BAR_NAME + 3];
    if (snprintf(start, sizeof start, "%s", name) >= (int)sizeof start)
        memcpy(start + BAR_NAME, "..", 2);
    put_text(out, start);
}

static void draw_bar(struct hws_buf *out, const struct hws_draw_row *r, int i)
{
    double all = r->elapsed_ns ? (double)r->elapsed_ns : 1, wait = (double)r->wait_ns / all,
           mpi = (double)r->in_mpi_ns / all, x = 170, y = i * 16.0;
    hws_buf_printf(out, "<g><title>");
    put_text(out, r->name);
    hws_buf_printf(out, ": %.1f %% waiting in MPI, %.1f %% else in MPI, %.1f %% outside, of %s</title>", wait * 100,
                   (mpi - wait) * 100, (1 - mpi) * 100, time_text(all / (r->n_ranks ? r->n_ranks : 1)).text);
    hws_buf_printf(out, "<text x=\"162\" y=\"%.1f\" text-anchor=\"end\">", y + 11);
    put_start(out, r->name);
    hws_buf_printf(out, "</text>");
    if (r->has_calls)
        hws_buf_printf(out,
                       "<rect x=\"%.1f\" y=\"%.1f\" width=\"%d\" height=\"13\" fill=\"#dfe5ea\"/>"
                       "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"13\" fill=\"#1f6fb4\"/>"
                       "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"13\" fill=\"#d9702b\"/>"
                       "<text x=\"%.1f\" y=\"%.1f\">%.0f %%</text>",
                       x, y, BAR, x, y, mpi * BAR, x, y, wait * BAR, x + BAR + 8, y + 11, mpi * 100);
    hws_buf_printf(out, "</g>\n");
}

void hws_draw_times(struct hws_buf *out, const struct hws_draw_rows *rows)
{
    hws_buf_printf(
        out,
        "<h2>Time in MPI</h2>\n<p><span class=\"key\" style=\"background:#d9702b;margin-left:0\"></span>waiting: "
        "asleep, or in one call while nothing moved<span class=\"key\" style=\"background:#1f6fb4\"></span>"
        "else in MPI<span class=\"key\" style=\"background:#dfe5ea\"></span>outside of MPI%s. By samples "
        "every 5 to 10 ms.</p>\n<svg width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" role=\"img\">\n",
        rows->are_ranks ? "" : "; means of the ranks", WIDE, rows->n * 16 + 4, WIDE, rows->n * 16 + 4);
    for (int i = 0; i < rows->n; i++)
        draw_bar(out, &rows->row[i], i);
    hws_buf_printf(out, "</svg>\n");
}

/* ---- calls ----------------------------------------------------------------------------------------------------- */

static void draw_slowest(struct hws_buf *out, const struct hws_draw_calls *calls)
{
    hws_buf_printf(out, "<h2>Slowest calls</h2>\n");
    if (!calls->n_slow) {
        hws_buf_printf(out, "<p>None lasted longer than the time between two samples.</p>\n");
        return;
    }
    hws_buf_printf(out, "<table><tr><th>call</th><th>rank</th><th>took</th><th>begun after</th><th>peer</th><th>bytes"
                        "</th><th class=\"l\">communicator</th></tr>\n");
    for (int i = 0; i < calls->n_slow && i < HWS_DRAW_SLOWEST; i++) {
        const struct hws_profile_slow *s = &calls->slow[i].slow;
        hws_buf_printf(out, "<tr><td><code>");
        put_text(out, s->name);
        hws_buf_printf(out, "</code></td><td>%d</td><td>%s</td><td>%s</td>", calls->slow[i].rank,
                       time_text((double)s->ns).text, time_text((double)s->begin_ns).text);
        if (s->peer >= 0)
            hws_buf_printf(out, "<td>%" PRId64 "</td>", s->peer);
        else
            hws_buf_printf(out, "<td></td>");
        hws_buf_printf(out, "<td>%s</td><td class=\"l\">", s->bytes ? bytes_text((double)s->bytes).text : "");
        put_text(out, s->comm);
        hws_buf_printf(out, "</td></tr>\n");
    }
    hws_buf_printf(out, "</table>\n");
}

void hws_draw_calls(struct hws_buf *out, const struct hws_draw_calls *calls)
{
    draw_slowest(out, calls);
    hws_buf_printf(out, "<h2>Calls</h2>\n");
    if (!calls->n) {
        hws_buf_printf(out, "<p>None were counted.</p>\n");
        return;
    }
    hws_buf_printf(out, "<p>Sums of all ranks and threads. Calls are counted, their time is sampled.</p>\n<table><tr>"
                        "<th>call</th><th>calls</th><th>time</th><th>of it waiting</th></tr>\n");
    for (int i = 0; i < calls->n && i < CALLS_MAX; i++) {
        const struct hws_profile_call *c = &calls->call[i];
        hws_buf_printf(out, "<tr><td><code>");
        put_text(out, c->name);
        hws_buf_printf(out, "</code></td><td>%" PRIu64 "</td><td>%s</td><td>%s</td></tr>\n", c->n,
                       time_text((double)c->ns).text, time_text((double)c->wait_ns).text);
    }
    hws_buf_printf(out, "</table>\n");
}
